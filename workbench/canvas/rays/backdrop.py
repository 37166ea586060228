"""The image under the objects' outlines: background, grid, glass bodies and rays.

After every change it is painted at once within a frame's time budget, if necessary with fewer rays and without antialiasing. When no more
changes follow, the full image is painted with antialiasing, in time slices, while the quick one stays visible.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QObject, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPen

from core.scene.document import Document
from workbench.background.picture import paint_picture
from workbench.canvas.camera import Camera
from workbench.canvas.labels import CELL
from workbench.canvas.object_painter import has_fill, paint_fill
from workbench.canvas.observer import paint_observer
from workbench.canvas.rays.ray_picture import Picture, RayPicture, coverage, estimated_cost, paint_rays, thinned
from workbench.canvas.strokes import Style
from workbench.theme import Theme

QUICK_BUDGET = 12.0
"""Time budget for the rays in the quick image, in milliseconds."""
SLICE = 8.0
"""Longest time that painting the full image blocks the event loop at once, in milliseconds."""
CLEARING = 4e-6
"""Time to clear, convert and paint a pixel of an antialiased image, in milliseconds."""
REST = 120
"""Idle time before the full image is painted, in milliseconds."""


class Backdrop(QObject):
    """The image and its painting. ``painted`` is emitted when the full image is complete."""

    painted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        self.rays: Picture | None = None
        self.lit: RayPicture | None = None
        self.painted_count = 0
        """Number of segments in the image."""
        self.light: NDArray[np.float32] | None = None
        """Where there is light: (rows, columns) of cells, see `coverage`."""
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._begin_full)
        self._step = QTimer(self, singleShot=True, interval=0)
        self._step.timeout.connect(self._continue_full)
        self._work: Iterator[QImage | None] | None = None
        self._folder: Path | None = None
        self._scene: tuple[Document, Camera, tuple[int, int], float, Theme] | None = None

    @property
    def settled(self) -> bool:
        """Whether the image is the full one, with all rays and antialiasing."""
        return not self._rest.isActive() and self._work is None

    def paint(
        self, document: Document, camera: Camera, size: tuple[int, int], ratio: float, theme: Theme, folder: Path | None = None
    ) -> None:
        """Repaint the image for a canvas of ``size`` in logical pixels, with ``ratio`` device pixels per logical pixel.

        ``folder`` is that of the document's file.
        """
        self._folder = folder
        self._scene = document, camera, size, ratio, theme
        self._work = None
        self._step.stop()
        rays, smooth = self.rays, True
        if rays is not None:
            rays = thinned(rays, camera, size, QUICK_BUDGET)
            pixels = CLEARING * size[0] * size[1] * ratio**2
            lit = 0.0 if self.lit is None else estimated_cost(self.lit, camera, size) * self.lit.smooth_factor + pixels
            smooth = rays is self.rays and estimated_cost(rays, camera, size) * rays.smooth_factor + pixels + lit <= QUICK_BUDGET
        for image in self._painted(rays, smooth=smooth):
            self.image = image or self.image
        self.painted_count = 0 if rays is None else len(rays)
        self.light = None if rays is None else coverage(rays, camera, size, CELL)
        if smooth:
            self._rest.stop()
        else:
            self._rest.start()

    def _begin_full(self) -> None:
        self._work = self._painted(self.rays, smooth=True)
        self._step.start()

    def _continue_full(self) -> None:
        until = time.perf_counter() + SLICE / 1000
        while self._work is not None and time.perf_counter() < until:
            image = next(self._work, None)
            if image is not None:
                self.image, self._work = image, None
                self.painted_count = 0 if self.rays is None else len(self.rays)
                self.painted.emit()
        if self._work is not None:
            self._step.start()

    def _painted(self, rays: Picture | None, *, smooth: bool) -> Iterator[QImage | None]:
        """Paint an image in steps: yields None after each step, and the image at the end."""
        assert self._scene is not None
        document, camera, size, ratio, theme = self._scene
        lit = self.lit
        image = QImage(max(1, round(size[0] * ratio)), max(1, round(size[1] * ratio)), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        painter = QPainter(image)
        try:
            paint_ground(painter, document, camera, size, theme, folder=self._folder)
            if rays is not None:
                arrows = document.scene.settings.show_ray_arrows
                for _ in paint_rays(painter, rays, lit, camera, size, theme, smooth=smooth, arrows=arrows):
                    yield None
        finally:
            painter.end()
        yield image


def paint_ground(
    painter: QPainter, document: Document, camera: Camera, size: tuple[int, int], theme: Theme, *, transparent: bool = False,
    folder: Path | None = None,
) -> None:  # fmt: skip
    """Paint everything below the rays: the background unless ``transparent``, the document's picture from ``folder``, the grid, the glass
    bodies, the observer."""
    if not transparent:
        painter.fillRect(0, 0, *size, theme.color("canvas"))
    paint_picture(painter, document, camera, folder)
    if document.scene.settings.show_grid:
        _paint_grid(painter, document.scene.settings.grid_size, camera, size, theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for obj in document.scene.objects:
        if obj.key not in document.hidden and has_fill(obj):
            for part in document.scene.parts_of(obj):
                paint_fill(painter, part, camera, Style(theme, disabled=obj.key in document.disabled))
    paint_observer(painter, document, camera, theme)


def _paint_grid(painter: QPainter, step: float, camera: Camera, size: tuple[int, int], theme: Theme) -> None:
    """Paint lines every ``step`` scene units, or a multiple where those would be too dense."""
    while step * camera.scale < 8:
        step *= 5
    pen = QPen(theme.color("grid"))
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    left, top, width, height = camera.rectangle(size)
    for i in range(math.ceil(left / step), math.floor((left + width) / step) + 1):
        x = round((i * step - camera.x) * camera.scale)
        painter.drawLine(QLineF(x, 0, x, size[1]))
    for i in range(math.ceil(top / step), math.floor((top + height) / step) + 1):
        y = round((i * step - camera.y) * camera.scale)
        painter.drawLine(QLineF(0, y, size[0], y))
