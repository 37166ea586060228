"""What a model reads of an answer: its XML, with every list shortened as far as needed to fit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from core.analysis.answers.answer import Answer, Child, Element, Leaf, Listed, listed
from core.analysis.answers.xml_answer import document
from core.hidden_characters import escaped_lines

CHARACTERS = 6_000
"""About 1500 tokens: a dozen rays in full."""


def preview(answer: Answer, characters: int = CHARACTERS) -> str:
    """The answer's XML if it is short, else with as many elements of each list as fit, and a line on what is left out."""
    fits, count = 0, 8
    while True:  # doubled, so that no more is written than twice what fits
        text, whole = _shortened(answer.root, count)
        if len(text) > characters:
            break
        if whole:
            return text
        fits, count = count, 2 * count
    while count - fits > 1:
        middle = (fits + count) // 2
        if len(_shortened(answer.root, middle)[0]) <= characters:
            fits = middle
        else:
            count = middle
    return cut(_shortened(answer.root, fits)[0], characters)


def cut(text: str, cap: int = CHARACTERS) -> str:
    """The text itself if it is short, else its beginning and a line on what is missing.

    Hidden characters other than line ends are written as escapes.
    """
    if len(text) <= cap:
        return escaped_lines(text)
    return f"{escaped_lines(text[:cap])}\n[cut: {len(text)} characters in all. Narrow the question to read more.]"


def _shortened(root: Element, count: int) -> tuple[str, bool]:
    """The XML with at most ``count`` elements of each list, and whether that is all of it."""
    shown: Counter[str] = Counter()
    total: Counter[str] = Counter()
    text = document(_first(root, count, shown, total))
    left_out = [f"the first {shown[tag]} of {total[tag]} {tag}s" for tag in total if shown[tag] < total[tag]]
    if not left_out:
        return text, True
    return f"{text}\n[{'; '.join(left_out)}. Narrow the question, by angle for example, to read others.]", False


def _first(node: Element, count: int, shown: Counter[str], total: Counter[str]) -> Element:
    """The element with ``count`` elements of each list below it, how many are shown and how many there are, by tag."""

    def shortened(child: Child) -> Child:
        if isinstance(child, Element):
            return _first(child, count, shown, total)
        if isinstance(child, Leaf) or any(isinstance(item, Leaf) for item in child.first(1)):
            return child  # the cells of a row are never shortened
        total[child.tag] += len(child)
        child = child.first(count)
        shown[child.tag] += len(child)
        if isinstance(child, Listed):
            items = (_first(item, count, shown, total) if isinstance(item, Element) else item for item in child.items)
            return listed(child.tag, tuple(items))
        return child

    return replace(node, children=tuple(map(shortened, node.children)))
