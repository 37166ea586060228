"""An example question that asks for a tool, and how it is read in a sentence: which words and slots
of it the sentence has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from raybench.agent.questions.objects import SLOTS, ObjectSlot, last_on_path, things_of
from raybench.agent.questions.sentence import Number, Piece, Sentence
from raybench.agent.questions.words import ASKING, canonical_word, is_soft, words_of
from raybench.analysis.question import SLOT, Question
from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH
from raybench.optics.colour import COLOURS
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.document import Document

NUMBERS: Mapping[str, tuple[str, str]] = {
    "angle": ("deg", "10°"),
    "length": (LENGTH, "10 mm"),
    "coordinate": (LENGTH, "0"),
    "wavelength": ("nm", "546 nm"),
    "plain": ("", "0.1"),
    "index": ("", "1.5"),
    "factor": ("", "2"),
    "percent": ("", "10 %"),
}
"""The kinds of numbers: the unit of the value, and an example."""
_LENGTHS = frozenset(("nm", "µm", "mm", "cm", "m", "km", "in", "ft"))
_ALLOWED: Mapping[str, frozenset[str]] = {
    "deg": frozenset(("deg", "rad", "mrad")), LENGTH: _LENGTHS, "nm": frozenset(("nm", "µm")), "": frozenset(),
}  # fmt: skip
DEFAULT_KINDS = {
    "object_name": "object", "glass_name": "glass", "detector_name": "detector", "source_name": "source", "aperture_name": "aperture",
    "edge_label": "edge", "edge": "edge", "hits": "object", "misses": "object", "inside": "glass", "crosses": "glass", "source": "source",
    "n1": "index", "n2": "index", "angle": "angle", "min_angle": "angle", "max_angle": "angle", "within": "angle", "x": "coordinate",
    "y": "coordinate", "width": "length", "height": "length", "top_n": "count", "max_paths": "count", "min_power": "plain", "max_power": "plain",
    "wavelength": "wavelength", "pattern": "path", "path": "path", "sql": "sql", "ray_id": "ray", "order": "order",
}  # fmt: skip
"""The kinds of slots that do not state one, by the name of their parameter."""
_EXAMPLES = {
    "count": "3",
    "ray": "r1-0",
    "order": "1",
    "name": "Pair",
}
_SOURCES = ("source", "source_name")
_BOUNDS = {"nm": "wavelength", "deg": "angle", "": "power"}
_QUANTITIES = {
    "wavelength": "wavelength",
    "angle": "angle",
    "power": "plain",
    "depth": "plain",
    "length": "length",
}


class Unclear(RaybenchError):
    """A sentence is understood but for something that the message asks for, or says is wrong."""


@dataclass
class Match:
    """An example read in a sentence. ``values`` are the texts of its slots, ``given`` their values.

    ``choices``: the titles among which a slot must be chosen; ``open``: required slots without a
    value; ``left``: pieces of the sentence that it does not explain; ``missing``: its words that
    the sentence lacks; ``defaulted``: slots for the only object that they can mean.
    """

    example: Example
    values: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    left: list[Piece] = field(default_factory=list)
    missing: frozenset[str] = frozenset()
    defaulted: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    """Optional clauses as they are written, such as *from Laser*."""
    problem: str = ""

    @property
    def said(self) -> bool:
        """Whether the sentence has a value for a slot."""
        return bool(self.given.keys() - set(self.defaulted))

    @property
    def explained(self) -> bool:
        """Whether the example explains the whole sentence, and all its words are said."""
        return not self.left and not self.missing

    @property
    def complete(self) -> bool:
        """Whether the sentence is this example: nothing is open, and something is said of it."""
        return self.explained and not self.choices and not self.open and not self.problem


@dataclass(frozen=True)
class Example:
    """An example question of a tool.

    ``slots``: the kind of each slot; ``parameters``: those that optional clauses can give;
    ``mandatory``: slots that need a value though they stand in brackets;
    ``call`` makes the arguments from the values of the slots; ``reads``, if given, reads a sentence
    as a whole instead, and returns None if it is another one, or raises Unclear. ``about`` are
    words of its description. Of equally good examples the one of least ``rank`` is taken.
    """

    tool: str
    question: Question
    slots: Mapping[str, ObjectSlot | str]
    call: Callable[[Mapping[str, Any], Document], dict[str, Any]]
    parameters: frozenset[str] = frozenset()
    mandatory: frozenset[str] = frozenset()
    about: frozenset[str] = frozenset()
    reads: Callable[[Sentence], dict[str, Any] | None] | None = None
    rank: int = 0
    lit: bool = True
    """Whether it is about light."""
    offered: bool = True
    """Whether it is suggested."""
    edits: bool = False
    """Whether it asks for an edit."""
    intent: str = ""
    """What it asks for: the tool, or the measure."""

    @cached_property
    def words(self) -> frozenset[str]:
        """All its words, those in brackets included."""
        text = self.question.text.replace("[", " ").replace("]", " ")
        return frozenset(words_of(" ".join(SLOT.sub(" ", text).split()))) | frozenset(
            _canonical_words(text)
        )

    @cached_property
    def required(self) -> frozenset[str]:
        """The words that a sentence must have."""
        found = _canonical_words(self.question.without_brackets)
        return frozenset(word for word in found if not is_soft(word))

    @cached_property
    def soft(self) -> frozenset[str]:
        return frozenset(w for w in _canonical_words(self.question.without_brackets) if is_soft(w))

    def match(self, sentence: Sentence) -> Match:
        """Read this example in a sentence."""
        match = Match(self, left=list(sentence.pieces))
        required = set(self.question.required)
        for name in sorted(self.slots, key=lambda n: n not in required):
            self._fill_slot(name, match, sentence, name in required or name in self.mandatory)
        self._take_clauses(match, sentence)
        said = {p.word for p in match.left if p.word}
        match.left = [p for p in match.left if not self._explains_word(p)]
        self._take_custom(match, sentence)
        if (
            match.left
            and not match.missing
            and any(p.word in _CLAUSE_WORDS for p in match.left)
            and match.clauses
        ):
            match.left = [p for p in match.left if p.word not in _CLAUSE_WORDS]
        match.missing = self.required - said
        if sentence.unit:
            if "unit" in self.parameters:
                match.given["unit"] = sentence.unit
                match.clauses.append(f"in {sentence.unit}")
            else:
                match.left.append(Piece(sentence.unit))
        if sentence.order and "order" not in match.given:
            match.left.append(Piece(f"order {sentence.order}"))
        if sentence.pattern and not {"pattern", "path"} & match.given.keys():
            match.left.append(Piece(sentence.pattern))
        if sentence.name and "name" not in match.given:
            match.left.append(Piece(sentence.name))
        return match

    def arguments(self, match: Match, document: Document) -> dict[str, Any]:
        """The arguments of the call. Raises Unclear."""
        return self.call({**self.question.given, **match.given}, document)

    def _explains_word(self, piece: Piece) -> bool:
        """Whether a word is one of the example, or needs no explanation."""
        if piece.word in self.words or piece.spare:
            return True
        if piece.thing or piece.noun or piece.number or piece.edge:
            return False
        return not piece.word or (is_soft(piece.word) and not (self.edits and piece.word in ASKING))

    def _fill_slot(self, name: str, match: Match, sentence: Sentence, needed: bool) -> None:
        kind = self.slots[name]
        if isinstance(kind, ObjectSlot):
            self._fill_object(name, kind, match, sentence, needed)
        elif kind in NUMBERS or kind == "count":
            fitting = [p for p in match.left if p.number and _number_fits(p.number, kind, name)]
            fitting.sort(key=lambda p: not (p.number and p.number.unit))
            piece = fitting[0] if fitting else None
            if piece is None or piece.number is None:
                if needed:
                    match.open.append(name)
                return
            _take_piece(match, piece)
            if piece.number.strict and "strict" in self.parameters:
                match.given["strict"] = True
            try:
                value = number_of(piece.number, kind, sentence.document)
                match.given[name] = self._value_beyond_bound(piece.number, kind, value)
                match.values[name] = piece.number.with_unit.replace(" deg", "°")
            except Unclear as problem:
                match.problem = str(problem)
        elif kind == "edge":
            piece = next((p for p in match.left if p.edge), None)
            if piece is not None:
                _take_piece(match, piece)
                match.given[name] = match.values[name] = piece.edge
            elif needed:
                match.open.append(name)
        elif kind in ("path", "order", "name"):
            said = {"path": sentence.pattern, "order": sentence.order, "name": sentence.name}[kind]
            if said:
                match.given[name] = match.values[name] = said
            elif needed:
                match.open.append(name)
        elif kind == "ray":
            ray = re.search(r"\br\d+-\d+\b", sentence.text)
            if ray:
                match.given[name] = match.values[name] = ray[0]
                match.left = [
                    p
                    for p in match.left
                    if not (p.typed.startswith("r") and p.typed in ray[0]) and not p.number
                ]
            elif needed:
                match.open.append(name)
        elif kind == "sql" and re.match(
            r"(?:select|with)\b.*\bfrom\b", sentence.text, re.IGNORECASE
        ):
            match.given[name] = match.values[name] = sentence.text.rstrip(";")
            match.left = []
        elif needed and kind not in _CUSTOM:
            match.open.append(name)

    def _fill_object(
        self, name: str, slot: ObjectSlot, match: Match, sentence: Sentence, needed: bool
    ) -> None:
        taken = set(match.values.values())
        named = [
            p
            for p in match.left
            if p.thing is not None
            and slot.fits(p.thing)
            and p.thing.title not in taken
            and not (p.word and p.word in self.words)
        ]
        named.sort(key=lambda p: p.spare)
        again = [
            p for p in match.left if p.thing is not None and slot.fits(p.thing) and p not in named
        ]
        if not named and len(again) > 1:  # a name that is a word of the question, after that
            named = again[-1:]
        if named:
            piece = named[-1] if named[0].spare else named[0]
            _take_piece(match, piece)
            assert piece.thing is not None
            match.given[name] = match.values[name] = piece.thing.title
            return
        for piece in match.left:
            if not piece.noun or (not needed and not slot.noun):
                continue
            titles = [
                o.title
                for o in things_of(piece.noun, sentence.document)
                if slot.fits(o) and o.title not in taken
            ]
            if not titles:
                if needed and piece.word not in self.words:
                    match.problem = f"There is no {piece.noun} in this scene."
                continue
            if piece.word in self.words and len(titles) > 1 and not needed:
                continue
            _take_piece(match, piece)
            self._choose_title(name, titles, match)
            return
        if not needed:
            return
        titles = [t for t in slot.candidates(sentence.document) if t not in taken]
        if not titles:
            match.open.append(name)
            return
        match.defaulted.append(name)
        alike = [
            n
            for n, kind in self.slots.items()
            if isinstance(kind, ObjectSlot)
            and kind.noun == slot.noun != ""
            and n not in match.given
        ]
        if len(titles) == len(alike):
            titles = titles[:1]  # two mirrors are the two of a cavity
        self._choose_title(name, titles, match)

    def _choose_title(self, name: str, titles: list[str], match: Match) -> None:
        if len(titles) == 1:
            match.given[name] = match.values[name] = titles[0]
        else:
            match.choices[name] = titles

    def _take_clauses(self, match: Match, sentence: Sentence) -> None:
        """Take the optional clauses that the tool has a parameter for."""
        source = next(
            (name for name in _SOURCES if name in self.parameters and name not in match.given), None
        )
        if source is not None:
            slot = SLOTS["source"]
            piece = next(
                (p for p in match.left if p.thing is not None and slot.fits(p.thing)), None
            )
            if piece is not None and piece.thing is not None:
                _take_piece(match, piece)
                match.given[source] = match.values[source] = piece.thing.title
                match.clauses.append(f"from {piece.thing.title}")
            else:
                self._take_colour(source, match, sentence)
        elif "min_wavelength" in self.parameters:
            self._take_colour("", match, sentence)
        edge = next(
            (
                name
                for name in ("edge", "edge_label")
                if name in self.parameters and name not in self.slots
            ),
            None,
        )
        if "crosses" in self.parameters and not {"hits", "crosses"} & match.given.keys():
            edge = None  # an edge is that of what rays hit or cross
        piece = next((p for p in match.left if p.edge), None)
        if edge is not None and piece is not None and match.values:
            _take_piece(match, piece)
            match.given[edge] = piece.edge
            match.clauses.append(f"at edge {piece.edge}")
        if "order" in self.parameters and sentence.order and "order" not in match.given:
            match.given["order"] = sentence.order
            match.clauses.append(f"in order {sentence.order}")
        for piece in [p for p in match.left if p.number]:
            self._take_number(piece, match, sentence.document)

    def _take_colour(self, source: str, match: Match, sentence: Sentence) -> None:
        piece = next((p for p in match.left if p.typed in COLOURS and p.thing is None), None)
        if piece is None:
            return
        low, high = COLOURS[piece.typed]
        if {"min_wavelength", "max_wavelength"} <= self.parameters:
            _take_piece(match, piece)
            match.given |= {"min_wavelength": low, "max_wavelength": high}
            match.clauses.append(f"between {low:g} nm and {high:g} nm")
        elif source:
            lamps = [
                o.title
                for o in things_of("source", sentence.document)
                if low <= (getattr(o, "wavelength", 0) or 0) < high
            ]
            if len(lamps) == 1:
                _take_piece(match, piece)
                match.given[source] = lamps[0]
                match.clauses.append(f"from {lamps[0]}")

    def _take_number(self, piece: Piece, match: Match, document: Document) -> None:
        """Take a number that a clause gives: a wavelength, or a bound of a power, a wavelength or an
        angle.
        """
        number = piece.number
        assert number is not None
        if number.unit == "%":
            return
        unit = {"µm": "nm", "rad": "deg", "mrad": "deg"}.get(number.unit, number.unit)
        quantity_name = _BOUNDS.get(unit, "")
        if not number.unit and (
            said := next(
                (
                    q
                    for q in ("wavelength", "angle", "depth", "length")
                    if f"max_{q}" in self.parameters
                    and any(p.typed.startswith(q) for p in match.left)
                ),
                "",
            )
        ):
            quantity_name = said
        kind = _QUANTITIES.get(quantity_name)
        if number.unit in _LENGTHS - {"nm"} and "max_length" in self.parameters:
            quantity_name, kind = "length", "length"
        if kind is None:
            return
        low, high = f"min_{quantity_name}", f"max_{quantity_name}"
        texts = {
            "range": {low: number.text, high: number.high},
            "min": {low: number.text},
            "max": {high: number.text},
        }
        texts[""] = {"wavelength": number.text} if number.unit else {}
        taken = texts[number.bound]
        if not number.bound and taken and "wavelength" not in self.parameters:
            taken = {low: number.text, high: number.text} if quantity_name == "wavelength" else {}
        if not taken or not taken.keys() <= self.parameters or taken.keys() & match.given.keys():
            return
        try:
            values = {
                name: number_of(Number(text, number.unit), kind, document)
                for name, text in taken.items()
            }
        except Unclear as problem:
            match.problem = str(problem)
            return
        values = {
            name: self._value_beyond_bound(number, kind, value) for name, value in values.items()
        }
        _take_piece(match, piece)
        match.given |= values
        if number.strict and "strict" in self.parameters:
            match.given["strict"] = True
        match.clauses.append(" ".join(piece.text.split()))

    def _value_beyond_bound(self, number: Number, kind: str, value: float) -> float:
        """The least or largest value that is beyond a bound which does not count itself."""
        if not (number.strict and number.bound) or "strict" in self.parameters or kind == "angle":
            return value
        return math.nextafter(value, math.inf if number.bound == "min" else -math.inf)

    def _take_custom(self, match: Match, sentence: Sentence) -> None:
        """Take what slots of other kinds find in the words that are left."""
        for name, kind in self.slots.items():
            if isinstance(kind, str) and kind in _CUSTOM:
                try:
                    _CUSTOM[kind](name, match, sentence)
                except RaybenchError as problem:
                    match.problem = str(problem)
                if name not in match.given and name in self.question.required:
                    match.open.append(name)


_BESIDE_SLOT = re.compile(
    r"edge \{edge(?:_label)?\}|[xy] = (?=\{)|(?:stronger|weaker|more|less|greater) than (?=\{)"
)
"""What belongs to the slot behind it."""


def _canonical_words(text: str) -> tuple[str, ...]:
    """The canonical words of an example beside its slots."""
    return words_of(" ".join(SLOT.sub(" ", _BESIDE_SLOT.sub(" ", text)).split()))


def filled_question(match: Match, document: Document) -> str | None:
    """The example with the values of a match, others by default; None if the scene lacks an object
    that it is about.
    """
    example, values = match.example, dict(match.values)
    slots = example.slots
    needed = {*example.question.required, *(example.mandatory & slots.keys())}
    ordered = [name for name in slots if name in needed]
    for name in sorted(ordered, key=lambda n: not isinstance(slots[n], ObjectSlot)):
        kind = slots[name]
        if name in values:
            continue
        if isinstance(kind, ObjectSlot):
            titles = match.choices.get(name) or kind.candidates(document)
            if not kind.noun and {"reach", "arrive"} & example.words:
                titles = SLOTS["detector"].candidates(document) or titles
            elif not kind.noun:
                titles = (
                    things_of("lens", document)
                    and [o.title for o in things_of("lens", document) if kind.fits(o)]
                ) or titles
            free = [t for t in titles if t not in values.values()]
            if not free:
                return None
            last = last_on_path(free, document) if kind.noun == "lens" else ""
            values[name] = last or free[0]
        elif kind in NUMBERS:
            values[name] = NUMBERS[kind][1].replace("mm", document.unit)
        else:
            default = DEFAULT_TEXTS.get(kind, _EXAMPLES.get(kind))
            text = default(values, document) if callable(default) else default
            if not text:
                return None
            values[name] = text
    return with_clauses(example.question.filled(values), match.clauses)


def with_clauses(text: str, clauses: Sequence[str]) -> str:
    """A question with optional clauses before its last mark."""
    own = [clause for clause in clauses if clause not in text]
    end = text[-1] if text[-1] in "?." else ""
    return f"{text.rstrip('?.')} {' '.join(own)}{end}" if own else text


DEFAULT_TEXTS: dict[str, Callable[[Mapping[str, str], Document], str | None] | str] = {}
"""The texts of slots of other kinds in suggestions."""
_CUSTOM: dict[str, Callable[[str, Match, Sentence], None]] = {}
"""What fills slots of other kinds from the words that are left of a match."""
_CLAUSE_WORDS = frozenset(
    filter(None, map(canonical_word, ("power", "wavelength", "angle", "depth", "length")))
)


def custom_slot(
    kind: str,
    default: Callable[[Mapping[str, str], Document], str | None] | str,
    fill: Callable[[str, Match, Sentence], None],
) -> None:
    """Declare a kind of slot: its text in suggestions, and what fills it."""
    DEFAULT_TEXTS[kind], _CUSTOM[kind] = default, fill


def number_of(number: Number, kind: str, document: Document) -> float | int:
    """The value of a number in the unit of its kind. Raises Unclear."""
    if kind == "count":
        if not number.text.isdigit():
            raise Unclear(f"{number.text} is no whole number.")
        return int(number.text)
    return value_of(number, NUMBERS[kind][0], document)


def value_of(number: Number, unit: str, document: Document) -> float:
    """The value of a number in a unit. Raises Unclear."""
    try:
        return read_quantity(number.with_unit, unit, document.unit)
    except InvalidQuantity as error:
        raise Unclear(f"“{number.with_unit}” {error}.") from None


def _number_fits(number: Number, kind: str, name: str) -> bool:
    if number.bound and not name.startswith(number.bound):
        return False
    if number.axis and name != number.axis:
        return False
    if kind == "count":
        return not number.unit and number.text.isdigit()
    allowed = _ALLOWED[NUMBERS[kind][0]]
    return not number.unit or number.unit in allowed


def _take_piece(match: Match, piece: Piece) -> None:
    match.left = [p for p in match.left if p is not piece]
