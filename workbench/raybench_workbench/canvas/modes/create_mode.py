"""The mode of the canvas that creates objects: the user drags from end to end, clicks both ends,
clicks a position, or clicks the corners of an outline one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from PySide6.QtCore import QPointF

from raybench.errors import RaybenchError
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Add, AddPreset
from raybench.scene.creation import (
    added_object_keys,
    creatable_noun,
    creation_change,
    default_creation_points,
    default_object_size,
    is_created_from_centre,
    is_drawn_as_path,
    is_placed_by_click,
    is_preset,
    min_point_count,
    module_name_of,
    points_in_row,
    with_same_keys,
)
from raybench.scene.modules.expansion import parts_within_steps
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.drags import Modifiers, length_and_angle_text
from raybench_workbench.canvas.modes.mode import CLICK_TOLERANCE, PointMode
from raybench_workbench.document import DocumentGesture
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

MAX_STEPS = 5_000
"""Computation steps after which the ghost of a module is given up."""
DEFAULT_SIZE = 120
"""Size in pixels of an object that is placed without being drawn, before it is rounded."""


class CreateMode(PointMode):
    """The mode that draws new objects. Before the first point it shows a ghost of the object at the
    pointer; afterwards it shows the unfinished object. It can also pan.

    A dragged object is part of the document from the first mouse move on, so that its rays are
    traced. It is one undo step. Esc removes the last point or, without one, leaves the tool. After
    one object the select mode follows, unless the canvas keeps its tool.
    """

    def __init__(self, view: CanvasView, kind: str) -> None:
        super().__init__(view)
        self.kind = kind
        self._new = NewObject.for_kind(kind, view.document.scene)
        self._gesture: DocumentGesture | None = None
        self._start: Point | None = None
        self._first: Add | AddPreset | None = None
        """The first version of the change that adds the object being drawn, whose keys all later
        ones keep.
        """
        self._selected: frozenset[int] = view.selection.keys
        """What was selected before the first point."""
        self._points: list[Point] = []
        self.at: Point | None = None
        """The last position of the pointer, snapped."""

    @property
    def clicked_and_pointer_points(self) -> list[Point]:
        return self._points

    @property
    def busy(self) -> bool:
        return True  # no hover effects while drawing

    @property
    def previous_point(self) -> Point | None:
        return self._start or (self._points[-2] if len(self._points) > 1 else None)

    @property
    def hint(self) -> str:
        return self._new.hint(len(self._points), self._start is not None)

    def forget_points(self) -> None:
        """Discard the points that were clicked for an outline, because another document was opened."""
        self._points = []

    def _press_left(self, at: QPointF, modifiers: Modifiers) -> None:
        point = self._snap_point(at, modifiers)
        self._begin_drawing()
        if self._new.is_drawn_by_points:
            self._click_corner(at, point)
        elif self._new.is_preset:
            self._start = point
            self._show_unfinished_object([point, point])
        elif self._new.is_drawn_by_click:
            self._show_unfinished_object([point, point])
            self._finish_drawing()
        elif self._start is None:
            self._start = point
            self._view.update()
        else:
            self._show_unfinished_object(self._first_and_last_point(point, modifiers))
            self._finish_drawing()

    def _follow_pointer(self, at: QPointF, modifiers: Modifiers) -> None:
        point, before = self._snap_point(at, modifiers), self.previous_point
        if self._points:
            self._points[-1] = point
            if self._new.count is not None:
                self.ghost = self._possible_objects(self._points)
            self._view.update()
        elif self._start is not None:
            turned = not self._new.is_preset or self._is_drag(at)
            if turned and point != self._start:
                self._show_unfinished_object(self._first_and_last_point(point, modifiers))
        else:
            self.ghost = self._possible_objects(self._default_points(point, begin=True))
            self._view.update()
        unit = self._view.document.document.unit
        self._view.show_readout(length_and_angle_text(before, point, unit) if before else "", at)

    def _release_left(self, at: QPointF, *, dragged: bool) -> None:
        if self._start is not None and (dragged or self._new.is_preset):
            self._finish_drawing()

    def leave_canvas(self) -> None:
        self.ghost = ()
        self._view.snapper.clear_guide()
        self._view.update()

    def cancel(self) -> bool:
        """Remove the last clicked point; if there is none, return to the select mode. Returns True."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
        if self._points:
            self._points = [*self._points[:-2], self._points[-1]] if self._points[2:] else []
            self.ghost = ()
        elif self._start is not None:
            self._start = self._pressed = self._first = None
        else:
            self._view.activate_drawing_mode(None)
        if self.previous_point is None:
            self._restore_selection()
        self._view.snapper.clear_guide()
        self._view.show_readout("")
        return True

    def leave_mode(self) -> None:
        """Keep the unfinished object, because another mode is activated. An outline is finished if
        it has enough points.
        """
        begun, gesture, self._gesture = self.previous_point, self._gesture, None
        if gesture is not None:
            gesture.finish()
        points, self._points = self._points[:-1], []
        if points and len(points) >= self._new.minimum_point_count:
            self._add_object(points)
        elif points:
            few = tr(
                "{count} of the {least} points that it needs",
                count=len(points),
                least=self._new.minimum_point_count,
            )
            self._view.document.failed.emit(
                tr("No {noun} was made: only {few} were clicked.", noun=self._new.noun, few=few)
            )
        if begun is not None and not self._view.selection.keys:
            self._restore_selection()

    def finish_drawing(self) -> bool:
        """Finish the outline or the object at the pointer. If nothing was begun, add an object of
        default size in the centre. Returns True.
        """
        if self._points:
            self._finish_outline(self._points[:-1])
        elif self._start is not None and self.at is not None:
            self.draw_object_to(self.at)
        else:
            camera = self._view.camera
            middle = camera.to_scene(QPointF(self._view.width() / 2, self._view.height() / 2))
            self.place_object(
                Point(camera.round_to_pixel(middle.x), camera.round_to_pixel(middle.y))
            )
        return True

    def place_object(self, at: Point) -> None:
        """Add an object of default size whose middle is at a point."""
        self._add_in_one_step(self._default_points(at))

    def preview_object_at(self, at: QPointF, modifiers: Modifiers) -> None:
        """Preview an object of default size with its middle at the pointer, where it would be
        dropped.
        """
        self.ghost = self._possible_objects(self._default_points(self._snap_point(at, modifiers)))
        self._view.update()

    def drop_object(self, at: QPointF, modifiers: Modifiers) -> None:
        """Add an object of default size with its middle at the pointer, where the user dropped it."""
        self.ghost = ()
        self.place_object(self._snap_point(at, modifiers))

    def begin_object_at(self, start: Point) -> None:
        """Begin the object at a point that the user typed. An object that needs only one point is
        added at once.
        """
        self._begin_drawing()
        if self._new.is_drawn_by_points:
            self._points = [start, start]
        elif self._new.is_preset or self._new.is_drawn_by_click:
            self._add_in_one_step([start, start])
        else:
            self._start = start
        self._view.update()

    def draw_object_to(self, end: Point) -> None:
        """End the object, or add a corner to the outline, at a point that the user typed."""
        if self._points:
            self._add_corner(end)
            self._view.update()
        elif self._start is not None:
            self._show_unfinished_object([self._start, end])
            self._finish_drawing()

    def _begin_drawing(self) -> None:
        """Clear the selection when the first point is set, so that key presses only act on the
        object being drawn.
        """
        self.ghost = ()
        if self.previous_point is None:
            self._selected = self._view.selection.keys
            self._view.selection.set(())

    def _restore_selection(self) -> None:
        """Restore the selection that existed before the first point, without objects that were
        deleted since.
        """
        self._view.selection.set(
            k for k in self._selected if self._view.document.scene.get(k) is not None
        )

    @property
    def _default_size(self) -> float:
        return default_object_size(DEFAULT_SIZE / self._view.camera.scale)

    def _default_points(self, at: Point, *, begin: bool = False) -> list[Point]:
        return self._new.default_points(at, self._default_size, begin=begin)

    def _snap_point(self, at: QPointF, modifiers: Modifiers) -> Point:
        own = added_object_keys(self._first) if self._first is not None else frozenset()
        self.at = self._view.snapper.snap_pointer(
            at, modifiers, origin=self.previous_point, without=own
        )
        return self.at

    def _first_and_last_point(self, point: Point, modifiers: Modifiers) -> list[Point]:
        """The first and the last point of the object being drawn. With Ctrl the object is symmetric
        about its start point.
        """
        assert self._start is not None
        return self._new.first_and_last_point(
            self._start, point, bool(modifiers & Modifiers.ControlModifier)
        )

    def _possible_objects(self, points: Sequence[Point]) -> tuple[SceneObject, ...]:
        """The objects that these points would add; empty if they are impossible, and the form of
        the preset then shows the reason.
        """
        if self._refused_number_reason:
            return ()
        try:
            change = self._change_that_adds(points)
            if isinstance(change, AddPreset):
                return change.part(self._view.document.document.unit).made_objects
            (obj,) = change.objects
            return (
                parts_within_steps(obj, self._view.document.scene.modules, MAX_STEPS)
                if isinstance(obj, ModuleObj)
                else (obj,)
            )
        except RaybenchError:
            return ()

    @property
    def _refused_number_reason(self) -> str:
        """The reason why a number in the preset's form is refused, so that the preset cannot be
        added; empty if no number is refused.
        """
        return self._view.preset_refused if self._new.is_preset else ""

    def _change_that_adds(self, points: Sequence[Point]) -> Add | AddPreset:
        return self._new.change_that_adds(
            points, self._view.preset_values.get(self.kind, {}), self._default_size
        )

    def _possible_change_that_adds(self, points: Sequence[Point]) -> Add | AddPreset | None:
        """The change that adds the object with these points. None if the object is impossible, for
        example too far away; the reason is then shown.
        """
        reason = self._refused_number_reason
        if not reason:
            try:
                return self._change_that_adds(points)
            except RaybenchError as error:
                reason = str(error)
        self._view.document.failed.emit(reason)
        return None

    # --- objects drawn by one drag

    def _show_unfinished_object(self, points: Sequence[Point]) -> None:
        """Show the unfinished object with these points: add it to the document, or replace the
        previous version under the same key.
        """
        if (change := self._possible_change_that_adds(points)) is None:
            return
        if self._gesture is None:
            self._gesture = self._view.document.begin_gesture()
        self._first = self._first or change
        self._gesture.update(with_same_keys(change, self._first))

    def _finish_drawing(self) -> None:
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.finish()
        self._end_drawing(self._first)

    def _add_in_one_step(self, points: Sequence[Point]) -> None:
        """Add the object with these points as one undo step."""
        if self._add_object(points):
            self._points = []
            self._view.activate_drawing_mode(self.kind if self._view.keeps_tool else None)

    def _add_object(self, points: Sequence[Point]) -> bool:
        """Add the object with these points and select it; returns whether that was possible."""
        change = self._possible_change_that_adds(points)
        done = change is not None and self._view.document.change(change)
        if done and change is not None:
            self._view.selection.select_and_show(added_object_keys(change))
        return done

    def _end_drawing(self, added: Add | AddPreset | None) -> None:
        """Select the new objects, then start the next drawing or return to the select mode. If no
        object could be made, the tool stays active.
        """
        keys = (
            [k for k in added_object_keys(added) if self._view.document.scene.get(k) is not None]
            if added is not None
            else []
        )
        self._start = self._pressed = self._first = None
        if not keys:
            return
        self._view.selection.select_and_show(keys)
        self._view.activate_drawing_mode(self.kind if self._view.keeps_tool else None)

    # --- outlines

    def _click_corner(self, at: QPointF, point: Point) -> None:
        done = self._points[:-1]
        if self._new.count is not None:
            self._add_corner(point)
        elif (
            len(done) >= self._new.minimum_point_count
            and (self._view.camera.to_screen(done[0]) - at).manhattanLength() <= 2 * CLICK_TOLERANCE
        ):
            self._finish_outline(done)
        elif not done or point != done[-1]:  # ignore the second press of a double click
            self._add_corner(point)
        elif len(done) >= self._new.minimum_point_count:
            self._finish_outline(done)

    def _add_corner(self, point: Point) -> None:
        """Add a point to the clicked points. The last point that a module instance needs finishes
        the instance.
        """
        done = [*self._points[:-1], point]
        if len(done) == self._new.count:
            self._add_in_one_step(done)
        else:
            self._points = [*done, point]
            self._view.update()

    def _finish_outline(self, points: list[Point]) -> None:
        if len(points) < self._new.minimum_point_count:
            more = "" if self._new.count is not None else tr(" or more")
            self._view.document.failed.emit(
                tr(
                    "A {noun} needs {least} points{more}. Click some more.",
                    noun=self._new.noun,
                    least=self._new.minimum_point_count,
                    more=more,
                )
            )
            return
        self._add_in_one_step(points)


@dataclass(frozen=True)
class NewObject:
    """The kind of the object to be drawn. ``count`` is the number of points of a module instance,
    and None for other objects.
    """

    kind: str
    count: int | None = None

    @classmethod
    def for_kind(cls, kind: str, scene: Scene) -> Self:
        """The new object for the name of a kind, a preset, or a module of the scene."""
        module = scene.modules.get(module_name_of(kind) or "")
        return cls(kind, module.point_count if module is not None else None)

    @property
    def noun(self) -> str:
        return tr(creatable_noun(self.kind))

    @property
    def is_preset(self) -> bool:
        return is_preset(self.kind)

    @property
    def is_drawn_by_points(self) -> bool:
        """Whether the user clicks all points of the object one after the other."""
        return is_drawn_as_path(self.kind) or (self.count or 0) > 1

    @property
    def is_drawn_by_click(self) -> bool:
        """Whether a single click adds the object."""
        return is_placed_by_click(self.kind) or self.count in (0, 1)

    @property
    def minimum_point_count(self) -> int:
        """The minimum number of points of an object that is drawn by clicking points."""
        return min_point_count(self.kind) if self.count is None else self.count

    def hint(self, points: int, started: bool) -> str:
        """The instruction shown at the foot of the canvas. ``points`` counts the points so far,
        including the one at the pointer; ``started`` says whether a drag has started.
        """
        new = tr("New {noun}", noun=self.noun)
        if self.is_drawn_by_points:
            if not points:
                return tr(
                    "{new}: click its points, or type where they are. Esc leaves the tool.", new=new
                )
            if self.count is not None:
                return tr(
                    "{new}: click its point {points} of {count}. Esc takes the last point back.",
                    new=new,
                    points=points,
                    count=self.count,
                )
            more = (
                tr("click the first point or press Enter to finish")
                if points > self.minimum_point_count
                else tr("click its points")
            )
            return tr("{new}: {more}. Esc takes the last point back.", new=new, more=more)
        if self.is_preset:
            return tr(
                "{new}: click or type its place, or drag to turn it. Its data are on the"
                " left. Esc leaves the tool.",
                new=new,
            )
        if self.is_drawn_by_click:
            return tr("{new}: click or type its place. Esc leaves the tool.", new=new)
        if started:
            return tr(
                "{new}: click its other end, or type a length and an angle. Shift: 45°,"
                " Ctrl: symmetric, Esc: back.",
                new=new,
            )
        return tr(
            "{new}: drag it out, click its ends, or type where the first is. Esc leaves the tool.",
            new=new,
        )

    def first_and_last_point(self, start: Point, point: Point, symmetric: bool) -> list[Point]:
        """The first and the last point of an object drawn by a drag. If ``symmetric`` is set, the
        drag starts at the middle of the object.
        """
        if symmetric and not is_created_from_centre(self.kind) and not self.is_preset:
            return [Point(2 * start.x - point.x, 2 * start.y - point.y), point]
        return [start, point]

    def default_points(self, at: Point, size: float, *, begin: bool = False) -> list[Point]:
        """The points of an object of default size, see
        `raybench.scene.creation.default_creation_points`.
        """
        if self.count is None:
            return default_creation_points(self.kind, at, size, begin=begin)
        return points_in_row(at, self.count, size, begin=begin)

    def change_that_adds(
        self, points: Sequence[Point], values: Mapping[str, Any], size: float
    ) -> Add | AddPreset:
        """The change that adds the object: a preset with the data ``values``, or another object.
        The missing points of a module instance are ``size`` apart.
        """
        if self.count is not None and points:  # none are the default points of a module without any
            points = [*points, *points_in_row(points[-1], self.count, size, begin=True)[1:]][
                : self.count
            ]
        return creation_change(self.kind, points, values)
