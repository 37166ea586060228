"""Python child processes: the same import path as this process, without the current folder.

``python -m`` and ``python -c`` put the current folder first in the import path, so that a
``random.py`` there, next to a downloaded scene, would be executed.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import raybench


def child_environment(**more: str) -> dict[str, str]:
    """The environment for a child of ``sys.executable``: this process's import path without the
    current folder, and the variables ``more``.

    The folder of this program is kept, since in development it may be the current folder.
    """
    root = str(Path(raybench.__path__[0]).parent)
    path = [p for p in sys.path if os.path.isabs(p) and (p == root or not _is_current_folder(p))]
    if root not in path:  # it was imported by a relative entry
        path.append(root)
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path), **more}


def _is_current_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False
