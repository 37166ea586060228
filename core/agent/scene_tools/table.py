"""The tools on the scene, with what a call of each does."""

from __future__ import annotations

from core.agent.scene_tools.change_scene import change_scene
from core.agent.scene_tools.compare import compare
from core.agent.scene_tools.find_glass import find_glass
from core.agent.scene_tools.read_objects import read_objects
from core.agent.scene_tools.undo_edits import redo_edits, undo_edits
from core.agent.scene_tools.what_if import what_if
from core.agent.tools.tool import Tool


def scene_tools() -> tuple[Tool, ...]:
    """The tools that read, try and change the scene."""
    rows = (
        (read_objects, "read"),
        (find_glass, "read"),
        (what_if, "read"),
        (compare, "read"),
        (change_scene, "edit"),
        (undo_edits, "edit"),
        (redo_edits, "edit"),
    )
    return tuple(Tool.new(function.__name__, (function, {"effect": effect, "expose": "both"})) for function, effect in rows)
