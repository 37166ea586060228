"""Recovery files, which contain unsaved changes. A background thread writes them to the user's
state folder soon after a change, at a limited rate. They are removed when the changes are saved or
discarded.

A document with unsaved changes has a slot: ``ID.raybench``, the document with metadata under the
additional key ``recovery``, and ``ID.lock``, which its process keeps locked. An unlocked slot was
left behind by a process that ended without saving.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.document_file import RECOVERY_KEY, SUFFIX, document_from_json, document_to_json
from raybench.files.scene_json import json_bytes, parse_json, read_file
from raybench.scene.document import Document
from raybench.system.files import NotPrivate, private_folder, user_folder

if TYPE_CHECKING:
    from filelock import FileLock

LOCK_SUFFIX = ".lock"


class RecoveryError(RaybenchError):
    """A recovery file cannot be created or deleted."""


def recovery_folder() -> Path:
    """The folder of recovery files: in ``RAYBENCH_STATE_DIR`` if that is set, else in the user's
    state folder.
    """
    return user_folder("state") / "recovery"


@dataclass(frozen=True)
class Draft:
    """A document with unsaved changes. ``path`` is the document's file, None for an unsaved
    document; ``digest`` is the hash of that file, as in `Session`; ``conversation`` is the id of
    the conversation about the document.
    """

    document: Document
    path: Path | None = None
    digest: str | None = None
    time: datetime = field(default_factory=lambda: datetime.now(UTC))
    pid: int = field(default_factory=os.getpid)
    conversation: str = ""

    @property
    def title(self) -> str:
        """The title of the document: the name of its file, or else of its scene."""
        return self.path.name if self.path else self.document.scene.name or "Untitled"


def _acquire_lock(file: Path) -> FileLock | None:
    """Acquire the lock of a recovery file, which any thread may release. None if another process
    holds it. Raises OSError.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(file.with_suffix(LOCK_SUFFIX), mode=0o600, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        return None
    return lock


class RecoverySlot:
    """The recovery file of one document, and its lock, which tells other windows and processes that
    the file is in use.
    """

    def __init__(self, file: Path, lock: FileLock) -> None:
        self.file, self._lock = file, lock

    @classmethod
    def create(cls, folder: Path) -> Self:
        """Make a new recovery file. Raises RecoveryError if the folder cannot be written, or if
        other users can write to it.
        """
        try:
            folder = private_folder(folder)
            while True:
                file = folder / f"{secrets.token_hex(8)}{SUFFIX}"
                if (lock := _acquire_lock(file)) is not None:
                    return cls(file, lock)
        except (OSError, NotPrivate) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise RecoveryError(
                f"{folder}: no recovery file can be created here: {why}. Set RAYBENCH_STATE_DIR."
            ) from None

    def write(self, draft: Draft) -> None:
        """Replace the draft in the recovery file atomically. Raises FileWriteError."""
        about = {
            "path": None if draft.path is None else os.path.abspath(draft.path),
            "digest": draft.digest,
            "conversation": draft.conversation,
            "time": draft.time.isoformat(),
            "pid": draft.pid,
            "title": draft.title,
        }
        write_bytes(
            self.file,
            json_bytes(document_to_json(draft.document) | {RECOVERY_KEY: about}),
            mode=0o600,
        )

    def remove(self) -> None:
        """Delete the recovery file and release its lock. Raises RecoveryError if the file cannot be
        deleted.
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
        """Release the lock of the recovery file. The file remains and can be found by
        `claim_leftovers`.
        """
        if not self.file.exists():
            with contextlib.suppress(OSError):  # Windows cannot remove an open file: it remains
                self.file.with_suffix(LOCK_SUFFIX).unlink()
        self._lock.release()


@dataclass(frozen=True)
class LeftoverFile:
    """A recovery file that a process left when it ended without saving. Its ``slot`` stays locked
    until it is removed or released.

    If the file is damaged, ``draft`` is None and ``fault`` is the error message.
    """

    slot: RecoverySlot
    draft: Draft | None
    fault: str = ""


def claim_leftovers(folder: Path) -> list[LeftoverFile]:
    """Lock and read all recovery files that no running process uses, the latest first. Files of
    other types are ignored.
    """
    try:
        folder = private_folder(folder) if folder.exists() else folder
        names = sorted(
            {p.stem for p in folder.iterdir() if p.suffix in (SUFFIX, LOCK_SUFFIX) and p.is_file()}
        )
    except (OSError, NotPrivate):
        return []  # no such folder, not readable, or writable by others: nothing was left behind
    results = []
    for name in names:
        file = folder / f"{name}{SUFFIX}"
        try:
            lock = _acquire_lock(file)
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
            results.append(LeftoverFile(slot, read_draft(file)))
        except RaybenchError as error:
            results.append(LeftoverFile(slot, None, str(error)))
    oldest = datetime.min.replace(tzinfo=UTC)
    return sorted(results, key=lambda r: r.draft.time if r.draft else oldest, reverse=True)


def read_draft(file: Path) -> Draft:
    """Read the draft in a recovery file. Raises SceneFileError if the document cannot be read."""

    def decode_draft(data: Any) -> Draft:
        about = data.get(RECOVERY_KEY) if isinstance(data, dict) else None
        about = about if isinstance(about, dict) else {}
        path, digest, pid = about.get("path"), about.get("digest"), about.get("pid")
        conversation = about.get("conversation")
        return Draft(
            document_from_json(data),
            Path(path) if isinstance(path, str) and path else None,
            digest if isinstance(digest, str) else None,
            _draft_time(about.get("time"), file),
            pid if isinstance(pid, int) else 0,
            conversation if isinstance(conversation, str) else "",
        )

    return read_file(file, lambda text: parse_json(text, decode_draft))


def _draft_time(written: Any, file: Path) -> datetime:
    """The time of a draft, as stored in the file or else the modification time of the file."""
    try:
        moment = (
            datetime.fromisoformat(written)
            if isinstance(written, str)
            else datetime.fromtimestamp(file.stat().st_mtime, UTC)
        )
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OSError):
        return datetime.fromtimestamp(0, UTC)


WRITE_DELAY = 1.0
"""Delay in seconds from a change until the document is written, which also covers later changes."""
MIN_WRITE_INTERVAL = 3.0
"""Minimum interval in seconds between writes."""
MIN_INTERVAL_RATIO = 5.0
"""Minimum interval between writes as a multiple of the last write's duration, so that writing uses
at most a sixth of a processor.
"""
JOIN_TIMEOUT = 5.0
"""Timeout in seconds for joining the thread on closing, in case the disk does not respond."""


_writers: weakref.WeakSet[RecoveryWriter] = weakref.WeakSet()


def write_pending_drafts() -> None:
    """Make all writers write their pending drafts, before the process ends. Any thread may call it."""
    for writer in list(_writers):
        writer.end_keeping_file()


class RecoveryWriter:
    """Writes the latest draft of a document to its recovery file. It works in a thread of its own,
    also while the thread of the caller is blocked.

    ``failed`` is called in the writer's thread with a one-line message when writing starts to fail.
    """

    def __init__(
        self,
        folder: Path,
        failed: Callable[[str], None],
        pause: float = WRITE_DELAY,
        between: float = MIN_WRITE_INTERVAL,
    ) -> None:
        self._folder, self._failed, self._pause = folder, failed, pause
        self.between = between
        """Minimum interval in seconds between writes."""
        self._wake = threading.Condition()
        self._draft: Draft | None = None
        self._due = 0.0
        self._steps: deque[Callable[[], None]] = deque()
        self._closed = False
        # used only by the writer's thread
        self._slot: RecoverySlot | None = None
        self._not_before = 0.0
        """Earliest time of the next write."""
        self._failing = False
        self._thread = threading.Thread(target=self._write_drafts, name="recovery", daemon=True)
        _writers.add(self)
        self._thread.start()

    def put_draft(self, draft: Draft) -> None:
        """Schedule a draft to be written. It replaces an earlier draft that is still waiting."""
        with self._wake:
            if self._draft is None:
                self._due = time.monotonic() + self._pause
                self._wake.notify()
            self._draft = draft

    def discard_draft(self) -> None:
        """Remove the recovery file after the changes were saved or discarded."""
        with self._wake:
            self._draft = None
            self._steps.append(self._remove_draft)
            self._wake.notify()

    def take_over(self, slot: RecoverySlot) -> None:
        """Continue with an existing recovery file, after its changes were recovered. So there is a
        recovery file at all times.
        """
        with self._wake:
            self._steps.append(partial(self._move_draft, slot))
            self._wake.notify()

    def close(self) -> None:
        """Remove the recovery file and end the thread of this writer."""
        self._end_writing(keep=False)

    def end_keeping_file(self) -> None:
        """Write the latest draft at once and end the thread. The recovery file remains for the next
        start of the program.
        """
        self._end_writing(keep=True)

    def _end_writing(self, keep: bool) -> None:
        with self._wake:
            self._closed = True
            if not keep:
                self._draft = None
                self._steps.append(self._remove_draft)
            self._wake.notify()
        self._thread.join(JOIN_TIMEOUT)

    # --- the thread

    def _write_drafts(self) -> None:
        while True:
            with self._wake:
                while not (self._closed or self._steps or self._seconds_to_wait() == 0):
                    self._wake.wait(self._seconds_to_wait())
                steps = [*self._steps]
                self._steps.clear()
                closed = self._closed
                draft = self._draft if closed or self._seconds_to_wait() == 0 else None
            for step in steps:
                self._attempt_step(step)
            if draft is not None and self._attempt_step(partial(self._write_draft, draft)):
                with self._wake:
                    if self._draft is draft:  # not replaced or dropped meanwhile
                        self._draft = None
            if closed:
                return

    def _seconds_to_wait(self) -> float | None:
        """The time in seconds until the draft should be written; None if there is no draft."""
        if self._draft is None:
            return None
        return max(0.0, max(self._due, self._not_before) - time.monotonic())

    def _attempt_step(self, step: Callable[[], None]) -> bool:
        """Call a function that writes or removes a file, and return whether it succeeded. A draft
        that could not be written is tried again later.
        """
        try:
            step()
        except Exception as error:  # any error is reported, and the thread continues
            if not self._failing:
                self._failing = True
                self._failed(f"Unsaved changes are not kept for recovery: {error}")
            return False
        return True

    def _write_draft(self, draft: Draft) -> None:
        begun = time.monotonic()
        try:
            if self._slot is None:
                self._slot = RecoverySlot.create(self._folder)
            self._slot.write(draft)
        finally:
            now = time.monotonic()
            self._not_before = now + max(self.between, MIN_INTERVAL_RATIO * (now - begun))
        self._failing = False

    def _remove_draft(self) -> None:
        slot, self._slot = self._slot, None
        if slot is not None:
            slot.remove()

    def _move_draft(self, slot: RecoverySlot) -> None:
        self._remove_draft()
        self._slot = slot
