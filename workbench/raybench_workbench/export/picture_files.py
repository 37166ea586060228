"""Pictures and vector drawings in the formats of files."""

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes

_NOT_IN_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Characters of a text of the scene that no XML may hold; Qt writes them."""
SVG_PARTS = 100
"""Parts of a logical pixel in which Qt counts the width and the height."""
_FONT = re.compile(rb'(?<=font-family=")[^"]+')


def save_picture(image: QImage, path: Path) -> None:
    """Write an image in the format of the path's suffix, such as ``.png``. Raises RaybenchError if
    it cannot be written.
    """
    encoded = QBuffer()
    encoded.open(QIODevice.OpenModeFlag.WriteOnly)
    if not image.save(encoded, path.suffix.removeprefix(".").upper()):  # type: ignore[call-overload]
        raise RaybenchError(
            f"{path}: the picture cannot be written in this format. Give a path that ends in .png."
        )
    write_bytes(path, bytes(encoded.data().data()))


def svg_drawing(size: QSizeF, paint: Callable[[QPainter], object]) -> bytes:
    """A drawing of a size in logical pixels."""
    from PySide6.QtSvg import QSvgGenerator  # the first window does not need it

    encoded = QBuffer()
    encoded.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(encoded)
    generator.setSize((size * SVG_PARTS).toSize())
    generator.setResolution(
        96 * SVG_PARTS
    )  # a logical pixel is 1/96 inch, as on a PDF page and in other programs
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle("Raybench")
    generator.setDescription("")
    painter = QPainter(generator)
    try:
        paint(painter)
    finally:
        painter.end()
    whole = _NOT_IN_XML.sub("\ufffd".encode(), bytes(encoded.data().data()))
    return _FONT.sub(
        rb"\g<0>, sans-serif", whole
    )  # where the font is not installed, a program takes one like it
