"""Bodies inside bodies, and the index of light there."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from asking import ask, block, number, traced

from raybench.analysis import agentic_tools as tools
from raybench.kinds.glasses import CircleGlass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.sources import SingleRay
from raybench.shapes.point import Point

WATER = block(-100, -60, 100, 60, 1.33, "Water")
BALL = CircleGlass(
    p1=Point(0, 0), p2=Point(20, 0), ref_index=1.2, partial_reflect=False, name="Ball"
)
CORE = CircleGlass(
    p1=Point(3, 0), p2=Point(9, 0), ref_index=0.5, partial_reflect=False, name="Core"
)
OUTSIDE = block(150, -10, 170, 10, 1.5, "Outside")


def test_indices_multiply_where_bodies_are_nested() -> None:
    context = traced(CORE, WATER, BALL, OUTSIDE)
    found = ask(context, tools.nested_bodies_xml)
    bodies = {b.attrib["name"]: b.attrib for b in found}
    assert found.attrib["nested"] == "2"
    assert (bodies["Ball"]["inside"], bodies["Core"]["inside"]) == (
        "Water",
        "Water, Ball",
    )  # outermost first
    assert float(bodies["Ball"]["effective_n"]) == pytest.approx(1.33 * 1.2)
    assert float(bodies["Core"]["effective_n"]) == pytest.approx(1.33 * 1.2 * 0.5)
    assert (bodies["Core"]["n"], bodies["Outside"]["effective_n"]) == ("0.5", "1.5")
    assert "inside" not in bodies["Water"].keys() | bodies["Outside"].keys()


def test_light_refracts_by_the_effective_index() -> None:
    ray = SingleRay(p1=Point(-90, 10), p2=Point(-80, 10), name="Ray")
    context = traced(ray, WATER, BALL)
    inside = np.flatnonzero(
        (context.result.hit[context.result.parent] == 2) & (context.result.parent >= 0)
    )[0]
    d = context.result.p2[inside] - context.result.p1[inside]
    incidence = math.asin(10 / 20)
    refracted = incidence - math.atan2(d[1], d[0]) * (-1 if d[1] < 0 else 1)
    (cells,) = ask(
        context, tools.query_rays_xml, "SELECT n, effective_n FROM objects WHERE name = 'Ball'"
    ).findall("row")
    n, effective = (float(c.text or "") for c in cells)
    assert n == 1.2
    assert math.sin(refracted) * effective == pytest.approx(math.sin(incidence) * 1.33)
    ball = ask(context, tools.describe_scene_xml, wavelength=540.0).find("object[@name='Ball']")
    assert ball is not None
    assert (ball.attrib["inside"], number(ball, "effective_n")) == (
        "Water",
        pytest.approx(effective),
    )
    water = ask(context, tools.describe_scene_xml, wavelength=540.0).find("object[@name='Water']")
    assert water is not None
    assert "effective_n" not in water.attrib


def test_an_overlap_is_no_nesting() -> None:
    crossing = block(90, -20, 130, 20, 1.5, "Crossing")
    graded = CircleGrinGlass(p1=Point(0, 40), p2=Point(10, 40), name="Graded")
    bodies = {
        b.attrib["name"]: b.attrib
        for b in ask(traced(WATER, crossing, graded), tools.nested_bodies_xml)
    }
    assert (bodies["Crossing"]["overlaps"], bodies["Water"]["overlaps"]) == ("Water", "Crossing")
    assert "effective_n" not in bodies["Crossing"].keys() | bodies["Graded"].keys()
    assert bodies["Graded"]["inside"] == "Water"
    assert len(ask(traced(), tools.nested_bodies_xml)) == 0
    inside = ask(traced(WATER, crossing, graded), tools.nested_bodies_xml, glass_name="Water")
    assert [b.attrib["name"] for b in inside] == ["Graded"]
    assert len(ask(traced(WATER, crossing), tools.nested_bodies_xml, glass_name="Crossing")) == 0


def test_a_body_at_the_side_of_its_container() -> None:
    flush = block(-100, -10, -80, 10, 1.5, "Flush")
    bodies = {
        b.attrib["name"]: b.attrib for b in ask(traced(WATER, flush), tools.nested_bodies_xml)
    }
    assert bodies["Flush"]["inside"] == "Water"
    assert "inside" not in bodies["Water"]
    twin = replace(flush, name="Beside", path=tuple(v._replace(x=v.x - 20) for v in flush.path))
    bodies = {b.attrib["name"]: b.attrib for b in ask(traced(WATER, twin), tools.nested_bodies_xml)}
    assert "inside" not in bodies["Beside"]
