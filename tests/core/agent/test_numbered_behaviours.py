"""Every numbered behaviour has a line in the agent's README, and each that is kept or corrected a
test of its own parts and one of the commands or the window.
"""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from raybench.agent.tools.tool import Tool

README = files("raybench.agent").joinpath("README.md").read_text(encoding="utf-8")
TESTS = Path(__file__).parents[2]
LAST = {"SEED1": 53, "SEED2": 33, "SEED3": 12, "SEED4": 21}
NUMBERS = re.compile(r"def test_(seed\d)_((?:\d+|and|to)(?:_(?:\d+|and|to))*)(?=_|\()")


def listed() -> dict[str, list[tuple[int, str]]]:
    """By seed, each number with the text beside it."""
    found: dict[str, list[tuple[int, str]]] = {}
    for seed, numbers, verdict in re.findall(
        r"^\| (SEED\d)-([\d, to]+) \| (\w[\w ]*) \|", README, re.MULTILINE
    ):
        for part in numbers.split(", "):
            first, _, last = part.partition(" to ")
            found.setdefault(seed, []).extend(
                (n, verdict) for n in range(int(first), int(last or first) + 1)
            )
    return found


@pytest.mark.parametrize("seed", LAST)
def test_each_number_is_listed_once_with_a_verdict(seed: str) -> None:
    assert sorted(number for number, _ in listed()[seed]) == list(range(1, LAST[seed] + 1))
    assert {verdict for _, verdict in listed()[seed]} <= {"kept", "corrected", "left out"}


def named(folder: Path, seed: str) -> set[int]:
    """The numbers that the names of a folder's tests hold, such as
    ``test_seed1_2_5_to_7_and_9_what_is_told``.
    """
    found: set[int] = set()
    for path in folder.rglob("test_*.py"):
        for of, numbers in NUMBERS.findall(path.read_text(encoding="utf-8")):
            words = (
                [word for word in numbers.split("_") if word != "and"] if of == seed.lower() else []
            )
            for i, word in enumerate(words):
                found |= (
                    set(range(int(words[i - 1]), int(words[i + 1]) + 1))
                    if word == "to"
                    else {int(word)}
                )
    return found


@pytest.mark.parametrize("seed", LAST)
@pytest.mark.parametrize(
    "folder", [".", "workbench"], ids=["anywhere", "through the commands and the window"]
)
def test_each_behaviour_has_a_test_that_names_it(seed: str, folder: str) -> None:
    there = {number for number, verdict in listed()[seed] if verdict != "left out"}
    assert sorted(there ^ named(TESTS / folder, seed)) == []


def test_the_examples_run_as_they_stand() -> None:
    first, second = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    names: dict[str, object] = {"__name__": "example"}
    exec(first, names)
    assert names["brightest"]
    exec(compile(second, "example", "exec", dont_inherit=True), names)
    assert Tool.new("main", names["main"]).signature == "(input :string) -> :string"
