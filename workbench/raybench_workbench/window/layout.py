"""The layout of the main window: the canvas in the middle, the docks around it, and their initial
sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench.errors import RaybenchError
from raybench_workbench import theme
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.widgets import in_a_column
from raybench_workbench.window.keyboard import focus_stops

if TYPE_CHECKING:
    from raybench.study.request import StudyRequest
    from raybench_workbench.inspector import Inspector
    from raybench_workbench.json_view.panel import JsonPanel
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.plots.panel import PlotPanel
    from raybench_workbench.studies.panel import StudyPanel

LEFT, RIGHT, BOTTOM, STUDY, PLOTS, TEXT = 240, 248, 176, 280, 224, 288
"""Initial widths of the side docks and heights of the ray table, the study panel, the plots and the
scene as text.
"""
MIN_LEFT = 216
"""Smallest width of the left dock: narrower properties cannot be read."""


def lay_out(window: MainWindow) -> None:
    """Arrange the widgets of a window in new docks and tabs."""
    middle = QWidget(window)
    column = in_a_column(window.recovery_offer, on=middle, margins=0, spacing=0)
    layers = (
        QGridLayout()
    )  # messages overlay the canvas, so that the scene does not move when they appear or disappear
    layers.addWidget(window.canvas, 0, 0)
    layers.addWidget(window.messages, 0, 0, Qt.AlignmentFlag.AlignTop)
    window.messages.raise_()
    column.addLayout(layers, 1)
    window.setCentralWidget(middle)
    window.setStatusBar(window.status)
    window.scene_dock = _make_dock(
        window, "Scene", _left_side(window), Qt.DockWidgetArea.LeftDockWidgetArea
    )
    window.rays_dock = _make_dock(
        window, "Rays", window.rays, Qt.DockWidgetArea.BottomDockWidgetArea
    )
    window.rays_dock.hide()
    bottom = Qt.DockWidgetArea.BottomDockWidgetArea
    window.study_dock = _panel_dock(window, "Study", studies, bottom, STUDY)
    window.plots_dock = _panel_dock(window, "Plots", plots, bottom, PLOTS)
    window.json_dock = _panel_dock(window, "JSON", json_view, bottom, TEXT)
    window.setTabPosition(bottom, QTabWidget.TabPosition.North)
    for dock in (
        window.study_dock,
        window.plots_dock,
        window.json_dock,
    ):  # side by side they would be too narrow
        window.tabifyDockWidget(window.rays_dock, dock)
    window.inspector_dock = _panel_dock(
        window, "Inspector", inspector, Qt.DockWidgetArea.RightDockWidgetArea
    )
    window.inspector_dock.setTitleBarWidget(_title_label("Inspector"))
    window.chat_dock = _chat_dock(window)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.chat_dock)
    window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
    window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
    _set_initial_sizes(window)


def reset_layout(window: MainWindow) -> None:
    """Show the panels of a new window in their initial sizes, and hide the others."""
    for dock in (window.scene_dock, window.chat_dock):
        dock.show()
    for dock in (
        window.rays_dock,
        window.study_dock,
        window.plots_dock,
        window.inspector_dock,
        window.json_dock,
    ):
        dock.hide()
    _set_initial_sizes(window)


def _set_initial_sizes(window: MainWindow) -> None:
    window.resizeDocks(
        [window.scene_dock, window.chat_dock], [LEFT, RIGHT], Qt.Orientation.Horizontal
    )
    window.resizeDocks([window.rays_dock], [BOTTOM], Qt.Orientation.Vertical)


def _left_side(window: MainWindow) -> QWidget:
    """The left side: tabs of the tree, the library and the history; the measurements; tabs of the
    properties and the scene's settings.
    """
    side = QSplitter(Qt.Orientation.Vertical, window)
    side.setHandleWidth(1)
    side.setChildrenCollapsible(False)
    window.pages = _tab_widget(
        "Objects, library and history",
        (window.tree, "Scene"),
        (window.library, "Library"),
        (window.history, "History"),
    )
    window.forms = QStackedWidget(window)
    window.forms.addWidget(window.properties)
    window.form_pages = _tab_widget(
        "Properties and settings", (window.forms, "Properties"), (window.scene_settings, "Settings")
    )
    window.form_pages.setTabToolTip(1, "Settings of the scene")
    side.addWidget(window.pages)
    measured = _titled_panel(_title_label("Measurements"), window.measurements)
    measured.setSizePolicy(
        QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum
    )  # a high window does not part the title from the rows
    side.addWidget(measured)
    side.addWidget(window.form_pages)
    side.setSizes([280, 60, 400])
    window.measurements.show_rows()
    side.setMinimumWidth(MIN_LEFT)
    return side


def _make_dock(
    window: MainWindow, title: str, content: QWidget, area: Qt.DockWidgetArea
) -> QDockWidget:
    dock = QDockWidget(title, window)
    dock.setWidget(content)
    _place_dock(window, dock, area)
    return dock


def _panel_dock(
    window: MainWindow,
    title: str,
    make: Callable[[MainWindow, QDockWidget], P],
    area: Qt.DockWidgetArea,
    height: int = 0,
) -> PanelDock[P]:
    dock = PanelDock(title, make, height, window)
    _place_dock(window, dock, area)
    dock.hide()
    return dock


def _place_dock(window: MainWindow, dock: QDockWidget, area: Qt.DockWidgetArea) -> None:
    dock.setObjectName(dock.windowTitle().lower())
    dock.setTitleBarWidget(QWidget(dock))
    window.addDockWidget(area, dock)


def _chat_dock(window: MainWindow) -> ChatDock:
    files = TranscriptFiles(window.conversations) if window.conversations is not None else None
    dock = ChatDock(window.document, window.selection, window, files=files)
    dock.setTitleBarWidget(_title_label(dock.windowTitle()))
    dock.setMinimumWidth(RIGHT)
    return dock


def _titled_panel(title: QLabel, content: QWidget) -> QWidget:
    """A panel with a title above it."""
    panel = QWidget()
    theme.set_role(panel, "panel")
    in_a_column(title, (content, 1), on=panel, margins=0, spacing=0)
    return panel


def _tab_widget(name: str, *pages: tuple[QWidget, str]) -> QTabWidget:
    tabs = QTabWidget()
    tabs.tabBar().setAccessibleName(name)
    tabs.setDocumentMode(True)
    tabs.tabBar().setExpanding(False)
    tabs.tabBar().setDrawBase(False)
    for page, title in pages:
        tabs.addTab(page, title)
    return tabs


def _title_label(text: str) -> QLabel:
    label = QLabel(text)
    theme.set_role(label, "title")
    label.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
    label.setFixedHeight(theme.ROW_HEIGHT)
    return label


P = TypeVar("P", bound=QWidget)


class PanelDock(QDockWidget, Generic[P]):
    """A dock that is hidden at first. ``made`` is its panel, None until it is needed."""

    def __init__(
        self,
        title: str,
        make: Callable[[MainWindow, QDockWidget], P],
        height: int,
        window: MainWindow,
    ) -> None:
        """``height`` is the height of the dock when it is first shown, in pixels; 0 leaves it to
        Qt.
        """
        super().__init__(title, window)
        self._make, self._height, self._window = make, height, window
        self._sized = False
        self.made: P | None = None
        self.setWidget(QWidget(self))
        self.hide()
        self.visibilityChanged.connect(self._note_shown)

    @property
    def panel(self) -> P:
        """The panel, created if necessary."""
        if self.made is None:
            self.made = self._make(self._window, self)
            self.setWidget(self.made)
        return self.made

    def _note_shown(self, visible: bool) -> None:
        if not visible:
            return
        self.panel.show()
        if self._height and not self._sized:
            self._sized = True
            if (
                self.height() < self._height
            ):  # it may share its area with a dock that was made higher
                self._window.resizeDocks([self], [self._height], Qt.Orientation.Vertical)


def studies(window: MainWindow, dock: QDockWidget) -> StudyPanel:
    from raybench_workbench.studies.panel import StudyPanel

    return StudyPanel(window.document, window.selection, dock)


def inspector(window: MainWindow, dock: QDockWidget) -> Inspector:
    from raybench_workbench.inspector import Inspector

    panel = Inspector(window.document, window.selection, dock)

    def shrink(height: int) -> None:
        """Give the chat below it what is no longer needed."""
        chat, wanted = window.chat_dock, dock.height() - panel.height() + height
        for layout in (panel.layout(), dock.layout()):
            assert layout is not None
            layout.activate()
        window.resizeDocks(
            [dock, chat], [wanted, chat.height() + dock.height() - wanted], Qt.Orientation.Vertical
        )

    panel.rayLeft.connect(shrink)
    return panel


def plots(window: MainWindow, dock: QDockWidget) -> PlotPanel:
    from raybench_workbench.plots.panel import PlotPanel

    panel = PlotPanel(window.document, window.selection, dock)
    dock.visibilityChanged.connect(panel.set_in_front)
    return panel


def json_view(window: MainWindow, dock: QDockWidget) -> JsonPanel:
    from raybench_workbench.json_view.panel import JsonPanel

    return JsonPanel(window.document, window.selection, dock)


_IN_FRONT = "in_front"
"""The dynamic property of a dock: whether it is in front of those in its area."""


def track_visibility(dock: QDockWidget) -> None:
    """Track whether a dock is in front, for `is_in_front`."""
    dock.visibilityChanged.connect(partial(dock.setProperty, _IN_FRONT))


def is_in_front(dock: QDockWidget) -> bool:
    """Whether a dock is visible in front of others: Qt also counts one behind another as visible."""
    return bool(dock.property(_IN_FRONT))


def show_dock(dock: QDockWidget) -> None:
    """Show a dock in front of the others in its area."""
    dock.show()
    dock.raise_()


def toggle_dock(dock: QDockWidget) -> None:
    """Hide a dock that is in front; otherwise show it and bring it to the front."""
    if is_in_front(dock):
        dock.hide()
    else:
        show_dock(dock)


def is_library_visible(window: MainWindow) -> bool:
    """Whether the library is visible."""
    return window.scene_dock.isVisible() and window.pages.currentWidget() is window.library


def toggle_library(window: MainWindow) -> None:
    """Show the library and focus its search; if that has the focus, show the tree again."""
    searching = is_library_visible(window) and window.library.search.hasFocus()
    show_dock(window.scene_dock)
    window.pages.setCurrentWidget(window.tree if searching else window.library)
    if not searching:
        window.library.search.setFocus()
        window.library.search.selectAll()


def show_library(window: MainWindow) -> None:
    """Show the library."""
    show_dock(window.scene_dock)
    window.pages.setCurrentWidget(window.library)


def show_first_page(window: MainWindow) -> None:
    """Show the tree, or the library if the scene is empty."""
    window.pages.setCurrentWidget(window.tree if window.document.scene.objects else window.library)


def rename_object(window: MainWindow) -> None:
    """Edit the name of the selected object in the tree."""
    _show_tree(window)
    window.tree.rename()


def find_object(window: MainWindow) -> None:
    """Search the tree."""
    _show_tree(window)
    window.tree.search.setFocus()


def _show_tree(window: MainWindow) -> None:
    show_dock(window.scene_dock)
    window.pages.setCurrentWidget(window.tree)


def show_history(window: MainWindow) -> None:
    """Show the history."""
    show_dock(window.scene_dock)
    window.pages.setCurrentWidget(window.history)
    window.history.list.setFocus()


def show_settings(window: MainWindow) -> None:
    """Show the settings of the scene, with the first of them focused."""
    show_dock(window.scene_dock)
    window.form_pages.setCurrentWidget(window.scene_settings)
    first = next(focus_stops(window.scene_settings.widget()), None)
    if first is not None:
        first.setFocus()


def show_study(window: MainWindow, kind: str) -> None:
    """Show the study panel for a kind of study."""
    form = window.studies.form
    form.choose(kind)
    show_dock(window.study_dock)
    form.focus()


def run_study(window: MainWindow, request: StudyRequest) -> None:
    """Show the study panel with a study, and run it."""
    window.studies.form.show_request(request)
    show_dock(window.study_dock)
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
    show_dock(window.study_dock)
    by = window.document.scene.settings.grid_size if varied.is_motion else 0.1 * abs(value)
    window.studies.form.begin(kind, parameter, value, by)


def show_module(window: MainWindow, module: str) -> None:
    """Show the definition of a module in the scene's text."""
    show_dock(window.json_dock)
    window.json.show_module(module)
