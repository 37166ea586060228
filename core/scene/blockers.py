"""Blockers: objects that absorb light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.scene.fields import point
from core.scene.filters import Filtered
from core.scene.point import Point


@dataclass(frozen=True, kw_only=True)
class Blocker(Filtered):
    """A line that absorbs what meets it."""

    label: ClassVar[str] = "Blocker"
    merges_with_glass: ClassVar[bool] = True

    p1: Point = point("First end", help="One end of the blocker.")
    p2: Point = point("Second end", help="The other end of the blocker.")
