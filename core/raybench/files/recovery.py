"""Recovery files: unsaved changes, kept in the user's state folder until they are saved or
discarded.

A document with unsaved changes has a slot: ``ID.raybench``, the document with metadata under the
additional key ``recovery``, and ``ID.lock``, which its process keeps locked. An unlocked slot was
left behind by a process that ended without saving.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.document_file import RECOVERY, SUFFIX, document_from_json, document_to_json
from raybench.files.scene_json import json_bytes, parse, read_file
from raybench.scene.document import Document
from raybench.system.files import NotPrivate, private_folder, user_folder

if TYPE_CHECKING:
    from filelock import FileLock

LOCK = ".lock"


class RecoveryError(RaybenchError):
    """A recovery file cannot be created or removed."""


def recovery_folder() -> Path:
    """The folder of recovery files: in ``RAYBENCH_STATE_DIR`` if that is set, else in the user's
    state folder.
    """
    return user_folder("state") / "recovery"


@dataclass(frozen=True)
class Draft:
    """A document with unsaved changes. ``path`` is its file, None if it has none; ``digest`` is
    that of `Session`.
    """

    document: Document
    path: Path | None = None
    digest: str | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC))
    pid: int = field(default_factory=os.getpid)

    @property
    def title(self) -> str:
        """The document's title: the name of its file or of its scene."""
        return self.path.name if self.path else self.document.scene.name or "Untitled"


def _locked(file: Path) -> FileLock | None:
    """The lock of a recovery file, taken, which any thread may release; None if a process holds it.
    Raises OSError.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(file.with_suffix(LOCK), mode=0o600, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


class RecoverySlot:
    """The recovery file of one document and its lock, which shows other windows and processes that
    it is in use.
    """

    def __init__(self, file: Path, lock: FileLock) -> None:
        self.file, self._lock = file, lock

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A new slot. Raises RecoveryError if the folder cannot be written, or if others can write
        to it.
        """
        try:
            folder = private_folder(folder)
            while True:
                file = folder / f"{secrets.token_hex(8)}{SUFFIX}"
                if (lock := _locked(file)) is not None:
                    return cls(file, lock)
        except (OSError, NotPrivate) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise RecoveryError(
                f"{folder}: no recovery file can be created here: {why}. Set RAYBENCH_STATE_DIR."
            ) from None

    def write(self, draft: Draft) -> None:
        """Replace the slot's draft atomically. Raises FileWriteError."""
        about = {
            "path": None if draft.path is None else os.path.abspath(draft.path),
            "digest": draft.digest,
            "time": draft.time.isoformat(),
            "pid": draft.pid,
            "title": draft.title,
        }
        write_bytes(
            self.file, json_bytes(document_to_json(draft.document) | {RECOVERY: about}), mode=0o600
        )

    def remove(self) -> None:
        """Delete the recovery file and release the lock. Raises RecoveryError if the file cannot be
        removed.
        """
        try:
            self.file.unlink(missing_ok=True)
        except OSError as error:
            raise RecoveryError(
                f"{self.file}: this recovery file cannot be removed: {error.strerror}. Remove it by"
                " hand."
            ) from None
        self.release()

    def release(self) -> None:
        """Release the lock; a recovery file stays for the next call of `leftovers`."""
        if not self.file.exists():
            with contextlib.suppress(OSError):  # Windows cannot remove an open file: it remains
                self.file.with_suffix(LOCK).unlink()
        self._lock.release()


@dataclass(frozen=True)
class Leftover:
    """A recovery file left behind by a process that ended without saving. Its ``slot`` is locked
    until it is removed or released.

    ``draft`` is None if the file is damaged; ``fault`` is then the error message.
    """

    slot: RecoverySlot
    draft: Draft | None
    fault: str = ""


def leftovers(folder: Path) -> list[Leftover]:
    """Lock and read all slots that no running process holds, the latest first. Other files are left
    alone.
    """
    try:
        folder = private_folder(folder) if folder.exists() else folder
        names = sorted(
            {p.stem for p in folder.iterdir() if p.suffix in (SUFFIX, LOCK) and p.is_file()}
        )
    except (OSError, NotPrivate):
        return []  # no such folder, not readable, or writable by others: nothing was left behind
    results = []
    for name in names:
        file = folder / f"{name}{SUFFIX}"
        try:
            lock = _locked(file)
        except OSError:
            continue  # unknown whether its process is running, so leave it alone
        if lock is None:
            continue
        slot = RecoverySlot(file, lock)
        for temporary in folder.glob(f".{file.name}.*.tmp"):
            temporary.unlink(missing_ok=True)
        if not file.exists():
            slot.release()
            continue
        try:
            results.append(Leftover(slot, read_draft(file)))
        except RaybenchError as error:
            results.append(Leftover(slot, None, str(error)))
    return sorted(results, key=_time, reverse=True)


def _time(leftover: Leftover) -> datetime:
    return leftover.draft.time if leftover.draft else datetime.min.replace(tzinfo=UTC)


def read_draft(file: Path) -> Draft:
    """Read a recovery file. Raises SceneFileError if the document cannot be read."""

    def decode(data: Any) -> Draft:
        about = data.get(RECOVERY) if isinstance(data, dict) else None
        about = about if isinstance(about, dict) else {}
        path, digest, pid = about.get("path"), about.get("digest"), about.get("pid")
        return Draft(
            document_from_json(data),
            Path(path) if isinstance(path, str) and path else None,
            digest if isinstance(digest, str) else None,
            _moment(about.get("time"), file),
            pid if isinstance(pid, int) else 0,
        )

    return read_file(file, lambda text: parse(text, decode))


def _moment(written: Any, file: Path) -> datetime:
    """The time of a draft: from its metadata, else the file's modification time."""
    try:
        moment = (
            datetime.fromisoformat(written)
            if isinstance(written, str)
            else datetime.fromtimestamp(file.stat().st_mtime, UTC)
        )
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)
