"""Watching the document's file: another program may write to it, replace it, move it or delete it."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from workbench.document import WorkDocument

PAUSE = 200
"""Milliseconds after the last event before the file is read: programs write in several steps."""


class FileWatch(QObject):
    """Compares the document's file with what was opened or saved, whenever the file or its folder changes or a window becomes active."""

    stateChanged = Signal(str)
    """``same``, ``changed`` or ``gone``."""

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = "same"
        self._document = document
        self._seen: tuple[int, ...] | None = None
        self._watcher = QFileSystemWatcher(self)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self.check)
        self._watcher.fileChanged.connect(self._later)
        self._watcher.directoryChanged.connect(self._later)
        document.opened.connect(self._compare)
        document.saved.connect(self._compare)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self._later)  # network folders report nothing
        self._compare()

    def check(self) -> None:
        """Look at the file now; it is read only where its time, size or identity is another."""
        self._watch()
        if self._signature() != self._seen:
            self._compare()

    def _later(self, *_: object) -> None:
        self._pause.start()

    def _compare(self) -> None:
        self._watch()
        session = self._document.session
        self._seen = self._signature()
        if session.digest is not None and self._seen is None:
            self._tell("gone")
        else:
            self._tell("changed" if session.changed_on_disk() else "same")

    def _tell(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)

    def _signature(self) -> tuple[int, ...] | None:
        """What shows without reading it that a file was written to; None where there is no file."""
        path = self._document.session.path
        try:
            about = os.stat(path) if path is not None else None
        except OSError:
            return None
        return about and (about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino)

    def _watch(self) -> None:
        """Watch the file, its folder and those of a link's target. A file that was replaced is no longer watched, so it is added again."""
        path = self._document.session.path
        paths = () if path is None else (path.absolute(), Path(os.path.realpath(path)))
        wanted = {str(p) for path in paths for p in (path, path.parent) if p.exists()}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))
