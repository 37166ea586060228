"""The frame of a dialog: a column with its margins, and its buttons."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QVBoxLayout

from raybench_workbench import theme


def dialog_column(dialog: QDialog, spacing: int = theme.GRID) -> QVBoxLayout:
    """The layout of a dialog: a column with margins."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(*[2 * theme.GRID] * 4)
    column.setSpacing(spacing)
    return column


def accept_and_cancel(dialog: QDialog, title: str) -> tuple[QDialogButtonBox, QPushButton]:
    """The buttons of a dialog that does one thing, called ``title``, and the button that does it.
    Tab visits them after what was laid out before them.
    """
    buttons = QDialogButtonBox()
    accept = buttons.addButton(title, QDialogButtonBox.ButtonRole.AcceptRole)
    buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons, accept
