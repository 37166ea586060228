"""Keeps the open document traced without blocking the window, and reports the state of the trace.

During a drag, only as many rays are traced as the time budget of a frame allows; afterwards all of
them.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from raybench.analysis.context import TracedScene, publish_context
from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.scene.materials import has_materials
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.run.frame_budget import FrameBudget
from raybench.trace.run.memory import TraceMemory
from raybench.trace.run.progress import TraceProgress
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import progress_words
from raybench_workbench.translation import tr

SLOW_MS = 150
"""Time after which a running trace is shown in the status line, in milliseconds."""
OUTDATED = tr("The rays are those before the last change. Wait until the scene is traced.")
INCOMPLETE = tr(
    "The scene is still being traced, so that rays are missing. Wait until it is"
    " traced, or stop the trace with Esc."
)
DRAG_BUDGET = 10.0
"""Time budget of a trace during a drag, in milliseconds."""
FIRST_PREVIEW, PREVIEW_FACTOR = 10, 4
"""Source rays of the first preview while kernels are being compiled, and the factor from each
preview to the next.
"""
LONGEST_PREVIEW = 2_000.0
"""Milliseconds after which a preview is cut, and no larger one follows."""

Tracer = Callable[..., TraceResult]


class TraceState(Enum):
    """The state of the trace service. While it is preparing, the kernels are being compiled and a
    preview is shown.
    """

    IDLE = auto()
    PREPARING = auto()
    TRACING = auto()
    STALE = auto()
    COMPLETE = auto()
    PARTIAL = auto()
    FAILED = auto()


class TraceService(QObject):
    """Keeps a `WorkDocument` traced by means of a `TraceWorker`. Use it only in the GUI thread."""

    stateChanged = Signal(object)
    """The `TraceState`; also emitted when ``progress`` changes."""
    compilingChanged = Signal(str)
    """What the compilation of the kernels is doing, in one line; empty at the end."""
    kernelProblem = Signal(str)
    """As `TraceWorker.kernelProblem`."""

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.state = TraceState.IDLE
        self.limits: dict[str, int | None] = {}
        """As `TraceJob.limits`; None means the default."""
        self.worker = TraceWorker(self)
        self._prepared = False
        """Whether the end of the compilation has reached the GUI thread."""
        self.progress: TraceProgress | None = None
        """The progress of the running trace; None until it is known."""
        self._slow = QTimer(self, singleShot=True, interval=SLOW_MS)
        self._slow.timeout.connect(self._show_tracing)
        self.worker.finished.connect(self._accept_result)
        self.worker.failed.connect(self._accept_failure)
        self.worker.compiling.connect(self._show_preparing)
        self.worker.compiled.connect(self._finish_preparing)
        self.worker.kernelProblem.connect(self.kernelProblem)
        self.worker.progressed.connect(self._show_progress)
        self.worker.grown.connect(self._show_partial)
        document.changed.connect(self._document_changed)
        document.gestureChanged.connect(self._gesture_changed)

    def is_traced(self) -> bool:
        """Whether the rays belong to the current document, so that they can be exported. If a trace
        is still missing, a message above the canvas says so.
        """
        if not self.awaits_trace:
            return True
        document = self.document
        outdated = document.result is None or document.result.revision != document.document.revision
        document.failed.emit(OUTDATED if outdated else INCOMPLETE)
        return False

    def start(self) -> None:
        """Start a full trace of the current document."""
        self._request_trace(full=True)

    def stop(self) -> None:
        """Stop the trace. The rays traced so far, or a few if it has not begun, are shown as a
        partial result.
        """
        self.worker.stop()

    def close(self) -> None:
        """Stop the worker thread; nothing is emitted afterwards."""
        self.worker.close()

    @property
    def given_limits(self) -> dict[str, int]:
        """The limits that are not the defaults."""
        return {name: limit for name, limit in self.limits.items() if limit is not None}

    @property
    def busy(self) -> bool:
        """Whether a trace is running or pending."""
        return self.worker.busy

    @property
    def awaits_trace(self) -> bool:
        """Whether a full trace of the current document is still missing and tracing has not failed."""
        session, idle = self.document.session, self.state in (TraceState.FAILED, TraceState.IDLE)
        return bool(session.document.scene.objects) and session.fresh_result is None and not idle

    @property
    def awaits_kernels(self) -> bool:
        """Whether the kernels are still being compiled, so that the canvas shows a preview or a
        picture painted without them.
        """
        return self.worker.compilation_started and not self._prepared

    def _document_changed(self, before: Document, after: Document) -> None:
        # materials absorb per mm
        resized = before.unit != after.unit and has_materials(after.scene)
        # of another session None, also if its document is the same
        last = self.document.session.result
        same_light = after.has_same_light_as(before)
        if same_light and not resized and last is not None and last.revision == before.revision:
            # since e.g. only labels changed: keep the trace under the new revision
            if after.revision != before.revision:
                self._store_result(dataclasses.replace(last, revision=after.revision))
        else:
            self._request_trace(full=self.document.gesture is None)

    def _gesture_changed(self, begun: bool) -> None:
        document, fresh = self.document, self.document.session.fresh_result
        current = document.result
        if begun or (fresh is not None and current is fresh):
            return
        if (
            current is not None
            and current.revision == document.document.revision
            and current.completion == Completion.COMPLETE
        ):
            self._store_result(current)
        elif fresh is not None:
            self._store_result(fresh)
        else:
            self._request_trace(full=True)

    def _request_trace(self, *, full: bool) -> None:
        self.worker.request_job(TraceJob(self.document.document, full, self.given_limits))
        if self.state is not TraceState.PREPARING:
            self._set_state(TraceState.STALE)
        if full and not self._slow.isActive():
            self.progress = None
            self._slow.start()

    def _accept_result(self, job: TraceJob, result: TraceResult) -> None:
        current = result.revision == self.document.document.revision
        reduced = result.completion == Completion.REDUCED
        if self.document.gesture is not None:
            self.document.show_result(result)
            self._set_state(TraceState.STALE if reduced else TraceState.COMPLETE)
        elif current and not reduced:
            self._store_result(result)
        elif current and job.full:
            self._slow.stop()
            self.document.show_result(result)
            self._set_state(TraceState.PREPARING)

    def _store_result(self, result: TraceResult) -> None:
        self._slow.stop()
        self.document.store_result(result)
        publish_context(TracedScene.from_document(self.document.document, result))
        complete = result.completion == Completion.COMPLETE
        self._set_state(TraceState.COMPLETE if complete else TraceState.PARTIAL)

    def _accept_failure(self, job: TraceJob, text: str) -> None:
        if job.document.revision == self.document.document.revision:
            self._slow.stop()
            self._set_state(TraceState.FAILED)
            self.document.traceFailed.emit(text)

    def _show_tracing(self) -> None:
        if self.busy and self.state is not TraceState.PREPARING:
            self._set_state(TraceState.TRACING)

    def _show_preparing(self, text: str, fraction: float) -> None:
        self.compilingChanged.emit(
            tr("Compiling the tracing kernels, {percent:.0f} %", percent=100 * fraction)
        )
        if self.document.session.fresh_result is None and self.document.gesture is None:
            self._set_state(TraceState.PREPARING)

    def _finish_preparing(self) -> None:
        self._prepared = True
        self.compilingChanged.emit("")
        self._set_state(TraceState.STALE)
        self.start()

    @property
    def progress_words(self) -> str:
        """The progress of the running trace in words; empty until it is known."""
        return progress_words(self.progress) if self.progress is not None else ""

    def _show_progress(self, progress: TraceProgress) -> None:
        self.progress = progress
        if self.state is TraceState.TRACING:
            self.stateChanged.emit(self.state)

    def _show_partial(self, result: TraceResult) -> None:
        """Show the rays traced so far, unless the trace has ended or another document is traced
        meanwhile.
        """
        document = self.document
        awaited = document.session.fresh_result is None and document.gesture is None
        if awaited and result.revision == document.document.revision:
            document.show_result(result)

    def _set_state(self, state: TraceState) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)


class _JobSuperseded(Exception):
    """Raised when a newer job was requested, so that this one is not needed."""


@dataclass(eq=False)
class TraceJob:
    """A request to trace a document: with all rays within ``limits`` if ``full``, else with fewer
    rays during a drag.
    """

    document: Document
    full: bool
    limits: Mapping[str, int] = field(default_factory=dict)
    """Of a full trace: ``max_segments``, ``threads``, ``memory_limit`` of
    `raybench.trace.trace.trace`, where they are not the defaults.
    """
    cancelled: threading.Event = field(default_factory=threading.Event)
    _stopped: bool = False
    _polled: bool = False

    @property
    def is_superseded(self) -> bool:
        """Whether a newer job has replaced this one."""
        return self.cancelled.is_set() and not self._stopped

    def stop(self) -> None:
        """Stop the trace and keep the rays traced so far."""
        self._stopped = True
        self.cancelled.set()

    def should_end(self) -> bool:
        """Whether the trace must end because it was stopped. False on the first call, so that a job
        stopped before it began traces some light. Raises _JobSuperseded if a newer job has replaced
        this one.
        """
        if self.is_superseded:
            raise _JobSuperseded
        polled, self._polled = self._polled, True
        return polled and self.cancelled.is_set()


class TraceWorker(QObject):
    """A thread that traces one job at a time. Its methods are called in the GUI thread; its signals
    are emitted in the worker thread.
    """

    finished = Signal(object, object)
    """A `TraceJob` and its `TraceResult`, which is reduced for a drag or a preview."""
    failed = Signal(object, str)
    """A `TraceJob`, and why it cannot be traced."""
    progressed = Signal(object)
    """The `TraceProgress` of a full trace."""
    grown = Signal(object)
    """A partial `TraceResult` of a full trace, while it is running."""
    compiling = Signal(str, float)
    """What the compilation of the kernels is doing, and the fraction that is done."""
    compiled = Signal()
    """The compilation has ended, or failed."""
    kernelProblem = Signal(str)
    """Why kernels run uncompiled, or are compiled again by every start, in one line with the
    remedy.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.budget = FrameBudget(DRAG_BUDGET)
        """Used by the worker thread; only its length may be changed elsewhere."""
        self._memory = TraceMemory()
        self._wake = threading.Condition()
        self._pending: TraceJob | None = None
        self._running: TraceJob | None = None
        self._closed = False
        self._compilation: threading.Thread | None = None
        self._compilation_ended = threading.Event()
        self._thread = threading.Thread(target=self._run_jobs, name="tracing", daemon=True)
        self._thread.start()

    def request_job(self, job: TraceJob) -> None:
        """Trace a document next. It replaces any pending or running job, except a running trace
        with fewer rays.
        """
        with self._wake:
            # a reduced trace is short: let it finish, so that a drag always shows rays
            if self._running is not None and (job.full or self._running.full):
                self._running.cancelled.set()
            self._pending = job
            self._wake.notify()

    def stop(self) -> None:
        """Stop the latest job. The rays traced so far, or a few if it has not begun, are a partial
        result.
        """
        with self._wake:
            job = self._pending or self._running
            if job is not None:
                job.stop()

    def close(self) -> None:
        """Stop the thread; nothing is emitted afterwards."""
        with self._wake:
            self._closed = True
            self._pending = None
            if self._running is not None:
                self._running.cancelled.set()
            self._wake.notify()
        self._thread.join(2.0)

    @property
    def busy(self) -> bool:
        """Whether a job is running or pending."""
        with self._wake:
            return self._pending is not None or self._running is not None

    @property
    def compilation_started(self) -> bool:
        """Whether the compilation of the kernels was started."""
        return self._compilation is not None

    # --- the worker thread

    def _run_jobs(self) -> None:
        tracer: Tracer | None = None
        while (job := self._next_job()) is not None:
            try:
                tracer = tracer or self._prepare_tracer()
                if tracer is None:
                    self._preview_job(job)
                    continue
                result = self._trace_job(tracer, job)
                self.budget.update_estimate(result)
                # views need them: computed here, not in the GUI thread
                _ = result.rows, result.size, result.total_power, result.length
                if not job.is_superseded:
                    self._emit_signal(self.finished, job, result)
            except _JobSuperseded:
                continue
            except RaybenchError as error:
                self._emit_signal(self.failed, job, str(error))
            except Exception as error:
                # a defect must not end the worker thread: the next document may be traceable
                reason = tr(
                    "Tracing failed: {name}: {error}. Undo the last change.",
                    name=type(error).__name__,
                    error=error,
                )
                self._emit_signal(self.failed, job, reason)

    def _next_job(self) -> TraceJob | None:
        """Wait for the next job; None when the worker is closed."""
        with self._wake:
            self._running = None
            while self._pending is None and not self._closed:
                self._wake.wait()
            if self._closed:
                return None
            self._running, self._pending = self._pending, None
            return self._running

    def _trace_job(self, tracer: Tracer, job: TraceJob) -> TraceResult:
        if not job.full:
            return tracer(
                job.document,
                threads=1,
                max_source_rays=self.budget.rays,
                budget_ms=self.budget.time_limit_ms,
                stop=job.should_end,
                memory=self._memory,
            )
        return tracer(
            job.document,
            **job.limits,
            stop=job.should_end,
            memory=self._memory,
            progress=lambda at: self._emit_signal(self.progressed, at),
            partial=lambda rows: self._emit_signal(self.grown, rows),
        )

    def _prepare_tracer(self) -> Tracer | None:
        """The trace function; None while its kernels are being compiled in child processes."""
        from raybench.trace.compilation.kernel_cache import kernel_problem
        from raybench.trace.compilation.loading import are_kernels_ready
        from raybench.trace.trace import load_kernels, trace

        ready = are_kernels_ready()
        if not ready and self._compilation is None:
            self._compilation = threading.Thread(
                target=self._compile_kernels, name="compilation", daemon=True
            )
            self._compilation.start()
        if self._compilation is not None and not self._compilation_ended.is_set():
            return None
        if ready:
            load_kernels()
        if problem := kernel_problem():
            self._emit_signal(self.kernelProblem, problem)
        return partial(trace, at_once=True)

    def _compile_kernels(self) -> None:
        """Compile the kernels, in a thread of its own."""
        from raybench.trace.compilation.loading import CompilationFailed, compile_in_child_process

        with contextlib.suppress(CompilationFailed):  # `_prepare_tracer` reports the reason
            compile_in_child_process(
                lambda text, fraction: self._emit_signal(self.compiling, text, fraction)
            )
        self._compilation_ended.set()
        self._emit_signal(self.compiled)

    def _preview_job(self, job: TraceJob) -> None:
        """Trace a preview with uncompiled kernels: more and more rays until it takes too long, or
        during a drag as many as fit into a time limit.
        """
        from raybench.trace.trace import trace

        rays = FIRST_PREVIEW if job.full else self.budget.rays
        while True:
            result = trace(
                job.document,
                max_source_rays=rays,
                budget_ms=LONGEST_PREVIEW if job.full else self.budget.time_limit_ms,
                stop=lambda: job.cancelled.is_set() or self._compilation_ended.is_set(),
                memory=self._memory,
                at_once=True,
            )
            self.budget.update_estimate(result)
            if job.cancelled.is_set() or result.completion == Completion.CANCELLED:
                return
            self._emit_signal(self.finished, job, result)
            cut = result.milliseconds > LONGEST_PREVIEW
            if not job.full or result.completion != Completion.REDUCED or cut:
                return
            rays *= PREVIEW_FACTOR

    def _emit_signal(self, signal: SignalInstance, *arguments: object) -> None:
        if not self._closed:
            signal.emit(*arguments)
