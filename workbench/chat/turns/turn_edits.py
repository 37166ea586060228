"""The line below an answer that lists what the turn changed, with a button that reverts it."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from core.history import Step
from core.view import View
from workbench import theme
from workbench.document import WorkDocument
from workbench.words.labels import WrappedLabel


class TurnEdits(QWidget):
    """The edits of a turn, whose steps in the history have the merge key ``key``.

    ``reverted`` carries a sentence for the model. ``before`` and ``after`` are the views before and after the turn; ``what`` names the
    turn on the button.
    """

    reverted = Signal(str)

    def __init__(
        self, key: str, before: View, after: View, document: WorkDocument, parent: QWidget | None = None, what: str = "turn"
    ) -> None:
        super().__init__(parent)
        self._key, self._views, self._document = key, (before, after), document
        self._done = False
        self.words = "; ".join(step.text for step in self._steps)
        self.text = WrappedLabel(f"Changed: {self.words}", self, role="dim")
        self.button = QPushButton(f"Revert this {what}", self)
        self.button.setToolTip(f"Take back what this {what} changed, except what was changed since")
        self.button.clicked.connect(self._revert)
        line = QHBoxLayout()
        line.addWidget(self.button)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.HALF)
        column.addWidget(self.text)
        column.addLayout(line)
        document.changed.connect(self._refresh)

    @property
    def _steps(self) -> list[Step]:
        return [step for step in self._document.session.history.done if step.merge_key == self._key]

    def _refresh(self, *_: object) -> None:
        """Follow the history: undo also reverts a turn, and redo repeats it."""
        if not self._done:
            undone = not self._steps
            self.button.setEnabled(not undone)
            self.text.setText(f"{'Undone' if undone else 'Changed'}: {self.words}")

    def _revert(self) -> None:
        skipped = self._document.revert(self._key)
        self._done = True
        before, after = self._views
        now = self._document.session.view
        same = {
            name: getattr(before, name) for name in ("camera", "ray_filter", "specific_rays") if getattr(now, name) == getattr(after, name)
        }
        self._document.set_view(dataclasses.replace(now, **same))
        kept = f" Not reverted, since changed in the meantime: {', '.join(skipped)}." if skipped else ""
        self.text.setText(f"Reverted: {self.words}.{kept}")
        self.button.hide()
        self.reverted.emit(f"[The person took back what you changed: {self.words}.{kept}]")
