"""The principal path: values are those of the light that the scene is made for, whatever ghosts
arrive with it.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace

import numpy as np
import pytest

from raybench.analysis.measures.bound import bind_measures, measure_values
from raybench.analysis.measures.grammar import InvalidMeasure, read_measures
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured
from raybench.analysis.measures.principal_path import PrincipalPath, principal_paths
from raybench.analysis.paths.principal import light_by_path
from raybench.kinds.blockers import Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam, SingleRay
from raybench.scene.changes import Rotate, apply_changes
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

SCENES = 200 if os.environ.get("RAYBENCH_LONG") else 12
SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")
PLATE = Glass(
    path=(Vertex(30, -40), Vertex(40, -40), Vertex(60, 40), Vertex(50, 40)),
    ref_index=1.5,
    name="Plate",
)
TILT = math.degrees(math.atan2(20, 80))
LASER = Beam(p1=Point(0, -1), p2=Point(0, 1), name="Laser")


def document_of(*objects: SceneObject, density: float = 5) -> Document:
    return Document(
        scene=Scene.of(objects, Settings(ray_mode_density=density, color_mode="linear"))
    )


def measured(text: str, document: Document) -> list[Measured]:
    return list(measure_values(text, document, trace(document)))


def paths(text: str, document: Document) -> tuple[PrincipalPath | None, ...]:
    light = Light.from_document(document, trace(document))
    return principal_paths(light, bind_measures(text, document)[0])


def test_returning_light_does_not_turn_the_incidence() -> None:
    """A mirror behind a plate sends the light back at another angle."""
    mirror = Mirror(p1=Point(90, -40), p2=Point(70, 40), name="Mirror")
    one, all_light, refracted = measured(
        "incidence(Plate); incidence(Plate, all); refraction(Plate)",
        document_of(LASER, PLATE, mirror),
    )
    assert one.value == pytest.approx(TILT)
    assert refracted.value == pytest.approx(
        math.degrees(math.asin(math.sin(math.radians(TILT)) / 1.5))
    )
    assert all_light.value > one.value + 1
    assert 0.4 < one.share < 0.6
    assert all_light.share == 1


def test_widths_are_of_the_path_and_powers_of_all_light() -> None:
    document = document_of(LASER, PLATE, SCREEN, density=10)
    width, widest, rays, power, main = measured(
        "width(Screen); width(Screen, all); rays(Screen); power(Screen);"
        ' path_power("Laser > Plate > Plate > Screen")',
        document,
    )
    assert width.value == pytest.approx(2)
    assert widest.value > 4
    assert rays.value > 20
    assert power.value > main.value == pytest.approx(power.value * width.share)


def test_lamps_and_colours_through_one_lens_share_a_path() -> None:
    other = replace(LASER, name="Other", p1=Point(0, 4), p2=Point(0, 6))
    document = document_of(LASER, other, PLATE, SCREEN)
    (path,) = paths("centroid(Screen)", document)
    assert path is not None
    assert path.pattern == ("Laser | Other → Plate:W (refract) → Plate:E (refract) → Screen")
    (both,) = measured(f'path_power("{path.pattern}")', document)
    (arrives,) = measured("power(Screen)", document)
    assert both.value / arrives.value == pytest.approx(path.share)


def test_a_path_is_the_same_where_its_objects_are_turned() -> None:
    document = document_of(LASER, PLATE, SCREEN)
    turned = apply_changes([Rotate((document.scene.objects[1].key,), 50.0)], document)
    (before,), (after,) = (paths("direction(Plate)", d) for d in (document, turned))
    (reflected,) = paths(
        "direction(Plate)",
        document_of(LASER, Mirror(p1=Point(3, -9), p2=Point(3, 9), name="Plate")),
    )
    assert before == after != reflected


def test_a_detector_on_the_way_is_no_step() -> None:
    half = Detector(p1=Point(70, 0), p2=Point(70, 50), name="Half")
    one, two = (
        measured("centroid(Screen)", document_of(LASER, PLATE, *more, SCREEN))
        for more in ((), (half,))
    )
    assert (one[0].value, one[0].share) == pytest.approx((two[0].value, two[0].share))


def test_equal_paths_are_ranked_by_their_first_row() -> None:
    rays = [SingleRay(p1=Point(0, y), p2=Point(1, y), name=f"{y}") for y in (-3, 3)]
    walls = [Mirror(p1=Point(20, y - 1), p2=Point(22, y + 1), name=f"Wall {y}") for y in (-3, 3)]
    result = trace(document_of(*rays, *walls))
    leaves = result.lineage.leaves()
    for rows in (leaves, leaves[::-1]):
        found = light_by_path(result, rows, result.total_arriving_power[rows])
        assert found.principal_rows.tolist() == rows[:1].tolist()
        assert found.share == pytest.approx(0.5)


def test_all_is_a_word_and_in_quotes_a_name() -> None:
    screen = replace(SCREEN, name="all")
    document = document_of(LASER, PLATE, screen, density=10)
    one, whole = measured('rms("all"); rms("all", all)', document)
    assert whole.value > one.value
    assert str(read_measures('rms("all", all)')[0]) == 'rms("all", all)'
    with pytest.raises(InvalidMeasure, match="leave all out"):
        bind_measures("refractive_index(Plate, all)", document)


def lens_of(rng: np.random.Generator, x: float, name: str) -> Glass:
    """A lens, plate or prism about x, tilted a little."""
    half, thick = 15.0, float(rng.uniform(6, 12))
    front, back, wedge = rng.uniform(-4, 4), rng.uniform(-4, 4), rng.uniform(-5, 5)
    if rng.random() < 0.4:
        front = back = 0.0
    turn = math.radians(rng.uniform(-12, 12))
    corners = [
        (-thick / 2, -half, False),
        (-thick / 2 - front, 0, True),
        (-thick / 2, half, False),
        (thick / 2 + wedge, half, False),
        (thick / 2 + back, 0, True),
        (thick / 2 - wedge, -half, False),
    ]
    path = tuple(
        Vertex(
            x + px * math.cos(turn) - py * math.sin(turn),
            px * math.sin(turn) + py * math.cos(turn),
            arc,
        )
        for px, py, arc in corners
        if not arc or front or back
    )
    return Glass(path=path, ref_index=float(rng.uniform(1.3, 1.9)), name=name)


@pytest.mark.parametrize("seed", range(SCENES))
def test_ghosts_do_not_change_what_is_measured(seed: int) -> None:
    """Random lenses, plates and prisms in a row, with and without partial reflections, and a mirror
    that sends a part of the light back through them.
    """
    rng = np.random.default_rng(seed)
    names = ["One", "Two", "Three"][: int(rng.integers(1, 4))]
    bodies = [lens_of(rng, 30.0 * i, name) for i, name in enumerate(names)]
    ray = SingleRay(p1=Point(-40, float(rng.uniform(-3, 3))), p2=Point(0, 0), name="Ray")
    fan = AngleSource(
        p1=Point(-60, float(rng.uniform(-3, 3))), p2=Point(0, 0), emis_angle=0.5, name="Fan"
    )
    screen = Detector(p1=Point(110, -60), p2=Point(110, 60), name="Screen")
    back = Mirror(p1=Point(140, -60), p2=Point(145, 60), name="Back")
    clear = [replace(body, partial_reflect=False) for body in bodies]
    angles = "; ".join(
        f"{name}({body})" for body in names for name in ("incidence", "refraction", "deviation")
    )
    foci = "; ".join(f"focus({body}); image_distance({body})" for body in names)
    wall = Blocker(p1=Point(150, -90), p2=Point(150, 90))
    for source, text, within in ((ray, angles, 1e-9), (fan, foci, 5e-3)):
        with_ghosts = measured(text, document_of(source, *bodies, screen, back, wall, density=40))
        without = measured(text, document_of(source, *clear, screen, wall, density=40))
        for one, other in zip(with_ghosts, without, strict=True):
            if other.defined:  # elsewhere only ghosts arrive
                assert one.value == pytest.approx(other.value, rel=within, abs=1e-7), one.expression
