"""The form of a study: its kind, what is varied and measured, and the numbers of a search or of
samples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Source
from raybench.scene.document import Document
from raybench.study.request import (
    KINDS,
    NUMBERS,
    Renaming,
    StudyRequest,
    as_kind,
    request_renamed,
    spanned_text,
)
from raybench.study.terms.parameter import measure_names, parameter_names
from raybench.study.tolerance import SAMPLES
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.widgets import complete_with, in_a_column, in_a_row, is_choosing
from raybench_workbench.window.keyboard import scrolls_form

LONGEST = 1_000_000
"""Characters of a line. Qt cuts longer texts off, by default from 32,767."""


class LinesEdit(QWidget):
    """Texts, one to a line; there is always an empty line at the end. ``submitted`` is emitted on
    Enter.
    """

    submitted = Signal()

    def __init__(self, label: str, names: Callable[[], Sequence[str]]) -> None:
        super().__init__()
        self._label, self._names, self._placeholder = label, names, ""
        self._column = in_a_column(on=self, margins=0, spacing=theme.HALF)
        self.lines: list[QLineEdit] = []
        self._add()

    @property
    def texts(self) -> tuple[str, ...]:
        """The lines that are not empty."""
        return tuple(text for line in self.lines if (text := line.text().strip()))

    def set_texts(self, texts: Sequence[str]) -> None:
        """Show other texts."""
        while len(self.lines) > 1:
            self._remove_line(self.lines[-1])
        self.lines[0].clear()
        for text in texts:
            self.lines[-1].setText(text)
            self._keep_empty_line()

    def set_placeholder(self, text: str) -> None:
        """Show an example in the empty first line."""
        self._placeholder = text
        self.lines[0].setPlaceholderText(text)

    def _add(self) -> None:
        line = QLineEdit()
        line.setMaxLength(LONGEST)
        line.setAccessibleName(f"{self._label} {len(self.lines) + 1}")
        line.setPlaceholderText(self._placeholder if not self.lines else "")
        complete_with(line, self._names)
        line.textChanged.connect(lambda _text: self._keep_empty_line())
        line.returnPressed.connect(lambda: None if is_choosing(line) else self.submitted.emit())
        self._column.addWidget(line)
        self.lines.append(line)

    def _keep_empty_line(self) -> None:
        """Keep one empty line at the end."""
        if self.lines[-1].text():
            self._add()
        elif len(self.lines) > 1 and not self.lines[-2].text():
            self._remove_line(self.lines[-1])

    def _remove_line(self, line: QLineEdit) -> None:
        self.lines.remove(line)
        self._column.removeWidget(line)
        line.deleteLater()


EXAMPLES = {
    "sweep": "{part}.angle=-20..20:81",
    "optimise": "{part}.x=-50..50",
    "tolerance": "{part}.x±0.1",
}
"""What is varied, as an example, by kind of study."""


@dataclass(frozen=True)
class Row:
    """A list of texts: its field in a request, its label, the kinds of study that have it, an
    example (with the names of `_example_names`), and the names that it completes.
    """

    name: str
    label: str
    kinds: tuple[str, ...]
    example: str
    names: Callable[[Document], Sequence[str]]


def _example_goals(document: Document) -> list[str]:
    return [
        f"{word} {measure}" for measure in measure_names(document) for word in ("least", "most")
    ]


ROWS = (
    Row("vary", "Vary", KINDS, "", parameter_names),
    Row("measures", "Measure", ("sweep", "tolerance"), "power({screen})", measure_names),
    Row("limits", "Limit", ("tolerance",), "rms({screen}) < 0.2", measure_names),
    Row("adjust", "Adjust", ("tolerance",), "{screen}.x=-5..5", parameter_names),
    Row("goals", "Goal", ("optimise", "tolerance"), "least rms({screen})", _example_goals),
    Row("links", "Link", KINDS, "{other}.x = {part}.x", parameter_names),
)


def _example_names(document: Document) -> dict[str, str]:
    """Names for the examples: of two parts and a detector of a document, where it has them."""
    optical = document.scene.optical
    parts = [obj.title for obj in optical if not isinstance(obj, Source | Detector)]
    screens = [obj.title for obj in optical if isinstance(obj, Detector)]
    part, other, *_ = (*parts, "Lens 1", "Lens 2")
    return {"part": part, "other": other, "screen": (*screens, "Screen")[0]}


class StudyForm(QScrollArea):
    """Describes a study. ``submitted`` is emitted on Enter."""

    submitted = Signal()

    def __init__(self, document: WorkDocument, beside: Sequence[QWidget], below: QWidget) -> None:
        """``beside`` are buttons beside the kind of study, ``below`` is a line below it."""
        super().__init__()
        self.setAccessibleName("Study")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # its fields take it, and scroll into view
        self._document = document
        self._kind_before = KINDS[0]
        self.kind = QComboBox()
        self.kind.setAccessibleName("Kind of study")
        scrolls_form(self.kind)
        self.kind.addItems([kind.capitalize() for kind in KINDS])
        self.lists = {row.name: self._lines_edit(row) for row in ROWS}
        self.whole_range = QCheckBox("Search the whole ranges")
        self.samples, self.seed = (
            _spin_box("Samples", *NUMBERS["samples"], SAMPLES),
            _spin_box("Seed", *NUMBERS["seed"], 0),
        )
        self._labels: dict[str, QLabel] = {}
        form = QWidget()
        theme.set_role(form, "panel")
        grid = QGridLayout(form)
        grid.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        grid.setHorizontalSpacing(theme.GRID)
        grid.setVerticalSpacing(theme.HALF)
        grid.setColumnStretch(1, 1)
        first = in_a_row((self.kind, 1), *beside, spacing=theme.HALF)
        grid.addLayout(first, 0, 0, 1, 2)
        grid.addWidget(below, 1, 0, 1, 2)
        for row in ROWS:
            self._add(grid, row.label, self.lists[row.name])
            self.lists[row.name].submitted.connect(self.submitted)
        self._add(grid, "Samples", self.samples)
        self._add(grid, "Seed", self.seed)
        grid.addWidget(self.whole_range, grid.rowCount(), 0, 1, 2)
        grid.setRowStretch(grid.rowCount(), 1)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(form)
        self.kind.currentIndexChanged.connect(self._change_kind)
        self.whole_range.toggled.connect(self._show_kind)
        document.changed.connect(self._follow_document)
        self._show_kind()

    def _lines_edit(self, row: Row) -> LinesEdit:
        return LinesEdit(row.label, lambda: row.names(self._document.document))

    def _add(self, grid: QGridLayout, label: str, widget: QWidget) -> None:
        row = grid.rowCount()
        text = QLabel(label)
        text.setFixedHeight(
            self.kind.sizeHint().height()
        )  # in the middle of the first line beside it
        theme.set_role(text, "label")
        self._labels[label] = text
        grid.addWidget(text, row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        grid.addWidget(widget, row, 1)

    def _change_kind(self, *_: object) -> None:
        """Write what is in the form for the kind that was chosen."""
        filled = self._filled_study(self._kind_before, self.lists)
        self._kind_before = KINDS[self.kind.currentIndex()]
        self._show_texts(as_kind(filled, self._kind_before, self._document.document))
        self._show_kind()

    def _show_texts(self, written: StudyRequest) -> None:
        """Show the texts of a study where they are others."""
        for name, lines in self.lists.items():
            if getattr(written, name) != lines.texts:
                lines.set_texts(getattr(written, name))

    def _show_kind(self, *_: object) -> None:
        kind = self.request.kind
        self._show_examples()
        for row in ROWS:
            self._set_shown(row.label, self.lists[row.name], kind in row.kinds)
        self._set_shown("Samples", self.samples, kind == "tolerance")
        self._set_shown(
            "Seed",
            self.seed,
            kind == "tolerance" or (kind == "optimise" and self.whole_range.isChecked()),
        )
        self.whole_range.setVisible(kind == "optimise")

    def _show_examples(self) -> None:
        """Show what could be written, with the names of the document."""
        names = _example_names(self._document.document)
        for row in ROWS:
            self.lists[row.name].set_placeholder(
                (row.example or EXAMPLES[self.request.kind]).format_map(names)
            )

    def _follow_document(self, before: Document, after: Document) -> None:
        if (
            any(lines.texts for lines in self.lists.values())
            and (renaming := Renaming.between(before, after)) is not None
        ):
            self._show_texts(
                request_renamed(self._filled_study(self._kind_before, self.lists), renaming)
            )
        if (
            self.isVisible()
            and before.scene.objects is not after.scene.objects
            and self._document.gesture is None
        ):
            self._show_examples()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the examples, and be as wide as the fields and buttons, whose sizes are known once
        they are shown: none is cut.
        """
        super().showEvent(event)
        self._show_examples()
        form = self.widget()
        assert form is not None
        self.setMinimumWidth(
            form.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        )

    def _set_shown(self, label: str, widget: QWidget, shown: bool) -> None:
        self._labels[label].setVisible(shown)
        widget.setVisible(shown)

    @property
    def request(self) -> StudyRequest:
        """The study that the form describes."""
        kind = KINDS[self.kind.currentIndex()]
        return self._filled_study(kind, [row.name for row in ROWS if kind in row.kinds])

    def _filled_study(self, kind: str, names: Iterable[str]) -> StudyRequest:
        """The study of a kind with some of the lists."""
        texts = {name: self.lists[name].texts for name in names}
        return StudyRequest(
            kind,
            whole_range=self.whole_range.isChecked(),
            samples=self.samples.value(),
            seed=self.seed.value(),
            **texts,
        )

    def show_request(self, request: StudyRequest) -> None:
        """Fill the form."""
        self.kind.setCurrentIndex(KINDS.index(request.kind))
        for name, lines in self.lists.items():
            lines.set_texts(getattr(request, name))
        self.whole_range.setChecked(request.whole_range)
        self.samples.setValue(request.samples)
        self.seed.setValue(request.seed)
        self._show_kind()

    def choose(self, kind: str) -> None:
        """Write what is in the form for another kind of study."""
        self.kind.setCurrentIndex(KINDS.index(kind))

    def focus(self) -> None:
        """Focus the first line in which something is missing: of what is varied, else of what is
        measured or wanted.
        """
        wanted = self.lists["goals" if self.request.kind == "optimise" else "measures"]
        lines = self.lists["vary"] if not self.lists["vary"].texts else wanted
        lines.lines[0].setFocus()

    def begin(self, kind: str, parameter: str, value: float, by: float) -> None:
        """Fill the form for a study of a parameter about the value that it has now, keeping what is
        measured.
        """
        self.choose(kind)
        self.lists["vary"].set_texts([spanned_text(kind, parameter, value, by or 1.0)])
        wanted = self.lists["goals" if kind == "optimise" else "measures"]
        wanted.lines[0].setFocus()


def _spin_box(label: str, low: int, high: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setAccessibleName(label)
    scrolls_form(box)
    box.setRange(low, high)
    theme.inset_text(box)
    box.setValue(value)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box
