"""Pages by limit and offset hold every element of every list once, whatever the tool."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator

import pytest
from tests.core.analysis.tool_calls import every_call

from raybench.analysis.answers.answer import Answer, Element, ElementList, Leaf
from raybench.analysis.answers.page import MOST_PAGE_ELEMENTS
from raybench.analysis.answers.xml_answer import xml_document
from raybench.analysis.context import TracedScene, override_context
from raybench.analysis.tool_registry import TOOLS
from raybench.analysis.tools.discovery import tools as all_tools


def lists_of(node: Element, path: str = "") -> Iterator[tuple[str, Element, ElementList]]:
    """The lists that a page slices, by their place, with the records that hold them."""
    for child in node.children:
        place = f"{path}/{child.tag}"
        if isinstance(child, ElementList) and child.inner:
            for i, item in enumerate(child):
                assert isinstance(item, Element)
                yield from lists_of(item, f"{place}[{i}]")
        elif isinstance(child, ElementList) and not child.has_only_leaves:
            yield place, node, child
        elif isinstance(child, Element) and not isinstance(child, Leaf):
            yield from lists_of(child, place)


def texts(listed: ElementList) -> list[str]:
    return [
        xml_document(item) if isinstance(item, Element) else repr(item.value) for item in listed
    ]


def pages(ask: Callable[..., Answer], **page: int) -> tuple[dict[str, list[str]], int]:
    """All elements of each list, read page by page, and the number of pages."""
    found: dict[str, list[str]] = {}
    offset, count = 0, 0
    while True:
        answer = ask(offset=offset, **page)
        count += 1
        for place, record, listed in lists_of(answer.root):
            found.setdefault(place, []).extend(texts(listed))
            if "shown" in record.attributes:
                assert record.attributes["shown"] == len(listed)
        following = answer.root.attributes.get("next_offset")
        assert (following is None) == (answer.root.attributes.get("left") is None)
        if following is None:
            return found, count
        assert offset < following
        offset = following


LISTING = [tool for tool in TOOLS if "offset" in inspect.signature(tool).parameters]
OF_ONE = {"find_nearest_ray_xml"}
"""Tools whose lists have one element."""


@pytest.mark.parametrize("tool", LISTING, ids=lambda tool: tool.__name__)
def test_pages_reach_the_last_element(tool: Callable[..., str]) -> None:
    paged: set[str] = set()
    asked = 0
    for name, about, arguments in every_call(tool):
        if {"limit", "offset"} & arguments.keys():
            continue

        def ask(
            about: TracedScene = about, arguments: dict[str, object] = arguments, **page: int
        ) -> Answer:
            with override_context(about):
                return all_tools()[tool.__name__].function(**arguments, **page)

        whole, _ = pages(ask, limit=MOST_PAGE_ELEMENTS)
        several = {place for place, elements in whole.items() if len(elements) > 1}
        if several <= paged:
            continue
        longest = max(map(len, whole.values()))
        asked += 1
        limit = max(1, min(MOST_PAGE_ELEMENTS, longest // 3 if asked % 2 else longest - 1))
        found, count = pages(ask, limit=limit)
        assert found == whole, (name, arguments, limit)
        assert pages(ask)[0].keys() == whole.keys()
        if count > 1:
            paged |= several
    assert paged or tool.__name__ in OF_ONE, (
        f"{tool.__name__} has no list of several elements in tool_calls"
    )
