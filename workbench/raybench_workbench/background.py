"""The background picture of a scene, which is read from a file beside the document's file and
painted behind the scene.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QObject, QRectF, QSize, Signal
from PySide6.QtGui import QImage, QImageReader, QPainter

from raybench.errors import RaybenchError, in_quotes
from raybench.scene.background import Background
from raybench.scene.document import Document
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr

MAX_PIXELS = 64_000_000
"""Largest number of pixels of a picture that is read."""
MAX_STORED_PIXELS = 16_000_000
"""Number of pixels to which a larger picture is reduced: more than a screen shows."""
BACKGROUND_KEY = "backgroundImage"
"""The entry by which a scene's own file names a picture."""
IMAGE_FORMATS = ("png", "jpeg", "bmp", "gif", "webp")
"""The formats that are read, by Qt's names. Not SVG, which may name any file, and repeat parts
endlessly.
"""


class UnreadableBackground(RaybenchError):
    """The background picture of a scene cannot be read."""


@dataclass(frozen=True, eq=False)
class BackgroundImage:
    """A background picture that was read: its size in the file, and the image. The image has fewer
    pixels if the file has very many.
    """

    image: QImage
    size: QSize


@dataclass(frozen=True)
class BackgroundFile:
    """The file of a background picture, and the time of its last change in nanoseconds; None if the
    file does not exist.
    """

    path: Path
    changed: int | None


def background_file(document: Document, folder: Path | None) -> BackgroundFile | None:
    """The file of a document's background picture. ``folder`` is the folder of the document's file.
    None if there is no picture, or no folder yet.
    """
    background = document_background(document)
    if background is None or folder is None:
        return None
    path = folder / background.file
    there = os.path.isfile(path)
    return BackgroundFile(path, path.stat().st_mtime_ns if there else None)


def document_background(document: Document) -> Background | None:
    """The background of a document. If it has none of its own, the picture that the scene's file
    names, with one pixel per scene unit.
    """
    if document.background is not None:
        return document.background
    named = document.scene.read.get(BACKGROUND_KEY)
    try:
        return Background(named) if isinstance(named, str) else None
    except RaybenchError:
        return None


@lru_cache(maxsize=4)
def read_background(file: BackgroundFile) -> BackgroundImage:
    """Read a background picture; this can run in any thread. Raises UnreadableBackground with the
    remedy.
    """
    name = tr("The background picture {name}", name=in_quotes(file.path.name))
    if file.changed is None:
        raise UnreadableBackground(
            tr("{name} is not in the folder of the document. Copy it there.", name=name)
        )
    reader = QImageReader(str(file.path))
    if reader.format().toStdString() not in IMAGE_FORMATS:
        raise UnreadableBackground(
            tr(
                "{name} cannot be read: it is not a PNG, JPEG, BMP, GIF or WebP. Replace it"
                " by one, or import a drawing.",
                name=name,
            )
        )
    reader.setAutoTransform(True)
    size = reader.size()
    pixels = size.width() * size.height()
    if pixels > MAX_PIXELS:
        raise UnreadableBackground(
            tr(
                "{name} has {width} × {height} pixels, more than {most} million. Make it smaller.",
                name=name,
                width=size.width(),
                height=size.height(),
                most=MAX_PIXELS // 1000000,
            )
        )
    if pixels > MAX_STORED_PIXELS:
        reader.setScaledSize(size * math.sqrt(MAX_STORED_PIXELS / pixels))
    image = reader.read()
    if image.isNull():
        raise UnreadableBackground(
            tr(
                "{name} cannot be read: {reason}. Replace it by a PNG or JPEG picture.",
                name=name,
                reason=reader.errorString(),
            )
        )
    if pixels <= MAX_STORED_PIXELS:
        size = image.size()
    elif (image.width() > image.height()) != (size.width() > size.height()):
        size = size.transposed()  # a camera was held upright
    return BackgroundImage(image.convertToFormat(QImage.Format.Format_ARGB32_Premultiplied), size)


def find_background(document: Document, folder: Path | None) -> tuple[BackgroundImage | None, str]:
    """The background picture of a document, or None. Also the reason if a picture is named but
    cannot be shown.
    """
    file = background_file(document, folder)
    try:
        return (read_background(file) if file is not None else None), ""
    except UnreadableBackground as fault:
        return None, str(fault)


def paint_background(
    painter: QPainter, document: Document, camera: Camera, picture: BackgroundImage | None
) -> None:
    """Paint the background picture of a document; paint nothing if there is none."""
    background = document_background(document)
    if background is None or picture is None:
        return
    at = camera.to_screen((background.x, background.y))  # type: ignore[arg-type]
    factor = background.scale * camera.scale
    painter.save()
    painter.setOpacity(background.opacity)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    painter.drawImage(QRectF(at, picture.size.toSizeF() * factor), picture.image)
    painter.restore()


class BackgroundReader(QObject):
    """Reads the background picture of a document into ``picture``, which is None if there is none.
    `WorkDocument.failed` reports an unreadable picture.
    """

    changed = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.picture: BackgroundImage | None = None
        self._reading = LatestTaskRunner(
            self, document.failed.emit, tr("Reading the background picture")
        )
        self._file: BackgroundFile | None = None
        for signal in (document.changed, document.opened, document.saved):
            signal.connect(self._reread_if_changed)
        self._reread_if_changed()

    @property
    def busy(self) -> bool:
        """Whether a picture is being read."""
        return self._reading.is_working

    def _reread_if_changed(self, *_: object) -> None:
        """Read the picture of the document, if it is not the one that was read last."""
        document, folder = self._document.document, self._document.folder
        before, self._file = self._file, background_file(document, folder)
        if self._file == before:
            return
        self._reading.cancel_request()
        if self._file is None or before is None or before.path != self._file.path:
            self.picture = None
            self.changed.emit()
        if self._file is not None:
            self._reading.request_task(
                lambda: find_background(document, folder),
                lambda found: self._show_read_background(*found),
            )

    def _show_read_background(self, picture: BackgroundImage | None, fault: str) -> None:
        self.picture = picture
        self.changed.emit()
        if fault:
            self._document.failed.emit(fault)
