"""Checks of several objects together: identical objects, equal names, coinciding surfaces between
which light cannot choose, and a glass with an index below that of vacuum.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import cast

import numpy as np

from raybench.errors import elide_text, in_quotes
from raybench.kinds.aspects.outlines import SMALLEST_INDEX
from raybench.kinds.custom_surfaces import CustomSurface
from raybench.kinds.detectors import Detector
from raybench.kinds.fields import described_fields
from raybench.kinds.glasses import GlassBody, HomogeneousGlass
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import Source
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes import Delete, Move, Set
from raybench.scene.free_names import free_names
from raybench.scene.hit_test import drawn_extent
from raybench.scene.materials import source_wavelengths
from raybench.scene.problems.problem import Problem, Remedy
from raybench.scene.scene import Scene
from raybench.shapes.shape import Line

MAX_PROBLEMS = 30
"""Maximum number of problems of one kind that are reported."""


def find_identical_objects(scene: Scene) -> Iterator[Problem]:
    """Find optical objects that are equal in everything but their names."""
    by_look: dict[tuple[object, ...], SceneObject] = {}
    reported = 0
    for obj in scene.objects:
        if (
            not obj.optical
            or isinstance(obj, UnreadObject)
            or (look := _comparable_fields(obj)) is None
        ):
            continue
        first = by_look.setdefault(look, obj)
        if first is not obj and reported < MAX_PROBLEMS:
            reported += 1
            remedy = Remedy(Phrase("Delete the second"), (Delete(obj.key),))
            yield Problem(
                obj.key,
                Phrase(
                    "{object} is the same as {name} and lies on it. Delete one of the two.",
                    object=obj.reference,
                    name=in_quotes(first.title),
                ),
                remedy,
            )


def find_same_names(scene: Scene) -> Iterator[Problem]:
    """Find objects with the same name, which a file may contain. Such a name cannot be used to
    refer to an object.
    """
    taken = {o.title for o in scene.objects}
    if len(taken) == len(scene.objects):
        return
    seen, reported = set[str](), 0
    for obj in scene.objects:
        if obj.title in seen and reported < MAX_PROBLEMS:
            reported += 1
            name = next(free_names(obj.title, taken, 2))
            taken.add(name)
            text = Phrase(
                "{object} has the name of another object, so that the name refers to neither. Rename"
                " one of the two.",
                object=obj.reference,
            )
            remedy = Remedy(
                Phrase("Name it {name}", name=in_quotes(elide_text(name, 40))),
                (Set(obj.key, {"name": name}),),
            )
            yield Problem(obj.key, text, None if isinstance(obj, UnreadObject) else remedy)
        seen.add(obj.title)


def _comparable_fields(obj: SceneObject) -> tuple[object, ...] | None:
    """The values of all fields of an object except its name and lock. None if the object cannot be
    compared.
    """
    if "look" not in obj.derived_values:
        fields = [f for f in described_fields(type(obj)) if f.name not in ("name", "locked")]
        values = [
            repr(v) if isinstance(v := getattr(obj, f.name), dict | list) else v for f in fields
        ]
        look: tuple[object, ...] | None = (type(obj), *values)
        try:
            hash(look)
        except TypeError:
            look = None
        obj.derived_values["look"] = look
    return cast("tuple[object, ...] | None", obj.derived_values["look"])


def find_coinciding_surfaces(scene: Scene) -> Iterator[Problem]:
    """Find straight surfaces that lie on each other, if it is not defined which of them acts on
    light.
    """
    merging = scene.settings.tolerances.interaction_merging * scene.settings.length_scale
    near = max(merging, 1e-250)  # by which any coordinate can be divided
    lines = defaultdict[tuple[int, int], list[tuple[float, float, SceneObject]]](list)
    surfaces = [o for o in scene.optical if not isinstance(o, Source)]
    for obj in (o for o in surfaces if not isinstance(o, GlassBody)):
        for bucket, low, high in _straight_surface_keys(obj, near):
            lines[bucket].append((low, high, obj))
    for obj in (
        (o for o in surfaces if isinstance(o, GlassBody)) if lines else ()
    ):  # glasses may lie on each other
        for bucket, low, high in _straight_surface_keys(obj, near):
            if bucket in lines:
                lines[bucket].append((low, high, obj))
    reported = set[tuple[int, int]]()
    waves = source_wavelengths(scene) if lines else ()
    for on_one_line in lines.values():
        for (_, first), (_, second) in _overlapping_pairs(on_one_line, near):
            pair = first.key, second.key
            if pair in reported or len(reported) >= MAX_PROBLEMS:
                continue
            if not _is_coincidence_ambiguous(first, second) or _act_on_different_light(
                first, second, waves
            ):
                continue
            reported.add(pair)
            text = Phrase(
                "{object} lies on {name}: which of them light meets is not defined. Move one of them.",
                object=second.reference,
                name=in_quotes(first.title),
            )
            yield Problem(
                scene.instance_key_of(second.key), text, _move_apart_remedy(scene, second)
            )


def _straight_surface_keys(
    obj: SceneObject, tolerance: float
) -> list[tuple[tuple[int, int], float, float]]:
    """The straight surfaces of an object, in the form that `_infinite_line_keys` returns."""
    cached: tuple[float, list[tuple[tuple[int, int], float, float]]] | None = (
        obj.derived_values.get("segments")
    )
    if cached is None or cached[0] != tolerance:
        edges = (e.shape for e in object_edges(obj) if type(e.shape) is Line and e.shape.length > 0)
        cached = obj.derived_values["segments"] = (
            tolerance,
            [found for line in edges for found in _infinite_line_keys(line, tolerance)],
        )
    return cached[1]


def _is_coincidence_ambiguous(first: SceneObject, second: SceneObject) -> bool:
    """Whether it is not defined which of two coinciding surfaces acts on light."""
    glasses = isinstance(first, GlassBody), isinstance(second, GlassBody)
    if (
        first is second
        or all(glasses)
        or isinstance(first, Detector)
        or isinstance(second, Detector)
    ):
        return False
    if type(first) is type(second):  # they do the same to light if they differ in their places only
        places = ("point", "coordinate", "points", "path", "curve")
        acting = (
            f.name
            for f in described_fields(type(first))
            if f.name not in ("name", "locked") and f.about.kind not in places
        )
        if all(getattr(first, name) == getattr(second, name) for name in acting):
            return False
    return not any(glasses) or not (first.merges_with_glass and second.merges_with_glass)


def _act_on_different_light(
    first: SceneObject, second: SceneObject, wavelengths: Sequence[float]
) -> bool:
    """Whether two surfaces never act on the same light: they act on opposite sides, or on different
    wavelengths among ``wavelengths``.
    """
    if isinstance(first, Filtered) and isinstance(second, Filtered) and wavelengths:
        return not any(
            _acts_on_wavelength(first, wave) and _acts_on_wavelength(second, wave)
            for wave in wavelengths
        )
    if not (isinstance(first, CustomSurface) and isinstance(second, CustomSurface)):
        return False
    (ax, ay), (bx, by) = np.subtract(first.p2, first.p1), np.subtract(second.p2, second.p1)
    return not (first.two_sided or second.two_sided) and ax * bx + ay * by < 0


def _acts_on_wavelength(obj: Filtered, wave: float) -> bool:
    return not obj.filter or (abs(obj.wavelength - wave) <= obj.bandwidth) != obj.invert


def _move_apart_remedy(scene: Scene, obj: SceneObject) -> Remedy | None:
    if scene.get(obj.key) is None:  # a part of an instance
        return None
    edge = next(e for e in object_edges(obj) if type(e.shape) is Line)
    dx, dy = edge.shape.b.x - edge.shape.a.x, edge.shape.b.y - edge.shape.a.y
    step = scene.settings.length_scale / math.hypot(dx, dy)
    return Remedy(
        Phrase("Move it by 1"), (Move(obj.key, dx=round(dy * step, 6), dy=round(-dx * step, 6)),)
    )


def _infinite_line_keys(
    line: Line, tolerance: float
) -> Iterator[tuple[tuple[int, int], float, float]]:
    """Yield keys of the infinite line on which the segment ``line`` lies, and the positions of the
    segment's ends along it. Segments on the same line have equal keys.
    """
    (ax, ay), (bx, by) = line.a, line.b
    ux, uy = (bx - ax) / line.length, (by - ay) / line.length
    if ux < -1e-12 or (abs(ux) <= 1e-12 and uy < 0):
        ux, uy = -ux, -uy
    low, high = sorted((ax * ux + ay * uy, bx * ux + by * uy))
    angle, offset = math.atan2(uy, ux) / 1e-7, (ax * uy - ay * ux) / (10 * tolerance)
    yield (round(angle), round(offset)), low, high


def _overlapping_pairs(
    segments: list[tuple[float, float, SceneObject]], near: float
) -> Iterator[tuple[tuple[float, SceneObject], tuple[float, SceneObject]]]:
    """Yield the pairs of segments, all on one line, that overlap by more than ``near``."""
    if len(segments) < 2:
        return
    open_: list[tuple[float, SceneObject]] = []
    for low, high, obj in sorted(segments, key=lambda s: s[0]):
        open_ = [(end, o) for end, o in open_ if end > low + near][:MAX_PROBLEMS]
        for end, other in open_:
            if min(end, high) - low > near:
                yield (end, other), (high, obj)
        open_.append((high, obj))


def find_index_below_vacuum(scene: Scene) -> Iterator[Problem]:
    """Find a glass with an index below 1 that is not inside another glass. Such an index is only
    useful for a bubble in glass, relative to the surrounding glass.
    """
    bodies = [o for o in scene.objects if isinstance(o, GlassBody)]
    reported = 0
    for obj in bodies:
        if (
            not isinstance(obj, HomogeneousGlass)
            or not SMALLEST_INDEX <= obj.ref_index < 1
            or reported >= MAX_PROBLEMS
        ):
            continue
        box = drawn_extent(scene, obj)
        if box is None or any(_may_contain_box(scene, o, box) for o in bodies if o is not obj):
            continue
        reported += 1
        inverse = float(f"{1 / obj.ref_index:.6g}")
        text = Phrase(
            "{object} is less dense than vacuum: refIndex is {ref_index:g}, and no glass is"
            " around it. Give 1 or more.",
            object=obj.reference,
            ref_index=obj.ref_index,
        )
        yield Problem(
            obj.key, text, Remedy(f"Set {inverse:g}", (Set(obj.key, {"refIndex": inverse}),))
        )


def _may_contain_box(scene: Scene, body: GlassBody, box: tuple[float, float, float, float]) -> bool:
    """Whether a glass body may contain a box: whether the bounding box of the body contains the
    centre of the box.
    """
    around = drawn_extent(scene, body)
    if around is None or kind_row_of(body).painter == "half-plane":
        return True
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return around[0] <= x <= around[2] and around[1] <= y <= around[3]
