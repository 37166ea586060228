"""Benchmarks of studies: evaluations of an experiment beside the bare traces that they consist
of.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from raybench.kinds.glasses import GlassBody
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.study.experiment import Evaluator, Experiment, Values
from raybench.study.sweep import Sweep
from raybench.study.tolerance import Tolerance
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import load_kernels, trace

from .editing import SEGMENTS_PER_RAY
from .report import Cell, Column, Extent, Table
from .scenes import prism, room

SWEPT_DEG = 5.0
SEGMENTS = 10_000
"""Segments of the scene that is swept."""
REPEATS = 3
"""The sweep and the bare traces alternate so often; the best of each counts, since both compete
with other programs.
"""


def studies_table(extent: Extent) -> Table:
    """A sweep over the angle of a prism, and the sensitivities of many parameters, with all
    threads.
    """
    document = Document(scene=prism(round(SEGMENTS / SEGMENTS_PER_RAY)))
    prisms = document.scene.objects[-1].title
    count = extent.evaluations
    sweep = Sweep.build(document, [f"{prisms}.angle=0..{SWEPT_DEG}:{count}"], "escaped()")
    load_kernels()
    runs = [
        (_swept(sweep), _bare_traces(sweep.experiment, list(sweep.points)))
        for _ in range(min(REPEATS, extent.repeats))
    ]
    swept, bare = map(min, zip(*runs, strict=True))
    rows: list[tuple[Cell, ...]] = [("sweep, prism", SEGMENTS, count, swept, bare, swept / bare)]
    scene = room(extent.sensitive, 1_000)
    study = Tolerance.read(
        Document(scene=scene), _deviations(scene), ["escaped()"], max_segments=SEGMENTS
    )
    begun = time.perf_counter()
    with Evaluator() as evaluator:
        effects = len(list(study.sensitivities(evaluator)))
    rows.append(
        (
            f"sensitivities of {effects} parameters, room",
            SEGMENTS,
            2 * effects,
            time.perf_counter() - begun,
            None,
            None,
        )
    )
    columns = (
        Column("study", "study"),
        Column("segments", "segments of one"),
        Column("evaluations", "evaluations"),
        Column("seconds", "all", "s"),
        Column("bare", "bare traces", "s"),
        Column("ratio", "ratio"),
    )
    return Table("studies", "Studies, all threads", columns, tuple(rows))


def _swept(sweep: Sweep) -> float:
    """Seconds of a whole sweep."""
    begun = time.perf_counter()
    for _ in sweep.run():
        pass
    return time.perf_counter() - begun


def _bare_traces(experiment: Experiment, points: Sequence[Values]) -> float:
    """Seconds to trace the same scenes without reading a measure, in as many threads."""
    threads = os.cpu_count() or 1
    scenes = [experiment.document_with_values(values).scene for values in points]

    def work(part: int) -> None:
        memory = TraceMemory()
        for scene in scenes[part::threads]:
            trace(scene, threads=1, memory=memory)

    begun = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, range(threads)))
    return time.perf_counter() - begun


def _deviations(scene: Scene) -> list[str]:
    glasses = [o.title for o in scene.objects if isinstance(o, GlassBody)]
    return [f"{title}.{place}±0.01" for title in glasses for place in "xy"]
