"""The tools ``undo_edits`` and ``redo_edits``, which undo and redo the changes of this turn or of
an earlier turn.
"""

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import revisions_in_words


@tool_context(
    offered="always",
    brief="Take back your latest step of changes: those of this turn, else of an earlier one.",
    effect="edit",
    expose="both",
    needs="scene",
    asks=lambda a: "undo the latest changes of this conversation",
)
async def undo_edits(ctx: ToolContext) -> str:
    """Undo your latest step: all changes of the scene that you made in this turn or, if it made
    none, in an earlier one of the conversation.

    If each of your calls is a step of its own, it is the last call that made changes; repeat it for
    the step before. The person's edits are not undone.
    """
    return await _undo_or_redo(ctx, redo=False)


@tool_context(
    offered="on demand",
    effect="edit",
    expose="both",
    needs="scene",
    asks=lambda a: "make the undone changes again",
)
async def redo_edits(ctx: ToolContext) -> str:
    """
    Redo the changes that undo_edits has undone.
    """
    return await _undo_or_redo(ctx, redo=True)


async def _undo_or_redo(ctx: ToolContext, redo: bool) -> str:
    before = ctx.document
    words = await ctx.undo(redo)
    after = ctx.document
    ctx.known.record_objects(o for o in after.scene.objects if before.scene.get(o.key) is not o)
    return f"{'Made again' if redo else 'Undone'}: {words} ({revisions_in_words(before, after)})."
