"""A sentence for the value of a measure, with the quantity, its objects, the value and the unit.
Also notes that say which part of the light the value is about, and that a width is computed from
few rays.
"""

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from raybench.analysis.answers.path_notes import path_share_note
from raybench.analysis.answers.words import rounded_number
from raybench.analysis.measures.bound import Bound, BoundMeasure, measured_value
from raybench.analysis.measures.families.dimension import why_no_light_escapes
from raybench.analysis.measures.light import Light
from raybench.analysis.measures.measure import Measured, Undefined, Unit
from raybench.errors import list_choices
from raybench.kinds.sources import SingleRay
from raybench.scene.changes.quantity import unit_suffix

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
NOMINAL = ("nominal_focal_length", "optical_power")
"""Measures of an object alone, at the wavelength of the strongest bundle that arrives at it."""
FEW = 5
"""Rays from which on a width needs no note: between n rays of a beam lie n - 1 of its n parts."""


def rays_note(light: Light, *measures: Bound, unit: str = "") -> str:
    """A note for measures whose value is a width of few rays, or is about only a part of the light;
    its values are in ``unit``. Empty if no measure needs it.
    """
    rays = min(
        (
            n
            for bound in measures
            if isinstance(bound, BoundMeasure) and (n := _ray_count(light, bound))
        ),
        default=FEW,
    )
    few = f"of {rays} rays; a higher ray density gives a better value" if 1 < rays < FEW else ""
    notes = (few, path_share_note(light, *measures, unit=unit))
    return "; ".join(note for note in notes if note)


def medium_note(light: Light, bound: Bound) -> str:
    """A note for a value that depends on the glass: an index without the bodies around it, or the
    wavelength of a focal length. Empty if only one value is possible.
    """
    if not isinstance(bound, BoundMeasure):
        return ""
    index, *_ = bound.argument_indices(light) or [None]
    if not isinstance(index, int):
        return ""
    if bound.measure.name == "refractive_index":
        own, effective = (
            measured_value(light, n, light.things[index])
            for n in ("refractive_index", "effective_index")
        )
        differ = own.defined and effective.defined and abs(own.difference_from(effective)) > 0
        return f"alone; with the bodies around it {effective.number}" if differ else ""
    return wavelength_note(light, index) if bound.measure.name in NOMINAL else ""


def wavelength_note(light: Light, index: int) -> str:
    """A note with the wavelength for which the nominal focal length of an object is computed. Empty
    unless light of several wavelengths arrives.
    """
    bundles = light.arriving_bundles(index)
    nm = light.result.wavelength[[b.rows[0] for b in bundles]]
    colours = len(np.unique(nm[np.isfinite(nm)]))
    if colours < 2 or not light.scene.settings.simulate_colors:
        return ""
    return f"at {nm[0]:g} nm, that of most of the light, which has {colours} wavelengths"


def zero_value_note(light: Light, bound: Bound, measured: Measured) -> str:
    """A note with the reason why a measure is 0; empty if the reason is obvious from its objects."""
    if measured.value != 0 or not isinstance(bound, BoundMeasure):
        return ""
    if bound.measure.name in ("escaped_between", "escaped_share"):
        first, second = bound.argument_indices(light)
        assert isinstance(first, int)
        assert isinstance(second, int)
        return why_no_light_escapes(light, first, second)
    return ""


def _ray_count(light: Light, bound: BoundMeasure) -> int:
    """The number of rays that a width is measured from. It is 0 for other measures, for an
    undefined width, and for sources of single rays.
    """
    index, *of = bound.argument_indices(light) or [None]
    takes, name = bound.measure.takes, bound.measure.name
    if not isinstance(index, int) or name not in (*WIDTHS, *OF_BUNDLES):
        return 0
    try:
        rows = (
            bound.measured_rows(light)
            if takes is None
            else light.strongest_bundle(takes, index, *of).rows  # type: ignore[arg-type]
        )
    except Undefined:
        return 0
    if rows is None:
        return 0
    if len(rows) > 1 and all(
        isinstance(light.scene.optical[i], SingleRay)
        for i in set(light.result.source[rows].tolist())
        if i >= 0
    ):
        return 0
    return len(rows)


LONGEST = 200
"""Maximum number of characters of a quantity with the names of its objects."""


def measured_sentences(measures: Sequence[tuple[Bound, Measured]], light: Light) -> str:
    """Sentences for the values of several measures, joined by semicolons. Measures that are
    undefined for the same reason share a sentence.
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
    """A sentence, without full stop, for the value of a measure, such as ``the mean angle of
    incidence at Main Prism is 42.3°``. Further facts are added in brackets.
    """
    quantity = _quantity_words(bound, measured, light)
    if not measured.defined:
        return f"{quantity} is undefined: {measured.reason.rstrip('.')}"
    sense = _sign_meaning(bound, measured.value)
    about = [text for text in (_unit_in_brackets(bound, measured), measured.note) if text]
    value = measured.number
    if bound.unit is Unit.POWER:
        unit = "" if measured.unit == Unit.POWER.value else unit_suffix(measured.unit)
        value = f"{rounded_number(measured.value)}{unit}"
    return (
        f"{quantity} is {value}"
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
    """That a power is relative, or the value in percent if it is a part of a power."""
    if bound.unit is Unit.POWER:
        return measured.unit if measured.unit == Unit.POWER.value else ""
    return (
        f"{rounded_number(100 * measured.value)} %"
        if isinstance(bound, BoundMeasure) and bound.measure.share
        else ""
    )


def _sign_meaning(bound: Bound, value: float) -> str:
    """The meaning of the sign of a value, such as the side or the sense of rotation."""
    if not isinstance(bound, BoundMeasure) or value == 0:
        return ""
    return bound.measure.senses[value < 0]
