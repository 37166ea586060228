"""The questions about rays against the same asked of each ray in plain Python, with shapely on
finely sampled outlines.
"""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
import shapely
from random_light import polygon_of, random_light, sampled

from raybench.analysis.rays import incidence, ray_facts, ray_queries
from raybench.analysis.rays.incidence import row_incidences
from raybench.kinds.glasses import Glass, GlassBody
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.sources import SingleRay
from raybench.scene.labels import labelled_edges
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

SCENES = 1000 if os.environ.get("RAYBENCH_LONG") else 12
pytestmark = pytest.mark.long
ON, CLEAR = 2e-5, 3e-4
"""What lies nearer to a sampled outline than the first is on it, farther than the second is not: in
between sampling decides.
"""


@pytest.fixture(params=range(SCENES), scope="module")
def light(request: pytest.FixtureRequest) -> tuple[Scene, TraceResult]:
    return random_light(np.random.default_rng([7, request.param]))


def on(line: shapely.LineString, p: np.ndarray) -> float:
    return float(shapely.distance(line, shapely.Point(p)))


def test_inside_and_touching(light: tuple[Scene, TraceResult]) -> None:
    scene, result = light
    for body in (o for o in scene.optical if isinstance(o, GlassBody)):
        polygon = polygon_of(body)
        inside = set(np.flatnonzero(ray_queries.rays_inside(result, body)).tolist())
        for row in range(len(result)):
            a, b = result.p1[row], result.p2[row]
            at = a + (b - a) * (1e-3 / math.dist(a, b)) if result.escaped[row] else (a + b) / 2
            if on(polygon.boundary, at) > CLEAR:
                assert (row in inside) == bool(shapely.contains_xy(polygon, *at)), (body.name, row)
        for edge in labelled_edges(body):
            line = shapely.LineString(sampled(edge.edge.shape))
            found = set(np.flatnonzero(ray_queries.rays_crossing(result, body, edge)).tolist())
            for row in range(len(result)):
                distance = float(
                    shapely.distance(line, shapely.LineString([result.p1[row], result.p2[row]]))
                )
                if distance > CLEAR or distance < 1e-9:
                    assert (row in found) == (distance < 1e-9), (body.name, edge.title, row)
                elif (
                    min(on(line, result.p1[row]), on(line, result.p2[row])) < ON
                    and result.hit[row] >= 0
                ):
                    near_corner = min(
                        math.dist(p, q)
                        for p in (result.p1[row], result.p2[row])
                        for q in (line.coords[0], line.coords[-1])
                    )
                    assert row in found or near_corner < CLEAR


def test_directions_through_an_outline(light: tuple[Scene, TraceResult]) -> None:
    """What a ray does at a body is deduced from its row: its parent met this body, and it was
    refracted or reflected.
    """
    scene, result = light
    for i, body in enumerate(scene.optical):
        if not isinstance(body, GlassBody):
            continue
        polygon = polygon_of(body)
        wanted: dict[str, set[int]] = {d: set() for d in ray_queries.DIRECTIONS[1:]}
        unclear = set()
        for row in range(len(result)):
            if result.hit[row] == i:
                wanted["arriving"].add(row)
            parent = int(result.parent[row])
            if parent < 0 or result.hit[parent] != i:
                continue
            if result.interaction[row] in (Interaction.REFLECT, Interaction.TIR):
                wanted["reflected"].add(row)
                continue
            d = result.p2[row] - result.p1[row]
            after = result.p1[row] + d * (1e-2 / math.hypot(*d))
            if on(polygon.boundary, after) < 1e-3 or math.hypot(*d) < 2e-2:
                unclear.add(row)
            wanted["entering" if shapely.contains_xy(polygon, *after) else "leaving"].add(row)
        for direction, rows in wanted.items():
            found = set(
                np.flatnonzero(
                    ray_queries.rays_crossing(result, body, direction=direction)
                ).tolist()
            )
            assert found - unclear == rows - unclear, (body.name, direction)
        through = {
            row
            for edge in labelled_edges(body)
            for direction in ("entering", "leaving")
            for row in np.flatnonzero(
                ray_queries.rays_crossing(result, body, edge, direction)
            ).tolist()
        }
        assert through - unclear == (wanted["entering"] | wanted["leaving"]) - unclear, body.name


def test_angles_to_the_normal(light: tuple[Scene, TraceResult]) -> None:
    """The angle of a ray that arrives is that of the sampled side nearest to where it arrives."""
    scene, result = light
    for i, body in enumerate(scene.optical):
        if not isinstance(body, GlassBody):
            continue
        for edge in labelled_edges(body):
            points = np.array(sampled(edge.edge.shape))
            low, high = 20.0, 50.0
            found = set(
                np.flatnonzero(ray_queries.rays_by_angle(result, body, edge, low, high)).tolist()
            )
            for row in np.flatnonzero((result.hit == i) & (result.edge == edge.index)).tolist():
                middles = (points[1:] + points[:-1]) / 2
                k = int(np.hypot(*(middles - result.p2[row]).T).argmin())
                t, d = points[k + 1] - points[k], result.p2[row] - result.p1[row]
                angle = math.degrees(math.atan2(abs(d @ t), abs(d[0] * t[1] - d[1] * t[0])))
                if min(abs(angle - low), abs(angle - high)) > 0.3 and low < angle < high:
                    assert row in found
                touches_twice = len(labelled_edges(body)) == 1 or len(points) > 2
                if (
                    min(abs(angle - low), abs(angle - high)) > 0.3
                    and not low < angle < high
                    and not touches_twice
                ):
                    assert row not in found


def test_what_rays_carry(light: tuple[Scene, TraceResult]) -> None:
    scene, result = light
    rows = range(len(result))
    power = [float(s + p) for s, p in result.power]
    bright = float(np.median(power))
    asked = {
        "power": (
            ray_facts.rays_in_range(result, "power", bright),
            [r for r in rows if power[r] >= bright],
        ),
        "dop": (
            ray_facts.rays_in_range(result, "dop", 0.2, 0.9),
            [
                r
                for r in rows
                if power[r] > 1e-10
                and 0.2 <= abs(result.power[r, 1] - result.power[r, 0]) / power[r] <= 0.9
            ],
        ),
        "tir": (
            ray_facts.rays_with_word(result, "interaction", "tir"),
            [r for r in rows if result.segments[r].interaction == "tir"],
        ),
        "end": (
            ray_facts.rays_with_word(result, "status", "escaped"),
            [r for r in rows if result.status[r] == 1],
        ),
        "how": (
            ray_facts.rays_with_word(result, "interaction", "refract"),
            [r for r in rows if result.interaction[r] == 2],
        ),
        "hit": (incidence.rays_hitting(result, scene, 0), [r for r in rows if result.hit[r] == 0]),
    }
    for what, (found, wanted) in asked.items():
        assert np.flatnonzero(found).tolist() == wanted, what


def test_regions_and_the_nearest_ray(light: tuple[Scene, TraceResult]) -> None:
    _, result = light
    rng = np.random.default_rng(3)
    for _ in range(5):
        x, y, w, h = rng.uniform((-30, -30, 1, 1), (60, 20, 40, 30))
        box = shapely.box(x, y, x + w, y + h)
        lines = [shapely.LineString([a, b]) for a, b in zip(result.p1, result.p2, strict=True)]
        assert np.flatnonzero(ray_queries.rays_through_region(result, x, y, w, h)).tolist() == [
            i for i, li in enumerate(lines) if li.intersects(box)
        ]
        row, distance = ray_queries.nearest_ray(result, x, y)
        distances = [li.distance(shapely.Point(x, y)) for li in lines]
        assert distance == pytest.approx(min(distances), abs=1e-9)
        assert distances[row] == pytest.approx(distance, abs=1e-9)


def test_the_family_tree(light: tuple[Scene, TraceResult]) -> None:
    _, result = light
    lineage = result.lineage
    children: dict[int, list[int]] = {r: [] for r in range(len(result))}
    for row, parent in enumerate(result.parent.tolist()):
        if parent >= 0:
            children[parent].append(row)

    def below(row: int) -> list[int]:
        return [x for c in children[row] for x in (c, *below(c))]

    rng = np.random.default_rng(5)
    for row in rng.integers(0, len(result), 40).tolist():
        assert sorted(lineage.descendants(row).tolist()) == sorted(below(row))
        assert lineage.children(row).tolist() == children[row]
        parent = int(result.parent[row])
        assert lineage.siblings(row).tolist() == (
            [c for c in children[parent] if c != row] if parent >= 0 else []
        )
        way = [row]
        while result.parent[way[0]] >= 0:
            way.insert(0, int(result.parent[way[0]]))
        assert lineage.path(row) == way
        assert lineage.ancestors(row) == way[:-1]
        assert lineage.root[row] == way[0]
        assert lineage.generation[row] == len(way) - 1
    mask = rng.random(len(result)) < 0.05
    chosen = np.flatnonzero(mask).tolist()
    assert np.flatnonzero(lineage.descendants_mask(mask)).tolist() == sorted(
        {x for r in chosen for x in below(r)}
    )
    assert np.flatnonzero(lineage.ancestors_mask(mask)).tolist() == sorted(
        {x for r in chosen for x in lineage.ancestors(r)}
    )
    figures = lineage.statistics()
    assert figures.leaf_count == sum(not c for c in children.values())
    assert figures.branching_factor_avg == pytest.approx(
        np.mean([len(c) for c in children.values() if c] or [0])
    )
    assert figures.interaction_counts == {
        i.name.lower(): n for i in Interaction if (n := result.interaction.tolist().count(i))
    }
    assert Status.ESCAPED in result.status


@pytest.mark.parametrize("scale", [1e-6, 1e9])
def test_tiny_and_huge_scenes_are_asked_as_others(scale: float) -> None:
    """The same scene in another unit, with its length scale, has the same answers."""
    found = []
    for s in (1.0, scale):
        prism = Glass(path=(Vertex(0, 0), Vertex(40 * s, 0), Vertex(20 * s, 30 * s)), name="Prism")
        rays = [
            SingleRay(p1=Point(-30 * s, y * s), p2=Point(0, y * s))
            for y in (2.1, 7.3, 11.9, 19.7, 28.8)
        ]
        result = trace(Scene.of([prism, *rays]).with_settings(length_scale=s, color_mode="linear"))
        answers = [ray_queries.rays_inside(result, prism)]
        for edge in labelled_edges(prism):
            answers += [
                ray_queries.rays_crossing(result, prism, edge, d) for d in ray_queries.DIRECTIONS
            ]
            answers.append(ray_queries.rays_by_angle(result, prism, edge, 0, 90))
        found.append([np.flatnonzero(a).tolist() for a in answers])
    assert found[0] == found[1]
    assert all(found[0][:2])


def test_a_lens_by_focal_distances_in_colours() -> None:
    lens = SphericalLens(
        p1=Point(50, -20),
        p2=Point(50, 20),
        def_by="DFfdBfd",
        params={"d": 10, "ffd": 60, "bfd": 60},
        cauchy_b=0.1,
    )
    rays = [SingleRay(p1=Point(0, y), p2=Point(1, y), wavelength=500) for y in (-9.0, 2.0, 11.0)]
    for colours in (False, True):
        scene = Scene.of([lens, *rays]).with_settings(simulate_colors=colours)
        result = trace(scene)
        arriving = np.flatnonzero(ray_queries.rays_crossing(result, lens, direction="arriving"))
        assert arriving.tolist() == np.flatnonzero(result.hit == 0).tolist()
        inside = set(np.flatnonzero(ray_queries.rays_inside(result, lens)).tolist())
        assert {r for r in range(3, 9) if result.interaction[r] == Interaction.REFRACT} & inside
        assert not np.isnan(row_incidences(result, scene, arriving).angle).any()
