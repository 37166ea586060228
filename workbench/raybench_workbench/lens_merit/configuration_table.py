"""The configurations of a lens as a table, with a column for each configuration and a row for each
parameter that differs.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from raybench.kinds.fields import LENGTH, unit_text
from raybench.lens.columns import DIGITS, read_cell_number, read_length_or_infinity
from raybench.lens.configurations import (
    configured_parameters,
    configured_value,
    shown_configuration,
    with_configured_parameter,
    with_configured_value,
)
from raybench.lens.design import LensDesign
from raybench.lens.parameters import parameter_label, parameter_names, parameter_unit
from raybench_workbench import theme
from raybench_workbench.lens_data.cell_table import MARK_ROLE, CellModel, Role
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import LEFT, RIGHT, Index

WEIGHT_ROW = "weight"
"""The name of the first row."""
TEXT_COLUMNS = 2
"""Columns before the configurations: the parameter and its meaning."""


class ConfigurationModel(CellModel):
    """The table model of the configurations of a design. ``change`` sets another design with a
    description, and returns the reason if it is refused.
    """

    def __init__(
        self, change: Callable[[LensDesign, str], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._change = change
        self.design: LensDesign | None = None
        self.names: Sequence[str] = ()
        """The rows: the weight, then parameters."""

    def show_design(self, design: LensDesign) -> None:
        names = [WEIGHT_ROW, *configured_parameters(design)] if design.configurations else []
        old = 0 if self.design is None else len(self.design.configurations)
        is_other = list(self.names) != names or old != len(design.configurations)
        if is_other:
            self.beginResetModel()
            self.refusals.clear()
        self.design, self.names = design, names
        if is_other:
            self.endResetModel()
        elif names:
            self.dataChanged.emit(
                self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1)
            )
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def configuration_at(self, column: int) -> int | None:
        """The index of the configuration in a column; None for the first columns, which hold texts."""
        return column - TEXT_COLUMNS if column >= TEXT_COLUMNS else None

    def variable_at(self, row: int, column: int) -> str:
        """The name of the value in a cell as a variable, such as ``t3_2``; empty for other cells."""
        is_value = 0 < row < len(self.names) and column >= TEXT_COLUMNS
        return f"{self.names[row]}_{column - TEXT_COLUMNS + 1}" if is_value else ""

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() or not self.names else len(self.names) + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        count = len(self.design.configurations) if self.design is not None else 0
        return 0 if parent.isValid() or not count else TEXT_COLUMNS + count

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_new = index.row() == len(self.names)
        can = index.column() == 0 if is_new else index.column() >= TEXT_COLUMNS
        return usual | Qt.ItemFlag.ItemIsEditable if can else usual

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if self.design is None or orientation == Qt.Orientation.Vertical:
            return None
        if role == Role.TextAlignmentRole:
            return LEFT if section < TEXT_COLUMNS else RIGHT
        if section < TEXT_COLUMNS:
            return (tr("Parameter"), tr("Meaning"))[section] if role == Role.DisplayRole else None
        index = section - TEXT_COLUMNS
        is_shown = shown_configuration(self.design) == index
        if role == Role.DisplayRole:
            title = self.configuration_title(index)
            return f"{title} · bench" if is_shown else title
        if role == Role.ToolTipRole:
            return tr("It stands on the bench.") if is_shown else None
        return None

    def configuration_title(self, index: int) -> str:
        """The number and the name of a configuration."""
        assert self.design is not None
        return f"{index + 1} {self.design.configurations[index].name}".strip()

    def cell_names(self, column: int) -> Sequence[str]:
        if self.design is None or column:
            return ()
        system = self.design.system
        return [n for n in parameter_names(system) if n not in self.names and "glass" not in n]

    def edited_text(self, row: int, column: int) -> str:
        assert self.design is not None
        if row == len(self.names) or column < TEXT_COLUMNS:
            return ""
        if self.names[row] == WEIGHT_ROW:
            return f"{self.design.configurations[column - TEXT_COLUMNS].weight:.{DIGITS}g}"
        value = configured_value(self.design, self.names[row], column - TEXT_COLUMNS)
        return "∞" if value == float("inf") else f"{value:.{DIGITS}g}"

    def cell_data(self, row: int, column: int, role: int) -> Any:
        assert self.design is not None
        is_new = row == len(self.names)
        match role:
            case Role.DisplayRole:
                if column >= TEXT_COLUMNS:
                    text = self.edited_text(row, column)
                    return text if len(text) < 10 or text == "∞" else f"{float(text):.7g}"
                if is_new:
                    return "" if column else tr("add")
                return self.parameter_description(row) if column else self.names[row]
            case Role.TextAlignmentRole:
                return LEFT if column < TEXT_COLUMNS else RIGHT
            case Role.ForegroundRole if is_new or column == 1:
                return theme.current_theme().color("dim")
            case _ if role == MARK_ROLE:
                name = self.variable_at(row, column)
                return "V" if any(v.parameter == name for v in self.design.variables) else ""
        return None

    def cell_title(self, row: int, column: int) -> str:
        name = tr("new parameter") if row == len(self.names) else self.names[row]
        index = self.configuration_at(column)
        if index is None:
            return name
        return tr("{name} in {title}", name=name, title=self.configuration_title(index))

    def parameter_description(self, row: int) -> str:
        """The description of the parameter in a row, with its unit."""
        assert self.design is not None
        system, name = self.design.system, self.names[row]
        if name == WEIGHT_ROW:
            return tr("Weight in the merit")
        unit = unit_text(parameter_unit(system, name), system.unit)
        return f"{translate_phrase(parameter_label(system, name))}{f' ({unit})' if unit else ''}"

    def change_cell(self, row: int, column: int, text: str) -> str:
        design = self.design
        assert design is not None
        if row == len(self.names):
            name = text.strip()
            return self._change(
                with_configured_parameter(design, name), tr("{name} by configuration", name=name)
            )
        index = column - TEXT_COLUMNS
        what = tr("{names} of configuration {index}", names=self.names[row], index=index + 1)
        if self.names[row] == WEIGHT_ROW:
            weight = read_cell_number(tr("The weight"), text, "mm")
            states = list(design.configurations)
            states[index] = replace(states[index], weight=weight)
            return self._change(replace(design, configurations=tuple(states)), what)
        system, name = design.system, self.names[row]
        if parameter_unit(system, name) == LENGTH:
            value = read_length_or_infinity(tr("The value"), text, system.unit)
        else:
            value = read_cell_number(tr("The value"), text, system.unit)
        return self._change(with_configured_value(design, name, index, value), what)
