"""Mirrors: lines and curves that reflect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from core.kinds.equations import CURVE_TYPES, PARAMETRIC_CIRCLE
from core.kinds.fields import LENGTH, choice, curve, data, described, flag, number, point, string
from core.kinds.filters import Filtered
from core.shapes.bezier import CurveNode
from core.shapes.point import Point


@dataclass(frozen=True, kw_only=True)
class Reflector(Filtered):
    """A surface between two ends that reflects on both sides."""

    merges_with_glass: ClassVar[bool] = True

    p1: Point = point("First end", help="One end of the mirror.")
    p2: Point = point("Second end", help="The other end of the mirror.")


@dataclass(frozen=True, kw_only=True)
class Mirror(Reflector):
    """A flat mirror that reflects without loss on both sides."""

    label: ClassVar[str] = "Mirror"


@dataclass(frozen=True, kw_only=True)
class ArcMirror(Reflector):
    """A mirror in the form of a circular arc."""

    label: ClassVar[str] = "Arc mirror"

    p3: Point = point("On the arc", help="A point on the arc, between its ends.")


@dataclass(frozen=True, kw_only=True)
class ParabolicMirror(Reflector):
    """A mirror in the form of a parabola whose axis stands on the line between its ends."""

    label: ClassVar[str] = "Parabolic mirror"

    p3: Point = point("Vertex", help="The vertex of the parabola.")


@dataclass(frozen=True, kw_only=True)
class IdealMirror(Reflector):
    """A flat stand-in for a curved mirror that images perfectly: 1/s + 1/s' = 1/f for every ray (Hecht, section 5.4.3)."""

    label: ClassVar[str] = "Ideal mirror"

    focal_length: float = number(100.0, "Focal length", unit=LENGTH, help="Positive for a converging mirror.")


@dataclass(frozen=True, kw_only=True)
class BeamSplitter(Reflector):
    """A flat mirror that lets a share of the power through."""

    label: ClassVar[str] = "Beam splitter"
    merges_with_glass: ClassVar[bool] = False

    trans_ratio: float = number(0.5, "Transmission", low=0, high=1, help="The share of the power that goes through.")


@dataclass(frozen=True, kw_only=True)
class CurveMirror(Filtered):
    """A mirror in the form of a chain of cubic Bezier curves."""

    label: ClassVar[str] = "Curve mirror"
    merges_with_glass: ClassVar[bool] = True

    points: tuple[CurveNode, ...] = curve("Curve", help="Nodes and control points in order.")
    is_closed: bool = flag(True, "Closed", help="Join the last node to the first.")


@dataclass(frozen=True, kw_only=True)
class CustomMirror(Reflector):
    """A mirror in the form of a graph y = f(x), where its ends are at x = -1 and 1."""

    label: ClassVar[str] = "Equation mirror"

    eqn: str = string(
        "0.5\\cdot\\sqrt{1-x^2}", "f(x)", variables=("x",), help="LaTeX; y is up for ends from left to right, in half distances."
    )
    curve_step_size: float = number(0.1000001, "Step", help="Kept for other programs; the curve is followed exactly.")
    curve_type: str = choice("smoothNormal", "Normals", CURVE_TYPES, help="Kept for other programs; the normals are the curve's own.")


@dataclass(frozen=True, kw_only=True)
class ParamMirror(Filtered):
    """A mirror in the form of parametric curves x(t), y(t)."""

    label: ClassVar[str] = "Parametric mirror"
    merges_with_glass: ClassVar[bool] = True

    origin: Point = described("point", Point(0.0, 0.0), "Origin", unit=LENGTH, help="Added to every point of the curves.")
    pieces: Any = data(PARAMETRIC_CIRCLE, "Pieces", help="eqnX, eqnY, tMin, tMax and tStep of each curve.")
    curve_type: str = choice("smoothNormal", "Normals", CURVE_TYPES, help="Kept for other programs; the normals are the curve's own.")
