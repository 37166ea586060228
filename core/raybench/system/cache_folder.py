"""The folder of files that are computed once and reused at later starts."""

from __future__ import annotations

from pathlib import Path

from raybench.system.user_folders import user_folder


def cache_root() -> Path:
    """The user's cache folder of this program, or ``RAYBENCH_CACHE_DIR`` if that is set."""
    return user_folder("cache")
