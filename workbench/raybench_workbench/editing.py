"""Editing what is selected, and going back and forth in the history."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from raybench.kinds.fields import fields_of
from raybench.scene.changes import Delete, Duplicate, SetSettings
from raybench.scene.snapping.targets import GRID, SNAPS
from raybench_workbench.arrange import change_unlocked
from raybench_workbench.measuring.panel import delete_measurements
from raybench_workbench.preferences.table import SNAPS_OFF

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


def undo(window: MainWindow) -> None:
    """Take the last step back."""
    _step(window, window.document.undo)


def redo(window: MainWindow) -> None:
    """Take the last step that was undone again."""
    _step(window, window.document.redo)


def _step(window: MainWindow, step: Callable[[], None]) -> None:
    """Go a step back or forth in the history, and select the objects that came back, or into view,
    by it.
    """
    before = set(_visible(window))
    step()
    now = _visible(window)
    came = [key for key in now if key not in before]
    if came and not (
        before and len(came) == len(now)
    ):  # not where all objects are others, as after a reload
        window.selection.present(came)


def _visible(window: MainWindow) -> list[int]:
    """The keys of the objects that are not hidden."""
    hidden = window.document.document.hidden
    return [o.key for o in window.document.scene.objects if o.key not in hidden]


def select_all(window: MainWindow) -> None:
    """Select all visible objects."""
    window.selection.set(_visible(window))


def delete(window: MainWindow) -> None:
    """Delete the selected measurements, else the selected objects."""
    if window.selection.measurements:
        delete_measurements(window.document, window.selection)
    else:
        change_unlocked(window, Delete, "delete")


def duplicate(window: MainWindow) -> None:
    """Duplicate the selected objects, and select the copies."""
    step = window.canvas.navigation.step
    doubled = Duplicate(
        (o.key for o in window.document.scene.objects if o.key in window.selection.keys), step, step
    )
    if window.document.change(doubled):
        window.selection.present(doubled.copies)


def toggle_setting(window: MainWindow, name: str) -> None:
    """Switch a flag of the scene's settings, by its name there, on or off."""
    settings = window.document.scene.settings
    json_name = next(f.json_name for f in fields_of(type(settings)) if f.name == name)
    window.document.change(SetSettings({json_name: not getattr(settings, name)}))


def snaps(window: MainWindow) -> bool:
    """Whether the pointer snaps to anything but the grid."""
    return bool(window.canvas.snapper.on - {GRID})


def toggle_all_snapping(window: MainWindow) -> None:
    """Switch all snapping but that to the grid off, or on again as it was."""
    snapper = window.canvas.snapper
    if snaps(window):
        snapper.off_before = snapper.off
        _switch_off(window, frozenset(SNAPS))
    else:
        _switch_off(window, snapper.off_before)


def toggle_snapping(window: MainWindow, kind: str) -> None:
    """Switch a kind of snapping on or off."""
    if kind == GRID:
        toggle_setting(window, "snap_to_grid")
    else:
        _switch_off(window, window.canvas.snapper.off ^ {kind})


def _switch_off(window: MainWindow, kinds: frozenset[str]) -> None:
    window.preferences.choose(SNAPS_OFF, kinds - {GRID})
