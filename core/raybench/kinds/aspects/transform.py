"""Transformation of objects by similarities. The traced light is transformed in the same way.

Lengths scale with the object and quantities per length scale inversely; powers, refractive indices,
wavelengths and lines per millimetre stay. A reflection keeps the sides of an object: if the order
of two ends determines which side is which, they are swapped. `transform_fields` follows the
descriptions of the fields; a kind for which this is not enough has another function in its row.
"""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from raybench.formula import FormulaError, Node, number_node, parse_latex, to_latex, variable_node
from raybench.formula.tree import (
    check_tree_size,
    distinct_nodes,
    node_with_arguments,
    operation_node,
)
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.fields import LENGTH, as_number, described_fields
from raybench.kinds.object import SceneObject
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point, Vertex

Linear = dict[Node | None, float]
"""A linear form: coefficients of trees that are not sums themselves; the key None is the constant
term.
"""
_EVEN = ("cos", "cosh", "abs")


def rewrite_formula(
    text: str,
    variables: Collection[str],
    replaced: Mapping[str, Mapping[str, float]],
    factor: float = 1.0,
) -> str:
    """Multiply a formula in LaTeX by ``factor``, and replace its variables by linear combinations
    of variables, such as ``{"x": {"x": 0.6, "y": 0.8}}``. The variable "" is the constant 1. The
    text is returned unchanged if the formula stays the same. Raises FormulaError.
    """
    return combine_formulas(((factor, text),), variables, replaced)


def combine_formulas(
    terms: Sequence[tuple[float, str]],
    variables: Collection[str],
    replaced: Mapping[str, Mapping[str, float]] | None = None,
) -> str:
    """The sum of formulas in LaTeX, each multiplied by a number. Variables are replaced as by
    `rewrite_formula`.
    """
    forms = {
        name: {variable_node(v) if v else None: c for v, c in form.items() if c}
        for name, form in (replaced or {}).items()
    }
    trees = [(factor, parse_latex(text, variables)) for factor, text in terms if factor]
    total: Linear = {}
    for factor, tree in trees:
        total = _add_forms(total, _scale_form(_linear_form(tree, forms), factor))
    for (_, text), (_, tree) in zip([t for t in terms if t[0]], trees, strict=True):
        if len(trees) == 1 and _linear_form(tree, {}) == total:
            return text
    return to_latex(check_tree_size(_form_as_tree(total)))


def _linear_form(root: Node, replaced: Mapping[str, Linear]) -> Linear:
    """A syntax tree as a linear combination of terms, with its variables replaced."""
    forms: dict[bytes, Linear] = {}
    for node in distinct_nodes(root):
        args = [forms[a.key] for a in node.args]
        forms[node.key] = _linear_form_of_node(node, args, replaced)
    return forms[root.key]


def _linear_form_of_node(node: Node, args: list[Linear], replaced: Mapping[str, Linear]) -> Linear:
    match node.op:
        case "number" if node.finite:
            return {None: node.value} if node.value else {}
        case "variable" if node.name in replaced:
            return replaced[node.name]
        case "neg":
            return _scale_form(args[0], -1.0)
        case "add":
            return _add_forms(args[0], args[1])
        case "sub":
            return _add_forms(args[0], _scale_form(args[1], -1.0))
        case "mul" if _is_constant(args[0]):
            return _scale_form(args[1], args[0].get(None, 0.0))
        case "mul" if _is_constant(args[1]):
            return _scale_form(args[0], args[1].get(None, 0.0))
        case "div" if _is_constant(args[1]) and args[1].get(None, 0.0):
            return {k: v / args[1][None] for k, v in args[0].items()}
    if node.op in _EVEN or (
        node.op == "pow" and _is_constant(args[1]) and args[1].get(None, 0.0) % 2 == 0
    ):
        args[0] = _with_positive_coefficient(args[0])
    new = node_with_arguments(node, tuple(_form_as_tree(a) for a in args))
    return {None: new.value} if new.op == "number" and new.finite else {new: 1.0}


def _is_constant(form: Linear) -> bool:
    return all(k is None for k in form)


def _with_positive_coefficient(form: Linear) -> Linear:
    """The linear form, negated if its first coefficient is negative. Even functions have the same
    value for both forms.
    """
    lead = min((k for k in form if k is not None), key=lambda k: k.key, default=None)
    return _scale_form(form, -1.0) if form.get(lead, 0.0) < 0 else form


def _add_forms(first: Linear, second: Linear) -> Linear:
    out = dict(first)
    for k, v in second.items():
        total = out.get(k, 0.0) + v
        if abs(total) <= 1e-15 * abs(v):  # the terms cancel except for rounding
            out.pop(k, None)
        else:
            out[k] = _round_near_integer(total)
    return out


def _scale_form(form: Linear, factor: float) -> Linear:
    return {k: _round_near_integer(v * factor) for k, v in form.items()} if factor else {}


def _round_near_integer(value: float) -> float:
    """The value, rounded if it differs from an integer only by rounding errors."""
    whole = round(value) if abs(value) < 1e15 else 0
    return float(whole) if whole and abs(value - whole) <= 4e-15 * abs(whole) else value


def _form_as_tree(form: Linear) -> Node:
    """A linear form as a syntax tree: the terms in a fixed order, then the constant."""
    total: Node | None = None
    for atom in sorted((k for k in form if k is not None), key=lambda k: k.key):
        factor = form[atom]
        term = atom if abs(factor) == 1 else operation_node("mul", number_node(abs(factor)), atom)
        if total is None:
            total = term if factor > 0 else operation_node("neg", term)
        else:
            total = operation_node("add" if factor > 0 else "sub", total, term)
    constant = number_node(form.get(None, 0.0))
    return constant if total is None else operation_node("add", total, constant)


def transform_fields(obj: Any, by: Similarity) -> Any:
    """The object with its points and parametric curves transformed, and its lengths scaled."""
    changes: dict[str, Any] = {}
    for f in described_fields(type(obj)):
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
        elif f.name == "pieces" and not by.is_shift:
            changes[f.name] = _transformed_pieces(obj, by)
    return dataclasses.replace(obj, **changes)


def transform_between_directed_ends(obj: Any, by: Similarity) -> Any:
    """Transform an object whose sides depend on the order of its ends. A reflection swaps the ends,
    and with them left and right in the formulas of graphs.
    """
    new = transform_fields(obj, by)
    if not by.is_mirrored:
        return new
    graphs = {
        f.name: rewrite_field_formula(
            obj, f.json_name, getattr(obj, f.name), ("x",), {"x": {"x": -1.0}}
        )
        for f in described_fields(type(obj))
        if f.about.variables == ("x",)
    }
    return dataclasses.replace(new, p1=new.p2, p2=new.p1, **graphs)


def rewrite_field_formula(obj: SceneObject, field_name: str, *args: Any) -> str:
    """Apply `rewrite_formula` to the formula in the field ``field_name`` of an object. Raises
    InvalidObject if the formula is invalid.
    """
    try:
        return rewrite_formula(*args)
    except FormulaError as error:
        raise obj.invalid_error(
            field_name, f"cannot be transformed with its object: {error} Correct the formula first"
        ) from None


def _transformed_pieces(obj: Any, by: Similarity) -> Any:
    """The pieces of parametric curves, transformed about their origin. A reflection reverses the
    curves, so that each side stays on the left or right of increasing t.
    """
    if not isinstance(obj.pieces, list | tuple) or not all(
        isinstance(p, Mapping) for p in obj.pieces
    ):
        raise obj.invalid_error(
            "pieces", "cannot be read. Give a list of curves, each with eqnX, eqnY, tMin and tMax"
        )
    replaced = {"t": {"t": -1.0}} if by.is_mirrored else {}
    out = []
    for i, piece in enumerate(obj.pieces):
        x, y = str(piece.get("eqnX", "")), str(piece.get("eqnY", ""))
        try:
            new = {
                **piece,
                "eqnX": combine_formulas(((by.a, x), (by.b, y)), ("t",), replaced),
                "eqnY": combine_formulas(((by.c, x), (by.d, y)), ("t",), replaced),
            }
        except FormulaError as error:
            raise obj.invalid_error(
                f"pieces[{i}]",
                f"cannot be transformed with its object: {error} Correct the formula first",
            ) from None
        if by.is_mirrored:
            first, last = as_number(piece.get("tMin")), as_number(piece.get("tMax"))
            if first is None or last is None:
                raise obj.invalid_error(f"pieces[{i}]", "has no numbers tMin and tMax. Give both")
            new |= {"tMin": -last or 0.0, "tMax": -first or 0.0}
        out.append(new)
    return tuple(reversed(out) if by.is_mirrored else out)
