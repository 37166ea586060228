"""Light in awkward places: corners, edges, tangents, touching bodies, tiny, huge and far scenes. No
ray leaks, no value is NaN.
"""

from __future__ import annotations

import dataclasses
import math
import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from raybench.kinds.custom_surfaces import CustomSurface, OutRayFormulas
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, CurveMirror, Mirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import Beam, PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Completion, Status
from raybench.trace.results.detectors import detector_readings
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

ENDLESS = Settings(max_ray_depth=10**9)
BOUNCES = 1_000_000


def ray(x: float, y: float, dx: float, dy: float) -> SingleRay:
    return SingleRay(p1=Point(x, y), p2=Point(x + dx, y + dy))


def glass(*corners: tuple[float, float], name: str = "") -> Glass:
    return Glass(path=tuple(Vertex(x, y) for x, y in corners), name=name)


def walls(corners: Sequence[tuple[float, float]]) -> list[SceneObject]:
    """A closed box of mirrors, each from one corner to the next."""
    return [
        Mirror(p1=Point(*a), p2=Point(*b))
        for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)
    ]


def assert_sound(result: TraceResult) -> None:
    """No NaN, no segment of length 0, no power from nowhere."""
    for column in (result.p1, result.p2, result.power):
        assert np.isfinite(column).all()
    assert (result.power >= 0).all()
    length = np.hypot(*(result.p2 - result.p1).T)
    shortest = 1e-6 * (result.scene.settings.length_scale if result.scene is not None else 1.0)
    # only between two walls of a corner may a segment be shorter than the shortest, and never of no
    # length
    assert (length > 0).all()
    assert (length < shortest).sum() <= 0.5 * len(length), "a ray sticks where it is"
    scale = max(result.ledger.emitted, result.ledger.gained, 1e-300)
    assert abs(result.ledger.imbalance) < 1e-9 * scale


BOXES = {
    "square": [(0, 0), (10, 0), (10, 10), (0, 10)],
    "acute": [(0, 0), (100, 0), (100, 9)],
    "very acute": [(0, 0), (100, 0), (100, 0.5)],
    "needle": [(-50, 0), (0, -0.2), (50, 0), (0, 0.2)],
    "star": [(math.cos(a) * r, math.sin(a) * r) for i in range(10) for a, r in ((math.pi * i / 5, 10 if i % 2 else 3.8),)],
    "slanted": [(0.1, 0.2), (7.3, -1.9), (9.7, 6.1), (3.3, 4.4), (-2.0, 8.8)],
    "spiral": [
        (0, 0), (10, 0), (10, 10), (1, 10), (1, 3), (7, 3), (7, 7), (4, 7), (4, 7.5), (7.5, 7.5), (7.5, 2.5), (0.5, 2.5), (0.5, 10.5),
        (0, 10.5),
    ],
}  # fmt: skip


def inside(corners: Sequence[tuple[float, float]]) -> Point:
    """A point within a box: that of a fan of triangles which lies deepest."""
    from shapely import Polygon

    p = Polygon(corners).representative_point()
    return Point(p.x, p.y)


@pytest.mark.parametrize("name", BOXES)
def test_no_ray_leaves_a_closed_box_of_mirrors(name: str) -> None:
    corners = BOXES[name]
    rays = 200
    lamp = inside(corners)
    source = PointSource(x=lamp.x, y=lamp.y)
    scene = Scene.of(
        [source, *walls(corners)], dataclasses.replace(ENDLESS, ray_mode_density=rays / 500)
    )
    result = trace(scene, max_segments=BOUNCES)
    assert_sound(result)
    assert not result.escaped.any()
    assert result.completion is Completion.SEGMENT_LIMIT


def test_a_ray_bounces_a_million_times() -> None:
    corners = BOXES["slanted"]
    start = inside(corners)
    scene = Scene.of([ray(*start, 0.723, 0.311), *walls(corners)], ENDLESS)
    result = trace(scene, max_segments=BOUNCES)
    assert_sound(result)
    assert len(result) == BOUNCES
    assert not result.escaped.any()


@pytest.mark.parametrize("aim", ["corners", "near corners"])
@pytest.mark.parametrize("name", BOXES)
def test_rays_at_corners_stay_in_the_box(name: str, aim: str) -> None:
    corners = BOXES[name]
    lamp = inside(corners)
    offsets = (
        (0.0,)
        if aim == "corners"
        else (1e-3, -1e-5, 1e-6, -1e-7, 1e-8, -1e-9, 1e-10, -1e-12, 1e-14)
    )
    rays = [
        ray(*lamp, x - lamp.x - o * (y - lamp.y), y - lamp.y + o * (x - lamp.x)) for x, y in corners for o in offsets
    ]  # fmt: skip
    result = trace(
        Scene.of([*rays, *walls(corners)], dataclasses.replace(ENDLESS, max_ray_depth=300))
    )
    assert_sound(result)
    assert not result.escaped.any()


@pytest.mark.parametrize("shape", ["round", "lens", "half"])
def test_no_ray_leaves_closed_curved_mirrors(shape: str) -> None:
    def arc(a: tuple[float, float], b: tuple[float, float], via: tuple[float, float]) -> ArcMirror:
        return ArcMirror(p1=Point(*a), p2=Point(*b), p3=Point(*via))

    mirrors: list[SceneObject] = {
        "round": [arc((-10, 0), (10, 0), (0, -10)), arc((10, 0), (-10, 0), (0, 10))],
        "lens": [arc((-10, 0), (10, 0), (0, -1.5)), arc((10, 0), (-10, 0), (0, 2.5))],
        "half": [arc((-10, 0), (10, 0), (0, -10)), Mirror(p1=Point(-10, 0), p2=Point(10, 0))],
    }[shape]  # type: ignore[assignment]
    y = {"round": 1.3, "lens": 0.4, "half": -2.2}[shape]
    rays = [
        ray(0.7, y, math.cos(a), math.sin(a))
        for a in np.linspace(0, 2 * math.pi, 100, endpoint=False)
    ]
    rays += [ray(0.7, y, 10 * side - 0.7, -y) for side in (-1, 1)]
    # tangent as near as can be: it creeps along the wall
    rays += [ray(0.7, y, 0.0, -1.0)]
    result = trace(Scene.of([*rays, *mirrors], ENDLESS), max_segments=300_000)
    assert_sound(result)
    assert not result.escaped.any()


def closed_shape(
    seed: int, kinds: Sequence[str]
) -> tuple[list[tuple[float, float]], list[SceneObject]]:
    """The corners of a random polygon about the origin, and mirrors from one to the next: straight,
    round or Bezier curves.
    """
    rng = random.Random(seed)
    n = rng.randint(3, 6)
    angles = [2 * math.pi * (i + rng.uniform(0, 0.35)) / n for i in range(n)]
    corners = [
        (10 * math.cos(a) * rng.uniform(0.7, 1.1), 10 * math.sin(a) * rng.uniform(0.7, 1.1))
        for a in angles
    ]
    mirrors: list[SceneObject] = []
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        kind, bulge = rng.choice(kinds), rng.uniform(-0.12, 0.2)
        out_x, out_y = (by - ay) * bulge, (ax - bx) * bulge
        if kind == "straight":
            mirrors.append(Mirror(p1=Point(ax, ay), p2=Point(bx, by)))
        elif kind == "round":
            mirrors.append(
                ArcMirror(
                    p1=Point(ax, ay),
                    p2=Point(bx, by),
                    p3=Point((ax + bx) / 2 + out_x, (ay + by) / 2 + out_y),
                )
            )
        else:
            u, v = rng.uniform(0.2, 0.45), rng.uniform(0.55, 0.8)
            first = Point(ax + u * (bx - ax) + out_x, ay + u * (by - ay) + out_y)
            second = Point(ax + v * (bx - ax) + 1.3 * out_x, ay + v * (by - ay) + 1.3 * out_y)
            mirrors.append(
                CurveMirror(
                    points=(CurveNode(Point(ax, ay), first, second), CurveNode(Point(bx, by))),
                    is_closed=False,
                )
            )
    return corners, mirrors


@pytest.mark.parametrize(
    "kinds",
    [["straight", "round"], ["curve"], ["straight", "round", "curve"]],
    ids=lambda k: " ".join(k),
)
def test_no_ray_leaves_mirrors_by_their_corners(kinds: list[str]) -> None:
    offsets = (0, 1e-3, -1e-5, 1e-6, -1e-7, 1e-8, -1e-9, 1e-10, -1e-12)
    for seed in range(40):
        corners, mirrors = closed_shape(seed, kinds)
        rays = [ray(0, 0, math.cos(a), math.sin(a)) for a in np.linspace(0.1, 6.3, 20)]
        rays += [ray(0, 0, x + o * y, y - o * x) for x, y in corners for o in offsets]
        result = trace(Scene.of([*rays, *mirrors], ENDLESS), max_segments=20_000)
        assert np.isfinite(result.p2).all()
        assert not result.escaped.any(), (seed, np.flatnonzero(result.escaped)[:5])


def test_rays_tangent_to_round_mirrors_stay_inside() -> None:
    mirrors = [
        ArcMirror(p1=Point(-10, 0), p2=Point(10, 0), p3=Point(0, -10)),
        ArcMirror(p1=Point(10, 0), p2=Point(-10, 0), p3=Point(0, 10)),
    ]
    rays = [ray(0, -10 + gap, 1, 0) for gap in (1e-1, 1e-3, 1e-5, 1e-7, 1e-9)]
    result = trace(Scene.of([*rays, *mirrors], ENDLESS), max_segments=200_000)
    assert_sound(result)
    assert not result.escaped.any()


def test_rays_through_vertices_never_vanish() -> None:
    triangle = [(0.0, 0.0), (10.0, 0.0), (4.0, 8.0)]
    for x, y in triangle:
        for angle in np.linspace(0.05, 2 * math.pi, 40):
            dx, dy = math.cos(angle), math.sin(angle)
            result = trace(
                Scene.of(
                    [ray(x - 20 * dx, y - 20 * dy, dx, dy), glass(*triangle)],
                    Settings(color_mode="linear"),
                )
            )
            assert_sound(result)


@pytest.mark.parametrize("round_", [False, True])
def test_rays_to_hidden_vertices_enter_there(
    round_: bool,
) -> None:
    chance, compared = random.Random(11), 0
    for _ in range(40):
        places = [(chance.uniform(-30, 30), chance.uniform(-30, 30)) for _ in range(6)]
        # arcs on two of the edges, each between straight ones
        path = tuple(Vertex(x, y, round_ and k in (1, 4)) for k, (x, y) in enumerate(places))
        rays = []
        for x, y in [places[k] for k in (0, 2, 3, 5)] * 20:
            a, b = chance.uniform(-300, 300), chance.uniform(-300, 300)
            dx, dy = x - a, y - b
            rays += [
                SingleRay(p1=Point(a + o * dy, b - o * dx), p2=Point(x + o * dy, y - o * dx))
                for o in (0.0, 1e-9, -1e-9)
            ]
        body = Glass(path=path, partial_reflect=False, ref_index=1.2)
        result = trace(Scene.of([*rays, body], Settings(max_ray_depth=1)))
        sines = np.full(len(rays), np.nan)
        after = result.depth == 1
        d = result.p2[after] - result.p1[after]
        before = result.p2[result.parent[after]] - result.p1[result.parent[after]]
        sines[result.source_ray[after]] = (
            (before[:, 0] * d[:, 1] - before[:, 1] * d[:, 0]) / np.hypot(*before.T) / np.hypot(*d.T)
        )
        middle, *beside = sines.reshape(-1, 3).T
        same = np.abs(beside[0] - beside[1]) < 1e-5  # else the front of the body has a corner there
        compared += int(same.sum())
        np.testing.assert_allclose(
            middle[same & ~np.isnan(middle)], beside[0][same & ~np.isnan(middle)], atol=1e-5
        )
    assert compared > 500


def test_rays_along_the_edges_of_glass_stay_sound() -> None:
    square = glass((0, 0), (10, 0), (10, 10), (0, 10))
    rays = [
        ray(-5, 0, 1, 0),
        ray(-5, 10, 1, 0),
        ray(0, -5, 0, 1),
        ray(10, 15, 0, -1),
        ray(3, 0, 1, 0),
        ray(5, 10, -1, 0),
    ]
    rays += [ray(-5, o, 1, 0) for o in (1e-5, 1e-6, 1e-7, 1e-9, 1e-12, -1e-12, -1e-9, -1e-7, -1e-6)]
    result = trace(Scene.of([*rays, square], Settings(color_mode="linear")), max_segments=20_000)
    assert_sound(result)
    assert result.completion is Completion.COMPLETE


@pytest.mark.parametrize(
    "offset", [0.0, 1e-3, 1e-6, 1e-7, 1e-9, 1e-12, -1e-12, -1e-9, -1e-6, -1e-3]
)
def test_rays_tangent_to_balls_pass_or_enter(offset: float) -> None:
    ball = CircleGlass(p1=Point(0, 0), p2=Point(5, 0))
    slanted = 3 / 5, 4 / 5
    rays = [ray(-20, -5 + offset, 1, 0), ray(-5 + offset, 20, 0, -1)]
    foot = ((5 - offset) * slanted[1], -(5 - offset) * slanted[0])
    rays.append(ray(foot[0] - 20 * slanted[0], foot[1] - 20 * slanted[1], *slanted))
    result = trace(Scene.of([*rays, ball], Settings(color_mode="linear")), max_segments=20_000)
    assert_sound(result)
    if offset <= 0:
        np.testing.assert_allclose(
            (result.p2 - result.p1)[result.escaped][:1] / 1e4, [[1, 0]], atol=1e-2
        )


def test_grazing_rays_on_a_plate_lose_no_power() -> None:
    plate = glass((-1000, 0), (1000, 0), (1000, 10), (-1000, 10))
    rays = [
        ray(0, -h, math.cos(a), math.sin(a))
        for a in (1e-1, 1e-3, 1e-5, 1e-7, 1e-9)
        for h in (1.0, 1e-3)
    ]
    result = trace(Scene.of([*rays, plate], Settings(color_mode="linear")), max_segments=50_000)
    assert_sound(result)
    assert (result.status != Status.ILL_DEFINED).all() or result.warnings


@pytest.mark.parametrize(
    "gap", [0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, -1e-5, -1e-6, -1e-7, -1e-9, -1e-12]
)
def test_touching_bodies_act_as_one(gap: float) -> None:
    left = glass((0, 0), (5, 0), (5, 10), (0, 10))
    right = glass((5 + gap, 0), (10 + gap, 0), (10 + gap, 10), (5 + gap, 10))
    rays = [ray(-5, 5, math.cos(a), math.sin(a)) for a in np.linspace(-0.4, 0.4, 21)]
    result = trace(Scene.of([*rays, left, right], Settings(color_mode="linear")))
    assert_sound(result)
    whole = trace(
        Scene.of([*rays, glass((0, 0), (10, 0), (10, 10), (0, 10))], Settings(color_mode="linear"))
    )
    first = [r.escaped & (r.p2[:, 0] > 20) & (r.total_power > 0.5) for r in (result, whole)]
    if abs(gap) < 1e-6:
        assert first[0].sum() == first[1].sum()
        np.testing.assert_allclose(
            result.total_power[first[0]], whole.total_power[first[1]], atol=1e-9
        )


def test_glued_half_prisms_act_as_a_prism() -> None:
    corners = [(-40.0, 30.0), (40.0, 30.0), (0.0, -40.0)]
    whole = [glass(*corners)]
    halves = [glass((-40, 30), (0, 30), (0, -40)), glass((0, 30), (40, 30), (0, -40))]
    rest: list[SceneObject] = [
        *(ray(-100, 10 + 0.37 * i, 10, -3.1 + 0.05 * i) for i in range(40)),
        Detector(p1=Point(90, -80), p2=Point(90, 80), irrad_map=True, bin_size=2.0),
        Detector(p1=Point(-80, 70), p2=Point(80, 70)),
    ]
    settings = Settings(color_mode="linear", max_ray_depth=60)
    one, two = (trace(Scene.of([*rest, *bodies], settings)) for bodies in (whole, halves))
    assert_sound(two)

    def leaving(result: TraceResult) -> np.ndarray:
        rows = result.escaped & (result.total_power > 1e-5)
        d = (result.p2 - result.p1)[rows]
        d /= np.hypot(*d.T)[:, None]
        # where the line of the ray passes the origin, and its direction
        off = result.p1[rows, 0] * d[:, 1] - result.p1[rows, 1] * d[:, 0]
        table = np.column_stack([result.source_ray[rows], d, off, result.power[rows]])
        return table[np.lexsort(np.round(table, 6).T[::-1])]

    mine, other = leaving(one), leaving(two)
    assert len(mine) == len(other) > 80
    np.testing.assert_allclose(other, mine, atol=1e-9 * 100)
    for a, b in zip(one.detectors, two.detectors, strict=True):
        assert b.power == pytest.approx(a.power, abs=1e-9)
        assert b.normal == pytest.approx(a.normal, abs=1e-9)
        if a.bins is not None:
            np.testing.assert_allclose(b.bins, a.bins, atol=1e-9)


def mixed(scale: float, dx: float, dy: float) -> Scene:
    """Balls, a prism and mirrors under a fan of rays, of another size and elsewhere."""

    def at(x: float, y: float) -> Point:
        return Point(x * scale + dx, y * scale + dy)

    objects: list[SceneObject] = [
        *(SingleRay(p1=at(-60, -3 + 0.31 * i), p2=at(-50, -3.5 + 0.33 * i)) for i in range(20)),
        CircleGlass(p1=at(-20, 0), p2=at(-12, 0)),
        Glass(path=tuple(Vertex(*at(x, y)) for x, y in ((0, -15), (18, 17), (-9, 14)))),
        ArcMirror(p1=at(40, -30), p2=at(40, 30), p3=at(55, 0)),
        Mirror(p1=at(-70, 40), p2=at(70, 44)),
        Detector(p1=at(30, -25), p2=at(30, 25)),
    ]
    return Scene.of(objects, Settings(length_scale=scale, max_ray_depth=12))


@pytest.mark.parametrize(
    ("scale", "dx", "dy", "exact"),
    [
        (1e-6, 0, 0, 1e-7),
        (1e6, 0, 0, 1e-7),
        (1.0, 1e6, -1e6, 1e-4),
        (1e-3, 1e3, 1e3, 1e-4),
        (1e6, 1e12, 1e12, 1e-4),
    ],
)
def test_scale_and_position_do_not_matter(scale: float, dx: float, dy: float, exact: float) -> None:
    plain, other = trace(mixed(1.0, 0.0, 0.0)), trace(mixed(scale, dx, dy))
    assert_sound(other)
    for name in ("hit", "parent", "depth", "interaction", "status", "edge"):
        np.testing.assert_array_equal(getattr(other, name), getattr(plain, name), err_msg=name)
    np.testing.assert_allclose((other.p1 - [dx, dy]) / scale, plain.p1, atol=exact)
    np.testing.assert_allclose(other.power, plain.power, atol=exact)
    assert other.detectors[0].power == pytest.approx(plain.detectors[0].power, abs=exact)


@pytest.mark.parametrize(("scale", "dx"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e6)])
def test_boxes_of_any_scale_and_position_are_closed(scale: float, dx: float) -> None:
    corners = [(x * scale + dx, y * scale - dx) for x, y in BOXES["acute"]]
    start = (70 * scale + dx, 3 * scale - dx)
    rays = [
        ray(*start, scale * math.cos(a), scale * math.sin(a))
        for a in np.linspace(0, 2 * math.pi, 60, endpoint=False)
    ]
    settings = dataclasses.replace(ENDLESS, length_scale=scale)
    result = trace(Scene.of([*rays, *walls(corners)], settings), max_segments=200_000)
    assert_sound(result)
    assert not result.escaped.any()


def test_awkward_scenes_do_not_depend_on_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    from raybench.trace.run import generations

    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    makers: list[Callable[[], Scene]] = [
        lambda: mixed(1.0, 0.0, 0.0),
        lambda: Scene.of(
            [PointSource(x=70, y=3), *walls(BOXES["acute"])],
            Settings(max_ray_depth=40, ray_mode_density=1.0),
        ),
    ]
    for make in makers:
        one = trace(make(), threads=1)
        for threads in (2, 4):
            other = trace(make(), threads=threads)
            for name in ("p1", "p2", "power", "parent", "hit", "status", "flags"):
                np.testing.assert_array_equal(
                    getattr(other, name), getattr(one, name), err_msg=name
                )


def test_an_outline_of_very_many_edges_is_traced():
    """More than a number of 16 bits counts."""
    n = 40_000
    corners = [
        (100 * math.cos(2 * math.pi * i / n), 100 * math.sin(2 * math.pi * i / n)) for i in range(n)
    ]
    ball = Glass(name="Ball", path=tuple(Vertex(x, y) for x, y in corners), ref_index=1.5)
    result = trace(Scene.of([SingleRay(p1=Point(-200, -1), p2=Point(0, -1)), ball]))
    first = result.edge[0]
    assert first >= 0
    assert result.edge.max() < n
    assert math.dist(corners[first], result.p2[0]) < 0.02
    upper = trace(Scene.of([SingleRay(p1=Point(200, -1), p2=Point(0, -1)), ball])).edge[0]
    assert upper > 2**15


def test_light_that_grows_stays_a_number():
    orders = DiffractionGrating(
        p1=Point(50, -20), p2=Point(50, 20), custom_brightness=True, brightnesses=(1e50, 1e50, 1e50)
    )
    formula = CustomSurface(
        p1=Point(60, -20),
        p2=Point(60, 20),
        two_sided=True,
        out_rays=(OutRayFormulas(r"\theta_0", r"10^{60}\cdot P_0"),),
    )
    splitter = BeamSplitter(p1=Point(50, -20), p2=Point(50, 20), trans_ratio=1e50)
    for element in (orders, formula, splitter):
        scene = Scene.of(
            [
                ray(10, 1, 1, 0),
                element,
                Mirror(p1=Point(0, -20), p2=Point(0, 20)),
                Mirror(p1=Point(90, -20), p2=Point(90, 20)),
            ]
        )
        result = trace(scene, max_segments=2_000)
        assert result.power.max() > 1e200
        assert np.isfinite(result.power).all()
        assert all(math.isfinite(value) for value in dataclasses.astuple(result.ledger))
        assert abs(result.ledger.imbalance) < 1e-9 * abs(result.ledger.gained)


def test_a_seed_may_be_any_text():
    beam = Beam(p1=Point(0, 0), p2=Point(0, 50), random=True)
    traced = [trace(Scene.of([beam], Settings(random_seed=seed))) for seed in ("a", "a", "\ud800")]
    assert [len(result) for result in traced] == [5, 5, 5]
    first, again, other = (result.p1.tolist() for result in traced)
    assert first == again
    assert first != other


@pytest.mark.filterwarnings("error")
def test_segments_shorter_than_rounding_spoil_no_reading() -> None:
    far = 1e14
    scene = Scene.of([Detector(p1=Point(far, 0), p2=Point(far, 100), irrad_map=True, bin_size=50)])
    starts, ends = np.array([[far - 50, 10], [far, 20]]), np.array([[far, 10], [far, 20]])
    rows = {
        "p1": starts,
        "p2": ends,
        "end_power": np.full((2, 2), 0.5),
        "hit": np.zeros(2, np.int32),
        "status": np.full(2, Status.CONTINUED, np.uint8),
        "points": np.zeros((2, 2), np.int32),
        "polyline": np.zeros((0, 2)),
    }
    (reading,) = detector_readings(scene, rows)
    assert (reading.power, reading.normal, reading.shear, reading.bins) == (1, 1, 0, (1, 0))


@pytest.mark.parametrize("far", [1e20, 1e50])
def test_hits_rounded_to_centres_stay_numbers(far: float) -> None:
    """Coordinates near the drop are lost in the numbers of a mirror so far away; its light comes
    back to 0, 0.
    """
    drop = CircleGlass(p1=Point(0, 0), p2=Point(10, 0), ref_index=1.5)
    sky = CircleGlass(p1=Point(1.2, 11.3), p2=Point(1e9, far), ref_index=1.5, partial_reflect=True)
    result = trace(Scene.of([drop, sky, PointSource(x=-30.5, y=0.25)]), max_segments=2_000)
    for column in (result.p1, result.p2, result.power):
        assert np.isfinite(column).all()
    assert abs(result.ledger.imbalance) < 1e-9 * result.ledger.emitted
