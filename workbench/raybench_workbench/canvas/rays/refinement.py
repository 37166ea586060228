"""Refinement of pictures of brightness: further draws of a scene are traced, and the picture of
their mean light is shown, until its error is small enough.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QImage

from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.scene.settings import Settings
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.rays.drawing import Light, ShownRays
from raybench_workbench.canvas.rays.ray_image import light_image, sum_light
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.texts import grouped_digits
from raybench_workbench.threads import error_reason, gui_thread_function, run_in_background
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.canvas.view import CanvasView
    from raybench_workbench.tracing import TraceService

REST = 500
"""Idle time before a picture is refined, in milliseconds."""

ERROR = 0.01
"""The relative standard error at which pictures are fine enough by default."""


@dataclass(frozen=True, eq=False)
class RefinedImage:
    """The image of the mean light of ``draws`` draws, with its relative standard error."""

    image: QImage
    draws: int
    error: float

    @property
    def words(self) -> str:
        """How many draws, and the error, such as ``16 draws, ± 2.1 %``."""
        draws = grouped_digits(self.draws)
        return tr("{draws} draws, ± {error} %", draws=draws, error=f"{100 * self.error:.2g}")


class _Stopped(RaybenchError):
    """Raised while a picture is made that is no longer needed."""


def shows_brightness(settings: Settings) -> bool:
    """Whether the colours of a scene show how bright its light is, so that more draws show it
    better.
    """
    return settings.color_mode != "default"


class NothingToRefine(RaybenchError):
    """More draws of a scene with such settings would not show its light better."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            "All draws of this scene are the same: it has only single rays, and nothing is random."
            " Add a source with a ray density, such as a beam."
            if shows_brightness(settings)
            else "The colour mode Default does not show brightness. Set the scene's colour mode to"
            " Linear, or do not refine the picture."
        )


def refined_images(
    document: Document,
    shown: ShownRays,
    viewport: Viewport,
    error: float,
    stop: Callable[[], bool],
    **limits: Any,
) -> Iterator[RefinedImage]:
    """Yield images of more and more draws of a document, until their error is at most ``error`` or
    ``stop``, polled every few milliseconds, returns True. ``shown`` says how the rays are drawn, in
    a colour mode that shows brightness. The kernels must be compiled, since light adds up only with
    them.

    ``limits`` are those of `raybench.study.refinement.refine_light`. Nothing is yielded if all
    draws are the same.
    """
    from raybench.study.refinement import refine_light  # the first window does not need it

    def raise_if_stopped(_: float) -> None:
        if stop():
            raise _Stopped

    def light_of(result: TraceResult) -> Light:
        drawing = dataclasses.replace(shown, result=result).drawing()
        return sum_light(drawing, viewport, progress=raise_if_stopped)

    mode = shown.settings.color_mode
    try:
        for refined in refine_light(document, light_of, error=error, stop=stop, **limits):
            yield RefinedImage(
                light_image(mode, refined.light, viewport), refined.draws, refined.error
            )
    except _Stopped:
        return


class Refinement(QObject):
    """Refines the picture of the rays on a canvas while nothing changes, in a thread of its own."""

    changed = Signal()
    """``latest`` is another, or the refinement has begun or ended."""

    def __init__(self, service: TraceService, canvas: CanvasView) -> None:
        super().__init__(canvas)
        self._service, self._canvas, self._document = service, canvas, canvas.document
        self.latest: RefinedImage | None = None
        """What the canvas shows; None for the light of the trace alone."""
        self.error = ERROR
        """The relative standard error at which pictures are fine enough; 0 for no refinement."""
        self.enabled = True
        """Whether pictures are refined at all; False for reproducible screenshots."""
        self._of: object = None
        """What is being refined, or has been."""
        self._cancelled: Event | None = None
        """Cancels the refinement that is running; None if there is none."""
        self._rest = QTimer(self, singleShot=True, interval=REST)
        self._rest.timeout.connect(self._begin)
        canvas.backdrop.shownChanged.connect(self._follow_canvas)
        canvas.document.gestureChanged.connect(self._follow_canvas)
        canvas.escapePressed.connect(self.stop)

    @property
    def is_running(self) -> bool:
        """Whether more draws are being added to the picture."""
        return self._cancelled is not None

    @property
    def is_settled(self) -> bool:
        """Whether the picture stays as it is if nothing changes."""
        return not (self._rest.isActive() or self.is_running)

    def refine_to(self, error: float) -> None:
        """Refine pictures from now on until their relative standard error is at most ``error``."""
        self.error = error
        self._follow_canvas()

    def stop(self) -> None:
        """Leave the picture as it is until something changes."""
        self._rest.stop()
        if self._cancelled is not None:
            self._cancelled.set()
            self._cancelled = None
            self.changed.emit()

    def _follow_canvas(self, *_: object) -> None:
        """Begin anew, after a rest, if the canvas shows something else."""
        of = (self._canvas.backdrop.shown, self.error) if self._can_refine() else None
        if of == self._of:
            return
        self._of = of
        self.stop()
        if self.latest is not None:
            self.latest = None
            self.changed.emit()
        if of is not None:
            self._rest.start()

    def _can_refine(self) -> bool:
        """Whether the canvas shows the brightness of the document, and nothing is dragged. Rays with
        arrows are to be seen one by one.
        """
        document, rays = self._document, self._canvas.backdrop.rays
        settings = document.scene.settings
        return (
            self.enabled
            and self.error > 0
            and rays is not None
            and bool(rays.mode)
            and shows_brightness(settings)
            and not settings.show_ray_arrows
            and document.gesture is None
            and document.session.view.specific_rays is None
            and self._canvas.selection.still is None
        )

    def _begin(self) -> None:
        """Begin to refine what the canvas shows, once it shows all light of a complete trace."""
        canvas, result = self._canvas, self._document.session.fresh_result
        shown = canvas.rays.shown
        if not (canvas.rays.settled and canvas.backdrop.settled):
            self._rest.start()
        elif (
            shown is not None
            and shown.result is result
            and result.completion is Completion.COMPLETE
        ):
            self._cancelled = cancelled = Event()
            document, viewport, error = self._document.document, canvas.viewport, self.error
            limits = self._service.given_limits
            show = gui_thread_function(self, partial(self._show, cancelled))

            def refine() -> None:
                for refined in refined_images(
                    document, shown, viewport, error, cancelled.is_set, **limits
                ):
                    show(refined)

            end = partial(self._end, cancelled)
            run_in_background(self, refine, end, end)
            self.changed.emit()

    def _show(self, cancelled: Event, refined: RefinedImage) -> None:
        if cancelled is self._cancelled:
            self.latest = refined
            self._canvas.backdrop.show_refined(refined.image)
            self.changed.emit()

    def _end(self, cancelled: Event, error: Exception | None) -> None:
        if cancelled is self._cancelled:
            self.stop()
            if error is not None:
                self._document.failed.emit(error_reason(error, tr("Refining the picture")))
