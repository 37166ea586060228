"""The colours of light in a theme, lines sorted by colour, and the legend that explains the
colours.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QLinearGradient, QPainter

from raybench.optics.colour import GREEN, legible_on_white, wavelength_to_rgb
from raybench.raster.coloring import Legend
from raybench.scene.settings import Settings
from raybench.trace.results.images import LineRole, PointRole
from raybench_workbench.theme import GRID, HALF, SMALL_SIZE, Theme, text_font
from raybench_workbench.translation import tr

Colors = NDArray[np.float64]
"""(n, 4): red, green, blue and opacity from 0 to 1."""
LINE_COLORS = {
    LineRole.RAY: "ray",
    LineRole.EXTENSION: "extension",
    LineRole.FORWARD: "forward",
    LineRole.OBSERVED: "sight",
}
POINT_COLORS = {
    PointRole.REAL: "ray",
    PointRole.VIRTUAL: "extension",
    PointRole.VIRTUAL_OBJECT: "forward",
}
"""Theme colours, by role, of marks without a wavelength."""
OPACITY_OCTAVES = 7
"""Opacity ranges from 1 to 2**-OCTAVES = 1/128; weaker rays, which eight bits do not resolve, are
not painted beside stronger ones.
"""
KEPT_OCTAVES = 4
"""Octaves below the strongest ray within which rays are painted however weak they are, for many
weak rays add up to light.
"""
ALPHA_STEPS = 21
"""Number of opacity steps over `OPACITY_OCTAVES`."""
MAX_OPACITY_STEP = 255
"""Largest number of an opacity step."""
WIDTH_STEPS = 8
"""Steps of a ray's width to which the widths of lines are rounded."""
BAR_LENGTH = 168
"""Length of a scale's bar, in pixels."""
MAX_LEGEND_ROWS = 10
"""Categories that are listed."""
LEGEND_MARGIN = 2 * GRID
LEGEND_ROW_HEIGHT = GRID + SMALL_SIZE // 2 + 2
"""Height of a row."""


def sort_marks_by_color(
    rgb: NDArray[np.float64],
    opacity: NDArray[np.float64],
    width: NDArray[np.float64] | float = 1.0,
    layer: NDArray[np.int64] | int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.float32], NDArray[np.float64]]:
    """Sort lines or points by layer, lowest first, then by opacity, faintest first, then by colour.
    Returns their indices (k,), colours (k, 4) and widths (k,), rounded so that many marks share a
    pen.

    Marks without opacity are left out. So are marks fainter than `OPACITY_OCTAVES` allow, except
    those within `KEPT_OCTAVES` octaves of the strongest, because many faint rays add up.

    Args:
        rgb: The colour (n, 3) of each mark.
        opacity: (n,); counts as at most 1.
        width: The width (n,) of each line, relative to that of a ray.
        layer: The number (n,) of the layer of each mark.
    """
    finest = ALPHA_STEPS / OPACITY_OCTAVES
    with np.errstate(divide="ignore"):
        level = np.round(-np.log2(np.clip(opacity, 0.0, 1.0)) * finest)
    faintest = level.min(initial=np.inf) + KEPT_OCTAVES * finest
    rows = np.flatnonzero(level <= min(max(faintest, ALPHA_STEPS), MAX_OPACITY_STEP))
    level, fine = level[rows], np.round(rgb[rows] * 255)
    rounded = np.rint(np.broadcast_to(width, len(opacity))[rows] * WIDTH_STEPS)
    key = np.broadcast_to(layer, len(opacity))[rows].astype(np.int64)
    for part in (MAX_OPACITY_STEP - level, *fine.T, rounded):
        key = key << 8 | part.astype(np.int64)
    order = np.argsort(key, kind="stable")
    colors = np.concatenate([fine / 255, 2.0 ** (-level[:, None] / finest)], axis=1)
    return rows[order], colors[order].astype(np.float32), rounded[order] / WIDTH_STEPS


def wavelength_colors(wavelength: NDArray[np.float64], settings: Settings) -> NDArray[np.float64]:
    """The colours (n, 3) of wavelengths in nm, as the scene's settings map them; NaN gives green."""
    return wavelength_to_rgb(
        np.nan_to_num(wavelength, nan=GREEN),
        red=settings.red_wavelength,
        violet=settings.violet_wavelength,
    )


def mark_colors_by_role(role_colors: Mapping[Any, str], theme: Theme) -> NDArray[np.float64]:
    """The colours (k, 3) of a theme for lines or points of each role."""
    shades = [theme.color(name) for name in role_colors.values()]
    return np.array([(c.redF(), c.greenF(), c.blueF()) for c in shades])


def readable_colors(rgb: NDArray[np.float64], theme: Theme) -> NDArray[np.float64]:
    """Colours of light (n, 3), made readable in a theme. A dark theme keeps them, a light one
    darkens them for contrast.
    """
    return rgb if theme.is_dark else legible_on_white(rgb)


def color_on_background(rgba: NDArray[np.float64], theme: Theme) -> NDArray[np.float64]:
    """The colours (n, 3) that light (n, 4), premultiplied by its opacity, has on the background of
    a theme.
    """
    return readable_colors(np.minimum(rgba[:, :3] / np.maximum(rgba[:, 3:], 1e-9), 1.0), theme)


def legend_corners(legend: Legend, size: tuple[int, int]) -> tuple[QRectF, ...]:
    """The possible boxes of a legend in the corners of a canvas, the preferred one first: lower
    left, lower right, then the upper ones.
    """
    metrics = QFontMetrics(text_font(SMALL_SIZE))
    if legend.is_scale:
        width, height = float(BAR_LENGTH), LEGEND_ROW_HEIGHT + HALF + GRID + HALF + metrics.height()
    else:
        rows = _legend_texts(legend)
        width = max(metrics.horizontalAdvance(text) + 3 * GRID for text in [*rows, legend.title])
        height = (len(rows) + 1) * LEGEND_ROW_HEIGHT
    width, height = width + 2 * GRID, height + 2 * GRID
    right, bottom = size[0] - LEGEND_MARGIN - width, size[1] - LEGEND_MARGIN - height
    return tuple(
        QRectF(x, y, width, height) for y in (bottom, LEGEND_MARGIN) for x in (LEGEND_MARGIN, right)
    )


def paint_legend(painter: QPainter, legend: Legend, box: QRectF, theme: Theme) -> None:
    """Paint a legend into a box."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setFont(text_font(SMALL_SIZE))
    metrics = painter.fontMetrics()
    colors = [QColor.fromRgbF(*rgb) for rgb in readable_colors(legend.colors, theme).tolist()]
    painter.setPen(theme.color("separator"))
    painter.setBrush(theme.color("canvas", 0.86))
    painter.drawRoundedRect(box, 4, 4)
    inner = box.adjusted(GRID, GRID, -GRID, -GRID)
    painter.setPen(theme.color("dim"))
    painter.drawText(QPointF(inner.left(), inner.top() + metrics.ascent()), legend.title)
    if legend.is_scale:
        _paint_color_bar(painter, legend, colors, inner, theme)
    else:
        for i, text in enumerate(_legend_texts(legend)):
            y = inner.top() + (i + 1) * LEGEND_ROW_HEIGHT
            if i < len(colors) and i < MAX_LEGEND_ROWS:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colors[i])
                painter.drawRect(QRectF(inner.left(), y + LEGEND_ROW_HEIGHT / 2 - 2, 2 * GRID, 3))
            painter.setPen(theme.color("text"))
            painter.drawText(QPointF(inner.left() + 3 * GRID, y + metrics.ascent()), text)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _legend_texts(legend: Legend) -> list[str]:
    texts = [text for _, text in legend.labels]
    return (
        texts
        if len(texts) <= MAX_LEGEND_ROWS
        else [*texts[:MAX_LEGEND_ROWS], tr("and {count} more", count=len(texts) - MAX_LEGEND_ROWS)]
    )


def _paint_color_bar(
    painter: QPainter, legend: Legend, colors: list[QColor], inner: QRectF, theme: Theme
) -> None:
    metrics = painter.fontMetrics()
    bar = QRectF(inner.left(), inner.top() + LEGEND_ROW_HEIGHT + HALF, inner.width(), GRID)
    gradient = QLinearGradient(bar.topLeft(), bar.topRight())
    for i, color in enumerate(colors):
        gradient.setColorAt(i / max(1, len(colors) - 1), color)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(gradient)
    painter.drawRect(bar)
    painter.setPen(theme.color("text"))
    for place, text in legend.labels:
        wide = metrics.horizontalAdvance(text)
        x = bar.left() + place * (bar.width() - wide)
        painter.drawText(QPointF(round(x), bar.bottom() + HALF + metrics.ascent()), text)
