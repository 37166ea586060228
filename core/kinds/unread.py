"""Objects of a file that cannot be read: kept, reported as problems, and written back unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.errors import elided
from core.kinds.object import SceneObject
from core.kinds.rows import outlines
from core.kinds.rows.pieces import nothing
from core.kinds.rows.row import Row
from core.kinds.rows.similarity import Similarity

LONGEST_TYPE = 60


@dataclass(frozen=True, kw_only=True)
class Unread(SceneObject):
    """An object that is unfinished or has an invalid property, kept as JSON in ``read``. It does not affect light."""

    label: ClassVar[str] = "Unread object"
    has_edge_table: ClassVar[bool] = False

    reason: str = ""

    @property
    def type(self) -> str:
        """The type name in the file, in one line and shortened."""
        return elided(str(self.read.get("type", "?")), LONGEST_TYPE)


@dataclass(frozen=True, kw_only=True)
class UnreadDecoration(Unread):
    """An unread decoration or an object of an unknown kind: as `Unread`, but not among the optical objects."""

    optical: ClassVar[bool] = False


def _not_transformed(obj: Unread, by: Similarity) -> SceneObject:
    raise obj.invalid("its position", f"is unknown, since it cannot be read: {obj.reason} Leave it out")


ROWS = tuple(
    Row(kind, family="", edges=outlines.none, piece=nothing, transformed=_not_transformed, painter="unread", icon={})
    for kind in (Unread, UnreadDecoration)
)
