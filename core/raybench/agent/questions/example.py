"""An example question, which stands for the call of a tool, and the comparison of a sentence with
it: which words and slots of the example the sentence contains.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from raybench.agent.questions.sentence import Number, Piece, Sentence
from raybench.agent.questions.words import ASKING, canonical_words, has_little_meaning
from raybench.analysis.question import SLOT, Question
from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH
from raybench.kinds.sources import Source
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.document import Document

_BOUNDED = {"wavelength": "nm", "angle": "deg", "power": "", "depth": "", "length": LENGTH}
"""The quantities that clauses bound, and their units."""
EACH = "from each source"
"""The clause with which a measure is taken of each source."""
_BESIDE_SLOTS = ("edge", "x =", "y =", "stronger than", "weaker than", "more than")
"""Words of examples that belong to the slot behind them."""


class Unclear(RaybenchError):
    """A sentence is understood except for one item. The message asks for that item, or says what is
    wrong.
    """


class Slot:
    """A slot of an example and how it is filled. ``asked`` is the question for its value. ``phase``
    is the order of filling: slots for objects (0) come first, and slots for any remaining words
    last (2). ``value`` says whether it holds a value, which an edit must not invent.
    """

    asked = ""
    phase = 1
    value = False

    def take_piece(self, name: str, match: Match, needed: bool) -> None:
        """Take the value of the slot ``name`` from the remaining pieces of the sentence. Raises
        Unclear.
        """
        raise NotImplementedError

    def suggest_text(self, match: Match, name: str, values: Mapping[str, str]) -> str | None:
        """The text of the slot in a question that is suggested to the user; None if the scene has
        no suitable object.
        """
        raise NotImplementedError


@dataclass
class Match:
    """The result of comparing a sentence with an example. ``values`` are the texts in its slots,
    ``given`` the values of these texts.

    ``choices``: the titles among which a slot must be chosen; ``open``: required slots without a
    value; ``left``: pieces of the sentence that it does not explain; ``missing``: its words that
    the sentence lacks; ``defaulted``: slots for the only object that they can mean; ``clauses``:
    optional ones as they are written, such as *from Laser*; ``unknown``: what is written for a
    glass that is none; ``likeness``: from 0 to about 1, the similarity of the words.
    """

    example: Example
    document: Document
    sentence: Sentence | None = None
    values: dict[str, str] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    left: list[Piece] = field(default_factory=list)
    missing: frozenset[str] = frozenset()
    defaulted: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    problem: str = ""
    unknown: str = ""
    likeness: float = 0.0

    @property
    def text(self) -> str:
        return self.sentence.text if self.sentence is not None else ""

    @property
    def is_fully_explained(self) -> bool:
        """Whether the example accounts for the whole sentence, and the sentence contains all words
        of the example.
        """
        return not self.left and not self.missing

    @property
    def is_complete(self) -> bool:
        """Whether the sentence is a complete form of the example: no slot is empty, and no value is
        wrong.
        """
        return self.is_fully_explained and not self.choices and not self.open and not self.problem

    def find_piece(
        self, kind: str, fits: Callable[[Any], bool] = lambda value: True
    ) -> Piece | None:
        """The first remaining piece of this kind that fits; None if there is none."""
        return next((p for p in self.left if p.kind == kind and fits(p.value)), None)

    def drop_piece(self, piece: Piece) -> None:
        self.left = [p for p in self.left if p is not piece]

    def take_piece(
        self, kind: str, fits: Callable[[Any], bool] = lambda value: True
    ) -> Piece | None:
        """Remove the first remaining piece of this kind that fits, and return it; None if there is
        none.
        """
        piece = self.find_piece(kind, fits)
        if piece is not None:
            self.drop_piece(piece)
        return piece

    def fill_slot(self, name: str, value: Any, text: str = "") -> None:
        self.given[name], self.values[name] = value, text or str(value)


def _words_beside_slots(text: str) -> frozenset[str]:
    return frozenset(canonical_words(" ".join(SLOT.sub(" ", text).split())))


@dataclass(frozen=True)
class Example:
    """An example question, which stands for the call of a tool.

    ``parameters``: those that optional clauses can give; ``mandatory``: slots that need a value
    though they stand in brackets; ``call`` makes the arguments from the values of the slots;
    ``reads``, if given, reads a sentence as a whole instead, and returns None if it is another one,
    or raises Unclear. ``intent`` is what it asks for: the tool or the measure. Of equally good
    examples the one of least ``rank`` is taken; a sentence that one below 0 reads is no other.
    ``lit``: whether it is about light; ``edits``: whether it asks for an edit; ``offered``: whether
    it is suggested.
    """

    tool: str
    question: Question
    slots: Mapping[str, Slot]
    call: Callable[[Mapping[str, Any], Document], dict[str, Any]] = lambda given, _: dict(given)
    parameters: frozenset[str] = frozenset()
    mandatory: frozenset[str] = frozenset()
    reads: Callable[[Sentence], dict[str, Any] | None] | None = None
    rank: int = 0
    lit: bool = True
    offered: bool = True
    edits: bool = False
    intent: str = ""

    @cached_property
    def words(self) -> frozenset[str]:
        """All words of the example, including those in brackets, which are optional."""
        return _words_beside_slots(self.question.text.replace("[", " ").replace("]", " "))

    @cached_property
    def _words_outside_brackets(self) -> frozenset[str]:
        """The words of the example outside of brackets, without words that belong to slots."""
        text = self.question.without_brackets
        for words in _BESIDE_SLOTS:
            text = text.replace(f"{words} {{", "{")
        return _words_beside_slots(text)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The words of the example outside of brackets."""
        return _words_beside_slots(self.question.without_brackets)

    @cached_property
    def required(self) -> frozenset[str]:
        """The words of the example that a sentence must contain."""
        return frozenset(
            word for word in self._words_outside_brackets if not has_little_meaning(word)
        )

    @cached_property
    def optional_words(self) -> frozenset[str]:
        return self._words_outside_brackets - self.required

    @cached_property
    def needed_slots(self) -> frozenset[str]:
        """The names of the slots that must have a value."""
        return frozenset(self.slots.keys() & {*self.question.required, *self.mandatory})

    def match(self, sentence: Sentence) -> Match:
        """Compare a sentence with this example."""
        match = Match(self, sentence.document, sentence, left=list(sentence.pieces))
        slots = sorted(self.slots.items(), key=lambda slot: slot[0] not in self.question.required)
        self._fill_slots(match, [(n, slot) for n, slot in slots if slot.phase < 2])
        numbers = [p for p in match.left if p.kind == "number"]
        self._read_optional_clauses(match)
        bounded = any(p not in match.left for p in numbers)
        said = {p.word for p in match.left if p.word}
        match.left = [p for p in match.left if not self._explains_word(p)]
        self._fill_slots(match, [(n, slot) for n, slot in self.slots.items() if slot.phase == 2])
        if bounded:
            match.left = [p for p in match.left if p.word not in _BOUNDED_WORDS]
        match.missing = self.required - said
        return match

    def arguments(self, match: Match) -> dict[str, Any]:
        """The arguments of the tool call for a matching sentence. Raises Unclear."""
        return self.call({**self.question.given, **match.given}, match.document)

    def _explains_word(self, piece: Piece) -> bool:
        """Whether a word belongs to the example, or needs no explanation."""
        if piece.spare or piece.word in self.words:
            return True
        soft = has_little_meaning(piece.word) and not (self.edits and piece.word in ASKING)
        return piece.kind == "word" and (not piece.word or soft)

    def _fill_slots(self, match: Match, slots: list[tuple[str, Slot]]) -> None:
        for name, slot in slots:
            needed = name in self.needed_slots
            try:
                slot.take_piece(name, match, needed)
            except RaybenchError as problem:
                match.problem = str(problem)
            if needed and name not in match.given and name not in match.choices:
                match.open.append(name)

    def _read_optional_clauses(self, match: Match) -> None:
        """Read the optional clauses of the sentence for which the tool has parameters."""
        free = self.parameters - match.given.keys()
        source = next((name for name in ("source", "source_name") if name in free), "")
        lamp = match.take_piece("thing", lambda t: isinstance(t, Source)) if source else None
        if lamp is not None:
            match.fill_slot(source, lamp.value.title)
            match.clauses.append(f"from {lamp.value.title}")
        elif source and self.tool == "measure_xml" and (each := match.take_piece("each")):
            match.given[source] = each.value
            match.clauses.append(EACH)
        edge = next(
            (name for name in ("edge", "edge_label") if name in free - self.slots.keys()), ""
        )
        if "crosses" in self.parameters and not {"hits", "crosses"} & match.given.keys():
            edge = ""  # an edge is that of what rays hit or cross
        if edge and match.values and (piece := match.take_piece("edge")):
            match.given[edge] = piece.value
            match.clauses.append(f"at edge {piece.value}")
        if "order" in free and (piece := match.take_piece("order")):
            match.given["order"] = piece.value
            match.clauses.append(f"in order {piece.value}")
        for piece in [p for p in match.left if p.kind == "number"]:
            self._read_clause_number(piece, match)
        if "unit" in free and (piece := match.take_piece("unit")):
            match.given["unit"] = piece.value
            match.clauses.append(f"in {piece.value}")

    def _read_clause_number(self, piece: Piece, match: Match) -> None:
        """Read the number in an optional clause: a wavelength, or a bound of a quantity."""
        number: Number = piece.value
        units = dict.fromkeys(("nm", "µm"), "wavelength")
        units |= dict.fromkeys(("deg", "rad", "mrad"), "angle")
        quantity = units.get(number.unit, "" if number.unit else "power")
        if not number.unit:
            named = (q for q in _BOUNDED for p in match.left if p.typed.startswith(q))
            quantity = next((q for q in named if f"max_{q}" in self.parameters), quantity)
        elif number.unit in LENGTHS - {"nm"} and "max_length" in self.parameters:
            quantity = "length"
        if not quantity:
            return
        low, high = f"min_{quantity}", f"max_{quantity}"
        exact = {"wavelength": number.text} if number.unit else {}
        if exact and "wavelength" not in self.parameters:
            exact = {low: number.text, high: number.text} if quantity == "wavelength" else {}
        bounds = {
            "range": {low: number.text, high: number.high},
            "min": {low: number.text},
            "max": {high: number.text},
            "": exact,
        }[number.bound]
        if not bounds or not bounds.keys() <= self.parameters - match.given.keys():
            return
        for name, text in bounds.items():
            try:
                value = value_in_unit(Number(text, number.unit), _BOUNDED[quantity], match.document)
            except Unclear as problem:
                match.problem = str(problem)
                return
            match.given[name] = value_beyond_bound(number, quantity, value, self.parameters)
        if number.strict and "strict" in self.parameters:
            match.given["strict"] = True
        match.clauses.append(" ".join(piece.text.split()))
        match.drop_piece(piece)


_BOUNDED_WORDS = frozenset(canonical_words(" ".join(_BOUNDED)))
LENGTHS = frozenset(("nm", "µm", "mm", "cm", "m", "km", "in", "ft"))
"""Units of length."""


def value_beyond_bound(
    number: Number, quantity: str, value: float, parameters: frozenset[str]
) -> float:
    """The floating-point number next to an exclusive bound, above or below it. It serves tools
    without a parameter ``strict``.
    """
    if not (number.strict and number.bound) or "strict" in parameters or quantity == "angle":
        return value
    return math.nextafter(value, math.inf if number.bound == "min" else -math.inf)


def value_in_unit(number: Number, unit: str, document: Document) -> float:
    """The value of a number converted to a unit. Raises Unclear."""
    try:
        return read_quantity(number.with_unit, unit, document.unit)
    except InvalidQuantity as error:
        raise Unclear(f"“{number.with_unit}” {error}.") from None


def fill_question(match: Match) -> str | None:
    """The example's question with the values of a match in its slots, and with defaults in the
    others; None if the scene lacks an object for a slot.
    """
    example, values = match.example, dict(match.values)
    for name, slot in sorted(example.slots.items(), key=lambda slot: slot[1].phase):
        if name in example.needed_slots and name not in values:
            text = slot.suggest_text(match, name, values)
            if not text:
                return None
            values[name] = text
    return insert_clauses(match, example.question.text_with_values(values))


def insert_clauses(match: Match, text: str) -> str:
    """The question ``text`` with the optional clauses of a match inserted before its final
    punctuation.
    """
    own = [clause for clause in match.clauses if clause not in text]
    end = text[-1] if text[-1] in "?." else ""
    return f"{text.rstrip('?.')} {' '.join(own)}{end}" if own else text
