"""``change_scene``: changes made to the document, as one step to undo with the other changes of the turn."""

from __future__ import annotations

from typing import Any

from core.agent.call.context import ToolContext, tool_context
from core.scene.changes import as_changes, stages, words


@tool_context
async def change_scene(ctx: ToolContext, changes: list[dict[str, Any]]) -> str:
    """
    Change the scene. All changes are made, or none; together they are one step that the person can undo.

    The changes: {"set": "Wedge", "refIndex": 1.7, "path[2].x": "5 mm"} sets fields (read_objects gives their names),
    {"move": "Lens", "dx": 5, "dy": 0} moves (x to the right, y down), {"rotate": "Prism", "by": 7} rotates by degrees counter-clockwise
    as seen about the centre or "about" a point or an object, {"scale": "Lens", "by": 2}, {"mirror": "Prism", "axis": 90},
    {"add": {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0, "y": 50}, "name": "Fold"}}, {"delete": "Lens"},
    {"duplicate": "Lens", "dx": 20}, {"group": ["Lens", "Iris"], "as": "Camera"}, {"settings": {"rayModeDensity": 0.5}},
    {"disable": "Iris"}, {"hide": "Note"}. Several names may be given as a list. Lengths are in scene units or texts such as "5 mm".
    Try changes with what_if first.

    Args:
        changes: The changes, made in order.
    """
    document = ctx.document
    wanted = as_changes(changes, document)
    description = words(wanted, stages(wanted, document))
    await ctx.apply(wanted)
    return f"Done: {description}."
