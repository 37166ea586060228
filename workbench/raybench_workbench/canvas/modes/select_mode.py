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
from raybench.scene.locks import is_locked, movable
from raybench_workbench.canvas import picking
from raybench_workbench.canvas.modes.drags import (
    Drag,
    Modifiers,
    MoveControl,
    MoveCopy,
    MoveObjects,
    Pan,
    RubberBand,
)
from raybench_workbench.canvas.observer import DragObserver, dragged_part
from raybench_workbench.canvas.transform_handles import (
    MoveCentre,
    ScaleSelection,
    TurnSelection,
    transform_handles,
)

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView

SLACK = 3
"""Largest movement of a click in pixels; more is a drag."""


class SelectMode:
    """States: nothing pressed; pressed, not yet a drag; dragging."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self._pressed: tuple[QPointF, Qt.MouseButton, Modifiers, Hit | None] | None = None
        self.drag: Drag | None = None
        self.space = False

    @property
    def busy(self) -> bool:
        return self._pressed is not None

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        if self._pressed is None:
            self._pressed = at, button, modifiers, picking.hit(self._view, at)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pressed is None:
            return
        start = self._pressed[0]
        if self.drag is None and (at - start).manhattanLength() > SLACK:
            self.drag = self._begin(*self._pressed)
        if self.drag is not None:
            self.drag.move(at, modifiers)

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        if self._pressed is None or button != self._pressed[1]:
            return
        _, _, modifiers, hit = self._pressed
        drag, self.drag, self._pressed = self.drag, None, None
        if drag is not None:
            drag.finish()
        elif hit is not None and self._view.document.scene.get(hit.key) is None:
            return  # it was deleted, or replaced by a reload, since it was pressed
        elif button == Qt.MouseButton.LeftButton and not self.space:
            handles = transform_handles(self._view)
            if hit is not None or handles is None or not handles.at(at):
                self._click(at, hit, modifiers)
        elif button == Qt.MouseButton.RightButton:
            self._ask_menu(at, hit)

    def _ask_menu(self, at: QPointF, hit: Hit | None) -> None:
        selection = self._view.selection
        if hit is None:
            selection.clear()
        elif hit.key not in selection.keys:
            selection.set(self._view.document.document.grouped_with(hit.key))
        self._view.menuRequested.emit(self._view.mapToGlobal(at.toPoint()))

    def cancel(self) -> bool:
        """Cancel the current drag and undo its changes; returns whether there was one."""
        drag, self.drag, self._pressed = self.drag, None, None
        if drag is not None:
            drag.cancel()
        return drag is not None

    def leave(self) -> None:
        """Keep what the current drag has done so far; called before another mode is activated."""
        drag, self.drag, self._pressed = self.drag, None, None
        if drag is not None:
            drag.finish()

    def _begin(
        self, start: QPointF, button: Qt.MouseButton, modifiers: Modifiers, hit: Hit | None
    ) -> Drag | None:
        view, scene, selection = self._view, self._view.document.scene, self._view.selection
        if button != Qt.MouseButton.LeftButton or self.space:
            return Pan(view, start)
        handles = transform_handles(view)
        match handles.at(start) if handles is not None and not isinstance(hit, ControlHit) else "":
            case "turn" if handles is not None:
                return TurnSelection(view, start, handles)
            case "scale" if handles is not None:
                return ScaleSelection(view, start, handles)
            case "centre" if (
                hit is None or modifiers & Modifiers.AltModifier
            ):  # else the object below it is dragged
                return MoveCentre(view, start)
        if part := dragged_part(view, start, hit):
            return DragObserver(view, start, part)
        if hit is None:
            return RubberBand(view, start, selection.keys if _extends(modifiers) else frozenset())
        obj = scene.get(hit.key)
        if obj is None:
            return None
        if hit.key not in selection.keys:
            selection.set(
                selection.keys | {hit.key}
                if modifiers & Modifiers.ShiftModifier
                else view.document.document.grouped_with(hit.key)
            )
        if is_locked(scene, obj):
            view.document.failed.emit(
                f"{in_quotes(obj.title)} is locked and cannot be moved. Unlock it in its"
                " properties."
            )
            return None
        copies = bool(modifiers & Modifiers.ControlModifier)
        whole = (copies or len(selection.keys) > 1) and len(
            control_points(obj)
        ) == 1  # its only point is all there is to hold it by
        if isinstance(hit, ControlHit) and not whole:
            return MoveControl(view, start, obj, hit.control)
        keys = movable(scene, selection.keys)
        if not keys:
            view.document.failed.emit(
                f"{in_quotes(obj.title)} has no points to be moved by. Change it in its properties."
            )
            return None
        return (MoveCopy if copies else MoveObjects)(view, start, keys)

    def _click(self, at: QPointF, hit: Hit | None, modifiers: Modifiers) -> None:
        """Select the clicked object; without one, or with Alt inside a glass, the ray."""
        selection, extends = self._view.selection, _extends(modifiers)
        grouped = hit is not None and len(self._view.document.document.grouped_with(hit.key)) > 1
        through = (
            isinstance(hit, BodyHit) and bool(modifiers & Modifiers.AltModifier) and not grouped
        )
        if through and picking.pick_ray(self._view, at, extend=extends):
            return
        if hit is None and (name := picking.measurement_at(self._view, at)) is not None:
            selection.set_measurements(selection.measurements ^ {name} if extends else {name})
            return
        if hit is None:
            picking.pick_ray(self._view, at, extend=extends)
            if not extends:
                selection.clear()
        elif extends:
            selection.toggle(hit.key)
        elif modifiers & Modifiers.AltModifier:
            selection.set({hit.key})
        else:
            selection.set(self._view.document.document.grouped_with(hit.key))


def _extends(modifiers: Modifiers) -> bool:
    return bool(modifiers & (Modifiers.ShiftModifier | Modifiers.ControlModifier))
