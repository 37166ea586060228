"""Objects without an optical effect: notes, measures, frames and grips."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from core.kinds.fields import LENGTH, choice, coordinate, data, flag, number, point, string
from core.kinds.object import SceneObject, is_usable
from core.shapes.point import Point


@dataclass(frozen=True, kw_only=True)
class Decoration(SceneObject):
    """Drawn, but never met by light."""

    optical: ClassVar[bool] = False


@dataclass(frozen=True, kw_only=True)
class TextLabel(Decoration):
    """A line of text."""

    label: ClassVar[str] = "Text"

    x: float = coordinate("x", help="Anchor, to the right.")
    y: float = coordinate("y", help="Anchor, downwards: the text's base line.")
    text: str = string("", "Text")
    font_size: float = number(24.0, "Size", unit=LENGTH, low=0)
    font: str = string("Serif", "Font")
    font_style: str = choice("Normal", "Style", ("Normal", "Bold", "Italic", "Bold Italic", "Oblique", "Bold Oblique"))
    alignment: str = choice("left", "Alignment", ("left", "center", "right"))
    small_caps: bool = flag(False, "Small capitals")
    angle: float = number(0.0, "Angle", unit="deg", help="Counter-clockwise as seen.")
    fill_style: Any = data(None, "Colour")

    @property
    def stands_for_another(self) -> bool:
        """Whether the text only names one, as ``{{lightsource}}``, that the web application's gallery has and the file has not."""
        return re.fullmatch(r"\{\{\w+\}\}", self.text.strip()) is not None


@dataclass(frozen=True, kw_only=True)
class LineArrow(Decoration):
    """A line with or without arrow heads."""

    label: ClassVar[str] = "Line"

    p1: Point = point("Start")
    p2: Point = point("End")
    arrow: bool = flag(False, "Arrow at the end")
    back_arrow: bool = flag(False, "Arrow at the start")
    line_style: Any = data(None, "Style")


@dataclass(frozen=True, kw_only=True)
class Ruler(Decoration):
    """A scale with divisions."""

    label: ClassVar[str] = "Ruler"

    p1: Point = point("Zero")
    p2: Point = point("End")
    scale_interval: float = number(10.0, "Division", unit=LENGTH, low=1e-9)


@dataclass(frozen=True, kw_only=True)
class Protractor(Decoration):
    """A circle with divisions of angle."""

    label: ClassVar[str] = "Protractor"

    p1: Point = point("Centre")
    p2: Point = point("Zero direction")


@dataclass(frozen=True, kw_only=True)
class Drawing(Decoration):
    """Freehand strokes, each a flat list x, y, x, y ..."""

    label: ClassVar[str] = "Drawing"

    strokes: Any = data((), "Strokes")
    is_drawing: bool = flag(False, "Unfinished")
    line_style: Any = data(None, "Style")

    @property
    def lines(self) -> tuple[tuple[Point, ...], ...]:
        """The points of each stroke; those from where a stroke holds no numbers are left out."""
        strokes = self.strokes if isinstance(self.strokes, list | tuple) else ()
        return tuple(_points(s) for s in strokes if isinstance(s, list | tuple))


def _points(stroke: Sequence[Any]) -> tuple[Point, ...]:
    numbers = itertools.takewhile(lambda v: isinstance(v, int | float) and is_usable(v), stroke)
    flat = [float(v) for v in numbers]
    return tuple(Point(x, y) for x, y in zip(flat[::2], flat[1::2], strict=False))


@dataclass(frozen=True, kw_only=True)
class CropBox(Decoration):
    """The frame of an exported picture; it may also limit the number of rays."""

    label: ClassVar[str] = "Crop box"

    p1: Point = point("Top left")
    p4: Point = point("Bottom right")
    format: str = choice("png", "Format", ("png", "svg"))
    width: float = number(1920.0, "Width", unit="px", low=16, high=16384)
    ray_count_limit: Any = data(None, "Ray limit", help="Tracing stops after this many segments.")
    transparent: bool = flag(False, "Transparent")


@dataclass(frozen=True, kw_only=True)
class Handle(SceneObject):
    """A grip that moves several points together. It holds a place among the optical objects, but light never meets it."""

    label: ClassVar[str] = "Handle"

    p1: Point = point("Grip")
    p2: Point = point("Pivot")
    obj_indices: Any = data((), "Objects")
    control_points: Any = data((), "Control points")
    transformation: str = string("default", "Transformation")
    move_step: float = number(1.0, "Move step", unit=LENGTH, low=0)
    rotate_step: float = number(0.5, "Rotate step", unit="deg", low=0)
    scale_step: float = number(1.0, "Scale step", unit="%", low=0)
    not_done: bool = flag(False, "Unfinished")
