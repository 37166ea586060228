"""Saved views: kept under a name with the document, shown again, removed."""

from __future__ import annotations

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt

from raybench.errors import SceneFileError
from raybench.files.document_file import document_from_json, document_to_json
from raybench.scene.changes import SetDocument
from raybench_workbench import editing
from raybench_workbench.dialogs import NameDialog

pytestmark = pytest.mark.one_window


def entries(window):
    menu = window.menus["Saved views"]
    menu.aboutToShow.emit()
    return {a.text(): a for a in menu.actions() if a.text()}


def keep(window, qtbot, name):
    entries(window)["Save this view…"].trigger()
    (dialog,) = window.findChildren(NameDialog)
    type_name(qtbot, dialog, name)
    return dialog


def type_name(qtbot, dialog, name):
    dialog.edit.selectAll()
    qtbot.keyClicks(dialog.edit, name)
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)


def test_a_name_that_is_refused_stays_with_its_reason(open_window, qtbot):
    window = open_window(prism_document())
    dialog = keep(window, qtbot, "   ")
    assert dialog.isVisible()
    assert dialog.edit.text() == "   "
    assert dialog.reason.text() == "A view needs a name."
    assert not window.document.document.views
    type_name(qtbot, dialog, "Close ")
    assert list(window.document.document.views) == ["Close"]
    qtbot.waitUntil(lambda: not window.findChildren(NameDialog))


def test_what_is_seen_is_kept_under_a_name_and_comes_back(open_window, qtbot):
    window = open_window(prism_document())
    window.canvas.navigation.zoom(3)
    window.color_rays("depth")
    close = window.canvas.camera
    keep(window, qtbot, "Close")
    assert window.document.session.history.undo_text == "Document: view Close saved"
    window.canvas.navigation.fit_scene()
    window.color_rays("")
    entries(window)["Close"].trigger()
    assert window.canvas.camera.scale == pytest.approx(close.scale)
    assert (window.canvas.camera.x, window.canvas.camera.y) == pytest.approx((close.x, close.y))
    assert window.document.session.view.coloring == "depth"
    again = document_from_json(document_to_json(window.document.document))
    assert again.views == window.document.document.views
    removal = entries(window)["Remove"].menu()
    removal.actions()[0].trigger()
    assert not window.document.document.views
    editing.undo_step(window)
    assert list(window.document.document.views) == ["Close"]


def test_a_view_that_is_removed_while_the_menu_is_open_can_still_be_chosen_there(
    open_window, qtbot
):
    window = open_window(prism_document())
    window.canvas.navigation.zoom(3)
    close = window.canvas.camera
    keep(window, qtbot, "Close")
    window.canvas.navigation.fit_scene()
    shown = entries(window)["Close"]
    window.document.apply([SetDocument(views={})])
    shown.trigger()
    assert window.canvas.camera.scale == pytest.approx(close.scale)


def test_a_view_without_a_size_is_refused():
    data = document_to_json(prism_document()) | {
        "views": {"none": {"x": 0, "y": 0, "width": 0, "height": 5}}
    }
    with pytest.raises(SceneFileError, match="'views' cannot be read"):
        document_from_json(data)
