"""Pages and docks of the main window that actions show: the library, the tree, the history, the settings, a study, a module's text."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDockWidget

from core.errors import RaybenchError

if TYPE_CHECKING:
    from core.study.request import StudyRequest
    from workbench.main_window import MainWindow


_SEEN = "seen"


def follow(dock: QDockWidget) -> None:
    """Note from now on whether a dock can be seen."""
    dock.visibilityChanged.connect(partial(dock.setProperty, _SEEN))


def is_seen(dock: QDockWidget) -> bool:
    """Whether a dock can be seen: Qt counts one behind another as visible."""
    return bool(dock.property(_SEEN))


def show(dock: QDockWidget) -> None:
    """Show a dock, in front of those that share its place."""
    dock.show()
    dock.raise_()


def toggle(dock: QDockWidget) -> None:
    """Hide a dock, or show it; one that is behind another comes to the front."""
    if is_seen(dock):
        dock.hide()
    else:
        show(dock)


def library_shown(window: MainWindow) -> bool:
    """Whether the library is seen."""
    return window.scene_dock.isVisible() and window.pages.currentWidget() is window.library


def toggle_library(window: MainWindow) -> None:
    """Show the library and search it; or show the tree again, if the library was being searched."""
    searched = library_shown(window) and window.library.search.hasFocus()
    show(window.scene_dock)
    window.pages.setCurrentWidget(window.tree if searched else window.library)
    if not searched:
        window.library.search.setFocus()
        window.library.search.selectAll()


def show_library(window: MainWindow) -> None:
    """Show the library."""
    show(window.scene_dock)
    window.pages.setCurrentWidget(window.library)


def show_first_page(window: MainWindow) -> None:
    """Show the tree, or the library where the scene is empty."""
    window.pages.setCurrentWidget(window.tree if window.document.scene.objects else window.library)


def rename(window: MainWindow) -> None:
    """Edit the name of the selected object in the tree."""
    _show_tree(window)
    window.tree.rename()


def find_object(window: MainWindow) -> None:
    """Search the tree."""
    _show_tree(window)
    window.tree.search.setFocus()


def _show_tree(window: MainWindow) -> None:
    show(window.scene_dock)
    window.pages.setCurrentWidget(window.tree)


def show_history(window: MainWindow) -> None:
    """Show the history."""
    show(window.scene_dock)
    window.pages.setCurrentWidget(window.history)
    window.history.list.setFocus()


def show_settings(window: MainWindow) -> None:
    """Show the settings of the scene, with the first of them focused."""
    show(window.scene_dock)
    window.form_pages.setCurrentWidget(window.scene_settings)
    form = window.scene_settings.widget()
    first = form.nextInFocusChain() if form is not None else None
    if first is not None:
        first.setFocus()


def show_study(window: MainWindow, kind: str) -> None:
    """Show the study panel for a kind of study."""
    form = window.studies.form
    form.show_request(dataclasses.replace(form.request, kind=kind))
    show(window.study_dock)
    form.focus()


def run_study(window: MainWindow, request: StudyRequest) -> None:
    """Show the study panel with a study, and run it."""
    window.studies.form.show_request(request)
    show(window.study_dock)
    if not window.studies.runner.busy:
        window.studies.run()


def study_parameter(window: MainWindow, kind: str, parameter: str) -> None:
    """Show the study panel for a parameter, with a range around its value."""
    from core.study.terms.parameter import read_parameter

    try:
        varied = read_parameter(parameter, window.document.document)
        value = varied.value_in(window.document.document)
    except RaybenchError as error:
        window.document.failed.emit(str(error))
        return
    show(window.study_dock)
    by = window.document.scene.settings.grid_size if varied.is_motion else 0.1 * abs(value)
    window.studies.form.begin(kind, parameter, value, by)


def show_module(window: MainWindow, module: str) -> None:
    """Show the definition of a module in the scene's text."""
    show(window.json_dock)
    window.json.show_module(module)
