"""The picture of the light's brightness as the mean over draws: traces of a scene with other random
rays each.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QImage

from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.scene.settings import Settings
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.rays.drawing import Light, ShownRays
from raybench_workbench.canvas.rays.ray_image import light_image, sum_light
from raybench_workbench.canvas.viewport import Viewport
from raybench_workbench.refinement import MakeMean, RefinedResult, RefinementStopped
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench.study.refinement import MeanLight
    from raybench_workbench.canvas.view import CanvasView


@dataclass(frozen=True, eq=False)
class RefinedImage(RefinedResult):
    """The image of the mean light over draws; the error is that of its brightness."""

    image: QImage


def shows_brightness(settings: Settings) -> bool:
    """Whether the colour mode of a scene shows brightness, so that a mean over draws shows it more
    exactly.
    """
    return settings.color_mode != "default"


class NothingToRefine(RaybenchError):
    """More draws of a scene with these settings would not show its light more exactly."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(
            tr(
                "All draws of this scene are the same: it has only single rays, and nothing is"
                " random. Add a source with a ray density, such as a beam."
            )
            if shows_brightness(settings)
            else tr(
                "The colour mode Default does not show brightness. Set the scene's colour mode to"
                " Linear, or do not refine the picture."
            )
        )


def mean_picture(
    shown: ShownRays, viewport: Viewport, stop: Callable[[], bool]
) -> tuple[MeanLight, Callable[[], RefinedImage]]:
    """A mean of the painted light over draws, and a function that makes an image of the mean.
    ``stop`` is polled while light is summed; RefinementStopped is raised once it returns True.
    """
    from raybench.study.refinement import MeanLight  # the first window does not need it

    def raise_if_stopped(_: float) -> None:
        if stop():
            raise RefinementStopped

    def light_of(result: TraceResult) -> Light:
        drawing = dataclasses.replace(shown, result=result).drawing()
        return sum_light(drawing, viewport, progress=raise_if_stopped)

    mode = shown.settings.color_mode
    mean = MeanLight(light_of, mode)

    def image() -> RefinedImage:
        light = mean.refined
        return RefinedImage(light.draws, light.error, light_image(mode, light.light, viewport))

    return mean, image


def refined_images(
    document: Document,
    shown: ShownRays,
    viewport: Viewport,
    error: float,
    stop: Callable[[], bool],
    **limits: Any,
) -> Iterator[RefinedImage]:
    """Yield an image of the mean light after more and more draws of a document, until its error is
    at most ``error`` or ``stop``, polled every few milliseconds, returns True. ``shown`` says how
    the rays are drawn; its colour mode must show brightness, and the kernels must be compiled.

    ``limits`` are those of `raybench.study.refinement.refine`. Nothing is yielded if all draws are
    the same.
    """
    from raybench.study.refinement import refine

    mean, image = mean_picture(shown, viewport, stop)
    with contextlib.suppress(RefinementStopped):
        for _ in refine(document, [mean], error=error, stop=stop, **limits):
            yield image()


class RefinablePicture:
    """The picture of the rays on a canvas, which is refined by means over draws."""

    of_chance_alone = False

    def __init__(self, canvas: CanvasView) -> None:
        self._canvas = canvas
        self.changed = canvas.backdrop.shownChanged

    def content_to_refine(self, result: TraceResult) -> object | None:
        """What the canvas shows, if it shows the brightness of light. None with ray arrows, for
        then the user looks at single rays.
        """
        canvas, document = self._canvas, self._canvas.document
        rays, shown, settings = canvas.backdrop.rays, canvas.rays.shown, document.scene.settings
        brightness = (
            rays is not None
            and bool(rays.mode)
            and shown is not None
            and shown.result is result
            and shows_brightness(settings)
            and not settings.show_ray_arrows
            and document.session.view.specific_rays is None
        )
        return canvas.backdrop.shown if brightness else None

    @property
    def settled(self) -> bool:
        """Whether the canvas shows all light."""
        return self._canvas.rays.settled and self._canvas.backdrop.settled

    def make_mean(self, stop: Callable[[], bool]) -> MakeMean:
        assert self._canvas.rays.shown is not None
        return partial(mean_picture, self._canvas.rays.shown, self._canvas.viewport, stop)

    def show(self, refined: RefinedResult) -> None:
        assert isinstance(refined, RefinedImage)
        self._canvas.backdrop.show_refined_image(refined.image)
