"""Labels of plain text: elided on one line, or wrapped."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QSizePolicy, QWidget

from workbench import theme
from workbench.words.plain_text import breakable, tool_tip

MAX_CHARACTERS = 2_000
"""Number of characters of a text that are measured: more than fit across any screen."""
_INTERACTION = {True: Qt.TextInteractionFlag.TextSelectableByMouse, False: Qt.TextInteractionFlag.NoTextInteraction}


def measurable(text: str) -> str:
    """A text that is quick to measure: a very long one is reduced to its beginning and end."""
    return text if len(text) <= MAX_CHARACTERS else f"{text[: MAX_CHARACTERS // 2]}…{text[-MAX_CHARACTERS // 2 :]}"


def elided_to(
    text: str, metrics: QFontMetrics | QFontMetricsF, width: float, *, at: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
) -> str:
    """A text of any length in one line, elided to a width in pixels."""
    return metrics.elidedText(" ".join(measurable(text).split()), at, width)  # type: ignore[arg-type]


class ElidedLabel(QLabel):
    """A label of one line, as wide as its layout allows; what does not fit is elided, in the middle where names stand at both ends.
    The full text is its tool tip."""

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
        self.setText(elided_to(self._full_text, QFontMetrics(self.font()), max(0, self.width() - 2), at=self._at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


class WrappedLabel(QLabel):
    """A label wrapped to as many lines as it needs, at any width; within long words only where it is not selectable, since Qt would copy
    the marks of the breaks."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "", selectable: bool = False) -> None:
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
        selectable = self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
        super().setText(text if selectable else breakable(text))


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
