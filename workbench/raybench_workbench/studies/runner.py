"""A study running in a thread; its rows arrive in the GUI thread some at a time."""

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
"""How often the GUI thread takes the rows that have arrived."""


@dataclass
class Progress:
    """What has arrived: the experiment, rows, and how far a search is. ``seconds`` is the time
    since the start.
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


class StudyRunner(QObject):
    """Runs one study at a time. ``advanced`` is emitted with the `Progress` while it runs,
    ``finished`` when it has ended.
    """

    advanced = Signal(object)
    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._arrived: _Inbox = _Inbox()
        self._progress = Progress()
        self._begun = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._poll_inbox)

    @property
    def busy(self) -> bool:
        """Whether a study runs."""
        return self._timer.isActive()

    @property
    def stopping(self) -> bool:
        """Whether the study was asked to stop, and has not ended yet."""
        return self.busy and self._stop.is_set()

    def start(self, request: StudyRequest, document: Document) -> None:
        """Start a study; one that runs is stopped."""
        self.close()
        self._stop, self._arrived, self._progress = threading.Event(), _Inbox(), Progress()
        self._begun = time.monotonic()
        arguments = (request, document, self._arrived, self._stop)
        self._thread = threading.Thread(
            target=_run_study, args=arguments, name="study", daemon=True
        )
        self._thread.start()
        self._timer.start()

    def stop(self) -> None:
        """Ask the study to stop; it ends with the results so far."""
        self._stop.set()

    def leave(self) -> threading.Thread | None:
        """Stop, and forget the study, whose thread ends after the evaluations under way; returns
        that thread.
        """
        self._stop.set()
        self._timer.stop()
        thread, self._thread = self._thread, None
        return thread

    def close(self) -> None:
        """`leave`, and wait for the thread; for a window that closes."""
        if (thread := self.leave()) is not None:
            thread.join(5)

    def _poll_inbox(self) -> None:
        ended = (
            self._thread is None or not self._thread.is_alive()
        )  # before the inbox is emptied: nothing comes later
        self._arrived.take(self._progress)
        self._progress.seconds = time.monotonic() - self._begun
        self._progress.ended = ended
        if ended:
            self._timer.stop()
            self._thread = None
            self.finished.emit(self._progress)
        else:
            self.advanced.emit(self._progress)


class _Inbox:
    """The reports of the study's thread, until the GUI thread takes them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._new = Progress()

    def begin(self, experiment: Experiment, count: int) -> None:
        with self._lock:
            self._new.experiment, self._new.count = experiment, count

    def row(self, values: Values, measures: tuple[Measured, ...]) -> None:
        with self._lock:
            self._new.rows.append((values, measures))

    def progress(self, evaluations: int, merit: float) -> None:
        with self._lock:
            self._new.evaluations = evaluations
            self._new.merits.append((evaluations, merit))

    def end(self, outcome: Outcome | None, error: str) -> None:
        with self._lock:
            self._new.outcome, self._new.error = outcome, error

    def take(self, into: Progress) -> None:
        """Move what has arrived into a `Progress`."""
        with self._lock:
            new, self._new = self._new, Progress()
        into.experiment = new.experiment or into.experiment
        into.count = new.count or into.count
        into.rows += new.rows
        into.merits += new.merits
        into.evaluations = new.evaluations or into.evaluations
        into.outcome = new.outcome or into.outcome
        into.error = new.error or into.error


def _run_study(
    request: StudyRequest, document: Document, inbox: _Inbox, stop: threading.Event
) -> None:
    outcome: Outcome | None = None
    error = ""
    try:
        outcome = run_request(request, document, inbox, stop.is_set)
    except (RaybenchError, OSError) as problem:
        error = str(problem)
    except Exception as problem:  # a defect is reported in the study panel
        log.exception("the study failed")
        why = f"{type(problem).__name__}: {problem}".rstrip(": ")
        error = f"The study failed ({why}). Change what is varied or measured."
    inbox.end(outcome, error)
