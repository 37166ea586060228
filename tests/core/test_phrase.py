"""Phrases are English texts that keep their templates."""

from __future__ import annotations

import copy
import pickle

from raybench.phrase import Phrase, join_with_commas


def test_a_phrase_is_a_text_that_keeps_its_template_also_in_copies() -> None:
    phrase = Phrase("{objects} turned by {angle:g}", objects=Phrase("Lens"), angle=2.0)
    for each in (phrase, copy.deepcopy(phrase), pickle.loads(pickle.dumps(phrase))):
        assert each == "Lens turned by 2"
        assert (each.template, each.values) == (phrase.template, phrase.values)
    template = Phrase("a set {x}")
    assert template == "a set {x}"
    filled = Phrase(template, x=1)
    assert (filled, type(filled.template)) == ("a set 1", str), (
        "a phrase would be translated unfilled"
    )


def test_a_list_of_phrases_keeps_them() -> None:
    listed = join_with_commas([Phrase("off"), "Lens", Phrase("on")])
    assert listed == "off, Lens, on"
    assert isinstance(listed, Phrase)
    assert isinstance(listed.values["then"], Phrase)
    assert join_with_commas([]) == ""
