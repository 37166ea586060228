"""Tracing benchmarks: segments per second, and its dependence on the numbers of objects and rays."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from pathlib import Path

from raybench.benchmark.clock import best_of
from raybench.benchmark.extent import Extent
from raybench.benchmark.plain_c import PlainKernel, fits
from raybench.benchmark.scenes import prism, room, synthetic_scene
from raybench.benchmark.table import Cell, Column, Table
from raybench.scene.scene import Scene
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

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
