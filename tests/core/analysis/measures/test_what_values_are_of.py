"""Values that say what they are of: colours, bodies around, few rays, air and glass, sources."""

from __future__ import annotations

import math

import pytest

from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.tools.light.measure import measure
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.mirrors import ParabolicMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace


def document_of(*objects: SceneObject, density: float = 1.0, colours: bool = False) -> Document:
    return Document(
        scene=Scene.of(objects, Settings(ray_mode_density=density, simulate_colors=colours))
    )


def values(text: str, document: Document) -> list[float]:
    return [m.value for m in measure_values(text, document, trace(document))]


def note(text: str, document: Document) -> str:
    with override_context(TracedScene.from_document(document, trace(document))):
        return str(measure(text).values["measure"][0]["note"] or "")


def block(x1: float, y1: float, x2: float, y2: float, n: float, name: str) -> Glass:
    return Glass(
        path=(Vertex(x1, y1), Vertex(x2, y1), Vertex(x2, y2), Vertex(x1, y2)),
        ref_index=n,
        partial_reflect=False,
        name=name,
    )


def test_the_way_inside_a_guide_is_without_air() -> None:
    """A ray at 45° into the end of a guide of length 100, reflected at its sides."""
    guide = block(0, -5, 100, 5, 1.5, "Guide")
    ray = SingleRay(p1=Point(-20, -20), p2=Point(0, 0), name="Ray")
    screen = Detector(p1=Point(101, -50), p2=Point(101, 50), name="Screen")
    inside, path, count = values(
        'inner_length(Guide); path_length("Ray > * > Screen"); total_reflections(Guide)',
        document_of(ray, guide, screen),
    )
    angle = math.asin(math.sin(math.pi / 4) / 1.5)
    assert inside == pytest.approx(100 / math.cos(angle))
    assert path == pytest.approx(inside + (20 + 1) * math.sqrt(2))
    assert count == math.floor((100 * math.tan(angle) - 5) / 10) + 1


def test_an_index_inside_another_body() -> None:
    document = document_of(
        block(-50, -40, 50, 40, 1.5, "Water"), block(-20, -20, 20, 20, 1.2, "Drop")
    )
    assert values("refractive_index(Drop); effective_index(Drop)", document) == pytest.approx(
        [1.2, 1.8]
    )
    assert note("refractive_index(Drop)", document) == "alone; with the bodies around it 1.8"
    assert note("refractive_index(Water)", document) == ""


def test_a_focal_length_says_its_colour() -> None:
    lens = SphericalLens(
        p1=Point(0, -25), p2=Point(0, 25), params={"d": 8.0, "r1": 60.0, "r2": -60.0},
        cauchy_b=0.01, name="Lens",
    )  # fmt: skip
    lamps = [
        Beam(p1=Point(-50, -9), p2=Point(-50, 9), brightness=power, wavelength=nm, name=f"{nm:g}")
        for nm, power in ((450.0, 0.2), (550.0, 0.5), (650.0, 0.3))
    ]
    told = note("nominal_focal_length(Lens)", document_of(*lamps, lens, colours=True))
    assert told == "at 550 nm, that of most of the light, which has 3 wavelengths"
    assert note("nominal_focal_length(Lens)", document_of(lamps[0], lens, colours=True)) == ""


def test_an_f_number_of_few_rays_reaches_to_the_rims() -> None:
    mirror = ParabolicMirror(
        p1=Point(100 - 6.25, -25), p2=Point(100 - 6.25, 25), p3=Point(100, 0), name="Mirror"
    )
    beam = Beam(p1=Point(0, -25), p2=Point(0, 25), name="Beam")
    for density in (0.36, 4.0):
        assert values("f_number(Mirror)", document_of(beam, mirror, density=density)) == [
            pytest.approx(0.5, rel=1e-4)
        ]


def test_a_path_is_a_part_of_its_own_sources() -> None:
    laser, other = (
        Beam(p1=Point(0, y), p2=Point(0, y + 4), name=name)
        for y, name in ((-9, "Laser"), (5, "Other"))
    )
    screen = Detector(p1=Point(50, -50), p2=Point(50, 50), name="Screen")
    document = document_of(laser, other, screen)
    own, either, share, whole = values(
        'path_share("Laser > Screen"); path_share("* > Screen"); share(Screen, Laser); share(Screen)',
        document,
    )
    assert (own, share, either, whole) == pytest.approx((1, 1, 1, 1))
    (half,) = values('path_power("Laser > Screen") / power(Screen)', document)
    assert half == pytest.approx(0.5)


def test_a_spot_has_a_point() -> None:
    laser = Beam(p1=Point(0, -1), p2=Point(0, 1), name="Laser")
    screen = Detector(p1=Point(40, -30), p2=Point(60, 30), name="Screen")
    along, x, y = values(
        "centroid(Screen); centroid_x(Screen); centroid_y(Screen)", document_of(laser, screen)
    )
    assert (x, y) == pytest.approx((50, 0), abs=1e-9)
    assert along == pytest.approx(math.hypot(10, 30))
