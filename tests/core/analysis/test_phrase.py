"""The notation of phrases; the pattern of one finds all of its wordings, and is searched for only
where a word of the phrase is.
"""

from __future__ import annotations

import re

import pytest

from raybench.agent.models.keywords import rows
from raybench.analysis.phrase import InvalidPhrase, Phrase, PhrasePattern
from raybench.analysis.tools.measure_rows import phrases as measure_phrases

PHRASES = [*(p for _, row in rows() for p in row.phrases), *(p for _, p in measure_phrases())]


def slot(name: str) -> str:
    return re.escape(f"{{{name}}}")


def test_the_notation_of_phrases() -> None:
    phrase = Phrase("how (large|wide) is the spot[s] [of light] <of> {object}")
    assert phrase.question == "How large is the spot of {object}?"
    assert phrase.slots == {"object"}
    matches = re.compile(phrase.pattern(lambda name: f"(?P<{name}>X)").expression).fullmatch
    assert matches("how wide is spots of light in X ")
    assert not matches("how wide is X ")
    assert {
        "how wide is the spot of {object}",
        "how large is the spots of {object}",
        "how large is the spot of light of {object}",
    } <= set(phrase.examples())
    for wrong in ("", "spot [of", "spot)", "a <nothing> of it", "w{object}s"):
        with pytest.raises(InvalidPhrase):
            Phrase(wrong).pattern(str)


def test_all_wordings_of_all_phrases_are_found() -> None:
    for phrase in PHRASES:
        pattern = phrase.pattern(slot)
        for example in phrase.examples():
            text = " ".join(word for word in example.split() if word != "the") + " "
            found = pattern.search(text)
            assert found is not None, (phrase.text, example)
            assert found.span() == PhrasePattern(pattern.expression).search(text).span(), (
                phrase.text,
                example,
            )  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "one_of"),
    [
        ("how (large|wide) is [the] spot", ("large", "wide")),
        ("power <at> {object}", ("power",)),
        ("[how] {object} [is] (at|)", ()),
        ("the {object}", ()),
        ("(reach[es]|hit[s]) it", ("reach", "hit")),
        ("(a [of] b|the long (one|two) of c)", ("a", "long")),
    ],
)
def test_one_of_some_words_is_in_every_wording(text: str, one_of: tuple[str, ...]) -> None:
    assert Phrase(text).pattern(slot).one_of == one_of


def test_a_text_without_a_word_of_the_phrase_is_not_searched() -> None:
    assert PhrasePattern("(", ("spot",)).search("how wide is Screen ") is None
    with pytest.raises(re.error):
        PhrasePattern("(", ("spot",)).search("how wide is the spot ")
