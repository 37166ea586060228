"""A strip above the canvas with the last error, what is being compiled, the state of the file on disk and the problems of the scene;
hidden while empty."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from core.scene.problems import Problem, problems_of
from workbench import theme
from workbench.document import WorkDocument
from workbench.selection import Selection

MAX_VISIBLE = 5
"""Number of problems visible in the open list without scrolling."""


class ElidedLabel(QLabel):
    """A label of one line that is elided in the middle if it does not fit; the full text is its tool tip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._full_text = ""
        self.setMinimumWidth(0)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)

    @property
    def full_text(self) -> str:
        return self._full_text

    def set_full_text(self, text: str) -> None:
        self._full_text = " ".join(text.split())
        self.setToolTip(self._full_text)
        self._elide()

    def _elide(self) -> None:
        self.setText(QFontMetrics(self.font()).elidedText(self._full_text, Qt.TextElideMode.ElideMiddle, max(0, self.width() - 2)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


class _Line(QWidget):
    def __init__(self, role: str, button: str, parent: QWidget) -> None:
        super().__init__(parent)
        theme.set_role(self, "bar")
        self.label = ElidedLabel(self)
        theme.set_role(self.label, role)
        self.label.setSizePolicy(self.label.sizePolicy().Policy.Ignored, self.label.sizePolicy().Policy.Preferred)
        self.button = QPushButton(button, self)
        theme.set_role(self.button, "flat")
        line = QHBoxLayout(self)
        line.setContentsMargins(theme.GRID, 2, theme.HALF, 2)
        line.addWidget(self.label, 1)
        line.addWidget(self.button)
        self.hide()


class Messages(QWidget):
    """Errors stay until they are dismissed or the document changes; problems stay while the scene has them."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._problems: tuple[Problem, ...] = ()
        self.error = _Line("error", "Dismiss", self)
        self.compiling = _Line("accent", "", self)
        self.compiling.button.hide()
        self.file = _Line("warning", "Reload", self)
        self.file.button.setToolTip("Show the version on disk. Undo brings back what is shown now.")
        self.problem = _Line("warning", "Show all", self)
        self.list = QListWidget(self)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setAccessibleName("Problems of the scene")
        self.list.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self.error, self.compiling, self.file, self.problem, self.list):
            column.addWidget(part)
        self.error.button.clicked.connect(self.error.hide)
        self.problem.button.clicked.connect(self._toggle)
        self.list.itemClicked.connect(self._select)
        document.failed.connect(self.show_error)
        document.changed.connect(self._document_changed)
        document.fullResultReady.connect(self._check)
        document.opened.connect(self._check)
        self._check()

    def show_error(self, text: str) -> None:
        self.error.label.set_full_text(text)
        self.error.show()

    def show_compiling(self, text: str) -> None:
        """Show how far the compilation of the kernels is; hidden if the text is empty."""
        self.compiling.label.set_full_text(f"First start on this computer: the tracer is being prepared, and slow until then. {text}")
        self.compiling.setVisible(bool(text))

    def show_file_state(self, state: str) -> None:
        """Show the state of the document's file, relative to what was opened or saved: ``same``, ``changed`` or ``gone``."""
        path = self._document.session.path
        if path is not None:
            gone = f"{path.name} was moved or deleted on disk. Save writes it again."
            self.file.label.set_full_text(gone if state == "gone" else f"{path.name} was changed on disk by another program.")
        self.file.button.setVisible(state == "changed")
        self.file.setVisible(state != "same")

    def _document_changed(self) -> None:
        self.error.hide()
        if self._document.gesture is None:
            self._check()

    def _check(self, _: object = None) -> None:
        result = self._document.session.fresh_result
        optical = self._document.scene.optical
        owner = self._document.scene.owner_of
        warned = tuple(
            Problem(owner(optical[w.index].key) if 0 <= w.index < len(optical) else None, w.text)
            for w in (result.warnings if result else ())
        )
        problems = tuple(dict.fromkeys(problems_of(self._document.scene) + warned))
        if problems == self._problems:
            return
        self._problems = problems
        count = len(problems)
        self.problem.setVisible(count > 0)
        self.problem.button.setVisible(count > 1)
        self.list.clear()
        for p in problems:
            item = QListWidgetItem(p.text)
            item.setToolTip(p.text)
            item.setData(Qt.ItemDataRole.UserRole, p.key)
            self.list.addItem(item)
        self.list.setFixedHeight(min(count, MAX_VISIBLE) * max(1, self.list.sizeHintForRow(0)) + theme.HALF)
        if count:
            self.problem.label.set_full_text(problems[0].text if count == 1 else f"{count} problems. {problems[0].text}")
        if count < 2:
            self._set_open(False)

    def _toggle(self) -> None:
        self._set_open(self.list.isHidden())

    def _set_open(self, opened: bool) -> None:
        self.list.setVisible(opened)
        self.problem.button.setText("Hide" if opened else "Show all")

    def _select(self, item: QListWidgetItem) -> None:
        key = item.data(Qt.ItemDataRole.UserRole)
        if key is not None:
            self._selection.set({key})
