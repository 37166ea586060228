"""The tool ``compare``, which lists the differences from an earlier revision of the scene, and
measures before and after.
"""

from collections.abc import Sequence

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import TRACING_SECONDS
from raybench.agent.scene_tools.what_if import (
    MeasureDifference,
    measure_records,
    values_before_and_after,
)
from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.weak_light import add_largest_weak_light_note
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import bind_measures
from raybench.analysis.measures.grammar import MeasureList
from raybench.errors import RaybenchError
from raybench.scene.changes.differences import document_differences
from raybench.study.what_if import MeasureComparison, comparable_limit, compare_measures
from raybench.trace.trace import trace

MOST_WORDS = 6
"""Maximum number of differences that the sentence lists."""


class UnknownRevision(RaybenchError):
    """A revision is not in the history."""


class FoundDifference(Record, tag="difference"):
    of: str
    value: str | None
    before: str | None
    after: str | None


class Comparison(Root, tag="comparison"):
    difference: Sequence[FoundDifference]
    measure: Sequence[MeasureDifference]
    since: int


@tool_context(
    offered="on demand",
    effect="read",
    expose="both",
    timeout_s=TRACING_SECONDS,
    asks=lambda a: (
        "what has changed since"
        f" {'revision ' + str(a['revision']) if a.get('revision') else 'it was saved or opened'}"
    ),
)
def compare(ctx: ToolContext, revision: int = 0, measures: MeasureList = "") -> Answer:
    """Compare the scene as it is with an earlier revision of it: every value that is different,
    and measures before and after.

    Args:
        revision: The earlier revision, as in the description of the scene and results of
            change_scene; 0 for the scene as it was last
            saved or opened.
        measures: One measure or several, separated by semicolons, such as power(Screen);
            rms(Screen). measure_xml describes them.
    """
    document, context = ctx.document, require_context()
    earlier = ctx.opened.document_at(revision)
    if earlier is None:
        raise UnknownRevision(
            f"There is no revision {revision} in the history of this scene, which is at revision"
            f" {document.revision} now."
        )
    found = document_differences(earlier, document)
    measured: tuple[MeasureComparison, ...] = ()
    if measures.strip():
        bind_measures(measures, document)  # report their errors before anything is traced
        before = trace(
            earlier, max_segments=comparable_limit(context.result), stop=lambda: ctx.cancelled
        )
        measured = compare_measures(earlier, document, (before, context.result), measures)
    rows = [
        FoundDifference(
            of=d.subject,
            value=d.label or None,
            before=d.before or None,
            after=d.after or None,
        )
        for d in found
    ]
    root = Comparison(
        difference=rows,
        measure=measure_records(measured),
        since=revision,
        context=context,
    )
    texts = [*map(str, found[:MOST_WORDS])] or ["nothing is different"]
    if len(found) > MOST_WORDS:
        texts.append(f"and {len(found) - MOST_WORDS} more differences")
    since = f"Since revision {revision}" if revision else "Since it was saved or opened"
    answer = Answer(
        root,
        f"{since}: {'; '.join([*texts, *map(str, measured)])}".rstrip("."),
        complete_sentence=len(found) <= MOST_WORDS,
    )
    return add_largest_weak_light_note(answer, document.scene, values_before_and_after(measured))
