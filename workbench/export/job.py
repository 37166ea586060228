"""Work on a figure in a worker thread, with progress and a way to cancel it: writing a file, preparing a print or a copy."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QThreadPool, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from core.errors import RaybenchError
from core.files.atomic import write_bytes
from workbench.figure import FIGURES, Figure

log = logging.getLogger(__name__)
PATIENCE = 400
"""Milliseconds after which the progress is shown."""


class ExportCancelled(RaybenchError):
    """The user cancelled an export."""


class FigureJob(QObject):
    """Calls ``make`` with a figure, once started; ``finished`` is emitted with what that gave, or None and an error's text."""

    progressed = Signal(int)
    """Per cent."""
    finished = Signal(object, str)

    def __init__(self, figure: Figure, make: Callable[[Figure], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancelled = threading.Event()
        self._make, self._percent = make, -1
        self._figure = replace(figure, progress=self._step)

    def start(self) -> None:
        QThreadPool.globalInstance().start(self._work)

    def cancel(self) -> None:
        """End the work at its next step; nothing is written."""
        self._cancelled.set()

    def _step(self, done: float) -> None:
        if self._cancelled.is_set():
            raise ExportCancelled("It was cancelled; nothing was written.")
        percent = min(99, int(100 * done))
        if percent != self._percent:
            self._percent = percent
            self.progressed.emit(percent)

    def _work(self) -> None:
        made, error = None, ""
        try:
            made = self._make(self._figure)
        except RaybenchError as problem:
            error = str(problem)
        except Exception as problem:  # the dialog has to end, whatever happens
            log.exception("a figure could not be made")
            why = f"{type(problem).__name__}: {problem}".rstrip(": ")
            error = f"The figure could not be made ({why}). Choose a smaller size."
        with contextlib.suppress(RuntimeError):  # the window may have been closed meanwhile
            self.finished.emit(made, error)


def writer(out: Path) -> Callable[[Figure], None]:
    """The function that writes a figure to a file."""

    def write(figure: Figure) -> None:
        data = FIGURES[out.suffix.lower()](figure)
        figure.progress(1.0)
        write_bytes(out, data)

    return write


def in_background(
    figure: Figure, make: Callable[[Figure], object], title: str, window: QWidget, finished: Callable[[object, str], object]
) -> FigureJob:  # fmt: skip
    """Call ``make`` with a figure in a worker thread, with a dialog that shows the progress if it takes long. Returns the job.

    ``finished`` is called with what ``make`` gave and an empty text, or with None and an error's text.
    """
    job = FigureJob(figure, make, window)
    dialog = QProgressDialog(title, "Cancel", 0, 100, window)
    dialog.setWindowTitle("Figure")
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
