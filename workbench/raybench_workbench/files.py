"""Opening scenes in a window: from files, links, examples and pasted text, and by drag and drop."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from importlib.resources import as_file
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication, QMenu

from raybench.errors import RaybenchError
from raybench.files.drawings import SUFFIXES
from raybench.files.examples import EXAMPLES, Example
from raybench.files.plain_scene import plain_scene
from raybench.files.shared import (
    LENS_SUFFIXES,
    SharedContent,
    is_scene_link,
    link_from_scene,
    read_pasted_text,
    read_shared,
)
from raybench.scene.document import Document
from raybench.scene.hit_test import scene_extent
from raybench.session import Session
from raybench_workbench import clipboard
from raybench_workbench.dialogs import TextDialog, ask_open_name, show_notes
from raybench_workbench.panels.messages import MESSAGE_MS
from raybench_workbench.saving import may_leave_document
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

FILTER = tr(
    "Scenes (*.json *.raybench *.txt *.link);;Lenses (*.zmx *.seq *.len);;Plain"
    " scenes (*.json);;Raybench documents (*.raybench);;Links and texts (*.txt"
    " *.link);;All files (*)"
)
LARGE_FILE_BYTES = 200_000
"""Bytes of a file that is read in a thread."""


def new_document(window: MainWindow) -> None:
    """Start an empty document."""
    if may_leave_document(window):
        window.document.new()


def ask_open_file(window: MainWindow) -> None:
    """Ask for a file and open it."""
    path = ask_open_name(window, tr("Open a scene"), window.document.folder, FILTER)
    if path is not None:
        open_file(window, path)


def open_file(window: MainWindow, path: Path) -> None:
    """Open a file in this window after a question about unsaved changes. A file that cannot be read
    leaves the document unchanged. A drawing is imported instead. For a lens file, the user chooses
    glasses that are missing in the catalogue.

    Besides scene files, a text file is accepted if its contents can be pasted: a link, a scene with
    comments, or objects to add.
    """
    if path.suffix.lower() in SUFFIXES:
        from raybench_workbench.panels.drawing_import import import_drawing

        import_drawing(window, path)
        return
    if path.suffix.lower() in LENS_SUFFIXES:
        from raybench_workbench.panels.lens_import import read_lens_document

        read_lens_document(window, path, partial(open_shared, window))
        return
    if not os.path.exists(path):  # False also for a name that none can have
        window.settings.forget_file(path)
    _read_file(window, path, partial(open_shared, window))


def reload_document(window: MainWindow) -> None:
    """Read the document's file again as one undo step. A file that cannot be read leaves the
    document unchanged.
    """
    path = window.document.session.path
    if path is None:
        return

    def reload_content(shared: SharedContent) -> None:
        if window.document.session.path == path:
            window.document.reload(shared)

    _read_file(window, path, reload_content)


def _read_file(window: MainWindow, path: Path, take: Callable[[SharedContent], object]) -> None:
    """Read a file and call ``take`` with its content; report an error. A large file is read in a
    thread, and abandoned if another is opened meanwhile.
    """
    window.reading.cancel_request()
    if os.path.isfile(path) and os.path.getsize(path) > LARGE_FILE_BYTES:
        window.status.showMessage(tr("Reading {name}…", name=path.name))

        def read_content() -> SharedContent:
            shared = read_shared(path, pipes=False)
            if isinstance(shared.what, Document):
                scene_extent(shared.what.scene)  # caches the boxes of its objects for the canvas
            return shared

        def use_content(shared: SharedContent) -> None:
            window.status.clearMessage()
            take(shared)

        window.reading.request_task(read_content, use_content)
        return
    try:
        shared = read_shared(path, pipes=False)
    except RaybenchError as error:
        window.document.failed.emit(str(error))
    else:
        take(shared)


def ask_open_link(window: MainWindow) -> None:
    """Ask for a link or for a scene as JSON, and open it. The default is a link on the clipboard."""
    copied = QApplication.clipboard().text().strip()
    label = tr("A link to a scene, or a scene as JSON:")
    act = partial(_open_or_refuse, window)
    TextDialog(tr("Open link"), label, copied if is_scene_link(copied) else "", act, window).open()


def paste_clipboard(window: MainWindow) -> None:
    """Open the scene or link on the clipboard, or add the objects on it."""
    board = QApplication.clipboard()
    # the latter is None where the clipboard cannot be read
    open_text(window, board.text(), board.mimeData())


def open_text(window: MainWindow, text: str, copied_with: QMimeData | None = None) -> None:
    """Open a scene or link given as text, or add the objects in it. ``copied_with`` is the
    clipboard data that they were copied with. Invalid text is an error and leaves the document
    unchanged.
    """
    if reason := _open_or_refuse(window, text, copied_with):
        window.document.failed.emit(reason)


def _open_or_refuse(window: MainWindow, text: str, copied_with: QMimeData | None = None) -> str:
    """Open a text as `open_text` does. Returns an empty text, or the reason if the text is invalid."""
    try:
        what = read_pasted_text(text)
    except RaybenchError as error:
        return tr("This text cannot be opened: {error}", error=error)
    open_shared(window, SharedContent(what, "", None), copied_with)
    return ""


def open_shared(
    window: MainWindow, shared: SharedContent, copied_with: QMimeData | None = None
) -> None:
    """Open a document after a question about unsaved changes, or add objects to the scene,
    depending on what ``shared`` contains.
    """
    if not isinstance(shared.what, Document):
        clipboard.insert_objects(window, shared.what, copied_with)
    elif may_leave_document(window):
        window.document.replace_session(Session.from_shared(shared))
        show_notes(window, tr("{name} was opened", name=shared.name), shared.notes)


def copy_link(window: MainWindow) -> None:
    """Copy a link to the scene to the clipboard, and say what the link leaves out."""
    scene, left_out = plain_scene(window.document.document)
    try:
        QApplication.clipboard().setText(link_from_scene(scene))
    except RaybenchError as error:
        window.document.failed.emit(str(error))
        return
    window.status.showMessage(tr("Link copied."), MESSAGE_MS)
    show_notes(window, tr("Link copied"), left_out, tr("A link holds a plain scene:"))


def can_drop(mime: QMimeData) -> bool:
    """Whether dragged data may be a scene, a link or text."""
    return _dropped_file(mime) is not None or (
        mime.hasText() and not any(u.isLocalFile() for u in mime.urls())
    )


def open_dropped(window: MainWindow, mime: QMimeData) -> None:
    """Open the file, link or text that was dropped on the window."""
    path = _dropped_file(mime)
    if path is not None:
        open_file(window, path)
    elif urls := mime.urls():
        open_text(window, urls[0].toString(urls[0].ComponentFormattingOption.FullyEncoded))
    else:
        open_text(window, mime.text())


def _dropped_file(mime: QMimeData) -> Path | None:
    """The dropped local file, if it is exactly one."""
    local = [Path(u.toLocalFile()) for u in mime.urls() if u.isLocalFile()]
    return local[0] if len(local) == 1 else None


def fill_examples_menu(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the example scenes."""
    menu.clear()
    for example in EXAMPLES:
        menu.addAction(tr(example.title), partial(open_example, window, example))


def open_example(window: MainWindow, example: Example) -> None:
    """Open an example in this window, asking about unsaved changes."""
    if may_leave_document(window):
        window.document.replace_session(session_without_file(example.path))


def session_without_file(resource: Traversable) -> Session:
    """A new session with a scene that ships with the program. It has no file, so that saving asks
    for one.
    """
    with as_file(resource) as path:
        session = Session.open(path)
    session.path = None
    return session


def fill_recent_files_menu(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the recent files."""
    menu.clear()
    for path in window.settings.recent:
        action = menu.addAction(literal_label_text(path.name), partial(open_file, window, path))
        action.setToolTip(literal_tool_tip(str(path)))
    if menu.isEmpty():
        menu.addAction(tr("Nothing yet")).setEnabled(False)
