"""The preferences that a window acts on: those chosen in it, and at once those chosen in other
windows, also of other processes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer, Signal

from raybench_workbench.preferences.table import PREFERENCES, Preference

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

PAUSE = 100
"""Time after the last event before the settings are read, in milliseconds."""


class Choices(QObject):
    """Compares the settings with what the window acts on, when their file changes."""

    changed = Signal()
    """The window acts on another value."""
    chosenElsewhere = Signal()
    """It does so because of another window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._settings = window, window.settings
        self._now = {
            row.name: row.default if row.at_start else self._settings.get(row)
            for row in PREFERENCES
        }
        for row in PREFERENCES:
            self._act(row)
        self._watcher = QFileSystemWatcher(self)
        self._read_timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._read_timer.timeout.connect(self._read)
        self._watcher.fileChanged.connect(self._schedule)
        self._watcher.directoryChanged.connect(self._schedule)
        self._watch()

    def choose(self, row: Preference, value: Any) -> None:
        """Remember a choice, and act on it."""
        self._settings.set(row, value)
        self._now[row.name] = value
        row.effect(self._window, value)
        self.changed.emit()

    def _act(self, row: Preference) -> bool:
        """Act on the value of a preference if it is another; whether it is."""
        value = self._settings.get(row)
        if value == self._now[row.name]:
            return False
        self._now[row.name] = value
        row.effect(self._window, value)
        return True

    def _schedule(self) -> None:
        self._watch()
        self._read_timer.start()

    def _read(self) -> None:
        """Act on what was chosen elsewhere; not on what concerns new windows alone."""
        self._settings.read_again()
        acted = [self._act(row) for row in PREFERENCES if row.shared]
        if any(acted):
            self.changed.emit()
            self.chosenElsewhere.emit()

    def _watch(self) -> None:
        """Watch the file and its folder: a file that is replaced is no longer watched, and at first
        there may be none.
        """
        wanted = {str(p) for p in (self._settings.path, self._settings.path.parent) if p.exists()}
        if new := wanted - {*self._watcher.files(), *self._watcher.directories()}:
            self._watcher.addPaths(sorted(new))
