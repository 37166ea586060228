"""SVG drawings of what a painter paints."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSizeF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgGenerator

_NOT_IN_XML = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
"""Characters of a text of the scene that no XML may hold; Qt writes them."""
FINE = 100
"""Parts of a logical pixel in which Qt counts the width and the height."""
_FONT = re.compile(rb'(?<=font-family=")[^"]+')


def svg_drawing(size: QSizeF, paint: Callable[[QPainter], object]) -> bytes:
    """A drawing of a size in logical pixels."""
    encoded = QBuffer()
    encoded.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(encoded)
    generator.setSize((size * FINE).toSize())
    generator.setResolution(
        96 * FINE
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
