"""The list of the variables of a lens: the parameters that a search may change, with their bounds."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtWidgets import QWidget

from raybench.kinds.fields import LENGTH, unit_text
from raybench.lens.columns import INFINITE, InvalidCell, read_cell_number
from raybench.lens.design import LensDesign, LensParameter, Variable, design_parameters
from raybench.lens.glass import glass_name
from raybench.lens.usual_merit import free_parameters, usual_variable
from raybench_workbench.lens_data.cell_table import ListColumn, ListModel, ListTable
from raybench_workbench.translation import tr, translate_phrase


@dataclass(frozen=True)
class VariableRow:
    """A variable and its parameter."""

    variable: Variable
    parameter: LensParameter

    @property
    def is_number(self) -> bool:
        """Whether the parameter is a number, so that the variable has bounds."""
        return isinstance(self.parameter.value, float)


class VariableList(ListTable):
    """A table of the variables of the lens that ``design`` returns. ``change`` sets other variables
    and returns the reason if it is refused.
    """

    def __init__(
        self,
        design: Callable[[], LensDesign],
        change: Callable[[Sequence[Variable]], str],
        parent: QWidget | None = None,
    ) -> None:
        self._design = design
        model = ListModel(
            (
                ListColumn(
                    tr("Variable"),
                    tr("A parameter: c1 is the curvature of surface 1, t1 the distance behind it"),
                    lambda row: row.variable.parameter,
                    self._row_with_parameter,
                    names=lambda: self.free_parameters,
                    is_text=True,
                ),
                ListColumn(tr("Meaning"), tr("What it is"), _variable_meaning, is_text=True),
                self._make_bound_column(
                    tr("Low"), tr("The lower bound; none if empty"), "low", -math.inf
                ),
                ListColumn(tr("Now"), tr("What it is now"), _current_value_text),
                self._make_bound_column(
                    tr("High"), tr("The upper bound; none if empty"), "high", math.inf
                ),
                ListColumn(tr("Unit"), tr("Its unit"), self._unit_text, is_text=True),
            ),
            None,
            lambda rows, _: change([row.variable for row in rows]),
            tr("variable"),
        )
        super().__init__(model, tr("Variables of the lens"), parent)
        model.setParent(self)

    def show_design(self, design: LensDesign) -> None:
        parameters = design_parameters(design)
        self.show_values(tuple(VariableRow(v, parameters[v.parameter]) for v in design.variables))
        self.fit_columns(320)

    @property
    def free_parameters(self) -> Sequence[str]:
        """The parameters that could be variables and are not yet."""
        design = self._design()
        varied = {v.parameter for v in design.variables}
        return [name for name in free_parameters(design) if name not in varied]

    def _row_with_parameter(self, row: VariableRow | None, text: str) -> VariableRow:
        name, design = text.strip(), self._design()
        if any(v.parameter == name for v in design.variables):
            raise InvalidCell(tr("{name} varies already.", name=name))
        return VariableRow(usual_variable(design, name), LensParameter(name, "", "", 0.0))

    def _make_bound_column(self, title: str, tip: str, name: str, none: float) -> ListColumn:
        def read(row: VariableRow, text: str) -> VariableRow:
            value, is_length = none, row.parameter.unit == LENGTH
            if text.strip().casefold() not in {*INFINITE, tr("none")}:
                unit = self._design().system.unit
                value = read_cell_number(tr("The bound"), text, unit, LENGTH if is_length else "")
            bound: dict[str, Any] = {name: value}
            return replace(row, variable=replace(row.variable, **bound))

        def text(row: VariableRow) -> str:
            value: float = getattr(row.variable, name)
            return f"{value:.10g}" if math.isfinite(value) else ""

        return ListColumn(title, tip, text, read, tr("none"), applies=lambda row: row.is_number)

    def _unit_text(self, row: VariableRow) -> str:
        return unit_text(row.parameter.unit, self._design().system.unit)


def _variable_meaning(row: VariableRow) -> str:
    value, is_curvature = row.parameter.value, row.variable.parameter.startswith("c")
    if not (is_curvature and value and row.is_number):
        return translate_phrase(row.parameter.label)
    return tr("{label}, radius {radius:.5g}", label=row.parameter.label, radius=1 / value)  # type: ignore[operator]


def _current_value_text(row: VariableRow) -> str:
    value = row.parameter.value
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else glass_name(value)
