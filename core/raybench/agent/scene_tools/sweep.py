"""The tool ``sweep``, which tabulates measures over the values of one or two parameters."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.scene_tools.change_scene import ChangeList
from raybench.agent.scene_tools.time_limit import SECONDS, STUDY_SECONDS, TimeLimit
from raybench.analysis.answers.answer import Answer, Element, Leaf
from raybench.analysis.answers.page import check_count
from raybench.analysis.answers.record import ABSENT, Record, Root
from raybench.analysis.answers.weak_light import add_largest_weak_light_note
from raybench.analysis.context import require_context
from raybench.analysis.measures.bound import Bound
from raybench.analysis.measures.grammar import MeasureList
from raybench.analysis.measures.kinds_of_path import strongest_path_words
from raybench.analysis.measures.measure import find_extremes
from raybench.errors import list_first_texts
from raybench.scene.changes import changes_from_json
from raybench.scene.changes.quantity import unit_suffix
from raybench.scene.document import Document
from raybench.schema.json_values import TextList
from raybench.study.sweep import Crossing
from raybench.study.sweep import Sweep as Study
from raybench.study.table import Table

MAX_ROWS = 200
MOST_VALUES_WITH_EXTREMES = 12
"""Values of a parameter for each of which extremes are given."""


class SweptParameter(Record, tag="parameter"):
    id: str
    of: str
    unit: str | None


class SweptMeasure(Record, tag="measure"):
    """The least and the largest value of a measure, and the parameters at which they occur. If the
    sign only tells a side, as for a deviation, values are compared by magnitude. For directions
    they are the ends of the shortest range that contains all values, counter-clockwise. ``spread``
    is the size of the range.
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
    """A table of values. Each row has one attribute for each parameter and measure, named by its
    id. ``other_path``: the path of the light, if it differs from the path in the present scene.
    ``each``: the extremes for each value of the parameter with fewer values, and the other
    parameter there. ``crossing``: a place where a measure has a requested value, with the path of
    the light. ``undefined_rows``: consecutive rows without values.
    """

    parameter: Sequence[SweptParameter]
    measure: Sequence[SweptMeasure]
    each: Sequence[Element]
    crossing: Sequence[Element]
    row: Sequence[Element]
    undefined_rows: Sequence[Element]
    undefined: Sequence[UndefinedMeasure]
    note: Sequence[Leaf]
    points: int
    rows_not_listed: int


def join_texts(texts: Any) -> str:
    """Join a list of texts with commas; a single text is unchanged."""
    return ", ".join(map(str, texts)) if isinstance(texts, list | tuple) else str(texts)


@tool_context(
    offered="usually",
    brief=(
        "Tabulate measures over one or two parameters, on copies of the scene: the least and "
        'most of each, and at most limit rows. axes such as ["Prism.angle=-20..20:81"] (turned '
        'by degrees), ["Lens.x=0..5mm:11"] (moved by), ["Wedge.refIndex=1.5,1.6"], '
        '["Lens.focalLength=10..1000:5 log"], ["Lens.material=N-BK7|N-SF11"]. find: values to find '
        'all places of, such as ["deviation(Prism) = 40"].'
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
    find: TextList | None = None,
    rays: float = 1.0,
    seconds: float = SECONDS,
) -> Answer:
    """Tabulate measures over the values of one or two parameters, each tried on a copy of the
    scene. The scene itself is not changed.

    Leads with the least and most of each measure and where they are: of one whose sign is only a
    sense, such as a deviation, by size; of directions with the size of their range; of two
    parameters also for each choice. To find a best value to full precision use optimise.

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
        find: Values to find all places of, such as ["deviation(Prism) = 40"].
        rays: Times as many rays as in the scene.
        seconds: Ends after this time with what there is; at most 280.
    """
    check_count("limit", limit, least=0, most=MAX_ROWS)
    document = ctx.document.with_more_rays(rays)
    first = changes_from_json(changes or [], document)
    study = Study.build(document, axes, measures, first=first, targets=find or ())
    time_limit = TimeLimit(ctx, seconds)
    points = []
    for point in study.run(stop=time_limit.is_over):
        points.append(point)
        ctx.progress(len(points), len(study))
    crossings = [*study.crossings(points, stop=time_limit.is_over)]
    table = study.table(points)
    count, parameters = len(table.rows), len(study.axes)
    bound = study.experiment.measures
    extremes = [
        _measure_extremes(table, i, parameters, measure)
        for i, measure in enumerate(bound, parameters)
    ]
    ids = [f"p{i + 1}" for i in range(parameters)] + [f"m{i + 1}" for i in range(len(bound))]
    defined = np.asarray(np.isfinite(table.rows[:, parameters:]).any(axis=1))
    with_values = np.flatnonzero(defined)
    chosen = with_values[
        np.unique(
            np.linspace(0, max(len(with_values) - 1, 0), min(limit, len(with_values))).round()
        ).astype(int)
    ].tolist()
    reasons = {m.expression: m.reason for point in points for m in point.measures if not m.defined}
    note = time_limit.note(count, len(study), "points")
    root = SweepTable(
        parameter=[
            SweptParameter(id=ids[i], of=table.columns[i], unit=table.units[i] or None)
            for i in range(parameters)
        ],
        measure=extremes,
        each=_extremes_of_each_value(table, study, ids),
        crossing=[_crossing_element(crossing, study, ids) for crossing in crossings],
        row=[Element("row", _row_values_by_id(table, row, ids)) for row in chosen],
        undefined_rows=_undefined_runs(table, defined, parameters),
        undefined=[UndefinedMeasure(of=name, reason=reason) for name, reason in reasons.items()],
        note=[Leaf("note", note)] if note else [],
        points=count,
        rows_not_listed=len(with_values) - len(chosen),
        context=require_context(),
    )
    found = [_swept_range_in_words(e) for e in extremes if e.least is not ABSENT]
    text = f"{count} points: {'; '.join(found) or 'no measure is defined at any of them'}"
    for goal in study.targets:
        there = [_crossing_in_words(c, study, document) for c in crossings if c.goal is goal]
        nowhere = "nowhere" + " so far" * time_limit.is_over()
        text += f"; {goal} {list_first_texts(there, MAX_ROWS) or nowhere}"
    answer = Answer(root, ". ".join(filter(None, [text, table.paths_note, note])))
    return add_largest_weak_light_note(
        answer, document.scene, (m for point in points for m in point.measures)
    )


def _extremes_of_each_value(table: Table, study: Study, ids: Sequence[str]) -> list[Element]:
    """For two parameters: the extremes of the measures for each value of the parameter with fewer
    values, and the value of the other parameter there. Empty for more than
    `MOST_VALUES_WITH_EXTREMES` values.
    """
    axis = min(range(len(study.axes)), key=lambda i: len(study.axes[i].values))
    values, other = study.axes[axis].values, 1 - axis
    if len(study.axes) < 2 or len(values) > MOST_VALUES_WITH_EXTREMES:
        return []
    found = []
    for value in values:
        rows = table.rows[table.rows[:, axis] == value]
        about: dict[str, Any] = {ids[axis]: table.cell(axis, value, ".9g")}
        for column, measure in enumerate(study.experiment.measures, len(study.axes)):
            extremes = find_extremes(rows[:, column], measure.period, signed=measure.signed)
            for word in ("least", "most") if extremes is not None else ():
                row = rows[getattr(extremes, word)]
                about[f"{ids[column]}_{word}"] = float(row[column])
                about[f"{ids[column]}_{word}_{ids[other]}"] = table.cell(other, row[other], ".9g")
        found.append(Element("each", about))
    return found


def _crossing_element(crossing: Crossing, study: Study, ids: Sequence[str]) -> Element:
    numbers = (crossing.value, *(m.value_or_none for m in crossing.measures))
    names = [m.expression for m in study.experiment.measures]
    path = strongest_path_words(crossing.measures[names.index(crossing.goal.expression)].paths)
    return Element(
        "crossing",
        {
            "of": str(crossing.goal),
            **dict(zip(ids, numbers, strict=True)),
            "path": path or None,
            "jumps": crossing.jumps or None,
        },
    )


def _crossing_in_words(crossing: Crossing, study: Study, document: Document) -> str:
    parameter = study.axes[0].parameter
    jumps = "jumped over " * crossing.jumps
    return f"{jumps}at {parameter.text}={crossing.value:.9g}{unit_suffix(parameter.unit_text(document))}"


def _undefined_runs(table: Table, defined: NDArray[np.bool_], parameters: int) -> list[Element]:
    """The runs of consecutive rows in which no measure is defined, each with the parameters of its
    first and last row.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[True], defined, [True]])))
    return [
        Element(
            "undefined_rows",
            {
                "rows": int(stop - start),
                "from": _place_in_words(table, int(start), parameters),
                "to": _place_in_words(table, int(stop - 1), parameters),
            },
        )
        for start, stop in edges.reshape(-1, 2)
    ]


def _place_in_words(table: Table, row: int, parameters: int) -> str:
    there = zip(table.columns, table.rows[row, :parameters], table.units, strict=False)
    return ", ".join(
        f"{name}={table.cell(i, v, '.9g')}{unit_suffix(unit)}"
        for i, (name, v, unit) in enumerate(there)
    )


def _row_values_by_id(table: Table, row: int, ids: Sequence[str]) -> dict[str, float | str | None]:
    """The values in a row of the table by column id, and the path of the light if it differs from
    the path in the present scene.
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
    if (found := find_extremes(values, measure.period, signed=measure.signed)) is None:
        return SweptMeasure(**about)
    for word, index in (("least", found.least), ("most", found.most)):
        at = _place_in_words(table, index, parameters)
        at += " (on another path)" * bool(table.other_paths[index])
        about |= {word: float(values[index]), f"{word}_at": at}
    if measure.period or measure.signed:
        about["spread"] = found.spread
    return SweptMeasure(**about)


def _swept_range_in_words(extreme: SweptMeasure) -> str:
    unit = unit_suffix(extreme.unit or "")
    if extreme.least == extreme.most:
        return f"{extreme.of} is {extreme.least:.6g}{unit} throughout"
    text = (
        f"{extreme.of} from {extreme.least:.6g}{unit} at {extreme.least_at} to"
        f" {extreme.most:.6g}{unit} at {extreme.most_at}"
    )
    return text if extreme.spread is ABSENT else f"{text}, a range of {extreme.spread:.6g}{unit}"
