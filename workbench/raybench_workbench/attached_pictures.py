"""Pictures that the user attaches to a message, reduced to a size that a model accepts."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

from raybench.agent.turn.history import AttachedPicture
from raybench.errors import RaybenchError, in_quotes
from raybench.system.files import read_bounded
from raybench_workbench.translation import tr

IMAGE_FORMATS = ("png", "jpeg", "gif", "webp")
"""The formats that are read, by Qt's names."""
MAX_BYTES = 20_000_000
"""Largest size of a file that is read."""
MAX_PIXELS = 64_000_000
LONGEST_SIDE = 1024
"""Pixels of the longer side of an attached picture: a model sees no more in it."""
MAX_PNG_BYTES = 400_000
"""Bytes from which on a picture is sent as JPEG instead of PNG."""
JPEG_QUALITY = 85


class PictureRefused(RaybenchError):
    """A picture cannot be attached; the message says why."""


def read_picture(path: Path) -> AttachedPicture:
    """Read a picture from a file, in any thread. Raises PictureRefused."""
    name = in_quotes(path.name)
    try:
        content = read_bounded(path, MAX_BYTES)
    except OSError as error:
        raise PictureRefused(
            tr("{name} is not attached: {reason}.", name=name, reason=error.strerror)
        ) from None
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    if reader.format().toStdString() not in IMAGE_FORMATS:
        raise PictureRefused(
            tr("{name} is not attached: it is no PNG, JPEG, WebP or GIF.", name=name)
        )
    reader.setAutoTransform(True)
    size = reader.size()
    if size.width() * size.height() > MAX_PIXELS:
        raise PictureRefused(
            tr(
                "{name} is not attached: it has {width} × {height} pixels, more than"
                " {most} million. Make it smaller.",
                name=name,
                width=size.width(),
                height=size.height(),
                most=MAX_PIXELS // 1000000,
            )
        )
    if not _is_small_enough(size):  # a JPEG is then read in a fraction of the time
        reader.setScaledSize(
            size.scaled(LONGEST_SIDE, LONGEST_SIDE, Qt.AspectRatioMode.KeepAspectRatio)
        )
    image = reader.read()
    if image.isNull():
        raise PictureRefused(
            tr(
                "{name} is not attached: {reason}.",
                name=name,
                reason=reader.errorString(),
            )
        )
    return picture_from_image(image, path.name)


def picture_from_image(image: QImage, name: str) -> AttachedPicture:
    """A picture from an image, such as one of the clipboard, in any thread."""
    if not _is_small_enough(image.size()):
        image = image.scaled(
            LONGEST_SIDE,
            LONGEST_SIDE,
            Qt.AspectRatioMode.KeepAspectRatio,
            Qt.TransformationMode.SmoothTransformation,
        )
    png = _encode_image(image, "PNG")
    if len(png) <= MAX_PNG_BYTES:
        return AttachedPicture(name, png, "image/png")
    return AttachedPicture(name, _encode_image(image, "JPEG"), "image/jpeg")


def _is_small_enough(size: QSize) -> bool:
    return max(size.width(), size.height()) <= LONGEST_SIDE


def _encode_image(image: QImage, form: str) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, form, JPEG_QUALITY if form == "JPEG" else -1)  # type: ignore[call-overload]
    return bytes(buffer.data().data())
