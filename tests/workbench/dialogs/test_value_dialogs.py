"""Dialogs that ask for one value take what is typed right after they open, without a click into their field."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from window_state import select

from workbench.dialogs.value_dialog import ValueDialog


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("file.open_link", "https://example.org/#scene"),
        ("file.save_template", "Prisms"),
        ("arrange.rotate", "7"),
        ("arrange.make_module", "Pair"),
    ],
)
def test_what_is_typed_after_a_dialog_opens_replaces_what_its_field_holds(window, qtbot, action, text):
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
