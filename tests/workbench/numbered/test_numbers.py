"""Every numbered behaviour that is not left out is named by a test here or beside."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

LAST = {"seed1": 53, "seed2": 33, "seed3": 12, "seed4": 21}
LEFT_OUT = {"seed1": {29}}
NUMBERS = re.compile(r"def test_(seed\d)_((?:\d+|and|to)(?:_(?:\d+|and|to))*)(?=_|\()")


@pytest.mark.parametrize("seed", LAST)
def test_each_behaviour_is_named_by_a_test(seed: str) -> None:
    named: set[int] = set()
    for path in Path(__file__).parents[1].rglob("test_*.py"):
        for of, numbers in NUMBERS.findall(path.read_text(encoding="utf-8")):
            if of == seed:  # such as test_seed1_2_5_to_7_and_9_what_is_listed
                for first, last in re.findall(r"(\d+)(?:_to_(\d+))?", numbers):
                    named |= set(range(int(first), int(last or first) + 1))
    assert named == set(range(1, LAST[seed] + 1)) - LEFT_OUT.get(seed, set())
