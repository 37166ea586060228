"""Arranging the selection: turning, scaling and mirroring it by number, hiding it, and letting light pass it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QInputDialog

from core.scene.changes import Change, Disable, Hide, Mirror, Rotate, Scale
from core.scene.changes.quantity import InvalidQuantity, quantity
from core.scene.locks import unlocked

if TYPE_CHECKING:
    from workbench.main_window import MainWindow

STEP = 1.0
"""Angle in degrees by which a key press turns the selected objects."""
VERTICAL, HORIZONTAL = 90.0, 0.0
"""Directions of a mirror line, degrees counter-clockwise as seen."""


def change_unlocked(window: MainWindow, make: Callable[[frozenset[int]], Change], verb: str) -> bool:
    """Change the selected objects that are not locked; whether that was done. Says so where all are locked."""
    keys = unlocked(window.document.scene, window.selection.keys)
    if not keys:
        window.document.failed.emit(f"What is selected is locked. Unlock it in its properties to {verb} it.")
        return False
    return window.document.change(make(keys))


def rotate(window: MainWindow, degrees: float) -> bool:
    """Turn the selection about its centre, counter-clockwise as seen."""
    return change_unlocked(window, lambda keys: Rotate(keys, degrees), "turn")


def mirror(window: MainWindow, axis: float) -> bool:
    """Reflect the selection at a line through its centre with the direction ``axis``, degrees."""
    return change_unlocked(window, lambda keys: Mirror(keys, axis), "mirror")


def scale(window: MainWindow, factor: float) -> bool:
    """Scale the selection about its centre."""
    return change_unlocked(window, lambda keys: Scale(keys, factor), "scale")


def ask_rotate(window: MainWindow) -> None:
    """Ask for an angle and turn the selection by it."""
    _ask(window, "Rotate", "Angle, counter-clockwise as seen, such as 7 or 0.1 rad:", "15", "deg", partial(rotate, window))


def ask_scale(window: MainWindow) -> None:
    """Ask for a factor and scale the selection by it."""
    _ask(window, "Scale", "Factor, such as 2 or 0.5:", "2", "", partial(scale, window))


def hide(window: MainWindow) -> None:
    """Hide the selected objects: they still act on light."""
    if window.document.change(Hide(window.selection.keys)):
        window.selection.clear()


def show_hidden(window: MainWindow) -> None:
    """Show all hidden objects, and select them."""
    hidden = window.document.document.hidden & {o.key for o in window.document.scene.objects}
    if window.document.change(Hide(hidden, on=False)):
        window.selection.set(hidden)


def toggle_disabled(window: MainWindow) -> None:
    """Let light pass the selected objects, or let them act on it again where all of them are disabled."""
    window.document.change(Disable(window.selection.keys, on=not all_disabled(window)))


def all_disabled(window: MainWindow) -> bool:
    """Whether light passes all selected objects."""
    return bool(window.selection.keys) and window.selection.keys <= window.document.document.disabled


def _ask(window: MainWindow, title: str, label: str, example: str, unit: str, act: Callable[[float], bool]) -> None:
    text, given = QInputDialog.getText(window, title, label, text=example)
    if not given:
        return
    try:
        value = quantity(text, unit, window.document.document.unit)
    except InvalidQuantity as error:
        window.document.failed.emit(f"{title}: the value {error}.")
    else:
        act(value)
