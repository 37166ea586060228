"""Objects a file holds that cannot be read: kept, shown as problems, and written back unchanged."""

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
    """An object of an unknown kind, or one that is not finished. Light passes it; ``read`` holds its JSON."""

    label: ClassVar[str] = "Unread object"

    reason: str = ""

    @property
    def type(self) -> str:
        """What the file calls it, in one line and cut."""
        return elided(str(self.read.get("type", "?")), LONGEST_TYPE)


@dataclass(frozen=True, kw_only=True)
class UnreadDecoration(Unread):
    """An unfinished decoration, or an object of an unknown kind: as `Unread`, without a place among the optical objects."""

    optical: ClassVar[bool] = False


ROWS = tuple(Row(kind, family="", edges=outlines.none, piece=nothing, painter="unread", icon={}) for kind in (Unread, UnreadDecoration))
