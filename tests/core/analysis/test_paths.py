"""Paths, energy, traps and ghosts: against plain Python on random light, and against closed forms."""

from __future__ import annotations

import os
from collections import defaultdict

import numpy as np
import pytest
from random_light import random_light

from raybench.analysis.paths.path_pattern import MOST_STEPS, read_pattern
from raybench.analysis.paths.paths import (
    group_paths,
    path_ends,
    path_lengths_from_source,
    rows_on_paths,
)
from raybench.analysis.rays.energy import PowerChangeCause, audit_energy
from raybench.analysis.rays.stray_light import (
    find_total_reflection_traps,
    ghost_rays_at_object,
)
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Blocker
from raybench.kinds.custom_surfaces import CustomSurface, OutRayFormulas
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass, GlassBody
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.grin import CircleGrinGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.sources import PointSource, SingleRay
from raybench.scene.scene import Scene
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Interaction, Status
from raybench.trace.results.branches import count_partial_reflections
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace

SCENES = 1000 if os.environ.get("RAYBENCH_LONG") else 12
pytestmark = pytest.mark.long


@pytest.fixture(params=range(SCENES), scope="module")
def light(request: pytest.FixtureRequest) -> tuple[Scene, TraceResult]:
    return random_light(np.random.default_rng([13, request.param]))


def test_the_longest_pattern() -> None:
    assert len(read_pattern(" > ".join(["A"] * MOST_STEPS))) == MOST_STEPS
    with pytest.raises(RaybenchError, match=f"the limit is {MOST_STEPS}"):
        read_pattern(" > ".join(["A"] * (MOST_STEPS + 1)))


def test_groups_are_the_paths_that_meet_the_same_surfaces(light: tuple[Scene, TraceResult]) -> None:
    _, result = light
    wanted: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for leaf in result.lineage.leaves().tolist():
        way = result.lineage.path(leaf)
        key: tuple[object, ...] = (int(result.source[way[0]]),)
        for row, following in zip(way, [*way[1:], None], strict=True):
            happened = (
                int(result.status[row]) + 100
                if following is None
                else int(result.interaction[following])
            )
            if following is not None and result.interaction[following] == Interaction.SPLIT:
                before, after = (result.p2[r] - result.p1[r] for r in (row, following))
                turn = (
                    abs(float(before[0] * after[1] - before[1] * after[0]))
                    / np.hypot(*before)
                    / np.hypot(*after)
                )
                happened += 1000 * (turn < 1e-6 and float(before @ after) > 0)
            key += (int(result.hit[row]), int(result.edge[row]), happened)
        wanted[key].append(leaf)
    groups = group_paths(result, path_ends(result))
    found = [groups.ends_in_group(i).tolist() for i in range(len(groups))]
    assert sorted(map(sorted, found)) == sorted(map(sorted, wanted.values()))
    for i, rows in enumerate(found):
        assert groups.power[i] == pytest.approx(sum(float(result.total_power[r]) for r in rows))
        assert rows == sorted(rows, key=lambda r: (-result.total_power[r], r))
    assert list(groups.power) == sorted(groups.power, reverse=True)


def test_paths_are_ranked_by_what_they_end_with(light: tuple[Scene, TraceResult]) -> None:
    _, result = light
    ends = path_ends(result).tolist()
    assert ends == sorted(
        result.lineage.leaves().tolist(), key=lambda r: (-result.total_power[r], r)
    )
    for end in ends[:20]:
        way = result.lineage.path(end)
        assert path_lengths_from_source(result)[end] == pytest.approx(
            sum(result.segments[r].length for r in way)
        )
        assert rows_on_paths(result, np.array([end])).tolist() == way


def test_every_branch_is_balanced_or_says_why(light: tuple[Scene, TraceResult]) -> None:
    _, result = light
    audit = audit_energy(result)
    assert audit.is_valid
    for row, arriving, leaving, cause in zip(
        *(c.tolist() for c in (audit.rows, audit.arriving, audit.leaving, audit.cause)), strict=True
    ):
        going_on = sum(float(result.total_power[c]) for c in result.lineage.children(row))
        assert (arriving, leaving) == (
            pytest.approx(float(result.power[row].sum())),
            pytest.approx(going_on),
        )
        resampled = any(result.segments[c].flags & 16 for c in result.lineage.children(row))
        assert (cause == PowerChangeCause.RESAMPLED) == resampled
        if cause == PowerChangeCause.BALANCED:
            assert leaving == pytest.approx(arriving, rel=1e-6)
    missing = set(np.flatnonzero(result.lineage.child_count > 0).tolist()) - set(
        audit.rows.tolist()
    )
    assert all(result.total_power[r] < 1e-12 for r in missing)


def test_chains_of_total_reflection_are_those_found_by_walking(
    light: tuple[Scene, TraceResult],
) -> None:
    _, result = light
    tir = [bool(i == Interaction.TIR) for i in result.interaction]
    chains = []
    for row in range(len(result)):
        parent = int(result.parent[row])
        if tir[row] and not (parent >= 0 and tir[parent]):
            chain = [row]
            while following := [c for c in result.lineage.children(chain[-1]).tolist() if tir[c]]:
                chain.append(following[0])
            chains.append(chain)
    for least in (1, 2, 3):
        traps = find_total_reflection_traps(result, least)
        wanted = sorted((c for c in chains if len(c) >= least), key=lambda c: (-len(c), c[0]))
        assert list(
            zip(traps.entry.tolist(), traps.last.tolist(), traps.count.tolist(), strict=True)
        ) == [(c[0], c[-1], len(c)) for c in wanted]
        for leaked, chain in zip(traps.leaked, wanted, strict=True):
            out = [
                c
                for c in result.lineage.children(chain[-1])
                if result.interaction[c] not in (Interaction.REFLECT, Interaction.TIR)
            ]
            assert leaked == pytest.approx(sum(float(result.total_power[c]) for c in out))


def test_ghosts_have_even_reflections(
    light: tuple[Scene, TraceResult],
) -> None:
    scene, result = light
    glass = {i for i, o in enumerate(scene.optical) if isinstance(o, GlassBody)}
    extra = count_partial_reflections(result, scene)
    for row in range(0, len(result), 7):
        way = result.lineage.path(row)
        assert extra[row] == sum(
            result.interaction[r] == Interaction.REFLECT and result.hit[result.parent[r]] in glass
            for r in way
        )
    for i in range(len(scene.optical)):
        found = ghost_rays_at_object(result, scene, i)
        arriving = [
            r for r in range(len(result)) if result.hit[r] == i and result.status[r] != Status.DEPTH
        ]
        ghosts = [r for r in arriving if extra[r] >= 2 and extra[r] % 2 == 0]
        assert found.arriving == pytest.approx(sum(float(result.total_power[r]) for r in arriving))
        assert sorted(found.paths.ends.tolist()) == ghosts
        assert found.power == pytest.approx(sum(float(result.total_power[r]) for r in ghosts))


def plate(index: float) -> Glass:
    return Glass(
        path=(Vertex(10, -50), Vertex(20, -50), Vertex(20, 50), Vertex(10, 50)),
        ref_index=index,
        name="Plate",
    )


def test_first_ghost_of_a_plate() -> None:
    """Normal incidence: R = ((n - 1) / (n + 1))²; the ghost carries (1 - R)² R² of the light
    (Hecht, section 9.6).
    """
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            plate(1.5),
            Detector(p1=Point(30, -9), p2=Point(30, 9), name="Screen"),
        ]
    )
    result = trace(scene.with_settings(color_mode="linear"))
    ghosts = ghost_rays_at_object(result, scene, 2)
    r = 0.04
    assert ghosts.paths.power[0] == pytest.approx((1 - r) ** 2 * r**2)
    assert ghosts.extra[0] == 2
    assert ghosts.fraction == pytest.approx(r**2, rel=1e-3)
    assert ghosts.stray == 0


def test_light_trapped_in_a_square() -> None:
    square = Glass(path=(Vertex(0, 0), Vertex(10, 0), Vertex(10, 10), Vertex(0, 10)), ref_index=2.0)
    scene = Scene.of([SingleRay(p1=Point(3, 1e-3), p2=Point(4, 1.001)), square]).with_settings(
        max_ray_depth=40
    )
    traps = find_total_reflection_traps(trace(scene))
    assert traps.count.tolist() == [40]
    assert not traps.escaped[0]
    assert traps.leaked[0] == 0
    with pytest.raises(RaybenchError, match="min_tir_count is 0"):
        find_total_reflection_traps(trace(scene), 0)


def test_elements_that_gain_or_take_power() -> None:
    """A grating keeps what its orders carry, a custom surface doubles what it gets, a medium
    absorbs on the way.
    """
    ray = SingleRay(p1=Point(-20, 0.3), p2=Point(0, 0.3))
    grating = DiffractionGrating(p1=Point(0, -5), p2=Point(0, 5), line_density=500)
    audit = audit_energy(trace(Scene.of([ray, grating])))
    assert audit.cause.tolist() == [PowerChangeCause.ELEMENT]
    assert audit.change_by_cause(PowerChangeCause.ELEMENT) < 0
    double = CustomSurface(
        p1=Point(0, -5), p2=Point(0, 5), out_rays=(OutRayFormulas("\\theta_0", "2\\cdot P_0"),)
    )
    audit = audit_energy(trace(Scene.of([ray, double])))
    assert audit.cause.tolist() == [PowerChangeCause.ELEMENT]
    assert audit.change_by_cause(PowerChangeCause.ELEMENT) == pytest.approx(1.0)
    assert audit.max_excess_ratio == pytest.approx(2.0)
    assert audit.is_valid
    smoky = CircleGrinGlass(p1=Point(0, 0), p2=Point(5, 0), absorption_fn="0.1", ref_index_fn="1.5")
    audit = audit_energy(trace(Scene.of([ray, smoky]).with_settings(color_mode="linear")))
    assert PowerChangeCause.ABSORBED in audit.cause
    assert PowerChangeCause.VIOLATION not in audit.cause
    assert audit.is_valid


def test_lenses_detectors_and_resampling_are_balanced() -> None:
    scene = Scene.of(
        [
            PointSource(x=-30, y=0, brightness=0.3),
            IdealLens(p1=Point(-10, -20), p2=Point(-10, 20), focal_length=20),
            plate(1.5),
            Detector(p1=Point(40, -50), p2=Point(40, 50)),
            Blocker(p1=Point(60, -80), p2=Point(60, 80)),
        ]
    )
    audit = audit_energy(trace(scene.with_settings(ray_mode_density=2.0)))
    assert audit.is_valid
    assert set(np.unique(audit.cause)) == {
        PowerChangeCause.BALANCED,
        PowerChangeCause.RESAMPLED,
        PowerChangeCause.TRUNCATED,
    }
    assert audit.max_excess_ratio > 1
    assert audit.change_by_cause(PowerChangeCause.RESAMPLED) > 0


def test_power_from_nothing_is_a_violation() -> None:
    row = {"p1": (0, 0), "p2": (1, 0), "brightness_s": 0.5, "brightness_p": 0.5}
    child = {"p1": (1, 0), "p2": (2, 0), "brightness_s": 0.6, "brightness_p": 0.5, "parent": 0}
    audit = audit_energy(TraceResult.from_segments([row, child]))
    assert not audit.is_valid
    assert audit.rows[audit.violations].tolist() == [0]
    assert audit.max_excess_ratio == pytest.approx(1.1)
