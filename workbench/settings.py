"""Persistent settings: the window's state, recent files and the theme."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings

from core.snapping.table import UNUSUAL

MAX_RECENT = 8


class Settings:
    """A wrapper of QSettings with the program's keys. ``file`` is an ini file to use instead of the user's settings, as in tests."""

    def __init__(self, file: Path | None = None) -> None:
        if file is None:
            self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "raybench", "raybench")
        else:
            self._store = QSettings(str(file), QSettings.Format.IniFormat)

    @property
    def theme(self) -> str:
        return str(self._store.value("theme", "dark"))

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def keeps_tool(self) -> bool:
        """Whether a tool stays after an object was drawn with it."""
        return bool(self._store.value("keepsTool", False, type=bool))

    @keeps_tool.setter
    def keeps_tool(self, on: bool) -> None:
        self._store.setValue("keepsTool", on)

    @property
    def snaps_off(self) -> frozenset[str]:
        """The kinds of places that the pointer does not snap to, by their ids in `core.snapping.table`."""
        ids = self._store.value("snapsOff", sorted(UNUSUAL))
        return frozenset([ids] if isinstance(ids, str) else list(ids or []))  # type: ignore[call-overload]

    @snaps_off.setter
    def snaps_off(self, ids: frozenset[str]) -> None:
        self._store.setValue("snapsOff", sorted(ids))

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved, newest first."""
        paths = self._store.value("recent", [])
        return [Path(p) for p in ([paths] if isinstance(paths, str) else list(paths or []))]  # type: ignore[call-overload]

    @property
    def welcomed(self) -> bool:
        """Whether the welcome page was shown once."""
        return str(self._store.value("welcomed", "false")) == "true"

    def remember_welcome(self) -> None:
        self._store.setValue("welcomed", "true")

    def remember_file(self, path: Path) -> None:
        path = path.resolve()
        self._store.setValue("recent", [str(p) for p in [path, *(r for r in self.recent if r != path)][:MAX_RECENT]])

    def forget_file(self, path: Path) -> None:
        self._store.setValue("recent", [str(r) for r in self.recent if r != path])

    def remember_window(self, geometry: QByteArray, state: QByteArray) -> None:
        self._store.setValue("window/geometry", geometry)
        self._store.setValue("window/state", state)
        self._store.sync()

    def restore_window(self, geometry: Callable[[QByteArray], object], state: Callable[[QByteArray], object]) -> bool:
        """Call both functions with the stored values; returns False if there are none."""
        saved = self._store.value("window/geometry"), self._store.value("window/state")
        if not all(isinstance(s, QByteArray) for s in saved):
            return False
        geometry(saved[0])
        state(saved[1])
        return True
