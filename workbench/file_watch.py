"""Watches the document's file, which another program may write, replace, move or delete."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from workbench.document import WorkDocument

PAUSE = 200
"""Time after the last event before the file is read, in milliseconds: programs write in several steps."""


class FileWatch(QObject):
    """Compares the document's file with the version opened or saved, when the file or its folder changes or a window is activated."""

    stateChanged = Signal(str)
    """``same``, ``changed`` or ``gone``."""

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.state = "same"
        self._document = document
        self._last_signature: tuple[int, ...] | None = None
        self._watcher = QFileSystemWatcher(self)
        self._check_timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._check_timer.timeout.connect(self.check)
        self._watcher.fileChanged.connect(self._schedule_check)
        self._watcher.directoryChanged.connect(self._schedule_check)
        document.opened.connect(self._compare)
        document.saved.connect(self._compare)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):
            app.focusWindowChanged.connect(self._schedule_check)  # network file systems send no change events
        self._compare()

    def check(self) -> None:
        """Check the file now; it is read only if its time stamps, size or inode changed."""
        self._update_watched()
        if self._signature() != self._last_signature:
            self._compare()

    def _schedule_check(self, *_: object) -> None:
        self._check_timer.start()

    def _compare(self) -> None:
        self._update_watched()
        session = self._document.session
        self._last_signature = self._signature()
        if session.digest is not None and self._last_signature is None:
            self._set_state("gone")
        else:
            self._set_state("changed" if session.changed_on_disk() else "same")

    def _set_state(self, state: str) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)

    def _signature(self) -> tuple[int, ...] | None:
        """The time stamps, size and inode of the file, which show a change without reading it; None if there is no file."""
        path = self._document.session.path
        try:
            about = os.stat(path) if path is not None else None
        except OSError:
            return None
        return about and (about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino)

    def _update_watched(self) -> None:
        """Watch the file, its folder and those of a symbolic link's target. Qt drops a replaced file, so it is added again."""
        path = self._document.session.path
        paths = () if path is None else (path.absolute(), Path(os.path.realpath(path)))
        wanted = {str(p) for path in paths for p in (path, path.parent) if p.exists()}
        watched = {*self._watcher.files(), *self._watcher.directories()}
        if watched - wanted:
            self._watcher.removePaths(sorted(watched - wanted))
        if wanted - watched:
            self._watcher.addPaths(sorted(wanted - watched))
