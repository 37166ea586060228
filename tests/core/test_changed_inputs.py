"""Every reader of what others wrote, on inputs that are nearly right: a value or its own error in
few words, soon and in little memory.
"""

from __future__ import annotations

import base64
import json
import os
import random
import resource

import pytest
from tests.changed_text import changed
from tests.core.readers import MOST_MEMORY, READERS, SCENE_TEXT, read_or_refused, scene

from raybench.files.document_file import document_from_json
from raybench.files.shared import scene_json_from_link

__all__ = ["scene"]  # a fixture
COUNT = 4_000 if os.environ.get("RAYBENCH_LONG") else 40


@pytest.mark.long
@pytest.mark.parametrize("name", READERS)
@pytest.mark.security
def test_a_changed_input_is_read_or_refused_in_few_words_soon_and_small(name: str) -> None:
    read, texts = READERS[name]
    chance = random.Random(f"{name} {os.environ.get('RAYBENCH_SEED', '')}")
    for text in texts:
        read(text)  # unchanged it is right, and what is made once is there
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(COUNT):
        read_or_refused(read, changed(chance.choice(texts), texts, chance))
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < MOST_MEMORY


@pytest.mark.long
def test_a_link_with_changed_bytes_inside_is_read_or_refused() -> None:
    import lzma

    chance = random.Random(3)
    inner = json.dumps(
        {"version": 5, "objs": [{"type": "Mirror", "p1": {"x": 1, "y": 2}, "p2": {"x": 3, "y": 4}}]}
    )
    for _ in range(COUNT):
        text = changed(inner, [SCENE_TEXT], chance)
        packed = bytearray(lzma.compress(text.encode("utf-8", "replace"), format=lzma.FORMAT_ALONE))
        if chance.random() < 0.5:
            packed[chance.randrange(len(packed))] ^= 1 << chance.randrange(8)
        link = (
            "https://phydemo.app/ray-optics/simulator/#" + base64.b64encode(bytes(packed)).decode()
        )
        read_or_refused(lambda text: document_from_json(scene_json_from_link(text)), link)
