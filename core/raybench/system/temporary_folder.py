"""Temporary folders that are removed even if a signal ends the process."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from raybench.system.interrupt import unfinished


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """A new private folder, removed with its contents at the end of the block; on Windows, files
    that are open elsewhere may remain.
    """
    folder = tempfile.mkdtemp(prefix="raybench-")
    unfinished.add(folder)
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        unfinished.discard(folder)
