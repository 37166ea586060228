"""Total reflection and traps, told from the rays of the trace."""

from __future__ import annotations

import math

import numpy as np
import pytest
from asking import PAGE, ask, block, number, traced

from raybench.analysis import agentic_tools as tools
from raybench.analysis.answers.preview import answer_preview
from raybench.analysis.context import override_context
from raybench.analysis.tools import discovery
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.shapes.point import Point, Vertex

PORRO = Glass(
    path=(Vertex(0, 20), Vertex(0, -20), Vertex(40, -20)),
    ref_index=1.5,
    partial_reflect=False,
    name="Prism",
)
LASER = Beam(p1=Point(-80, -10), p2=Point(-80, 10), brightness=0.4, name="Laser")


def test_total_reflection_leads_with_its_margin() -> None:
    found = ask(traced(LASER, PORRO), tools.tir_analysis_xml, "Prism")
    assert (
        number(found, "totally_reflected"),
        number(found, "totally_reflected_power"),
    ) == pytest.approx((20, 8))
    first, *others = found
    rays = first.find("rays_from_inside")
    critical = math.degrees(math.asin(1 / 1.5))
    assert (number(rays, "totally_reflected"), number(rays, "transmitted_power")) == (20, 0)
    assert (number(rays, "least_angle"), number(rays, "most_angle")) == pytest.approx((45, 45))
    assert number(rays, "critical_margin") == pytest.approx(45 - critical)
    assert number(first.find("part"), "critical_angle") == pytest.approx(critical)
    for edge in others:  # zeros are told
        assert number(edge.find("rays_from_inside"), "totally_reflected") == 0
    value = ask(
        traced(LASER, PORRO),
        tools.measure_xml,
        "total_reflections(Prism, all); total_reflection_power(Prism); critical_margin(Prism)",
    )
    assert [m.attrib["value"] for m in value] == [
        found.attrib["totally_reflected"], found.attrib["totally_reflected_power"], rays.attrib["critical_margin"],  # type: ignore[union-attr]
    ]  # fmt: skip


def test_a_negative_index_has_a_critical_angle() -> None:
    inside = PointSource(x=20, y=0, brightness=0.4, name="Lamp")
    found = ask(
        traced(inside, block(0, -20, 40, 20, -1.5), depth=50),
        tools.tir_analysis_xml,
        "Block",
        limit=1,
    )
    assert number(found.find("edge/part"), "critical_angle") == pytest.approx(
        math.degrees(math.asin(1 / 1.5))
    )
    assert found.find("edge/rays_from_outside") is None


def test_nothing_is_assumed_unless_an_angle_is_asked_for() -> None:
    plate = block(0, -20, 30, 20)
    found = ask(traced(LASER, plate), tools.tir_analysis_xml, "Block")
    assert "angle" not in found.attrib
    assert found.findall(".//part[@regime]") == found.findall(".//reflectance") == []
    rays = found.find("edge/rays_from_inside")
    assert (number(found, "totally_reflected"), number(rays, "transmitted_power")) == pytest.approx(
        (0, 8)
    )
    asked = ask(traced(LASER, plate), tools.tir_analysis_xml, "Block", "0", angle=60.0)
    assert asked.find("edge/part").attrib["regime"] == "total_reflection"  # type: ignore[union-attr]


def test_brewsters_angle() -> None:
    found = ask(traced(LASER, block(0, -20, 30, 20)), tools.tir_analysis_xml)
    assert {e.attrib["object"] for e in found} == {"Block"}
    for part in found.iter("part"):
        assert number(part, "brewster_angle") == pytest.approx(math.degrees(math.atan(1 / 1.5)))
        assert number(part, "critical_angle") == pytest.approx(math.degrees(math.asin(1 / 1.5)))
    # p-polarised light is not reflected at Brewster's angle
    light = ask(traced(LASER), tools.fresnel_xml, 1.5, 1.0, math.degrees(math.atan(1 / 1.5))).find(
        "reflectance"
    )
    assert number(light, "p") == pytest.approx(0, abs=1e-12)


def test_distance_to_the_critical_angle() -> None:
    fan = AngleSource(p1=Point(15, 0), p2=Point(15, -20), emis_angle=60, brightness=1.0, name="Fan")
    found = ask(traced(fan, block(-50, -20, 80, 20), density=5), tools.tir_analysis_xml, "Block")
    steepest = max(
        number(e.find("rays_from_inside"), "most_angle")
        for e in found
        if number(e.find("rays_from_inside"), "count")
    )
    nearest = min(
        number(r, "below_critical")
        for r in found.iter("rays_from_inside")
        if "below_critical" in r.attrib
    )
    assert nearest == pytest.approx(math.degrees(math.asin(1 / 1.5)) - steepest)
    assert number(found, "totally_reflected") == 0
    # with a wider fan some light is reflected, some is not, and each side has its own distance from
    # the critical angle
    wide = AngleSource(
        p1=Point(15, 0), p2=Point(15, -20), emis_angle=120, brightness=1.0, name="Wide"
    )
    trapped = traced(wide, block(-50, -20, 80, 20), density=5, depth=40)
    top = next(r.attrib for r in ask(trapped, tools.tir_analysis_xml).iter("rays_from_inside")
               if "below_critical" in r.attrib)  # fmt: skip
    assert float(top["critical_margin"]) > 0 < float(top["below_critical"])
    assert (
        float(top["critical_margin"]) + float(top["below_critical"]) < 2
    )  # neighbouring rays of the fan, on either side
    assert float(top["least_angle"]) < 41.8 < float(top["most_angle"])


def test_traps_count_all_total_reflections() -> None:
    context = traced(LASER, PORRO)
    none = ask(context, tools.detect_tir_traps_xml)
    assert (none.attrib["count"], none.attrib["total_reflections"]) == ("0", "20")
    (one,) = ask(context, tools.detect_tir_traps_xml, 1)
    assert one.attrib["chains"] == "20"
    assert number(one, "energy_at_exit") == pytest.approx(8)
    # a ray that goes round in a disc without partial reflection is trapped for good
    disc = CircleGlass(p1=Point(0, 0), p2=Point(20, 0), ref_index=1.5, name="Disc")
    inside = SingleRay(p1=Point(0, 15), p2=Point(10, 15), name="Ray")
    (trap,) = ask(traced(inside, disc, depth=200), tools.detect_tir_traps_xml)
    assert int(trap.attrib["tir_count"]) > 100


def test_a_scene_full_of_light_fits_on_a_page() -> None:
    rng = np.random.default_rng(3)
    bodies = [
        block(
            40.0 * k,
            -15,
            40.0 * k + 20,
            15,
            float(rng.uniform(1.3, 2)),
            f"A rather long name of a body {k}",
            True,
        )
        for k in range(12)
    ]
    context = traced(PointSource(x=-20, y=3, name="Lamp"), *bodies, density=0.5, depth=12)
    whole = (
        "tir_analysis",
        "detect_tir_traps",
        "ray_statistics",
        "leaks",
        "who_lights_what",
        "nested_bodies",
        "detector",
    )
    at_one = ("beams", "focus", "spot", "image", "tir_analysis")
    known = discovery.tools()
    for name, arguments in [*((n, ()) for n in whole), *((n, (bodies[3].name,)) for n in at_one)]:
        with override_context(context):
            answer = known[f"{name}_xml"].function(*arguments)
        read = f"{answer.sentence} (R10).\n{answer_preview(answer)}"
        assert 200 < len(read) <= PAGE, (name, len(read))


def test_total_reflection_at_a_bubble() -> None:
    bubble = CircleGlass(
        p1=Point(0, 5), p2=Point(20, 5), ref_index=1 / 1.5, partial_reflect=False, name="Bubble"
    )
    context = traced(LASER, block(-50, -40, 50, 40), bubble, density=2)
    found = ask(context, tools.tir_analysis_xml, "Bubble")
    outside = found.find("edge/rays_from_outside")
    # the ray at a height h above the bubble's centre meets it at asin(h / 20), so the critical
    # angle is at h = 40/3
    first = [y for y in np.arange(-9.75, 10, 0.5) if (5 - y) / 20 > 1 / 1.5]
    assert number(outside, "critical_margin") == pytest.approx(
        math.degrees(math.asin((5 - max(first)) / 20) - math.asin(1 / 1.5))
    )
    assert (
        number(found, "totally_reflected") == number(outside, "totally_reflected") >= len(first) > 0
    )
    assert number(found.find("edge/rays_from_inside"), "totally_reflected") == 0
    assert number(found.find("edge/part"), "critical_angle") == pytest.approx(
        math.degrees(math.asin(1 / 1.5))
    )
    values = ask(
        context,
        tools.measure_xml,
        "total_reflections(Bubble, all); total_reflection_power(Bubble); critical_margin(Bubble)",
    )
    assert [m.attrib["value"] for m in values] == [
        found.attrib["totally_reflected"], found.attrib["totally_reflected_power"], outside.attrib["critical_margin"],  # type: ignore[union-attr]
    ]  # fmt: skip
    rows = ask(
        context,
        tools.query_rays_xml,
        "SELECT count(*) FROM rays WHERE causes_tir AND object = 'Bubble'",
    )
    assert rows.findtext("row/cell") == found.attrib["totally_reflected"]
    everywhere = ask(context, tools.tir_analysis_xml)
    assert (
        everywhere.attrib["totally_reflected"]
        == ask(context, tools.measure_xml, "total_reflections(all)")[0].attrib["value"]
    )


def test_depth_limit_at_an_edge() -> None:
    fan = AngleSource(p1=Point(15, 0), p2=Point(15, -20), emis_angle=40, brightness=1.0, name="Fan")
    sideways = AngleSource(
        p1=Point(15, 0), p2=Point(35, -20), emis_angle=4, brightness=1.0, name="Sideways"
    )
    found = ask(
        traced(fan, sideways, block(-50, -20, 80, 20), density=5, depth=9), tools.tir_analysis_xml
    )
    below = [
        float(r.attrib["below_critical"])
        for r in found.iter("rays_from_inside")
        if "below_critical" in r.attrib
    ]
    assert below
    assert min(below) > 0
    assert number(found, "totally_reflected") > 0
