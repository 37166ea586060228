"""The readings of detectors, painted beside them: the received power and, of those with an
irradiance map, the irradiance.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from raybench.analysis.geometry.straight import Floats
from raybench.kinds.detectors import Detector
from raybench.kinds.module_instance import ModuleObj
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.strokes import unit_vector
from raybench_workbench.canvas.viewport import Camera, Viewport

HEIGHT = 44.0
"""Height of the highest irradiance beside a detector, in pixels."""
MAX_STEPS = 4_000
"""Number of steps of a painted profile; several of more bins are represented by the highest."""
DISTANCE = 6.0
"""Distance of the profile from the detector, in pixels."""


@dataclass(frozen=True, eq=False)
class Reading:
    """The ``text`` of a detector's reading and, with an irradiance map, the ``edges`` (n + 1,) of
    its bins along it, in scene units, and the received power per length (n,) in them. ``behind``:
    most light goes along the detector's normal.
    """

    text: str
    edges: Floats | None = None
    irradiance: Floats | None = None
    behind: bool = True


_readings: WeakKeyDictionary[TraceResult, dict[int, Reading]] = WeakKeyDictionary()
"""A cache of the readings of each result: a canvas is painted many times for one result."""


def detector_readings(document: Document, result: TraceResult | None) -> dict[int, Reading]:
    """The readings of detectors by object key: the measure ``power`` of each, received from both
    sides, with its unit.
    """
    if result is None:
        return {}
    if result not in _readings:
        _readings[result] = _read_detectors(result.scene or document.scene, result)
    return _readings[result]


def _read_detectors(scene: Scene, result: TraceResult) -> dict[int, Reading]:
    detectors = [(i, o) for i, o in enumerate(scene.optical) if isinstance(o, Detector)]
    if not detectors:
        return {}
    from raybench.analysis.measures.light import Light
    from raybench.analysis.measures.table import MEASURES
    from raybench.analysis.rays.detector_light import light_at

    light, measure = Light(scene, result), MEASURES["power"]
    readings = {}
    for i, detector in detectors:
        text = f"P = {measure.value(light, i):.4g} {measure.unit.symbol(light.unit)}"
        at = light_at(light.result, i, detector) if detector.own_bins else None
        more = () if at is None else (at.irradiance.edges, at.irradiance.power, at.signed >= 0)
        readings[detector.key] = Reading(text, *more)
    return readings


def visible_detectors(document: Document) -> list[Detector]:
    """The detectors that are not hidden, including those in modules."""
    holders = (
        o
        for o in document.scene.objects
        if isinstance(o, Detector | ModuleObj) and o.key not in document.hidden
    )
    return [
        part for o in holders for part in document.scene.parts_of(o) if isinstance(part, Detector)
    ]


def paint_irradiance(
    painter: QPainter,
    document: Document,
    readings: Mapping[int, Reading],
    viewport: Viewport,
) -> None:
    """Paint the irradiance maps of detectors as step curves along them, on the side to which most
    light continues.
    """
    painter.setPen(QPen(viewport.theme.color("detector", 0.9), 1))
    painter.setBrush(viewport.theme.color("detector", 0.28))
    for profile in _irradiance_profiles(document, readings, viewport.camera):
        painter.drawPolygon(profile)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def irradiance_boxes(
    document: Document, readings: Mapping[int, Reading], camera: Camera
) -> list[QRectF]:
    """The boxes of the irradiance maps that are painted, in pixels."""
    return [profile.boundingRect() for profile in _irradiance_profiles(document, readings, camera)]


def _irradiance_profiles(
    document: Document, readings: Mapping[int, Reading], camera: Camera
) -> Iterator[QPolygonF]:
    """The outlines of the irradiance maps of detectors that light meets."""
    for detector in visible_detectors(document) if readings else ():
        reading = readings.get(detector.key)
        if (
            reading is not None
            and reading.edges is not None
            and reading.irradiance is not None
            and reading.irradiance.max(initial=0.0) > 0
        ):
            yield _profile_outline(
                detector, reading.edges, reading.irradiance, reading.behind, camera
            )


def _profile_outline(
    detector: Detector, edges: Floats, irradiance: Floats, behind: bool, camera: Camera
) -> QPolygonF:
    highest = float(irradiance.max())
    a = camera.to_screen(detector.p1)
    along = unit_vector(a, camera.to_screen(detector.p2))
    away = QPointF(along.y(), -along.x()) * (1 if behind else -1)
    foot = a + away * DISTANCE
    first = np.arange(0, len(irradiance), 1 + len(irradiance) // MAX_STEPS)
    ends, values = np.append(edges[first], edges[-1]), np.maximum.reduceat(irradiance, first)
    corners = [foot + along * (ends[0] * camera.scale)]
    for left, right, power in zip(
        ends[:-1].tolist(), ends[1:].tolist(), values.tolist(), strict=True
    ):
        up = away * (HEIGHT * power / highest)
        corners += [
            foot + along * (left * camera.scale) + up,
            foot + along * (right * camera.scale) + up,
        ]
    corners.append(foot + along * (ends[-1] * camera.scale))
    return QPolygonF(corners)
