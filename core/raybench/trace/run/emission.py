"""The rays that sources emit. The file format defines their number, order and power."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from raybench.arrays import Booleans, Floats, Int32s, Integers
from raybench.kinds.aspects.emission import RayBundle, RayRows, check_ray_count, chunk_slices
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_fault
from raybench.kinds.sources import UNPOLARIZED, source_polarization
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings

Sources = tuple[tuple[int, SceneObject], ...]
WEAK_BRIGHTNESS = 1e-9
"""A brightness for which no ray has a power above 1."""
RAYS_AFTER_STOP = 2_000
"""Approximate number of rays that are computed if the emission is stopped."""
STOPPED_SECONDS = 0.1
"""Time limit in seconds, after a stop, for preparing sources, and for tracing the few rays."""


LEAST_DENSE = 1_000_000
"""The fewest rays of a denser emission; they are less than four times as many."""
GOLDEN_RATIO = (math.sqrt(5) - 1) / 2


class _EmissionStopped(Exception):
    """The trace was stopped while the rays of the sources were computed."""


@dataclass(frozen=True, eq=False)
class InitialRays:
    """The rays at their sources: starts and unit directions (n, 2), power (n,), gap flags (n,),
    source index (n,) and wavelength in nm (n,). ``polarization`` (objects, 3) is as in `Emitted`.

    ``fractions`` holds, for each source with a ray density, its index and the fraction of its power
    that its rays carry: less than 1 where a ray would have a power above 1. If the emission was
    stopped, ``complete`` is False and there are only about `RAYS_AFTER_STOP` rays, evenly selected
    from each source. The rays were computed from ``sources`` (with their indices) and ``settings``.

    Powers with a unit are divided by ``full``, the power of the strongest ray, so that the choice
    of rays that are too weak to follow does not depend on the unit. ``full`` is None for relative
    powers, which are not divided but limited to 1.

    ``draw`` is the argument of `initial_rays` if the rays lie between those of other draws, and
    ``denser`` are the emissions from which these draws are taken.
    """

    start: Floats
    direction: Floats
    power: Floats
    gap: Booleans
    source: Int32s
    wavelength: Floats
    polarization: Floats = field(default_factory=lambda: np.empty((0, 3)))
    fractions: tuple[tuple[int, float], ...] = ()
    complete: bool = True
    sources: Sources = ()
    settings: Settings | None = None
    full: float | None = None
    draw: int = 0
    denser: tuple[_DenseEmission, ...] = ()

    @cached_property
    def first_ray_indices(self) -> Integers:
        """The index of the first ray of each source."""
        return np.flatnonzero(np.diff(self.source, prepend=-1))

    @cached_property
    def indices(self) -> Integers:
        """The indices of all rays."""
        return np.arange(len(self))

    def total_power(self, chosen: Integers) -> float:
        """The power of the ``chosen`` rays."""
        return self._total if chosen is self.indices else float(self.power[chosen].sum())

    @cached_property
    def _total(self) -> float:
        return float(self.power.sum())

    def power_of_sources(self, chosen: Integers) -> Floats:
        """For each source, by its index, the power of its rays among the ``chosen`` rays. The array
        ends at the last source.
        """
        if chosen is self.indices:
            return self._power_of_sources
        return np.bincount(self.source[chosen], self.power[chosen]).astype(float)

    @cached_property
    def _power_of_sources(self) -> Floats:
        return np.bincount(self.source, self.power).astype(float)

    def unsent_power(self, chosen: Integers) -> float:
        """The power that the sources of the ``chosen`` rays cannot send, since a ray carries at
        most 1. Infinite for a source whose power exceeds any number.
        """
        lacking = [
            (index, 1 / fraction - 1 if fraction else math.inf)
            for index, fraction in self.fractions
            if fraction < 1
        ]
        if not lacking or not len(chosen):
            return 0.0
        sent = np.bincount(self.source[chosen], self.power[chosen], minlength=lacking[-1][0] + 1)
        return float(sum(sent[index] * lack for index, lack in lacking if sent[index]))

    def __len__(self) -> int:
        return len(self.power)


def initial_rays(
    scene: Scene,
    disabled: Collection[int] = (),
    stop: Callable[[], bool] | None = None,
    before: InitialRays | None = None,
    draw: int = 0,
    *,
    in_units: bool = False,
) -> InitialRays:
    """The rays of all sources, in the order of the scene's optical objects. ``stop`` is polled
    every few milliseconds; once it returns True, only a few rays of each source are returned, and
    none if it does so at the first call. ``draw`` is as in `raybench.trace.trace.trace`: if no
    source is random, the rays of a draw lie between those of other draws. With ``in_units``, the
    rays of a source together carry its `Source.power`, see ``InitialRays.full``.

    Returns ``before``, the rays of an earlier trace, if sources and settings are the same; so the
    arrays must not be changed. Raises TooManyRays.
    """
    emitting = ((i, o) for i, o in enumerate(scene.optical) if kind_row_of(o).emits is not None)
    sources = tuple((i, o) for i, o in emitting if o.key not in disabled and not object_fault(o))
    is_random = any(getattr(o, "random", False) for _, o in sources)
    settings = settings_of_draw(scene.settings, draw) if is_random else scene.settings
    number = 0 if is_random else draw
    denser: tuple[_DenseEmission, ...] = ()
    if (
        before is not None
        and before.complete
        and (before.settings is settings or before.settings == settings)
        and (before.full is not None) == in_units
        and [(i, id(o)) for i, o in before.sources] == [(i, id(o)) for i, o in sources]
    ):
        if before.draw == number:
            return before
        denser = before.denser
    if stop is not None and stop():
        return InitialRays(*_allocate_rays(0), complete=False)
    if not in_units:
        return _emit_rays(sources, settings, stop, number, denser)
    weak = tuple(
        (i, replace(o, brightness=WEAK_BRIGHTNESS))  # type: ignore[call-arg]
        for i, o in sources
    )
    rays = replace(_emit_rays(weak, settings, stop, number, denser), sources=sources)
    sums = np.bincount(rays.source, rays.power, minlength=len(scene.optical))
    factors = np.zeros(len(sums))
    for i, source in sources:
        factors[i] = getattr(source, "power", 0.0) / sums[i] if sums[i] > 0 else 0.0
    rays.power[:] *= factors[rays.source]
    full = float(np.abs(rays.power).max(initial=0.0)) or 1.0
    rays.power[:] /= full
    return replace(rays, full=full)


def settings_of_draw(settings: Settings, draw: int) -> Settings:
    """The settings with the random seed of the draw ``draw`` (see `raybench.trace.trace.trace`)."""
    return replace(settings, random_seed=f"{settings.random_seed} {draw}") if draw else settings


def count_rays(scene: Scene, disabled: Collection[int] = ()) -> int:
    """The number of rays that `initial_rays` returns. Raises TooManyRays."""
    sources = ((i, o, kind_row_of(o).emits) for i, o in enumerate(scene.optical))
    return sum(
        emits(o, scene.settings, i, lambda: None).count
        for i, o, emits in sources
        if emits is not None and o.key not in disabled and not object_fault(o)
    )


def count_interleaved_draws(scene: Scene, disabled: Collection[int] = ()) -> int:
    """The number of draws of `initial_rays` with different rays, if no source is random; 1 if the
    rays of no source depend on the density.
    """
    steps = [
        _denser_emission(i, o, scene.settings, lambda: None).step
        for i, o in enumerate(scene.optical)
        if kind_row_of(o).emits is not None and o.key not in disabled and not object_fault(o)
    ]
    return min((step for step in steps if step > 1), default=1)


def strongest_ray_power(scene: Scene, disabled: Collection[int] = ()) -> float:
    """The power of the strongest ray of a scene's sources, without a limit on the power of a ray.
    Raises TooManyRays.
    """
    powers = [0.0]
    for i, source in enumerate(scene.optical):
        emits = kind_row_of(source).emits
        if emits is not None and source.key not in disabled and not object_fault(source):
            weak = replace(source, brightness=WEAK_BRIGHTNESS)  # type: ignore[call-arg]
            bundle = emits(weak, scene.settings, i, lambda: None)
            powers.append(bundle.power / WEAK_BRIGHTNESS * getattr(source, "brightness", 0.0))
    return max(powers)


def _emit_rays(
    sources: Sources,
    settings: Settings,
    stop: Callable[[], bool] | None,
    draw: int = 0,
    denser: tuple[_DenseEmission, ...] = (),
) -> InitialRays:
    until = math.inf
    """When the preparation of sources ends; finite once the emission is stopped."""

    def poll_and_stop_later() -> None:
        """Poll ``stop``. After it returns True, go on for `STOPPED_SECONDS` and at least until one
        source is prepared, so that a partial result has rays; then raise _EmissionStopped.
        """
        nonlocal until
        if until == math.inf and stop is not None and stop():
            until = time.perf_counter() + STOPPED_SECONDS
        if emissions and time.perf_counter() >= until:
            raise _EmissionStopped

    def poll_and_stop_now() -> None:
        """Poll ``stop``, and stop immediately when it returns True."""
        if until < math.inf or (stop is not None and stop()):
            raise _EmissionStopped

    emissions: list[_Emission] = []
    total = 0
    with suppress(_EmissionStopped):
        if draw and not denser:
            denser = tuple(_denser_emission(i, o, settings, poll_and_stop_now) for i, o in sources)
        for at, (i, obj) in enumerate(sources):
            poll_and_stop_later()
            emits = kind_row_of(obj).emits
            assert emits is not None
            if draw:
                bundle = denser[at].bundle_of_draw(draw)
            else:
                bundle = emits(obj, settings, i, poll_and_stop_later)
            total += bundle.count
            check_ray_count(obj, total, "bring the scene to")
            emissions.append(
                _Emission(
                    i,
                    obj.wavelength if settings.simulate_colors else math.nan,  # type: ignore[attr-defined]
                    bundle,
                    source_polarization(obj),
                )
            )
        poll_and_stop_now()
        rays, done = _allocate_rays(total), 0
        for emission in emissions:
            for chunk in chunk_slices(emission.bundle.count, poll_and_stop_now):
                done = emission.write(chunk, rays, done)
        fractions = tuple(
            (e.index, e.bundle.fraction) for e in emissions if e.bundle.fraction is not None
        )
        return InitialRays(
            *rays, _polarization_by_index(emissions), fractions, sources=sources,
            settings=settings, draw=draw, denser=denser,
        )  # fmt: skip
    return _select_few_rays(emissions)


def _select_few_rays(emissions: Sequence[_Emission]) -> InitialRays:
    step = max(1, sum(e.bundle.count for e in emissions) // RAYS_AFTER_STOP)
    chosen = [slice(0, e.bundle.count, step) for e in emissions]
    rays, done = _allocate_rays(sum(len(range(s.stop)[s]) for s in chosen)), 0
    for emission, some in zip(emissions, chosen, strict=True):
        done = emission.write(some, rays, done)
    return InitialRays(*rays, _polarization_by_index(emissions), complete=False)


def _polarization_by_index(emissions: Sequence[_Emission]) -> Floats:
    """The polarization of the sources as `Emitted.polarization`."""
    polarized = [e for e in emissions if e.polarization != UNPOLARIZED]
    out = np.zeros((1 + emissions[-1].index if polarized else 0, 3))
    for emission in polarized:
        out[emission.index] = emission.polarization
    return out


@dataclass(frozen=True, eq=False)
class _DenseEmission:
    """A denser emission of a source, from which draws take every ``step``-th ray. ``fraction`` is
    that of the emission with the normal density.
    """

    bundle: RayBundle
    step: int
    fraction: float | None

    def bundle_of_draw(self, draw: int) -> RayBundle:
        """The rays of a draw. They carry the total power, or the same fraction of it as the rays of
        the scene. The first rays of draws are spread evenly over a step (the golden ratio's
        sequence).
        """
        all_rays = self.bundle
        first = int(draw * GOLDEN_RATIO % 1.0 * self.step)
        rays = range(first, all_rays.count, self.step)
        more = all_rays.count / max(len(rays), 1)
        more *= (self.fraction or 1.0) / (all_rays.fraction or 1.0)

        def write(chunk: slice, rows: RayRows) -> None:
            of = rays[chunk]
            all_rays.write(slice(of.start, of.stop, of.step), rows)
            rows.power[:] *= more

        return RayBundle(len(rays), all_rays.power, write, self.fraction)


def _denser_emission(
    index: int, source: SceneObject, settings: Settings, poll: Callable[[], None]
) -> _DenseEmission:
    """The emission of a source with so many rays that few draws have the same rays. A source
    without a density emits all its rays in every draw.
    """
    emits = kind_row_of(source).emits
    assert emits is not None

    def emit_denser(factor: float) -> RayBundle:
        more = replace(
            settings,
            ray_mode_density=factor * settings.ray_mode_density,
            image_mode_density=factor * settings.image_mode_density,
        )
        return emits(source, more, index, poll)

    once = dense = emit_denser(1.0)
    if once.fraction is None or not once.count:
        return _DenseEmission(once, 1, once.fraction)
    factor = 1.0
    while (
        dense.count < LEAST_DENSE
    ):  # each time two times the rays; four times, of a diverging beam
        factor *= 2
        dense = emit_denser(factor)
    step = max(1, round(dense.count / once.count))
    while any(step % k == 0 for k in range(2, math.isqrt(step) + 1)):
        step += 1  # a prime number, so that draws take rays of all directions of a fan
    return _DenseEmission(dense, step, once.fraction)


@dataclass(frozen=True, eq=False)
class _Emission:
    """A source: its index among the optical objects, its wavelength, the rays that it emits, and
    their polarization.
    """

    index: int
    wavelength: float
    bundle: RayBundle
    polarization: tuple[float, float, float]

    def write(self, some: slice, to: RayRows, begin: int) -> int:
        """Write the rays in the slice ``some`` to the rows of ``to`` from ``begin`` on. Returns the
        end of these rows.
        """
        end = begin + len(range(some.stop)[some])
        rows = RayRows._make(column[begin:end] for column in to)
        rows.power[:] = self.bundle.power
        rows.gap[:] = False
        rows.source[:] = self.index
        rows.wavelength[:] = self.wavelength
        if end > begin:
            self.bundle.write(some, rows)
        return end


def _allocate_rays(n: int) -> RayRows:
    return RayRows(
        np.empty((n, 2)),
        np.empty((n, 2)),
        np.empty(n),
        np.empty(n, bool),
        np.empty(n, np.int32),
        np.empty(n),
    )
