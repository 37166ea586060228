"""Saving in a window: the file dialogs, and the questions before a file is replaced or unsaved
changes are lost.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox
from shiboken6 import isValid

from raybench.errors import list_choices
from raybench.files.atomic import backup_of, digest_on_disk
from raybench.files.document_file import SUFFIX, is_plain
from raybench.files.shared import OWN
from raybench.scene.materials import worst_fit
from raybench_workbench.dialogs import file_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import typed_into, typing_accepted
from raybench_workbench.texts import tool_tip
from raybench_workbench.threads import Latest
from raybench_workbench.window.layout import show_dock

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

SAVED_AS = (
    "Scenes (*.json *.raybench);;Plain scenes (*.json);;Raybench documents (*.raybench);;All"
    " files (*)"
)
Button = QMessageBox.StandardButton


def save_document(window: MainWindow) -> bool:
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
        discarded = _may_discard(window, "Discard what is typed?", edit.refusal)
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
    if _may_discard(window, "Discard what is typed as JSON?", why):
        json.discard()
        return True
    show_dock(window.json_dock)
    json.show_fault()
    return False


def _may_discard(window: MainWindow, question: str, why: str) -> bool:
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
        without = list_choices(window.document.document.annotations, "and")
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
    return answer == Button.Discard or (answer == Button.Save and save_document(window))


PAUSE = 200
"""Time after the last event before the file is read, in milliseconds: programs write in several
steps.
"""
Signature = tuple[int, ...]
"""Time stamps, size and inode of a file, which show a change without reading it."""


@dataclass(frozen=True)
class _Check:
    """The result of a check: the file's signature, None if the file is missing; its state, None if
    it was not read; the paths to watch.
    """

    signature: Signature | None
    state: str | None
    watched: frozenset[str]


class FileWatch(QObject):
    """Compares the document's file with the version opened or saved, when the file or its folder
    changes or a window is activated.

    The check runs in a thread: a large file takes long to read, and a network drive may never
    answer.
    """

    stateChanged = Signal(str)
    """``same``, ``changed`` or ``gone``."""

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = "same"
        self._document = document
        self._known: tuple[str | None, Signature | None] | None = None
        """The digest that the file was last compared with, and its signature then."""
        self._checking = Latest(self, document.failed.emit, "Checking the document's file")
        self._watcher = QFileSystemWatcher(self)
        self._check_timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._check_timer.timeout.connect(self.check)
        self._watcher.fileChanged.connect(self._schedule_check)
        self._watcher.directoryChanged.connect(self._schedule_check)
        document.opened.connect(self._begin_watching)
        document.saved.connect(self._begin_watching)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(
                self._schedule_check
            )  # network file systems send no change events
        self._begin_watching()

    def check(self) -> None:
        """Check the file; it is read only if its time stamps, size or inode changed."""
        session = self._document.session
        path, digest = session.path, session.digest
        if path is None or digest is None:
            self._checking.drop()
            self._watch_paths(frozenset())
        else:
            known = self._known[1] if self._known is not None and self._known[0] == digest else None
            self._checking.ask(
                partial(_check_file, path, digest, known), partial(self._take_check, digest)
            )

    def _begin_watching(self) -> None:
        """The document was just read from its file, or written to it."""
        self._known = None
        self._set_state("same")
        self.check()

    def _schedule_check(self, *_: object) -> None:
        self._check_timer.start()

    def _take_check(self, digest: str, check: _Check) -> None:
        self._known = digest, check.signature
        self._watch_paths(check.watched)
        if check.state is not None:
            self._set_state(check.state)

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)

    def _watch_paths(self, wanted: frozenset[str]) -> None:
        """Watch some paths and no others. Qt drops a replaced file, so it is added again."""
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))


def _check_file(path: Path, digest: str, known: Signature | None) -> _Check:
    """Check a file that had the contents of ``digest``; it is read unless it has the signature
    ``known``.
    """
    signature = _file_signature(path)
    state: str | None = None
    if signature is None:
        state = "gone"
    elif signature != known:
        state = "same" if digest_on_disk(path) in (digest, None) else "changed"
    both = path.absolute(), Path(os.path.realpath(path))  # and where a symbolic link leads
    return _Check(
        signature,
        state,
        frozenset(str(p) for one in both for p in (one, one.parent) if os.path.exists(p)),
    )


def _file_signature(path: Path) -> Signature | None:
    """The signature of a file; None if it is missing, or something else is in its place."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(about.st_mode):
        return None
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino
