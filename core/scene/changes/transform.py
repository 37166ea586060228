"""Similarity transformations of objects, such that the traced light is transformed with them.

Lengths scale with the object and quantities per length scale inversely; powers, refractive indices, wavelengths and lines per millimetre
stay. A reflection keeps the sides of an object: if the order of two ends determines which side is which, they are swapped. Kinds can
register their own function with ``transformed.register``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping
from functools import singledispatch
from typing import Any

from core.formula import FormulaError
from core.kinds.curved_glasses import CustomGlass, ParamGlass
from core.kinds.custom_surfaces import (
    CustomArcSurface,
    CustomCurveSurface,
    CustomParamSurface,
    CustomSurface,
    CustomSurfaceBase,
    OutRay,
    formula_variables,
)
from core.kinds.decorations import CropBox, Drawing, Handle, Ruler, TextLabel
from core.kinds.detectors import Detector
from core.kinds.fields import LENGTH, fields_of
from core.kinds.glasses import PlaneGlass
from core.kinds.gratings import Grating
from core.kinds.grin import VARIABLES, GradedGlass, ParamGrinGlass
from core.kinds.lenses import LENS_PARAMETERS, SphericalLens
from core.kinds.mirrors import CustomMirror, ParamMirror
from core.kinds.object import SceneObject
from core.kinds.outline import edges_of
from core.kinds.sources import AngleSource, Beam
from core.kinds.unread import Unread
from core.scene.changes.formulas import combined, rewritten
from core.scene.changes.similarity import Similarity
from core.scene.modules.module import as_number
from core.shapes.bezier import CurveNode
from core.shapes.point import Point, Vertex
from core.shapes.shape import Arc

REFLECTED_X = {"x": {"x": -1.0}}
REFLECTED_T = {"t": {"t": -1.0}}


@singledispatch
def transformed(obj: SceneObject, by: Similarity) -> SceneObject:
    """The object transformed by a similarity. Raises InvalidObject, with its name and the remedy, if that is impossible."""
    return by_fields(obj, by)  # type: ignore[no-any-return]


def by_fields(obj: Any, by: Similarity, keep: Collection[str] = ()) -> Any:
    """The object with its points mapped and its lengths scaled, except for the fields to ``keep``."""
    changes: dict[str, Any] = {}
    scale = by.scale
    for f in fields_of(type(obj)):
        kind, value = f.about.kind, getattr(obj, f.name)
        if value is None or f.name in keep:
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
        elif kind == "number" and f.about.unit == LENGTH and scale != 1:
            changes[f.name] = value * scale
    return dataclasses.replace(obj, **changes)


@transformed.register
def _unread(obj: Unread, by: Similarity) -> SceneObject:
    raise obj.invalid("its position", f"is unknown, since it cannot be read: {obj.reason} Leave it out")


@transformed.register(Detector)
@transformed.register(Beam)
@transformed.register(PlaneGlass)
def with_sides(obj: Any, by: Similarity) -> Any:
    """Transform an object whose ends' order determines its sides: a reflection swaps the ends."""
    new = by_fields(obj, by)
    return dataclasses.replace(new, p1=new.p2, p2=new.p1) if by.mirrored else new


@transformed.register
def _angle_source(obj: AngleSource, by: Similarity) -> SceneObject:
    new: AngleSource = by_fields(obj, by)
    if not by.mirrored or obj.symmetric:
        return new
    # the fan lies clockwise of its direction, so the reflected fan starts at the image of its end
    return dataclasses.replace(new, p2=Similarity.rotation(obj.emis_angle, new.p1).point(new.p2))


@transformed.register
def _lens(obj: SphericalLens, by: Similarity) -> SceneObject:
    new: SphericalLens = by_fields(obj, by)
    if isinstance(obj.params, Mapping) and by.scale != 1:
        lengths = {n: v * by.scale for n in LENS_PARAMETERS[obj.def_by] if (v := as_number(obj.params.get(n))) is not None}
        new = dataclasses.replace(new, params={**obj.params, **lengths})
    if by.mirrored:
        rims = (4, 3, 2, 1, 0, 5)
        new = dataclasses.replace(new, p1=new.p2, p2=new.p1, path=new.path and tuple(new.path[i] for i in rims))
    return new


@transformed.register
def _grating(obj: Grating, by: Similarity) -> SceneObject:
    new: Grating = by_fields(obj, by)
    if not by.mirrored:
        return new
    # the orders are listed as 0, 1, -1, 2, -2 ...: order m becomes -m
    orders = [*obj.brightnesses, 0.0] if len(obj.brightnesses) % 2 == 0 and obj.brightnesses else list(obj.brightnesses)
    orders[1::2], orders[2::2] = orders[2::2], orders[1::2]
    return dataclasses.replace(new, brightnesses=tuple(orders))


# --- formulas


def _formula(obj: SceneObject, name: str, *args: Any) -> str:
    """Apply `rewritten` to a formula of an object. Raises InvalidObject if the formula is invalid."""
    try:
        return rewritten(*args)
    except FormulaError as error:
        raise obj.invalid(name, f"cannot be transformed with its object: {error} Correct the formula first") from None


@transformed.register
def _equation_mirror(obj: CustomMirror, by: Similarity) -> SceneObject:
    new: CustomMirror = with_sides(obj, by)
    return dataclasses.replace(new, eqn=_formula(obj, "eqn", obj.eqn, ("x",), REFLECTED_X)) if by.mirrored else new


@transformed.register
def _equation_glass(obj: CustomGlass, by: Similarity) -> SceneObject:
    new: CustomGlass = with_sides(obj, by)
    if not by.mirrored:
        return new
    lower, upper = (_formula(obj, n, text, ("x",), REFLECTED_X) for n, text in (("eqn1", obj.eqn1), ("eqn2", obj.eqn2)))
    return dataclasses.replace(new, eqn1=lower, eqn2=upper)


@transformed.register(ParamMirror)
@transformed.register(ParamGlass)
def _parametric(obj: Any, by: Similarity) -> Any:
    new = by_fields(obj, by)
    return new if by.is_shift else dataclasses.replace(new, pieces=_pieces(obj, by))


def _pieces(obj: Any, by: Similarity) -> Any:
    """Transform parametric curves about their origin; reflected ones are reversed, to keep their sides with respect to increasing t."""
    if not isinstance(obj.pieces, list | tuple) or not all(isinstance(p, Mapping) for p in obj.pieces):
        raise obj.invalid("pieces", "cannot be read. Give a list of curves, each with eqnX, eqnY, tMin and tMax")
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
            raise obj.invalid(f"pieces[{i}]", f"cannot be transformed with its object: {error} Correct the formula first") from None
        if by.mirrored:
            first, last = as_number(piece.get("tMin")), as_number(piece.get("tMax"))
            if first is None or last is None:
                raise obj.invalid(f"pieces[{i}]", "has no numbers tMin and tMax. Give both")
            new |= {"tMin": -last or 0.0, "tMax": -first or 0.0}
        out.append(new)
    return tuple(reversed(out) if by.mirrored else out)


@transformed.register
def _graded(obj: GradedGlass, by: Similarity) -> SceneObject:
    new: GradedGlass = by_fields(obj, by)
    if by.is_shift:
        return new
    a, b, c, d = by.inverse_matrix()
    before = {"x": {"x": a, "y": b}, "y": {"x": c, "y": d}}
    index = _formula(obj, "refIndexFn", obj.ref_index_fn, VARIABLES, before)
    absorption = _formula(obj, "absorptionFn", obj.absorption_fn, VARIABLES, before, 1.0 / by.scale)
    new = dataclasses.replace(new, ref_index_fn=index, absorption_fn=absorption)
    return dataclasses.replace(new, pieces=_pieces(obj, by)) if isinstance(new, ParamGrinGlass) else new


def _out_rays(obj: CustomSurfaceBase, backwards: Mapping[str, float]) -> tuple[OutRay, ...]:
    """The formulas of a reflected surface: angles change sign, and t is replaced by the linear form ``backwards``."""
    out = []
    for i, ray in enumerate(obj.out_rays):
        names = formula_variables(2 * i), formula_variables(2 * i + 1)
        replaced = {n: {n: -1.0} for n in names[1] if n.startswith("theta")} | {"t": backwards}
        theta = _formula(obj, f"outRays[{i}].eqnTheta", ray.eqn_theta, names[0], replaced, -1.0)
        out.append(OutRay(theta, _formula(obj, f"outRays[{i}].eqnP", ray.eqn_p, names[1], replaced)))
    return tuple(out)


@transformed.register(CustomSurface)
@transformed.register(CustomArcSurface)
def _custom_line(obj: Any, by: Similarity) -> Any:
    new = with_sides(obj, by)
    if not by.mirrored:
        return new
    shape = edges_of(obj)[0].shape
    # the format defines t by increasing angle, so on an arc of the other sense t lies beyond the arc's end
    beyond = 4 * math.pi / (2 * math.pi + shape.sweep) if isinstance(shape, Arc) and shape.sweep < 0 else 0.0
    return dataclasses.replace(new, out_rays=_out_rays(obj, {"t": -1.0, "": beyond}))


@transformed.register
def _custom_parametric(obj: CustomParamSurface, by: Similarity) -> SceneObject:
    new: CustomParamSurface = _parametric(obj, by)
    return dataclasses.replace(new, out_rays=_out_rays(obj, {"t": -1.0})) if by.mirrored else new


@transformed.register
def _custom_curve(obj: CustomCurveSurface, by: Similarity) -> SceneObject:
    new: CustomCurveSurface = by_fields(obj, by)
    if not by.mirrored:
        return new
    pieces = len(obj.points) if obj.is_closed else len(obj.points) - 1
    return dataclasses.replace(
        new, points=_backwards(new.points, closed=obj.is_closed), out_rays=_out_rays(obj, {"t": -1.0, "": float(pieces)})
    )


def _backwards(nodes: tuple[CurveNode, ...], *, closed: bool) -> tuple[CurveNode, ...]:
    """The same curve reversed; a closed one starts at the same node."""
    n = len(nodes)
    if not n:
        return nodes
    order = [-i % n for i in range(n)] if closed else [n - 1 - i for i in range(n)]
    out = []
    for i in order:
        piece = nodes[i - 1] if closed or i > 0 else CurveNode(nodes[i].a1)
        out.append(CurveNode(nodes[i].a1, piece.c2, piece.c1))
    return tuple(out)


# --- decorations


@transformed.register
def _text(obj: TextLabel, by: Similarity) -> SceneObject:
    new: TextLabel = by_fields(obj, by)
    if by.is_shift:
        return new
    if not by.mirrored:
        turned = by.angle(0.0)
        angle = obj.angle + turned
        return dataclasses.replace(new, angle=angle if abs(angle) <= 360 else math.remainder(angle, 360.0))
    # text stays readable: it follows the reflected baseline, reversed if necessary
    along = by.angle(obj.angle)
    against = math.remainder(along + 180.0, 360.0)
    if abs(along) <= abs(against):
        return dataclasses.replace(new, angle=along)
    alignment = {"left": "right", "right": "left"}.get(obj.alignment, obj.alignment)
    return dataclasses.replace(new, angle=against, alignment=alignment)


@transformed.register
def _drawing(obj: Drawing, by: Similarity) -> SceneObject:
    strokes = tuple([c for p in line for c in by.point(p)] for line in obj.lines)
    return dataclasses.replace(obj, strokes=strokes)


@transformed.register
def _crop_box(obj: CropBox, by: Similarity) -> SceneObject:
    if not by.keeps_axes:
        raise obj.invalid("its frame", "must stay parallel to the axes. Leave it out, or rotate by a multiple of 90°")
    a, b = by.point(obj.p1), by.point(obj.p4)
    return dataclasses.replace(obj, p1=Point(min(a.x, b.x), min(a.y, b.y)), p4=Point(max(a.x, b.x), max(a.y, b.y)))


@transformed.register
def _ruler(obj: Ruler, by: Similarity) -> SceneObject:
    return by_fields(obj, by, keep=("scale_interval",))  # type: ignore[no-any-return]


@transformed.register
def _handle(obj: Handle, by: Similarity) -> SceneObject:
    return by_fields(obj, by, keep=("move_step",))  # type: ignore[no-any-return]
