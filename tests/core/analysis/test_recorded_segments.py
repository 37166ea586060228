"""The queries on segments recorded by an earlier engine. Skipped where the recordings are not at
hand.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from raybench.analysis.paths.path_pattern import quoted_name
from raybench.analysis.paths.path_search import find_paths
from raybench.analysis.paths.paths import path_ends
from raybench.analysis.rays.energy import audit_energy
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.ray_facts import rays_in_range
from raybench.analysis.rays.ray_queries import rays_by_angle, rays_crossing, rays_inside
from raybench.analysis.rays.stray_light import find_total_reflection_traps
from raybench.files.scene_json import load_scene
from raybench.kinds.glasses import GlassBody
from raybench.scene.labels import find_edge_by_label
from raybench.scene.names import glass_named
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult

RECORDED = Path(__file__).parents[4] / "shared" / "oracle" / "xml-tools"
pytestmark = pytest.mark.skipif(
    not RECORDED.is_dir(), reason="the recorded answers in ../shared/oracle are not here"
)
NAMES = [
    "brewster",
    "design_point_prism",
    "equilateral_beam",
    "tir_right_angle",
    "two_prisms_shared_edge",
]
ALL = [*NAMES, "spherical_lens_beam"]


def recorded(name: str) -> tuple[dict[str, Any], Scene, TraceResult]:
    data = json.loads((RECORDED / f"{name}.json").read_text())
    return (
        data,
        load_scene(RECORDED / f"{name}.scene.json"),
        TraceResult.from_segments(data["segments"]),
    )


@pytest.mark.parametrize("name", NAMES)
def test_an_edge_is_touched_within_tolerance(name: str) -> None:
    data, scene, result = recorded(name)
    for touch in data["edge_touch"]:
        glass = glass_named(scene, touch["glass"])
        found = rays_crossing(result, glass, find_edge_by_label(glass, str(touch["edge"])))
        assert np.flatnonzero(found).tolist() == touch["within_1e7_indices"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rays_inside_are_the_recorded_ones(name: str) -> None:
    data, scene, result = recorded(name)
    asked = [
        w
        for w in data["wrappers"]
        if w["tool"] == "find_rays_inside_glass_xml" and w["status"] == "ok"
    ]
    assert asked
    for wrapper in asked:
        assert (
            np.flatnonzero(rays_inside(result, glass_named(scene, *wrapper["args"]))).tolist()
            == wrapper["indices"]
        )


@pytest.mark.parametrize("name", NAMES)
def test_the_rays_by_polarisation_are_the_recorded_ones(name: str) -> None:
    data, _, result = recorded(name)
    for wrapper in data["wrappers"]:
        if wrapper["tool"] == "find_rays_by_polarization_xml" and wrapper["status"] == "ok":
            assert (
                np.flatnonzero(rays_in_range(result, "dop", *wrapper["args"])).tolist()
                == wrapper["indices"]
            )


@pytest.mark.parametrize("name", NAMES)
def test_rays_by_angle_touch(name: str) -> None:
    """The recorded sets hold rays that never touch the edge and miss escaping ones that do, so only
    what must hold is asked.
    """
    data, scene, result = recorded(name)
    for touch in data["edge_touch"]:
        glass = glass_named(scene, touch["glass"])
        edge = find_edge_by_label(glass, str(touch["edge"]))
        steep, shallow = (
            np.flatnonzero(rays_by_angle(result, glass, edge, *range_)).tolist()
            for range_ in ((0, 40), (40.0001, 90))
        )
        assert isinstance(glass, GlassBody)
        assert sorted(steep + shallow) == touch["within_1e7_indices"]


@pytest.mark.parametrize("name", ALL)
def test_the_lineage_is_the_recorded_one(name: str) -> None:
    data, _, result = recorded(name)
    wanted = data["lineage"]
    assert result.lineage.roots().tolist() == wanted["roots"]
    assert result.lineage.leaves().tolist() == wanted["leaves"]
    assert asdict(result.lineage.statistics()) == wanted["stats"]
    assert result.lineage.tir_count.max() == data["tir_statistics"]["max_tir_count"]


@pytest.mark.parametrize("name", ALL)
def test_the_paths_are_ranked_as_recorded(name: str) -> None:
    data, _, result = recorded(name)
    ends = path_ends(result)
    wanted = data["lineage"]["rank"]
    assert ends[: len(wanted)].tolist() == [w["leaf"] for w in wanted]
    for end, path in zip(ends.tolist(), wanted, strict=False):
        assert result.lineage.path(end) == path["path"]
        assert result.total_power[end] == path["energy"]
        assert [result.segments[r].interaction for r in path["path"]] == path["path_types"]


@pytest.mark.parametrize("name", ALL)
def test_energy_is_conserved_where_it_was_recorded_to_be(name: str) -> None:
    """Recorded rows do not say that a weak reflection stands for several, so the branches that gain
    by that count here as there.
    """
    data, _, result = recorded(name)
    wanted, audit = data["lineage"]["energy"], audit_energy(result)
    assert len(audit.rows) == wanted["total_checks"]
    assert audit.is_valid == wanted["is_valid"]
    assert audit.max_excess_ratio == pytest.approx(wanted["max_excess_ratio"], rel=1e-12)
    assert audit.rows[audit.violations].tolist() == [v["parent"] for v in wanted["violations"]]
    ratios = audit.excess_ratio[audit.violations]
    np.testing.assert_allclose(
        ratios, [v["excess_ratio"] for v in wanted["violations"]], rtol=1e-12
    )
    assert result.ledger.imbalance == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", ALL)
def test_traps_are_the_recorded_ones(
    name: str,
) -> None:
    data, _, result = recorded(name)
    for count, key in ((1, "tir_traps_min1"), (2, "tir_traps_min2")):
        traps, wanted = find_total_reflection_traps(result, count), data["lineage"][key]
        assert [
            (e, c) for e, c in zip(traps.entry.tolist(), traps.count.tolist(), strict=True)
        ] == [(w["entry"], w["tir_count"]) for w in wanted]
        for i, w in enumerate(wanted):
            if "chain" in w:
                assert int(traps.last[i]) == w["chain"][-1]
                assert int(traps.total[i]) == w["max_tir_count_in_lineage"]
                assert traps.power_in[i] == w["energy_at_entry"]
                assert traps.power_out[i] == w["energy_at_exit"]
                children = result.lineage.children(int(traps.last[i])).tolist()
                assert bool(traps.escaped[i]) == any(
                    result.segments[c].interaction == "refract" for c in children
                )


def test_a_lens_is_touched_at_its_surfaces() -> None:
    """The recorded sides of a lens are chords to the vertex of each surface. Whoever comes to a
    chord here starts or ends on the arc.
    """
    data, scene, result = recorded("spherical_lens_beam")
    lens = glass_named(scene, "Lens")
    chords = {t["edge"]: set(t["within_1e7_indices"]) for t in data["edge_touch"]}
    for edge, halves in ((1, (1, 2)), (4, (4, 5))):
        found = set(
            np.flatnonzero(
                rays_crossing(result, lens, find_edge_by_label(lens, str(edge)))
            ).tolist()
        )
        assert chords[halves[0]] | chords[halves[1]] <= found
        arrivals = {c for r in found if (c := result.parent[r]) >= 0}
        assert len(arrivals & found) > 0
    for edge in (0, 3):
        assert np.flatnonzero(
            rays_crossing(result, lens, find_edge_by_label(lens, str(edge)))
        ).tolist() == sorted(chords[edge])


@pytest.mark.parametrize("name", ALL)
def test_recorded_rows_find_their_surfaces(name: str) -> None:
    _, scene, result = recorded(name)
    found = fill_hit_columns(result, scene)
    assert (found.source >= 0).all()
    assert (found.hit[result.lineage.child_count > 0] >= 0).all()
    assert found.ledger.imbalance == pytest.approx(0, abs=1e-9)
    for source in set(found.source.tolist()):
        leaves = found.source[found.lineage.leaves()] == source
        assert (
            len(find_paths(found, scene, f"{quoted_name(scene.optical[source].title)} > *"))
            == leaves.sum()
        )
