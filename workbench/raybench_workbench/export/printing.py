"""Printing the contents of the canvas, with a preview, and copying them as a picture."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageLayout, QPainter, QPicture
from PySide6.QtPrintSupport import QPrinter, QPrintPreviewDialog

from raybench_workbench import theme
from raybench_workbench.figure import Figure, figure_image, make_figure, paint_figure
from raybench_workbench.threads import run_with_progress
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

MANY_SEGMENTS = 50_000
"""Number of segments above which a print contains the light as a picture: so many lines take a
printer minutes.
"""
PRINT_PIXEL_RATIO = 4.0
"""Pixels per logical pixel of such a picture."""
COPY_PIXEL_RATIO = 2
"""Pixels per logical pixel of a copied picture."""
PAGE_MARGIN = 10.0
"""Margins of a page, in millimetres."""
PAGE_SIZE = 1046, 718
"""The longer and the shorter side of an A4 page within its margins, in logical pixels: 96 of them
are an inch.
"""


def canvas_figure(
    window: MainWindow,
    colours: theme.Theme,
    *,
    scale: float = 1.0,
    size: tuple[int, int] | None = None,
) -> Figure:
    """The contents of the canvas as a figure, with ``scale`` device pixels per logical pixel.
    ``size`` is its size in pixels; by default it has the canvas's aspect ratio.
    """
    document, view = window.document, window.document.session.view
    return make_figure(
        document.document,
        document.session.fresh_result or document.result,
        colours,
        view=view,
        area="scene" if view.camera is None else "view",
        size=size,
        scale=scale,
        folder=document.folder,
    )


def full_page_figure(window: MainWindow) -> Figure:
    """The contents of the canvas as a figure that fills a page. Its text has the same size on paper
    for every window size.
    """
    sides = canvas_figure(window, theme.PAPER).viewport.size
    fit = min(PAGE_SIZE[0] / max(sides), PAGE_SIZE[1] / min(sides))
    width, height = (max(1, round(side * fit)) for side in sides)
    return canvas_figure(window, theme.PAPER, size=(width, height))


def copy_picture(window: MainWindow) -> None:
    """Copy a picture of the canvas to the clipboard, at twice the resolution of the screen."""
    if not window.service.is_traced():
        return
    size = COPY_PIXEL_RATIO * window.canvas.width(), COPY_PIXEL_RATIO * window.canvas.height()
    figure = canvas_figure(window, theme.current_theme(), scale=COPY_PIXEL_RATIO, size=size)
    run_with_progress(
        lambda progress: figure_image(replace(figure, progress=progress)),
        tr("Copying the picture"),
        window,
        QGuiApplication.clipboard().setImage,
        window.document.failed.emit,
    )


def ask_print(window: MainWindow) -> None:
    """Show the print preview of the canvas, in which the user chooses a printer and prints."""
    if not window.service.is_traced():
        return
    figure = full_page_figure(window)

    def show_preview(sheet: QPicture | QImage) -> None:
        dialog = QPrintPreviewDialog(window)  # its printer lives as long as it
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        printer = dialog.printer()
        size, orientation = figure.viewport.size, QPageLayout.Orientation
        wide = size[0] >= size[1]
        printer.setPageOrientation(orientation.Landscape if wide else orientation.Portrait)
        margins = QMarginsF(PAGE_MARGIN, PAGE_MARGIN, PAGE_MARGIN, PAGE_MARGIN)
        printer.setPageMargins(margins, QPageLayout.Unit.Millimeter)
        path = window.document.session.path or Path.home() / tr("Scene")
        printer.setDocName(path.stem)
        if printer.outputFormat() == QPrinter.OutputFormat.PdfFormat:
            # there is no printer; with one this would choose a file instead
            printer.setOutputFileName(str(path.with_suffix(".pdf")))
        dialog.paintRequested.connect(lambda device: print_sheet(device, sheet, size))
        dialog.resize(round(window.width() * 0.8), round(window.height() * 0.9))
        dialog.open()

    run_with_progress(
        lambda progress: printable_figure(replace(figure, progress=progress)),
        tr("Preparing the page"),
        window,
        show_preview,
        window.document.failed.emit,
    )


def printable_figure(figure: Figure) -> QPicture | QImage:
    """A figure for printing: lines and text, or a high-resolution image if it has very many rays."""
    if figure.result is not None and len(figure.result) > MANY_SEGMENTS:
        return figure_image(
            replace(figure, viewport=replace(figure.viewport, ratio=PRINT_PIXEL_RATIO))
        )
    sheet = QPicture()
    with QPainter(sheet) as painter:
        paint_figure(painter, figure, vector=True)
    return sheet


def print_sheet(printer: QPrinter, sheet: QPicture | QImage, size: tuple[int, int]) -> None:
    """Print a sheet as large as fits on a page, in its middle. ``size`` is the size of the sheet in
    logical pixels.
    """
    with QPainter(printer) as painter:
        page = QRectF(painter.viewport())
        scale = min(page.width() / size[0], page.height() / size[1])
        left, top = page.width() - scale * size[0], page.height() - scale * size[1]
        painter.translate(left / 2, top / 2)
        painter.scale(scale, scale)
        if isinstance(sheet, QPicture):
            # Qt enlarges it as much as the printer's pixels are smaller
            painter.scale(
                sheet.logicalDpiX() / printer.logicalDpiX(),
                sheet.logicalDpiY() / printer.logicalDpiY(),
            )
            painter.drawPicture(QPointF(), sheet)
        else:
            painter.drawImage(QRectF(0, 0, *size), sheet)
