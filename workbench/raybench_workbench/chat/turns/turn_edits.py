"""The line below an answer that lists what the turn changed, with a button that reverts it."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from raybench.session import Step
from raybench.view import View
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.words.labels import WrappedLabel


class TurnEdits(QWidget):
    """The edits of a turn, whose steps in the history have the merge key ``key``.

    ``reverted`` carries a sentence for the model. ``before`` and ``after`` are the views before and
    after the turn; ``what`` names the turn on the button.
    """

    reverted = Signal(str)

    def __init__(
        self,
        key: str,
        before: View,
        after: View,
        document: WorkDocument,
        parent: QWidget | None = None,
        what: str = "turn",
    ) -> None:
        super().__init__(parent)
        self._key, self._views, self._document = key, (before, after), document
        self._by_undo = False
        """Whether the turn was reverted by an undo."""
        self._kept = ""
        """What the revert left, in words."""
        self._reverting: Step | None = None
        """The step of the history by which the turn was reverted otherwise."""
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
        """Follow the history: undo also reverts a turn, and redo repeats it; undo takes a revert
        back.
        """
        undone = not self._steps
        self._by_undo = self._by_undo and undone
        reverted = self._by_undo or any(
            step is self._reverting for step in self._document.session.history.done
        )
        self.button.setVisible(not reverted)
        self.button.setEnabled(not undone)
        state = "Reverted" if reverted else "Undone" if undone else "Changed"
        self.text.setText(
            f"{state}: {self.words}" + (f".{self._kept}" if reverted or self._kept else "")
        )

    def _revert(self) -> None:
        steps = len(self._document.session.history.done)
        skipped = self._document.revert(self._key)
        done = self._document.session.history.done
        self._by_undo, self._reverting = len(done) < steps, done[-1] if len(done) > steps else None
        self._kept = (
            f" Not reverted, since changed in the meantime: {', '.join(skipped)}."
            if skipped
            else ""
        )
        before, after = self._views
        now = self._document.session.view
        same = {
            name: getattr(before, name)
            for name in ("camera", "ray_filter", "specific_rays")
            if getattr(now, name) == getattr(after, name)
        }
        self._document.set_view(dataclasses.replace(now, **same))
        self._refresh()
        self.reverted.emit(f"[The person took back what you changed: {self.words}.{self._kept}]")
