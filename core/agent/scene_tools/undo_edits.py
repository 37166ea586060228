"""``undo_edits`` and ``redo_edits``: the changes that this turn has made, taken back and made again."""

from __future__ import annotations

from core.agent.call.context import ToolContext, tool_context


@tool_context(effect="edit", expose="both", asks=lambda a: "undo the changes of this turn")
async def undo_edits(ctx: ToolContext) -> str:
    """
    Take back your latest step: all changes of the scene that you made in this turn.

    Where each of your calls is a step of its own, it is the changes of the last call that made some; again, those of the call before it.
    What the person did is not undone.
    """
    return await _travelled(ctx, redo=False)


@tool_context(effect="edit", expose="both", asks=lambda a: "make the undone changes again")
async def redo_edits(ctx: ToolContext) -> str:
    """
    Make the changes again that undo_edits took back.
    """
    return await _travelled(ctx, redo=True)


async def _travelled(ctx: ToolContext, redo: bool) -> str:
    before = ctx.document
    words = await ctx.undo(redo)
    after = ctx.document
    ctx.known.update(o for o in after.scene.objects if before.scene.get(o.key) is not o)
    return f"{'Made again' if redo else 'Undone'}: {words} (revision {before.revision} -> {after.revision})."
