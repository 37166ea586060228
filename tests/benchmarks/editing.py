"""Latency benchmarks: from an edit to the finished trace, and from a stop request to the partial
result.
"""

from __future__ import annotations

import itertools
import statistics
import threading
import time
from dataclasses import replace

from raybench.scene.changes import Move, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

from .report import Cell, Column, Extent, Table
from .scenes import comb, prism, room

SEGMENTS_PER_RAY = 9.14
"""Segments per ray in the prism scene."""
STEP = 0.05
"""The distance by which the object is moved each time, in scene units."""


def editing_table(extent: Extent) -> Table:
    """Move the last object of a scene repeatedly and measure the time from the edit to the finished
    result.
    """
    rows: list[tuple[Cell, ...]] = []
    for n in extent.edited_segments:
        rows.append(("prism", *_edit_to_result(prism(round(n / SEGMENTS_PER_RAY)), n * 2, extent)))
    for glasses in extent.objects:
        rows.append(
            (f"room of {glasses} glasses", *_edit_to_result(room(glasses, 1_000), 10_000, extent))
        )
    rows.append(
        (
            f"module of {extent.module_parts} parts",
            *_edit_to_result(comb(extent.module_parts, 1_000), 10_000, extent),
        )
    )
    columns = (
        Column("scene", "moved object of"),
        Column("objects", "objects"),
        Column("segments", "segments"),
        Column("best", "best", "ms"),
        Column("median", "median", "ms"),
    )
    return Table(
        "editing", "From a moved object to the finished result, all threads", columns, tuple(rows)
    )


def _edit_to_result(scene: Scene, limit: int, extent: Extent) -> tuple[Cell, ...]:
    key = scene.objects[-1].key
    memory = TraceMemory()  # reused between traces, as in the window
    trace(scene, max_segments=limit, memory=memory)
    times, segments = [], 0
    for i in range(3 * extent.repeats):
        begun = time.perf_counter()
        scene = apply_changes(Move(key, STEP if i % 2 else -STEP, 0), Document(scene=scene)).scene
        segments = len(trace(scene, max_segments=limit, memory=memory))
        times.append((time.perf_counter() - begun) * 1e3)
    return len(scene.optical), segments, min(times), statistics.median(times)


def stopping_table(extent: Extent) -> Table:
    """Measure the time from a stop request until the trace returns its partial result."""
    rows: list[tuple[Cell, ...]] = []
    for name, scene in (
        ("prism", prism(extent.stopped_rays)),
        ("mirrored room", _endless(room(500, extent.stopped_rays))),
    ):
        waits = [
            w for _ in range(max(2, extent.repeats)) if (w := _wait_after_stop(scene)) is not None
        ]
        worst, middle = (max(waits), statistics.median(waits)) if waits else (None, None)
        rows.append((name, extent.stopped_rays, middle, worst))
    columns = (
        Column("scene", "scene"),
        Column("rays", "rays"),
        Column("median", "median", "ms"),
        Column("worst", "worst", "ms"),
    )
    return Table("stopping", "From a stop request to the partial result", columns, tuple(rows))


def _endless(scene: Scene) -> Scene:
    return replace(scene, settings=replace(scene.settings, max_ray_depth=Settings().max_ray_depth))


_delays = itertools.cycle((0.05, 0.11, 0.17, 0.23))


def _wait_after_stop(scene: Scene) -> float | None:
    """Milliseconds from the stop request to the result; None if the trace finished before."""
    stop_event = threading.Event()
    requested: list[float] = []

    def request() -> None:
        requested.append(time.perf_counter())
        stop_event.set()

    begun: list[threading.Timer] = []

    def stop() -> bool:
        if not begun:  # the first poll: the trace is running
            begun.append(threading.Timer(next(_delays), request))
            begun[0].start()
        return stop_event.is_set()

    result = trace(scene, stop=stop)
    now = time.perf_counter()
    for timer in begun:
        timer.cancel()
    return (
        (now - requested[0]) * 1e3 if requested and result.completion.text == "cancelled" else None
    )
