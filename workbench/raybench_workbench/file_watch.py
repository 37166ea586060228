"""Watches the document's file, which another program may write, replace, move or delete."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from raybench.files.atomic import digest_on_disk
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads.latest import Latest

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
        document.opened.connect(self._begin)
        document.saved.connect(self._begin)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(
                self._schedule_check
            )  # network file systems send no change events
        self._begin()

    def check(self) -> None:
        """Check the file; it is read only if its time stamps, size or inode changed."""
        session = self._document.session
        path, digest = session.path, session.digest
        if path is None or digest is None:
            self._checking.drop()
            self._watch(frozenset())
        else:
            known = self._known[1] if self._known is not None and self._known[0] == digest else None
            self._checking.ask(partial(_check, path, digest, known), partial(self._take, digest))

    def _begin(self) -> None:
        """The document was just read from its file, or written to it."""
        self._known = None
        self._set_state("same")
        self.check()

    def _schedule_check(self, *_: object) -> None:
        self._check_timer.start()

    def _take(self, digest: str, check: _Check) -> None:
        self._known = digest, check.signature
        self._watch(check.watched)
        if check.state is not None:
            self._set_state(check.state)

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)

    def _watch(self, wanted: frozenset[str]) -> None:
        """Watch some paths and no others. Qt drops a replaced file, so it is added again."""
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))


def _check(path: Path, digest: str, known: Signature | None) -> _Check:
    """Check a file that had the contents of ``digest``; it is read unless it has the signature
    ``known``.
    """
    signature = _signature(path)
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


def _signature(path: Path) -> Signature | None:
    """The signature of a file; None if it is missing, or something else is in its place."""
    try:
        about = os.stat(path)
    except OSError:
        return None
    if not stat.S_ISREG(about.st_mode):
        return None
    return about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino
