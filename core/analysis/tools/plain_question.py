"""A question in plain words: the object, edge and numbers that it names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.kinds.glasses import GlassBody
from core.kinds.object import SceneObject
from core.scene.document import Document
from core.scene.labels import LabelledEdge, labelled_edges

_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_UNIT = r"\s*(?:°|deg(?:rees?)?|%)?"
_SIDES = {"top": "N", "upper": "N", "bottom": "S", "lower": "S", "left": "W", "right": "E"}


@dataclass(frozen=True)
class Unclear:
    """What a question leaves open, as a sentence to ask back."""

    problem: str


@dataclass(frozen=True)
class PlainQuestion:
    """A question about a document. ``text`` is the question, with single spaces."""

    text: str
    document: Document

    @classmethod
    def of(cls, text: str, document: Document) -> PlainQuestion:
        return cls(" ".join(text.split()), document)

    @cached_property
    def named(self) -> SceneObject | None:
        """The object whose name stands in the question; the longest name where several do."""
        objects = sorted(self.document.scene.objects, key=lambda o: -len(o.title))
        return next((o for o in objects if _says(self.text, o.title)), None)

    @cached_property
    def rest(self) -> str:
        """The question without the name of the object: a name may hold any of the words that are looked for."""
        return _without(self.text, self.named.title) if self.named else self.text

    @cached_property
    def words(self) -> str:
        """`rest` in lower case."""
        return self.rest.lower()

    def has(self, pattern: str) -> bool:
        """Whether a regular expression is found in `words`."""
        return re.search(pattern, self.words) is not None

    @property
    def about_polarization(self) -> bool:
        return self.has(r"polari[sz]|\bdop\b")

    @property
    def about_angle(self) -> bool:
        return self.has(r"°|\bangles?\b|\bdeg(rees?)?\b|\bgrazing\b|\bnormal\b|\bsteep\w*|\bshallow\w*")

    @property
    def about_edge(self) -> bool:
        return self.has(r"\b(edges?|sides?|faces?|cross\w*|through|hit\w*|meet\w*|surface)\b")

    @property
    def about_inside(self) -> bool:
        return self.has(r"\b(in|inside|within)\b")

    @cached_property
    def glass(self) -> GlassBody | Unclear:
        """The glass that is meant: the one named, the one that shares a word with the question, or the only one there is."""
        if isinstance(self.named, GlassBody):
            return self.named
        glasses = [o for o in self.document.scene.objects if isinstance(o, GlassBody)]
        titles = ", ".join(g.title for g in glasses)
        if self.named is not None:
            there = f"Glasses here: {titles}." if glasses else "There is no glass in this scene."
            return Unclear(f"{self.named.title} is no glass: no ray is inside it, and it has no edges to ask about. {there}")
        alike = [g for g in glasses if any(_says(self.rest, word) for word in g.title.split() if len(word) > 2 and not word.isdigit())]
        for choice in (alike, glasses):
            if len(choice) == 1:
                return choice[0]
        return Unclear(f"Which glass? There are: {titles}." if glasses else "There is no glass in this scene.")

    def edge_of(self, glass: GlassBody) -> LabelledEdge | None:
        """The edge of a glass that the question names."""
        return _edge_in(self.rest, self._edges(glass))

    @property
    def glass_and_edge(self) -> Mapping[str, str] | Unclear:
        """The glass and its edge as arguments of a tool."""
        glass = self.glass
        if isinstance(glass, Unclear):
            return glass
        edge = self.edge_of(glass)
        if edge is None:
            return Unclear(f"Which edge of {glass.title}? It has: {', '.join(e.title for e in self._edges(glass))}.")
        return {"glass_name": glass.title, "edge_label": edge.title}

    @property
    def names_no_edge(self) -> bool:
        """Whether the glass is known, but no edge of it is named."""
        return not isinstance(self.glass, Unclear) and self.edge_of(self.glass) is None

    def range(self, least: float, most: float) -> tuple[float, float] | None:
        """The numbers that the question bounds something by: between a and b, above a, below b; percentages as fractions of one."""
        return _range(self.words, least, most)

    def _edges(self, glass: GlassBody) -> Sequence[LabelledEdge]:
        return labelled_edges(glass, self.document.edge_labels.get(glass.key, {}))


def _edge_in(text: str, edges: Sequence[LabelledEdge]) -> LabelledEdge | None:
    """The edge a text names: by a person's label, ``North Edge``, ``edge N``, ``N side``, ``edge 2`` or ``top``."""
    for edge in edges:
        if (edge.user and _says(text, edge.user)) or _says(text, edge.long):
            return edge
    patterns = (r"\b(?:edge|side|face)\s+([A-Za-z]{1,3}\d*|\d+)\b", r"\b([A-Z]{1,3}\d*)\s+(?:edge|side|face)\b", r"\b([A-Z]{1,3}\d*)\b")
    said = [label for pattern in patterns for label in re.findall(pattern, text)]
    for label in said:
        for edge in edges:
            if label.upper() == edge.short.upper() or label == str(edge.index):
                return edge
    for word, short in _SIDES.items():
        if _says(text, word):
            return next((e for e in edges if e.short == short), None)
    words = {e.long.lower().replace(" edge", ""): e for e in edges}
    return next((e for word, e in words.items() if _says(text, word)), edges[0] if len(edges) == 1 else None)


def _range(text: str, least: float, most: float) -> tuple[float, float] | None:
    """The numbers a text bounds something by: between a and b, above a, below b; percentages as fractions of one."""

    def value(found: str) -> float:
        number = float(found)
        return number / 100 if most <= 1 and ("%" in text or "percent" in text) else number

    between = re.search(rf"{_NUMBER}{_UNIT}\s*(?:and|to|–|-|\.\.)\s*{_NUMBER}", text)
    if between:
        a, b = sorted((value(between[1]), value(between[2])))
        return a, b
    above = re.search(rf"(?:over|above|more than|greater than|at least|steeper than|>=?|≥|from)\s*{_NUMBER}", text)
    below = re.search(rf"(?:under|below|less than|smaller than|at most|up to|within|<=?|≤)\s*{_NUMBER}", text)
    if above or below:
        return (value(above[1]) if above else least), (value(below[1]) if below else most)
    about = re.search(rf"(?:at|about|around|of)\s*{_NUMBER}", text)
    if about:
        near, width = value(about[1]), (most - least) / 90
        return max(least, near - width), min(most, near + width)
    return None


def _says(text: str, name: str) -> bool:
    return bool(_places(text, name))


def _without(text: str, name: str) -> str:
    """The text without the name: once, and where it stands as one if it is a word of the question too, as in ``inside Inside``."""
    places = _places(text, name)
    after = [p for p in places if re.search(r"\b(?:of|in|inside|within|the|glass)\s+$", text[: p.start()], re.IGNORECASE)]
    place = (after or places)[-1]
    return f"{text[: place.start()]} {text[place.end() :]}"


def _places(text: str, name: str) -> list[re.Match[str]]:
    """Where a name stands in a text as words of its own, whatever lies between its words."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return list(re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)) if words else []
