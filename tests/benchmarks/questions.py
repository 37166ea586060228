"""Benchmarks of queries about a trace: all analysis tools applicable to a prism, and XML output of
rays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from raybench.analysis.agentic_tools import rays_to_xml, set_context_from_result
from raybench.analysis.context import (
    TracedScene,
    get_context,
    override_context,
    publish_context,
    require_context,
)
from raybench.analysis.tool_registry import get_agentic_tools
from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.trace.results.ray_set import Segments
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

from .editing import SEGMENTS_PER_RAY
from .report import Cell, Column, Extent, Table, best_of
from .scenes import prism

GIVEN: dict[str, Any] = {
    "glass_name": "Prism", "object_name": "Prism", "edge_label": "S", "pattern": "* > Prism:S (refract) > escape",
    "n1": 1.0, "n2": 1.5, "angle": 30.0, "measures": "power(Prism); deviation(Prism)", "sql": "SELECT count(*) FROM rays WHERE length > 10",
}  # fmt: skip
"""Arguments for tools about the prism scene, by parameter name."""
QUESTION_REPEATS = 3


def questions_table(extent: Extent) -> Table:
    """Time every tool whose parameters are known, on the same trace; then XML output, and
    activating a trace.
    """
    document = Document(scene=prism(round(extent.asked_segments / SEGMENTS_PER_RAY)))
    scene = document.scene
    result = trace(scene, revision=document.revision, unit=document.unit)
    given = GIVEN | {"ray_id": result.segment_id(0)}
    rows: list[tuple[Cell, ...]] = [_context_row(scene, result)]
    repeats = min(QUESTION_REPEATS, extent.repeats)
    with override_context(TracedScene.from_document(document, result)):
        for tool in get_agentic_tools():
            needed = {p: given[p] for p in tool["input_schema"].get("required", ()) if p in given}
            if len(needed) == len(tool["input_schema"].get("required", ())):
                rows.append((tool["name"], *_asked(tool["function"], needed, repeats)))
        for n in extent.listed_rays:
            some = Segments(result, np.arange(min(n, len(result))))
            seconds = best_of(lambda some=some: rays_to_xml(some), repeats)  # type: ignore[misc]
            rows.append(("rays_to_xml", len(some), seconds * 1e3))
    columns = (
        Column("question", "question"),
        Column("rays", "rays in the answer"),
        Column("milliseconds", "best", "ms"),
    )
    return Table(
        "questions",
        f"Questions about {len(result):,} segments".replace(",", "\u2009"),
        columns,
        tuple(rows),
    )


def _asked(function: Any, arguments: dict[str, Any], repeats: int) -> tuple[Cell, ...]:
    answers = require_context().answers
    answers.clear()
    try:
        seconds = best_of(lambda: function(**arguments), repeats)
    except (RaybenchError, ValueError):  # not applicable to the prism
        return None, None
    return len(answers[-1]) if answers else None, seconds * 1e3


def _context_row(scene: Scene, result: TraceResult) -> tuple[Cell, ...]:
    before = require_context() if get_context() else None
    seconds = best_of(lambda: set_context_from_result(scene, result), 3)
    publish_context(before)
    return "set_context_from_result", None, seconds * 1e3
