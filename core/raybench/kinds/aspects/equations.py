"""Fields, a default curve and curves that objects with equations share."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, choice_field, data, described_field, number
from raybench.kinds.object import MAX_NUMBER, has_usable_numbers
from raybench.shapes.bezier import Chain
from raybench.shapes.point import Point

CURVE_TYPES = ("polygonal", "smoothNormal", "cubicBezier")
CURVE_TITLES = ("Polygonal", "Smooth", "Bezier")
T_STEP = 0.01
"""The step of a parametric curve that gives none."""
PARAMETRIC_CIRCLE = (
    {
        "eqnX": "50\\cdot\\cos\\left(t\\right)",
        "eqnY": "50\\cdot\\sin\\left(t\\right)",
        "tMin": 0,
        "tMax": 6.283185307179586,
        "tStep": T_STEP,
    },
)


def pieces_field(default: Sequence[Mapping[str, Any]] = PARAMETRIC_CIRCLE) -> Any:
    """A dataclass field for the pieces of a parametric curve."""
    return data(default, "Pieces", help="eqnX, eqnY, tMin, tMax and tStep of each curve.")


def origin_field() -> Any:
    """A dataclass field for the point by which parametric curves are shifted."""
    return described_field(
        "point", Point(0.0, 0.0), "Origin", unit=LENGTH, help="Added to every point of the curves."
    )


def curve_type_field() -> Any:
    """A dataclass field that says whether light meets the exact curves, or polygons that
    approximate them.
    """
    about = "Polygonal: straight from step to step. The others are followed exactly."
    return choice_field("smoothNormal", "Curve type", CURVE_TYPES, titles=CURVE_TITLES, help=about)


def step_size_field() -> Any:
    """A dataclass field for the step with which a graph is sampled."""
    about = (
        "Distance of the corners of a polygonal graph, in its line's direction, whatever the length"
        " scale of the scene."
    )
    return number(0.1000001, "Step", unit=LENGTH, low=0, help=about)


def polygon_step(obj: Any) -> float | None:
    """The step with which a graph is sampled if it is traced as a polygon; None if it is traced
    exactly.
    """
    return float(obj.curve_step_size) if obj.curve_type == "polygonal" else None


def graph_between(
    equation: str,
    p1: Point,
    p2: Point,
    name: str = "eqn",
    *,
    step: float | None = None,
    from_right: bool = False,
) -> Chain:
    """The graph of an equation over the line from ``p1`` (x = -1) to ``p2`` (x = 1). Positive y is
    to the left of this line on screen. With a ``step`` the graph is a polygon with corners at this
    distance, starting at ``p1``, or at ``p2`` with ``from_right``.

    Raises CurveError, with the ``name`` of the property, if the equation gives no curve.
    """
    from raybench.shapes.formula_curve import (
        CurveError,
        graph_cubics,
        graph_polygon,
        transform_chain,
    )

    dx, dy = (p2.x - p1.x) / 2, (p2.y - p1.y) / 2
    try:
        if step is None or p1 == p2:
            cubics = graph_cubics(equation)
        else:
            cubics = graph_polygon(equation, step / math.hypot(dx, dy), from_right=from_right)
    except RaybenchError as error:
        raise CurveError(f"{name}: {error}") from None
    chain = transform_chain(
        Chain(cubics), ((p1.x + p2.x) / 2, (p1.y + p2.y) / 2), (dx, dy), (dy, -dx)
    )
    if not has_usable_numbers(float(np.abs(chain.cubics).max())):
        raise CurveError(
            f"{name}: '{equation:.60}' reaches beyond {MAX_NUMBER:g}. Change the formula, or move"
            " the ends together."
        )
    return chain


def lower_and_upper_graphs(
    lower: str, upper: str, p1: Point, p2: Point, step: float | None
) -> tuple[Chain, Chain]:
    """The graphs of the equations ``lower`` and ``upper`` over the line from ``p1`` to ``p2``, see
    `graph_between`. Raises CurveError with the name of the wrong property.
    """
    from raybench.shapes.formula_curve import check_graph_order

    graphs = (
        graph_between(lower, p1, p2, "eqn1", step=step),
        graph_between(upper, p1, p2, "eqn2", step=step, from_right=True),
    )
    check_graph_order(lower, upper)
    return graphs


def parametric_curves(
    pieces: Sequence[Mapping[str, Any]], origin: Point, *, polygonal: bool = False
) -> tuple[Chain, ...]:
    """The curves of parametric equations, shifted by ``origin``, or polygons that approximate them.
    Raises CurveError with the index of the wrong piece.
    """
    from raybench.shapes.formula_curve import (
        CurveError,
        parametric_curve,
        parametric_polygon,
        transform_chain,
    )

    if isinstance(pieces, str) or not isinstance(pieces, Sequence):
        raise CurveError("pieces must be a list of curves, each with eqnX, eqnY, tMin and tMax.")
    out = []
    for i, piece in enumerate(pieces):
        try:
            first, last = float(piece["tMin"]), float(piece["tMax"])
            texts = str(piece["eqnX"]), str(piece["eqnY"])
            step = float(piece.get("tStep", T_STEP)) if polygonal else 0.0
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
            if polygonal:
                curve = parametric_polygon(*texts, first, last, step)
            else:
                curve = parametric_curve(*texts, first, last)
        except RaybenchError as error:
            raise CurveError(f"pieces[{i}]: {error}") from None
        out.append(transform_chain(curve, origin, (1.0, 0.0), (0.0, 1.0)))
        if not has_usable_numbers(float(np.abs(out[-1].cubics).max())):
            raise CurveError(
                f"pieces[{i}] reaches beyond {MAX_NUMBER:g}. Change its formulas or its range."
            )
    return tuple(out)
