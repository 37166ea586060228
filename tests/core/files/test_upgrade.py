"""Scenes of older versions are upgraded to version 5."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.errors import SceneFileError
from raybench.files.document_file import save_document
from raybench.files.scene_json import load_scene, scene_from_json, scene_to_json
from raybench.files.upgrade import OLD_KINDS, upgrade_scene
from raybench.kinds.blockers import Blocker
from raybench.kinds.fields import described_fields
from raybench.kinds.glasses import CircleGlass, Glass
from raybench.kinds.kinds import KINDS
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import BeamSplitter, Mirror
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.kinds.unread import UnreadObject
from raybench.scene.document import Document
from raybench.scene.problems import find_scene_problems
from raybench.shapes.point import Point

pytestmark = pytest.mark.quick


def point(x: float, y: float) -> dict[str, Any]:
    """A point as version 1 and 2 wrote it."""
    return {"type": 1, "x": x, "y": y, "exist": True}


ENDS = {"p1": point(1, 2), "p2": point(3, 4)}


def version_2(*objs: Any, **more: Any) -> dict[str, Any]:
    return {"version": 2, "objs": list(objs), "origin": {"x": 5, "y": 6}, **more}


def opened(*objs: Any) -> Any:
    return scene_from_json(version_2(*objs)).objects[0]


def test_a_scene_of_2011_with_abbreviated_keys_opens() -> None:
    scene = scene_from_json(
        {
            "k": [
                {
                    "type": "laser",
                    "L": {"type": "xxa", "x": 1, "y": 2, "bA": True},
                    "G": {"type": "aH", "x": 3, "y": 4, "bA": True},
                },
                {
                    "type": "aa",
                    "L": {"type": "point", "x": 0, "y": 0},
                    "G": {"type": "point", "x": 0, "y": 9},
                    "av": False,
                },
                {
                    "type": "ba",
                    "L": {"type": "point", "x": 0, "y": 0},
                    "G": {"type": "point", "x": 0, "y": 9},
                },
                {
                    "type": "bv",
                    "L": {"type": "point", "x": 0, "y": 0},
                    "G": {"type": "point", "x": 0, "y": 9},
                    "p": -50,
                },
                {
                    "type": "halfplane",
                    "L": {"type": "point", "x": 0, "y": 0},
                    "G": {"type": "point", "x": 0, "y": 9},
                    "av": True,
                },
            ],
            "mode": "observed_light",
            "ab": {"type": "circle", "c": {"type": "point", "x": 7, "y": 8}, "r": 40, "bA": True},
        }
    )
    laser, beam, mirror, lens, unfinished = scene.objects
    assert isinstance(laser, SingleRay)
    assert (laser.p1, laser.p2) == (Point(1, 2), Point(3, 4))
    assert isinstance(beam, Beam)
    assert isinstance(mirror, Mirror)
    assert isinstance(lens, IdealLens)
    assert lens.focal_length == -50
    assert isinstance(unfinished, UnreadObject)
    assert "not finished" in unfinished.reason
    assert scene.settings.mode == "observer"
    assert scene.settings.observer is not None
    assert scene.settings.observer.c == Point(7, 8)
    assert scene.settings.observer.r == 40
    assert (scene.settings.ray_mode_density, scene.settings.image_mode_density) == (1, 1)
    assert [
        p.text
        for p in find_scene_problems(scene)
        if p.key != unfinished.key and "lies on" not in p.text
    ] == []


def test_a_bare_list_of_objects_is_a_scene_of_rays() -> None:
    scene = scene_from_json([{"type": "radiant", "x": 4, "y": 5, "exist": True, "p": 0.25}])
    (source,) = scene.objects
    assert isinstance(source, PointSource)
    assert (source.x, source.y, source.brightness) == (4, 5, 0.25)
    assert scene.settings.mode == "rays"


def test_version_1_differs_from_2_by_its_origin() -> None:
    data = {
        "version": 1,
        "objs": [{"type": "laser", **ENDS}],
        "mode": "extended_light",
        "rayDensity_light": 0.4,
    }
    settings = scene_from_json(data).settings
    assert (settings.mode, settings.ray_mode_density, settings.origin) == (
        "extended",
        0.4,
        Point(0, 0),
    )
    assert scene_from_json(version_2()).settings.origin == Point(5, 6)


def test_settings_of_version_2_keep_their_meaning() -> None:
    scene = scene_from_json(
        version_2(
            mode="images",
            rayDensity_light=0.2,
            rayDensity_images=3,
            grid=True,
            lockobjs=True,
            colorMode=True,
            symbolicGrin=True,
            gridSize=7,
        )
    )
    s = scene.settings
    assert (s.mode, s.ray_mode_density, s.image_mode_density) == ("images", 0.2, 3)
    assert (
        s.snap_to_grid,
        s.lock_objs,
        s.simulate_colors,
        s.symbolic_body_merging,
        s.grid_size,
    ) == (True, True, True, True, 7)
    assert s.color_mode == "default"
    assert find_scene_problems(scene) == ()


@pytest.mark.parametrize(
    ("old", "kind", "values"),
    [
        ({"type": "laser", "p": 0.7}, SingleRay, {"brightness": 0.7}),
        (
            {"type": "parallel", "p": 0.7, "divergence": 3},
            Beam,
            {"brightness": 0.7, "emis_angle": 3},
        ),
        (
            {"type": "led", "p": 12, "brightness": 0.3},
            AngleSource,
            {"emis_angle": 12, "brightness": 0.3},
        ),
        (
            {"type": "mirror", "isDichroic": True, "isDichroicFilter": True},
            Mirror,
            {"filter": True, "invert": True},
        ),
        ({"type": "beamsplitter", "p": 0.25}, BeamSplitter, {"trans_ratio": 0.25}),
        (
            {"type": "circlelens", "p": 1.7, "cauchyCoeff": 0.01},
            CircleGlass,
            {"ref_index": 1.7, "cauchy_b": 0.01},
        ),
        ({"type": "lens", "p": "-80"}, IdealLens, {"focal_length": -80}),
        ({"type": "blackline", "isDichroic": True}, Blocker, {"filter": True}),
    ],
)
def test_objects_of_version_2_keep_their_values(
    old: dict[str, Any], kind: type, values: dict[str, Any]
) -> None:
    scene = scene_from_json(version_2(old | ENDS))
    (obj,) = scene.objects
    assert type(obj) is kind
    assert (obj.p1, obj.p2) == (Point(1, 2), Point(3, 4))  # type: ignore[attr-defined]
    for name, value in values.items():
        assert getattr(obj, name) == value
    assert find_scene_problems(scene) == ()


def test_a_polygon_of_version_2_keeps_its_path_and_its_arcs() -> None:
    path = [
        {"x": 0, "y": 0, "arc": False},
        {"x": 9, "y": 0, "arc": True},
        {"x": 9, "y": 9, "arc": False},
        {"x": 0, "y": 9, "arc": False},
    ]
    glass = opened({"type": "refractor", "path": path, "notDone": False, "p": 2})
    assert isinstance(glass, Glass)
    assert glass.ref_index == 2
    assert [v.arc for v in glass.path] == [False, True, False, False]


@pytest.mark.parametrize("old", OLD_KINDS)
def test_every_old_kind_has_a_present_one_whose_properties_are_known(old: str) -> None:
    new, names = OLD_KINDS[old]
    if new not in KINDS:
        pytest.skip(f"{new} cannot be read yet")
    known = {f.json_name for f in described_fields(KINDS[new])}
    assert set(names.values()) <= known


def test_a_handle_finds_its_points() -> None:
    handle = {
        "type": "handle",
        **ENDS,
        "controlPoints": [{"targetObj_index": 0, "mousePart": {"part": 1, "byHandle": True}}],
    }
    (obj,) = upgrade_scene(version_2(handle))["objs"]
    assert obj["controlPoints"] == [{"targetObjIndex": 0, "dragContext": {"part": 1}}]


def test_properties_unknown_in_version_5_are_kept_and_reported() -> None:
    odd = {"type": "hologram", "p1": point(1, 2), "depth": 3}
    scene = scene_from_json(version_2(odd, {"type": "laser", **ENDS, "lightAlpha": 0.5}, swirl=1))
    hologram, laser = scene.objects
    assert isinstance(hologram, UnreadObject)
    assert isinstance(laser, SingleRay)
    texts = " ".join(p.text for p in find_scene_problems(scene))
    for word in ("hologram", "'lightAlpha'", "'swirl'"):
        assert word in texts
    written = scene_to_json(scene)
    assert written["swirl"] == 1
    assert written["objs"][0]["type"] == "hologram"
    assert written["objs"][1]["lightAlpha"] == 0.5


def test_a_property_under_both_names_keeps_both() -> None:
    laser = opened({"type": "laser", **ENDS, "p": 0.2, "brightness": 0.9})
    assert laser.brightness == 0.9
    assert laser.read["p"] == 0.2


def test_an_old_scene_is_written_as_version_5(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_text(
        json.dumps(
            version_2({"type": "laser", **ENDS, "p": 0.2}, mode="light", rayDensity_light=0.3)
        )
    )
    scene = load_scene(path)
    save_document(Document(scene=scene), path)
    data = json.loads(path.read_text())
    assert data["version"] == 5
    assert data["objs"] == [
        {"type": "SingleRay", "p1": {"x": 1, "y": 2}, "p2": {"x": 3, "y": 4}, "brightness": 0.2}
    ]
    assert data["rayModeDensity"] == 0.3
    assert load_scene(path) == scene


def test_a_scene_without_a_version_but_with_kinds_of_version_5_is_read_as_such() -> None:
    label = {"type": "TextLabel", "x": 1, "y": 2, "text": "k"}
    scene = scene_from_json({"objs": [label], "mode": "images"})
    assert scene.objects[0].text == "k"  # type: ignore[attr-defined]
    assert (scene.settings.mode, scene.settings.ray_mode_density) == ("images", 0.1)


@pytest.mark.parametrize("version", [3, 4])
def test_unreleased_versions_open_with_their_known_properties(version: int) -> None:
    scene = scene_from_json(
        {
            "version": version,
            "objs": [{"type": "SingleRay", "p1": point(1, 2), "p2": point(3, 4)}],
            "colorMode": "linear",
        }
    )
    assert isinstance(scene.objects[0], SingleRay)
    assert scene.settings.color_mode == "linear"


def test_upgrading_leaves_its_argument_alone() -> None:
    data = version_2({"type": "laser", **ENDS, "p": 0.2}, mode="light")
    before = copy.deepcopy(data)
    upgrade_scene(data)
    assert data == before


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["laser", "point", "k", "5", "objs"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["version", "objs", "k", "type", "p", "mode", "p1"]), inner
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_no_json_value_breaks_the_upgrade(data: Any) -> None:
    try:
        once = upgrade_scene(data)
    except SceneFileError:
        return
    assert not isinstance(once, dict) or once["version"] == 5
