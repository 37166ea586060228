"""The dialog that imports an SVG or DXF drawing: the kind of object to make of each layer, the
place, the scale and tolerance, and a preview.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QWidget

from raybench.errors import RaybenchError, elide_text
from raybench.files.drawings import DEFAULT_TOLERANCE, KINDS
from raybench.files.drawings.conversion import (
    DrawingOutlines,
    ImportedDrawing,
    convert_drawing,
    guess_layer_kind,
    read_drawing,
)
from raybench.kinds.fields import LENGTH
from raybench.scene.changes import Add, Change, ChangeRefused, Group, apply_changes
from raybench.scene.changes.duplicating import groups_for_copies
from raybench.scene.document import Document
from raybench.scene.free_names import free_name
from raybench.scene.hit_test import scene_extent
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.canvas.object_layer import paint_objects
from raybench_workbench.canvas.object_painter import paint_fill
from raybench_workbench.canvas.strokes import Style
from raybench_workbench.canvas.viewport import fit_camera
from raybench_workbench.dialogs import (
    action_and_cancel_buttons,
    ask_open_name,
    dialog_column_layout,
)
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.texts import literal_label_text
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

KIND_TITLES = {
    "glass": tr("Glass: each closed outline a body"),
    "mirror": tr("Mirrors: each line, arc and curve"),
    "blocker": tr("Blockers: each line"),
    "optics": tr("Glass and mirrors: closed, open lines"),
    "drawing": tr("A drawing without effect on light"),
}
MOST_LAYERS = 8
"""Number of layers up to which each is chosen on its own."""
PREVIEW_SIZE = QSize(360, 240)
WIDTH = 400
FILTER = tr("Drawings (*.svg *.dxf)")


class DrawingPreview(QWidget):
    """A preview of objects, painted as on the canvas and fitted to the widget."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.document = Document()
        self.setFixedSize(PREVIEW_SIZE)
        self.setAccessibleName(tr("Preview"))

    def show_objects(self, drawing: ImportedDrawing | None) -> None:
        self.document = Document(scene=Scene.of(drawing.objects if drawing is not None else ()))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.current_theme().color("canvas"))
        if self.document.scene.objects:
            camera = fit_camera(scene_extent(self.document.scene), (self.width(), self.height()))
            for obj in self.document.scene.objects:
                paint_fill(painter, obj, camera, Style(theme.current_theme()))
            paint_objects(painter, self.document, camera, theme.current_theme())
        painter.end()


class DrawingDialog(QDialog):
    """The dialog that imports a drawing, which is read and converted in another thread.
    `result_objects` are the objects to add; None while there are none.
    """

    def __init__(self, path: Path, unit: str, centre: Point, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Import {name}", name=path.name))
        self._path, self._unit, self._centre = path, unit, centre
        self._drawing: DrawingOutlines | None = None
        self.result_objects: ImportedDrawing | None = None
        self._converting = LatestTaskRunner(self, self._show_empty_preview, tr("The import"))
        self._accepts = False
        """Whether Import was chosen during the conversion."""
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(tr("Import as"))
        for name in KINDS:
            self.kind.addItem(KIND_TITLES[name], name)
        self.kind.currentIndexChanged.connect(self._convert_drawing)
        self.layers: dict[str, QComboBox] = {}
        """What each layer becomes, by its name, if there are several."""
        self.place = QComboBox(self)
        self.place.setAccessibleName(tr("Place"))
        self.place.addItems([tr("At the drawing's coordinates"), tr("In the middle of the view")])
        self.place.currentIndexChanged.connect(self._convert_drawing)
        self.scale = self._make_number_edit(tr("Scale", "drawing"), "", 1.0)
        self.scale.setToolTip(
            tr(
                "Factor to the size of the drawing, which its unit gives; 25.4 for inches"
                " written as millimetres."
            )
        )
        self.tolerance = self._make_number_edit(tr("Tolerance"), LENGTH, DEFAULT_TOLERANCE)
        self.tolerance.setToolTip(
            tr("Largest distance of straight pieces from the curves that they replace.")
        )
        self.preview = DrawingPreview(self)
        self.summary, self.reason = WrappedLabel(), WrappedLabel(role="error")
        for label in (self.summary, self.reason):
            label.setFixedWidth(PREVIEW_SIZE.width())
        form = self._form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        form.setVerticalSpacing(theme.GRID)
        form.addRow(tr("Import as"), self.kind)
        form.addRow(tr("Place"), self.place)
        form.addRow(tr("Scale", "drawing"), self.scale)
        form.addRow(tr("Tolerance"), self.tolerance)
        buttons, self.import_button = action_and_cancel_buttons(self, tr("Import"))
        dialog_column_layout(self, form, self.preview, self.summary, self.reason, buttons)
        self._convert_drawing()

    def _make_number_edit(self, label: str, unit: str, value: float) -> NumberEdit:
        edit = NumberEdit(label, unit, self._unit, low=1e-6, high=1e6)
        edit.set_value(value)
        edit.committed.connect(self._convert_drawing)
        edit.refused.connect(lambda _: self._show_reason(""))
        return edit

    @property
    def settled(self) -> bool:
        """Whether the preview matches the current input."""
        return not self._converting.is_working

    def _show_reason(self, reason: str) -> None:
        """Show why nothing can be imported. An empty text shows why a number is refused, if one is."""
        reason = reason or self.scale.refusal or self.tolerance.refusal
        self.import_button.setEnabled(
            not reason and (self.result_objects is not None or self._converting.is_working)
        )
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        QTimer.singleShot(0, self, self.adjustSize)

    def _convert_drawing(self, *_: object) -> None:
        """Convert the drawing with the current input, in another thread; the first time also read
        the file.
        """
        path, drawing, as_ = self._path, self._drawing, self._chosen_kinds()
        convert = partial(
            convert_drawing,
            scale=self.scale.value,
            unit=self._unit,
            tolerance=self.tolerance.value,
            centre=self._centre if self.place.currentIndex() else None,
        )

        def read_and_convert() -> tuple[DrawingOutlines, ImportedDrawing | RaybenchError]:
            read = drawing if drawing is not None else read_drawing(path)
            try:
                return read, convert(read, as_)
            except RaybenchError as error:
                return read, error

        self.result_objects = None
        self._accepts = False
        if drawing is None:
            self.summary.setText(tr("Reading…"))
        self._converting.request_task(read_and_convert, lambda answer: self._show_imported(*answer))
        self._show_reason("")

    def _chosen_kinds(self) -> str | dict[str, str]:
        """The kind of object made of the whole drawing, or of each layer."""
        every = str(self.kind.currentData())
        if not self.layers:
            return every
        chosen = {layer: box.currentData() for layer, box in self.layers.items()}
        return {
            layer: every if kind is None else kind for layer, kind in chosen.items() if kind != ""
        }

    def _offer_layers(self, names: Sequence[str]) -> None:
        """Add a row for each layer, with the kind of object that the layer's name suggests."""
        for i, name in enumerate(names):
            box = self.layers[name] = QComboBox(self)
            box.setAccessibleName(tr("Layer {name}", name=name))
            box.addItem(tr("As above"), None)
            for kind in KINDS:
                box.addItem(KIND_TITLES[kind], kind)
            box.addItem(tr("Left out"), "")
            box.setCurrentIndex(max(box.findData(guess_layer_kind(name) or None), 0))
            box.currentIndexChanged.connect(self._convert_drawing)
            title = literal_label_text(elide_text(name or tr("No layer"), 16))
            self._form.insertRow(1 + i, title, box)

    def _show_imported(
        self, drawing: DrawingOutlines, imported: ImportedDrawing | RaybenchError
    ) -> None:
        if self._drawing is None and 1 < len(drawing.layers) <= MOST_LAYERS:
            self._drawing = drawing
            self._offer_layers(drawing.layers)
            self._convert_drawing()
            return
        self._drawing = drawing
        if isinstance(imported, RaybenchError):
            self._show_empty_preview(str(imported))
            return
        self.result_objects = imported
        self.summary.setText("\n".join((f"{imported.summary} {self._unit}", *imported.notes)))
        self._show_reason("")
        self.preview.show_objects(imported)
        if self._accepts:
            self.accept()

    def _show_empty_preview(self, reason: str) -> None:
        """Show an empty preview and the reason why nothing can be imported."""
        self._accepts = False
        self.summary.setText("")
        self._show_reason(reason)
        self.preview.show_objects(None)

    def accept(self) -> None:
        """Import the objects as soon as the drawing is converted. A click on Import also commits a
        number that is being typed.
        """
        self._accepts = self._converting.is_working
        if not self._accepts:
            super().accept()

    def done(self, result: int) -> None:
        self._converting.cancel_request()
        super().done(result)


def ask_drawing_file(window: MainWindow) -> None:
    """Ask for a drawing and import it."""
    path = ask_open_name(window, tr("Import a drawing"), window.document.folder, FILTER)
    if path is not None:
        import_drawing(window, path)


def import_drawing(window: MainWindow, path: Path) -> None:
    """Show the import dialog for a drawing. The imported objects are selected. Those of each layer
    become a group; without layers, all objects do.
    """
    canvas = window.canvas
    middle = canvas.camera.to_scene(canvas.rect().toRectF().center())
    dialog = DrawingDialog(
        path,
        window.document.document.unit,
        Point(float(round(middle.x)), float(round(middle.y))),
        window,
    )
    dialog.accepted.connect(lambda: _add_imported_objects(window, path, dialog.result_objects))
    dialog.open()


def _add_imported_objects(window: MainWindow, path: Path, drawing: ImportedDrawing | None) -> None:
    if drawing is None:
        return
    keys = [o.key for o in drawing.objects]
    taken = {o.title for o in window.document.scene.objects}
    objects = []
    for obj in drawing.objects:
        objects.append(replace(obj, name=free_name(obj.name, taken)) if obj.name else obj)
        taken.add(objects[-1].name)
    changes: list[Change] = [Add(tuple(objects))]
    layers = [(name or path.stem, own) for name, own in drawing.layers.items() if len(own) > 1]
    if layers:
        try:
            after = apply_changes(changes, window.document.document)
        except ChangeRefused as error:
            window.document.failed.emit(str(error))
            return
        changes += [Group(held, name) for name, held in groups_for_copies(after, layers).items()]
    count = tr("1 object") if len(keys) == 1 else tr("{count} objects", count=len(keys))
    if window.document.change(
        changes,
        text=tr("{count} imported from {name}", count=count, name=elide_text(path.name, 60)),
    ):
        window.selection.select_and_show(keys)
