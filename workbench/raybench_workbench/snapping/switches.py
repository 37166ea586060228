"""Switching snapping on and off: kinds of places by preference, the grid by the scene's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from raybench.scene.snapping.table import GRID, SNAPS
from raybench_workbench import editing
from raybench_workbench.preferences.choices import SNAPS_OFF

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


def snaps(window: MainWindow) -> bool:
    """Whether the pointer snaps to anything but the grid."""
    return bool(window.canvas.snapper.on - {GRID})


def toggle_all(window: MainWindow) -> None:
    """Switch all snapping but that to the grid off, or on again as it was."""
    snapper = window.canvas.snapper
    if snaps(window):
        snapper.off_before = snapper.off
        _set_off(window, frozenset(SNAPS))
    else:
        _set_off(window, snapper.off_before)


def toggle(window: MainWindow, kind: str) -> None:
    """Switch a kind of snapping on or off."""
    if kind == GRID:
        editing.toggle_setting(window, "snap_to_grid")
    else:
        _set_off(window, window.canvas.snapper.off ^ {kind})


def _set_off(window: MainWindow, kinds: frozenset[str]) -> None:
    window.preferences.choose(SNAPS_OFF, kinds - {GRID})
