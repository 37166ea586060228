"""Completion of what is typed in a line, anywhere in a name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtWidgets import QCompleter, QLineEdit

MOST_SHOWN = 10


def is_choosing(line: QLineEdit) -> bool:
    """Whether a name that is offered is marked in the list: Enter then takes it, and sends nothing."""
    popup = line.completer().popup() if line.completer() is not None else None
    return popup is not None and popup.isVisible() and popup.currentIndex().isValid()


def complete_with(line: QLineEdit, names: Callable[[], Sequence[str]]) -> None:
    """Offer names that contain what is typed, whatever the case; they are asked for when something is typed."""
    known = QStringListModel(line)
    completer = QCompleter(known, line)
    completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    completer.setFilterMode(Qt.MatchFlag.MatchContains)
    completer.setMaxVisibleItems(MOST_SHOWN)
    line.setCompleter(completer)
    line.textEdited.connect(lambda _text: known.setStringList(list(names())))
