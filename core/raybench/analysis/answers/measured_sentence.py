"""Sentences that state the value of a measure, and notes on the light that the value belongs to."""

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
BUNDLE_SIZES = (
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
RAYS_FOR_WIDTH = 5
"""Rays from which on a width needs no note: between n rays of a beam lie n - 1 of its n parts."""


def rays_note(light: Light, *measures: Bound, unit: str = "") -> str:
    """A note for measures that use only a part of the light, or that are widths of few rays. Values
    in the note are in ``unit``. Empty if no measure needs a note.
    """
    rays = min(
        (
            n
            for bound in measures
            if isinstance(bound, BoundMeasure) and (n := _ray_count(light, bound))
        ),
        default=RAYS_FOR_WIDTH,
    )
    few = (
        f"of {rays} rays; a higher ray density gives a better value"
        if 1 < rays < RAYS_FOR_WIDTH
        else ""
    )
    notes = (few, path_share_note(light, *measures, unit=unit))
    return "; ".join(note for note in notes if note)


def medium_note(light: Light, bound: Bound) -> str:
    """A note for a value that depends on the glass: which wavelength a focal length belongs to, or
    that a refractive index leaves out surrounding bodies. Empty for other measures.
    """
    if not isinstance(bound, BoundMeasure):
        return ""
    index, *_ = bound.argument_indices(light) or [None]
    if not isinstance(index, int):
        return ""
    if bound.measure.name == "refractive_index":
        own, effective = (
            measured_value(light, n, light.measurable_objects[index])
            for n in ("refractive_index", "effective_index")
        )
        differ = own.defined and effective.defined and abs(own.difference_from(effective)) > 0
        return f"alone; with the bodies around it {effective.number}" if differ else ""
    return wavelength_note(light, index) if bound.measure.name in NOMINAL else ""


def wavelength_note(light: Light, index: int) -> str:
    """A note with the wavelength of the nominal focal length of an object. Empty unless light of
    several wavelengths arrives.
    """
    bundles = light.arriving_bundles(index)
    nm = light.result.wavelength[[b.rows[0] for b in bundles]]
    colours = len(np.unique(nm[np.isfinite(nm)]))
    if colours < 2 or not light.scene.settings.simulate_colors:
        return ""
    return f"at {nm[0]:g} nm, that of most of the light, which has {colours} wavelengths"


def zero_value_note(light: Light, bound: Bound, measured: Measured) -> str:
    """The reason why a measure is 0, as a note; empty if the reason is obvious."""
    if measured.value != 0 or not isinstance(bound, BoundMeasure):
        return ""
    if bound.measure.name in ("escaped_between", "escaped_share"):
        first, second = bound.argument_indices(light)
        assert isinstance(first, int)
        assert isinstance(second, int)
        return why_no_light_escapes(light, first, second)
    return ""


def _ray_count(light: Light, bound: BoundMeasure) -> int:
    """The number of rays from which a width is computed; 0 for other measures, for an undefined
    width, and for sources of single rays.
    """
    index, *of = bound.argument_indices(light) or [None]
    takes, name = bound.measure.takes, bound.measure.name
    if not isinstance(index, int) or name not in (*WIDTHS, *BUNDLE_SIZES):
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


MOST_QUANTITY_CHARACTERS = 200
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
    """A sentence, without a full stop, that states the value of a measure, such as ``the mean angle
    of incidence at Main Prism is 42.3°``. Notes follow in brackets.
    """
    quantity = _quantity_words(bound, measured, light)
    if not measured.defined:
        return f"{quantity} is undefined: {measured.reason.rstrip('.')}{_nominal(bound, light)}"
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


def _nominal(bound: Bound, light: Light) -> str:
    """The nominal value, with words that say so, where only the traced light has no focal length."""
    if not isinstance(bound, BoundMeasure) or bound.measure.name != "focal_length":
        return ""
    index, *_ = bound.argument_indices(light) or [None]
    if not isinstance(index, int):
        return ""
    alone = measured_value(light, "nominal_focal_length", light.measurable_objects[index])
    return f"; the nominal one is {alone.number}" if alone.defined else ""


def _quantity_words(bound: Bound, measured: Measured, light: Light) -> str:
    quantity = (
        f"the {bound.quantity(light)}"
        if isinstance(bound, BoundMeasure)
        else f"the value of {measured.expression}"
    )
    return (
        quantity
        if len(quantity) <= MOST_QUANTITY_CHARACTERS
        else f"{quantity[: MOST_QUANTITY_CHARACTERS - 1]}…"
    )


def _unit_in_brackets(bound: Bound, measured: Measured) -> str:
    """For a relative power a text that says so, for a part of a power the value in percent; both in
    brackets.
    """
    if bound.unit is Unit.POWER:
        return measured.unit if measured.unit == Unit.POWER.value else ""
    return (
        f"{rounded_number(100 * measured.value)} %"
        if isinstance(bound, BoundMeasure) and bound.measure.share
        else ""
    )


def _sign_meaning(bound: Bound, value: float) -> str:
    """What the sign of a value means, such as a side or a sense of rotation."""
    if not isinstance(bound, BoundMeasure) or value == 0:
        return ""
    return bound.measure.senses[value < 0]
