"""The searches for a better lens, which run in a thread, and the plot of their progress."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pyqtgraph as pg
from PySide6.QtWidgets import QWidget

from raybench.lens.configurations import shown_configuration, with_shown_configuration
from raybench.lens.design import LensDesign
from raybench.lens.glass_choice import choose_glasses
from raybench.lens.merit import ImprovedLens, Progress, Stop, improve, search_widely
from raybench_workbench import theme
from raybench_workbench.plots.themed_plot import RANGE_MARGIN, PlotAxis, ThemedPlot
from raybench_workbench.studies.runner import RunState
from raybench_workbench.translation import tr

MAX_DECADES = 2.5
"""Decades of an axis that has more numbers than their beginnings."""


class LensSearch(Protocol):
    """A search with the signature of those in `raybench.lens.merit`."""

    def __call__(
        self, design: LensDesign, *, stop: Stop = ..., progress: Progress = ...
    ) -> ImprovedLens: ...


SEARCHES: dict[str, tuple[LensSearch, str]] = {
    tr("Optimise"): (improve, tr("Go downhill from this lens, by damped least squares")),
    tr("Search widely"): (
        search_widely,
        tr("Disturb the best lens within the bounds, again and again, and improve it"),
    ),
    tr("Choose glasses"): (
        choose_glasses,
        tr("Replace the glasses that vary by neighbours, and improve"),
    ),
}
"""The searches by their titles, with what they do."""


@dataclass
class SearchRun(RunState):
    """The state of a search for a better lens: the best lens so far, and the best merit after each
    number of evaluations.
    """

    title: str = ""
    lens: str = ""
    start: LensDesign | None = None
    best: ImprovedLens | None = None
    merits: list[tuple[int, float]] = field(default_factory=list)

    @property
    def evaluations(self) -> int:
        """The number of evaluated lenses in the last report of the search."""
        return self.best.evaluations if self.best is not None else 0

    def run_search(self, stop: Callable[[], bool]) -> None:
        """Run the search; called in the thread."""
        assert self.start is not None
        self._take_best_lens(
            SEARCHES[self.title][0](self.start, stop=stop, progress=self._take_best_lens)
        )

    def _take_best_lens(self, best: ImprovedLens) -> None:
        if not self.merits:
            self.merits.append((1, best.first_merit))
        self.best = best
        self.merits.append((best.evaluations, best.merit))

    @property
    def design(self) -> LensDesign | None:
        """The best lens, in the configuration that the scene showed; None if no better lens was
        found.
        """
        if self.start is None or self.best is None or self.best.merit >= self.best.first_merit:
            return None
        shown = shown_configuration(self.start)
        found = self.best.design
        return found if shown is None else with_shown_configuration(found, shown)


class DecadesAxis(PlotAxis):
    """A logarithmic axis with ticks at 1, 2 and 5 of each decade, or only at 1 if there are many
    decades.
    """

    def logTickValues(
        self, minVal: float, maxVal: float, size: float, stdTicks: object
    ) -> list[tuple[None, list[float]]]:
        decades = range(math.floor(minVal), math.ceil(maxVal) + 1)
        digits = (1, 2, 5) if maxVal - minVal < MAX_DECADES else (1,)
        values = [k + math.log10(digit) for k in decades for digit in digits]
        inside = [v for v in values if minVal <= v <= maxVal]
        return [(None, inside if len(inside) > 1 else np.linspace(minVal, maxVal, 3).tolist())]

    def logTickStrings(self, values: list[float], scale: float, spacing: object) -> list[str]:
        return [f"{10**value:.3g}" for value in values]


class MeritPlot(ThemedPlot):
    """The plot of the best merit over the number of evaluations."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self.merits: list[tuple[int, float]] = []
        """What is plotted."""
        super().__init__(tr("Merit of the search"), parent, axes={"left": DecadesAxis("left")})
        self.plotItem.setLogMode(y=True)
        self.setMouseEnabled(x=False, y=False)
        self.update_theme()

    def update_theme(self, *_: object) -> None:
        super().update_theme()
        self.show_merits(self.merits)

    def show_merits(self, merits: list[tuple[int, float]]) -> None:
        """Plot the merits of a search, given as pairs of the number of evaluations and the merit."""
        self.merits = list(merits)
        self.clear()
        self.set_titles(tr("evaluations"), tr("merit"))
        x, y = np.array(self.merits or [(0, np.nan)], np.float64).T
        known = y > 0
        if not known.any():
            return
        x, y = x[known], y[known]
        pen = pg.mkPen(theme.current_theme().color("accent"), width=1)
        self.plot(x, y, pen=pen, stepMode="right", antialias=True)
        self.setXRange(0, max(float(x[-1]), 1.0), padding=RANGE_MARGIN)
        low, high = np.log10([y.min(), y.max()])
        # a merit that hardly changes is no cliff
        self.setYRange(min(low, high - 0.1), high, padding=RANGE_MARGIN)
