"""The aperture stop and the pupils against closed forms (Hecht, section 5.3)."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.core.analysis.tools.asking import ask, number, traced

import raybench.analysis.agentic_tools as tools
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.measures.measure import Measured
from raybench.kinds.blockers import Aperture
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens, SphericalLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

LAMP = Beam(p1=Point(-100, -15), p2=Point(-100, 15), brightness=0.5, name="Lamp")
FIRST = IdealLens(p1=Point(0, -20), p2=Point(0, 20), focal_length=100, name="First")
IRIS = Aperture(p1=Point(40, -50), p2=Point(40, 50), p3=Point(40, -5), p4=Point(40, 5), name="Iris")
SECOND = IdealLens(p1=Point(60, -20), p2=Point(60, 20), focal_length=50, name="Second")
SCREEN = Detector(p1=Point(80, -30), p2=Point(80, 30), name="Screen")
ALL = (
    "stop_width({0}); stop_fill({0}); entrance_pupil({0}); entrance_pupil_distance({0});"
    " exit_pupil({0}); exit_pupil_distance({0})"
)


def told(
    name: str,
    *objects: SceneObject,
    groups: dict[str, frozenset[int]] | None = None,
    density: float = 1.0,
) -> list[Measured]:
    document = Document(
        scene=Scene.of(objects, Settings(ray_mode_density=density)), groups=groups or {}
    )
    return list(measure_values(ALL.format(name), document, trace(document)))


def image(stop: float, lens: float, focal_length: float) -> tuple[float, float]:
    """How far behind the stop's side of a thin lens the image of a stop stands, and its
    magnification (Hecht, 5.2.3).
    """
    distance = 1 / (1 / focal_length - 1 / abs(lens - stop))
    return -distance, -distance / abs(lens - stop)


def test_a_stop_between_two_lenses_is_imaged_by_each() -> None:
    before, larger = image(40, 0, 100)
    after, also_larger = image(40, 60, 50)
    pair = {"Pair": frozenset({FIRST.key, SECOND.key})}
    width, fill, entrance, at, leaving, back = (
        m.value for m in told("Pair", LAMP, FIRST, IRIS, SECOND, SCREEN, groups=pair)
    )
    assert (width, fill) == (pytest.approx(10), pytest.approx(1))  # it cuts the light
    assert (entrance, at) == pytest.approx((10 * larger, before))  # behind the first lens, virtual
    assert (leaving, back) == pytest.approx((10 * also_larger, -after))
    alone = [m.value for m in told("Second", LAMP, FIRST, IRIS, SECOND, SCREEN)]
    assert alone[3] == pytest.approx(at - 60)  # counted from the first surface of the object
    assert alone[4:] == pytest.approx([leaving, back])


def test_a_disabled_aperture_is_no_stop() -> None:
    document = Document(scene=Scene.of([LAMP, FIRST, IRIS, SECOND, SCREEN]))
    off = document.with_annotations(disabled=frozenset({document.scene.objects[2].key}))
    (wide,) = measure_values("stop_width(Second)", off, trace(off))
    (without,) = told("Second", LAMP, FIRST, SECOND, SCREEN)[:1]
    assert (wide.value, wide.defined) == (without.value, True)
    assert told("Second", LAMP, FIRST, IRIS, SECOND, SCREEN)[0].value == pytest.approx(10)


def test_what_is_filled_most_is_the_stop() -> None:
    found = ask(traced(LAMP, FIRST, IRIS, SECOND, SCREEN), tools.pupils_xml, "Screen")
    assert found.attrib["stop"] == "Iris"
    assert number(found, "stop_width") == pytest.approx(10)
    wide = replace(IRIS, p3=Point(40, -40), p4=Point(40, 40))
    found = ask(traced(LAMP, FIRST, wide, SECOND, SCREEN), tools.pupils_xml, "Screen")
    assert found.attrib["stop"] == "First"  # the light is narrower at the second lens
    assert number(found, "stop_fill") == pytest.approx(30 / 40)
    found = ask(traced(replace(LAMP, brightness=0.0), FIRST, SCREEN), tools.pupils_xml, "First")
    assert "stop" not in found.attrib
    assert "No light" in found.attrib["reason"]


def test_a_telecentric_stop() -> None:
    behind = replace(
        SECOND, p1=Point(90, -20), p2=Point(90, 20)
    )  # its front focal plane is that of the stop
    values = told("Second", LAMP, FIRST, IRIS, behind, SCREEN)
    assert [m.defined for m in values] == [True, True, True, True, False, False]
    assert "telecentric" in values[4].reason


def test_the_rim_of_a_thick_lens() -> None:
    """A parallel beam fills the front most: the exit pupil is the front's image by the back, n / s
    + 1 / s' = (1 - n) / R.
    """
    n, r, d = 1.5, 80.0, 12.0
    lens = SphericalLens(
        p1=Point(0, -20),
        p2=Point(0, 20),
        def_by="DR1R2",
        params={"d": d, "r1": r, "r2": -r},
        ref_index=n,
        name="Lens",
    )
    lamp = Beam(p1=Point(-60, -4), p2=Point(-60, 4), brightness=0.5, name="Lamp")
    _, _, entrance, at, leaving, back = (m.value for m in told("Lens", lamp, lens, SCREEN))
    power = (n - 1) / r
    after = 1 / (power - n / d)
    assert (entrance, at) == (pytest.approx(40, rel=0.05), pytest.approx(0, abs=1e-6))
    assert back == pytest.approx(after, abs=1e-4)
    assert leaving == pytest.approx(entrance * -after * n / d, rel=1e-4)


def test_a_mirror_keeps_the_pupil() -> None:
    mirror = Mirror(
        p1=Point(40, 20), p2=Point(80, -20), name="Fold"
    )  # at 45°: light goes on upwards
    folded = IdealLens(p1=Point(40, -40), p2=Point(80, -40), focal_length=50, name="Second")
    after, larger = image(0, 60, 50)
    iris = replace(IRIS, p1=Point(40, -50), p2=Point(40, 50))
    values = [m.value for m in told("Second", LAMP, FIRST, iris, mirror, folded)]
    after, larger = image(0, 20 + 40, 50)
    assert values[0] == pytest.approx(10)
    assert values[4:] == pytest.approx([10 * abs(larger), -after], rel=1e-6)


def test_light_all_around_fills_the_stop() -> None:
    """Half of it goes away from the lens, on lines that cross the lens behind the source."""
    lens = IdealLens(p1=Point(0, -3), p2=Point(0, 3), focal_length=10, name="Lens")
    _, fill, *_ = told("Lens", PointSource(x=-20, y=0, name="Lamp"), lens)
    assert fill.value == 1


def test_a_stop_that_begins_inside_a_lens() -> None:
    """The rim of the opening is inside the lens, whose last surface is hollow: its middle is in the
    air behind. Seen from the front through n, one power and a plane face, it is nearer and larger.
    """
    n, thick, radius, behind, rim = 1.5, 10.0, 26.0, 0.5, 6.0
    lens = Glass(
        path=(
            Vertex(0, -10), Vertex(0, 10), Vertex(thick + 2, 10), Vertex(thick, 0, arc=True), Vertex(thick + 2, -10)
        ),
        ref_index=n,
        partial_reflect=False,
        name="Lens",
    )  # fmt: skip
    assert radius - math.sqrt(radius**2 - rim**2) > behind
    x = thick + behind
    stop = Aperture(
        p1=Point(x, -20), p2=Point(x, 20), p3=Point(x, -rim), p4=Point(x, rim), name="Stop"
    )
    laser = Beam(p1=Point(-30, -9), p2=Point(-30, 9), name="Laser")
    rear = IdealLens(p1=Point(30, -20), p2=Point(30, 20), focal_length=50, name="Rear")
    found = ask(traced(laser, lens, stop, rear, density=5), tools.pupils_xml, "Rear")
    inside = n / (1 / behind + (n - 1) / radius)  # the image's distance from the last surface
    assert found.attrib["stop"] == "Stop"
    assert number(found, "stop_width") == 2 * rim
    assert number(found, "entrance_pupil") == pytest.approx(
        2 * rim * inside / (n * behind), rel=1e-4
    )
    assert number(found, "entrance_pupil_distance") == pytest.approx(
        (thick + inside) / n - 30, rel=1e-4
    )
