"""The main window: the canvas of one document, with panels around it."""

from __future__ import annotations

import dataclasses
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QSize, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QMainWindow,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from raybench.scene.creation import creatable_title, is_preset
from raybench_workbench import files, saving, theme
from raybench_workbench.agent.actions import AgentActions
from raybench_workbench.canvas.chips import TraceChip
from raybench_workbench.canvas.rays.refined_picture import RefinablePicture
from raybench_workbench.canvas.refined_readings import RefinableReadings
from raybench_workbench.canvas.view import CanvasView
from raybench_workbench.chat.dock import ChatDock
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.measuring.form import MeasurementForm
from raybench_workbench.measuring.panel import MeasurementList
from raybench_workbench.panels.document_lists import HistoryPanel, SceneProblems
from raybench_workbench.panels.library import LibraryPanel
from raybench_workbench.panels.messages import MessageStrip, StatusLine
from raybench_workbench.panels.preset_form import PresetForm
from raybench_workbench.panels.properties import PropertiesForm
from raybench_workbench.panels.ray_table import RayTable
from raybench_workbench.panels.scene_tree import SceneTree
from raybench_workbench.panels.settings_form import SceneSettings
from raybench_workbench.preferences.choices import KEEPS_TOOL, PreferenceApplier
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.recovery import DocumentRecovery, RecoveryOffer, recover_leftover
from raybench_workbench.refinement import Refinement
from raybench_workbench.saving import FileWatch
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.tracing import TraceService
from raybench_workbench.translation import tr
from raybench_workbench.window.keyboard import move_focus
from raybench_workbench.window.layout import (
    PanelDock,
    lay_out_window,
    run_study,
    show_first_page,
    show_module,
    show_parameter_study,
    track_visibility,
)
from raybench_workbench.window.menus import MenuBar
from raybench_workbench.window.presentation import is_presenting, toggle_presentation
from raybench_workbench.window.tabs import scene_title, show_title

if TYPE_CHECKING:
    from raybench_workbench.inspector import Inspector
    from raybench_workbench.json_view.panel import JsonPanel
    from raybench_workbench.lens_data.panel import LensDataPanel
    from raybench_workbench.lens_merit.panel import LensMeritPanel
    from raybench_workbench.parameters.panel import ParameterPanel
    from raybench_workbench.plots.panel import PlotPanel
    from raybench_workbench.studies.panel import StudyPanel

INITIAL_SIZE = QSize(1320, 820)


class MainWindow(QMainWindow):
    """The window of one document, usually as a tab of a `TabWindow`."""

    closed = Signal()
    document: WorkDocument
    selection: Selection
    service: TraceService
    preferences: PreferenceApplier
    settings: Settings
    theme_name: str
    canvas: CanvasView
    pages: QTabWidget
    """The tree, the library and the history."""
    forms: QStackedWidget
    """The properties of the selection, or the data of a preset."""
    form_pages: QTabWidget
    """The forms, and the settings of the scene."""
    scene_dock: QDockWidget
    rays_dock: QDockWidget
    chat_dock: ChatDock
    study_dock: PanelDock[StudyPanel]
    inspector_dock: PanelDock[Inspector]
    plots_dock: PanelDock[PlotPanel]
    added_docks: dict[str, PanelDock[Any]]
    """The docks of other packages, by their titles."""
    json_dock: PanelDock[JsonPanel]
    lens_dock: PanelDock[LensDataPanel]
    merit_dock: PanelDock[LensMeritPanel]
    parameter_dock: PanelDock[ParameterPanel]
    console_dock: PanelDock[QWidget]

    def __init__(
        self,
        document: WorkDocument,
        settings: Settings | None = None,
        recovery_folder: Path | None = None,
        conversations: Path | None = None,
    ) -> None:
        """Create the window. Without ``recovery_folder`` it writes no recovery files, and without
        ``conversations`` it stores no conversations.
        """
        super().__init__()
        self.document = document
        document.setParent(self)
        self.settings = settings or Settings()
        self.conversations = conversations
        self.theme_name = theme.current_theme().name
        self.selection = Selection(self)
        self.service = TraceService(document, self)
        self.reading = LatestTaskRunner(self, document.failed.emit, tr("Reading the file"))
        self.problems = SceneProblems(document, self)
        self.canvas = CanvasView(document, self.selection, self)
        self.trace_chip = TraceChip(self.service, self.canvas)
        self.refinement: Refinement = Refinement(self.service, self.selection, self)
        self.refinement.add_part(RefinablePicture(self.canvas), self.canvas.backdrop.shownChanged)
        self.refinement.add_part(RefinableReadings(self.canvas))
        self.canvas.escapePressed.connect(self.refinement.stop)
        self.problems.changed.connect(lambda: self.canvas.mark_problems(self.problems.by_key))
        self.canvas.mark_problems(self.problems.by_key)
        self.messages = MessageStrip(document, self.selection, self.problems, self)
        self.file_watch = FileWatch(document, self)
        self.recovery: DocumentRecovery = DocumentRecovery(document, recovery_folder, self)
        self.recovery_offer = RecoveryOffer(self)
        self.tree = SceneTree(document, self.selection, self.problems, self)
        self.measurements = MeasurementList(document, self.selection, self.canvas.measured, self)
        self.library = LibraryPanel(document, self)
        self.properties = PropertiesForm(document, self.selection, self)
        self.scene_settings = SceneSettings(document, self)
        self.history = HistoryPanel(document, self)
        self.rays = RayTable(document, self)
        self.status = StatusLine(document, self.service, self.refinement, self)
        lay_out_window(self)
        self._bar = MenuBar(self)
        self.setMenuWidget(self._bar)
        self.actions_by_id, self.menus = self._bar.actions_by_id, self._bar.menus
        self.create_bar = self._bar.create_bar
        actions = AgentActions(self)
        self.chat_dock.agent.offer_actions(actions)
        self.chat_dock.programs.offer_actions(actions)
        for dock in self.findChildren(QDockWidget):
            track_visibility(dock)
            dock.visibilityChanged.connect(self.refresh_actions)
        programs = self.menus["Model Context Protocol"]
        self.status.programs.clicked.connect(
            lambda: programs.popup(self.status.programs.mapToGlobal(QPoint(0, 0)))
        )
        self.canvas.kindChosen.connect(self._update_for_chosen_kind)
        self.library.chosen.connect(self._choose_part)
        self.library.importRequested.connect(self.actions_by_id["file.import_modules"].trigger)
        parts, canvas = self.library.parts, self.canvas
        parts.carried.connect(
            lambda part, at: canvas.preview_object_at(part, canvas.mapFromGlobal(at))
        )
        parts.dropped.connect(lambda part, at: canvas.drop_object(canvas.mapFromGlobal(at)))
        parts.abandoned.connect(lambda: canvas.activate_drawing_mode(None))
        self.pages.currentChanged.connect(self.refresh_actions)
        show_first_page(self)
        self._show_selected_form()
        canvas.cursorMoved.connect(lambda at: self.status.show_cursor(at, 1 / canvas.camera.scale))
        self.canvas.paintedCountChanged.connect(self.status.show_painted_count)
        self.canvas.menuRequested.connect(self._bar.show_context_menu)
        self.tree.menuRequested.connect(self._bar.show_context_menu)
        self.tree.hovered.connect(self.selection.objectHovered)
        for panel in (self.tree, self.library, self.properties, self.scene_settings):
            panel.exited.connect(self.canvas.setFocus)
        self.properties.studyRequested.connect(partial(show_parameter_study, self))
        self.scene_settings.studyRequested.connect(partial(show_parameter_study, self))
        self.selection.studyWanted.connect(partial(run_study, self))
        self.properties.definitionRequested.connect(partial(show_module, self))
        self.canvas.hidden_chip.clicked.connect(self.actions_by_id["arrange.show"].trigger)
        self.canvas.problemPicked.connect(self.messages.show_problem)
        self.canvas.rayPicked.connect(self.inspector_dock.show)
        self.chat_dock.stateChanged.connect(self.recovery.write_draft)
        self.recovery.found.connect(self.recovery_offer.offer_leftovers)
        self.recovery_offer.chosen.connect(partial(recover_leftover, self))
        self.recovery_offer.failed.connect(document.failed)
        self.file_watch.stateChanged.connect(self.messages.show_file_state)
        self.service.compilingChanged.connect(self.messages.show_compiling)
        self.service.kernelProblem.connect(self.messages.show_kernel_problem)
        self.messages.file.button.clicked.connect(partial(files.reload_document, self))
        document.opened.connect(self._show_opened_document)
        document.opened.connect(self.reading.cancel_request)
        for ended in (document.changed, document.saved, document.failed):
            ended.connect(self.status.clearMessage)  # the message that a file is being read
        document.saved.connect(self._remember_saved_file)
        self.chat_dock.programs.stateChanged.connect(self._show_connected_programs)
        self.selection.changed.connect(self._show_selected_form)
        self.selection.measurementsChanged.connect(self._show_selected_form)
        self.canvas.valueOpened.connect(lambda: self.measurement_form.edit_text())
        for shown in (
            document.changed,
            document.viewChanged,
            document.gestureChanged,
            self.chat_dock.stateChanged,
            self.selection.changed,
            self.selection.measurementsChanged,
            self.service.stateChanged,
            self.refinement.runningChanged,
        ):
            shown.connect(self.refresh_actions)
        theme.notifier.changed.connect(self._update_theme)
        QApplication.styleHints().colorSchemeChanged.connect(self._apply_desktop_theme)
        self.preferences = PreferenceApplier(self)
        self.preferences.changed.connect(self.refresh_actions)
        self.setAcceptDrops(True)
        self.resize(INITIAL_SIZE)
        self.settings.restore_window(self.restoreGeometry, self.restoreState)
        self._update_theme()
        self.refresh_actions()
        self.canvas.setFocus()
        if document.scene.objects:
            self.service.start()

    def refresh_actions(self, *_: object) -> None:
        """Update the state of the actions and the title of the window."""
        if self.document.gesture is not None and self.isWindowModified():
            return
        self._bar.refresh_actions()
        self.setWindowTitle(f"{scene_title(self)}[*] – Raybench")
        self.setWindowModified(self.document.session.modified)
        show_title(self)

    def _show_connected_programs(self) -> None:
        programs = self.chat_dock.programs
        url = programs.address.url if programs.address is not None else ""
        self.status.show_program_access(programs.allowed, url)
        self.refresh_actions()

    def _apply_desktop_theme(self, *_: object) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme.follow_desktop_theme(app)

    def _update_theme(self, *_: object) -> None:
        self.theme_name = theme.current_theme().name
        self._bar.update_theme()

    def _update_for_chosen_kind(self, kind: str) -> None:
        self.create_bar.mark_drawn_kind(kind)
        self.library.mark_drawn_part(kind)
        self._show_preset_form(kind if kind and is_preset(kind) else "")
        self.refresh_actions()

    def _show_preset_form(self, preset: str) -> None:
        """Show the form of the preset that is being drawn; if ``preset`` is empty, show the
        properties of the selection.
        """
        current = self.forms.currentWidget()
        if isinstance(current, PresetForm):
            if current.name == preset:
                return
            self.forms.removeWidget(current)
            current.deleteLater()
        if preset:
            form = PresetForm(self.canvas, preset, self)
            form.exited.connect(self.canvas.setFocus)
            self.forms.addWidget(form)
            self.forms.setCurrentWidget(form)
        self.form_pages.setTabText(0, tr(creatable_title(preset)) if preset else tr("Properties"))
        self._show_selected_form()

    def _show_selected_form(self, *_: object) -> None:
        """Show the properties of the selection, or the form of the preset that is being drawn. If
        there is neither, show the scene's settings.
        """
        measured, draws = (
            self.selection.measurements,
            isinstance(self.forms.currentWidget(), PresetForm),
        )
        if not draws:
            self.forms.setCurrentWidget(self.measurement_form if measured else self.properties)
        has_form = self.selection.keys or measured or draws
        self.form_pages.setCurrentWidget(self.forms if has_form else self.scene_settings)

    @cached_property
    def measurement_form(self) -> MeasurementForm:
        """The form of the selected measurements, made when it is first shown."""
        form = MeasurementForm(self.document, self.selection, self)
        form.exited.connect(self.canvas.setFocus)
        self.forms.addWidget(form)
        return form

    # --- actions

    def stop_tracing(self) -> None:
        """Stop the trace, or the refinement, and keep what was traced so far."""
        self.service.stop()
        self.refinement.stop()

    def activate_drawing_tool(self, kind: str) -> None:
        """Activate the tool that draws an object of a kind."""
        self.canvas.activate_drawing_mode(kind)
        self.canvas.setFocus()

    def activate_measuring_tool(self, kind: str) -> None:
        """Activate the tool that takes a measurement of a kind."""
        self.canvas.activate_measuring_mode(kind)
        self.canvas.setFocus()

    def _choose_part(self, part: str, by_keyboard: bool) -> None:
        """Activate the tool that draws a part chosen in the library. If it was chosen with the
        keyboard, focus the first number of a preset.
        """
        self.activate_drawing_tool(part)
        form = self.forms.currentWidget()
        if by_keyboard and isinstance(form, PresetForm):
            form.focus_first()

    def toggle_keep_tool(self) -> None:
        """Switch whether a tool stays active after an object was drawn; the choice is stored in the
        preferences.
        """
        self.preferences.choose_value(KEEPS_TOOL, not self.canvas.keeps_tool)

    @property
    def studies(self) -> StudyPanel:
        return self.study_dock.panel

    @property
    def inspector(self) -> Inspector:
        return self.inspector_dock.panel

    @property
    def plots(self) -> PlotPanel:
        return self.plots_dock.panel

    @property
    def json(self) -> JsonPanel:
        """The panel that shows the scene as JSON text."""
        return self.json_dock.panel

    def show_theme(self, name: str) -> None:
        """Show all windows of the application in the theme with this name."""
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        theme.apply_theme(app, name)

    def color_rays(self, coloring: str) -> None:
        """Colour the rays by one of `raybench.raster.coloring.COLORINGS`; an empty name selects the
        scene's colour mode.
        """
        self.document.set_view(dataclasses.replace(self.document.session.view, coloring=coloring))

    def _show_opened_document(self) -> None:
        self.selection.clear()
        show_first_page(self)
        self._remember_saved_file()

    def _remember_saved_file(self) -> None:
        if self.document.session.path is not None:
            self.settings.remember_file(self.document.session.path)
        self.refresh_actions()

    # --- events

    def focusNextPrevChild(self, next: bool) -> bool:
        return move_focus(self, next)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if files.can_drop(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        files.open_dropped(self, event.mimeData())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh_actions()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not saving.may_leave_document(self):
            event.ignore()
            return
        self.end()
        event.accept()

    def end(self) -> None:
        """Stop all work for the document, because the window closes. Unsaved changes are not asked
        about.
        """
        if is_presenting(self):
            toggle_presentation(self)  # the layout before it is stored
        self.settings.remember_window(self.window().saveGeometry(), self.saveState())
        self.chat_dock.close_agent()
        self.close_panels()
        self.refinement.refine_to(0.0)
        self.canvas.backdrop.close()
        self.service.close()
        self.recovery_offer.postpone_recovery()
        self.recovery.close()
        self.settings.wait_until_written()
        self.closed.emit()

    def close_panels(self) -> None:
        """Stop the work of all panels that were created."""
        if (studies := self.study_dock.made) is not None:
            studies.close_study()
        if (merit := self.merit_dock.made) is not None:
            merit.close_search()
        if (json := self.json_dock.made) is not None:
            json.close_threads()
