"""The sheet around a figure: its frame and title block, or the headline and the foot of a slide,
and the caption. All lengths are in logical pixels, 1/96 inch on paper.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from raybench.scene.pages import PAGES
from raybench.scene.sheet import Sheet
from raybench_workbench.canvas.strokes import set_pen_and_brush
from raybench_workbench.theme import TEXT_SIZE, Theme, text_font
from raybench_workbench.translation import tr
from raybench_workbench.widgets import elide_to_width

PIXELS_PER_MM = 96 / 25.4
"""Logical pixels per millimetre on paper: a logical pixel is 1/96 inch, in pages, drawings and, by
their resolution, pictures.
"""
PRINT_PIXEL_RATIO = 300 / 96
"""Pixels per logical pixel of a picture with a size on paper: 300 to the inch."""
TITLE_BLOCK_HEIGHT = 11 * PIXELS_PER_MM
"""The height of the title block."""
FIGURE_INSET = 3 * PIXELS_PER_MM
"""The distance of the figure and the caption from the frame."""
CELL_PADDING = 2 * PIXELS_PER_MM
"""The distance of a text from the lines of its cell."""
FRAME_WIDTH, RULE_WIDTH = 2.0, 0.75
"""The widths of the frame and of the lines in the title block."""
LABEL_SIZE, HEADLINE_SIZE = 9, 26
"""Sizes of the labels of the title block, and of the headline of a slide."""
MAX_CAPTION_SHARE = 0.3
"""The largest part of the height of the page that a caption takes."""
MAX_CELL_WIDTH, MAX_CELLS_SHARE = 190.0, 0.7
"""The widest cell of the title block besides the title's, and the part of its width that all of
these have at most.
"""
WRAPPED_TEXT = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap


class TitleCell(NamedTuple):
    """A cell of the title block: its label, its text and its width."""

    label: str
    text: str
    width: float


@dataclass(frozen=True)
class SheetPage:
    """A sheet with the other texts of its title block: the name of the document's ``file``, the
    ``date`` and the ``unit`` of lengths.
    """

    sheet: Sheet
    file: str = ""
    date: str = ""
    unit: str = "mm"

    @property
    def size(self) -> tuple[float, float]:
        page = PAGES[self.sheet.page]
        return page.width * PIXELS_PER_MM, page.height * PIXELS_PER_MM

    @property
    def is_slide(self) -> bool:
        return PAGES[self.sheet.page].is_slide

    @property
    def frame(self) -> QRectF:
        """The rectangle within the margins."""
        margin = self.sheet.margin * PIXELS_PER_MM
        return QRectF(0, 0, *self.size) - QMarginsF(margin, margin, margin, margin)

    @property
    def _content_rectangle(self) -> QRectF:
        """The rectangle between the headline, or else the frame, and the title block, or else the
        foot.
        """
        frame = self.frame
        if not self.is_slide:
            return frame - QMarginsF(0, 0, 0, TITLE_BLOCK_HEIGHT)
        head = (
            QFontMetricsF(text_font(HEADLINE_SIZE)).height() + FIGURE_INSET
            if self.sheet.title
            else 0.0
        )
        return frame - QMarginsF(0, head, 0, 2 * TEXT_SIZE)

    @property
    def caption_box(self) -> QRectF:
        """The rectangle of the caption; empty without a caption."""
        inside = self._content_rectangle
        if not self.sheet.caption:
            return QRectF(inside.bottomLeft(), inside.bottomRight())
        if not self.is_slide:
            inside -= QMarginsF(FIGURE_INSET, 0, FIGURE_INSET, FIGURE_INSET)
        metrics = QFontMetricsF(self.caption_font)
        height = metrics.boundingRect(inside, WRAPPED_TEXT, self.sheet.caption).height()
        height = min(height, MAX_CAPTION_SHARE * self.size[1])
        return QRectF(inside.left(), inside.bottom() - height, inside.width(), height)

    @property
    def figure_box(self) -> QRectF:
        """The rectangle in which the figure is painted, above the caption."""
        box, caption = self._content_rectangle, self.caption_box
        bottom = caption.top() - (FIGURE_INSET if self.sheet.caption else 0.0)
        return QRectF(box.topLeft(), QPointF(box.right(), max(bottom, box.top() + 1)))

    @property
    def caption_font(self) -> QFont:
        return text_font(TEXT_SIZE)

    def title_cells(self, scale: str) -> Iterator[TitleCell]:
        """The cells of the title block. The first is the title, which takes the remaining width."""
        texts = {
            tr("Author"): self.sheet.author,
            tr("Date"): self.date,
            tr("Scale", "drawing"): scale,
            tr("Unit"): self.unit,
            tr("File"): self.file,
        }
        value, label = QFontMetricsF(text_font(TEXT_SIZE)), QFontMetricsF(text_font(LABEL_SIZE))
        cells = []
        for name, text in texts.items():
            if text:
                wide = max(value.horizontalAdvance(text), label.horizontalAdvance(name))
                cells.append(TitleCell(name, text, min(wide + 2 * CELL_PADDING, MAX_CELL_WIDTH)))
        whole, others = self.frame.width(), sum(cell.width for cell in cells)
        narrower = min(1.0, MAX_CELLS_SHARE * whole / others)
        yield TitleCell(tr("Title"), self.sheet.title, whole - narrower * others)
        for cell in cells:
            yield cell._replace(width=narrower * cell.width)


def paint_sheet(painter: QPainter, page: SheetPage, theme: Theme, scale: str) -> None:
    """Paint a sheet without its figure. ``scale`` is the text with the scale of the figure."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    if page.is_slide:
        _paint_slide(painter, page, theme, scale)
    else:
        _paint_title_block(painter, page, theme, scale)
    painter.setPen(theme.color("text"))
    painter.setFont(page.caption_font)
    painter.save()
    painter.setClipRect(page.caption_box)
    painter.drawText(page.caption_box, WRAPPED_TEXT, page.sheet.caption)
    painter.restore()


def _paint_title_block(painter: QPainter, page: SheetPage, theme: Theme, scale: str) -> None:
    frame = page.frame
    top = frame.bottom() - TITLE_BLOCK_HEIGHT
    set_pen_and_brush(painter, QPen(theme.color("text"), FRAME_WIDTH))
    painter.drawRect(frame)
    painter.setPen(QPen(theme.color("text"), RULE_WIDTH))
    painter.drawLine(QPointF(frame.left(), top), QPointF(frame.right(), top))
    x = frame.left()
    for cell in page.title_cells(scale):
        if x > frame.left():
            painter.setPen(QPen(theme.color("text"), RULE_WIDTH))
            painter.drawLine(QPointF(x, top), QPointF(x, frame.bottom()))
        room = cell.width - 2 * CELL_PADDING
        label, value = text_font(LABEL_SIZE), text_font(TEXT_SIZE, strong=x == frame.left())
        rows = ((label, "dim", cell.label, 0.38), (value, "text", cell.text, 0.82))
        for font, color, text, down in rows:
            painter.setFont(font)
            painter.setPen(theme.color(color))
            shown = elide_to_width(text, QFontMetricsF(font), room)
            painter.drawText(QPointF(x + CELL_PADDING, top + down * TITLE_BLOCK_HEIGHT), shown)
        x += cell.width


def _paint_slide(painter: QPainter, page: SheetPage, theme: Theme, scale: str) -> None:
    frame = page.frame
    font = text_font(HEADLINE_SIZE, strong=True)
    painter.setFont(font)
    painter.setPen(theme.color("text"))
    title = elide_to_width(page.sheet.title, QFontMetricsF(font), frame.width())
    painter.drawText(frame.topLeft() + QPointF(0, QFontMetricsF(font).ascent()), title)
    painter.setFont(text_font(TEXT_SIZE - 2))
    painter.setPen(theme.color("dim"))
    foot = [page.sheet.author, page.date, tr("Scale {scale}", scale=scale), page.unit, page.file]
    painter.drawText(frame.bottomLeft(), "  ·  ".join(filter(None, foot)))
