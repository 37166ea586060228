"""Transformation of objects by similarities, such that the traced light is transformed with them.

Lengths scale with the object and quantities per length scale inversely; powers, refractive indices,
wavelengths and lines per millimetre stay. A reflection keeps the sides of an object: if the order
of two ends determines which side is which, they are swapped. `by_fields` reads all that the
descriptions of fields say; a kind for which they do not say enough names another function in its
row.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from raybench.formula import FormulaError
from raybench.kinds.fields import LENGTH, as_number, fields_of
from raybench.kinds.object import SceneObject
from raybench.kinds.rows.formulas import combined, rewritten
from raybench.kinds.rows.similarity import Similarity
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex

REFLECTED_X = {"x": {"x": -1.0}}
REFLECTED_T = {"t": {"t": -1.0}}


def by_fields(obj: Any, by: Similarity) -> Any:
    """The object with its points mapped and its lengths scaled."""
    changes: dict[str, Any] = {}
    for f in fields_of(type(obj)):
        kind, value = f.about.kind, getattr(obj, f.name)
        if value is None:
            continue
        if kind == "point":
            changes[f.name] = by.point(value)
        elif kind == "path":
            changes[f.name] = tuple(Vertex(*by.point(v.point), v.arc) for v in value)
        elif kind == "points":
            changes[f.name] = tuple(by.point(p) for p in value)
        elif kind == "curve":
            changes[f.name] = tuple(CurveNode(*(p and by.point(p) for p in node)) for node in value)
        elif kind == "coordinate":
            changes[f.name] = getattr(by.point(Point(obj.x, obj.y)), f.name)
        elif kind == "number" and f.about.unit == LENGTH and f.about.scales:
            changes[f.name] = by.length(value)
    return dataclasses.replace(obj, **changes)


def with_sides(obj: Any, by: Similarity) -> Any:
    """Transform an object whose ends' order determines its sides: a reflection swaps the ends."""
    new = by_fields(obj, by)
    return dataclasses.replace(new, p1=new.p2, p2=new.p1) if by.mirrored else new


def rewritten_in(obj: SceneObject, name: str, *args: Any) -> str:
    """Apply `rewritten` to a formula of an object. Raises InvalidObject if the formula is invalid."""
    try:
        return rewritten(*args)
    except FormulaError as error:
        raise obj.invalid(
            name, f"cannot be transformed with its object: {error} Correct the formula first"
        ) from None


def parametric(obj: Any, by: Similarity) -> Any:
    """Transform an object bounded by parametric curves."""
    new = by_fields(obj, by)
    return new if by.is_shift else dataclasses.replace(new, pieces=transformed_pieces(obj, by))


def transformed_pieces(obj: Any, by: Similarity) -> Any:
    """Transform parametric curves about their origin; reflected ones are reversed, to keep their
    sides with respect to increasing t.
    """
    if not isinstance(obj.pieces, list | tuple) or not all(
        isinstance(p, Mapping) for p in obj.pieces
    ):
        raise obj.invalid(
            "pieces", "cannot be read. Give a list of curves, each with eqnX, eqnY, tMin and tMax"
        )
    replaced = REFLECTED_T if by.mirrored else {}
    out = []
    for i, piece in enumerate(obj.pieces):
        x, y = str(piece.get("eqnX", "")), str(piece.get("eqnY", ""))
        try:
            new = {
                **piece,
                "eqnX": combined(((by.a, x), (by.b, y)), ("t",), replaced),
                "eqnY": combined(((by.c, x), (by.d, y)), ("t",), replaced),
            }
        except FormulaError as error:
            raise obj.invalid(
                f"pieces[{i}]",
                f"cannot be transformed with its object: {error} Correct the formula first",
            ) from None
        if by.mirrored:
            first, last = as_number(piece.get("tMin")), as_number(piece.get("tMax"))
            if first is None or last is None:
                raise obj.invalid(f"pieces[{i}]", "has no numbers tMin and tMax. Give both")
            new |= {"tMin": -last or 0.0, "tMax": -first or 0.0}
        out.append(new)
    return tuple(reversed(out) if by.mirrored else out)
