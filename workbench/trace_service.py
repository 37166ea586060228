"""Traces the latest document in a background thread, so that the window never blocks.

During a drag only as many rays are traced as fit into a frame's time budget; after it all of them. At the first start, while kernels are
being compiled, they run as Python: the visible light is then a preview, unless the scene is so small that all its rays are traced.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from core.analysis.context import TracedScene, publish_context
from core.errors import RaybenchError
from core.scene.document import Document
from core.scene.materials import has_materials
from core.trace.codes import Completion
from core.trace.results.result import TraceResult
from core.trace.run.frame_budget import FrameBudget
from core.trace.run.memory import TraceMemory
from core.trace.run.progress import Progress
from workbench.document import WorkDocument
from workbench.words.trace_progress import progress_words

DRAG_BUDGET = 10.0
"""Time budget of a trace during a drag, in milliseconds."""
SLOW = 150
"""Time after which a running trace is shown in the status line, in milliseconds."""
FIRST_PREVIEW, MORE = 10, 4
"""Source rays of the first preview while kernels are being compiled, and the factor from each preview to the next."""
LONGEST_PREVIEW = 2_000.0
"""Milliseconds after which a preview is cut, and none with more rays follows."""

Tracer = Callable[..., TraceResult]


class TraceState(Enum):
    """The state of the service. While it is preparing, kernels are being compiled and what is shown is a preview."""

    IDLE = auto()
    PREPARING = auto()
    TRACING = auto()
    STALE = auto()
    COMPLETE = auto()
    PARTIAL = auto()
    FAILED = auto()


class _Superseded(Exception):
    """The document of a trace was replaced by a newer one: its result is not wanted."""


@dataclass(eq=False)
class _Job:
    document: Document
    full: bool
    cancelled: threading.Event = field(default_factory=threading.Event)
    by_user: bool = False
    begun: bool = False

    @property
    def superseded(self) -> bool:
        return self.cancelled.is_set() and not self.by_user

    def stop(self) -> None:
        """End it; the light so far is wanted."""
        self.by_user = True
        self.cancelled.set()

    def poll(self) -> bool:
        """Whether the trace is to end; not at the first time, so that one that was stopped before it began has some light.

        Raises _Superseded.
        """
        if self.superseded:
            raise _Superseded
        begun, self.begun = self.begun, True
        return begun and self.cancelled.is_set()


class TraceService(QObject):
    """Keeps a `WorkDocument` traced. Its methods are called in the GUI thread; one worker thread does the tracing."""

    stateChanged = Signal(object)
    """The `TraceState`; while it is tracing also when ``progress`` is another."""
    _finished = Signal(object, object)
    _failed = Signal(object, str)
    compilingChanged = Signal(str)
    """While kernels are being compiled: what is done, in one line; empty at the end."""
    kernelProblem = Signal(str)
    """Why kernels run uncompiled, or are compiled anew by every start, in one line with the remedy."""
    _preparing = Signal(str, float)
    _compiled = Signal()
    _progressed = Signal(object, object)
    _grown = Signal(object, object)

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.state = TraceState.IDLE
        self.limits: dict[str, int | None] = {}
        """Of a full trace: ``max_segments``, ``threads``, ``memory_limit`` of `core.trace.trace.trace`; None stands for its default."""
        self._wake = threading.Condition()
        self._pending: _Job | None = None
        self._running: _Job | None = None
        self._closed = False
        self._budget, self._memory = FrameBudget(DRAG_BUDGET), TraceMemory()
        """Used by the worker thread, but for the budget's length, which may change at any time."""
        self._compiling: threading.Thread | None = None
        self._prepared = False
        """Whether the end of the compilation has reached the GUI thread."""
        self._compilation_ended = threading.Event()
        self.progress: Progress | None = None
        """How far the running trace is; None before it tells."""
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._slow.timeout.connect(self._show_tracing)
        self._finished.connect(self._accept_result)
        self._failed.connect(self._accept_failure)
        self._preparing.connect(self._show_preparing)
        self._compiled.connect(self._finish_preparing)
        self._progressed.connect(self._count)
        self._grown.connect(self._show_partial)
        document.changed.connect(self._document_changed)
        document.gestureChanged.connect(self._gesture_changed)
        self._thread = threading.Thread(target=self._work, name="tracing", daemon=True)
        self._thread.start()

    def start(self) -> None:
        """Start a full trace of the current document."""
        self._request(full=True)

    def stop(self) -> None:
        """Stop the trace; its rays so far are shown as a partial result, and a few of one that has not begun."""
        with self._wake:
            job = self._pending or self._running
            if job is not None:
                job.stop()

    def close(self) -> None:
        """Stop the worker thread; nothing is emitted afterwards."""
        with self._wake:
            self._closed = True
            self._pending = None
            if self._running is not None:
                self._running.cancelled.set()
            self._wake.notify()
        self._thread.join(2.0)

    @property
    def drag_milliseconds(self) -> float:
        """The time budget of a trace during a drag."""
        return self._budget.milliseconds

    @drag_milliseconds.setter
    def drag_milliseconds(self, milliseconds: float) -> None:
        self._budget.milliseconds = milliseconds

    @property
    def busy(self) -> bool:
        """Whether a trace is running or pending."""
        with self._wake:
            return self._pending is not None or self._running is not None

    @property
    def waiting(self) -> bool:
        """Whether a full trace of the document is still to come: the visible one is outdated, and tracing has not failed."""
        session, idle = self.document.session, self.state in (TraceState.FAILED, TraceState.IDLE)
        return bool(session.document.scene.objects) and session.fresh_result is None and not idle

    @property
    def preparing(self) -> bool:
        """Whether the kernels are being compiled: what is shown until then is a preview, or painted without them."""
        return self._compiling is not None and not self._prepared

    # --- the GUI thread

    def _document_changed(self, before: Document, after: Document) -> None:
        resized = before.unit != after.unit and has_materials(after.scene)  # materials absorb per mm
        if before.scene is after.scene and before.disabled == after.disabled and not resized:
            # the rays are the same, since e.g. only labels changed: keep the trace under the new revision
            last = self.document.session.result
            if before.revision == after.revision:
                return
            if last is not None and last.revision == before.revision:
                self._store(dataclasses.replace(last, revision=after.revision))
                return
        self._request(full=self.document.gesture is None)

    def _gesture_changed(self, begun: bool) -> None:
        session = self.document.session
        if begun or (session.fresh_result is not None and self.document.result is session.fresh_result):
            return
        current = self.document.result
        if current is not None and current.revision == session.document.revision and current.completion == Completion.COMPLETE:
            self._store(current)
        elif session.fresh_result is not None:
            self._store(session.fresh_result)
        else:
            self._request(full=True)

    def _request(self, *, full: bool) -> None:
        job = _Job(self.document.document, full)
        with self._wake:
            # a drag's reduced trace is short: let it finish, so that a drag always shows rays
            if self._running is not None and (full or self._running.full):
                self._running.cancelled.set()
            self._pending = job
            self._wake.notify()
        if self.state is not TraceState.PREPARING:
            self._set_state(TraceState.STALE)
        if full and not self._slow.isActive():
            self.progress = None
            self._slow.start()

    def _accept_result(self, job: _Job, result: TraceResult) -> None:
        current = result.revision == self.document.document.revision
        dragging = self.document.gesture is not None
        if dragging:
            self.document.show_result(result)
            self._set_state(TraceState.STALE if result.completion == Completion.REDUCED else TraceState.COMPLETE)
        elif current and result.completion != Completion.REDUCED:
            self._store(result)
        elif current and job.full:
            self._slow.stop()
            self.document.show_result(result)
            self._set_state(TraceState.PREPARING)

    def _store(self, result: TraceResult) -> None:
        self._slow.stop()
        document = self.document
        document.store_result(result)
        publish_context(TracedScene.of(document.document, result))
        self._set_state(TraceState.COMPLETE if result.completion == Completion.COMPLETE else TraceState.PARTIAL)

    def _accept_failure(self, job: _Job, text: str) -> None:
        if job.document.revision == self.document.document.revision:
            self._slow.stop()
            self._set_state(TraceState.FAILED)
            self.document.traceFailed.emit(text)

    def _show_tracing(self) -> None:
        if self.busy and self.state is not TraceState.PREPARING:
            self._set_state(TraceState.TRACING)

    def _show_preparing(self, text: str, fraction: float) -> None:
        self.compilingChanged.emit(f"{text}, {fraction:.0%}" if fraction else text)
        if self.document.session.fresh_result is None and self.document.gesture is None:
            self._set_state(TraceState.PREPARING)

    def _finish_preparing(self) -> None:
        self._prepared = True
        self.compilingChanged.emit("")
        self._set_state(TraceState.STALE)
        self.start()

    @property
    def progress_words(self) -> str:
        """How far the running trace is; empty as long as that is not known."""
        return progress_words(self.progress) if self.progress is not None else ""

    def _count(self, job: _Job, progress: Progress) -> None:
        self.progress = progress
        if self.state is TraceState.TRACING:
            self.stateChanged.emit(self.state)

    def _show_partial(self, job: _Job, result: TraceResult) -> None:
        """Show what a running trace has traced so far, unless its result came before or another document is traced meanwhile."""
        shown = self.document.session.fresh_result is not None or self.document.gesture is not None
        if not shown and result.revision == self.document.document.revision:
            self.document.show_result(result)

    def _set_state(self, state: TraceState) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)

    # --- the worker thread

    def _work(self) -> None:
        tracer: Tracer | None = None
        while True:
            with self._wake:
                self._running = None
                while self._pending is None and not self._closed:
                    self._wake.wait()
                if self._closed:
                    return
                job, self._pending = self._pending, None
                self._running = job
            assert job is not None
            try:
                tracer = tracer or self._prepare()
                if tracer is None:
                    self._preview(job)
                    continue
                result = tracer(
                    job.document,
                    **({k: v for k, v in self.limits.items() if v is not None} if job.full else {"threads": 1}),
                    max_source_rays=None if job.full else self._budget.rays,
                    budget_ms=None if job.full else self._budget.cut_after,
                    stop=job.poll,
                    memory=self._memory,
                    progress=(lambda at, job=job: self._emit(self._progressed, job, at)) if job.full else None,
                    partial=(lambda rows, job=job: self._emit(self._grown, job, rows)) if job.full else None,
                )
            except _Superseded:
                continue
            except RaybenchError as error:
                self._emit(self._failed, job, str(error))
            except Exception as error:  # a defect must not end the worker thread: the next document may be traceable
                self._emit(self._failed, job, f"Tracing failed: {type(error).__name__}: {error}. Undo the last change.")
            else:
                self._budget.learn(result)
                # views need them: computed here, not in the GUI thread
                _ = result.rows, result.size, result.total_power, result.length
                if not job.superseded:
                    self._emit(self._finished, job, result)

    def _prepare(self) -> Tracer | None:
        """The trace function; None while its kernels are being compiled, in child processes, so that this one stays responsive."""
        from core.trace.compilation.kernel_cache import kernel_problem
        from core.trace.compilation.loading import kernels_ready
        from core.trace.trace import load_kernels, trace

        ready = kernels_ready()
        if not ready and self._compiling is None:
            self._compiling = threading.Thread(target=self._compile, name="compilation", daemon=True)
            self._compiling.start()
        if self._compiling is not None and not self._compilation_ended.is_set():
            return None
        if ready:
            load_kernels()
        if problem := kernel_problem():
            self._emit(self.kernelProblem, problem)
        return partial(trace, at_once=True)

    def _compile(self) -> None:
        """Compile the kernels; in a thread of its own."""
        from core.trace.compilation.loading import CompilationFailed, compile_in_child

        with contextlib.suppress(CompilationFailed):  # `_prepare` tells why
            compile_in_child(lambda text, fraction: self._emit(self._preparing, text, fraction))
        self._compilation_ended.set()
        self._emit(self._compiled)

    def _preview(self, job: _Job) -> None:
        """Trace with uncompiled kernels: more and more rays until it takes too long, during a drag as many as fit into its time."""
        from core.trace.trace import trace

        rays = FIRST_PREVIEW if job.full else self._budget.rays
        while True:
            result = trace(
                job.document,
                max_source_rays=rays,
                budget_ms=LONGEST_PREVIEW if job.full else self._budget.cut_after,
                stop=lambda: job.cancelled.is_set() or self._compilation_ended.is_set(),
                memory=self._memory,
                at_once=True,
            )
            self._budget.learn(result)
            if job.cancelled.is_set() or result.completion == Completion.CANCELLED:
                return
            self._emit(self._finished, job, result)
            if not job.full or result.completion != Completion.REDUCED or result.milliseconds > LONGEST_PREVIEW:
                return
            rays *= MORE

    def _emit(self, signal: SignalInstance, *arguments: object) -> None:
        if not self._closed:
            signal.emit(*arguments)
