"""Opening and saving in a window: dialogs, links, pasted and dropped scenes, and the question about unsaved changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMessageBox

from core.errors import RaybenchError
from core.files.document_file import SUFFIX
from core.files.drawings.defaults import SUFFIXES
from core.files.examples import EXAMPLES, Example
from core.files.links import is_link, link_from_scene
from core.files.pasted import read_pasted
from core.files.shared import Shared, read_shared
from core.files.versions import backup_of
from core.scene.document import Document
from core.scene.hit_test import scene_extent
from core.scene.materials import worst_fit
from core.session import Session
from workbench import clipboard, theme
from workbench.dialogs.text_dialog import TextDialog
from workbench.panels.file_names import ask_open_name, file_name
from workbench.words.plain_text import label_text, tool_tip

if TYPE_CHECKING:
    from workbench.help.welcome import Welcome
    from workbench.main_window import MainWindow

FILTER = (
    "Scenes (*.json *.raybench *.txt *.link);;Plain scenes (*.json);;Raybench documents (*.raybench);;"
    "Links and texts (*.txt *.link);;All files (*)"
)
SAVED_AS = "Scenes (*.json *.raybench);;Plain scenes (*.json);;Raybench documents (*.raybench);;All files (*)"
Button = QMessageBox.StandardButton
LARGE = 200_000
"""Bytes of a file that is read in a thread."""


def new(window: MainWindow) -> None:
    """Start an empty document."""
    if may_leave(window):
        window.document.new()


def ask_open(window: MainWindow) -> None:
    """Ask for a file and open it."""
    path = ask_open_name(window, "Open a scene", window.document.folder, FILTER)
    if path is not None:
        open_file(window, path)


def open_file(window: MainWindow, path: Path) -> None:
    """Open a file in this window, asking about unsaved changes; a file that cannot be read leaves the document unchanged. A drawing is
    imported instead.

    Besides scene files, a text file with anything that can be pasted is accepted: a link, a scene with comments, or objects to add.
    """
    if path.suffix.lower() in SUFFIXES:
        from workbench.imports.drawing_dialog import import_drawing

        import_drawing(window, path)
        return
    if not os.path.exists(path):  # False also for a name that none can have
        window.settings.forget_file(path)
    _read(window, path, partial(_take, window))


def reload(window: MainWindow) -> None:
    """Read the document's file again, as one undo step; a file that cannot be read leaves the document unchanged."""
    if (path := window.document.session.path) is not None:
        _read(window, path, lambda shared: window.document.reload(shared) if window.document.session.path == path else None)


def _read(window: MainWindow, path: Path, take: Callable[[Shared], object]) -> None:
    """Read a file, and ``take`` what is in it; that it cannot be read is told. A large one is read in a thread, unless another is opened
    meanwhile."""
    window.reading.drop()
    if _size(path) > LARGE:
        window.status.showMessage(f"Reading {path.name}…")
        window.reading.ask(partial(_read_with_boxes, path), take)
        return
    try:
        shared = read_shared(path, pipes=False)
    except RaybenchError as error:
        window.document.failed.emit(str(error))
    else:
        take(shared)


def _read_with_boxes(path: Path) -> Shared:
    shared = read_shared(path, pipes=False)
    if isinstance(shared.what, Document):
        scene_extent(shared.what.scene)  # the boxes of its objects are kept, so the canvas need not compute them
    return shared


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except (OSError, ValueError):  # the latter for a name that none can have
        return 0


def ask_link(window: MainWindow) -> None:
    """Ask for a link or a scene as JSON and open it; a link on the clipboard is the default."""
    copied = QApplication.clipboard().text().strip()
    given = copied if is_link(copied) else ""
    TextDialog("Open link", "A link to a scene, or a scene as JSON:", given, partial(_refused, window), window).open()


def paste(window: MainWindow) -> None:
    """Open the scene or link on the clipboard, or add the objects on it."""
    open_text(window, QApplication.clipboard().text())


def open_text(window: MainWindow, text: str) -> None:
    """Open a scene or a link given as text, or add the objects in it. Invalid text is an error and leaves the document unchanged."""
    if reason := _refused(window, text):
        window.document.failed.emit(reason)


def _refused(window: MainWindow, text: str) -> str:
    """As `open_text`; returns why the text is invalid, or an empty text."""
    try:
        what = read_pasted(text)
    except RaybenchError as error:
        return f"This text cannot be opened: {error}"
    _take(window, Shared(what, "", None))
    return ""


def _take(window: MainWindow, shared: Shared) -> None:
    if not isinstance(shared.what, Document):
        clipboard.insert(window, shared.what)
    elif may_leave(window):
        window.document.adopt(Session.of_shared(shared))


def copy_link(window: MainWindow) -> None:
    """Put a link to the scene on the clipboard."""
    try:
        QApplication.clipboard().setText(link_from_scene(window.document.scene))
    except RaybenchError as error:
        window.document.failed.emit(str(error))


def can_drop(mime: QMimeData) -> bool:
    """Whether dragged data may be a scene, a link or text."""
    return _dropped_file(mime) is not None or (mime.hasText() and not any(u.isLocalFile() for u in mime.urls()))


def drop(window: MainWindow, mime: QMimeData) -> None:
    """Open the file, link or text that was dropped on the window."""
    path = _dropped_file(mime)
    if path is not None:
        open_file(window, path)
    elif mime.urls():
        open_text(window, mime.urls()[0].toString(mime.urls()[0].ComponentFormattingOption.FullyEncoded))
    else:
        open_text(window, mime.text())


def _dropped_file(mime: QMimeData) -> Path | None:
    """The dropped local file, if it is exactly one."""
    local = [Path(u.toLocalFile()) for u in mime.urls() if u.isLocalFile()]
    return local[0] if len(local) == 1 else None


def save(window: MainWindow) -> bool:
    """Save to the document's file, or ask for one; asks first if another program changed the file. Returns whether it was saved."""
    session = window.document.session
    if session.path is None:
        return save_as(window)
    return _save_over(window, session.path) if session.changed_on_disk() else save_to(window, session.path)


def _save_over(window: MainWindow, path: Path) -> bool:
    """Ask how to save over a file that another program changed since it was opened or saved; returns whether it was saved."""
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(tool_tip(f"{path.name} was changed on disk by another program. Overwrite it?"))
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
    path = window.document.session.path
    suffix = SUFFIX if window.document.document.annotated else ".json"
    first = path or Path.home() / f"{file_name(window.document.scene.name, 'scene')}{suffix}"
    name, _ = QFileDialog.getSaveFileName(window, "Save the scene as", str(first), SAVED_AS)
    if not name:
        return False
    chosen = Path(name)
    if not chosen.suffix:
        chosen = chosen.with_suffix(suffix)
        if not _may_replace(window, chosen):  # the dialog asked about the name without the suffix
            return False
    return save_to(window, chosen)


def _may_replace(window: MainWindow, path: Path) -> bool:
    """Whether a file not confirmed by the dialog may be written: it is new, the document's own, or the user agrees."""
    own = window.document.session.path
    if not path.exists() or (own is not None and own.exists() and own.samefile(path)):
        return True
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setText(tool_tip(f"{path.name} already exists. Replace it?"))
    box.setInformativeText(tool_tip(f"What it holds now is then kept as {backup_of(path).name}."))
    replace = box.addButton("Replace", QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(Button.Cancel))
    box.exec()
    return box.clickedButton() is replace


def save_to(window: MainWindow, path: Path) -> bool:
    """Save to a file, warning first if its format cannot store everything; returns whether it was saved."""
    if path.suffix != SUFFIX and window.document.document.annotated:
        box = QMessageBox(window)
        box.setIcon(QMessageBox.Icon.Warning)
        without = "edge labels, hidden and disabled objects, materials and the unit"
        box.setText(tool_tip(f"Save {path.name} without {without}? A plain scene cannot store them."))
        lost, kept = worst_fit(window.document.scene), f"A {SUFFIX} file keeps everything."
        box.setInformativeText(tool_tip(f"In it {lost}. {kept}" if lost else kept))
        keep = box.addButton(f"Save as {SUFFIX}", QMessageBox.ButtonRole.AcceptRole)
        plain = box.addButton("Save without", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(Button.Cancel)
        box.setDefaultButton(keep)
        box.exec()
        if box.clickedButton() is keep:
            path = path.with_suffix(SUFFIX)
            if not _may_replace(window, path):
                return False
        elif box.clickedButton() is not plain:
            return False
    return window.document.save(path)


def may_leave(window: MainWindow) -> bool:
    """Whether the document may be closed: it has no unsaved changes, or the user chose to save or discard them."""
    if not window.document.session.modified:
        return True
    path = window.document.session.path
    box = QMessageBox(window)
    box.setIcon(QMessageBox.Icon.Question)
    box.setText(tool_tip(f"Save the changes to {path.name if path else 'this scene'}?"))
    box.setInformativeText("They are lost if you discard them.")
    box.setStandardButtons(Button.Save | Button.Discard | Button.Cancel)
    box.setDefaultButton(Button.Save)
    answer = box.exec()
    return answer == Button.Discard or (answer == Button.Save and save(window))


def list_examples(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the example scenes."""
    menu.clear()
    for example in EXAMPLES:
        menu.addAction(example.title, partial(open_example, window, example))


def show_welcome(window: MainWindow) -> Welcome:
    """Show the welcome page, and open what is chosen there."""
    from workbench.help.welcome import NEW, OPEN, Welcome

    def choose(what: object) -> None:
        if isinstance(what, Example):
            open_example(window, what)
        elif isinstance(what, Path):
            open_file(window, what)
        else:
            {NEW: new, OPEN: ask_open}[str(what)](window)

    page = Welcome(window.settings.recent, theme.current(), window)
    page.chosen.connect(choose)
    page.show()
    return page


def open_example(window: MainWindow, example: Example) -> None:
    """Open an example in this window, asking about unsaved changes."""
    if may_leave(window):
        window.document.adopt(without_file(example.path))


def without_file(resource: Traversable) -> Session:
    """A session on a scene that comes with the program: without a file, so that saving asks for one."""
    with as_file(resource) as path:
        session = Session.open(path)
    session.path = None
    return session


def list_recent(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the recent files."""
    menu.clear()
    for path in window.settings.recent:
        menu.addAction(label_text(path.name), partial(open_file, window, path)).setToolTip(tool_tip(str(path)))
    if menu.isEmpty():
        menu.addAction("Nothing yet").setEnabled(False)
