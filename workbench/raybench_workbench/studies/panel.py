"""The study panel: the form on the left, the plot and the table of results on the right."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QScrollArea, QSplitter, QStackedWidget, QWidget

from raybench.agent.call.approval import ProposedEdit
from raybench.errors import RaybenchError
from raybench.scene.changes import Change, SetDocument
from raybench.study.experiment import Values
from raybench.study.request import STUDY_KINDS, StudyRequest
from raybench.study.table import SUFFIXES, Table, TableBuilder, save_table
from raybench.trace.run.memory import TraceMemory
from raybench_workbench import theme
from raybench_workbench.dialogs import NameDialog, ask_save_name
from raybench_workbench.document import SceneSnapshot, Selection, WorkDocument
from raybench_workbench.studies.form import StudyForm
from raybench_workbench.studies.player import Player, RepeatMode
from raybench_workbench.studies.plot import StudyPlot
from raybench_workbench.studies.results import ResultsTable, row_text, study_summary
from raybench_workbench.studies.runner import StudyProgress, StudyRunner
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    ElidedChoice,
    ElidedLabel,
    Hint,
    WrappedLabel,
    column_layout,
    push_button,
    row_layout,
    set_vertical_scrolling,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form

MIN_LIST_WIDTH = 32
"""Smallest width of the list, in pixels."""
TITLE = tr("Saved studies")


class SavedStudies(QWidget):
    """A line with the saved studies, and buttons that save or remove one. ``request`` returns the
    study to save.
    """

    chosen = Signal(object)
    """The `StudyRequest` that was chosen."""
    failed = Signal(str)
    """Why one that was chosen cannot be read."""

    def __init__(self, document: WorkDocument, request: Callable[[], StudyRequest]) -> None:
        super().__init__()
        self._document, self._request = document, request
        self.list = ElidedChoice()
        self.list.setAccessibleName(TITLE)
        self.list.setPlaceholderText(TITLE)
        self.list.setSizeAdjustPolicy(
            ElidedChoice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )  # the buttons need the room
        self.list.setMinimumWidth(MIN_LIST_WIDTH)
        leave_wheel_to_form(self.list)
        tip = tr("Save this study in the document, under a name")
        self.save_button = push_button(tr("Save…"), self.ask_save_study, tip=tip, role="")
        self.remove_button = push_button(tr("Remove"), self.remove_study, role="")
        row_layout(
            (self.list, 1),
            self.save_button,
            self.remove_button,
            on=self,
            margins=0,
            spacing=theme.HALF,
        )
        self.list.activated.connect(self._choose_saved_study)
        document.changed.connect(self._show_studies)
        self._show_studies()

    def ask_save_study(self) -> None:
        """Ask for a name and save the study in the document."""
        suggested = self.list.currentText() or next(iter(self._request().vary), "")
        NameDialog(
            tr("Save study"), tr("Name of the study"), suggested, self.save_study, self
        ).open()

    def save_study(self, name: str) -> str:
        """Save the study in the document under a name, and replace a study of the same name.
        Returns the reason if this is refused.
        """
        if not name.strip():
            return tr("A study needs a name.")
        studies = {**self._document.document.studies, name.strip(): self._request().to_json()}
        reason = self._document.apply_or_refuse(SetDocument(studies=studies))
        if not reason:
            self.list.setCurrentText(name.strip())
            self._show_studies()
        return reason

    def remove_study(self) -> None:
        """Remove the chosen study from the document."""
        studies = dict(self._document.document.studies)
        studies.pop(self.list.currentText(), None)
        self._document.change(SetDocument(studies=studies))

    def _choose_saved_study(self, index: int) -> None:
        study = self._document.document.studies[self.list.itemText(index)]
        try:
            self.chosen.emit(StudyRequest.from_json(study))
        except RaybenchError as error:
            self.failed.emit(str(error))
        self._show_studies()

    def _show_studies(self, *_: object) -> None:
        names = list(self._document.document.studies)
        if [self.list.itemText(i) for i in range(self.list.count())] != names:
            now = self.list.currentText()
            self.list.clear()
            self.list.addItems(names)
            self.list.setCurrentIndex(self.list.findText(now))
        self.list.setEnabled(bool(names))
        self.remove_button.setEnabled(self.list.currentIndex() >= 0)


FORM_WIDTH = 304
"""Initial width in pixels."""
MAX_SUMMARY_SHARE = 0.6
"""Largest part of the height beside the plot that the summary takes from the table."""
REPLOT_S = 0.2
"""Least time between two plots of a study that runs."""
PICTURE_SUFFIXES = (".png", ".svg")
FILM_SIZE = 960, 720
"""Width and height of a film, in pixels, to begin with."""
FILTERS = tr(
    "Table as CSV (*.csv);;Table as npz (*.npz);;Table as JSON (*.json);;PNG"
    " picture (*.png);;SVG drawing (*.svg)"
)
HINTS = {
    "sweep": tr("Write what is varied and what is measured, and press Enter."),
    "optimise": tr("Write what may be varied and the goals, and press Enter."),
    "tolerance": tr("Write by how much parts may be off and what is measured, and press Enter."),
}
"""What is said before a study of a kind has run."""
CHANGED = tr("The scene has changed since; run the study again to apply a row.")


class StudyPanel(QWidget):
    """The panel that runs a study on the current document. Only the button “Apply” changes the
    document, as one undo step.
    """

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        parent: QWidget | None = None,
        *,
        is_drawn: Callable[[], bool] = lambda: True,
    ) -> None:
        """``is_drawn`` returns whether the canvas has finished drawing the latest light."""
        super().__init__(parent)
        self._document, self._selection = document, selection
        self.runner = StudyRunner(self)
        self.table: Table | None = None
        self._builder: TableBuilder | None = None
        self._progress = StudyProgress()
        self._studied = document.document
        self._row, self._plotted = -1, 0.0
        self._run_kind = STUDY_KINDS[0]
        self._ended = ""
        self.run_button = push_button(tr("Run"), self.run, role="")
        self.stop_button = push_button(tr("Stop"), self.stop, role="")
        self.apply_button = push_button(tr("Apply"), self.apply_row, role="")
        self.export_button = push_button(tr("Export…"), self.ask_export, role="")
        tip = tr("Write a film: GIF, MP4 or PNG frames")
        self.film_button = push_button(tr("Film…"), self.ask_film, tip=tip, role="")
        self.saved = SavedStudies(document, lambda: self.form.request)
        self.form = StudyForm(document, (self.run_button, self.stop_button), self.saved)
        self.note = ElidedLabel()
        self.hint = Hint(HINTS[STUDY_KINDS[0]])
        self.hint.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )  # it may be an error
        self.measure_box = ElidedChoice()
        self.measure_box.setAccessibleName(tr("Measure that is plotted"))
        self.measure_box.setSizeAdjustPolicy(
            ElidedChoice.SizeAdjustPolicy.AdjustToContents
        )  # the measures differ from study to study
        self.measure_box.setMaximumWidth(FORM_WIDTH)
        self.plot = StudyPlot(self)
        self._snapshots = LatestTaskRunner(
            self, lambda why: self._show_note(why, "error"), tr("The trace")
        )
        self._memory = TraceMemory()
        self._plays_next = False
        """Whether the film begins when the study has ended."""
        self.player = Player(lambda: is_drawn() and not self._snapshots.is_working, self)
        self.results = ResultsTable(self)
        self.summary = WrappedLabel(selectable=True, role="panel")
        self.summary.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        self.summary.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.summary_area = QScrollArea()
        set_vertical_scrolling(self.summary_area, self.summary, focus=True)
        self.found = QStackedWidget()
        self._lay_out()
        self._show_summary("")
        self.saved.chosen.connect(self.form.show_request)
        self.saved.failed.connect(lambda reason: self._show_note(reason, "error"))
        self.form.submitted.connect(self.run)
        self.measure_box.currentIndexChanged.connect(self._replot_table)
        self.plot.pointed.connect(self._preview_row)
        self.plot.chosen.connect(self.results.select_row)
        self.results.chosen.connect(self._choose_row)
        self.player.rowChanged.connect(self.results.select_row)
        self.player.opened.connect(self._film_opened_or_closed)
        selection.snapshotChanged.connect(self._close_player_without_snapshot)
        self.runner.advanced.connect(self._show_progress)
        self.runner.finished.connect(self._finish_study)
        document.changed.connect(self._document_changed)
        document.opened.connect(self._forget_results)
        self.form.kind.currentIndexChanged.connect(self._show_state)
        theme.notifier.changed.connect(self._replot_table)
        self._show_state()

    # --- layout

    def _lay_out(self) -> None:
        """Arrange the form on the left, and on the right the buttons, the plot, and beside it the
        summary and the table.
        """
        text = self._text = _splitter(Qt.Orientation.Vertical, self.summary_area, self.results)
        text.setStretchFactor(1, 1)
        sides = _splitter(Qt.Orientation.Horizontal, self.plot, text)
        sides.setSizes([300, 300])
        self.found.addWidget(self.hint)
        self.found.addWidget(sides)
        bar = row_layout(
            self.measure_box,
            (self.note, 1),
            self.apply_button,
            self.film_button,
            self.export_button,
            margins=(theme.GRID, theme.HALF, theme.GRID, theme.HALF),
            spacing=theme.GRID,
        )
        right = QWidget()
        theme.set_role(right, "panel")
        column_layout(bar, (self.found, 1), self.player, on=right, margins=0, spacing=0)
        whole = _splitter(Qt.Orientation.Horizontal, self.form, right)
        whole.setSizes([FORM_WIDTH, 3 * FORM_WIDTH])
        whole.setStretchFactor(1, 1)
        column_layout(whole, on=self, margins=0)
        self._beside_film = (self.form, text, self.apply_button, self.export_button)

    def show_film_alone(self, alone: bool) -> None:
        """Show only the plot and the player, or everything again."""
        for part in self._beside_film:
            part.setVisible(not alone)
        self._show_state()

    def _show_summary(self, text: str) -> None:
        self.summary.setText(text)
        self.summary_area.setVisible(text != "")
        wanted = self.summary.heightForWidth(self.summary_area.viewport().width())
        high = min(wanted, round(MAX_SUMMARY_SHARE * self._text.height()))
        self._text.setSizes([high, self._text.height() - high])

    # --- running

    def run(self) -> None:
        """Run the study on the current document, unless a study is running."""
        if self.runner.busy:
            self._show_note(tr("A study is running: stop it first"))
            return
        request = self.form.request
        self._studied, self._run_kind = self._document.document, request.kind
        self._clear_results()
        self._show_note(tr("Starting…"))
        self.runner.start(request, self._studied)
        self._show_state()

    def _clear_results(self) -> None:
        self._progress, self.table, self._builder, self._plotted = (
            StudyProgress(),
            None,
            None,
            -REPLOT_S,
        )
        self._plays_next = False
        self._choose_row(-1)
        self.player.set_count(0)
        self.plot.clear_plot()
        self.results.show_table(None)
        self._show_summary("")

    def play(self) -> None:
        """Play the rows of the study on the canvas. Run the study first if there are no rows for
        the current scene.
        """
        if self._has_rows and self.is_study_current and not self.runner.busy:
            self.player.play()
        elif not self.form.request.vary or not self.form.request.measures:
            self.form.choose_kind("sweep")
            self.form.focus_missing_line()
        else:
            self.run()
            self._plays_next = True

    @property
    def _has_rows(self) -> bool:
        return self.table is not None and len(self.table.rows) > 0

    def stop(self) -> None:
        """Stop the study; evaluations that already began are finished."""
        self.runner.stop()
        self._show_note(tr("Stopping…"))
        self._show_state()

    def close_study(self) -> None:
        """Stop the running study because the window closes."""
        self.runner.close()

    def _show_progress(self, progress: StudyProgress) -> None:
        self._show_new_results(progress)
        rows = len(progress.rows)
        if self.runner.is_stopping:
            return
        if progress.count and rows:
            left = progress.seconds / rows * (progress.count - rows)
            self._show_note(
                tr(
                    "{rows} of {count}, {left:.0f} s left",
                    rows=rows,
                    count=progress.count,
                    left=left,
                )
            )
        elif progress.evaluations:
            self._show_note(tr("{evaluations} evaluations", evaluations=progress.evaluations))

    def _finish_study(self, progress: StudyProgress) -> None:
        self._show_new_results(progress)
        rows = len(progress.rows)
        if progress.error:
            self._show_note(progress.error if rows else "", "error")  # else the hint states it
        else:
            self._ended = tr("Done in {seconds:.1f} s", seconds=progress.seconds)
            if rows < progress.count:
                self._ended = tr("{rows} of {count} rows; stopped", rows=rows, count=progress.count)
            self._show_note(self._ended)
        self._show_summary(study_summary(progress, self.table))
        if progress.outcome is not None and progress.outcome.optimum is not None:
            self.results.select_row(rows - 1)
        self._show_state()
        if self._plays_next:
            self._plays_next = False
            self.player.play()

    def _show_new_results(self, progress: StudyProgress) -> None:
        """Show the results that have arrived since the last update."""
        self._progress, experiment, grew = progress, progress.experiment, False
        if experiment is not None:
            if self._builder is None:
                continuing = self._run_kind == "tolerance"
                self._builder = TableBuilder(experiment, continuing=continuing)
                with QSignalBlocker(self.measure_box):
                    self.measure_box.clear()
                    self.measure_box.addItems([m.expression for m in experiment.measures])
            new = progress.rows[len(self._builder) :]
            grew = self.table is None or bool(new)
            if grew:
                self._builder.add(new)
                self.table = self._builder.table()
                self.results.show_table(self.table)
                self.player.set_count(len(self.table.rows))
        late = progress.seconds - self._plotted > REPLOT_S
        if progress.ended or (late and (grew or progress.merits)):
            self._plotted = progress.seconds
            self._replot_table()
        self._show_state()

    def _replot_table(self, *_: object) -> None:
        table, measure = self.table, self.measure_box.currentIndex()
        if self._progress.merits:
            self.plot.show_search_progress(self._progress.merits)
        elif table is not None and len(table.rows) and measure >= 0:
            experiment = self._progress.experiment
            parameters = len(experiment.parameters) if experiment is not None else 1
            if self._run_kind == "tolerance":
                show = self.plot.show_histogram
            else:
                show = self.plot.show_map if parameters == 2 else self.plot.show_curve
            show(table, parameters + measure)
        self._mark_row()

    # --- rows

    @property
    def is_study_current(self) -> bool:
        """Whether the document is unchanged since the study began."""
        return self._document.document.has_same_light_as(self._studied)

    def _preview_row(self, row: int) -> None:
        """Preview the scene of the row under the pointer as a ghost, and show its numbers. If the
        pointer is on no row, preview the chosen row.
        """
        row = row if row >= 0 else self._row
        self._show_row(row)
        if self.table is not None and not self.runner.busy and not self._progress.error:
            known = 0 <= row < len(self.table.rows)
            self._show_note(row_text(self.table, row) if known else self._ended)

    def _choose_row(self, row: int) -> None:
        self._row = row
        self.player.show_row(max(row, 0))
        self._preview_row(row)
        self._show_state()

    def _show_row(self, row: int) -> None:
        self._mark_row(row)
        values, ghost = self._row_values(row), None
        if values is None or not self.is_study_current or not self.isVisible():
            self.player.close_film()
        elif self.player.is_open:
            self._request_snapshot(values)
        else:
            with suppress(RaybenchError):  # the measures of this row are undefined for this reason
                ghost = ProposedEdit.from_changes(self._changes_for_values(values), self._studied)
        self._show_ghost(ghost)

    def _changes_for_values(self, values: Values) -> Sequence[Change]:
        assert self._progress.experiment is not None
        return self._progress.experiment.changes(values)

    # --- the film

    def _request_snapshot(self, values: Values) -> None:
        """Trace the scene of a row in a thread, and show it in place of the document."""
        experiment, memory = self._progress.experiment, self._memory
        assert experiment is not None

        def trace_still() -> SceneSnapshot:
            return SceneSnapshot(*experiment.trace_with_values(values, memory, threads=None))

        self._snapshots.request_task(trace_still, self._selection.show_snapshot)

    def _film_opened_or_closed(self, is_open: bool) -> None:
        if is_open:
            self.results.select_row(self.player.row)
        else:
            self._snapshots.cancel_request()
            self._selection.show_snapshot(None)
        self._show_row(self._row)
        self._show_state()

    def _close_player_without_snapshot(self, snapshot: SceneSnapshot | None) -> None:
        if snapshot is None:  # the canvas was given back to the document
            self.player.close_film()

    def _show_ghost(self, ghost: ProposedEdit | None) -> None:
        """Show the scene of a row as a ghost, or remove the ghost. An edit that awaits approval has
        precedence.
        """
        self._selection.propose_edit(self, ghost, behind=True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_row(self._row)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.player.close_film()
        self._show_ghost(None)

    def _mark_row(self, row: int | None = None) -> None:
        row = self._row if row is None else row
        values, table = self._row_values(row), self.table
        x = y = math.nan
        sweeps = self._run_kind != "tolerance" and not self._progress.merits
        if values is not None and table is not None and sweeps:
            measure = len(values) + max(self.measure_box.currentIndex(), 0)
            x, y = values[0], values[1] if len(values) == 2 else float(table.rows[row, measure])
        self.plot.mark_point(x, y)

    def _row_values(self, row: int) -> Values | None:
        return self._progress.rows[row][0] if 0 <= row < len(self._progress.rows) else None

    def apply_row(self) -> None:
        """Apply the values of the chosen row to the document, as one undo step."""
        values = self._row_values(self._row)
        if values is None or not self.is_study_current:
            return
        self.player.close_film()
        self._show_ghost(None)
        try:
            self._document.change(self._changes_for_values(values))
        except RaybenchError as error:  # of a link
            self._document.failed.emit(str(error))

    # --- export

    def ask_export(self) -> None:
        """Ask for a file name and write the table or the plot, as its suffix says."""
        name, known = f"{self._run_kind}.csv", (*SUFFIXES, *PICTURE_SUFFIXES)
        path = ask_save_name(self, tr("Export study"), name, FILTERS, known)
        if path is not None:
            self.export_study(path)

    def export_study(self, path: Path) -> None:
        """Write the table (.csv, .npz, .json) or the plot (.png, .svg) of the study to a file."""
        if self.table is None:
            return
        try:
            if path.suffix.lower() in PICTURE_SUFFIXES:
                self.plot.save(path)
            else:
                save_table(self.table, path)
        except (RaybenchError, OSError) as error:
            self._document.failed.emit(str(error))
            return
        self._show_note(tr("{name} written", name=path.name))

    def ask_film(self) -> None:
        """Ask for the options of a film of the study's rows, and write it."""
        from raybench_workbench.export.film_dialog import ask_film
        from raybench_workbench.film import Film

        experiment, table = self._progress.experiment, self.table
        if experiment is None or table is None:
            return
        self.player.pause()
        repeat, measure = self.player.chosen_repeat, self.measure_box.currentIndex()
        film = Film(
            experiment,
            [values for values, _ in self._progress.rows[: len(table.rows)]],
            table,
            len(experiment.parameters) + measure if measure >= 0 else None,
            theme.current_theme(),
            FILM_SIZE,
            self._document.session.view,
            self.player.speed.value(),
            returns=repeat is RepeatMode.BACK,
            loops=repeat is not RepeatMode.ONCE,
            folder=self._document.folder,
        )
        name = self._document.session.path
        suggested = Path(name.stem if name is not None else "film").with_suffix(".gif")
        ask_film(film, suggested, self.window(), self._show_note, self._document.failed.emit)

    # --- state

    def _document_changed(self, *_: object) -> None:
        self._show_row(self._row)
        self._show_state()

    def _forget_results(self, *_: object) -> None:
        self.runner.abandon()
        self._clear_results()
        with QSignalBlocker(self.measure_box):
            self.measure_box.clear()
        self._show_note("")
        self._show_state()

    def _show_state(self) -> None:
        busy, rows = self.runner.busy, self._has_rows
        error = self._progress.error if self.form.request.kind == self._run_kind else ""
        theme.set_role(self.hint, "error" if error else "dim")
        self.hint.setText(error or HINTS[self.form.request.kind])
        self.found.setCurrentIndex(1 if rows or busy else 0)
        stops = busy and not self.runner.is_stopping
        if self.stop_button.hasFocus() and not stops:
            self.form.focus_missing_line()  # Qt would pass it on to Save…
        self.stop_button.setEnabled(stops)
        self.run_button.setEnabled(not busy)  # after Stop, to which the focus passes
        self.export_button.setEnabled(rows)
        self.measure_box.setVisible(self.measure_box.count() > 1 and not self._progress.merits)
        self.apply_button.setEnabled(
            not busy and self.is_study_current and self._row_values(self._row) is not None
        )
        plays = rows and self.is_study_current and not busy
        self.player.setVisible(plays)
        self.film_button.setVisible(plays and not self.form.isHidden())
        self.apply_button.setText(tr("Keep this value") if self.player.is_open else tr("Apply"))
        tip = tr("Make the changes of the chosen row") if self.is_study_current else CHANGED
        self.apply_button.setToolTip(tip)

    def _show_note(self, text: str, role: str = "dim") -> None:
        theme.set_role(self.note, role)
        self.note.set_full_text(text)


def _splitter(orientation: Qt.Orientation, first: QWidget, second: QWidget) -> QSplitter:
    splitter = QSplitter(orientation)
    splitter.setHandleWidth(1)
    splitter.addWidget(first)
    splitter.addWidget(second)
    splitter.setChildrenCollapsible(False)
    return splitter
