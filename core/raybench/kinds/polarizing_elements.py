"""Elements that change the polarization of light: lines that light crosses.

Angles are measured about the ray, counter-clockwise as seen by an eye into which the light falls: 0
degrees for s (perpendicular to the drawing), 90 degrees for p (in the drawing). They hold for light
that crosses the line in the direction of a beam with the same ends. Light in the opposite direction
meets the same axis at the opposite angle.
"""

from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import Edges
from raybench.kinds.aspects.pieces import Piece, piece_on_edges
from raybench.kinds.aspects.row import Row, Substitute, axis_across_own_line
from raybench.kinds.aspects.transform import transform_between_directed_ends
from raybench.kinds.fields import flag, number, point
from raybench.kinds.mirrors import BeamSplitter
from raybench.kinds.object import MAX_NUMBER, SceneObject, kind
from raybench.kinds.primitives import (
    MUELLER_REFLECTS,
    MUELLER_ROW,
    MUELLERS,
    POLARIZES,
    Surface,
)
from raybench.optics.colour import GREEN
from raybench.optics.polarization import (
    MIRROR_MUELLER,
    diattenuator_matrix,
    retarder_matrix,
    rotation_matrix,
)
from raybench.phrase import Phrase
from raybench.shapes.point import Point

ABOUT_ANGLE = (
    "0 is perpendicular to the drawing (s), 90 in it (p); counter-clockwise, looking into the light"
    " of a beam with the same ends."
)
_AXIS_WORDS = ("angle", "rotation", "orientation")
"""Words for the axis: elements are turned in their mounts, which the drawing does not show."""


@kind
class PolarizingElement(SceneObject):
    """A line that light crosses and that changes the polarization of the light. With ``p1`` above
    ``p2``, the element's angles are those for light that travels to the right.
    """

    has_edge_table = True

    p1: Point = point("First end", help="One end of the element.")
    p2: Point = point("Second end", help="The other end of the element.")


@kind
class Polarizer(PolarizingElement):
    """A film or sheet that transmits light of one linear polarization, and absorbs the other."""

    label = "Polarizer"

    axis: float = number(
        0.0,
        "Axis",
        unit="deg",
        help=f"Azimuth of the transmitted light. {ABOUT_ANGLE}",
        words=_AXIS_WORDS,
    )
    transmittance: float = number(
        1.0, "Transmittance", low=0, high=1, help="Transmitted fraction of light along the axis."
    )
    leakage: float = number(
        0.0, "Leakage", low=0, high=1,
        help="Transmitted fraction of light across the axis: the transmittance over the extinction ratio.",
    )  # fmt: skip


@kind
class WavePlate(PolarizingElement):
    """A plate that delays light polarized across its fast axis: a quarter-wave plate at 45 degrees
    makes linear light circular, a half-wave plate rotates linear light.
    """

    label = "Wave plate"

    retardance: float = number(
        0.25, "Retardance", unit="waves", help="Delay across the fast axis: 0.25 of a quarter-wave plate."
    )  # fmt: skip
    fast_axis: float = number(
        0.0,
        "Fast axis",
        unit="deg",
        help=f"Azimuth of the fast axis. {ABOUT_ANGLE}",
        words=_AXIS_WORDS,
    )
    wavelength: float = number(
        GREEN, "Design wavelength", unit="nm", low=1, help="Vacuum wavelength that has the retardance."
    )  # fmt: skip
    achromatic: bool = flag(
        False, "Achromatic", help="The same retardance in waves for all wavelengths."
    )


@kind
class Rotator(PolarizingElement):
    """A plate that rotates the polarization of light: quartz, or a Faraday rotator."""

    label = "Polarization rotator"

    rotation: float = number(
        45.0, "Rotation", unit="deg", help="Counter-clockwise, looking into the light."
    )
    faraday: bool = flag(
        False, "Faraday", help="Light on its way back is turned further, not back, as in an isolator."
    )  # fmt: skip


@kind
class PolarizingSplitter(PolarizingElement):
    """A beam splitter that reflects s and transmits p."""

    label = "Polarizing splitter"

    leakage: float = number(
        0.0, "Leakage", low=0, high=1, help="Fraction of s that is transmitted, and of p that is reflected."
    )  # fmt: skip


def _element_piece(
    matrices: Callable[[Any, float | None, bool], tuple[Floats, Floats]], reflects: bool = False
) -> Callable[[Any, Edges], Piece]:
    """Make a function that makes the `Piece` of an element. ``matrices`` returns the Mueller
    matrices for transmitted and for reflected light; its arguments are the object, the wavelength,
    and whether light travels along the normal.
    """

    def of_wavelength(obj: Any, wavelength: float | None) -> Floats:
        return np.array([matrices(obj, wavelength, along) for along in (True, False)])

    return lambda obj, edges: piece_on_edges(
        edges, Surface.MUELLER, POLARIZES, {MUELLER_REFLECTS: float(reflects)},
        links=((MUELLER_ROW, MUELLERS),), mueller=partial(of_wavelength, obj),
    )  # fmt: skip


NOTHING_REFLECTED = np.zeros((4, 4))


def polarizer_matrix(obj: Polarizer, along: bool) -> Floats:
    """The Mueller matrix of a polarizer for light along or against its normal."""
    axis = obj.axis if along else -obj.axis
    return diattenuator_matrix(obj.transmittance, obj.leakage, axis)


def _polarizer_matrices(
    obj: Polarizer, wavelength: float | None, along: bool
) -> tuple[Floats, Floats]:
    return polarizer_matrix(obj, along), NOTHING_REFLECTED


def _plate_matrices(obj: WavePlate, wavelength: float | None, along: bool) -> tuple[Floats, Floats]:
    waves = obj.retardance
    if wavelength and not obj.achromatic:
        waves *= obj.wavelength / wavelength
    axis = obj.fast_axis if along else -obj.fast_axis
    # a delay beyond any number, of light with a wavelength of almost 0, is none
    delay = 360 * waves if abs(waves) <= MAX_NUMBER else 0.0
    return retarder_matrix(delay, axis), NOTHING_REFLECTED


def _rotator_matrices(obj: Rotator, wavelength: float | None, along: bool) -> tuple[Floats, Floats]:
    turned_back = obj.faraday and not along
    return rotation_matrix(-obj.rotation if turned_back else obj.rotation), NOTHING_REFLECTED


def _splitter_matrices(
    obj: PolarizingSplitter, wavelength: float | None, along: bool
) -> tuple[Floats, Floats]:
    most, least = 1.0 - obj.leakage, obj.leakage
    return diattenuator_matrix(least, most, 0.0), MIRROR_MUELLER @ diattenuator_matrix(
        most, least, 0.0
    )


def _splitter_substitute(obj: PolarizingSplitter) -> Substitute:
    splitter = BeamSplitter(name=obj.name, locked=obj.locked, p1=obj.p1, p2=obj.p2)
    return Substitute((splitter,), "becomes a beam splitter: it divides all light into halves.")


def _fraction_fault(obj: Polarizer | PolarizingSplitter, edges: Edges) -> str:
    for name in ("transmittance", "leakage"):
        if not 0 <= getattr(obj, name, 0.0) <= 1:
            return Phrase(
                "has no effect: {field} is {value:g}; give a fraction from 0 to 1.",
                field=name,
                value=getattr(obj, name),
            )
    return ""


def _plate_fields_without_effect(obj: WavePlate) -> Collection[str]:
    return ("wavelength",) if obj.achromatic else ()


element_row = partial(
    Row, family="Polarization", edges=outlines.line_edges,
    sample=sample.ENDS, axis=axis_across_own_line, transformed=transform_between_directed_ends,
    icon=sample.numbered_points_fields(10, 2.5, 10, 17.5),
    in_plain_scene=lambda obj: Substitute((), "is left out: all light passes it unchanged."),
)  # fmt: skip
ROWS = (
    element_row(
        Polarizer, piece=_element_piece(_polarizer_matrices), painter="polarizer",
        fault=_fraction_fault,
    ),
    element_row(
        WavePlate, piece=_element_piece(_plate_matrices), painter="wave plate",
        not_shown=_plate_fields_without_effect,
    ),
    element_row(Rotator, piece=_element_piece(_rotator_matrices), painter="rotator"),
    element_row(
        PolarizingSplitter, piece=_element_piece(_splitter_matrices, reflects=True),
        painter="polarizing splitter", icon=sample.numbered_points_fields(5, 16, 15, 4),
        in_plain_scene=_splitter_substitute, fault=_fraction_fault,
    ),
)  # fmt: skip
