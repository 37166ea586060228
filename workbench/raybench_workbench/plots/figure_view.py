"""The widget that shows a plot of a lens, with a cross at the curve point whose values it displays."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QWidget

from raybench.lens.curves import Curve, Figure
from raybench.lens.figure import (
    Ink,
    PageBar,
    PageLayout,
    PageText,
    PlacedPanel,
    arrange_figure,
    finite_pieces,
    screen_color,
)
from raybench_workbench import theme
from raybench_workbench.canvas.rays.light_colors import readable_colors
from raybench_workbench.export.picture_files import save_painting, write_to_bytes
from raybench_workbench.translation import tr, translate_phrase, with_decimal_sign

READING_REACH = 40.0
"""Pixels from a curve within which the pointer reads it."""
DOT_RADIUS = 3.0


@dataclass(frozen=True, eq=False)
class CurveReading:
    """The curve point whose values are displayed: the indices of its panel, its curve and the
    point.
    """

    panel: int
    curve: int
    point: int


class FigureView(QWidget):
    """Shows a `Figure` and the values of the curve point nearest to the pointer. The left and right
    keys move along the curve, up and down to other curves.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Plot of the lens"))
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.figure: Figure | None = None
        """What is shown, in the language of the window."""
        self._plotted: Figure | None = None
        self.reading: CurveReading | None = None
        self._title = ""
        self._drawing: PageLayout | None = None
        self._picture: QPixmap | None = None
        """The painted plot, over which the reading moves with the pointer."""
        theme.notifier.changed.connect(self._update_drawing)

    @property
    def has_plot(self) -> bool:
        return self.figure is not None

    def show_figure(self, figure: Figure | None, title: str = "") -> None:
        """Show a plot of a lens with this title; None shows nothing."""
        self._plotted, self._title, self._drawing = figure, title, None
        self.figure = _translated_figure(figure) if figure is not None else None
        if self.reading is not None and not self._is_in_plot(self.reading):
            self.reading = None
        self._update_drawing()

    def _update_drawing(self, *_: object) -> None:
        self._picture = None
        self.update()

    @property
    def drawing(self) -> PageLayout | None:
        """The plot laid out for the size of the widget."""
        if self._drawing is None and self.figure is not None:
            self._drawing = arrange_figure(self.figure, self.width(), self.height(), self._title)
        return self._drawing

    def csv(self) -> str:
        return self._plotted.csv() if self._plotted is not None else ""

    def save(self, path: Path) -> None:
        """Write the plot to a file, see `save_painting`."""
        if self.drawing is not None:
            save_drawing(path, self.drawing, theme.current_theme())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._drawing = self._picture = None

    def paintEvent(self, event: QPaintEvent) -> None:
        ratio = self.devicePixelRatioF()
        if self._picture is None or self._picture.devicePixelRatio() != ratio:
            self._picture = QPixmap(self.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(theme.current_theme().color("panel"))
            if self.drawing is not None:
                with QPainter(self._picture) as painter:
                    paint_drawing(painter, self.drawing, theme.current_theme())
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._picture)
            if self.drawing is not None:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setFont(theme.text_font(theme.SMALL_SIZE))
                self._paint_reading(painter, self.drawing)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._show_reading(self._nearest_reading(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._show_reading(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }.get(Qt.Key(event.key()))
        if step is None or self.drawing is None:
            super().keyPressEvent(event)
            return
        self._show_reading(self._next_reading(*step))

    def reading_text(self) -> str:
        """The name of the curve and the displayed values; empty if no point is chosen."""
        if self.reading is None or self.drawing is None:
            return ""
        placed, curve, i = self._locate_reading(self.drawing, self.reading)
        panel = placed.panel
        place = next((name for at, name in panel.ticks if abs(at - curve.x[i]) < 0.5), None)
        assert self.figure is not None
        words = dict(self.figure.styles).get(curve.style, "")
        names = dict.fromkeys(filter(None, (panel.title, curve.name, words)))
        x = f"{panel.x_title} {place}" if place else _value_text(panel.x_title, float(curve.x[i]))
        return ": ".join(
            filter(
                None, (", ".join(names), f"{x}, {_value_text(panel.y_title, float(curve.y[i]))}")
            )
        )

    def _show_reading(self, reading: CurveReading | None) -> None:
        if reading is not None or self.reading is not None:
            self.reading = reading
            self.update()

    @staticmethod
    def _locate_reading(
        drawing: PageLayout, reading: CurveReading
    ) -> tuple[PlacedPanel, Curve, int]:
        placed = drawing.panels[reading.panel]
        return placed, placed.panel.curves[reading.curve], reading.point

    def _is_in_plot(self, reading: CurveReading) -> bool:
        panels = self.figure.panels if self.figure is not None else ()
        if reading.panel >= len(panels) or reading.curve >= len(panels[reading.panel].curves):
            return False
        y = panels[reading.panel].curves[reading.curve].y
        return reading.point < len(y) and bool(np.isfinite(y[reading.point]))

    def _nearest_reading(self, at: QPointF) -> CurveReading | None:
        found, least = None, READING_REACH
        for p, placed in enumerate(self.drawing.panels if self.drawing is not None else ()):
            box = QRectF(placed.left, placed.top, placed.width, placed.height)
            if not box.adjusted(-4, -4, 4, 4).contains(at):
                continue
            for c, curve in enumerate(placed.panel.curves):
                points = placed.page_points(curve)
                distances = np.hypot(points[:, 0] - at.x(), points[:, 1] - at.y())
                if np.isfinite(distances).any():
                    i = int(np.nanargmin(distances))
                    if distances[i] < least:
                        found, least = CurveReading(p, c, i), float(distances[i])
        return found

    def _next_reading(self, curves: int, points: int) -> CurveReading | None:
        """The point that is ``points`` further along the curve, or on the curve that is ``curves``
        further, in any panel.
        """
        assert self.drawing is not None
        places = [
            (p, c)
            for p, placed in enumerate(self.drawing.panels)
            for c, curve in enumerate(placed.panel.curves)
            if np.isfinite(curve.y).any()
        ]
        now = self.reading
        if now is None:
            place, at = places[0], 0.5
        else:
            count = len(self.drawing.panels[now.panel].panel.curves[now.curve].x)
            at = now.point / max(count - 1, 1)
            place = places[(places.index((now.panel, now.curve)) + curves) % len(places)]
        curve = self.drawing.panels[place[0]].panel.curves[place[1]]
        known = np.flatnonzero(np.isfinite(curve.y) & np.isfinite(curve.x))
        i = int(np.abs(known - at * (len(curve.x) - 1)).argmin()) + points
        return CurveReading(*place, int(known[min(max(i, 0), len(known) - 1)]))

    def _paint_reading(self, painter: QPainter, drawing: PageLayout) -> None:
        if self.reading is None:
            return
        current = theme.current_theme()
        placed, curve, i = self._locate_reading(drawing, self.reading)
        x, y = placed.page_points(curve)[i].tolist()
        y = min(max(y, placed.top), placed.bottom)
        painter.setPen(QPen(current.color("dim"), 1.0, Qt.PenStyle.DotLine))
        painter.drawLine(QLineF(x, placed.top, x, placed.bottom))
        painter.drawLine(QLineF(placed.left, y, placed.right, y))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink_color("dim" if curve.colour is None else curve.colour, current))
        painter.drawEllipse(QPointF(x, y), DOT_RADIUS, DOT_RADIUS)
        text = self.reading_text()
        box = painter.fontMetrics().boundingRect(text).adjusted(-6, -3, 6, 3)
        left = min(max(x + 10, 2.0), self.width() - box.width() - 2.0)
        top = y - box.height() - 8 if y - box.height() - 8 > 0 else y + 8
        frame = QRectF(max(left, 2.0), top, box.width(), box.height())
        painter.setPen(current.color("separator"))
        painter.setBrush(current.color("field"))
        painter.drawRoundedRect(frame, 3, 3)
        painter.setPen(current.color("text"))
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, text)


def _value_text(title: str, value: float) -> str:
    """A value as text, after the title of its axis and with the unit at the end."""
    name, _, unit = title.partition(" (")
    space = "" if unit in ("", "°)") else " "
    number = with_decimal_sign(f"{value:.4g}".replace("-", "−"))
    return f"{name} {number}{space}{unit.removesuffix(')')}"


def _translated_figure(figure: Figure) -> Figure:
    """The plot of a lens with its texts in the language of the window."""
    panels = (
        replace(
            panel,
            title=translate_phrase(panel.title),
            x_title=translate_phrase(panel.x_title),
            y_title=translate_phrase(panel.y_title),
            curves=tuple(replace(c, name=translate_phrase(c.name)) for c in panel.curves),
            ticks=tuple((at, translate_phrase(name)) for at, name in panel.ticks),
        )
        for panel in figure.panels
    )
    return replace(
        figure,
        title=translate_phrase(figure.title),
        panels=tuple(panels),
        styles=tuple((style, translate_phrase(name)) for style, name in figure.styles),
        note=translate_phrase(figure.note),
    )


def ink_color(ink: Ink, current: theme.Theme) -> QColor:
    """The colour of an ink (see `raybench.lens.figure.Ink`), readable on the background of a theme."""
    if isinstance(ink, str):
        return current.color(ink)
    return QColor.fromRgbF(*readable_colors(screen_color(ink)[None], current)[0].tolist())


def paint_drawing(painter: QPainter, drawing: PageLayout, current: theme.Theme) -> None:
    """Paint the laid out page of a lens plot."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(theme.text_font(theme.SMALL_SIZE))
    metrics = painter.fontMetrics()
    for mark in drawing.marks:
        color = ink_color(mark.ink, current)
        if isinstance(mark, PageText):
            text = with_decimal_sign(mark.text)
            wide = metrics.horizontalAdvance(text)
            back = {"start": 0.0, "middle": wide / 2, "end": float(wide)}[mark.anchor]
            painter.setPen(color)
            painter.save()
            painter.translate(mark.x, mark.y)
            painter.rotate(-90 if mark.turned else 0)
            painter.drawText(QPointF(-back, 0), text)
            painter.restore()
        elif isinstance(mark, PageBar):
            painter.fillRect(QRectF(mark.x, mark.y, mark.width, mark.height), color)
        else:
            pen = QPen(color, mark.width)
            if mark.dashes:
                pen.setCapStyle(Qt.PenCapStyle.FlatCap)
                pen.setDashPattern([dash / mark.width for dash in mark.dashes])
            for piece in finite_pieces(mark.points):
                points = [QPointF(x, y) for x, y in piece.tolist()]
                if len(points) == 1:
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(color)
                    painter.drawEllipse(points[0], DOT_RADIUS, DOT_RADIUS)
                    painter.setBrush(Qt.BrushStyle.NoBrush)
                else:
                    painter.setPen(pen)
                    painter.drawPolyline(QPolygonF(points))


def save_drawing(path: Path, drawing: PageLayout, current: theme.Theme) -> None:
    """Write a plot of a lens to a file, see `save_painting`."""
    save_painting(
        path, _drawing_size(drawing), lambda painter: _paint_page(painter, drawing, current)
    )


def lens_picture(drawing: PageLayout, current: theme.Theme) -> bytes:
    """The bytes of a PNG picture of a lens plot."""
    image = QImage(_drawing_size(drawing), QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        _paint_page(painter, drawing, current)
    return write_to_bytes(lambda buffer: image.save(buffer, "PNG"))  # type: ignore[call-overload]


def _drawing_size(drawing: PageLayout) -> QSize:
    return QSize(round(drawing.width), round(drawing.height))


def _paint_page(painter: QPainter, drawing: PageLayout, current: theme.Theme) -> None:
    page = QRectF(0, 0, drawing.width, drawing.height)
    painter.fillRect(page, current.color("panel"))
    paint_drawing(painter, drawing, current)
