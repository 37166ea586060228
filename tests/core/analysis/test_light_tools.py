"""The tools that follow light, as a script uses them."""

from __future__ import annotations

import itertools
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from random_light import random_light

from raybench.analysis import agentic_tools as tools
from raybench.analysis.context import require_context
from raybench.analysis.paths.path_search import find_paths
from raybench.analysis.rays.hit_columns import fill_hit_columns
from raybench.analysis.rays.incidence import rays_near_critical_angle, row_incidences
from raybench.errors import RaybenchError
from raybench.kinds.blockers import Aperture, Blocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.sources import Beam, SingleRay
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings
from raybench.shapes.point import Point, Vertex
from raybench.trace.codes import Flag, Interaction
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace


@pytest.fixture
def result() -> TraceResult:
    """A beam onto the side of a prism, one ray that misses it, and a screen behind."""
    prism = Glass(path=(Vertex(0, 0), Vertex(40, 0), Vertex(20, -30)), name='My "Prism" > 1')
    beam = Beam(p1=Point(-30, -20), p2=Point(-30, -4), name="Laser")
    screen = Detector(p1=Point(60, -60), p2=Point(60, 40), name="Screen")
    scene = Scene.of(
        [prism, beam, screen, SingleRay(p1=Point(0, 50), p2=Point(0, 60), name="Lost")]
    ).with_settings(color_mode="linear")
    found = trace(scene, revision=41)
    tools.set_context_from_result(scene=scene, result=found)
    return found


def root(xml: str) -> ET.Element:
    return ET.fromstring(xml)


def test_ranked_paths_find_themselves(result: TraceResult) -> None:
    ranked = root(tools.rank_paths_by_energy_xml(1000, 1000, limit=1000))
    groups = ranked.findall("groups/group")
    assert len(groups) == int(ranked.find("groups").attrib["count"])  # type: ignore[union-attr]
    assert sum(int(g.attrib["paths"]) for g in groups) == len(result.lineage.leaves())
    powers = [float(g.attrib["power"]) for g in groups]
    assert powers == sorted(powers, reverse=True)
    assert [p.attrib["end"] for p in ranked.findall("paths/path")] == [
        g.attrib["strongest"] for g in groups
    ]
    scene = require_context().scene
    for group in groups:
        found = find_paths(result, scene, group.attrib["surfaces"])
        leaves = found.ends[result.lineage.child_count[found.ends] == 0]
        assert len(leaves) == int(group.attrib["paths"]), group.attrib["surfaces"]
        assert float(result.total_power[leaves].sum()) == pytest.approx(
            float(group.attrib["power"]), rel=1e-8
        )


def test_rays_by_place_direction_and_edge() -> None:
    corners = ((20, -5), (30, 5), (20, 5))
    prism = Glass(
        path=tuple(Vertex(*p) for p in corners), ref_index=1.5, partial_reflect=False, name="Prism"
    )
    scene = Scene.of(
        [
            SingleRay(p1=Point(0, 0), p2=Point(1, 0)),
            prism,
            Blocker(p1=Point(15, 20), p2=Point(35, 20), name="Below"),
        ]
    )
    light = trace(scene, revision=9)
    tools.set_context_from_result(scene, light)

    def ids(xml: str) -> list[str]:
        return [ray.attrib["id"] for ray in root(xml).findall("ray")]

    assert ids(tools.find_nearest_ray_xml(10, 3)) == ["r9-0"]
    assert ids(tools.find_nearest_ray_xml(26, 12)) == ["r9-3"]
    assert ids(tools.find_rays_through_region_xml(5, -1, 2, 2)) == ["r9-0"]
    assert ids(tools.find_rays_through_region_xml(24, -1, 2, 30)) == ["r9-1", "r9-2", "r9-3"]
    assert ids(tools.find_rays_crossing_edge_xml("Prism", "NE")) == ["r9-1", "r9-2"]
    assert ids(tools.find_rays_crossing_edge_xml("Prism", "NE", "arriving")) == ["r9-1"]
    assert ids(tools.find_rays_crossing_edge_xml("Prism", "NE", "reflected")) == ["r9-2"]
    assert ids(tools.find_rays_crossing_edge_xml("Prism", "W", "entering")) == ["r9-1"]
    assert ids(tools.find_rays_crossing_edge_xml("Prism", "S", "leaving")) == ["r9-3"]
    with pytest.raises(ValueError, match="direction is 'up'"):
        tools.find_rays_crossing_edge_xml("Prism", "S", "up")
    with pytest.raises(ValueError, match="x is inf; give a number"):
        tools.find_nearest_ray_xml(math.inf, 0)
    # met at 45° and at 0°, critical at 41.8°; entering at 0° of 90°
    assert ids(tools.find_rays_near_critical_angle_xml(within=3)) == []
    assert ids(tools.find_rays_near_critical_angle_xml(within=30)) == ["r9-1"]
    assert ids(tools.find_rays_near_critical_angle_xml(within=50)) == ["r9-1", "r9-2"]
    with pytest.raises(ValueError, match="within is 100"):
        tools.find_rays_near_critical_angle_xml(within=100)


def test_groups_without_single_paths() -> None:
    corners = ((20, -5), (30, 5), (20, 5))
    prism = Glass(
        path=tuple(Vertex(*p) for p in corners), ref_index=1.5, partial_reflect=False, name="Prism"
    )
    lamp = Beam(p1=Point(0, -3), p2=Point(0, 3), name="Lamp")
    scene = Scene.of(
        [lamp, prism, Blocker(p1=Point(15, 20), p2=Point(35, 20), name="Below")],
        Settings(ray_mode_density=2),
    )
    light = trace(scene)
    tools.set_context_from_result(scene, light)
    found = root(tools.find_paths_xml("Lamp > Prism (through) > Below", max_paths=0))
    assert not found.findall("path")
    (group,) = found.findall("groups/group")
    assert (
        group.attrib["surfaces"]
        == "Lamp → Prism:W (refract) → Prism:NE (tir) → Prism:S (refract) → Below (absorbed)"
    )
    assert int(group.attrib["paths"]) == len(light.lineage.leaves()) > 5
    assert group.attrib["total_reflections"] == "1"
    (inside,) = group.findall("inside")
    assert inside.attrib["object"] == "Prism"
    assert float(inside.attrib["length"]) == pytest.approx(
        10, abs=1e-6
    )  # along the base and down: together the leg
    assert float(group.attrib["length"]) == pytest.approx(20 + 10 + 15, abs=1e-6)
    (path,) = root(tools.rank_paths_by_energy_xml(max_paths=5)).findall("paths/path")
    assert path.attrib["end"] == group.attrib["strongest"]
    with pytest.raises(ValueError, match="max_groups is 0"):
        tools.find_paths_xml("Lamp", max_groups=0)


def test_groups_by_order_and_splitter_side() -> None:
    splitter = BeamSplitter(p1=Point(15, 5), p2=Point(25, -5), trans_ratio=0.3, name="Splitter")
    grating = DiffractionGrating(
        p1=Point(40, -5),
        p2=Point(40, 5),
        line_density=300,
        custom_brightness=True,
        brightnesses=(0.5, 0.25, 0.25),
        name="Grating",
    )
    scene = Scene.of([Beam(p1=Point(0, -3), p2=Point(0, 3), name="Lamp"), splitter, grating])
    tools.set_context_from_result(scene, trace(scene))
    groups = root(tools.rank_paths_by_energy_xml(max_paths=0)).findall("groups/group")
    assert [g.attrib["surfaces"] for g in groups] == [
        "Lamp → Splitter (split reflected) → escape",
        "Lamp → Splitter (split transmitted) → Grating (diffract +0) → escape",
        "Lamp → Splitter (split transmitted) → Grating (diffract -1) → escape",
        "Lamp → Splitter (split transmitted) → Grating (diffract +1) → escape",
    ]
    for g in groups:
        assert (
            root(tools.find_paths_xml(g.attrib["surfaces"], max_paths=0)).attrib["count"]
            == g.attrib["paths"]
        )


def test_a_hint_where_nothing_is_found() -> None:
    stop = Aperture(
        p1=Point(10, -5), p3=Point(10, -1), p4=Point(10, 1), p2=Point(10, 5), name="Iris > 1"
    )
    laser, dump = (
        SingleRay(p1=Point(0, 0), p2=Point(1, 0), name="Laser"),
        Blocker(p1=Point(20, -5), p2=Point(20, 5), name="Dump"),
    )
    scene = Scene.of([laser, stop, dump])
    tools.set_context_from_result(scene, trace(scene))
    found = root(tools.find_paths_xml('Laser > "Iris > 1" > Dump'))
    assert (found.attrib["count"], found.attrib["hint"]) == (
        "0",
        "Light passes 'Iris > 1' here. Write: \"Iris > 1\" (through)",
    )
    assert "hint" not in root(tools.find_paths_xml('Laser > "Iris > 1" (through) > Dump')).attrib
    assert "hint" not in root(tools.find_paths_xml("Dump > Dump")).attrib


def test_a_path_obeys_snell_at_every_step(result: TraceResult) -> None:
    ranked = root(tools.rank_paths_by_energy_xml(200, 200))
    checked = 0
    for path in ranked.findall("paths/path"):
        segments = path.findall("segment")
        for here, after in itertools.pairwise(segments):
            assert (here.attrib["x2"], here.attrib["y2"]) == (
                after.attrib["x1"],
                after.attrib["y1"],
            )
            if after.attrib["interaction"] == "refract":
                sines = [
                    float(s.attrib["refractive_index"])
                    * math.sin(math.radians(float(here.attrib[a])))
                    for s, a in ((here, "incidence_angle"), (after, "outgoing_angle"))
                ]
                assert sines[0] == pytest.approx(sines[1], abs=1e-7)
                checked += 1
            elif after.attrib["interaction"] in ("reflect", "tir"):
                assert float(here.attrib["incidence_angle"]) == pytest.approx(
                    float(here.attrib["outgoing_angle"]), abs=1e-6
                )
    assert checked > 15


def test_patterns_are_answered_with_groups_paths_and_power(result: TraceResult) -> None:
    found = root(tools.find_paths_xml('Laser > "My \\"Prism\\" > 1" (refract) > * > Screen', 3))
    assert found.tag == "paths"
    count = int(found.attrib["count"])
    rows = require_context().answers[-1].rows
    scene = require_context().scene
    ends = find_paths(result, scene, found.attrib["pattern"]).ends
    assert count == len(ends) > 3
    assert int(found.attrib["shown"]) == len(found.findall("path")) == 3
    assert float(found.attrib["power"]) == pytest.approx(float(result.total_power[ends].sum()))
    assert set(ends.tolist()) <= set(rows.tolist())
    with pytest.raises(
        ValueError, match=r"character 9: nothing is named 'Scren'; known names: \['Screen'"
    ):
        tools.find_paths_xml("Laser > Scren")


def test_bright_paths_through_an_edge(result: TraceResult) -> None:
    prism, edge = 'My "Prism" > 1', "NW"
    every = root(tools.find_bright_paths_through_edge_xml(prism, edge))
    bright = root(tools.find_bright_paths_through_edge_xml(prism, edge, 0.3, 1000))
    assert 0 < int(bright.attrib["count"]) < int(every.attrib["count"])
    for path in bright.findall("path"):
        assert float(path.attrib["power"]) >= 0.3
        words = [
            (s.attrib.get("edge"), t.attrib["interaction"]) for s, t in itertools.pairwise(path)
        ]
        assert (edge, "refract") in words
    with pytest.raises(ValueError, match="min_energy is -1"):
        tools.find_bright_paths_through_edge_xml(prism, edge, -1.0)
    with pytest.raises(ValueError, match="Available labels"):
        tools.find_bright_paths_through_edge_xml(prism, "Q")


def test_a_ray_from_source_to_ends(result: TraceResult) -> None:
    row = int(np.flatnonzero((result.depth >= 1) & (result.lineage.child_count == 2))[0])
    found = root(tools.ray_path_xml(result.segment_id(row)))
    assert [s.attrib["id"] for s in found.findall("path/segment")] == [
        result.segment_id(r) for r in result.lineage.path(row)
    ]
    assert [r.attrib["id"] for r in found.findall("goes_on_as/ray")] == [
        result.segment_id(r) for r in result.lineage.children(row)
    ]
    assert [r.attrib["id"] for r in found.findall("siblings/ray")] == [
        result.segment_id(r) for r in result.lineage.siblings(row)
    ]
    assert require_context().answers[-1].rows.tolist() == result.lineage.path(row)


@pytest.mark.parametrize(
    ("ray_id", "words"),
    [
        ("r40-3", "r40-3 was ray 3 of revision 40; the active trace is of revision 41"),
        ("r41-99999", "There is no ray r41-99999 in this trace. They run from r41-0 to r41-"),
        ("12", "'12' is not a ray's id. Give one as answers show it, such as r41-0."),
        ("R41-x", "is not a ray's id"),
    ],
)
def test_an_unknown_id_is_refused(result: TraceResult, ray_id: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        tools.ray_path_xml(ray_id)


def test_the_power_of_the_whole_is_accounted_for(result: TraceResult) -> None:
    found = root(tools.check_energy_conservation_xml())
    assert found.attrib["is_valid"] == "true"
    ledger = {k: float(v) for k, v in found.find("ledger").attrib.items()}  # type: ignore[union-attr]
    arrived = ledger["escaped"] + ledger["absorbed"] + ledger["truncated"] + ledger["alive"]
    assert ledger["emitted"] + ledger["resampled"] + ledger["gained"] == pytest.approx(arrived)
    assert sum(int(c.attrib["count"]) for c in found.findall("branches/cause")) == int(
        found.attrib["total_checks"]
    )


def test_violations_are_listed_with_their_parents() -> None:
    row = {"p1": (0, 0), "p2": (1, 0), "brightness_s": 0.5, "brightness_p": 0.5}
    child = {
        "p1": (1, 0),
        "p2": (2, 0),
        "brightness_s": 0.6,
        "brightness_p": 0.5,
        "parent": 0,
        "interaction": "refract",
    }
    light = TraceResult.from_segments([row, child])
    tools.set_context(Scene(), light.segments, light.lineage)
    found = root(tools.check_energy_conservation_xml())
    assert found.attrib["is_valid"] == "false"
    (violation,) = found.findall("violations/violation")
    assert violation.attrib["parent"] == light.segment_id(0)
    assert float(violation.attrib["excess_ratio"]) == pytest.approx(1.1)
    assert violation.attrib["child_types"] == "refract"


def test_statistics_count_every_ray_once_under_each_heading(result: TraceResult) -> None:
    found = root(tools.ray_statistics_xml())
    assert int(found.attrib["count"]) == len(result)
    for heading in ("interactions", "statuses", "wavelengths"):
        assert sum(int(e.attrib["count"]) for e in found.find(heading)) == len(result)  # type: ignore[union-attr]
    assert {e.attrib["name"]: int(e.attrib["rays"]) for e in found.findall("sources/source")}[
        "Lost"
    ] == 1
    hits = {e.attrib["name"]: int(e.attrib["count"]) for e in found.findall("objects/object")}
    assert hits["Screen"] == int((result.hit == 2).sum())
    # light that crosses the prism counts once for it, and power is told as the ledger has it
    assert (
        hits['My "Prism" > 1']
        == int(((result.hit == 0) & (result.parent < 0)).sum())
        < int((result.hit == 0).sum())
    )
    assert found.find("objects").attrib.get("unlit") is None  # type: ignore[union-attr]
    assert sum(float(e.attrib["emitted"]) for e in found.find("wavelengths")) == pytest.approx(
        result.ledger.emitted
    )  # type: ignore[union-attr]
    assert all(flag.attrib["meaning"] for flag in found.findall("flags/flag"))


def test_ghosts_and_traps_are_reported(result: TraceResult) -> None:
    ghosts = root(tools.find_ghosts_xml("Screen"))
    assert ghosts.attrib["object"] == "Screen"
    assert all(int(g.attrib["partial_reflections"]) % 2 == 0 for g in ghosts)
    assert float(ghosts.attrib["ghost_share"]) < 0.1
    traps = root(tools.detect_tir_traps_xml(1))
    assert (
        int(traps.attrib["count"])
        == len(traps) + int(traps.attrib["left"].split()[0])
        > len(traps)
        > 0
    )
    every = root(tools.detect_tir_traps_xml(1, limit=1000))
    assert (
        int(every.attrib["chains"])
        == sum(int(t.attrib["chains"]) for t in every)
        >= len(every)
        == int(traps.attrib["count"])
    )
    powers = [float(t.attrib["energy_at_exit"]) for t in every]
    assert powers == sorted(powers, reverse=True)
    assert int(every.attrib["total_reflections"]) == int(
        (result.interaction == Interaction.TIR).sum()
    )
    with pytest.raises(ValueError, match=r"\(glass\) does not receive light.*'?Screen"):
        tools.find_ghosts_xml('My "Prism" > 1')
    with pytest.raises(ValueError, match="min_tir_count is 0"):
        tools.detect_tir_traps_xml(0)


def test_rows_without_lineage_say_so() -> None:
    row = {"p1": (0, 0), "p2": (1, 0), "brightness_s": 0.5, "brightness_p": 0.5}
    tools.set_context(Scene(), [row, row])
    with pytest.raises(RuntimeError, match=r"No lineage available\. Pass lineage to set_context"):
        tools.rank_paths_by_energy_xml()


def test_nothing_at_all_is_answered_too() -> None:
    tools.set_context_from_result(Scene(), trace(Scene()))
    for call in (
        tools.rank_paths_by_energy_xml,
        tools.check_energy_conservation_xml,
        tools.detect_tir_traps_xml,
        tools.ray_statistics_xml,
    ):
        assert root(call()).attrib["revision"]
    assert root(tools.find_paths_xml("*")).attrib["count"] == "0"


def test_rays_recorded_elsewhere_are_followed_by_their_scene() -> None:
    """The rows alone, as another program would have recorded them."""
    rng = np.random.default_rng(21)
    scene, light = random_light(rng)
    rows = [
        {
            "p1": s.p1,
            "p2": s.p2,
            "brightness_s": s.brightness_s,
            "brightness_p": s.brightness_p,
            "parent": s.parent,
            "interaction": how,
        }
        for s, how in ((s, s.interaction) for s in light.segments)
    ]
    found = fill_hit_columns(TraceResult.from_segments(rows), scene)
    done = light.status != 6
    np.testing.assert_array_equal(found.hit[done], light.hit[done])
    np.testing.assert_array_equal(found.edge[done], light.edge[done])
    np.testing.assert_array_equal(found.source, light.source)


@pytest.mark.parametrize("number", range(6))
def test_grazing_by_critical_angle(number: int) -> None:
    scene, light = random_light(np.random.default_rng([17, number]))
    flagged = set(np.flatnonzero((light.flags & Flag.CAUSES_GRAZING) != 0).tolist())
    rows, margin = rays_near_critical_angle(light, scene, 5.0)
    assert (np.diff(np.abs(margin)) >= 0).all()
    assert ((margin > 0) == ((light.flags[rows] & Flag.CAUSES_TIR) != 0)).all()
    found = np.sort(rows[margin <= 0])
    met = row_incidences(light, scene, found)
    clear = set(found[np.abs(met.angle - met.critical_angles + 5) > 1e-6].tolist())
    assert clear <= flagged
    assert flagged <= set(found.tolist())
    assert len(rays_near_critical_angle(light, scene, 20.0)[0]) >= len(found)
    with pytest.raises(RaybenchError, match="within is 100"):
        rays_near_critical_angle(light, scene, 100.0)


def test_the_middle_of_a_long_path_is_omitted() -> None:
    mirrors = [
        Mirror(p1=Point(x, -9), p2=Point(x, 9), name=name)
        for x, name in ((0, "Left"), (9, "Right"))
    ]
    scene = Scene.of([*mirrors, SingleRay(p1=Point(4, 0), p2=Point(5, 0), name="Laser")])
    light = trace(scene, max_segments=500)
    tools.set_context_from_result(scene, light)
    (path,) = root(tools.rank_paths_by_energy_xml()).findall("paths/path")
    assert path.attrib["segments"] == "500"
    assert len(path.findall("segment")) == 60
    assert path.find("omitted").attrib["segments"] == "440"  # type: ignore[union-attr]
    assert find_paths(light, scene, path.attrib["surfaces"]).ends.tolist() == [499]
