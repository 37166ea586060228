"""Surfaces whose light is given by formulas: for each outgoing ray an angle and a power."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from core.formula import FormulaError, Program, compile_program, parse_latex
from core.kinds.equations import CURVE_TYPES
from core.kinds.fields import LENGTH, choice, curve, data, described, flag, point
from core.kinds.object import InvalidObject, SceneObject
from core.shapes.bezier import CurveNode
from core.shapes.point import Point


class OutRay(NamedTuple):
    """One outgoing ray: its angle (rad) and the power of one polarisation, as formulas in LaTeX."""

    eqn_theta: str
    eqn_p: str


DEFAULT_OUT_RAYS = (OutRay(r"\theta_0", r"0.7\cdot P_0"), OutRay(r"\pi-\theta_0", "P_0-P_1"))
KNOWN = ("theta_0", "P_0", "lambda", "t", "n_0", "n_1", "p")
"""What every formula knows; those of the k-th ray know the angles and powers of the rays before it too, and its power its angle."""
MOST_OUT_RAYS = 200


@dataclass(frozen=True, kw_only=True)
class CustomSurfaceBase(SceneObject):
    """A surface that sends on what its formulas say, for s and p polarisation apart.

    theta_0 is the angle of incidence, 0 along the normal; a ray leaves to the other side where |theta| < π/2, and π - theta_0 is a
    mirror's reflection. Without any outgoing ray the surface absorbs.
    """

    merges_with_glass: ClassVar[bool] = True

    out_rays: tuple[OutRay, ...] = described("out_rays", DEFAULT_OUT_RAYS, "Outgoing rays", help="Angle and power of each, as formulas.")
    two_sided: bool = flag(False, "Two-sided", help="Act on light from both sides, not only on what crosses from the right of p1-p2.")

    def programs(self) -> tuple[Program, ...]:
        """Two programs for each outgoing ray, for its angle and its power. Raises InvalidObject naming the formula and the character."""
        if len(self.out_rays) > MOST_OUT_RAYS:
            raise InvalidObject(f"outRays has {len(self.out_rays)} rays. Give at most {MOST_OUT_RAYS}.")
        out: list[Program] = []
        for i, formula in enumerate(text for ray in self.out_rays for text in ray):
            where = f"outRays[{i // 2}].{('eqnTheta', 'eqnP')[i % 2]}"
            try:
                out.append(_program(formula, known_by(i)))
            except FormulaError as error:
                raise InvalidObject(f"{where}: {error}") from None
        return tuple(out)


def known_by(place: int) -> tuple[str, ...]:
    """The variables of the formula with this place in the order theta_1, P_1, theta_2, P_2 and so on."""
    return KNOWN + tuple(f"{('theta', 'P')[k % 2]}_{k // 2 + 1}" for k in range(place))


@lru_cache(maxsize=4096)
def _program(formula: str, variables: tuple[str, ...]) -> Program:
    return compile_program([parse_latex(formula, variables)], variables)


@dataclass(frozen=True, kw_only=True)
class CustomSurface(CustomSurfaceBase):
    """A straight custom surface; t runs from -1 at p1 to 1 at p2."""

    label: ClassVar[str] = "Custom surface"

    p1: Point = point("First end", help="One end of the surface.")
    p2: Point = point("Second end", help="The other end of the surface.")


@dataclass(frozen=True, kw_only=True)
class CustomArcSurface(CustomSurfaceBase):
    """A custom surface in the form of a circular arc; t runs from -1 at p1 to 1 at p2, linearly in the angle."""

    label: ClassVar[str] = "Custom arc surface"

    p1: Point = point("First end", help="One end of the arc.")
    p2: Point = point("Second end", help="The other end of the arc.")
    p3: Point = point("On the arc", help="A point on the arc, between its ends.")


@dataclass(frozen=True, kw_only=True)
class CustomCurveSurface(CustomSurfaceBase):
    """A custom surface in the form of a chain of cubic Bezier curves; t is the number of the piece plus the curve's own parameter."""

    label: ClassVar[str] = "Custom curve surface"

    points: tuple[CurveNode, ...] = curve("Curve", help="Nodes and control points in order.")
    is_closed: bool = flag(True, "Closed", help="Join the last node to the first.")


PLAIN_CIRCLE = ({"eqnX": r"50\cdot\cos(t)", "eqnY": r"50\cdot\sin(t)", "tMin": 0, "tMax": 6.283185307179586, "tStep": 0.01},)
"""The default curve of this kind, which the format spells in its own way."""


@dataclass(frozen=True, kw_only=True)
class CustomParamSurface(CustomSurfaceBase):
    """A custom surface in the form of parametric curves x(t), y(t); t is the curves' own, and a one-sided one acts on what crosses it
    from the right of growing t."""

    label: ClassVar[str] = "Custom parametric surface"

    origin: Point = described("point", Point(0.0, 0.0), "Origin", unit=LENGTH, help="Added to every point of the curves.")
    pieces: Any = data(PLAIN_CIRCLE, "Pieces", help="eqnX, eqnY, tMin, tMax and tStep of each curve.")
    curve_type: str = choice("smoothNormal", "Normals", CURVE_TYPES, help="Kept for other programs; the normals are the curves' own.")
