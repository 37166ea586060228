"""A form whose rows show and edit parts of one or more values: objects of a scene, or a document's
settings.

A `Part` says how it is read (`Part.get`) and at which path of the value's JSON it is written
(`Part.path`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Protocol

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QWidget,
)

from raybench.kinds.fields import LENGTH, Field, as_number
from raybench.materials.catalogue import shipped_materials
from raybench_workbench import theme
from raybench_workbench.panels.number_edit import (
    CommittedLineEdit,
    FormulaEdit,
    NumberEdit,
)
from raybench_workbench.widgets import WrappedLabel, complete_with, describe_widget
from raybench_workbench.window.keyboard import scrolls_form


@dataclass(frozen=True)
class Part:
    """A part of a value: ``get`` reads it, and ``path`` is where it is written in the value's JSON,
    after ``encode`` has converted it.
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
    def of(cls, f: Field, get: Callable[[Any], Any] | None = None) -> Part:
        """The part of a field of an object, which ``get`` reads if the form's values are not the
        objects that have the field.
        """
        return cls(
            f.about.label,
            get or (lambda o: getattr(o, f.name)),
            f.json_name,
            f.about.unit,
            f.about.help,
            f.about.low,
            f.about.high,
        )

    def values(self, value: Any) -> dict[str, Any]:
        """The change that sets the part to a row's value, as a mapping from path to JSON."""
        return {self.path: self.encode(value)}

    def inner(
        self, label: str, step: str, get: Callable[[Any], Any], unit: str | None = None
    ) -> Part:
        """A part of this part: ``get`` reads it from this one, ``step`` extends the path, such as
        ``.x`` or ``[2]``.
        """
        return Part(
            label,
            lambda o: get(self.get(o)),
            self.path + step,
            self.unit if unit is None else unit,
            self.tip,
        )

    def item(self, i: int, label: str) -> Part:
        """The part's i-th item; the part must be a tuple."""
        return self.inner(label, f"[{i}]", lambda items: items[i])


SEVERAL = object()
"""The value of a part in which the values differ."""


class Change(Protocol):
    """Sets parts of all values, by their paths as in `raybench.scene.changes.Set`; returns why that
    is refused, or an empty text. Consecutive changes with the same ``merge_key`` are one undo step.
    """

    def __call__(self, values: Mapping[str, Any], merge_key: str | None = None) -> str: ...


class Form(QWidget):
    """A column of rows. The reason for refusing a number is shown below its row until the number is
    corrected.
    """

    left = Signal()
    """Enter ended the input of a number or a text: the canvas takes the focus again."""
    refused = Signal(str)
    """Why a change is refused, except that of a number, whose reason is shown below it."""

    def __init__(self, values: Sequence[Any], change: Change, unit: str) -> None:
        super().__init__()
        theme.set_role(self, "panel")
        self._values = list(values)
        self._change, self._unit = change, unit
        self.extend_menu: Callable[[Part, QMenu], None] | None = None
        """Adds entries to the context menu of a part's number."""
        self._updates: list[Callable[[], None]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.GRID)
        self._grid.setHorizontalSpacing(theme.GRID)
        self._grid.setVerticalSpacing(theme.HALF)
        self._grid.setColumnStretch(1, 1)
        self._row = 0
        """The last row of the grid that is used; the row below each is reserved for the reason of a
        refusal.
        """

    def show_values(self, values: Sequence[Any]) -> None:
        """Show other values that have the same rows."""
        self._values = list(values)
        for update in self._updates:
            update()

    @property
    def values(self) -> list[Any]:
        return self._values

    @property
    def unit(self) -> str:
        """The length unit of the document."""
        return self._unit

    def change(self, values: Mapping[str, Any], merge_key: str | None = None) -> bool:
        """Set parts of all values, see `Change`; ``refused`` is emitted if that is refused. Returns
        whether it succeeded.
        """
        if reason := self._change(values, merge_key):
            self.refused.emit(reason)
        return not reason

    def on_update(self, update: Callable[[], None]) -> None:
        """Call ``update`` whenever other values are shown."""
        self._updates.append(update)

    def add_stretch(self) -> None:
        """Keep the rows together at the top."""
        self._grid.setRowStretch(self._next_row(), 1)

    def _next_row(self) -> int:
        self._row += 2
        return self._row

    # --- adding rows

    def add_row(self, part: Part, what: QWidget | QLayout) -> None:
        """Add a widget or layout beside its label."""
        row = self._next_row()
        self._grid.addWidget(self._add_label(part.label, part.tip), row, 0)
        if isinstance(what, QLayout):
            self._grid.addLayout(what, row, 1)
        else:
            self._grid.addWidget(what, row, 1)

    def add_heading(self, text: str, tip: str = "") -> None:
        self.add_wide(self._add_label(text, tip))

    def add_wide(self, what: QWidget | QLayout) -> None:
        """Add a widget or layout that takes the whole width."""
        row = self._next_row()
        if isinstance(what, QLayout):
            self._grid.addLayout(what, row, 0, 1, 2)
        else:
            self._grid.addWidget(what, row, 0, 1, 2)

    def add_note(self, text: str, role: str = "dim") -> QLabel:
        """Add a text that takes the whole width."""
        label = WrappedLabel(text, role=role)
        self.add_wide(label)
        return label

    def _add_label(self, text: str, tip: str) -> QLabel:
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setToolTip(tip)
        theme.set_role(label, "label")
        return label

    # --- widgets that show and edit a part

    def number(
        self, part: Part, step: float | None = None, *, unit_shown: bool = True
    ) -> NumberEdit:
        edit = NumberEdit(
            part.label, part.unit, self._unit, part.low, part.high, step, unit_shown=unit_shown
        )
        edit.setToolTip(part.tip)
        edit.extend_menu = lambda menu: (
            self.extend_menu(part, menu) if self.extend_menu is not None else None
        )
        reason: list[QLabel] = []

        def update() -> None:
            value = self.common(part)
            edit.set_value(None if value is SEVERAL else as_number(value))

        def refuse(text: str) -> None:
            if text and not reason:
                reason.append(self._reason_below(edit))
            for label in reason:
                label.setText(text)
                label.setVisible(bool(text))
                if text:
                    QTimer.singleShot(
                        0, label, lambda label=label: self.scroll_to(label)
                    )  # once it has its place

        def commit(value: float) -> None:
            if reason := self._change(part.values(value), edit.merge_key):
                edit.refuse(reason)

        edit.committed.connect(commit)
        edit.refused.connect(refuse)
        edit.left.connect(self.left)
        self._updates.append(update)
        return edit

    def _reason_below(self, edit: QWidget) -> QLabel:
        """A label in the row below the one that holds an edit."""
        row = self._row
        for i in range(self._grid.count()):
            item = self._grid.itemAt(i)
            layout = item.layout() if item is not None else None
            if item is not None and (
                item.widget() is edit or (layout is not None and layout.indexOf(edit) >= 0)
            ):
                row = self._grid.getItemPosition(i)[0]  # type: ignore[index]
        label = WrappedLabel(role="error")
        self._grid.addWidget(label, row + 1, 0, 1, 2)
        return label

    def scroll_to(self, widget: QWidget) -> None:
        """Scroll the form, if it is in a scroll area, until a widget is visible."""
        viewport = self.parentWidget()
        area = viewport.parentWidget() if viewport is not None else None
        if isinstance(area, QScrollArea):
            area.ensureWidgetVisible(widget)

    def point(self, part: Part, index: str = "", after: QWidget | None = None) -> QHBoxLayout:
        """Two number edits in a line, after the point's ``index`` in a list and before the widget
        ``after``.
        """
        line = QHBoxLayout()
        line.setSpacing(theme.HALF)
        if index:
            label = self._add_label(index, "")
            label.setFixedWidth(theme.width_of("00"))
            line.addWidget(label)
        for axis in "xy":
            one = part.inner(f"{part.label} {axis}", f".{axis}", attrgetter(axis), LENGTH)
            line.addWidget(self.number(one, unit_shown=axis == "y"))
        if after is not None:
            line.addWidget(after)
        return line

    def text(self, part: Part, placeholder: Callable[[Any], str] = lambda o: "") -> QLineEdit:
        edit = CommittedLineEdit()
        edit.setToolTip(part.tip)
        edit.setMinimumWidth(40)
        edit.setAccessibleName(part.label)

        def update() -> None:
            if edit.isModified() and edit.hasFocus():
                return
            value = self.common(part)
            edit.setPlaceholderText(
                "several"
                if value is SEVERAL
                else placeholder(self._values[0])
                if len(self._values) == 1
                else ""
            )
            edit.setText("" if value is SEVERAL else value or "")
            edit.setCursorPosition(0)

        def commit() -> None:
            if edit.isModified():
                edit.setModified(False)
                self._commit_change(part, edit.text(), update)

        def escape() -> None:
            if not edit.isModified():
                self.left.emit()
            edit.setModified(False)
            update()

        edit.escaped.connect(escape)
        edit.editingFinished.connect(commit)
        edit.returnPressed.connect(self.left)
        self._updates.append(update)
        return edit

    def material(self, part: Part) -> QLineEdit:
        """A text edit that completes names of the catalogue of materials."""
        edit = self.text(part)
        complete_with(edit, lambda: list(shipped_materials()))
        return edit

    def formula(self, part: Part, variables: tuple[str, ...]) -> FormulaEdit:
        """A formula edit; `add_error_line` adds the line that shows its error."""
        edit = FormulaEdit(part.label, variables)
        edit.setToolTip(part.tip)
        edit.committed.connect(lambda text: self.change(part.values(text)))

        def update() -> None:
            value = self.common(part)
            edit.set_value(None if value is SEVERAL else str(value))

        self._updates.append(update)
        return edit

    def add_error_line(self, edit: FormulaEdit) -> None:
        """Add the line that shows a formula's error; hidden if it has none."""
        label = self.add_note("", "error")
        label.hide()

        def show_error(text: str) -> None:
            label.setText(text)
            label.setVisible(bool(text))

        edit.checked.connect(show_error)

    def flag(self, part: Part) -> QCheckBox:
        box = QCheckBox(part.label)
        box.setMinimumWidth(40)
        box.setToolTip(part.tip)

        def update() -> None:
            value = self.common(part)
            box.setTristate(value is SEVERAL)
            state = Qt.CheckState
            box.setCheckState(
                state.PartiallyChecked
                if value is SEVERAL
                else state.Checked
                if value
                else state.Unchecked
            )

        box.clicked.connect(lambda on: self._commit_change(part, on, update))
        self._updates.append(update)
        return box

    def choice(self, part: Part, choices: Sequence[str], titles: Sequence[str] = ()) -> QComboBox:
        combo = QComboBox()
        combo.addItems(list(titles or choices))
        combo.setToolTip(part.tip)
        combo.setMinimumWidth(40)
        combo.setAccessibleName(part.label)
        scrolls_form(combo)

        def update() -> None:
            value = self.common(part)
            combo.setCurrentIndex(choices.index(value) if value in choices else -1)

        combo.activated.connect(lambda i: self._commit_change(part, choices[i], update))
        self._updates.append(update)
        return combo

    def button(
        self, text: str, label: str, values: Callable[[Any], Mapping[str, Any]], tip: str = ""
    ) -> QPushButton:
        """A button that makes the change ``values`` returns for the first value; ``label`` is its
        accessible name.
        """
        button = describe_widget(QPushButton(text), tip=tip, name=label, role="flat")
        button.clicked.connect(lambda: self.change(values(self._values[0])))
        return button

    def _commit_change(self, part: Part, value: Any, update: Callable[[], None]) -> None:
        """Change a part; if that is refused, ``update`` restores the value."""
        if not self.change(part.values(value)):
            update()

    def common(self, part: Part) -> Any:
        """The part if it is equal in all values, else `SEVERAL`."""
        parts = [part.get(v) for v in self._values]
        return parts[0] if parts and all(p == parts[0] for p in parts) else SEVERAL


def put_form(area: QScrollArea, form: Form) -> None:
    """Show a form in place of the one before. The same field keeps the focus, or else ``left`` is
    emitted; a form of the same kinds of values stays scrolled.
    """
    old, focused, scrolled = (
        area.widget(),
        area.window().focusWidget(),
        area.verticalScrollBar().value(),
    )
    keep_focus = None
    if old is not None and focused is not None and old.isAncestorOf(focused):
        place = _widgets_named_like(old, focused).index(focused)
        same = _widgets_named_like(form, focused)[place : place + 1]
        keep_focus = same[0].setFocus if same else form.left.emit
        focused.clearFocus()  # Qt would give it to a widget outside the form
    if old is not None:
        area.takeWidget()
        old.deleteLater()  # later: one of its fields may be the sender
    area.setWidget(form)
    form.show_values(form.values)
    if isinstance(old, Form) and [type(v) for v in old.values] == [type(v) for v in form.values]:
        area.verticalScrollBar().setValue(scrolled)
    if keep_focus is not None:
        keep_focus()


def _widgets_named_like(form: QWidget, widget: QWidget) -> list[QWidget]:
    """The widgets of a form that have the class and the name of one, in order."""
    return [w for w in form.findChildren(type(widget)) if _widget_name(w) == _widget_name(widget)]


def _widget_name(widget: QWidget) -> str:
    return widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")


def commit_typing(form: QWidget) -> None:
    """Commit text typed into a field of a form by removing its focus: the form is about to be
    replaced.

    No other widget gets the focus, since the next keys would mean something else there.
    """
    edit = typed_into(form)
    if edit is not None:
        edit.clearFocus()


def typing_accepted(forms: QWidget) -> bool:
    """Commit text typed into a field of a form, which keeps the focus; returns whether it was
    accepted.
    """
    edit = typed_into(forms)
    if edit is None:
        return True
    refusals: list[str] = []
    form = edit.parentWidget()
    assert isinstance(form, Form)
    connection = form.refused.connect(refusals.append)
    edit.commit()
    form.refused.disconnect(connection)
    return not refusals and not edit.isModified()


def drop_typing(form: QWidget) -> None:
    """Discard text typed into a field of a form and not committed yet: the form's objects are gone."""
    edit = typed_into(form)
    if edit is not None:
        edit.setModified(False)


def typed_into(form: QWidget) -> CommittedLineEdit | None:
    """The field of a form that has the focus, of its window at least, and uncommitted input."""
    edit = form.window().focusWidget()
    return (
        edit
        if isinstance(edit, CommittedLineEdit) and edit.isModified() and form.isAncestorOf(edit)
        else None
    )
