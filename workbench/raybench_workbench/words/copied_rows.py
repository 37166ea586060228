"""The selected rows of a table as text: copied, they can be pasted into a spreadsheet or an editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QTableView

from raybench.errors import one_line
from raybench.files.csv_text import cell_text

MOST_COPIED = 10_000
"""Rows that are copied at most; more are written to a file."""


def tab_separated(lines: Iterable[Sequence[str]]) -> str:
    """Lines of cells with tabs between them, none of which a spreadsheet would calculate."""
    return "\n".join("\t".join(cell_text(one_line(cell)) for cell in line) for line in lines)


def add_copy(
    table: QTableView, titles: Callable[[], Sequence[str]], refused: Callable[[str], None]
) -> QAction:
    """Give a table the action “Copy” (Ctrl+C), first in its context menu: the selected rows, below
    the titles of the columns.

    ``refused`` is called with the reason if too many are selected.
    """

    def copy() -> None:
        chosen, model = table.selectionModel().selection().toList(), table.model()
        if sum(r.height() for r in chosen) > MOST_COPIED:
            refused(f"At most {MOST_COPIED:,} rows can be copied. Export them to a file instead.")
            return
        rows = sorted(row for r in chosen for row in range(r.top(), r.bottom() + 1))
        if not rows:
            return  # what was copied before is more than titles alone
        cells = [
            [str(model.index(row, k).data()) for k in range(model.columnCount())] for row in rows
        ]
        QApplication.clipboard().setText(tab_separated([titles(), *cells]))

    action = QAction("Copy", table)
    action.setShortcut(QKeySequence.StandardKey.Copy)
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
    action.triggered.connect(copy)
    table.addAction(action)
    table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
    return action
