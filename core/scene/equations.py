"""What objects with equations share: the kinds of curves, the default curve, and the curves that their equations describe."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from core.errors import RaybenchError
from core.scene.chain import Chain
from core.scene.point import Point

CURVE_TYPES = ("polygonal", "smoothNormal", "cubicBezier")
PARAMETRIC_CIRCLE = (
    {
        "eqnX": "50\\cdot\\cos\\left(t\\right)",
        "eqnY": "50\\cdot\\sin\\left(t\\right)",
        "tMin": 0,
        "tMax": 6.283185307179586,
        "tStep": 0.01,
    },
)


def graph_between(equation: str, p1: Point, p2: Point) -> Chain:
    """The graph of an equation over the line from p1 (x = -1) to p2 (x = 1); y is to the left of it as seen.

    Raises FormulaError or CurveError where the equation gives none.
    """
    from core.scene.formula_curve import graph, placed

    dx, dy = (p2.x - p1.x) / 2, (p2.y - p1.y) / 2
    return placed(Chain(graph(equation)), ((p1.x + p2.x) / 2, (p1.y + p2.y) / 2), (dx, dy), (dy, -dx))


def graphs_around(lower: str, upper: str, p1: Point, p2: Point) -> tuple[Chain, Chain]:
    """The graphs of two equations over the line from p1 to p2, the first below the second. Raises FormulaError or CurveError."""
    from core.scene.formula_curve import check_order

    graphs = graph_between(lower, p1, p2), graph_between(upper, p1, p2)
    check_order(lower, upper)
    return graphs


def parametric_curves(pieces: Sequence[Mapping[str, Any]], origin: Point) -> tuple[Chain, ...]:
    """The curves of parametric equations, moved by ``origin``. Raises FormulaError or CurveError, naming the piece."""
    from core.scene.formula_curve import CurveError, parametric, placed

    out = []
    for i, piece in enumerate(pieces):
        try:
            first, last = float(piece["tMin"]), float(piece["tMax"])
            texts = str(piece["eqnX"]), str(piece["eqnY"])
        except (KeyError, TypeError, ValueError) as error:
            raise CurveError(f"pieces[{i}] cannot be read ({error!r}). It needs eqnX, eqnY, tMin and tMax.") from None
        if not (math.isfinite(first) and math.isfinite(last) and first < last):
            raise CurveError(f"pieces[{i}] runs from t = {first:g} to {last:g}. Give tMin below tMax.")
        try:
            curve = parametric(*texts, first, last)
        except RaybenchError as error:
            raise CurveError(f"pieces[{i}]: {error}") from None
        out.append(placed(curve, origin, (1.0, 0.0), (0.0, 1.0)))
    return tuple(out)
