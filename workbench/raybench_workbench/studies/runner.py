"""Runs a study in a thread. The GUI thread shows its progress a few rows at a time."""

import logging
import threading
import time
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal

from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.study.experiment import Experiment, Values
from raybench.study.request import Outcome, StudyRequest, run_request

log = logging.getLogger(__name__)
POLL_MS = 50
"""How often the GUI thread shows the rows that have arrived."""


@dataclass
class Progress:
    """The results so far: the experiment, the rows, and the state of a search. ``seconds`` is the
    time since the start. The study's thread appends to the lists while the GUI thread reads them.
    """

    experiment: Experiment | None = None
    count: int = 0
    rows: list[tuple[Values, tuple[Measured, ...]]] = field(default_factory=list)
    evaluations: int = 0
    merits: list[tuple[int, float]] = field(default_factory=list)
    outcome: Outcome | None = None
    error: str = ""
    seconds: float = 0.0
    ended: bool = False

    def begin(self, experiment: Experiment, count: int) -> None:
        self.count, self.experiment = count, experiment

    def row(self, values: Values, measures: tuple[Measured, ...]) -> None:
        self.rows.append((values, measures))

    def progress(self, evaluations: int, merit: float) -> None:
        self.evaluations = evaluations
        self.merits.append((evaluations, merit))


class StudyRunner(QObject):
    """Runs one study at a time. ``advanced`` is emitted with the `Progress` while a study runs,
    ``finished`` when it has ended.
    """

    advanced = Signal(object)
    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._progress = Progress()
        self._begun = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._report_progress)

    @property
    def busy(self) -> bool:
        """Whether a study runs."""
        return self._timer.isActive()

    @property
    def is_stopping(self) -> bool:
        """Whether the study was asked to stop but has not ended yet."""
        return self.busy and self._stop.is_set()

    def start(self, request: StudyRequest, document: Document) -> None:
        """Start a study, and stop a study that is running."""
        self.close()
        self._stop, self._progress = threading.Event(), Progress()
        self._begun = time.monotonic()
        arguments = (request, document, self._progress, self._stop)
        self._thread = threading.Thread(
            target=_run_study, args=arguments, name="study", daemon=True
        )
        self._thread.start()
        self._timer.start()

    def stop(self) -> None:
        """Ask the study to stop; it ends with the results so far."""
        self._stop.set()

    def abandon_study(self) -> threading.Thread | None:
        """Stop the study and ignore its further results; returns its thread, which ends after the
        evaluations that already began.
        """
        self._stop.set()
        self._timer.stop()
        thread, self._thread = self._thread, None
        return thread

    def close(self) -> None:
        """Call `abandon_study` and wait for the thread, because the window closes."""
        if (thread := self.abandon_study()) is not None:
            thread.join(5)

    def _report_progress(self) -> None:
        ended = self._thread is None or not self._thread.is_alive()
        self._progress.seconds = time.monotonic() - self._begun
        self._progress.ended = ended
        if ended:
            self._timer.stop()
            self._thread = None
            self.finished.emit(self._progress)
        else:
            self.advanced.emit(self._progress)


def _run_study(
    request: StudyRequest, document: Document, progress: Progress, stop: threading.Event
) -> None:
    try:
        progress.outcome = run_request(request, document, progress, stop.is_set)
    except (RaybenchError, OSError) as problem:
        progress.error = str(problem)
    except Exception as problem:  # a defect is reported in the study panel
        log.exception("the study failed")
        why = f"{type(problem).__name__}: {problem}".rstrip(": ")
        progress.error = f"The study failed ({why}). Change what is varied or measured."
