"""Saving in a window: the file dialogs, and the questions before a file is replaced or unsaved
changes are lost.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QMessageBox
from shiboken6 import isValid

from raybench.errors import choices
from raybench.files.atomic import backup_of
from raybench.files.document_file import SUFFIX, is_plain
from raybench.files.shared import OWN
from raybench.scene.materials import worst_fit
from raybench_workbench.panels.file_names import file_name
from raybench_workbench.panels.form import typed_into, typing_accepted
from raybench_workbench.window.pages import show
from raybench_workbench.words.plain_text import tool_tip

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

SAVED_AS = (
    "Scenes (*.json *.raybench);;Plain scenes (*.json);;Raybench documents (*.raybench);;All"
    " files (*)"
)
Button = QMessageBox.StandardButton


def save(window: MainWindow) -> bool:
    """Save to the document's file, or ask for one; asks first if another program changed the file.
    Returns whether it was saved.
    """
    session = window.document.session
    if not _typing_accepted(window):
        return False
    if session.path is None:
        return save_as(window)
    return (
        _save_over(window, session.path)
        if session.changed_on_disk()
        else save_to(window, session.path)
    )


def _typing_accepted(window: MainWindow) -> bool:
    """Take over what is being typed, also in the scene's text. Returns whether all of it was
    accepted.
    """
    json = window.json_dock.made
    return fields_given_up(window) and (json is None or json.typing_accepted())


def fields_given_up(window: MainWindow) -> bool:
    """Take over what is being typed into forms, also those on the canvas, and in the list of
    objects. Returns whether all of it was accepted, or the user chose to discard what is refused.
    """
    for forms in (window.form_pages, window.canvas):
        if typing_accepted(forms):
            continue
        edit = typed_into(forms)
        if edit is None:
            return False  # a text, which is as it was before; the line above the canvas says why
        discarded = _discarded(window, "Discard what is typed?", edit.refusal)
        there = isValid(
            edit
        )  # others may have changed the objects meanwhile, whose form is then another
        if not discarded:
            if there:
                edit.setFocus()
            return False
        if there:
            edit.discard()
    return window.tree.typing_accepted()


def _json_given_up(window: MainWindow) -> bool:
    """Whether the scene's text has no typing that the document cannot take over, or the user chose
    to discard it.
    """
    json = window.json_dock.made
    if json is None or json.take_typing():
        return True
    why = f"The scene cannot take it over: {json.fault or 'it is being dragged.'}"
    if _discarded(window, "Discard what is typed as JSON?", why):
        json.discard()
        return True
    show(window.json_dock)
    json.show_fault()
    return False


def _discarded(window: MainWindow, question: str, why: str) -> bool:
    """Ask whether to discard what is typed and refused."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(question)
    box.setInformativeText(tool_tip(why))
    discard = box.addButton("Discard typing", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(Button.Cancel))
    box.exec()
    return box.clickedButton() is discard


def _save_over(window: MainWindow, path: Path) -> bool:
    """Ask how to save over a file that another program changed since it was opened or saved;
    returns whether it was saved.
    """
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(tool_tip(f"{path.name} was changed on disk outside this window. Overwrite it?"))
    box.setInformativeText(tool_tip(f"The version on disk is then kept as {backup_of(path).name}."))
    other = box.addButton("Save as…", QMessageBox.ButtonRole.AcceptRole)
    over = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
    box.addButton(Button.Cancel)
    box.setDefaultButton(other)
    box.exec()
    if box.clickedButton() is other:
        return save_as(window)
    return box.clickedButton() is over and save_to(window, path)


def save_as(window: MainWindow) -> bool:
    """Ask for a file and save to it; returns whether it was saved."""
    if not _typing_accepted(window):
        return False
    path = window.document.session.path
    suffix = SUFFIX if window.document.document.annotated else ".json"
    first = path or Path.home() / f"{file_name(window.document.scene.name, 'scene')}{suffix}"
    name, _ = QFileDialog.getSaveFileName(window, "Save the scene as", str(first), SAVED_AS)
    if not name:
        return False
    chosen = Path(name)
    if chosen.suffix.lower() not in OWN:
        chosen = chosen.with_name(chosen.name + suffix)
        if not _may_replace(window, chosen):  # the dialog asked about the name without the suffix
            return False
    return save_to(window, chosen)


def _may_replace(window: MainWindow, path: Path) -> bool:
    """Whether a file not confirmed by the dialog may be written: it is new, the document's own, or
    the user agrees.
    """
    own = window.document.session.path
    if not os.path.exists(path) or (
        own is not None and own.exists() and own.samefile(path)
    ):  # too long a name is refused later
        return True
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(tool_tip(f"{path.name} already exists. Replace it?"))
    box.setInformativeText(tool_tip(f"Its present content is then kept as {backup_of(path).name}."))
    replace = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(Button.Cancel))
    box.exec()
    return box.clickedButton() is replace


def save_to(window: MainWindow, path: Path) -> bool:
    """Save to a file, warning first if its format cannot store everything; returns whether it was
    saved.
    """
    if is_plain(path) and window.document.document.annotated:
        box = QMessageBox(window)
        box.setIcon(QMessageBox.Icon.Warning)
        without = choices(window.document.document.annotations, "and")
        box.setText(
            tool_tip(f"Save {path.name} without {without}? A plain scene cannot store that.")
        )
        lost, kept = worst_fit(window.document.scene), f"A {SUFFIX} file keeps everything."
        box.setInformativeText(tool_tip(f"In it {lost}. {kept}" if lost else kept))
        keep = box.addButton(f"Save as {SUFFIX}", QMessageBox.ButtonRole.AcceptRole)
        plain = box.addButton("Save without", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(Button.Cancel)
        box.setDefaultButton(keep)
        box.exec()
        if box.clickedButton() is keep:
            path = path.with_name((path.stem if path.suffix.lower() in OWN else path.name) + SUFFIX)
            if not _may_replace(window, path):
                return False
        elif box.clickedButton() is not plain:
            return False
    return window.document.save(path)


def may_leave(window: MainWindow) -> bool:
    """Whether the document may be closed: it has no unsaved changes and its file is there, or the
    user chose to save or discard them.
    """
    if not fields_given_up(window) or not _json_given_up(window):
        return False
    if window.canvas.kind:
        window.canvas.choose_kind(None)  # finishes an outline that is being drawn
    path = window.document.session.path
    gone = path is not None and not path.exists()
    if not (window.document.session.modified or gone):
        return True
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    name = path.name if path is not None else "this scene"
    box.setText(
        tool_tip(
            f"{name} no longer exists. Save it again?" if gone else f"Save the changes to {name}?"
        )
    )
    box.setInformativeText(
        "The scene is lost if you discard it." if gone else "They are lost if you discard them."
    )
    box.setStandardButtons(Button.Save | Button.Discard | Button.Cancel)
    box.setDefaultButton(Button.Save)
    answer = box.exec()
    return answer == Button.Discard or (answer == Button.Save and save(window))
