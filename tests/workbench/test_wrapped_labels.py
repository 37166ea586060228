"""Labels that wrap: the whole text is read at any width, and what is copied is the text itself."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu

from raybench_workbench.widgets import WrappedLabel

PATH = "see /" + "a-folder-with-a-long-name/" * 8 + "scene.json"


@pytest.fixture
def label(qtbot):
    label = WrappedLabel(PATH, selectable=True)
    qtbot.addWidget(label)
    label.resize(200, 200)
    with qtbot.waitExposed(label):
        label.show()
    QGuiApplication.clipboard().clear()
    return label


def test_a_long_word_of_a_selectable_label_needs_no_more_than_its_width(label):
    assert label.heightForWidth(200) >= 5 * label.fontMetrics().height()
    assert label.text() == PATH


def test_a_text_is_copied_by_keyboard_without_marks_of_breaks(label, qtbot):
    label.setFocus()
    label.select_all()
    qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == PATH


def test_a_text_is_copied_by_the_context_menu(label, qtbot):
    QApplication.sendEvent(
        label,
        QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, QPoint(5, 5), label.mapToGlobal(QPoint(5, 5))
        ),
    )
    (menu,) = label.findChildren(QMenu)
    copy, select_all = menu.actions()
    assert not copy.isEnabled(), "nothing is selected"
    select_all.trigger()
    menu.close()
    assert label.selectedText() == PATH
    label.contextMenuEvent(
        QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, QPoint(5, 5), label.mapToGlobal(QPoint(5, 5))
        )
    )
    menu = label.findChildren(QMenu)[-1]
    menu.actions()[0].trigger()
    menu.close()
    assert QGuiApplication.clipboard().text() == PATH


def test_a_label_that_is_not_selectable_leaves_its_context_menu_to_its_panel(qtbot):
    label = WrappedLabel("a title")
    qtbot.addWidget(label)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, QPoint(5, 5), QPoint(5, 5))
    label.contextMenuEvent(event)
    assert not event.isAccepted()
    assert not label.findChildren(QMenu)
