"""The study panel: what is varied and measured on the left, the plot and the table of what was found on the right."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from core.agent.call.approval import Edit
from core.errors import RaybenchError
from core.scene.changes import SetDocument, stages
from core.study.experiment import Values
from core.study.request import KINDS, StudyRequest, as_kind, spanned
from core.study.table import Table, table_of
from core.study.table_file import SUFFIXES, save_table
from core.study.terms.completion import measure_names, parameter_names
from workbench import theme
from workbench.dialogs.name_dialog import NameDialog
from workbench.document import WorkDocument
from workbench.panels.file_names import ask_save_name
from workbench.selection import Selection
from workbench.studies.lines_edit import LinesEdit
from workbench.studies.plot import StudyPlot
from workbench.studies.results_table import ResultsTable
from workbench.studies.runner import Progress, StudyRunner
from workbench.studies.summary import row_text, summary_of
from workbench.words.labels import ElidedLabel, WrappedLabel

FORM_WIDTH = 264
REPLOT_S = 0.2
"""Least time between two plots of a study that runs."""
EXAMPLES = {"sweep": "Prism.angle=-20..20:81", "optimise": "Lens.x=-50..50", "tolerance": "Lens.x±0.1"}
"""What is varied, as an example, by kind of study."""
SHOWN = {"vary": KINDS, "measures": ("sweep", "tolerance"), "limits": ("tolerance",), "adjust": ("tolerance",),
         "goals": ("optimise", "tolerance"), "links": KINDS}  # fmt: skip
"""The kinds of study that have each list of texts."""
LABELS = {"vary": "Vary", "measures": "Measure", "limits": "Limit", "adjust": "Adjust", "goals": "Goal", "links": "Link"}
PLACEHOLDERS = {
    "measures": "power(Screen)",
    "goals": "least rms(Screen)",
    "limits": "rms(Screen) < 0.2",
    "adjust": "Screen.x=-5..5",
    "links": "Lens 2.x = Lens 1.x + 40",
}
PICTURES = (".png", ".svg")
FILTERS = "Table as CSV (*.csv);;Table as npz (*.npz);;Table as JSON (*.json);;PNG picture (*.png);;SVG drawing (*.svg)"
CHANGED = "The scene has changed since; run the study again to apply a row."


class StudyPanel(QWidget):
    """Runs a study on the document as it stands; the document is changed only by “Apply”, as one step."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self.runner = StudyRunner(self)
        self.table: Table | None = None
        self._progress = Progress()
        self._studied = document.document
        self._row, self._plotted = -1, 0.0
        self._form_kind = self._run_kind = KINDS[0]
        self._ended = ""
        self.kind = QComboBox()
        self.kind.setAccessibleName("Kind of study")
        self.kind.addItems([kind.capitalize() for kind in KINDS])
        self.lists = {name: LinesEdit(label, self._names(name), PLACEHOLDERS.get(name, "")) for name, label in LABELS.items()}
        self.whole_range = QCheckBox("Search the whole ranges")
        self.samples, self.seed = _spin("Samples", 2, 100_000, 200), _spin("Seed", 0, 2**31 - 1, 0)
        self.run_button, self.stop_button = QPushButton("Run"), QPushButton("Stop")
        self.apply_button, self.export_button = QPushButton("Apply"), QPushButton("Export…")
        self.kept = QComboBox()
        self.kept.setAccessibleName("Kept studies")
        self.keep_button, self.remove_button = QPushButton("Keep…"), QPushButton("Remove")
        self.keep_button.setToolTip("Keep this study in the document, under a name")
        self.note = ElidedLabel()
        self.shown = QComboBox()
        self.shown.setAccessibleName("Measure that is plotted")
        self.plot = StudyPlot(self)
        self.results = ResultsTable(self)
        self.summary = WrappedLabel(selectable=True)
        self._labels: dict[str, QLabel] = {}
        self._build()
        self.kind.currentIndexChanged.connect(self._change_kind)
        self.kept.activated.connect(self._show_kept)
        self.keep_button.clicked.connect(self.ask_keep)
        self.remove_button.clicked.connect(self.remove)
        self.run_button.clicked.connect(self.run)
        self.stop_button.clicked.connect(self.runner.stop)
        self.apply_button.clicked.connect(self.apply)
        self.export_button.clicked.connect(self.ask_export)
        self.shown.currentIndexChanged.connect(self._replot)
        self.plot.pointed.connect(self._point_at)
        self.plot.chosen.connect(self.results.select)
        self.results.chosen.connect(self._choose)
        self.runner.advanced.connect(self._advance)
        self.runner.finished.connect(self._finish)
        for lines in self.lists.values():
            lines.submitted.connect(self.run)
        document.changed.connect(self._document_changed)
        document.opened.connect(self._forget)
        self._show_kind()
        self._show_state()

    # --- layout

    def _build(self) -> None:
        form = QWidget()
        theme.set_role(form, "panel")
        grid = QGridLayout(form)
        grid.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        grid.setHorizontalSpacing(theme.GRID)
        grid.setVerticalSpacing(theme.HALF)
        grid.setColumnStretch(1, 1)
        first = QHBoxLayout()
        first.setSpacing(theme.HALF)
        first.addWidget(self.kind, 1)
        first.addWidget(self.run_button)
        first.addWidget(self.stop_button)
        grid.addLayout(first, 0, 0, 1, 2)
        kept = QHBoxLayout()
        kept.setSpacing(theme.HALF)
        kept.addWidget(self.kept, 1)
        kept.addWidget(self.keep_button)
        kept.addWidget(self.remove_button)
        grid.addLayout(kept, 1, 0, 1, 2)
        for name, lines in self.lists.items():
            self._add(grid, LABELS[name], lines)
        self._add(grid, "Samples", self.samples)
        self._add(grid, "Seed", self.seed)
        grid.addWidget(self.whole_range, grid.rowCount(), 1)
        grid.setRowStretch(grid.rowCount(), 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(form)
        right = QWidget()
        theme.set_role(right, "panel")
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        bar = QHBoxLayout()
        bar.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        bar.setSpacing(theme.GRID)
        bar.addWidget(self.shown)
        bar.addWidget(self.note, 1)
        bar.addWidget(self.apply_button)
        bar.addWidget(self.export_button)
        column.addLayout(bar)
        sides = QSplitter(Qt.Orientation.Horizontal)
        sides.setHandleWidth(1)
        sides.setChildrenCollapsible(False)
        sides.addWidget(self.plot)
        text = QWidget()
        theme.set_role(text, "panel")
        beside = QVBoxLayout(text)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(0)
        self.summary.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.GRID)
        beside.addWidget(self.summary)
        beside.addWidget(self.results, 1)
        sides.addWidget(text)
        sides.setSizes([300, 300])
        column.addWidget(sides, 1)
        whole = QSplitter(Qt.Orientation.Horizontal, self)
        whole.setHandleWidth(1)
        whole.setChildrenCollapsible(False)
        whole.addWidget(scroll)
        whole.addWidget(right)
        whole.setSizes([FORM_WIDTH, 3 * FORM_WIDTH])
        whole.setStretchFactor(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(whole)

    def _add(self, grid: QGridLayout, label: str, widget: QWidget) -> None:
        row = grid.rowCount()
        text = QLabel(label)
        theme.set_role(text, "label")
        self._labels[label] = text
        grid.addWidget(text, row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(widget, row, 1)

    def _change_kind(self, *_: object) -> None:
        """Write what is in the form for the kind that was chosen."""
        filled = self._filled(self._form_kind, self.lists)
        self._form_kind = KINDS[self.kind.currentIndex()]
        written = as_kind(filled, self._form_kind, self._document.document)
        for name, lines in self.lists.items():
            if getattr(written, name) != lines.texts:
                lines.set_texts(getattr(written, name))
        self._show_kind()

    def _show_kind(self) -> None:
        kind = self.request.kind
        self.lists["vary"].set_placeholder(EXAMPLES[kind])
        for name, kinds in SHOWN.items():
            self._set_shown(LABELS[name], self.lists[name], kind in kinds)
        self._set_shown("Samples", self.samples, kind == "tolerance")
        self._set_shown("Seed", self.seed, kind == "tolerance" or (kind == "optimise" and self.whole_range.isChecked()))
        self.whole_range.setVisible(kind == "optimise")

    def _set_shown(self, label: str, widget: QWidget, shown: bool) -> None:
        self._labels[label].setVisible(shown)
        widget.setVisible(shown)

    def _names(self, name: str) -> Callable[[], Sequence[str]]:
        def parameters() -> list[str]:
            return parameter_names(self._document.document)

        def measures() -> list[str]:
            return measure_names(self._document.document)

        def goals() -> list[str]:
            return [f"{word} {measure}" for measure in measures() for word in ("least", "most")]

        return {"vary": parameters, "links": parameters, "adjust": parameters, "measures": measures, "goals": goals, "limits": measures}[
            name
        ]

    # --- the request

    @property
    def request(self) -> StudyRequest:
        """The study that the form describes."""
        kind = KINDS[self.kind.currentIndex()]
        return self._filled(kind, [name for name, kinds in SHOWN.items() if kind in kinds])

    def _filled(self, kind: str, names: Iterable[str]) -> StudyRequest:
        """The study of a kind with some of the lists."""
        texts = {name: self.lists[name].texts for name in names}
        return StudyRequest(kind, whole_range=self.whole_range.isChecked(), samples=self.samples.value(), seed=self.seed.value(), **texts)

    def show_request(self, request: StudyRequest) -> None:
        """Fill the form."""
        self.kind.setCurrentIndex(KINDS.index(request.kind))
        for name, lines in self.lists.items():
            lines.set_texts(getattr(request, name))
        self.whole_range.setChecked(request.whole_range)
        self.samples.setValue(request.samples)
        self.seed.setValue(request.seed)
        self._show_kind()

    def begin(self, kind: str, parameter: str, value: float) -> None:
        """Fill the form for a study of a parameter that stands at a value now, keeping what is measured."""
        self.kind.setCurrentIndex(KINDS.index(kind))
        self.lists["vary"].set_texts([spanned(kind, parameter, value, 0.1 * abs(value) or 1.0)])
        wanted = self.lists["goals" if kind == "optimise" else "measures"]
        wanted.lines[0].setFocus()

    # --- kept studies

    def ask_keep(self) -> None:
        """Ask for a name, and keep the study in the document."""
        suggested = self.kept.currentText() if self.kept.currentIndex() > 0 else self.request.vary[0] if self.request.vary else ""
        NameDialog("Keep study", "Name of the study", suggested, self.keep, self).open()

    def keep(self, name: str) -> str:
        """Keep the study in the document under a name, in place of another of that name; returns why that is refused."""
        if not name.strip():
            return "A study needs a name."
        if reason := self._document.attempt(SetDocument(studies={**self._document.document.studies, name.strip(): self.request.to_json()})):
            return reason
        self.kept.setCurrentText(name.strip())
        self._show_state()
        return ""

    def remove(self) -> None:
        """Remove the chosen study from the document."""
        name = self.kept.currentText()
        self._document.change(SetDocument(studies={k: v for k, v in self._document.document.studies.items() if k != name}))

    def _show_kept(self, index: int) -> None:
        if index > 0:
            try:
                self.show_request(StudyRequest.from_json(self._document.document.studies[self.kept.itemText(index)]))
            except RaybenchError as error:
                self._tell(str(error), "error")
        self._show_state()

    def _list_kept(self) -> None:
        names = ["Kept studies", *self._document.document.studies]
        if [self.kept.itemText(i) for i in range(self.kept.count())] != names:
            now = self.kept.currentText()
            self.kept.clear()
            self.kept.addItems(names)
            self.kept.setCurrentIndex(max(0, self.kept.findText(now)))

    # --- running

    def run(self) -> None:
        """Run the study on the document as it stands."""
        self._studied = self._document.document
        self._progress, self.table, self._plotted = Progress(), None, -REPLOT_S
        self._run_kind = self.request.kind
        self._choose(-1)
        self.plot.empty()
        self.results.show_table(None)
        self.summary.clear()
        self._tell("Starting…")
        self.runner.start(self.request, self._studied)
        self._show_state()

    def close_study(self) -> None:
        """Stop what runs; for a window that closes."""
        self.runner.close()

    def _advance(self, progress: Progress) -> None:
        self._take(progress)
        if progress.count and progress.rows:
            left = progress.seconds / len(progress.rows) * (progress.count - len(progress.rows))
            self._tell(f"{len(progress.rows)} of {progress.count}, {left:.0f} s left")
        elif progress.evaluations:
            self._tell(f"{progress.evaluations} evaluations")

    def _finish(self, progress: Progress) -> None:
        self._take(progress)
        if progress.error:
            self._tell(progress.error, "error")
        else:
            state = f"{len(progress.rows)} of {progress.count} rows; stopped" if len(progress.rows) < progress.count else ""
            self._ended = state or f"Done in {progress.seconds:.1f} s"
            self._tell(self._ended)
        self.summary.setText(summary_of(progress, self.table))
        if progress.outcome is not None and progress.outcome.optimum is not None:
            self.results.select(len(progress.rows) - 1)
        self._show_state()

    def _take(self, progress: Progress) -> None:
        """Show what has arrived."""
        grew = progress.experiment is not None and (self.table is None or len(progress.rows) != len(self.table.rows))
        self._progress = progress
        if progress.experiment is not None and grew:
            self.table = table_of(progress.experiment, progress.rows)
            names = [m.expression for m in progress.experiment.measures]
            if [self.shown.itemText(i) for i in range(self.shown.count())] != names:
                self.shown.blockSignals(True)
                self.shown.clear()
                self.shown.addItems(names)
                self.shown.blockSignals(False)
            self.results.show_table(self.table)
        if (grew or progress.merits) and (progress.ended or progress.seconds - self._plotted > REPLOT_S):
            self._plotted = progress.seconds
            self._replot()
        self._show_state()

    def _replot(self, *_: object) -> None:
        table, kind = self.table, self._run_kind
        if self._progress.merits:
            self.plot.show_search(self._progress.merits)
        elif table is not None and len(table.rows) and self.shown.currentIndex() >= 0:
            parameters = len(self._progress.experiment.parameters) if self._progress.experiment is not None else 1
            column = parameters + self.shown.currentIndex()
            if kind == "tolerance":
                self.plot.show_histogram(table, column)
            elif parameters == 2:
                self.plot.show_map(table, column)
            else:
                self.plot.show_curve(table, column)
        self._mark()

    # --- rows

    @property
    def current(self) -> bool:
        """Whether the document is still the one that was studied."""
        now, then = self._document.document, self._studied
        return now.scene is then.scene and now.disabled == then.disabled

    def _point_at(self, row: int) -> None:
        """Show the scene of a row as a ghost, and its numbers, while the pointer is on it; those of the chosen row otherwise."""
        row = row if row >= 0 else self._row
        self._show_row(row)
        if self.table is not None and not self.runner.busy and not self._progress.error:
            self._tell(row_text(self.table, row) if 0 <= row < len(self.table.rows) else self._ended)

    def _choose(self, row: int) -> None:
        self._row = row
        self._point_at(row)
        self._show_state()

    def _show_row(self, row: int) -> None:
        self._mark(row)
        values = self._values(row)
        if values is None or not self.current:
            self._selection.propose(None)
            return
        assert self._progress.experiment is not None
        changes = self._progress.experiment.changes(values)
        try:
            self._selection.propose(Edit(changes, tuple(stages(changes, self._studied))))
        except RaybenchError:  # the measures of this row are undefined for this reason
            self._selection.propose(None)

    def _mark(self, row: int | None = None) -> None:
        row = self._row if row is None else row
        values = self._values(row)
        if values is None or self.table is None or self._run_kind == "tolerance" or self._progress.merits:
            self.plot.mark(math.nan, math.nan)
        elif len(values) == 2:
            self.plot.mark(values[0], values[1])
        else:
            self.plot.mark(values[0], float(self.table.rows[row, len(values) + max(self.shown.currentIndex(), 0)]))

    def _values(self, row: int) -> Values | None:
        return self._progress.rows[row][0] if 0 <= row < len(self._progress.rows) else None

    def apply(self) -> None:
        """Make the changes of the chosen row, as one step."""
        values = self._values(self._row)
        if values is not None and self.current and self._progress.experiment is not None:
            changes = self._progress.experiment.changes(values)
            self._selection.propose(None)
            self._document.change(changes)

    # --- export

    def ask_export(self) -> None:
        """Ask for a name, and write the table or the plot by its ending."""
        known = (*SUFFIXES, *PICTURES)
        if (path := ask_save_name(self, "Export study", f"{self.request.kind}.csv", FILTERS, known)) is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the table (.csv, .npz, .json) or the plot (.png, .svg)."""
        if self.table is None:
            return
        try:
            if path.suffix.lower() in PICTURES:
                self.plot.save(path)
            else:
                save_table(self.table, path)
        except (RaybenchError, OSError) as error:
            self._document.failed.emit(str(error))
            return
        self._tell(f"{path.name} written")

    # --- state

    def _document_changed(self, *_: object) -> None:
        if not self.current:
            self._selection.propose(None)
        self._show_state()

    def _forget(self, *_: object) -> None:
        self.runner.close()
        self._progress, self.table = Progress(), None
        self._row = -1
        self.plot.empty()
        self.results.show_table(None)
        self.summary.clear()
        self.note.set_full_text("")
        self._show_state()

    def _show_state(self) -> None:
        self._list_kept()
        self.kept.setEnabled(self.kept.count() > 1)
        self.remove_button.setEnabled(self.kept.currentIndex() > 0)
        busy, rows = self.runner.busy, self.table is not None and len(self.table.rows) > 0
        self.run_button.setEnabled(not busy)
        self.stop_button.setEnabled(busy)
        self.export_button.setEnabled(rows)
        self.shown.setVisible(self.shown.count() > 1 and not self._progress.merits)
        self.apply_button.setEnabled(not busy and self.current and self._values(self._row) is not None)
        self.apply_button.setToolTip("Make the changes of the chosen row" if self.current else CHANGED)

    def _tell(self, text: str, role: str = "dim") -> None:
        theme.set_role(self.note, role)
        self.note.set_full_text(text)


def _spin(label: str, low: int, high: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setAccessibleName(label)
    box.setRange(low, high)
    box.setValue(value)
    box.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box
