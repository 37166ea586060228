"""Refinement of the light that the window shows: while nothing changes, a thread traces the scene
again and again with new random rays (draws), and the window shows the mean, until its error is
small enough.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal

from raybench.errors import RaybenchError
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.texts import grouped_digits
from raybench_workbench.threads import error_reason, gui_thread_function, run_in_background
from raybench_workbench.translation import tr, with_decimal_sign

if TYPE_CHECKING:
    from PySide6.QtCore import SignalInstance

    from raybench.study.refinement import MeanOfDraws
    from raybench_workbench.tracing import TraceService

IDLE_MS = 500
"""Idle time before more draws are traced, in milliseconds."""
DEFAULT_ERROR = 0.01
"""The relative standard error at which the means are fine enough by default."""


@dataclass(frozen=True, eq=False)
class RefinedResult:
    """A mean over ``draws`` traces of a scene, each with other random rays, and its relative
    standard error.
    """

    draws: int
    error: float

    @property
    def words(self) -> str:
        """The number of draws and the error as text, such as ``16 draws, ± 2.1 %``."""
        draws, percent = grouped_digits(self.draws), 100 * self.error
        error = with_decimal_sign(f"{percent:.2g}" if percent < 99 else f"{percent:.0f}")
        return tr("{draws} draws, ± {error} %", draws=draws, error=error)


MakeMean = Callable[[], "tuple[MeanOfDraws, Callable[[], RefinedResult]]"]
"""Makes a mean, and a function that makes of it what is shown; both are called in a thread."""


class RefinementStopped(RaybenchError):
    """Raised while a draw is added to a mean that is no longer needed."""


class RefinablePart(Protocol):
    """A part of the window, such as the picture of the light or a plot, that becomes more exact
    with more draws of the scene. Its methods are called in the GUI thread.
    """

    of_chance_alone: bool
    """Whether it is refined only where something in the scene is random, or other parts are
    refined.
    """

    def content_to_refine(self, result: TraceResult) -> object | None:
        """What this part shows of a complete trace, as a value that changes when the content
        changes; None if it shows nothing.
        """
        ...

    @property
    def settled(self) -> bool:
        """Whether this part shows its content, without work pending."""
        ...

    def make_mean(self, stop: Callable[[], bool]) -> MakeMean:
        """A function that makes the mean of this part's content. The mean may poll ``stop`` and
        raise RefinementStopped.
        """
        ...

    def show(self, refined: RefinedResult) -> None:
        """Show the mean over the draws so far."""
        ...


@dataclass(eq=False)
class _MeanOfPart:
    """The mean of a part's content: how to make it, the mean once it is made in the thread, and the
    state of it that is shown.
    """

    part: RefinablePart
    content: object
    result: TraceResult
    make: MakeMean
    made: tuple[MeanOfDraws, Callable[[], RefinedResult]] | None = None
    shown: RefinedResult | None = None


class Refinement(QObject):
    """Refines all parts of a window while nothing changes. One thread traces the draws for all of
    them.
    """

    changed = Signal()
    """`shown_result` has changed, or the refinement has begun or ended."""
    runningChanged = Signal()
    """The refinement has begun or ended."""

    def __init__(self, service: TraceService, selection: Selection, parent: QObject) -> None:
        super().__init__(parent)
        self.runningChanged.connect(self.changed)
        self._service, self._selection = service, selection
        self._document: WorkDocument = service.document
        self.error = DEFAULT_ERROR
        """The relative standard error at which the means are fine enough; 0 for no refinement."""
        self.enabled = True
        """Whether anything is refined at all; False for reproducible screenshots."""
        self._parts: list[RefinablePart] = []
        self._contents: dict[RefinablePart, object] = {}
        """What is being refined, or has been."""
        self._wanted = 0.0
        """The error down to which it is refined."""
        self._means: dict[RefinablePart, _MeanOfPart] = {}
        self._cancelled = Event()
        self._at_work = False
        """Whether the thread runs, perhaps cancelled; the next begins when it has ended."""
        self._rest = QTimer(self, singleShot=True, interval=IDLE_MS)
        self._rest.timeout.connect(self._start_thread)
        for changed in (
            self._document.changed,
            self._document.resultChanged,
            self._document.gestureChanged,
            selection.snapshotChanged,
        ):
            changed.connect(self._restart_if_changed)

    def add_part(self, part: RefinablePart, *changed: SignalInstance) -> None:
        """Refine a further part of the window from now on. The signals ``changed``, and those of
        the document, say that its content may have changed.
        """
        self._parts.append(part)
        for signal in changed:
            signal.connect(self._restart_if_changed)
        self._restart_if_changed()

    @property
    def shown_result(self) -> RefinedResult | None:
        """The smallest number of draws and the largest error among the means that are shown; None
        if no mean is shown.
        """
        shown = [m.shown for part, m in self._means.items() if m.shown and part in self._contents]
        if not shown:
            return None
        return RefinedResult(min(s.draws for s in shown), max(s.error for s in shown))

    @property
    def is_running(self) -> bool:
        """Whether more draws are being added."""
        return self._at_work and not self._cancelled.is_set()

    @property
    def is_settled(self) -> bool:
        """Whether what is shown stays as it is until something changes."""
        return not (self._rest.isActive() or self.is_running)

    def refine_to(self, error: float) -> None:
        """Refine from now on until the relative standard error is at most ``error``."""
        self.error = error
        self._restart_if_changed()

    def stop(self) -> None:
        """Stop refining until something changes."""
        self._rest.stop()
        if self.is_running:
            self._cancelled.set()
            self.runningChanged.emit()

    def _restart_if_changed(self, *_: object) -> None:
        """Start again after a pause if a part shows other content. The means of unchanged parts are
        kept.
        """
        contents, result = self._find_contents(), self._document.session.fresh_result
        self._means = {
            part: mean
            for part, mean in self._means.items()
            if mean.result is result and contents.get(part, mean.content) == mean.content
        }
        if (contents, self.error) == (self._contents, self._wanted):
            return
        self._contents, self._wanted = contents, self.error
        self.stop()
        self.changed.emit()
        if contents:
            self._rest.start()

    def _find_contents(self) -> dict[RefinablePart, object]:
        document = self._document
        result = document.session.fresh_result
        at_rest = document.gesture is None and self._selection.snapshot is None
        if not (self.enabled and self.error > 0 and at_rest and result is not None):
            return {}
        if result.completion is not Completion.COMPLETE:
            return {}
        from raybench.trace.trace import draws_differ  # loaded by the trace

        found = {part: part.content_to_refine(result) for part in self._parts}
        contents = {part: content for part, content in found.items() if content is not None}
        if all(part.of_chance_alone for part in contents) and not draws_differ(document.document):
            return {}
        return contents

    def _start_thread(self) -> None:
        """Start the thread, once all parts show the complete trace."""
        if self._at_work or not all(part.settled for part in self._contents):
            self._rest.start()
            return
        result = self._document.session.fresh_result
        assert result is not None
        self._cancelled.clear()
        self._at_work, stop = True, self._cancelled.is_set
        for part, content in self._contents.items():
            if part not in self._means:
                self._means[part] = _MeanOfPart(part, content, result, part.make_mean(stop))
        means = [self._means[part] for part in self._contents]
        document, error, limits = self._document.document, self.error, self._service.given_limits
        show = gui_thread_function(self, self._show_mean)

        def refine_means() -> None:
            from raybench.study.refinement import refine  # the first window does not need it

            made = [mean.made or mean.make() for mean in means]
            for mean, both in zip(means, made, strict=True):
                mean.made = both
            taking = [mean for mean, _ in made]
            try:
                for due in refine(document, taking, error=error, stop=stop, **limits):
                    for mean, (taken, make_shown) in zip(means, made, strict=True):
                        if taken.draws == due:
                            show(mean, make_shown())
            except RefinementStopped:
                return

        run_in_background(self, refine_means, self._finish_thread, self._finish_thread)
        self.runningChanged.emit()

    def _show_mean(self, mean: _MeanOfPart, refined: RefinedResult) -> None:
        if self._means.get(mean.part) is mean and not self._cancelled.is_set():
            mean.shown = refined
            mean.part.show(refined)
            self.changed.emit()

    def _finish_thread(self, error: Exception | None) -> None:
        self._at_work = False
        if error is not None and not self._cancelled.is_set():
            self._document.failed.emit(error_reason(error, tr("Refining the light")))
        self.runningChanged.emit()
