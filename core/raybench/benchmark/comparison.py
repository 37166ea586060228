"""Tracing beside another engine: medians with their spread, of interleaved runs, and recorded times
of Ray Optics Simulation.
"""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from raybench.benchmark.extent import Extent
from raybench.benchmark.scenes import medium, synthetic_scene
from raybench.benchmark.table import Cell, Column, Table
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

RECORDED: dict[str, tuple[float, float]] = {
    "a_prism_1k": (12.3, 17.0),
    "a_prism_10k": (120.0, 269.0),
    "a_prism_100k": (1963.0, 3320.0),
    "b_room20_1k": (4106.0, 6622.0),
    "c_room500_20": (1047.0, 414.0),
    "c_room500_200": (10521.0, 5261.0),
}
"""Milliseconds that version 5.4 of Ray Optics Simulation took for a scene, and its branch
``primitive-based``: bare traces under Node 20 on a virtual machine with 2 cores that other programs
shared.
"""
COLUMNS = (
    Column("scene", "scene"),
    Column("segments", "segments"),
    Column("median", "all threads, median", "ms"),
    Column("low", "from", "ms"),
    Column("high", "to", "ms"),
    Column("one_thread", "one thread, median", "ms"),
    Column("gain", "gain by threads"),
    Column("recorded", "Ray Optics 5.4", "ms"),
    Column("recorded_branch", "its new engine", "ms"),
)
NOTE = (
    "From the lower to the upper quartile of the rounds. In a round all scenes take turns, each"
    " with one thread, all, all and one, so\nthat what disturbs them disturbs all alike; the gain"
    " is the median of the rounds. Ray Optics Simulation was recorded once, on scenes\nalike and"
    " two shared cores."
)


def comparison_table(extent: Extent, folder: Path | None) -> Table:
    """The benchmark scenes up to a size, and a gradient-index medium, traced in turns; recorded
    scenes from ``folder`` if available.
    """
    names = [name for name in extent.scenes if name in RECORDED]
    scenes = {name: synthetic_scene(name, folder) for name in names} | {
        f"medium of {extent.waves} waves": medium(extent.waves, 100)
    }
    memories = {name: TraceMemory() for name in scenes}
    segments = {
        name: len(_traced(scene, None, extent, memories[name])) for name, scene in scenes.items()
    }
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in scenes}
    for _ in range(max(3, extent.repeats)):
        for name, scene in scenes.items():
            _traced(
                scene, 1, extent, memories[name]
            )  # the scene before left the caches full of its own
            # in both orders: the second of two brief traces alike is some per cent faster
            one, every, every_again, one_again = (
                _milliseconds(scene, n, extent, memories[name]) for n in (1, None, None, 1)
            )
            times[name].append(((one + one_again) / 2, (every + every_again) / 2))
    rows = [
        (name, segments[name], *_statistics(times[name]), *RECORDED.get(name, (None, None)))
        for name in scenes
    ]
    return Table("beside", "Tracing beside another engine", COLUMNS, tuple(rows), NOTE)


def _statistics(pairs: list[tuple[float, float]]) -> tuple[Cell, ...]:
    """Median and quartiles with all threads, the median with one, and the median ratio, of times
    with one and with all threads.
    """
    low, median, high = statistics.quantiles((every for _, every in pairs), n=4, method="inclusive")
    return (
        median,
        low,
        high,
        statistics.median(one for one, _ in pairs),
        statistics.median(one / every for one, every in pairs),
    )


def _traced(scene: Scene, threads: int | None, extent: Extent, memory: TraceMemory) -> TraceResult:
    return trace(
        scene, threads=threads, max_segments=extent.most_segments, stop=lambda: False, memory=memory
    )


def _milliseconds(scene: Scene, threads: int | None, extent: Extent, memory: TraceMemory) -> float:
    begun = time.perf_counter()
    _traced(scene, threads, extent, memory)
    return (time.perf_counter() - begun) * 1e3
