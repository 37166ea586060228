"""Scene files: reading, writing, preservation of unknown properties, and errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.edited import edited

from raybench.errors import RaybenchError, SceneFileError
from raybench.files.document_file import (
    document_from_json,
    document_to_json,
    list_omitted_contents,
    load_document,
    save_document,
)
from raybench.files.scene_json import load_scene, parse_json, scene_from_json, scene_to_json
from raybench.kinds.glasses import Glass
from raybench.kinds.kinds import KINDS
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.scene.changes import Delete, Move, Set
from raybench.scene.codec import object_from_json
from raybench.scene.document import Document
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.shapes.point import Point

pytestmark = pytest.mark.quick

PRISM = {
    "type": "Glass",
    "name": "P",
    "path": [
        {"x": 0, "y": 0, "arc": False},
        {"x": 9, "y": 0, "arc": False},
        {"x": 0, "y": 9, "arc": False},
    ],
}
LENS = {"type": "IdealLens", "p1": {"x": 1, "y": 2}, "p2": {"x": 1, "y": 8}, "focalLength": "-100"}
ODD = {"type": "Hyperlens", "p1": {"x": 1, "y": 2}, "gain": [1, {"a": None}]}


def file_of(*objs: Any, **more: Any) -> dict[str, Any]:
    return {"version": 5, "objs": list(objs), **more}


def test_an_unchanged_scene_is_written_as_it_was_read() -> None:
    data = file_of(PRISM, LENS, ODD, {"type": "Ruler", "p1": {"x": 0, "y": 0}, "p2": {"x": 5, "y": 0}, "mark": "odd"},
                   name="s", width=800, theme={"ray": {"dash": [1]}}, futureSetting={"a": 1}, modules={"M": {"objs": []}})  # fmt: skip
    assert scene_to_json(scene_from_json(data)) == data


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"objs": [], "gridSize": 10, "gridSize": 30}', '"gridSize" occurs twice in one object of this JSON, again in line 1, column 30'),
        ('{"objs": [\n  {"type": "Mirror", "note": "{\\"x\\": 1",\n   "x": {"x": 1},\n   "x" : 2}]}', '"x" .* again in line 4, column 4'),
        ('{"a": 1,\n "\\u0061": 2}', '"a" .* again in line 2, column 2'),
    ],
)  # fmt: skip
def test_a_key_that_occurs_twice_is_refused_with_its_place(text: str, where: str) -> None:
    with pytest.raises(SceneFileError, match=where):
        parse_json(text, scene_from_json)


def test_defaults_are_left_out_and_the_order_is_stable() -> None:
    lens = {**LENS, "focalLength": 100, "locked": "default", "name": ""}
    written = scene_to_json(scene_from_json(file_of(lens, mode="rays", lengthScale=1.0)))
    assert written == {
        "version": 5,
        "objs": [{"type": "IdealLens", "p1": {"x": 1, "y": 2}, "p2": {"x": 1, "y": 8}}],
    }


def test_numbers_written_as_text_are_numbers_and_stay_text_until_changed() -> None:
    scene = scene_from_json(file_of(LENS))
    assert scene.objects[0].focal_length == -100.0  # type: ignore[attr-defined]
    assert scene_to_json(scene)["objs"][0]["focalLength"] == "-100"
    changed = edited(scene, Set(scene.objects[0].key, {"focalLength": 50.0}))
    assert scene_to_json(changed)["objs"][0]["focalLength"] == 50


def test_a_change_writes_that_property_and_keeps_unknown_ones() -> None:
    scene = scene_from_json(file_of({**PRISM, "x_note": "keep"}))
    moved = edited(scene, Move(scene.objects[0].key, 1, 2))
    (written,) = scene_to_json(moved)["objs"]
    assert written["path"][0] == {"x": 1, "y": 2, "arc": False}
    assert written["x_note"] == "keep"


def test_a_parameter_that_is_changed_to_a_whole_number_is_written_as_one() -> None:
    lens = {
        "type": "SphericalLens",
        "p1": {"x": 0, "y": 0},
        "p2": {"x": 0, "y": 60},
        "params": {"d": 20, "r1": 100.0, "r2": -80.5},
    }
    scene = scene_from_json(file_of(lens))
    assert (
        json.dumps(scene_to_json(scene)["objs"][0]["params"])
        == '{"d": 20, "r1": 100.0, "r2": -80.5}'
    ), "unchanged, as it was read"
    after = edited(scene, Set(scene.objects[0].key, {"params.d": 25.0}))
    assert (
        json.dumps(scene_to_json(after)["objs"][0]["params"]) == '{"d": 25, "r1": 100, "r2": -80.5}'
    )


def test_unknown_and_unfinished_objects_are_kept_and_reported() -> None:
    unfinished = {"type": "Mirror", "p1": {"x": 1, "y": 1}, "p2": None}
    scene = scene_from_json(file_of(ODD, unfinished, {**PRISM, "glow": 1}, sparkle=True))
    assert isinstance(scene.objects[0], UnreadObject)
    assert isinstance(scene.objects[1], UnreadObject)
    texts = [p.text for p in find_scene_problems(scene)]
    assert any("sparkle" in t for t in texts)
    assert any("Hyperlens" in t for t in texts)
    assert any("p2" in t for t in texts)
    assert any("glow" in t for t in texts)
    assert scene_to_json(scene)["objs"][:2] == [ODD, unfinished]


def test_an_unread_decoration_takes_no_place_among_the_optical_objects() -> None:
    scene = scene_from_json(file_of({"type": "TextLabel", "text": "hi"}, PRISM))
    assert [o.title for o in scene.optical] == ["P"]


@pytest.mark.parametrize(
    ("bad", "refusal", "problem"),
    [
        ({**PRISM, "refIndex": "thick"}, "object 2 'P' (glass): 'refIndex' must be a number, it is \"thick\".",
         "'P' (Glass, object 2 of the file) is kept but has no effect: 'refIndex' must be a number, it is \"thick\"."),
        ({**PRISM, "refIndex": True}, "'refIndex' must be a number, it is true.", "'refIndex' must be a number, it is true."),
        ({**PRISM, "refIndex": 10**400}, "'refIndex' must be a finite number", "'refIndex' must be a finite number"),
        ({**PRISM, "path": [{"x": 1, "y": 2}, {"x": 1}]}, "'path' [1] must be a point with x and y, it has no y.", "it has no y."),
        ({**PRISM, "path": [{"x": "1 mm", "y": 2}]}, "'path' [0] x must be a number, it is \"1 mm\".", "'path' [0] x must be a number"),
        ({**LENS, "p2": {"x": 1, "y": None}}, "'p2' y must be a number, it is null.", "'p2' y must be a number, it is null."),
        ({**PRISM, "path": PRISM["path"][:2]}, "object 2: 'P' (glass): path has 2 points; an outline needs at least 3.",
         "'P' (Glass, object 2 of the file) is kept but has no effect: path has 2 points; an outline needs at least 3."),
        ({**PRISM, "name": "", "path": PRISM["path"][:2]}, "object 2: 'Glass' (glass): path has 2 points",
         "'Unread object 1' (Glass, object 2 of the file) is kept but has no effect: path has 2 points"),
        ({**PRISM, "path": [{"x": i, "y": i * i, "arc": i > 0} for i in range(4)]}, "path[1] and the point", "path[1] and the point"),
        ({**LENS, "p1": 5}, "object 2 (ideal lens): 'p1' must be a point", "object 2 of the file) is kept"),
        ({**LENS, "locked": "maybe"}, "'locked' must be one of", "'locked' must be one of"),
    ],
)  # fmt: skip
def test_one_unreadable_object_is_kept_and_reported_and_the_rest_opens(
    bad: dict[str, Any], refusal: str, problem: str, tmp_path: Path
) -> None:
    path = tmp_path / "scene.json"
    whole = {**PRISM, "name": "Q"}
    path.write_text(json.dumps(file_of(whole, bad)))
    scene = load_scene(path)
    assert scene.objects[0] == scene_from_json(file_of(whole)).objects[0]
    assert isinstance(scene.objects[1], UnreadObject)
    assert scene.optical == scene.objects
    (reported,) = find_scene_problems(scene)
    assert problem in reported.text
    assert reported.key == scene.objects[1].key
    save_document(Document(scene=scene), path)
    assert json.loads(path.read_text())["objs"][1] == bad
    with pytest.raises(SceneFileError) as caught:  # an object alone, as it is pasted, is refused
        object_from_json(bad, 1)
    assert refusal in str(caught.value)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("lens", ["a scene is a JSON object", "text"]),
        ({"name": "P", "scripts": {}}, ["not a scene", "no 'objs'"]),
        ({"version": 6, "objs": []}, ["version 6", "newer", "version 5"]),
        ({"version": "5", "objs": []}, ['version "5"', "Correct 'version'"]),
        ({"version": 1.5, "objs": []}, ["version 1.5", "from 1 to 5"]),
        ({"version": True, "objs": []}, ["version true"]),
        ({"version": None, "objs": []}, ["version null"]),
        ({"version": [1], "objs": []}, ["version [1]"]),
        ({"version": 5, "objs": {}}, ["'objs'"]),
        (file_of(mode="xray"), ["'mode'", "xray", "observer"]),
        (file_of(observer=4), ["'observer'"]),
        (file_of(lengthScale=None), ["'lengthScale'", "null"]),
        (file_of(lengthScale=0), ["'lengthScale'", "above 0"]),
        (file_of(rayModeDensity=-1), ["'rayModeDensity'", "above 0", "-1"]),
        (file_of(imageModeDensity=0), ["'imageModeDensity'", "above 0"]),
        (file_of(gridSize=-5), ["'gridSize'", "above 0", "-5"]),
    ],
)  # fmt: skip
def test_unreadable_scenes_are_refused_in_one_line_naming_the_cause(
    data: Any, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(data))
    with pytest.raises(SceneFileError) as caught:
        load_scene(path)
    assert "\n" not in str(caught.value)
    for word in [str(path), *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"hello", ["not JSON", "line 1"]),
        (b"", ["not JSON"]),
        (b"\xff\xfe\x00", ["not a text file"]),
        (b'{"version": 5, "objs": [], "gridSize": NaN}', ["'gridSize'", "finite"]),
        (b'{"version": 5, "objs": [],\n "aside": -Infinity}', ["-Infinity in line 2"]),
        (b"[" * 100_000, ["nested too deeply"]),
    ],
)
def test_files_that_are_not_json_are_refused(
    content: bytes, words: list[str], tmp_path: Path
) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(content)
    with pytest.raises(SceneFileError) as caught:
        load_document(path)
    for word in [str(path), *words]:
        assert word in str(caught.value)


def test_the_line_of_a_number_that_is_not_finite_is_its_own(tmp_path: Path) -> None:
    path, mirror = (
        tmp_path / "scene.json",
        (
            '{"type": "Mirror", "name": "NaN", "p1": {"x": NaN, "y": 1e999}, "p2": {"x": 1.5e2,'
            ' "y": 0}}'
        ),
    )
    long = "1" * 400  # a whole number, above any float
    path.write_text(
        f'{{"version": 5, "NaN": "1e999",\n"objs": [{mirror}],\n"long": {long},\n"aside": {{"a":'
        ' 1.5,\n"b": NaN}}'
    )
    with pytest.raises(SceneFileError, match="NaN in line 5 is not a JSON number"):
        load_scene(path)


@pytest.mark.parametrize("word", ["NaN", "-Infinity", "1e999"])
def test_an_object_with_a_number_that_is_not_finite_is_kept_with_it_as_a_text(
    word: str, tmp_path: Path
) -> None:
    path = tmp_path / "scene.json"
    path.write_text(
        '{"version": 5, "objs": [{"type": "Mirror", "p1": {"x": WORD, "y": 0}, "p2": {"x": 0, "y":'
        " 0}}]}".replace("WORD", word)
    )
    scene = load_scene(path)
    (reported,) = find_scene_problems(scene)
    assert (
        "(Mirror, object 1 of the file) is kept but has no effect: 'p1' x must be a finite number"
        in reported.text
    )
    save_document(Document(scene=scene), path)
    assert json.loads(path.read_text())["objs"][0]["p1"] == {"x": word, "y": 0}


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(SceneFileError, match="no such file"):
        load_scene(tmp_path / "none.json")
    with pytest.raises(SceneFileError, match="folder"):
        load_scene(tmp_path)


def test_half_a_surrogate_pair_in_a_name_is_written_back(tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    save_document(
        Document(scene=scene_from_json(file_of({**PRISM, "name": "\ud800 \u03a9"}))), path
    )
    assert "\u03a9" in path.read_text(encoding="utf-8")
    assert load_scene(path).objects[0].name == "\ud800 \u03a9"


def test_a_document_file_keeps_annotations(tmp_path: Path) -> None:
    scene = scene_from_json(file_of(PRISM, LENS))
    prism, lens = (o.key for o in scene.objects)
    document = Document(
        scene=scene,
        unit="µm",
        edge_labels={prism: {0: "Entrance"}},
        disabled=frozenset({lens}),
        hidden=frozenset({prism}),
    )
    save_document(document, tmp_path / "d.raybench")
    read = load_document(tmp_path / "d.raybench")
    keys = [o.key for o in read.scene.objects]
    assert read.scene == scene
    assert (read.unit, read.edge_labels, read.disabled, read.hidden) == (
        "µm",
        {keys[0]: {0: "Entrance"}},
        frozenset({keys[1]}),
        frozenset({keys[0]}),
    )
    assert list_omitted_contents(document, tmp_path / "d.json")
    save_document(document, tmp_path / "d.json")
    assert json.loads((tmp_path / "d.json").read_text())["version"] == 5


def test_annotations_of_parts_and_unknown_keys_are_kept(tmp_path: Path) -> None:
    ball = {
        "type": "CircleGlass",
        "p1": {"x": "`i`", "y": 0},
        "p2": {"x": "`i+1`", "y": 0},
        "for": "i=1:4:9",
    }
    row = {"objs": [ball]}
    nested = {"objs": [{"type": "ModuleObj", "module": "Row", "points": [], "params": {}}]}
    instances = [{"type": "ModuleObj", "module": name, "points": []} for name in ("Row", "Nested")]
    scene = scene_from_json(
        {**file_of(PRISM, *instances), "modules": {"Row": row, "Nested": nested}}
    )
    plain, inner = (scene.expansions[o.key].parts[2] for o in scene.objects[1:])
    document = Document(
        scene=scene,
        edge_labels={plain.key: {0: "Rim"}, inner.key: {0: "Edge"}},
        disabled=frozenset({inner.key}),
    )
    save_document(document, tmp_path / "d.raybench")
    data = json.loads((tmp_path / "d.raybench").read_text())
    assert data["edgeLabels"] == {"1/0.2": {"0": "Rim"}, "2/0.0.2": {"0": "Edge"}}
    (tmp_path / "d.raybench").write_text(json.dumps(data | {"savedViews": [1, 2]}))
    read = load_document(tmp_path / "d.raybench")
    parts = [read.scene.expansions[o.key].parts[2].key for o in read.scene.objects[1:]]
    assert read.edge_labels == {parts[0]: {0: "Rim"}, parts[1]: {0: "Edge"}}
    assert read.disabled == {parts[1]}
    save_document(read, tmp_path / "e.raybench")
    assert json.loads((tmp_path / "e.raybench").read_text()) == data | {"savedViews": [1, 2]}
    (problem,) = find_scene_problems(read.scene, read.disabled, read.edge_labels, read.kept)
    assert (
        problem.text
        == "Unknown entry 'savedViews' of the document's file is kept but has no effect."
    )
    assert list_omitted_contents(read, tmp_path / "e.json")[-1].endswith("savedViews.")


def test_an_unnamed_object_answers_to_the_same_name_after_another_was_deleted_and_the_document_saved(
    tmp_path: Path,
) -> None:
    """Studies in the document name it."""
    document = Document(scene=scene_from_json(file_of(LENS, LENS, LENS)))
    titles = [o.title for o in document.scene.objects]
    document = document.with_scene(edited(document.scene, Delete(titles[0])))
    save_document(document, tmp_path / "d.raybench")
    assert [o.title for o in load_document(tmp_path / "d.raybench").scene.objects] == titles[1:]


def test_a_document_in_which_an_unnamed_object_answers_to_the_name_of_another_opens() -> None:
    """Earlier versions wrote such documents, where an object was given the name that an unnamed one
    answered to.
    """
    data = document_to_json(
        Document(scene=scene_from_json(file_of(LENS, {**LENS, "name": "Ideal lens 1"}, LENS, LENS)))
    )
    for aliases in ({"0": "Ideal lens 1", "2": "A", "3": "B"}, {"0": "A", "2": "A", "3": "B"}):
        titles = [o.title for o in document_from_json({**data, "aliases": aliases}).scene.objects]
        assert (titles[1], titles[3]) == ("Ideal lens 1", "B")
        assert len(set(titles)) == 4


def test_names_that_reading_would_give_are_not_in_the_file() -> None:
    assert "aliases" not in document_to_json(Document(scene=scene_from_json(file_of(LENS, LENS))))


@pytest.mark.parametrize(
    "wrong",
    [
        {"aliases": {"0": 5}},
        {"aliases": {"0": ""}},
        {"aliases": {"0": ["x"]}},
        {"aliases": {"7": "Glass 2"}},
        {"aliases": ["Glass 2"]},
        {"disabled": [7]},
        {"hidden": [-1]},
        {"hidden": [True]},
        {"disabled": ["0/1"]},
        {"disabled": 5},
        {"edgeLabels": {"x": {}}},
        {"unit": "parsec"},
        {"raybench": 2},
        {"scene": None},
    ],
)
def test_a_broken_document_is_refused(wrong: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "d.raybench"
    path.write_text(json.dumps({"raybench": 1, "scene": file_of(PRISM), **wrong}))
    with pytest.raises(SceneFileError, match=r"d\.raybench"):
        load_document(path)


def test_a_document_of_a_newer_version_is_refused_with_what_opens_it(tmp_path: Path) -> None:
    path = tmp_path / "d.raybench"
    path.write_text(json.dumps({"raybench": 2, "scene": file_of(PRISM)}))
    with pytest.raises(
        SceneFileError,
        match=r"has version 2; version 1 can be opened\. Open it with a newer Raybench",
    ):
        load_document(path)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["x", "y", "arc", "c", "r", "type"]), inner, max_size=4)
    ),
    max_leaves=12,
)
keys = st.sampled_from(
    [
        "p1",
        "p2",
        "x",
        "y",
        "path",
        "name",
        "refIndex",
        "focalLength",
        "brightness",
        "locked",
        "emisAngle",
        "notDone",
        "zz",
    ]
)


def read_again(obj: SceneObject) -> SceneObject:
    return object_from_json(json.loads(json.dumps(scene_to_json(Scene.of([obj]))["objs"][0])))


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from([*KINDS, "Unheard"]), st.dictionaries(keys, json_values, max_size=6))
def test_any_object_is_read_or_refused_and_what_is_read_is_written_back(
    kind: str, properties: dict[str, Any]
) -> None:
    data = {"type": kind, **properties}
    try:
        obj = object_from_json(data)
    except RaybenchError as error:
        named = "object 1" in str(error)
    else:
        named = True
        assert read_again(obj) == obj
    assert named


def test_points_are_read_as_points() -> None:
    scene = scene_from_json(file_of(LENS, PRISM))
    assert scene.objects[0].p1 == Point(1, 2)  # type: ignore[attr-defined]
    assert isinstance(scene.objects[1], Glass)
