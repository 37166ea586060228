"""Child processes that run Python: they import what this process does, and nothing from the current folder.

``python -m`` and ``python -c`` put the current folder first in the search path, where a ``random.py`` beside a downloaded scene would run.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import core


def child_environment(**more: str) -> dict[str, str]:
    """The environment for a child of ``sys.executable``: this process's search path without the current folder, and ``more``.

    The folder that holds this program stays, for in development it may be the current one.
    """
    root = str(Path(core.__path__[0]).parent)
    path = [p for p in sys.path if os.path.isabs(p) and (p == root or not _is_current_folder(p))]
    if root not in path:  # found by a relative entry
        path.append(root)
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path), **more}


def _is_current_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False
