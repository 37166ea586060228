"""The answer of a tool. It can be written as XML, as JSON, as a short preview for a language model,
or as text for users.

Code that needs the numbers uses `Answer.values`; code that needs the rays uses `Answer.rays`. No
code parses the written forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Self

import numpy as np

from raybench.arrays import Integers
from raybench.trace.results.ray_set import RaySet

NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Leaf:
    """A named value without attributes or children. ``missing`` is the text that is written for
    None, by default ``null``.
    """

    tag: str
    value: Any
    missing: str | None = None

    @property
    def values(self) -> Any:
        return numpy_to_python_scalar(self.value)


class Element:
    """A named element of an answer, with attributes and children of distinct names. Answers are
    usually made of the typed subclass `raybench.analysis.answers.record.Record`.

    An attribute with the value None is not written. A trailing underscore in a name (``from_``) is
    removed.
    """

    tag: str
    attributes: Mapping[str, Any]
    children: tuple[Child, ...]
    by_measure: str = ""
    """The measure that gives its number, such as ``power(Screen)``; empty for none. Neither this
    nor the rows are written.
    """
    _rows: Integers | Callable[[], Integers] | None = None

    def __init__(
        self, tag: str, attributes: Mapping[str, Any] = NONE, children: tuple[Child, ...] = ()
    ) -> None:
        self.tag, self.attributes, self.children = tag, attributes, children

    def with_parts(
        self,
        attributes: Mapping[str, Any] | None = None,
        children: tuple[Child, ...] | None = None,
    ) -> Element:
        """A copy of this element with other attributes or children."""
        copy = Element(
            self.tag,
            self.attributes if attributes is None else attributes,
            self.children if children is None else children,
        )
        return copy.link_to_rays(self._rows, self.by_measure)

    def link_to_rays(
        self, rows: Integers | Callable[[], Integers] | None, measure: str = ""
    ) -> Self:
        """Store the trace rows that this element describes, or a function that finds them when they
        are asked for, and the measure that gives its number, if any. Returns the element itself.
        """
        self._rows, self.by_measure = rows, measure
        return self

    @property
    def describes_rays(self) -> bool:
        """Whether the element is about some rows of the trace in particular."""
        return self._rows is not None

    @property
    def ray_rows(self) -> Integers | None:
        """The rows of the trace that the element is about; None if it is about none in
        particular.
        """
        if callable(self._rows):
            self._rows = self._rows()
        return self._rows

    @property
    def sole_list(self) -> ElementList | None:
        """The list in this element if the element contains nothing else; else None."""
        if self.attributes or len(self.children) != 1:
            return None
        return child if isinstance(child := self.children[0], ElementList) else None

    @property
    def values(self) -> Any:
        """The attributes and children as a dict by name; a list if the element contains only a
        list.
        """
        if (listed := self.sole_list) is not None:
            return listed.values
        attributes = {
            name.rstrip("_"): numpy_to_python_scalar(value)
            for name, value in self.attributes.items()
        }
        return attributes | {child.tag: child.values for child in self.children}


class ElementList:
    """A list of child elements with the same tag. If ``inner`` is true, a page shortens the lists
    inside the elements instead of this list.
    """

    def __init__(
        self, tag: str, items: Sequence[Element | Leaf] = (), *, inner: bool = False
    ) -> None:
        self.tag, self.items, self.inner = tag, items, inner

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Element | Leaf]:
        return iter(self.items)

    @property
    def has_only_leaves(self) -> bool:
        """Whether the children are leaves, like the cells of a table row. False for a sequence that
        makes its elements when they are read: leaves are always given as a list.
        """
        items = self.items
        return isinstance(items, list) and len(items) > 0 and isinstance(items[0], Leaf)

    def slice_children(self, start: int, end: int) -> ElementList:
        """The list reduced to the children from ``start`` up to, but not including, ``end``."""
        return ElementList(self.tag, self.items[start:end])

    def map_children(self, change: Callable[[Element], Element]) -> ElementList:
        """A copy of the list in which ``change`` was applied to each element."""
        items = [change(item) if isinstance(item, Element) else item for item in self.items]
        return ElementList(self.tag, items, inner=self.inner)

    @property
    def values(self) -> list[Any]:
        return [item.values for item in self.items]

    def xml_elements(self, indent: str) -> Iterator[str] | None:
        """The indented XML text of each child, if this list can write it without creating elements;
        else None.
        """
        return None


Child = Element | Leaf | ElementList


@dataclass(frozen=True, eq=False)
class Answer:
    """The answer of a tool.

    ``root``: the element with the values. ``sentence``: the main result in one line, without a full
    stop. ``rays``: the rays to highlight, or None. ``complete_sentence``: whether the sentence
    states all values that were asked for. ``summary``: text that a model reads before a long list.
    ``remaining``: by tag, how many list elements follow this page. ``details``: tags of the lists
    that a long preview omits first. ``note``: one more sentence without a full stop.
    ``expression``: the measures that give the same values, such as ``power(Screen)``. ``whole``:
    the full answer, if this answer is only the part that a model reads. ``limits``: the largest
    number of elements of a list, by tag.
    """

    root: Element
    sentence: str
    rays: RaySet | None = None
    complete_sentence: bool | None = None
    summary: tuple[Element, ...] = ()
    remaining: Mapping[str, int] = field(default_factory=dict)
    details: frozenset[str] = frozenset()
    note: str = ""
    expression: str = ""
    whole: Answer | None = field(default=None, repr=False)
    limits: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.sentence:
            raise ValueError(f"<{self.root.tag}>: an answer needs a sentence for users.")

    @property
    def values(self) -> Any:
        """The answer as plain values: dicts, lists, strings, numbers (also NaN and infinities),
        booleans and None.
        """
        return self.root.values

    def full_sentence(self, name: str = "") -> str:
        """The sentence with a full stop, and the note. If the set of rays is not empty, its
        ``name`` is added.
        """
        named = (
            f"{self.sentence} ({name})."
            if name and self.rays is not None and len(self.rays)
            else f"{self.sentence}."
        )
        return f"{named} {self.note}." if self.note else named

    def elements_by_place(self) -> dict[str, Element]:
        """The list elements that describe rays or a measure, by their place in `values`, such as
        ``loss/0`` for the first element of the list ``loss``.
        """
        return dict(_elements_by_place(self.root, ""))


def place_of_item(place: str, name: str, index: int) -> str:
    """The place, such as ``loss/0``, of the element ``index`` in the list ``name``. The list
    belongs to the value at ``place``.
    """
    return "/".join(part for part in (place, name, str(index)) if part)


def _elements_by_place(node: Element, place: str) -> Iterator[tuple[str, Element]]:
    if node.describes_rays or node.by_measure:
        yield place, node
    only = node.sole_list
    for child in node.children:
        if isinstance(child, Element):
            yield from _elements_by_place(child, f"{place}/{child.tag}" if place else child.tag)
        elif isinstance(child, ElementList) and not child.has_only_leaves:
            for index, item in enumerate(child):
                if isinstance(item, Element):
                    name = "" if child is only else child.tag
                    yield from _elements_by_place(item, place_of_item(place, name, index))


def numpy_to_python_scalar(value: Any) -> Any:
    """Convert a numpy scalar to a Python scalar; any other value is returned unchanged."""
    return value.item() if isinstance(value, np.generic) else value
