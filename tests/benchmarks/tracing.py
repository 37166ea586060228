"""Tracing: segments per second and their dependence on the numbers of objects and rays; medians of
interleaved runs beside recorded times of another engine.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Iterable
from pathlib import Path

from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

from .plain_c import PlainKernel, fits
from .report import Cell, Column, Extent, Table, best_of
from .scenes import medium, prism, room, synthetic_scene

COLUMNS = (
    Column("segments", "segments"),
    Column("one_thread", "one thread", "M segments/s"),
    Column("all_threads", "all threads", "M segments/s"),
    Column("plain_c", "plain C", "M segments/s"),
    Column("ratio", "time / plain C", "one thread"),
)
NOTE = (
    "Plain C tests every primitive for every ray, on one thread: below 1 the hierarchy is faster.\n"
    "One thread is measured in CPU time, all threads in wall-clock time."
)


def synthetic_table(extent: Extent, kernel: PlainKernel | None, folder: Path | None) -> Table:
    """The benchmark scenes; recorded ones from ``folder`` if available."""
    scenes = ((name, synthetic_scene(name, folder)) for name in extent.scenes)
    rows = [
        (name, len(scene.optical), *_speed(scene, extent.most_segments, extent, kernel))
        for name, scene in scenes
    ]
    return Table(
        "speed",
        "Tracing",
        (Column("scene", "scene"), Column("objects", "objects"), *COLUMNS),
        tuple(rows),
        NOTE,
    )


def objects_table(extent: Extent, kernel: PlainKernel | None) -> Table:
    """A room with increasing numbers of round glasses."""
    rows = [
        (n, *_speed(room(n, 2_000), extent.growth_segments, extent, kernel)) for n in extent.objects
    ]
    return Table(
        "objects",
        "Growth with the number of objects (mirrored room)",
        (Column("glasses", "glasses"), *COLUMNS),
        tuple(rows),
    )


def rays_table(extent: Extent, kernel: PlainKernel | None) -> Table:
    """A prism with increasing numbers of rays."""
    rows = [(n, *_speed(prism(n), extent.most_segments, extent, kernel)) for n in extent.rays]
    return Table(
        "rays",
        "Growth with the number of rays (prism)",
        (Column("rays", "rays"), *COLUMNS),
        tuple(rows),
    )


def _speed(scene: Scene, most: int, extent: Extent, kernel: PlainKernel | None) -> Iterable[Cell]:
    def run(threads: int | None) -> int:
        # with a stop callback, the trace can be interrupted from the keyboard
        return len(
            trace(scene, threads=threads, max_segments=most, stop=lambda: False, memory=memory)
        )

    memory = TraceMemory()
    n = run(None)
    one = n / best_of(lambda: run(1), extent.repeats, time.process_time)
    every = n / best_of(lambda: run(None), extent.repeats)
    plain = _plain_speed(scene, extent, kernel)
    return n, one / 1e6, every / 1e6, plain / 1e6 if plain else None, plain / one if plain else None


def _plain_speed(scene: Scene, extent: Extent, kernel: PlainKernel | None) -> float | None:
    if kernel is None or not fits(scene):
        return None
    # a number of segments that takes at most a second, at one or two nanoseconds per primitive
    limit = max(200, min(extent.compared_segments, math.ceil(5e8 / max(1, len(scene.optical)))))
    run = kernel.prepared(scene, limit)
    n = len(run())
    return n / best_of(run, min(3, extent.repeats), time.thread_time) if n else None


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
COMPARED = (
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
COMPARED_NOTE = (
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
    return Table("beside", "Tracing beside another engine", COMPARED, tuple(rows), COMPARED_NOTE)


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
