"""Completion of names in a line edit, by any part of a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

from raybench_workbench import theme

MOST_SHOWN = 10


def is_choosing(line: QLineEdit) -> bool:
    """Whether a name is selected in the list of completions: Enter then inserts it and must do
    nothing else.
    """
    popup = line.completer().popup() if line.completer() is not None else None
    return popup is not None and popup.isVisible() and popup.currentIndex().isValid()


def complete_with(line: QLineEdit, names: Callable[[], Sequence[str]]) -> None:
    """Offer names that contain the typed text, ignoring case; ``names`` is called whenever the text
    is edited.
    """
    known = QStringListModel(line)
    completer = QCompleter(known, line)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(MOST_SHOWN)
    popup = completer.popup()
    assert popup is not None  # it is made when it is first asked for
    theme.set_role(popup, "popup")
    line.setCompleter(completer)
    line.textEdited.connect(lambda _text: known.setStringList(list(names())))
