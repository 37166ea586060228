"""Rules of the file format that determine the paths of rays, each on its own scene with a result
computed by hand.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from raybench.files.scene_json import scene_from_json, scene_to_json
from raybench.kinds.aspects.emission import TooManyRays
from raybench.kinds.blockers import Blocker
from raybench.kinds.curved_glasses import CustomGlass, ParamGlass
from raybench.kinds.custom_surfaces import CustomSurface
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, PlaneGlass
from raybench.kinds.gratings import ConcaveDiffractionGrating, DiffractionGrating
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import ArcMirror, CustomMirror, Mirror, ParamMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.codec import object_from_json, object_to_json
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.shapes.shape import Line
from raybench.trace.codes import Interaction
from raybench.trace.kernels.surfaces import weak_reflection_factor
from raybench.trace.results.result import TraceResult
from raybench.trace.run.emission import initial_rays
from raybench.trace.trace import trace

COLOURS = Settings(simulate_colors=True)


def lit(*objects: SceneObject, settings: Settings = COLOURS, **ray: float) -> TraceResult:
    """The trace of a ray that starts at the origin to the right, among some objects."""
    return trace(
        Scene.of([SingleRay(p1=Point(0, 0), p2=Point(1, 0), **ray), *objects], settings), threads=1
    )


def slopes(result: TraceResult) -> list[float]:
    """The sine of each segment's direction, positive downwards as scene coordinates are."""
    d = result.p2 - result.p1
    return (d[:, 1] / np.hypot(d[:, 0], d[:, 1])).tolist()


@pytest.mark.parametrize(("wavelength", "hit"), [(532.7, 1), (512.7, 1), (532.8, -1), (512.6, -1)])
def test_a_filters_band_ends_where_its_numbers_say(wavelength: float, hit: int) -> None:
    band = Blocker(p1=Point(10, -1), p2=Point(10, 1), filter=True, wavelength=522.7, bandwidth=10)
    assert lit(band, wavelength=wavelength).hit.tolist() == [hit]


def test_a_wavelength_is_used_to_its_last_digit() -> None:
    grating = DiffractionGrating(p1=Point(10, -1), p2=Point(10, 1), line_density=600)
    result = lit(grating, wavelength=632.8)
    assert result.wavelength[0] == 632.8
    assert min(abs(s - 632.8e-6 * 600) for s in slopes(result)) < 1e-13


ORDERS = (0.1, 0.4, 0.2, 0.8)
"""Power fractions of the orders 0, 1, -1 and 2."""


@pytest.mark.parametrize("bulge", [0.0, 0.2])
def test_a_concave_grating_counts_its_orders_to_the_left_of_the_ray(bulge: float) -> None:
    """Order m leaves at sin = m λ/g - sin i to the left of the normal against the ray; the ray goes
    right, so left is up.
    """
    grating = ConcaveDiffractionGrating(
        p1=Point(10, -1),
        p2=Point(10, 1),
        p3=Point(10 + bulge, 0),
        line_density=500,
        custom_brightness=True,
        brightnesses=ORDERS,
    )
    result = lit(grating, wavelength=500)
    found = {
        round(-s / 0.25): p
        for s, p in zip(slopes(result)[1:], result.total_power[1:].tolist(), strict=True)
    }
    assert found == pytest.approx({0: 0.1, 1: 0.4, -1: 0.2, 2: 0.8})
    assert (result.p2[1:, 0] < 10 + bulge).all()


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_plane_grating_counts_its_orders_to_the_right_of_the_ray(mirrored: bool) -> None:
    """The ray goes right, so its right is down; order m leaves there at sin = m λ/g."""
    grating = DiffractionGrating(
        p1=Point(10, -1),
        p2=Point(10, 1),
        line_density=500,
        custom_brightness=True,
        brightnesses=ORDERS,
        mirrored=mirrored,
    )
    result = lit(grating, wavelength=500)
    found = {
        round(s / 0.25): p
        for s, p in zip(slopes(result)[1:], result.total_power[1:].tolist(), strict=True)
    }
    assert found == pytest.approx({0: 0.1, 1: 0.4, -1: 0.2, 2: 0.8})


def test_a_ray_tangent_to_a_ball_is_not_deflected() -> None:
    """At grazing incidence all light is reflected, into the direction it had."""
    result = lit(CircleGlass(p1=Point(50, 20), p2=Point(50, 0)))
    assert result.interaction.tolist() == [Interaction.SOURCE, Interaction.REFLECT]
    assert result.p2[1].tolist() == pytest.approx([10050, 0])
    assert result.total_power.tolist() == [1, 1]
    assert not result.warnings


def test_an_arc_that_is_straight_but_for_rounding_is_a_line() -> None:
    mirror = ArcMirror(
        p1=Point(-146.605, -129.373),
        p2=Point(-149.388, -203.633),
        p3=Point(-147.9965000000001, -166.503),
    )
    (edge,) = object_edges(mirror)
    assert isinstance(edge.shape, Line)
    assert not isinstance(
        object_edges(ArcMirror(p1=Point(0, 0), p2=Point(100, 0), p3=Point(50, 1e-3)))[0].shape, Line
    )


def test_a_flat_lens_surface_has_the_radius_null() -> None:
    lens = SphericalLens(
        p1=Point(10, -20), p2=Point(10, 20), params={"d": 6.0, "r1": None, "r2": -50.0}
    )
    path = lens.outline()
    assert path is not None
    assert [path[i].x for i in (0, 4, 5)] == pytest.approx([7, 7, 7])


def test_a_ray_limit_may_be_text() -> None:
    mirrors = [
        Mirror(p1=Point(10, -9), p2=Point(10, 9)),
        Mirror(p1=Point(-10, 9), p2=Point(-10, -9)),
    ]
    frame = {"type": "CropBox", "p1": {"x": 0, "y": 0}, "p4": {"x": 1, "y": 1}}
    frames = [
        object_from_json(frame | {"rayCountLimit": limit}, i)
        for i, limit in enumerate((None, 0, "20", 5))
    ]
    assert object_to_json(frames[2])["rayCountLimit"] == "20"
    assert len(lit(*mirrors, *frames)) == 21


def test_a_tiny_density_counts_rays_as_the_format_reads_numbers() -> None:
    """500 times the density is 5e-07, in which the format reads a 5."""
    scene = Scene.of([PointSource(x=0, y=0)], Settings(ray_mode_density=1e-9))
    assert len(initial_rays(scene)) == 5


def test_a_glass_whose_graphs_are_in_the_wrong_order_has_no_effect_and_a_warning() -> None:
    glass = CustomGlass(p1=Point(10, 5), p2=Point(30, 5), eqn1="1", eqn2="0.5x", name="Wedge")
    result = lit(glass)
    assert result.escaped.tolist() == [True]
    assert "Wedge" in find_scene_problems(Scene.of([glass]))[0].text
    assert "lies above" in result.warnings[0].text


def test_the_direction_of_a_parametric_glass_decides_inside_and_outside() -> None:
    """Clockwise as seen is right; the other way round light finds the index 1/n within, which is a
    problem to know of.
    """

    def ball(sign: str) -> ParamGlass:
        piece = {
            "eqnX": r"20\cos(t)",
            "eqnY": rf"{sign}20\sin(t)",
            "tMin": 0,
            "tMax": 2 * math.pi,
            "tStep": 0.01,
        }
        return ParamGlass(origin=Point(50, 5), pieces=(piece,), ref_index=1.5)

    for sign, index in (("", 1.5), ("-", 1 / 1.5)):
        true = lit(
            CircleGlass(p1=Point(50, 5), p2=Point(70, 5), ref_index=index), settings=Settings()
        )
        found = lit(ball(sign), settings=Settings())
        np.testing.assert_allclose(found.p1, true.p1, atol=1e-9)
        np.testing.assert_allclose(found.power, true.power, atol=1e-9)
        assert len(find_scene_problems(Scene.of([ball(sign)]))) == (1 if sign else 0)


def test_an_absorbing_surface_takes_only_the_side_it_acts_on() -> None:
    """One-sided: light that crosses so that the second end lies clockwise of its direction; the
    detector behind sees the rest.
    """
    for p1, p2, seen in ((Point(10, -1), Point(10, 1), 0.0), (Point(10, 1), Point(10, -1), 1.0)):
        surface = CustomSurface(p1=p1, p2=p2, out_rays=())
        result = lit(surface, Detector(p1=Point(20, -1), p2=Point(20, 1)))
        assert result.detectors[0].power == seen


def test_old_files_scenes_trace_as_new_ones() -> None:
    """2011: minified words, no version; the point source's density is 1, so that it has 500 rays."""
    old = {
        "k": [
            {"type": "radiant", "x": 0, "y": 0, "p": 0.5, "bA": True},
            {"type": "ba", "L": {"type": 1, "x": 9, "y": -9}, "G": {"type": 1, "x": 9, "y": 9}},
        ]
    }
    result = trace(scene_from_json(old))
    assert (result.interaction == Interaction.SOURCE).sum() == 500
    assert (result.hit == 1).sum() == 125


def test_an_unknown_object_has_no_optical_index_but_an_unfinished_one_has() -> None:
    mirror = {"type": "Mirror", "p1": {"x": 9, "y": -9}, "p2": {"x": 9, "y": 9}}
    ray = {"type": "SingleRay", "p1": {"x": 0, "y": 0}, "p2": {"x": 1, "y": 0}}
    odd = [
        {"type": "Hologram", "x": 1},
        {"type": "Mirror", "p1": {"x": 0, "y": 0}},
        {"type": "TextLabel"},
    ]
    assert trace(scene_from_json({"version": 5, "objs": [*odd, mirror, ray]})).hit[0] == 1


def test_an_instance_of_a_module_without_points_needs_no_list_of_them() -> None:
    module = {
        "numPoints": 0,
        "vars": ["a = sin(30 deg)"],
        "objs": [{"type": "SingleRay", "p1": {"x": "`a`", "y": 0}, "p2": {"x": 1, "y": 0}}],
    }
    data = {
        "version": 5,
        "modules": {"Ray": module},
        "objs": [{"type": "ModuleObj", "module": "Ray"}],
    }
    scene = scene_from_json(data)
    assert trace(scene).p1.tolist() == [[pytest.approx(0.5), 0]]
    assert scene_to_json(scene) == data


def cautions(*objects: SceneObject, **settings: object) -> list[str]:
    return [w.text for w in trace(Scene.of(objects, Settings(**settings))).warnings]


def test_sources_with_unequally_reduced_power_give_a_warning_if_power_is_measured() -> None:
    """At the density 0.1 a ray of one source would carry 5, that of the other 0.5: a fifth of the
    one is sent, and all of the other.
    """
    bright, dim = (
        PointSource(x=0, y=0, brightness=0.5, name="Sun"),
        PointSource(x=5, y=0, brightness=0.05, name="Moon"),
    )
    screen = Detector(p1=Point(9, -9), p2=Point(9, 9))
    (text,) = cautions(bright, dim, screen)
    assert "'Sun' sends only 0.2" in text
    assert cautions(bright, dim) == []
    assert cautions(bright, screen) == []
    assert cautions(bright, dim, screen, color_mode="linear") == []
    assert len(cautions(bright, dim, simulate_colors=True)) == 1


def test_a_grating_without_colours_warns_of_the_assumed_wavelength() -> None:
    grating = DiffractionGrating(p1=Point(9, -9), p2=Point(9, 9))
    assert "540 nm" in cautions(grating)[0]
    assert cautions(grating, simulate_colors=True) == []


def test_an_impossible_lens_has_no_effect_and_a_warning() -> None:
    lens = SphericalLens(
        p1=Point(10, -20), p2=Point(10, 20), params={"d": 6.0, "r1": 15.0, "r2": -50.0}, name="Bead"
    )
    result = lit(lens)
    assert result.escaped.tolist() == [True]
    assert "'Bead' (spherical lens)" in result.warnings[0].text
    assert [p.text for p in find_scene_problems(Scene.of([lens]))] == [result.warnings[0].text]


def test_a_brightness_with_too_many_rays_is_refused() -> None:
    with pytest.raises(TooManyRays, match="Sun"):
        trace(
            Scene.of(
                [PointSource(x=0, y=0, brightness=1e12, name="Sun")], Settings(color_mode="linear")
            )
        )


def test_a_lens_that_fits_its_focal_distances_only_in_colour_is_there_in_colour() -> None:
    """With colours its index is the one at 546 nm, 1.835 instead of 1.5, so that its radii reach
    the rims.
    """
    about = {"d": 10.0, "ffd": 40.0, "bfd": 40.0}
    lens = SphericalLens(
        p1=Point(10, -60), p2=Point(10, 60), def_by="DFfdBfd", params=about, cauchy_b=0.1
    )
    assert lit(lens).hit[0] == 1
    assert lit(lens, settings=Settings()).hit.tolist() == [-1]


PARALLELS = (
    PlaneGlass(p1=Point(20, 0), p2=Point(20, 1)),
    Mirror(p1=Point(1e-15, -5), p2=Point(0, 50)),
    Blocker(p1=Point(0, -9), p2=Point(0, 9)),
)


@pytest.mark.parametrize("direction", [(1e-16, -1.0), (-3e-16, 1.0), (0.0, 1.0)])
@pytest.mark.parametrize("thing", PARALLELS, ids=lambda thing: thing.type)
def test_a_line_that_is_parallel_to_a_ray_but_for_rounding_is_not_hit(
    thing: SceneObject, direction: tuple[float, float]
) -> None:
    result = trace(Scene.of([SingleRay(p1=Point(0, 0), p2=Point(*direction)), thing]), threads=1)
    assert result.escaped.tolist() == [True]


def test_a_half_plane_is_not_hit_at_the_end_of_rounding() -> None:
    """A few interactions turn rays by more than one rounding does."""
    half_plane = PlaneGlass(p1=Point(600, 460), p2=Point(600, 360))
    for x in (1e-11, 3e-11, -5e-11):
        ray = SingleRay(p1=Point(0, 0), p2=Point(x, 100))
        assert trace(Scene.of([ray, half_plane])).escaped.tolist() == [True]


def test_a_line_at_a_small_angle_to_a_ray_is_hit() -> None:
    assert lit(PlaneGlass(p1=Point(0, 1), p2=Point(1e6, 1 - 1e-5))).hit[0] == 1


@pytest.mark.parametrize(
    ("mode", "power", "threshold"), [("default", 1.0, 0.01), ("linear", 1e-4, 1e-6)]
)
@pytest.mark.parametrize("more", [0.0, 1e-9])
def test_a_power_at_the_threshold_in_ordinary_numbers_is_not_above_it(
    mode: str, power: float, threshold: float, more: float
) -> None:
    assert power * 0.1**2 > threshold  # by rounding
    grating = DiffractionGrating(
        p1=Point(10, -1), p2=Point(10, 1), line_density=3000, slit_ratio=0.1
    )
    result = lit(
        grating,
        brightness=power * (1 + more),
        settings=Settings(simulate_colors=True, color_mode=mode),
    )
    assert len(result) == (2 if more else 1)


def test_a_weak_reflection_is_resampled_by_its_power_in_ordinary_numbers() -> None:
    weak = 0.01 * 0.0001  # a ten-thousandth of the threshold
    assert 0.01 / weak < 10_000  # by rounding
    assert weak_reflection_factor(0.01, weak, False, 0) == 10_001


def test_a_glass_whose_graph_jumps_is_that_of_its_polygon() -> None:
    levels = [(k, 40 * max(-1, k / 1.9), 40 * min(1, (k + 1) / 1.9)) for k in range(-2, 2)]
    corners = [
        (-40, 0),
        *((x, -40 * (0.5 + 0.2 * k)) for k, *between in levels for x in between),
        (40, 0),
    ]
    polygon = Glass(path=tuple(Vertex(float(x), float(y)) for x, y in corners))
    graph = CustomGlass(
        p1=Point(-40, 0),
        p2=Point(40, 0),
        eqn1="0",
        eqn2=r"0.5+0.2\cdot\operatorname{floor}\left(1.9x\right)",
    )
    source = PointSource(x=-63.1, y=-7.3, brightness=0.5)
    wanted, found = (
        trace(Scene.of([source, body], Settings(ray_mode_density=0.7)), threads=1)
        for body in (polygon, graph)
    )
    assert len(wanted) > 400
    assert len(found) == len(wanted)
    assert found.hit.tolist() == wanted.hit.tolist()
    np.testing.assert_allclose(found.p1, wanted.p1, atol=1e-6)
    np.testing.assert_allclose(found.power, wanted.power, atol=1e-9)


@pytest.mark.parametrize("y", [-19.9, -5.0, 11.1])
def test_a_mirror_whose_graph_jumps_has_a_wall_there(y: float) -> None:
    step = CustomMirror(
        p1=Point(-20, 0), p2=Point(60, 0), eqn=r"0.5\cdot\operatorname{sgn}\left(x-0.25\right)"
    )
    result = trace(Scene.of([SingleRay(p1=Point(0, y), p2=Point(1, y)), step]), threads=1)
    assert result.p2[0].tolist() == pytest.approx([30, y], abs=1e-9)
    np.testing.assert_allclose(slopes(result)[1], 0, atol=1e-9)


@pytest.mark.parametrize(("x", "hit"), [(10.0, 1), (20.0, -1)])
def test_a_pole_is_no_wall_and_a_jump_of_a_parametric_curve_is_one(x: float, hit: int) -> None:
    jump = [
        {
            "eqnX": "10",
            "eqnY": r"20\cdot\operatorname{sgn}\left(t\right)+t",
            "tMin": -1,
            "tMax": 1,
            "tStep": 0.1,
        }
    ]
    pole = [{"eqnX": "20", "eqnY": r"\frac{10}{t^3}", "tMin": -1, "tMax": 1, "tStep": 0.1}]
    pieces = jump if x == 10.0 else pole
    result = trace(
        Scene.of([SingleRay(p1=Point(0, 0.1), p2=Point(1, 0.1)), ParamMirror(pieces=pieces)]),
        threads=1,
    )
    assert result.hit[0] == hit
