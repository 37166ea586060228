"""A session as a QObject: what the window's parts read, change and are told about."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from core.errors import RaybenchError
from core.scene.changes import Changes
from core.scene.document import Document
from core.scene.scene import Scene
from core.session import Session
from core.trace.results.result import RaySet, TraceResult
from core.view import View


class WorkDocument(QObject):
    """The document at work in a window. All of it belongs to the GUI thread.

    ``session`` is replaced when another file is opened (``opened`` is emitted, then ``changed``). ``result`` is the trace on show: full,
    or reduced while something is dragged; ``session.result`` is the last full one.
    """

    changed = Signal(object, object)
    """The documents before and after."""
    opened = Signal()
    """``session`` is another one."""
    saved = Signal()
    """The document is what its file holds: it was written there, or read again."""
    resultChanged = Signal(object)
    """The `TraceResult` now on show, or None."""
    fullResultReady = Signal(object)
    """A full `TraceResult` was stored in ``session.result``."""
    viewChanged = Signal(object)
    failed = Signal(str)
    """An error line to show."""
    gestureChanged = Signal(bool)
    """A drag began (True) or ended (False)."""

    def __init__(self, session: Session | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session or Session()
        self.result: TraceResult | None = None
        self.gesture: Gesture | None = None

    @property
    def document(self) -> Document:
        return self.session.document

    @property
    def scene(self) -> Scene:
        return self.session.document.scene

    def apply(self, changes: Changes, merge_key: str | None = None) -> Document:
        """Make some changes, all or none; ChangeRefused leaves everything as it was."""
        before = self.document
        after = self.session.apply(changes, merge_key)
        self._tell(before)
        return after

    def change(self, changes: Changes, merge_key: str | None = None) -> bool:
        """Make some changes. An error is told through ``failed`` and leaves everything as it was; returns whether it went well."""
        try:
            self.apply(changes, merge_key)
        except RaybenchError as error:
            self.failed.emit(str(error))
            return False
        return True

    def undo(self) -> None:
        before = self.document
        self.session.undo()
        self._tell(before)

    def redo(self) -> None:
        before = self.document
        self.session.redo()
        self._tell(before)

    def new(self) -> None:
        """Start an empty document."""
        self.adopt(Session())

    def open(self, source: Path | str) -> bool:
        """Open a file or a link; if it cannot be read, say so through ``failed`` and keep what is open."""
        try:
            session = Session.open(source)
        except RaybenchError as error:
            self.failed.emit(str(error))
            return False
        self.adopt(session)
        return True

    def save(self, path: Path | None = None) -> bool:
        """Write to the document's file or to another, which becomes its file; an error is told through ``failed``."""
        try:
            self.session.save(path)
        except RaybenchError as error:
            self.failed.emit(str(error))
            return False
        self.saved.emit()
        return True

    def reload(self) -> bool:
        """Read the document's file again, as one step that can be undone; an error is told through ``failed``."""
        before = self.document
        try:
            self.session.reload()
        except RaybenchError as error:
            self.failed.emit(str(error))
            return False
        self._tell(before)
        self.saved.emit()
        return True

    def set_view(self, view: View) -> None:
        if view != self.session.view:
            self.session.view = view
            self.viewChanged.emit(view)

    def highlight(self, rays: RaySet | None) -> None:
        """Light up some rays and dim all others; None ends that."""
        self.set_view(dataclasses.replace(self.session.view, highlight=rays, picked=()))

    def show_all_rays(self) -> None:
        """Hide and dim no rays any more."""
        self.set_view(dataclasses.replace(self.session.view.unfiltered(), highlight=None, picked=()))

    def show_result(self, result: TraceResult | None) -> None:
        """Put a trace on show without making it the one that answers are about."""
        self.result = result
        self.resultChanged.emit(result)

    def store_result(self, result: TraceResult) -> None:
        """Keep a full trace as the one that answers are about, and show it."""
        self.session.result = result
        self.show_result(result)
        self.fullResultReady.emit(result)

    def begin_gesture(self) -> Gesture:
        """Start a drag: what it changes is one undo step, and can be taken back without a trace."""
        self.gesture = Gesture(self)
        self.gestureChanged.emit(True)
        return self.gesture

    def adopt(self, session: Session) -> None:
        """Work on another session from now on."""
        before = self.document
        self.session = session
        self.result = None
        self.opened.emit()
        self._tell(before)
        self.resultChanged.emit(None)
        self.viewChanged.emit(session.view)

    def _tell(self, before: Document) -> None:
        if before is not self.document:
            # rows picked in the table are rows of a trace that is over
            self.set_view(dataclasses.replace(self.session.view, picked=()))
            self.changed.emit(before, self.document)


class Gesture:
    """A drag at work: `core.session.Gesture`, with what it does told to the window."""

    def __init__(self, owner: WorkDocument) -> None:
        self._owner, self._gesture = owner, owner.session.begin_gesture()

    def update(self, changes: Changes) -> bool:
        """Do these changes instead of those before; errors are told as by `WorkDocument.change`."""
        before = self._owner.document
        try:
            self._gesture.update(changes)
        except RaybenchError as error:
            self._owner.failed.emit(str(error))
            return False
        self._owner._tell(before)
        return True

    def finish(self) -> None:
        """Keep what the drag did."""
        self._end(self._gesture.finish)

    def cancel(self) -> None:
        """Take back what the drag did, and nothing that was changed meanwhile."""
        self._end(self._gesture.cancel)

    def _end(self, how: Callable[[], None]) -> None:
        before = self._owner.document
        how()
        self._owner._tell(before)
        self._owner.gesture = None
        self._owner.gestureChanged.emit(False)
