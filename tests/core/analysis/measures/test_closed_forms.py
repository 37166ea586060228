"""Measures against closed forms, on scenes whose numbers are known."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from raybench.analysis.agentic_tools import measure_xml
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.grammar import InvalidMeasure
from raybench.analysis.measures.measure import Measured
from raybench.analysis.paths.path_pattern import InvalidPattern
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, Mirror, ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.names import UnknownName
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")
BEAM = Beam(p1=Point(-50, -10), p2=Point(-50, 10), brightness=0.4, name="Laser")


def values(
    text: str, *objects: SceneObject, density: float = 1.0, simulate_colors: bool = False
) -> list[float]:
    return [
        m.value for m in all_of(text, *objects, density=density, simulate_colors=simulate_colors)
    ]


def value(text: str, *objects: SceneObject, density: float = 1.0) -> float:
    (found,) = values(text, *objects, density=density)
    return found


def all_of(
    text: str, *objects: SceneObject, density: float = 1.0, simulate_colors: bool = False
) -> tuple[Measured, ...]:
    settings = Settings(
        ray_mode_density=density, color_mode="linear", simulate_colors=simulate_colors
    )
    document = Document(scene=Scene.of(objects, settings))
    return measure_values(text, document, trace(document))


def test_power_is_positive_from_either_side() -> None:
    against = Beam(p1=Point(150, 30), p2=Point(150, 10), brightness=0.1, name="Back")
    text = (
        "power(Screen); power(Screen, Laser); power(Screen, Back); signed_power(Screen);"
        " normal_force(Screen); rays(Screen)"
    )
    both, laser, back, signed, force, rays = values(text, SCREEN, BEAM, against)
    assert (both, laser, back) == pytest.approx((10, 8, 2))
    assert (signed, force) == pytest.approx((6, 10))
    assert rays == 40


def test_a_uniform_beam_on_a_line() -> None:
    # rays stand in the middle of n equal parts of the length 20
    n = 200
    centroid, rms, width = values(
        "centroid(Screen); rms(Screen); width(Screen)", SCREEN, BEAM, density=10
    )
    assert centroid == pytest.approx(50)
    assert rms == pytest.approx(20 / math.sqrt(12) * math.sqrt(1 - 1 / n**2))
    assert width == pytest.approx(20)
    turned = replace(
        SCREEN, p1=Point(100, 80), p2=Point(175, -20)
    )  # at 3:4 to the beam, counted from the other end
    centroid, rms = values("centroid(Screen); rms(Screen)", turned, BEAM, density=10)
    assert centroid == pytest.approx(100)
    assert rms == pytest.approx(20 / math.sqrt(12) * math.sqrt(1 - 1 / n**2) / 0.8)


def test_openings_and_filters_transmit() -> None:
    red = Beam(p1=Point(-50, 20), p2=Point(-50, 40), wavelength=640, brightness=0.2, name="Red")
    green = replace(BEAM, wavelength=540)
    iris = Aperture(
        p1=Point(0, -60), p2=Point(0, 60), p3=Point(0, -2.5), p4=Point(0, 2.5), name="Iris"
    )
    ratios = values(
        "transmittance(Iris); throughput(Iris); transmitted(Iris); reflectance(Iris)",
        green,
        iris,
        SCREEN,
        density=10,
    )
    assert ratios == pytest.approx([0.25, 0.25, 2, 0])
    dichroic = Mirror(
        p1=Point(-10, -60),
        p2=Point(40, 60),
        filter=True,
        wavelength=540,
        bandwidth=10,
        name="Dichroic",
    )
    text = (
        "transmittance(Dichroic); reflectance(Dichroic); transmittance(Dichroic, Red);"
        " reflectance(Dichroic, Laser)"
    )
    assert values(text, green, red, dichroic, simulate_colors=True) == pytest.approx(
        [4 / 12, 8 / 12, 1, 1]
    )
    assert values(
        "transmittance(Dichroic)", green, replace(dichroic, filter=False), simulate_colors=True
    ) == [0]


def test_a_source_inside_is_not_transmitted() -> None:
    plate = Glass(
        name="Plate",
        path=(Vertex(0, -50), Vertex(50, -50), Vertex(50, 50), Vertex(0, 50)),
        ref_index=1.5,
    )
    outside, inside = (
        SingleRay(name=name, p1=Point(x, 0), p2=Point(x + 1, 0))
        for name, x in (("Outside", -20), ("Inside", 20))
    )
    alone = values("transmittance(Plate); reflectance(Plate)", outside, plate)
    assert values(
        "transmittance(Plate); reflectance(Plate)", outside, plate, inside
    ) == pytest.approx(alone)


def test_power_through_one_edge() -> None:
    """Two touching slabs, n = 1.5 and 2, in a perpendicular beam: 1 - ((n - m) / (n + m))² at each
    face of the first passage.
    """
    slab = Glass(
        path=(Vertex(0, -30), Vertex(10, -30), Vertex(10, 30), Vertex(0, 30)),
        ref_index=1.5,
        name="First",
    )
    other = Glass(
        path=(Vertex(10, -30), Vertex(20, -30), Vertex(20, 30), Vertex(10, 30)),
        ref_index=2.0,
        name="My: second",
    )
    once = 8 * (1 - (0.5 / 2.5) ** 2)
    between = once * (1 - (0.5 / 3.5) ** 2)
    text = (
        "entering(First:W); entering(First:W, Laser); leaving(First:E, Laser); entering('\"My:"
        " second\":W'); edge_power(First:W)"
    )
    found = values(text, BEAM, slab, other)
    back = values("leaving(First:W); entering(First:N)", BEAM, slab, other)
    assert found[0] == found[1] == pytest.approx(once)
    assert (
        found[2] == found[3] == pytest.approx(between, rel=0.01)
    )  # and what returns several times
    assert found[4] > 8
    assert 0 < back[0] < 1
    assert back[1] == 0
    with pytest.raises(InvalidPattern, match="Prism:N"):
        values("entering(First)", BEAM, slab)
    (undefined,) = all_of("entering(Screen:Face)", BEAM, SCREEN)
    assert "no inside" in undefined.reason


def test_separation_of_two_sources() -> None:
    shifted = Beam(p1=Point(0, 37), p2=Point(0, 41), name="Second")
    apart, back = values(
        "separation(Screen, Laser, Second); separation(Screen, Second, Laser)",
        SCREEN,
        BEAM,
        shifted,
    )
    middle = (BEAM.p1.y + BEAM.p2.y) / 2
    assert apart == back == pytest.approx(abs(39 - middle))


def test_a_fan_falls_on_a_screen_within_its_angle() -> None:
    fan = AngleSource(p1=Point(0, 0), p2=Point(1, 0), emis_angle=40, brightness=1, name="Fan")
    centroid, width, divergence, out = values(
        "centroid(Screen); width(Screen); divergence(Fan); direction(Fan)", SCREEN, fan, density=50
    )
    assert centroid == pytest.approx(50, abs=0.05)
    assert width == pytest.approx(2 * 100 * math.tan(math.radians(20)), rel=1e-2)
    assert divergence == pytest.approx(40, rel=1e-2)
    assert out == pytest.approx(0, abs=0.02)


def test_an_aperture_passes_its_share() -> None:
    stop = Aperture(
        p1=Point(0, -20), p2=Point(0, 20), p3=Point(0, -2.5), p4=Point(0, 2.5), name="Iris"
    )
    text = "share(Screen); share(Iris); absorbed(Iris); absorbed(); power(Iris)"
    through, blocked, absorbed, everywhere, met = values(text, SCREEN, BEAM, stop, density=10)
    assert through == pytest.approx(5 / 20)
    assert blocked == pytest.approx(15 / 20)
    assert [absorbed, everywhere, met] == pytest.approx([6, 6, 6])


def test_a_beam_splitter_shares_light_and_nothing_is_lost() -> None:
    splitter = BeamSplitter(p1=Point(-10, 20), p2=Point(30, -20), trans_ratio=0.3, name="Splitter")
    side = Blocker(p1=Point(-40, 60), p2=Point(60, 60), name="Below")
    above = Blocker(p1=Point(-40, -60), p2=Point(60, -60), name="Above")
    text = (
        "share(Screen); share(Above); share(Below); escaped(); absorbed(Above, Laser);"
        " deviation(Splitter); direction(Splitter); emitted()"
    )
    ahead, up, down, escaped, absorbed, deviation, direction, emitted = values(
        text, SCREEN, BEAM, splitter, side, above
    )
    assert (ahead, up, down) == pytest.approx((0.3, 0.7, 0))
    assert escaped == pytest.approx(0.3 * emitted)
    assert absorbed == pytest.approx(0.7 * emitted)
    assert deviation == 0
    assert direction == pytest.approx(
        90
    )  # the strongest bundle is the reflected one, upwards as seen


def test_reflected_transmitted_absorbed() -> None:
    splitter = BeamSplitter(p1=Point(-10, 20), p2=Point(30, -20), trans_ratio=0.3, name="Splitter")
    slab = Glass(
        path=(Vertex(60, -40), Vertex(80, -40), Vertex(80, 40), Vertex(60, 40)),
        ref_index=1.5,
        name="Slab",
    )
    text = "reflected(Splitter); transmitted(Splitter); absorbed(Splitter)"
    assert values(text, BEAM, splitter) == pytest.approx((0.7 * 8, 0.3 * 8, 0))
    back, through, onto = values("reflected(Slab); transmitted(Slab); power(Slab)", BEAM, slab)
    assert onto == pytest.approx(8)
    once = ((1.5 - 1) / (1.5 + 1)) ** 2
    assert back == pytest.approx(2 * once / (1 + once) * onto, rel=1e-3), (
        "at both faces, without what is too weak to trace"
    )
    assert through == pytest.approx((1 - once) / (1 + once) * onto, rel=1e-4)


def prism(apex: float, turned: float = 0.0, n: float = 1.5) -> Glass:
    """An isosceles prism with its apex up, turned counter-clockwise as seen about its apex, in
    degrees.
    """
    half, side = math.radians(apex) / 2, 60.0
    corners = [
        (0.0, 0.0),
        (side * math.sin(half), side * math.cos(half)),
        (-side * math.sin(half), side * math.cos(half)),
    ]
    c, s = math.cos(math.radians(turned)), math.sin(math.radians(turned))
    path = tuple(Vertex(c * x + s * y, -s * x + c * y - 20) for x, y in corners)
    return Glass(path=path, ref_index=n, partial_reflect=False, name="Prism")


def prism_deviation(apex: float, incidence: float, n: float) -> float:
    """Hecht, section 5.5.1."""
    a, i = math.radians(apex), math.radians(incidence)
    out = math.asin(math.sin(a) * math.sqrt(n**2 - math.sin(i) ** 2) - math.cos(a) * math.sin(i))
    return math.degrees(i + out - a)


@pytest.mark.parametrize("turned", [-12.0, 0.0, 7.5, 10.0])
def test_a_prism_deviates_by_the_closed_form(turned: float) -> None:
    ray = SingleRay(p1=Point(-80, 0), p2=Point(-79, 0), name="Ray")
    body = prism(50, turned)
    deviation, incidence = values("deviation(Prism, Ray); incidence(Prism)", ray, body)
    # the left face's normal is turned with the prism: without turning, light arrives at half the
    # apex angle
    arrives = 25 - turned
    assert incidence == pytest.approx(abs(arrives), abs=1e-9)
    assert deviation == pytest.approx(
        -prism_deviation(50, arrives, 1.5), abs=1e-9
    )  # the base is below: clockwise as seen


def test_least_deviation_is_where_light_passes_a_prism_symmetrically() -> None:
    n, apex = 1.5, 60.0
    least = 2 * math.degrees(math.asin(n * math.sin(math.radians(apex / 2)))) - apex
    ray = SingleRay(p1=Point(-80, 0), p2=Point(-79, 0), name="Ray")
    # the light comes in at (least + apex) / 2, and at apex / 2 where the prism is not turned
    found = {
        d: -value("deviation(Prism, Ray)", ray, prism(apex, d - least / 2, n))
        for d in (-1.0, 0.0, 1.0)
    }
    assert found[0.0] == pytest.approx(least, abs=1e-9)
    assert min(found.values()) == found[0.0]


def test_a_right_angled_prism_totally_reflects_all_light_upwards() -> None:
    # light comes in through the left leg and meets the hypotenuse at 45 degrees
    body = Glass(
        path=(Vertex(0, 20), Vertex(0, -20), Vertex(40, -20)),
        ref_index=1.5,
        partial_reflect=False,
        name="Prism",
    )
    count, each, through, deviation, up = values(
        "total_reflections(Prism, all); total_reflections(Prism); power(Top); deviation(Prism, Laser); direction(Prism)",
        BEAM, body, Blocker(p1=Point(-10, -60), p2=Point(60, -60), name="Top"),
    )  # fmt: skip
    assert (count, each) == (20, 1)
    assert through == pytest.approx(8)
    assert (deviation, up) == pytest.approx((90, 90))
    assert value("total_reflections()", BEAM, replace(body, ref_index=1.4)) == 0


def test_an_ideal_lens_images() -> None:
    lens = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=40, name="Lens")
    focus, length, back, image, width = values(
        "focus(Lens); focal_length(Lens); back_focal_length(Lens); image_distance(Lens);"
        " beam_width(Lens)",
        BEAM,
        lens,
    )
    assert (focus, length, back, image) == pytest.approx((40, 40, 40, 40))
    assert width == pytest.approx(20)
    (fast,) = values("f_number(Lens)", BEAM, lens)
    assert fast == pytest.approx(2)
    (undefined,) = all_of("f_number(Lens)", replace(BEAM, p2=BEAM.p1), lens)
    assert not undefined.defined
    for s in (60.0, 100.0, 25.0):
        fan = AngleSource(p1=Point(-s, 0), p2=Point(0, 0), emis_angle=20.0, name="Fan")
        seen = 1 / (1 / 40 - 1 / s)
        text = (
            "focus(Lens); image_distance(Lens); object_distance(Lens); magnification(Lens);"
            " focus_x(Lens); focus_y(Lens); spot_rms(Lens)"
        )
        focus, image, before, magnification, x, y, spot = values(text, fan, lens, density=10)
        assert (focus, image, x) == pytest.approx((seen, seen, seen), rel=1e-5)
        assert before == pytest.approx(s, rel=1e-4)
        assert magnification == pytest.approx(-seen / s, rel=1e-4)
        assert y == pytest.approx(0, abs=1e-4)
        assert spot == pytest.approx(0, abs=1e-9)
    virtual = AngleSource(p1=Point(0, 0), p2=Point(40, 0), emis_angle=20.0)
    behind = replace(lens, p1=Point(120, 40), p2=Point(120, -40), focal_length=-30)
    focus, magnification = values("focus(Lens); magnification(Lens)", virtual, behind, density=10)
    assert focus == pytest.approx(-1 / (1 / 30 + 1 / 120), rel=1e-5)
    assert magnification == pytest.approx(30 / 150, rel=1e-5)


def test_a_thick_lens_images() -> None:
    n, r1, r2, d = 1.5, 120.0, -180.0, 30.0
    lens = SphericalLens(
        p1=Point(0, -30),
        p2=Point(0, 30),
        params={"d": d, "r1": r1, "r2": r2},
        ref_index=n,
        name="Lens",
    )
    f = 1 / ((n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2)))
    back, front = f * (1 - (n - 1) * d / (n * r1)), f * (1 + (n - 1) * d / (n * r2))
    beam = Beam(p1=Point(-90, -6), p2=Point(-90, 6), brightness=1, name="Laser")
    length, bfl, image = values(
        "focal_length(Lens); back_focal_length(Lens); image_distance(Lens)", beam, lens, density=4
    )
    assert (length, bfl, image) == pytest.approx((f, back, back), rel=1e-6)
    # the marginal rays meet before the paraxial focus
    (focus,) = values("focus(Lens)", beam, lens, density=4)
    assert back * 0.99 < focus < back
    s = 400.0  # from the front vertex; Newton's equation counts from the foci
    fan = AngleSource(p1=Point(-d / 2 - s, 0), p2=Point(0, 0), emis_angle=3.0, name="Fan")
    image, before, magnification = values(
        "image_distance(Lens); object_distance(Lens); magnification(Lens)", fan, lens, density=20
    )
    assert image == pytest.approx(back + f * f / (s - front), rel=1e-5)
    assert before == pytest.approx(s, rel=1e-4)
    assert magnification == pytest.approx(-f / (s - front), rel=1e-4)


def test_a_ball_lens_counts_its_focus_from_its_rim() -> None:
    ball = CircleGlass(p1=Point(0, 0), p2=Point(10, 0), ref_index=1.5, name="Ball")
    beam = Beam(p1=Point(-50, -0.05), p2=Point(-50, 0.05), brightness=1, name="Laser")
    length, bfl, image = values(
        "focal_length(Ball); back_focal_length(Ball); image_distance(Ball)", beam, ball, density=100
    )
    # Hecht: f = n R / 2 (n - 1) from the centre
    assert length == pytest.approx(1.5 * 10 / (2 * 0.5), rel=1e-4)
    assert (bfl, image) == pytest.approx((5, 5), rel=1e-3)


def test_mirrors_image_upright_or_inverted() -> None:
    fan = AngleSource(p1=Point(0, 0), p2=Point(1, 0), emis_angle=10.0, name="Fan")
    flat = Mirror(p1=Point(50, -20), p2=Point(50, 20), name="Mirror")
    focus, magnification, direction = values(
        "focus(Mirror); magnification(Mirror); direction(Mirror)", fan, flat
    )
    assert (focus, magnification) == pytest.approx((-50, 1), rel=1e-4)
    assert abs(direction) == pytest.approx(180, abs=0.5)
    # concave towards the source, radius 60: f = 30, object at 50, image at 75 in front of it
    y = 20.0
    x = 60 * math.cos(math.asin(y / 60)) - 10
    hollow = ArcMirror(p1=Point(x, -y), p2=Point(x, y), p3=Point(50, 0), name="Mirror")
    text = "image_distance(Mirror); object_distance(Mirror); magnification(Mirror); focus(Mirror)"
    image, before, magnification, focus = values(
        text, replace(fan, emis_angle=2.0), hollow, density=50
    )
    assert image == pytest.approx(75, rel=1e-4)
    assert before == pytest.approx(50, rel=1e-6)
    assert magnification == pytest.approx(-1.5, rel=1e-3)
    assert focus == pytest.approx(75, rel=1e-2)


def test_paths_carry_the_power_that_fresnel_leaves_them() -> None:
    block = Glass(
        path=(Vertex(0, -20), Vertex(30, -20), Vertex(30, 20), Vertex(0, 20)),
        ref_index=1.5,
        name="Block",
    )
    texts = (
        "Laser > Block > Block > Screen",
        "Laser > Block (reflect) > escape",
        "Laser > * > Screen",
    )
    through, back, length, all_light, arriving = values(
        f'path_power("{texts[0]}"); path_share("{texts[1]}"); path_length({texts[2]});'
        f" path_length({texts[2]}, all); power(Screen)",
        SCREEN,
        BEAM,
        block,
    )
    assert through == pytest.approx(8 * 0.96**2)
    assert back == pytest.approx(0.04)
    assert arriving > through
    assert length == pytest.approx(150)
    # of what is reflected inside twice and so on, R**2 of what came before, 60 longer
    assert all_light == pytest.approx(150 + 60 * 0.04**2, abs=1e-3)
    faint = replace(BEAM, brightness=0.04)
    assert value(f'path_share("{texts[1]}")', SCREEN, faint, block) == pytest.approx(back), (
        "a share of less than one unit of light"
    )
    assert value('path_rays("Laser > Block > Block > Screen")', SCREEN, BEAM, block) == 20


def test_a_body_receives_what_arrives_from_outside_only() -> None:
    block = Glass(
        path=(Vertex(0, -20), Vertex(30, -20), Vertex(30, 20), Vertex(0, 20)),
        ref_index=1.5,
        name="Block",
    )
    assert values("power(Block); share(Block); rays(Block)", SCREEN, BEAM, block) == pytest.approx(
        [8, 1, 20]
    )


@pytest.mark.parametrize("met", [BeamSplitter, Mirror])
def test_a_source_inside_a_body_comes_out(
    met: type[BeamSplitter | Mirror],
) -> None:
    block = Glass(
        path=(Vertex(0, -20), Vertex(30, -20), Vertex(30, 20), Vertex(0, 20)),
        partial_reflect=False,
        name="Block",
    )
    ray = SingleRay(p1=Point(5, 0), p2=Point(6, 0), name="Ray")
    inner = met(p1=Point(10, -5), p2=Point(20, 5), name="Inner")
    assert values(
        "transmitted(Block); reflected(Block); power(Block)", ray, block, inner
    ) == pytest.approx([1, 0, 0])


def test_a_core_inside_a_prism() -> None:
    core = CircleGlass(
        p1=Point(0, 3), p2=Point(4, 3), ref_index=1.0, partial_reflect=False, name="Core"
    )  # as its surroundings
    ray = SingleRay(p1=Point(-80, 0), p2=Point(-79, 0), name="Ray")
    plain = value("deviation(Prism, Ray)", ray, prism(50, 5))
    text = "power(Core); deviation(Prism, Ray); power(Prism); deviation(Core)"
    assert values(text, ray, prism(50, 5), core) == pytest.approx([1, plain, 1, 0], abs=1e-9)


def test_apparent_depth_and_size() -> None:
    block = Glass(
        path=(Vertex(0, -50), Vertex(60, -50), Vertex(60, 50), Vertex(0, 50)),
        ref_index=1.5,
        partial_reflect=False,
        name="Block",
    )
    fan = AngleSource(p1=Point(30, 0), p2=Point(60, 0), emis_angle=4, name="Fan")
    image, before, magnification, received = values(
        "image_distance(Block); object_distance(Block); magnification(Block); power(Block)",
        fan,
        block,
        density=20,
    )
    assert image == pytest.approx(-30 / 1.5, rel=1e-5)
    assert before == pytest.approx(30, rel=1e-5)
    assert magnification == pytest.approx(1, rel=1e-5)
    assert received == 0  # it comes from inside


def test_each_order_is_a_bundle() -> None:
    # 500 lines a millimetre, 540 nm: orders at asin(0.27 m)
    grating = DiffractionGrating(p1=Point(0, -30), p2=Point(0, 30), line_density=500, custom_brightness=True, brightnesses=(0.2, 0.7, 0.1),
                                 name="Grating")  # fmt: skip
    direction, power = values("deviation(Grating, Laser); beam_power(Grating)", BEAM, grating)
    assert abs(direction) == pytest.approx(math.degrees(math.asin(0.27)), abs=1e-6)
    assert power == pytest.approx(0.7 * 8)


def test_what_is_undefined_is_no_number_and_says_why() -> None:
    dark = Blocker(p1=Point(0, 200), p2=Point(10, 200), name="Dark")
    bulb = AngleSource(p1=Point(0, -500), p2=Point(0, -501), emis_angle=360, name="Bulb")
    wall = Blocker(p1=Point(-9999, -400), p2=Point(9999, -400))
    found = all_of(
        "centroid(Dark); rms(Dark, Laser); direction(Bulb); divergence(Screen); share(Dark); deviation(Apart); focus(Screen)",
        SCREEN, BEAM, dark, bulb, wall, CircleGlass(p1=Point(0, 900), p2=Point(9, 900), name="Apart"),
    )  # fmt: skip
    assert [m.defined for m in found] == [False, False, False, True, True, False, False]
    assert found[0].reason == "No light arrives at 'Dark'."
    assert "Laser" in found[1].reason
    assert "all directions" in found[2].reason
    assert found[4].value == 0
    assert found[5].reason == "No light goes on from 'Apart'."
    assert "parallel" in found[6].reason
    assert str(found[6]).startswith("undefined = focus(Screen): ")
    (nothing,) = all_of("share(Screen)", SCREEN)
    assert nothing.reason == "No light is emitted."
    ray = SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Ray")
    for one in all_of(
        "beam_width(Lens); divergence(Lens)",
        ray,
        IdealLens(p1=Point(50, -9), p2=Point(50, 9), name="Lens"),
        SCREEN,
    ):
        assert (
            one.reason
            == "The strongest bundle that leaves 'Lens' is a single ray. Use a source with more"
            " rays."
        )


def test_a_path_has_its_sources_light() -> None:
    block = Glass(
        path=(Vertex(0, -30), Vertex(50, -30), Vertex(50, 30), Vertex(0, 30)),
        ref_index=1.5,
        name="Block",
    )
    other = Beam(p1=Point(-50, 15), p2=Point(-50, 25), brightness=0.4, name="Other")
    text = "; ".join(
        f'path_rays("{source} > Block (through) > Screen")' for source in ("Laser", "Other", "*")
    )
    assert values(text, SCREEN, BEAM, other, block) == [
        40,
        20,
        60,
    ]  # straight through, and after two reflections inside


def test_narrowest_before_the_screen() -> None:
    lens = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=40, name="Lens")
    screen = Detector(p1=Point(70, -40), p2=Point(70, 40), name="Screen")
    rms, x, y = values("least_rms(Screen); least_x(Screen); least_y(Screen)", BEAM, lens, screen)
    assert (rms, x, y) == pytest.approx((0, 40, 0), abs=1e-9)


THICK = SphericalLens(
    p1=Point(0, -20),
    p2=Point(0, 20),
    params={"d": 30, "r1": 60, "r2": -40},
    ref_index=1.6,
    partial_reflect=False,
    name="Thick",
)


def test_principal_planes_of_gauss() -> None:
    """Hecht, section 6.1: 1/f = (n - 1) (1/R1 - 1/R2 + (n - 1) d / (n R1 R2)); h1 = -f (n - 1) d /
    (n R2), h2 = -f (n - 1) d / (n R1).
    """
    n, d, one, two = 1.6, 30, 60, -40
    f = 1 / ((n - 1) * (1 / one - 1 / two + (n - 1) * d / (n * one * two)))
    first, second = -f * (n - 1) * d / (n * two), -f * (n - 1) * d / (n * one)
    text = (
        "nominal_focal_length(Thick); front_principal_plane(Thick); rear_principal_plane(Thick);"
        " front_focal_length(Thick)"
    )
    assert values(text, BEAM, THICK) == pytest.approx([f, first, second, f - first], rel=1e-6)
    back = Beam(p1=Point(90, 10), p2=Point(90, -10), brightness=0.4, name="Laser")
    assert values(text, back, THICK) == pytest.approx([f, -second, -first, f + second], rel=1e-6)


@pytest.mark.parametrize("density", [0.3, 10.0])
def test_principal_planes_by_colour_and_side(
    density: float,
) -> None:
    def gauss(nm: float, one: float, two: float) -> list[float]:
        n, d = 1.6 + 0.02 / (nm / 1000) ** 2, 30
        f = 1 / ((n - 1) * (1 / one - 1 / two + (n - 1) * d / (n * one * two)))
        first, second = -f * (n - 1) * d / (n * two), -f * (n - 1) * d / (n * one)
        return [f, f + second, f - first, first, second]

    blue = Beam(p1=Point(-90, -5), p2=Point(-90, 5), wavelength=450, brightness=1.0, name="Blue")
    red = replace(blue.with_new_key(), wavelength=650, brightness=0.3, name="Red")
    back = Beam(p1=Point(90, 5), p2=Point(90, -5), wavelength=550, brightness=0.2, name="Back")
    names = (
        "focal_length",
        "back_focal_length",
        "front_focal_length",
        "front_principal_plane",
        "rear_principal_plane",
    )
    for source, nm, one, two in ((blue, 450, 60, -40), (red, 650, 60, -40), (back, 550, 40, -60)):
        text = "; ".join(f"{name}(Thick, {source.name})" for name in names)
        found = values(
            text,
            blue,
            red,
            back,
            replace(THICK, cauchy_b=0.02),
            density=density,
            simulate_colors=True,
        )
        assert found == pytest.approx(gauss(nm, one, two), rel=1e-5)
    (shift,) = values(
        "chromatic_shift(Thick, Blue, Red)",
        blue,
        red,
        replace(THICK, cauchy_b=0.02),
        density=density,
        simulate_colors=True,
    )
    assert shift == pytest.approx(gauss(450, 60, -40)[1] - gauss(650, 60, -40)[1], rel=1e-4)


def test_a_measure_of_one_order() -> None:
    grating = DiffractionGrating(
        p1=Point(0, -20),
        p2=Point(0, 20),
        line_density=500,
        custom_brightness=True,
        brightnesses=(0.2, 0.5, 0.3),
        name="Grating",
    )
    red, other = (
        replace(BEAM, wavelength=600),
        replace(BEAM.with_new_key(), wavelength=500, name="Other"),
    )
    angle, green = (math.degrees(math.asin(nm * 500e-6)) for nm in (600, 500))
    text = (
        "direction(Grating, Laser, -1); direction(Grating, Laser, 1); direction(Grating, 0);"
        " efficiency(Grating, Laser, -1); "
    )
    text += (
        "beam_power(Grating, Laser, 1); angular_separation(Grating, Laser, Other, 1);"
        " angular_separation(Grating, Laser, Other, 0)"
    )
    found = values(text, red, other, grating, SCREEN, simulate_colors=True)
    assert sorted(found[:3]) == pytest.approx([-angle, 0, angle], abs=1e-9)
    assert found[3:] == pytest.approx([0.3, 4, angle - green, 0], abs=1e-9)
    nothing, which = all_of(
        "direction(Grating, 2); angular_separation(Grating, Laser, Other)",
        red,
        other,
        grating,
        simulate_colors=True,
    )
    assert nothing.reason == "No light of order 2 leaves 'Grating'."
    assert (
        which.reason
        == "Light leaves 'Grating' in the orders -1, 0, 1: give one as the last argument."
    )
    with pytest.raises(InvalidMeasure, match="'one' is not a diffraction order"):
        values("direction(Grating, Laser, one)", red, grating)


def test_a_source_named_as_a_number() -> None:
    assert values(
        "direction(Mirror, 1)",
        replace(BEAM, name="1"),
        Mirror(p1=Point(0, -20), p2=Point(0, 20), name="Mirror"),
    ) == [180]


def test_optical_path_and_time_through_a_plate() -> None:
    plate = Glass(
        path=(Vertex(0, -30), Vertex(20, -30), Vertex(20, 30), Vertex(0, 30)),
        ref_index=1.5,
        partial_reflect=False,
        name="Plate",
    )
    text = (
        'path_length("Laser > * > Screen"); optical_path_length("Laser > * > Screen");'
        ' transit_time("Laser > * > Screen")'
    )
    length, optical, time = all_of(text, BEAM, plate, SCREEN)
    assert (length.value, optical.value, optical.unit) == (
        pytest.approx(150),
        pytest.approx(160),
        "mm",
    )
    assert (time.value, time.unit) == (pytest.approx(160 / 0.299792458), "ps")


def test_luneburg_lens_has_one_optical_path() -> None:
    """From a plane through its centre's front: R (1 + pi/2) along the diameter, and so along each
    ray (Born & Wolf, section 4.2.2).
    """
    lens = CircleGrinGlass(
        p1=Point(0, 0),
        p2=Point(50, 0),
        ref_index_fn=r"\sqrt{2-\frac{x^2+y^2}{2500}}",
        partial_reflect=False,
        name="Luneburg",
    )
    wall = Blocker(p1=Point(50.00001, -20), p2=Point(50.00001, 20), name="Wall")
    for height in (0.0, 5.0, 39.5):
        ray = SingleRay(p1=Point(-100, height), p2=Point(-99, height), name="Ray")
        (path,) = values('optical_path_length("Ray > * > Wall")', ray, lens, wall)
        assert path == pytest.approx(50 + 50 * (1 + math.pi / 2), rel=1e-6)


def test_arms_of_an_interferometer() -> None:
    splitter = BeamSplitter(p1=Point(-15, 15), p2=Point(15, -15), name="Splitter")
    arms = (
        Mirror(p1=Point(-15, -80), p2=Point(15, -80), name="One"),
        Mirror(p1=Point(83, -15), p2=Point(83, 15), name="Two"),
    )
    port = Detector(p1=Point(-20, 60), p2=Point(20, 60), name="Port")
    text = "optical_path_difference(Port, One, Two); optical_path_difference(Port, Two, One)"
    assert values(text, BEAM, splitter, *arms, port) == pytest.approx([-6, 6])


def test_optical_path_difference_at_a_group() -> None:
    document = Document(scene=Scene.of([BEAM, SCREEN])).with_annotations(
        groups={"Both": frozenset({BEAM.key, SCREEN.key})}
    )
    with pytest.raises(
        UnknownName, match=r"'Both' \(group\) is not an object that light meets.*There are: Screen"
    ):
        measure_values("optical_path_difference(Both, Screen, Screen)", document, trace(document))


def test_chromatic_shift() -> None:
    """A ball in parallel light: its image distance is R (2 - n) / (2 (n - 1)) (Hecht, problem
    5.24).
    """
    ball = CircleGlass(
        p1=Point(0, 0),
        p2=Point(20, 0),
        ref_index=1.5,
        cauchy_b=0.01,
        partial_reflect=False,
        name="Ball",
    )
    laser = Beam(p1=Point(-50, -1), p2=Point(-50, 1), wavelength=450, name="Blue")
    red = replace(laser.with_new_key(), wavelength=650, name="Red")

    def image(nm: float) -> float:
        n = 1.5 + 0.01 / (nm / 1000) ** 2
        return 20 * (2 - n) / (2 * (n - 1))

    text = (
        "chromatic_shift(Ball, Blue, Red); chromatic_shift(Ball); chromatic_shift(Ball, Red, Blue)"
    )
    found = values(text, laser, red, ball, density=5, simulate_colors=True)
    assert found == pytest.approx(
        [image(450) - image(650)] * 2 + [image(650) - image(450)], rel=1e-5
    )
    white, half = all_of("chromatic_shift(Ball); chromatic_shift(Ball, Blue)", laser, red, ball)
    assert white.reason.startswith("Light of one wavelength leaves 'Ball'.")
    assert half.reason == "Name two sources, or none."


def test_parallel_light_has_no_aperture() -> None:
    """Light of one beam that meets a parabola twice: once parallel, once from its focus."""
    parabola = ParabolicMirror(
        p1=Point(-84.5, -130), p2=Point(-84.5, 130), p3=Point(0, 0), name="Parabola"
    )
    laser = Beam(p1=Point(-200, 90), p2=Point(-200, 110), name="Laser")
    focus = Detector(p1=Point(-60, 0), p2=Point(-40, 0), name="Focus")
    settings = Settings(ray_mode_density=1)
    document = Document(scene=Scene.of([laser, parabola, focus], settings))
    context = TracedScene.from_document(document, trace(document))
    with override_context(context):
        text = measure_xml("direction(Parabola); numerical_aperture(Parabola)")
    main = "of light from Laser, with 50 % of the light that leaves it"
    assert text.count(f'note="{main}; of light from Focus it is ') == 2
    assert "of light from Focus it is 0&#34;" in text or 'of light from Focus it is 0"' in text


@pytest.mark.parametrize(
    ("x", "y", "density"), [(-133, -109, 0.02), (148, 28, 0.08), (-167, -193, 0.02), (0, 0, 1.0)]
)
def test_what_surrounds_a_source_has_no_focal_length(x: float, y: float, density: float) -> None:
    """The rays beside the middle of such light can run in opposite directions."""
    lamp, ring = (
        PointSource(name="Lamp", x=x, y=y),
        CircleBlocker(name="Ring", p1=Point(x + 5, y - 5), p2=Point(x + 100, y)),
    )
    document = Document(scene=Scene.of([lamp, ring], Settings(ray_mode_density=density)))
    text = "nominal_focal_length(Ring); focal_length(Ring); rear_principal_plane(Ring)"
    assert not any(found.defined for found in measure_values(text, document, trace(document)))
