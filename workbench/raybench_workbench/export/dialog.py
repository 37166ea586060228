"""The dialog that exports a figure or the rays: page, area, colours, size, texts and file."""

from __future__ import annotations

import datetime
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPixmap, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from raybench.errors import elide_text
from raybench.files.rays_export import RAY_FILE_SUFFIXES
from raybench.kinds.decorations import CropBox
from raybench.scene.changes import SetDocument
from raybench.scene.pages import PAGES
from raybench.scene.sheet import FIT, MAX_MARGIN, ROUND, InvalidSheet, Sheet, ratio_text
from raybench_workbench import theme
from raybench_workbench.canvas.rays.refined_picture import shows_brightness
from raybench_workbench.dialogs import (
    action_and_cancel_buttons,
    ask_save_name,
    dialog_column_layout,
)
from raybench_workbench.export import MAX_SIDE, MIN_SIDE
from raybench_workbench.export.sheet import PIXELS_PER_MM, PRINT_PIXEL_RATIO, SheetPage
from raybench_workbench.figure import (
    FIGURE_ENCODERS,
    Figure,
    figure_image,
    figure_writer,
    make_figure,
)
from raybench_workbench.preferences.choices import THEME
from raybench_workbench.threads import LatestTaskRunner, run_with_progress
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, describe_widget

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

FILTERS = tr(
    "PNG picture (*.png);;SVG drawing (*.svg);;PDF page (*.pdf);;Rays as CSV"
    " (*.csv);;Rays as npz (*.npz);;Rays as XML (*.xml)"
)

SIZE_UNITS = PX, MM = "px", "mm"
NAMED_SCALES = {ROUND: tr("Largest round scale"), FIT: tr("Largest that fits")}
"""The titles of the scales at which the figure fits."""
SCALE_RATIOS = "10:1", "5:1", "2:1", "1:1", "1:2", "1:5", "1:10", "1:20", "1:50", "1:100"
PREVIEW_SIZE = 260, 220
"""The smallest size of the preview, in pixels."""
DIALOG_SIZE = 840, 540
"""The size of the dialog, in pixels."""
MAX_ERROR_PERCENT = 50.0
"""The largest error of a refined picture, in percent."""
PREVIEW_DELAY = 150
"""Milliseconds after the last change until the preview is painted."""


class ExportDialog(QDialog):
    """Asks for the page, the area, the colours and the size of a figure, which it previews.
    `figure` returns the result.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Export figure"))
        self.page, self.area, self.colours = QComboBox(self), QComboBox(self), QComboBox(self)
        self.unit, self.drawing_scale = QComboBox(self), QComboBox(self)
        self.width_field, self.scale_field = QDoubleSpinBox(self), QDoubleSpinBox(self)
        self.margin_field, self.error_field = QDoubleSpinBox(self), QDoubleSpinBox(self)
        self.title, self.author = QLineEdit(self), QLineEdit(self)
        self.caption = QPlainTextEdit(self)
        fields: dict[str, QWidget] = {
            tr("Page"): self.page,
            tr("Area"): self.area,
            tr("Colours"): self.colours,
            tr("Unit of the width"): self.unit,
            tr("Width"): self.width_field,
            tr("Scale", "pixels"): self.scale_field,
            tr("Scale of the drawing"): self.drawing_scale,
            tr("Margin"): self.margin_field,
            tr("Error of the light"): self.error_field,
            tr("Title"): self.title,
            tr("Author"): self.author,
            tr("Caption"): self.caption,
        }
        for name, widget in fields.items():
            widget.setAccessibleName(name)
            if isinstance(widget, QDoubleSpinBox):
                theme.indent_number_text(widget)
        document = window.document
        sheet = document.document.sheet or window.settings.sheet
        self.page.addItem(tr("None, the figure alone"), "")
        # long names of crop boxes do not widen the dialog
        self.area.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        for page_name, page in PAGES.items():
            self.page.addItem(tr(page.title), page_name)
        if document.document.sheet is not None:
            self.page.setCurrentIndex(self.page.findData(sheet.page))
        self.area.addItem(tr("Visible part"), ("view", None))
        self.area.addItem(tr("Whole scene"), ("scene", None))
        boxes = [o for o in document.scene.objects if isinstance(o, CropBox)]
        for box in boxes:
            self.area.addItem(elide_text(box.title, 40), ("crop", box))
        self.area.setCurrentIndex(2 if boxes else 0)
        for name in theme.THEMES:
            self.colours.addItem(tr(THEME.choices[name], THEME.title), name)
        self.colours.setCurrentIndex(self.colours.findData("paper"))
        self.unit.addItems(SIZE_UNITS)
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
        self.drawing_scale.setEditable(True)
        self.drawing_scale.addItems([*NAMED_SCALES.values(), *SCALE_RATIOS])
        self.drawing_scale.setCurrentText(NAMED_SCALES.get(sheet.scale, sheet.scale))
        self.drawing_scale.setToolTip(tr("The scale on paper, such as 1:2."))
        self.margin_field.setRange(0.0, MAX_MARGIN)
        self.margin_field.setSuffix(" mm")
        self.margin_field.setDecimals(0)
        self.margin_field.setValue(sheet.margin)
        self.error_field.setRange(0.0, MAX_ERROR_PERCENT)
        self.error_field.setSuffix(" %")
        self.error_field.setSpecialValueText(tr("not refined"))
        self.error_field.setToolTip(
            tr(
                "More rays are traced until the brightness of a PNG picture has at most this error;"
                " 0 leaves it as it is."
            )
        )
        path = document.session.path
        self.title.setText(sheet.title or document.scene.name or (path.stem if path else ""))
        self.author.setText(sheet.author)
        self.caption.setPlainText(sheet.caption)
        self.caption.setTabChangesFocus(True)
        self.caption.setFixedHeight(3 * theme.ROW_HEIGHT)
        self.transparent = QCheckBox(tr("Transparent background"), self)
        self.scale_bar = QCheckBox(tr("Scale bar"), self)
        self.size_label = WrappedLabel("", role="dim")
        self._form = form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        form.setVerticalSpacing(theme.GRID)
        form.addRow(tr("Page"), self.page)
        form.addRow(tr("Area"), self.area)
        form.addRow(tr("Colours"), self.colours)
        form.addRow(tr("Width"), width_row)
        form.addRow(tr("Scale", "pixels"), self.scale_field)
        form.addRow(tr("Drawing scale"), self.drawing_scale)
        form.addRow(tr("Margin"), self.margin_field)
        form.addRow(tr("Error of the light"), self.error_field)
        form.addRow(tr("Title"), self.title)
        form.addRow(tr("Author"), self.author)
        form.addRow(tr("Caption"), self.caption)
        form.addRow("", self.transparent)
        form.addRow("", self.scale_bar)
        form.addRow("", self.size_label)
        self._of_figure, self._of_sheet = (
            (width_row, self.scale_field),
            (self.drawing_scale, self.margin_field, self.title, self.author, self.caption),
        )
        form.setRowVisible(self.error_field, shows_brightness(document.scene.settings))
        self.preview = describe_widget(QLabel(self), name=tr("Preview"))
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.preview.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.preview.setMinimumSize(*PREVIEW_SIZE)
        self._previewing = LatestTaskRunner(self, window.document.failed.emit, tr("The preview"))
        self._preview_soon = QTimer(self, singleShot=True, interval=PREVIEW_DELAY)
        self._preview_soon.timeout.connect(self._show_preview)
        buttons, self.export_button = action_and_cancel_buttons(self, tr("Export…"))
        row = QHBoxLayout()
        row.setSpacing(2 * theme.GRID)
        left = QVBoxLayout()
        left.addLayout(form)
        left.addStretch(1)
        row.addLayout(left)
        row.addWidget(self.preview, 1)
        column = dialog_column_layout(self, spacing=2 * theme.GRID)
        column.addLayout(row, 1)
        column.addWidget(buttons)
        self.page.currentIndexChanged.connect(self._apply_page)
        self.page.activated.connect(self._choose_scale)
        self.area.currentIndexChanged.connect(self._apply_area)
        self.unit.currentTextChanged.connect(self._apply_unit)
        self.width_field.valueChanged.connect(self._show_size)
        self.scale_field.valueChanged.connect(self._apply_scale)
        for changed in (
            self.colours.currentIndexChanged,
            self.drawing_scale.currentTextChanged,
            self.margin_field.valueChanged,
            self.title.textChanged,
            self.author.textChanged,
            self.caption.textChanged,
            self.transparent.toggled,
            self.scale_bar.toggled,
        ):
            changed.connect(self._show_size)
        self._apply_area()
        self._apply_page()
        self.resize(self.sizeHint().expandedTo(QSize(*DIALOG_SIZE)))

    @property
    def sheet(self) -> Sheet | None:
        """The chosen sheet; None for a figure without a sheet. Raises InvalidSheet."""
        if not self.page.currentData():
            return None
        scale = self.drawing_scale.currentText()
        named = {title: name for name, title in NAMED_SCALES.items()}
        return Sheet(
            self.page.currentData(),
            named.get(scale, scale.strip()),
            self.margin_field.value(),
            self.title.text().strip(),
            self.author.text().strip(),
            self.caption.toPlainText().strip(),
        )

    def _apply_page(self) -> None:
        """Show the fields for a plain figure, or the fields for a figure on a sheet."""
        has_page = bool(self.page.currentData())
        for row in self._of_figure:
            self._form.setRowVisible(row, not has_page)
        for field in self._of_sheet:
            self._form.setRowVisible(field, has_page)
        self._show_size()

    def _choose_scale(self) -> None:
        """Choose the scale, unless the user typed one: a slide is filled, a page gets a round
        scale.
        """
        page = self.page.currentData()
        if page and self.drawing_scale.currentText() in NAMED_SCALES.values():
            usual = FIT if PAGES[page].is_slide else ROUND
            self.drawing_scale.setCurrentText(NAMED_SCALES[usual])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._preview_soon.start()

    def _show_preview(self) -> None:
        """Paint a small picture of the figure in a thread, and show it."""
        try:
            figure = self.figure
        except InvalidSheet:
            return
        room, ratio = self.preview.size(), self.devicePixelRatioF()
        wide, high = figure.whole_size
        fitting = ratio * min(room.width() / wide, room.height() / high)
        small = replace(figure, viewport=replace(figure.viewport, ratio=fitting))

        def show_picture(picture: QImage) -> None:
            picture.setDevicePixelRatio(ratio)
            self.preview.setPixmap(QPixmap.fromImage(picture))

        self._previewing.request_task(partial(figure_image, small), show_picture)

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
        self._set_width(width if unit == MM else width * PIXELS_PER_MM * self.scale_field.value())

    def _apply_scale(self) -> None:
        """Keep the displayed width when the scale changes: pixels for a width in pixels,
        millimetres for a width on paper.
        """
        self._set_width(self.width_field.value() * self._pixels_per_unit)
        self._show_size()

    @property
    def _pixels_per_unit(self) -> float:
        return PIXELS_PER_MM * self.scale_field.value() if self.unit.currentText() == MM else 1.0

    def _set_width(self, pixels: float) -> None:
        """Show a width, given in pixels, in the chosen unit."""
        self.width_field.setDecimals(1 if self.unit.currentText() == MM else 0)
        widest = MAX_SIDE / max(1.0, self._aspect_ratio)
        self.width_field.setRange(MIN_SIDE / self._pixels_per_unit, widest / self._pixels_per_unit)
        self.width_field.setValue(pixels / self._pixels_per_unit)

    def _show_size(self) -> None:
        """Show the size of the figure, or why it cannot be drawn, and update the preview."""
        self.size_label.setText(self._figure_size_text())
        self._preview_soon.start()

    def _figure_size_text(self) -> str:
        if not self.page.currentData():
            self.export_button.setEnabled(True)
            width, height = self._pixel_size()
            across, down = (
                side / self.scale_field.value() / PIXELS_PER_MM for side in (width, height)
            )
            return tr(
                "{width} × {height} pixels, {across:.0f} × {down:.0f} mm on paper",
                width=width,
                height=height,
                across=across,
                down=down,
            )
        try:
            figure = self.figure
        except InvalidSheet as error:
            self.export_button.setEnabled(False)
            return str(error)
        self.export_button.setEnabled(True)
        scale = ratio_text(figure.paper_scale)
        if figure.is_cut:
            return tr("Scale {scale}: larger than the page, so it is cut off.", scale=scale)
        return tr("Scale {scale}", scale=scale)

    @property
    def _aspect_ratio(self) -> float:
        """The height of the area as a fraction of its width."""
        canvas = self._window.canvas
        if self.area.currentData()[0] == "view":
            return canvas.height() / canvas.width()
        width, height = self._make_figure(None, None).viewport.size
        return height / width

    def _pixel_size(self) -> tuple[int, int]:
        """The size in pixels: the chosen width with the aspect ratio of the area."""
        chosen = self.width_field.value() * self._pixels_per_unit
        return round(chosen), min(max(1, round(chosen * self._aspect_ratio)), MAX_SIDE)

    @property
    def figure(self) -> Figure:
        """The figure with the chosen options. Raises InvalidSheet."""
        if (sheet := self.sheet) is None:
            return self._make_figure(self._pixel_size(), None)
        document = self._window.document
        path = document.session.path
        file, date = path.name if path is not None else "", f"{datetime.date.today()}"
        return self._make_figure(None, SheetPage(sheet, file, date, document.document.unit))

    def _make_figure(self, size: tuple[int, int] | None, page: SheetPage | None) -> Figure:
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
            scale=PRINT_PIXEL_RATIO if page is not None else self.scale_field.value(),
            transparent=self.transparent.isChecked(),
            scale_bar=self.scale_bar.isChecked(),
            folder=document.folder,
            page=page,
        )


def ask_export(window: MainWindow) -> None:
    """Show the export dialog, ask for a file and write it. An error is shown above the canvas."""
    dialog = ExportDialog(window)
    dialog.accepted.connect(lambda: _export_figure(window, dialog))
    dialog.open()


def _export_figure(window: MainWindow, dialog: ExportDialog) -> None:
    """Remember the sheet in the document and the settings, and ask for the file."""
    sheet, document = dialog.sheet, window.document
    if sheet is not None:
        window.settings.remember_sheet(sheet)
        if sheet != document.document.sheet:
            document.change(SetDocument(sheet=sheet.to_json()))
    error = dialog.error_field.value() / 100
    _ask_file(window, dialog.figure, dialog.area.currentData()[1], error)


def _ask_file(window: MainWindow, figure: Figure, crop: CropBox | None, error: float) -> None:
    if not window.service.is_traced():
        return
    path = window.document.session.path or Path("figure")
    suggested = path.with_suffix(f".{crop.format}" if crop is not None else ".png")
    out = ask_save_name(
        window, tr("Export figure"), suggested, FILTERS, (*FIGURE_ENCODERS, *RAY_FILE_SUFFIXES)
    )
    if out is not None:
        write = figure_writer(figure, out, error, **window.service.given_limits)
        failed = window.document.failed.emit
        run_with_progress(
            write, tr("Writing {name}", name=out.name), window, lambda _: None, failed
        )
