"""Labels of plain text: elided on one line, or wrapped."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import (
    QClipboard,
    QContextMenuEvent,
    QFontMetrics,
    QFontMetricsF,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QLabel, QMenu, QSizePolicy, QWidget

from raybench_workbench import theme
from raybench_workbench.words.plain_text import ZERO_WIDTH_SPACE, breakable, tool_tip

MAX_CHARACTERS = 2_000
"""Number of characters of a text that are measured: more than fit across any screen."""
_INTERACTION = {
    True: Qt.TextInteractionFlag.TextSelectableByMouse,
    False: Qt.TextInteractionFlag.NoTextInteraction,
}


def measurable(text: str) -> str:
    """A text that is quick to measure: a very long one is reduced to its beginning and end."""
    return (
        text
        if len(text) <= MAX_CHARACTERS
        else f"{text[: MAX_CHARACTERS // 2]}…{text[-MAX_CHARACTERS // 2 :]}"
    )


def elided_to(
    text: str,
    metrics: QFontMetrics | QFontMetricsF,
    width: float,
    *,
    at: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
) -> str:
    """A text of any length in one line, elided to a width in pixels."""
    return metrics.elidedText(" ".join(measurable(text).split()), at, width)  # type: ignore[arg-type]


class ElidedLabel(QLabel):
    """A label of one line, as wide as its layout allows; what does not fit is elided, in the middle
    where names stand at both ends. The full text is its tool tip.
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
        self.setToolTip(tool_tip(self._full_text))
        self._elide()

    def _elide(self) -> None:
        self.setText(
            elided_to(
                self._full_text, QFontMetrics(self.font()), max(0, self.width() - 2), at=self._at
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


class WrappedLabel(QLabel):
    """A label wrapped to as many lines as it needs, at any width, also within long words. What is
    copied from it has no marks of breaks.
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
        super().setText(breakable(text))

    def selectedText(self) -> str:
        return super().selectedText().replace(ZERO_WIDTH_SPACE, "")

    def select_all(self) -> None:
        self.setSelection(0, len(super().text()))

    def copy(self, to: QClipboard.Mode = QClipboard.Mode.Clipboard) -> None:
        QGuiApplication.clipboard().setText(self.selectedText(), to)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and self.hasSelectedText():
            self.copy()
        else:
            super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if self.hasSelectedText() and QGuiApplication.clipboard().supportsSelection():
            self.copy(QClipboard.Mode.Selection)  # in place of Qt's, which has the marks

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if not self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse:
            return super().contextMenuEvent(event)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy", lambda: self.copy()).setEnabled(self.hasSelectedText())
        menu.addAction("Select All", lambda: self.select_all())
        menu.popup(event.globalPos())
        return None


class Hint(WrappedLabel):
    """What an empty panel says in its middle: what it shows, and what to do for it."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent, role="dim")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContentsMargins(*[theme.GRID] * 4)


class NoMatch(Hint):
    """What a list says instead of its rows while a search finds none; hidden at first."""

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
