"""Work in the background with a dialog that shows its progress and cancels it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QProgressDialog, QWidget

from core.errors import RaybenchError
from workbench.threads.background import in_background, in_gui_thread, reason_of

T = TypeVar("T")
Progress = Callable[[float], None]
"""Called with the part of the work that is done; raises Cancelled if the rest is not wanted any more."""
PATIENCE = 400
"""Milliseconds after which the progress is shown."""


class Cancelled(RaybenchError):
    """The person cancelled the work."""


def with_progress(
    work: Callable[[Progress], T], title: str, window: QWidget, done: Callable[[T], object], failed: Callable[[str], object]
) -> QProgressDialog:
    """Run ``work`` in a thread, and then ``done`` with its answer, or ``failed`` with the reason for which there is none.

    ``title`` says what is done, in the dialog that appears if it takes long, which is returned.
    """
    cancelled = threading.Event()
    dialog = QProgressDialog(title, "Cancel", 0, 100, window)
    dialog.setWindowTitle("Raybench")
    dialog.setMinimumDuration(PATIENCE)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setValue(0)
    dialog.canceled.connect(cancelled.set)
    show, shown = in_gui_thread(dialog, dialog.setValue), -1

    def step(part: float) -> None:
        nonlocal shown
        if cancelled.is_set():
            raise Cancelled("It was cancelled; nothing was written.")
        percent = min(99, int(100 * part))
        if percent != shown:
            shown = percent
            show(percent)

    def end(tell: Callable[[], object]) -> None:
        dialog.reset()
        dialog.deleteLater()
        tell()

    in_background(
        window,
        lambda: work(step),
        lambda answer: end(lambda: done(answer)),
        lambda error: end(lambda: failed(reason_of(error, title, "Choose a smaller size, or fewer rays."))),
        pool=QThreadPool.globalInstance(),
    )
    return dialog
