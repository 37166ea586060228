"""The list of operands: quantities of a lens with their targets and present values."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtWidgets import QWidget

from raybench.kinds.fields import LENGTH, unit_text
from raybench.lens.columns import InvalidCell, read_cell_number
from raybench.lens.design import LensDesign
from raybench.lens.merit import OperandState
from raybench.lens.operands import OPERANDS, Operand
from raybench.lens.usual_merit import usual_limit, usual_operand
from raybench_workbench.lens_data.cell_table import ChoiceDelegate, ListColumn, ListModel, ListTable
from raybench_workbench.translation import tr

QUANTITY, OF, CONFIGURATION, AIM, WEIGHT, FREQUENCY, NOW, UNIT, SHARE = range(9)
"""The columns."""
AIM_TIP = tr("Write what it should be: 50, at least ≥ 1, at most ≤ 8, or between 1 … 8")
RAY_QUANTITIES = frozenset({"ray heights", "path differences"})
"""The quantities that are a number a ray."""
_BETWEEN = re.compile(r"(.+?)\s*(?:\.\.+|…|\bto\b)\s*(.+)")
_BOUND = re.compile(r"(>=?|≥|<=?|≤)\s*(.+)")


@dataclass(frozen=True)
class OperandRow:
    """An operand with its state, which is None until it is computed."""

    operand: Operand
    state: OperandState | None = None


class OperandList(ListTable):
    """A table of operands of the lens that ``design`` returns. ``change`` sets other operands and
    returns the reason if it is refused. With ``limits``, the operands are limits without weights.
    """

    def __init__(
        self,
        name: str,
        design: Callable[[], LensDesign],
        change: Callable[[Sequence[Operand]], str],
        *,
        limits: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        self._design, self._limits = design, limits
        model = ListModel(
            self._columns(),
            None,
            lambda rows, _: change([row.operand for row in rows]),
            tr("operand"),
        )
        super().__init__(model, name, parent)
        model.setParent(self)
        self.setItemDelegateForColumn(QUANTITY, ChoiceDelegate(self.list, self._unit_note, self))
        self._hidden = {WEIGHT, NOW, SHARE} if limits else set()

    def _columns(self) -> tuple[ListColumn, ...]:
        def column(
            title: str,
            tip: str,
            text: Callable[[OperandRow], str],
            read: Callable[[Operand, str], Operand] | None = None,
            **more: object,
        ) -> ListColumn:
            def read_row(row: OperandRow, text: str) -> OperandRow:
                assert read is not None
                return OperandRow(read(row.operand, text))

            return ListColumn(title, tip, text, read_row if read is not None else None, **more)  # type: ignore[arg-type]

        return (
            ListColumn(
                tr("Quantity"),
                tr("What is wanted of the lens"),
                lambda row: tr(row.operand.quantity, "operand"),
                self._row_with_quantity,
                names=lambda: tuple(_quantities_by_name()),
                is_text=True,
            ),
            column(
                tr("Of"),
                tr("The number of the surface or field; all if empty"),
                _scope_text,
                partial(_operand_with_index, name="at"),
                automatic=tr("all"),
                applies=lambda row: OPERANDS[row.operand.quantity].selects != "",
                is_text=True,
            ),
            column(
                tr("In"),
                tr("The number of the configuration; all if empty"),
                lambda row: str(row.operand.configuration or ""),
                partial(_operand_with_index, name="configuration"),
                automatic=tr("all"),
            ),
            column(
                tr("Limits") if self._limits else tr("Target"),
                AIM_TIP,
                lambda row: target_text(row.operand),
                self._operand_with_target,
            ),
            column(
                tr("Weight"),
                tr("How much it counts; with 0 it is computed only"),
                lambda row: f"{row.operand.weight:.10g}",
                lambda o, text: replace(o, weight=read_cell_number(tr("The weight"), text, "mm")),
            ),
            column(
                tr("Lines"),
                tr("The frequency of the modulation, in lines per unit of length"),
                lambda row: f"{row.operand.frequency:.10g}",
                lambda o, text: replace(
                    o, frequency=read_cell_number(tr("The frequency"), text, "mm")
                ),
                applies=lambda row: row.operand.quantity == "mtf",
            ),
            column(
                tr("Now"),
                tr(
                    "What it is: from … to if it is many numbers, of rays the root of the mean"
                    " square"
                ),
                _current_value_text,
                fault=_fault_text,
            ),
            column(
                tr("Unit"),
                tr("The unit of the target and of what it is"),
                self._unit_text,
                is_text=True,
            ),
            column("%", tr("Its share of the squared merit"), _contribution_text),
        )

    def show_operands(
        self, operands: Sequence[Operand], states: Sequence[OperandState] | None = None
    ) -> None:
        states = states if states is not None else [row.state for row in self.list.values]
        before = {row.operand: row.state for row in self.list.values}
        rows = [OperandRow(o, before.get(o)) for o in operands]
        if len(states) == len(rows):
            rows = [OperandRow(o, s) for o, s in zip(operands, states, strict=True)]
        self.show_values(tuple(rows))
        self.setColumnHidden(CONFIGURATION, not self._design().configurations)
        self.setColumnHidden(FREQUENCY, all(o.quantity != "mtf" for o in operands))
        for column in self._hidden:
            self.setColumnHidden(column, True)
        self.fit_columns()

    @property
    def operands(self) -> tuple[Operand, ...]:
        return tuple(row.operand for row in self.list.values)

    def _row_with_quantity(self, row: OperandRow | None, text: str) -> OperandRow:
        usual = usual_limit if self._limits else usual_operand
        new = usual(self._design(), _quantities_by_name().get(text, text))
        return OperandRow(replace(new, weight=row.operand.weight) if row is not None else new)

    def _operand_with_target(self, operand: Operand, text: str) -> Operand:
        kind, unit = OPERANDS[operand.quantity].unit, self._design().system.unit

        def number(text: str) -> float:
            return read_cell_number(tr("The target"), text, unit, kind if kind == LENGTH else "")

        text, free = text.strip(), replace(operand, target=0.0, least=-math.inf, most=math.inf)
        if between := _BETWEEN.fullmatch(text):
            least, most = map(number, between.groups())
            if least > most:
                raise InvalidCell(
                    tr("{words}: the lower bound is above the upper one.", words=text)
                )
            return replace(free, least=least, most=most)
        if bound := _BOUND.fullmatch(text):
            limit = number(bound[2])
            is_least = bound[1][0] in ">≥"
            return replace(free, least=limit) if is_least else replace(free, most=limit)
        if self._limits:
            raise InvalidCell(
                tr("{words} is no limit. Write at most ≤ 8, at least ≥ 1, or 1 … 8.", words=text)
            )
        return replace(free, target=number(text))

    def _unit_text(self, row: OperandRow) -> str:
        return self._unit(row.operand.quantity)

    def _unit(self, quantity: str) -> str:
        return tr(unit_text(OPERANDS[quantity].unit, self._design().system.unit))

    def _unit_note(self, name: str) -> str:
        unit = self._unit(_quantities_by_name()[name])
        return f"({unit})" if unit else ""


def _quantities_by_name() -> dict[str, str]:
    """The names of the quantities in the file format, by their names in the language of the window."""
    return {tr(quantity, "operand"): quantity for quantity in OPERANDS}


def target_text(operand: Operand) -> str:
    """The target or the bounds of an operand, as the user writes them."""
    least, most = f"{operand.least:.10g}", f"{operand.most:.10g}"
    if math.isfinite(operand.least):
        return f"{least} … {most}" if math.isfinite(operand.most) else f"≥ {least}"
    return f"≤ {most}" if math.isfinite(operand.most) else f"{operand.target:.10g}"


def operand_text(operand: Operand) -> str:
    """The quantity of an operand, with its surface, field or configuration."""
    name, of = tr(operand.quantity, "operand"), _scope_text(OperandRow(operand))
    return tr("{noun} of {of}", noun=name, of=of) if of else name


def _scope_text(row: OperandRow) -> str:
    of, at = OPERANDS[row.operand.quantity].selects, row.operand.at
    return f"{tr(of)} {at}" if at is not None else ""


def _operand_with_index(operand: Operand, text: str, name: str) -> Operand:
    """The operand for the surface, field or configuration with a typed number; an empty text means
    all.
    """
    words = text.split()
    means_all = not words or words[-1] in ("all", tr("all"))
    if not means_all and not words[-1].isdecimal():
        raise InvalidCell(
            tr("{words} is no number of a surface, field or configuration, such as 2.", words=text)
        )
    number: dict[str, Any] = {name: None if means_all else int(words[-1])}
    return replace(operand, **number)


def _current_value_text(row: OperandRow) -> str:
    if row.state is None or row.state.reason:
        return "…" if row.state is None else "—"
    values = row.state.values
    known = values[np.isfinite(values)]
    if not len(known):
        return tr("no light") if len(values) else "—"
    if row.operand.quantity in RAY_QUANTITIES:
        return tr("rms {value:.4g}", value=np.sqrt(np.mean(known**2)))
    low, high = float(known.min()), float(known.max())
    return f"{low:.5g}" if low == high else f"{low:.3g} … {high:.3g}"


def _fault_text(row: OperandRow) -> str:
    """The reason why an operand has no values, or not all of them; empty if it has all."""
    if row.state is None:
        return ""
    lost = int(np.count_nonzero(~np.isfinite(row.state.values)))
    return row.state.reason or (
        tr("{lost} of {count} have no light.", lost=lost, count=len(row.state.values))
        if lost
        else ""
    )


def _contribution_text(row: OperandRow) -> str:
    return "" if row.state is None or row.state.reason else f"{100 * row.state.share:.1f}"
