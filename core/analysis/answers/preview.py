"""What a model reads of an answer: its XML, with every list shortened as far as needed to fit."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from core.analysis.answers.answer import Answer, Child, Element, Leaf, Listed, listed
from core.analysis.answers.xml_answer import document

CHARACTERS = 6_000
"""About 1500 tokens: a dozen rays in full."""


def preview(answer: Answer, characters: int = CHARACTERS) -> str:
    """The answer's XML if it is short, else with as many elements of each list as fit, and a line on what is left out."""
    fits, too_many = 0, characters // len("<a/>") + 1
    text = _shortened(answer.root, too_many)
    while len(text) > characters and too_many - fits > 1:
        middle = (fits + too_many) // 2
        if len(_shortened(answer.root, middle)) <= characters:
            fits = middle
        else:
            too_many = middle
    return text if len(text) <= characters else cut(_shortened(answer.root, fits), characters)


def cut(text: str, cap: int = CHARACTERS) -> str:
    """The text itself if it is short, else its beginning and a line on what is missing."""
    if len(text) <= cap:
        return text
    return f"{text[:cap]}\n[cut: {len(text)} characters in all. Narrow the question to read more.]"


def _shortened(root: Element, count: int) -> str:
    """The XML with ``count`` elements of each list."""
    shown: Counter[str] = Counter()
    total: Counter[str] = Counter()
    text = document(_first(root, count, shown, total))
    left_out = [f"the first {shown[tag]} of {total[tag]} {tag}s" for tag in total if shown[tag] < total[tag]]
    return f"{text}\n[{'; '.join(left_out)}. Narrow the question, by angle for example, to read others.]" if left_out else text


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
