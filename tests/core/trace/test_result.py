"""Results made of rows recorded elsewhere."""

from __future__ import annotations

import math
from typing import Any

import pytest

from core.errors import RaybenchError
from core.trace.result import TraceResult

ROW = {"p1": (0, 0), "p2": (1, 1), "brightness_s": 0.5, "brightness_p": 0.5}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"p1": (math.nan, 0)}, "finite"),
        ({"p2": (0, math.inf)}, "finite"),
        ({"brightness_p": -0.1}, "below 0"),
        ({"p1": None}, "cannot be read"),
        ({"parent": 1}, "has parent 1"),
        ({"interaction": "magic"}, "cannot be read"),
    ],
)
def test_a_row_that_cannot_be_is_named(wrong: dict[str, Any], words: str) -> None:
    with pytest.raises(RaybenchError, match=f"Segment 1 .*{words}"):
        TraceResult.from_segments([ROW, {**ROW, **wrong}])


def test_a_row_that_lacks_something_says_what() -> None:
    with pytest.raises(RaybenchError, match="Segment 0 cannot be read: it has no 'p1'"):
        TraceResult.from_segments([{}])


def test_children_continue_their_parents() -> None:
    result = TraceResult.from_segments([ROW, {**ROW, "parent": 0, "interaction": "tir"}])
    assert [s.status for s in result.segments] == ["continued", "alive"]
    assert result.depth.tolist() == [0, 1]
    assert result.lineage.tir_count.tolist() == [0, 1]
