"""What is the value of a measure, such as the power at a detector?"""

import math
from collections.abc import Sequence
from dataclasses import replace

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import of_which_bundle
from raybench.analysis.answers.measured_sentence import measured_sentences, note_of_spot
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.weak_light import with_weak_light_of
from raybench.analysis.answers.words import capitalized
from raybench.analysis.context import require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import Bound, BoundMeasure, bind
from raybench.analysis.measures.grammar import MeasureList
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, convert_measured
from raybench.analysis.measures.table import MEASURES
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, in_quotes

LARGEST_FIRST, SMALLEST_FIRST = "largest first", "smallest first"
IN_WORDS = 8
"""Maximum number of measures in the sentence."""


class MeasuredValue(Record, tag="measure"):
    value: float | None
    unit: str | None
    of: str
    reason: str | None
    note: str | None


class Measures(Root, tag="measures"):
    measure: Sequence[MeasuredValue]


def measure(measures: MeasureList, unit: str = "", order: str = "") -> Answer:
    """Measure the traced light: power, spot, focus and other numbers, such as power(Screen);
    rms(Screen, Laser); focus(Lens).

    Arguments are object names, quoted if they contain a comma, a parenthesis or a quotation mark,
    and path patterns as in path_power("Lamp > * > Screen"). Arguments with a question mark are
    optional. There are: {measures}. search_help explains each.

    Args:
        measures: One measure or several, separated by semicolons.
        unit: Unit of the values, such as cm, µm, mrad, ns or dpt, for lengths, angles, times or
            vergences; empty for the document's.
        order: "largest first" or "smallest first", by the magnitude of the values; empty for the
            order of the measures.

    Returns:
        Root measures: for each measure its value and unit, or the reason why it is undefined. A
        measure of the strongest bundle has a note that names the bundle, and others with another
        value, if there are any: name a source, or ask beams_xml for all. A measure of a spot has a
        note if it is of few rays, or if partial reflections change it: it counts them, and the note
        reports its value without them.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a measure or the unit is invalid, or a measure or an object does not exist;
            the message suggests the nearest names.
    """
    context = require_context()
    light = Light.of_context(context)
    bounds = bind(measures, context)
    measured = [
        replace(
            convert_measured(bound.evaluate(light), bound.unit, unit, light.unit),
            note="; ".join(
                note
                for note in (
                    of_which_bundle(light, bound, unit),
                    note_of_spot(light, bound, unit=unit),
                )
                if note
            ),
        )
        for bound in bounds
    ]
    pairs = _by_magnitude(list(zip(bounds, measured, strict=True)), order)
    values = [value for _, value in pairs]
    root = Measures(
        measure=[
            MeasuredValue(
                value=m.known,
                unit=m.unit or None,
                of=m.expression,
                reason=m.reason or None,
                note=m.note or None,
            )
            for m in values
        ],
    )
    sentence = capitalized(measured_sentences(pairs[:IN_WORDS], light))
    if order and len(values) > 1:
        sentence = f"{capitalized(order)}: {sentence[0].lower()}{sentence[1:]}"
    more = len(values) - IN_WORDS
    expressions = "; ".join(value.expression for value in values)
    rows = [r for bound in bounds if (r := bound.rays(light)) is not None]
    answer = Answer(
        root,
        f"{sentence}; {more} more below" if more > 0 else sentence,
        light.result.ray_set(distinct_integers(*rows)) if rows else None,
        complete_sentence=more <= 0,
        expression=expressions,
    )
    return with_weak_light_of(answer, context.scene, values)


measure.__doc__ = (measure.__doc__ or "").replace(
    "{measures}", ", ".join(m.usage for m in MEASURES.values())
)


def _by_magnitude(pairs: list[tuple[Bound, Measured]], order: str) -> list[tuple[Bound, Measured]]:
    """The values of each quantity in an order, undefined ones last, the quantities as they were
    asked for. Raises RaybenchError.
    """
    if not order:
        return pairs
    if order not in (LARGEST_FIRST, SMALLEST_FIRST):
        raise RaybenchError(
            f"There is no order {in_quotes(order, 80)}. Give {LARGEST_FIRST} or {SMALLEST_FIRST},"
            " or leave it out."
        )
    sign = -1 if order == LARGEST_FIRST else 1
    quantities = [
        bound.measure.name if isinstance(bound, BoundMeasure) else "" for bound, _ in pairs
    ]

    def place(pair: tuple[Bound, Measured]) -> tuple[int, float]:
        bound, value = pair
        quantity = bound.measure.name if isinstance(bound, BoundMeasure) else ""
        return quantities.index(quantity), sign * abs(value.value) if value.defined else math.inf

    return sorted(pairs, key=place)


TOOL = AnalysisTool(
    function=measure,
    asks="measure {measures}[ in {unit}][, the {order}]",
    questions=("{measures}",),
)
