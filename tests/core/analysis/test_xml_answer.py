"""Answers are well-formed XML that gives back what was put in."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.elements import element, listed

from raybench.analysis.answers.answer import Answer, Leaf
from raybench.analysis.answers.page import (
    PAGE_CHARACTERS,
    answer_page,
    largest_fitting_number,
    largest_fitting_page,
)
from raybench.analysis.answers.xml_answer import (
    escape_invalid_characters,
    formatted_value,
    xml_document,
)


@settings(max_examples=60)
@given(
    st.text(st.characters(exclude_categories=()), max_size=40),
    st.text(st.characters(exclude_categories=()), max_size=40),
)
@example('<a b="c">\'&amp;', "</words><b>&amp;]]>")
@pytest.mark.security
def test_whatever_a_name_holds_is_read_back(name: str, words: str) -> None:
    root = ET.fromstring(
        xml_document(
            element("answer", element("inner", Leaf("words", words), name=name), name=name)
        )
    )
    assert (
        root.attrib["name"] == root.find("inner").attrib["name"] == escape_invalid_characters(name)
    )  # type: ignore[union-attr]
    assert root.findtext("inner/words") == escape_invalid_characters(words)


def test_what_xml_can_hold_is_written_as_it_is() -> None:
    name = "<a> & \"b\" 'c' ]]> \t\r\n é 😀 " + "x" * 10_000
    assert escape_invalid_characters(name) == name
    assert (
        ET.fromstring(xml_document(element("answer", Leaf("name", name)))).findtext("name") == name
    )


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1 / 3, "0.333333333"),
        (-0.0, "0"),
        (1e300, "1e+300"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (True, "true"),
        (12, "12"),
    ],
)
def test_values_are_formatted_uniformly(value: object, words: str) -> None:
    assert formatted_value(value) == words


def test_attributes_without_a_value_are_left_out() -> None:
    assert xml_document(element("edge", from_="N", to=None)).endswith('\n<edge from="N"/>')


@pytest.mark.parametrize("size", [1, 40, 400, 4000])
def test_a_page_shows_what_fits(size: int) -> None:
    items = [element("item", name=f"{k:03d}" + "x" * size) for k in range(200)]
    whole = Answer(element("list", listed("item", items)), "200 items")
    root = largest_fitting_page(whole).root
    shown = len(root.values["item"])
    assert root.attributes["left"] == f"{200 - shown} item"
    assert len(xml_document(root)) <= PAGE_CHARACTERS or shown == 1
    assert len(xml_document(answer_page(whole, shown + 1).root)) > PAGE_CHARACTERS
    rest = answer_page(whole, 5, 197).root
    assert ([i["name"][:3] for i in rest.values["item"]], rest.attributes.get("left")) == (
        ["197", "198", "199"],
        None,
    )
    few = Answer(element("list", listed("item", items[:1])), "1 item")
    assert largest_fitting_page(few) == few
    asked: list[int] = []

    def fits(count: int) -> bool:
        asked.append(count)
        return count <= shown

    assert largest_fitting_number(fits, 1, 200) == shown
    assert max(asked) <= 2 * shown + 2
