"""The dialogs of the lens data panel: the scale of a lens, and a pickup."""

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QFormLayout, QSpinBox, QWidget

from raybench.kinds.fields import LENGTH
from raybench_workbench import theme
from raybench_workbench.dialogs import ValueDialog
from raybench_workbench.panels.number_edit import MIN_POSITIVE, NumberEdit
from raybench_workbench.translation import tr


class ScaleDialog(ValueDialog):
    """Asks for a scale factor of a lens, or for the focal length that the scaled lens should have.
    ``act`` is called with the factor, and returns the reason if it is refused.
    """

    def __init__(
        self, focal_length: float, unit: str, act: Callable[[float], str], parent: QWidget
    ) -> None:
        self._act, self._focal_length = act, focal_length
        self.factor = NumberEdit(tr("Factor"), low=MIN_POSITIVE)
        self.length = NumberEdit(tr("Focal length"), LENGTH, unit)
        form = QWidget()
        rows = QFormLayout(form)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addRow(tr("Factor"), self.factor)
        if math.isfinite(focal_length):
            rows.addRow(tr("Focal length"), self.length)
        form.setFocusProxy(self.factor)
        super().__init__(tr("Scale lens"), tr("All lengths are multiplied."), form, parent)
        self.factor.set_value(1.0)
        self.length.set_value(focal_length)
        self.factor.committed.connect(lambda value: self.length.set_value(value * focal_length))
        self.length.committed.connect(self._fit_length)
        for edit in (self.factor, self.length):
            edit.refused.connect(self.show_reason)
            edit.exited.connect(self.accept_value)

    def _fit_length(self, length: float) -> None:
        factor = length / self._focal_length
        if factor > 0:
            self.factor.set_value(factor)
        else:
            self.length.refuse_number(
                tr(
                    "A scale keeps the sign of the focal length, which is {focal_length:.6g}.",
                    focal_length=self._focal_length,
                )
            )

    def accept_value(self) -> None:
        if not (self.factor.refusal or self.length.refusal):
            self.close_unless_refused(self._act(self.factor.value))


class PickupDialog(ValueDialog):
    """Asks from which surface a number is picked up, with which factor and offset. ``act`` is
    called with the number of the surface, counted from 1, the factor and the offset, and returns
    the reason if they are refused.
    """

    def __init__(
        self,
        label: str,
        surfaces: int,
        source: int,
        act: Callable[[int, float, float], str],
        parent: QWidget,
    ) -> None:
        self._act = act
        self.source = QSpinBox()
        self.source.setAccessibleName(tr("Surface that it follows"))
        self.source.setRange(1, surfaces)
        self.source.setValue(source)
        theme.indent_number_text(self.source)
        self.factor, self.offset = NumberEdit(tr("Factor")), NumberEdit(tr("Offset"))
        form = QWidget()
        rows = QFormLayout(form)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addRow(tr("Surface"), self.source)
        rows.addRow(tr("Factor"), self.factor)
        rows.addRow(tr("Offset"), self.offset)
        form.setFocusProxy(self.source)
        super().__init__(tr("Pickup"), label, form, parent)
        self.factor.set_value(1.0)
        self.offset.set_value(0.0)
        for edit in (self.factor, self.offset):
            edit.refused.connect(partial(self.show_reason))

    def accept_value(self) -> None:
        if not (self.factor.refusal or self.offset.refusal):
            self.close_unless_refused(
                self._act(self.source.value(), self.factor.value, self.offset.value)
            )
