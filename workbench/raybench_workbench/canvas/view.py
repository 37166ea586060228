"""The canvas: paints the scene and its rays, and passes mouse events to the current mode.

A plain widget with its own camera rather than a QGraphicsScene: the rays are one image, the objects
are few, and no scene graph has to be imported or kept in sync before the first window is visible.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from raybench.scene.creation import module_name_of
from raybench.scene.document import Document
from raybench.scene.hit_test import ControlHit, Hit
from raybench.scene.locks import is_locked
from raybench.scene.problems import Problem
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.background import BackgroundReader
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.chips import FilterChip, HiddenObjectsChip
from raybench_workbench.canvas.frame import CanvasFrame
from raybench_workbench.canvas.handles import observer_part_to_drag, transform_handles
from raybench_workbench.canvas.layers import shown_layers
from raybench_workbench.canvas.modes.create_mode import CreateMode
from raybench_workbench.canvas.modes.keyboard import (
    handle_key_press,
    handle_key_release,
    is_canvas_key,
)
from raybench_workbench.canvas.modes.mode import Mode
from raybench_workbench.canvas.modes.point_editor import edit_point, edit_selection_centre
from raybench_workbench.canvas.modes.select_mode import SelectMode
from raybench_workbench.canvas.modes.snapshot_mode import SnapshotMode
from raybench_workbench.canvas.navigation import Navigation
from raybench_workbench.canvas.object_layer import ObjectsImage
from raybench_workbench.canvas.rays.backdrop import Backdrop
from raybench_workbench.canvas.rays.ray_layer import RayLayer
from raybench_workbench.canvas.refined_readings import RefinedReadings
from raybench_workbench.canvas.viewport import Camera, Viewport
from raybench_workbench.document import SceneSnapshot, Selection, WorkDocument
from raybench_workbench.measuring.measurements import MeasurementValues
from raybench_workbench.measuring.mode import MeasureMode
from raybench_workbench.snapping import Snapper
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr

WHEEL_STEP = 1.2
"""Zoom factor of one wheel notch."""
PRESENTATION_SCALE = 1.4
"""How much larger lines and texts are in a presentation."""


class CanvasView(QWidget):
    """The canvas of one document."""

    kindChosen = Signal(str)
    """The kind of object that the create mode draws; empty in the select mode."""
    cursorMoved = Signal(object)
    """The scene `Point` under the pointer, or None when it has left."""
    rayPicked = Signal(int)
    """The row of a ray that was clicked."""
    paintedCountChanged = Signal(int, int)
    """The number of segments painted and their total number; equal when all are painted."""
    menuRequested = Signal(object)
    """A context menu is requested at a point of the screen; the object there is selected."""
    problemPicked = Signal(object)
    """The key of the object whose badge was clicked; the object is selected."""
    valueOpened = Signal()
    """The value of a measurement, which is selected, was double clicked."""
    escapePressed = Signal()
    """Esc was pressed, and neither a drag nor a selection was there to end."""
    filmKeyPressed = Signal(object)
    """One of `FILM_KEYS`, pressed while a snapshot is shown in place of the document."""

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.installEventFilter(self)
        self.document, self.selection = document, selection
        self.navigation = Navigation(document, selection, self)
        self.navigation.moved.connect(self._paint_backdrop)
        self.band: QRectF | None = None
        self.hovered: int | None = None
        self.snapper: Snapper = Snapper(self)
        self.preset_refused = ""
        """Why a number in the form of the preset is refused: nothing is placed until it is
        corrected.
        """
        self.preset_values: dict[str, dict[str, Any]] = {}
        """The values of each preset that differ from its defaults, by its name; those of another
        unit are dropped.
        """
        self.keeps_tool = False
        """Whether the tool stays after an object was drawn."""
        self.mode: Mode = SelectMode(self)
        self.measured = MeasurementValues(document.failed.emit, self)
        self.refined_readings: RefinedReadings | None = None
        """The readings of detectors as means over draws, which belong to one trace."""
        self.value_boxes: dict[str, QRectF] = {}
        """Where the values of measurements were painted, by name."""
        self.backdrop = Backdrop(self)
        self.backdrop.painted.connect(self.update)
        self.background = BackgroundReader(document, self)
        self.background.changed.connect(self._paint_backdrop)
        self.rays = RayLayer(document, selection, self.backdrop)
        self.rays.changed.connect(self._paint_backdrop)
        self.rays.resultShown.connect(self.navigation.light.find_light_box)
        self.chip = FilterChip(document, self)
        self.hidden_chip = HiddenObjectsChip(document, self.chip, self)
        self.pivot: Point | None = None
        """The chosen centre of turning and scaling the selection; None for its own."""
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self.update)
        self.unselected_image, self.selected_image = (
            ObjectsImage(self._again.start),
            ObjectsImage(self._again.start, selected=True),
        )
        """The objects at rest and the selected ones as images, where there are many."""
        self.problems: Mapping[int, Sequence[Problem]] = {}
        """The problems of objects, by key; these have a badge."""
        self.readout: tuple[str, QPointF] = ("", QPointF())
        """The length or angle of a drag, and the pointer."""
        self.presented = False
        """Whether it is shown alone, see `present`."""
        self._stale = True
        """Whether the backdrop must be repainted at the next paint event."""
        self._over_handle = False
        self._over_movable = False
        self._painted_counts = (0, 0)
        """The arguments last emitted by `paintedCountChanged`."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Canvas"))
        self.setMinimumSize(200, 150)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        document.changed.connect(self._document_changed)
        document.opened.connect(self._fit_opened_document)
        document.viewChanged.connect(self.navigation.follow_view)
        document.viewChanged.connect(self.rays.follow_view)
        selection.changed.connect(self._selection_changed)
        selection.objectHovered.connect(self.set_hovered)
        selection.proposalChanged.connect(self.update)
        selection.snapshotChanged.connect(self._switch_snapshot_mode)
        selection.measurementsChanged.connect(self.update)
        self.measured.changed.connect(self.update)
        self.rays.draw_trace_result()

    @property
    def camera(self) -> Camera:
        """The visible part of the scene."""
        return self.navigation.camera

    @property
    def viewport(self) -> Viewport:
        """The camera, size, pixel ratio and theme for the painters. Their pixels are larger than
        those of the canvas by `enlargement`.
        """
        camera, by, (width, height) = self.camera, self.enlargement, self.size_in_pixels
        return Viewport(
            Camera(camera.x, camera.y, camera.scale / by),
            (math.ceil(width / by), math.ceil(height / by)),
            self.devicePixelRatioF() * by,
            theme.current_theme(),
        )

    @property
    def enlargement(self) -> float:
        """How much larger lines and texts are painted than usual."""
        return PRESENTATION_SCALE if self.presented else 1.0

    def set_presenting(self, on: bool) -> None:
        """Switch the presentation on or off. It shows what a figure shows: no grid, no handles,
        larger texts.
        """
        self.presented = on
        self.backdrop.has_grid = not on
        self._paint_backdrop()

    @property
    def shown_document(self) -> Document:
        """The document that is painted: that of the snapshot if one is shown, else the open
        document.
        """
        snapshot = self.selection.snapshot
        return snapshot.document if snapshot is not None else self.document.document

    @property
    def size_in_pixels(self) -> tuple[int, int]:
        return self.navigation.size

    @property
    def settled(self) -> bool:
        """Whether the canvas shows its final picture, without a repaint or background work pending."""
        return not any(self.pending_work.values())

    @property
    def pending_work(self) -> Mapping[str, bool]:
        """The tasks that the final picture may have to wait for, by name, and whether each is still
        pending.
        """
        return {
            tr("the repaint of the canvas"): self._stale,
            tr("the picture of the rays"): not self.rays.settled,
            tr("the full picture of the rays"): not self.backdrop.settled,
            tr("the extent of the light"): self.navigation.light.busy,
            tr("the background"): self.background.busy,
            tr("the measurements"): not self.measured.settled,
            tr("the picture of the objects"): not (
                self.unselected_image.is_complete and self.selected_image.is_complete
            ),
        }

    def _selection_changed(self) -> None:
        self.pivot = None
        self.update()

    def _switch_snapshot_mode(self, snapshot: SceneSnapshot | None) -> None:
        """Let the mouse only pan and zoom while a snapshot is shown."""
        if snapshot is None and isinstance(self.mode, SnapshotMode):
            self.activate_drawing_mode(None)
        elif snapshot is not None and not isinstance(self.mode, SnapshotMode):
            self.activate_drawing_mode(None)
            self.mode = SnapshotMode(self)
            self.update_cursor()

    def show_readout(self, text: str, at: QPointF | None = None) -> None:
        """Show a text beside the pointer during a drag; an empty one removes it."""
        self.readout = text, at or QPointF()
        self.update()

    def _fit_opened_document(self) -> None:
        if isinstance(self.mode, CreateMode):
            self.mode.forget_points()
        self.activate_drawing_mode(None)

    def _document_changed(self, before: Document, after: Document) -> None:
        if self.hovered is not None and after.scene.get(self.hovered) is None:
            self.hovered = None
        self.selection.set(k for k in self.selection.keys if after.scene.get(k) is not None)
        self.selection.set_measurements(
            n for n in self.selection.measurements if n in after.measurements
        )
        if after.unit != before.unit:
            self.preset_values.clear()
        module, made, now = (
            module_name_of(self.drawn_kind),
            before.scene.modules,
            after.scene.modules,
        )
        if module is not None and now.get(module) != made.get(module):
            self.activate_drawing_mode(None)
        self.navigation.follow_document(before, after)

    def _paint_backdrop(self) -> None:
        """Request that the backdrop is repainted at the next paint event. Several requests cause
        one repaint.
        """
        self._stale = True
        self.update()

    def mark_problems(self, problems: Mapping[int, Sequence[Problem]]) -> None:
        """Show a badge on each object with problems, whose tool tip describes the problems."""
        self.problems = problems
        self.update()

    def set_hovered(self, key: int | None) -> None:
        """Paint the object with a key as if the pointer were over it; None clears this."""
        if key != self.hovered:
            self.hovered = key
            self.update()

    # --- modes

    @property
    def drawn_kind(self) -> str:
        """The kind of object that the create mode draws; empty in the select mode."""
        return self.mode.kind if isinstance(self.mode, CreateMode) else ""

    @property
    def measurement_kind(self) -> str:
        """The kind of measurement that the measuring mode takes; empty in the other modes."""
        return self.mode.kind.id if isinstance(self.mode, MeasureMode) else ""

    def activate_measuring_mode(
        self, kind: str, use_points: Callable[[Sequence[Point]], object] | None = None
    ) -> None:
        """Activate the mode that takes a measurement of a kind, or only its points for
        ``use_points``.
        """
        self.activate_drawing_mode(None)
        self.mode = MeasureMode(self, kind, use_points)
        self.update_cursor()
        self.kindChosen.emit("")

    def activate_drawing_mode(self, kind: str | None) -> None:
        """Activate the mode that draws an object of a kind; None activates the select mode."""
        self.mode.leave_mode()
        if kind is not None and self.navigation.is_fitted:
            # fitting the first object would move it under the pointer
            self.navigation.store_camera()
        self.show_readout("")
        self.snapper.clear_guide()
        self.mode = CreateMode(self, kind) if kind is not None else SelectMode(self)
        self.hovered = None
        self.update_cursor()
        self.update()
        self.kindChosen.emit(kind or "")

    @property
    def is_select_mode_active(self) -> bool:
        """Whether the select mode is active."""
        return isinstance(self.mode, SelectMode)

    def preview_object_at(self, kind: str, at: QPoint) -> None:
        """Preview an object that is dragged out of the library at a point of the canvas, in
        pixels.
        """
        if self.drawn_kind != kind:
            self.activate_drawing_mode(kind)
        if not self.rect().contains(at):
            self.mode.leave_canvas()
        elif isinstance(self.mode, CreateMode):
            self.mode.preview_object_at(QPointF(at), QApplication.keyboardModifiers())

    def drop_object(self, at: QPoint) -> None:
        """Place the object that is dragged from the library, or cancel outside the canvas."""
        if isinstance(self.mode, CreateMode) and self.rect().contains(at):
            self.mode.drop_object(QPointF(at), QApplication.keyboardModifiers())
            self.setFocus()
        else:
            self.activate_drawing_mode(None)

    # --- events

    def paintEvent(self, event: QPaintEvent) -> None:
        backdrop = self.backdrop
        if self._stale or backdrop.image.devicePixelRatio() != self.viewport.ratio:
            self._stale = False
            backdrop.paint(self.shown_document, self.viewport, self.background.picture)
        counts = backdrop.painted_count, len(backdrop.rays) if backdrop.rays is not None else 0
        if counts != self._painted_counts:
            self._painted_counts = counts
            self.paintedCountChanged.emit(*counts)
        with QPainter(self) as painter:
            # of each text that of its own letters, as in figures
            painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)
            painter.scale(self.enlargement, self.enlargement)
            frame, snapshot = self.frame(), self.selection.snapshot
            editing = snapshot is None and not self.presented
            for layer in shown_layers(editing=editing, scale_bar=not self.presented):
                layer.paint(painter, frame)
            self.value_boxes = frame.value_boxes

    def frame(self) -> CanvasFrame:
        """The document, camera and everything else that the layers paint at this moment."""
        backdrop, snapshot = self.backdrop, self.selection.snapshot
        return CanvasFrame(
            self.shown_document,
            self.document.result if snapshot is None else snapshot.result,
            self.viewport,
            lambda painter, _: painter.drawImage(0, 0, backdrop.image),
            self,
            backdrop.light,
            backdrop.heads,
            backdrop.rays.legend if backdrop.rays is not None else None,
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        key = picking.badge_key_at_pixel(self, event.position())
        if (
            key is not None
            and event.button() == Qt.MouseButton.LeftButton
            and self.is_select_mode_active
        ):
            self.selection.set({key})
            self.problemPicked.emit(key)
        else:
            self.mode.press(event.position(), event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mode.move(event.position(), event.modifiers())
        self.cursorMoved.emit(self.camera.to_scene(event.position()))
        if not self.mode.busy:
            self._hover_hit_object(target := picking.find_hit_at_pixel(self, event.position()))
            over_value = (
                picking.movable_value_at(self, event.position(), target)
                or picking.measured_point_at(self, event.position())
            ) is not None
            over_observer = bool(observer_part_to_drag(self, event.position(), target))
            self._over_movable = over_value or over_observer
        self.update_cursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mode.release(event.position(), event.button())
        self.update_cursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open the coordinate form of a control point or of the centre of the selection, or the
        form of a measurement.
        """
        at = event.position()
        if event.button() == Qt.MouseButton.LeftButton and self.is_select_mode_active:
            target, scene = picking.find_hit_at_pixel(self, at), self.document.scene
            if isinstance(target, ControlHit):
                obj = scene.get(target.key)
                if obj is not None and not is_locked(scene, obj):
                    edit_point(self, obj, target.control)
                    return
            elif picking.movable_value_at(self, at, target) is not None:
                self.valueOpened.emit()
                return
            elif (handles := transform_handles(self)) is not None and handles.handle_at(
                at
            ) == "centre":
                edit_selection_centre(self, handles.about)
                return
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turned = event.angleDelta().y()
        if turned:  # sideways it is 0, which would move the camera by a rounding error
            self.navigation.zoom(WHEEL_STEP ** (turned / 120), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover_hit_object(None)
        self.mode.leave_canvas()
        self.cursorMoved.emit(None)

    def _hover_hit_object(self, target: Hit | None) -> None:
        self._over_handle = isinstance(target, ControlHit)
        self.set_hovered(target.key if target is not None else None)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show the context menu for the menu key. The mode handles the right mouse button, because
        dragging with it pans.
        """
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menuRequested.emit(self.mapToGlobal(self.rect().center()))

    def update_cursor(self) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self.mode.space:
            closed = self.mode.busy
            shape = Qt.CursorShape.ClosedHandCursor if closed else Qt.CursorShape.OpenHandCursor
        elif isinstance(self.mode, SnapshotMode):
            shape = Qt.CursorShape.OpenHandCursor
        elif self._over_handle or not self.is_select_mode_active:
            shape = Qt.CursorShape.CrossCursor
        elif self._over_movable:
            shape = Qt.CursorShape.SizeAllCursor
        self.setCursor(shape)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not handle_key_press(self, event):
            super().keyPressEvent(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Let Tab choose the next of several rays under a click before it moves the focus."""
        return self.mode.choose_next_ray(forward=next) or super().focusNextPrevChild(next)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not handle_key_release(self, event):
            super().keyReleaseEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel a drag, because a hidden canvas gets no release event."""
        if not event.spontaneous() and self.document.gesture is not None:
            self.mode.cancel()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.mode.space = False
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.navigation.update_camera_for_size(event.oldSize())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the canvas's own events here and not in `event`, from which Qt calls other
        handlers. An error in `event` could end the program, because shiboken reads error arguments
        that Python 3.11 may not have set yet.
        """
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self._paint_backdrop()
        shortcut = event.type() == QEvent.Type.ShortcutOverride
        if shortcut and isinstance(event, QKeyEvent) and is_canvas_key(self, event):
            event.accept()
            return True
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            rays = self.is_select_mode_active and not self.mode.busy
            snapshot = self.selection.snapshot
            tip = "" if snapshot else picking.tool_tip_at(self, QPointF(event.pos()), rays=rays)
            QToolTip.showText(event.globalPos(), literal_tool_tip(tip), self)
            return True
        return super().eventFilter(watched, event)
