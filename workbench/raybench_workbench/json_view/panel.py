"""The JSON dock: the document's scene as text, in step with the document both ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QThreadPool, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from raybench.errors import RaybenchError
from raybench.files.scene_text.edits import Edited, edits
from raybench.files.scene_text.layout import Part, SceneText, scene_text
from raybench.files.scene_text.reading import TextFault, common_ends
from raybench.kinds.object import SceneObject
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.json_view.displayed_text import DisplayedText
from raybench_workbench.json_view.editor import JsonEditor, in_units
from raybench_workbench.json_view.find_bar import FindBar
from raybench_workbench.json_view.part_places import NO_PLACES, PartPlaces
from raybench_workbench.selection import Selection
from raybench_workbench.threads.background import in_background, reason_of
from raybench_workbench.words.labels import ElidedLabel

PAUSE = 500
"""Milliseconds without typing after which the text is read."""
FOLLOW = 40
"""Milliseconds between updates of the text while something is dragged."""
FEW = 50
"""Objects that are rewritten in place; more are laid out in another thread."""


class JsonPanel(QWidget):
    """The text follows the document while it is visible; typing is read after a pause and changes
    the document as one step if it is valid.

    While the text has a fault, the document keeps its state and the text is left alone; edits of
    other objects on the canvas are joined with it once it is valid again. Laying out and reading
    are done in another thread.
    """

    def __init__(
        self, document: WorkDocument, selection: Selection, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._selection = document, selection
        self._shown: DisplayedText | None = None
        self._places = NO_PLACES
        self._typed = 0
        """Counts edits by hand: what a thread computes for an earlier state of the text is dropped.
        """
        self._pending = False
        """Whether there is typing that the document does not have."""
        self._working = 0
        self._own = False
        self._wanted: str | None = None
        """The module whose definition is to be scrolled to."""
        self.fault: TextFault | None = None
        self._pool = QThreadPool(self)
        self._pool.setMaxThreadCount(1)
        self.editor = JsonEditor(self)
        self.find_bar = FindBar(self.editor, self)
        self.state = ElidedLabel(self)
        self.go_button, self.discard_button = (
            QPushButton("Show", self),
            QPushButton("Discard typing", self),
        )
        self.find_button = QPushButton("Find…", self)
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.GRID, 2, theme.HALF, 2)
        bar.addWidget(self.state, 1)
        for button in (self.go_button, self.discard_button, self.find_button):
            theme.set_role(button, "flat")
            bar.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(bar)
        column.addWidget(self.editor, 1)
        column.addWidget(self.find_bar)
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._read)
        self._follow_soon = QTimer(self, singleShot=True)
        self._follow_soon.timeout.connect(self._follow)
        self.editor.edited.connect(self._edited_by_hand)
        self.editor.caretMoved.connect(self._caret_moved)
        self.editor.abandoned.connect(self._abandon)
        self.editor.findRequested.connect(self.find_bar.open)
        self.find_button.clicked.connect(self.find_bar.open)
        self.go_button.clicked.connect(self.show_fault)
        self.discard_button.clicked.connect(self.discard)
        document.changed.connect(self._document_changed)
        document.opened.connect(self._opened)
        document.gestureChanged.connect(self._follow_later)
        selection.changed.connect(self._show_selection)
        self._show_state()

    @property
    def settled(self) -> bool:
        """Whether the text and the document are in step, as far as the text is valid, and nothing
        is being computed.
        """
        waits = self._pause.isActive() or self._follow_soon.isActive() or self._working > 0
        return not waits and (self._shown is not None or not self.isVisible())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_later()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if self._pause.isActive():  # closing the dock loses nothing that was typed
            self._pause.stop()
            self._read()

    def show_module(self, name: str) -> None:
        """Put the cursor into the definition of a module, once the text is ready."""
        self._wanted = name
        self._show_wanted()

    def _show_wanted(self) -> None:
        if self._wanted is None or self._shown is None:
            return
        start = self._places.of_module(self._wanted)
        if start is not None:
            self.editor.show_place(start, focus=True)
        self._wanted = None

    # --- from the document to the text

    def _opened(self) -> None:
        self._shown = None
        self._pending = False
        self._set_fault(None)

    def _document_changed(self, before: Document, after: Document) -> None:
        if not self._own:
            self._follow_later()

    def _follow_later(self, _: object = None) -> None:
        if self.isVisible() and not self._follow_soon.isActive():
            self._follow_soon.start(FOLLOW if self._document.gesture is not None else 0)

    def _follow(self) -> None:
        """Bring the text up to date; not while there is typing that was not taken over."""
        if self._pending or not self.isVisible():
            self._show_state()
            return
        scene, shown = self._document.scene, self._shown
        if shown is not None and shown.same_but_objects(scene):
            changed = shown.changed_objects(scene)
            if not changed:
                return
            if len(changed) <= FEW:
                self._rewrite(shown, changed, scene)
                return
        typed, written = self._typed, shown.written() if shown is not None else None
        self._start(
            lambda: scene_text(scene, written), lambda text: self._take_layout(text, scene, typed)
        )

    def _take_layout(self, text: SceneText, scene: Scene, typed: int) -> None:
        """Show a text that was laid out, unless somebody typed meanwhile."""
        if typed != self._typed or self._pending:
            return
        shown = self._shown
        old = shown.text.text if shown is not None else ""
        first, behind = common_ends(old, text.text)
        if shown is None or len(text.text) - first - behind > len(text.text) // 2:
            self.editor.set_plain(text.text)
        else:
            units = in_units(old)
            self.editor.replace(
                [
                    (
                        units(first),
                        units(len(old) - behind),
                        text.text[first : len(text.text) - behind],
                    )
                ]
            )
        self._shown = DisplayedText(text, {o.key: o for o in scene.objects}, scene)
        self.editor.forget_typing()
        self._places = PartPlaces.of(self._shown.text)
        self._mark_changed(shown.differences(text) if shown is not None else [])
        self._show_selection()
        self._show_state()
        self._show_wanted()
        self._follow()  # the document may have changed while the text was laid out

    def _rewrite(self, shown: DisplayedText, changed: list[SceneObject], scene: Scene) -> None:
        """Rewrite the texts of a few objects in place."""
        self._shown, pieces, marks = shown.rewritten(changed, scene)
        units = in_units(shown.text.text)
        self.editor.replace([(units(p.start), units(p.end), p.text) for p in reversed(pieces)])
        self.editor.forget_typing()
        self._places = PartPlaces.of(self._shown.text)
        self._mark_changed(marks)
        self._show_selection()
        self._show_state()

    def _mark_changed(self, parts: list[Part]) -> None:
        assert self._shown is not None
        units = in_units(self._shown.text.text)
        self.editor.set_marks("changed", [(units(p.start), units(p.end)) for p in parts])

    # --- from the text to the document

    def _edited_by_hand(self, at: int, removed: int, added: int) -> None:
        if (
            self._shown is None
        ):  # the text of a document that is no longer open, which is about to be replaced
            return
        self._typed += 1
        self._pending = True
        self._places = self._places.after_edit(at, removed, added)
        self.editor.set_marks("changed", [])
        self._set_fault(None)
        self._pause.start()

    def _read(self) -> None:
        """Read what was typed, in another thread."""
        shown, document, typed = self._shown, self._document.document, self._typed
        if shown is None or not self._pending:
            return
        if self._document.gesture is not None:
            self._pause.start()
            return
        text = self.editor.plain()
        self._start(
            lambda: _edits_or_fault(text, shown, document),
            lambda result: self._take_edits(result, document, typed, text),
        )
        self._show_state()

    def typing_accepted(self) -> bool:
        """Read what was typed at once; returns whether it was accepted, or is out of sight: a fault
        is reported.
        """
        taken = self.take_typing()
        if self.fault is not None and self.isVisible():
            self._document.failed.emit(
                f"The JSON has a fault: {self.fault} Correct it, or discard the typing."
            )
        return taken or not self.isVisible()

    def take_typing(self) -> bool:
        """Read what was typed at once; returns whether the document now has it."""
        shown, document = self._shown, self._document.document
        if shown is not None and self._pending:
            self._pause.stop()
            self._typed += 1
            text = self.editor.plain()
            self._take_edits(_edits_or_fault(text, shown, document), document, self._typed, text)
        return shown is None or not self._pending

    def _take_edits(
        self, result: Edited | TextFault, document: Document, typed: int, text: str
    ) -> None:
        """Apply the text to the document, or show the fault; nothing if the text or the document
        changed meanwhile.
        """
        if typed != self._typed or self._shown is None:
            return
        if self._document.document is not document or self._document.gesture is not None:
            self._pause.start()
            return
        if isinstance(result, TextFault):
            self._set_fault(result)
            return
        self._own = True
        try:
            self._document.apply(result.changes)
        except RaybenchError as error:
            self._set_fault(TextFault(text, 0, 0, str(error)))
            return
        finally:
            self._own = False
        self._took(result, document)

    def _took(self, result: Edited, before: Document) -> None:
        """The document now agrees with the text."""
        assert self._shown is not None
        self._shown = self._shown.after(result, before.scene, self._document.scene)
        self._pending = False
        self.editor.forget_typing()
        self._places = PartPlaces.of(self._shown.text)
        self._set_fault(None)
        self._caret_moved()
        self._follow()

    def discard(self) -> None:
        """Give up what was typed and not taken over."""
        self._pause.stop()
        self._typed += 1
        self._pending = False
        self._set_fault(None)
        if self._shown is not None:
            self.editor.set_plain(self._shown.text.text)
            self.editor.forget_typing()
            self._places = PartPlaces.of(self._shown.text)
        self._follow()
        self._show_selection()
        self._show_state()

    def _abandon(self) -> None:
        if self.find_bar.isVisible():
            self.find_bar.leave()
        elif self.fault is not None:
            self.discard()

    def show_fault(self) -> None:
        """Put the caret at the fault."""
        marks = self.editor.marks("fault")
        if marks:
            self.editor.show_place(*marks[0], focus=True)

    def _set_fault(self, fault: TextFault | None) -> None:
        self.fault = fault
        marks = []
        if fault is not None:
            units = in_units(self.editor.plain())
            start, end = units(fault.start), units(fault.end)
            last = self.editor.document().characterCount() - 1
            marks = [(min(start, max(0, last - 1)), max(min(end, last), 1))]
        self.editor.set_marks("fault", marks)
        self._show_state()

    # --- the selection

    def _show_selection(self, _: object = None) -> None:
        """Mark the objects that are selected on the canvas, and show the first."""
        if self._shown is None or not self.isVisible() or self._pending:
            return
        ranges = self._places.of_objects(self._selection.keys)
        new = ranges != list(self.editor.marks("selected"))
        self.editor.set_marks("selected", ranges)
        if new and ranges and not self._caret_in(ranges):
            self.editor.show_place(ranges[0][0])

    def _caret_in(self, ranges: list[tuple[int, int]]) -> bool:
        at = self.editor.textCursor().position()
        return self.editor.hasFocus() and any(a <= at <= b for a, b in ranges)

    def _caret_moved(self) -> None:
        """Select the objects that hold the caret, or the selected text."""
        if self._shown is None or self._pending or not self.editor.hasFocus():
            return
        cursor = self.editor.textCursor()
        there = self._places.objects_between(cursor.selectionStart(), cursor.selectionEnd())
        keys = {k for k in there if self._document.scene.get(k) is not None}
        if keys:
            self._selection.set(keys)

    # --- threads and words

    def _start(self, compute: Callable[[], Any], take: Callable[[Any], None]) -> None:
        self._working += 1
        in_background(
            self, compute, lambda result: self._finish(result, take), self._fail, pool=self._pool
        )

    def _fail(self, error: Exception) -> None:
        self._working -= 1
        self._document.failed.emit(reason_of(error, "Working out the scene's text"))

    def _finish(self, result: Any, take: Callable[[Any], None]) -> None:
        self._working -= 1
        take(result)

    def _show_state(self) -> None:
        """Say whether the text and the document are in step."""
        wrong = self.fault is not None
        self.go_button.setVisible(wrong)
        self.discard_button.setVisible(wrong)
        if self.fault is not None:
            behind = (
                " The scene changed meanwhile: both are joined once the text is valid."
                if self._behind()
                else ""
            )
            self.state.set_full_text(f"{self.fault}{behind}")
        elif self._pending:
            self.state.set_full_text("Typing…")
        else:
            count = len(self._document.scene.objects)
            objects = f"{count} object{'s' if count != 1 else ''}"
            self.state.set_full_text(
                f"In step with the canvas: {objects}, {self.editor.blockCount()} lines"
            )
        theme.set_role(self.state, "error" if wrong else "dim")

    def _behind(self) -> bool:
        shown, scene = self._shown, self._document.scene
        return shown is not None and (
            not shown.same_but_objects(scene) or bool(shown.changed_objects(scene))
        )

    def close_threads(self) -> None:
        """Wait for what is being computed."""
        self._pool.waitForDone()


def _edits_or_fault(text: str, shown: DisplayedText, document: Document) -> Edited | TextFault:
    """The changes that lead from the text that was shown to another, or why there are none."""
    try:
        return edits(text, shown.text, document)
    except TextFault as fault:
        return fault
