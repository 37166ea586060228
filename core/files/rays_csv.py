"""Rays as a table of comma-separated values, with the unit in every heading."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from core.analysis.rays.ray_facts import degree_of_polarization, word_of
from core.files.atomic import replacing
from core.trace.codes import Flag, Interaction, Status
from core.trace.results.result import RaySet, TraceResult

BLOCK = 20_000
"""Rows that are written at a time."""


def save_csv(
    result: TraceResult,
    path: Path | str,
    rays: RaySet | None = None,
    *,
    unit: str = "mm",
    edge_name: Callable[[int, int], str] = lambda _hit, edge: str(edge),
) -> None:
    """Write all segments, or some ``rays`` of them, one a line. Lengths are in ``unit``; ``edge_name`` says what an edge of an optical
    object is called. Text is UTF-8, lines end as RFC 4180 says, an empty cell means that there is no such thing.
    Raises FileWriteError where the file cannot be written."""
    rows = np.arange(len(result)) if rays is None else rays.rows
    with replacing(path) as file, io.TextIOWrapper(file, "utf-8", errors="backslashreplace", newline="") as text:
        writer = csv.writer(text)
        writer.writerow(headings(unit))
        for start in range(0, len(rows), BLOCK):
            writer.writerows(_lines(result, rows[start : start + BLOCK], edge_name))


def headings(unit: str) -> list[str]:
    """The headings of the columns, each with its unit."""
    places = [f"{p} {axis} [{unit}]" for p in ("start", "end") for axis in "xy"]
    return [
        "id", "parent", "source", "source ray", "depth", "interaction", *places, f"length [{unit}]", "power s [relative]",
        "power p [relative]", "power [relative]", "degree of polarization", "wavelength [nm]", "object", "edge", "status",
        "total reflections on the path", "meets grazing", "resampled", "gap",
    ]  # fmt: skip


def _lines(result: TraceResult, rows: Any, edge_name: Callable[[int, int], str]) -> Iterator[tuple[Any, ...]]:
    names = dict(enumerate(result.object_names)) | {-1: ""}
    edges: dict[tuple[int, int], str] = {}
    hows, ends = [word_of(i) for i in Interaction], [word_of(s) for s in Status]
    power, flags = result.power[rows], result.flags[rows]
    marks = [((flags & flag) != 0).astype(int).tolist() for flag in (Flag.CAUSES_GRAZING, Flag.RESAMPLED, Flag.GAP)]
    columns = zip(
        rows.tolist(), result.parent[rows].tolist(), result.source[rows].tolist(), result.source_ray[rows].tolist(),
        result.depth[rows].tolist(), result.interaction[rows].tolist(), result.p1[rows].tolist(), result.p2[rows].tolist(),
        result.length[rows].tolist(), power.tolist(), degree_of_polarization(power).tolist(), result.wavelength[rows].tolist(),
        result.hit[rows].tolist(), result.edge[rows].tolist(), result.status[rows].tolist(),
        result.lineage.tir_count[rows].tolist(), *marks,
        strict=True,
    )  # fmt: skip
    for row, parent, source, ray, depth, how, start, end, length, (s, p), dop, nm, hit, edge, status, tirs, *facts in columns:
        if hit >= 0 and (hit, edge) not in edges:
            edges[hit, edge] = edge_name(hit, edge)
        yield (
            result.segment_id(row), result.segment_id(parent) if parent >= 0 else "", names.get(source, source), ray, depth, hows[how],
            *start, *end, length, s, p, s + p, dop, "" if nm != nm else nm, names.get(hit, hit), edges[hit, edge] if hit >= 0 else "",
            ends[status], tirs, *facts,
        )  # fmt: skip
