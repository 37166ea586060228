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
from raybench.system.extras import missing_package_text
from raybench_workbench import theme
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.translation import tr
from raybench_workbench.widgets import Hint, column_layout, describe_widget
from raybench_workbench.window.added_panels import PANELS
from raybench_workbench.window.keyboard import focusable_widgets

if TYPE_CHECKING:
    from raybench.study.request import StudyRequest
    from raybench_workbench.inspector import Inspector
    from raybench_workbench.json_view.panel import JsonPanel
    from raybench_workbench.lens_data.lenses import LensSystems
    from raybench_workbench.lens_data.panel import LensDataPanel
    from raybench_workbench.lens_merit.panel import LensMeritPanel
    from raybench_workbench.main_window import MainWindow
    from raybench_workbench.parameters.panel import ParameterPanel
    from raybench_workbench.plots.panel import PlotPanel
    from raybench_workbench.studies.panel import StudyPanel

LEFT_WIDTH, RIGHT_WIDTH, TABLE_HEIGHT, STUDY_HEIGHT, PLOTS_HEIGHT, TEXT_HEIGHT, LENS_HEIGHT = (
    240,
    248,
    176,
    280,
    256,
    288,
    304,
)
"""Initial widths of the side docks and heights of the ray table, the study panel, the plots, the
scene as text and the lens data.
"""
MIN_LEFT = 216
"""Smallest width of the left dock: narrower properties cannot be read."""


def lay_out_window(window: MainWindow) -> None:
    """Arrange the panels of a window in new docks and tabs."""
    middle = QWidget(window)
    column = column_layout(window.recovery_offer, on=middle, margins=0, spacing=0)
    # messages overlay the canvas, so that the scene does not move when they appear or disappear
    layers = QGridLayout()
    layers.addWidget(window.canvas, 0, 0)
    layers.addWidget(window.messages, 0, 0, Qt.AlignmentFlag.AlignTop)
    window.messages.raise_()
    column.addLayout(layers, 1)
    window.setCentralWidget(middle)
    window.setStatusBar(window.status)
    area = Qt.DockWidgetArea
    left, right, bottom = (
        area.LeftDockWidgetArea,
        area.RightDockWidgetArea,
        area.BottomDockWidgetArea,
    )
    window.scene_dock = QDockWidget("Scene", window)
    window.scene_dock.setWidget(_left_side_widget(window))
    window.rays_dock = QDockWidget("Rays", window)
    window.rays_dock.setWidget(window.rays)
    window.study_dock = PanelDock("Study", create_study_panel, STUDY_HEIGHT, window)
    window.plots_dock = PanelDock("Plots", create_plot_panel, PLOTS_HEIGHT, window)
    window.json_dock = PanelDock("JSON", create_json_panel, TEXT_HEIGHT, window)
    window.lens_dock = PanelDock("Lens data", create_lens_panel, LENS_HEIGHT, window)
    window.merit_dock = PanelDock("Lens merit", create_merit_panel, LENS_HEIGHT, window)
    window.parameter_dock = PanelDock("Parameters", create_parameter_panel, LENS_HEIGHT, window)
    window.console_dock = PanelDock("Console", create_console, TEXT_HEIGHT, window)
    window.inspector_dock = PanelDock("Inspector", create_inspector, 0, window)
    window.added_docks = {
        title: PanelDock(title, lambda w, _, make=make: make(w), 0, window)  # type: ignore[misc]
        for title, make in PANELS.items()
    }
    at_bottom = (
        window.rays_dock,
        window.study_dock,
        window.plots_dock,
        window.json_dock,
        window.lens_dock,
        window.merit_dock,
        window.parameter_dock,
        window.console_dock,
        *window.added_docks.values(),
    )
    for dock in (window.scene_dock, *at_bottom, window.inspector_dock):
        dock.setObjectName(dock.windowTitle().lower())
        dock.setWindowTitle(tr(dock.windowTitle()))
        dock.setTitleBarWidget(QWidget(dock))
    window.addDockWidget(left, window.scene_dock)
    for dock in at_bottom:
        window.addDockWidget(bottom, dock)
        dock.hide()
    window.setTabPosition(bottom, QTabWidget.TabPosition.North)
    for dock in at_bottom[1:]:  # side by side they would be too narrow
        window.tabifyDockWidget(window.rays_dock, dock)
    window.addDockWidget(right, window.inspector_dock)
    window.inspector_dock.setTitleBarWidget(_title_label(tr("Inspector")))
    window.inspector_dock.hide()
    files = TranscriptFiles(window.conversations) if window.conversations is not None else None
    window.chat_dock = ChatDock(window.document, window.selection, window, files=files)
    window.chat_dock.setTitleBarWidget(_title_label(window.chat_dock.windowTitle()))
    window.chat_dock.setMinimumWidth(RIGHT_WIDTH)
    window.addDockWidget(right, window.chat_dock)
    window.setCorner(Qt.Corner.BottomLeftCorner, left)
    window.setCorner(Qt.Corner.BottomRightCorner, right)
    _set_initial_sizes(window)


def reset_layout(window: MainWindow) -> None:
    """Show the docks as in a new window, with their initial sizes, and hide the others."""
    for dock in window.findChildren(QDockWidget):
        dock.setVisible(dock in (window.scene_dock, window.chat_dock))
    _set_initial_sizes(window)


def _set_initial_sizes(window: MainWindow) -> None:
    window.resizeDocks(
        [window.scene_dock, window.chat_dock], [LEFT_WIDTH, RIGHT_WIDTH], Qt.Orientation.Horizontal
    )
    window.resizeDocks([window.rays_dock], [TABLE_HEIGHT], Qt.Orientation.Vertical)


def _left_side_widget(window: MainWindow) -> QWidget:
    """The widget on the left side: tabs with the object list, the library and the history; the
    measurements; tabs with the properties and the scene's settings.
    """
    side = QSplitter(Qt.Orientation.Vertical, window)
    side.setHandleWidth(1)
    side.setChildrenCollapsible(False)
    window.pages = _tab_widget(
        tr("Objects, library and history"),
        (window.tree, tr("Scene")),
        (window.library, tr("Library")),
        (window.history, tr("History")),
    )
    window.forms = QStackedWidget(window)
    window.forms.addWidget(window.properties)
    window.form_pages = _tab_widget(
        tr("Properties and settings"),
        (window.forms, tr("Properties")),
        (window.scene_settings, tr("Settings")),
    )
    window.form_pages.setTabToolTip(1, tr("Settings of the scene"))
    side.addWidget(window.pages)
    measured = describe_widget(QWidget(), role="panel")
    title = _title_label(tr("Measurements"))
    column_layout(title, (window.measurements, 1), on=measured, margins=0, spacing=0)
    # a high window does not part the title from the rows
    measured.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    side.addWidget(measured)
    side.addWidget(window.form_pages)
    side.setSizes([280, 60, 400])
    window.measurements.show_rows()
    side.setMinimumWidth(MIN_LEFT)
    return side


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
    label = describe_widget(QLabel(text), role="title")
    label.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
    label.setFixedHeight(theme.ROW_HEIGHT)
    return label


P = TypeVar("P", bound=QWidget)


class PanelDock(QDockWidget, Generic[P]):
    """A dock whose panel is created when it is first needed; until then ``made`` is None. The dock
    is hidden at first.
    """

    def __init__(
        self,
        title: str,
        make: Callable[[MainWindow, QDockWidget], P],
        height: int,
        window: MainWindow,
    ) -> None:
        """``height`` is the height in pixels of the dock when it is first shown; 0 leaves it to Qt."""
        super().__init__(title, window)
        self._make, self._height, self._window = make, height, window
        self._sized = False
        self.made: P | None = None
        self.setWidget(QWidget(self))
        self.hide()
        self.visibilityChanged.connect(self._record_visibility)

    @property
    def panel(self) -> P:
        """The panel of the dock, which is created if necessary."""
        if self.made is None:
            self.made = self._make(self._window, self)
            self.setWidget(self.made)
        return self.made

    def _record_visibility(self, visible: bool) -> None:
        if not visible:
            return
        self.panel.show()
        # it may share its area with a dock that was made higher
        if not self._sized and self.height() < self._height:
            self._window.resizeDocks([self], [self._height], Qt.Orientation.Vertical)
        self._sized = True


def create_study_panel(window: MainWindow, dock: QDockWidget) -> StudyPanel:
    from raybench_workbench.studies.panel import StudyPanel

    panel = StudyPanel(
        window.document, window.selection, dock, is_drawn=lambda: window.canvas.rays.settled
    )
    window.canvas.filmKeyPressed.connect(panel.player.handle_key)
    return panel


def create_console(window: MainWindow, dock: QDockWidget) -> QWidget:
    """The Python console, or a text that says which package is missing."""
    try:
        from raybench_workbench.console.panel import ConsolePanel
    except ImportError as error:
        package = (error.name or "qtconsole").partition(".")[0]
        return Hint(f"{missing_package_text('The Python console needs', package, 'console')}.")
    panel = ConsolePanel(window.document, window.selection, dock)
    window.closed.connect(panel.close_console)
    return panel


def create_inspector(window: MainWindow, dock: QDockWidget) -> Inspector:
    from raybench_workbench.inspector import Inspector

    panel = Inspector(window.document, window.selection, dock)

    def shrink(height: int) -> None:
        """Give height that the inspector no longer needs to the chat below it."""
        chat, wanted = window.chat_dock, dock.height() - panel.height() + height
        for layout in (panel.layout(), dock.layout()):
            assert layout is not None
            layout.activate()
        rest = chat.height() + dock.height() - wanted
        if chat.isVisible() and wanted > 0 and rest > 0:
            window.resizeDocks([dock, chat], [wanted, rest], Qt.Orientation.Vertical)

    panel.rayLeft.connect(shrink)
    return panel


def create_plot_panel(window: MainWindow, dock: QDockWidget) -> PlotPanel:
    from raybench_workbench.plots.panel import PlotPanel
    from raybench_workbench.plots.refined_plot import RefinablePlot

    panel = PlotPanel(window.document, window.selection, dock)
    dock.visibilityChanged.connect(panel.set_in_front)
    window.refinement.add_part(RefinablePlot(panel), panel.shown)
    return panel


def create_json_panel(window: MainWindow, dock: QDockWidget) -> JsonPanel:
    from raybench_workbench.json_view.panel import JsonPanel

    return JsonPanel(window.document, window.selection, dock)


def create_lens_panel(window: MainWindow, dock: QDockWidget) -> LensDataPanel:
    from raybench_workbench.lens_data.panel import LensDataPanel

    read_file = window.actions_by_id["file.import_lens"].trigger
    return LensDataPanel(_lens_systems(window), partial(_insert_lens, window), read_file, dock)


def create_merit_panel(window: MainWindow, dock: QDockWidget) -> LensMeritPanel:
    from raybench_workbench.lens_merit.panel import LensMeritPanel

    return LensMeritPanel(_lens_systems(window), partial(_insert_lens, window), dock)


def create_parameter_panel(window: MainWindow, dock: QDockWidget) -> ParameterPanel:
    from raybench_workbench.parameters.panel import ParameterPanel

    panel = ParameterPanel(window.document, window.selection, dock)
    panel.studyRequested.connect(partial(show_parameter_study, window))
    return panel


def _lens_systems(window: MainWindow) -> LensSystems:
    """The lens systems of the window's document, shared by its panels."""
    from raybench_workbench.lens_data.lenses import LensSystems

    return window.findChild(LensSystems) or LensSystems(window.document, window.selection, window)


def _insert_lens(window: MainWindow) -> None:
    """Insert a lens system in the middle of the canvas."""
    from raybench.scene.changes import AddPreset

    canvas = window.canvas
    middle = canvas.camera.to_scene(canvas.rect().center().toPointF())
    change = AddPreset("CentredLens", {}, middle)
    is_first = not window.document.scene.objects
    if window.document.change(change):
        window.selection.select_and_show(change.keys.values())
        if is_first:
            canvas.navigation.fit_scene()


_IN_FRONT = "in_front"
"""The dynamic property of a dock: whether it is in front of those in its area."""


def track_visibility(dock: QDockWidget) -> None:
    """Record whether a dock is in front of the others in its area, so that `is_in_front` can tell."""
    dock.visibilityChanged.connect(partial(dock.setProperty, _IN_FRONT))


def is_in_front(dock: QDockWidget) -> bool:
    """Whether a dock is in front of the others in its area, since Qt also counts a covered dock as
    visible.
    """
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


def _show_page(window: MainWindow, page: QWidget) -> None:
    """Show one of the pages on the left: the object list, the library or the history."""
    show_dock(window.scene_dock)
    window.pages.setCurrentWidget(page)


def is_library_visible(window: MainWindow) -> bool:
    """Whether the library is visible."""
    return window.scene_dock.isVisible() and window.pages.currentWidget() is window.library


def toggle_library(window: MainWindow) -> None:
    """Show the library and focus its search field; if that already has the focus, show the object
    list again.
    """
    search = window.library.search
    if is_library_visible(window) and search.hasFocus():
        _show_page(window, window.tree)
        return
    _show_page(window, window.library)
    search.setFocus()
    search.selectAll()


def show_library(window: MainWindow) -> None:
    """Show the library."""
    _show_page(window, window.library)


def show_first_page(window: MainWindow) -> None:
    """Show the object list, or the library if the scene is empty."""
    window.pages.setCurrentWidget(window.tree if window.document.scene.objects else window.library)


def edit_object_name(window: MainWindow) -> None:
    """Start editing the name of the selected object in the object list."""
    _show_page(window, window.tree)
    window.tree.edit_selected_name()


def focus_object_search(window: MainWindow) -> None:
    """Focus the search field of the object list."""
    _show_page(window, window.tree)
    window.tree.search.setFocus()


def show_history(window: MainWindow) -> None:
    """Show the history."""
    _show_page(window, window.history)
    window.history.list.setFocus()


def show_settings(window: MainWindow) -> None:
    """Show the scene's settings, and focus the first of them."""
    show_dock(window.scene_dock)
    window.form_pages.setCurrentWidget(window.scene_settings)
    first = next(focusable_widgets(window.scene_settings.widget()), None)
    if first is not None:
        first.setFocus()


def show_study(window: MainWindow, kind: str) -> None:
    """Show the study panel with the form for a kind of study."""
    form = window.studies.form
    form.choose_kind(kind)
    show_dock(window.study_dock)
    form.focus_missing_line()


def play_study(window: MainWindow) -> None:
    """Show the study panel, and play the rows of its study on the canvas."""
    show_dock(window.study_dock)
    window.studies.play()


def run_study(window: MainWindow, request: StudyRequest) -> None:
    """Show the study panel with a study request, and run the study."""
    window.studies.form.show_request(request)
    show_dock(window.study_dock)
    if not window.studies.runner.busy:
        window.studies.run()


def show_parameter_study(window: MainWindow, kind: str, parameter: str) -> None:
    """Show the study panel with a study of a parameter around its current value. Without a kind,
    add the parameter to the present study.
    """
    from raybench.scene.parameters.parameter import POSITION_MOTIONS, read_parameter

    try:
        varied = read_parameter(parameter, window.document.document)
        value = varied.value_in_document(window.document.document)
    except RaybenchError as error:
        window.document.failed.emit(str(error))
        return
    show_dock(window.study_dock)
    is_place = varied.is_motion or varied.place in POSITION_MOTIONS
    by = window.document.scene.settings.grid_size if is_place else 0.1 * abs(value)
    window.studies.form.fill_for_parameter(kind, parameter, value, by)


def show_module(window: MainWindow, module: str) -> None:
    """Show the definition of a module in the JSON panel."""
    show_dock(window.json_dock)
    window.json.show_module(module)
