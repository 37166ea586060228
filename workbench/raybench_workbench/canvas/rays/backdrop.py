"""The image below the outlines of objects: background, grid, glass bodies and rays.

After every change it is painted at once within a frame's time budget, if necessary with fewer rays
and in coarse pixels. When no more changes follow, a worker thread makes fine images of all rays,
while the quick one stays visible.
"""

import time
from dataclasses import dataclass, replace
from functools import partial
from threading import Event

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QObject, QThreadPool, QTimer, Signal
from PySide6.QtGui import QImage, QPainter, QPen

from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench_workbench.background import BackgroundImage, paint_background
from raybench_workbench.canvas.handles import paint_observer
from raybench_workbench.canvas.labels import CELL_SIZE
from raybench_workbench.canvas.object_painter import has_fill, paint_fill
from raybench_workbench.canvas.rays.arrow_heads import ArrowHeads, arrow_heads, paint_arrow_heads
from raybench_workbench.canvas.rays.drawing import (
    RayDrawing,
    estimate_paint_time,
    light_coverage,
    thin_drawing,
)
from raybench_workbench.canvas.rays.ray_image import COARSE_PIXEL_SIDE, draw_image, ray_image
from raybench_workbench.canvas.rays.ray_vectors import Progress
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.viewport import Viewport, multiples_in_range
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr

DIMMED_OPACITY = 0.3
"""Factor on the opacity of rays while others are highlighted."""
QUICK_BUDGET = 12.0
"""Time budget for the rays in the quick image, in milliseconds."""
MAX_SLOWDOWN = 8.0
"""How much longer quick images may take than estimated before they still get fewer rays."""
MS_PER_PIXEL = 4e-6
"""Time to clear, convert and paint a pixel of an antialiased image, in milliseconds."""
IDLE_MS = 120
"""Idle time before the full image is painted, in milliseconds."""


@dataclass(frozen=True)
class ImageRequest:
    """The parameters of an image of rays: the viewport, and whether rays have arrow heads."""

    viewport: Viewport
    arrows: bool


@dataclass(frozen=True, eq=False)
class LightImage:
    """The image of some rays, and the arrow heads on these rays."""

    drawing: RayDrawing
    wanted: ImageRequest
    image: QImage
    heads: ArrowHeads | None


class _ImagesCancelled(RaybenchError):
    """Raised in the worker thread when its images are no longer needed."""


class Backdrop(QObject):
    """The image below the objects, and the work that paints it."""

    painted = Signal()
    """The full image is complete."""
    shownChanged = Signal()
    """``shown`` has changed."""
    failed = Signal(str)
    """The full image cannot be made, with the reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        self.rays: RayDrawing | None = None
        self.lit: RayDrawing | None = None
        self.painted_count = 0
        """Number of segments in the image."""
        self.has_grid = True
        """Whether the grid is painted, if the scene shows one."""
        self._slowness = 1.0
        """How much longer quick images take here than was estimated."""
        self.light: NDArray[np.float32] | None = None
        """Where there is light: (rows, columns) of cells, see `light_coverage`."""
        self.heads: ArrowHeads | None = None
        """The arrow heads in the image."""
        self._rest = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._rest.timeout.connect(self._start_full_images)
        self._cancelled: Event | None = None
        """Cancels the images that are being made; None if there are none."""
        self._full: LightImage | None = None
        """The last image of all rays: it is still right where only the highlight changes."""
        self._background: BackgroundImage | None = None
        self._scene: tuple[Document, ImageRequest] | None = None
        self.shown: tuple[RayDrawing | None, ImageRequest] | None = None
        """The rays of the image, and what is required of it."""

    @property
    def settled(self) -> bool:
        """Whether the image is the final one, with all rays and antialiasing."""
        return not self._rest.isActive() and self._cancelled is None

    def paint(
        self, document: Document, viewport: Viewport, background: BackgroundImage | None = None
    ) -> None:
        """Repaint the image. ``background`` is the picture behind the scene."""
        wanted = ImageRequest(viewport, document.scene.settings.show_ray_arrows)
        self._background, self._scene = background, (document, wanted)
        self._stop_images()
        rays, lit, known, smooth = self.rays, self.lit, self._valid_full_image(), True
        begun = time.thread_time()
        if rays is not None:
            budget = QUICK_BUDGET / self._slowness
            if known is None:
                rays = thin_drawing(rays, viewport, budget)
            pixels = MS_PER_PIXEL * viewport.size[0] * viewport.size[1] * viewport.ratio**2
            new = [d for d in (rays if known is None else None, lit) if d is not None]
            cost = sum(estimate_paint_time(d, viewport, coarse=False) + pixels for d in new)
            smooth = rays is self.rays and (cost <= QUICK_BUDGET or not new)
            if lit is not None and not smooth:
                lit = thin_drawing(lit, viewport, budget)
            coarse = 1 if smooth else COARSE_PIXEL_SIDE
            below = known or _light_image(rays, wanted, coarse)
            if smooth:
                self._full = below
            self._compose_image(
                below, _light_image(lit, wanted, coarse) if lit is not None else None
            )
            if known is None and not smooth:
                expected = sum(
                    estimate_paint_time(d, viewport) for d in (rays, lit) if d is not None
                )
                if expected > QUICK_BUDGET / 4:
                    measured = (time.thread_time() - begun) * 1e3 / expected
                    self._slowness = min(max((self._slowness + measured) / 2, 1.0), MAX_SLOWDOWN)
        else:
            self._compose_image(None, None)
        self.painted_count = 0 if rays is None else len(rays)
        self.light = None if rays is None else light_coverage(rays, viewport, CELL_SIZE)
        if smooth:
            self._rest.stop()
        else:
            self._rest.start()
        if self.shown != (self.rays, wanted):
            self.shown = self.rays, wanted
            self.shownChanged.emit()

    def show_refined_image(self, image: QImage) -> None:
        """Show an image of refined light, the mean of several traces, in place of the full image;
        unless other rays are to be painted by now.
        """
        full = self._valid_full_image()
        if full is None:
            return
        self._full = replace(full, image=image)
        if self.lit is None:  # else it is shown when the highlight ends
            self._compose_image(self._full, None)
            self.painted.emit()

    def close(self) -> None:
        """Cancel the images that are being made, and make no more."""
        self._rest.stop()
        self._stop_images()

    def _stop_images(self) -> None:
        """Cancel the images that are being made."""
        if self._cancelled is not None:
            self._cancelled.set()
            self._cancelled = None

    def _valid_full_image(self) -> LightImage | None:
        """The image of all rays if it shows the current viewport and rays, else None."""
        full, scene = self._full, self._scene
        if full is None or scene is None or full.drawing is not self.rays:
            return None
        return full if full.wanted == scene[1] else None

    def _start_full_images(self) -> None:
        """Make the final images of all rays and of the highlighted rays in another thread."""
        rays, lit, known, scene = self.rays, self.lit, self._valid_full_image(), self._scene
        if rays is None or scene is None:
            return
        self._cancelled = cancelled = Event()

        def raise_if_cancelled(done: float) -> None:
            if cancelled.is_set():
                raise _ImagesCancelled

        def make_images() -> tuple[LightImage, LightImage | None]:
            full = known or _light_image(rays, scene[1], progress=raise_if_cancelled)
            return full, _light_image(
                lit, scene[1], progress=raise_if_cancelled
            ) if lit is not None else None

        run_in_background(
            self,
            make_images,
            partial(self._show_finished_images, cancelled),
            partial(self._report_failure, cancelled),
            pool=QThreadPool.globalInstance(),
        )

    def _show_finished_images(
        self, cancelled: Event, images: tuple[LightImage, LightImage | None]
    ) -> None:
        """Show the images that were made in the other thread, unless they are outdated."""
        if cancelled is self._cancelled and self.rays is not None:
            self._cancelled, self._full = None, images[0]
            self._compose_image(*images)
            self.painted_count = len(self.rays)
            self.painted.emit()

    def _report_failure(self, cancelled: Event, error: Exception) -> None:
        if cancelled is self._cancelled:
            self._cancelled = None
            self.failed.emit(error_reason(error, tr("The full picture of the rays")))

    def _compose_image(self, rays: LightImage | None, lit: LightImage | None) -> None:
        """Paint the image in order: background and grid; all rays, dimmed if some are highlighted;
        the highlighted rays; the arrow heads of the highlighted rays, or else of all rays.
        """
        assert self._scene is not None
        document, wanted = self._scene
        at = wanted.viewport
        image = QImage(
            max(1, round(at.size[0] * at.ratio)),
            max(1, round(at.size[1] * at.ratio)),
            QImage.Format.Format_RGB32,
        )
        image.setDevicePixelRatio(at.ratio)
        with QPainter(image) as painter:
            paint_below_rays(painter, document, at, background=self._background, grid=self.has_grid)
            if rays is not None:
                draw_image(painter, rays.image, 1.0 if lit is None else DIMMED_OPACITY)
            if lit is not None:
                draw_image(painter, lit.image, 1.0)
            top = lit or rays
            self.heads = top.heads if top is not None else None
            if self.heads is not None:
                paint_arrow_heads(painter, self.heads)
        self.image = image


def _light_image(
    drawing: RayDrawing,
    request: ImageRequest,
    coarse: int = 1,
    progress: Progress = lambda done: None,
) -> LightImage:
    """The image of the rays of a drawing, with arrow heads if ``request`` asks for them."""
    progress(0.0)
    image = ray_image(drawing, request.viewport, coarse, progress)
    heads = arrow_heads(drawing, request.viewport) if request.arrows else None
    return LightImage(drawing, request, image, heads)


def paint_below_rays(
    painter: QPainter,
    document: Document,
    viewport: Viewport,
    *,
    transparent: bool = False,
    background: BackgroundImage | None = None,
    grid: bool = True,
) -> None:
    """Paint everything below the rays: the background colour unless ``transparent``, the picture
    behind the scene, the ``grid`` if the scene shows it, the glass bodies and the observer.
    """
    camera, theme = viewport.camera, viewport.theme
    if not transparent:
        painter.fillRect(0, 0, *viewport.size, theme.color("canvas"))
    paint_background(painter, document, camera, background)
    if grid and document.scene.settings.show_grid:
        _paint_grid(painter, document.scene.settings.grid_size, viewport)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    for obj in document.scene.objects:
        if obj.key not in document.hidden and has_fill(obj):
            for part in document.scene.parts_of(obj):
                paint_fill(
                    painter, part, camera, Style(theme, disabled=obj.key in document.disabled)
                )
    paint_observer(painter, document, viewport)


def _paint_grid(painter: QPainter, step: float, viewport: Viewport) -> None:
    """Paint a grid line every ``step`` scene units, or every multiple of ``step`` where the lines
    would be too dense.
    """
    camera, size = viewport.camera, viewport.size
    while step * camera.scale < 8:
        step *= 5
    pen = QPen(viewport.theme.color("grid"))
    pen.setCosmetic(True)
    painter.setPen(pen)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    left, top, width, height = camera.visible_rectangle(size)
    for i in multiples_in_range(step, left, width):
        x = round((i * step - camera.x) * camera.scale)
        painter.drawLine(QLineF(x, 0, x, size[1]))
    for i in multiples_in_range(step, top, height):
        y = round((i * step - camera.y) * camera.scale)
        painter.drawLine(QLineF(0, y, size[0], y))
