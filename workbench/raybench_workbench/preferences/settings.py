"""Persistent settings: the window's state, the recent files and the chosen preferences."""

from __future__ import annotations

import base64
import hashlib
import json
import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QByteArray

from raybench.errors import RaybenchError
from raybench.files.atomic import write_text
from raybench.scene.sheet import InvalidSheet, Sheet
from raybench.system.files import read_bounded, user_folder
from raybench_workbench.translation import SYSTEM

if TYPE_CHECKING:
    from raybench_workbench.preferences.choices import Preference

log = logging.getLogger(__name__)
Values = dict[str, Any]
Change = Callable[[Values], object]
"""Changes values in place. It is applied to what this program knows, and again to what the file
holds when it is written.
"""
MAX_FILE_BYTES = 1_000_000
"""Maximum size in bytes of a settings file; the program writes a few thousand."""
LOCK_SUFFIX = ".lock"
LOCK_TIMEOUT = 5.0
"""Timeout in seconds for another program's writing and for `SettingsFile.wait_until_written`, in
case the disk does not respond.
"""


class SettingsFile:
    """The values of a settings file. Changes are written to the file at once, in a thread.

    A file that is not a JSON object is kept, renamed with a final ~, when a new file is written. A
    change that cannot be written stays in force until the program ends, and is written with the
    next change.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        """The file, which need not exist."""
        self._lock = threading.Lock()
        self._unwritten: list[Change] = []
        self._writer: threading.Thread | None = None
        self.values: Values = _read_values(path) or {}
        """What the file held when it was read, with the changes since. Not to be changed but by
        `change`.
        """

    def read_again(self) -> None:
        """Read changes that other processes wrote to the file. A damaged file changes nothing."""
        found = _read_values(self.path)
        if found is not None:
            with self._lock:
                self._merge_file_values(found)

    def change(self, change: Change) -> None:
        """Apply a change to the values, and write it to the file soon."""
        with self._lock:
            self._unwritten.append(change)
            self._merge_file_values(self.values)
            if self._writer is None:
                self._writer = threading.Thread(
                    target=self._write_all, name="settings", daemon=True
                )
                self._writer.start()

    def wait_until_written(self) -> None:
        """Wait until all changes are written or have failed."""
        writer = self._writer
        if writer is not None:
            writer.join(LOCK_TIMEOUT)

    def _merge_file_values(self, found: Values) -> None:
        """Replace the values by those of the file, plus the changes that are not yet written."""
        values = dict(found)
        for change in self._unwritten:
            change(values)
        self.values = values

    def _write_all(self) -> None:
        tried = 0
        while True:
            with self._lock:
                changes = [*self._unwritten]
                if len(changes) == tried:
                    self._writer = None
                    return
            try:
                written = self._write(changes)
            except (OSError, RaybenchError) as error:
                log.warning("settings are kept until the program ends, but not longer: %s", error)
                tried = len(changes)
            else:
                with self._lock:
                    del self._unwritten[: len(changes)]
                    self._merge_file_values(written)

    def _write(self, changes: list[Change]) -> Values:
        """Apply changes to the current contents of the file; returns the new values."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with _lock_file(self.path.with_name(self.path.name + LOCK_SUFFIX)):
            values = _read_values(self.path)
            if values is None:  # perhaps by somebody who edited it
                self.path.replace(self.path.with_name(f"{self.path.name}~"))
                values = self.values
            values = dict(values)
            for change in changes:
                change(values)
            write_text(self.path, _settings_text(values))
        return values


def _read_values(path: Path) -> Values | None:
    """The values in a file: an empty mapping if it does not exist, None if it is damaged."""
    try:
        values = json.loads(read_bounded(path, MAX_FILE_BYTES))
        _settings_text(values)  # lists may be nested too deeply to write them again
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _settings_text(values: Values) -> str:
    return json.dumps(values, indent=2, ensure_ascii=False)


@contextmanager
def _lock_file(path: Path) -> Iterator[None]:
    """Keep other processes from writing the file during the block. After `LOCK_TIMEOUT` seconds,
    continue without the lock.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, timeout=LOCK_TIMEOUT, poll_interval=0.005, mode=0o600)
    with suppress(OSError, Timeout, NotImplementedError):  # not every file system has locks
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


MAX_RECENT = 8


@dataclass(frozen=True)
class OpenFiles:
    """The files that are open in a window, and the index of the current one."""

    files: list[Path]
    shown: int


class Settings:
    """The settings, stored in a JSON file that several windows share. ``file`` replaces the user's
    settings file, for example in tests.

    Missing or damaged values have their defaults. The file is JSON because Qt ends the process at
    some damaged ini files.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = SettingsFile(file or user_folder("config") / "settings.json")

    @property
    def path(self) -> Path:
        """The path of the settings file, which may not exist."""
        return self._file.path

    def read_again(self) -> None:
        """Read changes that other windows wrote to the settings file."""
        self._file.read_again()

    def wait_until_written(self) -> None:
        """Wait until all changes are written or have failed."""
        self._file.wait_until_written()

    def _write(self, **changes: Any) -> None:
        self._file.change(lambda values: values.update(changes))

    def get(self, row: Preference) -> Any:
        """The value of a preference: the chosen value if it is allowed, else the default."""
        return row.from_json(self._file.values.get(row.name))

    def set(self, row: Preference, value: Any) -> None:
        """Store the chosen value of a preference; the default is not stored."""
        if value == row.default:
            self._file.change(lambda values: values.pop(row.name, None))
        else:
            self._write(**{row.name: sorted(value) if isinstance(value, frozenset) else value})

    @property
    def language(self) -> str:
        """The chosen language (see `raybench_workbench.translation`). It is read before the table
        of preferences is imported, since that table contains translated texts.
        """
        stored = self._file.values.get("language")
        return stored if isinstance(stored, str) else SYSTEM

    @property
    def recent(self) -> list[Path]:
        """The files opened or saved last, newest first."""
        return _recent_files(self._file.values)

    @property
    def folder(self) -> Path | None:
        """The folder of the file that was opened, saved or asked for last; None before the first."""
        stored = self._file.values.get("folder")
        return Path(stored) if isinstance(stored, str) and stored else None

    def remember_folder(self, folder: Path) -> None:
        self._write(folder=str(folder))

    @property
    def sheet(self) -> Sheet:
        """The page, the scale, the margin and the author of the sheet exported last."""
        try:
            return Sheet.from_json(self._file.values.get("sheet", {}))
        except InvalidSheet:
            return Sheet()

    def remember_sheet(self, sheet: Sheet) -> None:
        self._write(sheet=replace(sheet, title="", caption="").to_json())

    @property
    def was_welcome_shown(self) -> bool:
        """Whether the welcome page has been shown before."""
        return self._file.values.get("welcomed") is True

    def remember_welcome(self) -> None:
        self._write(welcomed=True)

    def remember_file(self, path: Path) -> None:
        self.remember_folder(path.resolve().parent)
        self._change_recent_files(path, [path.resolve()])

    def forget_file(self, path: Path) -> None:
        self._change_recent_files(path, [])

    def _change_recent_files(self, path: Path, first: list[Path]) -> None:
        """Remove ``path`` from the recent files, and insert the paths ``first`` at the beginning."""

        def change(values: Values) -> None:
            files = [*first, *(p for p in _recent_files(values) if p not in (path, *first))]
            values["recent"] = [str(p) for p in files[:MAX_RECENT]]

        self._file.change(change)

    @property
    def open_files(self) -> list[OpenFiles]:
        """The files that were open at the end of the last run, by window. Damaged entries are left
        out.
        """
        stored: Any = self._file.values.get("open")
        windows = [w for w in stored if isinstance(w, dict)] if isinstance(stored, list) else []
        found = [OpenFiles(_read_paths(w.get("files")), w.get("shown", 0)) for w in windows]
        return [w for w in found if w.shown in range(len(w.files))]

    def remember_open_files(self, windows: Iterable[OpenFiles]) -> None:
        open_ = [
            {"files": [*map(str, window.files)], "shown": window.shown}
            for window in windows
            if window.files
        ]
        if open_ != self._file.values.get("open", []):
            self._write(open=open_)

    def remember_window(self, geometry: QByteArray, state: QByteArray) -> None:
        parts = {"geometry": bytes(geometry.data()), "state": bytes(state.data())}
        stored = {name: base64.b64encode(part).decode() for name, part in parts.items()}
        self._write(window={**stored, "digest": _hash_parts(*parts.values())})

    def restore_window(
        self, geometry: Callable[[QByteArray], object], state: Callable[[QByteArray], object]
    ) -> bool:
        """Call ``geometry`` and ``state`` with the stored values. Returns False if there are none
        or if they are damaged, since some damaged values crash Qt.
        """
        stored: Any = self._file.values.get("window")
        try:
            texts = stored["geometry"], stored["state"]
            parts = [base64.b64decode(text, validate=True) for text in texts]
            intact = bool(stored["digest"] == _hash_parts(*parts))
        except (KeyError, TypeError, ValueError):
            return False
        if intact:
            geometry(QByteArray(parts[0]))
            state(QByteArray(parts[1]))
        return intact


def _recent_files(values: Values) -> list[Path]:
    """The recent files stored in the settings, without damaged entries."""
    return _read_paths(values.get("recent"))


def _read_paths(stored: Any) -> list[Path]:
    """The paths of a stored list, without damaged entries."""
    paths = stored if isinstance(stored, list) else []
    return [Path(p) for p in paths if isinstance(p, str) and Path(p).name]


def _hash_parts(*parts: bytes) -> str:
    return hashlib.sha256(b"".join(parts)).hexdigest()
