"""Persistent settings: the window's state, recent files and what was chosen of the table of preferences."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray

from core.bounded_file import read_bounded
from core.errors import RaybenchError
from core.files.atomic import write_text
from core.user_folders import user_folder

if TYPE_CHECKING:
    from workbench.preferences.table import Preference

log = logging.getLogger(__name__)
MAX_RECENT = 8
LARGEST = 1_000_000
"""Maximum size in bytes of a settings file; the program writes a few thousand."""


class Settings:
    """The settings in a JSON file, which several windows share. ``file`` is another one than the user's, as in tests.

    Each change is written at once, into what the file holds then. What is missing or damaged has its default, and a file that is no JSON is
    kept with a ~ after its name. It is not an ini file of Qt, which ends the process at some damaged values.
    """

    def __init__(self, file: Path | None = None) -> None:
        self.path = file or user_folder("config") / "settings.json"
        """The file of the settings, which need not exist."""
        self._values: dict[str, Any] = {}
        self._damaged = False
        self._unwritten: dict[str, Any] = {}
        """Changes that the file does not hold yet; None for what is removed."""
        self.read_again()

    def read_again(self) -> None:
        """Read what other windows wrote since."""
        try:
            values = json.loads(read_bounded(self.path, LARGEST))
        except FileNotFoundError:
            values = {}
        except (OSError, ValueError, RecursionError):
            values = None
        self._damaged = not isinstance(values, dict)
        known = {**(self._values if self._damaged else values), **self._unwritten}
        self._values = {key: value for key, value in known.items() if value is not None}

    def _write(self, changes: dict[str, Any]) -> None:
        """Change values; None removes one."""
        self._unwritten |= changes
        self.read_again()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if self._damaged:  # perhaps by somebody who edited it
                self.path.replace(self.path.with_name(f"{self.path.name}~"))
            write_text(self.path, json.dumps(self._values, indent=2, ensure_ascii=False))
        except (OSError, RaybenchError) as error:
            log.warning("settings are kept until the program ends, but not longer: %s", error)
        else:
            self._unwritten = {}

    def get(self, row: Preference) -> Any:
        """The value of a preference: its default, unless another was chosen that the row allows."""
        value: Any = self._values.get(row.name)
        kind = type(row.default)
        if kind is frozenset:
            value = frozenset(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else None
        elif kind is float and row.allows(value):
            value = float(value)
        return value if isinstance(value, kind) and row.allows(value) else row.default

    def set(self, row: Preference, value: Any) -> None:
        """Remember a choice; the default is not stored."""
        stored = sorted(value) if isinstance(value, frozenset) else value
        self._write({row.name: None if value == row.default else stored})

    @property
    def recent(self) -> list[Path]:
        """Files opened or saved, newest first. What is no path, in a damaged file, is left out."""
        stored = self._values.get("recent")
        return [path for p in stored if isinstance(p, str) and (path := Path(p)).name] if isinstance(stored, list) else []

    @property
    def welcomed(self) -> bool:
        """Whether the welcome page was shown once."""
        return self._values.get("welcomed") is True

    def remember_welcome(self) -> None:
        self._write({"welcomed": True})

    def remember_file(self, path: Path) -> None:
        self.read_again()
        path = path.resolve()
        self._write({"recent": [str(p) for p in [path, *(r for r in self.recent if r != path)][:MAX_RECENT]]})

    def forget_file(self, path: Path) -> None:
        self.read_again()
        self._write({"recent": [str(r) for r in self.recent if r != path]})

    def remember_window(self, geometry: QByteArray, state: QByteArray) -> None:
        parts = bytes(geometry.data()), bytes(state.data())
        geometry_text, state_text = (base64.b64encode(part).decode() for part in parts)
        self._write({"window": {"geometry": geometry_text, "state": state_text, "digest": _digest(*parts)}})

    def restore_window(self, geometry: Callable[[QByteArray], object], state: Callable[[QByteArray], object]) -> bool:
        """Call both functions with the stored values; returns False if there are none, or they were damaged: Qt takes them as they are,
        and some end the process."""
        stored: Any = self._values.get("window")
        try:
            parts = [base64.b64decode(stored[name], validate=True) for name in ("geometry", "state")]
            if stored["digest"] != _digest(*parts):
                return False
        except (KeyError, TypeError, ValueError):
            return False
        geometry(QByteArray(parts[0]))
        state(QByteArray(parts[1]))
        return True


def _digest(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()
