"""The degree of polarisation of light that is reflected by glass, against Fresnel's equations."""

from __future__ import annotations

import math

import pytest

from raybench.analysis.measures.bound import measure_values
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.sources import SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

INDEX = 1.5


def degree(incidence: float) -> tuple[float, float]:
    """The degree of polarisation of light that a thick block of glass reflects onto a screen, and
    of that which arrives at the block.
    """
    angle = math.radians(incidence)
    off = Point(-100 * math.sin(angle), -100 * math.cos(angle))
    objects = [
        SingleRay(name="Laser", p1=off, p2=Point(off.x / 2, off.y / 2)),
        Glass(
            name="Block",
            path=(Vertex(-50, 0), Vertex(50, 0), Vertex(300, 300), Vertex(-300, 300)),
            ref_index=INDEX,
        ),
        Blocker(name="Dump", p1=Point(-400, 290), p2=Point(400, 290)),
        Detector(
            name="Screen", p1=Point(-off.x / 2 - 5, off.y / 2), p2=Point(-off.x / 2 + 5, off.y / 2)
        ),
    ]
    document = Document(scene=Scene.of(objects))
    reflected, incident = measure_values(
        "degree_of_polarization(Screen); degree_of_polarization(Block, Laser)",
        document,
        trace(document),
    )
    assert reflected.defined, reflected.reason
    return reflected.value, incident.value


@pytest.mark.parametrize("incidence", [20.0, 45.0, math.degrees(math.atan(INDEX)), 70.0])
def test_reflected_light_is_polarized_as_fresnel_says(incidence: float) -> None:
    first = math.radians(incidence)
    second = math.asin(math.sin(first) / INDEX)
    s = (math.sin(first - second) / math.sin(first + second)) ** 2
    p = (math.tan(first - second) / math.tan(first + second)) ** 2
    found, incident = degree(incidence)
    assert found == pytest.approx((s - p) / (s + p), abs=1e-12)
    assert incident == 0.0


def test_where_no_light_arrives_it_is_undefined() -> None:
    dark = SingleRay(name="Laser", p1=Point(10, 0), p2=Point(20, 0))
    document = Document(
        scene=Scene.of([dark, Detector(name="Screen", p1=Point(0, 0), p2=Point(0, 5))])
    )
    found = measure_values(
        "degree_of_polarization(Screen); degree_of_polarization(Screen, Laser)",
        document,
        trace(document),
    )
    assert [f.reason for f in found] == [
        "No light arrives at 'Screen'.",
        "No light of 'Laser' arrives at 'Screen'.",
    ]
