"""The row of a kind: all that the program knows of one kind of object, beside the fields of its dataclass."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from core.kinds.object import SceneObject
from core.kinds.rows.emission import Emission
from core.kinds.rows.outlines import Edges
from core.kinds.rows.pieces import EndsGeometry, Piece
from core.kinds.rows.sample import Sample
from core.shapes.point import Point

FAMILIES = ("Light", "Mirrors", "Glass", "Blockers", "Measure")
"""The menus that new objects are added from, in order."""


class IncompleteKind(Exception):
    """A kind lacks something that every kind has; the text names the kind and what is missing. Raised when the table is imported."""


def no_fault(obj: Any, edges: Edges) -> str:
    return ""


def no_remarks(obj: Any, edges: Edges) -> Iterator[str]:
    return iter(())


def no_points(obj: Any) -> Sequence[Point]:
    return ()


@dataclass(frozen=True)
class Row:
    """One kind of object. Entries without a default must be given: IncompleteKind otherwise. See `core/kinds/README.md`.

    The functions take an object of the kind as their first argument.
    """

    kind: type[SceneObject]
    """The dataclass, whose class variables are the kind's label and whether it is optical."""
    _: dataclasses.KW_ONLY
    family: str
    """The menu it is added from, one of FAMILIES; empty for kinds that a person cannot add. Menus keep the order of the rows."""
    edges: Callable[[Any], Edges]
    """Its outline. A RaybenchError says why it has none."""
    piece: Callable[[Any, Edges], Piece]
    """What the kernels get of an object without a fault, with its edges. Flags of filters and coatings are added to it."""
    painter: str
    """The name of its painter in `workbench.canvas.object_painter`."""
    icon: Mapping[str, Any]
    """Fields of the object that its icon shows, in a square of 20 scene units."""
    sample: Sample | None = None
    """How a person makes one with the mouse; needed in a family."""
    edges_in_colours: Callable[[Any], Edges] | None = None
    """Its outline where the scene simulates colours, if that is another."""
    ends_geometry: EndsGeometry | None = None
    """For kinds of one primitive from ``p1`` and ``p2``: what of the piece depends on these, for many objects at once."""
    fault: Callable[[Any, Edges], str] = no_fault
    """Why it has no effect on light and what to do about it, as the end of a sentence; may raise RaybenchError instead."""
    remarks: Callable[[Any, Edges], Iterator[str]] = no_remarks
    """What about it no real thing has, and what comes of it, as ends of sentences."""
    emits: Emission | None = None
    """The rays of a source."""
    distance: Callable[[Any, Point], float] | None = None
    """How far a point lies from what is drawn of it beside its edges."""
    drawn: Callable[[Any], Sequence[Point]] = no_points
    """Points that are drawn beside its edges and its control points."""

    def __new__(cls, kind: type[SceneObject], **entries: Any) -> Self:
        missing = [f.name for f in dataclasses.fields(cls)[1:] if f.default is dataclasses.MISSING and f.name not in entries]
        if missing:
            raise IncompleteKind(f"The row of {kind.__name__} ({kind.__module__}) has no {', '.join(missing)}. See core/kinds/README.md.")
        return super().__new__(cls)
