"""Reading a file that somebody else may have made: of a bounded size, and never waiting for a pipe
or a device.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

PIECE = 1 << 20
"""Bytes per read; each read allocates as many."""
NO_NAME = "no file can have this name"


def read_bounded(path: Path, most: int, *, pipes: bool = False) -> bytes:
    """The contents of a regular file of at most ``most`` bytes or, with ``pipes``, what comes
    through a pipe until it is closed.

    Raises OSError, with the reason as its ``strerror``, if it cannot be read, is not a regular file
    or is larger.
    """
    waiting = 0 if pipes else getattr(os, "O_NONBLOCK", 0)  # opening a pipe waits for a writer
    try:
        descriptor = os.open(path, os.O_RDONLY | waiting | getattr(os, "O_BINARY", 0))
    except ValueError:
        raise OSError(errno.EILSEQ, NO_NAME, str(path)) from None
    try:
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(mode) and not (pipes and stat.S_ISFIFO(mode)):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        content = bytearray()
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            while len(content) <= most and (
                piece := file.read(min(PIECE, most + 1 - len(content)))
            ):
                content += piece
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"larger than {most:,} bytes", str(path))
    return bytes(content)
