"""An interface that two bodies share belongs to both: light that the trace tells of one meets the
other, too.
"""

from __future__ import annotations

import math

import pytest
from asking import ask, block, number, traced

from raybench.analysis import agentic_tools as tools
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import Beam
from raybench.shapes.point import Point, Vertex

LASER = Beam(p1=Point(-50, -5), p2=Point(-50, 5), brightness=0.4, name="Laser")
SCREEN = Detector(p1=Point(100, -20), p2=Point(100, 20), name="Screen")
RADIUS = (20**2 + 4**2) / (2 * 4)
"""Of the surfaces of the doublet: a sag of 4 at a height of 20."""


def measured(context: object, text: str) -> list[float]:
    return [number(m, "value") for m in ask(context, tools.measure_xml, text)]  # type: ignore[arg-type]


def test_light_arrives_at_the_second_of_two_cemented_plates() -> None:
    context = traced(
        LASER, block(0, -20, 10, 20, 1.5, "Front"), block(10, -20, 20, 20, 1.7, "Back"), SCREEN
    )
    for body in ("Front", "Back"):
        assert measured(
            context,
            f"power({body}); rays({body}); share({body}); incidence({body}); deviation({body})",
        ) == [4, 10, 1, 0, 0]
        assert number(ask(context, tools.beams_xml, body).find("arriving"), "power") == 4
    assert "unlit" not in ask(context, tools.who_lights_what_xml).attrib
    # a row tells one of the two bodies, and counts once
    rows = ask(
        context,
        tools.query_rays_xml,
        "SELECT object, sum(received) FROM rays WHERE received > 0 GROUP BY object ORDER BY object",
    )
    assert [[cell.text for cell in row] for row in rows.findall("row")] == [
        ["Front", "4"],
        ["Screen", "4"],
    ]


def test_rays_at_cemented_plates() -> None:
    context = traced(
        LASER, block(0, -20, 10, 20, 1.5, "Front"), block(10, -20, 20, 20, 1.7, "Back"), SCREEN
    )
    on_edge = ask(context, tools.find_rays_crossing_edge_xml, "Back", "W", "arriving", limit=1)
    assert int(on_edge.attrib["count"]) > 0
    for body, edge in (("Back", "W"), ("Front", "E")):
        assert (
            ask(context, tools.find_rays_xml, hits=body, edge=edge).attrib["count"]
            == on_edge.attrib["count"]
        )
    assert ask(context, tools.find_rays_xml, hits="Back", misses="Front").attrib["count"] == "0"
    assert (
        ask(context, tools.find_rays_xml, misses="Back", status="absorbed").attrib["count"] == "0"
    )


def test_second_lens_of_a_doublet() -> None:
    def lens(name: str, n: float, *path: Vertex) -> Glass:
        return Glass(path=path, ref_index=n, partial_reflect=False, name=name)

    left, middle = (Vertex(-4, 0, True), Vertex(0, 20)), Vertex(4, 0, True)
    crown = lens("Crown", 1.5, Vertex(0, -20), *left, middle)
    flint = lens(
        "Flint", 1.65, Vertex(0, -20), middle, Vertex(0, 20), Vertex(8, 20), Vertex(8, -20)
    )
    beam = Beam(p1=Point(-50, -0.5), p2=Point(-50, 0.5), brightness=1.0, name="Laser")
    context = traced(beam, crown, flint, density=20)
    # paraxial: n'/s' = n/s + (n' - n)/R at each vertex, those at x = -4, 4 and 8
    inside_crown = 1.5 / (0.5 / RADIUS)
    inside_flint = 1.65 / (1.5 / (inside_crown - 8) + (1.65 - 1.5) / -RADIUS)
    behind = 1 / (1.65 / (inside_flint - 4))
    distance, before, alone = measured(
        context, "image_distance(Flint); object_distance(Flint); nominal_focal_length(Flint)"
    )
    assert distance == pytest.approx(behind, rel=1e-4)
    assert before == pytest.approx(-(inside_crown - 8), rel=1e-3)
    assert alone == pytest.approx(-RADIUS / 0.65, rel=1e-5)


def test_total_reflection_at_a_shared_interface() -> None:
    # light in the upper half of a cube meets its diagonal at 45 degrees, beyond the critical angle
    # of 1.5 to 1.0
    upper = Glass(
        path=(Vertex(0, 0), Vertex(40, 0), Vertex(0, 40)),
        ref_index=1.8,
        partial_reflect=False,
        name="Upper",
    )
    lower = Glass(
        path=(Vertex(40, 0), Vertex(40, 40), Vertex(0, 40)),
        ref_index=1.2,
        partial_reflect=False,
        name="Lower",
    )
    light = Beam(p1=Point(-10, 15), p2=Point(-10, 25), brightness=0.1, name="Laser")
    for order in ((upper, lower), (lower, upper)):
        context = traced(light, *order)
        for body in ("Upper", "Lower"):
            assert measured(context, f"total_reflections({body}, all); critical_margin({body})") == [
                10, pytest.approx(45 - math.degrees(math.asin(1.2 / 1.8))),
            ]  # fmt: skip
            found = ask(context, tools.tir_analysis_xml, body)
            assert number(found, "totally_reflected") == 10
            side = "inside" if body == "Upper" else "outside"
            assert number(found.find(f"edge/rays_from_{side}"), "totally_reflected") == 10
        assert number(ask(context, tools.tir_analysis_xml), "totally_reflected") == 10
