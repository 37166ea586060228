"""Writing recovery files in the background, soon after a change and not after every one."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.files.recovery import Draft, RecoverySlot

PAUSE = 1.0
"""Seconds from a change until it is written, with all changes that came meanwhile."""
BETWEEN = 3.0
"""Least seconds from one writing to the next, while changes go on."""
REST = 5.0
"""Of a large document, the same in times that writing took: so writing takes at most a sixth of a processor from who edits."""
PATIENCE = 5.0
"""Seconds that closing waits for a disk that does not answer."""


class RecoveryWriter:
    """Keeps the latest draft of one document in a slot. A thread of its own writes, also while the caller's stands still.

    ``failed`` is called in that thread with one line when writing begins to fail.
    """

    def __init__(self, folder: Path, failed: Callable[[str], None], pause: float = PAUSE, between: float = BETWEEN) -> None:
        self._folder, self._failed, self._pause, self._between = folder, failed, pause, between
        self._wake = threading.Condition()
        self._draft: Draft | None = None
        self._due = 0.0
        self._steps: deque[Callable[[], None]] = deque()
        self._closed = False
        # the thread's own
        self._slot: RecoverySlot | None = None
        self._rested = 0.0
        """When the next draft may be written."""
        self._failing = False
        self._thread = threading.Thread(target=self._work, name="recovery", daemon=True)
        self._thread.start()

    def put(self, draft: Draft) -> None:
        """Write a draft soon; of several the latest."""
        with self._wake:
            if self._draft is None:
                self._due = time.monotonic() + self._pause
                self._wake.notify()
            self._draft = draft

    def drop(self) -> None:
        """There is nothing to recover: it was saved or discarded."""
        with self._wake:
            self._draft = None
            self._steps.append(self._remove)
            self._wake.notify()

    def take_over(self, slot: RecoverySlot) -> None:
        """Go on in the slot of what was recovered, so that at no time there is neither its recovery file nor a new one."""
        with self._wake:
            self._steps.append(partial(self._move, slot))
            self._wake.notify()

    def close(self) -> None:
        """Remove the recovery file and end the thread."""
        with self._wake:
            self._closed = True
            self._draft = None
            self._wake.notify()
        self._thread.join(PATIENCE)

    # --- the thread

    def _work(self) -> None:
        while True:
            with self._wake:
                while not (self._closed or self._steps or self._patience() == 0):
                    self._wake.wait(self._patience())
                steps = [*self._steps]
                self._steps.clear()
                draft = self._draft if self._patience() == 0 else None
                closed = self._closed
            for step in [*steps, self._remove] if closed else steps:
                self._attempt(step)
            if closed:
                return
            if draft is not None and self._attempt(partial(self._write, draft)):
                with self._wake:
                    if self._draft is draft:  # else there is a later one, or it was dropped
                        self._draft = None

    def _patience(self) -> float | None:
        """Seconds until the draft is to be written, None without one."""
        if self._draft is None:
            return None
        return max(0.0, max(self._due, self._rested) - time.monotonic())

    def _attempt(self, step: Callable[[], None]) -> bool:
        """Whether a step went well; a draft that could not be written is tried again."""
        try:
            step()
        except Exception as error:  # whatever it is, it is told, and the thread goes on
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
            self._rested = now + max(self._between, REST * (now - begun))
        self._failing = False

    def _remove(self) -> None:
        slot, self._slot = self._slot, None
        if slot is not None:
            slot.remove()

    def _move(self, slot: RecoverySlot) -> None:
        self._remove()
        self._slot = slot
