"""The open document as a QObject. The widgets of the window read and change it, and connect to its
signals.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from raybench.agent.call.approval import ProposedEdit
from raybench.errors import RaybenchError
from raybench.files.pictures import copy_picture_to_folder
from raybench.files.shared import SharedContent
from raybench.scene.changes import Changes, SetDocument
from raybench.scene.document import Document, next_revision
from raybench.scene.scene import Scene
from raybench.session import Session
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import NO_RAYS, View
from raybench_workbench.translation import translated_message


@dataclasses.dataclass(frozen=True, eq=False)
class SceneSnapshot:
    """A state of the scene and its light, which the canvas shows in place of the document."""

    document: Document
    result: TraceResult


class Selection(QObject):
    """The selection and related state: the keys of selected objects or the names of measurements,
    the hovered ray set, the proposed edit that awaits approval, and the snapshot of a played study.
    """

    changed = Signal(object)
    """The new ``keys``."""
    presented = Signal(object)
    """Keys of objects that have just come into the scene, or back, and are selected: the canvas
    shows where they are.
    """
    measurementsChanged = Signal(object)
    """The new names of ``measurements``."""
    hoverChanged = Signal(object)
    """The hovered `RaySet`, or None."""
    objectHovered = Signal(object)
    """The key of the object whose name the pointer is on, outside the canvas, or None."""
    studyWanted = Signal(object)
    """A `StudyRequest` to show in the study panel, and to run."""
    proposalChanged = Signal(object)
    """The `ProposedEdit` that a person is asked about, or None."""
    snapshotChanged = Signal(object)
    """The `SceneSnapshot` that is shown in place of the document, or None."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.keys: frozenset[int] = frozenset()
        self.measurements: frozenset[str] = frozenset()
        self.hovered: RaySet | None = None
        self.snapshot: SceneSnapshot | None = None
        self._proposals: dict[object, ProposedEdit] = {}
        """The edits to show, by who proposes them, the one on the canvas last."""

    def set(self, keys: Iterable[int]) -> None:
        keys = frozenset(keys)
        if keys:
            self.set_measurements(())
        if keys != self.keys:
            self.keys = keys
            self.changed.emit(keys)

    def select_and_show(self, keys: Iterable[int]) -> None:
        """Select objects that were just added to the scene, and bring them into view."""
        self.set(keys)
        self.presented.emit(self.keys)

    def set_measurements(self, names: Iterable[str]) -> None:
        """Select measurements by name, and no objects."""
        names = frozenset(names)
        if names:
            self.set(())
        if names != self.measurements:
            self.measurements = names
            self.measurementsChanged.emit(names)

    def toggle_object(self, key: int) -> None:
        """Add an object to the selection, or remove it."""
        self.set(self.keys ^ {key})

    def clear(self) -> None:
        self.set(())
        self.set_measurements(())

    def hover_rays(self, rays: RaySet | None) -> None:
        if rays is not self.hovered:
            self.hovered = rays
            self.hoverChanged.emit(rays)

    def show_snapshot(self, snapshot: SceneSnapshot | None) -> None:
        """Show a state of the scene in place of the document, which is not changed; None shows the
        document again.
        """
        if snapshot is not self.snapshot:
            self.snapshot = snapshot
            self.snapshotChanged.emit(snapshot)

    @property
    def proposed_edit(self) -> ProposedEdit | None:
        """The edit that the canvas previews before it is made."""
        return next(reversed(self._proposals.values()), None)

    def propose_edit(
        self, source: object, edit: ProposedEdit | None, *, behind: bool = False
    ) -> None:
        """Preview an edit on the canvas. It replaces the previous edit from the same source
        ``source``; None removes that edit, and another source's edit is shown again. With
        ``behind``, the edit is shown only while there is no other.
        """
        before = self.proposed_edit
        others = {other: e for other, e in self._proposals.items() if other is not source}
        own = {source: edit} if edit is not None else {}
        self._proposals = own | others if behind else others | own
        if self.proposed_edit is not before:
            self.proposalChanged.emit(self.proposed_edit)


class WorkDocument(QObject):
    """The document that is open in a window. Use it only in the GUI thread.

    ``session`` is replaced when another file is opened (``opened`` is emitted, then ``changed``).
    ``result`` is the visible trace: full, or reduced during a drag; ``session.result`` is the last
    full one.
    """

    changed = Signal(object, object)
    """The documents before and after the change."""
    opened = Signal()
    """``session`` was replaced."""
    saved = Signal()
    """The document equals its file: it was saved or reloaded."""
    resultChanged = Signal(object)
    """The new visible `TraceResult`, or None."""
    fullResultReady = Signal(object)
    """A full `TraceResult` was stored in ``session.result``."""
    viewChanged = Signal(object)
    failed = Signal(str)
    """The text of an error to show."""
    traceFailed = Signal(str)
    """The current revision cannot be traced, for this reason; ``failed`` follows."""
    gestureChanged = Signal(bool)
    """A drag began (True) or ended (False)."""

    def __init__(self, session: Session | None = None) -> None:
        super().__init__()
        self.session = session or Session()
        self.result: TraceResult | None = None
        self.gesture: DocumentGesture | None = None
        self.picture_folder: Path | None = None
        """The folder of the background picture of a document without a file."""
        self.conversation = ""
        """The id of the conversation about the document, which its recovery file names."""
        self.blank = Document()
        """What New starts with."""
        self.traceFailed.connect(self.failed)

    @property
    def document(self) -> Document:
        return self.session.document

    @property
    def scene(self) -> Scene:
        return self.session.document.scene

    @property
    def folder(self) -> Path | None:
        """The folder of the document's file, or that of its picture while it has no file; None
        without both.
        """
        path = self.session.path
        return path.parent if path is not None else self.picture_folder

    @contextmanager
    def _emit_if_changed(self) -> Iterator[None]:
        """Emit `changed` after the block if the document was changed in it."""
        before = self.document
        yield
        if before is not self.document:
            self._emit_replaced(before)

    @contextmanager
    def emit_session_changes(self) -> Iterator[None]:
        """Emit the signals after a block that changes the session directly. The changes of the
        block become one history step.
        """
        session, before = self.session, self.document
        view, saved, done = session.view, session.saved, len(session.history.done)
        yield
        session.history.join_steps(done)
        if self.document is not before:
            self._emit_replaced(before)
        if session.view != view:
            self.viewChanged.emit(session.view)
        if session.saved is not saved:
            self.saved.emit()

    def apply(
        self, changes: Changes, merge_key: str | None = None, gather: bool = False, text: str = ""
    ) -> Document:
        """Apply all changes, or none if one is invalid, see `Session.apply`. Raises ChangeRefused,
        and then leaves the document unchanged.
        """
        with self._emit_if_changed():
            return self.session.apply(changes, merge_key, gather, text)

    def apply_or_refuse(
        self, changes: Changes, merge_key: str | None = None, text: str = ""
    ) -> str:
        """Apply changes. Returns an empty text, or the reason if they are refused; the document is
        then unchanged.
        """
        try:
            self.apply(changes, merge_key, text=text)
        except RaybenchError as error:
            return translated_message(error)
        return ""

    def change(self, changes: Changes, merge_key: str | None = None, text: str = "") -> bool:
        """Apply changes; returns whether that succeeded. An error is emitted by the signal
        ``failed`` and leaves the document unchanged.
        """
        if reason := self.apply_or_refuse(changes, merge_key, text):
            self.failed.emit(reason)
        return not reason

    def undo(self) -> None:
        self.go_to_step(len(self.session.history.done) - 1)

    def redo(self) -> None:
        self.go_to_step(len(self.session.history.done) + 1)

    def go_to_step(self, step_count: int) -> None:
        """Undo or redo until exactly ``step_count`` steps of the history are done. The widgets are
        updated once.
        """
        history = self.session.history
        with self._emit_if_changed():
            while len(history.done) > step_count and self.session.undo():
                pass
            while len(history.done) < step_count and self.session.redo():
                pass

    def revert(self, merge_key: str) -> tuple[str, ...]:
        """Undo the steps with this merge key. Returns the names of objects that were left unchanged
        because later steps changed them.
        """
        with self._emit_if_changed():
            return self.session.revert(merge_key)

    def new(self) -> None:
        """Replace the document by an empty one."""
        self.replace_session(Session(dataclasses.replace(self.blank, revision=next_revision())))

    def open(self, source: Path | str) -> bool:
        """Open a file or a link; returns whether that succeeded. An error is emitted by the signal
        ``failed`` and keeps the open document.
        """
        try:
            session = Session.open(source)
        except RaybenchError as error:
            self.failed.emit(str(error))
            return False
        self.replace_session(session)
        return True

    def save(self, path: Path | None = None) -> bool:
        """Save to the document's file, or to ``path``, which becomes its file. An error is emitted
        by the signal ``failed``.
        """
        try:
            self._copy_background_picture(path or self.session.path)
            self.session.save(path)
        except RaybenchError as error:
            self.failed.emit(str(error))
            return False
        self.saved.emit()
        return True

    def _copy_background_picture(self, path: Path | None) -> None:
        """Copy the background picture beside the file that the document is about to be saved to."""
        background, folder = self.document.background, self.folder
        if background is None or folder is None or path is None:
            return
        name = copy_picture_to_folder(folder / background.file, path.parent)
        if name != background.file:
            self.change(SetDocument(background={**background.to_json(), "file": name}))

    def reload(self, read: SharedContent) -> None:
        """Replace the document by the contents of its file, which was read again, as one undo step."""
        with self._emit_if_changed():
            self.session.reload(read)
        self.saved.emit()

    def set_view(self, view: View) -> None:
        if view != self.session.view:
            self.session.views.record_view_change(self.session.view, view, time.monotonic())
            self._show_view(view)

    def go_to_previous_view(self) -> None:
        """Return to the previous view: the visible part of the scene, the highlight, the ray filter
        and the ray colours.
        """
        self._show_view(self.session.views.go_back(self.session.view))

    def go_to_next_view(self) -> None:
        """Go to the view that was shown before `go_to_previous_view`."""
        self._show_view(self.session.views.go_forward(self.session.view))

    def _show_view(self, view: View) -> None:
        self.session.view = view
        self.viewChanged.emit(view)

    def highlight(self, rays: RaySet | None) -> None:
        """Highlight rays and dim all others; None removes the highlight."""
        self.set_view(dataclasses.replace(self.session.view, highlight=rays, picked=NO_RAYS))

    def show_all_rays(self) -> None:
        """Remove the ray filter and the highlight."""
        self.set_view(
            dataclasses.replace(
                self.session.view.without_ray_filter(), highlight=None, picked=NO_RAYS
            )
        )

    def show_result(self, result: TraceResult | None) -> None:
        """Show a trace result without storing it in the session."""
        self.result = result
        self.resultChanged.emit(result)

    def store_result(self, result: TraceResult) -> None:
        """Store a full trace result in the session, so that answers are based on it, and show it."""
        self.session.result = result
        self.show_result(result)
        self.fullResultReady.emit(result)

    def begin_gesture(self) -> DocumentGesture:
        """Start a drag, whose changes are one undo step, or none if it is cancelled."""
        self.gesture = DocumentGesture(self)
        self.gestureChanged.emit(True)
        return self.gesture

    def replace_session(self, session: Session, conversation: str = "") -> None:
        """Replace the session. ``conversation`` is the id of the conversation to continue."""
        before = self.document
        self.session = session
        self.conversation = conversation
        self.picture_folder = None
        self.result = None
        self.opened.emit()
        self._emit_replaced(before)
        self.resultChanged.emit(None)
        self.viewChanged.emit(session.view)

    def _emit_replaced(self, before: Document) -> None:
        # rows selected in the ray table refer to the previous trace
        self.set_view(dataclasses.replace(self.session.view, picked=NO_RAYS))
        self.changed.emit(before, self.document)


class DocumentGesture:
    """A drag in progress: a `raybench.session.Gesture` that also emits the document's signals."""

    def __init__(self, owner: WorkDocument) -> None:
        self._owner, self._gesture = owner, owner.session.begin_gesture()

    def update(self, changes: Changes) -> bool:
        """Replace the changes that the drag has made so far. Errors are emitted as by
        `WorkDocument.change`.
        """
        try:
            with self._owner._emit_if_changed():
                self._gesture.update(changes)
        except RaybenchError as error:
            self._owner.failed.emit(str(error))
            return False
        return True

    def finish(self) -> None:
        """Keep the drag's changes."""
        self._end_gesture(self._gesture.finish)

    def cancel(self) -> None:
        """Undo the drag's changes, but no other changes made meanwhile."""
        self._end_gesture(self._gesture.cancel)

    def _end_gesture(self, end: Callable[[], None]) -> None:
        with self._owner._emit_if_changed():
            end()
        self._owner.gesture = None
        self._owner.gestureChanged.emit(False)
