"""Gradient-index glasses: bodies whose refractive index varies with position, so that rays are
curved.
"""

import dataclasses
import math
from functools import lru_cache, partial
from typing import Any, ClassVar

import numpy as np

from raybench.arrays import Floats
from raybench.formula import FormulaError, Program, compile_program, derivative, parse_latex
from raybench.formula.arrays import evaluate_arrays
from raybench.kinds.aspects import outlines, sample
from raybench.kinds.aspects.equations import curve_type_field, pieces_field
from raybench.kinds.aspects.outlines import (
    Edges,
    edges_bounding_box,
    is_free_of_self_intersections,
    signed_area,
)
from raybench.kinds.aspects.pieces import Piece, piece_on_edges
from raybench.kinds.aspects.row import Row
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.aspects.transform import rewrite_field_formula, transform_fields
from raybench.kinds.fields import LENGTH, curve, described_field, flag, number, path, point, string
from raybench.kinds.glasses import GlassBody, outline_remarks
from raybench.kinds.object import InvalidObject, kind
from raybench.kinds.primitives import (
    BODIES,
    GLASS,
    GRADED,
    GRADED_BODY,
    GRADED_EXTENT,
    GRADED_PROGRAM,
    GRADED_X,
    GRADED_Y,
    PARTIAL,
    PROGRAMS,
    SIMPLE,
    Surface,
)
from raybench.optics.colour import GREEN
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex

INDEX_VARIABLES = ("x", "y", "lambda")
PEAKED_INDEX = r"1+e^{-\frac{x^2+y^2}{50^2}}"
WAVY_INDEX = r"1.1+0.1\cdot\cos\left(0.1\cdot y\right)"


def index_formula_field(default: str) -> Any:
    """The dataclass field with the refractive index as a formula."""
    about = "n of x and y (from the origin) and λ (nm; 540 without colours), in LaTeX."
    return string(default, "Refractive index", variables=INDEX_VARIABLES, help=about)


def tolerance_field(default: float) -> Any:
    """A dataclass field for the numerical tolerance that other programs use to find surfaces."""
    about = "Kept for the web application; here surfaces are met exactly."
    return number(default, "Tolerance", help=about, unused=True)


@kind
class GradedGlass(GlassBody):
    """A refracting body whose index and absorption coefficient are formulas of position and
    wavelength.

    Where such bodies overlap, their indices are multiplied and their absorption coefficients added.
    """

    refractive_fields: ClassVar[tuple[str, str]] = ("refIndexFn", "absorptionFn")

    ref_index_fn: str = index_formula_field(PEAKED_INDEX)
    absorption_fn: str = string(
        "0",
        "Absorption",
        unit="1/length",
        variables=INDEX_VARIABLES,
        help="Absorption coefficient of the power, a formula like that of the index.",
    )
    origin: Point = described_field(
        "point", Point(0.0, 0.0), "Origin", unit=LENGTH, help="Where x and y of the formulas are 0."
    )
    plot_fns: bool = flag(
        False,
        "Plot",
        help="Kept for the web application: it plots the formulas over the body.",
        unused=True,
    )
    step_size: float = number(
        1.0,
        "Step",
        unit=LENGTH,
        help="Kept for the web application; here the step size is adaptive.",
        unused=True,
    )
    intersect_tol: float = tolerance_field(0.001)

    partial_reflect: bool = flag(
        True,
        "Partial reflection",
        help="Split rays by Fresnel's equations instead of transmitting all.",
    )

    def index_at(self, points: Floats, wavelength: float | None) -> Floats:
        return self._evaluate_formula(self.ref_index_fn, points, wavelength)

    def absorption_at(self, points: Floats, wavelength: float | None) -> Floats:
        """The absorption coefficient (n,), per scene unit, at ``points`` (n, 2); NaN where the
        formula is undefined. ``wavelength`` is in nm.
        """
        return self._evaluate_formula(self.absorption_fn, points, wavelength)

    def _evaluate_formula(self, formula: str, points: Floats, wavelength: float | None) -> Floats:
        try:
            tree = parse_latex(formula, INDEX_VARIABLES)
            x, y = points[:, 0] - self.origin.x, points[:, 1] - self.origin.y
            light = np.full(len(points), GREEN if wavelength is None else wavelength)
            return evaluate_arrays([tree], dict(zip(INDEX_VARIABLES, (x, y, light), strict=True)))[
                0
            ]
        except FormulaError:
            return np.full(len(points), np.nan)

    def program(self) -> Program:
        """One compiled program for the index, its derivatives by x and y, and the absorption.
        Raises InvalidObject with the name of the formula and the wrong character.
        """
        for name, formula in zip(
            self.refractive_fields, (self.ref_index_fn, self.absorption_fn), strict=True
        ):
            try:
                _compile_formulas(formula, "0")
            except FormulaError as error:
                raise InvalidObject(f"{name}: {error}") from None
        return _compile_formulas(self.ref_index_fn, self.absorption_fn)


@lru_cache(maxsize=256)
def _compile_formulas(index: str, absorption: str) -> Program:
    n, alpha = parse_latex(index, INDEX_VARIABLES), parse_latex(absorption, INDEX_VARIABLES)
    return compile_program([n, derivative(n, "x"), derivative(n, "y"), alpha], INDEX_VARIABLES)


@kind
class CircleGrinGlass(GradedGlass):
    """A round gradient-index body, such as a Luneburg lens."""

    label = "Circle GRIN glass"

    p1: Point = point("Centre", help="Centre of the circle.")
    p2: Point = point("Rim point", help="A point on the circle.")


@kind
class GrinGlass(GradedGlass):
    """A gradient-index body bounded by straight edges and circular arcs, such as a GRIN rod."""

    label = "GRIN glass"

    path: tuple[Vertex, ...] = path(
        "Outline",
        help="Corners in order; a vertex marked arc bends the side between its neighbours.",
    )
    ref_index_fn: str = index_formula_field(WAVY_INDEX)


@kind
class CurveGrinGlass(GradedGlass):
    """A gradient-index body bounded by a closed chain of cubic Bezier curves."""

    label = "Curve GRIN glass"

    points: tuple[CurveNode, ...] = curve(
        "Curve", help="Nodes and control points in order; the last is joined to the first."
    )
    ref_index_fn: str = index_formula_field(WAVY_INDEX)
    intersect_tol: float = tolerance_field(0.05)


@kind
class ParamGrinGlass(GradedGlass):
    """A gradient-index body bounded by parametric curves, which are shifted by the field
    ``origin``.
    """

    label = "Parametric GRIN glass"

    pieces: Any = pieces_field()
    curve_type: str = curve_type_field()


def _graded_glass_piece(obj: GradedGlass, edges: Edges) -> Piece:
    return _make_graded_piece(obj, edges, simple=is_free_of_self_intersections(edges))


def _make_graded_piece(obj: GradedGlass, edges: Edges, *, simple: bool) -> Piece:
    left, top, right, bottom = edges_bounding_box(edges) or (0.0, 0.0, 0.0, 0.0)
    return piece_on_edges(
        edges,
        Surface.REFRACT,
        GLASS | GRADED | (SIMPLE if simple else 0) | (PARTIAL if obj.partial_reflect else 0),
        {
            GRADED_X: obj.origin.x,
            GRADED_Y: obj.origin.y,
            GRADED_EXTENT: max(right - left, bottom - top),
        },
        orientation=math.copysign(1.0, signed_area(edges)),
        links=((GRADED_PROGRAM, PROGRAMS), (GRADED_BODY, BODIES)),
        programs=(obj.program(),),
        graded=True,
    )


def _formula_fault(obj: GradedGlass, edges: Edges) -> str:
    obj.program()
    return ""


def _transform_graded_glass(obj: GradedGlass, by: Similarity) -> GradedGlass:
    new: GradedGlass = transform_fields(obj, by)
    if by.is_shift:
        return new
    a, b, c, d = by.inverse_matrix()
    before = {"x": {"x": a, "y": b}, "y": {"x": c, "y": d}}
    index = rewrite_field_formula(obj, "refIndexFn", obj.ref_index_fn, INDEX_VARIABLES, before)
    absorption = rewrite_field_formula(
        obj, "absorptionFn", obj.absorption_fn, INDEX_VARIABLES, before, 1.0 / by.scale
    )
    return dataclasses.replace(new, ref_index_fn=index, absorption_fn=absorption)


graded_row = partial(
    Row,
    family="Glass",
    fault=_formula_fault,
    remarks=outline_remarks,
    transformed=_transform_graded_glass,
    painter="body",
)
ROWS = (
    graded_row(
        CircleGrinGlass, edges=outlines.circle_edges,
        piece=lambda obj, edges: _make_graded_piece(obj, edges, simple=True),
        sample=sample.drag_sample(lambda centre, rim: {"p1": centre, "p2": rim, "origin": centre}),
        centre="p1", icon=sample.numbered_points_fields(10, 10, 17, 10),
    ),
    graded_row(
        GrinGlass, edges=outlines.stored_path_edges, piece=_graded_glass_piece,
        sample=sample.points_sample(3, lambda corners: sample.closed_path_field(corners) | sample.origin_field_at_mean(corners)),
        icon={"path": (Vertex(3, 6), Vertex(17, 6), Vertex(17, 14), Vertex(3, 14))},
    ),
    graded_row(
        CurveGrinGlass, edges=outlines.stored_closed_curve_edges, piece=_graded_glass_piece,
        sample=sample.points_sample(3, lambda nodes: sample.closed_chain_fields(nodes) | sample.origin_field_at_mean(nodes)),
        icon={"points": sample.BEAN_NODES},
    ),
    graded_row(
        ParamGrinGlass, edges=outlines.parametric_edges, piece=_graded_glass_piece,
        sample=sample.AT_ORIGIN, icon={"origin": Point(10, 10), "pieces": sample.EGG_CURVE},
    ),
)  # fmt: skip
