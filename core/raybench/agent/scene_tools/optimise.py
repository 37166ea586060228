"""The tool ``optimise``, which finds the parameter values that meet goals best, and returns them as
changes for change_scene.
"""

import dataclasses
import json
import math
from collections.abc import Sequence
from typing import Annotated

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import ChangeList
from raybench.agent.scene_tools.sweep import join_texts
from raybench.agent.scene_tools.time_limit import SECONDS, STUDY_SECONDS, TimeLimit
from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.record import Record, Root, WrittenForm
from raybench.analysis.context import require_context
from raybench.scene.changes import changes_from_json, changes_to_json
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.parameters.parameter import Parameter
from raybench.schema.json_values import TextList
from raybench.study.experiment import Evaluator, with_initial_changes
from raybench.study.optimise import optimise as search
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_bounds


class OptimisedParameter(Record, tag="parameter"):
    of: str
    before: float | str
    after: float | str
    unit: str | None


class OtherMeasure(Record, tag="measure"):
    """A further measure, which is not a goal, with its values before and after."""

    of: str
    before: float | None
    after: float | None
    unit: str | None
    reason: str | None


class OtherPath(Record, tag="other_path"):
    """The best value for light on another path than the present one, and the parameters at which it
    occurs.
    """

    path: str
    gives: str
    at: str


class GoalRecord(Record, tag="goal"):
    of: str
    before: float | None
    after: float | None
    unit: str | None
    met: bool | None
    reason: str | None


class OptimumAnswer(Root, tag="optimum"):
    """The result of an optimisation. ``changes`` are the changes, as JSON, that lead to the
    optimum. ``path`` is the path of the measured light, ``path_before`` the path in the present
    scene if it differs.
    """

    parameter: Sequence[OptimisedParameter]
    goal: Sequence[GoalRecord]
    measure: Sequence[OtherMeasure]
    other_path: Sequence[OtherPath]
    note: Sequence[Leaf]
    changes: Annotated[str, WrittenForm("xs:string", missing="none")]
    method: str
    path: str | None
    path_before: str | None
    evaluations: int
    complete: bool


@tool_context(
    offered="usually",
    brief=(
        "Search the parameters for which goals are met best; returns the changes for "
        'change_scene. vary such as ["Lens.x=-50..50", "Wedge.refIndex=1.4..1.9", '
        '"Lens.material=N-BK7|N-SF11"]: x and y move by, angle turns by. goals such as ["least '
        'rms(Screen)"], ["most power(Screen)"], ["deviation(Prism) = 30"], ["focus(Lens) = '
        '99..101 weight 2"], ["width(Screen) < 3 mm"]; measures combine by + - * / and |size|; '
        'to collimate: "least divergence(Lens)". links such as ["Lens 2.x = Lens 1.x + 40"]. '
        "measures: others to tell, as a list. whole_range: search the whole ranges first. "
        "keep_path: only light on the kind of path that it takes "
        "now counts."
    ),
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
    changes: ChangeList | None = None,
    measures: TextList | None = None,
    whole_range: bool = False,
    keep_path: bool = True,
    seed: int = 0,
    rays: float = 1.0,
    seconds: float = SECONDS,
) -> Answer:
    """Find values of parameters for which goals are met best. The scene is not changed: give the
    changes to change_scene to make them.

    Args:
        vary: Parameters with bounds, such as ["Lens.x=-50..50", "Wedge.refIndex=1.4..1.9"], or with
            choices, such as ["Lens.material=N-BK7|N-SF11", "Lens.angle=0|180"]; Lens.x
            and Lens.y move by, Prism.angle turns
            by degrees, counter-clockwise as seen, counted from how the object stands.
        goals: Such as ["least rms(Screen)"], ["most power(Screen)"], ["least deviation(Prism)"],
            ["deviation(Prism) = 30"], ["direction(Lens, Lamp) = 0"]; constraints such as
            "width(Screen) < 3 mm" and ranges "focus(Lens) = 99..101" or "= 0 ± 0.1"; measures
            combine by + - * /, as in "focus(Lens, Blue) - focus(Lens, Red) = 0"; several are
            weighed by "weight 2" at the end. Collimate with "least divergence(Lens)". For a measure
            whose sign is only a sense of rotation, such as a deviation, least and most refer to its
            magnitude; elsewhere bars mean the magnitude, as in "|deviation(Prism)| = 40".
        links: Parameters that follow others, such as ["Lens 2.x = Lens 1.x + 40"].
        changes: Changes that are made first, as change_scene takes them; what they make can be
            varied and measured.
        measures: Other measures to tell before and after, such as ["rms(Screen)"].
        whole_range: Search the whole ranges first, if a local search from the present scene finds
            too little or ends at a bound.
        keep_path: Only light on the kind of path that it takes now counts, such as two refractions;
            what other paths, such as one with a total reflection, would give is told. False allows
            any.
        seed: Seed of that search.
        rays: Times as many rays as in the scene.
        seconds: Ends after this time with the best so far; at most 280.
    """
    document = ctx.document.with_more_rays(rays)
    time_limit = TimeLimit(ctx, seconds)

    def report(evaluations: int, merit: float) -> None:
        best = f", merit {merit:.4g}" if math.isfinite(merit) else ""
        ctx.progress(None, words=f"{evaluations} tried{best}")

    first = changes_from_json(changes or [], document)
    begun = with_initial_changes(document, first)
    found = search(
        document,
        [read_bounds(text, begun) for text in vary],
        read_goals(goals, begun),
        first=first,
        measures=measures or (),
        links=links or (),
        whole_range=whole_range,
        keep_path=keep_path,
        seed=seed,
        stop=time_limit.is_over,
        report=report,
    )
    notes = list(found.notes)
    if rays != 1:
        own = dataclasses.replace(found.experiment, document=ctx.document)
        with Evaluator() as evaluator:
            row = evaluator.evaluate_point(own, found.values)
        told = "; ".join(f"{m.expression} = {m.number}" for m in row)
        notes.append(f"The search has {rays:g} times the rays of the scene. With its own, {told}.")
    if not found.complete:
        notes.append(
            f"The search ended at its limit of {seconds:g} s, after {found.evaluations} points: give"
            " more seconds, smaller ranges or fewer parameters."
        )
    rows = list(zip(found.goals, found.before, found.after, found.met, strict=True))
    root = OptimumAnswer(
        parameter=[
            OptimisedParameter(
                of=bounds.parameter.text,
                before=_number_or_choice(bounds.parameter, bounds.now),
                after=_number_or_choice(bounds.parameter, value),
                unit=bounds.parameter.unit_text(begun) or None,
            )
            for bounds, value in zip(found.bounds, found.values, strict=True)
        ],
        goal=[
            GoalRecord(
                of=str(goal),
                before=before.value_or_none,
                after=after.value_or_none,
                unit=after.unit or None,
                met=None if met else False,
                reason=after.reason or None,
            )
            for goal, before, after, met in rows
        ],
        measure=[
            OtherMeasure(
                of=after.expression,
                before=before.value_or_none,
                after=after.value_or_none,
                unit=after.unit or None,
                reason=after.reason or None,
            )
            for before, after in found.measured
        ],
        other_path=[
            OtherPath(
                path=other.path,
                gives="; ".join(f"{m.expression} = {m.number}" for m in other.measures),
                at=", ".join(
                    f"{b.parameter.text} = {b.parameter.value_text(value, '.9g')}"
                    for b, value in zip(found.bounds, other.values, strict=True)
                ),
            )
            for other in found.alternatives
        ],
        note=[Leaf("note", note) for note in notes],
        changes=json.dumps(changes_to_json(found.changes, document), ensure_ascii=False),
        method=found.method,
        path=found.paths[1] or None,
        path_before=found.paths[0] if found.paths[0] != found.paths[1] else None,
        evaluations=found.evaluations,
        complete=found.complete,
        context=require_context(),
    )
    values = ", ".join(
        f"{b.parameter.text} {b.parameter.value_text(b.now)} -> {b.parameter.value_text(v)}"
        f"{unit_suffix(b.parameter.unit_text(begun))}"
        for b, v in zip(found.bounds, found.values, strict=True)
    )
    reached = "; ".join(
        f"{after.expression} {before.digits} -> {after.digits}{unit_suffix(after.unit)}"
        + f" ({goal} is NOT met)" * (not met)
        for goal, before, after, met in rows
    )
    besides = "".join(
        f"; {after.expression} {before.digits} -> {after.digits}{unit_suffix(after.unit)}"
        for before, after in found.measured
    )
    text = f"With {values}: {reached}{besides}."
    return Answer(root, " ".join([text, *notes]).removesuffix("."))


def _number_or_choice(parameter: Parameter, value: float) -> float | str:
    """The value of a parameter; for a parameter with choices, the choice with that number."""
    return parameter.value_text(value) if parameter.choices else value
