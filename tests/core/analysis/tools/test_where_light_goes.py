"""Who lights what, apertures and leaks: shares by closed forms, zeros told."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from asking import ask, block, number, traced

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.measures.bound import measure_values
from raybench.analysis.rays.stray_light import escape_gaps
from raybench.analysis.tools.discovery import tools as all_tools
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.trace import trace

LASER = Beam(p1=Point(-80, -10), p2=Point(-80, 10), brightness=0.4, name="Laser")
SCREEN = Detector(p1=Point(100, -50), p2=Point(100, 50), name="Screen")
STOP = Aperture(p1=Point(0, -20), p2=Point(0, 20), p3=Point(0, -2.5), p4=Point(0, 2.5), name="Iris")


def test_every_source_and_object_is_told() -> None:
    back = Beam(p1=Point(150, 30), p2=Point(150, 20), brightness=0.1, name="Back")
    away = Beam(p1=Point(-80, 410), p2=Point(-80, 390), brightness=0.1, name="Away")
    dark = Blocker(p1=Point(0, 200), p2=Point(50, 200), name="Dark")
    found = ask(traced(LASER, back, away, SCREEN, dark, density=10), tools.who_lights_what_xml)
    (screen,) = found
    assert found.attrib["unlit"] == "Dark"
    assert (number(screen, "power"), number(screen, "share")) == pytest.approx(
        (9, 9 / 11)
    )  # from either side, positive
    assert {f.attrib["source"]: (number(f, "power"), number(f, "share")) for f in screen} == {
        "Laser": (8, 1),
        "Back": (1, 1),
    }
    assert screen.attrib["unlit_by"] == "Away"
    one = ask(
        traced(LASER, back, away, SCREEN, dark, density=10),
        tools.who_lights_what_xml,
        "Screen",
        "Away",
    )
    assert (len(one), one.attrib["unlit"], number(one, "emitted")) == (0, "Screen", 2)


@pytest.mark.parametrize("more", [0, 400])
def test_returning_light_counts_as_power_only(more: int) -> None:
    """A ray between two mirrors meets the first of them three times; as one of few rays and as one
    of many.
    """
    ray = SingleRay(p1=Point(0, 0), p2=Point(50, 10), brightness=1.0, name="Ray")
    first = Mirror(p1=Point(50, 0), p2=Point(50, 60), name="First")
    second = Mirror(p1=Point(0, 5), p2=Point(0, 45), name="Second")
    others = [SingleRay(p1=Point(-10, y), p2=Point(-20, y), name=f"Other {y}") for y in range(more)]
    context = traced(ray, first, second, *others)
    found = ask(context, tools.who_lights_what_xml, source_name="Ray")
    told = {
        o.attrib["name"]: (number(o, "power"), number(o, "share"), int(o.attrib["rays"]))
        for o in found
    }
    assert told == {"First": (3, 1, 3), "Second": (2, 1, 2)}
    assert [number(o[0], "share") for o in found] == [1, 1], "of the source"
    with override_context(context):
        sentence = all_tools()["who_lights_what_xml"].function(source_name="Ray").sentence
        values = [
            m.attrib["value"]
            for m in ask(context, tools.measure_xml, "power(First, Ray); share(First, Ray)")
        ]
    assert sentence.startswith(
        "First receives power 3, counted each time it arrives (100 % of the light reaches it);"
        " Second"
    )
    assert values == ["3", "1"]


def test_many_lit_objects_on_a_page() -> None:
    screens = [
        replace(SCREEN, p1=Point(100 + k, -50), p2=Point(100 + k, 50), name=f"Screen {k}")
        for k in range(60)
    ]
    found = ask(traced(LASER, *screens), tools.who_lights_what_xml)
    assert int(found.attrib["count"]) == 60 == len(found) + int(found.attrib["left"].split()[0])
    rest = ask(traced(LASER, *screens), tools.who_lights_what_xml, limit=3, offset=len(found))
    assert [o.attrib["name"] for o in rest] == [f"Screen {len(found) + k}" for k in range(3)]


def test_an_aperture_passes_its_share_of_each_source() -> None:
    narrow = Beam(p1=Point(-80, -1), p2=Point(-80, 1), brightness=1.0, name="Narrow")
    past = Beam(p1=Point(-80, 60), p2=Point(-80, 70), brightness=1.0, name="Past")
    found = ask(
        traced(LASER, narrow, past, STOP, SCREEN, density=10), tools.aperture_throughput_xml, "Iris"
    )
    (iris,) = found
    assert {f.attrib["source"]: number(f, "throughput") for f in iris} == pytest.approx(
        {"Laser": 0.25, "Narrow": 1.0}
    )
    assert (number(iris, "passing"), number(iris, "stopped")) == pytest.approx((2 + 2, 6))
    assert number(iris, "throughput") == pytest.approx(4 / 10)
    # what passes need not meet anything afterwards
    assert number(
        ask(traced(LASER, STOP, density=10), tools.aperture_throughput_xml)[0], "throughput"
    ) == pytest.approx(0.25)
    # light that ends in the opening and starts there anew goes through it once
    inside = Detector(p1=Point(0, -2.5), p2=Point(0, 2.5), name="Inside")
    assert number(
        ask(traced(LASER, STOP, inside, density=10), tools.aperture_throughput_xml)[0], "throughput"
    ) == pytest.approx(0.25)
    closed = replace(STOP, p3=Point(0, 0), p4=Point(0, 0))
    assert (
        number(
            ask(traced(LASER, closed, density=10), tools.aperture_throughput_xml)[0], "throughput"
        )
        == 0
    )
    assert "throughput" not in ask(traced(past, STOP), tools.aperture_throughput_xml)[0].attrib
    with pytest.raises(
        ValueError, match=r"'Screen' is a detector, not an aperture. Apertures: Iris"
    ):
        ask(traced(LASER, STOP, SCREEN), tools.aperture_throughput_xml, "Screen")


def test_no_light_passes_a_disabled_aperture_or_filter() -> None:
    coating = Mirror(
        p1=Point(50, -20), p2=Point(50, 20), filter=True, wavelength=650, name="Coating"
    )
    document = Document(
        scene=Scene.of([LASER, STOP, coating], Settings(simulate_colors=True, color_mode="linear"))
    )
    text = "passing(Iris); throughput(Iris); transmittance(Iris); transmittance(Coating)"
    acting = measure_values(text, document, trace(document))
    assert all(m.value > 0 for m in acting)
    off = document.with_annotations(disabled=frozenset(o.key for o in document.scene.objects[1:]))
    result = trace(off)
    assert [m.value_or_none for m in measure_values(text, off, result)] == [0, None, None, None]
    (iris,) = ask(TracedScene.from_document(off, result), tools.aperture_throughput_xml, "Iris")
    assert (number(iris, "passing_rays"), "throughput" in iris.attrib) == (0, False)


def test_an_escaping_ray_passes_a_far_aperture() -> None:
    far = Aperture(
        p1=Point(3e4, -20), p2=Point(3e4, 20), p3=Point(3e4, -2.5), p4=Point(3e4, 2.5), name="Far"
    )
    assert number(
        ask(traced(LASER, far, density=10), tools.aperture_throughput_xml)[0], "throughput"
    ) == pytest.approx(0.25)


def box(gap: float, wall: type[Blocker] | type[Mirror] = Blocker) -> list[SceneObject]:
    """A square of side 100 about the origin, with a gap in the middle of its right side."""
    return [
        wall(p1=Point(-50, -50), p2=Point(50, -50), name="Ceiling"),
        wall(p1=Point(-50, 50), p2=Point(50, 50), name="Floor"),
        wall(p1=Point(-50, -50), p2=Point(-50, 50), name="Left"),
        wall(p1=Point(50, -50), p2=Point(50, -gap / 2), name="Right upper"),
        wall(p1=Point(50, gap / 2), p2=Point(50, 50), name="Right lower"),
    ]


@pytest.mark.parametrize("gap", [4.0, 20.0])
def test_a_box_leaks_through_its_gap(gap: float) -> None:
    lamp = PointSource(x=0, y=0, brightness=1.0, name="Lamp")
    found = ask(traced(lamp, *box(gap), density=200), tools.leaks_xml)
    (leak,) = found
    share = 2 * math.atan(gap / 100) / (2 * math.pi)
    assert number(leak, "share") == pytest.approx(share, rel=0.01)
    assert number(found, "share") == number(leak, "share")
    assert (leak.attrib["first"], leak.attrib["second"], number(leak, "width")) == (
        "Right upper",
        "Right lower",
        pytest.approx(gap),
    )
    assert [s.attrib["of"] for s in leak] == ["Lamp (source)"]
    value = ask(
        traced(lamp, *box(gap), density=200),
        tools.measure_xml,
        "escaped_between(Right lower, Right upper)",
    )[0]
    assert value.attrib["value"] == leak.attrib["power"]


def test_a_lens_bounds_no_gap() -> None:
    """Light passes it; the walls that stand on either side bound the gap."""
    lamp = PointSource(x=0, y=0, brightness=1.0, name="Lamp")
    lens = IdealLens(p1=Point(70, -3), p2=Point(70, 3), focal_length=50, name="Lens")
    context = traced(lamp, lens, *box(20), density=200)
    (leak,) = ask(context, tools.leaks_xml)
    assert {leak.attrib["first"], leak.attrib["second"]} == {"Right upper", "Right lower"}
    assert {s.attrib["of"] for s in leak} == {"Lamp (source)", "Lens (lens)"}
    (value,) = ask(context, tools.measure_xml, "escaped_between(Lens, Right upper)")
    assert (value.attrib["value"], value.attrib["note"]) == (
        "0",
        "'Lens' lets light pass and bounds no gap",
    )


@pytest.mark.parametrize("x", [0.0, 137.5, 1e3 / 7])
def test_a_mirror_is_no_gap_for_what_it_reflects(x: float) -> None:
    """The light meets it between its ends, and leaves past everything."""
    laser = Beam(p1=Point(x - 80, -5), p2=Point(x - 80, 5), name="Laser")
    mirror = Mirror(p1=Point(x - 7, -30), p2=Point(x + 7, 30), name="Mirror")
    (leak,) = ask(traced(laser, mirror), tools.leaks_xml)
    assert "width" not in leak.attrib


def test_no_light_between_two_walls_has_a_reason() -> None:
    lamp = PointSource(x=0, y=0, brightness=1.0, name="Lamp")
    pole = CircleBlocker(p1=Point(50, 1), p2=Point(50, 3), name="Pole")
    expression = "escaped_between(Right upper, Right lower)"
    (value,) = ask(traced(lamp, pole, *box(20), density=200), tools.measure_xml, expression)
    assert (value.attrib["value"], value.attrib["note"]) == (
        "0",
        "of the light that escapes, the most beside one of these leaves between 'Pole' and 'Right"
        " upper'",
    )
    (closed,) = ask(traced(lamp, *box(0), density=9), tools.measure_xml, expression)
    assert closed.attrib["note"] == "no light escapes"


def test_light_from_walls_leaks() -> None:
    # reflected once by the left wall, towards the gap
    beam = Beam(p1=Point(0, 5), p2=Point(0, -5), brightness=1.0, name="Laser")
    found = ask(traced(beam, *box(20, Mirror)), tools.leaks_xml)
    (leak,) = found
    assert {leak.attrib["first"], leak.attrib["second"]} == {"Right upper", "Right lower"}
    assert [s.attrib["of"] for s in leak] == ["Left (reflect)"]
    assert number(leak, "width") == pytest.approx(20)
    assert number(leak, "share") == pytest.approx(1)


@pytest.mark.parametrize(
    ("first", "says"),
    [(0.4, "the largest part between B0 and B1"), (0.9, "most of it between B0 and B1")],
)
def test_most_of_the_light_is_half(first: float, says: str) -> None:
    walls = [
        Blocker(name=f"B{i}", p1=Point(50, 20 * i), p2=Point(50, 20 * i + 15)) for i in range(4)
    ]
    powers = (first, 0.35, 0.3)
    rays = [
        SingleRay(p1=Point(0, 20 * i + 17), p2=Point(1, 20 * i + 17), brightness=b)
        for i, b in enumerate(powers)
    ]
    with override_context(traced(*walls, *rays)):
        assert says in all_tools()["leaks_xml"].function().sentence


def test_light_past_everything_has_no_width() -> None:
    pole = CircleBlocker(p1=Point(0, 100), p2=Point(0, 90), name="Pole")
    (leak,) = ask(traced(LASER, pole, SCREEN), tools.leaks_xml)
    assert (leak.attrib["first"], leak.attrib["second"], "width" in leak.attrib) == (
        "Pole",
        "Pole",
        False,
    )
    (glass,) = ask(traced(LASER, block(0, -20, 30, 20)), tools.leaks_xml)
    assert [s.attrib["of"] for s in glass] == [f"Block:{_right()} (refract)"]
    assert (
        ask(
            traced(LASER, Blocker(p1=Point(0, -50), p2=Point(0, 50), name="Wall")), tools.leaks_xml
        ).attrib["rays"]
        == "0"
    )
    assert len(ask(traced(), tools.leaks_xml)) == 0
    (free,) = ask(traced(LASER), tools.leaks_xml)
    assert "first" not in free.attrib


def test_gaps_by_turning_rays() -> None:
    rng = np.random.default_rng(8)
    middles, halves = rng.uniform(-60, 60, (2, 20, 2))
    lines = [np.array([m - h / 6, m + h / 6]) for m, h in zip(middles, halves, strict=True)]
    walls = [Mirror(p1=Point(*a), p2=Point(*b), name=f"M{k}") for k, (a, b) in enumerate(lines)]
    context = traced(PointSource(x=0, y=0, name="Lamp"), *walls, density=5, depth=6)
    result, found = context.result, escape_gaps(context.result, context.scene)
    points = [(p, k + 1) for k, line in enumerate(lines) for p in line.tolist()]
    assert len(found.rows) == int(result.escaped.sum()) > 100
    for row, pair, width in zip(
        found.rows.tolist(), found.pair.tolist(), found.width.tolist(), strict=True
    ):
        (x, y), (x2, y2) = result.p1[row].tolist(), result.p2[row].tolist()
        ahead = math.atan2(y2 - y, x2 - x)
        turns = [
            ((math.atan2(p[1] - y, p[0] - x) - ahead) % (2 * math.pi), p, k) for p, k in points
        ]
        left, right = min(turns), max(turns)
        assert pair == sorted((left[2], right[2]))
        free = 2 * math.pi - right[0] + left[0] >= math.pi
        assert width == (math.inf if free else pytest.approx(math.dist(left[1], right[1])))


def _right() -> str:
    """The label of the right side of a block, whatever sides are called."""
    edges = ask(traced(block(0, -20, 30, 20)), tools.describe_edges_xml, "Block").findall(
        "object/edge"
    )
    return next(e.attrib["label"] for e in edges if number(e, "normal_angle") == 0)


@pytest.mark.parametrize(("count", "more"), [(3, ""), (5, "; 2 more")])
def test_the_sentence_names_three_apertures_and_counts_the_others(count: int, more: str) -> None:
    irises = [
        replace(
            STOP,
            p1=Point(k, -20),
            p2=Point(k, 20),
            p3=Point(k, -9),
            p4=Point(k, 9),
            name=f"Iris {k}",
        )
        for k in range(count)
    ]
    with override_context(traced(LASER, *irises, density=10)):
        sentence = all_tools()["aperture_throughput_xml"].function().sentence
    assert sentence.count("goes through it") == 3
    assert sentence.endswith(f"){more}")


@pytest.mark.parametrize(
    ("one", "other", "width"),
    [
        (Point(60, -3), Point(60, 3), 6.0),
        (Point(-70, -40), Point(-70, 40), 80.0),
        (Point(-100, -30), Point(-100, 30), math.inf),
        (Point(60, -3), Point(-60, -40), math.inf),
        (Point(60, -3), Point(60, -40), math.inf),
    ],
)
def test_half_a_turn_is_no_gap(one: Point, other: Point, width: float) -> None:
    outwards = [
        Blocker(p1=p, p2=Point(p.x, p.y + math.copysign(20, p.y)), name=name)
        for name, p in (("A", one), ("B", other))
    ]
    context = traced(replace(LASER, p1=Point(-80, -1), p2=Point(-80, 1)), *outwards, density=1)
    found = escape_gaps(context.result, context.scene)
    assert found.width == pytest.approx([width] * len(found.rows))
    assert len(found.rows)


@pytest.mark.parametrize("turned", [False, True])
def test_the_nearest_object_bounds_a_gap(turned: bool) -> None:
    """The corners of A and those of the two behind it are on one line through the lamp, as are all
    corners of B.
    """
    blockers = [
        Blocker(p1=Point(k * 10, k * 4), p2=Point(k * 20, k * 8), name=name)
        for k, name in ((1, "A"), (3, "Behind"), (7, "Far"))
    ]
    blockers.append(Blocker(p1=Point(10, -3), p2=Point(30, -9), name="B"))
    ray = SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Lamp")
    found = escape_gaps(
        (context := traced(ray, *(blockers[::-1] if turned else blockers))).result, context.scene
    )
    assert {context.scene.optical[i].name for i in found.pair[0]} == {"A", "B"}
    assert found.width[0] == pytest.approx(7)


def test_edges_of_bodies_with_many_edges_are_told_apart() -> None:
    """Both bodies shine through one slit, the first by its edge 1000, the second by its edge 0."""

    def body(y: float, count: int, edge: int, name: str) -> list[SceneObject]:
        turns = [2 * math.pi * i / count for i in (*range(count), edge + 0.5)]
        corners = [(10 * math.cos(t), y + 10 * math.sin(t)) for t in turns[:-1]]
        out = SingleRay(p1=Point(0, y), p2=Point(math.cos(turns[-1]), y + math.sin(turns[-1])))
        return [
            Glass(
                path=tuple(Vertex(*corner) for corner in corners), partial_reflect=False, name=name
            ),
            out,
        ]

    many, few = body(0, 1001, 1000, "Many"), body(-100 * math.tan(math.radians(36)), 5, 0, "Few")
    slit = [Blocker(p1=Point(100, side * 5), p2=Point(100, side * 300)) for side in (-1, 1)]
    found = ask(traced(many[0], few[0], many[1], few[1], *slit), tools.leaks_xml)
    assert sorted(s.attrib["of"].split(":")[0] for s in found.iter("last_surface")) == [
        "Few",
        "Many",
    ]
