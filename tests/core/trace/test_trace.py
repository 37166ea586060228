"""The rows of a trace: order, lineage, limits, completion, the power ledger."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from raybench.errors import RaybenchError
from raybench.kinds.aspects.emission import TooManyRays
from raybench.kinds.blockers import Blocker
from raybench.kinds.decorations import CropBox
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.kinds.unread import UnreadObject
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Completion, Flag, Interaction, Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

pytestmark = pytest.mark.quick

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
    "status",
    "flags",
)


def glass(*corners: tuple[float, float], **more: object) -> Glass:
    return Glass(path=tuple(Vertex(x, y) for x, y in corners), **more)


def room(rays: float = 0.2) -> Scene:
    """A closed room of mirrors with two prisms: light in every direction, many generations."""
    walls = [(0, 0, 100, 0), (100, 0, 100, 80), (100, 80, 0, 80), (0, 80, 0, 0)]
    mirrors = [Mirror(p1=Point(a, b), p2=Point(c, d)) for a, b, c, d in walls]
    prisms = [
        glass((20, 20), (40, 25), (30, 45)),
        glass((60, 30), (85, 40), (70, 60), ref_index=1.7),
    ]
    source = PointSource(x=50.3, y=15.1, brightness=rays)
    return Scene.of([source, *mirrors, *prisms, CircleGlass(p1=Point(50, 60), p2=Point(58, 60))],
                    Settings(max_ray_depth=25, ray_mode_density=rays))  # fmt: skip


def assert_same_rows(a: TraceResult, b: TraceResult) -> None:
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)


def test_a_ray_that_hits_nothing_escapes_with_infinite_length() -> None:
    result = trace(Scene.of([SingleRay(p1=Point(1, 2), p2=Point(4, 6))]))
    assert len(result) == 1
    assert result.status[0] == Status.ESCAPED
    assert result.length[0] == math.inf
    np.testing.assert_allclose(result.p2[0] - result.p1[0], [6000, 8000])


def test_rows_name_what_was_hit_and_where_they_came_from() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Laser"),
            Mirror(p1=Point(10, -5), p2=Point(20, 5), name="Fold"),
            Blocker(p1=Point(10, 30), p2=Point(20, 30), name="Dump"),
        ]
    )
    result = trace(scene)
    assert result.hit.tolist() == [1, 2]
    assert result.parent.tolist() == [-1, 0]
    assert result.depth.tolist() == [0, 1]
    assert result.interaction.tolist() == [Interaction.SOURCE, Interaction.REFLECT]
    assert result.status.tolist() == [Status.CONTINUED, Status.ABSORBED]
    assert result.object_names == ("Laser", "Fold", "Dump")
    np.testing.assert_allclose(result.p2, [[15, 0], [15, 30]], atol=1e-12)


def test_any_number_of_threads_gives_the_rows_of_one() -> None:
    scene = room(rays=12.0)
    one = trace(scene, threads=1)
    assert len(one) > 100_000
    for threads in (2, 3, 4):
        many = trace(scene, threads=threads)
        assert_same_rows(one, many)
        assert one.ledger == many.ledger


def test_parents_precede_their_children_and_end_where_these_start() -> None:
    result = trace(room())
    child = np.flatnonzero(result.parent >= 0)
    assert (result.parent[child] < child).all()
    np.testing.assert_array_equal(result.p2[result.parent[child]], result.p1[child])
    np.testing.assert_array_equal(result.depth[result.parent[child]] + 1, result.depth[child])


@pytest.mark.parametrize("mode", ["default", "linear"])
def test_the_power_ledger_balances(mode: str) -> None:
    scene = room()
    result = trace(scene.with_settings(color_mode=mode))
    ledger = result.ledger
    assert ledger.emitted > 0
    assert ledger.truncated > 0
    assert abs(ledger.imbalance) < 1e-9 * ledger.emitted
    assert (ledger.resampled > 0) == (mode == "default")


def test_the_ledger_balances_if_a_limit_ended_the_trace() -> None:
    result = trace(room(), max_segments=777)
    assert len(result) == 777
    assert result.completion is Completion.SEGMENT_LIMIT
    assert result.ledger.alive > 0
    assert abs(result.ledger.imbalance) < 1e-9 * result.ledger.emitted
    assert (result.status == Status.ALIVE).any()


def test_a_limited_trace_is_the_beginning_of_the_whole() -> None:
    whole, part = trace(room()), trace(room(), max_segments=500, threads=2)
    for name in ("p1", "p2", "power", "hit", "parent"):
        np.testing.assert_array_equal(getattr(part, name), getattr(whole, name)[:500])


def test_a_crop_box_limits_the_trace_after_the_segment_that_exceeds_it() -> None:
    scene = room()
    scene = scene.with_objects(
        [*scene.objects, CropBox(p1=Point(0, 0), p4=Point(1, 1), ray_count_limit=100)]
    )
    result = trace(scene)
    assert len(result) == 101
    assert result.completion is Completion.SEGMENT_LIMIT


def test_a_stopped_trace_keeps_what_it_has(hold_at: Callable[[int], Any]) -> None:
    result = trace(room(rays=12.0), threads=1, stop=hold_at(1_000).stop)
    assert result.completion is Completion.CANCELLED
    whole = trace(room(rays=12.0))
    assert 1_000 <= len(result) < len(whole)
    np.testing.assert_array_equal(result.p1, whole.p1[: len(result)])


def test_a_reduced_trace_takes_an_even_selection_of_the_source_rays() -> None:
    scene = Scene.of([PointSource(x=0, y=0, brightness=1)], Settings(ray_mode_density=1))
    result = trace(scene, max_source_rays=11)
    assert result.completion is Completion.REDUCED
    assert len(result) == 11
    assert result.source_ray.tolist() == [round(k * 499 / 10 - 0.4999) for k in range(11)]


def test_the_depth_limit_cuts_before_the_object_acts() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            Detector(p1=Point(5, -1), p2=Point(5, 1)),
            Detector(p1=Point(9, -1), p2=Point(9, 1)),
        ],
        Settings(max_ray_depth=1),
    )
    result = trace(scene)
    assert result.status.tolist() == [Status.CONTINUED, Status.DEPTH]
    assert [d.power for d in result.detectors] == [1.0, 0.0]
    assert result.ledger.truncated == 1.0


def test_detectors_count_by_side_and_by_bin() -> None:
    scene = Scene.of(
        [
            Beam(p1=Point(0, 0), p2=Point(0, 10), brightness=1.0),
            Detector(p1=Point(20, 0), p2=Point(20, 10), irrad_map=True, bin_size=5.0, name="front"),
            Detector(p1=Point(30, 10), p2=Point(30, 0), name="back"),
            Detector(p1=Point(40, 10), p2=Point(40, 0), two_sided=False, name="blind"),
        ],
        Settings(ray_mode_density=1.0),
    )
    front, back, blind = trace(scene).detectors
    assert (front.power, front.normal, front.bins) == (10.0, 10.0, (5.0, 5.0))
    assert back.power == -10.0
    assert blind.power == 0.0


def test_a_detector_measures_shear_along_itself() -> None:
    scene = Scene.of(
        [SingleRay(p1=Point(0, 0), p2=Point(3, 4)), Detector(p1=Point(6, 0), p2=Point(6, 20))]
    )
    (reading,) = trace(scene).detectors
    assert reading.power == 1.0
    assert reading.normal == pytest.approx(0.6)
    assert reading.shear == pytest.approx(-0.8)


def test_disabled_objects_neither_act_nor_emit_but_keep_their_index() -> None:
    mirror = Mirror(p1=Point(10, -5), p2=Point(10, 5))
    lamp = SingleRay(p1=Point(0, 3), p2=Point(1, 3))
    scene = Scene.of(
        [
            lamp,
            mirror,
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            Blocker(p1=Point(20, -5), p2=Point(20, 5)),
        ]
    )
    result = trace(scene, disabled={mirror.key, lamp.key})
    assert result.hit.tolist() == [3]
    assert result.source.tolist() == [2]


def test_light_passes_objects_that_could_not_be_read() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            UnreadObject(read={"type": "Prismatron"}, reason="unknown"),
        ]
    )
    assert trace(scene).hit.tolist() == [-1]


def test_filters_act_on_their_band_only_and_only_where_colours_are_simulated() -> None:
    laser = SingleRay(p1=Point(0, 0), p2=Point(1, 0), wavelength=633)
    green = Blocker(p1=Point(10, -1), p2=Point(10, 1), filter=True, wavelength=540, bandwidth=20)
    not_green = Blocker(
        p1=Point(20, -1), p2=Point(20, 1), filter=True, invert=True, wavelength=540, bandwidth=20
    )
    scene = Scene.of([laser, green, not_green])
    assert trace(scene).hit.tolist() == [1]
    assert trace(scene.with_settings(simulate_colors=True)).hit.tolist() == [2]


def test_a_ray_into_a_corner_of_glass_ends_there_with_a_warning() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(10, 0)),
            glass((10, 0), (20, 10), (20, -10), name="Wedge"),
        ]
    )
    result = trace(scene)
    assert result.status.tolist() == [Status.ILL_DEFINED]
    assert "Wedge" in result.warnings[0].text
    assert result.ledger.imbalance == 0


def test_glued_halves_of_a_plate_are_one_plate() -> None:
    ray = SingleRay(p1=Point(-10, 2), p2=Point(0, 3), brightness=1.0)
    settings = Settings(color_mode="linear")
    whole = trace(Scene.of([ray, glass((0, 0), (10, 0), (10, 20), (0, 20))], settings))
    halves = trace(
        Scene.of(
            [
                ray,
                glass((0, 0), (5, 0), (5, 20), (0, 20)),
                glass((5, 0), (10, 0), (10, 20), (5, 20)),
            ],
            settings,
        )
    )
    out_whole, out_halves = whole.power[whole.escaped], halves.power[halves.escaped]
    np.testing.assert_allclose(
        np.sort(out_whole.sum(axis=1)), np.sort(out_halves.sum(axis=1)), atol=1e-12
    )


def test_a_mirror_on_glass_wins_over_the_glass() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(-10, 5), p2=Point(0, 5)),
            glass((0, 0), (10, 0), (10, 10), (0, 10), partial_reflect=False),
            Mirror(p1=Point(10, 0), p2=Point(10, 10)),
        ]
    )
    result = trace(scene)
    assert result.hit.tolist() == [1, 2, 1, -1]


def test_inside_of_a_keyhole_polygon_is_decided_by_parity() -> None:
    """Two squares joined by a slit of no width: light crosses the slit as if it were not there."""
    outline = glass(
        (0, 0),
        (10, 0),
        (10, 5),
        (20, 5),
        (20, 0),
        (30, 0),
        (30, 10),
        (20, 10),
        (20, 5),
        (10, 5),
        (10, 10),
        (0, 10),
    )
    scene = Scene.of([SingleRay(p1=Point(-5, 2), p2=Point(0, 2)), outline])
    result = trace(scene.with_settings(color_mode="linear"))
    refracted = result.interaction == Interaction.REFRACT
    assert refracted.sum() >= 4
    scene = Scene.of([SingleRay(p1=Point(15, -5), p2=Point(15, 0)), outline])
    assert trace(scene).hit.tolist() == [1, -1]
    assert trace(scene).p2[0].tolist() == [15, 5]


def test_total_reflection_is_marked_on_both_segments() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(-10, 5), p2=Point(0, 5)),
            glass((0, 0), (20, 20), (0, 20), name="Prism"),
        ]
    )
    result = trace(scene)
    row = np.flatnonzero(result.interaction == Interaction.TIR)[0]
    assert result.flags[row] & Flag.TIR
    assert result.flags[result.parent[row]] & Flag.CAUSES_TIR
    np.testing.assert_array_equal(result.power[row], result.power[result.parent[row]])
    assert result.lineage.tir_count[row] == 1


def test_a_lens_without_focal_length_ends_the_light() -> None:
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            IdealLens(p1=Point(5, -5), p2=Point(5, 5), focal_length=0),
        ]
    )
    assert trace(scene).status.tolist() == [Status.ILL_DEFINED]


def test_sources_without_extent_emit_nothing() -> None:
    scene = Scene.of(
        [SingleRay(p1=Point(1, 1), p2=Point(1, 1)), Beam(p1=Point(1, 1), p2=Point(1, 1))]
    )
    result = trace(scene)
    assert len(result) == 0
    assert result.completion is Completion.COMPLETE


def test_a_source_with_too_many_rays_is_refused_by_name() -> None:
    scene = Scene.of([PointSource(x=0, y=0, name="Sun")], Settings(ray_mode_density=1e6))
    with pytest.raises(TooManyRays, match="'Sun'"):
        trace(scene)


def test_an_angle_source_fans_evenly_about_its_direction() -> None:
    scene = Scene.of(
        [AngleSource(p1=Point(0, 0), p2=Point(0, -1), emis_angle=90)],
        Settings(ray_mode_density=0.2),
    )
    result = trace(scene)
    d = result.p2 - result.p1
    angles = np.degrees(np.arctan2(d[:, 1], d[:, 0]))
    assert len(result) == 25
    np.testing.assert_allclose(np.diff(angles), 3.6)
    assert angles[0] == pytest.approx(-135)


def test_rays_of_two_traces_do_not_share_their_ids() -> None:
    scene = Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 0))])
    first, second = trace(scene), trace(scene)
    assert first.segment_id(0) != second.segment_id(0)
    assert trace(scene, revision=41).segment_id(0) == "r41-0"


@pytest.mark.parametrize("limits", [{"threads": 0}, {"threads": -1}, {"memory_limit": 0}])
def test_no_threads_and_no_memory_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(
        RaybenchError, match=f"{next(iter(limits))} is -?[01]; give a whole number of at least 1"
    ):
        trace(room(), **limits)
