"""Pictures as files."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes


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
