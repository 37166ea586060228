"""What an image shows of a scene, and in which colours."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.canvas.camera import Camera
from workbench.theme import Theme


@dataclass(frozen=True)
class Viewport:
    """The part of a scene that is shown on a canvas of ``size`` in logical pixels, with ``ratio`` device pixels for each."""

    camera: Camera
    size: tuple[int, int]
    ratio: float
    theme: Theme
