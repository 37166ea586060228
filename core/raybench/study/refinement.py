"""Refined light: the mean of pictures of light over draws of a scene, with its error. More draws
take no more memory, since each is traced, added to the picture and dropped.

The same draws give the same picture for any number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.optics.colour import MIXINGS
from raybench.scene.document import Document
from raybench.study.estimate import LEAST_DRAWS, MOST_DRAWS, count_draws
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.run.memory import TraceMemory
from raybench.trace.trace import trace

Light = NDArray[np.float32]
GROWTH = 1.5
"""About the factor from the draws of one picture to those of the next."""
BAND = 100_000
"""Pixels whose colours are compared at a time."""


@dataclass(frozen=True, eq=False)
class RefinedLight:
    """The mean ``light`` (n, c), or (height, width, c), of pixels over ``draws`` draws, and its
    ``error``: the standard error of the displayed picture as a part of its brightness
    (`picture_error`).
    """

    light: Light
    draws: int
    error: float


def refine_light(
    document: Document,
    light_of: Callable[[TraceResult], Light],
    *,
    error: float = 0.0,
    draws: int = MOST_DRAWS,
    stop: Callable[[], bool] | None = None,
    **limits: Any,
) -> Iterator[RefinedLight]:
    """Yield the mean of the light (n, c) that ``light_of`` makes of each trace: after 2 draws, and
    then after about half more each time, until the error is at most ``error``, or after ``draws``
    draws. Nothing if all draws of the document are the same.

    ``stop`` is polled every few milliseconds; once it returns True, no more is yielded. ``limits``
    are ``threads``, ``max_segments`` and ``memory_limit`` of `raybench.trace.trace.trace`, whose
    errors are raised.
    """
    memory = TraceMemory()
    means: list[Light] = []
    """Over every second draw, from the first and from the second on."""
    due = 2
    for draw in range(count_draws(document, draws) // 2 * 2):
        result = trace(document, draw=draw, stop=stop, memory=memory, **limits)
        if result.completion is Completion.CANCELLED:
            return
        light = light_of(result)
        del result  # its memory serves the next draw
        if draw < 2:
            means.append(light)
        else:
            light -= means[draw % 2]
            light /= np.float32(draw // 2 + 1)
            means[draw % 2] += light
        if draw + 1 == due:
            reached = picture_error(means[0], means[1], document.scene.settings.color_mode)
            yield RefinedLight((means[0] + means[1]) / np.float32(2.0), due, reached)
            if due >= LEAST_DRAWS and reached <= error:
                return
            due = 2 * math.ceil(GROWTH * due / 2)


def picture_error(one: Light, other: Light, mode: str) -> float:
    """The standard error of the mean of two pictures (n, c) of the same light, each of half of the
    draws, as a part of its brightness; 0 without light.

    It is half their difference, so that it is right also where draws depend on each other: the root
    mean square over pixels, in the displayed colours of a colour mode on a black ground.
    """
    difference = brightness = 0.0
    for first in range(0, len(one), BAND):
        light = [half[first : first + BAND] for half in (one, other)]
        lit = light[0].any(axis=1) | light[1].any(axis=1)
        a, b = (
            MIXINGS[mode].displayed_color(some[lit] if some.shape[1] > 1 else some[lit, 0])[:, :3]
            for some in light
        )
        difference += float(((a - b) ** 2).sum())
        brightness += float(((a + b) ** 2).sum())
    return math.sqrt(difference / brightness) if brightness else 0.0
