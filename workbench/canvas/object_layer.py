"""Paints the objects over the rays, on the canvas and in exported figures."""

from __future__ import annotations

from collections.abc import Collection
from operator import is_not

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from core.kinds.object import SceneObject
from core.scene.document import Document
from workbench.canvas.camera import Camera
from workbench.canvas.object_painter import paint_object
from workbench.canvas.strokes import Style
from workbench.theme import Theme

MANY = 400
"""Number of objects above which those at rest are kept as an image while others are dragged."""
MAX_GHOSTS = 200
"""Objects of a proposal that are painted."""


def paint_objects(
    painter: QPainter,
    document: Document,
    camera: Camera,
    theme: Theme,
    *,
    selected: Collection[int] = (),
    hovered: int | None = None,
    without: Collection[str] = (),
    only: Collection[SceneObject] | None = None,
) -> None:
    """Paint the outlines of all objects that are not hidden, the selected ones last.

    Args:
        selected: Keys of the selected objects.
        hovered: Key of the object under the pointer.
        without: Type names of the kinds that are not painted.
        only: The objects to paint, instead of all that are visible.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    visible = only if only is not None else (o for o in document.scene.objects if o.key not in document.hidden and o.type not in without)
    for obj in sorted(visible, key=lambda o: o.key in selected):
        for part in document.scene.parts_of(obj):
            style = Style(theme, obj.key in selected, obj.key == hovered, obj.key in document.disabled)
            paint_object(part, painter, camera, style)


class StillObjects:
    """The objects that are neither selected nor under the pointer as an image, painted again only when one of them or the view changes.

    Thousands of objects take longer to paint than a frame of a drag may last.
    """

    def __init__(self) -> None:
        self._image = QImage()
        self._shows: tuple[object, ...] = ()
        self._objects: list[SceneObject] = []

    def paint(
        self, painter: QPainter, document: Document, camera: Camera, theme: Theme, size: QSize, *,
        selected: Collection[int], hovered: int | None,
    ) -> None:  # fmt: skip
        """As `paint_objects`; ``size`` is that of the canvas in logical pixels."""
        hidden, live = document.hidden, {*selected, hovered}
        if not document.scene.expansions:
            still = [o for o in document.scene.objects if o.key not in hidden and o.key not in live]
            scale = painter.device().devicePixelRatio()
            shows = (camera, theme, size, scale, document.disabled)
            if shows != self._shows or len(still) != len(self._objects) or any(map(is_not, still, self._objects)):
                self._shows, self._objects = shows, still
                self._image = QImage(size * scale, QImage.Format.Format_ARGB32_Premultiplied)
                self._image.setDevicePixelRatio(scale)
                self._image.fill(0)
                over = QPainter(self._image)
                paint_objects(over, document, camera, theme, only=still)
                over.end()
            painter.drawImage(0, 0, self._image)
            moving = [o for k in live if k is not None and k not in hidden and (o := document.scene.get(k)) is not None]
            paint_objects(painter, document, camera, theme, selected=selected, hovered=hovered, only=moving)
        else:
            paint_objects(painter, document, camera, theme, selected=selected, hovered=hovered)


def paint_proposal(painter: QPainter, before: Document, after: Document, camera: Camera, theme: Theme) -> None:
    """Paint the objects that an edit would change or add as they would be, and those that it would delete, as dashed ghosts."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    changed = [(after, o, "accent") for o in after.scene.objects if before.scene.get(o.key) != o]
    deleted = [(before, o, "error") for o in before.scene.objects if after.scene.get(o.key) is None]
    for document, obj, color in (changed + deleted)[:MAX_GHOSTS]:
        for part in document.scene.parts_of(obj):
            paint_object(part, painter, camera, Style(theme, ghost=color))
