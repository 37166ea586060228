"""The content of the inspector for a ray: its facts, and the steps from its source to all of its
branches.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from raybench.analysis.context import TracedScene
from raybench.analysis.geometry.straight import Rows
from raybench.analysis.paths.paths import lengths_of, whole_paths
from raybench.analysis.rays.incidence import incidences
from raybench.errors import elided
from raybench.scene.document import Document
from raybench.trace.columns import COLUMNS, RELATIVE, Reading
from raybench.trace.results.result import TraceResult
from raybench_workbench.panels.number_edit import format_decimals
from raybench_workbench.panels.ray_table import FORMATS, NONE, decimals_of, text_of

FACTS = {
    "source_name": "Source",
    "wavelength": "Wavelength",
    "total_power": "Relative power",
    "direction": "Direction",
    "depth": "Depth",
    "interaction": "Made by",
    "object": "Hits",
    "status": "Status",
}
"""The columns that are facts of a ray, with their names in the inspector."""
MOST_STEPS = 300
"""Largest number of steps that are listed: before others those that lead to the ray."""


@dataclass(frozen=True)
class Step:
    """A segment of a path: its row, number of interactions before it, and texts. ``under`` is the
    place in the list of the segment at which its branch begins, -1 where that is not listed, as at
    the source: what comes of a segment alone goes on at the same level.
    """

    row: int
    depth: int
    under: int
    way: str
    target: str
    power: str


@dataclass(frozen=True)
class RayPath:
    """A ray with its facts (name, text), the steps of its whole path, the number of all its steps,
    and which of those listed it is.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]
    count: int
    place: int


def ray_path(document: Document, result: TraceResult, row: int) -> RayPath:
    """The whole path of a row of a document's trace."""
    rows = whole_paths(result, np.array([row]))
    before = np.array(result.lineage.path(row))
    after = rows[~np.isin(rows, before)]
    after = after[np.argsort(result.depth[after], kind="stable")]
    nearest = np.concatenate([before[-MOST_STEPS:], after])[:MOST_STEPS]
    listed, under = _branches(result, nearest.tolist())
    steps = tuple(_steps(result, np.array(listed), under))
    return RayPath(
        result.segment_id(row),
        tuple(_facts(document, result, row, before)),
        steps,
        len(rows),
        listed.index(row),
    )


def _branches(result: TraceResult, rows: list[int]) -> tuple[list[int], list[int]]:
    """Segments of one source ray as branches, each to its end before the next begins, and the place
    of the segment above each, or -1.
    """
    listed, children = set(rows), dict[int, list[int]]()
    for row in sorted(rows, reverse=True):
        children.setdefault(int(result.parent[row]), []).append(row)
    ordered, under = [], []
    waiting = [
        (row, -1) for row in sorted(rows, reverse=True) if int(result.parent[row]) not in listed
    ]
    while waiting:
        row, above = waiting.pop()
        ordered.append(row)
        under.append(above)
        own = children.get(row, [])
        waiting += [(child, above if len(own) == 1 else len(ordered) - 1) for child in own]
    return ordered, under


def _facts(
    document: Document, result: TraceResult, row: int, before: Rows
) -> Iterator[tuple[str, str]]:
    context, decimals, unit = TracedScene.of(document, result), decimals_of(result), document.unit
    # columns that are computed for all rows of a result are computed for the ray's path alone
    reading = Reading(
        result.subset(before, result.revision), np.array([len(before) - 1]), context.edge_title
    )
    for name, title in FACTS.items():
        column = COLUMNS[name]
        text = text_of(column, column.values(reading)[0], decimals)
        if text != NONE:
            yield title, f"{text} nm" if name == "wavelength" else elided(text, 60)
        if name == "total_power":
            yield (
                "s, p",
                ", ".join(
                    FORMATS[float, RELATIVE](power, decimals)
                    for power in result.power[row].tolist()
                ),
            )
        if name == "object" and text != NONE:
            (edge,) = COLUMNS["edge_label"].values(reading)
            if edge is not None:
                yield "Edge", elided(str(edge), 60)
            angle = float(
                incidences(result, document.scene, np.array([row]), context.disabled).angle[0]
            )
            if not math.isnan(angle):
                yield "Incidence", f"{angle:.2f}°"
        if name == "depth":
            lengths = lengths_of(result, document.scene, before, context.disabled)
            yield "Length", _length(float(lengths.geometric[-1]), decimals, unit)
            yield "Path to its end", _length(float(lengths.geometric.sum()), decimals, unit)
            yield "Optical path", _length(float(lengths.optical.sum()), decimals, unit)


def _length(value: float, decimals: int, unit: str) -> str:
    return f"{format_decimals(value, decimals + 1)} {unit}" if math.isfinite(value) else "∞"


def _steps(result: TraceResult, rows: Rows, under: list[int]) -> Iterator[Step]:
    reading = Reading(result, rows)
    texts = [
        [text_of(COLUMNS[n], v, 2) for v in COLUMNS[n].values(reading)]
        for n in ("interaction", "object", "status", "total_power")
    ]
    for row, above, way, target, status, power in zip(rows.tolist(), under, *texts, strict=True):
        yield Step(
            row, int(result.depth[row]), above, way, status if target == NONE else target, power
        )
