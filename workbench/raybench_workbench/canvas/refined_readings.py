"""The readings beside detectors as means over draws: traces of a scene with other random rays each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from raybench.arrays import Floats
from raybench.kinds.detectors import Detector
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceResult
from raybench_workbench.canvas.readings import DetectorReading, ReceivedLight, received_light
from raybench_workbench.refinement import MakeMean, RefinedResult

if TYPE_CHECKING:
    from raybench.study.refinement import MeanNumbers
    from raybench_workbench.canvas.view import CanvasView


@dataclass(frozen=True, eq=False)
class RefinedReadings(RefinedResult):
    """The mean readings of detectors by object key, over draws of the scene of ``result``."""

    result: TraceResult
    by_key: Mapping[int, DetectorReading]


def mean_readings(
    scene: Scene, result: TraceResult
) -> tuple[MeanNumbers, Callable[[], RefinedReadings]]:
    """A mean of the light that detectors receive over draws, and a function that makes readings
    from it.
    """
    from raybench.study.refinement import MeanNumbers  # the first window does not need it

    first, unit = received_light(scene, result)
    several = len(first)

    def numbers_of(draw: TraceResult) -> Floats:
        received = received_light(scene, draw)[0].values()
        profiles = [light.profile.irradiance for light in received if light.profile is not None]
        return np.concatenate([[light.power for light in received], *profiles])

    mean = MeanNumbers(numbers_of, [slice(several)])

    def readings() -> RefinedReadings:
        means, errors, by_key = mean.means, mean.errors.tolist(), {}
        irradiances, powers = means[several:], means[:several].tolist()
        for (key, light), power, error in zip(first.items(), powers, errors, strict=False):
            profile = light.profile
            if profile is not None:
                bins = len(profile.irradiance)
                profile = profile._replace(irradiance=irradiances[:bins])
                irradiances = irradiances[bins:]
            by_key[key] = ReceivedLight(power, profile).reading(unit, error)
        return RefinedReadings(mean.draws, mean.error, result, by_key)

    return mean, readings


class RefinableReadings:
    """The readings of the detectors on a canvas, which are refined by means over draws."""

    of_chance_alone = True
    settled = True

    def __init__(self, canvas: CanvasView) -> None:
        self._canvas = canvas

    def content_to_refine(self, result: TraceResult) -> object | None:
        """The result, if the scene has detectors."""
        scene = self._canvas.document.scene
        return result if any(isinstance(o, Detector) for o in scene.optical) else None

    def make_mean(self, stop: Callable[[], bool]) -> MakeMean:
        result = self._canvas.document.session.fresh_result
        assert result is not None
        return partial(mean_readings, result.scene or self._canvas.document.scene, result)

    def show(self, refined: RefinedResult) -> None:
        assert isinstance(refined, RefinedReadings)
        self._canvas.refined_readings = refined
        self._canvas.update()
