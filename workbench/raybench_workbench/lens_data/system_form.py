"""The form of the data that belong to the whole lens: aperture, fields and wavelengths."""

import dataclasses
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QWidget

from raybench.errors import RaybenchError
from raybench.kinds.fields import LENGTH
from raybench.lens.columns import read_cell_number
from raybench.lens.design import LensDesign
from raybench.lens.prescription import (
    Aperture,
    ApertureKind,
    Field,
    FieldKind,
    Prescription,
    Wavelength,
)
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F
from raybench_workbench import theme
from raybench_workbench.lens_data.cell_table import ListColumn, ListModel, ListTable
from raybench_workbench.panels.number_edit import MIN_POSITIVE, NumberEdit
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, column_layout, describe_widget
from raybench_workbench.window.keyboard import leave_wheel_to_form

SPECTRAL_LINES = {
    "i": 365.0146, "h": 404.6561, "g": 435.8343, "F'": 479.9914, "F": LINE_F, "e": 546.0740, "d": LINE_D,
    "C'": 643.8469, "C": LINE_C, "r": 706.5188, "s": 852.11, "t": 1013.98,
}  # fmt: skip
"""Spectral lines, nm."""
APERTURE_TITLES = {
    ApertureKind.PUPIL: tr("Pupil diameter"),
    ApertureKind.F_NUMBER: tr("f-number"),
    ApertureKind.OBJECT_NA: tr("Object NA"),
    ApertureKind.STOP: tr("Stop size"),
}
FIELD_TITLES = {
    FieldKind.ANGLE: tr("Angle"),
    FieldKind.OBJECT_HEIGHT: tr("Object height"),
    FieldKind.IMAGE_HEIGHT: tr("Image height"),
}
FIRST_VALUES = {ApertureKind.F_NUMBER: 4.0, ApertureKind.OBJECT_NA: 0.1}
"""The values that an aperture starts from which becomes one of these kinds."""
FORM_WIDTH = 264


class SystemForm(QWidget):
    """The form of a lens's aperture, fields and wavelengths. ``change`` sets another design with a
    description, and returns the reason if it is refused; the form shows the reason.
    """

    def __init__(
        self, change: Callable[[LensDesign, str], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._change = change
        self._design: LensDesign | None = None
        self._unit = "mm"
        self.aperture = _choice_box(tr("Aperture", "lens"), APERTURE_TITLES.values())
        self.aperture.activated.connect(self._choose_aperture)
        self._value_place = column_layout(margins=0)
        self.value = self._make_aperture_edit(LENGTH)
        self.field_kind = _choice_box(tr("Fields"), FIELD_TITLES.values())
        self.field_kind.activated.connect(self._choose_field_kind)
        self.fields = self._make_list_table(
            tr("Fields"),
            "field",
            (
                _number_column(tr("Field"), tr("The angle or the height"), "value", 0.0),
                _number_column(tr("Weight"), tr("Its weight in the merit"), "weight", 1.0),
                _number_column(tr("Low", "bound"), tr("Vignetting: the part of the lower pupil that is cut off"), "lower_vignetting", 0.0),
                _number_column(tr("Up", "bound"), tr("Vignetting: the part of the upper pupil that is cut off"), "upper_vignetting", 0.0),
            ),
            Field(0.0),
            lambda values, _: self._set_fields(fields=values),
        )  # fmt: skip
        self.wavelengths = self._make_list_table(
            tr("Wavelengths"),
            "wavelength",
            (
                ListColumn(
                    "nm",
                    tr(
                        "A vacuum wavelength in nm, or a line: {names}",
                        names=", ".join(SPECTRAL_LINES),
                    ),
                    lambda w: f"{w.value:.10g}",
                    lambda w, text: dataclasses.replace(w, value=_read_wavelength(text)),
                ),
                _number_column(
                    tr("Weight"), tr("Its power, and its weight in the merit"), "weight", 1.0
                ),
            ),
            Wavelength(LINE_D),
            lambda values, primary: self._set_fields(wavelengths=values, primary=primary),
            tr("Primary"),
        )
        self.sources = QCheckBox(tr("Sources for the fields"))
        self.sources.setToolTip(tr("Put the light of the fields on the bench"))
        self.reason = WrappedLabel(role="error")
        self.reason.hide()
        grid = QGridLayout(self)
        grid.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        grid.setHorizontalSpacing(theme.GRID)
        grid.setVerticalSpacing(theme.HALF)
        grid.addWidget(self.aperture, 0, 0)
        grid.addLayout(self._value_place, 0, 1)
        label = describe_widget(QLabel(tr("Fields")), role="label")
        grid.addWidget(label, 1, 0)
        grid.addWidget(self.field_kind, 1, 1)
        grid.addWidget(self.fields, 2, 0, 1, 2)
        grid.addWidget(self.sources, 3, 0, 1, 2)
        grid.addWidget(describe_widget(QLabel(tr("Wavelengths")), role="label"), 4, 0, 1, 2)
        grid.addWidget(self.wavelengths, 5, 0, 1, 2)
        grid.addWidget(self.reason, 6, 0, 1, 2)
        grid.setRowStretch(7, 1)
        grid.setColumnStretch(1, 1)

    def _make_list_table(
        self,
        name: str,
        noun: str,
        columns: tuple[ListColumn, ...],
        new: Any,
        change: Callable[[tuple[Any, ...], int], str],
        marked: str = "",
    ) -> ListTable:
        model = ListModel(columns, new, change, noun, marked, self)
        table = ListTable(model, name, self)
        table.horizontalHeader().setStretchLastSection(True)
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.removed.connect(self._show_reason)
        model.refused.connect(self._show_refusals)
        return table

    # --- what is shown

    def show_design(self, design: LensDesign) -> None:
        self._design, system = design, design.system
        kind = system.aperture.kind
        with (
            QSignalBlocker(self.aperture),
            QSignalBlocker(self.field_kind),
        ):
            self.aperture.setCurrentText(APERTURE_TITLES[kind])
            self.field_kind.setCurrentText(FIELD_TITLES[system.field_kind])
        wanted = LENGTH if kind in (ApertureKind.PUPIL, ApertureKind.STOP) else ""
        if (wanted, system.unit) != self._value_kind:
            self._unit = system.unit
            self.value = self._make_aperture_edit(wanted)
        half = system.surfaces[system.stop].semi_diameter
        self.value.set_value(
            2 * (half or 0.0) if kind is ApertureKind.STOP else system.aperture.value
        )
        for table, values, marked in (
            (self.fields, system.fields, 0),
            (self.wavelengths, system.wavelengths, system.primary),
        ):
            table.show_values(values, marked)
            rows = table.list.rowCount()
            height = table.horizontalHeader().sizeHint().height() + rows * theme.ROW_HEIGHT
            table.setFixedHeight(height + 2)
            table.fit_columns()
        self._show_refusals()

    def _make_aperture_edit(self, unit: str) -> NumberEdit:
        """Replace the field for the value of the aperture by one with another unit."""
        self._value_kind = unit, self._unit
        while (item := self._value_place.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        edit = NumberEdit(tr("Aperture's value"), unit, self._unit, low=MIN_POSITIVE)
        edit.committed.connect(self._set_aperture_value)
        edit.refused.connect(self._show_reason)
        self._value_place.addWidget(edit)
        return edit

    def _show_reason(self, reason: str) -> None:
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))

    def _show_refusals(self) -> None:
        refusals = (*self.fields.cells.refusals.values(), *self.wavelengths.cells.refusals.values())
        self._show_reason(refusals[0].reason if refusals else "")

    # --- edits

    @property
    def _prescription(self) -> Prescription:
        assert self._design is not None
        return self._design.system

    def _set_fields(self, text: str = "", **values: Any) -> str:
        """Set fields of the prescription; returns the reason if the values are refused."""
        what = text or next(iter(values)).replace("_", " ").capitalize()
        assert self._design is not None
        try:
            system = dataclasses.replace(self._prescription, **values)
            return self._change(dataclasses.replace(self._design, system=system), what)
        except RaybenchError as error:
            return str(error)

    def _set_or_show(self, text: str = "", **values: Any) -> None:
        """Set fields of the prescription. If the values are refused, show the reason and the old
        values.
        """
        if reason := self._set_fields(text, **values):
            assert self._design is not None
            self.show_design(self._design)
            self._show_reason(reason)

    def _set_aperture_value(self, value: float) -> None:
        system = self._prescription
        if system.aperture.kind is ApertureKind.STOP:
            stopped = system.with_surface(system.stop, semi_diameter=value / 2)
            reason = self._set_fields(tr("Stop size"), surfaces=stopped.surfaces)
        else:
            reason = self._set_fields(aperture=dataclasses.replace(system.aperture, value=value))
        if reason:
            self.value.refuse_number(reason)

    def _choose_aperture(self, index: int) -> None:
        """Choose the quantity that defines the aperture. Its value is converted, if possible, so
        that the light stays the same.
        """
        from raybench.lens.paraxial import first_order

        kind, system = list(APERTURE_TITLES)[index], self._prescription
        if kind is system.aperture.kind:
            return
        try:
            first = first_order(system)
            value = {
                ApertureKind.PUPIL: first.entrance_diameter,
                ApertureKind.F_NUMBER: first.f_number,
            }.get(kind, FIRST_VALUES.get(kind, 0.0))
            if kind is ApertureKind.STOP:
                system = system.with_surface(system.stop, semi_diameter=first.stop_semi_diameter)
        except (RaybenchError, ArithmeticError):
            value = FIRST_VALUES.get(kind, 10.0)
        aperture = Aperture(kind, float(f"{value:.10g}"))
        self._set_or_show(aperture=aperture, surfaces=system.surfaces)

    def _choose_field_kind(self, index: int) -> None:
        self._set_or_show(tr("Kind of fields"), field_kind=list(FIELD_TITLES)[index])


def _choice_box(name: str, titles: Any) -> QComboBox:
    box = describe_widget(QComboBox(), name=name)
    leave_wheel_to_form(box)
    box.addItems([*titles])
    return box


def _number_column(title: str, tip: str, name: str, default: float) -> ListColumn:
    """A column for a number of each field or wavelength; an empty text means the ``default``."""

    def read(value: Any, text: str) -> Any:
        number = read_cell_number(title, text, "mm") if text.strip() else default
        return dataclasses.replace(value, **{name: number})

    return ListColumn(title, tip, lambda v: f"{getattr(v, name):.10g}", read)


def _read_wavelength(text: str) -> float:
    """The wavelength in nm from a number or from the letter of a spectral line. Raises InvalidCell."""
    line = SPECTRAL_LINES.get(text.strip())
    return line if line is not None else read_cell_number(tr("The wavelength"), text, "nm", LENGTH)
