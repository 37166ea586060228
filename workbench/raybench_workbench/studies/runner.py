"""Runs a study or other work in a thread, while the GUI thread shows its progress."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from raybench.analysis.measures.measure import Measured
from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.study.experiment import Experiment, Values
from raybench.study.request import StudyOutcome, StudyRequest, run_request
from raybench_workbench.translation import tr

log = logging.getLogger(__name__)
POLL_MS = 50
"""How often the GUI thread shows the rows that have arrived."""


@dataclass
class RunState:
    """The state of work in a thread: the error, the seconds since its start, and whether it has
    ended. A subclass adds results, which the work writes while the GUI thread reads them.
    """

    error: str = ""
    seconds: float = 0.0
    ended: bool = False


class Runner(QObject):
    """Runs one task at a time. ``advanced`` is emitted with its `RunState` while it runs,
    ``finished`` when it has ended.
    """

    advanced = Signal(object)
    finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._run = RunState()
        self._begun = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(POLL_MS)
        self._timer.timeout.connect(self._report_progress)

    @property
    def busy(self) -> bool:
        return self._timer.isActive()

    @property
    def current(self) -> RunState | None:
        """The state of the running task; None if none runs."""
        return self._run if self.busy else None

    @property
    def is_stopping(self) -> bool:
        """Whether the task was asked to stop but has not ended yet."""
        return self.busy and self._stop.is_set()

    def run(
        self, work: Callable[[Callable[[], bool]], object], state: RunState, task: str, remedy: str
    ) -> None:
        """Start a task, and stop a task that is running. ``work`` gets a function that returns
        whether to stop. A programming error is reported as the failure of ``task``, with a
        ``remedy``.
        """
        self.close()
        self._stop, self._run = threading.Event(), state
        self._begun = time.monotonic()
        arguments = (partial(work, self._stop.is_set), state, task, remedy)
        self._thread = threading.Thread(target=_run_work, args=arguments, name="study", daemon=True)
        self._thread.start()
        self._timer.start()

    def stop(self) -> None:
        """Ask the task to stop. It ends with the results so far."""
        self._stop.set()

    def abandon(self) -> threading.Thread | None:
        """Stop the task and ignore its further results; returns its thread, which ends after the
        evaluations that already began.
        """
        self._stop.set()
        self._timer.stop()
        thread, self._thread = self._thread, None
        return thread

    def close(self) -> None:
        """Call `abandon` and wait for the thread, because the window closes."""
        if (thread := self.abandon()) is not None:
            thread.join(5)

    def _report_progress(self) -> None:
        ended = self._thread is None or not self._thread.is_alive()
        self._run.seconds = time.monotonic() - self._begun
        self._run.ended = ended
        if ended:
            self._timer.stop()
            self._thread = None
            self.finished.emit(self._run)
        else:
            self.advanced.emit(self._run)


def _run_work(work: Callable[[], object], state: RunState, task: str, remedy: str) -> None:
    try:
        work()
    except (RaybenchError, OSError) as problem:
        state.error = str(problem)
    except Exception as problem:  # a defect is reported in the panel
        log.exception("%s failed", task)
        why = f"{type(problem).__name__}: {problem}".rstrip(": ")
        state.error = tr("{what} failed ({why}). {remedy}", what=task, why=why, remedy=remedy)


@dataclass
class StudyProgress(RunState):
    """The state of a running study: the experiment, the rows so far, and the progress of a search."""

    experiment: Experiment | None = None
    count: int = 0
    rows: list[tuple[Values, tuple[Measured, ...]]] = field(default_factory=list)
    evaluations: int = 0
    merits: list[tuple[int, float]] = field(default_factory=list)
    outcome: StudyOutcome | None = None

    def begin(self, experiment: Experiment, count: int) -> None:
        self.count, self.experiment = count, experiment

    def row(self, values: Values, measures: tuple[Measured, ...]) -> None:
        self.rows.append((values, measures))

    def progress(self, evaluations: int, merit: float) -> None:
        self.evaluations = evaluations
        self.merits.append((evaluations, merit))


class StudyRunner(Runner):
    """Runs one study at a time, with a `Progress`."""

    def start(self, request: StudyRequest, document: Document) -> None:
        """Start a study, and stop a study that is running."""
        progress = StudyProgress()

        def study(stop: Callable[[], bool]) -> None:
            progress.outcome = run_request(request, document, progress, stop)

        self.run(study, progress, tr("The study"), tr("Change what is varied or measured."))
