"""Templates for new scenes: documents in a folder of the person's own, which open without a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QInputDialog, QMenu, QMessageBox

from core.errors import RaybenchError, in_quotes
from core.files.document_file import SUFFIX, save_document
from core.user_folders import user_folder
from workbench import files
from workbench.words.plain_text import label_text

if TYPE_CHECKING:
    from workbench.main_window import MainWindow

FORBIDDEN = frozenset('/\\:*?"<>|')


def templates_folder() -> Path:
    """The folder of templates: in ``RAYBENCH_STATE_DIR`` if that is set, else in the user's data folder."""
    return user_folder("data") / "templates"


def list_templates(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the templates."""
    menu.clear()
    for path in sorted(templates_folder().glob(f"*{SUFFIX}")):
        menu.addAction(label_text(path.stem), partial(_begin, window, path))
    if menu.isEmpty():
        menu.addAction("Nothing yet: File → Save as template…").setEnabled(False)


def ask_save(window: MainWindow) -> None:
    """Ask for a name, and keep the scene as a template; one of that name is replaced if the person agrees."""
    name, agreed = QInputDialog.getText(window, "Save as template", "Name:", text=window.document.scene.name or "")
    name = name.strip()
    if not agreed or not name:
        return
    if FORBIDDEN & set(name) or name.startswith("."):
        window.document.failed.emit(f"A template cannot be named {in_quotes(name)}: it becomes the name of a file. Use letters and digits.")
        return
    path = templates_folder() / f"{name}{SUFFIX}"
    if path.exists() and not _agrees(window, f"There is a template {in_quotes(name)} already. Replace it?"):
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save_document(window.document.document, path)
    except (RaybenchError, OSError) as error:
        window.document.failed.emit(f"The template was not saved: {error}")


def _agrees(window: MainWindow, question: str) -> bool:
    return QMessageBox.question(window, "Save as template", question) == QMessageBox.StandardButton.Yes


def _begin(window: MainWindow, path: Path) -> None:
    """Begin a new scene with a template, asking about unsaved changes."""
    if not files.may_leave(window):
        return
    try:
        window.document.adopt(files.without_file(path))
    except RaybenchError as error:
        window.document.failed.emit(str(error))
