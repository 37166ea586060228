"""Words of sentences: counts with their nouns."""

from __future__ import annotations

import pytest

from raybench.analysis.answers.words import count_with_noun


@pytest.mark.parametrize(
    ("count", "noun", "words"),
    [(1, "ray", "1 ray"), (2, "ray", "2 rays"), (0, "property", "0 properties")],
)
def test_a_count_has_its_noun_in_the_plural(count: int, noun: str, words: str) -> None:
    assert count_with_noun(count, noun) == words
