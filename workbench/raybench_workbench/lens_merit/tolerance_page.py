"""The tolerances of a lens: what deviates, what is adjusted and limited, and what comes of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFormLayout, QLineEdit, QMenu, QSpinBox, QSplitter, QWidget

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, unit_text
from raybench.lens.columns import InvalidCell, read_cell_number
from raybench.lens.design import LensDesign, design_parameters, parameter_number, split_configuration
from raybench.lens.operands import OPERANDS, Operand
from raybench.lens.parameters import parameter_label, parameter_unit
from raybench.lens.tolerance import (
    COMMERCIAL,
    PRECISION,
    LensDeviation,
    LensTolerances,
    Quality,
    tolerance_lens,
    usual_deviations,
)
from raybench.study.table import Table, save_table
from raybench_workbench import theme
from raybench_workbench.dialogs import ask_save_name
from raybench_workbench.lens_data.cell_table import CellTable, ListColumn, ListModel
from raybench_workbench.lens_merit.operand_list import OperandList
from raybench_workbench.studies.plot import StudyPlot
from raybench_workbench.studies.results import ResultsTable
from raybench_workbench.studies.runner import Run
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

HINT = (
    "Choose Commercial or Precision, or write what deviates, and press Run. Limits give a yield;"
    " compensators, such as the last distance, are adjusted in each sample."
)
SAMPLES = 200
SHOWN_DIGITS = 4
QUALITIES = {"Commercial": COMMERCIAL, "Precision": PRECISION}


@dataclass(frozen=True)
class ToleranceSetup:
    """What a study of tolerances of a lens takes."""

    deviations: tuple[LensDeviation, ...] = ()
    limits: tuple[Operand, ...] = ()
    compensators: str = ""
    samples: int = SAMPLES
    seed: int = 0


@dataclass
class ToleranceRun(Run):
    """The state of a study of tolerances: how many lenses are done, of how many, and the outcome."""

    lens: str = ""
    design: LensDesign | None = None
    setup: ToleranceSetup = field(default_factory=ToleranceSetup)
    done: int = 0
    total: int = 0
    outcome: LensTolerances | None = None

    def study(self, stop: Callable[[], bool]) -> None:
        """Study, in the thread."""
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
            progress=self._count,
        )

    def _count(self, done: int, total: int) -> None:
        self.done, self.total = done, total


class TolerancePage(QWidget):
    """The form of a study of tolerances of the lens that ``design`` returns, and its results. ``run``
    starts it; the setup of each lens is kept while the window is open.
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
        self.samples_table: Table | None = None
        self.sensitivities_table: Table | None = None
        self.deviations = self._deviation_list()
        self.limits = OperandList(
            "Limits", design, self._set_limits, weighted=False, parent=self
        )
        self.limits.list.refused.connect(self._show_refusals)
        self.compensators = describe_widget(
            QLineEdit(),
            name="Compensators",
            tip="What is adjusted in each sample for the smallest merit, such as t6",
        )
        self.compensators.editingFinished.connect(
            lambda: self._set(compensators=self.compensators.text())
        )
        offer_name_completion(self.compensators, lambda: tuple(design_parameters(design())))
        self.samples = _count_box("Samples", 100_000)
        self.seed = _count_box("Seed", 1_000_000)
        self.samples.valueChanged.connect(lambda value: self._set(samples=value))
        self.seed.valueChanged.connect(lambda value: self._set(seed=value))
        self.run_button = push_button("Run", run, role="", name="Run the tolerances")
        self.export = push_button("Export ▾", self._show_exports, name="Export the tolerances")
        self.measure = describe_widget(ElidedChoice(), name="Quantity that is plotted")
        leave_wheel_to_form(self.measure)
        self.measure.currentIndexChanged.connect(lambda _: self._plot())
        self.plot = StudyPlot(self)
        self.plot.setAccessibleName("Distribution of the samples")
        self.sensitivities = ResultsTable(self)
        self.sensitivities.setAccessibleName("Sensitivities")
        self.summary = WrappedLabel(role="dim", selectable=True)
        self.summary.setAccessibleName("Yields")
        self.hint = Hint(HINT)
        self._lay_out()
        theme.notifier.changed.connect(self._plot)
        self.show_outcome(ToleranceRun())

    def _lay_out(self) -> None:
        classes = [
            push_button(
                title,
                partial(self.use_quality, quality),
                tip=f"Usual deviations: radii ± {100 * quality.radius:g} %, distances ±"
                f" {quality.distance:g} mm, indices ± {quality.index:g}",
            )
            for title, quality in QUALITIES.items()
        ]
        half = theme.HALF
        bar = row_layout(*classes, 1, margins=(half, half, half, half), spacing=half)
        lists = QSplitter(Qt.Orientation.Horizontal)
        lists.setHandleWidth(1)
        lists.setChildrenCollapsible(False)
        lists.addWidget(self.deviations)
        lists.addWidget(self.limits)
        lists.setSizes([250, 190])
        form = QFormLayout()
        form.addRow("Compensators", self.compensators)
        numbers = row_layout(
            _label("Samples"), self.samples, _label("Seed"), self.seed, 1, self.run_button,
            margins=0, spacing=theme.GRID,
        )  # fmt: skip
        left = QWidget()
        below = column_layout(form, numbers, margins=(theme.GRID, half, theme.GRID, half))
        below.setSpacing(half)
        column_layout(bar, (lists, 1), below, on=left, margins=0, spacing=0)
        results = QSplitter(Qt.Orientation.Horizontal)
        results.setHandleWidth(1)
        results.setChildrenCollapsible(False)
        results.addWidget(self.plot)
        results.addWidget(self.sensitivities)
        results.setSizes([200, 200])
        top = row_layout(
            (self.summary, 1), self.measure, self.export,
            margins=(theme.GRID, half, half, half), spacing=theme.GRID,
        )  # fmt: skip
        self.found = QWidget()
        column_layout(top, (results, 1), on=self.found, margins=0, spacing=0)
        right = QWidget()
        column_layout((self.hint, 1), (self.found, 1), on=right, margins=0, spacing=0)
        whole = QSplitter(Qt.Orientation.Horizontal)
        whole.setHandleWidth(1)
        whole.setChildrenCollapsible(False)
        whole.addWidget(left)
        whole.addWidget(right)
        whole.setSizes([440, 440])
        whole.setStretchFactor(1, 1)
        column_layout(whole, on=self, margins=0)

    def _deviation_list(self) -> CellTable:
        def unit(deviation: LensDeviation) -> str:
            own, _ = split_configuration(self._design(), deviation.parameter)
            system = self._design().system
            return unit_text(parameter_unit(system, own), system.unit)

        def read_amount(deviation: LensDeviation, text: str) -> LensDeviation:
            kind = LENGTH if unit(deviation) == self._design().system.unit else ""
            by = read_cell_number("The deviation", text, self._design().system.unit, kind)
            if by < 0:
                raise InvalidCell("The deviation is an amount to both sides. Write it without sign.")
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
            return "" if fault(deviation) else parameter_label(self._design().system, deviation.parameter)

        model = ListModel(
            (
                ListColumn(
                    "Deviates",
                    "A parameter: r1 is the radius of surface 1, t1 the distance behind it, n1 the"
                    " index behind it",
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
                ListColumn("Meaning", "What it is", label, is_text=True),
                ListColumn("±", "By how much, to both sides", lambda d: f"{d.by:.4g}", read_amount),
                ListColumn("Unit", "Its unit", lambda d: "" if fault(d) else unit(d), is_text=True),
            ),
            None,
            lambda deviations, _: self._set(deviations=tuple(deviations)),
            "deviation",
        )
        table = CellTable(model, "Deviations", self)
        table.verticalHeader().hide()
        model.setParent(table)
        model.refused.connect(self._show_refusals)
        self.deviation_list = model
        return table

    # --- the setup

    @property
    def setup(self) -> ToleranceSetup:
        """What is written in the form."""
        return self._setups.get(self._lens, ToleranceSetup())

    def show_lens(self, name: str, design: LensDesign) -> None:
        """Show the setup of a lens; at first its last distance is adjusted."""
        self._lens = name
        if name not in self._setups:
            self._setups[name] = ToleranceSetup(compensators=f"t{len(design.system.surfaces)}")
        self._show_setup()

    def _show_setup(self) -> None:
        setup = self.setup
        self.deviation_list.show_values(setup.deviations)
        self.deviations.fit_columns()
        self.limits.show_operands(setup.limits)
        self.compensators.setText(setup.compensators)
        self.samples.setValue(setup.samples)
        self.seed.setValue(setup.seed)

    def _set(self, **values: object) -> str:
        self._setups[self._lens] = replace(self.setup, **values)  # type: ignore[arg-type]
        self._show_setup()
        return ""

    def _set_limits(self, limits: Sequence[Operand]) -> str:
        return self._set(limits=tuple(limits))

    def use_quality(self, quality: Quality) -> None:
        """Let all radii, glasses and distances deviate by a class of manufacture."""
        self._set(deviations=usual_deviations(self._design(), quality))

    def _show_refusals(self) -> None:
        refusals = [*self.deviation_list.refusals.values(), *self.limits.list.refusals.values()]
        self._note(refusals[0].reason if refusals else "")

    # --- results

    def show_outcome(self, run: ToleranceRun) -> None:
        """Show the results of a study; nothing before there are any."""
        self._run, outcome = run, run.outcome
        self.hint.setVisible(outcome is None)
        self.found.setVisible(outcome is not None)
        if outcome is None or run.design is None:
            return
        self.samples_table, self.sensitivities_table = result_tables(run.design, outcome, run.setup)
        chosen = max(self.measure.currentIndex(), 0)
        self.measure.clear()
        self.measure.addItems(outcome.names)
        self.measure.setCurrentIndex(chosen if chosen < len(outcome.names) else 0)
        self.measure.setVisible(len(outcome.names) > 1)
        self.sensitivities.show_table(_rounded(self.sensitivities_table))
        self.summary.setText(summary_text(outcome))
        self._plot()

    def _plot(self, *_: object) -> None:
        if self.samples_table is not None and len(self.samples_table.rows):
            self.plot.show_histogram(self.samples_table, max(self.measure.currentIndex(), 0))
        else:
            self.plot.clear_plot()

    def _show_exports(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Sensitivities…", lambda: self._ask_export("sensitivities"))
        menu.addAction("Samples…", lambda: self._ask_export("samples"))
        menu.popup(self.export.mapToGlobal(self.export.rect().bottomLeft()))

    def _ask_export(self, what: str) -> None:
        path = ask_save_name(
            self, f"Export {what}", f"{what}.csv", "Table as CSV (*.csv)", (".csv",)
        )
        if path is not None:
            self.export_table(what, path)

    def export_table(self, what: str, path: Path) -> None:
        """Write the ``samples`` or the ``sensitivities`` to a file."""
        table = self.samples_table if what == "samples" else self.sensitivities_table
        if table is None:
            return
        try:
            save_table(table, path)
        except (RaybenchError, OSError) as error:
            self._note(str(error))


def result_tables(
    design: LensDesign, outcome: LensTolerances, setup: ToleranceSetup
) -> tuple[Table, Table]:
    """The samples, with the adjusted compensators; and the sensitivities, the largest change of the
    merit first.
    """
    unit = design.system.unit
    units = ("", *(unit_text(OPERANDS[o.quantity].unit, unit) for o in outcome.limits))

    def own_unit(name: str) -> str:
        own, _ = split_configuration(design, name)
        return unit_text(parameter_unit(design.system, own), unit)

    samples = Table(
        (*outcome.names, *outcome.compensators),
        (*units, *map(own_unit, outcome.compensators)),
        np.hstack([outcome.samples.reshape(-1, len(units)), outcome.adjusted]),
        0,
        setup.seed,
    )
    changes = [side - outcome.nominal for side in (outcome.low, outcome.high)]
    largest = np.fmax(*map(np.abs, changes))
    order = np.argsort(-np.nan_to_num(largest[:, 0], nan=np.inf), kind="stable")
    deviations = [outcome.deviations[i] for i in order]
    names = tuple(f"{d.parameter} ± {d.by:.3g}{own_unit(d.parameter) and f' {own_unit(d.parameter)}'}" for d in deviations)  # fmt: skip
    columns = [np.arange(len(order), dtype=float)]
    titles, column_units = ["deviation"], [""]
    for k, name in enumerate(outcome.names):
        for sign, change in zip("−+", changes, strict=True):
            columns.append(change[order, k])
            titles.append(f"Δ {name} at {sign}")
            column_units.append(units[k])
    sensitivities = Table(
        tuple(titles), tuple(column_units), np.column_stack(columns), 0, choices={0: names}
    )
    return samples, sensitivities


def _rounded(table: Table) -> Table:
    """A table with numbers of a few digits, to be read."""
    rows = np.array([[float(f"{v:.{SHOWN_DIGITS}g}") for v in row] for row in table.rows.tolist()])
    return replace(table, rows=rows.reshape(table.rows.shape))


def summary_text(outcome: LensTolerances) -> str:
    """The merit as it is and of the samples, and the yields, in few words."""
    merits = outcome.samples[:, 0] if len(outcome.samples) else np.zeros(0)
    known = merits[np.isfinite(merits)]
    texts = [f"merit {outcome.nominal[0]:.4g}"]
    if len(known):
        half, most = np.quantile(known, [0.5, 0.9])
        texts.append(f"half of {len(merits)} samples below {half:.4g}, 90 % below {most:.4g}")
    if lost := len(merits) - len(known):
        texts.append(f"{lost} without light")
    for y in outcome.yields:
        low, high = (100 * bound for bound in y.interval)
        texts.append(f"{y.of} {100 * y.share:.3g} % ({low:.3g} to {high:.3g} %)")
    return "; ".join(texts)


def _count_box(name: str, most: int) -> QSpinBox:
    box = describe_widget(QSpinBox(), name=name)
    leave_wheel_to_form(box)
    box.setRange(0, most)
    theme.indent_number_text(box)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box


def _label(text: str) -> QWidget:
    return WrappedLabel(text, role="label")
