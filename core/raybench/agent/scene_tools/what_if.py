"""The tool ``what_if``, which tries changes on a copy of the scene and reports their effect on
measures.
"""

import math
from collections.abc import Iterable, Sequence

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import (
    TRACING_SECONDS,
    ChangeList,
    changes_in_words,
)
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.weak_light import add_largest_weak_light_note
from raybench.analysis.answers.words import value_in_words
from raybench.analysis.context import require_context
from raybench.analysis.measures.grammar import MeasureList
from raybench.analysis.measures.measure import Measured
from raybench.scene.changes import convert_to_changes
from raybench.study.what_if import MeasureComparison
from raybench.study.what_if import what_if as tried


class MeasureDifference(Record, tag="measure"):
    of: str
    before: float | None
    after: float | None
    difference: float | None
    relative: float | None
    unit: str | None
    reason: str | None


class WhatIf(Root, tag="what_if"):
    measure: Sequence[MeasureDifference]
    changes: str


@tool_context(
    offered="always",
    brief="Try changes on a copy of the scene, and compare measures before and after.",
    effect="read", expose="both", timeout_s=TRACING_SECONDS,
    asks=lambda a: f"what if: {changes_in_words(a.get('changes'))}; {value_in_words(a.get('measures') or 'no measure')}",
)  # fmt: skip
def what_if(
    ctx: ToolContext, changes: ChangeList, measures: MeasureList, rays: float = 1.0
) -> Answer:
    """Try changes on a copy of the scene, and compare measures before and after. The scene itself
    is not changed.

    Args:
        changes: As change_scene takes them, such as [{"rotate": "Prism", "by": 7}, {"set": "Lens",
            "focalLength": 80}].
        measures: One measure or several, separated by semicolons, such as power(Screen);
            rms(Screen). measure_xml describes them.
        rays: Times as many rays as in the scene, before and after.
    """
    context = require_context()
    document = ctx.document
    found = tried(
        document,
        context.result,
        convert_to_changes(changes, document),
        measures,
        rays=rays,
        stop=lambda: ctx.cancelled,
    )
    root = WhatIf(
        measure=measure_records(found.differences),
        changes=found.words,
        context=context,
    )
    answer = Answer(
        root,
        f"If {found.words}: {'; '.join(map(str, found.differences))}".rstrip("."),
        complete_sentence=True,
    )
    return add_largest_weak_light_note(
        answer, document.scene, values_before_and_after(found.differences)
    )


def values_before_and_after(differences: Iterable[MeasureComparison]) -> list[Measured]:
    """The values of all measures before the changes, then the values after them."""
    return [value for difference in differences for value in (difference.before, difference.after)]


def measure_records(differences: Iterable[MeasureComparison]) -> list[MeasureDifference]:
    """The records of an answer that state the values of measures before and after."""
    return [
        MeasureDifference(
            of=d.after.expression,
            before=d.before.value_or_none,
            after=d.after.value_or_none,
            difference=d.change if d.before.defined and d.after.defined else None,
            relative=None if math.isnan(d.relative_change) else d.relative_change,
            unit=d.after.unit or None,
            reason=d.after.reason or d.before.reason or None,
        )
        for d in differences
    ]
