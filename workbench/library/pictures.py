"""Pictures of kinds and presets, painted by the painters of the canvas."""

from __future__ import annotations

from PySide6.QtGui import QIcon, QPainter

from core.kinds.kinds import KINDS, ROWS
from core.kinds.outline import bounds, edges_of
from core.presets.presets import PRESETS
from core.scene.creation import is_preset
from core.shapes.point import Point
from workbench.canvas.camera import Camera, fitted
from workbench.canvas.icons import painted_icon
from workbench.canvas.object_painter import paint_fill, paint_icon, paint_object
from workbench.canvas.strokes import Style
from workbench.theme import ICON_SIZE, Theme

MARGIN = 0.08
"""Fraction of a picture left free on each side of a preset."""
_ROWS = {row.kind: row for row in ROWS}


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
    objects = preset(**preset.pictured).objects()
    boxes = [box for o in objects if (box := bounds(edges_of(o))) is not None]
    corners = [Point(x, y) for box in boxes for x, y in (box[:2], box[2:])]
    xs, ys = [p.x for p in corners], [p.y for p in corners]
    camera: Camera = fitted((min(xs), min(ys), max(xs), max(ys)), (ICON_SIZE, ICON_SIZE), MARGIN)
    for obj in objects:
        paint_fill(painter, obj, camera, style)
    for obj in objects:
        paint_object(obj, painter, camera, style)
