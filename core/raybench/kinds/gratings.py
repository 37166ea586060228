"""Diffraction gratings. Line densities are per millimetre, regardless of the scene's length unit."""

import dataclasses
import math
from collections.abc import Collection, Iterator
from functools import partial

from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.outlines import Edges
from raybench.kinds.aspects.pieces import Piece, lines_geometry, piece_on_edges
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import transform_fields
from raybench.kinds.fields import described_field, flag, number, point
from raybench.kinds.object import SceneObject, kind
from raybench.kinds.primitives import (
    GRATING_ORDER_COUNT,
    GRATING_ORDERS,
    GRATING_RIGHT,
    GRATING_SLIT_RATIO,
    GRATING_SPACING,
    MIRRORED,
    ORDERS,
    Surface,
)
from raybench.phrase import Phrase
from raybench.shapes.point import Point

_DENSITY = (
    *(f"{things} per {unit}" for things in ("lines", "grooves") for unit in ("mm", "millimetre", "millimeter")), "lines/mm", "grooves/mm",
    "groove density", "ruling density", "density",
)  # fmt: skip


@kind
class Grating(SceneObject):
    """Equally spaced slits or grooves between two ends; the grating equation gives the direction of
    each order (Hecht, section 10.2.8).
    """

    has_edge_table = True

    p1: Point = point("First end", help="One end of the grating.")
    p2: Point = point("Second end", help="The other end of the grating.")
    line_density: float = number(
        1000.0, "Line density", unit="1/mm", low=0, help="Lines in a millimetre.", words=_DENSITY
    )
    custom_brightness: bool = flag(
        False, "Custom orders", help="Give the power of each order instead of a slit width."
    )
    brightnesses: tuple[float, ...] = described_field(
        "numbers",
        (1.0, 0.5, 0.5),
        "Orders",
        help="Fractions of the power in the orders 0, 1, -1, 2, -2 and so on.",
    )
    slit_ratio: float = number(
        0.5, "Slit ratio", low=0, high=1, help="Slit width over line spacing."
    )


@kind
class DiffractionGrating(Grating):
    """A flat transmission or reflection grating."""

    label = "Grating"

    mirrored: bool = flag(
        False, "Reflecting", help="Reflect the orders instead of transmitting them."
    )


@kind
class ConcaveDiffractionGrating(Grating):
    """A reflecting grating in the form of a circular arc, as in a Rowland spectrograph."""

    label = "Concave grating"

    p3: Point = point("Point on the arc", help="A point on the arc, between its ends.")


def _grating_piece(obj: Grating, edges: Edges, *, mirrored: bool, right: float) -> Piece:
    given = obj.brightnesses if obj.custom_brightness else ()
    return piece_on_edges(
        edges,
        Surface.DIFFRACT,
        MIRRORED if mirrored else 0,
        {
            GRATING_SPACING: 1e6 / obj.line_density,
            GRATING_SLIT_RATIO: obj.slit_ratio,
            GRATING_ORDERS: 0.0 if obj.custom_brightness else -1.0,
            GRATING_ORDER_COUNT: len(given),
            GRATING_RIGHT: right,
        },
        links=((GRATING_ORDERS, ORDERS),) if obj.custom_brightness else (),
        orders=given,
        most_orders=(
            2e6 / obj.line_density,
            float(len(given)) if obj.custom_brightness else math.inf,
        ),
    )


def _hidden_fields(obj: Grating) -> Collection[str]:
    """The fields that have no effect at present: either the slit ratio or the powers of the
    orders.
    """
    return ("slit_ratio",) if obj.custom_brightness else ("brightnesses",)


def _grating_fault(obj: Grating, edges: Edges) -> str:
    return (
        ""
        if obj.line_density > 0
        else Phrase(
            "has no effect: lineDensity is {line_density:g}. Give a number of lines above 0.",
            line_density=obj.line_density,
        )
    )


def _grating_remarks(obj: Grating, edges: Edges) -> Iterator[str]:
    if not 0 <= obj.slit_ratio <= 1:
        yield (
            Phrase(
                "has impossible slits: slitRatio is {slit_ratio:g}, but a fraction is from 0 to 1.",
                slit_ratio=obj.slit_ratio,
            )
        )
    if obj.custom_brightness and min(obj.brightnesses, default=0) < 0:
        yield Phrase("gives orders negative power: see brightnesses.")


def _with_orders_reflected(obj: Grating, by: Similarity) -> Grating:
    new: Grating = transform_fields(obj, by)
    if not by.is_mirrored:
        return new
    # the orders are listed as 0, 1, -1, 2, -2 ...: order m becomes -m
    orders = (
        [*obj.brightnesses, 0.0]
        if len(obj.brightnesses) % 2 == 0 and obj.brightnesses
        else list(obj.brightnesses)
    )
    orders[1::2], orders[2::2] = orders[2::2], orders[1::2]
    return dataclasses.replace(new, brightnesses=tuple(orders))


grating_row = partial(
    Row,
    fault=_grating_fault,
    remarks=_grating_remarks,
    transformed=_with_orders_reflected,
    not_shown=_hidden_fields,
    painter="grating",
)
ROWS = (
    grating_row(
        DiffractionGrating, family="Blockers", edges=outlines.line_edges,
        piece=lambda obj, edges: _grating_piece(obj, edges, mirrored=obj.mirrored, right=1.0),
        ends_geometry=lines_geometry, sample=sample.ENDS,
        icon=sample.numbered_points_fields(10, 2.5, 10, 17.5),
    ),
    grating_row(
        ConcaveDiffractionGrating, family="Mirrors", edges=outlines.arc_edges,
        piece=lambda obj, edges: _grating_piece(obj, edges, mirrored=True, right=-1.0),
        sample=sample.BULGED, icon=sample.numbered_points_fields(7, 3, 7, 17, 13, 10),
    ),
)  # fmt: skip
