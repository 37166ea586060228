"""The user's folders in which the program keeps what is not a document, or those that the environment names in their place."""

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
    """The folder that the environment names; None if it names none."""
    named = os.environ.get(VARIABLES[kind])
    return Path(named) if named else None


def user_folder(kind: Kind) -> Path:
    """The folder that the environment names, else the user's on this system. It need not exist."""
    import platformdirs

    named = named_folder(kind)
    return named if named is not None else Path(getattr(platformdirs, f"user_{kind}_dir")("raybench", appauthor=False))
