"""The plot of the light at a detector as the mean over draws, with its errors. A draw is a trace of
the scene with other random rays.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from raybench.analysis.rays.bundle import NoFocus
from raybench.arrays import Floats
from raybench.trace.results.result import TraceResult
from raybench_workbench.plots.curves import PLOTS, BinnedLight, BinnedPlot, Curve, split_light
from raybench_workbench.plots.light_plot import (
    PlotRequest,
    PlotResult,
    compute_plot,
    value_and_tool_tip,
)
from raybench_workbench.refinement import MakeMean, RefinedResult
from raybench_workbench.texts import grouped_digits
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench.analysis.measures.light import Light
    from raybench.analysis.rays.detector_light import DetectorLight
    from raybench.study.refinement import MeanNumbers
    from raybench_workbench.plots.panel import PlotPanel


REFINED_MEASURES = ("power", "centroid", "rms", "signed_power")
"""The measures that are means; the full width is found by rays of its own, which take long."""


@dataclass(frozen=True, eq=False)
class RefinedPlot(RefinedResult):
    """A plot whose curve and measures are means over draws."""

    wanted: PlotRequest
    answer: PlotResult


class _MeanCurve:
    """The mean over draws of the curve of a plot of binned light."""

    def __init__(self, wanted: PlotRequest, plot: BinnedPlot, first: BinnedLight) -> None:
        """``first`` is the binned light of the first draw."""
        self._plot, self._first, self._draw = plot, first, wanted.light(wanted.result)
        light, at = self._draw
        self._x = plot.mean_x(light, first)
        by = wanted.split if first.ray_positions is not None else ""
        self._split = split_light(light.result, at, by)
        self.size = len(self._x) - (len(first.x) - len(first.y))
        """The number of bins."""

    def join_numbers(self, light: Light, at: DetectorLight) -> Floats:
        """The numbers of one draw, joined into one array: the values of all bins, their ray counts,
        and the values of each part in all bins.
        """
        bins = self._plot.bins(light, at, self._x)
        assert bins is not None
        split = self._split
        parts = split.values(bins, light.result, at) if split is not None else ()
        return np.concatenate([bins.y, bins.rays, *parts])

    def curve(self, means: Floats, errors: Floats, draws: int) -> Curve:
        """The curve of the mean values, with their errors. ``means`` and ``errors`` have the order
        of `numbers_of`.
        """
        x, n = self._x, self.size
        columns = np.vstack([means.reshape(-1, n), errors[:n]])
        if x is not self._first.x:
            lit = np.flatnonzero(columns[1])
            if len(x) == n:
                x, columns = x[lit], columns[:, lit]
            else:  # an empty bin on either side
                begin, end = max(int(lit[0]) - 1, 0), min(int(lit[-1]) + 2, n)
                x, columns = x[begin : end + 1], columns[:, begin:end]
        y, rays, *parts, error = columns
        bins = BinnedLight(x, y, np.round(rays * draws), error)
        curve = replace(self._plot.draw(*self._draw, bins), band=error)
        return self._split.split(curve, parts) if self._split is not None else curve


def mean_plot(request: PlotRequest) -> tuple[MeanNumbers, Callable[[], RefinedPlot]]:
    """A mean over draws of the measures beside a plot and of its curve, except a curve of fringes;
    and a function that makes the plot of this mean.

    Fringes come from wavefronts between the rays of one trace. They are exact if the rays are dense
    enough, and otherwise the mean over draws is as wrong.
    """
    from raybench.study.refinement import MeanNumbers  # the panel does not need it

    plain, plot = compute_plot(request), PLOTS[request.plot]
    light, at = request.light(request.result)
    measures = {name: request.measures[name] for name in REFINED_MEASURES}
    measured = {name: measure.evaluate(light) for name, measure in measures.items()}
    several, binned = len(measured), None
    with suppress(NoFocus):
        if isinstance(plot, BinnedPlot) and (first := plot.bins(light, at, None)) is not None:
            binned = _MeanCurve(request, plot, first)

    def join_numbers(result: TraceResult) -> Floats:
        light, at = request.light(result)
        values = [measure.evaluate(light).value for measure in measures.values()]
        return np.append(values, binned.join_numbers(light, at) if binned is not None else ())

    group = slice(several, several + binned.size) if binned is not None else slice(1)
    mean = MeanNumbers(join_numbers, [group])

    def refined() -> RefinedPlot:
        means, errors = mean.means, mean.errors
        values = plain.values | {
            name: value_and_tool_tip(
                replace(of, value=value, reason=of.reason if math.isnan(value) else ""), error
            )
            for (name, of), value, error in zip(
                measured.items(), means.tolist(), errors.tolist(), strict=False
            )
        }
        answer = replace(plain, values=values)
        if binned is not None:
            curve = binned.curve(means[several:], errors[several:], mean.draws)
            note = curve.note or tr(
                "mean of {draws} draws, with its standard error", draws=grouped_digits(mean.draws)
            )
            answer = PlotResult(curve, values, note)
        return RefinedPlot(mean.draws, mean.error, request, answer)

    return mean, refined


class RefinablePlot:
    """The plot of the light at a detector in the plot panel, which is refined by means over
    draws.
    """

    of_chance_alone = False

    def __init__(self, panel: PlotPanel) -> None:
        self._panel, self._light = panel, panel.light

    def content_to_refine(self, result: TraceResult) -> object | None:
        """The detector and the plot that the panel shows; None if there is nothing to refine."""
        panel, wanted = self._panel, self._light.wanted
        shown = panel.in_front and panel.chosen is self._light
        return wanted if shown and wanted is not None and wanted.result is result else None

    @property
    def settled(self) -> bool:
        """Whether the plot of the trace is shown."""
        return self._light.settled

    def make_mean(self, stop: Callable[[], bool]) -> MakeMean:
        wanted = self._light.wanted
        assert wanted is not None
        return partial(mean_plot, wanted)

    def show(self, refined: RefinedResult) -> None:
        assert isinstance(refined, RefinedPlot)
        self._light.show_result(refined.wanted, refined.answer)
