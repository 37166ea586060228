"""The queries on segments recorded by an earlier engine. Skipped where the recordings are not at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.analysis.ray_queries import rays_by_angle, rays_by_polarization, rays_inside, rays_touching
from core.files.scene_json import load_scene
from core.scene.glasses import GlassBody
from core.scene.labels import edge_labelled
from core.scene.names import glass_named
from core.scene.scene import Scene
from core.trace.result import TraceResult

RECORDED = Path(__file__).parents[4] / "shared" / "oracle" / "xml-tools"
pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded answers in ../shared/oracle are not here")
NAMES = ["brewster", "design_point_prism", "equilateral_beam", "tir_right_angle", "two_prisms_shared_edge"]


def recorded(name: str) -> tuple[dict[str, Any], Scene, TraceResult]:
    data = json.loads((RECORDED / f"{name}.json").read_text())
    return data, load_scene(RECORDED / f"{name}.scene.json"), TraceResult.from_segments(data["segments"])


@pytest.mark.parametrize("name", NAMES)
def test_each_edge_is_touched_by_the_rays_that_come_within_1e7_of_it(name: str) -> None:
    data, scene, result = recorded(name)
    for touch in data["edge_touch"]:
        glass = glass_named(scene, touch["glass"])
        found = rays_touching(result, glass, edge_labelled(glass, str(touch["edge"])))
        assert found.rows.tolist() == touch["within_1e7_indices"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rays_inside_are_the_recorded_ones(name: str) -> None:
    data, scene, result = recorded(name)
    asked = [w for w in data["wrappers"] if w["tool"] == "find_rays_inside_glass_xml" and w["status"] == "ok"]
    assert asked
    for wrapper in asked:
        assert rays_inside(result, glass_named(scene, *wrapper["args"])).rows.tolist() == wrapper["indices"]


@pytest.mark.parametrize("name", NAMES)
def test_the_rays_by_polarisation_are_the_recorded_ones(name: str) -> None:
    data, _, result = recorded(name)
    for wrapper in data["wrappers"]:
        if wrapper["tool"] == "find_rays_by_polarization_xml" and wrapper["status"] == "ok":
            assert rays_by_polarization(result, *wrapper["args"]).rows.tolist() == wrapper["indices"]


@pytest.mark.parametrize("name", NAMES)
def test_rays_by_angle_are_those_that_touch_and_no_others(name: str) -> None:
    """The recorded sets hold rays that never touch the edge and miss escaping ones that do, so only what must hold is asked."""
    data, scene, result = recorded(name)
    for touch in data["edge_touch"]:
        glass = glass_named(scene, touch["glass"])
        edge = edge_labelled(glass, str(touch["edge"]))
        steep, shallow = (rays_by_angle(result, glass, edge, *range_).rows.tolist() for range_ in ((0, 40), (40.0001, 90)))
        assert isinstance(glass, GlassBody)
        assert sorted(steep + shallow) == touch["within_1e7_indices"]


def test_the_lineage_of_the_design_scene_is_the_recorded_one() -> None:
    data, _, result = recorded("design_point_prism")
    assert result.lineage.roots().tolist() == data["lineage"]["roots"]
    assert result.lineage.leaves().tolist() == data["lineage"]["leaves"]
    assert result.lineage.generation.max() == data["lineage"]["stats"]["max_depth"]
    assert result.lineage.tir_count.max() == data["tir_statistics"]["max_tir_count"]
