"""Beams at an object: prisms and gratings by their closed forms, each source and order a beam of
its own.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from asking import ask, block, number, prism, traced

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tools import discovery
from raybench.files.shared import read_shared
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter, ParabolicMirror
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

LASER = Beam(p1=Point(-80, -5), p2=Point(-80, 5), brightness=0.4, name="Laser")
SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")


@pytest.mark.parametrize("turned", [-12.0, 0.0, 7.5])
def test_a_prism_deviates_its_beam_by_the_closed_form(turned: float) -> None:
    n, apex = 1.5, math.radians(50)
    incidence = apex / 2 - math.radians(turned)
    out = math.asin(
        math.sin(apex) * math.sqrt(n**2 - math.sin(incidence) ** 2)
        - math.cos(apex) * math.sin(incidence)
    )
    found = ask(traced(LASER, prism(50, turned)), tools.beams_xml, "Prism")
    (arriving,), (leaving,) = found.find("arriving"), found.find("leaving")  # type: ignore[misc]
    assert (number(arriving, "direction"), number(arriving, "width")) == pytest.approx((0, 10))
    assert number(leaving, "deviation") == pytest.approx(
        -math.degrees(incidence + out - apex), abs=1e-6
    )  # towards the base, down
    assert number(leaving, "direction") == number(leaving, "deviation")
    # the face widens the beam by the ratio of cosines at each surface
    inside = [math.asin(math.sin(a) / n) for a in (incidence, out)]
    widened = math.cos(inside[0]) / math.cos(incidence) * math.cos(out) / math.cos(inside[1])
    assert number(leaving, "width") == pytest.approx(10 * widened)
    assert (number(leaving, "vergence"), leaving.attrib["form"], leaving.attrib["after"]) == (
        0,
        "parallel",
        "2 refract",
    )


def test_least_deviation_is_where_a_beam_passes_symmetrically() -> None:
    n, apex = 1.5, 60.0
    least = 2 * math.degrees(math.asin(n * math.sin(math.radians(apex / 2)))) - apex
    found = []
    for off in (-1.0, 0.0, 1.0):
        (leaving,) = ask(
            traced(LASER, prism(apex, off - least / 2, n)), tools.beams_xml, "Prism"
        ).find("leaving")  # type: ignore[misc]
        found.append(-number(leaving, "deviation"))
    assert found[1] == pytest.approx(least, abs=1e-6)
    assert min(found) == found[1]


def test_grating_orders_by_source() -> None:
    # 500 lines a millimetre: sin θ = m λ / d
    grating = DiffractionGrating(
        p1=Point(0, -30),
        p2=Point(0, 30),
        line_density=500,
        custom_brightness=True,
        brightnesses=(0.5, 0.2, 0.1),
        name="Grating",
    )
    other = Beam(p1=Point(-90, -5), p2=Point(-90, 5), brightness=0.1, wavelength=633, name="Red")
    context = traced(LASER, other, grating, simulate_colors=True)
    leaving = ask(context, tools.beams_xml, "Grating", limit=20).find("leaving")
    assert leaving is not None
    assert leaving.attrib["count"] == "6"
    for beam in leaving:
        order, source = int(beam.attrib["order"]), beam.attrib["source"]
        wavelength = {"Laser": 540.0, "Red": 633.0}[source]
        assert number(beam, "wavelength") == wavelength
        assert abs(number(beam, "direction")) == pytest.approx(
            math.degrees(math.asin(0.0005 * wavelength)) * abs(order), abs=1e-6
        )
    powers = sorted(number(b, "power") for b in leaving if b.attrib["source"] == "Laser")
    assert powers == pytest.approx([0.4, 0.8, 2.0])
    assert {number(b, "power") for b in leaving if b.attrib["order"] == "0"} == {0.5, 2.0}
    assert {b.attrib["order"] for b in leaving} == {"-1", "0", "1"}
    (alone,) = {
        b.attrib["source"] for b in ask(context, tools.beams_xml, "Grating", "Red").iter("beam")
    }
    assert alone == "Red"
    for order, expected in (("+1", {"1"}), ("-1", {"-1"}), ("1", {"-1", "1"}), ("3", set())):
        of_order = ask(context, tools.beams_xml, "Grating", order=order).find("leaving")
        assert of_order is not None
        assert {b.attrib["order"] for b in of_order} == expected
        assert of_order.attrib["count"] == str(2 * len(expected))
    with pytest.raises(ValueError, match=r"order is 'first'; give a diffraction order such as \+1"):
        tools.beams_xml("Grating", order="first")
    # the order is known after the grating too
    behind = Detector(p1=Point(50, -60), p2=Point(50, 60), name="Behind")
    arriving = ask(traced(LASER, grating, behind), tools.beams_xml, "Behind").find("arriving")
    assert arriving is not None
    assert {b.attrib["order"] for b in arriving} == {"-1", "0", "1"}


def test_a_lens_changes_vergence_by_its_power() -> None:
    lens = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=40, name="Lens")
    fan = AngleSource(p1=Point(-100, 0), p2=Point(0, 0), emis_angle=10, name="Fan")
    leaving = ask(traced(fan, lens, density=10), tools.beams_xml, "Lens").find("leaving")
    (beam,) = leaving  # type: ignore[misc]
    assert number(beam, "vergence") == pytest.approx(1 / 40 - 1 / 100)
    assert beam.attrib["form"] == "converging"
    assert (number(beam, "x"), number(beam, "y")) == pytest.approx((0, 0), abs=0.1)
    behind = ask(
        traced(
            fan,
            IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=-50, name="Lens"),
            density=10,
        ),
        tools.beams_xml,
        "Lens",
    )
    (beam,) = behind.find("leaving")  # type: ignore[misc]
    assert number(beam, "vergence") == pytest.approx(-1 / 50 - 1 / 100)
    assert beam.attrib["form"] == "diverging"


def test_partial_reflections_are_beams() -> None:
    found = ask(
        traced(LASER, block(0, -20, 30, 20, partial=True), SCREEN), tools.beams_xml, "Block"
    )
    arriving, leaving = found.find("arriving"), found.find("leaving")
    assert arriving is not None
    assert leaving is not None
    assert number(arriving, "power") == pytest.approx(4)
    ahead, back, *_ = leaving
    assert [b.attrib["after"] for b in (ahead, back)] == ["2 refract", "reflect"]
    assert [number(b, "power") for b in (ahead, back)] == pytest.approx([4 * 0.96**2, 4 * 0.04])
    assert [abs(number(b, "direction")) for b in (ahead, back)] == [0, 180]
    left = int(found.attrib.get("left", "0").split()[0])
    assert int(leaving.attrib["count"]) == len(leaving) + left
    rest = ask(
        traced(LASER, block(0, -20, 30, 20, partial=True), SCREEN),
        tools.beams_xml,
        "Block",
        offset=1,
        limit=1,
    )
    assert rest.find("leaving/beam").attrib["after"] == "reflect"  # type: ignore[union-attr]


def test_single_rays_of_several_sources_are_named_together() -> None:
    rays = [
        SingleRay(p1=Point(-50, y), p2=Point(-40, y), name=f"Ray {k}")
        for k, y in enumerate((-2, 0, 2, 4))
    ]
    lens = IdealLens(p1=Point(0, -30), p2=Point(0, 30), focal_length=40, name="Lens")
    (beam,) = ask(traced(*rays, lens), tools.beams_xml, "Lens").find("leaving")  # type: ignore[misc]
    assert beam.attrib["source"] == "Ray 0, Ray 1, Ray 2 and 1 more"


def test_what_light_cannot_meet_is_refused_with_what_exists() -> None:
    with pytest.raises(
        ValueError, match=r"'Laser' is a beam, which light does not meet. Name one of: Screen"
    ):
        ask(traced(LASER, SCREEN), tools.beams_xml, "Laser")
    with pytest.raises(ValueError, match=r"'Screen' is a detector, not a source. Sources: Laser"):
        ask(traced(LASER, SCREEN), tools.beams_xml, "Screen", "Screen")
    for wrong in ({"limit": -1}, {"limit": 1001}, {"offset": -1}, {"limit": True}):
        with pytest.raises(ValueError, match=r"give a whole number (from 0 to 1000|of 0 or more)"):
            ask(traced(LASER, SCREEN), tools.beams_xml, "Screen", **wrong)


def test_the_strongest_bundle_and_its_rivals() -> None:
    # at normal incidence a wedge of a small apex deviates by asin(n sin apex) - apex; from below at
    # another angle
    wedge = Glass(
        path=(Vertex(0, -20), Vertex(10, -20), Vertex(0, 20)),
        ref_index=1.5,
        partial_reflect=False,
        name="Wedge",
    )
    one = Beam(p1=Point(-50, -12), p2=Point(-50, -8), brightness=0.5, name="Laser A")
    other = Beam(p1=Point(-40, -22), p2=Point(-42, -18.5), brightness=0.5, name="Laser B")
    context = traced(one, other, wedge, density=4)

    def value(text: str) -> tuple[float, str]:
        (m,) = ask(context, tools.measure_xml, text)
        return number(m, "value"), m.attrib.get("note", "")

    apex = math.atan(10 / 40)
    by_a = math.degrees(math.asin(1.5 * math.sin(apex)) - apex)
    of_a, of_b = (value(f"deviation(Wedge, Laser {x})") for x in "AB")
    assert of_a == (pytest.approx(by_a), "")
    of_any, note = value("deviation(Wedge)")
    taken, named = ("Laser A", of_b) if of_any == of_a[0] else ("Laser B", of_a)
    assert abs(of_a[0] - of_b[0]) > 0.1
    rest = "Laser B" if taken == "Laser A" else "Laser A"
    assert note == f"of {taken}; of {rest} it is {named[0]:.6g}°"
    # nothing is said where no bundle is chosen, or the others agree
    assert value("power(Wedge)")[1] == value("divergence(Wedge)")[1] == ""


def test_splitter_halves_and_grating_orders() -> None:
    splitter = BeamSplitter(p1=Point(0, -20), p2=Point(20, 20), trans_ratio=0.5, name="Splitter")
    laser = Beam(p1=Point(-50, -5), p2=Point(-50, 5), brightness=0.5, name="Laser")
    (m,) = ask(traced(laser, splitter), tools.measure_xml, "direction(Splitter)")
    assert (
        m.attrib["note"]
        == "of split transmitted, with 50 % of the light that leaves it; of split reflected it is"
        f" {-2 * math.degrees(math.atan2(40, 20)):.6g}°"
    )
    grating = DiffractionGrating(
        p1=Point(0, 20), p2=Point(0, -20), line_density=500, name="Grating"
    )
    (m,) = ask(traced(laser, grating), tools.measure_xml, "direction(Grating)")
    assert m.attrib["note"].startswith("of order 0, with ")


def test_focus_is_a_distance_first() -> None:
    lens = IdealLens(p1=Point(30, -20), p2=Point(30, 20), focal_length=70.0, name="Lens")
    laser = Beam(p1=Point(-50, -5), p2=Point(-50, 5), brightness=0.5, name="Laser")
    for length, words in ((70.0, "Best focus 70 mm after"), (-70.0, "Virtual focus 70 mm before")):
        with override_context(traced(laser, replace(lens, focal_length=length))):
            sentence = discovery.tools()["focus_xml"].function("Lens").sentence
        assert sentence.startswith(
            f"{words} the last surface of Lens, at ({30 + length:g}, 0) mm: RMS radius "
        )


def test_a_crossing_of_several_beams() -> None:
    splitter = BeamSplitter(p1=Point(0, -20), p2=Point(20, 20), trans_ratio=0.5, name="Splitter")
    laser = Beam(p1=Point(-50, -5), p2=Point(-50, 5), brightness=0.5, name="Laser")
    other = SingleRay(p1=Point(40, -80), p2=Point(40, -70), name="Probe")
    context = traced(laser, other, splitter)
    (m,) = ask(context, tools.measure_xml, "crossing_angle(Splitter, Probe)")
    assert (
        m.attrib["note"]
        == "of the strongest of several beams that leave Splitter; beams_xml lists all"
    )
    (m,) = ask(context, tools.measure_xml, "crossing_angle(Laser, Probe)")
    assert "note" not in m.attrib


def test_an_angle_between_two_colours() -> None:
    """Most light goes straight through a drop; the rainbow is of light that is reflected in it."""
    document = read_shared("example:rainbow").document
    context = TracedScene.from_document(document, trace(document.scene))
    (m,) = ask(context, tools.measure_xml, "angular_separation(Drop, Red, Violet)")
    assert m.attrib["note"] == "of light that leaves by 2 refract; beams_xml lists all"
    heights = {
        0.65: 0.8616923371915586,
        0.42: 0.8563838737800373,
    }  # of the ray above the middle, in radii, by wavelength in µm
    red, violet = (
        2 * math.degrees(math.asin(h) - math.asin(h / (1.324 + 0.0031 / um**2)))
        for um, h in heights.items()
    )
    assert number(m, "value") == pytest.approx(violet - red, abs=1e-6)


def test_the_light_of_one_source_is_said_and_so_are_the_wavelengths() -> None:
    lens = IdealLens(p1=Point(30, -20), p2=Point(30, 20), focal_length=70.0, name="Lens")
    near = PointSource(x=-110, y=0, wavelength=620, name="Near")
    far = Beam(p1=Point(-50, -5), p2=Point(-50, 5), wavelength=460, name="Far")
    screen = Detector(p1=Point(170, -30), p2=Point(170, 30), name="Screen")
    with override_context(traced(near, far, lens, screen, simulate_colors=True)):
        named = {name: discovery.tools()[name].function for name in ("focus_xml", "beams_xml")}
        for source, distance in (("Near", 140), ("Far", 70)):
            said = named["focus_xml"]("Lens", source_name=source).sentence
            assert said.startswith(f"Of the light from {source}: best focus {distance} mm after")
        assert named["beams_xml"]("Lens").sentence.startswith("2 beams of 460 and 620 nm arrive at")
        assert named["beams_xml"]("Lens", "Far").sentence.startswith("1 beam arrives at Lens")
        spot = discovery.tools()["spot_xml"].function("Screen", "Near").sentence
    assert spot.startswith("Of the light from Near: RMS 0 mm")


def test_where_the_light_has_no_focal_length_the_nominal_one_is_said() -> None:
    mirror = ParabolicMirror(p1=Point(60, -40), p2=Point(60, 40), p3=Point(80, 0), name="Mirror")
    lamp = PointSource(x=60, y=0, name="Lamp")
    with override_context(traced(lamp, mirror)):
        said = discovery.tools()["measure_xml"].function("focal_length(Mirror)").sentence
    assert "is undefined: " in said
    assert said.endswith(f"; the nominal one is {40**2 / (4 * 20):g} mm")
