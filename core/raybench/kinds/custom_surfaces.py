"""Custom surfaces: formulas give the angle and power of each outgoing ray."""

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, NamedTuple

from raybench.formula import FormulaError, Program, compile_program, parse_latex
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.equations import curve_type_field, origin_field, pieces_field
from raybench.kinds.aspects.outlines import Edges
from raybench.kinds.aspects.pieces import Piece, piece_on_edges
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import (
    rewrite_field_formula,
    transform_between_directed_ends,
    transform_fields,
)
from raybench.kinds.fields import curve, described_field, flag, point
from raybench.kinds.object import InvalidObject, SceneObject, kind
from raybench.kinds.primitives import (
    CUSTOM_PROGRAM,
    CUSTOM_RAYS,
    CUSTOM_SPANS,
    CUSTOM_START,
    CUSTOM_SWEEP,
    ONE_SIDED,
    ORDERS,
    PROGRAMS,
    Surface,
)
from raybench.shapes.bezier import Bezier, Chain, CurveNode
from raybench.shapes.point import Point
from raybench.shapes.shape import Arc


class OutRayFormulas(NamedTuple):
    """One outgoing ray: its angle (rad) and the power of one polarisation, as formulas in LaTeX."""

    eqn_theta: str
    eqn_p: str


DEFAULT_OUT_RAYS = (
    OutRayFormulas(r"\theta_0", r"0.7\cdot P_0"),
    OutRayFormulas(r"\pi-\theta_0", "P_0-P_1"),
)
COMMON_VARIABLES = ("theta_0", "P_0", "lambda", "t", "n_0", "n_1", "p")
"""Variables of all formulas. Formulas may also use the angles and powers of previous rays, and that
of a power its own ray's angle.
"""
MAX_OUT_RAYS = 200


@kind
class CustomSurfaceBase(SceneObject):
    """A surface whose outgoing rays are given by formulas, evaluated separately for s and p
    polarisation.

    theta_0 is the angle of incidence, 0 along the normal. A ray is transmitted if |theta| < π/2; π
    - theta_0 is specular reflection. Without outgoing rays the surface absorbs.
    """

    merges_with_glass = True
    has_edge_table = True

    out_rays: tuple[OutRayFormulas, ...] = described_field(
        "out_rays", DEFAULT_OUT_RAYS, "Outgoing rays", help="Angle and power of each, as formulas."
    )
    two_sided: bool = flag(
        False,
        "Two-sided",
        help="Act on light from both sides, not only on what crosses from the right of p1-p2.",
    )

    def programs(self) -> tuple[Program, ...]:
        """The compiled formulas of the outgoing rays, see `compile_out_ray_formulas`."""
        return compile_out_ray_formulas(self.out_rays)


def compile_out_ray_formulas(out_rays: Sequence[OutRayFormulas]) -> tuple[Program, ...]:
    """Compile two programs for each outgoing ray: one for its angle and one for its power. Raises
    InvalidObject, which names the formula and the character.
    """
    if len(out_rays) > MAX_OUT_RAYS:
        raise InvalidObject(f"outRays has {len(out_rays)} rays. Give at most {MAX_OUT_RAYS}.")
    out: list[Program] = []
    for i, formula in enumerate(text for ray in out_rays for text in ray):
        where = f"outRays[{i // 2}].{('eqnTheta', 'eqnP')[i % 2]}"
        try:
            out.append(_compile_formula(formula, formula_variables(i)))
        except FormulaError as error:
            raise InvalidObject(f"{where}: {error}") from None
    return tuple(out)


def formula_variables(index: int) -> tuple[str, ...]:
    """The variables that formula number ``index`` may use. The formulas are ordered theta_1, P_1,
    theta_2, P_2 and so on.
    """
    return COMMON_VARIABLES + tuple(f"{('theta', 'P')[k % 2]}_{k // 2 + 1}" for k in range(index))


@lru_cache(maxsize=4096)
def _compile_formula(formula: str, variables: tuple[str, ...]) -> Program:
    return compile_program([parse_latex(formula, variables)], variables)


@kind
class CustomSurface(CustomSurfaceBase):
    """A straight custom surface; t runs from -1 at p1 to 1 at p2."""

    label = "Custom surface"

    p1: Point = point("First end", help="One end of the surface.")
    p2: Point = point("Second end", help="The other end of the surface.")


@kind
class CustomArcSurface(CustomSurfaceBase):
    """A custom surface in the form of a circular arc; t runs from -1 at p1 to 1 at p2, linearly in
    the angle.
    """

    label = "Custom arc surface"

    p1: Point = point("First end", help="One end of the arc.")
    p2: Point = point("Second end", help="The other end of the arc.")
    p3: Point = point("Point on the arc", help="A point on the arc, between its ends.")


@kind
class CustomCurveSurface(CustomSurfaceBase):
    """A custom surface in the form of a chain of cubic Bezier curves; t is the index of the curve
    plus its own parameter.
    """

    label = "Custom curve surface"

    points: tuple[CurveNode, ...] = curve("Curve", help="Nodes and control points in order.")
    is_closed: bool = flag(True, "Closed", help="Join the last node to the first.")


PLAIN_CIRCLE = (
    {
        "eqnX": r"50\cdot\cos(t)",
        "eqnY": r"50\cdot\sin(t)",
        "tMin": 0,
        "tMax": 6.283185307179586,
        "tStep": 0.01,
    },
)
"""The default curve of this kind, with the spelling that the format uses for it."""


@kind
class CustomParamSurface(CustomSurfaceBase):
    """A custom surface in the form of parametric curves x(t), y(t); t is the curves' parameter. A
    one-sided surface acts on light that crosses it from the right, seen along increasing t.
    """

    label = "Custom parametric surface"

    origin: Point = origin_field()
    pieces: Any = pieces_field(PLAIN_CIRCLE)
    curve_type: str = curve_type_field()


def _surface_piece(obj: CustomSurfaceBase, edges: Edges) -> Piece:
    return formula_piece(edges, obj.out_rays, two_sided=obj.two_sided)


def formula_piece(edges: Edges, out_rays: Sequence[OutRayFormulas], *, two_sided: bool) -> Piece:
    """A piece with a surface whose outgoing rays are given by formulas. Without outgoing rays the
    surface absorbs light. Raises InvalidObject.
    """
    shape = edges[0].shape
    parameters: dict[int, float] = {CUSTOM_RAYS: len(out_rays)}
    links: tuple[tuple[int, int], ...] = ((CUSTOM_PROGRAM, PROGRAMS),)
    if isinstance(shape, Arc):
        parameters |= {CUSTOM_START: shape.start, CUSTOM_SWEEP: shape.sweep}
    else:
        links += ((CUSTOM_SPANS, ORDERS),)
    return piece_on_edges(
        edges,
        Surface.CUSTOM if out_rays else Surface.ABSORB,
        0 if two_sided else ONE_SIDED,
        parameters,
        one_sided=not two_sided,
        links=links,
        orders=tuple(_parameter_spans(edges)),
        programs=compile_out_ray_formulas(out_rays),
        most_orders=(0.0, 2.0 * len(out_rays) - 1),
    )


def _parameter_spans(edges: Edges) -> Iterable[float]:
    """The values of the parameter t at both ends of each Bezier curve. For a curve without values
    of its own, t is the index of its edge.
    """
    for e in edges:
        if e.shape.length == 0:
            continue
        if isinstance(e.shape, Chain):
            yield from e.shape.spans.ravel().tolist()
        elif isinstance(e.shape, Bezier):
            yield from (float(e.index), e.index + 1.0)


def _formula_fault(obj: CustomSurfaceBase, edges: Edges) -> str:
    obj.programs()
    return ""


def _reflect_out_ray_formulas(
    obj: CustomSurfaceBase, backwards: Mapping[str, float]
) -> tuple[OutRayFormulas, ...]:
    """The formulas of a surface after a reflection: angles change their sign, and t is replaced by
    the linear form ``backwards``.
    """
    out = []
    for i, ray in enumerate(obj.out_rays):
        names = formula_variables(2 * i), formula_variables(2 * i + 1)
        replaced = {n: {n: -1.0} for n in names[1] if n.startswith("theta")} | {"t": backwards}
        theta = rewrite_field_formula(
            obj, f"outRays[{i}].eqnTheta", ray.eqn_theta, names[0], replaced, -1.0
        )
        out.append(
            OutRayFormulas(
                theta,
                rewrite_field_formula(obj, f"outRays[{i}].eqnP", ray.eqn_p, names[1], replaced),
            )
        )
    return tuple(out)


def _transform_arc_surface(obj: CustomArcSurface, by: Similarity) -> Any:
    shape = outlines.arc_edges(obj)[0].shape
    # the format defines t by increasing angle, so on an arc of the other sense t lies beyond the
    # arc's end
    return _transform_between_ends(
        obj,
        by,
        (
            4 * math.pi / (2 * math.pi + shape.sweep)
            if isinstance(shape, Arc) and shape.sweep < 0
            else 0.0
        ),
    )


def _transform_between_ends(obj: Any, by: Similarity, parameter_sum: float) -> Any:
    new = transform_between_directed_ends(obj, by)
    return (
        dataclasses.replace(
            new, out_rays=_reflect_out_ray_formulas(obj, {"t": -1.0, "": parameter_sum})
        )
        if by.is_mirrored
        else new
    )


def _transform_parametric_surface(obj: CustomParamSurface, by: Similarity) -> CustomParamSurface:
    new: CustomParamSurface = transform_fields(obj, by)
    return (
        dataclasses.replace(new, out_rays=_reflect_out_ray_formulas(obj, {"t": -1.0}))
        if by.is_mirrored
        else new
    )


def _transform_curve_surface(obj: CustomCurveSurface, by: Similarity) -> CustomCurveSurface:
    new: CustomCurveSurface = transform_fields(obj, by)
    if not by.is_mirrored:
        return new
    pieces = len(obj.points) if obj.is_closed else len(obj.points) - 1
    return dataclasses.replace(
        new,
        points=_reverse_nodes(new.points, closed=obj.is_closed),
        out_rays=_reflect_out_ray_formulas(obj, {"t": -1.0, "": float(pieces)}),
    )


def _reverse_nodes(nodes: tuple[CurveNode, ...], *, closed: bool) -> tuple[CurveNode, ...]:
    """The nodes of the same curve in reverse direction. A closed curve still starts at the same
    node.
    """
    n = len(nodes)
    if not n:
        return nodes
    order = [-i % n for i in range(n)] if closed else [n - 1 - i for i in range(n)]
    out = []
    for i in order:
        piece = nodes[i - 1] if closed or i > 0 else CurveNode(nodes[i].a1)
        out.append(CurveNode(nodes[i].a1, piece.c2, piece.c1))
    return tuple(out)


surface_row = partial(
    Row, family="Blockers", piece=_surface_piece, fault=_formula_fault, painter="custom surface"
)
ROWS = (
    surface_row(
        CustomSurface, edges=outlines.line_edges, sample=sample.ENDS,
        transformed=lambda obj, by: _transform_between_ends(obj, by, 0.0),
        icon=sample.numbered_points_fields(5, 16, 15, 4),
    ),
    surface_row(
        CustomArcSurface, edges=outlines.arc_edges, sample=sample.BULGED, transformed=_transform_arc_surface,
        icon=sample.numbered_points_fields(7, 3, 7, 17, 13, 10),
    ),
    surface_row(
        CustomCurveSurface, edges=outlines.stored_curve_edges, sample=sample.OPEN_CURVE,
        transformed=_transform_curve_surface, icon={"points": sample.BEAN_NODES},
    ),
    surface_row(
        CustomParamSurface, edges=outlines.parametric_edges, sample=sample.AT_ORIGIN,
        transformed=_transform_parametric_surface,
        icon={"origin": Point(10, 10), "pieces": sample.EGG_CURVE},
    ),
)  # fmt: skip
