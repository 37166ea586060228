"""Pictures of kinds and presets, painted by the painters of the canvas."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QIcon, QPainter

from raybench.kinds.kinds import KINDS, ROWS
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import bounds, edges_of
from raybench.presets.presets import PRESETS
from raybench.scene.creation import is_preset
from raybench.shapes.point import Point
from raybench_workbench.canvas.icons import painted_icon
from raybench_workbench.canvas.object_painter import paint_fill, paint_icon, paint_object
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.viewport import Camera, fitted
from raybench_workbench.theme import ICON_SIZE, Theme

MARGIN = 0.08
"""Fraction of a picture left free on each side of a preset."""
_ROWS = {row.kind: row for row in ROWS}


def paint_module(parts: Sequence[SceneObject], painter: QPainter, style: Style) -> None:
    """Paint the parts of a module's instance in a square of `theme.ICON_SIZE` units; the icon of
    modules if no part is visible.
    """
    if not _paint_objects(parts, painter, style):
        paint_icon(_ROWS[ModuleObj], painter, style)


def icon_of(what: str, theme: Theme) -> QIcon:
    """The icon of a kind or of a preset."""
    return painted_icon(lambda painter: paint_picture(what, painter, Style(theme)))


def paint_picture(what: str, painter: QPainter, style: Style) -> None:
    """Paint a kind, or a preset with its default values, in a square of `theme.ICON_SIZE` units."""
    if is_preset(what):
        _paint_preset(what, painter, style)
    else:
        paint_icon(_ROWS[KINDS[what]], painter, style)


def _paint_preset(what: str, painter: QPainter, style: Style) -> None:
    preset = PRESETS[what]
    _paint_objects(preset(**preset.pictured).objects(), painter, style)


def _paint_objects(objects: Sequence[SceneObject], painter: QPainter, style: Style) -> bool:
    """Paint objects as large as they fit; whether they have an extent."""
    boxes = [box for o in objects if (box := bounds(edges_of(o))) is not None]
    if not boxes:
        return False
    corners = [Point(x, y) for box in boxes for x, y in (box[:2], box[2:])]
    xs, ys = [p.x for p in corners], [p.y for p in corners]
    camera: Camera = fitted((min(xs), min(ys), max(xs), max(ys)), (ICON_SIZE, ICON_SIZE), MARGIN)
    for obj in objects:
        paint_fill(painter, obj, camera, style)
    for obj in objects:
        paint_object(obj, painter, camera, style)
    return True
