"""Tools that evaluate measures, and estimate how much their values would change with more rays."""

import math
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import starmap

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import bundle_note
from raybench.analysis.answers.measured_sentence import (
    measured_sentences,
    medium_note,
    rays_note,
    zero_value_note,
)
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.weak_light import add_largest_weak_light_note
from raybench.analysis.answers.words import capitalize_first, value_in_words
from raybench.analysis.context import TracedScene, power_in_words, require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.bound import Bound, BoundMeasure, bind_measures, required_rows
from raybench.analysis.measures.grammar import MeasureList
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measure, Measured, convert_measured
from raybench.analysis.measures.table import FAMILIES, MEASURES
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, in_quotes
from raybench.scene.changes.quantity import unit_suffix
from raybench.trace.codes import Completion
from raybench.trace.keep import Keep, RowsNotKept
from raybench.trace.results.result import TraceResult
from raybench.trace.run.emission import count_rays
from raybench.trace.tolerances import SAME_FRACTION
from raybench.trace.trace import trace

LARGEST_FIRST, SMALLEST_FIRST = "largest first", "smallest first"
TIME_LIMIT = 60.0
"""Time limit of a trace with another number of rays."""
MOST_NAMED_MEASURES = 8
"""Maximum number of measures in the sentence."""


class MeasuredValue(Record, tag="measure"):
    value: float | None
    unit: str | None
    of: str
    reason: str | None
    note: str | None


class Measures(Root, tag="measures"):
    measure: Sequence[MeasuredValue]


def measure(measures: MeasureList, unit: str = "", order: str = "", rays: float = 1.0) -> Answer:
    """Measure the traced light: power, spot, focus and other numbers, such as power(Screen);
    rms(Screen, Laser); focus(Lens).

    Arguments are object names, quoted if they contain a comma, a parenthesis or a quotation mark,
    several joined as in focal_length(Front + Rear), and path patterns as in path_power("Lamp > * >
    Screen"). Arguments with a question mark are optional. An angle, a length, a count, a width or a
    focus is that of the path that carries most power; the word all as the last argument, as in
    incidence(Prism, all), takes all light. There are: {measures}. search_help explains each.

    Args:
        measures: One measure or several, separated by semicolons.
        unit: Unit of the values, such as cm, µm, mrad, ns or dpt, for lengths, angles, times or
            vergences; empty for the document's.
        order: "largest first" or "smallest first", by the magnitude of the values; empty for the
            order of the measures.
        rays: Times as many rays as in the scene, for smoother values.

    Returns:
        Root measures: for each measure its value and unit, or the reason why it is undefined. A
        measure of a path that does not carry all of the light has a note of its part, of what else
        arrives, and of the value of all. A measure of the strongest bundle has a note that names
        the bundle, and others with another value, if there are any: name a source, or ask beams_xml
        for all. A width of few rays has a note.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a measure or the unit is invalid, or a measure or an object does not exist;
            the message suggests the nearest names.
    """
    context = require_context()
    bounds = bind_measures(measures, context)
    light = Light.from_context(context) if rays == 1 else _light_with_more_rays(context, rays)

    def add_notes(bound: Bound, measured: Measured) -> Measured:
        notes = (
            measured.note,
            bundle_note(light, bound, unit),
            rays_note(light, bound, unit=unit),
            medium_note(light, bound),
            zero_value_note(light, bound, measured),
        )
        return replace(
            convert_measured(measured, bound.unit, unit, light.length_unit),
            note="; ".join(note for note in notes if note),
        )

    measured = [add_notes(bound, bound.evaluate(light)) for bound in bounds]
    pairs = _sort_by_magnitude(list(zip(bounds, measured, strict=True)), order)
    values = [value for _, value in pairs]
    rows = [bound.measured_rows(light) if rays == 1 else None for bound, _ in pairs]
    root = Measures(
        measure=[
            MeasuredValue(
                value=m.value_or_none,
                unit=m.unit or None,
                of=m.expression,
                reason=m.reason or None,
                note=m.note or None,
            ).link_to_rays(own, m.expression)
            for m, own in zip(values, rows, strict=True)
        ],
    )
    sentence = capitalize_first(measured_sentences(pairs[:MOST_NAMED_MEASURES], light))
    if order and len(values) > 1:
        sentence = f"{capitalize_first(order)}: {sentence[0].lower()}{sentence[1:]}"
    if caution := _changed_power_note(context.result, light.result):
        sentence = f"{sentence} ({caution})"
    more = len(values) - MOST_NAMED_MEASURES
    expressions = "; ".join(value.expression for value in values)
    known = [own for own in rows if own is not None]
    answer = Answer(
        root,
        f"{sentence}; {more} more below" if more > 0 else sentence,
        light.result.ray_set(distinct_integers(*known)) if known else None,
        complete_sentence=more <= 0,
        expression=expressions,
    )
    return add_largest_weak_light_note(answer, context.scene, values)


measure.__doc__ = (measure.__doc__ or "").replace(
    "{measures}", ", ".join(m.usage for m in MEASURES.values())
)


def _sort_by_magnitude(
    pairs: list[tuple[Bound, Measured]], order: str
) -> list[tuple[Bound, Measured]]:
    """Sort the values of each quantity by magnitude, undefined values last. Quantities keep their
    order. Raises RaybenchError if ``order`` is invalid.
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

    def sort_key(pair: tuple[Bound, Measured]) -> tuple[int, float]:
        bound, value = pair
        quantity = bound.measure.name if isinstance(bound, BoundMeasure) else ""
        return quantities.index(quantity), sign * abs(value.value) if value.defined else math.inf

    return sorted(pairs, key=sort_key)


_EVIDENT = re.compile(
    r"\((?:(?:object|line|detector|aperture|source)\??)?(?:, source\?|, order\?)*\)"
)
"""Arguments of a measure that the brief text does not repeat."""
_COMMON = (
    *("power", "share", "rays", "incidence", "rms", "width", "centroid", "focus", "focal_length"),
    *("image_distance", "magnification", "direction", "deviation", "divergence", "beam_width"),
    *("distance", "escaping_share", "path_power", "refractive_index", "critical_angle"),
)
"""The measures that the brief text names first, also to a small model."""
MOST_NAMED = 5
"""Maximum number of other measures of a family that it names."""


def _usages(measures: Iterable[Measure]) -> list[str]:
    """The measures with their parameters. The common parameters, an object and a source, are left
    out.
    """
    return [_EVIDENT.sub("", m.usage) for m in measures]


def _family_line(family: str, measures: Iterable[Measure]) -> str:
    """The measures of a family in one line, without common measures. Parameters that all have in
    common follow the title.
    """
    others = [m for m in measures if m.name not in _COMMON]
    usages = _usages(others)
    shared = {usage.removeprefix(m.name) for usage, m in zip(usages, others, strict=True)}
    if len(shared) == 1:
        family, usages = f"{family}{shared.pop()}", [m.name for m in others]
    more = ["…"] if len(usages) > MOST_NAMED else []
    return f"{family}: {', '.join(usages[:MOST_NAMED] + more)}"


MEASURE = AnalysisTool(
    function=measure,
    asks="measure {measures}[ in {unit}][, the {order}]",
    questions=("{measures}",),
    offered="always",
    brief=(
        "Measure the traced light: power(Screen); rms(Screen, Laser); direction(Grating, Laser, -1)."
        " After the object most take a source, those of beams also a diffraction order; focus(Front +"
        " Rear) takes both as one. A value is that of the strongest path; all as the last argument takes all light. unit such as cm or"
        " mrad; order: largest first or smallest first. Common: "
        + ", ".join(_usages(MEASURES[name] for name in _COMMON))
        + ". search_help finds and explains all.\n\nOthers by theme. "
        + "; ".join(starmap(_family_line, FAMILIES.items()))
    ),
)


def _light_with_more_rays(context: TracedScene, rays: float, keep: Keep | None = None) -> Light:
    """Trace the scene of a context with ``rays`` times as many rays, of which the trace keeps the
    rows ``keep``. Raises InvalidDensity.
    """
    until = time.monotonic() + TIME_LIMIT
    finer = context.scene.with_more_rays(rays)
    result = trace(
        finer,
        disabled=context.disabled,
        revision=context.result.revision,
        stop=lambda: time.monotonic() > until,
        unit=context.unit,
        power_unit=context.power_unit,
        treatments=context.treatments,
        keep=keep,
    )
    return Light.from_context(replace(context, scene=finer, result=result))


class ConvergedMeasure(Record, tag="measure"):
    of: str
    value: float | None
    again: float | None
    moved: float | None
    relative: float | None
    unit: str | None
    reason: str | None


class Convergence(Root, tag="convergence"):
    measure: Sequence[ConvergedMeasure]
    rays: int
    rays_again: int
    reason: str | None
    caution: str | None


def convergence(measures: MeasureList) -> Answer:
    """Check how well measures have converged: their values now, with twice the rays, and the
    difference.

    The scene is traced once more with twice the rays; it is not changed. A measure that
    changes little has enough rays.

    Args:
        measures: One measure or several, separated by semicolons, such as power(Screen);
            rms(Screen). measure_xml describes them.

    Returns:
        Root convergence: for each measure its value, its value at twice the rays, the difference,
        and that relative to the new value. A caution says where more power is emitted with more
        rays, so that powers grow with it and parts of it, such as share(Screen), do not.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a measure is invalid, or a measure or an object does not exist; the message
            suggests the nearest names.
    """
    context = require_context()
    bound = bind_measures(measures, context)
    now, keep = Light.from_context(context), required_rows(bound, context)
    then = _light_with_more_rays(context, 2.0, keep)
    try:
        values = [b.evaluate(then) for b in bound]
    except RowsNotKept:
        then = _light_with_more_rays(context, 2.0)
        values = [b.evaluate(then) for b in bound]
    result, again = now.result, then.result
    pairs = [(b.evaluate(now), value) for b, value in zip(bound, values, strict=True)]
    rays, rays_again = int((result.parent < 0).sum()), count_rays(then.scene, context.disabled)
    reason = _why_incomparable(result, again) if rays != rays_again or not rays else SAME_RAYS
    caution = None if reason else _changed_power_note(result, again)
    root = Convergence(
        measure=[_converged_measure(*pair) for pair in pairs],
        rays=rays,
        rays_again=rays_again,
        reason=reason,
        caution=caution,
    )
    words = "; ".join(_convergence_words(*pair) for pair in pairs)
    return Answer(root, f"{words} ({reason or caution})" if reason or caution else words)


SAME_RAYS = "not comparable: twice the rays are no more than these here"


def _why_incomparable(before: TraceResult, after: TraceResult) -> str | None:
    """The reason why two traces cannot be compared: one is incomplete. None if they can be
    compared.
    """
    which = [
        name
        for name, r in (("this trace", before), ("that with more rays", after))
        if r.completion is not Completion.COMPLETE
    ]
    return f"not comparable: {' and '.join(which)} did not complete" if which else None


def _changed_power_note(before: TraceResult, after: TraceResult) -> str | None:
    """A note that the sources emit a different power in the trace with more rays; None if the power
    is the same.
    """
    one, two = before.ledger.emitted, after.ledger.emitted
    if math.isclose(one, two, rel_tol=SAME_FRACTION):
        return None
    return (
        f"more rays emit {power_in_words(two)} instead of {power_in_words(one)}, for a ray carries a power of at"
        " most 1: compare parts of what is emitted, such as share(Screen)"
    )


def _converged_measure(value: Measured, value_with_more_rays: Measured) -> ConvergedMeasure:
    defined = value.defined and value_with_more_rays.defined
    return ConvergedMeasure(
        of=value.expression,
        value=value.value_or_none,
        again=value_with_more_rays.value_or_none,
        moved=value_with_more_rays.difference_from(value) if defined else None,
        relative=value_with_more_rays.difference_from(value) / abs(value_with_more_rays.value)
        if defined and value_with_more_rays.value
        else None,
        unit=value.unit or None,
        reason=value.reason or value_with_more_rays.reason or None,
    )


def _convergence_words(value: Measured, value_with_more_rays: Measured) -> str:
    if not (value.defined and value_with_more_rays.defined):
        return f"{value_in_words(value.expression)} is undefined: {value.reason or value_with_more_rays.reason}".rstrip(
            "."
        )
    moved = value_with_more_rays.difference_from(value)
    relative = (
        f" ({100 * moved / abs(value_with_more_rays.value):+.2g} %)"
        if value_with_more_rays.value
        else ""
    )
    unit = unit_suffix(value.unit)
    return (
        f"{value_in_words(value.value)}{unit} is {value_in_words(value.expression)}, with twice the rays"
        f" {value_in_words(value_with_more_rays.value)}{unit}{relative}"
    )


CONVERGENCE = AnalysisTool(
    function=convergence, asks="convergence of {measures}", questions=("Has {measures} converged?",)
)
