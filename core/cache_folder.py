"""The folder of what is computed once and kept from one start to the next."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """The user's cache folder of this program, or ``RAYBENCH_CACHE_DIR`` if that is set."""
    import platformdirs

    override = os.environ.get("RAYBENCH_CACHE_DIR")
    return Path(override) if override else Path(platformdirs.user_cache_dir("raybench", appauthor=False))
