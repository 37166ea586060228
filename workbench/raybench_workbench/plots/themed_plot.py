"""A pyqtgraph plot in the colours and fonts of the theme, without pyqtgraph's own menu and
buttons.
"""

import html
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QWidget

from raybench_workbench import theme
from raybench_workbench.export.picture_files import save_painting
from raybench_workbench.translation import with_decimal_sign
from raybench_workbench.widgets import elide_to_width

RANGE_MARGIN = 0.05
"""Free space around the data, as a fraction of their range."""


class PlotAxis(pg.AxisItem):  # type: ignore[misc]
    """A plot axis whose title is elided to the axis, and whose numbers do not overlap."""

    def labelString(self) -> str:
        across = self.orientation in ("bottom", "top")
        metrics = QFontMetrics(theme.text_font(theme.SMALL_SIZE))
        full: str = self.labelText  # type: ignore[has-type]
        shown = elide_to_width(
            full, metrics, int(self.width() if across else self.height()) - theme.GRID
        )
        self.labelText = html.escape(shown)  # it is a part of HTML, and may be a name in a scene
        label: str = super().labelString()
        self.labelText = full
        return label

    def resizeEvent(self, event: object = None) -> None:
        if self.label is not None:
            self.label.setHtml(self.labelString())
        super().resizeEvent(event)

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [with_decimal_sign(text) for text in super().tickStrings(values, scale, spacing)]

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        levels: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        if not levels or self.orientation not in ("bottom", "top"):
            return levels
        metrics, (spacing, offset) = QFontMetrics(theme.text_font(theme.SMALL_SIZE)), levels[0]
        for step in _tick_spacings(spacing):
            texts = self.tickStrings(
                [minVal // step * step, maxVal // step * step], self.scale, step
            )
            room = step / abs(maxVal - minVal) * size
            if room > size or max(map(metrics.horizontalAdvance, texts)) + theme.GRID <= room:
                break
        return [(step, offset), *levels[1:]]


def _tick_spacings(spacing: float) -> Iterator[float]:
    """The tick spacing ``spacing``, which is 1, 2 or 5 times a power of ten, and then the longer
    spacings of this form.
    """
    while True:
        yield spacing
        leading = round(spacing / 10 ** math.floor(math.log10(spacing) + 1e-9))
        spacing *= 2.5 if leading == 2 else 2


class CountAxis(PlotAxis):
    """A plot axis that has ticks only at whole numbers while ``whole`` is set."""

    whole = True

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, float]]:
        levels: list[tuple[float, float]] = super().tickSpacing(minVal, maxVal, size)
        return (
            [level for level in levels if level[0] >= 1] or [(1.0, 0.0)] if self.whole else levels
        )


class ThemedPlot(pg.PlotWidget):  # type: ignore[misc]
    """A plot that follows the theme. A subclass adds its own colours in `update_theme`, which is
    also called on construction.
    """

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        axes: Mapping[str, pg.AxisItem] | None = None,
    ) -> None:
        super().__init__(
            parent,
            axisItems={side: PlotAxis(side) for side in ("left", "bottom")} | dict(axes or {}),
        )
        self.setAccessibleName(name)
        self.plotItem.layout.setContentsMargins(
            1, theme.SMALL_SIZE // 2, 1, 1
        )  # the top number of the axis stands half above its end
        self.setMenuEnabled(False)
        self.hideButtons()
        self.setMouseTracking(True)
        for side in ("left", "bottom"):  # a factor such as 0.001 in the title is easy to miss
            self.getAxis(side).enableAutoSIPrefix(False)
        theme.notifier.changed.connect(self.update_theme)

    def update_theme(self, *_: object) -> None:
        """Apply the colours and fonts of the current theme."""
        self.setBackground(theme.current_theme().color("panel"))
        for side in ("left", "bottom"):
            self.style_axis(self.getAxis(side))

    def style_axis(self, axis: pg.AxisItem) -> None:
        """Apply the colours and the font of the current theme to an axis."""
        current = theme.current_theme()
        axis.setPen(pg.mkPen(current.color("separator")))
        axis.setTextPen(pg.mkPen(current.color("dim")))
        axis.setTickFont(QFont(theme.text_font(theme.SMALL_SIZE)))

    def set_titles(self, x_title: str, y_title: str) -> None:
        """Set the titles of the axes, and adapt the width of the vertical axis to its new numbers."""
        self.getAxis("left").textWidth = 0
        style = self.title_style
        for side, title in (("bottom", x_title), ("left", y_title)):
            axis = self.getAxis(side)
            if (axis.labelText, axis.labelStyle) != (title, style):
                axis.setLabel(title, **style)
                axis.resizeEvent()  # puts the title, of another length, in the middle

    @property
    def title_style(self) -> dict[str, str]:
        """The style of the titles of axes."""
        return {
            "color": theme.current_theme().color("dim").name(),
            "font-size": f"{theme.SMALL_SIZE}px",
        }

    def save(self, path: Path) -> None:
        """Write the plot to a file, see `save_painting`."""
        save_painting(
            path, self.size(), lambda painter: self.render(painter, QRectF(self.rect()))
        )  # by default Qt fills device pixels
