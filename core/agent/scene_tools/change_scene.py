"""``change_scene``: changes made to the document, as one step to undo with the other changes of the turn."""

from __future__ import annotations

from typing import Any

from core.agent.call.context import ToolContext, tool_context
from core.scene.changes import as_changes, stages, words
from core.scene.problems import problems_of

MOST_PROBLEMS = 3
"""New problems of the scene that are told."""


@tool_context
async def change_scene(ctx: ToolContext, changes: list[dict[str, Any]]) -> str:
    """
    Change the scene. All changes are made, or none; together they are one step that the person can undo.

    The changes: {"set": "Wedge", "refIndex": 1.7, "path[2].x": "5 mm"} sets fields (read_objects gives their names),
    {"move": "Lens", "dx": 5, "dy": 0} moves (x to the right, y down), {"rotate": "Prism", "by": 7} rotates by degrees counter-clockwise
    as seen about the centre or "about" a point or an object, {"scale": "Lens", "by": 2}, {"mirror": "Prism", "axis": 90},
    {"add": {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 50}, "name": "Fold"}}, {"preset": "Achromat",
    "focalLength": 100, "at": {"x": 50, "y": 0}, "angle": 0, "as": "Objective"} (list_presets gives names and data), {"delete": "Lens"},
    {"duplicate": "Lens", "dx": 20}, {"group": ["Lens", "Iris"], "as": "Camera"}, {"settings": {"rayModeDensity": 0.5}},
    {"disable": "Iris"}, {"hide": "Note"}, {"material": "Lens", "name": "N-BK7"} (find_glass gives names). Several names may be given as a
    list. Lengths are in scene units or texts such as "5 mm". Try changes with what_if first, and measure the light afterwards. If the
    person has changed one of the objects since you read it, that is an error that says what is different. compare tells what has changed
    since a revision; undo_edits takes this turn's changes back.

    Args:
        changes: The changes, made in order.
    """
    document = ctx.document
    wanted = as_changes(changes, document)
    ctx.seen.check(wanted, document)
    description = words(wanted, stages(wanted, document))
    after = await ctx.apply(wanted)
    ctx.seen.see(o for o in after.scene.objects if document.scene.get(o.key) is not o)
    known = {problem.text for problem in problems_of(document.scene)}
    new = [problem.text for problem in problems_of(after.scene) if problem.text not in known][:MOST_PROBLEMS]
    return " ".join([f"Done: {description}. The scene was at revision {document.revision} and is at {after.revision} now.", *new])
