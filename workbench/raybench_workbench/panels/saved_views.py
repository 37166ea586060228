"""Saved views of a window's document: save the visible part under a name, return to it, remove it."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

from raybench.raster.coloring import COLORINGS
from raybench.scene.changes import SetDocument
from raybench.scene.free_names import free_names
from raybench.scene.saved_view import SavedView
from raybench_workbench.dialogs.name_dialog import NameDialog
from raybench_workbench.words.plain_text import label_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from raybench_workbench.main_window import MainWindow


def ask_save(window: MainWindow) -> None:
    """Ask for a name and save the view under it."""
    views = window.document.document.views
    suggested = next(free_names("View", views))
    NameDialog(
        "Save this view", "Name of the view", suggested, partial(save, window), window
    ).open()


def save(window: MainWindow, name: str) -> str:
    """Save the visible part under a name, replacing a view of that name; returns why that is
    refused, or an empty text.
    """
    if not name.strip():
        return "A view needs a name."
    view = SavedView(
        *window.canvas.camera.rectangle(window.canvas.size_pair),
        window.document.session.view.coloring,
    )
    return _store(window, {**window.document.document.views, name.strip(): view})


def show(window: MainWindow, saved: SavedView) -> None:
    """Show a saved view."""
    coloring = saved.coloring if saved.coloring in COLORINGS else ""
    window.document.set_view(
        dataclasses.replace(window.document.session.view, camera=saved.camera, coloring=coloring)
    )


def remove(window: MainWindow, name: str) -> None:
    """Remove a saved view."""
    if refused := _store(
        window, {n: v for n, v in window.document.document.views.items() if n != name}
    ):
        window.document.failed.emit(refused)


def _store(window: MainWindow, views: dict[str, SavedView]) -> str:
    return window.document.attempt(
        SetDocument(views={name: view.to_json() for name, view in views.items()})
    )


def list_views(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the saved views, and the submenu that removes them."""
    menu.clear()
    views = window.document.document.views
    menu.addAction("Save this view…", partial(ask_save, window)).setEnabled(
        bool(window.document.scene.objects)
    )
    if views:
        menu.addSeparator()
        for name, saved in views.items():
            menu.addAction(label_text(name), partial(show, window, saved))
        menu.addSeparator()
        removal = menu.addMenu("Remove")
        for name in views:
            removal.addAction(label_text(name), partial(remove, window, name))
