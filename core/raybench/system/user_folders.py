"""The user's folders for the program's own files (settings, caches, state), which environment
variables can override.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

Kind = Literal["cache", "config", "data", "state"]
VARIABLES: dict[Kind, str] = {
    "cache": "RAYBENCH_CACHE_DIR",
    "config": "RAYBENCH_CONFIG_DIR",
    "data": "RAYBENCH_STATE_DIR",
    "state": "RAYBENCH_STATE_DIR",
}


def named_folder(kind: Kind) -> Path | None:
    """The folder named by the environment variable of this kind; None if it is not set."""
    named = os.environ.get(VARIABLES[kind])
    return Path(named) if named else None


def user_folder(kind: Kind) -> Path:
    """The folder named by the environment variable, otherwise the system's default for this user.
    It need not exist.
    """
    import platformdirs

    named = named_folder(kind)
    return (
        named
        if named is not None
        else Path(getattr(platformdirs, f"user_{kind}_dir")("raybench", appauthor=False))
    )
