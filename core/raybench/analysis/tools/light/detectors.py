"""The tool that reads detectors."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from raybench.analysis.answers.answer import Answer, ElementList
from raybench.analysis.answers.measured_sentence import rays_note
from raybench.analysis.answers.page import (
    MOST_PAGE_ELEMENTS,
    PAGE_CHARACTERS,
    answer_page,
    check_page,
    largest_fitting_number,
    largest_fitting_page,
    longest_list_length,
)
from raybench.analysis.answers.record import ABSENT, Record, Root, none_if_nan
from raybench.analysis.answers.words import (
    capitalize_first,
    ray_count_text,
    value_in_words,
)
from raybench.analysis.answers.xml_answer import xml_document
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.interference.fringes import Fringes
from raybench.analysis.measures.bound import bind_measure, measured_value, values_by_measure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Unit, irradiance_unit
from raybench.analysis.question import Question
from raybench.analysis.rays.detector_light import DetectorLight, Histogram, light_at_detector
from raybench.analysis.scene.objects import list_names
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, in_quotes, list_choices, short_repr, with_article
from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Beam
from raybench.scene import RELATIVE
from raybench.scene.names import UnknownName, object_named

MOST_NAMED_DETECTORS = 5
"""Maximum number of detectors named in the sentence."""
DETECTOR_MEASURES = (
    "power",
    "share",
    "signed_power",
    "centroid",
    "rms",
    "width",
    "normal_force",
    "shear_force",
)
"""The measures included for each detector."""


class InvalidIrradiance(RaybenchError):
    """The requested irradiance is neither coherent nor incoherent."""


class SpectralLine(Record, tag="line"):
    wavelength: float | None
    power: float
    signed_power: float | None
    rays: int


class Spectrum(Record):
    line: Sequence[SpectralLine]
    left: int | None


class Bin(Record, tag="bin"):
    from_: float
    to: float
    power: float = ABSENT
    signed_power: float | None = ABSENT
    irradiance: float = ABSENT
    signed_irradiance: float | None = ABSENT
    error: float | None
    rays: int


class Bins(Record):
    bin: Sequence[Bin]
    unit: str
    along: str
    left: int | None
    note: str | None = ABSENT


class FringeReading(Record, tag="fringes"):
    spacing: float | None
    contrast: float | None
    bright: int
    power: float
    note: str | None


class DetectorReading(Record, tag="detector"):
    spectrum: Spectrum | None = None
    angles: Bins | None = None
    irradiance: Bins | None = None
    fringes: FringeReading | None = None
    name: str
    disabled: bool | None
    power: float
    share: float | None
    signed_power: float
    centroid: float | None
    rms: float | None
    width: float | None
    normal_force: float
    shear_force: float
    note: str | None
    rays: int
    power_error: float | None
    x1: float
    y1: float
    x2: float
    y2: float
    normal_x: float
    normal_y: float
    two_sided: bool


class Detectors(Root, tag="detectors"):
    detector: Sequence[DetectorReading] | ElementList
    count: int
    irradiance_unit: str
    truncated: float | None


def detector(
    detector_name: str = "",
    bins: int = 0,
    limit: int = 0,
    offset: int = 0,
    irradiance: str = "incoherent",
) -> Answer:
    """Read detectors: arriving power and its distribution, radiation force, spectrum, angles of
    incidence, and irradiance.

    Power is what arrives, positive from either side; share is its fraction of the emitted power;
    centroid, rms and width are along the detector from its first end: the measures of these names.
    signed_power counts light against the detector's normal as negative, and follows a power from
    which it differs. Irradiance is power per scene unit of length. Where random sources contribute,
    power_error and error are standard errors; other light has none: ask for convergence. truncated
    is the power, of the whole scene, of light too weak to be traced on.

    Args:
        detector_name: Name of a detector in the scene; empty for all, without spectrum, angles and
            irradiance if there are several.
        bins: Number of equal bins for the irradiance, 1 to 10000; 0 for the detector's own bins, or
            20 where it has none.
        limit: How many detectors, or lines and bins of one, to list, 1 to 1000; 0 for as many as
            fit on a page.
        offset: How many detectors, or lines and bins of one, to skip.
        irradiance: incoherent, or coherent: with the fringes of coherent waves, of one detector.

    Returns:
        Root detectors. Angles are in degrees from the normal, counter-clockwise on screen; only
        bins that contain light are listed, those left out with left.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If detector_name doesn't match, or a number is invalid; the message lists the
            existing names.
    """
    check_page(limit, offset)
    context = require_context()
    chosen = [(i, o) for i, o in enumerate(context.scene.optical) if isinstance(o, Detector)]
    if detector_name:
        named_object = object_named(context.scene, detector_name)
        if not isinstance(named_object, Detector):
            titles = list_names([o.title for _, o in chosen])
            raise UnknownName(
                f"{in_quotes(detector_name)} is {with_article(named_object.noun)}, not a detector."
                f" Detectors: {titles}"
            )
        chosen = [(i, o) for i, o in chosen if o is named_object]
    scene_light = Light.from_context(context)
    lights = [light_at_detector(scene_light.result, i, o, bins) for i, o in chosen]
    if irradiance not in ("incoherent", "coherent"):
        raise InvalidIrradiance(
            f"irradiance is {short_repr(irradiance)}; it is incoherent or coherent."
        )
    coherent = irradiance == "coherent"
    if coherent and len(chosen) != 1:
        titles = list_names([o.title for _, o in chosen])
        raise UnknownName(f"Interference is read at one detector. Name one of: {titles}")
    readings = [_detector_reading(scene_light, light) for light in lights]
    truncated = measured_value(scene_light, "truncated").value_or_none

    def root(items: Sequence[DetectorReading] | ElementList) -> Detectors:
        return Detectors(
            detector=items,
            count=len(items),
            irradiance_unit=f"power per {context.unit}"
            if context.power_unit == RELATIVE
            else irradiance_unit(context.unit, context.power_unit),
            truncated=truncated,
        )

    words = [
        f"power {power_in_words(reading.power)} from {ray_count_text(reading.rays)} at"
        f" {value_in_words(reading.name)}"
        for reading in readings[:MOST_NAMED_DETECTORS]
    ]
    if (more := len(readings) - MOST_NAMED_DETECTORS) > 0:
        words.append(f"and {more} more")
    sentence = capitalize_first("; ".join(words)) or "There is no detector in this scene"
    rays = context.result.ray_set(distinct_integers(*(light.rows for light in lights)))
    answer = Answer(root(readings), sentence, rays)
    if len(lights) != 1:
        return answer_page(answer, limit, offset) if limit else largest_fitting_page(answer, offset)
    light = lights[0]
    distributions = _reading_distributions(scene_light, light, by_map=not bins)
    sentence += _spectrum_in_words(light)
    if coherent:
        index = chosen[0][0]
        fringes = scene_light.fringes(index)
        distributions |= _reading_with_fringes(light, fringes, distributions["irradiance"])
        sentence += f"; {fringes_in_words(fringes, context.unit)}"
    reading = readings[0].with_fields(**distributions)
    details = ElementList("detector", [reading], inner=True)
    answer = replace(answer, root=root(details), sentence=sentence)
    most = max(1, min(longest_list_length(answer.root), MOST_PAGE_ELEMENTS))
    if not limit and not bins:
        limit = largest_fitting_number(
            lambda n: len(xml_document(answer_page(answer, n, offset).root)) <= PAGE_CHARACTERS,
            1,
            most,
        )
    return answer_page(answer, limit or most, offset)


def _detector_reading(scene_light: Light, light: DetectorLight) -> DetectorReading:
    """The record of a detector with its place and its measures, without distributions."""
    detector = light.detector
    widths = [bind_measure(name, detector) for name in ("rms", "width")]
    why = (
        measured_value(scene_light, "width", detector).reason.rstrip(".") if len(light.rows) else ""
    )
    notes = [note for note in (why, rays_note(scene_light, *widths)) if note]
    return DetectorReading(
        name=detector.title,
        disabled=True if detector.key in scene_light.disabled else None,
        **values_by_measure(scene_light, DETECTOR_MEASURES, detector),
        note="; ".join(notes) or None,
        rays=len(light.rows),
        power_error=light.error if _has_random_light(scene_light, light) else None,
        x1=detector.p1.x,
        y1=detector.p1.y,
        x2=detector.p2.x,
        y2=detector.p2.y,
        normal_x=round(light.normal[0], 12),
        normal_y=round(light.normal[1], 12),
        two_sided=detector.two_sided,
    )


def _reading_distributions(
    scene_light: Light, light: DetectorLight, *, by_map: bool
) -> dict[str, Any]:
    """The spectrum, the angles of incidence and the irradiance at a detector, as fields of a
    record. With ``by_map`` the irradiance has the detector's own bins, if they are valid.
    """
    spectrum = zip(
        light.wavelengths, light.spectrum, light.signed_spectrum, light.spectrum_rays, strict=True
    )
    lines = [
        SpectralLine(
            wavelength=none_if_nan(nm),
            power=power,
            signed_power=_signed_reading(scene_light, power, signed),
            rays=rays,
        )
        for nm, power, signed, rays in spectrum
    ]
    angles = _lit_bins(scene_light, light, light.angles, "power")
    places = _lit_bins(scene_light, light, light.irradiance, "irradiance")
    detector, note = light.detector, None
    if by_map and detector.irradiance_map_fault:
        count = len(light.irradiance.power)
        note = f"{count} equal bins: {in_quotes(detector.title)} {detector.irradiance_map_fault}"
    return {
        "spectrum": Spectrum(line=lines, left=None),
        "angles": Bins(bin=angles, unit="deg", along="angle from the normal", left=None),
        "irradiance": Bins(
            bin=places,
            unit=scene_light.length_unit,
            along="distance from x1, y1",
            left=None,
            note=note,
        ),
    }


def _reading_with_fringes(light: DetectorLight, fringes: Fringes, plain: Bins) -> dict[str, Any]:
    """The irradiance in bins with interference, and the values read from the fringes, as fields of
    a record.
    """
    edges, notes = light.irradiance.edges, [fringes.too_coarse or fringes.reason, *fringes.remarks]
    bins: list[Bin] = []
    if len(fringes.x):
        means = fringes.mean_between(edges)
        bins = [
            Bin(from_=a, to=b, irradiance=mean, error=None, rays=n)
            for a, b, mean, n in zip(
                edges[:-1], edges[1:], means.tolist(), light.irradiance.rays, strict=True
            )
            if n or mean > 0
        ]
        if not 2 * (edges[1] - edges[0]) <= fringes.spacing and fringes.spacing > 0:
            most = int(np.ceil(4 * edges[-1] / fringes.spacing))
            notes.append(f"The bins are too wide to show the fringes; bins={most} show them.")
    return {
        "irradiance": plain.with_fields(bin=bins),
        "fringes": FringeReading(
            spacing=none_if_nan(fringes.spacing),
            contrast=none_if_nan(fringes.contrast),
            bright=len(fringes.bright),
            power=fringes.power,
            note=" ".join(filter(None, notes)) or None,
        ),
    }


def fringes_in_words(fringes: Fringes, unit: str) -> str:
    if fringes.too_coarse or np.isnan(fringes.contrast):
        return (fringes.too_coarse or fringes.reason).rstrip(".")
    spacing = ""
    if not np.isnan(fringes.spacing):
        count = len(fringes.bright)
        spacing = f"{count} bright fringes, {value_in_words(fringes.spacing)} {unit} apart, with "
    return f"{spacing}a contrast of {value_in_words(fringes.contrast)}"


def _spectrum_in_words(light: DetectorLight) -> str:
    """The wavelengths of the light in words; if there are few, with their powers."""
    lines = [
        (nm, power)
        for nm, power in zip(light.wavelengths, light.spectrum, strict=True)
        if not np.isnan(nm)
    ]
    if len(lines) > MOST_NAMED_DETECTORS:
        return (
            f"; {len(lines)} wavelengths from {value_in_words(min(lines)[0])} to"
            f" {value_in_words(max(lines)[0])} nm"
        )
    return (
        f": {list_choices([f'{power_in_words(power)} at {value_in_words(nm)} nm' for nm, power in lines], 'and')}"
        if len(lines) > 1
        else ""
    )


def _lit_bins(
    scene_light: Light, light: DetectorLight, histogram: Histogram, quantity: str
) -> list[Bin]:
    """The bins of a histogram that contain light, as elements of an answer."""
    random = _has_random_light(scene_light, light)
    rows = zip(
        histogram.edges[:-1],
        histogram.edges[1:],
        histogram.power,
        histogram.signed,
        histogram.error,
        histogram.rays,
        strict=True,
    )
    return [
        Bin(
            from_=a,
            to=b,
            error=e if random else None,
            rays=n,
            **{quantity: p, f"signed_{quantity}": _signed_reading(scene_light, p, s)},
        )
        for a, b, p, s, e, n in rows
        if n
    ]


def _signed_reading(scene_light: Light, power: float, signed: float) -> float | None:
    """The signed power of a detector if it differs from the received power, else None; 0 if it is
    below the rounding error.
    """
    return (
        None
        if scene_light.remove_rounding_noise(power - signed, Unit.POWER) == 0
        else scene_light.remove_rounding_noise(signed, Unit.POWER)
    )


def _has_random_light(scene_light: Light, light: DetectorLight) -> bool:
    sources = [
        scene_light.scene.optical[i]
        for i in np.unique(scene_light.result.source[light.rows]).tolist()
        if i >= 0
    ]
    return any(isinstance(o, Beam) and o.random for o in sources)


TOOL = AnalysisTool(
    function=detector,
    asks="light at {detector_name|all detectors}",
    questions=(
        "What does {detector_name} read [see show get]?",
        "What does {detector_name} see [show]?",
        "What is the spectrum at {detector_name} [reading]?",
        "Which wavelengths reach {detector_name} [colors]?",
        "What is the irradiance profile at {detector_name} [distribution intensity illumination plot map shape brightness curve histogram]?",
        "What do the detectors read [all readings]?",
        Question(
            "What are the interference fringes at {detector_name} [pattern]?",
            {"irradiance": "coherent"},
        ),
    ),
    power=True,
    offered="usually",
    brief=(
        "Read detectors: power, distribution, forces; of one detector also spectrum, angles and "
        "irradiance in bins, or its fringes."
    ),
)
