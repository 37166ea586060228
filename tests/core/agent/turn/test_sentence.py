"""What a call asks for, in words."""

from __future__ import annotations

import pytest

from core.agent.turn.sentence import question


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("zoom_to", {"names": ["Lens"]}, "zoom to Lens"),
        ("zoom_to", {}, "zoom to the whole scene"),
        ("zoom_to", {"names": True}, "zoom to: names True"),
        ("select_objects", {}, "select nothing"),
        ("own_tool", {"text": "a", "n": 2}, "own tool: text a, n 2"),
    ],
)
def test_a_call_is_told_in_words_whatever_its_arguments_are(tool: str, arguments: dict[str, object], words: str) -> None:
    assert question(tool, arguments) == words
