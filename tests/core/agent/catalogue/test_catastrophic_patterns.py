"""Regular expressions that a model writes hold neither the call nor the program, whatever they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

from raybench.agent.catalogue import builtin
from raybench.agent.catalogue.builtin import LONGEST_LINE, grep_n, matching_text_lines
from raybench.system.process import child_environment

SECONDS = 60
"""A search that takes exponential time would not end before its process is ended."""


SLOW = {
    "(a+)+$": "a" * 60 + "b",
    "(a|aa)+$": "a" * 60 + "b",
    "(.*)*x": "a" * 60,
    "(x+x+)+y": "x" * 60,
    "(a?){30}a{30}b": "a" * 60,
}
"""Patterns, each with a text on which others search forever."""


@pytest.mark.security
def test_a_pattern_that_makes_others_search_forever_ends() -> None:
    code = f"""
from raybench.agent.catalogue.builtin import matching_text_lines, grep_n
for pattern, text in {SLOW!r}.items():
    print(pattern, matching_text_lines(pattern, text), grep_n(pattern, text))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=child_environment(),
    )
    assert done.stdout.splitlines() == [f"{pattern} [] []" for pattern in SLOW], done.stderr


def test_other_threads_run_while_a_long_line_is_searched() -> None:
    """Python's own engine keeps the interpreter until a line is done: then nothing would be counted
    meanwhile.
    """
    code = """
import threading, time
from raybench.agent.catalogue.builtin import matching_text_lines
search = threading.Thread(target=matching_text_lines, args=("(a?){200}a{200}b", "a" * 50_000))
matching_text_lines("a", "a")
search.start()
count = 0
while search.is_alive():
    time.sleep(0.001)
    count += 1
print(count)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        env=child_environment(),
    )
    assert int(done.stdout) > 10, done.stderr


@pytest.mark.parametrize(
    "pattern", ["((a{100}){100}){100}", "a" * 1_000_000, "(?=a)b", r"(a)\1", "[", "(" * 10_000]
)
def test_a_pattern_that_is_too_large_or_not_read_is_reported(pattern: str) -> None:
    with pytest.raises(
        ValueError, match=r"^The pattern '.*' cannot be read: [\w -]+[^.]*\.$"
    ) as caught:
        matching_text_lines(pattern, "a")
    assert len(str(caught.value)) < 300


def test_a_line_that_is_too_long_is_reported() -> None:
    assert matching_text_lines("b$", "a" * (LONGEST_LINE - 1) + "b")
    with pytest.raises(
        ValueError, match="has a line of 100001 characters; at most 100000 are searched"
    ):
        matching_text_lines("b", "b\n" + "a" * (LONGEST_LINE + 1))


def test_a_search_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(builtin, "SEARCH_SECONDS", 0.0)
    with pytest.raises(ValueError, match="The search took longer than 0 s"):
        grep_n("a", "a\n" * 1_000)


def test_letters_of_all_languages_are_found_whatever_their_case() -> None:
    assert matching_text_lines("ÄRGER|ΩMEGA", "Ärger\nωmega\nx") == ["Ärger", "ωmega"]
    assert matching_text_lines("a.b", "a\ud800b\nab") == ["a\ud800b"]
