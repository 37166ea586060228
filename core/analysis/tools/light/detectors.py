"""What do the detectors read?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from core.analysis.answers.answer import Answer, Element, Listed, element, listed
from core.analysis.answers.words import capitalized, in_words, rays_counted
from core.analysis.answers.xml_answer import provenance
from core.analysis.context import TracedScene, require_context
from core.analysis.measures.bound import BoundMeasure
from core.analysis.measures.grammar import Expression
from core.analysis.measures.light import Light
from core.analysis.measures.table import MEASURES
from core.analysis.rays.detector_light import DetectorLight, Histogram, light_at
from core.analysis.rays.placed_rows import placed
from core.analysis.tools.clauses import Unclear
from core.analysis.tools.plain_question import PlainQuestion
from core.analysis.tools.tool import AnalysisTool, Understanding
from core.errors import in_quotes
from core.kinds.detectors import Detector
from core.kinds.sources import Beam
from core.scene.names import UnknownName, object_named
from core.trace.results.result import RaySet

IN_WORDS = 5
"""Maximum number of detectors named in the sentence."""
READ = ("power", "share", "signed_power", "centroid", "rms", "width", "normal_force", "shear_force")
"""The measures included for each detector."""


def detector(detector_name: str = "", bins: int = 0) -> Answer:
    """
    Read detectors: arriving power and its distribution, radiation force, spectrum, angles of incidence, and irradiance.

    Power, share (fraction of the emitted power), centroid, rms and width are the measures of these names. In signed_power, spectrum,
    angles and irradiance light against the detector's normal counts as negative. Irradiance is power per scene unit of length. Errors are
    standard errors for randomly sampled rays; they are omitted if no source samples rays at random.

    Args:
        detector_name: Name of a detector in the scene; empty for all of them.
        bins: Number of equal bins for the irradiance, 1 to 10000; 0 for the detector's own bins, or 20 where it has none.

    Returns:
        Root detectors. Angles are in degrees from the normal, counter-clockwise on screen; only bins that contain light
        are listed.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If detector_name doesn't match, or bins is invalid; the message lists the existing names.
    """
    context = require_context()
    optical = context.scene.optical
    chosen = [i for i, o in enumerate(optical) if isinstance(o, Detector)]
    if detector_name:
        named_object = object_named(context.scene, detector_name)
        if not isinstance(named_object, Detector):
            there = [optical[i].title for i in chosen]
            raise UnknownName(f"{in_quotes(detector_name)} is a {named_object.type}, not a detector. Detectors: {there or '(none)'}")
        chosen = [i for i in chosen if optical[i] is named_object]
    result = placed(context.result, context.scene)
    whole = Light.of_context(context)
    readings, rows, words = [], [np.empty(0, np.int64)], []
    for i in chosen:
        screen = optical[i]
        assert isinstance(screen, Detector)
        light = light_at(result, i, screen, bins)
        rows.append(light.rows)
        readings.append(_detector(context, whole, screen, light))
        received = measured_at(whole, screen, "power")
        words.append(f"power {in_words(received)} from {rays_counted(len(light.rows))} at {in_words(screen.title)}")
    name = in_quotes(detector_name) if detector_name else "detectors"
    rays = RaySet(np.unique(np.concatenate(rows)), f"rays arriving at {name}", context.result.revision)
    about = {"count": len(readings), "irradiance_unit": f"power per {context.unit}"}
    root = element("detectors", listed("detector", readings), **about, **provenance(context))
    more = [f"and {len(words) - IN_WORDS} more"] if len(words) > IN_WORDS else []
    return Answer(root, capitalized("; ".join(words[:IN_WORDS] + more)) or "There is no detector in this scene", rays)


def measured_at(light: Light, detector: Detector, name: str) -> float | None:
    """The value of a measure at a detector; None if it is undefined."""
    measure = MEASURES[name]
    arguments = (detector.key, *[None] * (len(measure.parameters) - 1))
    measured = BoundMeasure(measure, arguments, str(Expression(name, (detector.title,)))).of(light)
    return measured.value if measured.defined else None


def _detector(context: TracedScene, whole: Light, detector: Detector, light: DetectorLight) -> Element:
    random = any(isinstance(o, Beam) and o.random for o in context.scene.optical)
    lines = [
        element("line", wavelength=None if np.isnan(nm) else nm, power=power, rays=rays)
        for nm, power, rays in zip(light.wavelengths, light.spectrum, light.spectrum_rays, strict=True)
    ]
    return element(
        "detector",
        element("spectrum", listed("line", lines)),
        element("angles", _bins(light.angles, "power", random, empty=False), unit="deg", along="angle from the normal"),
        element("irradiance", _bins(light.irradiance, "irradiance", random, empty=True), unit=context.unit, along="distance from x1, y1"),
        name=detector.title, disabled=True if detector.key in context.disabled else None,
        **{name: measured_at(whole, detector, name) for name in READ},
        rays=len(light.rows), power_error=light.error if random else None,
        x1=detector.p1.x, y1=detector.p1.y, x2=detector.p2.x, y2=detector.p2.y,
        normal_x=round(light.normal[0], 12), normal_y=round(light.normal[1], 12), two_sided=detector.two_sided,
    )  # fmt: skip


def _bins(h: Histogram, what: str, random: bool, *, empty: bool) -> Listed:
    rows = zip(h.edges[:-1], h.edges[1:], h.power, h.error, h.rays, strict=True)
    bins = [element("bin", from_=a, to=b, **{what: p, "error": e if random else None, "rays": n}) for a, b, p, e, n in rows if n or empty]
    return listed("bin", bins)


def _asks(arguments: Mapping[str, Any]) -> str:
    return f"light at {in_words(arguments.get('detector_name') or 'all detectors')}"


def _understood(question: PlainQuestion) -> Understanding:
    said = question.clauses()
    readings = r"what do (?:all )?(?:detectors|screens) (?:read|see|measure|show|receive)|readings?(?: of (?:all )?detectors)?$"
    if said.take(readings):
        return said.whole({})
    obj = said.object(r"what does {o} (?:read|see|measure|show|receive|get)|(?:readings?|spectrum|irradiance) (?:of|at|on) {s}")
    if obj is None:
        return None
    if isinstance(obj, Unclear):
        return said.ask(obj.problem)
    return said.whole({"detector_name": obj.title}) if isinstance(obj, Detector) else said.ask(f"{obj.title} is no detector.")


TOOL = AnalysisTool(function=detector, asks=_asks, phrases=_understood)
