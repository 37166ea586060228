"""Shared by objects with equations: their fields, the default curve, and the curves given by
equations.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, choice, data, described, number
from raybench.kinds.object import LARGEST, is_usable
from raybench.shapes.bezier import Chain
from raybench.shapes.point import Point

CURVE_TYPES = ("polygonal", "smoothNormal", "cubicBezier")
CURVE_TITLES = ("Polygonal", "Smooth", "Bezier")
PARAMETRIC_CIRCLE = (
    {
        "eqnX": "50\\cdot\\cos\\left(t\\right)",
        "eqnY": "50\\cdot\\sin\\left(t\\right)",
        "tMin": 0,
        "tMax": 6.283185307179586,
        "tStep": 0.01,
    },
)


def pieces(default: Sequence[Mapping[str, Any]] = PARAMETRIC_CIRCLE) -> Any:
    """The field of the parametric curves."""
    return data(default, "Pieces", help="eqnX, eqnY, tMin, tMax and tStep of each curve.")


def origin() -> Any:
    """The field of a point by which parametric curves are moved."""
    return described(
        "point", Point(0.0, 0.0), "Origin", unit=LENGTH, help="Added to every point of the curves."
    )


def curve_type() -> Any:
    """The field of how other programs interpolate normals."""
    about = "Kept for other programs; normals are exact."
    return choice(
        "smoothNormal", "Normals", CURVE_TYPES, titles=CURVE_TITLES, help=about, unused=True
    )


def curve_step_size() -> Any:
    """The field of the step with which other programs draw a graph."""
    return number(
        0.1000001, "Step", help="Kept for other programs; curves are followed exactly.", unused=True
    )


def graph_between(equation: str, p1: Point, p2: Point, name: str = "eqn") -> Chain:
    """The graph of an equation over the line from p1 (x = -1) to p2 (x = 1); positive y is to its
    left as seen.

    Raises CurveError, with the ``name`` of the property, if the equation gives no curve.
    """
    from raybench.shapes.formula_curve import CurveError, graph, place_chain

    dx, dy = (p2.x - p1.x) / 2, (p2.y - p1.y) / 2
    try:
        cubics = graph(equation)
    except RaybenchError as error:
        raise CurveError(f"{name}: {error}") from None
    chain = place_chain(Chain(cubics), ((p1.x + p2.x) / 2, (p1.y + p2.y) / 2), (dx, dy), (dy, -dx))
    if not is_usable(float(np.abs(chain.cubics).max())):
        raise CurveError(
            f"{name}: '{equation:.60}' reaches beyond {LARGEST:g}. Change the formula, or move the"
            " ends together."
        )
    return chain


def graphs_around(lower: str, upper: str, p1: Point, p2: Point) -> tuple[Chain, Chain]:
    """The graphs of two equations over the line from p1 to p2, the first below the second. Raises
    CurveError, naming the property.
    """
    from raybench.shapes.formula_curve import check_order

    graphs = graph_between(lower, p1, p2, "eqn1"), graph_between(upper, p1, p2, "eqn2")
    check_order(lower, upper)
    return graphs


def parametric_curves(pieces: Sequence[Mapping[str, Any]], origin: Point) -> tuple[Chain, ...]:
    """The curves of parametric equations, moved by ``origin``. Raises CurveError, naming the piece."""
    from raybench.shapes.formula_curve import CurveError, parametric, place_chain

    if isinstance(pieces, str) or not isinstance(pieces, Sequence):
        raise CurveError("pieces must be a list of curves, each with eqnX, eqnY, tMin and tMax.")
    out = []
    for i, piece in enumerate(pieces):
        try:
            first, last = float(piece["tMin"]), float(piece["tMax"])
            texts = str(piece["eqnX"]), str(piece["eqnY"])
        except (KeyError, TypeError, ValueError, OverflowError):
            raise CurveError(
                f"pieces[{i}] cannot be read. It needs the formulas eqnX and eqnY, and the numbers"
                " tMin and tMax."
            ) from None
        if not (math.isfinite(first) and math.isfinite(last) and first < last):
            raise CurveError(
                f"pieces[{i}] runs from t = {first:g} to {last:g}. Give tMin below tMax."
            )
        try:
            curve = parametric(*texts, first, last)
        except RaybenchError as error:
            raise CurveError(f"pieces[{i}]: {error}") from None
        out.append(place_chain(curve, origin, (1.0, 0.0), (0.0, 1.0)))
        if not is_usable(float(np.abs(out[-1].cubics).max())):
            raise CurveError(
                f"pieces[{i}] reaches beyond {LARGEST:g}. Change its formulas or its range."
            )
    return tuple(out)
