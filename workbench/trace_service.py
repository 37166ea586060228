"""Traces in the background, the latest document winning, so that the window never waits.

While something is dragged, as many rays are traced as fit a frame's budget; when it is let go, all.
"""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal, SignalInstance

from core.analysis.context import TracedScene, publish_context
from core.errors import RaybenchError
from core.scene.document import Document
from core.trace.codes import Completion
from core.trace.results.result import TraceResult
from core.trace.run.frame_budget import FrameBudget
from core.trace.run.memory import TraceMemory
from workbench.document import WorkDocument

DRAG_BUDGET = 10.0
"""Milliseconds that a trace may take while something is dragged."""
SLOW = 150
"""Milliseconds after which a trace that is going on is said to be."""

Tracer = Callable[..., TraceResult]


@dataclass(frozen=True)
class TraceState:
    """What the service is doing. ``kind`` is ``idle``, ``preparing``, ``tracing``, ``complete``, ``partial``, ``stale`` or ``failed``."""

    kind: str
    text: str
    share: float | None = None
    """How much is done, from 0 to 1, where that is known."""


IDLE = TraceState("idle", "ready")


@dataclass(eq=False)
class _Job:
    document: Document
    full: bool
    cancelled: threading.Event = field(default_factory=threading.Event)
    by_person: bool = False


class TraceService(QObject):
    """Keeps a `WorkDocument` traced. The service belongs to the GUI thread; its one worker thread does the tracing."""

    stateChanged = Signal(object)
    """The `TraceState`."""
    _finished = Signal(object, object)
    _failed = Signal(object, str)
    _preparing = Signal(str, float)
    _unkept = Signal(str)
    _progressed = Signal(object, int)

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.state = IDLE
        self._wake = threading.Condition()
        self._pending: _Job | None = None
        self._running: _Job | None = None
        self._closed = False
        self._budget, self._memory = FrameBudget(DRAG_BUDGET), TraceMemory()
        """The worker thread's."""
        self._segments = 0
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._slow.timeout.connect(self._say_tracing)
        self._finished.connect(self._take)
        self._failed.connect(self._take_failure)
        self._preparing.connect(self._say_preparing)
        self._unkept.connect(document.failed)
        self._progressed.connect(self._count)
        document.changed.connect(self._document_changed)
        document.gestureChanged.connect(self._gesture_changed)
        self._thread = threading.Thread(target=self._work, name="tracing", daemon=True)
        self._thread.start()

    def start(self) -> None:
        """Trace the document as it stands, in full."""
        self._ask(full=True)

    def stop(self) -> None:
        """End the trace that is going on; what it has so far is shown as partial."""
        with self._wake:
            self._pending = None
            if self._running is not None:
                self._running.by_person = True
                self._running.cancelled.set()

    def close(self) -> None:
        """End the worker; nothing is emitted afterwards."""
        with self._wake:
            self._closed = True
            self._pending = None
            if self._running is not None:
                self._running.cancelled.set()
            self._wake.notify()
        self._thread.join(2.0)

    @property
    def busy(self) -> bool:
        """Whether a trace is going on or waits."""
        with self._wake:
            return self._pending is not None or self._running is not None

    @property
    def waiting(self) -> bool:
        """Whether the document still has to be traced in full: what is on show is not its light, and nothing says why."""
        session = self.document.session
        return bool(session.document.scene.objects) and session.fresh_result is None and self.state.kind not in ("failed", "idle")

    # --- the GUI thread

    def _document_changed(self, before: Document, after: Document) -> None:
        if before.scene is after.scene and before.disabled == after.disabled:
            # the light is the same: labels and such do not change it, but the trace belongs to this state too
            last = self.document.session.result
            if before.revision == after.revision:
                return
            if last is not None and last.revision == before.revision:
                self._keep(dataclasses.replace(last, revision=after.revision))
                return
        self._ask(full=self.document.gesture is None)

    def _gesture_changed(self, begun: bool) -> None:
        session = self.document.session
        if begun or (session.fresh_result is not None and self.document.result is session.fresh_result):
            return
        shown = self.document.result
        if shown is not None and shown.revision == session.document.revision and shown.completion == Completion.COMPLETE:
            self._keep(shown)
        elif session.fresh_result is not None:
            self._keep(session.fresh_result)
        else:
            self._ask(full=True)

    def _ask(self, *, full: bool) -> None:
        job = _Job(self.document.document, full)
        with self._wake:
            # a drag's reduced trace is short and is let run, so that a drag always shows something
            if self._running is not None and (full or self._running.full):
                self._running.cancelled.set()
            self._pending = job
            self._wake.notify()
        if self.state.kind != "preparing":
            self._say(TraceState("stale", "stale"))
        if full and not self._slow.isActive():
            self._segments = 0
            self._slow.start()

    def _take(self, job: _Job, result: TraceResult) -> None:
        current = result.revision == self.document.document.revision
        dragging = self.document.gesture is not None
        if dragging:
            self.document.show_result(result)
            self._say(TraceState("stale" if result.completion == Completion.REDUCED else "complete", "dragging"))
        elif current and result.completion != Completion.REDUCED:
            self._keep(result)

    def _keep(self, result: TraceResult) -> None:
        self._slow.stop()
        document = self.document
        document.store_result(result)
        publish_context(TracedScene.of(document.document, result))
        if result.completion == Completion.COMPLETE:
            self._say(TraceState("complete", "complete"))
        else:
            self._say(TraceState("partial", f"partial: {result.completion.text}"))

    def _take_failure(self, job: _Job, text: str) -> None:
        if job.document.revision == self.document.document.revision:
            self._slow.stop()
            self._say(TraceState("failed", "not traced"))
            self.document.failed.emit(text)

    def _say_tracing(self) -> None:
        if self.busy and self.state.kind != "preparing":
            count = f" {self._segments:,}".replace(",", "\u2009") + " segments" if self._segments else ""
            self._say(TraceState("tracing", f"tracing{count}, click to stop"))

    def _say_preparing(self, text: str, share: float) -> None:
        self._say(TraceState("preparing", f"preparing to trace: {text}", share))

    def _count(self, job: _Job, segments: int) -> None:
        self._segments = segments
        if self.state.kind == "tracing":
            self._say_tracing()

    def _say(self, state: TraceState) -> None:
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
                result = tracer(
                    job.document.scene,
                    threads=None if job.full else 1,
                    disabled=job.document.disabled,
                    revision=job.document.revision,
                    max_source_rays=None if job.full else self._budget.rays,
                    budget_ms=None if job.full else self._budget.cut_after,
                    stop=job.cancelled.is_set,
                    memory=self._memory,
                    progress=(lambda n, job=job: self._progressed.emit(job, n)) if job.full else None,
                )
            except RaybenchError as error:
                self._tell(self._failed, job, str(error))
            except Exception as error:  # a defect must not end the worker: the next document may well be traced
                self._tell(self._failed, job, f"Tracing failed: {type(error).__name__}: {error}. Undo the last change.")
            else:
                self._budget.learn(result)
                if not job.cancelled.is_set() or job.by_person:
                    self._tell(self._finished, job, result)

    def _prepare(self) -> Tracer:
        """The tracer; on the very first start its kernels are compiled in another process, so that this one stays responsive."""
        from core.trace.compilation.compile_kernels import compile_in_child, kernels_ready
        from core.trace.compilation.kernel_cache import cache_problem

        if not kernels_ready():
            compile_in_child(lambda text, share: self._tell(self._preparing, text, share))
        from core.trace.trace import load_kernels, trace

        load_kernels()
        if problem := cache_problem():
            self._tell(self._unkept, problem)
        return trace

    def _tell(self, signal: SignalInstance, *what: object) -> None:
        if not self._closed:
            signal.emit(*what)
