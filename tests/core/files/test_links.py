"""Links to scenes: decoding, encoding, and errors."""

from __future__ import annotations

import base64
import json
import lzma
import tracemalloc
from pathlib import Path
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raybench.errors import SceneFileError
from raybench.files.scene_json import load_scene, scene_from_json
from raybench.files.shared import (
    ADDRESS,
    MAX_MESSAGE_BYTES,
    is_scene_link,
    link_from_scene,
    scene_json_from_link,
)
from raybench.kinds.sources import SingleRay
from raybench.scene.scene import Scene
from raybench.shapes.point import Point

ORACLE = Path(__file__).parents[4] / "shared" / "oracle"

# written by a JavaScript program: the length stands in the header, and no mark at the end
FROM_JAVASCRIPT = (
    "XQAAAAKUAAAAAAAAAABCKcrGU8hqLFnpmU9ERVKNOqSGcjk5IiciSH5bRVThZPNdkrXOGQyu_047g2PIgQR9IJ2qWdSIiX73-A8sYVnwcqqKGxHvtVbqMI-lVBFgpC-O"
    "ogoOXNRx9HYgYv1ShH65S7W-wXCRT2oD7IMJkkS2nnobAx7_xW_QAA"
)


def link_of(packed: bytes) -> str:
    return f"{ADDRESS}#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def squeezed(data: bytes) -> bytes:
    return lzma.compress(data, format=lzma.FORMAT_ALONE, preset=0)


def test_a_link_of_the_web_application_opens() -> None:
    assert scene_json_from_link(f"{ADDRESS}#{FROM_JAVASCRIPT}") == {
        "version": 5,
        "name": "Two rays",
        "objs": [
            {"type": "SingleRay", "p1": {"x": 0, "y": 0.5}, "p2": {"x": 10, "y": -20}},
            {
                "type": "SingleRay",
                "p1": {"x": 0, "y": 7.1},
                "p2": {"x": 10, "y": 300},
                "brightness": "0.25",
            },
        ],
        "simulateColors": True,
    }


@pytest.mark.parametrize(
    "text",
    [
        FROM_JAVASCRIPT,
        "#" + FROM_JAVASCRIPT,
        f"  <https://example.org/x/?a=1#{FROM_JAVASCRIPT}>\n",
        f"{ADDRESS}#{FROM_JAVASCRIPT[:70]}\r\n{FROM_JAVASCRIPT[70:]}",
        f"{ADDRESS}#{FROM_JAVASCRIPT.replace('-', '+').replace('_', '/')}==",
    ],
)
def test_a_link_is_recognised_by_its_fragment(text: str) -> None:
    assert is_scene_link(text)
    assert scene_json_from_link(text)["name"] == "Two rays"


@pytest.mark.parametrize(
    "text",
    ["", "hello", '{"objs": []}', "see https://example.org", "https://example.org/a b", "XQ"],
)
def test_other_text_is_not_a_link(text: str) -> None:
    assert not is_scene_link(text)
    with pytest.raises(SceneFileError, match="not a link"):
        scene_json_from_link(text)


def test_a_scene_survives_the_round_trip_through_a_link() -> None:
    scene = Scene.of(
        [SingleRay(p1=Point(0.1, 2), p2=Point(3, -4e-7), name="strålen ☀")]
    ).with_settings(mode="images", max_ray_depth=4)
    link = link_from_scene(scene)
    assert link.startswith(ADDRESS + "#XQAA")
    assert not set(link.split("#")[1]) & set("+/=")
    assert scene_from_json(scene_json_from_link(link)) == scene


def test_a_scene_that_cannot_be_encoded_in_a_link_is_refused() -> None:
    scene = scene_from_json({"version": 5, "objs": [], "aside": 10**30})
    with pytest.raises(SceneFileError, match=r"cannot be put into a link.*file"):
        link_from_scene(scene)


@pytest.mark.parametrize("name", ["telescope:gallery/telescope", "shared-edge:rules/shared-edge"])
@pytest.mark.skipif(
    not ORACLE.is_dir(), reason="the recorded scenes in ../shared/oracle are not here"
)
def test_recorded_links_hold_their_scenes(name: str) -> None:
    link, scene = name.split(":")
    path = ORACLE / f"scenes/{scene}.json"
    assert scene_json_from_link((ORACLE / f"links/{link}.link").read_text()) == json.loads(
        path.read_text()
    )
    assert scene_from_json(scene_json_from_link(link_from_scene(load_scene(path)))) == load_scene(
        path
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{ADDRESS}#prisms", "only a name"),
        (f"{ADDRESS}#", "only a name"),
        (f"{ADDRESS}#{FROM_JAVASCRIPT[:60]}", "cut short"),
        (f"{ADDRESS}#{FROM_JAVASCRIPT[:100]}A{FROM_JAVASCRIPT[101:]}", "damaged"),
        (f"{ADDRESS}#{FROM_JAVASCRIPT[:57]}", "cut short"),
        (link_of(squeezed(b"")), "damaged"),
        (link_of(squeezed(b"\x80\x80")), "damaged"),
        (link_of(squeezed(msgpack.packb([1]))), "something else"),
        (
            link_of(squeezed(msgpack.packb({"objs": [float("nan")]}))),
            "a number that is not allowed",
        ),
        (link_of(squeezed(msgpack.packb({"objs": b"x"}))), "damaged"),
        (link_of(squeezed(msgpack.packb({1: 2}))), "damaged"),
        (link_of(squeezed(msgpack.packb({b"a": 2}))), "damaged"),
        (link_of(squeezed(msgpack.packb({"objs": [0] * 300_000}))), "damaged"),
        (link_of(squeezed(msgpack.packb({"a": msgpack.Timestamp(1)}))), "damaged"),
    ],
)
@pytest.mark.security
def test_a_bad_link_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(SceneFileError, match=words) as caught:
        scene_json_from_link(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("packed", "words"),
    [
        (squeezed(bytes(MAX_MESSAGE_BYTES * 12)), "more than 4 MB"),
        (
            b"\x5d\0\0\xff\xff" + squeezed(b"\x80")[5:],
            "damaged",
        ),  # asks for 4 GB to decompress one byte
        (squeezed(b"\x91" * 1_000_000), "damaged"),  # a list in a list in a list …
        (
            squeezed(b"\xdd\x7f\xff\xff\xff" * 1000),
            "damaged",
        ),  # lists that claim two thousand million items
        (
            squeezed(b"\xdd\0\x2d\0\0" * 500 + bytes(3_000_000)),
            "damaged",
        ),  # lists, each of which claims all bytes that follow
        (squeezed(b"\x81\xa1a\xc6\x7f\xff\xff\xff"), "damaged"),
    ],
)
@pytest.mark.security
def test_a_link_that_unpacks_to_very_much_is_refused(packed: bytes, words: str) -> None:
    assert len(packed) < 20_000
    link = link_of(packed)
    tracemalloc.start()
    try:
        with pytest.raises(SceneFileError, match=words):
            scene_json_from_link(link)
        assert tracemalloc.get_traced_memory()[1] < 40e6
    finally:
        tracemalloc.stop()


def test_undefined_of_javascript_is_null() -> None:
    assert scene_json_from_link(link_of(squeezed(b"\x81\xa1a\xd4\x00\x00"))) == {"a": None}


@given(st.binary(max_size=200))
@pytest.mark.security
def test_no_stream_breaks_the_reader(data: bytes) -> None:
    for packed in (b"\x5d\0\0" + data, squeezed(data)):
        try:
            scene: Any = scene_json_from_link(link_of(packed))
        except SceneFileError:
            continue
        json.dumps(scene, allow_nan=False)
