"""The table model of all numbers in a scene, which can be filtered, sorted and changed."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from raybench.errors import RaybenchError, list_first_texts
from raybench.kinds.fields import unit_text
from raybench.scene.changes import Change, LinkNumber, SetDocument, apply_changes
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.document import Document
from raybench.scene.parameters.following import link_at, linked_number_error
from raybench.scene.parameters.numbers import (
    DocumentNumber,
    numbers_of_edges,
    numbers_of_object,
    numbers_of_settings,
    numbers_of_wholes,
)
from raybench_workbench import theme
from raybench_workbench.document import WorkDocument
from raybench_workbench.lens_data.cell_table import MARK_ROLE, CellModel
from raybench_workbench.panels.number_edit import format_number
from raybench_workbench.parameters.sliders import default_slider_range
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import (
    tr,
    translated_message,
    with_decimal_point,
    with_decimal_sign,
)
from raybench_workbench.widgets import LEFT, OPERATORS, RIGHT, Index

SLIDER, OBJECT, PLACE, MEANING, VALUE, UNIT, LINK = range(7)
TITLES = "", tr("Object"), tr("Parameter"), tr("Meaning"), tr("Value"), tr("Unit"), tr("Link")
SHOWN_DIGITS = 7
"""Significant digits of a value in its cell; it is edited with all of them."""
MOST_REASONS = 2
"""Maximum rows of a pasted column whose refusals are reported."""
Role = Qt.ItemDataRole


def number_text(number: DocumentNumber, document: Document, digits: int = SHOWN_DIGITS) -> str:
    """The value of a number as text; empty if the number no longer exists."""
    try:
        value = number.parameter.value_in_document(document)
        return with_decimal_sign(format_number(value, digits))
    except RaybenchError:
        return ""


def change_to_text(number: DocumentNumber, text: str, document: Document) -> Change:
    """The change that a typed text means for a number: a value with a unit, an arithmetic
    expression or, after an equals sign, an expression with names of other numbers, which the number
    then follows.

    Raises InvalidQuantity or another RaybenchError.
    """
    unit = number.about.unit
    expression = text.strip().removeprefix("=").strip()
    if text.strip().startswith("=") and not _is_quantity(expression, unit, document.unit):
        return LinkNumber(number.parameter.text, expression)
    value = read_quantity(with_decimal_point(expression), unit, document.unit)
    if (link := link_at(document, number.parameter)) is not None:
        raise linked_number_error(link)
    return number.parameter.change_in(document, value)


def _is_quantity(text: str, unit: str, scene_unit: str) -> bool:
    try:
        read_quantity(with_decimal_point(text), unit, scene_unit)
    except InvalidQuantity:
        return False
    return True


class NumberModel(CellModel):
    """The table model of the document's numbers. Rows keep their places while values change."""

    name_separators = OPERATORS

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._parts: dict[object, tuple[tuple[object, ...], list[DocumentNumber]]] = {}
        """The numbers of objects by key, and those of others, with what they were made from."""
        self.all: list[DocumentNumber] = []
        self._named: dict[str, DocumentNumber] = {}
        self.rows: list[DocumentNumber] = []
        self._text = ""
        self._keys: Collection[int] | None = None
        self._sorted: tuple[int, bool] = (-1, False)

    # --- which rows

    def update_numbers(self) -> None:
        """Show the current numbers of the document."""
        if self._collect_numbers(self._document.document):
            self._arrange_rows()
        elif self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, LINK))

    @property
    def sliders(self) -> list[DocumentNumber]:
        """The numbers that have a slider, in order."""
        names = self._document.document.sliders
        return [number for name in names if (number := self._named.get(name)) is not None]

    def _collect_numbers(self, document: Document) -> bool:
        """Collect the numbers of a document; returns whether they are others than before. During a
        drag, only the values of the dragged objects are read again.
        """
        parts: dict[object, tuple[tuple[object, ...], list[DocumentNumber]]] = {}

        def keep(
            owner: object, made_from: tuple[object, ...], numbers: Iterator[DocumentNumber]
        ) -> None:
            old = self._parts.get(owner)
            if old is not None and all(map(operator.is_, old[0], made_from)):
                parts[owner] = old
                return
            made = list(numbers)
            same = old is not None and list(map(_number_identity, old[1])) == list(
                map(_number_identity, made)
            )
            parts[owner] = made_from, old[1] if old is not None and same else made

        keep("wholes", (document,), numbers_of_wholes(document))
        common = document.source_unit, document.scene.modules
        for obj in document.scene.objects:
            keep(obj.key, (obj, *common), numbers_of_object(obj, document))
        keep("edges", (document,), numbers_of_edges(document))
        keep("settings", (document.scene.settings,), numbers_of_settings(document))
        before, self._parts = self._parts, parts
        if list(before) == list(parts) and all(
            before[owner][1] is numbers for owner, (_, numbers) in parts.items()
        ):
            return False
        self.all = [number for _, numbers in parts.values() for number in numbers]
        self._named = {number.parameter.text: number for number in self.all}
        return True

    def filter_rows(self, text: str, keys: Collection[int] | None) -> None:
        """Show the numbers whose texts contain all words of ``text``. With ``keys``, show only
        numbers of the objects with these keys.
        """
        self._text, self._keys = text, keys
        self._arrange_rows()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column; -1 restores the order of the document."""
        self._sorted = column, order == Qt.SortOrder.DescendingOrder
        self._arrange_rows()

    def _arrange_rows(self) -> None:
        document, words = self._document.document, self._text.casefold().split()
        column, is_descending = self._sorted
        self.beginResetModel()
        self.refusals.clear()
        keys = None if self._keys is None else set(self._keys)
        rows = [n for n in self.all if keys is None or keys.intersection(n.parameter.keys)]
        if words:
            texts = (self._searched_text(n, document) for n in rows)
            rows = [n for n, t in zip(rows, texts, strict=True) if all(w in t for w in words)]
        if column >= 0:
            sort_keys = [self._sort_key(n, column, document) for n in rows]
            order = sorted(range(len(rows)), key=sort_keys.__getitem__, reverse=is_descending)
            rows = [rows[i] for i in order]
        self.rows = rows
        self.endResetModel()

    def _searched_text(self, number: DocumentNumber, document: Document) -> str:
        texts = number.parameter.text, tr(number.about.label), self._link_text(number)
        return " ".join(texts).casefold()

    def _sort_key(
        self, number: DocumentNumber, column: int, document: Document
    ) -> tuple[object, ...]:
        if column == VALUE:
            text = number_text(number, document, 15)
            return (not text, float(with_decimal_point(text) or 0))
        if column == SLIDER:
            return (not self._has_slider(number),)
        return (self._cell_text(number, column).casefold(),)

    # --- cells

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(TITLES)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == SLIDER:
            return usual | Qt.ItemFlag.ItemIsUserCheckable
        return usual | Qt.ItemFlag.ItemIsEditable if index.column() in (VALUE, LINK) else usual

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return None
        if role == Role.DisplayRole:
            return TITLES[section]
        if role == Role.TextAlignmentRole:
            return RIGHT if section == VALUE else LEFT
        tips = {
            SLIDER: tr("A slider above the table"),
            LINK: tr("Numbers by their names, such as 2*Lens.f"),
        }
        return tips.get(section) if role == Role.ToolTipRole else None

    def cell_title(self, row: int, column: int) -> str:
        title = TITLES[column] or tr("Slider")
        return tr("{title} of {number}", title=title, number=self.rows[row].parameter.text)

    def edited_text(self, row: int, column: int) -> str:
        if column == VALUE:
            return number_text(self.rows[row], self._document.document, 15)
        return self._cell_text(self.rows[row], column)

    def _cell_text(self, number: DocumentNumber, column: int) -> str:
        match column:
            case 1:
                return number.owner
            case 2:
                return number.place
            case 3:
                return tr(number.about.label)
            case 4:
                return number_text(number, self._document.document)
            case 5:
                unit = unit_text(number.about.unit, self._document.document.unit)
                return "°" if unit == "deg" else unit
            case 6:
                return self._link_text(number)
        return ""

    def _link_text(self, number: DocumentNumber) -> str:
        link = link_at(self._document.document, number.parameter)
        return "" if link is None else f"= {link.expression}"

    def cell_data(self, row: int, column: int, role: int) -> Any:
        number = self.rows[row]
        if role == Role.DisplayRole:
            return self._cell_text(number, column)
        if role == Role.TextAlignmentRole:
            return RIGHT if column == VALUE else LEFT
        if role == Role.CheckStateRole and column == SLIDER:
            checked = self._has_slider(number)
            return Qt.CheckState.Checked if checked else Qt.CheckState.Unchecked
        if role == Role.ForegroundRole and column in (OBJECT, MEANING, UNIT):
            return theme.current_theme().color("dim")
        if role == Role.ForegroundRole and column == LINK:
            return theme.current_theme().color("accent")
        if role == MARK_ROLE and column == VALUE and self._link_text(number):
            return "="
        if role == Role.ToolTipRole and column != SLIDER:
            if column in (VALUE, LINK) and (link := self._link_text(number)):
                return literal_tool_tip(
                    tr("It follows {link}.\nAn empty link frees it.", link=link)
                )
            return literal_tool_tip(f"{number.parameter.text}\n{tr(number.about.help)}".strip())
        return None

    def cell_names(self, column: int) -> Sequence[str]:
        """The names offered for completion in an expression."""
        return [n.parameter.text for n in self.all] if column == LINK else ()

    # --- changes

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role == Role.CheckStateRole:
            self.toggle_slider(self.rows[index.row()])
            return True
        # no other refused number is tried again: it may be far out of sight
        return self._change_or_refuse(index.row(), index.column(), str(value))

    def _has_slider(self, number: DocumentNumber) -> bool:
        return number.parameter.text in self._document.document.sliders

    def toggle_slider(self, number: DocumentNumber) -> None:
        """Add a slider for a number above the table, or remove it."""
        document, name = self._document.document, number.parameter.text
        sliders = {name: each.to_json() for name, each in document.sliders.items()}
        if sliders.pop(name, None) is None:
            value = number.parameter.value_in_document(document)
            sliders[name] = default_slider_range(number, value, document).to_json()
        self._document.apply_or_refuse(SetDocument(sliders=sliders))

    def change_cell(self, row: int, column: int, text: str) -> str:
        if column == LINK:
            text = f"={text.strip().removeprefix('=')}"
        number = self.rows[row]
        try:
            change = change_to_text(number, text, self._document.document)
        except InvalidQuantity as error:
            name = number.parameter.text
            return tr("{name} {refusal}.", name=name, refusal=translated_message(error))
        return self._document.apply_or_refuse(change)

    def paste(self, row: int, column: int, texts: Sequence[str]) -> str:
        """Set the cells of a column, from a row on, to these texts as one history step. If one is
        refused, change nothing and return the reason.
        """
        if row + len(texts) > len(self.rows):
            left = len(self.rows) - row
            return tr(
                "{count} values are pasted, but there are {left} rows from here on.",
                count=len(texts),
                left=left,
            )
        document, changes, reasons = self._document.document, list[Change](), list[str]()
        for i, text in enumerate(texts):
            number = self.rows[row + i]
            if column == LINK:
                text = f"={text.strip().removeprefix('=')}"
            try:
                change = change_to_text(number, text, document)
                document = apply_changes(change, document)
                changes.append(change)
            except (InvalidQuantity, RaybenchError) as error:
                reason = translated_message(error).rstrip(".")
                if isinstance(error, InvalidQuantity):
                    reason = f"{number.parameter.text} {reason}"
                reasons.append(tr("Row {row}: {reason}", row=i + 1, reason=reason))
        if reasons:
            return tr(
                "{reasons}. Nothing is pasted.",
                reasons=list_first_texts(reasons, MOST_REASONS),
            )
        count = (
            tr("{count} numbers", count=len(texts))
            if len(texts) > 1
            else self.rows[row].parameter.text
        )
        return self._document.apply_or_refuse(changes, text=tr("{count} pasted", count=count))


def _number_identity(number: DocumentNumber) -> tuple[str, object]:
    """The key that identifies a number: its name and its place."""
    return number.parameter.text, number.parameter.identity
