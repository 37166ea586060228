"""The dialog that exports a figure or the rays: area, colours, size and file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
)

from raybench.errors import elide_text
from raybench.files.rays_export import RAY_FILES
from raybench.kinds.decorations import CropBox
from raybench_workbench import theme
from raybench_workbench.dialogs import (
    action_and_cancel_buttons,
    ask_save_name,
    dialog_column_layout,
)
from raybench_workbench.export import LARGEST, SMALLEST
from raybench_workbench.figure import FIGURES, PER_MM, Figure, figure_writer, make_figure
from raybench_workbench.threads import run_with_progress
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

FILTERS = tr(
    "PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Rays as CSV"
    " (*.csv);;Rays as npz (*.npz);;Rays as XML (*.xml)"
)

UNITS = PX, MM = "px", "mm"


class ExportDialog(QDialog):
    """Asks for the area, the colours and the size of a figure. `figure` returns the result."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export figure"))
        self.area, self.colours, self.unit = QComboBox(self), QComboBox(self), QComboBox(self)
        self.width_field, self.scale_field = QDoubleSpinBox(self), QDoubleSpinBox(self)
        fields: dict[str, QComboBox | QDoubleSpinBox] = {
            tr("Area"): self.area,
            tr("Colours"): self.colours,
            tr("Unit of the width"): self.unit,
            tr("Width"): self.width_field,
            tr("Scale"): self.scale_field,
        }
        for name, widget in fields.items():
            widget.setAccessibleName(name)
            if isinstance(widget, QDoubleSpinBox):
                theme.indent_number_text(widget)
        self.area.addItem(tr("Visible part"), ("view", None))
        self.area.addItem(tr("Whole scene"), ("scene", None))
        boxes = [o for o in window.document.scene.objects if isinstance(o, CropBox)]
        for box in boxes:
            self.area.addItem(elide_text(box.title, 40), ("crop", box))
        self.area.setCurrentIndex(2 if boxes else 0)
        for name in theme.THEMES:
            self.colours.addItem(name.capitalize(), name)
        self.colours.setCurrentIndex(self.colours.findData("paper"))
        self.unit.addItems(UNITS)
        self.unit.setToolTip(
            tr(
                "px: of the picture. mm: on paper, where a text of the canvas is about as"
                " large as on the screen."
            )
        )
        width_row = QHBoxLayout()
        width_row.addWidget(self.width_field, 1)
        width_row.addWidget(self.unit)
        self.scale_field.setRange(0.5, 8.0)
        self.scale_field.setSingleStep(0.5)
        self.scale_field.setValue(1.0)
        self.scale_field.setDecimals(1)
        self.scale_field.setToolTip(
            tr("Pixels per logical pixel: scales line widths and text sizes.")
        )
        self.transparent = QCheckBox(tr("Transparent background"), self)
        self.scale_bar = QCheckBox(tr("Scale bar"), self)
        self.size_label = QLabel(self)
        theme.set_role(self.size_label, "dim")
        form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        form.setVerticalSpacing(theme.GRID)
        form.addRow(tr("Area"), self.area)
        form.addRow(tr("Colours"), self.colours)
        form.addRow(tr("Width"), width_row)
        form.addRow(tr("Scale"), self.scale_field)
        form.addRow("", self.transparent)
        form.addRow("", self.scale_bar)
        form.addRow("", self.size_label)
        buttons, self.export_button = action_and_cancel_buttons(self, tr("Export…"))
        column = dialog_column_layout(self, spacing=2 * theme.GRID)
        column.addLayout(form)
        column.addWidget(buttons)
        self.area.currentIndexChanged.connect(self._apply_area)
        self.unit.currentTextChanged.connect(self._apply_unit)
        self.width_field.valueChanged.connect(self._show_size)
        self.scale_field.valueChanged.connect(self._apply_scale)
        self._apply_area()

    def _apply_area(self) -> None:
        """Set width and background from the chosen crop box or, without one, from the canvas."""
        crop = self.area.currentData()[1]
        self.scale_field.setValue(1.0 if crop is not None else 2.0)
        self._set_width(round(crop.width) if crop is not None else 2 * self._window.canvas.width())
        self.transparent.setChecked(crop is not None and crop.transparent)
        self._show_size()

    def _apply_unit(self, unit: str) -> None:
        """Convert the displayed width to the chosen unit."""
        width = self.width_field.value()
        self._set_width(width if unit == MM else width * PER_MM * self.scale_field.value())

    def _apply_scale(self) -> None:
        """Keep the number of the width when the scale changes: pixels for a width in pixels,
        millimetres for one on paper.
        """
        self._set_width(self.width_field.value() * self._pixels_per_unit)
        self._show_size()

    @property
    def _pixels_per_unit(self) -> float:
        return PER_MM * self.scale_field.value() if self.unit.currentText() == MM else 1.0

    def _set_width(self, pixels: float) -> None:
        """Show a width, given in pixels, in the chosen unit."""
        self.width_field.setDecimals(1 if self.unit.currentText() == MM else 0)
        widest = LARGEST / max(1.0, self._aspect_ratio)
        self.width_field.setRange(SMALLEST / self._pixels_per_unit, widest / self._pixels_per_unit)
        self.width_field.setValue(pixels / self._pixels_per_unit)

    def _show_size(self) -> None:
        width, height = self._pixel_size()
        across, down = (side / self.scale_field.value() / PER_MM for side in (width, height))
        self.size_label.setText(
            tr(
                "{width} × {height} pixels, {across:.0f} × {down:.0f} mm on paper",
                width=width,
                height=height,
                across=across,
                down=down,
            )
        )

    @property
    def _aspect_ratio(self) -> float:
        """The height of the area as a fraction of its width."""
        canvas = self._window.canvas
        if self.area.currentData()[0] == "view":
            return canvas.height() / canvas.width()
        width, height = self._make_figure(None).viewport.size
        return height / width

    def _pixel_size(self) -> tuple[int, int]:
        """The size in pixels: the chosen width with the aspect ratio of the area."""
        chosen = self.width_field.value() * self._pixels_per_unit
        return round(chosen), min(max(1, round(chosen * self._aspect_ratio)), LARGEST)

    @property
    def figure(self) -> Figure:
        """The figure with the chosen options."""
        return self._make_figure(self._pixel_size())

    def _make_figure(self, size: tuple[int, int] | None) -> Figure:
        document = self._window.document
        area, crop = self.area.currentData()
        if area == "view" and document.session.view.camera is None:
            area = "scene"  # without a camera the canvas fits the scene
        return make_figure(
            document.document,
            document.session.fresh_result or document.result,
            theme.THEMES[self.colours.currentData()],
            view=document.session.view,
            area=area,
            crop=crop,
            size=size,
            scale=self.scale_field.value(),
            transparent=self.transparent.isChecked(),
            scale_bar=self.scale_bar.isChecked(),
            folder=document.folder,
        )


def ask_export(window: MainWindow) -> None:
    """Show the export dialog, ask for a file and write it. An error is shown above the canvas."""
    dialog = ExportDialog(window)
    dialog.accepted.connect(lambda: _ask_file(window, dialog.figure, dialog.area.currentData()[1]))
    dialog.open()


def _ask_file(window: MainWindow, figure: Figure, crop: CropBox | None) -> None:
    if not window.service.is_traced():
        return
    path = window.document.session.path or Path("figure")
    suggested = path.with_suffix(f".{crop.format}" if crop is not None else ".png")
    out = ask_save_name(window, tr("Export figure"), suggested, FILTERS, (*FIGURES, *RAY_FILES))
    if out is not None:
        write, failed = figure_writer(figure, out), window.document.failed.emit
        run_with_progress(
            write, tr("Writing {name}", name=out.name), window, lambda _: None, failed
        )
