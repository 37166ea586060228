"""Temporary folders that do not stay, also where a signal ends the process."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from core.interrupt import unfinished


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new private folder, removed with all that is in it at the end of the block; what another program keeps open may stay on Windows."""
    folder = tempfile.mkdtemp(prefix="raybench-")
    unfinished.add(folder)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.discard(folder)
