"""Light at edges with a finish: distributions, the ledger, reciprocity and rays towards a target."""

from __future__ import annotations

import numpy as np
import pytest

from raybench.analysis.agentic_tools import set_context_from_result
from raybench.analysis.measures.families.power import absorbed
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.energy import audit_energy
from raybench.analysis.tools.paths.which_path import find_paths
from raybench.analysis.tools.rays.find_rays import find_rays
from raybench.kinds.blockers import Blocker, CircleBlocker
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.mirrors import Mirror
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.changes import Coat, FinishEdge, apply_changes
from raybench.scene.coatings import coating_catalogue
from raybench.scene.document import Document
from raybench.scene.finishes import finish_catalogue, finish_from_json, profile_table
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction, Status
from raybench.trace.compilation.machine_code import ENTRY_POINTS
from raybench.trace.run import generations
from raybench.trace.trace import trace

COLUMNS = ("p1", "p2", "power", "hit", "edge", "interaction", "parent", "status", "flags")
WALL = Blocker(name="Wall", p1=Point(0, -500), p2=Point(0, 500))
MIRROR = Mirror(name="Wall", p1=Point(0, -500), p2=Point(0, 500))


def ray(sine, start=-100.0):
    """A ray that meets the line x = 0 at the origin, where the sine of its angle is given."""
    c = np.sqrt(1 - sine**2)
    return SingleRay(
        name="Ray", p1=Point(start * c, start * sine), p2=Point(0, 0), wavelength=633.0
    )


def document(*objects, changes=(), **settings):
    scene = Scene.of(objects, Settings(**settings))
    return apply_changes(list(changes), Document(scene=scene))


def balanced(result):
    ledger = result.ledger
    there = ledger.emitted + ledger.resampled + ledger.gained
    gone = ledger.escaped + ledger.absorbed + ledger.truncated + ledger.alive
    assert gone == pytest.approx(there, rel=1e-9)
    return ledger


def scattered(result):
    """The sines to the x axis of the scattered rays of the first hit, and their powers."""
    rows = np.flatnonzero((result.interaction == Interaction.SCATTER) & (result.parent == 0))
    ways = result.p2[rows] - result.p1[rows]
    return ways[:, 1] / np.hypot(*ways.T), result.total_power[rows]


def cumulative(finish, u):
    return np.sign(u) * np.interp(np.abs(u), *profile_table(finish.profile).T)


FINISHES = [
    {"scatter": "lambertian", "total": 0.7},
    {"scatter": "gaussian", "deviation": 12, "total": 0.9},
    {"scatter": "abg", "A": 0.05, "B": 0.05, "g": 1.8},
    {"scatter": "table", "angles": [0, 20, 60, 90], "values": [5, 3, 1, 0.5], "total": 0.6},
]


@pytest.mark.parametrize("given", FINISHES)
@pytest.mark.parametrize("start", [0.0, 0.5, -0.9])
def test_scattered_light_is_distributed_as_its_profile_says(given, start):
    finish = finish_from_json({**given, "rays": 50})
    result = trace(
        document(MIRROR, ray(start), changes=[FinishEdge("Wall", with_={**given, "rays": 50})])
    )
    balanced(result)
    sines, powers = scattered(result)
    low, high = cumulative(finish, -1 - start), cumulative(finish, 1 - start)
    total = finish.scattered_fraction(633.0, 1.0, True) * (high - low)
    assert powers.sum() == pytest.approx(total, abs=0.011)  # the power of the weakest ray
    part = (cumulative(finish, np.sort(sines) - start) - low) / (high - low)
    if len(part) == 50:  # one ray in each of equal shares
        np.testing.assert_array_equal(np.floor(part * 50 + 1e-9), np.arange(50))
    specular = np.flatnonzero((result.interaction == Interaction.REFLECT) & (result.parent == 0))
    assert result.total_power[specular].sum() == pytest.approx(1 - total, abs=1e-6)


def test_a_diffuser_scatters_about_the_refracted_direction():
    corners = (Vertex(0, -500), Vertex(90, -500), Vertex(90, 500), Vertex(0, 500))
    given = {"scatter": "gaussian", "deviation": 5, "scatters": "transmitted", "rays": 40}
    ground = document(
        Glass(name="G", path=corners, ref_index=1.5, cauchy_b=0.0), ray(0.6),
        changes=[FinishEdge("G", "W", with_=given)],
    )  # fmt: skip
    result = trace(ground)
    balanced(result)
    sines, powers = scattered(result)
    assert (sines * powers).sum() / powers.sum() == pytest.approx(0.4, abs=0.005)
    spread = np.sqrt((powers * (sines - 0.4) ** 2).sum() / powers.sum())
    assert spread == pytest.approx(np.sin(np.radians(5)), rel=0.05)
    first = result.parent == 0
    specular = result.total_power[first & (result.interaction == Interaction.REFLECT)].sum()
    assert 0 < specular < 0.06  # the reflected part is not scattered
    assert not (first & (result.interaction == Interaction.REFRACT)).any()


def test_paint_absorbs_on_every_kind_of_edge_also_from_inside():
    corners = (Vertex(0, -50), Vertex(90, -50), Vertex(90, 50), Vertex(0, 50))
    black = [FinishEdge(name, edge, values={"reflectance": 0.3}) for name, edge in (("B", "E"),)]
    inside = document(Glass(name="B", path=corners, ref_index=1.5), ray(0.1), changes=black)
    result = trace(inside)
    ledger = balanced(result)
    met = (result.hit == 0) & (result.p2[:, 0] > 89)
    assert ledger.absorbed == pytest.approx(0.7 * result.total_power[met].sum(), rel=1e-9)
    assert not (result.p1[:, 0] > 90.001).any()  # nothing comes through
    for thing in (WALL, MIRROR):
        result = trace(
            document(thing, ray(0.3), changes=[FinishEdge("Wall", values={"reflectance": 0.0})])
        )
        assert [Status(int(s)) for s in result.status] == [Status.ABSORBED]
        assert balanced(result).absorbed == pytest.approx(1.0)


def test_rough_mirrors_scatter_more_of_the_blue_and_of_normal_light():
    def specular(sine, nm):
        light = ray(sine)
        blue = SingleRay(name="Ray", p1=light.p1, p2=light.p2, wavelength=nm)
        given = {"scatter": "abg", "B": 1e-4, "g": 2, "roughness": 10}
        rough = document(
            MIRROR, blue, changes=[FinishEdge("Wall", with_=given)], simulate_colors=True
        )
        result = trace(rough)
        return result.total_power[result.interaction == Interaction.REFLECT].sum()

    assert specular(0.0, 633.0) == pytest.approx(np.exp(-((4 * np.pi * 10 / 633) ** 2)), rel=1e-9)
    assert specular(0.0, 450.0) < specular(0.0, 633.0) < specular(0.95, 633.0)


def test_light_takes_every_way_both_ways_alike():
    finish = finish_from_json({"scatter": "abg", "A": 0.02, "B": 0.02, "g": 1.5})
    for one, other in ((0.2, -0.7), (0.95, 0.1), (0.0, 0.6)):
        there, back = (
            finish.scattered_fraction(550.0, 1.0, True)
            * (cumulative(finish, b - a + 1e-3) - cumulative(finish, b - a - 1e-3))
            for a, b in ((one, -other), (other, -one))
        )
        assert there == pytest.approx(back, rel=1e-9)


def test_rays_towards_a_target_have_the_same_mean_and_less_noise():
    screen = Blocker(name="Screen", p1=Point(-100, 60), p2=Point(-90, 70))
    given = {"scatter": "abg", "B": 0.01, "g": 2, "total": 0.7, "reflectance": 0.3}
    finish = finish_from_json(given)
    start = 10 / np.hypot(100, 10)
    ends = [60 / np.hypot(100, 60) - start, 70 / np.hypot(90, 70) - start]
    exact = 0.3 * 0.7 * np.diff(cumulative(finish, np.array(ends)))[0]

    def powers(rays, **more):
        return np.array([
            (result := trace(document(
                WALL, ray(start), screen, random_seed=str(k),
                changes=[FinishEdge("Wall", with_={**given, "rays": rays, **more})],
            ))).total_power[result.hit == 2].sum()
            for k in range(60)
        ])  # fmt: skip

    aimed = powers(10, towards="Screen")
    np.testing.assert_allclose(aimed, exact, rtol=1e-9)
    blind = powers(1000)
    assert blind.mean() == pytest.approx(exact, abs=4 * blind.std() / np.sqrt(len(blind)))
    assert blind.std() > 1e-4


def test_a_white_cavity_multiplies_light():
    """Light in a closed circle of reflectance 0.9 about a black disc to which 1/10 of it goes."""
    beam = Beam(name="Beam", p1=Point(60, -20), p2=Point(60, 20))
    cavity = document(
        beam, CircleBlocker(name="Wall", p1=Point(0, 0), p2=Point(100, 0)),
        CircleBlocker(name="Disc", p1=Point(0, 0), p2=Point(10, 0)),
        changes=[FinishEdge("Wall", values={"reflectance": 0.9})], ray_mode_density=4.0,
    )  # fmt: skip
    result = trace(cavity)
    ledger = balanced(result)
    assert ledger.escaped == 0
    met = result.total_power[result.hit == 1].sum() / ledger.emitted
    assert met == pytest.approx(1 / (1 - 0.9 * (1 - 0.1)), rel=0.02)


def random_scene(seed):
    """A room with glass, mirrors and blockers of random coatings and finishes."""
    rng = np.random.default_rng(seed)
    coats, finishes = sorted(coating_catalogue()), sorted(finish_catalogue())
    objects = [
        CircleGlass(name=f"C{i}", p1=Point(x, y), p2=Point(x + 9, y), ref_index=1.5 + 0.02 * i)
        for i, (x, y) in enumerate(rng.uniform(-150, 150, (8, 2)).tolist())
    ]
    walls = [Point(-200, -200), Point(200, -200), Point(200, 200), Point(-200, 200)]
    objects += [
        (Mirror if i % 2 else Blocker)(name=f"W{i}", p1=walls[i], p2=walls[i - 1]) for i in range(4)
    ]
    objects += [
        Beam(name=f"S{w}", p1=Point(-180, -40), p2=Point(-180, 40), wavelength=w, brightness=0.5)
        for w in (480.0, 633.0)
    ]
    changes = [Coat(f"C{i}", coating=coats[rng.integers(len(coats))]) for i in range(0, 8, 2)]
    changes += [
        FinishEdge(f"C{i}", with_=finishes[rng.integers(len(finishes))]) for i in range(0, 8, 3)
    ]
    changes += [
        FinishEdge(f"W{i}", with_=finishes[i], values={"rays": 3, "towards": "C1"})
        for i in range(3)
    ]
    scene = Scene.of(
        objects, Settings(simulate_colors=True, ray_mode_density=0.2, max_ray_depth=10)
    )
    return apply_changes(changes, Document(scene=scene))


@pytest.mark.parametrize("seed", range(10))
def test_the_ledger_balances_in_random_scenes(seed):
    result = trace(random_scene(seed))
    ledger = balanced(result)
    assert ledger.absorbed > 0.01 * ledger.emitted
    assert (result.interaction == Interaction.SCATTER).sum() > 50


def test_rows_are_the_same_for_any_number_of_threads(monkeypatch):
    busy = random_scene(3)
    one = trace(busy, threads=1)
    assert len(one) > 2_000
    monkeypatch.setattr(generations, "WORTH_CALLING", 0)
    for threads in (2, 3, 8):
        other = trace(busy, threads=threads)
        for column in COLUMNS:
            np.testing.assert_array_equal(getattr(one, column), getattr(other, column))


def test_a_reduced_trace_scatters_as_the_full_one():
    """The seed of a ray is that of its path, not of its place in the queue."""
    few = document(
        WALL, Beam(name="B", p1=Point(-50, -20), p2=Point(-50, 20)),
        changes=[FinishEdge("Wall", values={"reflectance": 0.9})], ray_mode_density=0.5,
    )  # fmt: skip
    full, reduced = trace(few), trace(few, max_source_rays=5)
    chosen = np.isin(full.source_ray, reduced.source_ray)
    every = {tuple(p) for p in full.p2[chosen].round(9).tolist()}
    assert 0 < len(reduced) < len(full)
    assert {tuple(p) for p in reduced.p2.round(9).tolist()} == every


def test_kernels_that_are_not_compiled_give_the_same_rows(monkeypatch):
    busy = random_scene(5)
    compiled = trace(busy, max_source_rays=6, max_segments=400)
    for kernel in ENTRY_POINTS.values():
        monkeypatch.setattr(kernel, "code", None)
    plain = trace(busy, max_source_rays=6, max_segments=400, threads=1, at_once=True)
    for column in ("hit", "edge", "interaction", "parent", "status"):
        np.testing.assert_array_equal(getattr(plain, column), getattr(compiled, column))
    np.testing.assert_allclose(plain.power, compiled.power, rtol=1e-9, atol=1e-15)


def test_measures_and_the_audit_know_what_paints_absorb():
    result = trace(random_scene(2))
    assert audit_energy(result).is_valid
    light = Light(result.scene, result)
    by_object = [
        absorbed(light, i) for i, o in enumerate(result.scene.optical) if o.name[0] in "CW"
    ]
    assert sum(by_object) == pytest.approx(result.ledger.absorbed, rel=1e-6)


def test_scatter_is_a_word_of_paths_and_filters():
    painted = document(WALL, ray(0.3), changes=[FinishEdge("Wall", values={"reflectance": 0.9})])
    result = trace(painted)
    rows = np.flatnonzero(result.interaction == Interaction.SCATTER)
    assert len(rows) == 8
    set_context_from_result(painted, result)
    assert find_paths("Ray > Wall (scatter) > escape").values["count"] == 8
    assert find_rays(interaction="scatter").rays.rows.tolist() == rows.tolist()
