"""The painters of all kinds of objects, on the canvas and for icons, by the painter names in the
kinds' rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtGui import QPainter

from raybench.kinds.kinds import ROWS, row_of
from raybench.kinds.object import SceneObject
from raybench.kinds.rows.row import IncompleteKind, Row
from raybench_workbench.canvas import note_painters as notes
from raybench_workbench.canvas import optical_painters as optical
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.texts import text
from raybench_workbench.canvas.viewport import Camera

Paint = Callable[[Any, QPainter, Camera, Style], None]


@dataclass(frozen=True)
class Painter:
    """``lines`` paints above the rays, ``fill`` below them; ``icon``, if given, paints the icon
    instead of both.
    """

    lines: Paint
    fill: Paint | None = None
    icon: Paint | None = None


def complete(painters: Mapping[str, Painter], rows: Iterable[Row]) -> Mapping[str, Painter]:
    """Returns the painters. Raises IncompleteKind if a kind's row names a missing painter, or if no
    row names one of them.
    """
    named = set()
    for row in rows:
        named.add(row.painter)
        if row.painter not in painters:
            kind = f"{row.kind.__name__} ({row.kind.__module__})"
            raise IncompleteKind(
                f"{kind} has no painter: PAINTERS of {__name__} has no '{row.painter}', which its"
                " row names."
            )
    for name in painters:
        if name not in named:
            raise IncompleteKind(
                f"The painter '{name}' in PAINTERS of {__name__} is named by no kind's row. Remove"
                " it, or correct the name."
            )
    return painters


PAINTERS = complete(
    {
        "ray": Painter(optical.directed_source, icon=optical.ray_icon),
        "fan": Painter(optical.directed_source, icon=optical.fan_icon),
        "point": Painter(optical.point_source),
        "beam": Painter(optical.beam),
        "body": Painter(optical.body, optical.body_fill),
        "half-plane": Painter(optical.half_plane, optical.half_plane_fill),
        "ideal lens": Painter(optical.ideal_lens),
        "mirror": Painter(optical.mirror),
        "ideal mirror": Painter(optical.ideal_mirror),
        "splitter": Painter(optical.splitter),
        "grating": Painter(optical.grating),
        "blocker": Painter(optical.blocker),
        "custom surface": Painter(optical.custom_surface),
        "detector": Painter(optical.detector),
        "ruler": Painter(notes.ruler, icon=notes.ruler_icon),
        "protractor": Painter(notes.protractor),
        "text": Painter(text),
        "arrow": Painter(notes.arrow),
        "frame": Painter(notes.frame, icon=notes.frame_icon),
        "drawing": Painter(notes.drawing),
        "handle": Painter(notes.handle),
        "module": Painter(notes.nothing, icon=notes.module_icon),
        "unread": Painter(notes.nothing, icon=notes.unread_icon),
    },
    ROWS,
)


_FILLED = frozenset(
    row.kind for row in ROWS if PAINTERS[row.painter].fill is not None or row.painter == "module"
)


def has_fill(obj: SceneObject) -> bool:
    """Whether an object, or a part of an instance, may have something below the rays."""
    return type(obj) in _FILLED


def paint_fill(painter: QPainter, obj: SceneObject, camera: Camera, style: Style) -> None:
    """Paint an object's part below the rays: the body of a glass."""
    fill = PAINTERS[row_of(obj).painter].fill
    if fill is not None:
        fill(obj, painter, camera, style)


def paint_object(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint an object's lines over the rays."""
    PAINTERS[row_of(obj).painter].lines(obj, painter, camera, style)


def paint_icon(row: Row, painter: QPainter, style: Style) -> None:
    """Paint the icon of a kind in a square of 20 pixels."""
    obj, own = row.kind(**row.icon), PAINTERS[row.painter].icon
    if own is not None:
        own(obj, painter, Camera(), style)
    else:
        paint_fill(painter, obj, Camera(), style)
        paint_object(obj, painter, Camera(), style)
