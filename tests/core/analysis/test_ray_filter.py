"""Which rays pass a filter, and its description."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.open_prism import SEGMENTS, prism_session

from raybench.analysis.rays.columns import COLUMNS
from raybench.analysis.rays.ray_filter import InvalidFilter, Quantity, RangeCondition, RayFilter
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import View

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda x: st.lists(x, max_size=3),
)
CONDITION = st.fixed_dictionaries(
    {},
    optional={
        "key": st.sampled_from(["power", "angle", "source", "object", "x"]) | JSON,
        "range": st.dictionaries(st.sampled_from(["gte", "lte", "gt", "lt", "x"]), JSON) | JSON,
        "match": st.dictionaries(st.just("any"), JSON) | JSON,
    },
)


def fan(angles: list[float]) -> TraceResult:
    """Rays from the origin, at angles in degrees, counter-clockwise as seen, of lengths 1, 2, 3 ..."""
    ends = [
        ((i + 1) * math.cos(math.radians(a)), -(i + 1) * math.sin(math.radians(a)))
        for i, a in enumerate(angles)
    ]
    return TraceResult.from_segments(
        [
            {"p1": (0, 0), "p2": p, "brightness_s": 0.1 * i, "brightness_p": 0.0}
            for i, p in enumerate(ends)
        ]
    )


def rows(result: TraceResult, clause: str = "must", **condition: Any) -> list[int]:
    key = condition.pop("key")
    found = RayFilter.from_json({clause: [{"key": key, "range": condition}]})
    return np.flatnonzero(found.mask(result)).tolist()


def test_closed_and_open_ranges() -> None:
    result = fan([0, 0, 0, 0])  # powers 0, 0.1, 0.2, 0.3
    assert rows(result, key="power", gte=0.1, lte=0.2) == [1, 2]
    assert rows(result, key="power", gt=0.1, lt=0.3) == [2]
    assert rows(result, key="power", gte=0.1) == [1, 2, 3]
    assert rows(result, key="power", lt=0.1) == [0]
    assert rows(result, "must_not", key="power", gte=0.1, lte=0.2) == [0, 3]


def test_lengths_in_scene_units_with_escaping_rays_infinite() -> None:
    result = TraceResult.from_segments(SEGMENTS)
    assert rows(result, key="length", gt=1e9) == [3]
    assert rows(fan([0, 0, 0]), key="length", gte=2, lte=2) == [1]


def test_wavelength_on_its_bound_passes() -> None:
    result = dataclasses.replace(
        fan([0, 0, 0]), wavelength=np.array([632.8, 588, np.nan], np.float32)
    )
    assert rows(result, key="wavelength", gte=632.8) == [0]
    assert rows(result, key="wavelength", lte=632.8) == [0, 1]
    assert rows(result, key="wavelength", lt=632.8) == [1]


def test_depth_counts_interactions() -> None:
    assert rows(TraceResult.from_segments(SEGMENTS), key="depth", gte=1, lte=1) == [1, 2]


@pytest.mark.parametrize(
    ("bounds", "passing"),
    [
        ({"gte": 0, "lte": 90}, [0, 45, 90]),
        ({"gt": 0, "lt": 90}, [45]),
        ({"gte": -50, "lte": 50}, [0, 45, 315]),
        ({"gte": 310, "lte": 10}, [0, 315]),
        ({"gte": 180}, [180, 270, 315]),
        ({"lte": 90}, [0, 45, 90]),
        ({"lt": 90}, [0, 45]),
        ({"gte": 45, "lte": 45}, [45]),
        ({"gte": 0, "lte": 360}, [0, 45, 90, 180, 270, 315]),
    ],
)
def test_angles_run_counter_clockwise_as_seen_and_pass_zero(
    bounds: dict[str, float], passing: list[float]
) -> None:
    angles: list[float] = [0, 45, 90, 180, 270, 315]
    result = fan(angles)
    assert COLUMNS["direction"].numbers(result) == pytest.approx(angles)
    assert [angles[i] for i in rows(result, key="angle", **bounds)] == passing


@pytest.mark.parametrize(
    "bounds", [{"gte": 90, "lte": 90}, {"gte": 90, "lt": 100}, {"gte": 80, "lte": 90}]
)
def test_angle_within_rounding_of_a_bound(bounds: dict[str, float]) -> None:
    for angle in (90 - 1e-10, 90 + 1e-10):
        assert len(rows(fan([angle]), key="angle", **bounds)) == 1
    for bound in ("gt", "lt"):
        other = {"lte": 100} if bound == "gt" else {"gte": 80}
        assert len(rows(fan([90 - 1e-10, 90 + 1e-10]), key="angle", **{bound: 90.0}, **other)) == 0


@given(st.floats(0, 359), st.floats(-400, 400), st.floats(0.01, 359.9))
@settings(max_examples=60, deadline=None)
def test_angles_from_the_lower_bound_on(angle: float, low: float, width: float) -> None:
    turned = (angle - low) % 360
    if min(turned, 360 - turned, abs(turned - width)) > 1e-6:
        assert bool(rows(fan([angle]), key="angle", gte=low, lte=low + width)) == (turned < width)


def test_a_curved_ray_has_its_first_direction() -> None:
    result = fan([0])
    curved = dataclasses.replace(
        result, points=np.array([[0, 3]], np.int32), polyline=np.array([[0, 0], [0, -1], [1, 0.0]])
    )
    assert COLUMNS["direction"].numbers(curved) == pytest.approx([90])


@pytest.fixture
def traced() -> tuple[Scene, TraceResult]:
    """Two lasers of which one goes through a glass; indices: lasers 0 and 2, glass 1."""
    glass = Glass(name="Slab", path=(Vertex(0, -5), Vertex(5, -5), Vertex(5, 5), Vertex(0, 5)))
    lasers = [
        SingleRay(name=f"Laser {i}", p1=Point(-9, 20 * i), p2=Point(-8, 20 * i)) for i in (0, 1)
    ]
    scene = Scene.of([lasers[0], glass, lasers[1]])
    result = TraceResult.from_segments(
        [
            {"p1": (-9, 0), "p2": (0, 0), "brightness_s": 0.5, "brightness_p": 0.5},
            {
                "p1": (-9, 20),
                "p2": (90, 20),
                "brightness_s": 0.5,
                "brightness_p": 0.5,
                "escaped": True,
            },
            {
                "p1": (0, 0),
                "p2": (5, 0),
                "brightness_s": 0.4,
                "brightness_p": 0.4,
                "parent": 0,
                "interaction": "refract",
            },
            {
                "p1": (5, 0),
                "p2": (90, 0),
                "brightness_s": 0.4,
                "brightness_p": 0.4,
                "parent": 2,
                "interaction": "refract",
                "escaped": True,
            },
        ]
    )
    hit, source = np.array([1, -1, 1, -1], np.int32), np.array([0, 2, 0, 0], np.int32)
    return scene, dataclasses.replace(result, hit=hit, source=source, scene=scene)


def test_rays_from_a_source_and_at_an_object(traced: tuple[Scene, TraceResult]) -> None:
    scene, result = traced

    def passing(**clauses: Any) -> list[int]:
        return np.flatnonzero(RayFilter.from_json(clauses).mask(result)).tolist()

    first, slab, second = (
        {"key": k, "match": {"any": [o.key]}}
        for k, o in zip(("source", "object", "source"), scene.objects, strict=True)
    )
    assert passing(should=[first]) == [0, 2, 3]
    assert passing(should=[slab]) == [0, 2, 3]  # the last one leaves it
    assert passing(should=[slab, second]) == [0, 1, 2, 3]
    assert passing(must=[slab], should=[second]) == []
    assert passing(must_not=[first]) == [1]
    assert passing(must=[{"key": "depth", "range": {"gte": 1}}], should=[first, second]) == [2, 3]


def test_an_object_is_followed_by_its_key(traced: tuple[Scene, TraceResult]) -> None:
    scene, result = traced
    laser = scene.objects[2]
    only = RayFilter.from_json({"should": [{"key": "source", "match": {"any": [laser.key]}}]})
    renamed = scene.with_objects([*scene.objects[:2], dataclasses.replace(laser, name="Probe")])
    assert np.flatnonzero(only.mask(dataclasses.replace(result, scene=renamed))).tolist() == [1]
    assert only.description(renamed) == "from Probe"
    gone = scene.with_objects(scene.objects[:2])
    assert only.mask(dataclasses.replace(result, scene=gone)).sum() == 0
    assert only.mask(dataclasses.replace(result, scene=None)).sum() == 0
    assert only.description(gone) == "from a deleted object"


def test_a_filter_is_described_in_words() -> None:
    session = prism_session()
    laser = session.document.scene.objects[1]
    found = RayFilter.from_json(
        {
            "must": [
                {"key": "power", "range": {"gte": 0.1}},
                {"key": "wavelength", "range": {"gte": 500, "lte": 600}},
            ],
            "should": [{"key": "source", "match": {"any": [laser.key]}}],
            "must_not": [{"key": "length", "range": {"gt": 1, "lt": 2.5}}],
        }
    )
    assert (
        found.description(session.document.scene, "µm")
        == "power ≥ 0.1, wavelength 500 to 600 nm, from Laser, not length > 1 µm and < 2.5 µm"
    )
    assert RayFilter.from_json(found.to_json()) == found
    assert RayFilter().description(session.document.scene) == ""


@given(
    st.dictionaries(
        st.sampled_from(["must", "should", "must_not", "x"]),
        st.lists(CONDITION, max_size=2) | JSON,
        max_size=2,
    )
)
@settings(max_examples=200, deadline=None)
def test_any_filter_is_read_or_refused(value: dict[str, Any]) -> None:
    try:
        found = RayFilter.from_json(value)
    except InvalidFilter:
        return
    found.mask(fan([0, 90]))
    assert RayFilter.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    "bounds",
    [
        {},
        {"gte": math.nan},
        {"gte": True},
        {"gte": 1, "gt": 1},
        {"gte": 2, "lte": 1},
        {"gte": "1"},
        {"lt": math.inf},
    ],
)
def test_a_range_that_is_none_is_refused(bounds: dict[str, Any]) -> None:
    with pytest.raises(InvalidFilter, match="power"):
        RangeCondition("power", **bounds)


@pytest.mark.parametrize(
    ("key", "bounds"),
    [
        ("power", {"gt": 5.0, "lt": 5.0}), ("power", {"gte": 5.0, "lt": 5.0}), ("depth", {"gt": 2, "lte": 2}),
        ("angle", {"gt": 90, "lt": 90}), ("angle", {"gt": 350, "lte": -10}), ("angle", {"lt": 0}), ("angle", {"gt": 360}),
    ],
)  # fmt: skip
def test_a_range_that_holds_nothing_is_refused(key: Quantity, bounds: dict[str, Any]) -> None:
    with pytest.raises(InvalidFilter, match=f"No {key} is [<≤>≥]"):
        RangeCondition(key, **bounds)


@pytest.mark.parametrize(
    ("key", "bounds"),
    [
        ("power", {"gte": 5.0, "lte": 5.0}),
        ("angle", {"gte": 90, "lte": 90}),
        ("angle", {"gt": 0, "lt": 360}),
        ("angle", {"lte": 0}),
    ],
)
def test_range_of_one_value_or_a_whole_turn(key: Quantity, bounds: dict[str, Any]) -> None:
    assert RangeCondition(key, **bounds).description(Scene(), "mm")


def test_a_single_bound_outside_the_circle_asks_for_both() -> None:
    with pytest.raises(InvalidFilter, match="Give both bounds"):
        RangeCondition("angle", gte=-10)


def test_the_view_shows_what_passes_and_is_picked() -> None:
    session = prism_session()
    result = session.result
    assert result is not None
    assert View().visible_rows(result) is None
    assert not View().has_ray_filter
    strong = RayFilter.from_json({"must": [{"key": "power", "range": {"gte": 0.5}}]})
    picks = RaySet(np.array([1, 3]), "picked rays", result.revision, "R1")
    shown = View(ray_filter=strong, specific_rays=picks).visible_rows(result)
    assert shown is not None
    assert shown.tolist() == [3]
    view = View(ray_filter=strong, specific_rays=picks)
    assert view.description(session.document) == "power ≥ 0.5, only R1"
    assert view.without_ray_filter() == View()


def test_picked_rays_of_another_trace() -> None:
    session = prism_session()
    result = session.result
    assert result is not None
    view = View(specific_rays=RaySet(np.array([1, 99]), "picked rays", result.revision + 1, "R1"))
    assert view.visible_rows(result) is None
    assert view.description(session.document) == "only R1 (of an earlier trace: hides nothing)"
