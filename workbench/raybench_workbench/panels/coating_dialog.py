"""The dialog that chooses the coating of an edge and plots it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QVBoxLayout, QWidget

from raybench.analysis.coated_face import CoatedFace
from raybench.errors import RaybenchError
from raybench.lens.curves import Figure
from raybench.optics.colour import GREEN
from raybench.scene.coatings import SUBSTRATE_INDEX, coating_from_json
from raybench.scene.treatments import EdgeTreatment
from raybench_workbench.panels.treatment_dialog import COATINGS, TreatmentDialog
from raybench_workbench.plots.figure_view import FigureView
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel

PLOT_WIDTH, PLOT_HEIGHT = 640, 300
"""The size of the plot in pixels."""


class CoatingDialog(TreatmentDialog):
    """The dialog that chooses the coating of an edge, beside a plot of the reflected, transmitted
    and absorbed light.
    """

    def __init__(
        self,
        edge: str,
        coating: EdgeTreatment | None,
        act: Callable[[Any], str],
        parent: QWidget,
        *,
        index: float = SUBSTRATE_INDEX,
        wavelength: float = GREEN,
    ) -> None:
        """``index`` is the refractive index of the body and ``wavelength`` (nm) that of the light;
        both are used in the plot.
        """
        self._index = index
        self.angle = _number_box(tr("Angle of incidence"), 0, 89, 0, "°")
        self.wavelength = _number_box(tr("Wavelength"), 100, 20_000, round(wavelength), " nm")
        self.plot, self.note = FigureView(), WrappedLabel("", role="dim")
        self.plot.setAccessibleName(tr("Plot of the coating"))
        self.plot.setMinimumSize(PLOT_WIDTH, PLOT_HEIGHT)
        beside, at = QWidget(), QHBoxLayout()
        for box in (self.angle, self.wavelength):
            at.addWidget(box)
        at.addWidget(self.note, 1)
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.plot, 1)
        column.addLayout(at)
        super().__init__(COATINGS, edge, coating, act, parent, beside=beside, width=PLOT_WIDTH + 40)
        self._latest = LatestTaskRunner(self, self.note.setText, tr("The plot of the coating"))
        self._plot_coating()
        self.written.connect(self._plot_coating)
        for box in (self.angle, self.wavelength):
            box.valueChanged.connect(self._plot_coating)

    def _plot_coating(self, *_: object) -> None:
        """Plot the coating in the text field, if the text is valid."""
        try:
            coating = coating_from_json(json.loads(self.text.toPlainText() or "null"))
        except (ValueError, RaybenchError):
            self._latest.cancel_request()
            self._show_figure("")
            return
        face = CoatedFace(coating, n_in=self._index)
        at = self.angle.value(), self.wavelength.value()
        self._latest.request_task(partial(_plot_or_reason, face, *at), self._show_figure)

    def _show_figure(self, figure: Figure | str) -> None:
        is_there = isinstance(figure, Figure)
        self.plot.show_figure(figure if isinstance(figure, Figure) else None)
        self.note.setText("" if is_there else str(figure))


def _number_box(name: str, low: int, high: int, value: int, unit: str) -> QSpinBox:
    box = QSpinBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setRange(low, high)
    box.setValue(value)
    box.setSuffix(unit)
    return box


def _plot_or_reason(face: CoatedFace, angle: float, wavelength: float) -> Figure | str:
    """The plot of a coating, or the reason why it cannot be plotted."""
    try:
        return face.figure(angle, wavelength)
    except RaybenchError as error:
        return str(error)
