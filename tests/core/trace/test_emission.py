"""Source rays are computed in chunks, equal to those of a simple loop, until the trace is stopped."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import pytest

from raybench.kinds.aspects import emission as making
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.codes import Completion
from raybench.trace.run import emission
from raybench.trace.run.emission import initial_rays
from raybench.trace.run.memory import TraceMemory
from raybench.trace.run.progress import StopEvent
from raybench.trace.trace import trace

EVERY_KIND = (
    PointSource(x=1.0, y=2.0, brightness=3.0),
    AngleSource(p1=Point(3.0, 4.0), p2=Point(5.0, 7.0), emis_angle=50.0, wavelength=600.0),
    AngleSource(p1=Point(3.0, 4.0), p2=Point(5.0, 7.0), symmetric=False),
    SingleRay(p1=Point(0.0, 1.0), p2=Point(2.0, 3.0)),
    SingleRay(p1=Point(1.0, 1.0), p2=Point(1.0, 1.0)),
    Beam(p1=Point(0.0, 0.0), p2=Point(3.0, 40.0), brightness=7.0),
    Beam(p1=Point(0.0, 0.0), p2=Point(30.0, 40.0), emis_angle=25.0, lambert=True),
    Beam(p1=Point(9.0, 0.0), p2=Point(0.0, 9.0), emis_angle=60.0, lambert=True, random=True),
)
COLUMNS = ("start", "direction", "power", "gap", "source", "wavelength")


@pytest.mark.parametrize("mode", ["rays", "observer"])
@pytest.mark.parametrize("color_mode", ["default", "linear"])
def test_the_size_of_chunks_changes_no_ray(
    monkeypatch: pytest.MonkeyPatch, mode: str, color_mode: str
) -> None:
    scene = Scene.of(EVERY_KIND, Settings(mode=mode, color_mode=color_mode, simulate_colors=True))
    at_once = initial_rays(scene)
    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 7)
    in_chunks = initial_rays(scene)
    assert in_chunks is not at_once
    assert in_chunks.fractions == at_once.fractions
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(in_chunks, name), getattr(at_once, name), name)
        assert getattr(in_chunks, name).dtype == getattr(at_once, name).dtype


def test_angles_are_summed_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 100)
    rays = initial_rays(Scene.of([PointSource(x=0.0, y=0.0)], Settings(ray_mode_density=0.7)))
    angles, angle, step = [], 0.0, 2 * math.pi / 350
    while angle < 2 * math.pi - 1e-5:
        angles.append(angle)
        angle += step
    np.testing.assert_array_equal(rays.direction, np.column_stack([np.sin(angles), np.cos(angles)]))


def test_the_density_rises_step_by_step_until_no_ray_is_too_bright(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 100)
    rays = initial_rays(
        Scene.of([PointSource(x=0.0, y=0.0, brightness=1.5)], Settings(color_mode="linear"))
    )
    density = 0.1
    while 1.5 / density > 1:
        density += 1 / 500
    assert set(rays.power.tolist()) == {1.5 / density}


def stopping_at(ask: int) -> Callable[[], bool]:
    asked = count(1)
    return lambda: next(asked) >= ask


def times_asked(scene: Scene) -> int:
    asked = count()
    initial_rays(scene, (), lambda: next(asked) < 0)
    return next(asked)


def test_an_emission_that_is_stopped_anywhere_has_a_few_rays_of_each_source(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = Scene.of(EVERY_KIND, Settings(color_mode="linear"))
    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 64)
    monkeypatch.setattr(emission, "RAYS_AFTER_STOP", 100)
    monkeypatch.setattr(emission, "STOPPED_SECONDS", 60.0)  # the machine may be busy
    asked = times_asked(scene)
    assert asked > 3 * len(EVERY_KIND)
    complete = initial_rays(scene, (), stopping_at(asked + 1))
    assert complete.complete
    assert len(complete) > 900
    drawn = complete.source != len(EVERY_KIND) - 1  # the rays of the last one are random
    known = {
        tuple(row)
        for row in np.column_stack(
            [complete.start, complete.direction, complete.power, complete.source]
        )[drawn]
    }
    for ask in range(2, asked + 1):
        stopped = initial_rays(scene, (), stopping_at(ask))
        assert not stopped.complete
        assert 50 < len(stopped) < 150
        assert set(stopped.source.tolist()) == set(complete.source.tolist())
        rows = np.column_stack([stopped.start, stopped.direction, stopped.power, stopped.source])
        assert {tuple(row) for row in rows[stopped.source != len(EVERY_KIND) - 1]} <= known
        assert stopped.fractions == ()
    assert len(initial_rays(scene, (), stopping_at(1))) == 0


def test_sources_that_take_long_are_left_out_when_the_emission_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(emission, "STOPPED_SECONDS", 0.0)
    stopped = initial_rays(Scene.of(EVERY_KIND), (), stopping_at(5))
    assert 0 < len(set(stopped.source.tolist())) < len(EVERY_KIND) - 1


@pytest.mark.parametrize("source", [EVERY_KIND[0], EVERY_KIND[1], EVERY_KIND[6], EVERY_KIND[7]])
def test_each_piece_of_a_large_source_can_be_the_last(
    monkeypatch: pytest.MonkeyPatch, source: PointSource | AngleSource | Beam
) -> None:
    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 50)
    scene = Scene.of([source], Settings(ray_mode_density=10.0))
    assert times_asked(scene) >= 1 + len(initial_rays(scene)) / 50


@pytest.mark.parametrize(
    "share", [0.0, 0.5, 1.0], ids=["sources are prepared", "first rays", "last rays"]
)
def test_light_of_every_source_is_kept_when_a_trace_is_stopped_while_sources_emit(
    monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 50)
    fans = [AngleSource(p1=Point(0, y), p2=Point(1, y), emis_angle=60) for y in (0, 10, 20)]
    scene = Scene.of(fans, Settings(ray_mode_density=10.0))
    last = times_asked(scene) - 1
    stopped = trace(scene, stop=stopping_at(2 + round(share * (last - 2))))
    assert stopped.completion == Completion.CANCELLED
    assert set(stopped.source.tolist()) == {0, 1, 2}
    for source in (0, 1, 2):
        assert np.ptp((stopped.direction[stopped.source == source] + 180) % 360) > 55, (
            "from the whole fan, not from its begin"
        )


def test_a_stop_that_stays_while_sources_emit_keeps_light_even_if_that_never_ends(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The window's stop is seen by compiled code as soon as it is set."""
    stop, emitted = StopEvent(), making.chunk_slices

    def stopped_at_the_third(count: int, ask: making.Poll) -> Iterator[slice]:
        for i, chunk in enumerate(emitted(count, ask)):
            if i == 2:
                stop.set()
            yield chunk

    monkeypatch.setattr(making, "RAYS_PER_CHUNK", 50)
    monkeypatch.setattr(emission, "chunk_slices", stopped_at_the_third)
    corners = Point(0, 0), Point(90, 0), Point(90, 70), Point(0, 70)
    room = [Mirror(p1=a, p2=b) for a, b in zip(corners, (*corners[1:], corners[0]), strict=True)]
    result = trace(
        Scene.of([PointSource(x=31, y=22), *room], Settings(ray_mode_density=10.0)), stop=stop
    )
    assert result.completion is Completion.CANCELLED
    assert np.unique(result.source_ray).size == 2_500, "every second one"
    assert result.depth.max() > 10


def test_a_stopped_emission_does_not_change_the_memory() -> None:
    scene, memory = Scene.of(EVERY_KIND), TraceMemory()
    trace(scene, memory=memory)
    first = memory.left.rays
    stopped = trace(scene.with_settings(ray_mode_density=2.0), stop=lambda: True, memory=memory)
    assert stopped.completion == Completion.CANCELLED
    assert memory.left.rays is first
    assert first is not None
    assert initial_rays(scene, before=first) is first


def test_a_trace_that_is_stopped_at_once_is_empty() -> None:
    result = trace(Scene.of(EVERY_KIND), stop=lambda: True)
    assert result.completion is Completion.CANCELLED
    assert len(result) == 0


def test_a_beam_too_narrow_for_a_ray_emits_none_however_many_directions_each_would_have() -> None:
    beam = Beam(p1=Point(0.0, 0.0), p2=Point(0.0, 1e-30), emis_angle=60.0)
    result = trace(Scene.of([beam], Settings(ray_mode_density=1e9)))
    assert (len(result), result.completion) == (0, Completion.COMPLETE)


def test_a_source_whose_power_is_beyond_any_number_leaves_all_of_it_unsent() -> None:
    lamp = PointSource(x=0.0, y=0.0, brightness=1e50)
    ledger = trace(Scene.of([lamp], Settings(ray_mode_density=1e-300))).ledger
    assert ledger.emitted > 0
    assert (ledger.unsent, ledger.unsent_share) == (math.inf, 1.0)


def test_rays_of_draws_lie_between_each_other() -> None:
    scene = Scene.of(EVERY_KIND[:-1], Settings(ray_mode_density=0.05))
    drawn, before = [], None
    for draw in range(4):
        before = initial_rays(scene, before=before, draw=draw)
        alone = initial_rays(scene, draw=draw)
        for name in COLUMNS:
            np.testing.assert_array_equal(getattr(before, name), getattr(alone, name))
        drawn.append(before)
    for i, source in enumerate(scene.optical):
        powers = [np.bincount(r.source, r.power, len(scene.optical))[i] for r in drawn]
        rays = [set(map(tuple, np.hstack([r.start, r.direction])[r.source == i])) for r in drawn]
        if isinstance(source, SingleRay):
            assert all(own == rays[0] for own in rays)
        else:
            assert len(set().union(*rays)) == sum(map(len, rays))
            assert powers[1:] == pytest.approx([powers[1]] * 3, rel=0.05)
            assert powers[0] == pytest.approx(powers[1], rel=0.3)
