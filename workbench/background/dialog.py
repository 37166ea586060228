"""The dialog for the picture behind a scene: its file, place, scale and opacity."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QDoubleSpinBox, QFormLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from core.scene.background import Background
from core.scene.changes import SetDocument
from workbench import theme
from workbench.background.picture import background_fault, background_of
from workbench.panels.file_names import ask_open_name

if TYPE_CHECKING:
    from workbench.main_window import MainWindow

FILTERS = "Pictures (*.png *.jpg *.jpeg *.svg *.bmp *.gif *.webp)"
FAR = 1e9


class BackgroundDialog(QDialog):
    """Edits a background; `background` is the result, None for no picture."""

    def __init__(self, start: Background | None, folder: Path, unit: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Background picture")
        self._folder = folder
        self.file = start.file if start is not None else ""
        begin = start or Background("picture")
        self.choose = QPushButton(self)
        self.choose.setAccessibleName("Picture")
        self.choose.clicked.connect(self._choose)
        self.fields = {
            "x": self._number("Left", begin.x, -FAR, FAR, unit),
            "y": self._number("Top", begin.y, -FAR, FAR, unit),
            "scale": self._number("Scale", begin.scale, 1e-6, 1e6, f"{unit} per pixel"),
            "opacity": self._number("Opacity", begin.opacity, 0.0, 1.0, ""),
        }
        self.fields["opacity"].setSingleStep(0.1)
        self.note = QLabel("The picture must lie in the folder of the document.", self)
        theme.set_role(self.note, "dim")
        form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        form.setVerticalSpacing(theme.GRID)
        form.addRow("Picture", self.choose)
        for field in self.fields.values():
            form.addRow(field.accessibleName(), field)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self)
        self.remove = buttons.addButton("No picture", QDialogButtonBox.ButtonRole.DestructiveRole)
        self.remove.clicked.connect(self._remove)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[2 * theme.GRID] * 4)
        column.setSpacing(2 * theme.GRID)
        column.addLayout(form)
        column.addWidget(self.note)
        column.addWidget(buttons)
        self.set_file(self.file)

    def _number(self, name: str, value: float, low: float, high: float, suffix: str) -> QDoubleSpinBox:
        field = QDoubleSpinBox(self)
        field.setAccessibleName(name)
        field.setRange(low, high)
        field.setDecimals(4)
        field.setValue(value)
        field.setSuffix(f" {suffix}" if suffix else "")
        return field

    def set_file(self, name: str) -> None:
        """Take a picture in the folder of the document, by its name; an empty one for none."""
        self.file = name
        self.choose.setText(name or "Choose…")
        self._ok.setEnabled(bool(name))

    def _choose(self) -> None:
        path = ask_open_name(self, "Background picture", self._folder, FILTERS)
        if path is None:
            return
        if path.resolve().parent != self._folder.resolve():
            self.note.setText(f"Copy {path.name} into {self._folder} first: a document names the pictures beside it.")
            return
        self.set_file(path.name)

    def _remove(self) -> None:
        self.file = ""
        self.accept()

    @property
    def background(self) -> Background | None:
        """The background as edited."""
        numbers = {name: field.value() for name, field in self.fields.items()}
        return Background(self.file, **numbers) if self.file else None


def ask_background(window: MainWindow) -> None:
    """Ask for the picture behind the scene and set it, as one undo step."""
    folder = window.document.folder
    if folder is None:
        window.document.failed.emit("A background picture lies beside the document. Save the document first.")
        return
    dialog = BackgroundDialog(background_of(window.document.document), folder, window.document.document.unit, window)
    if dialog.exec() == QDialog.DialogCode.Accepted:
        set_background(window, dialog.background)


def set_background(window: MainWindow, background: Background | None) -> None:
    """Set the picture behind the scene, or none; what is wrong with its file is shown above the canvas."""
    window.document.change(SetDocument(background=background.to_json() if background is not None else {}))
    if fault := background_fault(window.document.document, window.document.folder):
        window.document.failed.emit(fault)
