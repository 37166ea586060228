"""Persistent settings: the window's state, recent files and what was chosen of the table of preferences."""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray, QSettings

from core.bounded_file import read_bounded
from core.errors import RaybenchError
from core.files.atomic import write_bytes
from core.user_folders import named_folder

if TYPE_CHECKING:
    from workbench.preferences.table import Preference

MAX_RECENT = 8
LARGEST = 1_000_000
"""Bytes of a settings file in which foreign values are looked for; the program writes a few thousand."""
_FOREIGN = re.compile(rb"^[^\r\n]*@(?:Variant|DateTime)\([^\r\n]*", re.MULTILINE)
"""Lines with values of types that the program does not store. Where such a value is damaged, Qt ends the process as it reads it."""


class Settings:
    """A wrapper of QSettings with the program's keys. ``file`` is an ini file to use instead of the user's settings, as in tests."""

    def __init__(self, file: Path | None = None) -> None:
        if file is None and (folder := named_folder("config")) is not None:
            file = folder / "raybench.ini"
        if file is None:
            self._store = QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "raybench", "raybench")
        else:
            self._store = QSettings(str(file), QSettings.Format.IniFormat)
        if _drop_foreign_values(self.path):
            self._store.sync()

    @property
    def path(self) -> Path:
        """The file of the settings, which need not exist."""
        return Path(self._store.fileName())

    def read_again(self) -> None:
        """Read what other windows wrote since."""
        self._store.sync()

    def _stored(self, key: str) -> Any:
        """A stored value; None if it is missing, or has a type unknown to Python in a damaged file."""
        try:
            return self._store.value(key)
        except RuntimeError:
            return None

    def get(self, row: Preference) -> Any:
        """The value of a preference: its default, unless another was chosen that the row allows."""
        stored = self._stored(row.name)
        kind = type(row.default)
        if stored is None:
            return row.default
        try:
            if kind is frozenset:
                value: Any = frozenset([stored] if isinstance(stored, str) else stored or []) - {""}
            elif kind is bool:
                value = str(stored).lower() == "true"
            else:
                value = kind(stored)
        except (TypeError, ValueError):
            return row.default
        return value if row.allows(value) else row.default

    def set(self, row: Preference, value: Any) -> None:
        """Remember a choice; the default is not stored."""
        if value == row.default:
            self._store.remove(row.name)
        else:
            self._store.setValue(row.name, sorted(value) if isinstance(value, frozenset) else value)
        self._store.sync()  # other windows read it at once

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved, newest first. What is no path, in a damaged file, is left out."""
        stored = self._stored("recent")
        paths = stored if isinstance(stored, list) else [stored]
        return [path for p in paths if isinstance(p, str) and (path := Path(p)).name]

    @property
    def welcomed(self) -> bool:
        """Whether the welcome page was shown once."""
        return str(self._stored("welcomed")) == "true"

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
        self._store.setValue("window/digest", _digest(geometry, state))
        self._store.sync()

    def restore_window(self, geometry: Callable[[QByteArray], object], state: Callable[[QByteArray], object]) -> bool:
        """Call both functions with the stored values; returns False if there are none, or they were damaged: Qt takes them as they are,
        and some end the process."""
        saved = self._stored("window/geometry"), self._stored("window/state")
        if not all(isinstance(s, QByteArray) for s in saved) or self._stored("window/digest") != _digest(*saved):
            return False
        geometry(saved[0])
        state(saved[1])
        return True


def _digest(*parts: QByteArray) -> str:
    return hashlib.sha256(b"".join(bytes(part.data()) for part in parts)).hexdigest()


def _drop_foreign_values(file: Path) -> bool:
    """Remove values of types that the program does not store from a settings file; whether there were any."""
    try:
        content = read_bounded(file, LARGEST)
    except OSError:
        return False
    kept = _FOREIGN.sub(b"", content)
    if kept == content:
        return False
    with contextlib.suppress(RaybenchError):  # a folder without write permission
        write_bytes(file, kept)
    return True
