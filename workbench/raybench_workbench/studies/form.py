"""The form of a study: its kind, what is varied and measured, and the numbers for a search or for
samples.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QSpinBox,
    QWidget,
)

from raybench.kinds.detectors import Detector
from raybench.kinds.sources import Source
from raybench.scene.document import Document
from raybench.scene.parameters.numbers import parameter_names
from raybench.scene.parameters.renaming import Renaming
from raybench.study.request import (
    NUMBER_RANGES,
    STUDY_KINDS,
    StudyRequest,
    convert_request,
    range_text_around,
    rename_in_request,
)
from raybench.study.terms.parameter import measure_names
from raybench.study.tolerance import DEFAULT_SAMPLES
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    OPERATORS,
    ElidedChoice,
    column_layout,
    describe_widget,
    is_completion_selected,
    offer_name_completion,
    push_button,
    row_layout,
    set_vertical_scrolling,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form

KIND_WIDTH = 80
"""Smallest width of the box with the kind of study, in pixels."""
MAX_LINE_LENGTH = 1_000_000
"""Characters of a line. Qt cuts longer texts off, by default from 32,767."""


class TextListEdit(QWidget):
    """A list of text fields, with a button that adds one. ``submitted`` is emitted on Enter."""

    submitted = Signal()

    def __init__(
        self, label: str, names: Callable[[], Sequence[str]], separators: str = ""
    ) -> None:
        """``separators`` are explained in `offer_name_completion`."""
        super().__init__()
        self._label, self._names, self._placeholder = label, names, ""
        self._separators = separators
        self._column = column_layout(margins=0, spacing=theme.HALF)
        self.lines: list[QLineEdit] = []
        name = tr("Add a line to {label}", label=label)
        key = QShortcut(QKeySequence("Shift+Return"), self)
        key.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        key_text = key.key().toString(QKeySequence.SequenceFormat.NativeText)
        tip = tr("One more line") + f" ({key_text})"
        self.add_button = push_button("+", self._add_focused_line, name=name, tip=tip)
        self.add_button.setFixedWidth(2 * theme.GRID)
        self.add_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Tab goes on to the next list
        key.activated.connect(self.add_button.click)
        row_layout(
            (self._column, 1), self.add_button, on=self, margins=0, spacing=theme.HALF
        ).setAlignment(self.add_button, Qt.AlignmentFlag.AlignBottom)
        self._add_line()

    @property
    def entered_texts(self) -> tuple[str, ...]:
        """The texts of the fields that are not empty."""
        return tuple(text for line in self.lines if (text := line.text().strip()))

    def set_texts(self, texts: Sequence[str]) -> None:
        """Replace all texts, one in each field."""
        if tuple(texts) == self.entered_texts:
            return
        while len(self.lines) > max(1, len(texts)):
            self._remove_line(self.lines[-1])
        while len(self.lines) < len(texts):
            self._add_line()
        for line, text in zip(self.lines, texts or [""], strict=True):
            line.setText(text)

    def set_placeholder(self, text: str) -> None:
        """Show an example in the first field while it is empty."""
        self._placeholder = text
        self.lines[0].setPlaceholderText(text)

    def _add_line(self) -> None:
        line = QLineEdit()
        line.setMaxLength(MAX_LINE_LENGTH)
        line.setAccessibleName(f"{self._label} {len(self.lines) + 1}")
        line.setPlaceholderText(self._placeholder if not self.lines else "")
        offer_name_completion(line, self._names, self._separators)
        line.textChanged.connect(lambda _text: self._update_button())
        line.returnPressed.connect(
            lambda: None if is_completion_selected(line) else self.submitted.emit()
        )
        self._column.addWidget(line)
        if self.lines:
            QWidget.setTabOrder(self.lines[-1], line)
        self.lines.append(line)
        self._update_button()

    def _add_focused_line(self) -> None:
        self._add_line()
        self.lines[-1].show()  # before its layout does, so that it takes the focus
        self.lines[-1].setFocus()

    def _update_button(self) -> None:
        self.add_button.setEnabled(bool(self.lines[-1].text().strip()))

    def _remove_line(self, line: QLineEdit) -> None:
        self.lines.remove(line)
        self._column.removeWidget(line)
        line.deleteLater()
        self._update_button()


EXAMPLES = {
    "sweep": "{part}.angle=-20..20:81",
    "optimise": "{part}.x=-50..50",
    "tolerance": "{part}.x±0.1",
}
"""What is varied, as an example, by kind of study."""


@dataclass(frozen=True)
class TextListRow:
    """A list of texts in the study form: its field in the request, its label, the kinds of study
    that use it, an example (with names from `_example_names`), and the names offered for
    completion.
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
    TextListRow("vary", tr("Vary"), STUDY_KINDS, "", parameter_names),
    TextListRow("measures", tr("Measure", "noun"), STUDY_KINDS, "power({screen})", measure_names),
    TextListRow("limits", tr("Limit"), ("tolerance",), "rms({screen}) < 0.2", measure_names),
    TextListRow("adjust", tr("Adjust"), ("tolerance",), "{screen}.x=-5..5", parameter_names),
    TextListRow(
        "goals", tr("Goal"), ("optimise", "tolerance"), "least rms({screen})", _example_goals
    ),
    TextListRow("links", tr("Link"), STUDY_KINDS, "{other}.x = {part}.x", parameter_names),
    TextListRow(
        "changes", tr("First"), STUDY_KINDS, '{{"move": "{part}", "dx": 5}}', lambda document: ()
    ),
)


def _example_names(document: Document) -> dict[str, str]:
    """Names for the examples: those of two parts and a detector, if the document has them."""
    optical = document.scene.optical
    parts = [obj.title for obj in optical if not isinstance(obj, Source | Detector)]
    screens = [obj.title for obj in optical if isinstance(obj, Detector)]
    part, other, *_ = (*parts, "Lens 1", "Lens 2")
    return {"part": part, "other": other, "screen": (*screens, "Screen")[0]}


class StudyForm(QScrollArea):
    """The form that describes a study. ``submitted`` is emitted on Enter."""

    submitted = Signal()

    def __init__(self, document: WorkDocument, beside: Sequence[QWidget], below: QWidget) -> None:
        """``beside`` are buttons shown beside the kind of study; ``below`` is the widget shown
        below it.
        """
        super().__init__()
        self._document = document
        self._kind_before = STUDY_KINDS[0]
        self.kind = ElidedChoice()
        self.kind.setMinimumWidth(KIND_WIDTH)
        self.kind.setAccessibleName(tr("Kind of study"))
        leave_wheel_to_form(self.kind)
        self.kind.addItems([tr(kind.capitalize()) for kind in STUDY_KINDS])
        self.lists = {
            row.name: TextListEdit(
                row.label,
                partial(_completion_names, row, document),
                OPERATORS if row.name == "links" else "",
            )
            for row in ROWS
        }
        self.whole_range = QCheckBox(tr("Search the whole ranges"))
        self.any_path = QCheckBox(tr("Light may take any path"))
        self.any_path.setToolTip(
            tr("Also another one than in the present scene, such as a total reflection")
        )
        self.samples = _spin_box(tr("Samples"), *NUMBER_RANGES["samples"], DEFAULT_SAMPLES)
        self.seed = _spin_box(tr("Seed"), *NUMBER_RANGES["seed"], 0)
        form = QWidget()
        theme.set_role(form, "panel")
        self._rows = QFormLayout(form)
        self._rows.setContentsMargins(*[theme.GRID] * 4)
        self._rows.setHorizontalSpacing(theme.GRID)
        self._rows.setVerticalSpacing(theme.HALF)
        self._rows.addRow(row_layout((self.kind, 1), *beside, spacing=theme.HALF))
        self._rows.addRow(below)
        for row in ROWS:
            self._add_row(row.label, self.lists[row.name])
            self.lists[row.name].submitted.connect(self.submitted)
        self._add_row(tr("Samples"), self.samples)
        self._add_row(tr("Seed"), self.seed)
        self._rows.addRow(self.whole_range)
        self._rows.addRow(self.any_path)
        set_vertical_scrolling(self, form, tr("Study"))
        self.kind.currentIndexChanged.connect(self._change_kind)
        self.whole_range.toggled.connect(self._show_kind_rows)
        document.changed.connect(self._update_names)
        self._show_kind_rows()

    def _add_row(self, label: str, widget: QWidget) -> None:
        text = describe_widget(QLabel(label), role="label")
        text.setFixedHeight(
            self.kind.sizeHint().height()
        )  # in the middle of the first line beside it
        self._rows.addRow(text, widget)

    def _change_kind(self, *_: object) -> None:
        """Convert the input to the kind of study that the user chose."""
        filled = self._make_study(self._kind_before, self.lists)
        self._kind_before = STUDY_KINDS[self.kind.currentIndex()]
        self._show_request_texts(
            convert_request(filled, self._kind_before, self._document.document)
        )
        self._show_kind_rows()

    def _show_request_texts(self, written: StudyRequest) -> None:
        for name, lines in self.lists.items():
            lines.set_texts(getattr(written, name))

    def _show_kind_rows(self, *_: object) -> None:
        kind = self.request.kind
        self._show_examples()
        for row in ROWS:
            self._rows.setRowVisible(self.lists[row.name], kind in row.kinds)
        searches_all = kind == "optimise" and self.whole_range.isChecked()
        self._rows.setRowVisible(self.samples, kind == "tolerance")
        self._rows.setRowVisible(self.seed, kind == "tolerance" or searches_all)
        self._rows.setRowVisible(self.whole_range, kind == "optimise")
        self._rows.setRowVisible(self.any_path, kind == "optimise")

    def _show_examples(self) -> None:
        """Show example texts in the empty fields, with names from the document."""
        names = _example_names(self._document.document)
        for row in ROWS:
            example = row.example or EXAMPLES[self.request.kind]
            self.lists[row.name].set_placeholder(example.format_map(names))

    def _update_names(self, before: Document, after: Document) -> None:
        filled = self._make_study(self._kind_before, self.lists)
        if any(lines.entered_texts for lines in self.lists.values()):
            renaming = Renaming.between(before, after)
            if renaming is not None:
                self._show_request_texts(rename_in_request(filled, renaming))
        others = before.scene.objects is not after.scene.objects
        if others and self.isVisible() and self._document.gesture is None:
            self._show_examples()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the examples, and make the form wide enough for its fields and buttons, whose sizes
        are known only now.
        """
        super().showEvent(event)
        self._show_examples()
        form = self.widget()
        assert form is not None
        self.setMinimumWidth(
            form.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        )

    @property
    def request(self) -> StudyRequest:
        """The study that the form describes."""
        kind = STUDY_KINDS[self.kind.currentIndex()]
        return self._make_study(kind, [row.name for row in ROWS if kind in row.kinds])

    def _make_study(self, kind: str, names: Iterable[str]) -> StudyRequest:
        """The request for a study of a kind, with the lists of these names."""
        texts: dict[str, Any] = {name: self.lists[name].entered_texts for name in names}
        return StudyRequest(
            kind,
            whole_range=self.whole_range.isChecked(),
            any_path=self.any_path.isChecked(),
            samples=self.samples.value(),
            seed=self.seed.value(),
            **texts,
        )

    def show_request(self, request: StudyRequest) -> None:
        """Fill the form from a study request."""
        self.choose_kind(request.kind)
        self._show_request_texts(request)
        self.whole_range.setChecked(request.whole_range)
        self.any_path.setChecked(request.any_path)
        self.samples.setValue(request.samples)
        self.seed.setValue(request.seed)
        self._show_kind_rows()

    def choose_kind(self, kind: str) -> None:
        """Convert the input to another kind of study."""
        self.kind.setCurrentIndex(STUDY_KINDS.index(kind))

    def focus_missing_line(self) -> None:
        """Focus the first empty field that must be filled: the parameters that are varied, then the
        measures or goals.
        """
        varied = self.lists["vary"]
        (self._measure_lines_edit() if varied.entered_texts else varied).lines[0].setFocus()

    def _measure_lines_edit(self) -> TextListEdit:
        """The text fields for the measures or goals."""
        return self.lists["goals" if self.request.kind == "optimise" else "measures"]

    def fill_for_parameter(self, kind: str, parameter: str, value: float, by: float) -> None:
        """Fill the form for a study of a parameter around its current ``value``; the measures stay.
        Without a ``kind``, the parameter is added to the present study.
        """
        if kind:
            self.choose_kind(kind)
        before = () if kind else self.lists["vary"].entered_texts
        varied = range_text_around(self.request.kind, parameter, value, by or 1.0)
        self.lists["vary"].set_texts([*before, varied])
        self._measure_lines_edit().lines[0].setFocus()


def _completion_names(row: TextListRow, document: WorkDocument) -> Sequence[str]:
    return row.names(document.document)


def _spin_box(label: str, low: int, high: int, value: int) -> QSpinBox:
    box = QSpinBox()
    box.setAccessibleName(label)
    leave_wheel_to_form(box)
    box.setRange(low, high)
    theme.indent_number_text(box)
    box.setValue(value)
    box.setAlignment(Qt.AlignmentFlag.AlignRight)
    return box
