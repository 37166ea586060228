"""The focus tool, as an optics engineer would check it."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest
from tests.core.analysis.tools.asking import number

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context, require_context
from raybench.errors import RaybenchError
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point
from raybench.trace.trace import trace

BEAM = Beam(p1=Point(-90, -6), p2=Point(-90, 6), name="Laser")
N, R1, R2, D = 1.5, 120.0, -180.0, 30.0
LENS = SphericalLens(
    p1=Point(0, -30), p2=Point(0, 30), params={"d": D, "r1": R1, "r2": R2}, ref_index=N, name="Lens"
)
SECOND = IdealLens(p1=Point(60, -40), p2=Point(60, 40), focal_length=100, name="Second")


def answer(
    name: str, *objects: SceneObject, most: int = 5, simulate_colors: bool = False
) -> ET.Element:
    document = Document(
        scene=Scene.of(objects, Settings(ray_mode_density=2, simulate_colors=simulate_colors))
    )
    with override_context(TracedScene.from_document(document, trace(document))):
        root = ET.fromstring(tools.focus_xml(name, most))
        (rays,) = require_context().answers
    assert len(rays) == sum(int(b.attrib["rays"]) for b in root)
    return root


def test_strongest_bundle_of_a_thick_lens() -> None:
    root = answer("Lens", BEAM, LENS)
    best, *ghosts = root
    assert best.attrib["surfaces"] == "Laser → Lens:W (refract) → Lens:E (refract)"
    f = 1 / ((N - 1) * (1 / R1 - 1 / R2 + (N - 1) * D / (N * R1 * R2)))
    lens = best.find("focal_length")
    assert number(lens, "length") == pytest.approx(f, rel=1e-4)
    assert number(lens, "focal_x") == pytest.approx(
        D / 2 + f * (1 - (N - 1) * D / (N * R1)), rel=1e-4
    )
    spot = best.find("best_focus")
    assert number(spot, "x") == pytest.approx(number(lens, "focal_x"), rel=0.01)
    assert number(spot, "y") == pytest.approx(0, abs=1e-6)
    assert number(spot, "rms_radius") < 0.01
    assert spot is not None
    assert spot.attrib["virtual"] == "false"
    assert ghosts
    assert number(best, "power") > 10 * sum(number(g, "power") for g in ghosts)


def test_focal_length_only_for_parallel_light() -> None:
    (alone,) = answer("Second", BEAM, SECOND)
    assert number(alone.find("focal_length"), "length") == pytest.approx(100)
    behind, *_ = answer("Second", BEAM, LENS, SECOND)
    reason = behind.find("focal_length")
    assert reason is not None
    assert "not parallel" in reason.attrib["reason"]
    assert behind.find("best_focus") is not None


def test_parallel_light_has_no_focus() -> None:
    (bundle,) = answer("Second", PointSource(x=-40, y=0), SECOND)
    spot = bundle.find("best_focus")
    assert spot is not None
    assert "parallel" in spot.attrib["reason"]


def test_single_rays_of_one_wavelength_form_a_bundle() -> None:
    rays = [
        SingleRay(p1=Point(-90, y), p2=Point(-80, y), wavelength=nm)
        for nm in (450, 650)
        for y in (-2, -1, 0, 1, 2)
    ]
    root = answer(
        "Lens", *rays, replace(LENS, cauchy_b=0.01, partial_reflect=False), simulate_colors=True
    )
    assert {b.attrib["wavelength"]: b.attrib["rays"] for b in root} == {"450": "5", "650": "5"}
    blue, red = (
        number(b.find("best_focus"), "x")
        for b in sorted(root, key=lambda b: b.attrib["wavelength"])
    )
    assert blue < red - 1


def test_no_light_no_bundles() -> None:
    assert answer("Second", SECOND).attrib["bundles"] == "0"
    with pytest.raises(RaybenchError, match="No object named 'Third'"):
        answer("Third", SECOND)
    with pytest.raises(RaybenchError, match="max_bundles"):
        answer("Second", SECOND, most=0)
