"""What an answer can rest on: the numbers, names and ray sets in the results of tools, in the
question and in the scene, with the objects that each number belongs to.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from raybench.agent.answer_check.claims import SENTENCE, UNITS, Told, number_claims, singular
from raybench.agent.call.outcome import ToolOutcome
from raybench.kinds.glasses import GlassBody
from raybench.kinds.sources import Source
from raybench.scene.codec import fields_to_json
from raybench.scene.document import Document

MOST_VALUES = 5_000
"""Maximum numbers that are taken from one result."""
MOST_IN_ALL = 20_000
"""Maximum numbers of a conversation; then the oldest are dropped."""
MOST_TEXT = 50_000
"""Characters that are read of the text of one result."""
MOST_WORDS = 200_000
MOST_OBJECTS = 300
REMARKS = frozenset({"note", "reason", "caution", "hint", "meaning", "problem"})
"""Texts that may name other objects than their element is about."""
_LABELS = frozenset({"rank", "index", "revision", "offset", "next_offset", "limit"})
"""Numbers that are no quantities."""
_CHANGES = frozenset({"changes", "axes", "parameter", "least_at", "most_at"})
"""Values that a call tries: they belong to no object as it is."""
_ABSENT = frozenset({"unlit", "unlit_by", "without", "hint"})
_DIMENSIONS = (
    (re.compile(r"^speed$"), "speed", 1.0),
    (re.compile(r"wavelength|^nm$"), "length", 1e-9),
    (re.compile(r"angle(?!.*magnif)|direction|deviation|divergence|margin|below_critical"), "angle", 1.0),
    (re.compile(r"share|throughput|fill|reflectance|transmittance|degree_of|unpolarized|_dop|mean_degree"), "share", 1.0),
    (re.compile(r"power|emitted|absorbed|escaped|truncated|blocked|brightness|energy|passing"), "power", 1.0),
    (re.compile(r"count|rays|paths|segments|chains|groups|bundles|rank|points|objects$"), "count", 1.0),
    (re.compile(r"^[xy]\d?$|_[xy]$|^(?:left|right|top|bottom)$|length|width|height|distance|focus|focal|radius|rms|centroid|aberration|perimeter|moved"), "length", 0.0),
)  # fmt: skip
"""The dimensions of values by their names; a size of 0 stands for the unit of the document."""


class Value(NamedTuple):
    """A number that a source holds: as ``written``, and in the unit of its ``dimension`` (see
    `claims.UNITS`), which is empty if unknown. ``names`` are the objects that it belongs to.
    """

    number: float
    written: float
    dimension: str
    key: str
    names: frozenset[str]
    told: Told | None
    listed: int = 1
    """The number of elements of the list that it is from."""

    @property
    def of_question(self) -> bool:
        return self.told is None and not self.key and not self.names


@dataclass
class Evidence:
    """All values that an answer can rest on, the names of objects and ray sets, and the words of
    the sources. ``lit`` are the names of the light sources.
    """

    values: deque[Value] = field(default_factory=lambda: deque(maxlen=MOST_IN_ALL))
    sets: dict[str, Told | None] = field(default_factory=dict)
    words: str = ""
    names: dict[str, bool] = field(default_factory=dict)
    """The names of the objects, and whether each is a light source."""
    pattern: re.Pattern[str] = re.compile(r"(?!)")
    """Finds the names of objects in a text, the longest first."""
    nouns: Counter[str] = field(default_factory=Counter)
    """How many objects of the scene each noun stands for."""
    unit: str = "mm"
    _scene: Document | None = None
    _left: int = 0
    """How many more numbers are taken from what is read."""

    def add_scene(self, document: Document) -> None:
        """Add the names and fields of the objects of a scene."""
        if document is self._scene:
            return
        self._scene, self.unit, self._left = document, document.unit, MOST_VALUES
        unit = UNITS.get(document.unit, ("length", 0.0254))[1]
        scene, fields = document.scene, list[tuple[str, Any]]()
        for o in scene.objects[:MOST_OBJECTS]:
            for thing in (o, *scene.parts_of(o)):
                if thing.title not in self.names:
                    self.names[thing.title] = isinstance(thing, Source)
                    self._add_words(thing.noun)
                    nouns = {singular(thing.noun.split(" ")[-1]), self.noun_of(thing.title)}
                    self.nouns.update(
                        nouns | ({"source"} if isinstance(thing, Source) else set()) | {"object"}
                    )
            written = fields_to_json(o, {})
            if not o.optical:
                written = {k: v for k, v in written.items() if isinstance(v, str)}
            if isinstance(o, GlassBody) and (index := o.uniform_index(None)) is not None:
                written["n"] = index
            fields.append((o.title, written))
        longest = sorted(self.names, key=len, reverse=True)
        if longest:
            self.pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
        for title, values in fields:
            self._read(values, "", frozenset({title}), None, unit)
        self._read(fields_to_json(scene.settings, {}), "", frozenset(), None, unit)
        self._count(len(scene.objects), "object")

    def add_text(self, text: str, told: Told | None = None) -> None:
        """Add the numbers, names and ray sets in a text, such as the question."""
        self._add_words(text)
        if told is None:
            self.sets |= dict.fromkeys(re.findall(r"\bR\d+\b", text))
        self._read_text(text[:MOST_TEXT], "", frozenset(), told)

    def add_outcomes(self, outcomes: Iterable[ToolOutcome]) -> None:
        """Add what calls returned, and the arguments that they were given."""
        for outcome in outcomes:
            self._left = MOST_VALUES
            given = outcome.arguments
            rays = outcome.rays.name if outcome.rays is not None else ""
            told = Told(outcome.tool, given, rays)
            about = {v for v in given.values() if isinstance(v, str) and v in self.names}
            unit = UNITS.get(self.unit, ("length", 0.0254))[1]
            if outcome.rays is not None and outcome.rays.name:
                self.sets[outcome.rays.name] = told
                self._count(len(outcome.rays), "ray", frozenset(about), told)
            for name, value in given.items():
                self._read(value, name, frozenset(about), None, unit)
            shown = outcome.display_values
            if outcome.ok:
                self._add_words(f"{outcome.notes}\n{outcome.preview}")
                self._read(shown, outcome.tool, frozenset(about), told, unit)
            self._read_text(outcome.notes if outcome.ok else str(shown), "", frozenset(about), told)

    def add_ray_sets(self, names: Iterable[str]) -> None:
        """Add ray sets that were found before."""
        for name in names:
            self.sets.setdefault(name, None)

    def _add_words(self, text: str) -> None:
        self.words = f"{self.words}\n{text[:MOST_TEXT].casefold()}"[-MOST_WORDS:]

    def holds(self, words: str) -> bool:
        """Whether the words are in the question, in the text of a result, or the name of an object."""
        words = words.casefold()
        return words in self.words or any(words == name.casefold() for name in self.names)

    @staticmethod
    def noun_of(name: str) -> str:
        """The last word of a name without its number or letter, in small letters."""
        return re.sub(r"(?:\W+\w|[\W\d_]+)$", "", name).split(" ")[-1].lower()

    def named_in(self, text: str) -> frozenset[str]:
        return frozenset(self.pattern.findall(text))

    def _count(
        self,
        number: int,
        key: str,
        names: frozenset[str] = frozenset(),
        told: Told | None = None,
    ) -> None:
        self.values.append(Value(number, number, "count", key, names, told))

    def _read_text(self, text: str, key: str, names: frozenset[str], told: Told | None) -> None:
        for sentence in SENTENCE.split(text):
            about = names if key in _CHANGES else names | self.named_in(sentence)
            for claim in number_claims(sentence, self.pattern):
                for number, _ in claim.values:
                    size = UNITS[claim.unit][1] if claim.unit in UNITS else 1.0
                    dimension = claim.dimension or (
                        "count" if claim.noun else "number" if told else ""
                    )
                    self.values.append(
                        Value(
                            number * size,
                            number,
                            dimension,
                            (told and claim.noun) or key,
                            about,
                            told,
                        )
                    )

    def _read(
        self,
        value: Any,
        key: str,
        names: frozenset[str],
        told: Told | None,
        unit: float,
        given: tuple[str, float] | None = None,
        listed: int = 1,
        within: str = "",
    ) -> None:
        """Add the numbers of JSON values. ``given`` is the dimension that a unit beside a number
        states.
        """
        self._left -= 1
        if self._left < 0:
            return
        if key in _CHANGES:
            names = frozenset()
        if isinstance(value, bool) or value is None:
            return
        if isinstance(value, int | float):
            if value == value and abs(value) != float("inf"):
                dimension, size = given or _dimension(key, within)
                number = value * (unit if dimension == "length" and size == 0 else size or 1.0)
                self.values.append(Value(number, value, dimension, key, names, told, listed))
        elif isinstance(value, str):
            if any(c.isdigit() for c in value) and len(value) <= MOST_TEXT:
                self._read_text(value, key, names, told)
        elif isinstance(value, Mapping):
            if isinstance(value.get("row"), list):
                value = {**value, "row": _named_columns(value)}
            for low, high in (("left", "right"), ("top", "bottom")):
                if isinstance(value.get(low), float) and isinstance(value.get(high), float):
                    value = {**value, f"width, {low} to {high}": abs(value[high] - value[low])}
            texts = [
                v
                for k, v in value.items()
                if isinstance(v, str) and k not in REMARKS | _ABSENT | _CHANGES
            ]
            if key in _CHANGES:
                texts = []
            about = names.union(*map(self.named_in, texts)) if texts else names
            stated = value.get("unit")
            lists = [k for k, v in value.items() if isinstance(v, list)]
            for name, part in value.items():
                if name in _LABELS:
                    continue
                if name == "count" and lists and isinstance(part, int):
                    self._count(part, singular(lists[0]), about, told)
                    continue
                own = about | {name} if name in self.names else about
                of_unit = None
                if isinstance(stated, str) and "revision" not in value:
                    of_unit = UNITS.get(stated, ("power" if "power" in stated else "", 1.0))
                self._read(part, str(name), frozenset(own), told, unit, of_unit, listed, key)
        elif isinstance(value, list | tuple):
            noun = singular(key)
            if value and not isinstance(value[0], int | float):
                self._count(len(value), noun, names, told)
            cells = [v for v in value if not isinstance(v, list | tuple | Mapping)]
            about = (
                names.union(*(self.named_in(v) for v in cells if isinstance(v, str)))
                if cells
                else names
            )
            for part in value:
                self._read(part, key, about, told, unit, None, max(2, listed, len(value)))


def _named_columns(table: Mapping[str, Any]) -> list[Any]:
    """The rows of a table by the names of its columns instead of their ids."""
    columns = [*(table.get("parameter") or ()), *(table.get("measure") or ())]
    names = {c["id"]: c["of"] for c in columns if isinstance(c, Mapping) and {"id", "of"} <= {*c}}
    return [
        {names.get(k, k): v for k, v in row.items()} if isinstance(row, Mapping) else row
        for row in table["row"]
    ]


def _dimension(key: str, within: str) -> tuple[str, float]:
    """The dimension and unit of a value by its name, or else by that of what it is in."""
    for name in (key, within):
        lowered = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        for pattern, dimension, size in _DIMENSIONS:
            if pattern.search(lowered):
                return dimension, size
    return "", 1.0
