"""Light that an answer about power leaves out, because it became too weak to follow."""

from __future__ import annotations

import math
from dataclasses import replace

from core.analysis.answers.answer import Answer
from core.analysis.context import require_context
from core.scene.scene import Scene
from core.trace.codes import Status
from core.trace.results.result import TraceResult

NEGLIGIBLE = 1e-3
"""The share of all power below which nothing is said: less changes none of the first three digits of a power."""


def shares_not_followed(result: TraceResult, scene: Scene) -> tuple[float, float]:
    """The parts of all power in rays too weak to follow, and in rays cut at the largest depth; 0 where negligible."""
    ledger, deep = result.ledger, 0.0
    if ledger.truncated_share < NEGLIGIBLE:
        return 0.0, 0.0
    if math.isfinite(scene.settings.max_ray_depth):
        deep = float(result.total_arriving_power[result.status == Status.DEPTH].sum()) / ledger.supplied
    weak = ledger.truncated_share - deep
    return (weak if weak >= NEGLIGIBLE else 0.0), (deep if deep >= NEGLIGIBLE else 0.0)


def weak_light(result: TraceResult, scene: Scene) -> str:
    """How much power was in rays that were not followed, and how they are, without a full stop; empty where it is negligible."""
    weak, deep = shares_not_followed(result, scene)
    by_default = scene.settings.color_mode == "default"
    remedy = "the colour mode linear follows weaker ones" if by_default else "a lower rayPowerCutoff follows weaker ones"
    said = [f"Rays too weak to follow carried {100 * weak:.3g} % of the power; {remedy}"] if weak else []
    if deep:
        said.append(f"Rays cut at the largest depth carried {100 * deep:.3g} % of the power; a larger one follows them")
    return ". ".join(said)


def with_weak_light(answer: Answer) -> Answer:
    """An answer about power, on the active context, with a note of how much light it leaves out and its share, where that matters."""
    context = require_context()
    note = weak_light(context.result, context.scene)
    if not note:
        return answer
    about = {**answer.root.attributes, "truncated_share": context.result.ledger.truncated_share}
    return replace(answer, root=replace(answer.root, attributes=about), note=note)
