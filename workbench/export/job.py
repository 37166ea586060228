"""A figure written in a worker thread, with progress and a way to cancel it."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from core.errors import RaybenchError
from core.files.atomic import write_bytes
from workbench.figure import FIGURES, Figure

PATIENCE = 400
"""Milliseconds after which the progress is shown."""


class ExportCancelled(RaybenchError):
    """The user cancelled an export."""


class ExportJob(QObject):
    """Writes a figure, once started; ``finished`` is emitted with an error's text, empty if there was none."""

    progressed = Signal(int)
    """Per cent."""
    finished = Signal(str)

    def __init__(self, figure: Figure, out: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancelled = threading.Event()
        self._out, self._percent = out, -1
        self._figure = replace(figure, progress=self._step)

    def start(self) -> None:
        QThreadPool.globalInstance().start(self._work)

    def cancel(self) -> None:
        """End the export at its next step; nothing is written."""
        self._cancelled.set()

    def _step(self, done: float) -> None:
        if self._cancelled.is_set():
            raise ExportCancelled("The export was cancelled; nothing was written.")
        percent = min(99, int(100 * done))
        if percent != self._percent:
            self._percent = percent
            self.progressed.emit(percent)

    def _work(self) -> None:
        error = ""
        try:
            data = FIGURES[self._out.suffix.lower()](self._figure)
            self._step(1.0)
            write_bytes(self._out, data)
        except RaybenchError as problem:
            error = str(problem)
        with contextlib.suppress(RuntimeError):  # the window may have been closed meanwhile
            self.finished.emit(error)


def export_in_background(figure: Figure, out: Path, window: QWidget, finished: Callable[[str], object]) -> ExportJob:
    """Write a figure in a worker thread, with a dialog that shows the progress if it takes long. Returns the job.

    ``finished`` is called with an error's text, empty if there was none.
    """
    job = ExportJob(figure, out, window)
    dialog = QProgressDialog(f"Writing {out.name}", "Cancel", 0, 100, window)
    dialog.setWindowTitle("Export figure")
    dialog.setMinimumDuration(PATIENCE)
    dialog.setAutoClose(False)
    dialog.setAutoReset(False)
    dialog.setValue(0)
    job.progressed.connect(dialog.setValue)
    dialog.canceled.connect(job.cancel)
    job.finished.connect(finished)
    job.finished.connect(dialog.reset)
    job.finished.connect(dialog.deleteLater)
    job.finished.connect(job.deleteLater)
    job.start()
    return job
