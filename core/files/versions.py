"""Versions of a document's file: which one it holds now, and the previous one, which saving keeps beside it."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from core.files.atomic import FileWriteError, write_bytes

BACKUP = "~"
"""What the name of a backup adds to the file's."""


def digest_of(content: bytes) -> str:
    """A digest that differs between any two contents of a file."""
    return hashlib.sha256(content).hexdigest()


def digest_on_disk(path: Path) -> str | None:
    """The digest of what a file holds now; None where there is no file that can be read.

    Contents are compared, not times: a file that was only touched is unchanged, and two writes within one tick of the clock are told apart.
    """
    try:
        return digest_of(path.read_bytes()) if path.is_file() else None
    except OSError:
        return None


def backup_of(path: Path) -> Path:
    """Where the previous version of a file is kept: beside it, or beside the target of a link, as ``NAME~``."""
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + BACKUP)


def keep_previous(path: Path, content: bytes) -> None:
    """Copy what a file holds to its backup before ``content`` is written to it; nothing to do where that is the same, or nothing.

    The copy has the file's permissions and time. Raises FileWriteError where there is no room or right for it.
    """
    if not path.is_file():
        return
    try:
        about, earlier = path.stat(), path.read_bytes()
    except OSError as error:
        raise FileWriteError(path, error) from None
    if earlier and earlier != content:
        backup = backup_of(path)
        write_bytes(backup, earlier, mode=stat.S_IMODE(about.st_mode) & 0o777, follow_links=False)
        os.utime(backup, ns=(about.st_atime_ns, about.st_mtime_ns))
