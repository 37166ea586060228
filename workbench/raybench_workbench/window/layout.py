"""The layout of the main window: the canvas in the middle, the docks around it, and their initial
sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QGridLayout,
    QLabel,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from raybench.agent.turn.transcript_files import TranscriptFiles
from raybench_workbench import theme
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.window import panel_docks
from raybench_workbench.window.panel_docks import P, PanelDock

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

LEFT, RIGHT, BOTTOM, STUDY, PLOTS, TEXT = 240, 248, 176, 280, 224, 288
"""Initial widths of the side docks and heights of the ray table, the study panel, the plots and the
scene as text.
"""
MIN_LEFT = 216
"""Smallest width of the left dock: narrower properties cannot be read."""


def lay_out(window: MainWindow) -> None:
    """Arrange the widgets of a window in new docks and tabs."""
    middle = QWidget(window)
    column = QVBoxLayout(middle)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(window.recovery_offer)
    layers = (
        QGridLayout()
    )  # messages overlay the canvas, so that the scene does not move when they appear or disappear
    layers.addWidget(window.canvas, 0, 0)
    layers.addWidget(window.messages, 0, 0, Qt.AlignmentFlag.AlignTop)
    window.messages.raise_()
    column.addLayout(layers, 1)
    window.setCentralWidget(middle)
    window.setStatusBar(window.status)
    window.scene_dock = _dock(window, "Scene", _side(window), Qt.DockWidgetArea.LeftDockWidgetArea)
    window.rays_dock = _dock(window, "Rays", window.rays, Qt.DockWidgetArea.BottomDockWidgetArea)
    window.rays_dock.hide()
    bottom = Qt.DockWidgetArea.BottomDockWidgetArea
    window.study_dock = _panel_dock(window, "Study", panel_docks.studies, bottom, STUDY)
    window.plots_dock = _panel_dock(window, "Plots", panel_docks.plots, bottom, PLOTS)
    window.json_dock = _panel_dock(window, "JSON", panel_docks.json_view, bottom, TEXT)
    window.setTabPosition(bottom, QTabWidget.TabPosition.North)
    for dock in (
        window.study_dock,
        window.plots_dock,
        window.json_dock,
    ):  # side by side they would be too narrow
        window.tabifyDockWidget(window.rays_dock, dock)
    window.inspector_dock = _panel_dock(
        window, "Inspector", panel_docks.inspector, Qt.DockWidgetArea.RightDockWidgetArea
    )
    window.inspector_dock.setTitleBarWidget(_title("Inspector"))
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


def _side(window: MainWindow) -> QWidget:
    """The left side: tabs of the tree, the library and the history; the measurements; tabs of the
    properties and the scene's settings.
    """
    side = QSplitter(Qt.Orientation.Vertical, window)
    side.setHandleWidth(1)
    side.setChildrenCollapsible(False)
    window.pages = _tabs(
        "Objects, library and history",
        (window.tree, "Scene"),
        (window.library, "Library"),
        (window.history, "History"),
    )
    window.forms = QStackedWidget(window)
    window.forms.addWidget(window.properties)
    window.form_pages = _tabs(
        "Properties and settings", (window.forms, "Properties"), (window.scene_settings, "Settings")
    )
    window.form_pages.setTabToolTip(1, "Settings of the scene")
    side.addWidget(window.pages)
    measured = _titled(_title("Measurements"), window.measurements)
    measured.setSizePolicy(
        QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum
    )  # a high window does not part the title from the rows
    side.addWidget(measured)
    side.addWidget(window.form_pages)
    side.setSizes([280, 60, 400])
    window.measurements.show_rows()
    side.setMinimumWidth(MIN_LEFT)
    return side


def _dock(window: MainWindow, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
    dock = QDockWidget(title, window)
    dock.setWidget(content)
    _place(window, dock, area)
    return dock


def _panel_dock(
    window: MainWindow, title: str, make: Callable[[MainWindow, QDockWidget], P], area: Qt.DockWidgetArea, height: int = 0
) -> PanelDock[P]:  # fmt: skip
    dock = PanelDock(title, make, height, window)
    _place(window, dock, area)
    dock.hide()
    return dock


def _place(window: MainWindow, dock: QDockWidget, area: Qt.DockWidgetArea) -> None:
    dock.setObjectName(dock.windowTitle().lower())
    dock.setTitleBarWidget(QWidget(dock))
    window.addDockWidget(area, dock)


def _chat_dock(window: MainWindow) -> ChatDock:
    files = TranscriptFiles(window.conversations) if window.conversations is not None else None
    dock = ChatDock(window.document, window.selection, window, files=files)
    dock.setTitleBarWidget(_title(dock.windowTitle()))
    dock.setMinimumWidth(RIGHT)
    return dock


def _titled(title: QLabel, content: QWidget) -> QWidget:
    """A panel with a title above it."""
    panel = QWidget()
    theme.set_role(panel, "panel")
    column = QVBoxLayout(panel)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    column.addWidget(title)
    column.addWidget(content, 1)
    return panel


def _tabs(name: str, *pages: tuple[QWidget, str]) -> QTabWidget:
    tabs = QTabWidget()
    tabs.tabBar().setAccessibleName(name)
    tabs.setDocumentMode(True)
    tabs.tabBar().setExpanding(False)
    tabs.tabBar().setDrawBase(False)
    for page, title in pages:
        tabs.addTab(page, title)
    return tabs


def _title(text: str) -> QLabel:
    label = QLabel(text)
    theme.set_role(label, "title")
    label.setContentsMargins(theme.GRID, 0, theme.GRID, 0)
    label.setFixedHeight(theme.ROW_HEIGHT)
    return label
