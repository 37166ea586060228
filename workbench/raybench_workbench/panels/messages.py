"""A strip of messages above the canvas: the last error, the compilation of kernels, changes of the
file on disk, and problems of the scene. It is hidden while empty.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import cast

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QListView,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QStatusBar,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from raybench.errors import list_first_texts
from raybench.scene.changes.differences import dissolved_parts
from raybench.scene.document import Document
from raybench.shapes.point import Point
from raybench.trace.codes import Completion
from raybench.trace.results.result import TraceResult
from raybench.trace.results.warnings import OmittedLight, omitted_light_text
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.panels.document_lists import SceneProblems
from raybench_workbench.panels.number_edit import format_decimals
from raybench_workbench.refinement import Refinement
from raybench_workbench.texts import STOP_TIP, grouped_digits, literal_label_text, literal_tool_tip
from raybench_workbench.tracing import TraceService, TraceState
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    LEFT,
    RIGHT,
    ElidedLabel,
    Index,
    column_layout,
    describe_widget,
    push_button,
    row_layout,
)

READY, PREVIEW, COMPLETE = tr("ready"), tr("preview"), tr(Completion.COMPLETE.text)
"""States of a trace that call for nothing."""
MAX_LINES = 6
"""Lines of the open list that are visible without scrolling."""
MAX_BUTTONS = 100
"""Number of problems in the list that have a button with their remedy."""


class _WrappedTextDelegate(QStyledItemDelegate):
    """Paints list rows across the width of the list. The text wraps before the button of the row."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view = cast(QAbstractItemView, self.parent())
        holder, strip = view.indexWidget(index), cast(QWidget, view.parentWidget())
        taken = holder.sizeHint().width() if holder is not None else 0
        taken += view.verticalScrollBar().sizeHint().width() + theme.GRID
        option.rect.setWidth(strip.width() - taken)  # the list has its width once it is shown
        return QSize(0, super().sizeHint(option, index).height())

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        holder = cast(QAbstractItemView, self.parent()).indexWidget(index)
        button = holder.findChild(QPushButton) if holder is not None else None
        if button is not None:
            option.rect.setRight(option.rect.left() + button.x() - theme.GRID)
        super().paint(painter, option, index)


class _MessageLine(QWidget):
    """A message with a button that dismisses it, or with another button if one is given."""

    def __init__(
        self, role: str, button: str = tr("Dismiss"), act: Callable[[], object] | None = None
    ) -> None:
        super().__init__()
        theme.set_role(self, "bar")
        self.label = ElidedLabel(self, role=role)
        self.button = push_button(button, act or self.hide)
        self.line = row_layout(
            (self.label, 1), self.button, on=self, margins=(theme.GRID, 2, theme.HALF, 2)
        )
        self.hide()

    def show_text(self, text: str) -> None:
        self.label.set_full_text(text)
        self.show()


class MessageStrip(QWidget):
    """The message strip. Errors stay until they are dismissed, or until the document changes or is
    saved. A kernel problem stays until it is dismissed, problems of the scene until they are
    solved.
    """

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        problems: SceneProblems,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._selection, self._problems = document, selection, problems
        self.error, self.kernels = _MessageLine("error"), _MessageLine("warning")
        self.freed = _MessageLine("warning", tr("Undo"), document.undo)
        self.compiling = _MessageLine("accent")
        self.compiling.button.hide()
        self.file = _MessageLine("warning", tr("Reload"), lambda: None)  # the window reloads
        self.file.button.setToolTip(
            tr("Show the version on disk. Undo brings back what is shown now.")
        )
        self.problem = _MessageLine("warning", tr("Show all"), self._toggle_list)
        self.remedy = self._remedy_button("", 0)
        self.problem.line.insertWidget(1, self.remedy)
        self.list = QListWidget(self)
        self.list.setWordWrap(True)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_WrappedTextDelegate(self.list))
        self.list.setAccessibleName(tr("Problems of the scene"))
        self.list.hide()
        lines = self.error, self.freed, self.compiling, self.kernels, self.file, self.problem
        column_layout(*lines, self.list, on=self, margins=0, spacing=0)
        self.list.itemClicked.connect(self._select_objects)
        self.list.itemActivated.connect(self._select_objects)
        document.failed.connect(self.show_error)
        document.changed.connect(self.error.hide)
        document.changed.connect(self._show_freed_parts)
        document.saved.connect(self.error.hide)
        problems.changed.connect(self._show_problems)
        self._show_problems()

    def show_error(self, text: str) -> None:
        self.error.show_text(text)

    def _show_freed_parts(self, before: Document, after: Document) -> None:
        """Show, until the next edit, which parts lost their common data because an object of them
        was edited.
        """
        if freed := dissolved_parts(before, after):
            self.freed.show_text(
                tr(
                    "{names} was edited by hand: its data no longer apply, and its"
                    " objects are free.",
                    names=list_first_texts(list(freed)),
                )
            )
        elif self._document.gesture is None or len(after.parts) > len(before.parts):
            self.freed.hide()

    def show_compiling(self, text: str) -> None:
        """Show the progress of compiling the kernels; an empty text hides the message."""
        self.compiling.show_text(tr("First start: slow for about a minute. {words}", words=text))
        self.compiling.setVisible(bool(text))

    def show_kernel_problem(self, text: str) -> None:
        """Show why the kernels cannot be compiled or cached."""
        self.kernels.show_text(text)

    def show_file_state(self, state: str) -> None:
        """Show the state of the document's file since it was opened or saved: ``same``, ``changed``
        or ``gone``.
        """
        path = self._document.session.path
        if path is not None and state == "gone":
            text = tr("{name} was moved or deleted on disk. Save writes it again.", name=path.name)
            self.file.label.set_full_text(text)
        elif path is not None:
            self.file.label.set_full_text(
                tr("{name} was changed on disk outside this window.", name=path.name)
            )
        self.file.button.setVisible(state == "changed")
        self.file.setVisible(state != "same")

    def _show_problems(self) -> None:
        problems = self._problems.all
        count = len(problems)
        self.problem.setVisible(count > 0)
        self.problem.button.setVisible(count > 1)
        self.list.clear()
        for i, p in enumerate(problems):
            item = QListWidgetItem(tr(p.text), self.list)
            item.setToolTip(literal_tool_tip(item.text()))
            item.setData(Qt.ItemDataRole.UserRole, p.key)
            if p.remedy is not None and i < MAX_BUTTONS:
                self.list.setItemWidget(item, self._remedy_button_row(i, tr(p.remedy.text)))
        self._fit_list()
        only = problems[0].remedy if count == 1 else None
        self.remedy.setVisible(only is not None)
        self.remedy.setText(literal_label_text(tr(only.text)) if only is not None else "")
        if count:
            counted = tr("{count} problems. ", count=count) if count > 1 else ""
            self.problem.label.set_full_text(counted + tr(problems[0].text))
        if count < 2:
            self._set_list_open(False)

    def _remedy_button_row(self, index: int, text: str) -> QWidget:
        """A row of the list with the button, at its right end, that applies the remedy of a
        problem.
        """
        holder = QWidget()
        holder.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        button = self._remedy_button(text, index, "remedy")
        row_layout(1, button, on=holder, margins=(0, 0, theme.HALF, 0))
        return holder

    def _remedy_button(self, text: str, index: int, role: str = "flat") -> QPushButton:
        tip = tr("Apply this remedy. Undo takes it back.")
        return push_button(
            literal_label_text(text), partial(self._apply_remedy, index), tip=tip, role=role
        )

    def show_problem(self, key: int) -> None:
        """Open the list and scroll to the problems of an object."""
        rows = [i for i, p in enumerate(self._problems.all) if p.key == key]
        if rows and len(self._problems.all) > 1:
            self._set_list_open(True)
            self.list.setCurrentRow(rows[0])
            self.list.scrollToItem(self.list.item(rows[0]))

    def _apply_remedy(self, index: int) -> None:
        """Apply the remedy of a problem, and select its object if that still exists."""
        problem = self._problems.all[index]
        if problem.remedy is not None:
            if problem.key is not None:
                self._selection.set({problem.key})
            self._problems.apply_remedy(problem.remedy)
            if problem.key is not None and self._document.scene.get(problem.key) is None:
                self._selection.clear()

    def _toggle_list(self) -> None:
        self._set_list_open(self.list.isHidden())

    def _fit_list(self) -> None:
        """Make the list as high as its rows, at most `MAX_LINES` lines."""
        rows = range(min(self.list.count(), MAX_LINES))
        most = MAX_LINES * max(1, self.list.fontMetrics().lineSpacing())
        high = min(sum(map(self.list.sizeHintForRow, rows)), most)
        self.list.setFixedHeight(high + theme.HALF)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_list()

    def _set_list_open(self, opened: bool) -> None:
        self.list.setVisible(opened)
        self._fit_list()  # its buttons have their width once they are shown
        self.problem.button.setText(tr("Hide") if opened else tr("Show all"))

    def _select_objects(self, item: QListWidgetItem) -> None:
        key = item.data(Qt.ItemDataRole.UserRole)
        if key is not None:
            self._selection.set({key})


REFINED_TIP = tr(
    "The picture, the plot and the powers at detectors are means of draws: traces whose rays lie"
    " between those of the others and meet other chances. The error is the largest of theirs."
)
LEAVE_TIP = tr("Click to leave it as it is.")
MESSAGE_MS = 6_000
"""How long a message is shown in the place of the pointer's position."""


class StatusLine(QStatusBar):
    """The status line of the window. ``fixed_milliseconds`` replaces measured times, for
    reproducible screenshots.
    """

    def __init__(
        self,
        document: WorkDocument,
        service: TraceService,
        refinement: Refinement,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._service, self._refinement = document, service, refinement
        self.fixed_milliseconds: float | None = None
        self._preview = False
        """Whether the canvas currently shows only part of the segments."""
        self.setSizeGripEnabled(False)
        self.setContentsMargins(theme.HALF, 0, theme.GRID, 0)
        self.position = self._add_label("000000.00, 000000.00 mm", LEFT)
        self.truncated = self._add_label("")
        self.segments = self._add_label("")
        self.time = self._add_label("10000.0 ms")
        self.state = _status_button("ready", "status")
        self.state.clicked.connect(service.stop)
        self.refined = _status_button("", "status")
        """How far the light is refined; a click stops it."""
        self.refined.clicked.connect(refinement.stop)
        self.refined.hide()
        self.programs = _status_button(tr("programs may connect"), "status-warning")
        """Shown while other programs may connect to this window; a click opens the menu that ends
        it.
        """
        self.programs.hide()
        self.addWidget(self.position)
        parts = (self.programs, self.truncated, self.segments, self.time, self.refined, self.state)
        for part in parts:
            self.addPermanentWidget(part)
        document.resultChanged.connect(self._show_result)
        document.changed.connect(lambda: self._show_state(service.state))
        service.stateChanged.connect(self._show_state)
        refinement.changed.connect(self._show_refinement)
        self._show_result(document.result)
        self._show_state(service.state)

    def _add_label(self, widest: str, align: Qt.AlignmentFlag = RIGHT) -> QLabel:
        label = QLabel(self)
        label.setAlignment(align)
        label.setMinimumWidth(theme.text_pixel_width(widest) + theme.GRID)
        label.setContentsMargins(theme.HALF, 0, theme.HALF, 0)
        return label

    def show_cursor(self, at: Point | None, pixel: float = 1.0) -> None:
        """Show the pointer's position with the decimals that a pixel can resolve. ``pixel`` is the
        size of a pixel in scene units.
        """
        decimals, text = -math.floor(math.log10(pixel)), ""
        if at is not None:
            x, y = (format_decimals(value, decimals) for value in at)
            text = tr("{x}, {y} {unit}", x=x, y=y, unit=self._document.document.unit)
        self.position.setText(text)

    def show_program_access(self, allowed: bool, url: str) -> None:
        """Show whether other programs may connect to this window. ``url`` is empty until they can
        connect.
        """
        self.programs.setText(
            tr("programs may connect") if url else tr("letting programs connect…")
        )
        self.programs.setToolTip(
            tr("Other programs may use this window's tools at {url}. Click to end it.", url=url)
            if url
            else ""
        )
        self.programs.setVisible(allowed)

    def show_painted_count(self, painted: int, total: int) -> None:
        """Show how many of all segments are painted."""
        result, preview = self._document.result, painted < total
        if self._preview != preview:
            self._preview = preview
            self._show_state(self._service.state)
        if preview:
            counts = tr(
                "{painted} of {total}", painted=grouped_digits(painted), total=grouped_digits(total)
            )
            self.segments.setText(tr("showing {counts} segments", counts=counts))
        elif result is not None:
            self.segments.setText(tr("{count} segments", count=grouped_digits(len(result))))

    def _show_result(self, result: TraceResult | None) -> None:
        self.segments.setText(
            "" if result is None else tr("{count} segments", count=grouped_digits(len(result)))
        )
        self.segments.setToolTip(tr("Number of traced ray segments."))
        if result is None:
            self.time.setText("")
            self.truncated.setText("")
            return
        spent = result.milliseconds if self.fixed_milliseconds is None else self.fixed_milliseconds
        self.time.setText(tr("{spent:.1f} ms", spent=spent))
        scene = self._document.scene
        out = OmittedLight.of_trace(result, scene)
        parts = ((out.weak, tr("too weak to follow")), (out.deep, tr("beyond the largest depth")))
        texts = [
            tr("{share:.3g} % {why}", share=100 * share, why=why) for share, why in parts if share
        ]
        self.truncated.setText(", ".join(texts))
        self.truncated.setToolTip(f"{tr(omitted_light_text(scene, [out]))}." if texts else "")
        self._show_state(self._service.state)

    def _show_state(self, state: TraceState) -> None:
        tracing, text = state is TraceState.TRACING, self._state_text(state)
        self.state.setText(text)
        self.state.setEnabled(tracing)
        self.state.setToolTip(STOP_TIP if tracing else "")
        role = "status" if tracing or text in (READY, PREVIEW, COMPLETE) else "status-warning"
        if self.state.property("role") != role:
            theme.set_role(self.state, role)

    def _show_refinement(self) -> None:
        """Show the number of draws of which the light is the mean, and the error."""
        running, refined = self._refinement.is_running, self._refinement.shown_result
        self.refined.setVisible(refined is not None)
        self.refined.setEnabled(running)
        self.refined.setToolTip(REFINED_TIP + ("\n" + LEAVE_TIP if running else ""))
        if refined is not None:
            words = refined.words
            self.refined.setText(
                tr("refining: {words}", words=words)
                if running
                else tr("refined: {words}", words=words)
            )

    def _state_text(self, state: TraceState) -> str:
        result, progress = self._document.result, self._service.progress
        if state is TraceState.TRACING:
            count = (
                tr(" {count} segments", count=grouped_digits(progress.segments))
                if progress is not None
                else ""
            )
            return tr("tracing{count}, click to stop", count=count)
        if state is TraceState.PREPARING:
            return tr("preview: a part of the rays")
        if state is TraceState.FAILED:
            return tr("not traced")
        if result is None:
            return READY
        if result.completion == Completion.REDUCED:
            return tr("reduced while dragging")
        if result.revision != self._document.document.revision:
            return tr("stale")
        if result.completion != Completion.COMPLETE:
            return tr("partial: {words}", words=result.completion.text)
        return PREVIEW if self._preview else COMPLETE


def _status_button(text: str, role: str) -> QPushButton:
    button = describe_widget(QPushButton(text), role=role)
    button.setCursor(Qt.CursorShape.PointingHandCursor)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
