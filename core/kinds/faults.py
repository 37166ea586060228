"""What is wrong with an object that can be read: why light does not meet it, or what about it no real thing has."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from core.errors import RaybenchError
from core.kinds.custom_surfaces import CustomCurveSurface, CustomSurfaceBase
from core.kinds.decorations import Drawing
from core.kinds.detectors import MOST_BINS, Detector
from core.kinds.glasses import GlassBody, HomogeneousGlass, ParamGlass, PlaneGlass, SphericalLens
from core.kinds.gratings import Grating
from core.kinds.grin import GradedGlass
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import BeamSplitter, CurveMirror, IdealMirror
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, edges_from_formulas, edges_of, signed_area
from core.kinds.sources import AngleSource, Beam, PointSource, SingleRay

SMALLEST_INDEX = 1e-9
TOUCHING = 1e-6
"""Ends of outlines that are nearer to each other than this, in scene units, are taken for closed."""


def fault_of(obj: SceneObject) -> str:
    """Why an object has no effect on light, and what to do about it, as the end of a sentence that begins with it; empty for others."""
    if not obj.optical:
        return ""
    try:
        edges = edges_from_formulas(obj) or edges_of(obj)
        if isinstance(obj, CustomSurfaceBase):
            obj.programs()
        elif isinstance(obj, GradedGlass):
            obj.program()
    except RaybenchError as error:
        return f"has no effect: {error}"
    if isinstance(obj, PlaneGlass | SingleRay | SphericalLens):
        in_one_point = obj.p1 is not None and obj.p1 == obj.p2
    else:
        in_one_point = bool(edges) and all(e.shape.length == 0 for e in edges)
    if in_one_point:
        return "has no effect: it lies in one point. Move its ends apart."
    if isinstance(obj, SphericalLens) and not edges and obj.outline(simulate_colors=True) is None:
        return "has no outline: no lens fits its definition. Give a thickness, and radii that reach from rim to rim."
    if isinstance(obj, CurveMirror | CustomCurveSurface) and not edges:
        return f"has no outline: its curve has {len(obj.points)} nodes. Give at least 2."
    if hasattr(obj, "pieces") and not edges:
        return "has no outline: it has no pieces. Give at least one."
    if isinstance(obj, Grating) and not obj.line_density > 0:
        return f"has no effect: lineDensity is {obj.line_density:g}. Give a number of lines above 0."
    if isinstance(obj, AngleSource | Beam) and obj.emis_angle < 0:
        return f"emits nothing: emisAngle is {obj.emis_angle:g}. Give an angle of 0° or more."
    return ""


def remarks_on(obj: SceneObject) -> Iterator[str]:
    """What about an object no real thing has, and what comes of it, as ends of sentences that begin with it."""
    for kind, is_odd, remark in _ODD:
        if isinstance(obj, kind) and is_odd(obj):
            yield remark.format(o=obj)
    if isinstance(obj, GlassBody) and not isinstance(obj, PlaneGlass):
        edges = edges_of(obj)
        if (gap := _gap(edges)) > TOUCHING:
            yield f"does not close: its outline has a gap of {gap:.3g}, so that inside and outside are not told apart. Close it."
        elif edges and _encloses_nothing(edges):
            yield "encloses no area: its sides lie on each other. Move its points apart."
        elif isinstance(obj, ParamGlass) and signed_area(edges) < 0:
            yield (
                "runs counter-clockwise as seen, so light takes its inside for its outside. "
                "Write -t for t in its formulas, and change tMin and tMax accordingly."
            )


def _gap(edges: tuple[Edge, ...]) -> float:
    """The widest gap between an edge of a closed outline and the next."""
    following = (*edges[1:], *edges[:1])
    return max((math.dist(e.shape.b, f.shape.a) for e, f in zip(edges, following, strict=True)), default=0.0)


def _encloses_nothing(edges: tuple[Edge, ...]) -> bool:
    """Whether no point lies inside an outline, by the rule of odd crossings."""
    points = [p for e in edges for p in e.shape.points()[:-1]]
    extent = max(max(p[i] for p in points) - min(p[i] for p in points) for i in (0, 1))
    if abs(signed_area(edges)) > 1e-12 * extent**2:
        return False
    if len(points) < 3 or not extent:
        return True
    from shapely import Polygon, make_valid

    return bool(make_valid(Polygon(points)).area <= 1e-12 * extent**2)


def _bins(detector: Detector) -> float:
    return math.dist(detector.p1, detector.p2) / detector.bin_size if detector.bin_size > 0 else math.inf


_ODD: tuple[tuple[type[SceneObject] | tuple[type[SceneObject], ...], Callable[[Any], bool], str], ...] = (
    ((IdealLens, IdealMirror), lambda o: o.focal_length == 0, "ends all light: focalLength is 0. Give it another."),
    (
        HomogeneousGlass,
        lambda o: abs(o.ref_index) < SMALLEST_INDEX,
        "ends light at its surface: refIndex is {o.ref_index:g}. Give another index.",
    ),
    (
        BeamSplitter,
        lambda o: not 0 <= o.trans_ratio <= 1,
        "makes or takes power: transRatio is {o.trans_ratio:g}, where a share lies from 0 to 1.",
    ),
    (
        Grating,
        lambda o: not 0 <= o.slit_ratio <= 1,
        "has slits that none can have: slitRatio is {o.slit_ratio:g}, where a share lies from 0 to 1.",
    ),
    (Grating, lambda o: o.custom_brightness and min(o.brightnesses, default=0) < 0, "gives orders less than no power: see brightnesses."),
    (
        Detector,
        lambda o: o.irrad_map and _bins(o) > MOST_BINS,
        f"has no irradiance map: binSize is {{o.bin_size:g}}, which does not give 1 to {MOST_BINS:,} bins.",
    ),
    ((SingleRay, PointSource, AngleSource, Beam), lambda o: o.brightness < 0, "emits less than no power: brightness is {o.brightness:g}."),
    (
        (SingleRay, PointSource, AngleSource, Beam),
        lambda o: not o.wavelength > 0,
        "has no colour: wavelength is {o.wavelength:g} nm, which must be above 0 where colours are simulated.",
    ),
    (Drawing, lambda o: sum(len(line) for line in o.lines) == 0, "has nothing to draw: its strokes hold no points."),
    (AngleSource, lambda o: o.p1 == o.p2, "has no direction, since both its points are one; it emits to the right."),
    (
        (AngleSource, Beam),
        lambda o: o.emis_angle > 360,
        "emits in some directions more than once: emisAngle is {o.emis_angle:g}°, more than a full turn.",
    ),
)
"""Kinds, what is odd about one of them, and the remark."""
