"""The dialog that chooses the coating of an edge and plots it."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from raybench.analysis.coated_face import CoatedFace
from raybench.errors import RaybenchError
from raybench.lens.curves import Figure
from raybench.optics.colour import GREEN
from raybench.scene.coatings import (
    NO_COATING,
    SUBSTRATE,
    Coating,
    coating_catalogue,
    coating_from_json,
)
from raybench_workbench.dialogs import ValueDialog
from raybench_workbench.plots.figure_view import FigureView
from raybench_workbench.threads import Latest
from raybench_workbench.widgets import WrappedLabel

OWN = "as written below"
WIDE, PLOT, HIGH = 300, 640, 300
"""Of the column of the coating and of the plot beside it, in pixels."""


class CoatingDialog(ValueDialog):
    """The dialog that chooses the coating of an edge: one of the catalogue, or JSON, in which
    thicknesses can be changed; beside it the plot of what it reflects, transmits and absorbs. OK
    calls ``act`` with the JSON, or an empty text for none; the dialog closes unless ``act`` returns a
    reason to refuse it.
    """

    def __init__(
        self,
        edge: str,
        coating: Coating | None,
        act: Callable[[Any], str],
        parent: QWidget,
        *,
        index: float = SUBSTRATE,
        wavelength: float = GREEN,
    ) -> None:
        """``index`` is that of the body, in the plot, and ``wavelength`` (nm) that of the light."""
        self._act, self._index = act, index
        self.names = QComboBox()
        self.names.setAccessibleName("Coating")
        self.names.addItems([NO_COATING, *coating_catalogue(), OWN])
        self.source = WrappedLabel("", role="dim")
        self.text = QPlainTextEdit()
        self.text.setAccessibleName("The coating as JSON")
        self.text.setTabChangesFocus(True)
        self.angle = _number_box("Angle of incidence", 0, 89, 0, "°")
        self.wavelength = _number_box("Wavelength", 100, 20_000, round(wavelength), " nm")
        self.plot, self.note = FigureView(), WrappedLabel("", role="dim")
        self.plot.setAccessibleName("Plot of the coating")
        self.plot.setMinimumSize(PLOT, HIGH)
        column, beside, at = QVBoxLayout(), QVBoxLayout(), QHBoxLayout()
        for widget in (self.names, self.source, self.text):
            widget.setFixedWidth(WIDE)
            column.addWidget(widget)
        for box in (self.angle, self.wavelength):
            at.addWidget(box)
        at.addWidget(self.note, 1)
        beside.addWidget(self.plot, 1)
        beside.addLayout(at)
        area = QWidget()
        row = QHBoxLayout(area)
        row.setContentsMargins(0, 0, 0, 0)
        row.addLayout(column)
        row.addLayout(beside, 1)
        area.setFocusProxy(self.names)
        super().__init__(
            "Coating",
            f"The coating of {edge}. Films are listed from the surroundings to the body;"
            " thicknesses and wavelengths are in nm.",
            area,
            parent,
            WIDE + PLOT + 40,
        )
        self._latest = Latest(self, self.note.setText, "The plot of the coating")
        self._show_coating(coating)
        self.names.textActivated.connect(self._choose_name)
        self.text.textChanged.connect(self._note_edit)
        for box in (self.angle, self.wavelength):
            box.valueChanged.connect(self._plot)

    def _plot(self, *_: object) -> None:
        """Plot the coating that is written, if it is one."""
        try:
            coating = coating_from_json(json.loads(self.text.toPlainText() or "null"))
        except (ValueError, RaybenchError):
            self._latest.drop()
            self._show_figure("")
            return
        face = CoatedFace(coating, n_in=self._index)
        at = self.angle.value(), self.wavelength.value()
        self._latest.ask(partial(_plot_or_reason, face, *at), self._show_figure)

    def _show_figure(self, figure: Figure | str) -> None:
        is_there = isinstance(figure, Figure)
        self.plot.show_figure(figure if isinstance(figure, Figure) else None)
        self.note.setText("" if is_there else str(figure))

    def _show_coating(self, coating: Coating | None) -> None:
        known = coating_catalogue().get(coating.name) if coating is not None else None
        is_known = known is not None and known[0] == coating
        self.names.setCurrentText(
            NO_COATING if coating is None else coating.name if is_known else OWN
        )
        self._show_source()
        self.text.blockSignals(True)
        self.text.setPlainText("" if coating is None else _json_text(coating))
        self.text.blockSignals(False)
        self._plot()

    def _choose_name(self, name: str) -> None:
        self.show_reason("")
        if name == NO_COATING:
            self._show_coating(None)
        elif name != OWN:
            self._show_coating(coating_catalogue()[name][0])

    def _note_edit(self) -> None:
        self.show_reason("")
        self.names.setCurrentText(OWN)
        self._show_source()
        self._plot()

    def _show_source(self) -> None:
        _, source = coating_catalogue().get(self.names.currentText(), (None, ""))
        self.source.setText(source)
        self.source.setVisible(bool(source))

    def accept_value(self) -> None:
        name, text = self.names.currentText(), self.text.toPlainText().strip()
        if name != OWN or not text:
            self.close_unless_refused(self._act("" if name in (NO_COATING, OWN) else name))
            return
        try:
            data = json.loads(text)
        except ValueError as error:
            self.show_reason(f"This is no JSON: {error}.")
            return
        if isinstance(data, dict) and data.get("name") in coating_catalogue():
            del data["name"]  # it is another coating now
        self.close_unless_refused(self._act(data))


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


def _json_text(coating: Coating) -> str:
    """A coating as JSON, with a line for each film."""
    text = json.dumps(coating.to_json(), ensure_ascii=False)
    return text.replace("[{", "[\n  {").replace("}, {", "},\n  {").replace("}]", "}\n]")
