"""The answer to a question about a scene: a value that is rendered as XML, JSON, a preview for a model, or text for a person.

Nothing is read back out of a rendering: who needs the numbers takes `Answer.values`, who needs the rays takes `Answer.rays`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from core.trace.results.result import RaySet


@dataclass(frozen=True)
class Leaf:
    """A named value without attributes; ``missing`` is the text that stands for None in renderings (None: marked as null)."""

    tag: str
    value: Any
    missing: str | None = None

    @property
    def values(self) -> Any:
        return plain(self.value)


@dataclass(frozen=True)
class Element:
    """A named record: attributes, then children. Attribute and child names differ, for in `values` they are keys of one dict.

    An attribute that is None is not rendered; a trailing underscore of its name (``from_``) is dropped.
    """

    tag: str
    attributes: Mapping[str, Any] = field(default_factory=dict)
    children: tuple[Child, ...] = ()

    def __post_init__(self) -> None:
        if not self.children:
            return
        names = [*self.attributes, *(child.tag for child in self.children)]
        if len(set(names)) < len(names):
            raise ValueError(f"<{self.tag}> has a name twice: {', '.join(names)}. Put elements that repeat into one listed().")

    @property
    def values(self) -> Any:
        """A dict of the attributes and children by name; a list where the element holds nothing but a list."""
        if not self.attributes and len(self.children) == 1 and not isinstance(self.children[0], Element | Leaf):
            return self.children[0].values
        attributes = {name.rstrip("_"): plain(value) for name, value in self.attributes.items()}
        return attributes | {child.tag: child.values for child in self.children}


class LazyListing(Protocol):
    """Many children of one name, held as arrays and made into elements when they are asked for."""

    @property
    def tag(self) -> str: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Element]: ...
    def first(self, count: int) -> LazyListing:
        """The first ``count`` of them."""
        ...

    @property
    def values(self) -> list[Any]: ...
    def xml_elements(self, indent: str) -> Iterator[str]:
        """The elements in XML."""
        ...


@dataclass(frozen=True)
class Listed:
    """Elements of one name."""

    tag: str
    items: Sequence[Element | Leaf] = ()

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[Element | Leaf]:
        return iter(self.items)

    def first(self, count: int) -> Listed:
        return Listed(self.tag, self.items[:count])

    @property
    def values(self) -> list[Any]:
        return [item.values for item in self.items]


Listing = Listed | LazyListing
"""Children of one name, any number of them."""
Child = Element | Leaf | Listing


def element(tag: str, /, *children: Child, **attributes: Any) -> Element:
    """An element; ``attributes`` are texts, numbers and truth values, None for one that is unknown here."""
    return Element(tag, attributes, children)


def listed(tag: str, items: Sequence[Element | Leaf]) -> Listed:
    """Children of one name, none to any number: in `Answer.values` always a list under that name."""
    return Listed(tag, tuple(items))


@dataclass(frozen=True, eq=False)
class Answer:
    """What a tool found.

    ``root`` holds the values, with the trace's revision and the units among its attributes; ``sentence`` says in one line, without a
    full stop, the number that was asked for; ``rays`` are the rays that the answer is about, None where it is about none.
    """

    root: Element
    sentence: str
    rays: RaySet | None = None

    def __post_init__(self) -> None:
        if not self.sentence:
            raise ValueError(f"<{self.root.tag}>: an answer needs a sentence for people.")

    @property
    def values(self) -> Any:
        """The answer as dicts, lists, texts, numbers (NaN and infinities among them) and None."""
        return self.root.values

    def said(self, name: str = "") -> str:
        """The sentence, with the name of the ray set where one was given and there is a ray in it."""
        return f"{self.sentence} ({name})." if name and self.rays is not None and len(self.rays) else f"{self.sentence}."


def plain(value: Any) -> Any:
    """A scalar of numpy as Python's own; any other value itself."""
    return value.item() if isinstance(value, np.generic) else value
