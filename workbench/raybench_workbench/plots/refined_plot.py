"""The plot of the light at a detector as the mean over draws of a scene, with its errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from raybench.arrays import Floats
from raybench.trace.results.result import TraceResult
from raybench_workbench.plots.curves import PLOTS, BinnedPlot, Bins, split_light
from raybench_workbench.plots.light_plot import PlotAnswer, WantedPlot, value_and_tip
from raybench_workbench.refinement import MakeMean, Refined
from raybench_workbench.texts import grouped_digits
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench.study.refinement import MeanNumbers
    from raybench_workbench.plots.panel import PlotPanel


@dataclass(frozen=True, eq=False)
class RefinedPlot(Refined):
    """A plot whose curve and measures are means over draws."""

    wanted: WantedPlot
    answer: PlotAnswer


def mean_plot(
    wanted: WantedPlot, plot: BinnedPlot
) -> tuple[MeanNumbers, Callable[[], RefinedPlot]]:
    """A mean over draws of the light that a plot shows, and a function that makes the plot of it.
    The first trace has light in the plot.
    """
    from raybench.study.refinement import MeanNumbers  # the panel does not need it

    light, at = wanted.light(wanted.result)
    first = plot.bins(light, at, None)
    assert first is not None
    x = plot.mean_x(light, first)
    split = split_light(light.result, at, wanted.split if first.places is not None else "")
    measured = {name: measure.evaluate(light) for name, measure in wanted.measures.items()}

    def numbers_of(result: TraceResult) -> Floats:
        light, at = wanted.light(result)
        bins = plot.bins(light, at, x)
        assert bins is not None
        parts = split.values(bins, light.result, at) if split is not None else ()
        values = [measure.evaluate(light).value for measure in wanted.measures.values()]
        return np.concatenate([values, bins.y, bins.rays, *parts])

    several, bins = len(measured), len(x) - (first.places is not None)
    mean = MeanNumbers(numbers_of, [slice(several, several + bins)])

    def refined() -> RefinedPlot:
        means, errors = mean.means, mean.errors
        values = {
            name: value_and_tip(
                replace(of, value=float(value), reason=of.reason if math.isnan(value) else ""),
                float(error),
            )
            for (name, of), value, error in zip(measured.items(), means, errors, strict=False)
        }
        columns = np.vstack([means[several:].reshape(-1, bins), errors[several : several + bins]])
        shown_x = x
        if x is not first.x:
            shown_x, columns = _without_dark_ends(x, columns)
        y, rays, *parts, error = columns
        shown = Bins(shown_x, y, np.round(rays * mean.draws), error)
        curve = replace(plot.draw(light, at, shown), band=error)
        if split is not None:
            curve = split.split(curve, parts)
        note = curve.note or tr(
            "mean of {draws} draws, with its standard error", draws=grouped_digits(mean.draws)
        )
        return RefinedPlot(mean.draws, mean.error, wanted, PlotAnswer(curve, values, note))

    return mean, refined


def _without_dark_ends(x: Floats, columns: Floats) -> tuple[Floats, Floats]:
    """The bins ``x`` and the columns (k, n) of values, rays and more: bins without rays are left out
    except one, as dark wavelengths are, at both ends.
    """
    lit = np.flatnonzero(columns[1])
    if len(x) == columns.shape[1]:
        return x[lit], columns[:, lit]
    first, end = max(int(lit[0]) - 1, 0), min(int(lit[-1]) + 2, columns.shape[1])
    return x[first : end + 1], columns[:, first:end]


class PlotInPanel:
    """The plot of the light at a detector in a panel, as a part that is refined."""

    of_chance_alone = False

    def __init__(self, panel: PlotPanel) -> None:
        self._panel, self._light = panel, panel.light

    def subject(self, result: TraceResult) -> object | None:
        """What is plotted, if it is light in bins."""
        panel, wanted = self._panel, self._light.wanted
        if not (panel.in_front and panel.chosen is self._light and self._light.plot.has_plot):
            return None
        if wanted is None or wanted.result is not result:
            return None
        return wanted if isinstance(PLOTS[wanted.plot], BinnedPlot) else None

    @property
    def settled(self) -> bool:
        """Whether the plot of the trace is shown."""
        return self._light.settled

    def make_mean(self, stop: Callable[[], bool]) -> MakeMean:
        wanted = self._light.wanted
        assert wanted is not None
        plot = PLOTS[wanted.plot]
        assert isinstance(plot, BinnedPlot)
        return partial(mean_plot, wanted, plot)

    def show(self, refined: Refined) -> None:
        assert isinstance(refined, RefinedPlot)
        self._light.show_answer(refined.wanted, refined.answer)
