"""Elements of answers without types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from raybench.analysis.answers.answer import Child, Element, ElementList, Leaf


def element(tag: str, /, *children: Child, **attributes: Any) -> Element:
    """An element with attributes and children."""
    return Element(tag, attributes, children)


def listed(tag: str, items: Sequence[Element | Leaf]) -> ElementList:
    """A list of children with one tag."""
    return ElementList(tag, tuple(items))
