"""Pages and docks of the main window that actions show: the library, the tree, the history, the
settings, a study, a module's text.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDockWidget

from raybench.errors import RaybenchError
from raybench_workbench.window.tab_order import stops

if TYPE_CHECKING:
    from raybench.study.request import StudyRequest
    from raybench_workbench.main_window import MainWindow


_IN_FRONT = "in_front"
"""The dynamic property of a dock: whether it is in front of those in its area."""


def track_visibility(dock: QDockWidget) -> None:
    """Track whether a dock is in front, for `is_in_front`."""
    dock.visibilityChanged.connect(partial(dock.setProperty, _IN_FRONT))


def is_in_front(dock: QDockWidget) -> bool:
    """Whether a dock is visible in front of others: Qt also counts one behind another as visible."""
    return bool(dock.property(_IN_FRONT))


def show(dock: QDockWidget) -> None:
    """Show a dock in front of the others in its area."""
    dock.show()
    dock.raise_()


def toggle(dock: QDockWidget) -> None:
    """Hide a dock that is in front; otherwise show it and bring it to the front."""
    if is_in_front(dock):
        dock.hide()
    else:
        show(dock)


def is_library_visible(window: MainWindow) -> bool:
    """Whether the library is visible."""
    return window.scene_dock.isVisible() and window.pages.currentWidget() is window.library


def toggle_library(window: MainWindow) -> None:
    """Show the library and focus its search; if that has the focus, show the tree again."""
    searching = is_library_visible(window) and window.library.search.hasFocus()
    show(window.scene_dock)
    window.pages.setCurrentWidget(window.tree if searching else window.library)
    if not searching:
        window.library.search.setFocus()
        window.library.search.selectAll()


def show_library(window: MainWindow) -> None:
    """Show the library."""
    show(window.scene_dock)
    window.pages.setCurrentWidget(window.library)


def show_first_page(window: MainWindow) -> None:
    """Show the tree, or the library if the scene is empty."""
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
    first = next(stops(window.scene_settings.widget()), None)
    if first is not None:
        first.setFocus()


def show_study(window: MainWindow, kind: str) -> None:
    """Show the study panel for a kind of study."""
    form = window.studies.form
    form.choose(kind)
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
    from raybench.study.terms.parameter import read_parameter

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
