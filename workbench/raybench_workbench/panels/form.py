"""Forms whose rows show and edit parts of one or more values, such as objects of a scene or a
document's settings.

A `Part` says how it is read (`Part.get`) and at which path of the value's JSON it is written
(`Part.path`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH, Field, as_number
from raybench.scene.changes import LinkNumber
from raybench.scene.parameters.following import link_at
from raybench.scene.parameters.link import Link
from raybench.scene.parameters.parameter import read_parameter
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.panels.number_edit import CommittedLineEdit, FormulaEdit, NumberEdit
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    Item,
    W,
    WrappedLabel,
    describe_widget,
    push_button,
    row_layout,
    set_vertical_scrolling,
)
from raybench_workbench.window.keyboard import leave_wheel_to_form


@dataclass(frozen=True)
class ValuePart:
    """A part of a value. ``get`` reads it from the value; ``path`` is the place in the value's JSON
    where the result of ``encode`` is written.
    """

    label: str
    get: Callable[[Any], Any]
    path: str
    unit: str = ""
    tip: str = ""
    low: float | None = None
    high: float | None = None
    encode: Callable[[Any], Any] = lambda value: value

    @classmethod
    def of_field(cls, field: Field, get: Callable[[Any], Any] | None = None) -> ValuePart:
        """The part for a field of objects. ``get`` reads the field from a value of the form, unless
        the value is the object itself.
        """
        about = field.about
        get = get or attrgetter(field.name)
        label, tip = tr(about.label), tr(about.help)
        return cls(label, get, field.json_name, about.unit, tip, about.low, about.high)

    def values(self, value: Any) -> dict[str, Any]:
        """The change that sets this part to ``value``, as a mapping from a path to JSON."""
        return {self.path: self.encode(value)}

    def value_to_show(self, values: Sequence[Any]) -> Any:
        """The value of this part if it is the same in all values, else `SEVERAL_VALUES`."""
        parts = [self.get(v) for v in values]
        return parts[0] if parts and all(p == parts[0] for p in parts) else SEVERAL_VALUES

    def inner_part(
        self, label: str, step: str, get: Callable[[Any], Any], unit: str | None = None
    ) -> ValuePart:
        """A part inside this part: ``get`` reads it from this part, and ``step`` extends the path,
        such as ``.x`` or ``[2]``.
        """
        unit = self.unit if unit is None else unit
        return ValuePart(label, lambda o: get(self.get(o)), self.path + step, unit, self.tip)

    def item(self, index: int, label: str) -> ValuePart:
        """The item with index ``index`` of this part, which must be a tuple."""
        return self.inner_part(label, f"[{index}]", itemgetter(index))


SEVERAL_VALUES = object()
"""The value of a part in which the values differ."""


Change = Callable[[Mapping[str, Any], str | None], str]
"""Sets parts of all values, by their paths as in `raybench.scene.changes.Set`; returns why that is
refused, or an empty text. Consecutive changes with the same second argument, unless it is None, are
one undo step.
"""


class Form(QWidget):
    """A column of rows. If a number or a formula is refused, the reason is shown below its row
    until the input is corrected.
    """

    exited = Signal()
    """Enter ended the input of a number or a text: the canvas takes the focus again."""
    refused = Signal(str)
    """Why a change is refused, except that of a number, whose reason is shown below it."""

    def __init__(self, values: Sequence[Any], change: Change, unit: str) -> None:
        """``unit`` is the unit of length of the document."""
        super().__init__()
        theme.set_role(self, "panel")
        self.values = list(values)
        self.unit = unit
        self._change = change
        self.extend_menu: Callable[[ValuePart, QMenu], object] = lambda part, menu: None
        """Adds entries to the context menu of a part's number."""
        self.link: Callable[[ValuePart, str], str] | None = None
        """Links a part's number to an expression; returns the reason if that is refused."""
        self.linked_to: Callable[[ValuePart], str] = lambda part: ""
        """The expression that a part's number follows."""
        self._updates: list[Callable[[], None]] = []
        self._reasons: list[QLabel] = []
        """The lines for reasons of fields whose row is not yet added."""
        # no QFormLayout, which gives notes that wrap too little height beside a scroll bar
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.GRID)
        self._grid.setHorizontalSpacing(theme.GRID)
        self._grid.setVerticalSpacing(theme.HALF)
        self._grid.setColumnStretch(1, 1)

    def show_values(self, values: Sequence[Any]) -> None:
        """Show other values, which have the same rows."""
        self.values = list(values)
        for update in self._updates:
            update()

    def change(self, values: Mapping[str, Any], merge_key: str | None = None) -> bool:
        """Set parts of all values, see `Change`; returns whether that succeeded. If the change is
        refused, ``refused`` is emitted.
        """
        if reason := self._change(values, merge_key):
            self.refused.emit(reason)
        return not reason

    def call_on_update(self, update: Callable[[], None]) -> None:
        """Call ``update`` whenever other values are shown."""
        self._updates.append(update)

    def _bind_field(self, part: ValuePart, show: Callable[[Any], object]) -> Callable[[Any], None]:
        """Call ``show`` with the common value of a part whenever the form shows other values.
        Returns the function that sets the part. If a change is refused, ``show`` is called with the
        old value.
        """

        def show_value() -> None:
            show(part.value_to_show(self.values))

        def commit_value(value: Any) -> None:
            if not self.change(part.values(value)):
                show_value()

        self.call_on_update(show_value)
        return commit_value

    # --- adding rows

    def add_row(self, part: ValuePart, item: QWidget | QLayout) -> None:
        """Add a widget or layout beside its label."""
        row = self._grid.rowCount()
        self._grid.addWidget(self._make_label(part.label, part.tip), row, 0)
        self._add_at(row, 1, item)

    def add_full_width(self, item: QWidget | QLayout) -> None:
        """Add a widget or layout that takes the whole width of the form."""
        self._add_at(self._grid.rowCount(), 0, item)

    def _add_at(self, row: int, column: int, item: QWidget | QLayout) -> None:
        if isinstance(item, QLayout):
            self._grid.addLayout(item, row, column, 1, -1)
        else:
            self._grid.addWidget(item, row, column, 1, -1)
        for i, label in enumerate(self._reasons, row + 1):
            self._grid.addWidget(label, i, 0, 1, -1)
        self._reasons = []

    def add_stretch(self) -> None:
        """Add empty space at the bottom, so that the rows stay together at the top."""
        self._grid.setRowStretch(self._grid.rowCount(), 1)

    def add_widget_line(self, *widgets: Item) -> None:
        """Add a row of widgets that takes the whole width of the form."""
        self.add_full_width(row_layout(*widgets, spacing=theme.HALF))

    def add_heading(self, text: str, tip: str = "") -> None:
        self.add_full_width(self._make_label(text, tip))

    def add_note(self, text: str, role: str = "dim") -> QLabel:
        """Add a text that takes the whole width of the form."""
        label = WrappedLabel(text, role=role)
        self.add_full_width(label)
        return label

    def add_point_fields(
        self, part: ValuePart, index: str = "", after: QWidget | None = None
    ) -> None:
        """Add a line with the two coordinates of a point. ``index``, the point's number in a list,
        stands to the left of them, and the widget ``after`` to the right.
        """
        label = self._make_label(index)
        label.setFixedWidth(theme.text_pixel_width("00"))
        x, y = (
            self.make_number_edit(
                part.inner_part(f"{part.label} {axis}", f".{axis}", attrgetter(axis), LENGTH),
                unit_shown=axis == "y",
            )
            for axis in "xy"
        )
        self.add_widget_line(label if index else None, x, y, after)

    def _make_label(self, text: str, tip: str = "") -> QLabel:
        label = describe_widget(QLabel(text), tip=tip, role="label")
        label.setTextFormat(Qt.TextFormat.PlainText)
        return label

    # --- widgets that show and edit a part

    def make_number_edit(
        self, part: ValuePart, step: float | None = None, *, unit_shown: bool = True
    ) -> NumberEdit:
        edit = NumberEdit(
            part.label, part.unit, self.unit, part.low, part.high, step, unit_shown=unit_shown
        )
        edit.setToolTip(part.tip)
        edit.extend_menu = lambda menu: self.extend_menu(part, menu)

        def commit_number(value: float) -> None:
            if reason := self._change(part.values(value), edit.merge_key):
                edit.refuse_number(reason)

        if self.link is not None:
            edit.link = partial(self.link, part)
            self.call_on_update(lambda: edit.show_link(self.linked_to(part)))
        edit.committed.connect(commit_number)
        edit.refused.connect(self._add_reason_line(scrolls=True))
        edit.exited.connect(self.exited)
        self._bind_field(part, lambda value: edit.set_value(as_number(value)))
        return edit

    def make_formula_edit(self, part: ValuePart, variables: tuple[str, ...]) -> FormulaEdit:
        edit = FormulaEdit(part.label, variables)
        edit.setToolTip(part.tip)
        edit.checked.connect(self._add_reason_line())
        edit.committed.connect(
            self._bind_field(
                part, lambda v: edit.set_value(None if v is SEVERAL_VALUES else str(v))
            )
        )
        return edit

    def _add_reason_line(self, *, scrolls: bool = False) -> Callable[[str], None]:
        """Make a hidden line of text below the next row, which shows why its input is refused.
        Returns the function that sets the reason; an empty reason hides the line.
        """
        label = WrappedLabel(role="error")
        label.hide()
        self._reasons.append(label)

        def show_reason(reason: str) -> None:
            label.setText(reason)
            label.setVisible(bool(reason))
            if reason and scrolls:  # once it has its place
                QTimer.singleShot(0, label, partial(self.scroll_to, label))

        return show_reason

    def scroll_to(self, widget: QWidget) -> None:
        """Scroll the area around the form, if there is one, until a widget is visible."""
        viewport = self.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(widget)

    def make_line_edit(
        self, part: ValuePart, placeholder: Callable[[Any], str] = lambda o: ""
    ) -> QLineEdit:
        edit = _describe_field(CommittedLineEdit(), part)

        def show_text_of_values(value: Any) -> None:
            if edit.isModified() and edit.hasFocus():
                return
            one = placeholder(self.values[0]) if len(self.values) == 1 else ""
            edit.setPlaceholderText(tr("several") if value is SEVERAL_VALUES else one)
            edit.setText("" if value is SEVERAL_VALUES else value or "")
            edit.setCursorPosition(0)

        change = self._bind_field(part, show_text_of_values)

        def commit_text() -> None:
            if edit.isModified():
                edit.setModified(False)
                change(edit.text())

        def discard_text() -> None:
            if not edit.isModified():
                self.exited.emit()
            edit.setModified(False)
            show_text_of_values(part.value_to_show(self.values))

        edit.escapePressed.connect(discard_text)
        edit.editingFinished.connect(commit_text)
        edit.returnPressed.connect(self.exited)
        return edit

    def make_check_box(self, part: ValuePart) -> QCheckBox:
        box = _describe_field(QCheckBox(part.label), part)

        def show_check_state(value: Any) -> None:
            box.setTristate(value is SEVERAL_VALUES)
            if value is SEVERAL_VALUES:
                box.setCheckState(Qt.CheckState.PartiallyChecked)
            else:
                box.setChecked(bool(value))

        box.clicked.connect(self._bind_field(part, show_check_state))
        return box

    def make_choice_box(
        self, part: ValuePart, choices: Sequence[str], titles: Sequence[str] = ()
    ) -> QComboBox:
        combo = _describe_field(QComboBox(), part)
        for value, title in zip(choices, titles or choices, strict=True):
            combo.addItem(tr(title), value)
        leave_wheel_to_form(combo)
        commit = self._bind_field(part, lambda v: combo.setCurrentIndex(combo.findData(v)))
        combo.activated.connect(lambda i: commit(choices[i]))
        return combo

    def make_button(
        self, text: str, label: str, values: Callable[[Any], Mapping[str, Any]], tip: str = ""
    ) -> QPushButton:
        """A button that changes all values. ``values`` computes the change from the first value;
        ``label`` is the accessible name of the button.
        """
        return push_button(text, lambda: self.change(values(self.values[0])), name=label, tip=tip)


def _describe_field(field: W, part: ValuePart) -> W:
    field.setMinimumWidth(40)
    return describe_widget(field, name=part.label, tip=part.tip)


class FormArea(QScrollArea):
    """A widget that shows a form made by `make_form`, and makes a new form when `form_key` changes."""

    studyRequested = Signal(str, str)
    """The kind of study, and the parameter that it varies."""
    exited = Signal()
    """As `Form.left`."""

    def __init__(self, document: WorkDocument, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._key: tuple[object, ...] = ()
        set_vertical_scrolling(self, name=name)

    @property
    def form(self) -> Form | None:
        """The form that is shown."""
        form = self.widget()
        return form if isinstance(form, Form) else None

    def form_key(self) -> tuple[object, ...]:
        """Everything that the rows of the form depend on."""
        raise NotImplementedError

    def shown_values(self) -> list[Any]:
        """The values that the form should show."""
        raise NotImplementedError

    def make_form(self) -> Form:
        raise NotImplementedError

    def update_form(self, *_: object) -> None:
        """Show the current values; make a new form if other rows are necessary."""
        if (key := self.form_key()) != self._key:
            self.commit_typing()  # which may change the document
            key = self.form_key()
        form = self.form
        if form is not None and key == self._key:
            form.show_values(self.shown_values())
        else:
            self._key = key
            self.show_form(self.make_form())

    def commit_typing(self) -> None:
        """Commit text typed into a field by removing the focus from it, because the form is about
        to be replaced.

        No other widget gets the focus, since the next keys would mean something else there.
        """
        if (edit := field_being_typed(self)) is not None:
            edit.clearFocus()

    def show_form(self, form: Form) -> None:
        """Show a form in place of the previous one. The field of the same name keeps the focus; if
        there is none, ``left`` is emitted. A form for the same kinds of values keeps its scroll
        position.
        """
        form.exited.connect(self.exited)
        form.refused.connect(self._document.failed)
        old, focused = self.form, self.window().focusWidget()
        scrolled = self.verticalScrollBar().value()
        keep_focus: Callable[[], object] | None = None
        if old is not None and focused is not None and old.isAncestorOf(focused):
            place = _widgets_named_like(old, focused).index(focused)
            same = _widgets_named_like(form, focused)[place : place + 1]
            keep_focus = same[0].setFocus if same else form.exited.emit
            focused.clearFocus()  # Qt would give it to a widget outside the form
        if old is not None:
            self.takeWidget()
            old.deleteLater()  # later: one of its fields may be the sender
        form.add_stretch()
        self.setWidget(form)
        form.show_values(form.values)
        if old is not None and [type(v) for v in old.values] == [type(v) for v in form.values]:
            self.verticalScrollBar().setValue(scrolled)
        if keep_focus is not None:
            keep_focus()

    def parameter_name(self, path: str) -> str:
        """The name of a number of the form, by the path of its part; empty unless only one object
        or part is selected.
        """
        raise NotImplementedError

    def offer_links(self, form: Form) -> None:
        """Let the user link the numbers of a form to others, and show the existing links."""

        def link_number(part: ValuePart, expression: str) -> str:
            name = self.parameter_name(part.path)
            if not name:
                return tr("Select one object to link its numbers.")
            return self._document.apply_or_refuse(LinkNumber(name, expression))

        def linked_expression(part: ValuePart) -> str:
            link = self.link_of_number(part.path)
            return "" if link is None else link.expression

        form.link, form.linked_to = link_number, linked_expression

    def link_of_number(self, path: str) -> Link | None:
        """The link of a number of the form, by the path of its part."""
        document = self._document.document
        name = self.parameter_name(path) if document.links else ""
        if not name:
            return None
        try:
            return link_at(document, read_parameter(name, document))
        except RaybenchError:  # it is no number that can be linked
            return None

    def add_study_actions(self, menu: QMenu, parameter: str) -> None:
        """Add actions to the context menu of a number that start a study of the parameter."""
        from raybench.study.request import (
            STUDY_KINDS,
        )  # imports scipy: the first window does without

        menu.addSeparator()
        for kind in STUDY_KINDS:
            title = f"{kind.capitalize()}…"
            menu.addAction(tr(title), partial(self.studyRequested.emit, kind, parameter))


def _widgets_named_like(form: QWidget, widget: QWidget) -> list[QWidget]:
    """The widgets of a form that have the same class and name as ``widget``, in order."""
    return [w for w in form.findChildren(type(widget)) if _widget_name(w) == _widget_name(widget)]


def _widget_name(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def accept_typing(forms: QWidget) -> bool:
    """Commit the text typed into a field of the forms, without moving the focus; returns whether it
    was accepted.
    """
    edit = field_being_typed(forms)
    if edit is None:
        return True
    refusals: list[str] = []
    form = edit.parentWidget()
    assert isinstance(form, Form)
    connection = form.refused.connect(refusals.append)
    edit.commit()
    form.refused.disconnect(connection)
    return not refusals and not edit.isModified()


def discard_typing(form: QWidget) -> None:
    """Discard uncommitted text in a field of a form, because the objects of the form no longer
    exist.
    """
    if (edit := field_being_typed(form)) is not None:
        edit.setModified(False)


def field_being_typed(form: QWidget) -> CommittedLineEdit | None:
    """The field of a form that has the focus (at least within its window) and contains uncommitted
    text; None if there is none.
    """
    edit = form.window().focusWidget()
    if isinstance(edit, CommittedLineEdit) and edit.isModified() and form.isAncestorOf(edit):
        return edit
    return None
