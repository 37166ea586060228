"""Sentences with several parts, such as *rotate the prism by 5° and tell me how much reaches the
screen*; and parts that suppose a change, such as *the star is 0.3 deg off axis*.
"""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from raybench.agent.questions.example import LENGTHS, Match, fill_question
from raybench.agent.questions.objects import (
    PLACES,
    SYSTEMS,
    Thing,
    last_object_on_path,
    noun_in,
    whole_system,
)
from raybench.agent.questions.sentence import MARKS, Piece, Sentence
from raybench.agent.questions.slots import SLOTS, numeric_fields
from raybench.agent.questions.words import canonical_words, has_little_meaning, split_words
from raybench.kinds.object import SceneObject

_QUESTIONS = split_words(
    "what where how which who when why is are does do did can will would howmuch power count times distance width large strong"
)
"""Words at which a question begins, which supposes no change."""
_OPENERS = _QUESTIONS | split_words("tell show plot see watch check find measure"
    " rotate turn tilt move shift set change make swap replace exchange delete remove disable enable add")  # fmt: skip
"""Words at which another part of a sentence begins, after a comma or an *and*."""
CONDITIONS = frozenset(("if", "when", "once", "without"))
"""Words at which a part begins that supposes a change."""
_JOINTS = frozenset(("and", "then", "but", "also", "so", *MARKS))
_FILLING = frozenset(
    ("what", "happen", "tell", "show", "see", "suppos", "assum", "say", "watch", "check")
)
_VERDICTS = split_words(
    "still stay remain gain better worse improve improves improved changes change changed get gets become becomes happen happens go goes move moves shift shifts drop drops"
)
"""Words that ask how a value changes."""
_WITHOUT = frozenset(canonical_words("delete disable"))
_BECOMES = split_words("make use to had has have with was were")
_APART = split_words("between from apart distance parallel angle spacing add insert put")
"""Words with which several lenses are not one."""
COMPARING = split_words("which same each")
"""Words with which several objects are asked about one by one."""
WHOLE = split_words("whole entire complete")
"""Words for a system of several objects, none of which is asked about by itself."""
SHORTEST = 100.0
"""The shortest wavelength, nm, that a length in nm is taken for."""
Parts = list[tuple[str, Sentence]]
"""Parts of a sentence, each with the word of `CONDITIONS` at which it begins."""


def sentence_parts(sentence: Sentence) -> Parts:
    """The parts of a sentence that have a meaning of their own; if there are none, the whole
    sentence.
    """
    parts: list[tuple[str, list[Piece]]] = [("", [])]
    pieces = sentence.pieces
    for i, piece in enumerate(pieces):
        after = next((p for p in pieces[i + 1 :] if p.typed not in _JOINTS), Piece("", ""))
        then, without = after.typed, piece.typed == "by" and after.word in _WITHOUT
        if piece.kind == "word" and (piece.typed in CONDITIONS or without) and after.kind:
            parts.append((piece.typed, []))
        elif piece.typed in _JOINTS and (piece.typed in ";:?!." or then in _OPENERS):
            parts.append(("", []))
        else:
            parts[-1][1].append(piece)
    said = [(joint, sentence.of_pieces(held)) for joint, held in parts if says_something(held)]
    return said or [("", sentence)]


def says_something(pieces: Iterable[Piece]) -> bool:
    return any(
        p.kind != "word" or (p.word and p.word not in _FILLING and not has_little_meaning(p.word))
        for p in pieces
    )


def is_compound(sentence: Sentence) -> bool:
    """Whether at least two parts of a sentence ask for something."""
    return len(sentence_parts(sentence)) > 1


def phrase_as_edit(joint: str, part: Sentence) -> Sentence:
    """The edit that a part of a sentence describes: *without X* becomes *disable X*."""
    if joint != "without":
        return part
    return part.of_pieces((Piece("word", "disable", None, "disabl", "disable"), *part.pieces))


def without_comparison_words(part: Sentence) -> Sentence:
    """A question about a value, without the words that ask how the value changes. *How far*
    something moves becomes a question for its position.
    """
    if {"move", "go"} & {p.word for p in part.pieces} and (
        far := [p for p in part.pieces if p.word in ("distanc", "howmuch")]
    ):
        left = (p for p in part.pieces if p is not far[0] and p.word not in ("move", "go"))
        return part.of_pieces((Piece("word", "position", None, "posit", "position"), *left))
    return part.of_pieces(p for p in part.pieces if p.kind != "word" or p.typed not in _VERDICTS)


def split_change_and_question(sentence: Sentence) -> Iterator[tuple[Sentence, Sentence]]:
    """Each change that a sentence may suppose, with the rest of the sentence. Parts with a
    condition come first; in a sentence without parts, the change follows *with*, *at* or *for*
    before a number.
    """
    parts = sentence_parts(sentence)
    ordered = sorted(parts, key=lambda part: not part[0])
    for joint, part in ordered if len(parts) > 1 or parts[0][0] else ():
        if not joint and part.pieces[0].typed in _QUESTIONS:
            continue
        rest = [p for _, other in parts if other is not part for p in other.pieces]
        yield phrase_as_edit(joint, part), sentence.of_pieces(rest)
    pieces = sentence.pieces
    for i, piece in enumerate(pieces) if len(parts) == 1 else ():
        if (
            piece.kind == "number"
            and piece.value.unit == "nm"
            and float(piece.value.text.replace(",", "")) >= SHORTEST
            and len(sentence.pieces_of_kinds("number")) == 1
        ):
            yield sentence.of_pieces((piece,)), sentence.of_pieces((*pieces[:i], *pieces[i + 1 :]))
        behind = pieces[i + 1 :]
        if piece.typed in ("with", "at", "for", "in") and any(
            p.kind == "number" for p in behind[:4]
        ):
            yield sentence.of_pieces(behind), sentence.of_pieces(pieces[:i])


ALIKE = 0.45
"""The likeness from which a sentence without the verb of an edit may mean it."""
_STATED = frozenset(("value", "material", "share"))
"""Slots whose value says what an edit is about, without its verb."""


def edits_described(sentence: Sentence, ranked: Iterable[tuple[float, Match]]) -> list[str]:
    """The edits that a part of a sentence describes, best first. Each uses all names and values of
    the part and needs no others.
    """
    if any(p.value.bound for p in sentence.pieces_of_kinds("number")):
        return []
    found = [(0.9, edit) for edit in _setting_edits(sentence)]
    for _, match in ranked:
        example = match.example
        if example.tool != "change_scene" or example.reads is not None:
            continue
        if each := match.choices.pop("objects", None):
            several = any(noun_in(p.typed) not in ("", p.typed) for p in sentence.pieces)
            each = each if several else each[:1]
            match.fill_slot("objects", each, " and ".join(each))
        unused = any(p.kind in ("number", "thing") for p in match.left)
        known = "target" if {"toward", "away"} & {p.word for p in sentence.pieces} else "way"
        unclear = match.unknown or match.problem or {*match.open, *match.choices} - {known}
        units = any(p.value.unit for p in sentence.pieces_of_kinds("number"))
        stated = match.given.keys() & _STATED or (
            units and match.given.keys() & {"angle", "wavelength"}
        )
        moved = {"distance", "way"} <= match.given.keys() & example.needed_slots
        alike = match.given and (match.likeness >= ALIKE or moved)
        if unused or unclear or (match.missing and not stated and not alike):
            continue
        if (edit := fill_question(match)) is not None:
            lost = len(match.missing) + 0.5 * len(match.left)
            found.append((lost - 3.0 * match.likeness, edit))
    return [edit for _, edit in sorted(found, key=lambda f: f[0])]


def _setting_edits(sentence: Sentence) -> Iterator[str]:
    """The edits that set the only field which a value can belong to, as in *open Lamp to 60°* or
    *use a 40 mm eyepiece*.
    """
    said = {p.typed for p in sentence.pieces}
    for number, beside in zip(sentence.pieces, (*sentence.pieces[1:], Piece("", "")), strict=True):
        for piece in sentence.pieces_of_kinds("thing") if number.kind == "number" else ():
            if not (piece is beside or said & _BECOMES) or not isinstance(piece.value, SceneObject):
                continue
            unit, fields = number.value.unit, [f.about for f in numeric_fields(piece.value)]
            length = unit in LENGTHS and (piece is beside or "to" not in said)
            fitting = [
                a
                for a in fields
                if a.unit.removeprefix("1") == unit != "" or (length and a.label == "Focal length")
            ]
            if len(fitting) == 1:
                yield f"Set the {fitting[0].label.lower()} of {piece.value.title} to {number.value.with_unit}."


def name_whole_system(sentence: Sentence) -> Sentence:
    """Replace the words for a system or for several lenses in a sentence by the name of one object
    that stands for all of them.
    """
    document, pieces = sentence.document, list(sentence.pieces)
    said = {p.typed for p in pieces}
    if any(p.kind == "thing" and SYSTEMS & set(p.typed.split()) for p in pieces):
        return sentence
    words = [p.typed for p in pieces]
    place = next((a for a, b in itertools.pairwise(words) if b in {*SYSTEMS, "one"}), "")
    whole: Thing | None = whole_system(document, place)
    titles = SLOTS["lens"].candidate_titles(document)
    whole = whole or sentence.things.get(last_object_on_path(titles, document))
    things = [p for p in pieces if p.kind == "thing"]
    if (
        len(things) == 2
        and "between" in said
        and {p.word for p in pieces} & {"cross", "reach", "focus"}
    ):
        return sentence.of_pieces(p for p in pieces if p is not things[1])
    apart = said & (_APART | COMPARING)
    out: list[Piece] = []
    for i, piece in enumerate(pieces):
        lens = piece.kind == "noun" and piece.value == "lens"
        asked = piece.typed.endswith("s") or words[max(i - 1, 0)] == "which"
        each = said & COMPARING and asked
        if whole is not None and (
            (piece.typed in SYSTEMS and piece.kind == "word" and not each)
            or (lens and not apart)
            or (piece.typed == "one" and out and out[-1].typed == place in PLACES)
        ):
            out = [p for p in out if p.typed not in WHOLE | {"both", "two", "three"}]
            out.append(Piece("thing", whole.title, whole))
            continue
        out.append(piece)
    return sentence.of_pieces(out)


def add_missing_name(part: Sentence, whole: Sentence) -> Sentence:
    """A part of a sentence with the name of an object added if it has none: the first one that the
    rest of the sentence names.
    """
    if part.pieces_of_kinds("thing", "noun"):
        return part
    named = (replace(p, spare=False) for p in whole.pieces_of_kinds("thing", "noun")[:1])
    return part.of_pieces((*part.pieces, *named))
