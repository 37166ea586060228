"""The value of a measure as a sentence that names the quantity, its objects, the value and the
unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from raybench.analysis.answers.words import rounded
from raybench.analysis.measures.bound import Bound, BoundMeasure
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Unit
from raybench.errors import choices

LONGEST = 200
"""Maximum number of characters of a quantity with the names of its objects."""


def measured_sentences(measures: Sequence[tuple[Bound, Measured]], light: Light) -> str:
    """The sentences of several measures, joined by semicolons; those that are undefined for the
    same reason are joined to one.
    """
    sentences = []
    for reason, group in groupby(
        measures, key=lambda pair: "" if pair[1].defined else pair[1].reason
    ):
        members = list(group)
        if reason and len(members) > 1:
            quantities = choices(
                [_quantity(bound, measured, light) for bound, measured in members], "and"
            )
            sentences.append(f"{quantities} are undefined: {reason.rstrip('.')}")
        else:
            sentences += [measured_sentence(bound, measured, light) for bound, measured in members]
    return "; ".join(sentences)


def measured_sentence(bound: Bound, measured: Measured, light: Light) -> str:
    """Such as ``the mean angle of incidence at Main Prism is 42.3°``, without a full stop; what
    else there is to know in brackets.
    """
    quantity = _quantity(bound, measured, light)
    if not measured.defined:
        return f"{quantity} is undefined: {measured.reason.rstrip('.')}"
    sense = _sense(bound, measured.value)
    about = [text for text in (_unit_in_brackets(bound, measured), measured.note) if text]
    return (
        f"{quantity} is {_number(bound, measured)}"
        + (f", {sense}" if sense else "")
        + (f" ({'; '.join(about)})" if about else "")
    )


def _quantity(bound: Bound, measured: Measured, light: Light) -> str:
    quantity = (
        f"the {bound.quantity(light)}"
        if isinstance(bound, BoundMeasure)
        else f"the value of {measured.expression}"
    )
    return quantity if len(quantity) <= LONGEST else f"{quantity[: LONGEST - 1]}…"


def _number(bound: Bound, measured: Measured) -> str:
    """The value as it is read in a sentence: a degree as a sign, a power without its unit, which
    follows in brackets.
    """
    return rounded(measured.value) if bound.unit is Unit.POWER else measured.number


def _unit_in_brackets(bound: Bound, measured: Measured) -> str:
    """The unit of a power, and a part of a power in percent."""
    if bound.unit is Unit.POWER:
        return measured.unit
    return (
        f"{rounded(100 * measured.value)} %"
        if isinstance(bound, BoundMeasure) and bound.measure.share
        else ""
    )


def _sense(bound: Bound, value: float) -> str:
    """What the sign of the value means."""
    if not isinstance(bound, BoundMeasure) or value == 0:
        return ""
    return bound.measure.senses[value < 0]
