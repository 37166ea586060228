"""The readings painted beside detectors: the received power and, if a detector has an irradiance
map, the irradiance.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from raybench.analysis.geometry.straight import Floats
from raybench.kinds.detectors import Detector
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.strokes import set_pen_and_brush, turn_clockwise, unit_vector
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.texts import number_with_error
from raybench_workbench.translation import tr

MAX_PROFILE_HEIGHT = 44.0
"""Height of the highest irradiance beside a detector, in pixels."""
POWER_DIGITS = 4
"""Digits of a power without an error."""
MAX_STEPS = 4_000
"""Number of steps of a painted profile; several of more bins are represented by the highest."""
PROFILE_DISTANCE = 6.0
"""Distance of the profile from the detector, in pixels."""


class IrradianceProfile(NamedTuple):
    """The irradiance along a detector: the ``edges`` (n + 1,) of bins in scene units, and the
    received power per length (n,) in each bin. ``behind`` is set if most light continues along the
    detector's normal.
    """

    edges: Floats
    irradiance: Floats
    behind: bool


class DetectorReading(NamedTuple):
    """The values shown beside a detector: a ``text`` and, if its irradiance map is on, a
    ``profile``.
    """

    text: str
    profile: IrradianceProfile | None = None


class ReceivedLight(NamedTuple):
    """The ``power`` that a detector receives from both sides and, if its irradiance map is on, a
    ``profile``.
    """

    power: float
    profile: IrradianceProfile | None

    def reading(self, unit: str, error: float = 0.0) -> DetectorReading:
        """The reading with the ``unit`` of powers and the standard ``error`` of the power."""
        number = number_with_error(self.power, error, POWER_DIGITS)
        return DetectorReading(tr("P = {number} {unit}", number=number, unit=unit), self.profile)


_readings: WeakKeyDictionary[TraceResult, dict[int, DetectorReading]] = WeakKeyDictionary()
"""A cache of the readings of each result: a canvas is painted many times for one result."""


def detector_readings(document: Document, result: TraceResult | None) -> dict[int, DetectorReading]:
    """The readings of all detectors by object key: the power that each receives from both sides,
    with its unit.
    """
    if result is None:
        return {}
    if result not in _readings:
        _readings[result] = _read_detectors(result.scene or document.scene, result)
    return _readings[result]


def _read_detectors(scene: Scene, result: TraceResult) -> dict[int, DetectorReading]:
    received, unit = received_light(scene, result)
    return {key: light.reading(unit) for key, light in received.items()}


def received_light(scene: Scene, result: TraceResult) -> tuple[dict[int, ReceivedLight], str]:
    """The light that each detector of a scene receives, by object key, and the unit of its powers."""
    detectors = [(i, o) for i, o in enumerate(scene.optical) if isinstance(o, Detector)]
    if not detectors:
        return {}, ""
    from raybench.analysis.measures.light import Light
    from raybench.analysis.measures.table import MEASURES
    from raybench.analysis.rays.detector_light import light_at_detector

    light, measure, received = Light(scene, result), MEASURES["power"], {}
    for i, detector in detectors:
        profile = None
        if detector.map_bin_count:
            at = light_at_detector(light.result, i, detector)
            profile = IrradianceProfile(at.irradiance.edges, at.irradiance.power, at.signed >= 0)
        received[detector.key] = ReceivedLight(measure.value(light, i), profile)
    return received, measure.unit.symbol(light.length_unit, light.power_unit)


def visible_detectors(document: Document) -> list[Detector]:
    """The detectors that are not hidden, including those in modules."""
    return [o for o in document.drawn_objects if isinstance(o, Detector)]


def paint_irradiance(
    painter: QPainter,
    document: Document,
    readings: Mapping[int, DetectorReading],
    viewport: Viewport,
) -> None:
    """Paint the irradiance maps of detectors as step curves along them, on the side to which most
    light continues.
    """
    theme = viewport.theme
    set_pen_and_brush(painter, QPen(theme.color("detector", 0.9), 1), theme.color("detector", 0.28))
    for profile in irradiance_profiles(document, readings, viewport.camera):
        painter.drawPolygon(profile)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def irradiance_profiles(
    document: Document, readings: Mapping[int, DetectorReading], camera: Camera
) -> list[QPolygonF]:
    """The outlines of the irradiance maps of detectors that light meets, in pixels."""
    detectors = visible_detectors(document) if readings else ()
    mapped = ((d, readings[d.key].profile) for d in detectors if d.key in readings)
    return [
        _profile_outline(detector, profile, camera)
        for detector, profile in mapped
        if profile is not None and profile.irradiance.max(initial=0.0) > 0
    ]


def _profile_outline(detector: Detector, profile: IrradianceProfile, camera: Camera) -> QPolygonF:
    edges, irradiance = profile.edges, profile.irradiance
    a = camera.to_screen(detector.p1)
    along = unit_vector(a, camera.to_screen(detector.p2))
    away = turn_clockwise(along) * (-1 if profile.behind else 1)
    foot = a + away * PROFILE_DISTANCE
    first = np.arange(0, len(irradiance), 1 + len(irradiance) // MAX_STEPS)
    places = (np.append(edges[first], edges[-1]) * camera.scale).tolist()
    heights = np.maximum.reduceat(irradiance, first) * (
        MAX_PROFILE_HEIGHT / float(irradiance.max())
    )
    corners = [foot + along * places[0]]
    for (left, right), height in zip(pairwise(places), heights.tolist(), strict=True):
        corners += [foot + along * place + away * height for place in (left, right)]
    corners.append(foot + along * places[-1])
    return QPolygonF(corners)
