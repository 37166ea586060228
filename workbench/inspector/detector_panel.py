"""The detector panel: the irradiance along a detector as a plot, with its measures beside it, also while something is dragged."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.analysis.measures.bound import BoundMeasure
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Unit
from core.analysis.measures.table import MEASURES
from core.analysis.rays.detector_light import Histogram, light_at
from core.errors import RaybenchError
from core.files.atomic import write_text
from core.kinds.detectors import Detector
from core.trace.codes import Completion
from workbench import theme
from workbench.document import WorkDocument
from workbench.panels.messages import ElidedLabel
from workbench.panels.save_name import ask_save_name
from workbench.panels.themed_plot import MARGIN, ThemedPlot
from workbench.selection import Selection

BINS = 100
"""Bins of the plot of a detector that has no bin size of its own."""
NAMES = {"power": "Power", "centroid": "Centroid", "rms": "RMS width", "width": "Full width", "signed_power": "Signed power"}
"""The measures beside the plot, with their words."""
SIDE = 232
HINT = "No detector in the scene. Draw one to see the irradiance along it."
FILTERS = "PNG picture (*.png);;SVG drawing (*.svg);;Irradiance as CSV (*.csv)"


class DetectorPanel(QWidget):
    """Shows the selected detector; without one, that shown last or the first of the scene. It works only while it is visible."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document, self._selection = document, selection
        self._key: int | None = None
        self._shown: tuple[object, ...] = ()
        self.irradiance: Histogram | None = None
        self.title, self.note = ElidedLabel(self), ElidedLabel(self)
        theme.set_role(self.title, "title")
        theme.set_role(self.note, "dim")
        self.values: dict[str, QLabel] = {}
        self.export_button = QPushButton("Export…", self)
        self.export_button.clicked.connect(self.ask_export)
        self.plot = ThemedPlot("Irradiance along the detector", self)
        for side in ("left", "bottom"):  # a factor such as 0.001 in the title is easily overlooked
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.plot.retheme()
        self.hint = QLabel(HINT, self)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        theme.set_role(self.hint, "dim")
        self._side = QWidget(self)
        self._side.setFixedWidth(SIDE)
        self._build()
        document.resultChanged.connect(self._show)
        document.changed.connect(self._show)
        selection.changed.connect(self._show)
        theme.notifier.changed.connect(self._retheme)

    def _build(self) -> None:
        column = QVBoxLayout(self._side)
        column.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.HALF)
        column.setSpacing(theme.HALF)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        grid.setVerticalSpacing(1)
        for i, (name, word) in enumerate(NAMES.items()):
            label, value = QLabel(word, self), QLabel(self)
            theme.set_role(label, "label")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            value.setAccessibleName(word)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, i, 0)
            grid.addWidget(value, i, 1)
            self.values[name] = value
        column.addWidget(self.title)
        column.addLayout(grid)
        column.addWidget(self.note)
        column.addStretch(1)
        column.addWidget(self.export_button, 0, Qt.AlignmentFlag.AlignLeft)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self._side)
        line.addWidget(self.plot, 1)
        line.addWidget(self.hint, 1)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show()

    def _retheme(self, *_: object) -> None:
        self._shown = ()
        self._show()

    def _detector(self) -> Detector | None:
        detectors = {o.key: o for o in self._document.scene.optical if isinstance(o, Detector)}
        chosen = [k for k in (*sorted(self._selection.keys), self._key) if k in detectors]
        obj = detectors[chosen[0]] if chosen and chosen[0] is not None else next(iter(detectors.values()), None)
        self._key = obj.key if obj is not None else None
        return obj

    def _show(self, *_: object) -> None:
        if not self.isVisible():
            return
        detector, result, document = self._detector(), self._document.result, self._document.document
        for part in (self._side, self.plot):
            part.setVisible(detector is not None)
        self.hint.setVisible(detector is None)
        current = result is not None and result.revision == document.revision
        if detector is None or result is None or not current:
            return  # during a drag the values of the last trace stay until the next one, some milliseconds later
        state = (detector.key, result)
        if state == self._shown:
            return
        self._shown = state
        light = Light.of(document, result)
        index = light.index_by_key[detector.key]
        for name, label in self.values.items():
            measure = MEASURES[name]
            found = BoundMeasure(measure, (detector.key,) if name == "signed_power" else (detector.key, None), name).of(light)
            unit = f" {found.unit}" if measure.unit is Unit.LENGTH else ""
            label.setText(f"{found.value:.5g}{unit}" if found.defined else "—")
            label.setToolTip(found.reason or measure.help)
        at = light_at(light.result, index, detector, 0 if detector.irrad_map else BINS)
        self.irradiance = at.irradiance
        self.title.set_full_text(detector.title)
        reduced = result.completion == Completion.REDUCED
        self.note.set_full_text("reduced while dragging" if reduced else f"{len(at.rows):,} rays".replace(",", "\u2009"))
        self._draw(at.irradiance)

    def _draw(self, irradiance: Histogram) -> None:
        unit, accent = self._document.document.unit, theme.current().color("accent")
        self.plot.clear()
        self.plot.set_titles(f"position along the detector ({unit})", f"irradiance (power / {unit})")
        if len(irradiance.power):
            fill = pg.mkBrush(theme.current().color("accent", 0.2))
            pen = pg.mkPen(accent, width=1)
            self.plot.plot(irradiance.edges, irradiance.power, stepMode="center", pen=pen, fillLevel=0.0, brush=fill)
            low, high = min(0.0, float(irradiance.power.min())), max(0.0, float(irradiance.power.max()))
            self.plot.setXRange(float(irradiance.edges[0]), float(irradiance.edges[-1]), padding=MARGIN)
            self.plot.setYRange(low, high if high > low else low + 1.0, padding=MARGIN)

    def ask_export(self) -> None:
        """Ask for a name, and write the plot or the irradiance by its ending."""
        suggested = f"{self.title.full_text}.png"
        if (path := ask_save_name(self, "Export irradiance", suggested, FILTERS, (".png", ".svg", ".csv"))) is not None:
            self.export(path)

    def export(self, path: Path) -> None:
        """Write the plot (.png, .svg) or the irradiance bin by bin (.csv)."""
        if self.irradiance is None:
            return
        try:
            if path.suffix.lower() == ".csv":
                write_text(path, irradiance_csv(self.irradiance, self._document.document.unit))
            elif path.suffix.lower() in (".png", ".svg"):
                self.plot.save(path)
            else:
                raise RaybenchError(f"{path}: the irradiance is written as .png, .svg or .csv. Let the name end in one of these.")
        except (RaybenchError, OSError) as error:
            self._document.failed.emit(str(error))
            return
        self.note.set_full_text(f"{path.name} written")


def irradiance_csv(irradiance: Histogram, unit: str) -> str:
    """The irradiance as CSV, one line per bin: its ends, the signed irradiance, its standard error and the number of rays."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow([f"from [{unit}]", f"to [{unit}]", f"irradiance [relative power/{unit}]", f"error [relative power/{unit}]", "rays"])
    columns = (irradiance.edges[:-1], irradiance.edges[1:], irradiance.power, irradiance.error, irradiance.rays)
    writer.writerows(zip(*(np.asarray(c).tolist() for c in columns), strict=True))
    return text.getvalue()
