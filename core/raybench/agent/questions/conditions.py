"""Conditions that mean edits: *if the star is 0.3 deg off axis* is *Rotate Star by 0.3°*."""

import re
from collections.abc import Iterable

from raybench.agent.questions.example import LENGTHS, Example, Match, fill_question
from raybench.agent.questions.sentence import Sentence
from raybench.agent.questions.slots import numeric_fields
from raybench.kinds.object import SceneObject

_TO = re.compile(r"^(?:make|use)\b|\bto\b", re.IGNORECASE)


def edits_for_condition(sentence: Sentence, examples: Iterable[Example]) -> list[str]:
    """The edits that a condition may mean, best first: those that use all its names and values and
    need no others.
    """
    values = sentence.pieces_of_kinds("number")
    if any(p.value.bound for p in values):
        return []
    found = [(0.9, edit) for edit in _setting_edits(sentence)]
    for example in examples:
        if example.tool != "change_scene" or example.reads is not None:
            continue
        match = example.match(sentence)
        lost = any(p.kind in ("number", "thing") for p in match.left)
        valued = values or "material" in match.given
        if lost or not valued or _is_unlike(match) or {*match.open} - {"way"} or match.choices:
            continue
        if not match.problem and (edit := fill_question(match)) is not None:
            found.append((len(match.missing) + 0.5 * len(match.left), edit))
    return [edit for _, edit in sorted(found, key=lambda f: f[0])]


def _is_unlike(match: Match) -> bool:
    """Whether an edit cannot be meant, because its verb is not in the sentence and its value is
    missing or of another unit.
    """
    if misreads_shift(match):
        return True
    if not match.missing or match.sentence is None:
        return False
    units = {p.value.unit for p in match.sentence.pieces_of_kinds("number")}
    unlike = {"distance"} if "nm" in units else set() if units - {""} else {"angle", "distance"}
    if re.search(r"\bto \(?[-\d.]", match.text):
        unlike |= {"distance"}
    valued = match.example.needed_slots - {"objects", "object", "way"}
    return not valued or bool(match.given.keys() & unlike)


def misreads_shift(match: Match) -> bool:
    """Whether an edit takes the number of a shift, such as *by 5 mm*, for a position."""
    numbers = match.sentence.pieces_of_kinds("number") if match.sentence is not None else []
    placed = match.example.tool == "change_scene" and {"x", "y"} & match.given.keys()
    said = any(p.value.axis for p in numbers)
    return bool(placed) and not said and not re.search(r"\b(?:to|at)\b", match.text)


def _setting_edits(sentence: Sentence) -> list[str]:
    """The edits that set the only field which a value fits, such as *open Lamp to 60°* or *use a 40
    mm eyepiece*.
    """
    found = []
    for at, number in enumerate(sentence.pieces):
        if number.kind != "number":
            continue
        beside = sentence.pieces[at + 1] if at + 1 < len(sentence.pieces) else number
        for piece in sentence.pieces_of_kinds("thing"):
            thing, unit = piece.value, number.value.unit
            if not (_TO.search(sentence.text) or piece is beside):
                continue
            fields = (
                [f.about for f in numeric_fields(thing)] if isinstance(thing, SceneObject) else []
            )
            length = unit in LENGTHS and (
                piece is beside or not re.search(r"\bto\b", sentence.text)
            )
            fitting = [
                a
                for a in fields
                if (a.unit == unit != "") or (length and a.label == "Focal length")
            ]
            if len(fitting) == 1:
                label = fitting[0].label.lower()
                found.append(f"Set the {label} of {thing.title} to {number.value.with_unit}.")
    return found
