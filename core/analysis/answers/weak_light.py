"""Light that an answer about power leaves out, because it became too weak to follow."""

from __future__ import annotations

from dataclasses import replace

from core.analysis.answers.answer import Answer
from core.analysis.context import require_context
from core.scene.scene import Scene
from core.trace.results.result import TraceResult

NEGLIGIBLE = 1e-3
"""The share of all power below which nothing is said: less changes none of the first three digits of a power."""


def weak_light(result: TraceResult, scene: Scene) -> str:
    """How much power was in rays too weak to follow, and how weaker ones are followed, as a sentence without a full stop; empty where it
    is negligible."""
    share = result.ledger.truncated_share
    if share < NEGLIGIBLE:
        return ""
    by_default = scene.settings.color_mode == "default"
    remedy = "the colour mode linear follows weaker ones" if by_default else "a lower rayPowerCutoff follows weaker ones"
    return f"Rays too weak to follow carried {100 * share:.3g} % of the power; {remedy}"


def with_weak_light(answer: Answer) -> Answer:
    """An answer about power, on the active context, with a note of how much light it leaves out and its share, where that matters."""
    context = require_context()
    note = weak_light(context.result, context.scene)
    if not note:
        return answer
    about = {**answer.root.attributes, "truncated_share": context.result.ledger.truncated_share}
    return replace(answer, root=replace(answer.root, attributes=about), note=note)
