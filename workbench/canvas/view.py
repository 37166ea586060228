"""The canvas: paints the scene and its rays, and passes mouse events to the current mode.

A plain widget with its own camera rather than a QGraphicsScene: the rays are one image, the objects are few, and no scene graph has to be
imported or kept in sync before the first window is visible.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from core.analysis.paths.whole_path import whole_paths
from core.analysis.rays.nearest import nearest_row
from core.analysis.rays.ray_filter import NO_FILTER
from core.kinds.object import SceneObject
from core.scene.changes.dragging import drag_of
from core.scene.control_points import ControlPoint, control_points
from core.scene.creation import title_of
from core.scene.document import Document
from core.scene.hit_test import ControlHit, Hit, hit, scene_extent
from core.scene.locks import is_locked
from core.scene.point_numbers import COORDINATES, PointNumber, point_numbers, polar
from core.scene.problems import Problem
from core.shapes.point import Point
from core.trace.codes import Completion
from core.trace.results.result import RaySet, TraceResult
from core.view import View
from workbench import theme
from workbench.background.picture import background_fault
from workbench.canvas.camera import Camera, fitted
from workbench.canvas.create_mode import CreateMode
from workbench.canvas.filter_chip import FilterChip
from workbench.canvas.keyboard import press_key, release_key
from workbench.canvas.labels import Outlines, edge_labels, object_labels, paint_labels, place, text_boxes
from workbench.canvas.object_layer import MANY, ObjectsImage, paint_objects, paint_proposal
from workbench.canvas.object_painter import paint_fill, paint_object
from workbench.canvas.observer import observer_part, paint_observer
from workbench.canvas.overlay import badge_places, paint_badges, paint_band, paint_handles, paint_hint, paint_stroke
from workbench.canvas.point_editor import PointEditor
from workbench.canvas.rays.backdrop import Backdrop
from workbench.canvas.rays.legend import paint_legend
from workbench.canvas.rays.light_fit import LightFit
from workbench.canvas.rays.picture_input import PictureInput
from workbench.canvas.rays.ray_picture import Picture, RayPicture
from workbench.canvas.readings import detector_readings, paint_irradiance
from workbench.canvas.scale import paint_coordinates, paint_scale_bar
from workbench.canvas.select_mode import SelectMode
from workbench.canvas.strokes import Style, paint_label, text_width
from workbench.canvas.transform_handles import MOST, paint_transform_handles, transform_handles
from workbench.document import WorkDocument
from workbench.measuring.mode import MeasureMode
from workbench.measuring.painter import measurement_at, measurement_labels, paint_measurements
from workbench.measuring.readings import Readings, readings
from workbench.panels.ray_words import ray_line
from workbench.selection import Selection
from workbench.snapping.guides import paint_guides, paint_snap
from workbench.snapping.snapper import Snapper
from workbench.theme import GRID
from workbench.words.plain_text import tool_tip

TOLERANCE = 7.0
"""Hit test tolerance: largest distance from the pointer to an object, in pixels."""
RAY_TOLERANCE = 4.0
"""Largest distance from the pointer to a ray that is picked, in pixels."""
PICKED_MODES = ("rays", "extended")
"""The view modes that show the rays themselves."""
LARGE = 50_000
"""Number of segments above which the picture of a result is prepared in the background."""
WHEEL_STEP = 1.2
"""Zoom factor of one wheel notch."""
MAX_NAMES = 8
"""Number of selected objects up to which their names and edge labels are painted."""


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
    """A context menu is asked for at a point of the screen; the object there is selected."""
    problemPicked = Signal(object)
    """The key of the object whose badge was clicked; the object is selected."""
    _pictureReady = Signal(object, object)
    _litReady = Signal(object, object)

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.document, self.selection = document, selection
        self.camera = Camera()
        self.band: QRectF | None = None
        self.hovered: int | None = None
        self.snapper = Snapper(self)
        self.preset_values: dict[str, dict[str, Any]] = {}
        """The values of each preset that differ from its defaults, by its name."""
        self.keeps_tool = False
        """Whether the tool stays after an object was drawn."""
        self.mode: SelectMode | CreateMode | MeasureMode = SelectMode(self)
        self.measured = Readings(self)
        self._value_boxes: dict[str, QRectF] = {}
        """Where the values of measurements were painted, by name."""
        self.backdrop = Backdrop(self)
        self.backdrop.painted.connect(self.update)
        self.chip = FilterChip(document, self)
        self.pivot: Point | None = None
        """The chosen centre of turning and scaling the selection; None for its own."""
        self._again = QTimer(self, singleShot=True, interval=0)
        self._again.timeout.connect(self.update)
        self.still, self.chosen = ObjectsImage(self._again.start), ObjectsImage(self._again.start, selected=True)
        """The objects at rest and the selected ones as images, where there are many."""
        self._problems: Mapping[int, Sequence[Problem]] = {}
        """What is wrong with objects, by key; they have a badge."""
        self._readout: tuple[str, QPointF] = ("", QPointF())
        """The length or angle of a drag, and the pointer."""
        self._pending: PictureInput | None = None
        """The rays whose picture is being prepared in the background."""
        self._filters: tuple[object, ...] = (NO_FILTER, None, "")
        """The ray filter, the specific rays and the coloring that the picture was made with."""
        self._inputs: PictureInput | None = None
        self._lit: tuple[PictureInput, NDArray[np.int64]] | None = None
        """What the picture of the highlighted rays was made with."""
        self._light = LightFit(document, self)
        self._light.found.connect(self._fit_light)
        self._stale = True
        """Whether the backdrop must be repainted at the next paint event."""
        self._over_handle = False
        self._over_observer = False
        self._painted_counts = (0, 0)
        """The arguments last emitted by `paintedCountChanged`."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAccessibleName("Canvas")
        self.setMinimumSize(200, 150)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._pictureReady.connect(self._show_picture)
        self._litReady.connect(self._show_lit)
        document.changed.connect(self._document_changed)
        document.opened.connect(lambda: self.choose_kind(None))
        document.opened.connect(self._tell_background)
        document.saved.connect(self._paint_backdrop)
        document.resultChanged.connect(self._show_rays)
        document.viewChanged.connect(self._view_changed)
        selection.changed.connect(self._selection_changed)
        selection.hoverChanged.connect(self._highlight_rays)
        selection.objectHovered.connect(self.light)
        selection.proposalChanged.connect(self.update)
        selection.measurementsChanged.connect(self.update)
        self.measured.changed.connect(self.update)
        theme.notifier.changed.connect(self._show_rays)
        self._show_rays()

    # --- camera and contents

    @property
    def size_pair(self) -> tuple[int, int]:
        return self.width(), self.height()

    def set_camera(self, camera: Camera) -> None:
        """Show another part of the scene, and store it in the document's view."""
        if camera != self.camera:
            self.camera = camera
            self.document.set_view(dataclasses.replace(self.document.session.view, camera=camera.rectangle(self.size_pair)))
            self._paint_backdrop()

    def fit(self) -> None:
        """Fit the objects and the images that light forms near them, now and after resizing, until the camera is moved."""
        self.document.set_view(dataclasses.replace(self.document.session.view, camera=None))
        self._refit()

    def fit_selection(self) -> None:
        """Show the selected objects."""
        box = scene_extent(self.document.scene, self.selection.keys)
        if box is not None:
            self.set_camera(fitted(box, self.size_pair, 0.2))

    def zoom(self, factor: float, about: QPointF | None = None) -> None:
        """Zoom in by ``factor`` about a point in pixels, by default the centre."""
        self.set_camera(self.camera.zoomed(factor, about or QPointF(self.width() / 2, self.height() / 2)))

    def actual_size(self) -> None:
        """Show one scene unit per pixel."""
        self.zoom(1 / self.camera.scale)

    @property
    def settled(self) -> bool:
        """Whether the canvas shows its final picture: no repaint or background work is pending."""
        return (
            not self._stale and self._pending is None and not self._light.busy
            and self.backdrop.settled and self.still.complete and self.chosen.complete
        )  # fmt: skip

    def _refit(self) -> None:
        self.camera = fitted(self._light.box, self.size_pair)
        self._paint_backdrop()
        self._light.awaited = not self._light.known
        self._light.find()

    def _fit_light(self) -> None:
        """Fit the light too, now that it is known, unless the person has moved the camera."""
        if self.document.session.view.camera is None:
            self._refit()

    def _view_changed(self, view: View) -> None:
        if view.camera is not None and view.camera != self.camera.rectangle(self.size_pair):
            x, y, width, height = view.camera
            self.camera = fitted((x, y, x + width, y + height), self.size_pair, 0.0)
            self._paint_backdrop()
        filters = view.ray_filter, view.specific_rays, view.coloring
        if filters != self._filters:
            self._filters = filters
            self._show_rays()
        else:
            self._highlight_rays()

    def _tell_background(self) -> None:
        """Say why the picture behind the scene is not shown."""
        folder = self.document.folder
        if folder is not None and (fault := background_fault(self.document.document, folder)):
            self.document.failed.emit(fault)

    def _selection_changed(self) -> None:
        self.pivot = None
        self.update()

    def show_readout(self, text: str, at: QPointF | None = None) -> None:
        """Show a text beside the pointer during a drag; an empty one removes it."""
        self._readout = text, at or QPointF()
        self.update()

    def _document_changed(self, before: Document, after: Document) -> None:
        if self.hovered is not None and after.scene.get(self.hovered) is None:
            self.hovered = None
        self.selection.set(k for k in self.selection.keys if after.scene.get(k) is not None)
        if self.document.session.view.camera is None and self.document.gesture is None and _nothing_in_common(before, after):
            self._refit()
        else:
            self._light.awaited |= before.scene.settings.mode != after.scene.settings.mode
            self._paint_backdrop()

    def _show_rays(self, _: object = None) -> None:
        result, session = self.document.result, self.document.session
        inputs = PictureInput(result, session.view, session.document.scene.settings, theme.current()) if result is not None else None
        self._pending, self._inputs = None, inputs
        if inputs is not None and len(inputs.result) > LARGE:
            self._pending = inputs
            inputs.in_background(inputs.picture, self._pictureReady)
            return
        self.backdrop.rays = inputs.picture() if inputs is not None else None
        self._highlight_rays()
        self._light.find()

    def _show_picture(self, inputs: PictureInput, picture: Picture) -> None:
        """Show a picture prepared in the background, unless it is outdated."""
        if inputs is self._pending:
            self._pending = None
            self.backdrop.rays = picture
            self._highlight_rays()
            self._light.find()

    def _highlight_rays(self, _: object = None) -> None:
        inputs, rows = self._inputs, self.lit_rows()
        if inputs is None or rows is None or inputs.result is not self.document.result:
            self._lit, self.backdrop.lit = None, None
        elif self._lit is None or self._lit[0] is not inputs or not np.array_equal(self._lit[1], rows):
            self._lit = inputs, rows
            if len(rows) > LARGE:
                inputs.in_background(partial(inputs.lit, rows), self._litReady)
                return
            self.backdrop.lit = inputs.lit(rows)
        self._paint_backdrop()

    def _show_lit(self, inputs: PictureInput, picture: RayPicture) -> None:
        """Show highlighted rays prepared in the background, unless they are outdated."""
        if self._lit is not None and self._lit[0] is inputs:
            self.backdrop.lit = picture
            self._paint_backdrop()

    def lit_rows(self) -> NDArray[np.int64] | None:
        """The highlighted rows of the result, without those a filter hides: of the hovered ray set, else the rows selected in the ray
        table, else the answer's; None without a highlight.
        """
        result, rows = self.document.result, self._highlighted_rows()
        visible = self.document.session.view.visible_rows(result) if result is not None and rows is not None else None
        return rows if rows is None or visible is None else np.intersect1d(rows, visible)

    def _highlighted_rows(self) -> NDArray[np.int64] | None:
        result, view = self.document.result, self.document.session.view
        if result is None:
            return None
        hovered = self.selection.hovered
        if hovered is not None and _matches(hovered, result):
            return hovered.rows
        picked = np.asarray(view.picked, np.int64)
        if len(picked) and picked.max() < len(result) and result is self.document.session.fresh_result:
            return whole_paths(result, picked) if view.whole_paths else picked
        return view.highlight.rows if view.highlight is not None and _matches(view.highlight, result) else None

    def _paint_backdrop(self) -> None:
        """Repaint the backdrop at the next paint event; several requests cause one repaint."""
        self._stale = True
        self.update()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stale or self.backdrop.image.devicePixelRatio() != self.devicePixelRatioF():
            self._stale = False
            self.backdrop.paint(
                self.document.document,
                self.camera,
                self.size_pair,
                self.devicePixelRatioF(),
                theme.current(),
                self.document.folder,
            )
        counts = self.backdrop.painted_count, len(self.backdrop.rays) if self.backdrop.rays is not None else 0
        if counts != self._painted_counts:
            self._painted_counts = counts
            self.paintedCountChanged.emit(*counts)
        painter = QPainter(self)
        try:
            painter.drawImage(0, 0, self.backdrop.image)
            self.paint_objects(painter)
        finally:
            painter.end()  # Qt crashes if a painter is still active after the paint event

    def paint_objects(self, painter: QPainter) -> None:
        """Paint everything above the rays."""
        current_theme, document = theme.current(), self.document.document
        detected = detector_readings(document, self.document.result)
        if document.scene.settings.show_grid:
            paint_coordinates(painter, document, self.camera, self.size_pair, current_theme)
        paint_observer(painter, document, self.camera, current_theme, handles=True)
        selected, hovered = self.selection.keys, self.hovered
        if len(document.scene.objects) > MANY and not document.scene.expansions:
            self._paint_many(painter)
        else:
            paint_objects(painter, document, self.camera, current_theme, selected=selected, hovered=hovered)
        if (edit := self.selection.proposal) is not None:
            paint_proposal(painter, edit.before, edit.after, self.camera, current_theme)
        chosen = [o for o in document.scene.objects if o.key in self.selection.keys and o.key not in document.hidden]
        labelled = chosen if len(self.selection.keys) <= MAX_NAMES else []
        under = document.scene.get(self.hovered) if self.hovered is not None and self.hovered not in document.hidden else None
        if under is not None and under not in labelled:
            labelled = [*labelled, under]
        paint_irradiance(painter, document, detected, self.camera, current_theme)
        measured, names = self.measured.of(document, self.document.result), self.selection.measurements
        if isinstance(self.mode, MeasureMode) and (draft := self.mode.draft) is not None:
            measured, names = measured | readings(document, self.document.result, {"": draft}), frozenset({""})
        paint_measurements(painter, measured, self.camera, current_theme, names)
        for obj in chosen if len(chosen) <= MOST else ():
            paint_handles(painter, obj, self.camera, current_theme, fixed=is_locked(document.scene, obj))
        paint_badges(painter, self.badges.values(), current_theme)
        handles = transform_handles(self) if isinstance(self.mode, SelectMode) else None
        ends = [self.camera.to_screen(c.at) for o in labelled for c in control_points(o)[:MAX_NAMES]]
        taken = [*self.badges.values(), *(QRectF(at.x() - 5, at.y() - 5, 10, 10) for at in ends)]
        taken += [*text_boxes(document, self.camera), paint_scale_bar(painter, document, self.camera, self.size_pair, current_theme)]
        if handles is not None and self.document.gesture is None:
            paint_transform_handles(painter, handles, current_theme)
            taken += [QRectF(at.x() - 8, at.y() - 8, 16, 16) for at in (handles.turn, handles.scale)]
        if isinstance(self.mode, CreateMode):
            for obj in self.mode.ghost:
                paint_fill(painter, obj, self.camera, Style(current_theme))
                paint_object(obj, painter, self.camera, Style(current_theme, ghost="accent"))
        paint_guides(painter, self.snapper.guides, document.unit, self.camera, current_theme)
        if self.snapper.shown is not None:
            taken.append(paint_snap(painter, self.snapper.shown, self.snapper.words, self.camera, current_theme))
        if self.backdrop.rays is not None and self.backdrop.rays.legend is not None:
            above = self.chip.height() if self.chip.isVisible() else 0
            size = self.width(), self.height() - above
            taken.append(paint_legend(painter, self.backdrop.rays.legend, size, current_theme))
        if self.chip.isVisible():
            taken.append(QRectF(self.chip.geometry()))
        values = measurement_labels(measured, self.camera, names)
        labels = [*values, *object_labels(document, self.camera, detected, labelled, self.selection.keys)]
        for obj in labelled:
            labels += edge_labels(obj, document.edge_labels.get(obj.key, {}), self.camera)
        text, at = self._readout
        if text:
            x = min(at.x() + 14, self.width() - text_width(text) - GRID)
            taken.append(paint_label(painter, QPointF(round(x), round(min(at.y() + 24, self.height() - GRID))), text, current_theme))
        placed = place(labels, taken, self.size_pair, self.backdrop.light, Outlines(document, self.camera) if labelled else None)
        paint_labels(painter, placed, current_theme)
        boxes = {id(p.label): p.box for p in placed}
        self._value_boxes = {n: boxes[id(label)] for n, label in zip(measured, values, strict=True) if id(label) in boxes}
        if self.band is not None:
            paint_band(painter, self.band, current_theme)
        if isinstance(self.mode, CreateMode | MeasureMode):
            paint_stroke(painter, [self.camera.to_screen(p) for p in self.mode.points], self.mode.hint, self.size_pair, current_theme)
        elif not document.scene.objects:
            paint_hint(painter, self.size_pair, current_theme)

    def _paint_many(self, painter: QPainter) -> None:
        """Paint the objects of a large scene: an image of those at rest, one of the selected ones if they are many, and all others."""
        document, colours, live = self.document.document, theme.current(), self.selection.keys
        at_rest = [o for o in document.scene.objects if o.key not in document.hidden and o.key not in live and o.key != self.hovered]
        chosen = [o for o in document.scene.objects if o.key in live and o.key not in document.hidden] if live else []
        under = document.scene.get(self.hovered) if self.hovered is not None and self.hovered not in document.hidden else None
        self.still.paint(painter, document, self.camera, colours, self.size(), at_rest)
        if len(chosen) > MANY:
            self.chosen.paint(painter, document, self.camera, colours, self.size(), chosen)
            chosen = []
        if under is not None and under not in chosen:
            chosen.append(under)
        paint_objects(painter, document, self.camera, colours, selected=live, hovered=self.hovered, only=chosen)

    def mark_problems(self, problems: Mapping[int, Sequence[Problem]]) -> None:
        """Give objects with problems a badge, which tells them."""
        self._problems = problems
        self.update()

    @property
    def badges(self) -> dict[int, QRectF]:
        """Where the badges are, in pixels, by the keys of their objects; none while something is dragged."""
        if self.document.gesture is not None or not self._problems:
            return {}
        return badge_places(self.document.document, self._problems, self.camera, self.size_pair)

    def _badge_at(self, at: QPointF) -> int | None:
        return next((key for key, box in self.badges.items() if box.contains(at)), None) if self._problems else None

    # --- mouse

    def hit(self, at: QPointF) -> Hit | None:
        """The topmost handle or object at a point in pixels."""
        document = self.document.document
        return hit(
            document.scene, self.camera.to_scene(at), TOLERANCE / self.camera.scale, handles_of=self.selection.keys, without=document.hidden
        )

    def ray_at(self, at: QPointF) -> int | None:
        """The row of the visible ray at a point in pixels; None while the rays are not those of the document."""
        session = self.document.session
        result = session.fresh_result
        if result is None or result is not self.document.result or session.document.scene.settings.mode not in PICKED_MODES:
            return None
        return nearest_row(result, self.camera.to_scene(at), RAY_TOLERANCE / self.camera.scale, session.view.visible_rows(result))

    def pick_ray(self, at: QPointF, *, extend: bool = False) -> bool:
        """Light the whole path of the ray at a point in pixels, and with ``extend`` those picked before; returns whether there is one."""
        row, view = self.ray_at(at), self.document.session.view
        others = tuple(r for r in view.picked if r != row) if extend else ()
        if row is None:
            self.document.set_view(dataclasses.replace(view, picked=view.picked if extend else ()))
            return False
        self.document.set_view(dataclasses.replace(view, picked=(*others, row), whole_paths=True))
        self.rayPicked.emit(row)
        return True

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        key = self._badge_at(event.position())
        if key is not None and event.button() == Qt.MouseButton.LeftButton and isinstance(self.mode, SelectMode):
            self.selection.set({key})
            self.problemPicked.emit(key)
            return
        self.mode.press(event.position(), event.button(), event.modifiers())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mode.move(event.position(), event.modifiers())
        self.cursorMoved.emit(self.camera.to_scene(event.position()))
        if not self.mode.busy:
            self._hover(self.hit(event.position()))
            self._over_observer = self.hovered is None and bool(observer_part(self.document.document, self.camera, event.position()))
        self.update_cursor()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mode.release(event.position(), event.button())
        self.update_cursor()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        target = self.hit(event.position()) if isinstance(self.mode, SelectMode) else None
        if event.button() == Qt.MouseButton.LeftButton and isinstance(target, ControlHit):
            obj = self.document.scene.get(target.key)
            if obj is not None and not is_locked(self.document.scene, obj):
                self._edit_point(obj, target.control)
                return
        self.mousePressEvent(event)

    def _edit_point(self, obj: SceneObject, control: ControlPoint) -> None:
        """Open the form of a control point's numbers; what is typed in it is one undo step."""
        numbers, document = point_numbers(obj, control), self.document

        def moved(at: Point) -> bool:
            now = document.scene.get(obj.key)
            return now is not None and document.change(drag_of(now, control, at), f"point {id(numbers)}")

        at = self.camera.to_screen(control.at)
        PointEditor(self, at, f"{obj.title}: {control.label.lower()}", numbers, control.at, document.document.unit, moved)

    def type_point(self, text: str) -> bool:
        """Open the form for the point that the create mode waits for, with ``text`` for its first number; whether it waits for one."""
        mode = self.mode
        if not isinstance(mode, CreateMode):
            return False
        at = self.camera.to_scene(QPointF(self.mapFromGlobal(QCursor.pos()))) if mode.at is None else mode.at
        numbers: tuple[PointNumber, ...]
        done: Callable[[Point], None]
        if mode.begun is None:
            what, numbers, done = "first point", COORDINATES, mode.begin_at
        else:
            what, numbers, done = "next point", (*polar(mode.begun), *COORDINATES), mode.draw_to
        form = PointEditor(
            self, self.camera.to_screen(at), f"{title_of(mode.kind)}: {what}", numbers, at, self.document.document.unit,
            lambda _: True, done,
        )  # fmt: skip
        form.begin(0, text)
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(WHEEL_STEP ** (event.angleDelta().y() / 120), event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(None)
        if isinstance(self.mode, CreateMode | MeasureMode):
            self.mode.leave_canvas()
        self.cursorMoved.emit(None)

    def _hover(self, target: Hit | None) -> None:
        key = target.key if target is not None else None
        self._over_handle = isinstance(target, ControlHit)
        self.light(key)

    def light(self, key: int | None) -> None:
        """Paint an object as if the pointer were on it; None for none."""
        if key != self.hovered:
            self.hovered = key
            self.update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The menu key asks for the menu of the selection; a click of the right button is handled by the mode, since its drag pans."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            self.menuRequested.emit(self.mapToGlobal(self.rect().center()))

    def update_cursor(self) -> None:
        if self.mode.space:
            self.setCursor(Qt.CursorShape.ClosedHandCursor if self.mode.busy else Qt.CursorShape.OpenHandCursor)
        elif self._over_handle or not isinstance(self.mode, SelectMode):
            self.setCursor(Qt.CursorShape.CrossCursor)
        elif self._over_observer:
            self.setCursor(Qt.CursorShape.SizeAllCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)

    @property
    def kind(self) -> str:
        """The kind of object that the create mode draws; empty in the select mode."""
        return self.mode.kind if isinstance(self.mode, CreateMode) else ""

    @property
    def measurement(self) -> str:
        """The kind of measurement that the measuring mode takes; empty in the other modes."""
        return self.mode.kind.id if isinstance(self.mode, MeasureMode) else ""

    def measurement_at(self, at: QPointF) -> str | None:
        """The name of the measurement at a point in pixels."""
        return measurement_at(self.measured.of(self.document.document, self.document.result), self._value_boxes, self.camera, at)

    def choose_measurement(self, kind: str) -> None:
        """Activate the mode that takes a measurement of a kind."""
        self.choose_kind(None)
        self.mode = MeasureMode(self, kind)
        self.update_cursor()
        self.kindChosen.emit("")

    def choose_kind(self, kind: str | None) -> None:
        """Activate the mode that draws an object of a kind; None activates the select mode."""
        if isinstance(self.mode, CreateMode):
            self.mode.leave()
        view = self.document.session.view
        if kind is not None and view.camera is None:  # keep the camera: fitting the first object would move it under the pointer
            self.document.set_view(dataclasses.replace(view, camera=self.camera.rectangle(self.size_pair)))
        self.show_readout("")
        self.snapper.clear()
        self.mode = CreateMode(self, kind) if kind is not None else SelectMode(self)
        self.hovered = None
        self.update_cursor()
        self.update()
        self.kindChosen.emit(kind or "")

    def carry(self, kind: str, at: QPoint) -> None:
        """Show where an object that is dragged out of the library would go: over a point of the canvas, in pixels."""
        if self.kind != kind:
            self.choose_kind(kind)
        if isinstance(self.mode, CreateMode):
            if self.rect().contains(at):
                self.mode.carry(QPointF(at), QApplication.keyboardModifiers())
            else:
                self.mode.leave_canvas()

    def drop(self, at: QPoint) -> None:
        """Place what is carried; outside the canvas, give it up."""
        if isinstance(self.mode, CreateMode) and self.rect().contains(at):
            self.mode.drop(QPointF(at), QApplication.keyboardModifiers())
            self.setFocus()
        else:
            self.choose_kind(None)

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_key(self, event):
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not release_key(self, event):
            super().keyReleaseEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.mode.space = False
        super().focusOutEvent(event)

    # --- window

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
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        return super().event(event)

    def _show_tip(self, event: QHelpEvent) -> None:
        """Tell in a line what ray the pointer rests on."""
        at = QPointF(event.pos())
        badge = self._badge_at(at)
        if badge is not None:
            QToolTip.showText(event.globalPos(), tool_tip("\n".join(p.text for p in self._problems[badge])), self)
            return
        row = self.ray_at(at) if not self.mode.busy and self.hit(at) is None and isinstance(self.mode, SelectMode) else None
        result = self.document.result
        text = ray_line(result, row) if row is not None and result is not None else ""
        QToolTip.showText(event.globalPos(), tool_tip(text), self)


def _nothing_in_common(before: Document, after: Document) -> bool:
    """Whether two documents have no object in common: another file was opened, or the first object was added."""
    keys = {o.key for o in before.scene.objects}
    return not any(o.key in keys for o in after.scene.objects)


def _matches(rays: RaySet, result: TraceResult) -> bool:
    """Whether a ray set refers to the rows of this result."""
    return rays.revision == result.revision and result.completion != Completion.REDUCED
