"""The refractive index of a body, and shares of the light that arrives at one: closed forms."""

from __future__ import annotations

import math

import pytest
from asking import ask, number, traced

from raybench.analysis.agentic_tools import refractive_index_xml
from raybench.analysis.context import override_context
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.tools.interfaces.refraction import refractive_index
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

OUTER = CircleGlass(name="Outer", p1=Point(0, 0), p2=Point(40, 0), ref_index=1.5)
BUBBLE = CircleGlass(name="Bubble", p1=Point(0, 0), p2=Point(10, 0), ref_index=0.8)


def test_the_index_and_the_angles_that_follow_from_it() -> None:
    told = ask(traced(OUTER, BUBBLE), refractive_index_xml, "Outer")
    assert number(told, "n") == number(told, "effective_n") == 1.5
    assert number(told, "critical_angle") == pytest.approx(math.degrees(math.asin(1 / 1.5)))
    assert number(told, "brewster_angle") == pytest.approx(math.degrees(math.atan(1.5)))
    assert "abbe_number" not in told.attrib
    assert number(told, "speed") == pytest.approx(299_792_458 / 1.5)
    assert number(
        ask(traced(OUTER, BUBBLE), refractive_index_xml, "Bubble"), "effective_n"
    ) == pytest.approx(1.2)


def test_angles_of_a_fibre_core() -> None:
    cladding = CircleGlass(name="Cladding", p1=Point(0, 0), p2=Point(40, 0), ref_index=1.46)
    core = CircleGlass(name="Core", p1=Point(0, 0), p2=Point(10, 0), ref_index=1.5 / 1.46)
    with override_context(traced(cladding, core)):
        said = refractive_index("Core").sentence
    against, brewster = math.degrees(math.asin(1.46 / 1.5)), math.degrees(math.atan(1.5 / 1.46))
    assert (
        f"critical angle {against:.6g}° against Cladding, {math.degrees(math.asin(1 / 1.5)):.6g}°"
        " against air" in said
    )
    assert f"Brewster angle {brewster:.6g}° from Cladding" in said
    told = ask(traced(cladding, core), refractive_index_xml, "Core")
    assert (told.attrib["outside"], number(told, "n_outside")) == ("Cladding", pytest.approx(1.46))


def test_a_varying_index_in_the_middle() -> None:
    ball = CircleGrinGlass(
        name="Ball",
        p1=Point(100, 50),
        p2=Point(140, 50),
        origin=Point(90, 50),
        ref_index_fn="1+\\frac{x}{20}",
    )
    told = ask(traced(ball), refractive_index_xml, "Ball")
    assert ("n" in told.attrib, number(told, "n_centre")) == (False, pytest.approx(1.5))
    with override_context(traced(ball)):
        assert refractive_index("Ball").sentence.endswith(
            "varies from place to place: 1.5 at its middle, (100, 50)"
        )


def test_index_and_abbe_number() -> None:
    body = CircleGlass(name="Ball", p1=Point(0, 0), p2=Point(40, 0), ref_index=1.5, cauchy_b=0.005)
    told = ask(
        traced(body, simulate_colors=True), refractive_index_xml, "Ball", wavelength=486.1327
    )

    def n(nm: float) -> float:
        return 1.5 + 0.005 / (nm / 1000) ** 2

    assert number(told, "n") == pytest.approx(n(486.1327))
    assert number(told, "abbe_number") == pytest.approx(
        (n(587.5618) - 1) / (n(486.1327) - n(656.2725))
    )


def test_shares_of_a_plate() -> None:
    plate = Glass(
        name="Plate",
        path=(Vertex(0, -50), Vertex(10, -50), Vertex(10, 50), Vertex(0, 50)),
        ref_index=1.5,
    )
    ray = SingleRay(name="Ray", p1=Point(-50, 0), p2=Point(-40, 0))
    document = Document(scene=Scene.of([plate, ray], Settings(color_mode="linear")))
    passed, reflected = measure_values(
        "transmittance(Plate); reflectance(Plate)", document, trace(document.scene)
    )
    assert reflected.value == pytest.approx(2 * 0.04 / 1.04, rel=1e-2), (
        "at both faces, without what is too weak to trace"
    )
    assert passed.value == pytest.approx(0.96 / 1.04, rel=1e-3)


def test_the_numerical_aperture_behind_a_lens() -> None:
    lens = IdealLens(name="Lens", p1=Point(0, -30), p2=Point(0, 30), focal_length=40)
    beam = Beam(name="Beam", p1=Point(-50, -30), p2=Point(-50, 30))
    document = Document(scene=Scene.of([lens, beam], Settings(ray_mode_density=2)))
    (aperture,) = measure_values("numerical_aperture(Lens)", document, trace(document.scene))
    assert aperture.value == pytest.approx(0.6, abs=0.01), "sine of the angle of 30 to 40"


def test_most_total_reflections_in_a_guide() -> None:
    guide = Glass(
        name="Guide",
        path=(Vertex(0, -5), Vertex(100, -5), Vertex(100, 5), Vertex(0, 5)),
        ref_index=1.5,
    )
    rays = [
        SingleRay(name=n, p1=Point(-3, 0), p2=Point(0, -3 * t))
        for n, t in (("Steep", 1.0), ("Flat", 0.0))
    ]
    document = Document(scene=Scene.of([guide, *rays]))
    most, flat, main, all_light = measure_values(
        "most_total_reflections(Guide, Steep); most_total_reflections(Guide, Flat);"
        " total_reflections(Guide, Steep); total_reflections(Guide, Steep, all)",
        document,
        trace(document.scene),
    )
    inside = math.tan(math.asin(math.sin(math.radians(45)) / 1.5))
    assert flat.value == 0
    assert most.value <= all_light.value
    # it comes in 2 above the lower side
    assert main.value == math.floor((100 * inside - 2) / 10) + 1 <= most.value
