"""The value of a measure as a sentence that names the quantity, its objects, the value and the
unit; and notes on a width that is of few rays, or widened by partial reflections.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from raybench.analysis.answers.words import in_words, number_of, rounded_number
from raybench.analysis.measures.bound import SAME, Bound, BoundMeasure
from raybench.analysis.measures.families.dimension import why_none_escapes
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Role, Undefined, Unit, in_unit
from raybench.errors import list_choices
from raybench.kinds.sources import SingleRay
from raybench.trace.codes import NO_ORDER


def without_reflections(light: Light, *measures: Bound, unit: str = "") -> str:
    """The rays at a line that were partially reflected at glass, their share of the power there,
    and the measures without them, in a ``unit`` of length.

    Empty if that changes no measure, or if at least half of the light was partially reflected and
    is thus the main light.
    """
    found = [
        (bound, bound.evaluate(light))
        for bound in measures
        if isinstance(bound, BoundMeasure)
        and (
            bound.unit is Unit.LENGTH and any(p.role is Role.LINE for p in bound.measure.parameters)
        )
    ]
    if not found or not found[0][1].defined:
        return ""
    (line, *rest), direct = found[0][0].indices(light), light.without_partial_reflections
    assert isinstance(line, int)
    source = rest[0] if rest else None
    assert not isinstance(source, str)
    rows = light.arriving(line, source)
    left = direct.arriving(line, source)
    power = light.result.total_arriving_power
    share = 1 - float(power[left].sum() / power[rows].sum())
    values = [(was, bound.evaluate(direct)) for bound, was in found]
    if (
        len(left) == len(rows)
        or share >= 0.5
        or not any(
            (not np.isclose(was.value, now.value, rtol=SAME, atol=SAME)) for was, now in values
        )
    ):
        return ""
    shown = [in_unit(now, Unit.LENGTH, unit, light.unit) for _, now in values]
    changed = ", ".join(
        f"{now.expression} is {now.number}" if len(shown) > 1 else f"it is {now.number}"
        for now in shown
    )
    rays = number_of(len(rows) - len(left), "ray")
    return (
        f"counts {rays} with {in_words(100 * share)} % of the power that were partially reflected"
        f" at glass; without them {changed}"
    )


WIDTHS = ("rms", "width", "least_rms")
"""The measures of how wide the light at a line is."""
OF_BUNDLES = (
    "spot_rms",
    "spot_width",
    "beam_width",
    "arriving_width",
    "divergence",
    "numerical_aperture",
    "f_number",
)
"""Those of how wide a bundle is."""
FEW = 5
"""Rays from which on a width needs no note: between n rays of a beam lie n - 1 of its n parts."""
ONE_RAY = "one ray has no width; a higher ray density, or a source with more rays, gives one"


def note_of_spot(light: Light, *measures: Bound, unit: str = "") -> str:
    """The note on measures of widths, with values in a ``unit``; empty if they need none."""
    rays = min(
        (
            n
            for bound in measures
            if isinstance(bound, BoundMeasure) and (n := _ray_count(light, bound))
        ),
        default=FEW,
    )
    if rays == 1:
        return ONE_RAY
    few = f"of {rays} rays; a higher ray density gives a better value" if rays < FEW else ""
    return "; ".join(
        note
        for note in (
            few,
            _of_orders(light, measures),
            without_reflections(light, *measures, unit=unit),
        )
        if note
    )


def note_of_zero(light: Light, bound: Bound, measured: Measured) -> str:
    """Why a measure is 0, where that has a reason which its objects do not show; else empty."""
    if measured.value != 0 or not isinstance(bound, BoundMeasure):
        return ""
    if bound.measure.name in ("escaped_between", "escaped_share"):
        first, second = bound.indices(light)
        assert isinstance(first, int)
        assert isinstance(second, int)
        return why_none_escapes(light, first, second)
    return ""


def _of_orders(light: Light, measures: Sequence[Bound]) -> str:
    """A note that a spot holds several diffraction orders of one source; empty if it does not."""
    for bound in measures:
        if not isinstance(bound, BoundMeasure) or all(
            p.role is not Role.LINE for p in bound.measure.parameters
        ):
            continue
        index, *sources = bound.indices(light)
        assert isinstance(index, int)
        for source in sources:
            rows = light.arriving(index, source)  # type: ignore[arg-type]
            rows = rows[light.result.order[rows] != NO_ORDER]
            found = np.unique(
                np.stack([light.result.order[rows], light.result.source[rows]]), axis=1
            )
            if found.shape[1] > len(np.unique(found[1])):
                orders = list_choices([f"{order}" for order in np.unique(found[0]).tolist()], "and")
                return (
                    f"of light in the orders {orders} together; direction and angular_separation"
                    " are of one order"
                )
    return ""


def _ray_count(light: Light, bound: BoundMeasure) -> int:
    """The number of rays that a width is measured of; 0 if it is another measure, has no value, or
    is of single rays as they are.
    """
    index, *of = bound.indices(light) or [None]
    takes, name = bound.measure.takes, bound.measure.name
    if not isinstance(index, int) or name not in (*WIDTHS, *OF_BUNDLES):
        return 0
    try:
        rows = (
            light.arriving(index, *of) if takes is None else light.strongest(takes, index, *of).rows  # type: ignore[arg-type]
        )
    except Undefined:
        return 0
    if len(rows) > 1 and all(
        isinstance(light.scene.optical[i], SingleRay)
        for i in set(light.result.source[rows].tolist())
        if i >= 0
    ):
        return 0
    return (
        len(rows) if takes is None or len(rows) > 1 else 0
    )  # a bundle of one ray has no width, which its reason says


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
            quantities = list_choices(
                [_quantity_words(bound, measured, light) for bound, measured in members], "and"
            )
            sentences.append(f"{quantities} are undefined: {reason.rstrip('.')}")
        else:
            sentences += [measured_sentence(bound, measured, light) for bound, measured in members]
    return "; ".join(sentences)


def measured_sentence(bound: Bound, measured: Measured, light: Light) -> str:
    """The value of a measure as a sentence without a full stop, such as ``the mean angle of
    incidence at Main Prism is 42.3°``; further facts stand in brackets.
    """
    quantity = _quantity_words(bound, measured, light)
    if not measured.defined:
        return f"{quantity} is undefined: {measured.reason.rstrip('.')}"
    sense = _sign_meaning(bound, measured.value)
    about = [text for text in (_unit_in_brackets(bound, measured), measured.note) if text]
    return (
        f"{quantity} is {(rounded_number(measured.value) if bound.unit is Unit.POWER else measured.number)}"
        + (f", {sense}" if sense else "")
        + (f" ({'; '.join(about)})" if about else "")
    )


def _quantity_words(bound: Bound, measured: Measured, light: Light) -> str:
    quantity = (
        f"the {bound.quantity(light)}"
        if isinstance(bound, BoundMeasure)
        else f"the value of {measured.expression}"
    )
    return quantity if len(quantity) <= LONGEST else f"{quantity[: LONGEST - 1]}…"


def _unit_in_brackets(bound: Bound, measured: Measured) -> str:
    """The unit of a power, and a part of a power in percent."""
    if bound.unit is Unit.POWER:
        return measured.unit
    return (
        f"{rounded_number(100 * measured.value)} %"
        if isinstance(bound, BoundMeasure) and bound.measure.share
        else ""
    )


def _sign_meaning(bound: Bound, value: float) -> str:
    """What the sign of the value means."""
    if not isinstance(bound, BoundMeasure) or value == 0:
        return ""
    return bound.measure.senses[value < 0]
