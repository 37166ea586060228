"""Objects of a file that cannot be read: kept, reported as problems, and written back unchanged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.errors import elided
from core.kinds.object import SceneObject
from core.kinds.rows import outlines
from core.kinds.rows.pieces import nothing
from core.kinds.rows.row import Row

LONGEST_TYPE = 60


@dataclass(frozen=True, kw_only=True)
class Unread(SceneObject):
    """An object that is unfinished or has an invalid property, kept as JSON in ``read``. It does not affect light."""

    label: ClassVar[str] = "Unread object"

    reason: str = ""

    @property
    def type(self) -> str:
        """The type name in the file, in one line and shortened."""
        return elided(str(self.read.get("type", "?")), LONGEST_TYPE)


@dataclass(frozen=True, kw_only=True)
class UnreadDecoration(Unread):
    """An unread decoration or an object of an unknown kind: as `Unread`, but not among the optical objects."""

    optical: ClassVar[bool] = False


ROWS = tuple(Row(kind, family="", edges=outlines.none, piece=nothing, painter="unread", icon={}) for kind in (Unread, UnreadDecoration))
