"""Answers are well-formed XML that gives back what was put in."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.analysis.answers.answer import Leaf, element
from core.analysis.answers.xml_answer import document, fit, formatted


@settings(max_examples=60)
@given(st.text(st.characters(exclude_categories=()), max_size=40), st.text(st.characters(exclude_categories=()), max_size=40))
def test_whatever_a_name_holds_is_read_back(name: str, words: str) -> None:
    root = ET.fromstring(document(element("answer", element("inner", Leaf("words", words), name=name), name=name)))
    assert root.attrib["name"] == root.find("inner").attrib["name"] == fit(name)  # type: ignore[union-attr]
    assert root.findtext("inner/words") == fit(words)


def test_what_xml_can_hold_is_written_as_it_is() -> None:
    name = "<a> & \"b\" 'c' ]]> \t\r\n é 😀 " + "x" * 10_000
    assert fit(name) == name
    assert ET.fromstring(document(element("answer", Leaf("name", name)))).findtext("name") == name


@pytest.mark.parametrize(
    ("value", "words"),
    [(1 / 3, "0.333333333"), (-0.0, "0"), (1e300, "1e+300"), (math.inf, "inf"), (-math.inf, "-inf"), (True, "true"), (12, "12")],
)
def test_values_are_formatted_uniformly(value: object, words: str) -> None:
    assert formatted(value) == words


def test_attributes_without_a_value_are_left_out() -> None:
    assert document(element("edge", from_="N", to=None)).endswith('\n<edge from="N"/>')
