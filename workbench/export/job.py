"""Work in a worker thread, with progress and a way to cancel it: writing figures and rays, preparing a print or a copy."""

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
from core.files.rays_export import RAY_WRITERS, Progress
from workbench.figure import FIGURES, Figure

log = logging.getLogger(__name__)
PATIENCE = 400
"""Milliseconds after which the progress is shown."""


class ExportCancelled(RaybenchError):
    """The user cancelled an export."""


class ExportJob(QObject):
    """Calls ``make``, once started, with a function that it tells its progress to; ``finished`` is emitted with what that gave, or None and
    an error's text. ``title`` says what is done."""

    progressed = Signal(int)
    """Per cent."""
    finished = Signal(object, str)

    def __init__(self, make: Callable[[Progress], object], title: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancelled = threading.Event()
        self._make, self._title, self._percent = make, title, -1

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
            made = self._make(self._step)
        except RaybenchError as problem:
            error = str(problem)
        except Exception as problem:  # the dialog has to end, whatever happens
            log.exception("an export failed")
            why = f"{type(problem).__name__}: {problem}".rstrip(": ")
            error = f"{self._title} failed ({why}). Choose a smaller size, or fewer rays."
        with contextlib.suppress(RuntimeError):  # the window may have been closed meanwhile
            self.finished.emit(made, error)


def writer(figure: Figure, out: Path) -> Callable[[Progress], None]:
    """What writes a figure to a file or, if the suffix is one of `RAY_WRITERS`, its rays: those that are highlighted, or all."""
    suffix, result = out.suffix.lower(), figure.result

    def write(progress: Progress) -> None:
        if suffix in FIGURES:
            data = FIGURES[suffix](replace(figure, progress=progress))
            progress(1.0)
            write_bytes(out, data)
        elif result is None:
            raise RaybenchError("There is no light to export yet. Wait until the scene is traced.")
        else:
            RAY_WRITERS[suffix](out, figure.document, result, figure.view.highlight if suffix != ".npz" else None, progress)

    return write


def in_background(
    make: Callable[[Progress], object], title: str, window: QWidget, finished: Callable[[object, str], object]
) -> ExportJob:  # fmt: skip
    """Call ``make`` in a worker thread, with a dialog that shows the progress if it takes long. Returns the job.

    ``finished`` is called with what ``make`` gave and an empty text, or with None and an error's text.
    """
    job = ExportJob(make, title, window)
    dialog = QProgressDialog(title, "Cancel", 0, 100, window)
    dialog.setWindowTitle("Export")
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
