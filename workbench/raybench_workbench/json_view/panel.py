"""The JSON dock, which shows the document's scene as text and keeps the text and the document in
sync both ways.
"""

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from PySide6.QtCore import QThreadPool, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from raybench.errors import RaybenchError
from raybench.files.scene_text import (
    SceneText,
    TextEdit,
    TextFault,
    TextUpdate,
    read_edit,
    update_text,
)
from raybench.scene.document import Document
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.json_view.editor import JsonEditor, editor_index_function
from raybench_workbench.json_view.find_bar import FindBar
from raybench_workbench.threads import error_reason, run_in_background
from raybench_workbench.translation import tr
from raybench_workbench.widgets import ElidedLabel, column_layout, push_button, row_layout

READ_DELAY = 500
"""Milliseconds without typing after which the text is read."""
DRAG_UPDATE_MS = 40
"""Milliseconds between updates of the text while something is dragged."""


class PartPositions:
    """The positions of objects and module definitions in the editor's text, updated while the user
    types.

    ``_starts`` and ``_ends`` (n,) are in ascending order.
    """

    def __init__(self, text: SceneText) -> None:
        units = editor_index_function(text.text)
        self._parts = text.parts
        self._starts = np.array([units(p.start) for p in text.parts], np.int64)
        self._ends = np.array([units(p.end) for p in text.parts], np.int64)

    def shift_positions(self, at: int, removed: int, added: int) -> None:
        """Shift the positions after the text changed at ``at``, where characters were removed and
        added.
        """
        for positions in (self._starts, self._ends):
            positions[positions >= at + removed] += added - removed

    def ranges_of_objects(self, keys: Collection[int]) -> list[tuple[int, int]]:
        """The start and end of the text of each object with one of these keys."""
        parts = [i for i, p in enumerate(self._parts) if p.entry == "objs" and p.owner in keys]
        return [(int(self._starts[i]), int(self._ends[i])) for i in parts]

    def objects_between(self, first: int, last: int) -> set[int]:
        """The keys of the objects whose text overlaps a range of positions."""
        start = int(np.searchsorted(self._ends, first))
        met = self._parts[start : int(np.searchsorted(self._starts, last, "right"))]
        return {p.owner for p in met if p.entry == "objs" and isinstance(p.owner, int)}

    def start_of_module(self, name: str) -> int | None:
        """The position where the definition of a module starts; None if there is no such module."""
        modules = enumerate((part.entry, part.owner) for part in self._parts)
        return next((int(self._starts[i]) for i, m in modules if m == ("modules", name)), None)


class JsonPanel(QWidget):
    """The panel with the scene as JSON. The text follows the document while it is visible. Typed
    text is read after a pause and, if it is valid, changes the document as one undo step.

    While the text has a fault, neither the text nor the document changes the other. Once the text
    is valid again, it is merged with edits of other objects on the canvas. Layout and reading run
    in another thread.
    """

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._selection = document, selection
        self._shown: SceneText | None = None
        self._places: PartPositions | None = None
        self._typed = 0
        """Counts edits by hand: what a thread computes for an earlier state of the text is dropped.
        """
        self._pending = False
        """Whether there is typing that the document does not have."""
        self._working = 0
        self._applying = False
        self._wanted: str | None = None
        """The module whose definition is to be scrolled to."""
        self.fault: TextFault | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self.editor = JsonEditor(self)
        self.find_bar = FindBar(self.editor, self)
        self.state = ElidedLabel(self)
        self.go_button = push_button(tr("Show"), self.show_fault)
        self.discard_button = push_button(tr("Discard typing"), self.discard_typing)
        self.find_button = push_button(tr("Find…"), self.find_bar.open_bar)
        bar = row_layout(
            (self.state, 1),
            self.go_button,
            self.discard_button,
            self.find_button,
            margins=(theme.GRID, 2, theme.HALF, 2),
        )
        column_layout(bar, (self.editor, 1), self.find_bar, on=self, margins=0, spacing=0)
        self._pause = QTimer(self, singleShot=True, interval=READ_DELAY)
        self._pause.timeout.connect(self._read_typing)
        self._follow_soon = QTimer(self, singleShot=True)
        self._follow_soon.timeout.connect(self._update_text_from_document)
        self.editor.edited.connect(self._record_typing)
        self.editor.caretMoved.connect(self._caret_moved)
        self.editor.abandoned.connect(self._close_search_or_discard_typing)
        self.editor.findRequested.connect(self.find_bar.open_bar)
        document.changed.connect(self._schedule_text_update)
        document.opened.connect(self._show_opened_document)
        document.gestureChanged.connect(self._schedule_text_update)
        selection.changed.connect(self._show_selection)
        self._show_state()

    @property
    def settled(self) -> bool:
        """Whether the text and the document agree, as far as the text is valid, and no work is
        pending.
        """
        waits = self._pause.isActive() or self._follow_soon.isActive() or self._working > 0
        return not waits and (self._shown is not None or not self.isVisible())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._schedule_text_update()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._pause.isActive():  # closing the dock loses nothing that was typed
            self._pause.stop()
            self._read_typing()

    def show_module(self, name: str) -> None:
        """Put the cursor into the definition of a module, once the text is ready."""
        self._wanted = name
        self._show_wanted_module()

    def _show_wanted_module(self) -> None:
        if self._wanted is None or self._places is None:
            return
        start = self._places.start_of_module(self._wanted)
        if start is not None:
            self.editor.scroll_to_position(start, focus=True)
        self._wanted = None

    # --- from the document to the text

    def _show_opened_document(self) -> None:
        self._shown = self._places = None
        self._pending = False
        self._set_fault(None)

    def _schedule_text_update(self, *_: object) -> None:
        if self.isVisible() and not self._applying and not self._follow_soon.isActive():
            self._follow_soon.start(DRAG_UPDATE_MS if self._document.gesture is not None else 0)

    def _update_text_from_document(self) -> None:
        """Update the text from the document, unless the text has changes that the document does not
        have yet.
        """
        if self._pending or not self.isVisible():
            self._show_state()
            return
        scene, shown, typed = self._document.scene, self._shown, self._typed
        if shown is not None and shown.scene is scene:
            self._show_state()
        elif not self._working:  # else this is called again at the end of the work
            self._start_work(
                lambda: update_text(shown, scene),
                lambda update: self._show_new_layout(update, shown, typed),
            )

    def _show_new_layout(self, update: TextUpdate, shown: SceneText | None, typed: int) -> None:
        """Show a newly computed text, unless the user typed or the text changed in the meantime."""
        if typed == self._typed and shown is self._shown and not self._pending:
            self._show_update(update)
            self._show_wanted_module()

    def _show_update(self, update: TextUpdate) -> None:
        old, new = self._shown.text if self._shown is not None else "", update.text.text
        start, end, text = update.replacement
        if len(text) > len(new) // 2:
            self.editor.replace_text(new)
        else:
            units = editor_index_function(old)
            self.editor.replace_ranges([(units(start), units(end), text)])
        units = editor_index_function(new)
        self._set_shown_text(update.text)
        self.editor.set_marks("changed", [(units(a), units(b)) for a, b in update.changed])
        self._show_selection()
        self._show_state()

    def _set_shown_text(self, text: SceneText) -> None:
        """Record the text that the editor shows and that agrees with the document."""
        self._shown, self._places = text, PartPositions(text)
        self.editor.clear_undo_history()

    # --- from the text to the document

    def _record_typing(self, at: int, removed: int, added: int) -> None:
        if self._places is None:  # the text of a document that was left, about to be replaced
            return
        self._typed += 1
        self._pending = True
        self._places.shift_positions(at, removed, added)
        self.editor.set_marks("changed", [])
        self._set_fault(None)
        self._pause.start()

    def _read_typing(self) -> None:
        """Read the typed text in another thread."""
        shown, document, typed = self._shown, self._document.document, self._typed
        if shown is None or not self._pending:
            return
        if self._document.gesture is not None:
            self._pause.start()
            return
        text = self.editor.toPlainText()
        self._start_work(
            lambda: _read_edited_text(text, shown, document),
            lambda edit: self._apply_text_edit(edit, shown, document, typed),
        )
        self._show_state()

    def accept_typing(self) -> bool:
        """Read the typed text at once and report a fault in it. Returns True if the text was
        accepted or if the dock is hidden.
        """
        taken = self.apply_typing()
        if self.fault is not None and self.isVisible():
            self._document.failed.emit(
                tr(
                    "The JSON has a fault: {fault} Correct it, or discard the typing.",
                    fault=self.fault,
                )
            )
        return taken or not self.isVisible()

    def apply_typing(self) -> bool:
        """Read the typed text at once and apply it; returns whether the document now agrees with
        it.
        """
        shown, document = self._shown, self._document.document
        if shown is not None and self._pending:
            self._pause.stop()
            self._typed += 1
            edit = _read_edited_text(self.editor.toPlainText(), shown, document)
            self._apply_text_edit(edit, shown, document, self._typed)
        return shown is None or not self._pending

    def _apply_text_edit(
        self, edit: TextEdit | TextFault, shown: SceneText, document: Document, typed: int
    ) -> None:
        """Apply a typed edit to the document, or show the fault in the text. Do nothing if the text
        or the document has changed meanwhile.
        """
        if typed != self._typed or self._shown is not shown:
            return
        if self._document.document is not document or self._document.gesture is not None:
            self._pause.start()
            return
        if isinstance(edit, TextFault):
            self._set_fault(edit)
            return
        self._applying = True
        try:
            self._document.apply(edit.changes)
        except RaybenchError as error:
            self._set_fault(TextFault(edit.text, 0, 0, str(error)))
            return
        finally:
            self._applying = False
        self._pending = False
        self._set_shown_text(shown.after_edit(edit, document.scene, self._document.scene))
        self._set_fault(None)
        self._caret_moved()
        self._update_text_from_document()

    def discard_typing(self) -> None:
        """Discard typed text that the document has not accepted, and show the document's text."""
        self._pause.stop()
        self._typed += 1
        self._pending = False
        self._set_fault(None)
        if self._shown is not None:
            self.editor.replace_text(self._shown.text)
            self._set_shown_text(self._shown)
        self._update_text_from_document()
        self._show_selection()
        self._show_state()

    def _close_search_or_discard_typing(self) -> None:
        if self.find_bar.isVisible():
            self.find_bar.close_bar()
        elif self.fault is not None:
            self.discard_typing()

    def show_fault(self) -> None:
        """Move the cursor to the fault in the text."""
        if marks := self.editor.marked_ranges("fault"):
            self.editor.scroll_to_position(*marks[0], focus=True)

    def _set_fault(self, fault: TextFault | None) -> None:
        self.fault, marks = fault, []
        if fault is not None:
            units = editor_index_function(self.editor.toPlainText())
            last = self.editor.document().characterCount() - 1
            start = min(units(fault.start), max(0, last - 1))
            marks = [(start, max(min(units(fault.end), last), 1))]
        self.editor.set_marks("fault", marks)
        self._show_state()

    # --- the selection

    def _show_selection(self, _: object = None) -> None:
        """Highlight the text of the objects that are selected on the canvas, and scroll to the
        first.
        """
        if self._places is None or not self.isVisible() or self._pending:
            return
        ranges = self._places.ranges_of_objects(self._selection.keys)
        new = ranges != list(self.editor.marked_ranges("selected"))
        self.editor.set_marks("selected", ranges)
        at = self.editor.textCursor().position()
        caret_inside = self.editor.hasFocus() and any(a <= at <= b for a, b in ranges)
        if new and ranges and not caret_inside:
            self.editor.scroll_to_position(ranges[0][0])

    def _caret_moved(self) -> None:
        """Select on the canvas the objects whose text contains the cursor or the selected text."""
        if self._places is None or self._pending or not self.editor.hasFocus():
            return
        cursor = self.editor.textCursor()
        there = self._places.objects_between(cursor.selectionStart(), cursor.selectionEnd())
        keys = {k for k in there if self._document.scene.get(k) is not None}
        if keys:
            self._selection.set(keys)

    # --- threads and words

    def _start_work(self, compute: Callable[[], Any], use_result: Callable[[Any], None]) -> None:
        def finish(result: Any) -> None:
            self._working -= 1
            use_result(result)
            self._update_text_from_document()  # the document may have changed meanwhile

        def fail(error: Exception) -> None:
            self._working -= 1
            self._document.failed.emit(error_reason(error, tr("Working out the scene's text")))

        self._working += 1
        run_in_background(self, compute, finish, fail, pool=self._pool)

    def _show_state(self) -> None:
        """Show whether the text and the document agree."""
        for button in (self.go_button, self.discard_button):
            button.setVisible(self.fault is not None)
        if self.fault is not None:
            shown, text = self._shown, str(self.fault)
            if shown is not None and shown.scene is not self._document.scene:
                text += tr(" The scene changed meanwhile: both are joined once the text is valid.")
        elif self._pending:
            text = tr("Typing…")
        else:
            count = len(self._document.scene.objects)
            objects = tr("1 object") if count == 1 else tr("{count} objects", count=count)
            text = tr(
                "In step with the canvas: {objects}, {lines} lines",
                objects=objects,
                lines=self.editor.blockCount(),
            )
        self.state.set_full_text(text)
        theme.set_role(self.state, "error" if self.fault is not None else "dim")

    def close_threads(self) -> None:
        """Wait until the work in other threads has ended."""
        self._pool.waitForDone()


def _read_edited_text(text: str, shown: SceneText, document: Document) -> TextEdit | TextFault:
    """The edit that a changed text makes to the document, or the fault because of which it cannot
    be used.
    """
    try:
        return read_edit(text, shown, document)
    except TextFault as fault:
        return fault
