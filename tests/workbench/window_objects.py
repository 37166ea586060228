"""The objects of a window by their names, and measuring by mouse."""

from __future__ import annotations

from typing import Any

from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled


def key_of(window: MainWindow, name: str) -> int:
    """The key of the object with a name."""
    return next(o.key for o in window.document.scene.objects if o.title == name)


def measure(window: MainWindow, hand: Any, kind: str, *places: tuple[float, float]) -> None:
    """Measure with the tool of a kind, by clicks at places in scene units."""
    window.actions_by_id[f"measure.{kind}"].trigger()
    for place in places:
        hand(window.canvas).click(*place)
    wait_until_settled(window)
