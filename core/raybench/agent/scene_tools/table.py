"""The list of the tools that act on the scene."""

from raybench.agent.scene_tools.change_scene import change_scene
from raybench.agent.scene_tools.compare import compare
from raybench.agent.scene_tools.edit_lens import edit_lens
from raybench.agent.scene_tools.estimate import estimate
from raybench.agent.scene_tools.find_coating import find_coating
from raybench.agent.scene_tools.find_glass import find_glass
from raybench.agent.scene_tools.improve_lens import improve_lens
from raybench.agent.scene_tools.list_presets import list_presets
from raybench.agent.scene_tools.move_to_focus import move_to_focus
from raybench.agent.scene_tools.object_kinds import object_kinds
from raybench.agent.scene_tools.optimise import optimise
from raybench.agent.scene_tools.rank_remedies import rank_remedies
from raybench.agent.scene_tools.read_objects import read_objects
from raybench.agent.scene_tools.scatter_budget import scatter_budget
from raybench.agent.scene_tools.sweep import sweep
from raybench.agent.scene_tools.tolerance import tolerance
from raybench.agent.scene_tools.tolerance_lens import tolerance_lens
from raybench.agent.scene_tools.undo_edits import redo_edits, undo_edits
from raybench.agent.scene_tools.what_if import what_if
from raybench.agent.tools.tool import Tool


def scene_tools() -> tuple[Tool, ...]:
    """The records of the tools that read the scene, try changes on a copy, and change it."""
    functions = (
        read_objects, object_kinds, find_glass, find_coating, list_presets, what_if, compare, sweep, optimise, tolerance, estimate, scatter_budget, rank_remedies,
        change_scene, edit_lens, improve_lens, tolerance_lens, move_to_focus, undo_edits, redo_edits,
    )  # fmt: skip
    return tuple(Tool.new(function.__name__, function) for function in functions)
