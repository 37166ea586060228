"""The plots of a lens, as one table: each plot has curves by field and wavelength, in panels with
titled axes. Windows, files and notebooks draw their plots from this table.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError, in_quotes
from raybench.files.csv_text import csv_table
from raybench.lens.aberrations import (
    PupilSection,
    axial_colour,
    best_focus,
    chief_rays,
    distortion,
    geometric_line_spread,
    geometric_mtf,
    longitudinal_aberration,
    nanometres_per_unit,
    opd_fan,
    pupil_section,
    ray_fan,
    spot_through_focus,
    subtract_best_sphere,
    unvignetted_fraction,
    wavefront,
)
from raybench.lens.paraxial import first_order
from raybench.lens.prescription import (
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Wavelength,
)
from raybench.lens.seidel import seidel_sums
from raybench.phrase import Phrase

FIRST_COLOUR = 4
"""The category whose colour the first field has: none that looks like a wavelength."""
FIELD_POINTS = 41
"""Field points of a curve over the field."""
FREQUENCIES = 121
"""Spatial frequencies of a modulation curve."""
FOCUS_POINTS = 61
"""Positions of a curve through focus."""
DENSITY_RAYS = 801
"""Rays of each field and wavelength whose density is shown."""
SHOWN_PERCENTAGE = 85
"""Percentage of the rays of each field whose heights a line spread function shows."""
HEIGHTS = 241
"""Heights of a line spread function."""
RESOLVED = 0.3
"""Modulation below which a structure is lost."""
MICROMETRES_BELOW = 0.5
"""The largest length, in the unit of the lens, that is shown in µm."""


COLOURED_WAVELENGTHS = 390.0, 690.0
"""The wavelengths (nm) that have a colour of their own."""
SIMILAR_COLOURS = 15.0
"""Distance (nm) of wavelengths below which their colours look alike."""


NO_LIGHT = "No light reaches the image. Enlarge the semi-diameters."


class NoCurves(RaybenchError):
    """A plot does not exist for a lens; the message says why."""


class LineStyle(Enum):
    """The line style of a curve."""

    SOLID = "solid"
    DASHED = "dashed"
    DOTTED = "dotted"
    BARS = "bars"


@dataclass(frozen=True, eq=False)
class Curve:
    """A curve, or the heights ``y`` of bars at ``x``, (n,) each; NaN where there is no value.

    Attributes:
        name: The field or wavelength that its colour represents, such as "14°" or "486.1 nm".
        colour: A `Wavelength`, which is drawn in its own colour; the number of a category, such as
            a field; or None for the text colour.
    """

    x: Floats
    y: Floats
    name: str
    colour: Wavelength | int | None
    style: LineStyle = LineStyle.SOLID


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves with their axes. ``x_title`` and ``y_title`` are the titles of the axes with units,
    ``x_range`` and ``y_range`` their ranges, and ``ticks`` the positions and names on the
    horizontal axis if it has no numbers.
    """

    title: str
    x_title: str
    y_title: str
    curves: tuple[Curve, ...]
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """A plot of a lens: its panels, the meaning of its line styles, and a remark. With
    ``same_axes``, all panels have the same axes.
    """

    title: str
    panels: tuple[Panel, ...]
    styles: tuple[tuple[LineStyle, str], ...] = ()
    note: str = ""
    same_axes: bool = False

    def csv(self) -> str:
        """All points of all curves as CSV text. A bar is identified by the name of its tick."""
        words = dict(self.styles)

        def place(panel: Panel, curve: Curve, x: float) -> float | str:
            if curve.style is not LineStyle.BARS or not panel.ticks:
                return x
            return min(panel.ticks, key=lambda tick: abs(tick[0] - x))[1]

        return csv_table(
            ["panel", "curve", "line", "x", "y", "x is", "y is"],
            (
                [p.title, c.name, words.get(c.style, ""), place(p, c, x), y, p.x_title, p.y_title]
                for p in self.panels
                for c in p.curves
                for x, y in zip(c.x.tolist(), c.y.tolist(), strict=True)
                if math.isfinite(y) and math.isfinite(x)
            ),
        )


@dataclass(frozen=True)
class LensPlot:
    """A kind of plot: its name, its title, and the function that computes it. The function raises
    NoCurves, or the errors of tracing.
    """

    name: str
    title: str
    figure: Callable[[Prescription], Figure]


def lens_figure(system: Prescription, name: str) -> Figure:
    """The plot of a lens with a name of `LENS_PLOTS`, such as ``ray_fan`` or ``ray fan``. Raises
    NoCurves if the name is unknown, if the lens has no such plot, or if no light passes;
    UnknownMaterial or OutsideRange for a glass.
    """
    plot = LENS_PLOTS.get(name.replace(" ", "_"))
    if plot is None:
        raise NoCurves(
            f"There is no plot {in_quotes(name, 40)} of a lens. Choose {', '.join(LENS_PLOTS)}."
        )
    try:
        figure = plot.figure(system)
    except InvalidPrescription as error:
        raise NoCurves(str(error)) from None
    if not any(np.isfinite(c.y).any() for p in figure.panels for c in p.curves):
        raise NoCurves(NO_LIGHT)
    return figure


def field_name(system: Prescription, value: float) -> str:
    """The text of a field value in a plot, such as 14° or 7 mm."""
    return f"{value:.4g}{_field_unit(system)}"


def _field_unit(system: Prescription) -> str:
    return "°" if system.field_kind is FieldKind.ANGLE else f" {system.unit}"


def _wave_colours(system: Prescription) -> list[Wavelength | int]:
    """The colour of each wavelength: its own, or the number of a category if the colours of two
    wavelengths look alike.
    """
    seen = sorted(w.value for w in system.wavelengths)
    apart = min((b - a for a, b in pairwise(seen)), default=SIMILAR_COLOURS)
    if (
        apart >= SIMILAR_COLOURS
        and COLOURED_WAVELENGTHS[0] <= seen[0]
        and seen[-1] <= COLOURED_WAVELENGTHS[1]
    ):
        return list(system.wavelengths)
    return list(range(len(seen)))


def _wave_name(wave: Wavelength) -> str:
    return f"{wave.value:.4g} nm"


def _primary_name(system: Prescription) -> str:
    return _wave_name(system.wavelengths[system.primary])


def _length_unit(system: Prescription, values: Iterable[Floats]) -> tuple[float, str]:
    """The factor and the name of a unit of length that gives these lengths readable numbers."""
    largest = max((float(np.nanmax(np.abs(v), initial=0.0)) for v in values), default=0.0)
    if system.unit != "µm" and largest < MICROMETRES_BELOW:
        return nanometres_per_unit(system.unit) / 1000, "µm"
    return 1.0, system.unit


def _axis_range(values: Iterable[Floats], *, even: bool = False) -> tuple[float, float]:
    """A range that shows all values and 0; symmetric about 0 if ``even``."""
    known = np.concatenate([np.zeros(1), *(v[np.isfinite(v)] for v in values)])
    low, high = float(known.min()), float(known.max())
    if even:
        high = max(-low, high)
        low = -high
    if low == high:
        return -1.0, 1.0
    room = 0.05 * (high - low)
    return (low - room if low else 0.0), (high + room if high else 0.0)


def _fan_figure(
    system: Prescription,
    title: str,
    up: str,
    fan: Callable[[Field, float], tuple[Floats, Floats]],
    *,
    lengths: bool,
) -> Figure:
    """A figure with a panel for each field, each with a curve over the pupil for each
    wavelength.
    """
    fans = [[fan(field, w.value) for w in system.wavelengths] for field in system.fields]
    values = [y for row in fans for _, y in row]
    scale, unit = _length_unit(system, values) if lengths else (1.0, Phrase("waves"))
    shown = _axis_range([scale * y for y in values], even=True)
    panels = [
        Panel(
            field_name(system, field.value),
            Phrase("relative pupil"),
            Phrase("{up} ({unit})", up=up, unit=unit),
            tuple(
                Curve(pupil, scale * y, _wave_name(w), colour)
                for (pupil, y), w, colour in zip(
                    row, system.wavelengths, _wave_colours(system), strict=True
                )
            ),
            (-1.0, 1.0),
            shown,
        )
        for field, row in zip(system.fields, fans, strict=True)
    ]
    return Figure(title, tuple(panels), same_axes=True)


def _ray_fan_figure(system: Prescription) -> Figure:
    return _fan_figure(
        system,
        Phrase("Ray fan"),
        Phrase("transverse"),
        lambda field, wave: ray_fan(system, field, wave),
        lengths=True,
    )


def _opd_fan_figure(system: Prescription) -> Figure:
    figure = _fan_figure(
        system,
        Phrase("Optical path difference"),
        Phrase("OPD"),
        lambda field, wave: opd_fan(system, field, wave),
        lengths=False,
    )
    return replace(figure, note=Phrase("against the sphere about each colour's chief ray"))


def _best_opd_fan_figure(system: Prescription) -> Figure:
    def best(field: Field, wave: float) -> tuple[Floats, Floats]:
        pupil, w = opd_fan(system, field, wave)
        return pupil, subtract_best_sphere(pupil, w) if np.isfinite(w).sum() > 2 else w

    figure = _fan_figure(
        system, Phrase("Optical path difference, best sphere"), Phrase("OPD"), best, lengths=False
    )
    return replace(figure, note=Phrase("without tilt and defocus of each colour"))


def _curves_by_field(
    system: Prescription,
    curve: Callable[[Field], tuple[Floats, Floats]],
    style: LineStyle = LineStyle.SOLID,
) -> list[Curve]:
    """The curve of each field in a colour of its own, without the fields whose light is blocked."""
    curves = []
    for number, field in enumerate(system.fields):
        try:
            x, y = curve(field)
        except InvalidPrescription:
            continue
        curves.append(Curve(x, y, field_name(system, field.value), FIRST_COLOUR + number, style))
    return curves


def _scale_curves(curves: Sequence[Curve], x: float = 1.0, y: float = 1.0) -> tuple[Curve, ...]:
    return tuple(replace(c, x=c.x * x, y=c.y * y) for c in curves)


def _focus_positions(system: Prescription) -> Floats:
    """The positions along the axis for which plots through focus show the spot. At both ends the
    spot is several times larger than at the best focus.
    """
    best, least = [], []
    for field in system.fields:
        with suppress(InvalidPrescription):  # no light of the field arrives
            best.append(best_focus(system, field))
            least.append(spot_through_focus(system, field, np.array(best[-1:]))[0])
    if not best:
        raise NoCurves(NO_LIGHT)
    wave = system.primary_wavelength / nanometres_per_unit(system.unit)
    na = max(first_order(system).image_na, 1e-6)
    depth = max(2 * max(map(abs, best)), 4 * wave / na**2, 6 * float(min(least)) / na)
    return np.linspace(-depth, depth, FOCUS_POINTS)


def _spot_focus_figure(system: Prescription) -> Figure:
    foci = _focus_positions(system)
    curves = _curves_by_field(system, lambda f: (foci, spot_through_focus(system, f, foci)))
    (x, x_unit), (y, y_unit) = (
        _length_unit(system, [getattr(c, axis) for c in curves]) for axis in ("x", "y")
    )
    shown = _scale_curves(curves, x, y)
    panel = Panel(
        "",
        Phrase("focus ({unit})", unit=x_unit),
        Phrase("RMS spot ({unit})", unit=y_unit),
        shown,
        (float(foci[0] * x), float(foci[-1] * x)),
        _axis_range(c.y for c in shown),
    )
    best = best_focus(system)
    return Figure(
        Phrase("Spot against focus"),
        (panel,),
        note=Phrase(
            "all colours; best focus of all fields {focus:+.4g} {unit}",
            focus=best * x,
            unit=x_unit,
        ),
    )


def _longitudinal_figure(system: Prescription) -> Figure:
    fans = [longitudinal_aberration(system, w.value) for w in system.wavelengths]
    scale, unit = _length_unit(system, [along for _, along in fans])
    curves = tuple(
        Curve(scale * along, pupil, _wave_name(w), colour)
        for (pupil, along), w, colour in zip(
            fans, system.wavelengths, _wave_colours(system), strict=True
        )
    )
    panel = Panel(
        "",
        Phrase("focus ({unit})", unit=unit),
        Phrase("relative pupil"),
        curves,
        _axis_range(c.x for c in curves),
        (0.0, 1.0),
    )
    note = Phrase("from the paraxial image at {wavelength}", wavelength=_primary_name(system))
    return Figure(Phrase("Longitudinal aberration"), (panel,), note=note)


def _axial_colour_figure(system: Prescription) -> Figure:
    waves = [w.value for w in system.wavelengths]
    if len(set(waves)) < 2:
        raise NoCurves("The lens has one wavelength. Give it two or more to see its colour.")
    many = np.linspace(min(waves), max(waves), 41)
    tried = replace(
        system, wavelengths=(*system.wavelengths, *(Wavelength(w) for w in many.tolist()))
    )
    images = axial_colour(tried)
    shift = np.array([images[w] for w in many.tolist()])
    scale, unit = _length_unit(system, [shift])
    curve = Curve(scale * shift, many, "", None)
    marks = tuple(
        Curve(np.array([scale * images[w.value]]), np.array([w.value]), _wave_name(w), colour)
        for w, colour in zip(system.wavelengths, _wave_colours(system), strict=True)
    )
    room = 0.04 * (many[-1] - many[0])
    panel = Panel(
        "",
        Phrase("focus ({unit})", unit=unit),
        Phrase("wavelength (nm)"),
        (curve, *marks),
        _axis_range([curve.x]),
        (float(many[0] - room), float(many[-1] + room)),
    )
    note = Phrase("paraxial, from the image at {wavelength}", wavelength=_primary_name(system))
    return Figure(Phrase("Axial colour"), (panel,), note=note)


def _field_values(system: Prescription) -> Floats:
    """The field values of a curve over the field, from 0 to the outermost field."""
    farthest = max((f.value for f in system.fields), key=abs)
    if not farthest:
        raise NoCurves("The lens has only the field on its axis. Give it another one.")
    return np.linspace(0.0, farthest, FIELD_POINTS)


def _field_title(system: Prescription) -> str:
    kind = system.field_kind
    what = "field" if kind is FieldKind.ANGLE else kind.value.removeprefix("paraxial ")
    return f"{what} ({_field_unit(system).strip()})"


def _field_range(system: Prescription) -> tuple[float, float]:
    last = float(_field_values(system)[-1])
    return min(0.0, last), max(0.0, last)


def _lateral_colour_figure(system: Prescription) -> Figure:
    if len({w.value for w in system.wavelengths}) < 2:
        raise NoCurves("The lens has one wavelength. Give it two or more to see its colour.")
    fields = _field_values(system)
    heights = chief_rays(system, fields).height
    heights = heights - heights[:, system.primary, None]
    scale, unit = _length_unit(system, [heights])
    curves = tuple(
        Curve(scale * y, fields, _wave_name(w), colour)
        for y, w, colour in zip(heights.T, system.wavelengths, _wave_colours(system), strict=True)
    )
    panel = Panel(
        "",
        Phrase("chief ray ({unit})", unit=unit),
        _field_title(system),
        curves,
        _axis_range((c.x for c in curves), even=True),
        _field_range(system),
    )
    note = Phrase("from the chief ray at {wavelength}", wavelength=_primary_name(system))
    return Figure(Phrase("Lateral colour"), (panel,), note=note)


def _field_curvature_figure(system: Prescription) -> Figure:
    fields, colours = _field_values(system), _wave_colours(system)
    rays = chief_rays(system, fields)
    scale, unit = _length_unit(system, [rays.tangential, rays.sagittal])
    curvature = [
        Curve(scale * images[:, i], fields, _wave_name(w), colour, style)
        for images, style in ((rays.tangential, LineStyle.SOLID), (rays.sagittal, LineStyle.DASHED))
        for i, (w, colour) in enumerate(zip(system.wavelengths, colours, strict=True))
    ]
    part = np.array([distortion(system, Field(v)) for v in fields.tolist()])
    percent = Curve(100 * part, fields, _primary_name(system), colours[system.primary])
    up = _field_title(system)
    return Figure(
        Phrase("Field curvature and distortion"),
        (
            Panel(
                Phrase("Field curvature"),
                Phrase("focus ({unit})", unit=unit),
                up,
                tuple(curvature),
                _axis_range((c.x for c in curvature), even=True),
                _field_range(system),
            ),
            Panel(
                Phrase("Distortion"),
                Phrase("distortion (%)"),
                up,
                (percent,),
                _axis_range([percent.x], even=True),
                _field_range(system),
            ),
        ),
        (
            (LineStyle.SOLID, Phrase("T: tangential")),
            (LineStyle.DASHED, Phrase("S: sagittal, by Coddington")),
        ),
    )


def _vignetting_figure(system: Prescription) -> Figure:
    fields = _field_values(system)
    part = np.array([unvignetted_fraction(system, Field(v), 201) for v in fields.tolist()])
    panel = Panel(
        "",
        _field_title(system),
        Phrase("open part of the pupil's section (%)"),
        (Curve(fields, 100 * part, _primary_name(system), None),),
        _field_range(system),
        (0.0, 105.0),
    )
    return Figure(Phrase("Vignetting"), (panel,))


def _wavefront_figure(system: Prescription) -> Figure:
    colour = _wave_colours(system)[system.primary]
    fields = _field_values(system)
    rms: list[Curve] = []
    strehl: list[Curve] = []
    for style, best in ((LineStyle.SOLID, True), (LineStyle.DASHED, False)):
        values = np.full((len(fields), 2), math.nan)
        for i, value in enumerate(fields.tolist()):
            with suppress(InvalidPrescription):  # no light of the field arrives
                front = wavefront(system, Field(value), best=best, count=129)
                values[i] = front.rms, front.strehl
        for curves, column in ((rms, values[:, 0]), (strehl, values[:, 1])):
            curves.append(Curve(fields, column, "", colour, style))
    across, shown = _field_title(system), _field_range(system)
    return Figure(
        Phrase("Wavefront"),
        (
            Panel(
                Phrase("RMS"),
                across,
                Phrase("RMS (waves)"),
                tuple(rms),
                shown,
                _axis_range(c.y for c in rms),
            ),
            Panel(
                Phrase("Strehl ratio"),
                across,
                Phrase("Strehl ratio"),
                tuple(strehl),
                shown,
                (0.0, 1.05),
            ),
        ),
        (
            (LineStyle.SOLID, Phrase("best sphere")),
            (LineStyle.DASHED, Phrase("sphere about the chief ray")),
        ),
        note=Phrase("of the tangential section, {wavelength}", wavelength=_primary_name(system)),
    )


_SEIDEL_TITLES = {
    "spherical": "S1 spherical",
    "coma": "S2 coma",
    "astigmatism": "S3 astigmatism",
    "petzval": "S4 Petzval",
    "distortion": "S5 distortion",
    "axial_colour": "axial colour",
    "lateral_colour": "lateral colour",
}


def _seidel_figure(system: Prescription) -> Figure:
    sums = {words: getattr(seidel_sums(system), name) for name, words in _SEIDEL_TITLES.items()}
    columns = {words: np.append(each, each.sum()) for words, each in sums.items()}
    scale, unit = _length_unit(system, columns.values())
    count = len(system.surfaces)
    places = np.append(np.arange(1.0, count + 1), count + 1.5)
    curves = tuple(
        Curve(
            places + BAR_WIDTH * (i - (len(columns) - 1) / 2), scale * y, words, i, LineStyle.BARS
        )
        for i, (words, y) in enumerate(columns.items())
    )
    names = [f"{i}{' stop' if i - 1 == system.stop else ''}" for i in range(1, count + 1)]
    panel = Panel(
        "",
        Phrase("surface"),
        Phrase("Seidel sum ({unit})", unit=unit),
        curves,
        (0.4, count + 2.1),
        _axis_range(c.y for c in curves),
        tuple(zip(places.tolist(), [*names, Phrase("sum")], strict=True)),
    )
    return Figure(Phrase("Seidel sums"), (panel,))


BAR_WIDTH = 0.12
"""Width of a bar, where surfaces are 1 apart."""


def _pupil_sections(system: Prescription) -> dict[Field, PupilSection]:
    """The pupil section of each field whose light reaches the image."""
    sections = {}
    for field in system.fields:
        try:
            sections[field] = pupil_section(system, field)
        except InvalidPrescription:
            continue
    if not sections:
        raise NoCurves(NO_LIGHT)
    return sections


def _cutoff_frequency(system: Prescription) -> float:
    """The cutoff frequency of a perfect lens on the axis."""
    wave = system.primary_wavelength / nanometres_per_unit(system.unit)
    return max(2 * first_order(system).image_na / wave, 1e-9)


def _round_up_frequency(value: float) -> float:
    """The value rounded up to 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return next(s for m in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if (s := m * power) >= value * 0.999)


def _highest_frequency(system: Prescription, sections: Iterable[PupilSection]) -> float:
    """The frequency up to which modulations are shown: somewhat above the frequency at which all
    fields have lost their modulation, at most the cutoff frequency.
    """
    limit = _cutoff_frequency(system)
    tried = np.linspace(0.0, limit, 2 * FREQUENCIES)
    lost = [
        float(tried[int(np.argmax(section.modulation(tried) < RESOLVED))]) for section in sections
    ]
    return min(_round_up_frequency(2 * max(*lost, limit / 50)), limit)


def _mtf_figure(system: Prescription) -> Figure:
    sections = _pupil_sections(system)
    highest, limit = _highest_frequency(system, sections.values()), _cutoff_frequency(system)
    nu = np.linspace(0.0, highest, FREQUENCIES)
    curves = [
        Curve(nu, 1 - nu / limit, Phrase("diffraction limit"), None, LineStyle.DOTTED),
        *_curves_by_field(
            system, lambda f: (nu, geometric_mtf(system, f, nu, DENSITY_RAYS)), LineStyle.DASHED
        ),
        *_curves_by_field(
            system, lambda f: (nu, sections[f].modulation(nu) if f in sections else nu * math.nan)
        ),
    ]
    panel = Panel(
        "",
        Phrase("frequency (lines/{unit})", unit=system.unit),
        Phrase("modulation"),
        tuple(curves),
        (0.0, highest),
        (0.0, 1.0),
    )
    return Figure(
        Phrase("MTF, tangential"),
        (panel,),
        (
            (LineStyle.SOLID, f"diffraction, {_primary_name(system)}"),
            (LineStyle.DASHED, Phrase("rays, all colours")),
            (LineStyle.DOTTED, Phrase("diffraction limit")),
        ),
        note=Phrase("of the tangential pupil function, as of a slit along the section"),
    )


def _mtf_focus_figure(system: Prescription) -> Figure:
    sections, foci = _pupil_sections(system), _focus_positions(system)
    frequency = _round_up_frequency(_highest_frequency(system, sections.values()) / 3)
    scale, unit = _length_unit(system, [foci])
    nu = np.array([frequency])

    def through_focus(field: Field) -> tuple[Floats, Floats]:
        if field not in sections:
            return scale * foci, foci * math.nan
        section = sections[field]
        at = [float(section.with_defocus(d).modulation(nu)[0]) for d in foci.tolist()]
        return scale * foci, np.array(at)

    panel = Panel(
        "",
        Phrase("focus ({unit})", unit=unit),
        Phrase("modulation at {frequency:g} lines/{unit}", frequency=frequency, unit=system.unit),
        tuple(_curves_by_field(system, through_focus)),
        (float(scale * foci[0]), float(scale * foci[-1])),
        (0.0, 1.0),
    )
    return Figure(
        Phrase("MTF through focus, tangential"),
        (panel,),
        note=Phrase(
            "diffraction, {wavelength}, tangential pupil function",
            wavelength=_primary_name(system),
        ),
    )


def _line_spread_figure(system: Prescription) -> Figure:
    sections = _pupil_sections(system)
    fans = [ray_fan(system, f, w.value)[1] for f in sections for w in system.wavelengths]
    most = max(float(np.nanpercentile(np.abs(y), SHOWN_PERCENTAGE)) for y in fans)
    half = max(1.3 * most, 4 / _cutoff_frequency(system))
    half = min(half, *(section.largest_height for section in sections.values()))
    edges = np.linspace(-half, half, HEIGHTS + 1)
    heights = (edges[1:] + edges[:-1]) / 2
    scale, unit = _length_unit(system, [edges])
    colour, panels = _wave_colours(system)[system.primary], []
    for field, section in sections.items():
        of_rays = geometric_line_spread(system, field, edges, DENSITY_RAYS) / scale
        by_diffraction = section.line_spread(heights) / scale
        limit = np.percentile(of_rays, [98])  # caustics of rays are infinitely bright
        curves = (
            Curve(scale * heights, of_rays, "", None, LineStyle.DASHED),
            Curve(scale * heights, by_diffraction, "", colour),
        )
        panels.append(
            Panel(
                field_name(system, field.value),
                Phrase("from the chief ray ({unit})", unit=unit),
                Phrase("irradiance (1/{unit})", unit=unit),
                curves,
                (-scale * half, scale * half),
                _axis_range([by_diffraction, limit]),
            )
        )
    return Figure(
        Phrase("Line spread function, tangential"),
        tuple(panels),
        (
            (LineStyle.SOLID, f"diffraction, {_primary_name(system)}"),
            (LineStyle.DASHED, Phrase("rays, all colours")),
        ),
        note=Phrase("areas are 1"),
    )


def _overview_figure(system: Prescription) -> Figure:
    fans = _ray_fan_figure(system)
    chosen = sorted({0, len(fans.panels) // 2, len(fans.panels) - 1})
    others = [_longitudinal_figure(system), _spot_focus_figure(system), _mtf_figure(system)]
    if any(field.value for field in system.fields):
        others.insert(1, _field_curvature_figure(system))
    return Figure(
        Phrase("Overview"),
        (
            *(replace(p, title=f"Ray fan, {p.title}") for i in chosen for p in (fans.panels[i],)),
            *(replace(p, title=p.title or f.title) for f in others for p in f.panels),
        ),
        note=Phrase("field curvature: T solid, S dashed; MTF: diffraction solid, rays dashed"),
    )


LENS_PLOTS = {
    plot.name: plot
    for plot in (
        LensPlot("overview", "Overview", _overview_figure),
        LensPlot("ray_fan", "Ray fan", _ray_fan_figure),
        LensPlot("opd_fan", "OPD fan, chief ray's sphere", _opd_fan_figure),
        LensPlot("best_opd_fan", "OPD fan, best sphere", _best_opd_fan_figure),
        LensPlot("spot_focus", "Spot against focus", _spot_focus_figure),
        LensPlot("longitudinal", "Longitudinal aberration", _longitudinal_figure),
        LensPlot("axial_colour", "Axial colour", _axial_colour_figure),
        LensPlot("lateral_colour", "Lateral colour", _lateral_colour_figure),
        LensPlot("field_curvature", "Field curvature, distortion", _field_curvature_figure),
        LensPlot("vignetting", "Vignetting", _vignetting_figure),
        LensPlot("seidel", "Seidel sums", _seidel_figure),
        LensPlot("wavefront", "Wavefront, Strehl ratio", _wavefront_figure),
        LensPlot("line_spread", "Line spread function", _line_spread_figure),
        LensPlot("mtf", "MTF", _mtf_figure),
        LensPlot("mtf_focus", "MTF through focus", _mtf_focus_figure),
    )
}
"""All plots of a lens, by name."""
