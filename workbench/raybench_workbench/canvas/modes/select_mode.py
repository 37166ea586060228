"""The select mode of the canvas: click to select an object or a ray, drag to move, drag on empty
canvas to select several objects.

Other buttons, or Space, pan.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from raybench.errors import in_quotes
from raybench.scene.control_points import control_points
from raybench.scene.hit_test import BodyHit, ControlHit, Hit
from raybench.scene.locks import is_locked, movable_keys
from raybench.scene.measurements import KINDS
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.handles import (
    CentreDrag,
    ObserverDrag,
    RotationDrag,
    ScalingDrag,
    observer_part_to_drag,
    transform_handles,
)
from raybench_workbench.canvas.modes.drags import (
    ControlPointDrag,
    CopyDrag,
    Drag,
    Modifiers,
    ObjectDrag,
    PanDrag,
    RubberBandDrag,
)
from raybench_workbench.canvas.modes.mode import Mode
from raybench_workbench.measuring.mode import MeasurementDrag, measurements_change
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

CLICK_TOLERANCE = 3
"""Largest movement of a click in pixels; more is a drag."""


class SelectMode(Mode):
    """The select mode. It is in one of three states: no button pressed, a button pressed but not
    yet a drag, or dragging.
    """

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._pressed: tuple[QPointF, Qt.MouseButton, Modifiers, Hit | None] | None = None
        self.drag: Drag | None = None
        self._pick: picking.RayPick | None = None

    @property
    def hint(self) -> str:
        return self._pick.hint if self._pick is not None else ""

    @property
    def busy(self) -> bool:
        return self._pressed is not None

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        if self._pressed is None:
            self._pressed = at, button, modifiers, picking.find_hit_at_pixel(self._view, at)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pressed is None:
            return
        start = self._pressed[0]
        if self.drag is None and (at - start).manhattanLength() > CLICK_TOLERANCE:
            self.drag = self._begin_drag(*self._pressed)
        if self.drag is not None:
            self.drag.move(at, modifiers)

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        if self._pressed is None or button != self._pressed[1]:
            return
        _, _, modifiers, hit = self._pressed
        drag = self._detach_current_drag()
        if drag is not None:
            drag.finish()
        elif hit is not None and self._view.document.scene.get(hit.key) is None:
            return  # it was deleted, or replaced by a reload, since it was pressed
        elif button == Qt.MouseButton.LeftButton and not self.space:
            handles = transform_handles(self._view)
            if hit is not None or handles is None or not handles.handle_at(at):
                self._click_object(at, hit, modifiers)
        elif button == Qt.MouseButton.RightButton:
            self._open_context_menu(at, hit)

    def _open_context_menu(self, at: QPointF, hit: Hit | None) -> None:
        selection = self._view.selection
        if (name := picking.measurement_at(self._view, at, hit)) is not None:
            selection.set_measurements({name})
        elif hit is None:
            selection.clear()
        elif hit.key not in selection.keys:
            selection.set(self._view.document.document.keys_grouped_with(hit.key))
        self._view.menuRequested.emit(self._view.mapToGlobal(at.toPoint()))

    def cancel(self) -> bool:
        """Cancel the current drag and undo its changes; returns whether there was one."""
        drag = self._detach_current_drag()
        if drag is not None:
            drag.cancel()
        return drag is not None

    def choose_next_ray(self, *, forward: bool) -> bool:
        """Show the next ray if a ray was picked, or measure with the next one."""
        if self._pick is not None and self._pick.hint:
            self._pick.choose_next_ray(forward=forward)
            return True
        document, names = self._view.document, self._view.selection.measurements
        changed = dict(document.document.measurements)
        for name in names:
            kind = KINDS[changed[name].kind]
            if kind.takes_surface and kind.reads_light:
                changed[name] = changed[name].with_next_ray(1 if forward else -1)
        return changed != document.document.measurements and document.change(
            measurements_change(document.document, changed)
        )

    def leave_mode(self) -> None:
        if (drag := self._detach_current_drag()) is not None:
            drag.finish()

    def _detach_current_drag(self) -> Drag | None:
        """Return the current drag and end it: afterwards no drag is in progress."""
        drag, self.drag, self._pressed = self.drag, None, None
        return drag

    def _begin_drag(
        self, start: QPointF, button: Qt.MouseButton, modifiers: Modifiers, hit: Hit | None
    ) -> Drag | None:
        view, scene, selection = self._view, self._view.document.scene, self._view.selection
        if button != Qt.MouseButton.LeftButton or self.space:
            return PanDrag(view, start)
        alt = modifiers & Modifiers.AltModifier
        handles = transform_handles(view)
        if handles is not None and not isinstance(hit, ControlHit):
            handle = handles.handle_at(start)
            if handle == "turn":
                return RotationDrag(view, start, handles)
            if handle == "scale":
                return ScalingDrag(view, start, handles)
            if handle == "centre" and (hit is None or alt):  # else the object below it is dragged
                return CentreDrag(view, start)
        if (held := picking.measured_point_at(view, start)) is not None:
            return MeasurementDrag(view, start, *held)
        if (name := picking.movable_value_at(view, start, hit)) is not None:
            selection.set_measurements({name})
            return MeasurementDrag(view, start, name)
        if part := observer_part_to_drag(view, start, hit):
            return ObserverDrag(view, start, part)
        if hit is None:
            keep = selection.keys if _is_selection_extended(modifiers) else frozenset()
            return RubberBandDrag(view, start, keep)
        obj = scene.get(hit.key)
        if obj is None:
            return None
        if hit.key not in selection.keys:
            adds = modifiers & Modifiers.ShiftModifier
            grouped = view.document.document.keys_grouped_with(hit.key)
            selection.set(selection.keys | {hit.key} if adds else grouped)
        title, failed = in_quotes(obj.title), view.document.failed.emit
        if is_locked(scene, obj):
            failed(
                tr(
                    "{title} is locked and cannot be moved. Unlock it in its properties.",
                    title=title,
                )
            )
            return None
        copies = bool(modifiers & Modifiers.ControlModifier)
        # an only point is all there is to hold an object by
        whole = (copies or len(selection.keys) > 1) and len(control_points(obj)) == 1
        if isinstance(hit, ControlHit) and not whole:
            return ControlPointDrag(view, start, obj, hit.control)
        keys = movable_keys(scene, selection.keys)
        if not keys:
            failed(
                tr(
                    "{title} has no points to be moved by. Change it in its properties.",
                    title=title,
                )
            )
            return None
        return (CopyDrag if copies else ObjectDrag)(view, start, keys)

    def _click_object(self, at: QPointF, hit: Hit | None, modifiers: Modifiers) -> None:
        """Select the object that was clicked. Without an object, or with Alt inside a glass, select
        the ray at that point.
        """
        view, selection, extends = (
            self._view,
            self._view.selection,
            _is_selection_extended(modifiers),
        )
        alt = bool(modifiers & Modifiers.AltModifier)
        name = picking.measurement_at(view, at, hit)
        if name is not None:
            selection.set_measurements(selection.measurements ^ {name} if extends else {name})
            return
        if hit is None:
            self._pick = picking.RayPick(view, at, extend=extends)
            if not extends:
                selection.clear()
            return
        grouped = view.document.document.keys_grouped_with(hit.key)
        through = alt and isinstance(hit, BodyHit) and len(grouped) <= 1
        if through:
            self._pick = picking.RayPick(view, at, extend=extends)
            if self._pick.is_shown:
                return
        if extends:
            selection.toggle_object(hit.key)
        else:
            selection.set({hit.key} if alt else grouped)


def _is_selection_extended(modifiers: Modifiers) -> bool:
    return bool(modifiers & (Modifiers.ShiftModifier | Modifiers.ControlModifier))
