"""New objects: which kinds a person can add, and what comes of a stroke of the mouse or of points that are clicked."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

from core.kinds.fields import fields_of
from core.kinds.kinds import KINDS
from core.kinds.object import SceneObject
from core.shapes.bezier import CurveNode
from core.shapes.point import Point, Vertex

FAMILIES: dict[str, tuple[str, ...]] = {
    "Light": ("Beam", "SingleRay", "PointSource", "AngleSource"),
    "Mirrors": (
        "Mirror", "ArcMirror", "ParabolicMirror", "CurveMirror", "CustomMirror", "ParamMirror", "IdealMirror", "BeamSplitter",
        "ConcaveDiffractionGrating",
    ),
    "Glass": (
        "Glass", "CircleGlass", "PlaneGlass", "SphericalLens", "IdealLens", "CurveGlass", "CustomGlass", "ParamGlass", "CircleGrinGlass",
        "GrinGlass", "CurveGrinGlass", "ParamGrinGlass",
    ),
    "Blockers": ("Blocker", "CircleBlocker", "Aperture", "DiffractionGrating", "CustomSurface", "CustomArcSurface", "CustomCurveSurface",
                 "CustomParamSurface"),
    "Measure": ("Detector", "Ruler", "Protractor", "TextLabel", "LineArrow", "CropBox"),
}  # fmt: skip
"""The kinds that can be added, by what they are for. Instances come from modules, handles and drawings from the web application."""
BULGE = 0.2
"""How far a new arc bends from its chord, as a share of the chord."""


def is_path(kind: str) -> bool:
    """Whether objects of a kind are made by clicking points one after the other."""
    return any(f.about.kind in ("path", "curve") for f in fields_of(KINDS[kind]) if f.required)


def is_place(kind: str) -> bool:
    """Whether a single click says all about where a new object is."""
    names = {f.name for f in fields_of(KINDS[kind]) if f.about.kind in ("point", "coordinate")}
    return not {"p1", "p2"} & names


def least_points(kind: str) -> int:
    """How many points a path or curve needs."""
    return 2 if kind in ("CurveMirror", "CustomCurveSurface") else 3


def from_stroke(kind: str, start: Point, end: Point) -> SceneObject:
    """A new object from where a stroke of the mouse began to where it ended, which is its size and direction."""
    dx, dy = end.x - start.x, end.y - start.y
    names = {f.name for f in fields_of(KINDS[kind])}
    required = {f.name for f in fields_of(KINDS[kind]) if f.required}
    values: dict[str, Any] = {}
    if "x" in required:
        values = {"x": end.x, "y": end.y}
    elif "origin" in names and "pieces" in names:
        values = {"origin": end}
    elif "p2" in names:
        values = {"p1": start, "p2": end} | ({"origin": start} if "origin" in names else {})
    if "p3" in required and "p4" in required:  # the rims of an opening
        values |= {"p3": Point(start.x + dx / 3, start.y + dy / 3), "p4": Point(end.x - dx / 3, end.y - dy / 3)}
    elif "p3" in required:
        values["p3"] = Point(start.x + dx / 2 - BULGE * dy, start.y + dy / 2 + BULGE * dx)
    elif "p4" in required:
        left, right = sorted((start.x, end.x))
        top, bottom = sorted((start.y, end.y))
        values |= {"p1": Point(left, top), "p4": Point(right, bottom)}
        values.pop("p2", None)
    if kind == "SphericalLens":
        length = math.hypot(dx, dy)
        sagitta = length - math.sqrt(length**2 - length**2 / 4)
        values["params"] = {"d": 2 * sagitta + 0.05 * length, "r1": length, "r2": -length}
    if kind == "TextLabel":
        values["text"] = "Text"
    return KINDS[kind](**values)


def from_points(kind: str, points: Sequence[Point]) -> SceneObject:
    """A new object with an outline or a curve through some points."""
    (field,) = (f for f in fields_of(KINDS[kind]) if f.about.kind in ("path", "curve") and f.required)
    if field.about.kind == "path":
        outline: dict[str, Any] = {field.name: tuple(Vertex(p.x, p.y) for p in points)}
        return _centred(KINDS[kind](**outline), points)
    closed = least_points(kind) == 3
    ends = [*points[1:], points[0]] if closed else points[1:]
    nodes = [CurveNode(a, _between(a, b, 1 / 3), _between(a, b, 2 / 3)) for a, b in zip(points, ends, strict=False)]
    curve: dict[str, Any] = {field.name: tuple(nodes if closed else [*nodes, CurveNode(points[-1])])}
    return _centred(KINDS[kind](**curve), points) if closed else KINDS[kind](**curve | {"is_closed": False})


def _centred(made: Any, points: Sequence[Point]) -> SceneObject:
    """The object with the origin of its formulas, if it has any, amid its points."""
    if not hasattr(made, "origin"):
        return made  # type: ignore[no-any-return]
    middle = Point(sum(p.x for p in points) / len(points), sum(p.y for p in points) / len(points))
    return dataclasses.replace(made, origin=middle)  # type: ignore[no-any-return]


def _between(a: Point, b: Point, share: float) -> Point:
    return Point(a.x + share * (b.x - a.x), a.y + share * (b.y - a.y))
