"""Writing recovery files in a background thread, shortly after changes and at a limited rate."""

from __future__ import annotations

import threading
import time
import weakref
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from raybench.files.recovery import Draft, RecoverySlot

PAUSE = 1.0
"""Delay in seconds from a change until the document is written, which also covers later changes."""
BETWEEN = 3.0
"""Minimum interval in seconds between writes."""
REST = 5.0
"""Minimum interval between writes as a multiple of the last write's duration, so that writing uses
at most a sixth of a processor.
"""
PATIENCE = 5.0
"""Timeout in seconds for joining the thread on closing, in case the disk does not respond."""


_writers: weakref.WeakSet[RecoveryWriter] = weakref.WeakSet()


def keep_drafts() -> None:
    """Write the pending drafts of all writers, before the process ends. Callable in any thread."""
    for writer in list(_writers):
        writer.keep()


class RecoveryWriter:
    """Writes the latest draft of one document to a slot, in its own thread, so also while the
    caller's thread is blocked.

    ``failed`` is called in that thread with a one-line message when writing starts to fail.
    """

    def __init__(
        self,
        folder: Path,
        failed: Callable[[str], None],
        pause: float = PAUSE,
        between: float = BETWEEN,
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
        self._thread = threading.Thread(target=self._work, name="recovery", daemon=True)
        _writers.add(self)
        self._thread.start()

    def put(self, draft: Draft) -> None:
        """Schedule a draft for writing; it replaces an earlier one that was not yet written."""
        with self._wake:
            if self._draft is None:
                self._due = time.monotonic() + self._pause
                self._wake.notify()
            self._draft = draft

    def drop(self) -> None:
        """Remove the recovery file, since the changes were saved or discarded."""
        with self._wake:
            self._draft = None
            self._steps.append(self._remove)
            self._wake.notify()

    def take_over(self, slot: RecoverySlot) -> None:
        """Continue in the slot of recovered changes, so that a recovery file exists at all times."""
        with self._wake:
            self._steps.append(partial(self._move, slot))
            self._wake.notify()

    def close(self) -> None:
        """Remove the recovery file and end the thread."""
        self._end(keep=False)

    def keep(self) -> None:
        """Write the latest draft at once and end the thread; the recovery file stays for the next
        start.
        """
        self._end(keep=True)

    def _end(self, keep: bool) -> None:
        with self._wake:
            self._closed = True
            if not keep:
                self._draft = None
                self._steps.append(self._remove)
            self._wake.notify()
        self._thread.join(PATIENCE)

    # --- the thread

    def _work(self) -> None:
        while True:
            with self._wake:
                while not (self._closed or self._steps or self._wait() == 0):
                    self._wake.wait(self._wait())
                steps = [*self._steps]
                self._steps.clear()
                closed = self._closed
                draft = self._draft if closed or self._wait() == 0 else None
            for step in steps:
                self._attempt(step)
            if draft is not None and self._attempt(partial(self._write, draft)):
                with self._wake:
                    if self._draft is draft:  # not replaced or dropped meanwhile
                        self._draft = None
            if closed:
                return

    def _wait(self) -> float | None:
        """Seconds until the draft is to be written; None without a draft."""
        if self._draft is None:
            return None
        return max(0.0, max(self._due, self._not_before) - time.monotonic())

    def _attempt(self, step: Callable[[], None]) -> bool:
        """Run a step and return whether it succeeded; a draft that could not be written is tried
        again.
        """
        try:
            step()
        except Exception as error:  # any error is reported, and the thread continues
            if not self._failing:
                self._failing = True
                self._failed(f"Unsaved changes are not kept for recovery: {error}")
            return False
        return True

    def _write(self, draft: Draft) -> None:
        begun = time.monotonic()
        try:
            if self._slot is None:
                self._slot = RecoverySlot.create(self._folder)
            self._slot.write(draft)
        finally:
            now = time.monotonic()
            self._not_before = now + max(self.between, REST * (now - begun))
        self._failing = False

    def _remove(self) -> None:
        slot, self._slot = self._slot, None
        if slot is not None:
            slot.remove()

    def _move(self, slot: RecoverySlot) -> None:
        self._remove()
        self._slot = slot
