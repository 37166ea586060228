"""The canvas: shows the scene and its light, and passes what the pointer does to the tool.

A plain widget with its own camera rather than a graphics scene: the light is one image, the objects are few, and nothing has to be
imported or synchronised before the first window is up.
"""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QThreadPool, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from core.analysis.rays.ray_filter import NO_FILTER
from core.scene.changes import Move
from core.scene.document import Document
from core.scene.hit_test import ControlHit, Hit, extent, hit, scene_extent
from core.scene.locks import is_locked, movable
from core.trace.codes import Completion
from core.trace.results.result import RaySet, TraceResult
from core.view import View
from workbench import theme
from workbench.canvas.backdrop import NO_LINES, Backdrop
from workbench.canvas.camera import Camera, fitted
from workbench.canvas.create_tool import CreateTool
from workbench.canvas.filter_chip import FilterChip
from workbench.canvas.light import Light
from workbench.canvas.object_layer import detector_notes, paint_objects
from workbench.canvas.overlay import paint_band, paint_edge_labels, paint_handles, paint_hint, paint_name, paint_stroke
from workbench.canvas.point_editor import PointEditor
from workbench.canvas.ray_picture import Picture, lines_of
from workbench.canvas.select_tool import SelectTool
from workbench.document import WorkDocument
from workbench.selection import Selection

TOLERANCE = 7.0
"""How near the pointer must be to something to be on it, in pixels."""
LARGE = 50_000
"""Segments above which a result is made ready to paint in the background."""
WHEEL_STEP = 1.2
"""How much closer one notch of the wheel goes."""
_NUDGES = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}


class CanvasView(QWidget):
    """The canvas of one document."""

    kindChosen = Signal(str)
    """The kind of object that the pointer now draws; empty while it is the arrow."""
    cursorMoved = Signal(object)
    """The scene `Point` under the pointer, or None when it has left."""
    thinnedOut = Signal(int, int)
    """How many segments are painted, and how many there are to paint; equal where all are."""
    _pictured = Signal(object, object)

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document, self.selection = document, selection
        self.camera = Camera()
        self.band: QRectF | None = None
        self.hovered: int | None = None
        self.tool: SelectTool | CreateTool = SelectTool(self)
        self.backdrop = Backdrop(self)
        self.backdrop.painted.connect(self.update)
        self.chip = FilterChip(document, self)
        self._awaited: Light | None = None
        """The light whose picture is being made in the background."""
        self._filters: tuple[object, object] = (NO_FILTER, None)
        """The ray filter and the specific rays that the picture was made with."""
        self._stale = True
        """Whether the backdrop must be painted again before it is next shown."""
        self._over_handle = False
        self._painted_counts = (0, 0)
        """How many segments were painted, and of how many."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Canvas")
        self.setMinimumSize(200, 150)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._pictured.connect(self._take_picture)
        document.changed.connect(self._document_changed)
        document.opened.connect(lambda: self.choose_kind(None))
        document.resultChanged.connect(self._show_rays)
        document.viewChanged.connect(self._view_changed)
        selection.changed.connect(self.update)
        selection.hoverChanged.connect(self._light_rays)
        theme.notifier.changed.connect(self._show_rays)
        self._show_rays()

    # --- what is shown

    @property
    def size_pair(self) -> tuple[int, int]:
        return self.width(), self.height()

    def look(self, camera: Camera) -> None:
        """Look somewhere else, and make it the document's view."""
        if camera != self.camera:
            self.camera = camera
            self.document.set_view(dataclasses.replace(self.document.session.view, camera=camera.rectangle(self.size_pair)))
            self._paint_backdrop()

    def fit(self) -> None:
        """Show the whole scene, now and after resizing, until the person looks elsewhere."""
        self.document.set_view(dataclasses.replace(self.document.session.view, camera=None))
        self._refit()

    def fit_selection(self) -> None:
        """Show the selected objects."""
        box = scene_extent(self.document.scene, self.selection.keys)
        if box is not None:
            self.look(fitted(box, self.size_pair, 0.2))

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Closer by ``factor`` about a place in pixels, or about the middle."""
        self.look(self.camera.zoomed(factor, about or QPointF(self.width() / 2, self.height() / 2)))

    def actual_size(self) -> None:
        """One pixel for a scene unit."""
        self.zoom(1 / self.camera.scale)

    @property
    def settled(self) -> bool:
        """Whether what is on show is final."""
        return not self._stale and self._awaited is None and self.backdrop.settled

    def _refit(self) -> None:
        self.camera = fitted(scene_extent(self.document.scene, hidden=self.document.document.hidden), self.size_pair)
        self._paint_backdrop()

    def _view_changed(self, view: View) -> None:
        shown = self.camera.rectangle(self.size_pair)
        if view.camera is not None and view.camera != shown:
            x, y, width, height = view.camera
            self.camera = fitted((x, y, x + width, y + height), self.size_pair, 0.0)
            self._paint_backdrop()
        filters = view.ray_filter, view.specific_rays
        if filters != self._filters:
            self._filters = filters
            self._show_rays()
        else:
            self._light_rays()

    def _document_changed(self, before: Document, after: Document) -> None:
        if self.hovered is not None and after.scene.get(self.hovered) is None:
            self.hovered = None
        self.selection.set(k for k in self.selection.keys if after.scene.get(k) is not None)
        if self.document.session.view.camera is None and self.document.gesture is None and _kept_nothing(before, after):
            self._refit()
        else:
            self._paint_backdrop()

    def _show_rays(self, _: object = None) -> None:
        result, session = self.document.result, self.document.session
        light = Light(result, session.view, session.document.scene.settings, theme.current()) if result is not None else None
        self._awaited = None
        if light is not None and len(light.result) > LARGE:
            self._awaited = light
            QThreadPool.globalInstance().start(partial(light.picture_in_background, self._pictured))
            return
        self.backdrop.rays = light.picture() if light is not None else None
        self._light_rays()

    def _take_picture(self, light: Light, picture: Picture) -> None:
        """Show a large result, whose picture was made in the background, unless there is something newer to show."""
        if light is self._awaited:
            self._awaited = None
            self.backdrop.rays = picture
            self._light_rays()

    def _light_rays(self, _: object = None) -> None:
        result, rows = self.document.result, self.lit_rows()
        self.backdrop.lit = lines_of(result, rows) if result is not None and rows is not None else NO_LINES
        self._paint_backdrop()

    def lit_rows(self) -> NDArray[np.int64] | None:
        """The rows that are lit, of those that are shown: those pointed at, else those picked in the table, else the answer's."""
        result, rows = self.document.result, self._rows_to_light()
        shown = self.document.session.view.visible_rows(result) if result is not None and rows is not None else None
        return rows if rows is None or shown is None else np.intersect1d(rows, shown)

    def _rows_to_light(self) -> NDArray[np.int64] | None:
        result, view = self.document.result, self.document.session.view
        if result is None:
            return None
        hovered = self.selection.hovered
        if hovered is not None and _of(hovered, result):
            return hovered.rows
        picked = np.asarray(view.picked, np.int64)
        if len(picked) and picked.max() < len(result) and result is self.document.session.fresh_result:
            return picked
        return view.highlight.rows if view.highlight is not None and _of(view.highlight, result) else None

    def _paint_backdrop(self) -> None:
        """Have the picture made anew before the canvas is next shown, once for all that has changed until then."""
        self._stale = True
        self.update()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stale or self.backdrop.image.devicePixelRatio() != self.devicePixelRatioF():
            self._stale = False
            self.backdrop.paint(self.document.document, self.camera, self.size_pair, self.devicePixelRatioF(), theme.current())
        counts = self.backdrop.shown, len(self.backdrop.rays) if self.backdrop.rays is not None else 0
        if counts != self._painted_counts:
            self._painted_counts = counts
            self.thinnedOut.emit(*counts)
        painter = QPainter(self)
        try:
            painter.drawImage(0, 0, self.backdrop.image)
            self.paint_objects(painter)
        finally:
            painter.end()  # a painter that outlives its event takes the program down

    def paint_objects(self, painter: QPainter) -> None:
        """Paint everything that lies over the rays."""
        look, document = theme.current(), self.document.document
        notes = detector_notes(document, self.document.result)
        paint_objects(painter, document, self.camera, look, notes, selected=self.selection.keys, hovered=self.hovered)
        shown = [o for o in document.scene.objects if o.key not in document.hidden]
        named = [o for o in shown if o.key == self.hovered or (o.key in self.selection.keys and len(self.selection.keys) <= 8)]
        for obj in named:
            paint_edge_labels(painter, obj, document.edge_labels.get(obj.key, {}), self.camera, look)
        for obj in shown:
            if obj.key in self.selection.keys:
                paint_handles(painter, obj, self.camera, look, fixed=is_locked(document.scene, obj))
        for obj in named:
            box = extent(document.scene, obj)
            paint_name(painter, obj, box, self.camera, self.size_pair, look, selected=obj.key in self.selection.keys)
        if self.band is not None:
            paint_band(painter, self.band, look)
        if isinstance(self.tool, CreateTool):
            paint_stroke(painter, [self.camera.to_screen(p) for p in self.tool.points], self.tool.hint, self.size_pair, look)
        elif not document.scene.objects:
            paint_hint(painter, self.size_pair, look)

    # --- pointing

    def hit(self, at: QPointF) -> Hit | None:
        """What lies under a place in pixels."""
        document = self.document.document
        return hit(
            document.scene, self.camera.to_scene(at), TOLERANCE / self.camera.scale, handles_of=self.selection.keys, without=document.hidden
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.tool.press(event.position(), event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.tool.move(event.position(), event.modifiers())
        self.cursorMoved.emit(self.camera.to_scene(event.position()))
        if not self.tool.busy:
            self._hover(self.hit(event.position()))
        self._choose_cursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.tool.release(event.position(), event.button())
        self._choose_cursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        found = self.hit(event.position()) if isinstance(self.tool, SelectTool) else None
        if event.button() == Qt.MouseButton.LeftButton and isinstance(found, ControlHit):
            obj = self.document.scene.get(found.key)
            if obj is not None and not is_locked(self.document.scene, obj):
                PointEditor(self.document, found.key, found.control, self.camera.to_screen(found.control.at), self)
                return
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(WHEEL_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        self.cursorMoved.emit(None)

    def _hover(self, found: Hit | None) -> None:
        key = found.key if found is not None else None
        self._over_handle = isinstance(found, ControlHit)
        if key != self.hovered:
            self.hovered = key
            self.update()

    def _choose_cursor(self) -> None:
        if self.tool.space:
            self.setCursor(Qt.CursorShape.ClosedHandCursor if self.tool.busy else Qt.CursorShape.OpenHandCursor)
        elif self._over_handle or isinstance(self.tool, CreateTool):
            self.setCursor(Qt.CursorShape.CrossCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)

    @property
    def kind(self) -> str:
        """The kind of object that the pointer draws; empty while it is the arrow."""
        return self.tool.kind if isinstance(self.tool, CreateTool) else ""

    def choose_kind(self, kind: str | None) -> None:
        """Draw an object of a kind with the next strokes or clicks; None for the arrow that selects and moves."""
        if isinstance(self.tool, CreateTool):
            self.tool.leave()
        view = self.document.session.view
        if kind is not None and view.camera is None:  # the first object is drawn where one looks, not fitted to the canvas
            self.document.set_view(dataclasses.replace(view, camera=self.camera.rectangle(self.size_pair)))
        self.tool = CreateTool(self, kind) if kind is not None else SelectTool(self)
        self.hovered = None
        self._choose_cursor()
        self.update()
        self.kindChosen.emit(kind or "")

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self._let_go()
        elif key == Qt.Key.Key_Space:
            self.tool.space = True
            self._choose_cursor()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.tool, CreateTool):
            self.tool.finish()
        elif key in _NUDGES and self.selection.keys:
            self._nudge(*_NUDGES[key], coarse=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self.tool.space = False
            self._choose_cursor()
        else:
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.tool.space = False
        super().focusOutEvent(event)

    def _let_go(self) -> None:
        """End the drag that is going on; else let the selection go; else the highlight."""
        if self.tool.cancel():
            return
        if self.selection.keys:
            self.selection.clear()
        else:
            self.document.highlight(None)

    def _nudge(self, x: int, y: int, *, coarse: bool) -> None:
        """Move the selection by one unit, ten with Shift, or by the grid where it snaps. Nudges in a row are one undo step."""
        scene = self.document.scene
        keys = movable(scene, self.selection.keys)
        if not keys:
            self.document.failed.emit("What is selected is locked and stays where it is. Unlock it in its properties to move it.")
            return
        step = (scene.settings.grid_size if scene.settings.snap_to_grid else scene.settings.length_scale) * (10 if coarse else 1)
        self.document.change(Move(sorted(keys), x * step, y * step), merge_key=f"nudge {sorted(keys)}")

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.document.session.view.camera is None:
            self._refit()
        else:
            old = event.oldSize()
            if old.isValid() and old.width() > 0:
                self.camera = self.camera.resized((old.width(), old.height()), self.size_pair)
            self._paint_backdrop()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._paint_backdrop()
        return super().event(event)


def _kept_nothing(before: Document, after: Document) -> bool:
    """Whether two documents have no object in common: another file, or the first object."""
    keys = {o.key for o in before.scene.objects}
    return not any(o.key in keys for o in after.scene.objects)


def _of(rays: RaySet, result: TraceResult) -> bool:
    """Whether a ray set speaks of the rows of this result."""
    return rays.revision == result.revision and result.completion != Completion.REDUCED
