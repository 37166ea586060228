"""The dialog for the background picture of a scene: its file, position, scale and opacity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QPushButton, QWidget

from raybench.errors import RaybenchError
from raybench.files.pictures import copy_picture_to_folder
from raybench.kinds.fields import LENGTH
from raybench.scene.background import Background
from raybench.scene.changes import SetDocument
from raybench.scene.changes.setting import unknown_scene_entries
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.background import BACKGROUND_KEY, document_background
from raybench_workbench.dialogs import NumberDialog, ask_open_name, dialog_column_layout
from raybench_workbench.panels.number_edit import NumberEdit
from raybench_workbench.texts import literal_label_text
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

FILTERS = tr("Pictures (*.png *.jpg *.jpeg *.bmp *.gif *.webp)")
BESIDE = tr("A picture of another folder is copied beside the document.")


class BackgroundDialog(QDialog):
    """A dialog that edits a background. `background` is the result, None for no picture."""

    def __init__(
        self,
        start: Background | None,
        folder: Path | None,
        unit: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Background picture"))
        self.folder = folder
        """The folder of the chosen picture."""
        self.file = start.file if start is not None else ""
        begin = start or Background("picture")
        self.choose = QPushButton(self)
        self.choose.setAccessibleName(tr("Picture"))
        self.choose.clicked.connect(self._choose_file)
        self.fields = {
            "x": NumberEdit(tr("Left"), LENGTH, unit),
            "y": NumberEdit(tr("Top"), LENGTH, unit),
            "scale": NumberEdit(tr("Scale ({unit} per pixel)", unit=unit), low=1e-9, high=1e9),
            "opacity": NumberEdit(tr("Opacity"), low=0.0, high=1.0, step=0.1),
        }
        self.note = WrappedLabel(BESIDE, self, role="dim")
        form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        form.setVerticalSpacing(theme.GRID)
        form.addRow(tr("Picture"), self.choose)
        for name, field in self.fields.items():
            field.set_value(getattr(begin, name))
            field.refused.connect(lambda _: self._show_error(""))
            form.addRow(field.accessibleName(), field)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )  # after the fields, for Tab
        self.remove = buttons.addButton(
            tr("No picture"), QDialogButtonBox.ButtonRole.DestructiveRole
        )
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self._remove_background)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        dialog_column_layout(self, form, self.note, buttons, spacing=2 * theme.GRID)
        self.set_file(self.file)

    def _show_error(self, error: str) -> None:
        """Show an error in place of the note. With an empty text, show why a number is refused, or
        else the note.
        """
        refused = next(filter(None, (field.refusal for field in self.fields.values())), "")
        error = error or refused
        self.note.setText(error or BESIDE)
        theme.set_role(self.note, "error" if error else "dim")
        self._ok.setEnabled(bool(self.file) and not refused)

    def set_file(self, name: str) -> None:
        """Choose a picture in the folder of the document by its name. An empty name means no
        picture.
        """
        self.file = name
        self.choose.setText(literal_label_text(name) or tr("Choose…"))
        self._show_error("")

    def _choose_file(self) -> None:
        path = ask_open_name(self, tr("Background picture"), self.folder, FILTERS)
        if path is None:
            return
        self.folder = path.parent
        self.set_file(path.name)
        self._ok.setFocus()  # Enter would ask for another picture

    def _remove_background(self) -> None:
        self.file = ""
        self.accept()

    @property
    def background(self) -> Background | None:
        """The background as the user has edited it."""
        numbers = {name: field.value for name, field in self.fields.items()}
        return Background(self.file, **numbers) if self.file else None


def ask_background(window: MainWindow) -> None:
    """Ask for the background picture of the scene in a dialog, and set it as one undo step."""
    document = window.document
    dialog = BackgroundDialog(
        document_background(document.document), document.folder, document.document.unit, window
    )

    def take_picture() -> None:
        background, folder, path = dialog.background, dialog.folder, document.session.path
        if background is not None and folder is not None and path is None:
            document.picture_folder = folder
        elif background is not None and folder is not None and path is not None:
            try:
                name = copy_picture_to_folder(folder / background.file, path.parent)
            except RaybenchError as error:
                document.failed.emit(str(error))
                return
            background = replace(background, file=name)
        set_background(window, background)

    dialog.accepted.connect(take_picture)
    dialog.open()


def ask_two_points(window: MainWindow) -> None:
    """Ask for two points of the picture and their true distance, and scale the picture about the
    first point to match it.
    """
    document = window.document

    def scale_to_distance(a: Point, b: Point, length: float) -> None:
        background, by = document_background(document.document), length / math.dist(a, b)
        if background is not None:
            x, y = a.x + by * (background.x - a.x), a.y + by * (background.y - a.y)
            set_background(window, replace(background, x=x, y=y, scale=by * background.scale))

    def ask_distance(points: Sequence[Point]) -> None:
        a, b = points
        unit = document.document.unit
        label = tr("True distance of the two points, such as 25 mm:")
        act, limits = partial(scale_to_distance, a, b), (1e-9, None)
        now = math.dist(a, b)
        NumberDialog(tr("Scale the picture"), label, now, LENGTH, unit, act, window, limits).open()

    window.canvas.activate_measuring_mode("distance", ask_distance)
    window.canvas.setFocus()


def set_background(window: MainWindow, background: Background | None) -> None:
    """Set the background picture of the scene. None also removes the picture that the scene's own
    file names.
    """
    if background is not None:
        window.document.change(SetDocument(background=background.to_json()))
        return
    kept = unknown_scene_entries(window.document.scene)
    named = kept.pop(BACKGROUND_KEY, None) is not None
    window.document.change(
        SetDocument(background={}, kept=kept if named else None), text=tr("Document: no background")
    )
