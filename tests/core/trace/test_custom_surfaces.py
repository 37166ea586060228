"""Custom surfaces: outgoing rays by formulas, for s and p separately."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.kinds.custom_surfaces import CustomSurfaceBase
from raybench.scene.problems import find_scene_problems
from raybench.trace.codes import Flag, Interaction, Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

REFLECT = {"eqnTheta": r"\pi-\theta_0", "eqnP": "P_0-P_1"}


def lit(
    out_rays: list[dict[str, str]] | None,
    *others: dict[str, Any],
    ray: tuple[float, ...] = (-10, 5, 0, 0),
    **changes: Any,
) -> TraceResult:
    """A ray of power 2 from (x1, y1) towards (x2, y2), on a surface along x = 0 whose front is on
    the left.
    """
    surface: dict[str, Any] = {
        "type": "CustomSurface",
        "name": "S",
        "p1": {"x": 0, "y": -20},
        "p2": {"x": 0, "y": 20},
    } | changes
    if out_rays is not None:
        surface["outRays"] = out_rays
    source = {
        "type": "SingleRay",
        "p1": {"x": ray[0], "y": ray[1]},
        "p2": {"x": ray[2], "y": ray[3]},
        "brightness": 2,
    }
    result = trace(scene_from_json({"version": 5, "objs": [source, surface, *others]}))
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-12)
    return result


def directions(result: TraceResult) -> np.ndarray:
    d = result.p2 - result.p1
    return np.asarray(d / np.hypot(d[:, 0], d[:, 1])[:, None])


def test_by_default_seven_tenths_are_transmitted_undeflected_and_the_rest_is_reflected() -> None:
    result = lit(None)
    x, y = 2 / math.sqrt(5), -1 / math.sqrt(5)
    np.testing.assert_allclose(directions(result)[1:], [(-x, y), (x, y)], atol=1e-14)
    np.testing.assert_allclose(result.power, [(1, 1), (0.3, 0.3), (0.7, 0.7)])
    assert result.interaction.tolist() == [
        Interaction.SOURCE,
        Interaction.CUSTOM,
        Interaction.CUSTOM,
    ]
    assert result.parent.tolist() == [-1, 0, 0]


def test_an_empty_list_absorbs() -> None:
    result = lit([])
    assert result.status.tolist() == [Status.ABSORBED]
    assert result.ledger.absorbed == 2


def test_a_one_sided_surface_lets_light_from_behind_pass_and_a_two_sided_one_acts() -> None:
    assert len(lit([REFLECT], ray=(10, 5, 0, 0))) == 1
    mirrored = lit([{"eqnTheta": r"\pi-\theta_0", "eqnP": "P_0"}], ray=(10, 5, 0, 0), twoSided=True)
    np.testing.assert_allclose(
        directions(mirrored)[1], np.array([2, -1]) / math.sqrt(5), atol=1e-14
    )


def test_polarisations_that_leave_at_different_angles_become_two_rays() -> None:
    result = lit([{"eqnTheta": r"\theta_0+0.2p", "eqnP": r"\left(0.5+0.5p\right)P_0"}])
    np.testing.assert_allclose(result.power[1:], [(0, 1), (0.5, 0)])
    way = directions(result)
    assert math.acos(min(1.0, way[0] @ way[2])) == pytest.approx(0, abs=1e-7)
    assert math.acos(way[0] @ way[1]) == pytest.approx(0.2, abs=1e-12)


def test_later_formulas_know_earlier_angles_and_powers() -> None:
    result = lit(
        [
            {"eqnTheta": "0.1", "eqnP": "0.4P_0"},
            {"eqnTheta": r"3\theta_1", "eqnP": r"P_0-P_1-0.1\theta_2"},
        ]
    )
    np.testing.assert_allclose(result.power[1:], [(0.57, 0.57), (0.4, 0.4)])
    np.testing.assert_allclose(
        directions(result)[1:], [(math.cos(a), -math.sin(a)) for a in (0.3, 0.1)], atol=1e-14
    )


def test_an_outgoing_ray_without_valid_power_or_angle_is_dropped_and_later_formulas_see_power_0() -> (
    None
):
    for first in (
        {"eqnTheta": r"\arcsin\left(2\right)", "eqnP": "P_0"},
        {"eqnTheta": "0", "eqnP": "-P_0"},
        {"eqnTheta": "0", "eqnP": "1/0"},
    ):
        result = lit([first, REFLECT])
        np.testing.assert_allclose(result.power[1:], [(1, 1)])


def test_power_below_the_threshold_is_truncated_and_lost_or_added_power_is_in_the_ledger() -> None:
    result = lit([{"eqnTheta": "0", "eqnP": "3P_0"}, {"eqnTheta": "0.1", "eqnP": "0.002P_0"}])
    assert result.ledger.truncated == pytest.approx(0.004)
    assert result.ledger.gained == pytest.approx(4.004)
    assert lit([{"eqnTheta": "0", "eqnP": "0.5P_0"}]).ledger.gained == pytest.approx(-1)


def test_on_a_glass_surface_the_indices_of_both_sides_are_known() -> None:
    glass = {
        "type": "Glass",
        "refIndex": 1.5,
        "path": [{"x": x, "y": y} for x, y in ((0, -20), (30, -20), (30, 20), (0, 20))],
    }
    snell = {
        "eqnTheta": r"\arcsin\left(\frac{n_0}{n_1}\sin\left(\theta_0\right)\right)",
        "eqnP": "P_0",
    }
    result = lit([snell], glass)
    assert directions(result)[1][1] == pytest.approx(-1 / math.sqrt(5) / 1.5)
    assert result.hit[1] == 2


@pytest.mark.parametrize(("end", "t"), [(20, 0.25), (-20, -0.25)])
def test_t_runs_from_the_first_end_to_the_second(end: float, t: float) -> None:
    result = lit(
        [{"eqnTheta": "t", "eqnP": "P_0"}],
        ray=(-10, 5, 0, 5),
        p1={"x": 0, "y": -end},
        p2={"x": 0, "y": end},
        twoSided=True,
    )
    assert math.asin(-directions(result)[1][1]) == pytest.approx(t)


@pytest.mark.parametrize("half", [0.1, 0.5, 0.7, 1.3])
def test_t_is_minus_1_and_1_at_the_ends_of_an_arc_for_any_rounding(half: float) -> None:
    ends = {
        f"p{i}": {"x": 50 * math.cos(a), "y": 50 * math.sin(a)}
        for i, a in ((1, 0.3), (2, 0.3 + 2 * half), (3, 0.3 + half))
    }
    for end, t in (("p1", -1.0), ("p2", 1.0), ("p3", 0.0)):
        to = ends[end]["x"], ends[end]["y"]
        result = lit(
            [{"eqnTheta": "0", "eqnP": r"0.1\left(2+t\right)"}],
            ray=(0, 0, *to),
            type="CustomArcSurface",
            twoSided=True,
            **ends,
        )
        assert result.power[1][0] == pytest.approx(0.1 * (2 + t))


def test_t_on_an_arc_of_negative_sweep_falls_to_1_as_in_the_file_format() -> None:
    ends = {
        f"p{i}": {"x": 50 * math.cos(a), "y": 50 * math.sin(a)}
        for i, a in ((1, 0.3), (2, -1.3), (3, -0.5))
    }
    for angle in (0.3, 0.2, -0.5, -1.3):
        to = math.cos(angle), math.sin(angle)
        result = lit(
            [{"eqnTheta": "0", "eqnP": r"0.1t"}],
            ray=(0, 0, *to),
            type="CustomArcSurface",
            twoSided=True,
            **ends,
        )
        assert result.power[1][0] == pytest.approx(
            0.1 * (2 * (2 * math.pi + angle - 0.3) / (2 * math.pi - 1.6) - 1)
        )


def test_a_one_sided_arc_is_hit_only_from_its_front() -> None:
    arc = {
        "type": "CustomArcSurface",
        "p1": {"x": 0, "y": -10},
        "p2": {"x": 0, "y": 10},
        "p3": {"x": 10, "y": 0},
    }
    for start, far, met in ((-50, 0, [10.0]), (50, 0, [])):
        source = {
            "type": "SingleRay",
            "p1": {"x": start, "y": 0},
            "p2": {"x": far, "y": 0},
            "brightness": 1,
        }
        result = trace(scene_from_json({"version": 5, "objs": [source, arc | {"outRays": []}]}))
        np.testing.assert_allclose(result.p2[result.hit >= 0][:, 0], met)


def test_a_bezier_surface_reflects_as_its_line_does_and_counts_its_pieces() -> None:
    nodes = [
        {"a1": {"x": 0, "y": y}, "c1": {"x": 0, "y": y + 2}, "c2": {"x": 0, "y": y + 4}}
        for y in (-12, -6, 0, 6)
    ]
    nodes.append({"a1": {"x": 0, "y": 12}})
    surface = {
        "type": "CustomCurveSurface",
        "points": nodes,
        "isClosed": False,
        "outRays": [{"eqnTheta": "0.1t", "eqnP": "P_0"}],
    }
    source = {
        "type": "SingleRay",
        "p1": {"x": -10, "y": 3},
        "p2": {"x": 0, "y": 3},
        "brightness": 1,
    }
    result = trace(scene_from_json({"version": 5, "objs": [source, surface]}))
    assert math.asin(-directions(result)[1][1]) == pytest.approx(0.25)
    back = trace(
        scene_from_json({"version": 5, "objs": [source | {"p1": {"x": 10, "y": 3}}, surface]})
    )
    assert len(back) == 1


def test_an_object_with_an_invalid_formula_has_no_surface_and_a_warning_names_object_property_and_character() -> (
    None
):
    broken = [{"eqnTheta": r"\theta_0", "eqnP": "0.5P_0"}, {"eqnTheta": "2+(3))", "eqnP": "P_0"}]
    result = lit(broken)
    assert len(result) == 1
    (warning,) = result.warnings
    assert warning.index == 1
    for part in ("'S'", "outRays[1].eqnTheta", "character 6"):
        assert part in warning.text
    scene = scene_from_json(
        {
            "version": 5,
            "objs": [
                {
                    "type": "CustomSurface",
                    "p1": {"x": 0, "y": 0},
                    "p2": {"x": 1, "y": 0},
                    "outRays": broken,
                }
            ],
        }
    )
    assert any("outRays[1].eqnTheta" in p.text for p in find_scene_problems(scene))


def test_a_formula_with_an_unknown_variable_is_refused() -> None:
    (warning,) = lit([{"eqnTheta": r"\theta_1", "eqnP": "P_0"}]).warnings
    assert "theta_1" in warning.text


def test_outgoing_rays_are_written_back_and_default_ones_left_out() -> None:
    ends = {"p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y": 0}}
    for more in (
        {},
        {"outRays": []},
        {"outRays": [{"eqnTheta": "0", "eqnP": "P_0"}], "twoSided": True},
    ):
        data = {"version": 5, "objs": [{"type": "CustomSurface", **ends, **more}]}
        scene = scene_from_json(data)
        assert isinstance(scene.objects[0], CustomSurfaceBase)
        assert scene_to_json(scene) == data


def test_a_parametric_surface_is_hit_at_its_parameter_from_the_right_of_increasing_t() -> None:
    # a circle of radius 10 about (3, 4), clockwise as seen; light along y = 4 + 10 sin 0.7 enters
    # where t = pi - 0.7
    circle = {
        "eqnX": r"10\cos(t)",
        "eqnY": r"10\sin(t)",
        "tMin": 0,
        "tMax": 2 * math.pi,
        "tStep": 0.01,
    }
    surface = {
        "type": "CustomParamSurface",
        "origin": {"x": 3, "y": 4},
        "pieces": [circle],
        "outRays": [{"eqnTheta": "t-2", "eqnP": "P_0"}],
    }
    y = 4 + 10 * math.sin(0.7)
    source = {
        "type": "SingleRay",
        "p1": {"x": -20, "y": y},
        "p2": {"x": 0, "y": y},
        "brightness": 1,
    }
    for two_sided, x in ((False, 3 + 10 * math.cos(0.7)), (True, 3 - 10 * math.cos(0.7))):
        result = trace(
            scene_from_json({"version": 5, "objs": [source, surface | {"twoSided": two_sided}]})
        )
        np.testing.assert_allclose(result.p2[0], (x, y), atol=1e-9)
        t = 0.7 if x > 3 else math.pi - 0.7
        # the outgoing direction: the normal on the far side, rotated back by the formula's angle
        normal = math.atan2(y - 4, x - 3) + (0 if x > 3 else math.pi)
        way = directions(result)[1]
        assert math.remainder(
            math.atan2(way[1], way[0]) - (normal - (t - 2)), 2 * math.pi
        ) == pytest.approx(0, abs=1e-9)


def test_each_piece_of_a_parametric_surface_has_its_own_range_of_t_and_a_broken_piece_is_named() -> (
    None
):
    pieces = [
        {"eqnX": "0", "eqnY": "t", "tMin": a, "tMax": b, "tStep": 1} for a, b in ((5, 9), (20, 30))
    ]
    surface: dict[str, Any] = {
        "type": "CustomParamSurface",
        "pieces": pieces,
        "outRays": [{"eqnTheta": "0.01t", "eqnP": "P_0"}],
    }
    for y in (6.5, 8.75, 21.25):
        source = {
            "type": "SingleRay",
            "p1": {"x": 10, "y": y},
            "p2": {"x": 0, "y": y},
            "brightness": 1,
        }
        scene = scene_from_json({"version": 5, "objs": [source, surface | {"twoSided": True}]})
        assert abs(math.asin(directions(trace(scene))[1][1])) == pytest.approx(0.01 * y, abs=1e-12)
    broken = scene_from_json(
        {
            "version": 5,
            "objs": [surface | {"name": "S", "pieces": [pieces[0], pieces[1] | {"eqnX": "2q"}]}],
        }
    )
    (problem,) = find_scene_problems(broken)
    assert all(part in problem.text for part in ("'S'", "pieces[1]", "'q'"))


def test_a_parametric_surface_is_saved_as_it_was_read_without_what_is_default() -> None:
    piece = {
        "eqnX": r"50\cdot\cos(t)",
        "eqnY": r"50\cdot\sin(t)",
        "tMin": 0,
        "tMax": 6.283185307179586,
        "tStep": 0.01,
    }
    plain = {"version": 5, "objs": [{"type": "CustomParamSurface"}]}
    whole = {
        "type": "CustomParamSurface",
        "pieces": [piece],
        "origin": {"x": 0, "y": 0},
        "curveType": "smoothNormal",
    }
    assert (
        scene_to_json(scene_from_json({"version": 5, "objs": [whole]}))
        == plain
        == scene_to_json(scene_from_json(plain))
    )


@pytest.mark.parametrize("rays", [1, 2])
def test_a_single_new_ray_keeps_the_gap_of_its_bundle_and_several_have_gaps(rays: int) -> None:
    new = [{"eqnTheta": "0.1", "eqnP": "0.3P_0"}, {"eqnTheta": "-0.1", "eqnP": "0.2P_0"}][:rays]
    out = [{"eqnTheta": r"\theta_0", "eqnP": "0.5P_0"}, *new]
    surface = {
        "type": "CustomSurface",
        "p1": {"x": 0, "y": -20},
        "p2": {"x": 0, "y": 20},
        "outRays": out,
    }
    beam = {"type": "Beam", "p1": {"x": -10, "y": -5}, "p2": {"x": -10, "y": 5}, "brightness": 10}
    single = {
        "type": "SingleRay",
        "p1": {"x": -10, "y": 7},
        "p2": {"x": 0, "y": 7},
        "brightness": 1,
    }
    result = trace(
        scene_from_json({"version": 5, "objs": [beam, single, surface], "rayModeDensity": 1})
    )
    gap = (result.flags & Flag.GAP != 0) & (result.depth == 1)
    first = result.source == 0
    # the ray that goes on keeps its own flag; the first of a sweep has a gap, since nothing was hit
    # before it
    went_on = (result.depth == 1) & np.isclose(result.power[:, 0], 0.25) & first
    children = (result.depth == 1) & ~went_on & first
    assert gap[went_on].tolist() == [True] + [False] * 9
    assert gap[children].tolist() == ([True] + [False] * 9 if rays == 1 else [True] * 20)
    assert gap[(result.depth == 1) & ~first].all()


def test_weak_reflections_behind_a_single_new_ray_are_resampled_only_where_its_bundle_is() -> None:
    out = [{"eqnTheta": r"\theta_0", "eqnP": "0"}, {"eqnTheta": r"\theta_0", "eqnP": "0.1P_0"}]
    surface = {
        "type": "CustomSurface",
        "p1": {"x": 0, "y": -20},
        "p2": {"x": 0, "y": 20},
        "outRays": out,
    }
    glass = {
        "type": "PlaneGlass",
        "p1": {"x": 20, "y": 20},
        "p2": {"x": 20, "y": -20},
        "refIndex": 1.5,
    }
    rays = [
        {"type": "SingleRay", "p1": {"x": -10, "y": y}, "p2": {"x": 0, "y": y}, "brightness": 1}
        for y in range(12)
    ]
    result = trace(scene_from_json({"version": 5, "objs": [surface, glass, *rays]}))
    assert not np.any(result.flags & Flag.RESAMPLED)
    assert len(result) == 36


@pytest.mark.parametrize("formulas", [[{"eqnTheta": r"\theta_0", "eqnP": "P_0"}], None])
def test_light_that_meets_the_end_of_a_surface_on_a_corner_of_glass_is_absorbed(
    formulas: list[dict[str, str]] | None,
) -> None:
    square = [{"x": x, "y": y} for x, y in ((0, 0), (10, 0), (10, 10), (0, 10))]
    glass = {"type": "Glass", "name": "Block", "path": square}
    result = lit(formulas, glass, ray=(-10, -5, 0, 0), p1={"x": 0, "y": 0}, p2={"x": 0, "y": 10})
    assert result.status.tolist() == [Status.ILL_DEFINED]
    assert result.ledger.absorbed == 2
    (warning,) = result.warnings
    assert (
        warning.text
        == "Light of power 2 met an ill-defined place, first at a corner of 'Block' on 'S'."
    )
