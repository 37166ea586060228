"""Background work with a dialog that shows its progress and can cancel it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QThreadPool
from PySide6.QtWidgets import QProgressDialog, QWidget

from raybench.errors import RaybenchError
from raybench_workbench.threads.background import in_background, in_gui_thread, reason_of
from raybench_workbench.words.plain_text import tool_tip

T = TypeVar("T")
Progress = Callable[[float], None]
"""Called with the fraction of the work that is done; raises Cancelled once the person has cancelled
it.
"""
MIN_DURATION = 400
"""Milliseconds after which the dialog is shown."""


class Cancelled(RaybenchError):
    """The person cancelled the work."""


def with_progress(
    work: Callable[[Progress], T],
    title: str,
    window: QWidget,
    done: Callable[[T], object],
    failed: Callable[[str], object],
) -> QProgressDialog:
    """Run ``work`` in a thread, and then ``done`` with its result, or ``failed`` with the reason if
    it fails.

    Returns the progress dialog, which appears if the work takes long; ``title`` describes the work
    in it.
    """
    cancelled = threading.Event()
    dialog = QProgressDialog(tool_tip(title), "Cancel", 0, 100, window)
    dialog.setWindowTitle("Raybench")
    dialog.setMinimumDuration(MIN_DURATION)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setValue(0)
    dialog.canceled.connect(cancelled.set)
    show, last = in_gui_thread(dialog, dialog.setValue), -1

    def step(fraction: float) -> None:
        nonlocal last
        if cancelled.is_set():
            raise Cancelled("It was cancelled; nothing was written.")
        percent = min(99, int(100 * fraction))
        if percent != last:
            last = percent
            show(percent)

    def end(deliver: Callable[[], object]) -> None:
        dialog.reset()
        dialog.deleteLater()
        deliver()

    in_background(
        window,
        lambda: work(step),
        lambda result: end(lambda: done(result)),
        lambda error: end(
            lambda: failed(reason_of(error, title, "Choose a smaller size, or fewer rays."))
        ),
        pool=QThreadPool.globalInstance(),
    )
    return dialog
