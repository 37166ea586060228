"""The painting of the objects over the rays, on the canvas and in exported figures."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from operator import is_not
from typing import cast

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter, QRegion

from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.scene.document import Document
from raybench.scene.hit_test import drawn_extent
from raybench.shapes.curves import Box, union_of_boxes
from raybench.shapes.shape import FullLine
from raybench_workbench.canvas.object_painter import paint_object
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.texts import Sizes, enlarged_text_sizes
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.theme import Theme

MANY_OBJECTS = 400
"""Number of objects above which those at rest are cached as an image."""
MAX_PAINT_SECONDS = 0.015
"""Longest time in seconds for which painting an image of objects blocks the event loop."""
OBJECTS_PER_POLL = 50
"""Number of objects painted between two polls of the clock."""
FEW_CHANGED = 40
"""Number of changed objects up to which only their surroundings are repainted."""
PAINT_MARGIN = 32
"""Distance in pixels by which lines, arrows and marks extend beyond the geometry of an object."""
MAX_COORDINATE = 30_000.0
"""The largest coordinate of a box in pixels."""
WITH_TEXT = frozenset({"text", "ruler", "protractor"})
"""Painters that paint text beside the geometry."""


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
    text_sizes: Sizes | None = None,
) -> None:
    """Paint the outlines of all objects that are not hidden, the selected ones last.

    Args:
        selected: Keys of the selected objects.
        hovered: Key of the object under the pointer.
        without: Type names of the kinds that are not painted.
        only: The objects to paint, instead of all that are visible.
        text_sizes: Sizes of texts that are enlarged to be readable on the screen.
    """
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    shown = document.scene.objects if only is None else only
    if only is None:
        shown = [o for o in shown if o.key not in document.hidden and o.type not in without]
    for obj in sorted(shown, key=lambda o: o.key in selected):
        style = Style(
            theme,
            obj.key in selected,
            obj.key == hovered,
            obj.key in document.disabled,
            over_light=True,
            text_sizes=text_sizes or {},
        )
        for part in document.scene.parts_of(obj):
            paint_object(painter, part, camera, style)


@dataclass(frozen=True)
class _ImageContent:
    """The objects in a cached image, and everything else that determines its pixels."""

    viewport: Viewport
    disabled: Collection[int]
    objects: list[SceneObject]

    def changed_objects(self, other: _ImageContent) -> list[SceneObject] | None:
        """The objects in which two contents differ. None if they are many, if the order of the
        common objects differs, or if anything else differs.
        """
        if (self.viewport, self.disabled) != (other.viewport, other.disabled):
            return None
        as_many = len(self.objects) == len(other.objects)
        if as_many and not any(map(is_not, self.objects, other.objects)):
            return []
        had, has = {id(o) for o in self.objects}, {id(o) for o in other.objects}
        changed = [o for o in self.objects if id(o) not in has]
        changed += [o for o in other.objects if id(o) not in had]
        kept = (o for o in self.objects if id(o) in has)
        keep = (o for o in other.objects if id(o) in had)
        return None if len(changed) > FEW_CHANGED or any(map(is_not, kept, keep)) else changed


class ObjectsImage:
    """A cached image of thousands of objects, painted in time slices. While it is painted, the
    previous image is shown, moved and scaled. If few objects changed, only their surroundings are
    repainted.

    ``again`` is called when another slice must be painted.
    """

    def __init__(self, again: Callable[[], object], *, selected: bool = False) -> None:
        self._again, self._selected = again, selected
        self._image = QImage()
        self._content: _ImageContent | None = None
        self._coming: tuple[_ImageContent, QImage, Iterator[None]] | None = None
        self.painted = 0
        """Number of objects painted into images so far."""

    @property
    def is_complete(self) -> bool:
        """Whether the image shows the requested objects."""
        return self._coming is None

    def abandon_painting(self) -> None:
        """Stop painting the unfinished image and discard it."""
        self._coming = None

    def paint(
        self, painter: QPainter, document: Document, viewport: Viewport, objects: list[SceneObject]
    ) -> None:
        """Paint the objects on a canvas, from the cached image."""
        wanted = _ImageContent(viewport, document.disabled, objects)
        if not self._is_content_shown(wanted, document):
            self._paint_slice(wanted, document)
        if self._content is None:
            return
        painter.save()
        old = self._content.viewport.camera
        if old != viewport.camera:  # transform the last image until the next is complete
            painter.setTransform(
                old.pixel_transform.inverted()[0] * viewport.camera.pixel_transform, True
            )
        painter.drawImage(0, 0, self._image)
        painter.restore()

    def _is_content_shown(self, content: _ImageContent, document: Document) -> bool:
        """Whether the image shows the content ``content``, after repainting a few changed objects
        if only these differ.
        """
        changed = self._content.changed_objects(content) if self._content is not None else None
        if changed is None or (changed and not self._repaint_changed(content, document, changed)):
            return False
        self._content, self._coming = content, None
        return True

    def _paint_slice(self, content: _ImageContent, document: Document) -> None:
        """Paint the image of the content ``content`` for one more time slice."""
        if self._coming is not None and self._coming[0].changed_objects(content) is None:
            self._coming = None
        if self._coming is None:
            at = content.viewport
            image = QImage(QSize(*at.size) * at.ratio, QImage.Format.Format_ARGB32_Premultiplied)
            image.setDevicePixelRatio(at.ratio)
            image.fill(0)
            self._coming = content, image, self._paint_in_slices(content, document, image)
        coming, image, slices = self._coming
        for _ in slices:
            self._again()
            return
        self._content, self._image, self._coming = coming, image, None
        if not self._is_content_shown(content, document):  # more was changed meanwhile
            self._paint_slice(content, document)

    def _paint_in_slices(
        self, content: _ImageContent, document: Document, image: QImage
    ) -> Iterator[None]:
        until = time.perf_counter() + MAX_PAINT_SECONDS
        for at in range(0, len(content.objects), OBJECTS_PER_POLL):
            some = content.objects[at : at + OBJECTS_PER_POLL]
            self._paint_into(image, content, document, some)
            for obj in some:
                _drawn_object_box(obj, document)  # it is kept
            if time.perf_counter() > until:
                yield
                until = time.perf_counter() + MAX_PAINT_SECONDS

    def _paint_into(
        self,
        image: QImage,
        content: _ImageContent,
        document: Document,
        objects: list[SceneObject],
        region: QRegion | None = None,
    ) -> None:
        over, at = QPainter(image), content.viewport
        if region is not None:
            over.setClipRegion(region)
            over.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
            over.fillRect(image.rect(), 0)
            over.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        keys = {o.key for o in objects} if self._selected else ()
        sizes = enlarged_text_sizes(document, at.camera)
        paint_objects(
            over, document, at.camera, at.theme, selected=keys, only=objects, text_sizes=sizes
        )
        over.end()
        self.painted += len(objects)

    def _repaint_changed(
        self, content: _ImageContent, document: Document, changed: list[SceneObject]
    ) -> bool:
        """Repaint the surroundings of changed objects; returns False if an object has no bounds."""
        region, dirty, camera = QRegion(), list[Box](), content.viewport.camera
        reach = 2 * PAINT_MARGIN / camera.scale
        for obj in changed:
            box = _drawn_object_box(obj, document)
            if box is None:
                return False
            around = camera.box_on_screen(box).adjusted(
                -PAINT_MARGIN, -PAINT_MARGIN, PAINT_MARGIN, PAINT_MARGIN
            )
            region += (
                around
                & QRectF(-MAX_COORDINATE, -MAX_COORDINATE, 2 * MAX_COORDINATE, 2 * MAX_COORDINATE)
            ).toAlignedRect()
            dirty.append((box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach))
        whole, near = union_of_boxes(dirty), []
        for obj in content.objects:
            box = _drawn_object_box(obj, document)
            if box is None or (
                _boxes_overlap(box, whole) and any(_boxes_overlap(box, d) for d in dirty)
            ):
                near.append(obj)
        self._paint_into(self._image, content, document, near, region)
        return True


def _drawn_object_box(obj: SceneObject, document: Document) -> Box | None:
    """The bounding box in scene units of an object as drawn; None if it is unbounded."""
    if "painted box" not in obj.derived_values:
        lines = (isinstance(e.shape, FullLine) for e in object_edges(obj))
        unbounded = kind_row_of(obj).painter in WITH_TEXT or any(lines)
        box = None if unbounded else drawn_extent(document.scene, obj)
        finite = box is not None and all(map(math.isfinite, box))
        obj.derived_values["painted box"] = box if finite else None
    return cast("Box | None", obj.derived_values["painted box"])


def _boxes_overlap(a: Box, b: Box | None) -> bool:
    return b is not None and a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]
