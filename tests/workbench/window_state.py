"""What tests read of a window's document, and what they type into its fields."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from raybench.kinds.object import SceneObject
from raybench_workbench.main_window import MainWindow


def named(window: MainWindow, name: str) -> SceneObject:
    """The object of a title."""
    return next(o for o in window.document.scene.objects if o.title == name)


def selected(window: MainWindow) -> set[str]:
    """The titles of the selected objects."""
    return {o.title for o in window.document.scene.objects if o.key in window.selection.keys}


def select(window: MainWindow, *names: str) -> None:
    """Select the objects of some titles."""
    window.selection.set(o.key for o in window.document.scene.objects if o.title in names)


def steps(window: MainWindow) -> list[str]:
    """The history in its words."""
    return [s.text for s in window.document.session.history.done]


def typed(qtbot: Any, edit: QLineEdit, text: str) -> None:
    """Type a text in place of that of a field, and press Enter."""
    edit.setFocus()
    edit.selectAll()
    qtbot.keyClicks(edit, text)
    qtbot.keyClick(edit, Qt.Key.Key_Return)


def wheel(widget: QWidget) -> None:
    """Turn the wheel over the middle of a widget by one step, down."""
    top = widget.window()
    QTest.wheelEvent(
        top.windowHandle(), QPointF(widget.mapTo(top, widget.rect().center())), QPoint(0, -120)
    )
    QApplication.processEvents()
