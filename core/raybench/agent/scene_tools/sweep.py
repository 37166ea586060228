"""The tool ``sweep``: tabulates measures over the values of one or two parameters."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import ChangeList
from raybench.analysis.answers.answer import Answer, Element
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.record import ABSENT, Record, Root
from raybench.analysis.answers.weak_light import with_largest_weak_light_note
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import Bound
from raybench.analysis.measures.grammar import MeasureList
from raybench.analysis.measures.measure import extremes_of
from raybench.scene.changes import changes_from_json
from raybench.scene.changes.quantity import unit_suffix
from raybench.schema.json_values import TextList
from raybench.study.sweep import Sweep as Study
from raybench.study.table import Table

MAX_ROWS = 200
STUDY_SECONDS = 300.0
"""Time limit of a study."""


class SweptParameter(Record, tag="parameter"):
    id: str
    of: str
    unit: str | None


class SweptMeasure(Record, tag="measure"):
    """The least and the largest value of a measure, and the parameters at which they occur. They
    are compared by size if the sign only tells a side, as for a deviation; for directions they are
    the ends of the shortest range that contains all, counter-clockwise. ``spread`` is the size of
    the range.
    """

    id: str
    of: str
    unit: str | None
    least: float = ABSENT
    least_at: str = ABSENT
    most: float = ABSENT
    most_at: str = ABSENT
    spread: float = ABSENT


class UndefinedMeasure(Record, tag="undefined"):
    of: str
    reason: str


class SweepTable(Root, tag="sweep"):
    """A table whose rows have one attribute for each parameter and measure, named by its id.
    ``other_path`` is the path of the light if it differs from that in the present scene.
    """

    parameter: Sequence[SweptParameter]
    measure: Sequence[SweptMeasure]
    row: Sequence[Element]
    undefined: Sequence[UndefinedMeasure]
    points: int
    rows_not_listed: int


def join_texts(texts: Any) -> str:
    """Join the texts of an argument with commas; it is a list or a single text."""
    return ", ".join(map(str, texts)) if isinstance(texts, list | tuple) else str(texts)


@tool_context(
    offered="usually",
    brief=(
        "Tabulate measures over one or two parameters, on copies of the scene: the least and "
        'most of each, and at most limit rows. axes such as ["Prism.angle=-20..20:81"] (turned '
        'by degrees), ["Lens.x=0..5mm:11"] (moved by), ["Wedge.refIndex=1.5,1.6"], '
        '["Lens.focalLength=10..1000:5 log"], ["Lens.material=N-BK7|N-SF11"].'
    ),
    effect="read",
    expose="both",
    timeout_s=STUDY_SECONDS,
    asks=lambda a: f"sweep {join_texts(a['axes'])}: {join_texts(a['measures'])}",
)
def sweep(
    ctx: ToolContext,
    axes: TextList,
    measures: MeasureList,
    limit: int = 21,
    changes: ChangeList | None = None,
) -> Answer:
    """Tabulate measures over the values of one or two parameters, each tried on a copy of the
    scene. The scene itself is not changed.

    Leads with the least and most of each measure and where they are: of one whose sign is only a
    sense, such as a deviation, by size; of directions with the size of their range. To find a best value to full
    precision use optimise.

    Args:
        axes: One or two parameters with their values, such as ["Prism.angle=-20..20:81"] (81 values
            of the turn in degrees),
            ["Lens.x=0..5mm:11"] (moved by), ["Wedge.refIndex=1.5,1.6,1.7"],
            ["Lens.focalLength=10..1000:5 log"] or choices: ["Lens.material=N-BK7|N-SF11"].
        measures: One measure or several, separated by semicolons, such as power(Screen);
            rms(Screen). measure_xml describes them.
        limit: How many rows to list, evenly spaced; at most 200. All are computed.
        changes: Changes that are made first, as change_scene takes them; what they make can be
            varied and measured.
    """
    check_count("limit", limit, least=0, most=MAX_ROWS)
    document = ctx.document
    first = changes_from_json(changes or [], document)
    study = Study.build(document, axes, measures, first=first)
    points = []
    for point in study.run(stop=lambda: ctx.cancelled):
        points.append(point)
        ctx.progress(len(points), len(study))
    table = study.table(points)
    count, parameters = len(table.rows), len(study.axes)
    extremes = [
        _measure_extremes(table, i, parameters, measure)
        for i, measure in enumerate(study.experiment.measures, parameters)
    ]
    chosen = np.unique(
        np.linspace(0, max(count - 1, 0), min(limit, count)).round().astype(int)
    ).tolist()
    about = [
        SweptParameter(id=f"p{i + 1}", of=table.columns[i], unit=table.units[i] or None)
        for i in range(parameters)
    ]
    reasons = {m.expression: m.reason for point in points for m in point.measures if not m.defined}
    ids = [f"p{i + 1}" for i in range(parameters)] + [f"m{i + 1}" for i in range(len(extremes))]
    root = SweepTable(
        parameter=about,
        measure=extremes,
        row=[Element("row", _row_values_by_id(table, row, ids)) for row in chosen],
        undefined=[UndefinedMeasure(of=name, reason=reason) for name, reason in reasons.items()],
        points=count,
        rows_not_listed=count - len(chosen),
        context=require_context(),
    )
    found = [_extreme_in_words(e) for e in extremes if e.least is not ABSENT]
    text = f"{count} points: {'; '.join(found) or 'no measure is defined at any of them'}"
    if table.paths_note:
        text += f". {table.paths_note}"
    answer = Answer(root, text)
    return with_largest_weak_light_note(
        answer, document.scene, (m for point in points for m in point.measures)
    )


def _row_values_by_id(table: Table, row: int, ids: Sequence[str]) -> dict[str, float | str | None]:
    """The values in a row of the table by the ids of their columns, and the path of the light if it
    differs from that in the present scene.
    """
    cells: dict[str, float | str | None] = {
        name: (table.cell(i, v, "") if i in table.choices else None if np.isnan(v) else v)
        for i, (name, v) in enumerate(zip(ids, table.rows[row].tolist(), strict=True))
    }
    if table.other_paths[row]:
        cells["other_path"] = table.other_paths[row]
    return cells


def _measure_extremes(table: Table, column: int, parameters: int, measure: Bound) -> SweptMeasure:
    """The least and the largest value of a measure, and the parameters at which they occur."""
    values = table.rows[:, column]
    about: dict[str, Any] = {
        "id": f"m{column - parameters + 1}",
        "of": table.columns[column],
        "unit": table.units[column] or None,
    }
    if (found := extremes_of(values, measure.period, signed=measure.signed)) is None:
        return SweptMeasure(**about)
    for word, index in (("least", found.least), ("most", found.most)):
        there = zip(table.columns, table.rows[index, :parameters], table.units, strict=False)
        at = ", ".join(
            f"{name}={table.cell(i, v, '.9g')}{unit_suffix(unit)}"
            for i, (name, v, unit) in enumerate(there)
        )
        at += " (on another path)" * bool(table.other_paths[index])
        about |= {word: float(values[index]), f"{word}_at": at}
    if measure.period or measure.signed:
        about["spread"] = found.spread
    return SweptMeasure(**about)


def _extreme_in_words(extreme: SweptMeasure) -> str:
    unit = unit_suffix(extreme.unit or "")
    if extreme.least == extreme.most:
        return f"{extreme.of} is {extreme.least:.6g}{unit} throughout"
    text = (
        f"{extreme.of} from {extreme.least:.6g}{unit} at {extreme.least_at} to"
        f" {extreme.most:.6g}{unit} at {extreme.most_at}"
    )
    return text if extreme.spread is ABSENT else f"{text}, a range of {extreme.spread:.6g}{unit}"
