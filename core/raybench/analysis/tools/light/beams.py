"""The tool that lists the beams that arrive at an object and that leave it."""

import re
from collections.abc import Sequence

import numpy as np

from raybench.analysis.answers.answer import Answer
from raybench.analysis.answers.beam_elements import Beam, beam_record
from raybench.analysis.answers.page import LazySequence
from raybench.analysis.answers.record import Record, Root
from raybench.analysis.answers.words import capitalize_first, value_in_words
from raybench.analysis.context import power_in_words, require_context
from raybench.analysis.geometry.straight import distinct_integers
from raybench.analysis.measures.light import Light
from raybench.analysis.rays.leaving_light import ArrivingBundle, LeavingBundle
from raybench.analysis.scene.objects import source_named
from raybench.analysis.tools.tool import AnalysisTool
from raybench.errors import RaybenchError, list_choices, short_repr

Bundle = LeavingBundle | ArrivingBundle
MANY = 8
"""Number of wavelengths from which on only the first and the last are said."""


class BeamsOfSide(Record):
    beam: Sequence[Beam]
    count: int
    power: float


class Beams(Root, tag="beams"):
    arriving: BeamsOfSide
    leaving: BeamsOfSide
    object: str
    source: str | None
    order: str | None


def beams(object_name: str, source_name: str = "", order: str = "") -> Answer:
    """List the beams that arrive at an object and those that leave it, by source, wavelength and
    diffraction order.

    A beam is a bundle of rays of one source that met the same surfaces in the same order. Strongest
    first. Angles are in degrees, counter-clockwise on screen; direction 0 is to the right;
    deviation is from the beam's direction on arrival; divergence is the full angle between
    outermost rays; vergence is positive for converging light; after lists the interactions with the
    object.

    Args:
        object_name: Name of the object, such as a prism, lens, mirror or grating, or of a group of
            objects, taken as one.
        source_name: Name of a source to consider alone; empty for all.
        order: Diffraction order of the leaving beams, such as +1 or -1; 1 for both of them, empty
            for all.

    Returns:
        Root beams: arriving and leaving, each with its number of beams, its power and its beams.

    Raises:
        RuntimeError: If set_context() has not been called.
        ValueError: If a name doesn't match, or order is invalid; the message lists the existing
            names.
    """
    order = str(order)  # a number is an order too
    if order and not re.fullmatch(r"[-+]?\d{1,4}", order, re.ASCII):
        raise RaybenchError(
            f"order is {short_repr(order)}; give a diffraction order such as +1 or -1, or 1 for"
            " both of them."
        )
    context = require_context()
    light = Light.from_context(context)
    index, obj = light.find_optical_object(object_name)
    source = source_named(context.scene, source_name)[0] if source_name else None
    sides: dict[str, Sequence[Bundle]] = {
        "arriving": light.arriving_bundles(index, source),
        "leaving": light.bundles(index, source),
    }
    if order:
        sides["leaving"] = [
            b
            for b in sides["leaving"]
            if _is_wanted_order(light.grating_order(int(b.rows[0])), order)
        ]
    found = {
        side: LazySequence.map_each(
            lambda b: beam_record(light, index, b), sorted(bundles, key=lambda b: -b.power)
        )
        for side, bundles in sides.items()
    }
    of_sides = {
        side: BeamsOfSide(beam=found[side], count=len(bundles), power=sum(b.power for b in bundles))
        for side, bundles in sides.items()
    }
    root = Beams(
        **of_sides,
        object=obj.title,
        source=source_name or None,
        order=order or None,
    )
    rows = distinct_integers(*(b.rows for bundles in sides.values() for b in bundles))
    words = [
        _beams_sentence(
            obj.title,
            side,
            found[side],
            _wavelengths(light, sides[side])
            + (f" of order {order}" if order and side == "leaving" else ""),
        )
        for side in sides
    ]
    return Answer(root, capitalize_first("; ".join(words)), context.result.ray_set(rows))


def _is_wanted_order(found: int | None, wanted: str) -> bool:
    """Whether a diffraction order is the wanted one. A wanted order without a sign stands for the
    orders of both signs.
    """
    return found is not None and (found if wanted[0] in "+-" else abs(found)) == int(wanted)


def _wavelengths(light: Light, bundles: Sequence[Bundle]) -> str:
    """The wavelengths of bundles in words; empty if they have the same one."""
    found = np.unique([light.result.wavelength[b.rows[0]] for b in bundles])
    nm = [f"{w:g}" for w in found[np.isfinite(found)].tolist()]
    if len(nm) < 2:
        return ""
    return f" of {list_choices(nm, 'and') if len(nm) < MANY else f'{nm[0]} to {nm[-1]}'} nm"


def _beams_sentence(name: str, side: str, beams: Sequence[Beam], of: str) -> str:
    """A sentence about the arriving or leaving beams of an object. ``beams`` are in order of
    decreasing power.
    """
    name, (one, several) = (
        value_in_words(name),
        ("arrives at", "arrive at") if side == "arriving" else ("leaves", "leave"),
    )
    if not beams:
        return f"no light{of} {one} {name}"
    strongest = beams[0]
    text = (
        f"1 beam{of} {one} {name}"
        if len(beams) == 1
        else f"{len(beams)} beams{of} {several} {name}, the strongest"
    )
    text += f" with power {power_in_words(strongest.power)}"
    if strongest.direction is not None:
        text += f" towards {value_in_words(strongest.direction)}°"
    if strongest.deviation is not None:
        text += f", deviated by {value_in_words(strongest.deviation)}°"
    return text + (f", {strongest.form}" if strongest.form else "")


TOOL = AnalysisTool(
    function=beams,
    asks="beams at {object_name}",
    questions=(
        "Which beams leave {object_name:acting} [wavelengths colors]?",
        "Which beams arrive at {object_name} [wavelengths colors]?",
        "Which diffraction orders leave {object_name:grating} [beams have]?",
        "How is the power split among the diffraction orders of {object_name:grating} [divided distributed light share between]?",
    ),
    fits=True,
    power=True,
    offered="always",
    brief=(
        "List the beams that arrive at an object and that leave it, by source, wavelength and "
        "diffraction order: power, direction, deviation, divergence (full angle), vergence. "
        "order: +1, -1, or 1 for both."
    ),
)
