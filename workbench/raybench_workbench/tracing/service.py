"""Keeps the open document traced, without blocking the window, and reports the state of the trace.

During a drag only as many rays are traced as fit into a frame's time budget; after it all of them.
"""

from __future__ import annotations

import dataclasses
from enum import Enum, auto

from PySide6.QtCore import QObject, QTimer, Signal

from raybench.analysis.context import TracedScene, publish_context
from raybench.scene.document import Document
from raybench.scene.materials import has_materials
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.run.progress import Progress
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import progress_words
from raybench_workbench.tracing.worker import TraceJob, TraceWorker

SLOW = 150
"""Time after which a running trace is shown in the status line, in milliseconds."""
OUTDATED = "The rays are those before the last change. Wait until the scene is traced."
INCOMPLETE = (
    "The scene is still being traced, so that rays are missing. Wait until it is traced, or stop"
    " the trace with Esc."
)


class TraceState(Enum):
    """The state of the service. While it is preparing, kernels are being compiled and what is shown
    is a preview.
    """

    IDLE = auto()
    PREPARING = auto()
    TRACING = auto()
    STALE = auto()
    COMPLETE = auto()
    PARTIAL = auto()
    FAILED = auto()


class TraceService(QObject):
    """Keeps a `WorkDocument` traced, by a `TraceWorker`. All of it belongs to the GUI thread."""

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
        self.progress: Progress | None = None
        """The progress of the running trace; None until it is known."""
        self._slow = QTimer(self, singleShot=True, interval=SLOW)
        self._slow.timeout.connect(self._show_tracing)
        self.worker.finished.connect(self._accept_result)
        self.worker.failed.connect(self._accept_failure)
        self.worker.compiling.connect(self._show_preparing)
        self.worker.compiled.connect(self._finish_preparing)
        self.worker.kernelProblem.connect(self.kernelProblem)
        self.worker.progressed.connect(self._count)
        self.worker.grown.connect(self._show_partial)
        document.changed.connect(self._document_changed)
        document.gestureChanged.connect(self._gesture_changed)

    def is_traced(self) -> bool:
        """Whether the rays are those of the document as it is, so that they can be exported; if a
        trace is still to come, a line above the canvas says so.
        """
        if not self.waiting:
            return True
        document = self.document
        outdated = document.result is None or document.result.revision != document.document.revision
        document.failed.emit(OUTDATED if outdated else INCOMPLETE)
        return False

    def start(self) -> None:
        """Start a full trace of the current document."""
        self._request(full=True)

    def stop(self) -> None:
        """Stop the trace; its rays so far, or a few if it has not begun, are shown as a partial
        result.
        """
        self.worker.stop()

    def close(self) -> None:
        """Stop the worker thread; nothing is emitted afterwards."""
        self.worker.close()

    @property
    def drag_milliseconds(self) -> float:
        """The time budget of a trace during a drag."""
        return self.worker.budget.milliseconds

    @drag_milliseconds.setter
    def drag_milliseconds(self, milliseconds: float) -> None:
        self.worker.budget.milliseconds = milliseconds

    @property
    def busy(self) -> bool:
        """Whether a trace is running or pending."""
        return self.worker.busy

    @property
    def waiting(self) -> bool:
        """Whether a full trace of the document is still missing: the visible one is outdated, and
        tracing has not failed.
        """
        session, idle = self.document.session, self.state in (TraceState.FAILED, TraceState.IDLE)
        return bool(session.document.scene.objects) and session.fresh_result is None and not idle

    @property
    def preparing(self) -> bool:
        """Whether the kernels are being compiled: what is shown until then is a preview, or painted
        without them.
        """
        return self.worker.compilation_started and not self._prepared

    def _document_changed(self, before: Document, after: Document) -> None:
        resized = before.unit != after.unit and has_materials(
            after.scene
        )  # materials absorb per mm
        if before.scene is after.scene and before.disabled == after.disabled and not resized:
            # the rays are the same, since e.g. only labels changed: keep the trace under the new
            # revision
            last = (
                self.document.session.result
            )  # of another session None, also if its document is the same
            if last is not None and last.revision == before.revision:
                if after.revision != before.revision:
                    self._store(dataclasses.replace(last, revision=after.revision))
                return
        self._request(full=self.document.gesture is None)

    def _gesture_changed(self, begun: bool) -> None:
        session = self.document.session
        if begun or (
            session.fresh_result is not None and self.document.result is session.fresh_result
        ):
            return
        current = self.document.result
        if (
            current is not None
            and current.revision == session.document.revision
            and current.completion == Completion.COMPLETE
        ):
            self._store(current)
        elif session.fresh_result is not None:
            self._store(session.fresh_result)
        else:
            self._request(full=True)

    def _request(self, *, full: bool) -> None:
        limits = {name: limit for name, limit in self.limits.items() if limit is not None}
        self.worker.request(TraceJob(self.document.document, full, limits))
        if self.state is not TraceState.PREPARING:
            self._set_state(TraceState.STALE)
        if full and not self._slow.isActive():
            self.progress = None
            self._slow.start()

    def _accept_result(self, job: TraceJob, result: TraceResult) -> None:
        current = result.revision == self.document.document.revision
        dragging = self.document.gesture is not None
        if dragging:
            self.document.show_result(result)
            self._set_state(
                TraceState.STALE if result.completion == Completion.REDUCED else TraceState.COMPLETE
            )
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
        self._set_state(
            TraceState.COMPLETE if result.completion == Completion.COMPLETE else TraceState.PARTIAL
        )

    def _accept_failure(self, job: TraceJob, text: str) -> None:
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
        """The progress of the running trace in words; empty until it is known."""
        return progress_words(self.progress) if self.progress is not None else ""

    def _count(self, job: TraceJob, progress: Progress) -> None:
        self.progress = progress
        if self.state is TraceState.TRACING:
            self.stateChanged.emit(self.state)

    def _show_partial(self, job: TraceJob, result: TraceResult) -> None:
        """Show the rays traced so far, unless the trace has ended or another document is traced
        meanwhile.
        """
        outdated = (
            self.document.session.fresh_result is not None or self.document.gesture is not None
        )
        if not outdated and result.revision == self.document.document.revision:
            self.document.show_result(result)

    def _set_state(self, state: TraceState) -> None:
        if state != self.state:
            self.state = state
            self.stateChanged.emit(state)
