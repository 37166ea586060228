"""Dialogs that ask for one value take what is typed right after they open, without a click into
their field.
"""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QMessageBox
from quiet import nothing_raised_or_printed
from shiboken6 import isValid
from window_state import select

from raybench.scene.changes import Delete
from raybench.scene.labels import labelled_edges
from raybench_workbench.dialogs import EdgeDialog, NameDialog, TextDialog, ValueDialog

pytestmark = pytest.mark.one_window


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("file.open_link", "https://example.org/#scene"),
        ("file.save_template", "Prisms"),
        ("arrange.rotate", "7"),
        ("arrange.make_module", "Pair"),
    ],
)
def test_typing_replaces_what_a_dialog_holds(window, qtbot, action, text):
    select(window, "Main Prism")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.actions_by_id[action].trigger()
    (dialog,) = window.findChildren(ValueDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    qtbot.keyClicks(QApplication.focusWidget(), text)
    edit = dialog.edit
    assert (edit.text() if hasattr(edit, "text") else edit.toPlainText()) == text
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert QApplication.focusWidget() in dialog.findChild(QDialogButtonBox).buttons()
    dialog.reject()


@pytest.mark.parametrize(("kind", "text"), [(NameDialog, "Prisms"), (TextDialog, "{}")])
@pytest.mark.parametrize("refused", ["", "There is one already."])
def test_a_dialog_closed_by_a_question_stays_closed(window, kind, text, refused):
    def act(_text):
        def answer():
            dialog.close()
            QApplication.sendPostedEvents(dialog, QEvent.Type.DeferredDelete)
            QApplication.activeModalWidget().reject()

        QTimer.singleShot(0, answer)
        QMessageBox(window).exec()
        return refused

    dialog = kind("Ask", "A value", text, act, window)
    dialog.open()
    with nothing_raised_or_printed([]) as check:
        QTimer.singleShot(0, dialog.accept_value)
        QApplication.processEvents()
        check()
    assert not isValid(dialog)


def edge_dialog(window, qtbot, name):
    select(window, name)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.actions_by_id["edit.label_edges"].trigger()
    (dialog,) = window.findChildren(EdgeDialog)
    qtbot.waitUntil(dialog.isActiveWindow)
    return dialog


def test_edges_are_labelled_in_one_step(window, qtbot):
    dialog = edge_dialog(window, qtbot, "Main Prism")
    assert [field.accessibleName() for field in dialog.fields.values()] == [
        f"Label of edge {short}" for short in shorts(window)
    ]
    first, second = list(dialog.fields.values())[:2]
    assert first.hasFocus()
    qtbot.keyClicks(first, "Entrance")
    qtbot.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus(), "Tab goes from edge to edge"
    qtbot.keyClicks(second, "Exit")
    qtbot.keyClick(second, Qt.Key.Key_Return)
    prism = window.document.scene.objects[1]
    assert window.document.document.edge_labels == {
        prism.key: dict(zip(list(dialog.fields)[:2], ("Entrance", "Exit"), strict=True))
    }
    assert len(window.document.session.history.done) == 1
    qtbot.waitUntil(lambda: not window.findChildren(EdgeDialog))
    again = edge_dialog(window, qtbot, "Main Prism")
    field = next(f for f in again.fields.values() if f.text() == "Exit")
    field.setFocus()
    field.selectAll()
    qtbot.keyClick(field, Qt.Key.Key_Delete)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert list(window.document.document.edge_labels[prism.key].values()) == ["Entrance"]


def test_one_label_for_two_edges_is_refused(window, qtbot):
    dialog = edge_dialog(window, qtbot, "Main Prism")
    first, second = list(dialog.fields.values())[:2]
    for field in (first, second):
        field.setFocus()
        qtbot.keyClicks(field, "Entrance")
    qtbot.keyClick(second, Qt.Key.Key_Return)
    assert "Two edges of 'Main Prism' would be labelled 'Entrance'" in dialog.reason.text()
    assert not window.document.document.edge_labels
    dialog.reject()


def test_a_label_of_a_gone_object_is_refused(window, qtbot):
    dialog = edge_dialog(window, qtbot, "Main Prism")
    window.document.change(Delete("Main Prism"))
    field = next(iter(dialog.fields.values()))
    qtbot.keyClicks(field, "Entrance")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert dialog.reason.text()
    assert dialog.isVisible()
    dialog.reject()


def test_only_what_has_edges_can_have_them_labelled(window):
    action = window.actions_by_id["edit.label_edges"]
    select(window, "Lamp")
    assert not action.isEnabled()
    select(window, "Main Prism", "Screen")
    assert not action.isEnabled()
    select(window, "Screen")
    assert action.isEnabled()


def shorts(window):
    return [edge.short for edge in labelled_edges(window.document.scene.objects[1])]
