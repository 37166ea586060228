"""The main window: the canvas of one document, with panels around it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QMenu,
    QMenuBar,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from core.agent.turn.transcript_files import TranscriptFiles
from core.errors import RaybenchError
from core.kinds.fields import fields_of
from core.scene.changes import Delete, Duplicate, SetSettings
from core.scene.creation import ALL_FAMILIES, is_preset, title_of
from core.snapping.table import GRID, SNAPS, UNUSUAL
from workbench import arrange, files, panel_docks, theme
from workbench.actions import ACTIONS, CONTEXT, CONTEXT_EMPTY, MENUS, ROWS, TOOLS, Action
from workbench.canvas.icons import action_icon
from workbench.canvas.rays.trace_chip import TraceChip
from workbench.canvas.view import CanvasView
from workbench.chat.dock import ChatDock
from workbench.document import WorkDocument
from workbench.file_watch import FileWatch
from workbench.history.panel import HistoryPanel
from workbench.library.create_bar import CreateBar
from workbench.library.panel import Library
from workbench.library.preset_form import PresetForm
from workbench.measuring.panel import MeasurementList, delete_measurements
from workbench.panel_docks import PanelDock
from workbench.panels.messages import Messages
from workbench.panels.properties import Properties
from workbench.panels.ray_table import RayTable
from workbench.panels.recovery_offer import RecoveryOffer
from workbench.panels.scene_tree import SceneTree
from workbench.panels.settings_form import SceneSettings
from workbench.panels.status_line import StatusLine
from workbench.preferences.choices import Choices
from workbench.preferences.settings import Settings
from workbench.preferences.table import KEEPS_TOOL, SNAPS_OFF
from workbench.problems.scene_problems import SceneProblems
from workbench.recovery import Recovery, recover
from workbench.selection import Selection
from workbench.trace_service import TraceService
from workbench.words.plain_text import label_text, tool_tip

if TYPE_CHECKING:
    from workbench.inspector.panel import Inspector
    from workbench.json_view.panel import JsonPanel
    from workbench.plots.panel import PlotPanel
    from workbench.studies.panel import StudyPanel

LEFT, RIGHT, BOTTOM, STUDY, DETECTOR, TEXT = 240, 248, 176, 280, 224, 288
"""Initial widths of the side docks and heights of the ray table, the study panel, the detector panel and the scene as text."""
MIN_LEFT = 160
"""Smallest width of the left dock: narrower properties cannot be read."""
SIZE = QSize(1320, 820)


class MainWindow(QMainWindow):
    """The window of one document."""

    closed = Signal()
    document: WorkDocument
    selection: Selection
    service: TraceService
    canvas: CanvasView
    scene_dock: QDockWidget
    rays_dock: QDockWidget
    chat_dock: ChatDock
    study_dock: PanelDock
    inspector_dock: PanelDock
    detector_dock: PanelDock
    json_dock: PanelDock

    def __init__(
        self,
        document: WorkDocument,
        settings: Settings | None = None,
        recovery_folder: Path | None = None,
        conversations: Path | None = None,
    ) -> None:
        """Without ``recovery_folder`` the window keeps no recovery files, and without ``conversations`` no transcripts."""
        super().__init__()
        self.document = document
        self.settings = settings or Settings()
        self.conversations = conversations
        self.theme_name = theme.current().name
        self.selection = Selection(self)
        self.service = TraceService(document, self)
        self.problems = SceneProblems(document, self)
        self.canvas = CanvasView(document, self.selection, self)
        self.trace_chip = TraceChip(self.service, self.canvas)
        self.problems.changed.connect(lambda: self.canvas.mark_problems(self.problems.by_key))
        self.canvas.mark_problems(self.problems.by_key)
        self.messages = Messages(document, self.selection, self.problems, self)
        self.file_watch = FileWatch(document, self)
        self.recovery: Recovery = Recovery(document, recovery_folder, self)
        self.recovery_offer = RecoveryOffer(self)
        self.tree = SceneTree(document, self.selection, self.problems, self)
        self.measurements = MeasurementList(document, self.selection, self.canvas.measured, self)
        self.library = Library(self)
        self.properties = Properties(document, self.selection, self)
        self.scene_settings = SceneSettings(document, self)
        self.history = HistoryPanel(document, self)
        self.rays = RayTable(document, self)
        self.status = StatusLine(document, self.service, self)
        self.actions_by_id: dict[str, QAction] = {}
        self._shown_docks: set[QObject] = set()
        self._build_layout()
        self._make_actions()
        self.library.chosen.connect(self._choose_part)
        self.library.parts.carried.connect(lambda part, at: self.canvas.carry(part, self.canvas.mapFromGlobal(at)))
        self.library.parts.dropped.connect(lambda part, at: self.canvas.drop(self.canvas.mapFromGlobal(at)))
        self.library.parts.abandoned.connect(lambda: self.canvas.choose_kind(None))
        self.pages.currentChanged.connect(self._refresh)
        self._show_page()
        self._show_selected_form()
        self.canvas.cursorMoved.connect(lambda at: self.status.show_cursor(at, 1 / self.canvas.camera.scale))
        self.canvas.paintedCountChanged.connect(self.status.show_painted_count)
        self.canvas.menuRequested.connect(self._show_context_menu)
        self.tree.menuRequested.connect(self._show_context_menu)
        self.tree.hovered.connect(self.selection.objectHovered)
        self.properties.left.connect(self.canvas.setFocus)
        self.scene_settings.left.connect(self.canvas.setFocus)
        self.properties.studyRequested.connect(self._study)
        self.scene_settings.studyRequested.connect(self._study)
        self.properties.definitionRequested.connect(self._edit_definition)
        self.canvas.problemPicked.connect(self.messages.show_problem)
        self.canvas.rayPicked.connect(self.inspector_dock.show)
        self.recovery.found.connect(self.recovery_offer.offer)
        self.recovery_offer.chosen.connect(partial(recover, self))
        self.recovery_offer.failed.connect(document.failed)
        self.file_watch.stateChanged.connect(self.messages.show_file_state)
        self.service.compilingChanged.connect(self.messages.show_compiling)
        self.messages.file.button.clicked.connect(partial(files.reload, self))
        document.changed.connect(self._refresh)
        document.opened.connect(self._opened)
        document.saved.connect(self._saved)
        document.viewChanged.connect(self._refresh)
        document.gestureChanged.connect(self._refresh)
        self.chat_dock.programs.stateChanged.connect(self._show_programs)
        self.chat_dock.stateChanged.connect(self._refresh)
        self.selection.changed.connect(self._refresh)
        self.selection.changed.connect(self._show_selected_form)
        self.selection.measurementsChanged.connect(self._refresh)
        self.service.stateChanged.connect(self._refresh)
        theme.notifier.changed.connect(self._retheme)
        self.preferences = Choices(self)
        self.preferences.changed.connect(self._refresh)
        self.setAcceptDrops(True)
        self.resize(SIZE)
        self.settings.restore_window(self.restoreGeometry, self.restoreState)
        self._retheme()
        self._refresh()
        self.canvas.setFocus()
        if document.scene.objects:
            self.service.start()

    # --- layout

    def _build_layout(self) -> None:
        middle = QWidget(self)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.recovery_offer)
        layers = QGridLayout()  # messages lie over the canvas: the scene does not jump when one comes or goes
        layers.addWidget(self.canvas, 0, 0)
        layers.addWidget(self.messages, 0, 0, Qt.AlignmentFlag.AlignTop)
        self.messages.raise_()
        column.addLayout(layers, 1)
        self.setCentralWidget(middle)
        self.setStatusBar(self.status)
        side = QSplitter(Qt.Orientation.Vertical, self)
        side.setHandleWidth(1)
        side.setChildrenCollapsible(False)
        self.pages = _tabs((self.tree, "Scene"), (self.library, "Library"), (self.history, "History"))
        self.forms = QStackedWidget(self)
        self.forms.addWidget(self.properties)
        self.form_pages = _tabs((self.forms, "Properties"), (self.scene_settings, "Settings"))
        self.form_pages.setTabToolTip(1, "Settings of the scene")
        side.addWidget(self.pages)
        side.addWidget(_titled(_title("Measurements"), self.measurements))
        side.addWidget(self.form_pages)
        side.setSizes([340, 60, 340])
        self.measurements.show_rows()
        side.setMinimumWidth(MIN_LEFT)
        self.scene_dock = self._dock("Scene", side, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.rays_dock = self._dock("Rays", self.rays, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.rays_dock.hide()
        bottom = Qt.DockWidgetArea.BottomDockWidgetArea
        self.study_dock = self._panel_dock("Study", panel_docks.studies, bottom, STUDY)
        self.detector_dock = self._panel_dock("Plots", panel_docks.plots, bottom, DETECTOR)
        self.json_dock = self._panel_dock("JSON", panel_docks.json_view, bottom, TEXT)
        self.setTabPosition(bottom, QTabWidget.TabPosition.North)
        for dock in (self.study_dock, self.detector_dock, self.json_dock):  # side by side they would be too narrow
            self.tabifyDockWidget(self.rays_dock, dock)
        self.inspector_dock = self._panel_dock("Inspector", panel_docks.inspector, Qt.DockWidgetArea.RightDockWidgetArea)
        self.inspector_dock.setTitleBarWidget(_title("Inspector"))
        self.chat_dock = self._chat()
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.chat_dock)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.resizeDocks([self.scene_dock, self.chat_dock], [LEFT, RIGHT], Qt.Orientation.Horizontal)
        self.resizeDocks([self.rays_dock], [BOTTOM], Qt.Orientation.Vertical)

    def _dock(self, title: str, content: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setWidget(content)
        self._place_dock(dock, area)
        return dock

    def _panel_dock(
        self, title: str, make: Callable[[MainWindow, QDockWidget], QWidget], area: Qt.DockWidgetArea, height: int = 0
    ) -> PanelDock:  # fmt: skip
        dock = PanelDock(title, make, height, self)
        self._place_dock(dock, area)
        dock.hide()
        return dock

    def _place_dock(self, dock: QDockWidget, area: Qt.DockWidgetArea) -> None:
        dock.setObjectName(dock.windowTitle().lower())
        dock.setTitleBarWidget(QWidget(dock))
        self.addDockWidget(area, dock)
        dock.visibilityChanged.connect(self._dock_shown)

    def _chat(self) -> ChatDock:
        files = TranscriptFiles(self.conversations) if self.conversations is not None else None
        dock = ChatDock(self.document, self.selection, self, files=files)
        dock.setTitleBarWidget(_title(dock.windowTitle()))
        dock.setMinimumWidth(RIGHT)
        dock.visibilityChanged.connect(self._dock_shown)
        return dock

    def _make_actions(self) -> None:
        top = QWidget(self)
        theme.set_role(top, "bar")
        line = QHBoxLayout(top)
        line.setContentsMargins(0, 0, 0, 1)
        line.setSpacing(0)
        bar, tools = QMenuBar(top), QToolBar(top)
        tools.setIconSize(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        menus = {name: bar.addMenu(f"&{name}") for name in MENUS}  # their first letters differ
        self.menus = menus
        menus["View"].setToolTipsVisible(True)
        for row in ROWS:
            menu = menus[row.category]
            if row.separated:
                menu.addSeparator()
            if isinstance(row, Action):
                self._make_action(row, menu)
                continue
            menus[row.title] = submenu = menu.addMenu(row.title)
            if row.fill is not None:
                submenu.aboutToShow.connect(partial(row.fill, self, submenu))
        for group in TOOLS:
            if tools.actions():
                tools.addSeparator()
            for name in group:
                tools.addAction(self.actions_by_id[name])
        programs = menus["Model Context Protocol"]
        self.status.programs.clicked.connect(lambda: programs.popup(self.status.programs.mapToGlobal(QPoint(0, 0))))
        first = [self.actions_by_id[name] for name in ("edit.arrow", "insert.library")]
        kinds = {k: self.actions_by_id[f"insert.{k}"] for f in ALL_FAMILIES.values() for k in f}
        for made in kinds.values():
            made.setIconVisibleInMenu(True)
        self.create_bar = CreateBar(first, kinds, {name: menus[name] for name in ALL_FAMILIES}, top)
        self.canvas.kindChosen.connect(self._kind_chosen)
        bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        line.addWidget(bar, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addStretch(1)
        line.addWidget(self.create_bar)
        line.addStretch(1)
        line.addWidget(tools)
        self.setMenuWidget(top)

    def _make_action(self, action: Action, menu: QMenu) -> None:
        made = QAction(action.title if isinstance(action.title, str) else "", self)
        made.setObjectName(action.id)
        made.setIconVisibleInMenu(False)
        made.setCheckable(action.checked is not None)
        if action.shortcut is not None:
            made.setShortcuts([QKeySequence(action.shortcut), *map(QKeySequence, action.also)])
        if action.shortcut_scopes:
            made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        for scope in action.shortcut_scopes:
            {"canvas": self.canvas, "tree": self.tree.list}[scope].addAction(made)
        if action.shortcut_scopes and any(map(_is_letter, made.shortcuts())):
            self.form_pages.addAction(made)  # as on the canvas, except while a text is typed
        made.triggered.connect(lambda: self._run(action))
        menu.addAction(made)
        self.actions_by_id[action.id] = made

    def _run(self, action: Action) -> None:
        if action.enabled(self):
            action.run(self)
        self._refresh()

    def _show_context_menu(self, at: QPoint) -> None:
        """Show the actions for the selection, or those of the empty canvas, at a point of the screen."""
        self._refresh()
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group in CONTEXT if self.selection.keys else CONTEXT_EMPTY:
            if menu.actions():
                menu.addSeparator()
            for name in group:
                menu.addAction(self.actions_by_id.get(name) or self.menus[name].menuAction())
        menu.popup(at)

    def _refresh(self, *_: object) -> None:
        if self.document.gesture is not None and self.isWindowModified():
            return
        for action in ACTIONS:
            made = self.actions_by_id.get(action.id)
            if made is None:
                return
            title = action.title if isinstance(action.title, str) else action.title(self)
            if made.text() != (text := label_text(title)):
                made.setText(text)
            keys = made.shortcut().toString(made.shortcut().SequenceFormat.NativeText)
            made.setToolTip(tool_tip(f"{title.removesuffix('…')}  {keys}".strip()))
            made.setEnabled(action.enabled(self))
            if action.checked is not None:
                made.setChecked(action.checked(self))
        path = self.document.session.path
        self.setWindowTitle(f"{path.name if path else 'Untitled'}[*] – Raybench")
        self.setWindowModified(self.document.session.modified)

    def _show_programs(self) -> None:
        programs = self.chat_dock.programs
        self.status.show_programs(programs.allowed, programs.address.url if programs.address is not None else "")
        self._refresh()

    def _retheme(self, *_: object) -> None:
        current = theme.current()
        self.theme_name = current.name
        for action in ACTIONS:
            if action.icon:
                self.actions_by_id[action.id].setIcon(action_icon(action.icon, current))
        self.create_bar.retheme()

    def _kind_chosen(self, kind: str) -> None:
        self.create_bar.show_kind(kind)
        self.library.show_tool(kind)
        self._show_form(kind if kind and is_preset(kind) else "")
        self._refresh()

    def _show_form(self, preset: str) -> None:
        """Show the data of the preset that is being placed; empty for the properties of the selection."""
        shown = self.forms.currentWidget()
        if isinstance(shown, PresetForm):
            if shown.name == preset:
                return
            self.forms.removeWidget(shown)
            shown.deleteLater()
        if preset:
            form = PresetForm(self.canvas, preset, self)
            self.forms.addWidget(form)
            self.forms.setCurrentWidget(form)
        self.form_pages.setTabText(0, title_of(preset) if preset else "Properties")
        self._show_selected_form()

    def _show_selected_form(self, *_: object) -> None:
        """Show the properties of what is selected or placed, or the scene's settings; the other is a click away."""
        shown = self.selection.keys or isinstance(self.forms.currentWidget(), PresetForm)
        self.form_pages.setCurrentWidget(self.forms if shown else self.scene_settings)

    # --- actions

    def draw(self, kind: str) -> None:
        """Activate the tool that draws an object of a kind."""
        self.canvas.choose_kind(kind)
        self.canvas.setFocus()

    def measure(self, kind: str) -> None:
        """Activate the tool that takes a measurement of a kind."""
        self.canvas.choose_measurement(kind)
        self.canvas.setFocus()

    def _choose_part(self, what: str, by_keyboard: bool) -> None:
        """Draw what was chosen in the library; by keyboard, the first number of a preset gets the focus."""
        self.actions_by_id[f"insert.{what}"].trigger()
        form = self.forms.currentWidget()
        if by_keyboard and isinstance(form, PresetForm):
            form.focus_first()

    @property
    def library_shown(self) -> bool:
        """Whether the library is seen."""
        return self.scene_dock.isVisible() and self.pages.currentWidget() is self.library

    def open_library(self) -> None:
        """Show the library and search it; or show the tree again, if the library was seen."""
        shown = self.library_shown
        self.scene_dock.show()
        self.pages.setCurrentWidget(self.tree if shown else self.library)
        if not shown:
            self.library.search.setFocus()
            self.library.search.selectAll()

    def toggle_keep(self) -> None:
        """Keep tools after drawing, or not; remembered between starts."""
        self.preferences.choose(KEEPS_TOOL, not self.canvas.keeps_tool)

    @property
    def snapping(self) -> bool:
        """Whether the pointer snaps to anything but the grid."""
        return bool(self.canvas.snapper.on - {GRID})

    def toggle_snapping(self) -> None:
        """Switch all snapping but that to the grid off, or on."""
        self._set_snaps_off(frozenset(SNAPS) if self.snapping else UNUSUAL)

    def toggle_snap(self, kind: str) -> None:
        """Switch a kind of snapping on or off; that to the grid is a setting of the scene."""
        if kind == GRID:
            self.document.change(SetSettings({"snapToGrid": not self.document.scene.settings.snap_to_grid}))
        else:
            self._set_snaps_off(self.canvas.snapper.off ^ {kind})

    def _set_snaps_off(self, kinds: frozenset[str]) -> None:
        self.preferences.choose(SNAPS_OFF, kinds - {GRID})

    def toggle(self, dock: QDockWidget) -> None:
        """Hide a dock, or show it; one that is behind another comes to the front."""
        if self.shows(dock):
            dock.hide()
        else:
            self.show_dock(dock)

    def shows(self, dock: QDockWidget) -> bool:
        """Whether a dock can be seen: Qt counts one behind another as visible."""
        return dock in self._shown_docks

    def _dock_shown(self, shown: bool) -> None:
        (self._shown_docks.add if shown else self._shown_docks.discard)(self.sender())
        self._refresh()

    def show_dock(self, dock: QDockWidget) -> None:
        """Show a dock, in front of those that share its place."""
        dock.show()
        dock.raise_()

    @property
    def studies(self) -> StudyPanel:
        panel: StudyPanel = self.study_dock.panel
        return panel

    @property
    def inspector(self) -> Inspector:
        panel: Inspector = self.inspector_dock.panel
        return panel

    @property
    def detector(self) -> PlotPanel:
        panel: PlotPanel = self.detector_dock.panel
        return panel

    @property
    def json(self) -> JsonPanel:
        """The scene as text."""
        panel: JsonPanel = self.json_dock.panel
        return panel

    def open_study(self, kind: str) -> None:
        """Show the study panel for a kind of study."""
        self.studies.show_request(dataclasses.replace(self.studies.request, kind=kind))
        self.show_dock(self.study_dock)

    def _study(self, kind: str, parameter: str) -> None:
        """Show the study panel for a parameter, with a range around its value."""
        from core.study.terms.parameter import read_parameter

        try:
            value = read_parameter(parameter, self.document.document).value_in(self.document.document)
        except RaybenchError as error:
            self.document.failed.emit(str(error))
            return
        self.show_dock(self.study_dock)
        self.studies.begin(kind, parameter, value)

    def _edit_definition(self, module: str) -> None:
        """Show the definition of a module in the scene's text."""
        self.show_dock(self.json_dock)
        self.json.show_module(module)

    def show_theme(self, name: str) -> None:
        """Give the whole program the colours of a theme."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme.apply_theme(app, name)

    def toggle_setting(self, name: str) -> None:
        """Switch a flag of the scene's settings, by its name there, on or off."""
        settings = self.document.scene.settings
        json_name = next(f.json_name for f in fields_of(type(settings)) if f.name == name)
        self.document.change(SetSettings({json_name: not getattr(settings, name)}))

    def color_rays(self, coloring: str) -> None:
        """Colour the rays by a row of `core.raster.coloring.COLORINGS`; an empty name stands for the scene's colour mode."""
        self.document.set_view(dataclasses.replace(self.document.session.view, coloring=coloring))

    def undo(self) -> None:
        self._step(self.document.undo)

    def redo(self) -> None:
        self._step(self.document.redo)

    def _step(self, step: Callable[[], None]) -> None:
        """Go a step back or forth in the history, and select the objects that came back by it."""
        before = {o.key for o in self.document.scene.objects}
        step()
        came = [o.key for o in self.document.scene.objects if o.key not in before]
        if came:
            self.selection.set(came)

    def select_all(self) -> None:
        self.selection.set(o.key for o in self.document.scene.objects if o.key not in self.document.document.hidden)

    def delete(self) -> None:
        if self.selection.measurements:
            delete_measurements(self.document, self.selection)
        else:
            arrange.change_unlocked(self, Delete, "delete")

    def duplicate(self) -> None:
        doubled = Duplicate(o.key for o in self.document.scene.objects if o.key in self.selection.keys)
        if self.document.change(doubled):
            self.selection.set(doubled.copies.values())

    def rename(self) -> None:
        """Edit the name of the selected object in the tree."""
        self._show_tree()
        self.tree.rename()

    def show_history(self) -> None:
        """Show the history."""
        self.scene_dock.show()
        self.pages.setCurrentWidget(self.history)
        self.history.list.setFocus()

    def show_settings(self) -> None:
        """Show the settings of the scene, with the first of them focused."""
        self.scene_dock.show()
        self.form_pages.setCurrentWidget(self.scene_settings)
        form = self.scene_settings.widget()
        first = form.nextInFocusChain() if form is not None else None
        if first is not None:
            first.setFocus()

    def find_object(self) -> None:
        """Search the tree."""
        self._show_tree()
        self.tree.search.setFocus()

    def _show_tree(self) -> None:
        self.scene_dock.show()
        self.pages.setCurrentWidget(self.tree)

    def reset_layout(self) -> None:
        """Show the panels that a new window shows, in their first sizes."""
        for dock in (self.scene_dock, self.chat_dock):
            dock.show()
        for dock in (self.rays_dock, self.study_dock, self.detector_dock, self.inspector_dock, self.json_dock):
            dock.hide()
        self.resizeDocks([self.scene_dock, self.chat_dock], [LEFT, RIGHT], Qt.Orientation.Horizontal)

    def _show_page(self) -> None:
        """Show the tree, or the library where the scene is empty."""
        self.pages.setCurrentWidget(self.tree if self.document.scene.objects else self.library)

    def _opened(self) -> None:
        self.selection.clear()
        self._show_page()
        self._saved()

    def _saved(self) -> None:
        if self.document.session.path is not None:
            self.settings.remember_file(self.document.session.path)
        self._refresh()

    # --- events

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files.can_drop(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        files.drop(self, event.mimeData())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not files.may_leave(self):
            event.ignore()
            return
        self.settings.remember_window(self.saveGeometry(), self.saveState())
        self.chat_dock.close_agent()
        if self.study_dock.made is not None:
            self.studies.close_study()
        if self.json_dock.made is not None:
            self.json.close_threads()
        self.problems.close_thread()
        self.service.close()
        self.recovery_offer.postpone()
        self.recovery.close()
        self.closed.emit()
        event.accept()


def _is_letter(keys: QKeySequence) -> bool:
    """Whether a shortcut is one letter, with Shift or without."""
    sign = keys.toString().removeprefix("Shift+")
    return len(sign) == 1 and sign.isalpha()


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


def _tabs(*pages: tuple[QWidget, str]) -> QTabWidget:
    tabs = QTabWidget()
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
