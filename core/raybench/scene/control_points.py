"""The points of objects that can be dragged with the mouse or entered as numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from raybench.kinds.fields import camel_case, described_fields
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import SceneObject
from raybench.shapes.bezier import CurveNode
from raybench.shapes.point import Point

_NUMBERED = re.compile(r"^(?:first|second) |(?: \d+)+$")
"""The parts of labels that distinguish points of one kind."""
Meaning = Literal["end", "centre", "bend"]


@dataclass(frozen=True, slots=True)
class ControlPoint:
    """A point of an object that can be dragged. It names the field that holds the point, and the
    point's index in that field (0 unless the field is a list).

    For a curve, index 3 i is node i, and 3 i + 1 and 3 i + 2 its control points. ``path`` addresses
    the point in the object's JSON, as for `raybench.scene.changes.Set`; it is empty for an object
    that is a single point with ``x`` and ``y`` as fields.
    """

    field: str
    index: int
    label: str
    at: Point
    path: str = ""
    meaning: Meaning = "end"
    """``centre``, ``bend`` for a point that an arc or a curve is drawn towards, else ``end``."""

    @property
    def noun(self) -> str:
        """The kind of point as a noun: ``end``, ``rim point``, ``vertex``."""
        if self.field == "path":
            return "vertex" if self.meaning == "end" else "point on the arc"
        return _NUMBERED.sub("", self.label.lower())

    def values(self, at: Point) -> dict[str, Any]:
        """The values, for a `raybench.scene.changes.Set`, that move the point to ``at``."""
        coordinates = {"x": at.x, "y": at.y}
        return {self.path: coordinates} if self.path else coordinates


def control_points(obj: SceneObject) -> tuple[ControlPoint, ...]:
    """The points of an object that can be dragged with the mouse or entered as numbers."""
    return tuple(_control_points(obj))


def _has_bend_point(kind: type[SceneObject]) -> bool:
    """Whether the third of a kind's three points bends the line between the other two."""
    if kind not in _bent:
        names = {f.name for f in described_fields(kind)}
        _bent[kind] = {"p1", "p2", "p3"} <= names and "p4" not in names
    return _bent[kind]


_bent: dict[type[SceneObject], bool] = {}


def _control_points(obj: SceneObject) -> Iterator[ControlPoint]:
    fields, centre = described_fields(type(obj)), kind_row_of(obj).centre
    bent = _has_bend_point(type(obj))
    for f in fields:
        value = getattr(obj, f.name)
        if value is None:
            continue
        name = camel_case(f.name)
        if f.about.kind == "point":
            meaning: Meaning = (
                "centre"
                if f.name in (centre, "origin")
                else "bend"
                if bent and f.name == "p3"
                else "end"
            )
            yield ControlPoint(f.name, 0, f.about.label, value, name, meaning)
        elif f.about.kind == "path":
            for i, v in enumerate(value):
                yield ControlPoint(
                    f.name,
                    i,
                    f"{f.about.label} {i}",
                    v.point,
                    f"{name}[{i}]",
                    "bend" if v.arc else "end",
                )
        elif f.about.kind == "points":
            yield from (
                ControlPoint(f.name, i, f"Point {i + 1}", p, f"{name}[{i}]")
                for i, p in enumerate(value)
            )
        elif f.about.kind == "curve":
            for i, node in enumerate(value):
                for j, (what, p) in enumerate(
                    zip(("Node", "Control point 1", "Control point 2"), node, strict=True)
                ):
                    if p is not None:
                        part = f"{name}[{i}].{CurveNode._fields[j]}"
                        yield ControlPoint(
                            f.name, 3 * i + j, f"{what} {i}", p, part, "bend" if j else "end"
                        )
        elif f.about.kind == "coordinate" and f.name == "x":
            yield ControlPoint("x", 0, "Position", Point(value, obj.y))  # type: ignore[attr-defined]
