"""The lens merit panel: operands, variables, configurations and tolerances of the lens in the lens
data panel, and the searches for a better lens.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench.lens.configurations import (
    with_added_configuration,
    with_shown_configuration,
    without_configuration,
    without_configured_parameter,
)
from raybench.lens.design import LensDesign, Variable
from raybench.lens.merit import OperandState, merit_value, operand_states
from raybench.lens.operands import Operand
from raybench.lens.usual_merit import usual_operands, usual_variable, with_usual_variables
from raybench_workbench import theme
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.lens_data.cell_table import CellTable
from raybench_workbench.lens_data.lenses import LensSystems
from raybench_workbench.lens_merit.configuration_table import ConfigurationModel
from raybench_workbench.lens_merit.operand_list import OperandList
from raybench_workbench.lens_merit.search import SEARCHES, MeritPlot, SearchRun
from raybench_workbench.lens_merit.tolerance_page import TolerancePage, ToleranceRun
from raybench_workbench.lens_merit.variable_list import VariableList
from raybench_workbench.studies.runner import Runner, RunState
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    ElidedChoice,
    ElidedLabel,
    Hint,
    WrappedLabel,
    column_layout,
    describe_widget,
    push_button,
    row_layout,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form

HINT = tr(
    "No lens yet. What a lens should become, and what may change, is written"
    " here and searched for. Insert > Lenses > Lens system makes one; File >"
    " Import lens reads .zmx, .seq and .len."
)
NO_OPERANDS = tr("No operands yet. Choose a usual merit, or add rows: double click “add”.")
NO_VARIABLES = tr(
    "Nothing varies yet. Add curvatures, distances or glasses, or double click “add”."
)
NO_CONFIGURATIONS = tr(
    "One state. Add a configuration for a zoom or another focusing distance:"
    " what differs is then a row, each state a column."
)
USUAL_MERITS = {
    tr("Spot + focal length"): "ray heights",
    tr("Wavefront + focal length"): "path differences",
}
VARIABLE_KINDS = {tr("All curvatures"): "c", tr("All distances"): "t", tr("Glasses"): "glass"}
PREVIEW_S = 0.3
"""Least time between two previews of the best lens of a search that runs."""
EDITED = tr("The lens was edited meanwhile: the search has ended without a change.")


class LensMeritPanel(QWidget):
    """The panel that improves the lenses of a document. ``insert`` is the action offered while the
    document has no lens.
    """

    def __init__(
        self, lenses: LensSystems, insert: Callable[[], object], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._lenses = lenses
        self._name = ""
        self._design: LensDesign | None = None
        self._found: tuple[LensDesign, str] | None = None
        """The lens that a search has found, and what is said of it."""
        self._fault = ""
        """Why the operands have no numbers."""
        self._previewed = 0.0
        self.runner = Runner(self)
        self.runner.advanced.connect(self._show_run)
        self.runner.finished.connect(self._finish_run)
        self._latest = LatestTaskRunner(self, self._show_note, tr("The merit"))
        self.operands = OperandList(
            tr("Operands of the merit"), self._shown_design, self._set_operands, parent=self
        )
        self.variables = VariableList(self._shown_design, self._set_variables, self)
        self.states = ConfigurationModel(self._change_design, self)
        self.configurations = CellTable(self.states, tr("Configurations of the lens"), self)
        self.configurations.verticalHeader().hide()
        self.tolerances = TolerancePage(
            self._shown_design, self.run_tolerances, self._show_note, self
        )
        self.buttons = {
            title: push_button(title, partial(self.run_search, title), tip=tip, role="")
            for title, (_, tip) in SEARCHES.items()
        }
        self.stop_button = push_button(
            tr("Stop"), self.stop, tip=tr("End with the best so far"), role=""
        )
        self.lens = describe_widget(ElidedChoice(self), name=tr("Lens"))
        leave_wheel_to_form(self.lens)
        self.lens.activated.connect(lambda _: lenses.choose(self.lens.currentText()))
        self.merit = describe_widget(ElidedLabel(at=Qt.TextElideMode.ElideRight), name=tr("Merit"))
        self.plot = MeritPlot(self)
        self.note = describe_widget(WrappedLabel(role="error"), name=tr("What is wrong"))
        self._empty_notes: list[tuple[Hint, Callable[[LensDesign], bool]]] = []
        self._lay_out(insert)
        for model in (self.operands.list, self.variables.list, self.states):
            model.refused.connect(self._show_refusals)
        for table in (self.operands, self.variables):
            table.removed.connect(self._show_note)
        lenses.changed.connect(self._show_lens)
        self._show_note("")
        self._show_state()

    # --- layout

    def _lay_out(self, insert: Callable[[], object]) -> None:
        half, grid = theme.HALF, theme.GRID
        bar = describe_widget(QWidget(), role="bar")
        row_layout(
            self.lens, *self.buttons.values(), self.stop_button, (self.merit, 1), on=bar,
            margins=(grid, 2, grid, 2), spacing=grid,
        )  # fmt: skip
        usual = self._menu_button(tr("Usual merit"), USUAL_MERITS, self.use_standard_merit)
        usual.setToolTip(
            tr("Rays or wavefront of all fields, the focal length, and bounds of thicknesses")
        )
        self.tabs = QTabWidget()
        self.tabs.tabBar().setAccessibleName(tr("Parts of the merit"))
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setExpanding(False)
        self.tabs.tabBar().setDrawBase(False)
        operands, states = self.operands, self.configurations
        add, duplicate, up, down = self._add_table_actions(
            operands,
            (tr("Add"), self.add_operand, "Ins"),
            (tr("Duplicate"), self.duplicate_operand, "Ctrl+D"),
            (tr("Up"), partial(self.move_operand, -1), "Alt+Up"),
            (tr("Down"), partial(self.move_operand, 1), "Alt+Down"),
        )
        self._of_states = self._add_table_actions(
            states,
            (tr("Rename…"), self.ask_configuration_name, ""),
            (tr("Delete"), self.delete_configuration, ""),
            (tr("Show on the bench"), self.show_configuration, ""),
            (tr("Vary"), self.toggle_variable, "Ctrl+Shift+V"),
            (tr("Delete row"), self.delete_parameter, "Del"),
        )
        remove, remove_variables = (
            push_button(tr("Delete"), table.remove_selected, tip="Del")
            for table in (operands, self.variables)
        )
        kinds = [push_button(title, partial(self.add_variables, title)) for title in VARIABLE_KINDS]
        clear = push_button(tr("Clear"), self.clear_variables)
        pages = (
            (
                tr("Operands"),
                operands,
                (usual, add, duplicate, remove, up, down),
                NO_OPERANDS,
                lambda design: not design.operands,
            ),
            (
                tr("Variables"),
                self.variables,
                (*kinds, remove_variables, clear),
                NO_VARIABLES,
                lambda design: not design.variables,
            ),
            (
                tr("Configurations"),
                states,
                (push_button(tr("Add"), self.add_configuration), *self._of_states),
                NO_CONFIGURATIONS,
                lambda design: not design.configurations,
            ),
        )
        for title, table, buttons, hint, is_empty in pages:
            part, note = QWidget(), Hint(hint)
            tools = row_layout(*buttons, 1, margins=(half, half, half, half), spacing=half)
            column_layout(tools, note, (table, 1), on=part, margins=0, spacing=0)
            self._empty_notes.append((note, is_empty))
            self.tabs.addTab(part, title)
        self.tabs.addTab(self.tolerances, tr("Tolerances"))
        self.tabs.currentChanged.connect(lambda _: self._show_state())
        middle = QSplitter(Qt.Orientation.Horizontal)
        middle.setHandleWidth(1)
        middle.setChildrenCollapsible(False)
        middle.addWidget(self.tabs)
        middle.addWidget(self.plot)
        middle.setSizes([620, 220])
        middle.setStretchFactor(0, 1)
        self.note.setContentsMargins(grid, 2, grid, 2)
        page = QWidget()
        column_layout(bar, (middle, 1), self.note, on=page, margins=0, spacing=0)
        empty = QWidget()
        button = row_layout(1, push_button(tr("Insert a lens system"), insert, role=""), 1)
        column_layout(1, Hint(HINT), button, 1, on=empty)
        self.stack = QStackedWidget(self)
        self.stack.addWidget(empty)
        self.stack.addWidget(page)
        column_layout(self.stack, on=self, margins=0)

    def _menu_button(
        self, title: str, entries: dict[str, str], act: Callable[[str], object]
    ) -> QToolButton:
        button = describe_widget(QToolButton(), name=title)
        button.setText(f"{title} ▾")

        def show() -> None:
            menu = QMenu(self)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            for entry in entries:
                menu.addAction(entry, partial(act, entry))
            menu.popup(button.mapToGlobal(QPoint(0, button.height())))

        button.clicked.connect(show)
        return button

    def _add_table_actions(
        self, table: CellTable, *rows: tuple[str, Callable[[], object], str]
    ) -> list[QPushButton]:
        """Add actions with shortcuts to a table; returns a button for each action."""
        buttons = []
        for title, act, keys in rows:
            action = QAction(title, table)
            action.setShortcut(QKeySequence(keys))
            shown = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            buttons.append(push_button(title, act, tip=shown))
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.triggered.connect(lambda _=False, act=act: act())
            table.addAction(action)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        return buttons

    # --- what is shown

    def _shown_design(self) -> LensDesign:
        assert self._design is not None
        return self._design

    def _show_lens(self) -> None:
        """Show the current lens. A running search is stopped if its lens was edited. Does nothing
        else while the panel is hidden.
        """
        names, wanted = self._lenses.names, self._lenses.current
        search = self.runner.current
        if isinstance(search, SearchRun) and (
            search.lens not in names or self._lenses.design(search.lens) != search.start
        ):
            self.runner.abandon()
            self._lenses.propose_design(self, "", None)
            self._show_note(EDITED)
            self._show_state()
        if not self.isVisible():
            return
        design = self._lenses.design(wanted) if wanted else None
        is_other, self._name = wanted != self._name, wanted
        with QSignalBlocker(self.lens):
            self.lens.clear()
            self.lens.addItems(names)
        self.lens.setCurrentText(wanted)
        self.lens.setVisible(len(names) > 1)
        self.stack.setCurrentIndex(design is not None)
        if design is None:
            self._design = None
            return
        if is_other or design != self._design:
            self._show_design(design, is_other)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_lens()

    def _show_design(self, design: LensDesign, is_other: bool) -> None:
        self._design = design
        self.operands.show_operands(design.operands)
        self.variables.show_design(design)
        self.states.show_design(design)
        self.configurations.fit_columns(320)
        self.tolerances.show_lens(self._name, design)
        for hint, is_empty in self._empty_notes:
            hint.setVisible(is_empty(design))
        self.configurations.setVisible(bool(design.configurations))
        self._request_operand_states()
        self._show_state()

    def _request_operand_states(self) -> None:
        """Compute the present values of the operands in the background."""
        design = self._shown_design()
        self._latest.request_task(
            partial(_merit_and_states, design), partial(self._show_operand_states, design)
        )

    def _show_operand_states(
        self, design: LensDesign, found: tuple[str, Sequence[OperandState], str]
    ) -> None:
        if design != self._design:
            return
        merit, states, fault = found
        self.operands.show_operands(design.operands, states)
        if self._found is not None and design == self._found[0]:
            merit = self._found[1]
        if not self.runner.busy:
            self.merit.set_full_text(merit)
        if fault or self.note.text() == self._fault:
            self._fault = fault
            self._show_note(fault)

    def _show_state(self) -> None:
        """Enable the actions that are possible now."""
        busy = self.runner.busy
        for button in (*self.buttons.values(), self.tolerances.run_button):
            button.setEnabled(not busy)
        self.stop_button.setEnabled(busy and not self.runner.is_stopping)
        is_of_search = self.tabs.currentWidget() is not self.tolerances
        self.plot.setVisible(is_of_search and bool(self.plot.merits))
        has_states = self._design is not None and bool(self._design.configurations)
        for button in self._of_states:
            button.setEnabled(has_states)

    def _show_note(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _show_refusals(self) -> None:
        models = (self.operands.list, self.variables.list, self.states)
        refusals = [refusal for model in models for refusal in model.refusals.values()]
        self._show_note(refusals[0].reason if refusals else "")

    # --- edits

    def _change_design(self, design: LensDesign, description: str) -> str:
        """Set another design as one history step; returns the reason if it is refused."""
        return self._lenses.set_design(
            self._name, design, f"{self._name}: {description[0].lower()}{description[1:]}"
        )

    def _apply_edit(
        self, change_design: Callable[[LensDesign], LensDesign], description: str
    ) -> None:
        """Change the design by the function ``change_design``. The reason of a refusal is shown
        below the tables.
        """
        if self._design is None:
            return
        try:
            self._show_note(self._change_design(change_design(self._design), description))
        except RaybenchError as error:
            self._show_note(str(error))

    def _set_operands(self, operands: Sequence[Operand]) -> str:
        design = replace(self._shown_design(), operands=tuple(operands))
        return self._change_design(design, tr("Operands of the merit"))

    def _set_variables(self, variables: Sequence[Variable]) -> str:
        design = replace(self._shown_design(), variables=tuple(variables))
        return self._change_design(design, tr("Variables of the merit"))

    def use_standard_merit(self, title: str) -> None:
        """Replace the operands by the standard merit function with this title, one of
        `USUAL_MERITS`.
        """

        def usual(design: LensDesign) -> LensDesign:
            return replace(design, operands=usual_operands(design, USUAL_MERITS[title]))

        self._apply_edit(usual, tr("Usual merit, {name}", name=title.lower()))

    def add_operand(self) -> None:
        """Open the box of quantities in the empty last row."""
        at = self.operands.list.index(len(self.operands.operands), 0)
        self.operands.setCurrentIndex(at)
        self.operands.setFocus()
        self.operands.edit(at)

    def duplicate_operand(self) -> None:
        row, operands = self.operands.currentIndex().row(), self.operands.operands
        if 0 <= row < len(operands):
            self._set_operands((*operands[: row + 1], *operands[row:]))
            self._go_to_row(self.operands, row + 1)

    def move_operand(self, count: int) -> None:
        """Move the operand of the current row up or down."""
        row, operands = self.operands.currentIndex().row(), list(self.operands.operands)
        if 0 <= row < len(operands) and 0 <= row + count < len(operands):
            operands.insert(row + count, operands.pop(row))
            self._set_operands(operands)
            self._go_to_row(self.operands, row + count)

    def _go_to_row(self, table: CellTable, row: int) -> None:
        table.setCurrentIndex(table.cells.index(row, max(table.currentIndex().column(), 0)))

    def add_variables(self, title: str) -> None:
        """Make all parameters of a kind variable; ``title`` is one of `VARIABLE_KINDS`."""
        self._apply_edit(
            partial(with_usual_variables, kind=VARIABLE_KINDS[title]),
            tr("{title} vary", title=title),
        )

    def clear_variables(self) -> None:
        """Remove all variables, so that every parameter is fixed."""
        self._apply_edit(partial(replace, variables=()), tr("Nothing varies"))

    # --- configurations

    @property
    def _current_configuration(self) -> int | None:
        """The index of the configuration of the current cell."""
        at = self.configurations.currentIndex()
        return self.states.configuration_at(at.column()) if at.isValid() else None

    def _call_with_configuration(self, act: Callable[[int], object]) -> None:
        index = self._current_configuration
        if index is None:
            self._show_note(tr("Choose a configuration: click a cell of its column."))
        else:
            act(index)

    def add_configuration(self) -> None:
        self._apply_edit(with_added_configuration, tr("Configuration added"))

    def delete_configuration(self) -> None:
        """Delete the configuration of the current column."""
        self._call_with_configuration(
            lambda index: self._apply_edit(
                partial(without_configuration, index=index),
                tr("Configuration {index} deleted", index=index + 1),
            )
        )

    def ask_configuration_name(self) -> None:
        """Ask for the name of the configuration of the current column."""

        def ask(index: int) -> None:
            states = list(self._shown_design().configurations)

            def rename(name: str) -> str:
                states[index] = replace(states[index], name=name.strip())
                design = replace(self._shown_design(), configurations=tuple(states))
                return self._change_design(
                    design, tr("Configuration {index} named {name}", index=index + 1, name=name)
                )

            label = tr("Name of configuration {index}", index=index + 1)
            NameDialog(tr("Rename"), label, states[index].name, rename, self).open()

        self._call_with_configuration(ask)

    def show_configuration(self) -> None:
        """Show the configuration of the current column in the scene."""
        self._call_with_configuration(
            lambda index: self._apply_edit(
                partial(with_shown_configuration, index=index),
                tr("Configuration {index} on the bench", index=index + 1),
            )
        )

    def delete_parameter(self) -> None:
        """Remove the parameter of the current row from the configurations, so that all have the
        same value.
        """
        row = self.configurations.currentIndex().row()
        if 0 < row < len(self.states.names):
            name = self.states.names[row]
            self._apply_edit(
                partial(without_configured_parameter, name=name),
                tr("{name} the same in all", name=name),
            )

    def toggle_variable(self) -> None:
        """Make the value of the current cell variable, or fixed if it is variable."""
        at = self.configurations.currentIndex()
        name = self.states.variable_at(at.row(), at.column())
        if not name:
            self._show_note(tr("Choose the value that varies: click its cell."))
            return

        def toggled(design: LensDesign) -> LensDesign:
            kept = tuple(v for v in design.variables if v.parameter != name)
            added = (usual_variable(design, name),) if kept == design.variables else ()
            return replace(design, variables=(*kept, *added))

        self._apply_edit(toggled, tr("{name} variable", name=name))

    # --- searches

    def run_search(self, title: str) -> None:
        """Start the search with a title of `SEARCHES` on the current lens."""
        self._start_run(SearchRun(title=title, lens=self._name, start=self._shown_design()))

    def run_tolerances(self) -> None:
        """Run the tolerance study that the form describes."""
        setup = self.tolerances.setup
        self._start_run(ToleranceRun(lens=self._name, design=self._shown_design(), setup=setup))

    def _start_run(self, run: SearchRun | ToleranceRun) -> None:
        if self.runner.busy:
            return
        self._show_note("")
        self._previewed = 0.0
        if isinstance(run, SearchRun):
            self.plot.show_merits([])
            self.merit.set_full_text(tr("searching…"))
            self.runner.run(
                run.run_search, run, tr("The search"), tr("Change the operands or variables.")
            )
        else:
            self.merit.set_full_text(tr("sampling…"))
            self.runner.run(run.run_study, run, tr("The study"), tr("Change what deviates."))
        self._show_state()

    def stop(self) -> None:
        """Stop the search or the study and keep its best result."""
        self.runner.stop()
        self._show_state()

    def close_search(self) -> None:
        """Stop the running search or study, because the window closes."""
        self.runner.close()

    def _show_run(self, run: RunState) -> None:
        if isinstance(run, ToleranceRun):
            left = run.seconds / run.done * (run.total - run.done) if run.done else 0.0
            self.merit.set_full_text(
                tr(
                    "{done} of {total} lenses, {left:.0f} s left",
                    done=run.done,
                    total=run.total,
                    left=left,
                )
            )
            return
        assert isinstance(run, SearchRun)
        if run.seconds - self._previewed < PREVIEW_S or run.best is None:
            return
        self._previewed = run.seconds
        self.plot.show_merits(run.merits)
        self._show_state()
        self.merit.set_full_text(_search_text(run))
        self._lenses.propose_design(self, run.lens, run.design)

    def _finish_run(self, run: RunState) -> None:
        self.merit.set_full_text("")
        if run.error:
            self._show_note(run.error)
            self._request_operand_states()
        if isinstance(run, ToleranceRun):
            if run.outcome is not None and run.lens == self._name:
                self.merit.set_full_text(
                    tr("{done} lenses in {seconds:.1f} s", done=run.done, seconds=run.seconds)
                )
                self.tolerances.show_outcome(run)
        elif isinstance(run, SearchRun):
            self._lenses.propose_design(self, "", None)
            self.plot.show_merits(run.merits)
            if run.best is not None:
                self._keep_best_lens(run)
            elif self._design is not None:
                self._show_design(self._design, is_other=False)
        self._show_state()

    def _keep_best_lens(self, run: SearchRun) -> None:
        """Put the best lens of a search into the document, as one history step."""
        assert run.best is not None
        first, merit = run.best.first_merit, run.best.merit
        text = tr("{words} in {seconds:.1f} s", words=_search_text(run), seconds=run.seconds)
        if run.design is None:
            text = tr(
                "merit {first:.5g}; no better lens in {evaluations} evaluations",
                first=first,
                evaluations=run.evaluations,
            )
        else:
            self._found = run.design, text
            what = tr(
                "{lens}: {name}, merit {first:.4g} → {merit:.4g}",
                lens=run.lens,
                name=run.title.lower(),
                first=first,
                merit=merit,
            )
            self._show_note(self._lenses.set_design(run.lens, run.design, what))
        self.merit.set_full_text(text)


def _search_text(run: SearchRun) -> str:
    assert run.best is not None
    return tr(
        "merit {first_merit:.5g} → {merit:.5g}, {evaluations} evaluations",
        first_merit=run.best.first_merit,
        merit=run.best.merit,
        evaluations=run.evaluations,
    )


def _merit_and_states(design: LensDesign) -> tuple[str, Sequence[OperandState], str]:
    """The merit of a design as text, the states of its operands, and the reason if there are none."""
    if not design.operands:
        return "", (), ""
    try:
        states = operand_states(design)
    except RaybenchError as error:
        return "", (), str(error)
    except ArithmeticError:
        return "", (), tr("The lens has no first order.")
    try:
        return tr("merit {merit:.5g}", merit=merit_value(design)), states, ""
    except RaybenchError:  # an operand says it
        return "", states, ""
