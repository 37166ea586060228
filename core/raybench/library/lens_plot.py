"""Plots of a lens, drawn with matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from raybench.lens.curves import BAR_WIDTH, Curve, Figure, LineStyle
from raybench.lens.figure import page_color
from raybench.library.light import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = {LineStyle.SOLID: "-", LineStyle.DASHED: "--", LineStyle.DOTTED: ":"}
WIDTH, HEIGHT = 3.4, 2.8
"""Size of a panel, in inches; a single one is half as wide again."""


def plot_figure(figure: Figure, title: str) -> tuple[Axes, ...]:
    """Draw a plot of a lens in a new figure of matplotlib. Returns the axes of its panels. Raises
    NoPlotLibrary.
    """
    count = len(figure.panels)
    columns = min(count, 4)
    rows = -(-count // columns)
    page = new_figure((WIDTH * max(columns, 1.5), HEIGHT * rows + 0.8))
    page.set_layout_engine("constrained")
    named: dict[str, Any] = {}
    for number, panel in enumerate(figure.panels, 1):
        ax = page.add_subplot(rows, columns, number)
        for curve in panel.curves:
            line = dict(figure.styles).get(curve.style, "")
            name = ", ".join(dict.fromkeys(filter(None, (curve.name, line))))
            named.setdefault(name, _draw_curve(ax, curve))
        ax.set(title=panel.title, xlabel=panel.x_title, ylabel=panel.y_title)
        ax.set(xlim=panel.x_range, ylim=panel.y_range)
        ax.grid(True, alpha=0.3)
        if panel.ticks:
            ax.set_xticks([at for at, _ in panel.ticks], [name for _, name in panel.ticks])
    named.pop("", None)
    if named:
        page.legend(
            named.values(),
            named,
            loc="outside lower center",
            ncols=4 if columns > 2 else 2,
            fontsize="small",
        )
    page.suptitle(": ".join(filter(None, (title, figure.title))))
    return tuple(page.axes)


def _draw_curve(ax: Axes, curve: Curve) -> Any:
    """Draw a curve. Returns its artist for a legend."""
    color = page_color("dim" if curve.colour is None else curve.colour)
    if curve.style is LineStyle.BARS:
        return ax.bar(curve.x, np.nan_to_num(curve.y), BAR_WIDTH, color=color)
    marker = "o" if len(curve.x) == 1 else ""
    return ax.plot(curve.x, curve.y, LINES[curve.style], marker=marker, color=color)[0]
