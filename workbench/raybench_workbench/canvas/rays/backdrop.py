"""The image under the objects' outlines: background, grid, glass bodies and rays.

After every change it is painted at once within a frame's time budget, if necessary with fewer rays
and without antialiasing. When no more changes follow, a worker thread makes antialiased images of
all rays, while the quick one stays visible.
"""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import dataclass
from functools import partial
from threading import Event

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QObject, QThreadPool, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPen

from raybench.scene.document import Document
from raybench_workbench.background.picture import Picture as BackgroundPicture
from raybench_workbench.background.picture import paint_picture
from raybench_workbench.canvas.labels import CELL
from raybench_workbench.canvas.object_painter import has_fill, paint_fill
from raybench_workbench.canvas.observer import paint_observer
from raybench_workbench.canvas.rays.arrow_heads import ArrowHeads, arrow_heads, paint_arrow_heads
from raybench_workbench.canvas.rays.images import draw_image
from raybench_workbench.canvas.rays.picture import Picture, coverage, estimated_cost, thinned
from raybench_workbench.canvas.rays.ray_picture import DIMMED, RayPicture
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.threads import in_background, reason_of

QUICK_BUDGET = 12.0
"""Time budget for the rays in the quick image, in milliseconds."""
SLOWEST = 8.0
"""How much longer quick images may take than estimated before they still get fewer rays."""
CLEARING = 4e-6
"""Time to clear, convert and paint a pixel of an antialiased image, in milliseconds."""
REST = 120
"""Idle time before the full image is painted, in milliseconds."""


@dataclass(frozen=True)
class Wanted:
    """What an image of rays shows: the viewport, and whether rays have arrow heads."""

    viewport: Viewport
    arrows: bool


@dataclass(frozen=True, eq=False)
class Layer:
    """The antialiased image of a picture, and the arrow heads on its rays."""

    picture: Picture
    wanted: Wanted
    image: QImage
    heads: ArrowHeads | None


class _Job:
    """Makes the layers of the rays and of the highlighted ones, until it is cancelled."""

    def __init__(
        self, rays: Picture, lit: Picture | None, wanted: Wanted, known: Layer | None
    ) -> None:
        self._rays, self._lit, self._wanted, self._known = rays, lit, wanted, known
        self.cancelled = Event()

    def __call__(self) -> tuple[Layer | None, Layer | None]:
        rays = self._known or self._layer(self._rays)
        return rays, self._layer(self._lit) if self._lit is not None and rays is not None else None

    def _layer(self, picture: Picture) -> Layer | None:
        """The layer of a picture; None if cancelled."""
        wanted = self._wanted
        if self.cancelled.is_set():
            return None
        for image in picture.layer(wanted.viewport):
            if self.cancelled.is_set():
                return None
            if image is not None:
                return Layer(
                    picture,
                    wanted,
                    image,
                    arrow_heads(picture, wanted.viewport) if wanted.arrows else None,
                )
        return None


class Backdrop(QObject):
    """The image and its painting."""

    painted = Signal()
    """The full image is complete."""
    failed = Signal(str)
    """The full image cannot be made, with the reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        self.rays: Picture | None = None
        self.lit: RayPicture | None = None
        self.painted_count = 0
        """Number of segments in the image."""
        self._slowness = 1.0
        """How much longer quick images take here than was estimated."""
        self.light: NDArray[np.float32] | None = None
        """Where there is light: (rows, columns) of cells, see `coverage`."""
        self.heads: ArrowHeads | None = None
        """The arrow heads in the image."""
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._begin_full)
        self._job: _Job | None = None
        self._layer: Layer | None = None
        """The last image of all rays: it is still right where only the highlight changes."""
        self._background: BackgroundPicture | None = None
        self._scene: tuple[Document, Wanted] | None = None

    @property
    def settled(self) -> bool:
        """Whether the image is the full one, with all rays and antialiasing."""
        return not self._rest.isActive() and self._job is None

    def paint(
        self, document: Document, viewport: Viewport, background: BackgroundPicture | None = None
    ) -> None:
        """Repaint the image; ``background`` is the picture behind the scene."""
        self._background = background
        self._scene = document, Wanted(viewport, document.scene.settings.show_ray_arrows)
        self._stop()
        rays, known, smooth = self.rays, self._known(), True
        lit: Picture | None = self.lit
        if rays is not None:
            pixels = CLEARING * viewport.size[0] * viewport.size[1] * viewport.ratio**2
            more = (
                0.0 if lit is None else estimated_cost(lit, viewport) * lit.smooth_factor + pixels
            )
            budget = QUICK_BUDGET / self._slowness
            rays = rays if known is not None else thinned(rays, viewport, budget)
            cost = 0.0 if known is not None else estimated_cost(rays, viewport) * rays.smooth_factor
            smooth = rays is self.rays and cost + pixels + more <= QUICK_BUDGET
            if lit is not None and not smooth:
                lit = thinned(lit, viewport, budget)
        begun = time.thread_time()
        self._paint(known or rays, lit, smooth=smooth)
        if rays is not None and known is None and not smooth:
            expected = cost / rays.smooth_factor + (
                estimated_cost(lit, viewport) if lit is not None else 0.0
            )
            if expected > QUICK_BUDGET / 4:
                measured = (time.thread_time() - begun) * 1e3 / expected
                self._slowness = min(max((self._slowness + measured) / 2, 1.0), SLOWEST)
        self.painted_count = 0 if rays is None else len(rays)
        self.light = None if rays is None else coverage(rays, viewport, CELL)
        if smooth:
            self._rest.stop()
        else:
            self._rest.start()

    def close(self) -> None:
        """Give up the images that are being made, and make no more."""
        self._rest.stop()
        self._stop()

    def _stop(self) -> None:
        """Give up the images that are being made."""
        if self._job is not None:
            self._job.cancelled.set()
            self._job = None

    def _known(self) -> Layer | None:
        """The layer of all rays, if it shows what is wanted."""
        layer, scene = self._layer, self._scene
        return (
            layer
            if layer is not None
            and scene is not None
            and layer.picture is self.rays
            and layer.wanted == scene[1]
            else None
        )

    def _begin_full(self) -> None:
        if self.rays is not None and self._scene is not None:
            self._job = job = _Job(self.rays, self.lit, self._scene[1], self._known())
            in_background(
                self,
                job,
                partial(self._complete, job),
                partial(self._fail, job),
                pool=QThreadPool.globalInstance(),
            )

    def _complete(self, job: _Job, layers: tuple[Layer | None, Layer | None]) -> None:
        """Show the layers that a job has made, unless they are outdated."""
        if job is self._job and self.rays is not None:
            self._job, self._layer = None, layers[0]
            self._paint(*layers, smooth=True)
            self.painted_count = len(self.rays)
            self.painted.emit()

    def _fail(self, job: _Job, error: Exception) -> None:
        if job is self._job:
            self._job = None
            self.failed.emit(reason_of(error, "The full picture of the rays"))

    def _paint(
        self, rays: Picture | Layer | None, lit: Picture | Layer | None, *, smooth: bool
    ) -> None:
        """Paint the image from layers, and from pictures where there are none."""
        assert self._scene is not None
        document, wanted = self._scene
        at = wanted.viewport
        image = QImage(
            max(1, round(at.size[0] * at.ratio)),
            max(1, round(at.size[1] * at.ratio)),
            QImage.Format.Format_RGB32,
        )
        image.setDevicePixelRatio(at.ratio)
        painter = QPainter(image)
        try:
            paint_ground(painter, document, at, background=self._background)
            for some, opacity in ((rays, 1.0 if lit is None else DIMMED), (lit, 1.0)):
                if isinstance(some, Layer):
                    draw_image(painter, some.image, at.ratio, opacity)
                elif some is not None:
                    deque(some.painted(painter, at, smooth=smooth, opacity=opacity), maxlen=0)
            top = lit if lit is not None else rays
            self.heads = None
            if top is not None and wanted.arrows:
                self.heads = top.heads if isinstance(top, Layer) else arrow_heads(top, at)
                if self.heads is not None:
                    paint_arrow_heads(painter, self.heads)
        finally:
            painter.end()
        self.image = image


def paint_ground(
    painter: QPainter,
    document: Document,
    viewport: Viewport,
    *,
    transparent: bool = False,
    background: BackgroundPicture | None = None,
) -> None:
    """Paint everything below the rays: the canvas unless ``transparent``, the picture behind the
    scene, the grid, the glass bodies, the observer.
    """
    camera, theme = viewport.camera, viewport.theme
    if not transparent:
        painter.fillRect(0, 0, *viewport.size, theme.color("canvas"))
    paint_picture(painter, document, camera, background)
    if document.scene.settings.show_grid:
        _paint_grid(painter, document.scene.settings.grid_size, viewport)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for obj in document.scene.objects:
        if obj.key not in document.hidden and has_fill(obj):
            for part in document.scene.parts_of(obj):
                paint_fill(
                    painter, part, camera, Style(theme, disabled=obj.key in document.disabled)
                )
    paint_observer(painter, document, camera, theme)


def _paint_grid(painter: QPainter, step: float, viewport: Viewport) -> None:
    """Paint lines every ``step`` scene units, or a multiple where those would be too dense."""
    camera, size = viewport.camera, viewport.size
    while step * camera.scale < 8:
        step *= 5
    pen = QPen(viewport.theme.color("grid"))
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
