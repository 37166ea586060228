"""``optimise``: values of parameters for which goals are met best, as changes that change_scene
takes.
"""

import json
import math
from collections.abc import Sequence
from typing import Annotated

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.sweep import STUDY_SECONDS, join_texts
from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.record import Record, Root, Written
from raybench.analysis.context import require_context
from raybench.scene.changes import changes_to_json
from raybench.scene.changes.quantity import unit_after
from raybench.schema.json_values import TextList
from raybench.study.optimise import optimise as search
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_bounds


class OptimisedParameter(Record, tag="parameter"):
    of: str
    before: float
    after: float
    unit: str | None


class GoalReached(Record, tag="goal"):
    of: str
    before: float | None
    after: float | None
    unit: str | None
    met: bool | None
    reason: str | None


class OptimumAnswer(Root, tag="optimum"):
    """``changes``: those that lead to it, as JSON."""

    parameter: Sequence[OptimisedParameter]
    goal: Sequence[GoalReached]
    note: Sequence[Leaf]
    changes: Annotated[str, Written("xs:string", missing="none")]
    method: str
    evaluations: int
    complete: bool


@tool_context(
    effect="read",
    expose="both",
    timeout_s=STUDY_SECONDS,
    asks=lambda a: f"optimise {join_texts(a['goals'])} by {join_texts(a['vary'])}",
)
def optimise(
    ctx: ToolContext,
    vary: TextList,
    goals: TextList,
    links: TextList | None = None,
    whole_range: bool = False,
    seed: int = 0,
) -> Answer:
    """Find values of parameters for which goals are met best. The scene is not changed: give the
    changes to change_scene to make them.

    Args:
        vary: Parameters with bounds, such as ["Lens.x=-50..50", "Wedge.refIndex=1.4..1.9"]; Lens.x
            and Lens.y move by, Prism.angle turns
            by degrees, counter-clockwise as seen, counted from how the object stands.
        goals: Such as ["least rms(Screen)"], ["most power(Screen)"], ["least deviation(Prism)"],
            ["deviation(Prism) = 30"],
            ["direction(Lens, Lamp) = 0"]; constraints such as "width(Screen) < 3 mm" and ranges
            "focus(Lens) = 99..101"; measures combine by + - * /, as in "focus(Lens, Blue) -
            focus(Lens, Red) = 0"; several are weighed by "weight 2" at the end. Collimate with
            "least divergence(Lens)". For a measure whose sign is only a sense of rotation, such as
            a deviation, least and most refer to its magnitude; elsewhere bars mean the magnitude,
            as in "|deviation(Prism)| = 40".
        links: Parameters that follow others, such as ["Lens 2.x = Lens 1.x + 40"].
        whole_range: Search the whole ranges first, if a local search from the present scene finds
            too little or ends at a bound.
        seed: Seed of that search.
    """
    document = ctx.document

    def report(evaluations: int, merit: float) -> None:
        best = f", merit {merit:.4g}" if math.isfinite(merit) else ""
        ctx.progress(None, words=f"{evaluations} tried{best}")

    found = search(
        document,
        [read_bounds(text, document) for text in vary],
        read_goals(goals, document),
        links=links or (),
        whole_range=whole_range,
        seed=seed,
        stop=lambda: ctx.cancelled,
        report=report,
    )
    rows = list(zip(found.goals, found.before, found.after, found.met, strict=True))
    root = OptimumAnswer(
        parameter=[
            OptimisedParameter(
                of=bounds.parameter.text,
                before=bounds.now,
                after=value,
                unit=bounds.parameter.unit_text(found.experiment.document) or None,
            )
            for bounds, value in zip(found.bounds, found.values, strict=True)
        ],
        goal=[
            GoalReached(
                of=str(goal),
                before=before.known,
                after=after.known,
                unit=after.unit or None,
                met=None if met else False,
                reason=after.reason or None,
            )
            for goal, before, after, met in rows
        ],
        note=[Leaf("note", note) for note in found.notes],
        changes=json.dumps(changes_to_json(found.changes, document), ensure_ascii=False),
        method=found.method,
        evaluations=found.evaluations,
        complete=found.complete,
        context=require_context(),
    )
    values = ", ".join(
        f"{b.parameter.text} {b.now:.6g} -> {v:.6g}{unit_after(b.parameter.unit_text(document))}"
        for b, v in zip(found.bounds, found.values, strict=True)
    )
    reached = "; ".join(
        f"{after.expression} {before.value:.6g} -> {after.value:.6g}{unit_after(after.unit)}"
        + f" ({goal} is NOT met)" * (not met)
        for goal, before, after, met in rows
    )
    return Answer(root, " ".join([f"With {values}: {reached}.", *found.notes]).removesuffix("."))
