"""Persistent settings: the window's state, recent files and what was chosen of the table of
preferences.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray

from raybench.system.files import user_folder
from raybench_workbench.preferences.settings_file import SettingsFile, Values

if TYPE_CHECKING:
    from raybench_workbench.preferences.table import Preference

MAX_RECENT = 8


class Settings:
    """The settings in a JSON file, which several windows share. ``file`` is another one than the
    user's, as in tests.

    What is missing or damaged has its default. It is not an ini file of Qt, which ends the process
    at some damaged values.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = SettingsFile(file or user_folder("config") / "settings.json")

    @property
    def path(self) -> Path:
        """The file of the settings, which need not exist."""
        return self._file.path

    def read_again(self) -> None:
        """Read what other windows wrote since."""
        self._file.read_again()

    def flush(self) -> None:
        """Wait until the changes are written, or cannot be."""
        self._file.flush()

    def _write(self, **changes: Any) -> None:
        self._file.change(lambda values: values.update(changes))

    def get(self, row: Preference) -> Any:
        """The value of a preference: its default, unless another was chosen that the row allows."""
        value: Any = self._file.values.get(row.name)
        kind = type(row.default)
        if kind is frozenset:
            value = (
                frozenset(value)
                if isinstance(value, list) and all(isinstance(v, str) for v in value)
                else None
            )
        elif kind is float and row.allows(value):
            value = float(value)
        return value if isinstance(value, kind) and row.allows(value) else row.default

    def set(self, row: Preference, value: Any) -> None:
        """Remember a choice; the default is not stored."""
        if value == row.default:
            self._file.change(lambda values: values.pop(row.name, None))
        else:
            self._write(**{row.name: sorted(value) if isinstance(value, frozenset) else value})

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved, newest first."""
        return _recent(self._file.values)

    @property
    def welcomed(self) -> bool:
        """Whether the welcome page was shown once."""
        return self._file.values.get("welcomed") is True

    def remember_welcome(self) -> None:
        self._write(welcomed=True)

    def remember_file(self, path: Path) -> None:
        self._change_recent(path, [path.resolve()])

    def forget_file(self, path: Path) -> None:
        self._change_recent(path, [])

    def _change_recent(self, path: Path, first: list[Path]) -> None:
        """Remove a path from the recent files, and put others before them."""

        def change(values: Values) -> None:
            files = [*first, *(p for p in _recent(values) if p not in (path, *first))]
            values["recent"] = [str(p) for p in files[:MAX_RECENT]]

        self._file.change(change)

    def remember_window(self, geometry: QByteArray, state: QByteArray) -> None:
        parts = bytes(geometry.data()), bytes(state.data())
        geometry_text, state_text = (base64.b64encode(part).decode() for part in parts)
        self._write(
            window={"geometry": geometry_text, "state": state_text, "digest": _digest(*parts)}
        )

    def restore_window(
        self, geometry: Callable[[QByteArray], object], state: Callable[[QByteArray], object]
    ) -> bool:
        """Call both functions with the stored values; returns False if there are none, or they were
        damaged: Qt takes them as they are, and some end the process.
        """
        stored: Any = self._file.values.get("window")
        try:
            parts = [
                base64.b64decode(stored[name], validate=True) for name in ("geometry", "state")
            ]
            if stored["digest"] != _digest(*parts):
                return False
        except (KeyError, TypeError, ValueError):
            return False
        geometry(QByteArray(parts[0]))
        state(QByteArray(parts[1]))
        return True


def _recent(values: Values) -> list[Path]:
    """The recent files. What is no path, in a damaged file, is left out."""
    stored = values.get("recent")
    return (
        [path for p in stored if isinstance(p, str) and (path := Path(p)).name]
        if isinstance(stored, list)
        else []
    )


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()
