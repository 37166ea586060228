"""The plot of a coating beside its choice."""

import json
from functools import partial

from PySide6.QtWidgets import QHBoxLayout, QSpinBox, QWidget

from raybench.analysis.coated_face import CoatedFace
from raybench.errors import RaybenchError
from raybench.lens.curves import Figure
from raybench.scene.coatings import coating_from_json
from raybench_workbench.plots.figure_view import FigureView
from raybench_workbench.threads import Latest
from raybench_workbench.widgets import WrappedLabel, column_layout

WIDE, HIGH = 640, 300
"""The least size of the plot, in pixels."""


class CoatingPlot(QWidget):
    """Shows what a coating, written as JSON, reflects, transmits and absorbs on a body of an ``index``,
    over the wavelength at an angle and over the angle at a ``wavelength`` (nm), which can be chosen.
    The plot is computed in the background.
    """

    def __init__(self, index: float, wavelength: float) -> None:
        super().__init__()
        self._index, self._text = index, ""
        self.angle = _number_box("Angle of incidence", 0, 89, 0, "°")
        self.wavelength = _number_box("Wavelength", 100, 20_000, round(wavelength), " nm")
        self.plot, self.note = FigureView(), WrappedLabel("", role="dim")
        self.plot.setAccessibleName("Plot of the coating")
        self.plot.setMinimumSize(WIDE, HIGH)
        below = QWidget()
        line = QHBoxLayout(below)
        line.setContentsMargins(0, 0, 0, 0)
        for box in (self.angle, self.wavelength):
            line.addWidget(box)
            box.valueChanged.connect(self._plot)
        line.addWidget(self.note, 1)
        column_layout(self.plot, below, on=self)
        self._latest = Latest(self, self.note.setText, "The plot of the coating")

    @property
    def settled(self) -> bool:
        """Whether the plot is that of the last text."""
        return not self._latest.is_working

    def show_text(self, text: str) -> None:
        """Plot the coating that a text is; nothing, if it is none."""
        self._text = text
        self._plot()

    def _plot(self, *_: object) -> None:
        try:
            coating = coating_from_json(json.loads(self._text or "null"))
        except (ValueError, RaybenchError):
            self._latest.drop()
            self._show_figure("")
            return
        face = CoatedFace(coating, n_in=self._index)
        at = self.angle.value(), self.wavelength.value()
        self._latest.ask(partial(_plot_or_reason, face, *at), self._show_figure)

    def _show_figure(self, figure: Figure | str) -> None:
        self.plot.show_figure(figure if isinstance(figure, Figure) else None)
        self.note.setText("" if isinstance(figure, Figure) else figure)


def _number_box(name: str, low: int, high: int, value: int, unit: str) -> QSpinBox:
    box = QSpinBox()
    box.setAccessibleName(name)
    box.setToolTip(name)
    box.setRange(low, high)
    box.setValue(value)
    box.setSuffix(unit)
    return box


def _plot_or_reason(face: CoatedFace, angle: float, wavelength: float) -> Figure | str:
    """The plot of a coating, or the reason why there is none."""
    try:
        return face.figure(angle, wavelength)
    except RaybenchError as error:
        return str(error)
