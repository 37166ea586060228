"""The table model of a lens design, with rows for the object, the surfaces and the image."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from raybench.lens.checks import LensChecks, check_lens
from raybench.lens.columns import (
    ASPHERIC,
    COMMENT,
    CONIC,
    CURVATURE,
    DIGITS,
    GLASS,
    RADIUS,
    SEMI_DIAMETER,
    THICKNESS,
    Column,
)
from raybench.lens.design import LensDesign
from raybench.lens.glass import glass_names
from raybench.lens.prescription import Prescription
from raybench.lens.rows import CellMark, cell_marks, cell_parameters, row_surface, with_cell
from raybench_workbench import theme
from raybench_workbench.lens_data.cell_table import MARK_ROLE, CellModel, Role
from raybench_workbench.texts import literal_tool_tip
from raybench_workbench.translation import tr, translate_phrase
from raybench_workbench.widgets import LEFT, RIGHT, Index

MOST_DECIMALS, SOLVED_DECIMALS = 6, 4
SHOWN_DIGITS = 8
"""Significant digits of typed numbers that are shown where they are needed."""
AUTOMATIC_FORMAT = "{:.4f}"
"""How semi-diameters are shown that follow from the light."""
TEXT_COLUMNS = frozenset({COMMENT, GLASS})
OBJECT_ROW_COLUMNS, IMAGE_ROW_COLUMNS = (
    frozenset({THICKNESS, GLASS}),
    frozenset({RADIUS, CURVATURE}),
)
"""The columns in which the rows of the object and of the image have cells."""


class SurfaceModel(CellModel):
    """The table model of a lens design. ``change`` sets another design as one history step with a
    description, and returns the reason if it is refused.
    """

    def __init__(
        self, change: Callable[[LensDesign, str], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._change = change
        self.design: LensDesign | None = None
        self.checks = LensChecks()
        self.columns: tuple[Column, ...] = ()
        self.shows_curvature = False
        self.extra_terms = 0
        """Aspheric columns that are shown although no surface has the term."""
        self._marks: Mapping[str, CellMark] = {}
        self._decimals: dict[Column, int] = {}

    # --- what is shown

    def show_design(self, design: LensDesign | None) -> None:
        """Show a design. Refused input stays if the rows and columns are the same."""
        before = self._rows_and_columns()
        columns = self._wanted_columns(design)
        system = design.system if design is not None else None
        after = (len(system.surfaces) if system is not None else -1, columns)
        if before != after:
            self.beginResetModel()
            self.refusals.clear()
        self.design, self.columns = design, columns
        self.checks = check_lens(system) if system is not None else LensChecks()
        self._marks = cell_marks(design) if design is not None else {}
        self._decimals = {}
        if system is not None:
            numbers = [c for c in columns if c not in TEXT_COLUMNS]
            self._decimals = {c: self._column_decimals(system, c) for c in numbers}
        if before != after:
            self.endResetModel()
        elif self.rowCount():
            last = self.rowCount() - 1
            self.dataChanged.emit(self.index(0, 0), self.index(last, self.columnCount() - 1))
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, last)
        self.refused.emit()

    def _column_decimals(self, system: Prescription, column: Column) -> int:
        """The number of decimals in a column: as many as its typed numbers have, at most
        `MOST_DECIMALS`; at least `SOLVED_DECIMALS` if one of its numbers is solved or picked up.
        """
        longest = 0
        for row in range(len(system.surfaces) + 2):
            text = column.text(row_surface(system, row), SHOWN_DIGITS)
            signs = {self._marks[n].sign for n in cell_parameters(row, column) if n in self._marks}
            if signs & {"P", "S"}:
                longest = max(longest, SOLVED_DECIMALS)
            elif "e" not in text:
                longest = max(longest, len(text.partition(".")[2]))
        return min(longest, MOST_DECIMALS)

    def _rows_and_columns(self) -> tuple[int, tuple[Column, ...]]:
        count = -1 if self.design is None else len(self.design.system.surfaces)
        return count, self.columns

    def _wanted_columns(self, design: LensDesign | None) -> tuple[Column, ...]:
        if design is None:
            return ()
        used = max((len(s.aspheric) for s in design.system.surfaces), default=0)
        has_square = any(s.aspheric and s.aspheric[0] for s in design.system.surfaces)
        terms = ASPHERIC[0 if has_square else 1 : max(used, self.extra_terms)]
        curved = CURVATURE if self.shows_curvature else RADIUS
        return (COMMENT, curved, THICKNESS, GLASS, SEMI_DIAMETER, CONIC, *terms)

    def show_curvature(self, on: bool) -> None:
        """Show curvatures instead of radii."""
        self.shows_curvature = on
        self.show_design(self.design)

    def add_aspheric_term(self) -> None:
        """Add the column of the next aspheric coefficient; the first is that of y⁴."""
        shown = sum(c in ASPHERIC for c in self.columns)
        has_square = ASPHERIC[0] in self.columns
        self.extra_terms = min(max(shown + (not has_square) + 1, 2), len(ASPHERIC))
        self.show_design(self.design)

    def parameters_and_mark(self, row: int, column: int) -> tuple[tuple[str, ...], CellMark | None]:
        """The names of the parameters in a cell, and the mark that shows how they are linked."""
        names = cell_parameters(row, self.columns[column])
        return names, next((self._marks[n] for n in names if n in self._marks), None)

    def row_problems(self, row: int) -> str:
        """The problems of a row, one sentence each; empty if it has none."""
        return " ".join(
            translate_phrase(f.text)
            for f in self.checks.findings
            if self._row_of_surface(f.surface) == row
        )

    def row_description(self, row: int) -> str:
        """The description of a row: the object, a numbered surface, or the image."""
        ends = {0: tr("the object"), self.rowCount() - 1: tr("the image")}
        return ends.get(row, tr("surface {row}", row=row))

    def _row_of_surface(self, surface: int | None) -> int:
        return 0 if surface is None else surface + 1

    # --- the table

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return (
            0 if parent.isValid() or self.design is None else len(self.design.system.surfaces) + 2
        )

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_there = self._has_cell(index.row(), index.column())
        return usual | Qt.ItemFlag.ItemIsEditable if is_there else usual

    def _has_cell(self, row: int, column: int) -> bool:
        """Whether a row has a value in a column. The object and the image have only a few."""
        what = self.columns[column]
        if row == 0:
            return what in OBJECT_ROW_COLUMNS
        return what in IMAGE_ROW_COLUMNS if row == self.rowCount() - 1 else True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole
    ) -> Any:
        if self.design is None:
            return None
        if orientation == Qt.Orientation.Horizontal:
            if section >= len(self.columns):
                return None
            column = self.columns[section]
            if role == Role.TextAlignmentRole:
                return LEFT if column in TEXT_COLUMNS else RIGHT
            texts = {Role.DisplayRole: tr(column.title), Role.ToolTipRole: f"{tr(column.tip)}."}
            return texts.get(Qt.ItemDataRole(role))
        if role == Role.DisplayRole:
            if section in (0, self.rowCount() - 1):
                return tr("Image") if section else tr("Object", "lens")
            return (
                tr("{section} Stop", section=section)
                if section - 1 == self.design.system.stop
                else str(section)
            )
        if role == Role.ToolTipRole:
            return literal_tool_tip(self.row_problems(section))
        if role == Role.ForegroundRole and self.row_problems(section):
            return theme.current_theme().color("error")
        return None

    def cell_data(self, row: int, column: int, role: int) -> Any:
        if self.design is None or not self._has_cell(row, column):
            return None
        what = self.columns[column]
        match role:
            case Role.DisplayRole:
                return self._display_text(row, what)
            case Role.TextAlignmentRole:
                return LEFT if what in TEXT_COLUMNS else RIGHT
            case Role.ForegroundRole:
                return self._cell_color(row, column)
            case Role.ToolTipRole | Role.AccessibleDescriptionRole:
                return literal_tool_tip(self._cell_tool_tip(row, column))
            case _ if role == MARK_ROLE:
                return self._mark_symbol(row, column)
        return None

    def _display_text(self, row: int, column: Column) -> str:
        assert self.design is not None
        surface = row_surface(self.design.system, row)
        if column is SEMI_DIAMETER and surface.semi_diameter is None:
            halves = self.checks.semi_diameters
            return AUTOMATIC_FORMAT.format(halves[row - 1]) if halves else ""
        text = column.text(surface, SHOWN_DIGITS)
        if column in self._decimals and text and "e" not in text and text != "∞":
            return f"{float(text):.{self._decimals[column]}f}"
        return text

    def _mark_symbol(self, row: int, column: int) -> str:
        mark = self.parameters_and_mark(row, column)[1]
        if mark is not None:
            return mark.sign
        assert self.design is not None
        surface = row_surface(self.design.system, row)
        return (
            "A" if self.columns[column] is SEMI_DIAMETER and surface.semi_diameter is None else ""
        )

    def _cell_color(self, row: int, column: int) -> Any:
        quantity = self.columns[column].name
        quantity = RADIUS.name if quantity == CURVATURE.name else quantity
        wrong = {
            f.quantity or quantity
            for f in self.checks.findings
            if self._row_of_surface(f.surface) == row
        }
        if quantity in wrong and row:
            return theme.current_theme().color("error")
        is_set = self._mark_symbol(row, column) in {"A", "P", "S"}
        return theme.current_theme().color("dim") if is_set else None

    def _cell_tool_tip(self, row: int, column: int) -> str:
        mark, what = self.parameters_and_mark(row, column)[1], self.columns[column]
        texts = [self.row_problems(row), mark.text if mark is not None else ""]
        if self._mark_symbol(row, column) == "A":
            texts.append(tr("As much as the light of the fields needs. Type a number to fix it."))
        if what is THICKNESS and 0 < row <= len(self.checks.edge_thicknesses):
            assert self.design is not None
            edge = self.checks.edge_thicknesses[row - 1]
            texts.append(
                tr("Edge thickness {edge:.4g} {unit}.", edge=edge, unit=self.design.system.unit)
            )
        return " ".join(text for text in texts if text)

    def cell_title(self, row: int, column: int) -> str:
        return tr(
            "{title} of {place}",
            title=tr(self.columns[column].title),
            place=self.row_description(row),
        )

    def edited_text(self, row: int, column: int) -> str:
        assert self.design is not None
        return self.columns[column].text(row_surface(self.design.system, row), DIGITS)

    def has_numbers(self, column: int) -> bool:
        return self.columns[column] not in TEXT_COLUMNS

    def cell_names(self, column: int) -> Sequence[str]:
        return (*glass_names(), tr("Mirror")) if self.columns[column] is GLASS else ()

    # --- edits

    def trial_design(self, row: int, column: int, text: str) -> LensDesign:
        """The design with another text in a cell, without changing the document. Raises
        RaybenchError.
        """
        assert self.design is not None
        return with_cell(self.design, row, self.columns[column], text)

    def change_cell(self, row: int, column: int, text: str) -> str:
        return self._change(self.trial_design(row, column, text), self.cell_title(row, column))
