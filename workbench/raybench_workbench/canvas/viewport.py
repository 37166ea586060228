"""The visible part of a scene, with the size and the colours in which it is painted."""

from __future__ import annotations

from dataclasses import dataclass

from raybench_workbench.canvas.camera import Camera
from raybench_workbench.theme import Theme


@dataclass(frozen=True)
class Viewport:
    """The part of a scene that is shown on a canvas of ``size`` in logical pixels, with ``ratio``
    device pixels for each.
    """

    camera: Camera
    size: tuple[int, int]
    ratio: float
    theme: Theme
