"""The layout of a plot of a lens on a page, as lines, bars and texts in pixels. Windows, files and
notebooks paint the same layout.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TypeVar

import numpy as np

from raybench.arrays import Floats
from raybench.lens.curves import (
    BAR_WIDTH,
    COLOURED_WAVELENGTHS,
    Curve,
    Figure,
    LineStyle,
    Panel,
    lens_figure,
)
from raybench.lens.prescription import Prescription, Wavelength
from raybench.optics.colour import legible_on_white, wavelength_to_rgb
from raybench.raster.coloring import CATEGORY_COLORS

TEXT = 12
"""Size of texts, in pixels."""
LETTER = 0.54
"""Mean width of a letter, in text sizes."""
ROW = 17
"""Height of a line of text, in pixels."""
GAP = 8
TICK = 4
SAMPLE = 18
"""Length of the line beside a name in the legend, in pixels."""
DASHES = {
    LineStyle.SOLID: (),
    LineStyle.DASHED: (5.0, 3.0),
    LineStyle.DOTTED: (1.5, 2.5),
    LineStyle.BARS: (),
}
WIDTH_PER_HEIGHT = 1.35
"""Preferred width of a panel, in heights."""

T = TypeVar("T", float, Floats)
Ink = Wavelength | int | str
"""A wavelength, the number of a category, or a name: text, dim, grid, separator."""


@dataclass(frozen=True, eq=False)
class PageLine:
    """A line through points (n, 2), broken at NaN; a single point is a dot."""

    points: Floats
    ink: Ink
    width: float = 1.0
    dashes: tuple[float, ...] = ()


@dataclass(frozen=True)
class PageBar:
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    ink: Ink


@dataclass(frozen=True)
class PageText:
    """A text whose baseline starts, is centred or ends (``anchor``: start, middle, end) at a point;
    a ``turned`` text runs upwards.
    """

    x: float
    y: float
    text: str
    ink: Ink = "dim"
    anchor: str = "start"
    turned: bool = False


@dataclass(frozen=True, eq=False)
class PlacedPanel:
    """A panel with the rectangle of its axes on the page."""

    panel: Panel
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def page_x(self, x: T) -> T:
        """The horizontal page position of values on the x axis."""
        low, high = self.panel.x_range
        return self.left + (x - low) / (high - low) * self.width

    def page_y(self, y: T) -> T:
        """The vertical page position of values on the y axis."""
        low, high = self.panel.y_range
        return self.bottom - (y - low) / (high - low) * self.height

    def page_points(self, curve: Curve) -> Floats:
        """The points of a curve on the page, (n, 2)."""
        return np.stack([self.page_x(curve.x), self.page_y(curve.y)], axis=1)


@dataclass(frozen=True, eq=False)
class PageLayout:
    """The layout of a plot: the marks in the order of painting, and the placed panels."""

    width: float
    height: float
    marks: tuple[PageLine | PageBar | PageText, ...]
    panels: tuple[PlacedPanel, ...]


def arrange_figure(figure: Figure, width: float, height: float, title: str = "") -> PageLayout:
    """Arrange a plot on a page with a width and height in pixels. ``title`` is written before the
    titles of the figure.
    """
    marks: list[PageLine | PageBar | PageText] = []
    heading = ": ".join(filter(None, (title, figure.title)))
    marks.append(PageText(GAP, ROW, _cut_text_to_width(heading, width - GAP), "text"))
    top = float(ROW)
    if figure.note:
        after = GAP + _text_width(heading) + 2 * GAP
        fits = after + _text_width(figure.note) <= width
        top = float(ROW if fits else 2 * ROW)
        marks.append(
            PageText(after if fits else GAP, top, _cut_text_to_width(figure.note, width - GAP))
        )
    top = _add_legend(marks, figure, width, top) + GAP
    placed = list(_place_panels(figure, width, height, top))
    for each, is_first in placed:
        marks += _panel_marks(each, numbers_up=is_first or not figure.same_axes)
    return PageLayout(width, height, tuple(marks), tuple(each for each, _ in placed))


def _text_width(text: str) -> float:
    return LETTER * TEXT * len(text)


def _cut_text_to_width(text: str, width: float) -> str:
    """The text, shortened to a width in pixels; the unit at its end is kept."""
    letters = max(int(width / (LETTER * TEXT)), 1)
    if len(text) <= letters:
        return text
    name, bracket, unit = text.partition(" (")
    room = letters - 1 - len(bracket + unit)
    return f"{name[:room]}…{bracket}{unit}" if room > 0 else f"{text[: letters - 1]}…"


def _add_legend(
    marks: list[PageLine | PageBar | PageText], figure: Figure, width: float, top: float
) -> float:
    """Add a legend of colours and line styles, in as many rows as necessary. Returns the y
    coordinate of its lower end.
    """
    names: dict[str, tuple[Ink, LineStyle]] = {}
    for panel in figure.panels:
        for curve in panel.curves:
            if curve.colour is not None and curve.name:
                plain = LineStyle.BARS if curve.style is LineStyle.BARS else LineStyle.SOLID
                names.setdefault(curve.name, (curve.colour, plain))
    entries = [(name, ink, style) for name, (ink, style) in names.items()]
    entries += [(words, "dim", style) for style, words in figure.styles]
    if not entries:
        return top
    x, y = float(GAP), top + ROW
    for name, ink, style in entries:
        wide = SAMPLE + GAP / 2 + _text_width(name) + 2 * GAP
        if x > GAP and x + wide - 2 * GAP > width:
            x, y = float(GAP), y + ROW
        if style is LineStyle.BARS:
            marks.append(PageBar(x, y - TEXT + 3, SAMPLE / 2, TEXT - 3, ink))
        else:
            ends = np.array([[x, y - 4], [x + SAMPLE, y - 4]])
            marks.append(PageLine(ends, ink, 2.0, DASHES[style]))
        marks.append(PageText(x + SAMPLE + GAP / 2, y, name, "text"))
        x += wide
    return y


def _place_panels(
    figure: Figure, width: float, height: float, top: float
) -> Iterator[tuple[PlacedPanel, bool]]:
    """The panels arranged in rows and columns, and whether each is the first of its row."""
    count = len(figure.panels)
    columns = min(
        range(1, count + 1),
        key=lambda n: (
            # panels of the preferred shape, without empty places
            abs(
                math.log(
                    width / n / max((height - top) / math.ceil(count / n), 1.0) / WIDTH_PER_HEIGHT
                )
            )
            + (-count % n) / n
        ),
    )
    rows = math.ceil(count / columns)
    deep, high = 2 * ROW + TICK, (height - top) / rows
    margins = []
    for column in range(columns):
        own = figure.panels[column::columns]
        if column and figure.same_axes:
            margins.append(2.0 * GAP)
        else:
            numbers = [
                text for p in own for _, text in _axis_ticks(p.y_range, high - deep, up=True)
            ]
            margins.append(ROW + GAP + TICK + max(map(_text_width, numbers), default=0.0))
    wide = (width - sum(margins) - GAP * (columns + 0.5)) / columns
    head = ROW if any(p.title for p in figure.panels) else GAP / 2
    size = max(wide, 1.0), max(high - head - deep - GAP / 2, 1.0)
    for index, panel in enumerate(figure.panels):
        row, column = divmod(index, columns)
        left = sum(margins[: column + 1]) + column * (wide + GAP)
        yield PlacedPanel(panel, left, top + row * high + head, *size), not column


def _axis_ticks(
    shown: tuple[float, float], room: float, *, up: bool = False
) -> list[tuple[float, str]]:
    """The round numbers on an axis with a length of ``room`` pixels, and their texts."""
    low, high = shown
    span = high - low
    step = 10 ** math.floor(math.log10(span / 50))
    for factor in (2, 2.5, 2) * 5:
        texts = _tick_numbers(low, high, step)
        wide = max((_text_width(t) for _, t in texts), default=0.0) + 1.5 * TEXT
        if up:
            wide = max(1.3 * TEXT, min(2.6 * TEXT, room / 5))
        if step / span * room >= wide:
            break
        step *= factor
    return texts


def _tick_numbers(low: float, high: float, step: float) -> list[tuple[float, str]]:
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(i * step, f"{i * step:.10g}".replace("-", "−")) for i in range(first, last + 1)]


def _named_ticks(at: PlacedPanel) -> tuple[tuple[float, str], ...]:
    """The named ticks of a panel's axis. If they would overlap, only every second, third ... tick
    is returned.
    """
    ticks = at.panel.ticks
    wide = max(_text_width(text) for _, text in ticks) + TEXT / 2
    step = math.ceil(wide * len(ticks) / at.width)
    return ticks[::-step][::-1]


def _panel_marks(at: PlacedPanel, *, numbers_up: bool) -> Iterator[PageLine | PageBar | PageText]:
    """The lines, bars and texts of the axes and curves of a panel."""
    panel, left, top, right, bottom = at.panel, at.left, at.top, at.right, at.bottom
    y_ticks = _axis_ticks(panel.y_range, at.height, up=True)
    for value, text in _named_ticks(at) if panel.ticks else _axis_ticks(panel.x_range, at.width):
        x = at.page_x(value)
        if not panel.ticks:
            line = np.array([[x, top], [x, bottom]])
            yield PageLine(line, "grid" if value else "separator")
        yield PageText(x, bottom + TICK + TEXT, text, anchor="middle")
    for value, text in y_ticks:
        y = at.page_y(value)
        yield PageLine(np.array([[left, y], [right, y]]), "grid" if value else "separator")
        if numbers_up:
            yield PageText(left - TICK, y + 0.36 * TEXT, text, anchor="end")
    frame = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]
    yield PageLine(np.array(frame), "separator")
    middle, room = left + at.width / 2, at.width + 3 * GAP
    yield PageText(middle, top - 5, _cut_text_to_width(panel.title, room), "text", "middle")
    below = bottom + TICK + TEXT + ROW
    yield PageText(middle, below, _cut_text_to_width(panel.x_title, room), anchor="middle")
    if numbers_up:
        beside = left - TICK - max((_text_width(text) for _, text in y_ticks), default=0.0) - GAP
        title = _cut_text_to_width(panel.y_title, at.height + 2 * ROW)
        yield PageText(beside, top + at.height / 2, title, anchor="middle", turned=True)
    for curve in panel.curves:
        ink: Ink = "dim" if curve.colour is None else curve.colour
        points = at.page_points(curve)
        if curve.style is LineStyle.BARS:
            wide = BAR_WIDTH / (panel.x_range[1] - panel.x_range[0]) * at.width
            for x, y in points.tolist():
                low, high = sorted((y, at.page_y(0.0)))
                yield PageBar(x - wide / 2, low, wide, high - low, ink)
        else:
            inside = np.clip(points[:, 1], top, bottom)
            shown = np.stack([points[:, 0], inside], axis=1)
            yield PageLine(shown, ink, 1.5, DASHES[curve.style])


def lens_svg(system: Prescription, name: str, width: float = 720, height: float = 420) -> str:
    """The plot of a lens with a name of `LENS_PLOTS` as an SVG picture. Raises the errors of
    `lens_figure`.
    """
    return layout_svg(arrange_figure(lens_figure(system, name), width, height, system.title))


def screen_color(ink: Wavelength | int) -> Floats:
    """The colour (3,) on a black background that represents a wavelength or a category."""
    if isinstance(ink, Wavelength):
        rgb = wavelength_to_rgb(np.clip([ink.value], *COLOURED_WAVELENGTHS))[0]
        return np.asarray(rgb / max(float(rgb.max()), 1e-9))
    return np.asarray(CATEGORY_COLORS[ink % len(CATEGORY_COLORS)])


_INKS = {"text": "#1e2329", "dim": "#5c6670", "grid": "#eceef0", "separator": "#c8ccd0"}


def layout_svg(drawing: PageLayout) -> str:
    """The SVG picture of a plot, on white."""
    width, height = f"{drawing.width:g}", f"{drawing.height:g}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" style="background:#fff" font-family="sans-serif"'
        f' font-size="{TEXT}">'
    ]
    for mark in drawing.marks:
        color = page_color(mark.ink)
        if isinstance(mark, PageText):
            turn = f' transform="rotate(-90 {mark.x:.1f} {mark.y:.1f})"' if mark.turned else ""
            parts.append(
                f'<text x="{mark.x:.1f}" y="{mark.y:.1f}" fill="{color}"'
                f' text-anchor="{mark.anchor}"{turn}>{escape(mark.text)}</text>'
            )
        elif isinstance(mark, PageBar):
            parts.append(
                f'<rect x="{mark.x:.2f}" y="{mark.y:.2f}" width="{mark.width:.2f}"'
                f' height="{mark.height:.2f}" fill="{color}"/>'
            )
        else:
            for piece in finite_pieces(mark.points):
                if len(piece) == 1:
                    (x, y) = piece[0].tolist()
                    parts.append(f'<circle cx="{x:.2f}" cy="{y:.2f}" r="3" fill="{color}"/>')
                    continue
                path = "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in piece.tolist())
                dashes = (
                    f' stroke-dasharray="{" ".join(map(str, mark.dashes))}"' if mark.dashes else ""
                )
                parts.append(
                    f'<path d="{path}" fill="none" stroke="{color}"'
                    f' stroke-width="{mark.width:g}"{dashes}/>'
                )
    return "".join([*parts, "</svg>"])


def finite_pieces(points: Floats) -> Iterator[Floats]:
    """The parts of a line (n, 2) between its NaN points."""
    known = np.atleast_1d(np.isfinite(points).all(axis=1))
    starts = np.flatnonzero(known & ~np.append(False, known[:-1]))
    ends = np.flatnonzero(known & ~np.append(known[1:], False))
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield points[start : end + 1]


def page_color(ink: Ink) -> str:
    """The colour of a wavelength or a category on white paper, as #rrggbb."""
    if isinstance(ink, str):
        return _INKS[ink]
    rgb = legible_on_white(screen_color(ink)[None])[0]
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb.tolist())
