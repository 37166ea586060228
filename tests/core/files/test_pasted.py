"""Decoding of pasted text, and the positions of errors in it."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.errors import RaybenchError, SceneFileError
from raybench.files.document_file import document_to_json
from raybench.files.shared import link_from_scene, read_pasted_text, scene_json_from_text
from raybench.kinds.sources import SingleRay
from raybench.kinds.unread import UnreadObject
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point

RAY = {"type": "SingleRay", "p1": {"x": 0, "y": 1}, "p2": {"x": 2, "y": 3}}
SCENE = {"version": 5, "objs": [RAY], "name": "One ray"}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(SCENE),
        "\ufeff" + json.dumps(SCENE, indent=2) + "\r\n",
        (
            f"Here is the scene:\n\n```json\n{json.dumps(SCENE, indent=1)}\n```\nDrag the source;"
            " see {braces}."
        ),
        f"~~~\n{json.dumps(SCENE)}\n~~~",
        f"```\n{json.dumps(SCENE)}",
        (
            '// a ray\n{"version": 5, /* the format\'s */ "name": "One ray", "objs": [\n  {"type":'
            ' "SingleRay", "p1": {"x": 0, "y": 1,}, // start\n  "p2": {"x": 2, "y": 3}, },\n /* ,'
            " */ ] /**/ ,\n}"
        ),
    ],
)
def test_a_scene_is_extracted_from_surrounding_text(text: str) -> None:
    assert scene_json_from_text(text) == SCENE
    document = read_pasted_text(text)
    assert isinstance(document, Document)
    assert document.scene.name == "One ray"


def test_what_looks_like_a_comment_or_a_comma_in_a_text_stays() -> None:
    label = {
        "type": "TextLabel",
        "x": 0,
        "y": 0,
        "text": 'see "https://x.org" /* or */ [a,] {b, } \\',
        "name": "```",
    }
    assert scene_json_from_text(json.dumps([label, label])) == [label, label]
    assert scene_json_from_text(json.dumps([label], indent=2)) == [label]


def test_objects_without_a_scene_are_returned_for_insertion() -> None:
    assert scene_json_from_text(json.dumps(RAY)) == [RAY]
    assert scene_json_from_text(json.dumps([RAY, RAY])) == [RAY, RAY]
    rays = read_pasted_text(json.dumps([RAY, {"type": "Odd"}]))
    assert isinstance(rays, tuple)
    ray, odd = rays
    assert isinstance(ray, SingleRay)
    assert ray.p2 == Point(2, 3)
    assert isinstance(odd, UnreadObject)


def test_a_scene_that_names_itself_a_type_is_still_a_scene() -> None:
    assert scene_json_from_text(json.dumps({"type": "scene", **SCENE})) == {
        "type": "scene",
        **SCENE,
    }


def test_an_object_of_an_old_version_is_upgraded() -> None:
    (ray,) = read_pasted_text(
        '{"type": "laser", "p1": {"type": 1, "x": 0, "y": 1}, "p2": {"type": 1, "x": 2, "y": 3},'
        ' "p": 0.5}'
    )  # type: ignore[misc]
    assert isinstance(ray, SingleRay)
    assert ray.brightness == 0.5


def test_a_link_and_a_document_open() -> None:
    scene = Scene.of([SingleRay(p1=Point(0, 1), p2=Point(2, 3))], name="Sent")
    for text in (
        link_from_scene(scene),
        f"\n{link_from_scene(scene)}\n",
        json.dumps(document_to_json(Document(scene=scene))),
    ):
        document = read_pasted_text(text)
        assert isinstance(document, Document)
        assert document.scene == scene


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no text"),
        (" \n ", "no text"),
        ("hello", "line 1, column 1"),
        ('{"version": 5,\n "objs": [1 2]}', "line 2, column 13"),
        (
            'Look:\n```json\n{"version": 5, // five\n /* and\n then */ "objs": [}\n```\n',
            "line 5, column 19",
        ),
        ('{"a": 1} /* never', "line 1, column 10.*\\*/"),
        ('{"a": "no end // of text\n}', "line 1, column 25"),
        ("[1,,]", "line 1, column [35]"),  # from Python 3.13 on the first comma is at fault
        ('\n{"version": 5, "objs": [], "scale": NaN}', "NaN in line 2"),
        ("5", "neither a scene nor objects"),
        ("[" * 100_000, "nested too deeply"),
        ("```json\n```\nafter", "line"),
    ],
)
def test_errors_in_pasted_text_have_line_and_column(text: str, words: str) -> None:
    with pytest.raises(SceneFileError, match=words) as caught:
        scene_json_from_text(text)
    assert "\n" not in str(caught.value)


SVG = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0 9 9"/></svg>'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SVG, "an SVG drawing.*File → Import drawing"),
        (f'\ufeff<?xml version="1.0"?>\n<!-- drawn by hand -->\n{SVG}\n', "an SVG drawing"),
        (f"Here it is:\n```svg\n{SVG}\n```\n", "an SVG drawing"),
        ("<!DOCTYPE html>\n<html></html>", "a web page or another XML text"),
        ("https://example.org/prism.json", "an address without a scene.*File → Open link"),
        (" <https://example.org/a?b=1>\n", "an address without a scene"),
        ("www.example.org/#a&b", "an address without a scene"),
    ],
)
def test_a_text_of_another_format_is_named_with_what_to_do(text: str, words: str) -> None:
    with pytest.raises(SceneFileError, match=words) as caught:
        read_pasted_text(text)
    assert "JSON" not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_scene_in_a_fence_is_read_whatever_surrounds_it() -> None:
    assert scene_json_from_text('<b>Look</b>\n```json\n{"objs": []}\n```\nhttps://example.org') == {
        "objs": []
    }


@pytest.mark.parametrize(
    "part", ['"', "/*", "/* */", "//", ",", ", ", "```", "```\n", "\\", '"\\', "[", "a", "~~~\n"]
)
@pytest.mark.security
def test_long_nonsense_is_refused_at_once(part: str) -> None:
    started = time.perf_counter()
    with pytest.raises(SceneFileError):
        scene_json_from_text("{" + part * 100_000)
    assert time.perf_counter() - started < 15


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "~" * 100_000 + "`",
        "`" * 100_000 + "a`",
        "{" + ",".join(f'"k{i}": 1' for i in range(50_000)) + ', "k49999": 2}',
    ],
    ids=["brackets", "tildes before a backtick", "backticks", "a key twice after many others"],
)
@pytest.mark.security
def test_long_text_with_a_fault_at_its_end_is_refused_at_once(text: str) -> None:
    started = time.perf_counter()
    with pytest.raises(SceneFileError):
        scene_json_from_text(text)
    assert time.perf_counter() - started < 10


@given(st.text(alphabet='{}[]",/*\\`\n 1a:#X', max_size=40))
@pytest.mark.security
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        found: Any = read_pasted_text(text)
    except RaybenchError as error:
        assert "\n" not in str(error)  # noqa: PT017
    else:
        assert isinstance(found, Document | tuple)
