"""Mirrors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.scene.fields import point
from core.scene.filters import Filtered
from core.scene.point import Point


@dataclass(frozen=True, kw_only=True)
class Mirror(Filtered):
    """A flat mirror that reflects without loss on both sides."""

    label: ClassVar[str] = "Mirror"
    merges_with_glass: ClassVar[bool] = True

    p1: Point = point("First end", help="One end of the mirror.")
    p2: Point = point("Second end", help="The other end of the mirror.")
