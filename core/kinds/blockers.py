"""Blockers: lines, discs and screens that absorb light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.kinds.fields import point
from core.kinds.filters import Filtered
from core.shapes.point import Point


@dataclass(frozen=True, kw_only=True)
class Blocker(Filtered):
    """A line that absorbs what meets it."""

    label: ClassVar[str] = "Blocker"
    merges_with_glass: ClassVar[bool] = True

    p1: Point = point("First end", help="One end of the blocker.")
    p2: Point = point("Second end", help="The other end of the blocker.")


@dataclass(frozen=True, kw_only=True)
class CircleBlocker(Filtered):
    """A circle that absorbs what meets its rim."""

    label: ClassVar[str] = "Circle blocker"
    merges_with_glass: ClassVar[bool] = True

    p1: Point = point("Centre", help="Centre of the circle.")
    p2: Point = point("Rim", help="A point on the circle.")


@dataclass(frozen=True, kw_only=True)
class Aperture(Filtered):
    """A screen with an opening: it absorbs from the outer ends to the opening's."""

    label: ClassVar[str] = "Aperture"
    merges_with_glass: ClassVar[bool] = True

    p1: Point = point("First outer end", help="Where the screen begins.")
    p2: Point = point("Second outer end", help="Where the screen ends.")
    p3: Point = point("First end of the opening", help="The end of the opening that faces the first outer end.")
    p4: Point = point("Second end of the opening", help="The end of the opening that faces the second outer end.")
