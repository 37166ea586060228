"""Recovery files: unsaved changes, kept in the user's data folder until they are saved or discarded.

A document with unsaved changes has a slot: ``ID.raybench``, the document with the key ``recovery`` beside its scene, and ``ID.lock``, which
its program holds locked. A slot that is not locked was left by a program that ended without saving.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from core.errors import RaybenchError
from core.files.atomic import write_bytes
from core.files.document_file import RECOVERY, SUFFIX, document_from_json, document_to_json
from core.files.lock import FileLock
from core.files.scene_json import json_bytes, parse, read_file
from core.private_folder import NotPrivate, private_folder
from core.scene.document import Document

LOCK = ".lock"


class RecoveryError(RaybenchError):
    """A recovery file cannot be made or removed."""


def recovery_folder() -> Path:
    """Where recovery files are: in the user's folder for the state of programs, or in ``RAYBENCH_STATE_DIR``."""
    import platformdirs

    override = os.environ.get("RAYBENCH_STATE_DIR")
    state = Path(override) if override else Path(platformdirs.user_state_dir("raybench", appauthor=False))
    return state / "recovery"


@dataclass(frozen=True)
class Draft:
    """A document with unsaved changes. ``path`` is its file, None if it has none yet; ``digest`` is of what that held (see `Session`)."""

    document: Document
    path: Path | None = None
    digest: str | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC))
    pid: int = field(default_factory=os.getpid)

    @property
    def title(self) -> str:
        """What to call the document: its file's name or the scene's."""
        return self.path.name if self.path else self.document.scene.name or "Untitled"


class RecoverySlot:
    """A place for the recovery file of one document, which no other window or program takes for abandoned."""

    def __init__(self, file: Path, lock: FileLock) -> None:
        self.file, self._lock = file, lock

    @classmethod
    def create(cls, folder: Path) -> Self:
        """A slot of its own. Raises RecoveryError where the folder cannot be written, or others could write to it."""
        try:
            folder = private_folder(folder)
            while True:
                file = folder / f"{secrets.token_hex(8)}{SUFFIX}"
                lock = FileLock.take(file.with_suffix(LOCK))
                if lock is not None:
                    return cls(file, lock)
        except (OSError, NotPrivate) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise RecoveryError(f"{folder}: no recovery file can be made here: {why}. RAYBENCH_STATE_DIR chooses another folder.") from None

    def write(self, draft: Draft) -> None:
        """Replace what the slot holds; a failure leaves that whole."""
        about = {
            "path": None if draft.path is None else os.path.abspath(draft.path),
            "digest": draft.digest,
            "time": draft.time.isoformat(),
            "pid": draft.pid,
            "title": draft.title,
        }
        write_bytes(self.file, json_bytes(document_to_json(draft.document) | {RECOVERY: about}), mode=0o600)

    def remove(self) -> None:
        """Forget what the slot holds, and the slot. Raises RecoveryError where the file cannot be removed."""
        try:
            self.file.unlink(missing_ok=True)
        except OSError as error:
            raise RecoveryError(f"{self.file}: this recovery file cannot be removed: {error.strerror}. Remove it by hand.") from None
        self._lock.release(remove=True)

    def release(self) -> None:
        """Leave what the slot holds to whoever looks for it next."""
        self._lock.release(remove=not self.file.exists())


@dataclass(frozen=True)
class Leftover:
    """What a program left that ended without saving; held by its slot until that is removed, released or written to.

    ``draft`` is None where the file is damaged; ``fault`` says how.
    """

    slot: RecoverySlot
    draft: Draft | None
    fault: str = ""


def leftovers(folder: Path) -> list[Leftover]:
    """Take all slots that no running program holds, the latest first. Files that are no recovery files are left alone."""
    try:
        folder = private_folder(folder) if folder.exists() else folder
        names = sorted({p.stem for p in folder.iterdir() if p.suffix in (SUFFIX, LOCK) and p.is_file()})
    except (OSError, NotPrivate):
        return []  # no folder, or none that only this user could have written to: nothing was left there
    found = []
    for name in names:
        file = folder / f"{name}{SUFFIX}"
        try:
            lock = FileLock.take(file.with_suffix(LOCK))
        except OSError:
            continue  # whether its program lives cannot be known, so it is not touched
        if lock is None:
            continue
        slot = RecoverySlot(file, lock)
        for temporary in folder.glob(f".{file.name}.*.tmp"):
            temporary.unlink(missing_ok=True)
        if not file.exists():
            slot.release()
            continue
        try:
            found.append(Leftover(slot, read_draft(file)))
        except RaybenchError as error:
            found.append(Leftover(slot, None, str(error)))
    return sorted(found, key=_time, reverse=True)


def _time(leftover: Leftover) -> datetime:
    return leftover.draft.time if leftover.draft else datetime.min.replace(tzinfo=UTC)


def read_draft(file: Path) -> Draft:
    """What a recovery file holds. Raises SceneFileError in one line where the document cannot be read."""

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
    """When a draft was made, by what is written or else by the file's time."""
    try:
        moment = datetime.fromisoformat(written) if isinstance(written, str) else datetime.fromtimestamp(file.stat().st_mtime, UTC)
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)
