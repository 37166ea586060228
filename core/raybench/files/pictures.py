"""Copies the background picture of a document into the folder of the document."""

import filecmp
import shutil
from itertools import count
from pathlib import Path

from raybench.errors import RaybenchError


class PictureCopyError(RaybenchError):
    """A picture cannot be copied; the message gives the reason and the remedy."""


def copy_picture_to_folder(picture: Path, folder: Path) -> str:
    """Copy a picture into a folder unless it is already there, and return the name of the copy. If
    another picture has this name, the copy gets a number. A missing picture is not copied. Raises
    PictureCopyError.
    """
    if not picture.is_file():
        return picture.name
    try:
        copies = (
            folder / (picture.name if i == 1 else f"{picture.stem} {i}{picture.suffix}")
            for i in count(1)
        )
        copy = next(c for c in copies if not c.exists() or filecmp.cmp(picture, c, shallow=False))
        if not copy.exists():
            shutil.copyfile(picture, copy)
    except OSError as error:
        raise PictureCopyError(
            f"{picture.name} cannot be copied into {folder}: {error.strerror}. Copy it there."
        ) from None
    return copy.name
