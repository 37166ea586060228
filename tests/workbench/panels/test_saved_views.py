"""Saved views: kept under a name with the document, shown again, removed."""

from __future__ import annotations

import pytest
from prism_window import prism_document
from PySide6.QtWidgets import QInputDialog

from core.errors import SceneFileError
from core.files.document_file import document_from_json, document_to_json
from workbench import editing


def entries(window):
    menu = window.menus["Saved views"]
    menu.aboutToShow.emit()
    return {a.text(): a for a in menu.actions() if a.text()}


def test_what_is_seen_is_kept_under_a_name_and_comes_back(open_window, monkeypatch):
    window = open_window(prism_document())
    window.canvas.navigation.zoom(3)
    window.color_rays("depth")
    close = window.canvas.camera
    monkeypatch.setattr(QInputDialog, "getText", lambda *a, **k: ("Close", True))
    entries(window)["Save this view…"].trigger()
    assert window.document.session.history.undo_text == "Document: view Close kept"
    window.canvas.navigation.fit()
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
    editing.undo(window)
    assert list(window.document.document.views) == ["Close"]


def test_a_view_without_a_size_is_refused():
    data = document_to_json(prism_document()) | {"views": {"none": {"x": 0, "y": 0, "width": 0, "height": 5}}}
    with pytest.raises(SceneFileError, match="'views' cannot be read"):
        document_from_json(data)
