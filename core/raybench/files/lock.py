"""A lock between processes: a locked file, which the system unlocks when its holder exits or
crashes.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Self

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class FileLock:
    """An exclusive lock, held from `take` until `release`, also against other locks in the same
    process.
    """

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """Lock a file, creating it if necessary; None if it is already locked. Raises OSError if it
        cannot be created or locked.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # the previous holder may have removed the file after it was opened here: this lock
            # would then be ineffective
            held = os.path.samestat(os.fstat(descriptor), os.stat(path))
        except (BlockingIOError, PermissionError, FileNotFoundError):
            held = False
        except OSError:
            os.close(descriptor)
            raise
        if not held:
            os.close(descriptor)
            return None
        return cls(path, descriptor)

    def release(self, *, remove: bool = False) -> None:
        """Release the lock; with ``remove`` delete its file. Releasing twice has no effect."""
        if self._descriptor < 0:
            return
        if remove:
            with contextlib.suppress(
                OSError
            ):  # Windows cannot remove an open file: an empty lock file remains
                self._path.unlink()
        os.close(self._descriptor)
        self._descriptor = -1
