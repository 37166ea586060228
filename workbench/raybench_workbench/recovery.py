"""Crash recovery in a window: unsaved changes are written to a recovery file, and the files left by
crashed programs are offered to the user.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QMessageBox,
    QPushButton,
    QScrollArea,
    QWidget,
)

from raybench.errors import RaybenchError, elide_text
from raybench.files.recovery import Draft, LeftoverFile, RecoveryWriter, claim_leftovers
from raybench.scene.document import Document
from raybench.session import Session
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import grouped_digits
from raybench_workbench.threads import error_reason, gui_thread_function, run_in_background
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    ElidedLabel,
    WrappedLabel,
    column_layout,
    describe_widget,
    row_layout,
)
from raybench_workbench.window.tabs import activate_page_to_fill, show_file

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


class DocumentRecovery(QObject):
    """Writes a recovery file for one `WorkDocument` while it has unsaved changes; without a folder,
    nothing.
    """

    found = Signal(object)
    """The list of `LeftoverFile`s of crashed programs."""

    def __init__(
        self, document: WorkDocument, folder: Path | None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = folder
        self._document = document
        self._writer: RecoveryWriter | None = None
        if folder is not None:
            self._writer = RecoveryWriter(folder, gui_thread_function(self, document.failed.emit))
            document.changed.connect(self.write_draft)
            document.saved.connect(self._writer.discard_draft)
            self.write_draft()

    def search_leftovers(self) -> None:
        """Search in the background for recovery files that crashed programs left."""
        if self.folder is not None:
            what = tr("The search for unsaved changes of earlier runs")
            run_in_background(
                self,
                partial(claim_leftovers, self.folder),
                self.found.emit,
                lambda error: self._document.failed.emit(error_reason(error, what)),
            )

    def take_over(self, leftover: LeftoverFile) -> None:
        """Open a recovery file as unsaved changes of its document."""
        draft = leftover.draft
        if draft is None or self._writer is None:
            raise ValueError("There is nothing to recover here.")
        session = Session(draft.document, draft.path)
        session.saved, session.digest = Document(), draft.digest
        self._document.replace_session(session, draft.conversation)
        self._writer.take_over(leftover.slot)

    def set_write_interval(self, seconds: float) -> None:
        """Set the shortest time between two writes of the recovery file."""
        if self._writer is not None:
            self._writer.between = seconds

    def close(self) -> None:
        """Stop writing and delete the recovery file, because the document was saved or discarded."""
        if self._writer is not None:
            self._writer.close()

    def write_draft(self, *_: object) -> None:
        """Write the recovery file soon, or delete it if there are no unsaved changes."""
        session = self._document.session
        if self._writer is None:
            return
        if session.modified:
            self._writer.put_draft(
                Draft(
                    session.document,
                    session.path,
                    session.digest,
                    conversation=self._document.conversation,
                )
            )
        else:
            self._writer.discard_draft()


def recover_leftover(window: MainWindow, leftover: LeftoverFile) -> None:
    """Open a recovery file: in the tab of its document if that has no unsaved changes, else in this
    window if nothing was done in it, else in a new tab.
    """
    path = leftover.draft.path if leftover.draft is not None else None
    same = (show_file(path) or window) if path is not None else window
    session = same.document.session
    is_same = path is not None and session.path == path and not session.modified
    (same if is_same else activate_page_to_fill(window)).recovery.take_over(leftover)


MAX_VISIBLE = 4
"""Number of rows visible without scrolling."""
Button = QMessageBox.StandardButton


class RecoveryOffer(QWidget):
    """The strip that offers to recover documents, one row each with buttons to recover or discard
    it. The button Later keeps all files for the next start. The strip is hidden while it is empty.
    """

    chosen = Signal(object)
    """The `LeftoverFile` to recover; its row is removed before."""
    failed = Signal(str)
    """The text of an error to show."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "bar")
        self.title = WrappedLabel(
            tr("Raybench ended unexpectedly. These unsaved changes can be recovered:"),
            self,
            role="warning",
        )
        self.later = describe_widget(
            QPushButton(tr("Later")), tip=tr("Offer them again at the next start"), role="flat"
        )
        self.later.clicked.connect(self.postpone_recovery)
        self.rows: dict[int, _LeftoverRow] = {}
        """Rows by the `id` of their leftover."""
        self.all = describe_widget(
            QPushButton(tr("Recover all")), tip=tr("Open each of them in a tab"), role="flat"
        )
        self.all.clicked.connect(self.recover_all)
        top = row_layout((self.title, 1), self.all, self.later)
        inside = QWidget()
        theme.set_role(inside, "panel")
        self._lines = column_layout(on=inside, margins=0, spacing=0)
        self._scrolled = QScrollArea(self)
        self._scrolled.setWidgetResizable(True)
        self._scrolled.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scrolled.setWidget(inside)
        column_layout(
            top, self._scrolled, on=self, margins=(theme.GRID, 2, theme.HALF, theme.HALF), spacing=0
        )
        self.hide()

    def offer_leftovers(self, leftovers: Iterable[LeftoverFile]) -> None:
        """Add rows for more recovery files."""
        for leftover in leftovers:
            row = _LeftoverRow(leftover)
            row.recover.clicked.connect(partial(self._recover_leftover, leftover))
            row.discard.clicked.connect(partial(self._discard_leftover, leftover))
            self.rows[id(leftover)] = row
            self._lines.addWidget(row)
        self._fit_size()

    def recover_all(self) -> None:
        """Recover all documents; damaged files stay."""
        for row in list(self.rows.values()):
            if row.leftover.draft is not None:
                self._recover_leftover(row.leftover)

    def postpone_recovery(self) -> None:
        """Keep all recovery files for the next start, and hide the offer."""
        for row in list(self.rows.values()):
            row.leftover.slot.release()
            self._remove_leftover(row.leftover)

    def _recover_leftover(self, leftover: LeftoverFile) -> None:
        self._remove_leftover(leftover)
        self.chosen.emit(leftover)

    def _discard_leftover(self, leftover: LeftoverFile) -> None:
        draft = leftover.draft
        title = elide_text(draft.title, 60) if draft else tr("the damaged file")
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "",
            tr("Discard the unsaved changes to {title}?", title=title),
            parent=self,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        about = f"{_draft_description(draft)}. " if draft else ""
        box.setInformativeText(tr("{about}They cannot be brought back.", about=about))
        box.setStandardButtons(Button.Discard | Button.Cancel)
        box.setDefaultButton(Button.Cancel)
        if box.exec() != Button.Discard:
            return
        try:
            leftover.slot.remove()
        except RaybenchError as error:
            self.failed.emit(str(error))
        else:
            self._remove_leftover(leftover)

    def _remove_leftover(self, leftover: LeftoverFile) -> None:
        row = self.rows.pop(id(leftover))
        self._lines.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._fit_size()

    def _fit_size(self) -> None:
        height = max((row.sizeHint().height() for row in self.rows.values()), default=0)
        self._scrolled.setFixedHeight(height * min(MAX_VISIBLE, len(self.rows)))
        self.all.setVisible(len(self.rows) > 1)
        self.setVisible(bool(self.rows))


class _LeftoverRow(QWidget):
    def __init__(self, leftover: LeftoverFile) -> None:
        super().__init__()
        self.leftover = leftover
        draft = leftover.draft
        self.text = ElidedLabel(self)
        tip = tr("Open it with its unsaved changes; its file is unchanged until you save")
        self.recover = describe_widget(QPushButton(tr("Recover")), tip=tip, role="flat")
        self.discard = describe_widget(
            QPushButton(tr("Discard")), tip=tr("Delete these changes"), role="flat"
        )
        if draft is None:
            self.text.set_full_text(tr("A damaged recovery file: {fault}", fault=leftover.fault))
            self.recover.hide()
        else:
            where = f", {draft.path.parent}" if draft.path else tr(", never saved")
            self.text.set_full_text(f"{draft.title}, {_draft_description(draft)}{where}")
        row_layout((self.text, 1), self.recover, self.discard, on=self, margins=0)


def _draft_description(draft: Draft) -> str:
    """A text that distinguishes the recovery files of several windows with the same document."""
    n = len(draft.document.scene.objects)
    objects = tr("1 object") if n == 1 else tr("{count} objects", count=grouped_digits(n))
    return tr(
        "{objects}, changed {time:%Y-%m-%d %H:%M:%S}",
        objects=objects,
        time=draft.time.astimezone(),
    )
