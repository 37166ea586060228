"""Labels of an object's edges by the compass direction that they face on the canvas. N is up.

An edge of a body faces along the outward normal at its middle. Its label is the nearest point of a
compass rose with 4, 8, 12 or 16 points: the smallest rose in which every edge is within 30° of its
point and no two edges have the same point. If there is no such rose, the rose with the most
distinct points is used, and edges with the same point are numbered. A single closed curve is a
``Rim``. An open line or curve, such as a mirror, a detector or a grating, is a ``Face`` with two
sides, which are named by the compass points that they face.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeVar

from raybench.errors import RaybenchError, elide_text, in_quotes
from raybench.kinds.aspects.outlines import (
    Edge,
    has_inside,
    is_free_of_self_intersections,
    signed_area,
)
from raybench.kinds.glasses import GlassBody
from raybench.kinds.object import SceneObject
from raybench.kinds.outline import object_edges
from raybench.scene.control_points import control_points
from raybench.scene.hit_test import is_inside
from raybench.shapes.curves import left_normal_at_parameter, point_at_parameter
from raybench.shapes.point import Point
from raybench.shapes.shape import FullLine, Shape

_ROSE = {
    4: ("E", "N", "W", "S"),
    8: ("E", "NE", "N", "NW", "W", "SW", "S", "SE"),
    12: ("E", "ENE", "NNE", "N", "NNW", "WNW", "W", "WSW", "SSW", "S", "SSE", "ESE"),
    16: (
        "E",
        "ENE",
        "NE",
        "NNE",
        "N",
        "NNW",
        "NW",
        "WNW",
        "W",
        "WSW",
        "SW",
        "SSW",
        "S",
        "SSE",
        "SE",
        "ESE",
    ),
}
_POINT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}
_BEARINGS = {point: 22.5 * k for k, point in enumerate(_ROSE[16])}
MAX_LABEL_ANGLE, MAX_POINT_ANGLE = 30.0, 45.0
"""Maximum degrees between an edge and the compass point of its label, and between an edge and
another compass point that refers to it.
"""
MOST_CROSSED = 100
"""Above this number of edges, the orientation of an outline decides where its edges face even if it
crosses itself.
"""
SAME_END = 1e-9
"""Tolerance for ends of edges that are the same point, relative to their coordinates."""
NO_LABELS: Mapping[int, str] = MappingProxyType({})
Normal = tuple[float, float]
Annotation = TypeVar("Annotation")


class UnknownEdge(RaybenchError):
    """A label matches no edge, or more than one."""


@dataclass(frozen=True, slots=True)
class LabelledEdge:
    """An edge with its labels: ``short``, such as ``N`` or ``N2``; ``long``, such as ``North
    Edge``; and ``user_label``, the label given by the user, or empty.

    ``normal`` is the unit normal at the middle of the edge, y down: outward for the edge of a body;
    for an open line or curve to the left, on screen, of the direction from its first to its second
    end. ``sides`` are the compass points that the two sides of an open line or curve face, first
    the side of the normal; empty for the edge of a body. ``side`` is 1 if a label selected only the
    side of the normal, -1 for the opposite side, else 0.
    """

    edge: Edge
    short: str
    long: str
    user_label: str = ""
    normal: Normal = (0.0, 0.0)
    sides: tuple[str, str] | tuple[()] = ()
    side: int = 0

    @property
    def index(self) -> int:
        return self.edge.index

    @property
    def title(self) -> str:
        return self.user_label or self.short

    @property
    def reference(self) -> str:
        """The text by which messages refer to the edge: its short label, or the user's label in
        quotes.
        """
        return in_quotes(self.user_label) if self.user_label else self.short

    def sides_facing(self, degrees: float) -> tuple[int, ...]:
        """The sides of the edge that face within 45° of a direction, which is counter-clockwise on
        screen. Sides are numbered as in ``side``; the edge of a body has only the side 0.
        """
        normals = (
            {1: _vector_bearing(self.normal), -1: _vector_bearing(self.normal) + 180}
            if self.sides
            else {0: _vector_bearing(self.normal)}
        )
        return tuple(
            side
            for side, angle in normals.items()
            if abs((angle - degrees + 180) % 360 - 180) <= MAX_POINT_ANGLE + 1e-6
        )


def labelled_edges(
    obj: SceneObject, user_labels: Mapping[int, str] = NO_LABELS
) -> tuple[LabelledEdge, ...]:
    """The edges of an object with their unique labels. ``user_labels`` are the user's labels by
    edge index.
    """
    edges = object_edges(obj)
    if not (isinstance(obj, GlassBody) or has_inside(edges)):
        return _face_labels(edges, user_labels)
    normals = _outward_normals(edges)
    if len(edges) == 1 and not isinstance(edges[0].shape, FullLine):
        return (LabelledEdge(edges[0], "Rim", "Rim", user_labels.get(0, ""), normals[0]),)
    numbers = _numbered_labels(_nearest_compass_points([_vector_bearing(n) for n in normals]))
    return tuple(
        LabelledEdge(
            edge,
            point + number,
            f"{_compass_words(point)} Edge {number}".rstrip(),
            user_labels.get(edge.index, ""),
            normal,
        )
        for edge, normal, (point, number) in zip(edges, normals, numbers, strict=True)
    )


def _face_labels(edges: Sequence[Edge], user_labels: Mapping[int, str]) -> tuple[LabelledEdge, ...]:
    """The edges of open lines and curves, which have two sides, with their labels."""
    out = []
    for edge, (face, number) in zip(edges, _numbered_labels(["Face"] * len(edges)), strict=True):
        normal = _middle_normal(edge.shape)
        ahead, behind = _nearest_compass_points(
            [_vector_bearing(normal), _vector_bearing(normal) + 180]
        )
        out.append(
            LabelledEdge(
                edge,
                face + number,
                f"{face} {number}".rstrip(),
                user_labels.get(edge.index, ""),
                normal,
                (ahead, behind),
            )
        )
    return tuple(out)


def find_edge_by_label(
    obj: SceneObject, label: str, user_labels: Mapping[int, str] = NO_LABELS
) -> LabelledEdge:
    """The edge with the label ``label``: the edge's index, the user's label, its short or long
    label, or a compass point.

    Case matters only for labels that differ by nothing else. A compass point that is not a label
    means the only edge that faces within 45° of it; for an open line or curve it selects one side.
    Raises UnknownEdge, listing the existing labels if none matches, or the candidates if a compass
    point matches several.
    """
    edges = labelled_edges(obj, user_labels)
    if not edges:
        raise UnknownEdge(f"{in_quotes(obj.title)} has no edges.")
    if label.isdecimal():
        matches = [e for e in edges if str(e.index) == label.lstrip("0").zfill(1)]
    else:
        matches = _find_edges_by_label(edges, label, str) or edges_facing(edges, label)
        matches = (
            matches
            or _find_edges_by_label(edges, label, str.casefold)
            or edges_facing(edges, label.title() if " " in label else label.upper())
        )
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UnknownEdge(
            f"Ambiguous edge {in_quotes(label)} of {in_quotes(obj.title)}: it could be"
            f" {[e.short for e in matches]}. Give one of these."
        )
    available = [
        elide_text(label)
        for label in dict.fromkeys(label for e in edges for label in (e.title, *e.sides))
    ]
    indices = [str(e.index) for e in edges]
    raise UnknownEdge(
        f"No edge matching {in_quotes(label)}. Available labels: {available} An edge can also be"
        f" given by its index: {indices}"
    )


def duplicate_labels(user_labels: Mapping[int, str]) -> list[str]:
    """The labels that the user has given to several edges of one object."""
    return [label for label, count in Counter(user_labels.values()).items() if count > 1]


def update_edge_annotations(
    old: SceneObject, new: SceneObject, annotations: Mapping[int, Annotation]
) -> Mapping[int, Annotation]:
    """The user's labels, or other annotations, by edge index after the object ``old`` was changed
    to ``new``.

    They keep their indices, unless the number of corners or edges has changed. In this case an
    annotation is assigned to the edge with the same ends (if there are several, to the one with the
    nearest middle), or dropped if there is none.
    """
    if all(len(counted(old)) == len(counted(new)) for counted in (control_points, object_edges)):
        return annotations
    kept = {}
    for edge in object_edges(old):
        same = [e for e in object_edges(new) if _have_same_ends(e.shape, edge.shape)]
        if edge.index in annotations and same:
            kept[
                min(same, key=lambda e: math.dist(e.shape.midpoint, edge.shape.midpoint)).index
            ] = annotations[edge.index]
    return kept


def _have_same_ends(one: Shape, other: Shape) -> bool:
    near = SAME_END * (1 + sum(map(abs, (*other.a, *other.b))))
    return any(
        math.dist(one.a, a) <= near and math.dist(one.b, b) <= near
        for a, b in ((other.a, other.b), (other.b, other.a))
    )


def _find_edges_by_label(
    edges: Sequence[LabelledEdge], label: str, spelled: Callable[[str], str]
) -> list[LabelledEdge]:
    """The edges with a matching user label; without any, the edges with a matching built-in label;
    without any, the edges with a built-in label that matches without its number. ``spelled``
    normalises labels before they are compared.
    """
    if not label:
        return []
    wanted = spelled(label)
    by_user = [e for e in edges if e.user_label and spelled(e.user_label) == wanted]
    by_label = by_user or [e for e in edges if wanted in (spelled(e.short), spelled(e.long))]
    return by_label or [
        e
        for e in edges
        if wanted in (spelled(e.short.rstrip("0123456789")), spelled(e.long.rstrip(" 0123456789")))
    ]


def edges_facing(edges: Sequence[LabelledEdge], label: str) -> list[LabelledEdge]:
    """The edges and sides that face a compass point (such as N, North or North Edge) within 45°.
    Empty if ``label`` is not a compass point.

    The compass point that is the name of a side selects only this side.
    """
    point = _compass_letters(label)
    if point not in _BEARINGS:
        return []
    named = [
        replace(e, side=s)
        for e in edges
        for s, name in zip((1, -1), e.sides, strict=False)
        if name == point
    ]
    return named or [replace(e, side=s) for e in edges for s in e.sides_facing(_BEARINGS[point])]


PARAMETERS_FROM_MIDDLE = (0.5, *(0.5 + sign * k / 200 for k in range(1, 101) for sign in (1, -1)))
"""Parameters of a curve, from its middle to its ends."""


def _middle_normal(shape: Shape) -> Normal:
    """The left normal at the middle of a curve. If the derivative is 0 there, as for x = t³, a
    point next to the middle is used. (0, 0) for a shape of zero length.
    """
    return next(
        (
            n
            for u in PARAMETERS_FROM_MIDDLE
            if (n := left_normal_at_parameter(shape, u)) != (0.0, 0.0)
        ),
        (0.0, 0.0),
    )


def _outward_normals(edges: Sequence[Edge]) -> list[Normal]:
    """The outward unit normals at the middles of a body's edges. A half-plane is to the right of
    its line.
    """
    normals = [_middle_normal(e.shape) for e in edges]
    if not edges or isinstance(edges[0].shape, FullLine):
        return normals
    clockwise = signed_area(edges) >= 0
    outside = [clockwise] * len(edges)
    if len(edges) <= MOST_CROSSED and not is_free_of_self_intersections(tuple(edges)):
        step = 1e-6 * max(e.shape.length for e in edges)
        for k, (edge, (nx, ny)) in enumerate(zip(edges, normals, strict=True)):
            at = point_at_parameter(edge.shape, 0.5)
            left, right = (
                is_inside(edges, Point(at.x + s * nx, at.y + s * ny)) for s in (step, -step)
            )
            outside[k] = clockwise if left == right else right
    return [
        (nx, ny) if out else (-nx + 0.0, -ny + 0.0)
        for (nx, ny), out in zip(normals, outside, strict=True)
    ]


def _nearest_compass_points(bearings: Sequence[float]) -> list[str]:
    """The compass point nearest to each direction (in degrees). If two are equally near, the
    counter-clockwise one is taken.
    """
    best: list[str] = []
    for size, rose in _ROSE.items():
        turns = [b / 360 * size for b in bearings]
        nearest = [math.floor(t + 0.5 + 1e-9) for t in turns]
        points = [rose[k % size] for k in nearest]
        off = max(
            (abs(t - k) * 360 / size for t, k in zip(turns, nearest, strict=True)), default=0.0
        )
        if off <= MAX_LABEL_ANGLE + 1e-6 and len(set(points)) > len(set(best)):
            best = points
    return best


def _numbered_labels(points: Sequence[str]) -> list[tuple[str, str]]:
    """Each label with its number among equal labels, as text. The number of a label that occurs
    once is empty.
    """
    total, seen, out = Counter(points), Counter[str](), []
    for point in points:
        seen[point] += 1
        out.append((point, str(seen[point]) if total[point] > 1 else ""))
    return out


def _vector_bearing(normal: Normal) -> float:
    """The direction of a vector, with y down, in degrees from 0 to 360, counter-clockwise on
    screen.
    """
    return math.degrees(math.atan2(-normal[1], normal[0])) % 360


def _compass_words(point: str) -> str:
    return " ".join(_POINT_NAMES[c] for c in point)


def _compass_letters(label: str) -> str:
    """The letters of a compass point, from letters or from words such as North East Edge."""
    letters = {word: letter for letter, word in _POINT_NAMES.items()}
    return "".join(letters.get(word, word) for word in label.removesuffix(" Edge").split())
