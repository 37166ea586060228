"""Parsing of questions in natural language without a model: the object, edge and numbers they mention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from core.kinds.glasses import GlassBody
from core.kinds.object import SceneObject
from core.scene.document import Document
from core.scene.labels import LabelledEdge, facing, labelled_edges

_NUMBER = r"(\d+(?:\.\d+)?|\.\d+)"
_UNIT = r"\s*(?:°|deg(?:rees?)?|%)?"
_SIDES = {
    "top": "N", "upper": "N", "bottom": "S", "lower": "S", "left": "W", "right": "E", "north": "N", "south": "S", "west": "W", "east": "E",
}  # fmt: skip


@dataclass(frozen=True)
class Unclear:
    """A question is ambiguous or incomplete; ``problem`` is the sentence to ask the user."""

    problem: str


@dataclass(frozen=True)
class PlainQuestion:
    """A question about a document. ``text``: the question with whitespace normalised to single spaces."""

    text: str
    document: Document

    @classmethod
    def of(cls, text: str, document: Document) -> PlainQuestion:
        return cls(" ".join(text.split()), document)

    @cached_property
    def named(self) -> SceneObject | None:
        """The object whose name occurs in the question, the longest name if there are several."""
        objects = sorted(self.document.scene.objects, key=lambda o: -len(o.title))
        return next((o for o in objects if _mentions(self.text, o.title)), None)

    @cached_property
    def rest(self) -> str:
        """The question without the object's name, which might itself contain keywords."""
        return _without(self.text, self.named.title) if self.named else self.text

    @cached_property
    def words(self) -> str:
        """`rest` in lower case."""
        return self.rest.lower()

    def has(self, pattern: str) -> bool:
        """Whether a regular expression matches somewhere in `words`."""
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
        """The glass that the question refers to: the one named, the only one whose name shares a word with it, or the only one."""
        if isinstance(self.named, GlassBody):
            return self.named
        glasses = [o for o in self.document.scene.objects if isinstance(o, GlassBody)]
        titles = ", ".join(g.title for g in glasses)
        if self.named is not None:
            there = f"Glasses here: {titles}." if glasses else "There is no glass in this scene."
            return Unclear(f"{self.named.title} is no glass: no ray is inside it, and it has no edges to ask about. {there}")
        partly_named = [
            g for g in glasses if any(_mentions(self.rest, word) for word in g.title.split() if len(word) > 2 and not word.isdigit())
        ]
        for candidates in (partly_named, glasses):
            if len(candidates) == 1:
                return candidates[0]
        return Unclear(f"Which glass? There are: {titles}." if glasses else "There is no glass in this scene.")

    def edge_of(self, glass: GlassBody) -> LabelledEdge | None:
        """The edge of a glass that the question mentions."""
        return _edge_in(self.rest, self._edges(glass))

    @property
    def glass_and_edge(self) -> Mapping[str, str] | Unclear:
        """The glass and its edge as tool arguments, or what is unclear."""
        glass = self.glass
        if isinstance(glass, Unclear):
            return glass
        edge = self.edge_of(glass)
        if edge is None:
            return Unclear(f"Which edge of {glass.title}? It has: {', '.join(e.title for e in self._edges(glass))}.")
        return {"glass_name": glass.title, "edge_label": edge.title}

    @property
    def names_no_edge(self) -> bool:
        """Whether the glass is known, but no edge of it is mentioned."""
        return not isinstance(self.glass, Unclear) and self.edge_of(self.glass) is None

    def range(self, least: float, most: float) -> tuple[float, float] | None:
        """The numeric bounds in the question: between a and b, above a, below b; percentages are converted to fractions."""
        return _range(self.words, least, most)

    def _edges(self, glass: GlassBody) -> Sequence[LabelledEdge]:
        return labelled_edges(glass, self.document.edge_labels.get(glass.key, {}))


def _edge_in(text: str, edges: Sequence[LabelledEdge]) -> LabelledEdge | None:
    """The edge that a text mentions: by the user's label, ``North Edge``, ``edge N``, ``N side``, ``edge 2`` or ``top``."""
    for edge in edges:
        if (edge.user and _mentions(text, edge.user)) or _mentions(text, edge.long):
            return edge
    patterns = (r"\b(?:edge|side|face)\s+([A-Za-z]{1,3}\d*|\d+)\b", r"\b([A-Z]{1,3}\d*)\s+(?:edge|side|face)\b", r"\b([A-Z]{1,3}\d*)\b")
    labels = [label for pattern in patterns for label in re.findall(pattern, text)]
    for label in labels:
        for edge in edges:
            if label.upper() == edge.short.upper() or label == str(edge.index):
                return edge
    words = {e.long.lower().removesuffix(" edge"): e for e in edges}
    if spelled := [e for word, e in words.items() if _mentions(text, word)]:
        return spelled[0]
    named = [*(label.upper() for label in labels), *(point for word, point in _SIDES.items() if _mentions(text, word))]
    for point in named:
        facing_there = [e for e in edges if e.short == point] or facing(edges, point)
        if facing_there:
            return facing_there[0] if len(facing_there) == 1 else None
    return edges[0] if len(edges) == 1 else None


def _range(text: str, least: float, most: float) -> tuple[float, float] | None:
    """The numeric bounds in a text, see `PlainQuestion.range`; ``least`` and ``most`` are the defaults of one-sided bounds."""

    def value(digits: str) -> float:
        number = float(digits)
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


def _mentions(text: str, name: str) -> bool:
    return bool(_occurrences(text, name))


def _without(text: str, name: str) -> str:
    """The text without one occurrence of the name, preferably one after a preposition or article, as in ``inside Inside``."""
    matches = _occurrences(text, name)
    after = [m for m in matches if re.search(r"\b(?:of|in|inside|within|the|glass)\s+$", text[: m.start()], re.IGNORECASE)]
    match = (after or matches)[-1]
    return f"{text[: match.start()]} {text[match.end() :]}"


def _occurrences(text: str, name: str) -> list[re.Match[str]]:
    """The occurrences of a name as whole words in a text, ignoring case and the amount of whitespace."""
    words = r"\s+".join(re.escape(word) for word in name.split())
    return list(re.finditer(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE)) if words else []
