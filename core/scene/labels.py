"""Labels of an object's edges by compass direction, as displayed: N is up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from core.errors import RaybenchError, elided, in_quotes
from core.kinds.object import SceneObject
from core.kinds.outline import Edge, edges_of, signed_area
from core.shapes.point import Point
from core.shapes.shape import Arc, FullLine

_ROSE = {
    4: ("E", "N", "W", "S"),
    8: ("E", "NE", "N", "NW", "W", "SW", "S", "SE"),
    12: ("E", "ENE", "NNE", "N", "NNW", "WNW", "W", "WSW", "SSW", "S", "SSE", "ESE"),
    16: ("E", "ENE", "NE", "NNE", "N", "NNW", "NW", "WNW", "W", "WSW", "SW", "SSW", "S", "SSE", "SE", "ESE"),
}
_WORDS = {"N": "North", "E": "East", "S": "South", "W": "West"}
NO_LABELS: Mapping[int, str] = MappingProxyType({})


class UnknownEdge(RaybenchError):
    """A label matches no edge, or more than one."""


@dataclass(frozen=True, slots=True)
class LabelledEdge:
    """An edge with its labels: ``short`` such as ``N`` or ``N2``, ``long`` such as ``North Edge``, ``user`` given by the user or empty."""

    edge: Edge
    short: str
    long: str
    user: str = ""

    @property
    def index(self) -> int:
        return self.edge.index

    @property
    def title(self) -> str:
        return self.user or self.short

    @property
    def reference(self) -> str:
        """How messages refer to the edge: by its short label, or by the user's label in quotes."""
        return in_quotes(self.user) if self.user else self.short


def labelled_edges(obj: SceneObject, user: Mapping[int, str] = NO_LABELS) -> tuple[LabelledEdge, ...]:
    """The edges of an object with their labels, which are unique. ``user`` maps edge indices to the user's labels."""
    edges = edges_of(obj)
    if len(edges) == 1 and isinstance(edges[0].shape, Arc):
        return (LabelledEdge(edges[0], "Rim", "Rim", user.get(0, "")),)
    points = _compass_points(edges)
    total, seen = Counter(points), Counter[str]()
    out = []
    for edge, compass in zip(edges, points, strict=True):
        seen[compass] += 1
        number = str(seen[compass]) if total[compass] > 1 else ""
        long = " ".join(_WORDS[c] for c in compass) + " Edge" + (f" {number}" if number else "")
        out.append(LabelledEdge(edge, compass + number, long, user.get(edge.index, "")))
    return tuple(out)


def _compass_points(edges: Sequence[Edge]) -> list[str]:
    """The compass direction of each edge's midpoint from the mean of the corners; a tie is resolved counter-clockwise.

    An edge through that mean, such as the flat side of a lens with two edges, is labelled by its outward normal.
    """
    rose = _ROSE[next((k for k in (4, 8, 12) if len(edges) <= k), 16)]
    corners = [e.shape.a for e in edges]
    centre = Point(sum(p.x for p in corners) / max(1, len(corners)), sum(p.y for p in corners) / max(1, len(corners)))
    out = []
    for e in edges:
        m, length = e.shape.midpoint, math.hypot(e.shape.b.x - e.shape.a.x, e.shape.b.y - e.shape.a.y)
        dx, dy = m.x - centre.x, m.y - centre.y
        if isinstance(e.shape, FullLine):
            dx, dy = e.shape.unit[1], -e.shape.unit[0]  # outward normal: the body is the half-plane to the right
        elif math.hypot(dx, dy) <= 1e-9 * length:
            clockwise = math.copysign(1.0, signed_area(edges))
            dx, dy = clockwise * (e.shape.b.y - e.shape.a.y), clockwise * (e.shape.a.x - e.shape.b.x)
        turn = math.atan2(-dy, dx) / (2 * math.pi) * len(rose)
        out.append(rose[math.floor(turn + 0.5 + 1e-9) % len(rose)])
    return out


def edge_labelled(obj: SceneObject, label: str, user: Mapping[int, str] = NO_LABELS) -> LabelledEdge:
    """The edge with this ``label``: its index as a number, or its short, long or user label.

    Raises UnknownEdge, listing the existing labels, if none matches, or the candidates if a compass label matches several.
    """
    edges = labelled_edges(obj, user)
    if not edges:
        raise UnknownEdge(f"{in_quotes(obj.title)} has no edges.")
    if label.isdecimal():
        matches = [e for e in edges if e.index == int(label)]
    else:
        matches = [e for e in edges if label and label in (e.user, e.short, e.long)]
    if len(matches) == 1:
        return matches[0]
    bare = matches or [e for e in edges if label in (e.short.rstrip("0123456789"), e.long.rstrip(" 0123456789"))]
    if bare:
        raise UnknownEdge(
            f"Ambiguous edge {in_quotes(label)} of {in_quotes(obj.title)}: it could be {[e.short for e in bare]}. Give one of these."
        )
    available = [elided(e.title) for e in edges]
    indices = [str(e.index) for e in edges]
    raise UnknownEdge(f"No edge matching {in_quotes(label)}. Available labels: {available} Edges also answer to their index: {indices}")
