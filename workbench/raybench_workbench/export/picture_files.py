"""Writing pictures and vector drawings to files in several formats."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QRectF, QSize, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench_workbench.translation import tr

_NOT_IN_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Characters of a text of the scene that no XML may hold; Qt writes them."""
SVG_PARTS = 100
"""Parts of a logical pixel in which Qt counts the width and the height."""
PIXEL_RATIO = 2
"""Pixels of an exported picture for each of the widget's."""
_FONT = re.compile(rb'(?<=font-family=")[^"]+')


def write_to_bytes(write: Callable[[QBuffer], object]) -> bytes:
    """The bytes that ``write`` writes to a buffer; empty if writing fails."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    return bytes(buffer.data().data()) if write(buffer) is not False else b""


def save_picture(image: QImage, path: Path) -> None:
    """Write an image in the format of the path's suffix, such as ``.png``. Raises RaybenchError if
    it cannot be written.
    """
    suffix = path.suffix.removeprefix(".").upper()
    data = write_to_bytes(lambda buffer: image.save(buffer, suffix))  # type: ignore[call-overload]
    if not data:
        raise RaybenchError(
            tr(
                "{path}: the picture cannot be written in this format. Give a path that ends"
                " in .png.",
                path=path,
            )
        )
    write_bytes(path, data)


def save_painting(path: Path, size: QSize, paint: Callable[[QPainter], object]) -> None:
    """Write a picture that ``paint`` paints to an SVG, PDF or PNG file, as the suffix says.
    ``size`` is in pixels. Raises RaybenchError.
    """
    vectors = {".svg": svg_drawing, ".pdf": pdf_page}
    if (write := vectors.get(path.suffix.lower())) is not None:
        write_bytes(path, write(size.toSizeF(), paint))
        return
    picture = QImage(size * PIXEL_RATIO, QImage.Format.Format_RGB32)
    picture.setDevicePixelRatio(PIXEL_RATIO)
    with QPainter(picture) as painter:
        paint(painter)
    save_picture(picture, path)


def svg_drawing(size: QSizeF, paint: Callable[[QPainter], object]) -> bytes:
    """The SVG file of a drawing that ``paint`` paints, with a size in logical pixels."""
    from PySide6.QtSvg import QSvgGenerator  # the first window does not need it

    def write_svg(buffer: QBuffer) -> None:
        generator = QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize((size * SVG_PARTS).toSize())
        # a logical pixel is 1/96 inch, as on a PDF page and in other programs
        generator.setResolution(96 * SVG_PARTS)
        generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
        generator.setTitle("Raybench")
        generator.setDescription("")
        with QPainter(generator) as painter:
            paint(painter)

    whole = _NOT_IN_XML.sub("\ufffd".encode(), write_to_bytes(write_svg))
    # where the font is not installed, a program takes one like it
    return _FONT.sub(rb"\g<0>, sans-serif", whole)


def pdf_page(size: QSizeF, paint: Callable[[QPainter], object]) -> bytes:
    """The PDF file of a page that ``paint`` paints, with a size in logical pixels of 1/96 inch.
    Equal pages give equal bytes.
    """

    def write_pdf(buffer: QBuffer) -> None:
        writer = QPdfWriter(buffer)
        writer.setCreator("Raybench")
        writer.setResolution(1200)
        # pages are whole points, at least one
        page = QSizeF(max(1.0, 0.75 * size.width()), max(1.0, 0.75 * size.height()))
        exact = QPageSize.SizeMatchPolicy.ExactMatch
        writer.setPageSize(QPageSize(page, QPageSize.Unit.Point, "figure", exact))
        writer.setPageMargins(QMarginsF(0, 0, 0, 0))
        with QPainter(writer) as painter:
            painter.scale(1200 / 96, 1200 / 96)
            paint(painter)

    return _without_dates(write_to_bytes(write_pdf))


def _without_dates(data: bytes) -> bytes:
    """A PDF without its time stamps and random identifiers, so that equal figures give equal bytes.

    The replacements have the same length, so that the file's table of offsets stays valid.
    """
    zeros = (
        (
            rb"\(D:\d{14}[^)]*\)",
            lambda m: b"(D:20000101000000Z".ljust(len(m[0]))[: len(m[0]) - 1] + b")",
        ),
        (rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", b"2000-01-01T00:00:00"),
        (rb"uuid:[0-9a-f-]{36}", b"uuid:00000000-0000-0000-0000-000000000000"),
        (rb"/ID \[[^]]*\]", lambda m: re.sub(rb"[0-9a-f]", b"0", m[0])),
    )
    for pattern, constant in zeros:
        data = re.sub(pattern, constant, data)
    return data
