"""A lock between running programs: a file that the system unlocks when its holder ends, however it ends."""

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
    """A lock that is held from `take` until `release`, against other programs and against this one."""

    def __init__(self, path: Path, descriptor: int) -> None:
        self._path, self._descriptor = path, descriptor

    @classmethod
    def take(cls, path: Path) -> Self | None:
        """Hold the lock of a file, which is made where there is none; None if it is held already. OSError where there can be none."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            if sys.platform == "win32":
                msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # its last holder may have removed the file after it was opened here: then this lock excludes nobody
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
        """Let others take the lock; with ``remove`` its file goes too. Once is enough, twice does no harm."""
        if self._descriptor < 0:
            return
        if remove:
            with contextlib.suppress(OSError):  # an open file cannot be removed on Windows: an empty lock file then stays
                self._path.unlink()
        os.close(self._descriptor)
        self._descriptor = -1
