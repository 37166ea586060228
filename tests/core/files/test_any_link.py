"""Links whose packed scene is anything: of other types, deep, long, cut, by other encoders. Read or
refused in few words, soon.
"""

from __future__ import annotations

import base64
import json
import lzma
import os
import random
import resource
from typing import Any

import msgpack
import pytest
from tests.changed_text import changed_value
from tests.core.readers import DOCUMENT, MOST_MEMORY, read_or_refused
from tests.edge_values import edge_object

from raybench.errors import RaybenchError
from raybench.files.document_file import document_from_json
from raybench.files.scene_json import scene_to_json
from raybench.files.shared import (
    ADDRESS,
    MAX_MESSAGE_BYTES,
    link_from_scene,
    read_pasted_text,
    scene_json_from_link,
)
from raybench.kinds.kinds import KINDS
from raybench.scene.codec import object_from_json
from raybench.scene.scene import Scene
from raybench.trace.trace import trace

COUNT = 5_000 if os.environ.get("RAYBENCH_LONG") else 40
SCENE = scene_to_json(DOCUMENT.scene)
ODD = (
    *(
        b"",
        b"\xff" * 40,
        msgpack.Timestamp(1, 2),
        msgpack.ExtType(0, b"\0"),
        msgpack.ExtType(5, b"x" * 300),
        {1: 2},
        {b"a": 1},
        {None: 0},
    ),
    *(
        float("nan"),
        float("-inf"),
        2**64 - 1,
        -(2**63),
        "\x00",
        "𝒳" * 30_000,
        [[]] * 3_000,
        {"": {"": {}}},
        5e-324,
        -0.0,
    ),
)
HEADERS = (
    b"\xdd\x7f\xff\xff\xff",
    b"\xdf\x7f\xff\xff\xff",
    b"\xc9\x7f\xff\xff\xff\x05",
    b"\xdb\xff\xff\xff\xff",
    b"\xc1",
    b"\x91",
    b"\x81\xa1a",
)
"""Begins of lists, mappings, extensions and texts that are longer than what follows."""
FILTERS = [
    {"id": lzma.FILTER_LZMA1, "dict_size": 1 << size, "lc": lc, "lp": lp, "pb": pb}
    for size, lc, lp, pb in (
        (12, 3, 0, 2),
        (16, 0, 4, 4),
        (22, 4, 0, 0),
        (25, 3, 0, 2),
        (27, 3, 0, 2),
    )
]


def packed(chance: random.Random) -> bytes:
    """MessagePack of a scene with one to four changes of its values and perhaps of its bytes."""
    scene: Any = SCENE
    for _ in range(chance.choice((0, 0, 1, 2, 4))):
        scene = changed_value(scene, chance)
    if chance.random() < 0.3:
        kind = chance.choice(sorted(KINDS))
        scene = {"version": 5, "objs": [edge_object(kind, {"type": kind}, chance)]}
    if chance.random() < 0.15:
        odd = chance.choice(ODD)
        scene = chance.choice(
            (
                {**SCENE, "objs": odd},
                {**SCENE, "aside": odd},
                odd,
                {"objs": [{"type": "Mirror", "p1": odd}]},
            )
        )
    try:
        data = bytes(
            msgpack.packb(
                scene, unicode_errors="surrogatepass", use_single_float=chance.random() < 0.1
            )
        )
    except (ValueError, OverflowError, TypeError):  # what MessagePack cannot hold
        data = chance.choice(HEADERS) * chance.choice((1, 9, 2_000, 60_000))
    if chance.random() < 0.2 and data:
        at = chance.randrange(len(data))
        piece = chance.choice(
            (bytes([chance.randrange(256)]), chance.choice(HEADERS), data[at : at + 50] * 40, b"")
        )
        if chance.random() < 0.05:
            piece = bytes(MAX_MESSAGE_BYTES)
        data = data[:at] + piece + data[at + chance.choice((0, 1, 5)) :]
    return data


def link(chance: random.Random) -> str:
    """A link as this program, another or nobody would write it."""
    filters = chance.choice(FILTERS)
    stream = bytearray(lzma.compress(packed(chance), format=lzma.FORMAT_ALONE, filters=[filters]))
    match chance.randrange(12):
        case 0:
            stream[5:13] = chance.choice(
                (b"\0" * 8, b"\xff" * 8, b"\x20" + b"\0" * 7, chance.randbytes(8))
            )  # the length that it states
        case 1:
            stream[1:5] = chance.choice(
                (b"\0\0\xff\xff", b"\0\0\0\x40", b"\0\0\0\0")
            )  # the memory that it asks for
        case 2:
            stream[chance.randrange(len(stream))] ^= 1 << chance.randrange(8)
        case 3:
            del stream[chance.randrange(len(stream)) :]
        case 4:
            stream += chance.choice((b"\0", bytes(stream), b"\0" * 3_000))
    code = chance.choice((base64.urlsafe_b64encode, base64.standard_b64encode))(
        bytes(stream)
    ).decode()
    if chance.random() < 0.5:
        code = code.rstrip("=")
    if chance.random() < 0.1:
        code = "\n".join(code[i : i + 70] for i in range(0, len(code), 70))
    return (
        chance.choice(
            (
                ADDRESS + "#",
                ADDRESS + "#",
                "",
                "#",
                "<https://example.org/?a=b#",
                "https://a#b#",
                "file:///etc/passwd#",
            )
        )
        + code
    )


@pytest.mark.long
@pytest.mark.security
def test_a_link_of_any_content_is_read_or_refused_in_few_words_soon_and_small() -> None:
    chance = random.Random(f"link {os.environ.get('RAYBENCH_SEED', '')}")

    def read(text: str) -> None:
        document = document_from_json(scene_json_from_link(text))
        read_pasted_text(text)
        json.dumps(scene_to_json(document.scene), allow_nan=False)
        trace(document.scene, max_segments=200, at_once=False)

    trace(DOCUMENT.scene)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    right = sum(read_or_refused(read, link(chance)) for _ in range(COUNT))
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < MOST_MEMORY
    assert right > COUNT / 20


@pytest.mark.long
def test_whatever_scene_a_link_is_made_of_it_leads_to() -> None:
    chance = random.Random(f"there {os.environ.get('RAYBENCH_SEED', '')}")
    made = 0
    for _ in range(COUNT // 5):
        try:
            objects = [
                object_from_json(edge_object(kind, {"type": kind}, chance), 0)
                for kind in chance.choices(sorted(KINDS), k=3)
            ]
            scene = Scene.of(objects)
            text = link_from_scene(scene)
        except RaybenchError:
            continue
        read = document_from_json(scene_json_from_link(text)).scene
        assert scene_to_json(read) == json.loads(json.dumps(scene_to_json(scene))), text
        made += 1
    assert made > COUNT / 50
