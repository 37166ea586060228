"""Templates for new scenes: documents in a folder of the user, which open without a file."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import (
    QMenu,
    QMessageBox,
)

from raybench.errors import RaybenchError, in_quotes
from raybench.files.atomic import FileWriteError
from raybench.files.document_file import SUFFIX, save_document
from raybench.system.files import user_folder
from raybench_workbench import files, saving
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

FORBIDDEN_CHARACTERS = frozenset('/\\:*?"<>|')


def templates_folder() -> Path:
    """The folder of templates, in ``RAYBENCH_STATE_DIR`` if that is set, else in the user's data
    folder.
    """
    return user_folder("data") / "templates"


def fill_templates_menu(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the templates and with a submenu that deletes them."""
    menu.clear()
    paths = sorted(templates_folder().glob(f"*{SUFFIX}"))
    for path in paths:
        menu.addAction(
            literal_label_text(path.stem), partial(_begin_scene_from_template, window, path)
        )
    if not paths:
        menu.addAction(tr("Nothing yet: File → Save as template…")).setEnabled(False)
        return
    menu.addSeparator()
    removal = menu.addMenu(tr("Remove"))
    for path in paths:
        removal.addAction(literal_label_text(path.stem), partial(_delete_template, window, path))


def ask_save_template(window: MainWindow) -> None:
    """Ask for a name and save the scene as a template."""
    name, save = window.document.scene.name, partial(_save_template, window)
    NameDialog(tr("Save as template"), tr("Name of the template"), name, save, window).open()


def _save_template(window: MainWindow, name: str) -> str:
    """Save the scene as a template. A template of the same name is replaced if the user agrees.
    Returns the reason if this is refused.
    """
    name = name.strip()
    if not name or FORBIDDEN_CHARACTERS & set(name) or name.startswith("."):
        return tr(
            "A template cannot be named {name}: it becomes the name of a file. Use"
            " letters and digits.",
            name=in_quotes(name),
        )
    path = templates_folder() / f"{name}{SUFFIX}"
    taken = tr("There is a template {name} already.", name=in_quotes(name))
    try:
        if os.path.exists(path) and not _ask_yes_no(
            window, tr("Save as template"), tr("{taken} Replace it?", taken=taken)
        ):
            return tr("{taken} Give another name.", taken=taken)
        path.parent.mkdir(parents=True, exist_ok=True)
        save_document(window.document.document, path)
    except RaybenchError as error:
        return tr("The template was not saved: {error}", error=error)
    except OSError as error:  # the folder cannot be made
        return tr(
            "The template was not saved: {reason}",
            reason=FileWriteError(path.parent, error),
        )
    return ""


def _delete_template(window: MainWindow, path: Path) -> None:
    """Delete a template after asking the user."""
    question = tr(
        "Remove the template {name}? It cannot be brought back.",
        name=in_quotes(path.stem),
    )
    if not _ask_yes_no(window, tr("Remove template"), question):
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        window.document.failed.emit(
            tr(
                "The template was not removed: {reason}",
                reason=FileWriteError(path.parent, error),
            )
        )


def _ask_yes_no(window: MainWindow, title: str, question: str) -> bool:
    return (
        QMessageBox.question(window, title, literal_tool_tip(question))
        == QMessageBox.StandardButton.Yes
    )


def _begin_scene_from_template(window: MainWindow, path: Path) -> None:
    """Start a new scene from a template, after a question about unsaved changes."""
    if not saving.may_leave_document(window):
        return
    try:
        window.document.replace_session(files.session_without_file(path))
    except RaybenchError as error:
        window.document.failed.emit(str(error))
