"""The studies that are saved in the document, by name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from raybench.errors import RaybenchError
from raybench.scene.changes import SetDocument
from raybench.study.request import StudyRequest
from raybench_workbench import theme
from raybench_workbench.dialogs.name_dialog import NameDialog
from raybench_workbench.document import WorkDocument
from raybench_workbench.window.wheel import scrolls_form
from raybench_workbench.words.elided_choice import ElidedChoice

LEAST_WIDTH = 48
"""Smallest width of the list, in pixels."""
TITLE = "Saved studies"


class SavedStudies(QWidget):
    """A line with the saved studies, and buttons that save another and remove one. ``request``
    gives the study to save.
    """

    chosen = Signal(object)
    """The `StudyRequest` that was chosen."""
    failed = Signal(str)
    """Why one that was chosen cannot be read."""

    def __init__(self, document: WorkDocument, request: Callable[[], StudyRequest]) -> None:
        super().__init__()
        self._document, self._request = document, request
        self.list = ElidedChoice()
        self.list.setAccessibleName(TITLE)
        self.list.setPlaceholderText(TITLE)
        self.list.setSizeAdjustPolicy(
            ElidedChoice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )  # the buttons need the room
        self.list.setMinimumWidth(LEAST_WIDTH)
        scrolls_form(self.list)
        self.save_button, self.remove_button = QPushButton("Save…"), QPushButton("Remove")
        self.save_button.setToolTip("Save this study in the document, under a name")
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(theme.HALF)
        line.addWidget(self.list, 1)
        line.addWidget(self.save_button)
        line.addWidget(self.remove_button)
        self.list.activated.connect(self._choose)
        self.save_button.clicked.connect(self.ask_save)
        self.remove_button.clicked.connect(self.remove)
        document.changed.connect(self._show)
        self._show()

    def ask_save(self) -> None:
        """Ask for a name, and save the study in the document."""
        suggested = self.list.currentText() or next(iter(self._request().vary), "")
        NameDialog("Save study", "Name of the study", suggested, self.save, self).open()

    def save(self, name: str) -> str:
        """Save the study in the document under a name, in place of another of that name; returns
        why that is refused.
        """
        if not name.strip():
            return "A study needs a name."
        if reason := self._document.attempt(
            SetDocument(
                studies={**self._document.document.studies, name.strip(): self._request().to_json()}
            )
        ):
            return reason
        self.list.setCurrentText(name.strip())
        self._show()
        return ""

    def remove(self) -> None:
        """Remove the chosen study from the document."""
        name = self.list.currentText()
        self._document.change(
            SetDocument(
                studies={k: v for k, v in self._document.document.studies.items() if k != name}
            )
        )

    def _choose(self, index: int) -> None:
        try:
            self.chosen.emit(
                StudyRequest.from_json(self._document.document.studies[self.list.itemText(index)])
            )
        except RaybenchError as error:
            self.failed.emit(str(error))
        self._show()

    def _show(self, *_: object) -> None:
        names = list(self._document.document.studies)
        if [self.list.itemText(i) for i in range(self.list.count())] != names:
            now = self.list.currentText()
            self.list.clear()
            self.list.addItems(names)
            self.list.setCurrentIndex(self.list.findText(now))
        self.list.setEnabled(bool(names))
        self.remove_button.setEnabled(self.list.currentIndex() >= 0)
