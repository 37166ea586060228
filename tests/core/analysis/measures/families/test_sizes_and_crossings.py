"""Sizes, crossings, uniformity, interfaces, gratings, splitters and light that comes back: their
measures by closed forms.
"""

from __future__ import annotations

import math

import pytest

from raybench.agent.questions.understanding import understand_sentence
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.measure import Measured, Unit, convert_measured
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, Mirror, ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace


def values(text: str, *objects: SceneObject, unit: str = "mm") -> list[Measured]:
    document = Document(
        scene=Scene.of(objects, Settings(ray_mode_density=2, color_mode="linear")), unit=unit
    )
    return list(measure_values(text, document, trace(document.scene)))


def value(text: str, *objects: SceneObject, unit: str = "mm") -> float:
    (found,) = values(text, *objects, unit=unit)
    assert found.defined, found.reason
    return found.value


def ray(x: float, y: float, angle: float, name: str) -> SingleRay:
    """A ray from a point in a direction, degrees counter-clockwise on screen."""
    dx, dy = math.cos(math.radians(angle)), -math.sin(math.radians(angle))
    return SingleRay(p1=Point(x, y), p2=Point(x + dx, y + dy), name=name)


LASER = SingleRay(p1=Point(-200, 0), p2=Point(-100, 0), name="Laser")


def test_diameter_and_thickness_of_a_turned_lens() -> None:
    for angle in (0.0, 30.0, 90.0):
        dx, dy = 15 * math.sin(math.radians(angle)), 15 * math.cos(math.radians(angle))
        lens = SphericalLens(
            name="Lens",
            p1=Point(-dx, -dy),
            p2=Point(dx, dy),
            params={"r1": 60.0, "r2": -60.0, "d": 10.0},
        )
        assert value("diameter(Lens)", lens) == pytest.approx(30)
        assert value("thickness(Lens)", lens) == pytest.approx(10)


def test_edge_thickness_of_a_turned_lens() -> None:
    sag = 60 - math.sqrt(60**2 - 15**2)
    for angle in (0.0, 30.0, 90.0):
        dx, dy = 15 * math.sin(math.radians(angle)), 15 * math.cos(math.radians(angle))
        ends = {"p1": Point(-dx, -dy), "p2": Point(dx, dy), "name": "Lens"}
        for radii, rim in (
            ((60.0, -60.0), 10 - 2 * sag),
            ((-60.0, 60.0), 10 + 2 * sag),
            ((60.0, 60.0), 10.0),
            ((60.0, None), 10 - sag),
        ):
            lens = SphericalLens(**ends, params={"r1": radii[0], "r2": radii[1], "d": 10.0})
            assert value("edge_thickness(Lens)", lens) == pytest.approx(rim)
    assert (
        value("edge_thickness(Ball)", CircleGlass(name="Ball", p1=Point(3, 4), p2=Point(3, 11)))
        == 0
    )
    (none,) = values(
        "edge_thickness(Wedge)",
        Glass(name="Wedge", path=(Vertex(0, 0), Vertex(50, 40), Vertex(-7, 20))),
    )
    assert "no optical axis" in none.reason


def test_optical_power_is_the_inverse() -> None:
    weak, thin = (
        IdealLens(name="Lens", p1=Point(0, -9), p2=Point(0, 9), focal_length=f)
        for f in (-250.0, 50.0)
    )
    assert value("optical_power(Lens)", weak) == pytest.approx(-0.004)
    assert value("optical_power(Lens)", thin, unit="cm") == pytest.approx(0.02)
    document = Document(scene=Scene.of([thin]), unit="cm")
    (found,) = measure_values("optical_power(Lens)", document, trace(document.scene))
    in_dioptres = convert_measured(found, Unit.VERGENCE, "dioptres", "cm")
    assert (in_dioptres.value, in_dioptres.unit) == (pytest.approx(2), "dpt")


def test_the_diameter_of_other_objects() -> None:
    ball = CircleGlass(name="Ball", p1=Point(3, 4), p2=Point(3, 11))
    assert [m.value for m in values("diameter(Ball); thickness(Ball)", ball)] == pytest.approx(
        [14, 14]
    )
    stop = Aperture(name="Stop", p1=Point(0, -30), p2=Point(0, 30), p3=Point(0, -6), p4=Point(0, 6))
    assert value("diameter(Stop)", stop) == pytest.approx(12)
    dish = ArcMirror(name="Dish", p1=Point(0, -30), p2=Point(0, 30), p3=Point(10, 0))
    assert value("diameter(Dish)", dish) == pytest.approx(60)
    tilted = Mirror(name="Mirror", p1=Point(0, 0), p2=Point(30, 40))
    assert [
        m.value
        for m in values("diameter(Mirror); horizontal_size(Mirror); vertical_size(Mirror)", tilted)
    ] == [50, 30, 40]
    wedge = Glass(name="Wedge", path=(Vertex(0, 0), Vertex(50, 40), Vertex(-7, 20)))
    (none,) = values("diameter(Wedge)", wedge)
    assert "no optical axis" in none.reason


def test_plate_thickness_and_mirror_depth() -> None:
    for angle in (0.0, 33.0):
        c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        corners = ((0, -100), (20, -100), (20, 100), (0, 100))
        plate = Glass(
            name="Plate", path=tuple(Vertex(c * x - s * y, s * x + c * y) for x, y in corners)
        )
        assert value("thickness(Plate)", plate) == pytest.approx(20)
    wedge = Glass(
        name="Plate", path=(Vertex(0, -100), Vertex(20, -100), Vertex(30, 100), Vertex(0, 100))
    )
    assert "no optical axis" in values("thickness(Plate)", wedge)[0].reason
    dish = ParabolicMirror(name="Dish", p1=Point(-6.25, -50), p2=Point(-6.25, 50), p3=Point(0, 0))
    assert value("sag(Dish)", dish) == pytest.approx(50**2 / 400)
    assert (
        "no curved mirror"
        in values("sag(Flat)", Mirror(name="Flat", p1=Point(0, 0), p2=Point(0, 9)))[0].reason
    )


def test_flat_mirrors_and_sources_have_an_angle_between_them() -> None:
    one, other = (
        Mirror(name="M1", p1=Point(0, 0), p2=Point(10, 10)),
        Mirror(name="M2", p1=Point(40, 0), p2=Point(0, 40)),
    )
    assert value("angle_between(M1, M2)", one, other) == pytest.approx(90)
    assert value("angle_between(M1, Laser)", one, LASER) == pytest.approx(45)
    assert value("angle_between(A, B)", ray(0, 0, 10, "A"), ray(0, 0, 150, "B")) == pytest.approx(
        140
    )
    assert (
        "not straight"
        in values(
            "angle_between(Ball, M1)",
            one,
            CircleGlass(name="Ball", p1=Point(3, 4), p2=Point(3, 11)),
        )[0].reason
    )


@pytest.mark.parametrize(
    ("end", "tilt"),
    [
        ((10, 0), 0),
        ((10, -10), 45),
        ((-10, 10), 45),
        ((0, 10), 90),
        ((0, -10), 90),
        ((10, 10), -45),
        ((-10, 0), 0),
    ],
)
def test_a_straight_object_has_an_angle_to_the_horizontal(
    end: tuple[float, float], tilt: float
) -> None:
    assert value("tilt(M)", Mirror(name="M", p1=Point(0, 0), p2=Point(*end))) == pytest.approx(tilt)


def test_deviation_of_mirror_and_splitter() -> None:
    mirror = Mirror(name="M", p1=Point(-10, -10), p2=Point(10, 10))
    assert value("deviation(M)", LASER, mirror) == pytest.approx(-90)
    splitter = BeamSplitter(name="M", p1=Point(-10, -10), p2=Point(10, 10), trans_ratio=0.2)
    assert value("deviation(M)", LASER, splitter) == pytest.approx(0, abs=1e-9)


def test_two_free_beams_cross_where_their_axes_meet() -> None:
    a, b = ray(0, 0, -45, "A"), ray(0, 100, 0, "B")
    found = values("crossing_x(A, B); crossing_y(A, B); crossing_angle(B, A)", a, b)
    assert [m.value for m in found] == pytest.approx([100, 100, 45])
    wide = Beam(p1=Point(-50, 95), p2=Point(-50, 105), name="Wide")
    found = values("crossing_x(A, Wide); crossing_y(Wide, A)", a, wide)
    assert [m.value for m in found] == pytest.approx([100, 100])


def test_beams_that_do_not_cross_have_a_reason() -> None:
    a, b = ray(0, 0, -45, "A"), ray(0, 100, 0, "B")
    assert "parallel" in values("crossing_x(A, C)", a, ray(5, 5, -45, "C"))[0].reason
    wall = Detector(name="Wall", p1=Point(50, -200), p2=Point(50, 200))
    passed = values("crossing_x(A, B)", a, b, wall)[
        0
    ]  # a detector ends a segment, though light passes it
    assert (
        passed.reason
        == "The beams of 'A' and 'B' do not cross: their axes meet at 100, 100, for 'A' beyond the"
        " object that it meets."
    )
    assert (
        "behind where it starts" in values("crossing_x(A, B)", a, ray(150, 100, 0, "B"))[0].reason
    )


def test_the_beams_of_two_mirrors_cross_too() -> None:
    up, level = ray(0, 200, 90, "Up"), ray(-200, 0, 0, "Level")
    turned = Mirror(name="M1", p1=Point(-10, 110), p2=Point(10, 90))  # upwards to the right
    second = Mirror(name="M2", p1=Point(90, -10), p2=Point(110, 10))  # rightwards to downwards
    found = values(
        "crossing_x(M1, M2); crossing_y(M1, M2); crossing_angle(M1, M2)", up, level, turned, second
    )
    assert [m.value for m in found] == pytest.approx([100, 100, 90])


def test_the_uniformity_of_an_evenly_lit_detector_is_1() -> None:
    beam = Beam(p1=Point(-50, -20), p2=Point(-50, 20), brightness=0.5, name="Beam")
    screen = Detector(name="Screen", p1=Point(100, -20), p2=Point(100, 20))
    found = values(
        "uniformity(Screen); mean_irradiance(Screen); peak_irradiance(Screen)", beam, screen
    )
    assert [m.value for m in found] == pytest.approx([1, 0.5, 0.5])
    assert found[1].unit == "relative power per mm"
    half = Detector(name="Screen", p1=Point(100, -20), p2=Point(100, 60))
    found = values(
        "uniformity(Screen); mean_irradiance(Screen); peak_irradiance(Screen);"
        " least_irradiance(Screen)",
        beam,
        half,
    )
    assert [m.value for m in found] == pytest.approx([0, 0.25, 0.5, 0])
    assert "No light" in values("uniformity(Screen)", half)[0].reason


def test_cosine_cubed_irradiance() -> None:
    lamp = PointSource(name="Lamp", x=0, y=0, brightness=1)
    screen = Detector(
        name="Screen", p1=Point(100, -100), p2=Point(100, 100), irrad_map=True, bin_size=20
    )
    document = Document(
        scene=Scene.of([lamp, screen], Settings(ray_mode_density=50, color_mode="linear"))
    )
    (uniform,) = measure_values(
        "least_irradiance(Screen) / peak_irradiance(Screen)", document, trace(document.scene)
    )
    outer, inner = (
        math.atan(1) - math.atan(0.8),
        math.atan(0.2),
    )  # the angles that the last and the first bin take, in a plane
    assert uniform.value == pytest.approx(outer / inner, rel=5e-3)


def body(name: str, left: float, n: float) -> Glass:
    return Glass(
        name=name,
        path=(Vertex(left, -20), Vertex(left + 20, -20), Vertex(left + 20, 20), Vertex(left, 20)),
        ref_index=n,
    )


def test_two_glasses_have_a_critical_and_a_brewster_angle() -> None:
    bodies = body("Crown", 0, 1.5), body("Flint", 20, 1.7)
    critical = "critical_angle(Flint, Crown); critical_angle(Crown, Flint); critical_angle(Flint)"
    between, again, air = (m.value for m in values(critical, *bodies))
    inside, outside = (
        m.value for m in values("brewster_angle(Flint, Crown); brewster_angle(Flint)", *bodies)
    )
    assert between == again == pytest.approx(math.degrees(math.asin(1.5 / 1.7)))
    assert air == pytest.approx(math.degrees(math.asin(1 / 1.7)))
    assert inside == pytest.approx(math.degrees(math.atan(1.7 / 1.5)))
    assert outside == pytest.approx(math.degrees(math.atan(1.7)))
    left_handed = [body("A", 0, -1.5), body("B", 20, 1.2)]
    assert [
        m.value for m in values("critical_angle(A, B); brewster_angle(A, B)", *left_handed)
    ] == pytest.approx([math.degrees(math.asin(1.2 / 1.5)), math.degrees(math.atan(1.5 / 1.2))])
    assert (
        "have one index"
        in values("critical_angle(A, B)", body("A", 0, 1.5), body("B", 20, 1.5))[0].reason
    )
    assert (
        "no body of glass"
        in values("critical_angle(M)", Mirror(name="M", p1=Point(0, 0), p2=Point(1, 1)))[0].reason
    )


@pytest.mark.parametrize("order", [1, -1])
def test_the_interface_for_most_light(
    order: int,
) -> None:
    ball = CircleGlass(name="Ball", p1=Point(50, 0), p2=Point(60, 0), ref_index=1.5, cauchy_b=0.02)
    blue, red = (
        SingleRay(p1=Point(0, 0), p2=Point(1, 0), wavelength=nm, brightness=b)
        for nm, b in ((450.0, 0.2), (650.0, 0.5))
    )
    document = Document(
        scene=Scene.of([*[blue, red][::order], ball], Settings(simulate_colors=True))
    )
    (found,) = measure_values("brewster_angle(Ball)", document, trace(document.scene))
    assert found.value == pytest.approx(math.degrees(math.atan(1.5 + 0.02 / 0.65**2)))


def test_grating_resolving_power() -> None:
    grating = DiffractionGrating(
        name="Grating", p1=Point(0, -20), p2=Point(0, 20), line_density=600
    )
    beam = Beam(name="Lamp", p1=Point(-50, -10), p2=Point(-50, 10), wavelength=540)
    first, unit = (
        values("resolving_power(Grating, Lamp, 1); arriving_width(Grating)", grating, beam, unit=u)
        for u in ("mm", "cm")
    )
    assert first[0].value == pytest.approx(600 * first[1].value)
    assert unit[0].value == pytest.approx(6000 * unit[1].value)
    assert value("resolving_power(Grating, Lamp, 0)", grating, beam) == 0
    assert (
        "Take a beam of several rays"
        in values("resolving_power(Grating, Laser, 1)", grating, LASER)[0].reason
    )


def test_grating_period_unit() -> None:
    grating = DiffractionGrating(name="Grating", p1=Point(0, -9), p2=Point(0, 9), line_density=600)
    assert value("grating_period(Grating)", grating) == pytest.approx(1 / 600)
    assert value("grating_period(Grating)", grating, unit="m") == pytest.approx(1e-3 / 600)


def michelson(trans: float) -> tuple[SceneObject, ...]:
    return (
        LASER,
        BeamSplitter(name="Splitter", p1=Point(-20, 20), p2=Point(20, -20), trans_ratio=trans),
        Mirror(name="A", p1=Point(100, -20), p2=Point(100, 20)),
        Mirror(name="B", p1=Point(-20, -150), p2=Point(20, -150)),
        Detector(name="Port", p1=Point(-30, 100), p2=Point(30, 100)),
    )


@pytest.mark.parametrize("trans", [0.5, 0.6, 0.9])
def test_a_michelson_returns_the_rest(trans: float) -> None:
    text = "returned(Laser); returned_share(Laser); power(Port); splitting_ratio(Splitter, Laser)"
    back, share, port, ratio = (m.value for m in values(text, *michelson(trans)))
    assert back == share == pytest.approx(trans**2 + (1 - trans) ** 2)
    assert port == pytest.approx(2 * trans * (1 - trans))
    # light comes from both arms too, with as much power
    assert ratio == pytest.approx(trans / (1 - trans))


def test_what_comes_back_to_a_beam_crosses_its_line() -> None:
    beam = Beam(p1=Point(-50, -10), p2=Point(-50, 10), brightness=0.5, name="Beam")
    flat = Mirror(name="Flat", p1=Point(100, -5), p2=Point(100, 5))
    assert value("returned_share(Beam)", beam, flat) == pytest.approx(0.5)
    turned = Mirror(name="Flat", p1=Point(90, -10), p2=Point(110, 10))
    assert value("returned(Beam)", beam, turned) == 0


@pytest.mark.parametrize("x", [0, 1000])
def test_light_that_misses_its_source(
    x: float,
) -> None:
    laser = SingleRay(p1=Point(x, 0), p2=Point(x + 1, 0), name="Laser")
    for leaning, back in (
        (0.0, 1.0),
        (1e-5, 0.0),
    ):  # the light meets the source, or passes it at 2e-4
        mirror = Mirror(
            name="Mirror", p1=Point(x + 100 - leaning, -10), p2=Point(x + 100 + leaning, 10)
        )
        assert value("returned(Laser)", laser, mirror) == back


def test_what_arrives_has_a_divergence() -> None:
    beam = Beam(p1=Point(-50, -10), p2=Point(-50, 10), brightness=0.5, name="Beam")
    lens = IdealLens(name="Lens", p1=Point(0, -20), p2=Point(0, 20), focal_length=50)
    screen = Detector(name="Screen", p1=Point(80, -30), p2=Point(80, 30))
    full, half, arriving = (
        m.value
        for m in values(
            "divergence(Lens); half_angle(Lens); arriving_divergence(Screen)", beam, lens, screen
        )
    )
    assert full == arriving == pytest.approx(2 * math.degrees(math.atan(10 / 50)))
    assert half == pytest.approx(full / 2)


QUESTIONS = [
    (
        "What is the splitting ratio of the beam splitter?",
        "splitting_ratio(Splitter)",
    ),
    ("how much light comes back to the laser?", "returned(Laser)"),
    ("what is the angle between A and B?", "angle_between(A, B)"),
    ("what is the angle of Splitter?", "tilt(Splitter)"),
]


@pytest.mark.parametrize(("question", "measures"), QUESTIONS)
def test_they_are_asked_for_in_ordinary_words(question: str, measures: str) -> None:
    found = understand_sentence(question, Document(scene=Scene.of(michelson(0.5))))
    assert (found.tool, (found.arguments or {}).get("measures")) == (
        "measure_xml",
        measures,
    ), found.text


def test_two_mirrors_are_the_cavity_that_is_asked_about() -> None:
    one, other = (
        Mirror(name="M1", p1=Point(0, -9), p2=Point(0, 9)),
        Mirror(name="M2", p1=Point(40, -9), p2=Point(40, 9)),
    )
    found = understand_sentence(
        "is the cavity stable?", Document(scene=Scene.of([LASER, one, other]))
    )
    assert (found.arguments or {})["measures"] == "stability(M1, M2)", found.text


@pytest.mark.parametrize(
    "question",
    [
        "lines per millimetre of Ruling",
        "what is the groove density of Ruling",
    ],
)
def test_the_line_density_of_a_grating_has_many_names(question: str) -> None:
    grating = DiffractionGrating(name="Ruling", p1=Point(0, -9), p2=Point(0, 9), line_density=600)
    found = understand_sentence(question, Document(scene=Scene.of([LASER, grating])))
    assert (found.tool, found.arguments) == ("read_objects", {"names": ["Ruling"]}), found.text


def test_a_request_uses_the_same_names() -> None:
    grating = DiffractionGrating(name="Ruling", p1=Point(0, -9), p2=Point(0, 9), line_density=600)
    found = understand_sentence(
        "set the lines per mm of Ruling to 1200", Document(scene=Scene.of([LASER, grating]))
    )
    assert (found.arguments or {})["changes"] == [{"set": "Ruling", "lineDensity": 1200.0}]


def test_linear_dispersion_in_an_order_of_a_grating() -> None:
    lines = [
        SingleRay(p1=Point(-9, 0), p2=Point(0, 0), wavelength=w, name=f"{w}") for w in (500, 620)
    ]
    grating = DiffractionGrating(name="Grating", p1=Point(0, -5), p2=Point(0, 5), line_density=600)
    screen = Detector(name="Screen", p1=Point(50, -40), p2=Point(50, 40))
    document = Document(scene=Scene.of((*lines, grating, screen), Settings(simulate_colors=True)))
    found = measure_values(
        "linear_dispersion(Screen, 500, 620, 1); linear_dispersion(Screen, 500, 620, 0)",
        document,
        trace(document.scene),
    )
    y = [50 * math.tan(math.asin(w * 600e-6)) for w in (500, 620)]
    assert [m.value for m in found] == pytest.approx([(y[1] - y[0]) / 120, 0])


def test_linear_dispersion_is_a_distance_over_wavelengths() -> None:
    def at(y: float, wavelength: float, name: str) -> SingleRay:
        return SingleRay(p1=Point(0, y), p2=Point(1, y), wavelength=wavelength, name=name)

    rays = at(0, 500, "Green"), at(3, 620, "Red")
    screen = Detector(name="Screen", p1=Point(50, -9), p2=Point(50, 9))
    for colours in (True, False):
        document = Document(scene=Scene.of((*rays, screen), Settings(simulate_colors=colours)))
        (found,) = measure_values(
            "linear_dispersion(Screen, Green, Red)", document, trace(document.scene)
        )
        assert found.unit == "mm/nm"
        assert found.defined is colours
        if colours:
            assert found.value == pytest.approx(3 / 120)
