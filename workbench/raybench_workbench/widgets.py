"""General widgets and functions for texts: labels, choices, completion of names, and copying of
table rows.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from PySide6.QtCore import (
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QStringListModel,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QAction,
    QClipboard,
    QContextMenuEvent,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QBoxLayout,
    QComboBox,
    QCompleter,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from raybench.errors import one_line
from raybench.files.csv_text import without_spreadsheet_formula
from raybench_workbench import theme
from raybench_workbench.texts import ZERO_WIDTH_SPACE, breakable_text, literal_tool_tip
from raybench_workbench.translation import tr

W = TypeVar("W", bound=QWidget)
Item = QWidget | QLayout | int | tuple[QWidget | QLayout, int] | None
"""An item of a row or column: a widget or layout, with its stretch where it has one, the stretch of
a gap, or None for nothing.
"""
Index = QModelIndex | QPersistentModelIndex
LEFT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
RIGHT = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
"""Alignment of texts and of numbers in a table."""


def describe_widget(widget: W, *, name: str = "", tip: str = "", role: str = "") -> W:
    """Set the accessible name, the tool tip and the theme role of a widget; returns the widget."""
    if name:
        widget.setAccessibleName(name)
    if tip:
        widget.setToolTip(tip)
    if role:
        theme.set_role(widget, role)
    return widget


def push_button(
    text: str, act: Callable[[], object], *, name: str = "", tip: str = "", role: str = "flat"
) -> QPushButton:
    """A push button that calls ``act`` when it is pressed."""
    button = describe_widget(QPushButton(text), name=name, tip=tip, role=role)
    button.clicked.connect(lambda: act())
    return button


def set_vertical_scrolling(
    area: QScrollArea, content: QWidget | None = None, name: str = "", *, focus: bool = False
) -> None:
    """Make a scroll area show a content of fixed width, without a frame. With ``focus``, the area
    takes the focus and scrolls by keys; otherwise its fields take it.
    """
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    if not focus:
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    if content is not None:
        area.setWidget(content)


class SearchField(QLineEdit):
    """The search field above a list. Esc clears it, then emits ``exited``; Enter emits ``chosen``,
    and the down key emits ``listEntered``.
    """

    chosen = Signal()
    listEntered = Signal()
    exited = Signal()

    def __init__(self, name: str, placeholder: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setClearButtonEnabled(True)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.chosen.emit()
            case Qt.Key.Key_Down:
                self.listEntered.emit()
            case Qt.Key.Key_Escape if self.text():
                self.clear()
            case Qt.Key.Key_Escape:
                self.exited.emit()
            case _:
                super().keyPressEvent(event)


def row_layout(
    *items: Item,
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QHBoxLayout:
    """A layout with items from left to right, set on the widget ``on`` if it is given."""
    layout = QHBoxLayout() if on is None else QHBoxLayout(on)
    _fill_layout(layout, items, margins, spacing)
    return layout


def column_layout(
    *items: Item,
    on: QWidget | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
    spacing: int | None = None,
) -> QVBoxLayout:
    """A layout with items from top to bottom, set on the widget ``on`` if it is given."""
    layout = QVBoxLayout() if on is None else QVBoxLayout(on)
    _fill_layout(layout, items, margins, spacing)
    return layout


def _fill_layout(
    layout: QBoxLayout,
    items: Iterable[Item],
    margins: int | tuple[int, int, int, int] | None,
    spacing: int | None,
) -> None:
    if margins is not None:
        layout.setContentsMargins(*([margins] * 4 if isinstance(margins, int) else margins))
    if spacing is not None:
        layout.setSpacing(spacing)
    for item in items:
        widget, stretch = item if isinstance(item, tuple) else (item, 0)
        if isinstance(widget, int):
            layout.addStretch(widget)
        elif isinstance(widget, QLayout):
            layout.addLayout(widget, stretch)
        elif widget is not None:
            layout.addWidget(widget, stretch)


MAX_CHARACTERS = 2_000
"""Number of characters of a text that are measured: more than fit across any screen."""
_INTERACTION = {
    True: Qt.TextInteractionFlag.TextSelectableByMouse,
    False: Qt.TextInteractionFlag.NoTextInteraction,
}


def measurable_text(text: str) -> str:
    """A text that is quick to measure: only the beginning and the end of a very long text."""
    return (
        text
        if len(text) <= MAX_CHARACTERS
        else f"{text[: MAX_CHARACTERS // 2]}…{text[-MAX_CHARACTERS // 2 :]}"
    )


def elide_to_width(
    text: str,
    metrics: QFontMetrics | QFontMetricsF,
    width: float,
    *,
    at: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
) -> str:
    """A text as one line, elided to a width in pixels."""
    return metrics.elidedText(" ".join(measurable_text(text).split()), at, width)  # type: ignore[arg-type]


class ElidedLabel(QLabel):
    """A label with one line, as wide as its layout allows. A text that does not fit is elided, in
    the middle if names stand at both ends; the tool tip shows all of it.
    """

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        role: str = "",
        selectable: bool = True,
        at: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._full_text, self._at = "", at
        self.setMinimumWidth(0)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(_INTERACTION[selectable])
        if role:
            theme.set_role(self, role)

    @property
    def full_text(self) -> str:
        return self._full_text

    def set_full_text(self, text: str) -> None:
        self._full_text = " ".join(text.split())
        self.setToolTip(literal_tool_tip(self._full_text))
        self._elide_text()

    def _elide_text(self) -> None:
        self.setText(
            elide_to_width(
                self._full_text, QFontMetrics(self.font()), max(0, self.width() - 2), at=self._at
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide_text()


class WrappedLabel(QLabel):
    """A label that wraps its text at any width, also within long words. Text copied from it has no
    break marks.
    """

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        role: str = "",
        selectable: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setMinimumWidth(1)
        self.setTextInteractionFlags(_INTERACTION[selectable])
        self.setText(text)
        if role:
            theme.set_role(self, role)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        self._text = text
        super().setText(breakable_text(text))

    def selectedText(self) -> str:
        return super().selectedText().replace(ZERO_WIDTH_SPACE, "")

    def select_all(self) -> None:
        self.setSelection(0, len(super().text()))

    def copy_text(self, to: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        QGuiApplication.clipboard().setText(self.selectedText(), to)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self.copy_text()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.hasSelectedText() and QGuiApplication.clipboard().supportsSelection():
            self.copy_text(QClipboard.Mode.Selection)  # in place of Qt's, which has the marks

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            return super().contextMenuEvent(event)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Copy"), lambda: self.copy_text()).setEnabled(self.hasSelectedText())
        menu.addAction(tr("Select All"), lambda: self.select_all())
        menu.popup(event.globalPos())
        return None


class Hint(WrappedLabel):
    """A text in the middle of an empty panel: what the panel shows, and what to do to fill it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent, role="dim")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContentsMargins(*[theme.GRID] * 4)


class NoMatchHint(Hint):
    """A text shown instead of a list's rows while a search finds nothing; hidden at first."""

    def __init__(self, text: str, view: QAbstractItemView) -> None:
        super().__init__(text, view)
        self._view = view
        view.installEventFilter(self)
        self.hide()

    def setVisible(self, visible: bool) -> None:
        self.setGeometry(self._view.rect())
        super().setVisible(visible)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._view.rect())
        return super().eventFilter(watched, event)


class ElidedChoice(QComboBox):
    """A combo box that elides a long current text in the middle instead of cutting its end off. The
    tool tip shows the full text.
    """

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        parts, style = QStyle.SubControl, self.style()
        room = (
            style.subControlRect(
                QStyle.ComplexControl.CC_ComboBox, option, parts.SC_ComboBoxEditField, self
            ).width()
            - 2
        )
        option.currentText = elide_to_width(
            self.currentText() or self.placeholderText(), self.fontMetrics(), room
        )
        self.setToolTip(literal_tool_tip(self.currentText()))
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()


MOST_SHOWN = 10


def is_completion_selected(line: QLineEdit) -> bool:
    """Whether a name is selected in the completion list of a field. Enter then only inserts that
    name.
    """
    popup = line.completer().popup() if line.completer() is not None else None
    return popup is not None and popup.isVisible() and popup.currentIndex().isValid()


OPERATORS = "=+-*/^(,"
"""What stands before a name in a formula."""


def offer_name_completion(
    line: QLineEdit, names: Callable[[], Sequence[str]], separators: str = ""
) -> None:
    """Offer completions in a field: the names that contain the typed text, ignoring case. If
    ``separators`` is not empty, only the text after the last of these characters is completed, and
    names must begin with it. ``names`` is called whenever the text is edited.
    """

    def offered(text: str) -> list[str]:
        start = max((text.rfind(sign) for sign in separators), default=-1) + 1
        start += len(text[start:]) - len(text[start:].lstrip())
        return [text[:start] + name for name in names()] if text[start:] else []

    known = QStringListModel(line)
    completer = QCompleter(known, line)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(MOST_SHOWN)
    popup = completer.popup()
    assert popup is not None  # it is made when it is first asked for
    theme.set_role(popup, "popup")
    line.setCompleter(completer)
    line.textEdited.connect(lambda text: known.setStringList(offered(text)))


MOST_COPIED = 10_000
"""Rows that are copied at most; more are written to a file."""


def tab_separated_text(lines: Iterable[Sequence[str]]) -> str:
    """Lines of table cells joined by tabs, changed so that a spreadsheet does not read any cell as
    a formula.
    """
    return "\n".join(
        "\t".join(without_spreadsheet_formula(one_line(cell)) for cell in line) for line in lines
    )


def set_whole_row_selection(table: QTableView, name: str, height: int | None = None) -> None:
    """Set up a table in which the user selects whole rows, each ``height`` pixels high. It has no
    grid and no row numbers, and Tab leaves it.
    """
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.verticalHeader().hide()
    if height is not None:
        table.verticalHeader().setDefaultSectionSize(height)


def add_copy_action(
    table: QTableView, titles: Callable[[], Sequence[str]], refused: Callable[[str], None]
) -> QAction:
    """Add the action “Copy” (Ctrl+C) to a table, first in its context menu. It copies the selected
    rows below the column titles.

    ``refused`` is called with the reason if too many are selected.
    """

    def copy() -> None:
        chosen, model = table.selectionModel().selection().toList(), table.model()
        if sum(r.height() for r in chosen) > MOST_COPIED:
            refused(
                tr(
                    "At most {most:,} rows can be copied. Export them to a file instead.",
                    most=MOST_COPIED,
                )
            )
            return
        rows = sorted(row for r in chosen for row in range(r.top(), r.bottom() + 1))
        if not rows:
            return  # what was copied before is more than titles alone
        shown = [k for k in range(model.columnCount()) if not table.isColumnHidden(k)]
        cells = [[str(model.index(row, k).data()) for k in shown] for row in rows]
        heading = [titles()[k] for k in shown]
        QApplication.clipboard().setText(tab_separated_text([heading, *cells]))

    action = QAction(tr("Copy"), table)
    action.setShortcut(QKeySequence.StandardKey.Copy)
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(copy)
    table.addAction(action)
    table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    return action
