"""Paints the objects over the rays, on the canvas and in exported figures."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from weakref import WeakKeyDictionary

from PySide6.QtGui import QPainter

from core.kinds.detectors import Detector
from core.scene.document import Document
from core.scene.scene import Scene
from core.trace.results.result import TraceResult
from workbench.canvas.camera import Camera
from workbench.canvas.object_painter import paint_object
from workbench.canvas.strokes import Style
from workbench.theme import Theme

MAX_GHOSTS = 200
"""Objects of a proposal that are painted."""


def paint_objects(
    painter: QPainter,
    document: Document,
    camera: Camera,
    theme: Theme,
    notes: Mapping[int, str],
    *,
    selected: Collection[int] = (),
    hovered: int | None = None,
    without: Collection[str] = (),
) -> None:
    """Paint the outlines of all objects that are not hidden, the selected ones last.

    Args:
        notes: Texts beside objects, by key.
        selected: Keys of the selected objects.
        hovered: Key of the object under the pointer.
        without: Type names of the kinds that are not painted.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    visible = (o for o in document.scene.objects if o.key not in document.hidden and o.type not in without)
    for obj in sorted(visible, key=lambda o: o.key in selected):
        for part in document.scene.parts_of(obj):
            style = Style(theme, obj.key in selected, obj.key == hovered, obj.key in document.disabled, notes.get(part.key, ""))
            paint_object(part, painter, camera, style)


def paint_proposal(painter: QPainter, before: Document, after: Document, camera: Camera, theme: Theme) -> None:
    """Paint the objects that an edit would change or add as they would be, and those that it would delete, as dashed ghosts."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    changed = [(after, o, "accent") for o in after.scene.objects if before.scene.get(o.key) != o]
    deleted = [(before, o, "error") for o in before.scene.objects if after.scene.get(o.key) is None]
    for document, obj, color in (changed + deleted)[:MAX_GHOSTS]:
        for part in document.scene.parts_of(obj):
            paint_object(part, painter, camera, Style(theme, ghost=color))


def detector_notes(document: Document, result: TraceResult | None) -> dict[int, str]:
    """The labels of detectors, by object key: the measure ``power`` of each, which is received from both sides, with its unit."""
    if result is None:
        return {}
    if result not in _notes:
        _notes[result] = _notes_of(result.scene or document.scene, result)
    return _notes[result]


_notes: WeakKeyDictionary[TraceResult, dict[int, str]] = WeakKeyDictionary()
"""The labels of each result: a canvas is painted many times for one result."""


def _notes_of(scene: Scene, result: TraceResult) -> dict[int, str]:
    detectors = [(i, o.key) for i, o in enumerate(scene.optical) if isinstance(o, Detector)]
    if not detectors:
        return {}
    from core.analysis.measures.light import Light
    from core.analysis.measures.table import MEASURES

    light, measure = Light(scene, result), MEASURES["power"]
    return {key: f"P = {measure.function(light, i):.4g} {measure.unit.text(light.unit)}" for i, key in detectors}
