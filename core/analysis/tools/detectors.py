"""The tool that reads detectors."""

from __future__ import annotations

import numpy as np

from core.analysis.answers.xml_answer import document, element
from core.analysis.context import TracedScene, require_context
from core.analysis.rays.detector_light import DetectorLight, Histogram, light_at
from core.analysis.rays.placed_rows import placed
from core.errors import elided, in_quotes
from core.kinds.detectors import Detector
from core.scene.names import UnknownName, object_named
from core.trace.results.result import RaySet


def detector_xml(detector_name: str = "", bins: int = 0) -> str:
    """
    Read detectors: the power crossing them, the force of light, the spectrum, the angles of incidence, and the irradiance along them.

    Power is signed: light in the direction of the detector's normal counts as positive. Irradiance is power per scene unit of length.
    Errors are standard errors as of randomly drawn rays, upper bounds where sources space their rays evenly.

    Args:
        detector_name: Name of a detector in the scene; empty for all of them.
        bins: Number of equal bins for the irradiance, 1 to 10000; 0 for the detector's own bins, or 20 where it has none.

    Returns:
        XML string with the root detectors. Of angles only bins that light falls into are listed, in degrees from the normal,
        counter-clockwise as seen.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If detector_name doesn't match, or bins is wrong; the text says what exists.
    """
    context = require_context()
    optical = context.scene.optical
    chosen = [i for i, o in enumerate(optical) if isinstance(o, Detector)]
    if detector_name:
        found = object_named(context.scene, detector_name)
        if not isinstance(found, Detector):
            there = [elided(optical[i].title) for i in chosen]
            raise UnknownName(f"{in_quotes(detector_name)} is a {found.type}, not a detector. Detectors: {there or '(none)'}")
        chosen = [i for i in chosen if optical[i] is found]
    result = placed(context.result, context.scene)
    told, rows = [], [np.empty(0, np.int64)]
    for i in chosen:
        detector = optical[i]
        assert isinstance(detector, Detector)
        light = light_at(result, i, detector, bins)
        rows.append(light.rows)
        told.append(_detector(context, i, detector, light))
    name = in_quotes(detector_name) if detector_name else "detectors"
    context.note(RaySet(np.unique(np.concatenate(rows)), f"rays arriving at {name}", context.result.revision))
    return document("detectors", *told, context=context, count=len(told), irradiance_unit=f"power per {context.unit}")


def _detector(context: TracedScene, index: int, detector: Detector, light: DetectorLight) -> str:
    reading = next((d for d in context.result.detectors if d.index == index), None)
    lines = [
        element("line", wavelength=None if np.isnan(nm) else nm, power=power, rays=rays)
        for nm, power, rays in zip(light.wavelengths, light.spectrum, light.spectrum_rays, strict=True)
    ]
    return element(
        "detector",
        element("spectrum", *lines),
        element("angles", *_bins(light.angles, "power", empty=False), unit="deg", along="angle from the normal"),
        element("irradiance", *_bins(light.irradiance, "irradiance", empty=True), unit=context.unit, along="distance from x1, y1"),
        name=detector.title, disabled=True if detector.key in context.disabled else None,
        x1=detector.p1.x, y1=detector.p1.y, x2=detector.p2.x, y2=detector.p2.y,
        normal_x=round(light.normal[0], 12), normal_y=round(light.normal[1], 12), two_sided=detector.two_sided,
        rays=len(light.rows), power=light.power, power_error=light.error,
        normal_force=reading.normal if reading else None, shear_force=reading.shear if reading else None,
    )  # fmt: skip


def _bins(h: Histogram, what: str, *, empty: bool) -> list[str]:
    rows = zip(h.edges[:-1], h.edges[1:], h.power, h.error, h.rays, strict=True)
    return [element("bin", from_=a, to=b, **{what: p, "error": e, "rays": n}) for a, b, p, e, n in rows if n or empty]
