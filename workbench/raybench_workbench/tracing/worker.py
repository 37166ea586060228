"""The worker thread that traces documents, one at a time, always the one requested last.

At the first start, while kernels are being compiled, they run as Python: the results are then
previews, unless the scene is so small that all its rays are traced.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from PySide6.QtCore import QObject, Signal, SignalInstance

from raybench.errors import RaybenchError
from raybench.scene.document import Document
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.run.frame_budget import FrameBudget
from raybench.trace.run.memory import TraceMemory

DRAG_BUDGET = 10.0
"""Time budget of a trace during a drag, in milliseconds."""
FIRST_PREVIEW, PREVIEW_FACTOR = 10, 4
"""Source rays of the first preview while kernels are being compiled, and the factor from each
preview to the next.
"""
LONGEST_PREVIEW = 2_000.0
"""Milliseconds after which a preview is cut, and no larger one follows."""

Tracer = Callable[..., TraceResult]


class _Superseded(Exception):
    """A newer document was requested: the result is not needed."""


@dataclass(eq=False)
class TraceJob:
    """A document to trace: in ``full`` within ``limits``, or with a reduced number of rays for a
    drag.
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
    def superseded(self) -> bool:
        """Whether a newer job has taken its place."""
        return self.cancelled.is_set() and not self._stopped

    def stop(self) -> None:
        """Stop it; what it has traced so far is still needed."""
        self._stopped = True
        self.cancelled.set()

    def poll(self) -> bool:
        """Whether the trace must end. The first poll returns False, so that a job stopped before it
        began has some light.

        Raises _Superseded.
        """
        if self.superseded:
            raise _Superseded
        polled, self._polled = self._polled, True
        return polled and self.cancelled.is_set()


class TraceWorker(QObject):
    """A thread with a queue of one job. Methods are called in the GUI thread; signals are emitted
    in the worker thread.
    """

    finished = Signal(object, object)
    """A `TraceJob` and its `TraceResult`, which is reduced for a drag or a preview."""
    failed = Signal(object, str)
    """A `TraceJob`, and why it cannot be traced."""
    progressed = Signal(object, object)
    """A full `TraceJob` and its `Progress`."""
    grown = Signal(object, object)
    """A full `TraceJob` and a partial `TraceResult`, while it is running."""
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
        self._thread = threading.Thread(target=self._work, name="tracing", daemon=True)
        self._thread.start()

    def request(self, job: TraceJob) -> None:
        """Trace a document next, in place of any job that is pending or running, except a reduced
        trace that is running.
        """
        with self._wake:
            # a reduced trace is short: let it finish, so that a drag always shows rays
            if self._running is not None and (job.full or self._running.full):
                self._running.cancelled.set()
            self._pending = job
            self._wake.notify()

    def stop(self) -> None:
        """Stop the latest job; its rays so far, or a few if it has not begun, are a partial result."""
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

    def _work(self) -> None:
        tracer: Tracer | None = None
        while (job := self._next_job()) is not None:
            try:
                tracer = tracer or self._prepare()
                if tracer is None:
                    self._preview(job)
                    continue
                result = self._trace(tracer, job)
                self.budget.learn(result)
                # views need them: computed here, not in the GUI thread
                _ = result.rows, result.size, result.total_power, result.length
            except _Superseded:
                continue
            except RaybenchError as error:
                self._emit(self.failed, job, str(error))
            except Exception as error:  # a defect must not end the worker thread: the next document may be traceable
                self._emit(
                    self.failed,
                    job,
                    f"Tracing failed: {type(error).__name__}: {error}. Undo the last change.",
                )
            else:
                if not job.superseded:
                    self._emit(self.finished, job, result)

    def _next_job(self) -> TraceJob | None:
        """Wait for a job; None when the worker is closed."""
        with self._wake:
            self._running = None
            while self._pending is None and not self._closed:
                self._wake.wait()
            if self._closed:
                return None
            self._running, self._pending = self._pending, None
            return self._running

    def _trace(self, tracer: Tracer, job: TraceJob) -> TraceResult:
        return tracer(
            job.document,
            **(job.limits if job.full else {"threads": 1}),
            max_source_rays=None if job.full else self.budget.rays,
            budget_ms=None if job.full else self.budget.cut_after,
            stop=job.poll,
            memory=self._memory,
            progress=(lambda at: self._emit(self.progressed, job, at)) if job.full else None,
            partial=(lambda rows: self._emit(self.grown, job, rows)) if job.full else None,
        )

    def _prepare(self) -> Tracer | None:
        """The trace function; None while its kernels are being compiled, in child processes, so
        that this one stays responsive.
        """
        from raybench.trace.compilation.kernel_cache import kernel_problem
        from raybench.trace.compilation.loading import kernels_ready
        from raybench.trace.trace import load_kernels, trace

        ready = kernels_ready()
        if not ready and self._compilation is None:
            self._compilation = threading.Thread(
                target=self._compile, name="compilation", daemon=True
            )
            self._compilation.start()
        if self._compilation is not None and not self._compilation_ended.is_set():
            return None
        if ready:
            load_kernels()
        if problem := kernel_problem():
            self._emit(self.kernelProblem, problem)
        return partial(trace, at_once=True)

    def _compile(self) -> None:
        """Compile the kernels, in a thread of its own."""
        from raybench.trace.compilation.loading import CompilationFailed, compile_in_child

        with contextlib.suppress(CompilationFailed):  # `_prepare` reports the reason
            compile_in_child(lambda text, fraction: self._emit(self.compiling, text, fraction))
        self._compilation_ended.set()
        self._emit(self.compiled)

    def _preview(self, job: TraceJob) -> None:
        """Trace with uncompiled kernels: more and more rays until it takes too long; during a drag
        as many as fit into its budget.
        """
        from raybench.trace.trace import trace

        rays = FIRST_PREVIEW if job.full else self.budget.rays
        while True:
            result = trace(
                job.document,
                max_source_rays=rays,
                budget_ms=LONGEST_PREVIEW if job.full else self.budget.cut_after,
                stop=lambda: job.cancelled.is_set() or self._compilation_ended.is_set(),
                memory=self._memory,
                at_once=True,
            )
            self.budget.learn(result)
            if job.cancelled.is_set() or result.completion == Completion.CANCELLED:
                return
            self._emit(self.finished, job, result)
            if (
                not job.full
                or result.completion != Completion.REDUCED
                or result.milliseconds > LONGEST_PREVIEW
            ):
                return
            rays *= PREVIEW_FACTOR

    def _emit(self, signal: SignalInstance, *arguments: object) -> None:
        if not self._closed:
            signal.emit(*arguments)
