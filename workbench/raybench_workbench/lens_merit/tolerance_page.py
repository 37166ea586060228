"""The page for the tolerances of a lens: its deviations, compensators and limits, and the results
of a study.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QMenu, QSpinBox, QSplitter, QWidget

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, unit_text
from raybench.lens.columns import InvalidCell, read_cell_number
from raybench.lens.design import (
    LensDesign,
    design_parameters,
    parameter_number,
    split_configuration,
)
from raybench.lens.operands import OPERANDS, Operand
from raybench.lens.parameters import parameter_label, parameter_unit
from raybench.lens.tolerance import (
    COMMERCIAL,
    PRECISION,
    LensDeviation,
    LensTolerances,
    ManufacturingQuality,
    tolerance_lens,
    usual_deviations,
)
from raybench.study.table import Table, save_table
from raybench_workbench import theme
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.lens_data.cell_table import ListColumn, ListModel, ListTable
from raybench_workbench.lens_merit.operand_list import OperandList, operand_text
from raybench_workbench.studies.plot import StudyPlot
from raybench_workbench.studies.results import ResultsTable
from raybench_workbench.studies.runner import RunState
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import (
    ElidedChoice,
    Hint,
    WrappedLabel,
    column_layout,
    describe_widget,
    offer_name_completion,
    push_button,
    row_layout,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form

HINT = tr(
    "Choose Commercial or Precision, or write what deviates, and press Run."
    " Limits give a yield; compensators, such as the last distance, are adjusted"
    " in each sample."
)
CHANGED = tr(" The lens has changed since.")
SAMPLES = 200
SHOWN_DIGITS = 4
QUALITIES = {tr("Commercial"): COMMERCIAL, tr("Precision"): PRECISION}


@dataclass(frozen=True)
class ToleranceSetup:
    """The input of a tolerance study of a lens."""

    deviations: tuple[LensDeviation, ...] = ()
    limits: tuple[Operand, ...] = ()
    compensators: str = ""
    samples: int = SAMPLES
    seed: int = 0


@dataclass
class ToleranceRun(RunState):
    """The state of a tolerance study: the number of finished lenses, the number of all, and the
    outcome.
    """

    lens: str = ""
    design: LensDesign | None = None
    setup: ToleranceSetup = field(default_factory=ToleranceSetup)
    done: int = 0
    total: int = 0
    outcome: LensTolerances | None = None

    def run_study(self, stop: Callable[[], bool]) -> None:
        """Run the study; called in the thread."""
        assert self.design is not None
        setup = self.setup
        self.outcome = tolerance_lens(
            self.design,
            setup.deviations,
            limits=setup.limits,
            compensators=tuple(setup.compensators.replace(",", " ").split()),
            samples=setup.samples,
            seed=setup.seed,
            stop=stop,
            progress=self._report_progress,
        )

    def _report_progress(self, done: int, total: int) -> None:
        self.done, self.total = done, total


class TolerancePage(QWidget):
    """The form and the results of a tolerance study of the lens that ``design`` returns. ``run``
    starts the study. The setup of each lens is kept while the window is open.
    """

    def __init__(
        self,
        design: Callable[[], LensDesign],
        run: Callable[[], object],
        note: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._design, self._note = design, note
        self._setups: dict[str, ToleranceSetup] = {}
        self._lens = ""
        self._run = ToleranceRun()
        self._tables: dict[str, Table] = {}
        """The tables that are exported."""
        self.deviations = self._make_deviation_list()
        self.limits = OperandList(tr("Limits"), design, self._set_limits, limits=True, parent=self)
        for table in (self.deviations, self.limits):
            table.list.refused.connect(self._show_refusals)
        self.compensators = describe_widget(
            QLineEdit(),
            name=tr("Compensators"),
            tip=tr("What is adjusted in each sample for the smallest merit, such as t6"),
        )
        self.compensators.editingFinished.connect(
            lambda: self._set_tolerances(compensators=self.compensators.text())
        )
        offer_name_completion(self.compensators, lambda: tuple(design_parameters(design())))
        self.samples = _count_box(tr("Samples"), 100_000)
        self.seed = _count_box(tr("Seed"), 1_000_000)
        self.samples.valueChanged.connect(lambda value: self._set_tolerances(samples=value))
        self.seed.valueChanged.connect(lambda value: self._set_tolerances(seed=value))
        self.run_button = push_button(tr("Run"), run, role="", name=tr("Run the tolerances"))
        self.export = push_button(
            tr("Export ▾"), self._show_exports, name=tr("Export the tolerances")
        )
        self.measure = describe_widget(ElidedChoice(), name=tr("Quantity that is plotted"))
        leave_wheel_to_form(self.measure)
        self.measure.currentIndexChanged.connect(lambda _: self._plot_samples())
        self.plot = StudyPlot(self)
        self.plot.setAccessibleName(tr("Distribution of the samples"))
        self.sensitivities = ResultsTable(self)
        self.sensitivities.setAccessibleName(tr("Sensitivities"))
        self.summary = WrappedLabel(role="dim", selectable=True)
        self.summary.setAccessibleName(tr("Yields"))
        self.hint = Hint(HINT)
        self._lay_out()
        theme.notifier.changed.connect(self._plot_samples)
        self.show_outcome(ToleranceRun())

    def _lay_out(self) -> None:
        classes = [
            push_button(
                title,
                partial(self.use_quality_class, quality),
                tip=tr(
                    "Usual deviations: radii ± {number:g} %, distances ± {distance:g} mm,"
                    " indices ± {index:g}",
                    number=100 * quality.radius,
                    distance=quality.distance,
                    index=quality.index,
                ),
            )
            for title, quality in QUALITIES.items()
        ]
        half = theme.HALF
        bar = row_layout(
            *classes, 1, _label(tr("Samples")), self.samples, _label(tr("Seed")), self.seed, self.run_button,
            margins=(half, half, theme.GRID, half), spacing=half,
        )  # fmt: skip
        lists = _make_splitter(self.deviations, self.limits, [220, 220])
        below = row_layout(
            _label(tr("Compensators")), (self.compensators, 1),
            margins=(theme.GRID, half, theme.GRID, half), spacing=theme.GRID,
        )  # fmt: skip
        left = QWidget()
        column_layout(bar, (lists, 1), below, on=left, margins=0, spacing=0)
        results = _make_splitter(self.plot, self.sensitivities, [150, 250])
        top = row_layout(
            self.measure, 1, self.export, margins=(half, half, half, half), spacing=theme.GRID
        )
        self.summary.setContentsMargins(theme.GRID, half, theme.GRID, half)
        self.found = QWidget()
        column_layout(top, (results, 1), self.summary, on=self.found, margins=0, spacing=0)
        right = QWidget()
        column_layout((self.hint, 1), (self.found, 1), on=right, margins=0, spacing=0)
        whole = _make_splitter(left, right, [390, 470])
        whole.setStretchFactor(1, 1)
        column_layout(whole, on=self, margins=0)

    def _make_deviation_list(self) -> ListTable:
        def unit(deviation: LensDeviation) -> str:
            return _parameter_unit(self._design(), deviation.parameter)

        def read_amount(deviation: LensDeviation, text: str) -> LensDeviation:
            length = self._design().system.unit
            kind = LENGTH if unit(deviation) == length else ""
            by = read_cell_number(tr("The deviation"), text, length, kind)
            if by < 0:
                raise InvalidCell(
                    tr("The deviation is an amount to both sides. Write it without sign.")
                )
            return replace(deviation, by=by)

        def read_parameter(deviation: LensDeviation | None, text: str) -> LensDeviation:
            name = text.strip()
            value = parameter_number(self._design(), name)
            usual = {d.parameter: d.by for d in usual_deviations(self._design())}
            by = usual.get(name, float(f"{abs(value) * COMMERCIAL.radius:.2g}"))
            return LensDeviation(name, by)

        def fault(deviation: LensDeviation) -> str:
            try:
                parameter_number(self._design(), deviation.parameter)
            except RaybenchError as error:
                return str(error)
            return ""

        def label(deviation: LensDeviation) -> str:
            return (
                ""
                if fault(deviation)
                else translate_phrase(parameter_label(self._design().system, deviation.parameter))
            )

        model = ListModel(
            (
                ListColumn(
                    tr("Deviates"),
                    tr(
                        "A parameter: r1 is the radius of surface 1, t1 the distance behind it, n1"
                        " the index behind it"
                    ),
                    lambda d: d.parameter,
                    read_parameter,
                    names=lambda: tuple(
                        name
                        for name, p in design_parameters(self._design()).items()
                        if isinstance(p.value, float)
                    ),
                    fault=fault,
                    is_text=True,
                ),
                ListColumn(
                    "±", tr("By how much, to both sides"), lambda d: f"{d.by:.4g}", read_amount
                ),
                ListColumn(
                    tr("Unit"), tr("Its unit"), lambda d: "" if fault(d) else unit(d), is_text=True
                ),
                ListColumn(tr("Meaning"), tr("What it is"), label, is_text=True),
            ),
            None,
            lambda deviations, _: self._set_tolerances(deviations=tuple(deviations)),
            tr("deviation"),
        )
        table = ListTable(model, tr("Deviations"), self)
        model.setParent(table)
        return table

    # --- the setup

    @property
    def setup(self) -> ToleranceSetup:
        """The setup that the form describes."""
        return self._setups.get(self._lens, ToleranceSetup())

    def show_lens(self, name: str, design: LensDesign) -> None:
        """Show the setup of a lens; by default its last distance is the compensator. Results of
        another lens are hidden. Results from before an edit are marked as such.
        """
        if name != self._lens:
            self.show_outcome(ToleranceRun())
        self._lens = name
        outcome = self._run.outcome
        if outcome is not None:
            changed = CHANGED if design != self._run.design else ""
            self.summary.setText(f"{summary_text(outcome)}{changed}")
        if name not in self._setups:
            self._setups[name] = ToleranceSetup(compensators=f"t{len(design.system.surfaces)}")
        self._show_setup()

    def _show_setup(self) -> None:
        setup = self.setup
        self.deviations.show_values(setup.deviations)
        self.deviations.fit_columns()
        self.limits.show_operands(setup.limits)
        self.compensators.setText(setup.compensators)
        self.samples.setValue(setup.samples)
        self.seed.setValue(setup.seed)

    def _set_tolerances(self, **values: object) -> str:
        self._setups[self._lens] = replace(self.setup, **values)  # type: ignore[arg-type]
        self._show_setup()
        return ""

    def _set_limits(self, limits: Sequence[Operand]) -> str:
        return self._set_tolerances(limits=tuple(limits))

    def use_quality_class(self, quality: ManufacturingQuality) -> None:
        """Set the tolerances of all radii, glasses and distances from a manufacturing quality
        class.
        """
        self._set_tolerances(deviations=usual_deviations(self._design(), quality))

    def _show_refusals(self) -> None:
        refusals = [*self.deviations.list.refusals.values(), *self.limits.list.refusals.values()]
        self._note(refusals[0].reason if refusals else "")

    # --- results

    def show_outcome(self, run: ToleranceRun) -> None:
        """Show the results of a study, if it has any yet."""
        self._run, outcome = run, run.outcome
        self.hint.setVisible(outcome is None)
        self.found.setVisible(outcome is not None)
        if outcome is None or run.design is None:
            return
        self._tables = {
            "samples": samples_table(run.design, outcome, run.setup.seed),
            "sensitivities": sensitivities_table(run.design, outcome),
        }
        chosen = max(self.measure.currentIndex(), 0)
        self.measure.clear()
        names = _quantity_names(outcome)
        self.measure.addItems(names)
        self.measure.setCurrentIndex(chosen if chosen < len(names) else 0)
        self.measure.setVisible(len(names) > 1)
        self.sensitivities.show_table(
            _round_table(sensitivities_table(run.design, outcome, both_ends=False))
        )
        self.summary.setText(summary_text(outcome))
        self._plot_samples()

    def _plot_samples(self, *_: object) -> None:
        samples = self._tables.get("samples")
        if samples is not None and len(samples.rows):
            self.plot.show_histogram(samples, max(self.measure.currentIndex(), 0))
        else:
            self.plot.clear_plot()

    def _show_exports(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Sensitivities…"), lambda: self._ask_export("sensitivities"))
        menu.addAction(tr("Samples…"), lambda: self._ask_export("samples"))
        menu.popup(self.export.mapToGlobal(self.export.rect().bottomLeft()))

    def _ask_export(self, table_name: str) -> None:
        path = ask_save_name(
            self,
            tr("Export {what}", what=table_name),
            f"{table_name}.csv",
            tr("Table as CSV (*.csv)"),
            (".csv",),
        )
        if path is not None:
            self.export_table(table_name, path)

    def export_table(self, table_name: str, path: Path) -> None:
        """Write the ``samples`` or the ``sensitivities`` to a file."""
        try:
            save_table(self._tables[table_name], path)
        except (RaybenchError, OSError) as error:
            self._note(str(error))


def samples_table(design: LensDesign, outcome: LensTolerances, seed: int) -> Table:
    """The values of the quantities and of the adjusted compensators, with a row for each sample."""
    names = (*_quantity_names(outcome), *outcome.compensators)
    units = (
        *_quantity_units(design, outcome),
        *(_parameter_unit(design, c) for c in outcome.compensators),
    )
    quantities = outcome.samples.reshape(-1, len(outcome.names))
    return Table(names, units, np.hstack([quantities, outcome.adjusted]), 0, seed)


def sensitivities_table(
    design: LensDesign, outcome: LensTolerances, *, both_ends: bool = True
) -> Table:
    """The change of each quantity by each deviation alone, sorted by the change of the merit,
    largest first. It has a row for both ends of a deviation, or only for the end with the larger
    change.
    """
    ends = [end - outcome.nominal for end in (outcome.low, outcome.high)]
    larger = np.where(np.abs(ends[0]) > np.abs(ends[1]), *ends)
    order = np.argsort(-np.nan_to_num(np.abs(larger[:, 0]), nan=np.inf), kind="stable")
    shown = {" at −": ends[0], " at +": ends[1]} if both_ends else {"": larger}
    deviations = [outcome.deviations[i] for i in order]
    choices = tuple(
        f"{d.parameter} ± {d.by:.3g} {_parameter_unit(design, d.parameter)}".rstrip()
        for d in deviations
    )
    columns = [np.arange(len(order), dtype=float)]
    titles, units = [tr("deviation")], [""]
    for k, (name, unit) in enumerate(
        zip(_quantity_names(outcome), _quantity_units(design, outcome), strict=True)
    ):
        columns += [changes[order, k] for changes in shown.values()]
        titles += [f"Δ {name}{end}" for end in shown]
        units += [unit] * len(shown)
    return Table(tuple(titles), tuple(units), np.column_stack(columns), 0, choices={0: choices})


def _quantity_names(outcome: LensTolerances) -> tuple[str, ...]:
    """The names of a study's quantities in the language of the window."""
    return tr("merit"), *map(operand_text, outcome.limits)


def _quantity_units(design: LensDesign, outcome: LensTolerances) -> tuple[str, ...]:
    unit = design.system.unit
    return "", *(unit_text(OPERANDS[o.quantity].unit, unit) for o in outcome.limits)


def _parameter_unit(design: LensDesign, name: str) -> str:
    own, _ = split_configuration(design, name)
    return unit_text(parameter_unit(design.system, own), design.system.unit)


def _round_table(table: Table) -> Table:
    """The table with numbers rounded to a few digits."""
    rows = np.array([[float(f"{v:.{SHOWN_DIGITS}g}") for v in row] for row in table.rows.tolist()])
    return replace(table, rows=rows.reshape(table.rows.shape))


def summary_text(outcome: LensTolerances) -> str:
    """A short summary of a study: the merit of the design and of the samples, and the yields."""
    merits = outcome.samples[:, 0] if len(outcome.samples) else np.zeros(0)
    known = merits[np.isfinite(merits)]
    text = tr("merit {nominal:.3g}", nominal=outcome.nominal[0])
    if len(known):
        half, most = np.quantile(known, [0.5, 0.9])
        text += tr(
            ", half of {count} samples below {half:.3g}, 90 % below {most:.3g}",
            count=len(merits),
            half=half,
            most=most,
        )
    if lost := len(merits) - len(known):
        text += tr(", {lost} without light", lost=lost)
    if not outcome.yields:
        return tr("{words}. Limits give a yield.", words=text)
    *each, whole = outcome.yields
    low, high = (100 * bound for bound in whole.interval)
    names = _quantity_names(outcome)[1:]
    shares = ", ".join(f"{name} {100 * y.share:.3g} %" for name, y in zip(names, each, strict=True))
    return tr(
        "{words}. Yield {number:.3g} % ({low:.3g} to {high:.3g} %): {shares}.",
        words=text,
        number=100 * whole.share,
        low=low,
        high=high,
        shares=shares,
    )


def _count_box(name: str, most: int) -> QSpinBox:
    box = describe_widget(QSpinBox(), name=name)
    leave_wheel_to_form(box)
    box.setRange(0, most)
    theme.indent_number_text(box)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    box.setMaximumWidth(theme.text_pixel_width("0000000") + theme.GRID * 3)
    return box


def _label(text: str) -> QLabel:
    return describe_widget(QLabel(text), role="label")


def _make_splitter(one: QWidget, other: QWidget, widths: list[int]) -> QSplitter:
    splitter = QSplitter(Qt.Orientation.Horizontal)
    splitter.setHandleWidth(1)
    splitter.setChildrenCollapsible(False)
    splitter.addWidget(one)
    splitter.addWidget(other)
    splitter.setSizes(widths)
    return splitter
