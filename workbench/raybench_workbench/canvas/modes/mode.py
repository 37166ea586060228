"""The base of all modes of the canvas: what each can show, and panning with the other mouse buttons
or Space.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from raybench.kinds.object import SceneObject
from raybench.shapes.point import Point
from raybench_workbench.canvas.modes.drags import Modifiers, PanDrag

if TYPE_CHECKING:
    from raybench.scene.measurements import Measurement
    from raybench_workbench.canvas.view import CanvasView

CLICK_TOLERANCE = 4
"""Largest movement of a click in pixels; more is a drag. Twice that for hitting a corner."""


class Mode:
    """A mode of the canvas, which handles its mouse events."""

    ghost: tuple[SceneObject, ...] = ()
    """A preview of the objects that the first click would begin."""

    def __init__(self, view: CanvasView) -> None:
        self._view = view
        self.space = False
        """Whether Space is held, so that a drag pans."""

    @property
    def busy(self) -> bool:
        """Whether an action such as a drag is in progress, during which objects under the pointer
        are not highlighted.
        """
        return False

    @property
    def previous_point(self) -> Point | None:
        """The point that was set before the one at the pointer; None if there is none."""
        return None

    @property
    def clicked_and_pointer_points(self) -> Sequence[Point]:
        """The points clicked so far, followed by the point at the pointer."""
        return ()

    @property
    def hint(self) -> str:
        """The instruction shown at the foot of the canvas."""
        return ""

    @property
    def draft_measurement(self) -> Measurement | None:
        """The measurement that a click at the pointer would take; None if there is none."""
        return None

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        raise NotImplementedError

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        raise NotImplementedError

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        raise NotImplementedError

    def cancel(self) -> bool:
        """Cancel the last step that was begun; returns whether there was a step to cancel."""
        raise NotImplementedError

    def finish_drawing(self) -> bool:
        """Finish the drawing that was begun; returns whether the mode draws."""
        return False

    def choose_next_ray(self, *, forward: bool) -> bool:
        """Choose the next ray if a click hit several rays; returns whether there is a next one."""
        return False

    def leave_mode(self) -> None:
        """Keep the drawing so far, before another mode is activated."""

    def leave_canvas(self) -> None:
        """Remove the preview at the pointer because the pointer has left the canvas."""


class PointMode(Mode):
    """A mode in which the user sets points, by single clicks or by a drag from the press to the
    release of the button.
    """

    def __init__(self, view: CanvasView) -> None:
        super().__init__(view)
        self._pan: tuple[PanDrag, Qt.MouseButton] | None = None
        self._pressed: QPointF | None = None

    def press(self, at: QPointF, button: Qt.MouseButton, modifiers: Modifiers) -> None:
        if button != Qt.MouseButton.LeftButton or self.space:
            self._pan = PanDrag(self._view, at), button
        else:
            self._pressed = at
            self._press_left(at, modifiers)

    def move(self, at: QPointF, modifiers: Modifiers) -> None:
        if self._pan is not None:
            self._pan[0].move(at, modifiers)
        else:
            self._follow_pointer(at, modifiers)

    def release(self, at: QPointF, button: Qt.MouseButton) -> None:
        if self._pan is None:
            dragged = self._is_drag(at)
            self._pressed = None
            self._release_left(at, dragged=dragged)
        elif button == self._pan[1]:
            self._pan = None

    def _is_drag(self, at: QPointF) -> bool:
        return (
            self._pressed is not None and (at - self._pressed).manhattanLength() > CLICK_TOLERANCE
        )

    def _press_left(self, at: QPointF, modifiers: Modifiers) -> None:
        raise NotImplementedError

    def _follow_pointer(self, at: QPointF, modifiers: Modifiers) -> None:
        raise NotImplementedError

    def _release_left(self, at: QPointF, *, dragged: bool) -> None:
        raise NotImplementedError
