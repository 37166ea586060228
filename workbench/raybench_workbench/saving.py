"""Saving in a window: the file dialogs, and the questions before a file is overwritten or unsaved
changes are lost.
"""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMessageBox
from shiboken6 import isValid

from raybench.files.atomic import backup_path, digest_on_disk
from raybench.files.document_file import SUFFIX, list_omitted_contents
from raybench.files.plain_scene import plain_scene
from raybench.files.shared import SCENE_SUFFIXES
from raybench_workbench.dialogs import Role, ask_choice, first_lines, last_folder, safe_file_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.form import accept_typing, field_being_typed
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.window.layout import show_dock

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

SAVED_AS = tr(
    "Scenes (*.json *.raybench);;Plain scenes (*.json);;Raybench documents"
    " (*.raybench);;All files (*)"
)
Button = QMessageBox.StandardButton


def save_document(window: MainWindow) -> bool:
    """Save to the document's file, or ask for one if it has none. Ask first if another program
    changed the file. Returns whether it was saved.
    """
    session = window.document.session
    if session.path is None:
        return save_document_as(window)
    if not _accept_typing(window):
        return False
    if not session.changed_on_disk():
        return save_to_file(window, session.path)
    answer = ask_choice(
        window,
        tr("{name} was changed on disk outside this window. Overwrite it?", name=session.path.name),
        tr("The version on disk is then kept as {name}.", name=backup_path(session.path).name),
        {tr("Save as…"): Role.AcceptRole, tr("Overwrite"): Role.DestructiveRole},
        tr("Save as…"),
    )
    if answer == tr("Save as…"):
        return save_document_as(window)
    return answer == tr("Overwrite") and save_to_file(window, session.path)


def _accept_typing(window: MainWindow) -> bool:
    """Commit all typed input, also in the scene's JSON text; returns whether all of it was
    accepted.
    """
    json = window.json_dock.made
    return may_discard_form_input(window) and (json is None or json.accept_typing())


def may_discard_form_input(window: MainWindow) -> bool:
    """Commit the typed input of all forms and of the object list. Returns whether all of it was
    accepted, or else the user agreed to discard the refused input.
    """
    for forms in (window.form_pages, window.canvas):
        if accept_typing(forms):
            continue
        edit = field_being_typed(forms)
        if edit is None:
            return False  # a text, which is as it was before; the line above the canvas says why
        discarded = _ask_discard_input(window, tr("Discard what is typed?"), edit.refusal)
        there = isValid(
            edit
        )  # others may have changed the objects meanwhile, whose form is then another
        if not discarded:
            if there:
                edit.setFocus()
            return False
        if there:
            edit.discard()
    return window.tree.accept_typing()


def _may_discard_json_text(window: MainWindow) -> bool:
    """Commit the typed JSON text. Returns whether the document accepted it, or else the user agreed
    to discard it.
    """
    json = window.json_dock.made
    if json is None or json.apply_typing():
        return True
    why = tr("The scene cannot take it over: {value}", value=json.fault or "it is being dragged.")
    if _ask_discard_input(window, tr("Discard what is typed as JSON?"), why):
        json.discard_typing()
        return True
    show_dock(window.json_dock)
    json.show_fault()
    return False


def _ask_discard_input(window: MainWindow, question: str, why: str) -> bool:
    """Ask the user whether to discard typed input that was refused."""
    return bool(ask_choice(window, question, why, {tr("Discard typing"): Role.DestructiveRole}))


def save_document_as(window: MainWindow) -> bool:
    """Ask for a file and save to it; returns whether it was saved."""
    if not _accept_typing(window):
        return False
    path = window.document.session.path
    suffix = SUFFIX if plain_scene(window.document.document).left_out else ".json"
    first = (
        path
        or last_folder(window) / f"{safe_file_name(window.document.scene.name, 'scene')}{suffix}"
    )
    name, _ = QFileDialog.getSaveFileName(window, tr("Save the scene as"), str(first), SAVED_AS)
    if not name:
        return False
    chosen = Path(name)
    if chosen.suffix.lower() not in SCENE_SUFFIXES:
        chosen = chosen.with_name(chosen.name + suffix)
        if not _may_replace_file(
            window, chosen
        ):  # the dialog asked about the name without the suffix
            return False
    return save_to_file(window, chosen)


def _may_replace_file(window: MainWindow, path: Path) -> bool:
    """Whether a file that the file dialog did not confirm may be written: it is new, it is the
    document's own file, or the user agrees.
    """
    own = window.document.session.path
    if not os.path.exists(path) or (
        own is not None and own.exists() and own.samefile(path)
    ):  # too long a name is refused later
        return True
    answer = ask_choice(
        window,
        tr("{name} already exists. Replace it?", name=path.name),
        tr("Its present content is then kept as {name}.", name=backup_path(path).name),
        {tr("Replace"): Role.DestructiveRole},
    )
    return bool(answer)


def save_to_file(window: MainWindow, path: Path) -> bool:
    """Save to a file, after a warning if its format cannot store everything; returns whether it was
    saved.
    """
    if left_out := list_omitted_contents(window.document.document, path):
        keep = tr("Save as {suffix}", suffix=SUFFIX)
        answer = ask_choice(
            window,
            tr(
                "{name} is a plain scene, which cannot hold everything. Save it nevertheless?",
                name=path.name,
            ),
            "\n".join(f"• {line}" for line in first_lines(left_out))
            + tr("\n\nA {suffix} file keeps everything.", suffix=SUFFIX),
            {keep: Role.AcceptRole, tr("Save without"): Role.DestructiveRole},
            keep,
        )
        if not answer:
            return False
        if answer == keep:
            path = path.with_name(
                (path.stem if path.suffix.lower() in SCENE_SUFFIXES else path.name) + SUFFIX
            )
            if not _may_replace_file(window, path):
                return False
    return window.document.save(path)


def may_leave_document(window: MainWindow) -> bool:
    """Whether the document may be closed: it has no unsaved changes and its file exists, or else
    the user chose to save or discard the changes.
    """
    if not may_discard_form_input(window) or not _may_discard_json_text(window):
        return False
    if window.canvas.drawn_kind:
        window.canvas.activate_drawing_mode(None)  # finishes an outline that is being drawn
    path = window.document.session.path
    gone = path is not None and not path.exists()
    if not (window.document.session.modified or gone):
        return True
    name = path.name if path is not None else tr("this scene")
    question = (
        tr("{name} no longer exists. Save it again?", name=name)
        if gone
        else tr("Save the changes to {name}?", name=name)
    )
    lost = (
        tr("The scene is lost if you discard it.")
        if gone
        else tr("They are lost if you discard them.")
    )
    box = QMessageBox(QMessageBox.Icon.Question, "", literal_tool_tip(question), parent=window)
    box.setInformativeText(lost)
    box.setStandardButtons(Button.Save | Button.Discard | Button.Cancel)
    box.setDefaultButton(Button.Save)
    answer = box.exec()
    return answer == Button.Discard or (answer == Button.Save and save_document(window))


READ_DELAY = 200
"""Time after the last event before the file is read, in milliseconds: programs write in several
steps.
"""


class FileWatch(QObject):
    """Compares the document's file with the version that was opened or saved, whenever the file or
    its folder changes or a window is activated.

    The check runs in a thread: a large file takes long to read, and a network drive may never
    answer.
    """

    stateChanged = Signal(str)
    """``same``, ``changed`` or ``gone``."""

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = "same"
        self._document = document
        self._checking = LatestTaskRunner(
            self, document.failed.emit, tr("Checking the document's file")
        )
        self._check_timer = QTimer(self, singleShot=True, interval=READ_DELAY)
        self._check_timer.timeout.connect(self.check_file)
        self._watcher = QFileSystemWatcher(self)
        self._watcher.fileChanged.connect(self._schedule_check)
        self._watcher.directoryChanged.connect(self._schedule_check)
        document.opened.connect(self._begin_watching)
        document.saved.connect(self._begin_watching)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        # network file systems send no change events
        app.focusWindowChanged.connect(self._schedule_check)
        self._begin_watching()

    def check_file(self) -> None:
        """Compare the file with the version opened or saved."""
        path, digest = self._document.session.path, self._document.session.digest
        if path is None or digest is None:
            self._checking.cancel_request()
            self._watch_paths(frozenset())
        else:
            self._checking.request_task(partial(_check_file, path, digest), self._use_check_result)

    def _schedule_check(self, *_: object) -> None:
        self._check_timer.start()

    def _begin_watching(self) -> None:
        """Start watching the document's file, because it was just read or written."""
        self._set_state("same")
        self.check_file()

    def _use_check_result(self, check: tuple[str, frozenset[str]]) -> None:
        state, watched = check
        self._watch_paths(watched)
        self._set_state(state)

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)

    def _watch_paths(self, wanted: frozenset[str]) -> None:
        """Watch these paths and no others. Qt stops watching a file that was replaced, so it is
        added again.
        """
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))


def _check_file(path: Path, digest: str) -> tuple[str, frozenset[str]]:
    """The state of a file relative to the contents with the hash ``digest``, and the paths to
    watch.
    """
    there = os.path.isfile(path)
    same = digest_on_disk(path) in (digest, None)  # None for one that cannot be read now
    state = "gone" if not there else "same" if same else "changed"
    both = path.absolute(), Path(os.path.realpath(path))  # and where a symbolic link leads
    watched = (each for one in both for each in (one, one.parent))
    return state, frozenset(str(each) for each in watched if os.path.exists(each))
