"""Importing this module loads Qt and restores the ``__import__`` that PySide replaced; it comes before all other imports of the window.

PySide's version inspects the source of every imported module for a feature switch, which is not used here: a tenth of the time to the
window. Inspecting partially initialized pydantic modules raises errors, which occasionally ended the agent's thread.
"""

from __future__ import annotations

import builtins

import PySide6.QtWidgets


def restore_import() -> None:
    """Restore Python's ``__import__``."""
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


assert PySide6.QtWidgets
restore_import()
