"""Fringes along a detector: the irradiance where coherent wavefronts meet, and the spacing and
contrast of its maxima.

The irradiance of each channel, s and p, is that of the sum of all coherent waves,
I = |Σ √I_k exp(i φ_k)|². Two waves with a difference of path Δ are coherent to the degree
exp(-(Δ / L)²), where L is the coherence length of their sources (Born & Wolf, sections 7.2, 7.5.8
and 10.4).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from raybench.analysis.geometry.straight import Floats
from raybench.analysis.interference.wavefronts import ArrivingWaves, Wavefront, waves_at_detector
from raybench.errors import in_quotes, list_choices
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import METRES
from raybench.kinds.sources import Beam, SingleRay, Source
from raybench.optics.thin_films import Complexes
from raybench.scene.coatings import Coatings
from raybench.trace.codes import Status
from raybench.trace.results.result import TraceResult
from raybench.trace.tolerances import WEAK_REFLECTION

FEWEST_POINTS, MOST_POINTS = 2_001, 400_001
POINTS_PER_FRINGE = 24
POINTS_PER_WAVE = 20
COARSE_POINTS = 1_001
"""Points at which the spacing of fringes is looked up first."""
POINTS_PER_BATCH = 8_192
"""Points of a batch, which limits the memory."""
BINS = 100
"""Bins of the light that does not interfere."""
MOST_WAVES, MOST_PAIRED = 1_000, 64
"""The most waves that interfere; of more, those with the most power. With coherence lengths, of
which each pair of waves is summed, they are fewer.
"""
NOTICED = 0.01
"""The part of the irradiance that may be missing without a remark."""
CUT_OFF_POWER = 1e-9
"""The part of the power that is cut off by more than rounding."""
WEAK = 1e-3
"""A wave of a smaller part of the power begins and ends unnoticed."""
PROMINENT = 0.1
"""The least height of a fringe, as a fraction of the range of the interference."""
FLAT = 1e-6
"""Interference that is weaker, relative to the mean irradiance, has no fringes."""
LARGEST_ERROR = 0.1
"""The largest error of an interpolated path, in wavelengths, that is not reported."""
ROUNDING = 1e-15
"""Rounding error of a path, relative to its length."""


@dataclass(frozen=True, eq=False)
class Fringes:
    """The light at a detector, with interference.

    ``x`` (n,): evenly spaced distances from the first end of the detector. ``irradiance`` (n,):
    power per length. ``incoherent`` (n,): the irradiance without interference. ``bright`` (m,):
    positions of the maxima. ``spacing``: mean distance of the maxima. ``contrast``: mean of (I_max
    - I_min) / (I_max + I_min) of neighbouring extrema, weighted by irradiance. Both use `PROMINENT`
    fringes only; without any they are NaN, and ``reason`` says why. ``too_coarse``: why the rays
    are too few for reliable fringes, and the remedy. ``remarks``: sentences about light that does
    not interfere.
    """

    x: Floats
    irradiance: Floats
    incoherent: Floats
    bright: Floats
    spacing: float
    contrast: float
    reason: str = ""
    too_coarse: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def power(self) -> float:
        """The power that arrives, with interference."""
        return float(np.trapezoid(self.irradiance, self.x))

    def mean_between(self, edges: Floats) -> Floats:
        """The mean irradiance (k,) between neighbouring positions ``edges`` (k + 1,) on the
        detector.
        """
        step = np.diff(self.x) * (self.irradiance[1:] + self.irradiance[:-1]) / 2
        reached = np.interp(edges, self.x, np.concatenate([[0.0], np.cumsum(step)]))
        means: Floats = np.diff(reached) / np.diff(edges)
        return means


class _Wave:
    """A wavefront, interpolated between its rays."""

    def __init__(self, front: Wavefront, wavelength: float, coherence_length: float) -> None:
        """``wavelength`` is in scene units."""
        from scipy.interpolate import CubicHermiteSpline

        self.front, self.wavelength, self.coherence_length = front, wavelength, coherence_length
        self._path = CubicHermiteSpline(front.x, front.path, front.slope)

    def optical_path(self, x: Floats) -> Floats:
        path: Floats = self._path(x)
        return path

    def powers(self, x: Floats) -> Floats:
        """The irradiances (channels, n) at positions ``x`` (n,) on the detector."""
        front, (first, last) = self.front, self.front.ends
        lit = (x >= first) & (x <= last)
        return np.stack([np.where(lit, np.interp(x, front.x, i), 0) for i in front.irradiance.T])

    def amplitudes(self, x: Floats, path: Floats) -> tuple[Complexes, Floats]:
        """The complex amplitudes (channels, n) and the irradiances (channels, n) at positions ``x``
        (n,), where the optical path is ``path`` (n,).
        """
        front, power = self.front, self.powers(x)
        turns = 2 * np.pi * np.mod(path / self.wavelength, 1.0)
        phase = np.stack([turns + np.interp(x, front.x, p) for p in front.phase.T])
        return np.sqrt(np.maximum(power, 0.0)) * np.exp(1j * phase), power

    def largest_error(self, length: float) -> float:
        """The largest error of the interpolated optical path on a detector of a ``length``, in
        wavelengths.

        A cubic interpolation has the error e (t (1 - t))² at the fraction t of a step between rays,
        where e is 1 / 24 of the fourth derivative times the fourth power of the step. It is
        estimated by interpolating each second ray from the others. With two rays only, the change
        of path is compared with their mean slope.
        """
        from scipy.interpolate import CubicHermiteSpline

        front, x = self.front, self.front.x
        if len(x) < 3:
            off_mean = np.diff(front.path) - front.slope.mean() * np.diff(x)
            return float(np.abs(off_mean[0])) / self.wavelength
        half = CubicHermiteSpline(x[::2], front.path[::2], front.slope[::2])
        between = slice(1, len(x) - (len(x) + 1) % 2, 2)
        off = np.abs(half(x[between]) - front.path[between])
        first, last = max(front.ends[0], 0.0), min(front.ends[1], length)
        before, after = (x[0] - first) / (x[1] - x[0]), (last - x[-1]) / (x[-1] - x[-2])
        factors = (before * (1 + before)) ** 2, 1 / 16, (after * (1 + after)) ** 2
        return float(max(factors * np.array([off[0], off.max(), off[-1]]))) / self.wavelength


def _split_at_wave_limit(waves: list[_Wave]) -> tuple[list[_Wave], list[_Wave]]:
    """The waves of a coherent set that take part in the interference, and the waves beyond the
    largest number.
    """
    paired = any(math.isfinite(w.coherence_length) for w in waves)
    most = MOST_PAIRED if paired else MOST_WAVES
    return waves[:most], waves[most:]


class Superposition:
    """The waves at a detector, as functions of the distance from the detector's first end."""

    def __init__(self, light: ArrivingWaves, sources: dict[int, Source], length: float, nm: float):
        """``sources`` by their indices; ``nm``: nanometres in a scene unit."""
        self.length = length
        by_set: dict[Hashable, list[_Wave]] = defaultdict(list)
        for front in light.wavefronts:
            source = sources[front.source]
            group = getattr(source, "coherence_group", "") or front.source
            limit = getattr(source, "coherence_length", math.inf)
            wave = _Wave(front, front.wavelength / nm, limit)
            by_set[group, front.emitter, front.wavelength].append(wave)
        self.sets = [sorted(s, key=lambda w: -w.front.power) for s in by_set.values()]
        self.power = sum(f.power for f in light.wavefronts) + float(light.power.sum())
        inside = np.clip(light.x, 0, length)
        bins = np.histogram(inside, BINS, (0, length), weights=light.power)[0]
        self._lone = bins / (length / BINS)

    @property
    def waves(self) -> Iterator[_Wave]:
        return (wave for waves in self.sets for wave in waves)

    def irradiances(self, x: Floats, *, interfere: bool = True) -> tuple[Floats, Floats]:
        """At ascending positions ``x`` (n,): the irradiance (n,) without interference, and the
        interference term (n,) to add to it.
        """
        bins = np.minimum((x / self.length * BINS).astype(np.int64), BINS - 1)
        parts = [
            self._irradiances(part, interfere)
            for part in np.array_split(x, 1 + len(x) // POINTS_PER_BATCH)
        ]
        plain, cross = (np.concatenate(each) for each in zip(*parts, strict=True))
        return self._lone[bins] + plain, cross

    def _irradiances(self, x: Floats, interfere: bool) -> tuple[Floats, Floats]:
        plain, cross = np.zeros(len(x)), np.zeros(len(x))
        for whole in self.sets if len(x) else ():
            waves = [w for w in whole if w.front.ends[0] <= x[-1] and w.front.ends[1] >= x[0]]
            if not interfere or len(waves) < 2:
                for wave in waves:
                    plain += wave.powers(x).sum(axis=0)
                continue
            summed, rest = _split_at_wave_limit(waves)
            plain += sum(w.powers(x).sum(axis=0) for w in rest)
            if all(math.isinf(w.coherence_length) for w in waves):
                total: Complexes | float = 0.0
                for wave in summed:
                    amplitude, power = wave.amplitudes(x, wave.optical_path(x))
                    total = total + amplitude
                    plain += power.sum(axis=0)
                    cross -= power.sum(axis=0)
                cross += (np.abs(total) ** 2).sum(axis=0)
                continue
            found = [(w, path := w.optical_path(x), *w.amplitudes(x, path)) for w in summed]
            plain += sum(power.sum(axis=0) for *_, power in found)
            for (one, path, a, _), (other, path2, b, _) in combinations(found, 2):
                limit = min(one.coherence_length, other.coherence_length)
                degree = np.exp(-(((path - path2) / limit) ** 2)) if limit > 0 else 0.0
                cross += 2 * (degree * (a * b.conj()).real).sum(axis=0)
        return plain, cross

    @cached_property
    def narrowest_fringe_spacing(self) -> float:
        """The smallest fringe spacing on the detector; infinite without interference."""
        x, frequency = np.linspace(0, self.length, COARSE_POINTS), 0.0
        for waves in self.sets:
            low, high = np.full(len(x), np.inf), np.full(len(x), -np.inf)
            for wave in _split_at_wave_limit(waves)[0]:
                first, last = wave.front.ends
                lit = (x >= first) & (x <= last)
                slope = np.interp(x, wave.front.x, wave.front.slope) / wave.wavelength
                low[lit], high[lit] = (
                    np.minimum(low[lit], slope[lit]),
                    np.maximum(high[lit], slope[lit]),
                )
            both = high > low
            frequency = max(frequency, float((high - low)[both].max(initial=0.0)))
        return 1 / frequency if frequency > 0 else math.inf

    @cached_property
    def narrowest_wave_width(self) -> float:
        """The smallest width of a wave on the detector, without weak waves; the length of the
        detector if there is none.
        """
        least = WEAK * self.power
        widths = (np.ptp(w.front.ends) for w in self.waves if w.front.power > least)
        return float(min(widths, default=self.length))

    @cached_property
    def wave_borders(self) -> Floats:
        """The positions, ascending, where waves begin or end, without weak waves."""
        least = WEAK * self.power
        return np.sort([e for w in self.waves if w.front.power > least for e in w.front.ends])


def fringes_at_detector(
    result: TraceResult,
    index: int,
    detector: Detector,
    coatings: Coatings,
    disabled: Collection[int] = (),
    unit: str = "mm",
) -> Fringes:
    """The light at a detector with the interference of coherent waves. ``index`` is the detector's
    index among the optical objects; ``unit`` is the length unit of the scene.
    """
    light = waves_at_detector(result, index, detector, coatings, disabled)
    length, nothing = math.dist(detector.p1, detector.p2), np.empty(0)
    if result.scene is None or not length or not (light.wavefronts or len(light.lone)):
        reason = f"No light arrives at {in_quotes(detector.title)}."
        return Fringes(nothing, nothing, nothing, nothing, math.nan, math.nan, reason)
    optical = result.scene.optical
    sources = {i: o for i, o in enumerate(optical) if isinstance(o, Source)}
    nm = float(METRES[unit] / METRES["nm"])
    waves = Superposition(light, sources, length, nm)
    random_text = _random_sources_text(
        sources[i] for i in np.unique(result.source[light.lone]).tolist()
    )
    too_coarse = _coarseness_warning(light, waves, sources, random_text, unit)
    remarks = tuple(_interference_remarks(light, waves, random_text, result))
    count = POINTS_PER_WAVE / waves.narrowest_wave_width
    if not too_coarse:
        count = max(count, POINTS_PER_FRINGE / waves.narrowest_fringe_spacing)
    x = np.linspace(0, length, int(min(max(count * length, FEWEST_POINTS), MOST_POINTS)))
    if too_coarse:
        plain = waves.irradiances(x, interfere=False)[0]
        return Fringes(x, plain, plain, nothing, math.nan, math.nan, "", too_coarse, remarks)
    plain, cross = waves.irradiances(x)
    bright, spacing, contrast = _read_fringes(waves, x, plain, cross)
    reason = _reason_without_fringes(waves, spacing, contrast)
    return Fringes(x, plain + cross, plain, bright, spacing, contrast, reason, "", remarks)


def _read_fringes(
    waves: Superposition, x: Floats, plain: Floats, cross: Floats
) -> tuple[Floats, float, float]:
    """The positions (m,) of the bright fringes, their mean spacing, and their mean contrast.
    ``plain`` is the irradiance without interference, ``cross`` the interference term, both at
    ``x``.
    """
    from scipy.signal import find_peaks

    least = FLAT * float(plain.mean())
    bright: list[Floats] = []
    distances: list[float] = []
    sums = steps = 0.0
    for region in np.split(np.arange(len(x)), np.searchsorted(x, waves.wave_borders)):
        here = cross[region]
        if not len(here) or (height := float(np.ptp(here))) <= least:
            continue
        found = []
        for sign in (1.0, -1.0):
            at = region[find_peaks(sign * here, prominence=PROMINENT * height)[0]]
            before, after = cross[at - 1], cross[at + 1]
            bend = before - 2 * cross[at] + after
            shift = (before - after) / np.where(bend == 0, np.inf, 2 * bend)
            found.append(x[at] + np.clip(shift, -1, 1) * (x[1] - x[0]))
        bright.append(found[0])
        distances.extend(np.diff(found[0]))
        places = np.sort(np.concatenate(found))
        if len(places) > 1:
            level = np.sum(waves.irradiances(places), axis=0)
            sums += float((level[1:] + level[:-1]).sum())
            steps += float(np.abs(np.diff(level)).sum())
    spacing = float(np.mean(distances)) if distances else math.nan
    contrast = steps / sums if sums > 0 else math.nan
    return np.concatenate([np.empty(0), *bright]), spacing, contrast


def _reason_without_fringes(waves: Superposition, spacing: float, contrast: float) -> str:
    """Why the fringes have no spacing or no contrast; empty if they have both."""
    if not (math.isnan(spacing) or math.isnan(contrast)):
        return ""
    if not any(len(s) > 1 for s in waves.sets):
        return (
            "No two waves of one source and wavelength meet here. Sources are coherent with each"
            " other if they have the same coherence group."
        )
    return (
        "There is less than one whole fringe: the waves do not overlap, are parallel, or have paths"
        " that differ by far more than the coherence length."
    )


def _random_sources_text(of_lone_rays: Iterable[Source]) -> str:
    """A sentence that names the sources with random rays, and the remedy; empty if there are
    none.
    """
    names = [in_quotes(s.title) for s in of_lone_rays if isinstance(s, Beam) and s.random]
    if not names:
        return ""
    return (
        f"The rays of {list_choices(names, 'and')} are random, so that they have no neighbours and"
        " form no wavefront: switch Random off."
    )


def _coarseness_warning(
    light: ArrivingWaves,
    waves: Superposition,
    sources: dict[int, Source],
    random_text: str,
    unit: str,
) -> str:
    """Why the rays or the sample points are too coarse for the fringes, and the remedy; empty if
    they are fine enough. ``random`` is the `_random_sources_text`.
    """
    if not light.wavefronts:
        if random_text:
            return random_text
        single = next((s for s in sources.values() if isinstance(s, SingleRay)), None)
        if single is not None:
            return f"{in_quotes(single.title)} is one ray, which has no width: use a narrow beam."
        return (
            "No two rays that arrive are neighbours on one path outside of a focus: raise the ray"
            " density, or move the detector."
        )
    interfering = [w for s in waves.sets if len(s) > 1 for w in _split_at_wave_limit(s)[0]]
    least = WEAK * waves.power
    noticed = [wave for wave in interfering if wave.front.power > least]
    error = max((wave.largest_error(waves.length) for wave in noticed), default=0.0)
    if error > LARGEST_ERROR:
        times = math.ceil((error / LARGEST_ERROR) ** 0.25 * 1.2 + 0.5)
        return (
            f"The rays are too far apart: between them the optical path may be wrong by"
            f" {error:.2g} wavelengths. Trace {times} times as many."
        )
    longest = max((float(w.front.path.max()) / w.wavelength for w in noticed), default=0.0)
    if longest * ROUNDING > LARGEST_ERROR:
        return f"The paths are {longest:.2g} wavelengths long, too long for double precision."
    most = MOST_POINTS / POINTS_PER_FRINGE
    if waves.length / waves.narrowest_fringe_spacing > most:
        spacing = waves.narrowest_fringe_spacing
        return (
            f"The fringes are up to {spacing:.3g} {unit} narrow, and the detector is too"
            f" long for them. Make it shorter than {most * spacing:.2g} {unit}."
        )
    return ""


def _interference_remarks(
    light: ArrivingWaves, waves: Superposition, random_text: str, result: TraceResult
) -> Iterator[str]:
    """Sentences about light that arrives but does not interfere. ``random`` is the
    `_random_sources_text`.
    """
    share = float(light.power.sum()) / waves.power if waves.power > 0 else 0.0
    if share > WEAK:
        yield (
            f"{share:.2g} of the power comes by rays that were scattered, are in a focus or have no"
            " neighbour on their path, and is added without interference."
        )
        if random_text:
            yield random_text
    missing = _untraced_wave_share(waves, result)
    if missing > NOTICED:
        assert result.scene is not None
        remedies = []
        if any(_split_at_wave_limit(s)[1] for s in waves.sets):
            remedies.append("leave out the coherence length")
        if result.scene.settings.color_mode == "default":
            remedies.append("choose the colour mode Linear")
        else:
            remedies.append("choose a smaller rayPowerCutoff")
        if (result.status == Status.DEPTH).any():
            remedies.append("raise the largest depth")
        yield (
            f"Up to {100 * missing:.2g} % of the irradiance may be missing, for the amplitudes of"
            f" waves too weak to follow add up: {list_choices(remedies, 'or')}."
        )


def _untraced_wave_share(waves: Superposition, result: TraceResult) -> float:
    """An upper estimate of the irradiance of untraced waves, relative to the irradiance of all
    waves in phase.

    In each coherent set, the untraced waves are assumed to continue the weaker half of the traced
    waves as a geometric series, unless the next wave of the series would have been traced. For a
    single wave, the ratio is the largest one that the power of all untraced light allows.
    """
    assert result.scene is not None
    settings, truncated = result.scene.settings, result.ledger.truncated
    plain = settings.color_mode == "default"
    cutoff = WEAK_REFLECTION if plain else settings.tolerances.ray_power_cutoff
    cut_deep = np.unique(result.source[result.status == Status.DEPTH])
    found = whole = 0.0
    for each in ([w for w in s if w.front.power > 0] for s in waves.sets):
        if not each:
            continue
        a = np.sqrt([wave.front.power for wave in each])
        kept, half = len(_split_at_wave_limit(each)[0]), (len(a) - 1) // 2
        missing, weakest = float(a[kept:].sum()), each[-1].front
        ray_power = float(result.end_power[weakest.rows].sum(axis=1).mean())
        if len(a) > 1:
            ratio = float(a[-1] / a[half]) ** (1 / (len(a) - 1 - half))
        else:
            allowed = truncated / (truncated + waves.power)
            ratio = math.sqrt(min(allowed, cutoff / ray_power))
        deep = len(a) > 1 and weakest.source in cut_deep
        weak = ratio**2 * ray_power <= cutoff * (1 + CUT_OFF_POWER)
        if result.ledger.truncated_share > CUT_OFF_POWER and (deep or weak):
            missing += float(a[-1]) * ratio / max(1 - ratio, CUT_OFF_POWER)
        found += float(a[:kept].sum()) ** 2
        whole += float(a[:kept].sum() + missing) ** 2
    return 1 - found / whole if whole > 0 else 0.0
