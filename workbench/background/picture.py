"""The picture behind a scene."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QImageReader, QPainter

from core.errors import RaybenchError, in_quotes
from core.scene.background import Background
from core.scene.document import Document
from workbench.canvas.camera import Camera

LARGEST = 64_000_000
"""Largest number of pixels of a picture that is read."""


def background_of(document: Document) -> Background | None:
    """The picture behind a document: its own, or the one that the scene's file names, pixel by scene unit."""
    if document.background is not None:
        return document.background
    named = document.scene.read.get("backgroundImage")
    try:
        return Background(named) if isinstance(named, str) else None
    except RaybenchError:
        return None


def background_fault(document: Document, folder: Path | None) -> str:
    """Why the picture behind a document is not shown; empty if it is, or if there is none."""
    background = background_of(document)
    if background is None:
        return ""
    name = in_quotes(background.file)
    if folder is None:
        return f"The background picture {name} is not shown: save the document beside it first."
    if _read(folder / background.file).isNull():
        return f"The background picture {name} is not in the folder of the document, or is no picture. Copy it there."
    return ""


def paint_picture(painter: QPainter, document: Document, camera: Camera, folder: Path | None) -> None:
    """Paint the picture behind a document whose file is in ``folder``; nothing if it cannot be read."""
    background = background_of(document)
    if background is None or folder is None:
        return
    image = _read(folder / background.file)
    if image.isNull():
        return
    at, factor = camera.to_screen((background.x, background.y)), background.scale * camera.scale  # type: ignore[arg-type]
    painter.save()
    painter.setOpacity(background.opacity)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(QRectF(at.x(), at.y(), image.width() * factor, image.height() * factor), image)
    painter.restore()


def _read(path: Path) -> QImage:
    """The picture in a file; a null one if there is none."""
    try:
        about = path.stat()
    except OSError:
        return QImage()
    return _read_version(path, about.st_mtime_ns) if path.is_file() else QImage()


@lru_cache(maxsize=4)
def _read_version(path: Path, changed: int) -> QImage:
    reader = QImageReader(str(path))
    size = reader.size()
    if size.width() * size.height() > LARGEST:
        return QImage()
    reader.setAutoTransform(True)
    return reader.read().convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
