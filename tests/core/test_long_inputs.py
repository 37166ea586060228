"""Texts with a long run in them are read or refused in a time that does not grow with its square:
Python's patterns hold all threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from raybench.agent.models.calls_in_text import StreamedReply
from raybench.agent.models.text_protocol import parse_call
from raybench.analysis.measures.grammar import read_measures
from raybench.analysis.paths.path_pattern import read_pattern
from raybench.errors import RaybenchError
from raybench.files.document_file import load_document
from raybench.files.scene_text import read_items
from raybench.files.shared import scene_json_from_text
from raybench.scene.parameters.link import read_link
from raybench.schema.signature import parse_signature
from raybench.study.terms.goal import read_goals
from raybench.study.terms.ranges import read_bounds, read_deviation, read_sweep_axis

DOCUMENT = load_document(
    Path(__file__).parents[2] / "resources" / "raybench_resources" / "scenes" / "prism.json"
)
N = 40_000


def screened(pieces: list[str]) -> None:
    screen = StreamedReply()
    for piece in pieces:
        screen.add_piece(piece)


def goal(text: str) -> None:
    read_goals([text], DOCUMENT)


LONG: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a fence of empty lines": (parse_call, "```json\n" + "\n" * N + "x"),
    "a fence of blanks": (parse_call, "```json\n{" + " " * N + "x"),
    "a fence without an end, streamed": (screened, ["so ```", *["x"] * N]),
    "a brace before blanks, streamed": (screened, ["so {", *[" "] * N]),
    "a call of blanks, streamed": (screened, ["{"] + [" "] * N),
    "braces, streamed": (screened, ["a {", "b"] * N),
    "a goal of blanks": (goal, "power(Screen) = 1" + " " * N + "x"),
    "a goal of digits": (goal, "power(Screen) = 0.5 ± " + "1" * N + "x"),
    "a goal of weights": (goal, "least rms(Screen)" + " weight" * N),
    "a range of dots": (lambda t: read_sweep_axis(t, DOCUMENT), "Screen.x=1" + ".." * N + ":x"),
    "bounds of dots": (lambda t: read_bounds(t, DOCUMENT), "Screen.x=1" + ".." * N),
    "a deviation of blanks": (lambda t: read_deviation(t, DOCUMENT), "Screen.x" + " " * N + "x±"),
    "a link of blanks": (lambda t: read_link(t, DOCUMENT), "Screen.x = 2" + " " * N + "*x"),
    "a signature of many fields": (
        parse_signature,
        f"({','.join(f'a{i} :int' for i in range(N))}) -> :int",
    ),
    "a measure of words": (read_measures, "a " * N),
    "a path of quotation marks": (read_pattern, "'\\" * (N // 2)),
    "a scene's text of keys": (
        read_items,
        '{"objs": [{' + ", ".join(f'"k{i}": 0' for i in reversed(range(N))) + ', "k9": 0}]}',
    ),
    "pasted commas": (scene_json_from_text, "[1," + " " * N + "," * N + "]"),
    "pasted quotation marks": (scene_json_from_text, '"\n' * N),
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.security
def test_a_long_run_is_read_or_refused_soon(name: str) -> None:
    read, text = LONG[name]
    begun = time.thread_time()
    try:
        read(text)
        told = ""
    except RaybenchError as error:
        told = str(error)
    assert time.thread_time() - begun < 3
    assert len(told) < 1_000


def test_a_list_of_values_may_be_long() -> None:
    assert len(read_sweep_axis(f"Screen.x={','.join('1' * 2_000)}", DOCUMENT).values) == 2_000


def test_a_fence_around_a_call_is_no_fault() -> None:
    for reply in (
        '```json\n{"tool": "a"}\n```',
        '```\n\n {"tool": "a"} \n\n```',
        '```json  \n{"tool": "a"}```',
    ):
        written = parse_call(reply)
        assert written is not None
        assert written.payload == {"tool": "a"}, reply
