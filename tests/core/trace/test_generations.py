"""Batches, threads, stopping, limits and budgets change how many rows are traced, never their
values.
"""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.benchmarks.memory import LEAST
from tests.benchmarks.scenes import prism, room

from raybench.kinds.glasses import CircleGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.codes import Completion, Status
from raybench.trace.kernels import team
from raybench.trace.results.result import TraceResult
from raybench.trace.run import generations
from raybench.trace.run import memory as memory_module
from raybench.trace.run.emission import initial_rays
from raybench.trace.run.generations import NEVER, Generations
from raybench.trace.run.progress import TraceProgress
from raybench.trace.trace import select_rays, trace

COLUMNS = (
    "p1",
    "p2",
    "power",
    "wavelength",
    "parent",
    "source",
    "source_ray",
    "depth",
    "hit",
    "edge",
    "interaction",
    "flags",
    "points",
)


def assert_beginning_of(part: TraceResult, whole: TraceResult) -> None:
    """The part's rows equal the first rows of the whole, with a status of their own where the trace
    ended.
    """
    n = len(part)
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[:n], err_msg=name)
    alive = part.status == Status.ALIVE
    np.testing.assert_array_equal(part.status[~alive], whole.status[:n][~alive])
    assert (whole.status[:n][alive] != Status.ESCAPED).all()
    assert part.ledger.imbalance == pytest.approx(0, abs=1e-9 * max(1.0, part.ledger.emitted))


def graded(rays: int) -> Scene:
    """A beam through a ball whose index falls from its centre."""
    ball = CircleGrinGlass(p1=Point(0, 0), p2=Point(10, 0), ref_index_fn="2-0.005\\cdot(x^2+y^2)")
    return Scene.of(
        [Beam(p1=Point(-30, -5), p2=Point(-30, 5)), ball], Settings(ray_mode_density=rays / 10)
    )


@pytest.mark.parametrize(
    "scene", [prism(3_000), room(30, 200), graded(60)], ids=["prism", "room", "graded"]
)
def test_batches_and_threads_do_not_change_rows(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = trace(scene, threads=1, max_segments=60_000)
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    for size, threads in ((1, 2), (7, 4), (50, 1), (333, 2), (4_000, 3)):
        monkeypatch.setattr(memory_module, "BATCH_RAYS", size)
        monkeypatch.setattr(memory_module, "GRADED_BATCH_RAYS", size)
        again = trace(scene, threads=threads, max_segments=60_000)
        assert len(again) == len(whole)
        assert_beginning_of(again, whole)
        assert again.ledger.escaped == pytest.approx(whole.ledger.escaped)


@pytest.mark.parametrize("threads", [1, 2])
def test_the_log_of_paths_grows(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = trace(graded(60), threads=1)
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    monkeypatch.setattr(memory_module, "LOG_POINTS", 8)
    again = trace(graded(60), threads=threads)
    assert len(again) == len(whole)
    assert_beginning_of(again, whole)
    np.testing.assert_array_equal(again.polyline, whole.polyline)


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_a_stopped_trace_has_the_first_rows(
    threads: int, monkeypatch: pytest.MonkeyPatch, hold_at: Callable[..., Any]
) -> None:
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    monkeypatch.setattr(memory_module, "BATCH_RAYS", 50)
    scene = room(30, 400)
    whole = trace(scene, max_segments=100_000, threads=1)
    for rows in (1, 300, 5_000, 40_000, 90_000):
        part = trace(scene, max_segments=100_000, threads=threads, stop=hold_at(rows).stop)
        assert part.completion is Completion.CANCELLED
        assert rows <= len(part) < len(whole)
        assert_beginning_of(part, whole)
    hold_at(NEVER)
    assert_beginning_of(
        trace(scene, max_segments=100_000, threads=threads, stop=lambda: False), whole
    )


def test_curved_rays_that_are_stopped_balance_too(hold_at: Callable[..., Any]) -> None:
    scene = graded(3_000)
    whole = trace(scene)
    part = trace(scene, stop=hold_at(1_000).stop)
    assert part.completion is Completion.CANCELLED
    assert 1_000 <= len(part) < len(whole)
    assert_beginning_of(part, whole)


@pytest.mark.parametrize(
    "make",
    [lambda: prism(30_000), lambda: room(300, 10_000), lambda: graded(2_000)],
    ids=["prism", "room", "graded"],
)
def test_after_a_stop_no_more_rows_are_written(
    make: Callable[[], Scene], monkeypatch: pytest.MonkeyPatch, hold_at: Callable[..., Any]
) -> None:
    traces, run = [], Generations.run
    monkeypatch.setattr(
        Generations, "run", lambda self, *args: traces.append(self) or run(self, *args)
    )
    hold, at_stop = hold_at(2_000), []

    def stop() -> bool:
        if hold.stop():
            at_stop.append(traces[0].rows)
        return hold.stop()

    result = trace(make(), stop=stop, threads=3, max_segments=3_000_000)
    assert result.completion is Completion.CANCELLED
    assert set(at_stop) == {len(result)}
    assert len(result) >= 2_000


def test_a_trace_in_another_thread_stops_when_asked(hold_at: Callable[..., Any]) -> None:
    wish, hold = threading.Event(), hold_at(5_000)
    out: list[TraceResult] = []
    scene = room(100, 200_000)
    worker = threading.Thread(target=lambda: out.append(trace(scene, stop=wish.is_set)))
    worker.start()
    hold.reached.wait()
    wish.set()
    worker.join()
    assert out[0].completion is Completion.CANCELLED
    assert len(out[0]) >= 5_000


def test_rays_of_several_sections_are_as_alone() -> None:
    many, few = prism(150_000), prism(150_000)
    whole, some = trace(many, threads=2), trace(few, max_source_rays=500)
    of_whole = np.flatnonzero(
        np.isin(whole.source_ray, np.unique(some.source_ray)) & (whole.depth < 3)
    )
    of_some = np.flatnonzero(some.depth < 3)
    strong = [
        rows[result.power[rows].sum(axis=1) > 0.02]
        for result, rows in ((whole, of_whole), (some, of_some))
    ]
    for name in ("p1", "p2", "source_ray", "hit", "depth"):
        a, b = (
            getattr(r, name)[rows][np.lexsort((r.p2[rows, 1], r.depth[rows], r.source_ray[rows]))]
            for r, rows in zip((whole, some), strong, strict=True)
        )
        np.testing.assert_array_equal(a, b, err_msg=name)
    assert whole.ledger.imbalance == pytest.approx(0, abs=1e-9 * whole.ledger.emitted)


@pytest.mark.parametrize("limit", [300_000, 1_000_000, 3_000_000])
def test_memory_ends_traces_at_one_place(limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    grating = DiffractionGrating(p1=Point(560, 300), p2=Point(600, 600), line_density=300)
    light = PointSource(x=300, y=450)
    scene = Scene.of(
        [light, grating, CircleGlass(p1=Point(900, 450), p2=Point(960, 450))],
        Settings(ray_mode_density=3),
    )
    one = trace(scene, threads=1, memory_limit=limit)
    assert len(one) > 100
    for threads in (2, 4):
        trace(prism(700 * threads))
        other = trace(scene, threads=threads, memory_limit=limit)
        assert other.completion is one.completion
        assert len(other) == len(one)
        assert_beginning_of(other, one)


def test_stops_while_arrays_grow_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "POLL_INTERVAL", 1e-5)
    unheard = 0
    for looks in range(3, 60):
        left = [looks]

        def once(left: list[int] = left) -> bool:
            left[0] -= 1
            return left[0] == 0

        part = trace(graded(1_500), stop=once, threads=3)
        unheard += part.completion is not Completion.CANCELLED and left[0] <= 0
    assert unheard <= 1  # a stop may come as the last ray ends


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_forked_processes_can_trace() -> None:
    code = (
        "import os; from tests.benchmarks.scenes import prism; from raybench.trace.trace import"
        " trace\na = trace(prism(20_000), stop=lambda: False)\nchild = os.fork()\nb ="
        " trace(prism(20_000), stop=lambda: False)\nassert len(a) == len(b)\nos._exit(0) if child"
        " == 0 else os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))"
    )
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=120).returncode == 0


def test_short_traces_wait_for_no_long_ones(hold_at: Callable[..., Any]) -> None:
    end, hold = threading.Event(), hold_at(100_000)
    long = [
        threading.Thread(target=trace, args=(room(100, 200_000),), kwargs={"stop": end.is_set})
        for _ in range(3)
    ]
    for thread in long:
        thread.start()
    try:
        hold.reached.wait()
        short = trace(prism(3_000), stop=lambda: False)
        assert short.completion is Completion.COMPLETE
        assert all(thread.is_alive() for thread in long)
    finally:
        end.set()
        for thread in long:
            thread.join()


def slow() -> Scene:
    """As `graded`, with so long a formula that stops are polled while threads follow the paths."""
    terms = "".join(rf"+10^{{-9}}\cdot\cos\left({i}\cdot x\right)" for i in range(60))
    ball = CircleGrinGlass(
        p1=Point(0, 0), p2=Point(10, 0), ref_index_fn=f"2-0.005\\cdot(x^2+y^2){terms}"
    )
    return Scene.of(
        [Beam(p1=Point(-30, -5), p2=Point(-30, 5)), ball], Settings(ray_mode_density=300)
    )


@pytest.mark.parametrize("make", [lambda: room(100, 200_000), slow], ids=["room", "slow"])
def test_exceptions_in_stop_end_the_threads(
    make: Callable[[], Scene], monkeypatch: pytest.MonkeyPatch
) -> None:
    working, helped, asked = [0], Generations._help_advance, itertools.count()

    def noted_help(self: Generations, worker: int) -> None:
        working[0] += 1
        helped(self, worker)
        working[0] -= 1

    def stop() -> bool:
        if next(asked) > 20:
            raise KeyboardInterrupt
        return False

    monkeypatch.setattr(Generations, "_help_advance", noted_help)
    with pytest.raises(KeyboardInterrupt):
        trace(make(), stop=stop, threads=3)
    assert working == [0]


def test_an_exception_in_a_thread_ends_the_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(self: Generations, *args: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    monkeypatch.setattr(Generations, "_help_advance", failing)
    with pytest.raises(MemoryError):
        trace(prism(10_000), threads=2)


def test_threads_share_long_traces_only(monkeypatch: pytest.MonkeyPatch) -> None:
    calls, call = [0], Generations._call_helpers

    def noted_call(self: Generations, *args: Any) -> None:
        calls[0] += 1
        call(self, *args)

    monkeypatch.setattr(Generations, "_call_helpers", noted_call)
    trace(prism(100), threads=2)
    assert calls == [0]
    trace(room(30, 4_000), threads=1, max_segments=500_000)
    assert calls == [0]
    trace(room(30, 4_000), threads=2, max_segments=500_000)
    assert calls[0] > 0


def test_threads_without_number_take_no_memory_without_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    made: list[int] = []
    new = generations.new_batch
    monkeypatch.setattr(
        generations, "new_batch", lambda size, *args: made.append(size) or new(size, *args)
    )
    assert len(trace(prism(100), threads=20_000)) == len(trace(prism(100), threads=1))
    assert len(made) < 1_000


def test_helpers_take_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    seen: list[int] = []
    run = Generations._run_generations

    def noted_run(self: Generations, *args: Any) -> Completion:
        completion = run(self, *args)
        seen.append(int(self._team.helpers[team.LINE + team.HELD]))
        return completion

    monkeypatch.setattr(Generations, "_run_generations", noted_run)
    # a helper that has begun notes which parts it holds: none at the end
    while -1 not in seen and len(seen) < 100:
        trace(prism(20_000), threads=2)
    assert -1 in seen


def test_progress_tells_rows_and_power(
    monkeypatch: pytest.MonkeyPatch, hold_at: Callable[..., Any]
) -> None:
    monkeypatch.setattr(generations, "PROGRESS_INTERVAL", 0.0)
    reports: list[TraceProgress] = []
    for rows in (1_000, 100_000):
        hold_at(rows, until=lambda rows=rows: bool(reports) and reports[-1].segments >= rows)
    result = trace(room(100, 3_000), max_segments=300_000, progress=reports.append)
    segments, alive = [at.segments for at in reports], [at.alive for at in reports]
    assert segments == sorted(segments)
    assert segments[0] < 100_000 <= segments[-1] <= len(result)
    assert alive == sorted(alive, reverse=True)
    assert alive[0] > 0.9
    assert alive[-1] == pytest.approx(result.ledger.alive / result.ledger.supplied_power, abs=0.05)
    assert 0.5 < alive[-1] < 0.95, "light goes round in the room"
    assert {at.limit for at in reports} == {300_000}


def test_a_memory_limit_leaves_the_rows_so_far() -> None:
    scene = room(30, 500)
    whole = trace(scene, max_segments=200_000)
    part = trace(scene, max_segments=200_000, memory_limit=5_000_000)
    assert part.completion is Completion.MEMORY_LIMIT
    assert 1_000 < len(part) < len(whole)
    assert_beginning_of(part, whole)
    none = trace(scene, memory_limit=1)
    assert none.completion is Completion.MEMORY_LIMIT
    assert len(none) <= 8 * 500
    assert none.ledger.imbalance == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("scene", [prism(20_000), room(20, 500)], ids=["prism", "room"])
def test_a_segment_takes_no_more_memory_than_documented(scene: Scene) -> None:
    result = trace(scene, max_segments=300_000)
    assert len(result) > 100_000
    assert result.nbytes <= LEAST * len(result)


def test_a_budget_starts_all_source_rays(
    hold_at: Callable[..., Any],
) -> None:
    hold_at(100_000)  # the trace waits there for its budget to be used up
    result = trace(room(300, 50_000), budget_ms=1.0)
    assert result.completion is Completion.REDUCED
    assert len(result) >= 50_000
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-6)
    assert trace(prism(5), budget_ms=1e9).completion is Completion.COMPLETE


def test_selections_take_equal_fractions_of_sources() -> None:
    lamps = [
        PointSource(x=0, y=0),
        SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
        PointSource(x=50, y=0),
    ]
    rays = initial_rays(Scene.of(lamps, Settings(ray_mode_density=1.0)))
    chosen = select_rays(rays, 101)
    assert np.bincount(rays.source[chosen]).tolist() == [50, 1, 50]
    assert len(np.unique(chosen)) == len(chosen)
    assert np.diff(chosen[:50]).min() >= 9
    assert len(select_rays(rays, 10**9)) == len(rays)
    assert len(select_rays(rays, None)) == len(rays)
