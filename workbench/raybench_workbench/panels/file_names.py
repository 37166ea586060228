"""Dialogs that ask for a file. A name without a known suffix gets one, and no file is replaced
without confirmation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from raybench_workbench.texts import tool_tip

_UNUSUAL = re.compile(r"[^\w +,.()-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\.|$)")
"""Names that Windows keeps for devices."""
LONGEST = 60


def file_name(title: str, otherwise: str) -> str:
    """A title from a scene as a file name without suffix, without a folder and valid on every
    system.
    """
    name = _UNUSUAL.sub("_", title)[:LONGEST].strip(" ._")
    return f"_{name}" if _RESERVED.match(name) else name or otherwise


def ask_open_name(parent: QWidget, title: str, folder: Path | None, kinds: str) -> Path | None:
    """The file to read, or None if the user cancels. The dialog begins in ``folder``, or in the
    home folder.
    """
    name, _ = QFileDialog.getOpenFileName(parent, title, str(folder or Path.home()), kinds)
    return Path(name) if name else None


def ask_save_name(
    parent: QWidget, title: str, suggested: Path | str, kinds: str, suffixes: Collection[str]
) -> Path | None:
    """The file to write, or None if the user cancels.

    Args:
        kinds: Qt's name filters with one suffix each, such as ``PNG picture (*.png);;SVG drawing
            (*.svg)``.
        suffixes: The known suffixes, such as ``.png``.
    """
    name, chosen = QFileDialog.getSaveFileName(parent, title, str(suggested), kinds)
    if not name:
        return None
    path = Path(name)
    if path.suffix.lower() in suffixes:
        return path  # the file dialog has asked whether to replace it
    kind = chosen or kinds.partition(";;")[0]  # some desktops do not report which filter was chosen
    path = path.with_name(path.name + kind[kind.index("*") + 1 : kind.rindex(")")])
    if os.path.exists(path):  # too long a name is refused where it is written
        question = tool_tip(
            f"{path.name} already exists in {path.parent.name or path.parent}. Replace it?"
        )
        if QMessageBox.question(parent, title, question) != QMessageBox.StandardButton.Yes:
            return None
    return path
