"""Versions of a document's file: the digest of its current contents, and a backup of the previous
contents.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import stat
from pathlib import Path

from raybench.files.atomic import FileWriteError, replacing

BACKUP = "~"
"""The suffix added to the name of a backup file."""


def digest_of(content: bytes) -> str:
    """A cryptographic digest of a file's contents."""
    return hashlib.sha256(content).hexdigest()


def digest_on_disk(path: Path) -> str | None:
    """The digest of a file's current contents; None if it does not exist or cannot be read.

    Comparing contents rather than times, a file that was only touched is unchanged, and two writes
    within one clock tick differ.
    """
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:  # of any size
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None


def backup_of(path: Path) -> Path:
    """The path of a file's backup: ``NAME~`` in the same folder, for a symbolic link in its
    target's folder.
    """
    real = Path(os.path.realpath(path))
    return real.with_name(real.name + BACKUP)


def keep_previous(path: Path, content: bytes) -> None:
    """Copy a file to its backup before ``content`` is written to it; no copy if it has the same
    contents, is empty or missing.

    The copy has the file's permissions and, where the file system lets them be set, its times.
    Raises FileWriteError if it cannot be written.
    """
    backup = backup_of(path)
    try:
        if not path.is_file():
            return
        about = path.stat()
        if about.st_size == 0 or digest_on_disk(path) == digest_of(content):
            return
        earlier = path.open("rb")
    except OSError as error:
        raise FileWriteError(path, error) from None
    with (
        earlier,
        replacing(backup, mode=stat.S_IMODE(about.st_mode) & 0o777, follow_links=False) as copy,
    ):
        shutil.copyfileobj(earlier, copy)
    with contextlib.suppress(OSError):  # a network drive may refuse it to who is not the owner
        os.utime(backup, ns=(about.st_atime_ns, about.st_mtime_ns))
