"""The dialog that imports module definitions from a scene file, and resolves conflicting names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from raybench.errors import RaybenchError, elided
from raybench.files.document_file import load_document
from raybench.scene.changes import Define
from raybench.scene.free_names import free_names
from raybench.scene.modules.importing import conflicts, definitions, with_used
from raybench.scene.scene import Scene
from raybench_workbench import theme
from raybench_workbench.dialogs.frame import accept_and_cancel, dialog_column
from raybench_workbench.panels.file_names import ask_open_name
from raybench_workbench.window.pages import show_library
from raybench_workbench.words.labels import WrappedLabel
from raybench_workbench.words.plain_text import breakable, label_text, tool_tip

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

KEEP, REPLACE, RENAME = "Keep the one here", "Replace the one here", "Import as"
LEAST_WIDTH = 320
"""Pixels, for the reasons why definitions cannot be used."""
FILTER = "Scenes (*.json *.raybench)"


class ModulesDialog(QDialog):
    """A row for each definition: whether it is imported and, if another definition has its name,
    how that is resolved.
    """

    def __init__(self, path: Path, new: Scene, scene: Scene, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"Import modules from {path.name}")
        self._new, self._existing = new.modules, scene.modules
        taken = conflicts(self._existing, self._new)
        self.boxes: dict[str, QCheckBox] = {}
        self.choices: dict[str, QComboBox] = {}
        self.names: dict[str, QLineEdit] = {}
        rows = QWidget(self)
        grid = QGridLayout(rows)
        grid.setContentsMargins(0, 0, theme.GRID, 0)
        grid.setHorizontalSpacing(2 * theme.GRID)
        grid.setVerticalSpacing(theme.HALF)
        names = set(self._existing) | set(self._new)
        for row, (name, module) in enumerate(self._new.items()):
            box = self.boxes[name] = QCheckBox(label_text(elided(name, 40)), rows)
            box.setChecked(not module.trouble)
            box.setEnabled(not module.trouble)
            box.setToolTip(
                tool_tip(module.trouble)
                or f"{len(module.parameters)} parameters, {module.point_count} points"
            )
            box.toggled.connect(self._check)
            grid.addWidget(box, row, 0)
            if name in taken:
                choice = self.choices[name] = QComboBox(rows)
                choice.addItems([RENAME, REPLACE, KEEP])
                choice.setAccessibleName(f"{name} is taken")
                edit = self.names[name] = QLineEdit(next(free_names(name, names, 2)), rows)
                edit.setAccessibleName(f"New name of {name}")
                choice.currentTextChanged.connect(self._check)
                edit.textChanged.connect(self._check)
                grid.addWidget(choice, row, 1)
                grid.addWidget(edit, row, 2)
            else:
                note = "is here already" if name in self._existing else "new"
                label = QLabel(
                    f"cannot be used: {breakable(module.trouble)}" if module.trouble else note, rows
                )
                label.setTextFormat(Qt.TextFormat.PlainText)
                label.setWordWrap(bool(module.trouble))
                theme.set_role(label, "dim")
                grid.addWidget(label, row, 1)
        grid.setRowStretch(len(self._new), 1)
        grid.setColumnStretch(1, 1)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(rows)
        area.setMinimumWidth(max(rows.sizeHint().width() + 3 * theme.GRID, LEAST_WIDTH))
        area.setMinimumHeight(min(rows.sizeHint().height() + theme.GRID, 320))
        self.reason = WrappedLabel(parent=self)
        buttons, self.import_button = accept_and_cancel(self, "Import")
        column = dialog_column(self)
        column.addWidget(area, 1)
        column.addWidget(self.reason)
        column.addWidget(buttons)
        self._check()

    @property
    def chosen(self) -> list[str]:
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def definitions(self) -> dict[str, object]:
        """The definitions to add, by name."""
        how = {KEEP: "keep", REPLACE: "replace"}
        choices = {
            n: how.get(c.currentText()) or self.names[n].text().strip()
            for n, c in self.choices.items()
        }
        return definitions(self._existing, self._new, self.chosen, choices)

    def _check(self, *_: object) -> None:
        """Show why the import is not possible, or which other modules it includes."""
        for name, choice in self.choices.items():
            self.names[name].setVisible(choice.currentText() == RENAME)
        wrong = ""
        new: set[str] = set()
        for name in with_used(self._new, self.chosen):
            if name in self.choices and self.choices[name].currentText() == RENAME:
                given = self.names[name].text().strip()
                if not given or given in self._existing or given in self._new or given in new:
                    wrong = (
                        f"'{elided(given, 40)}' is taken: give {elided(name, 40)} another name."
                        if given
                        else "A name is missing."
                    )
                new.add(given)
        used = "The library shows what is imported."
        more = [n for n in with_used(self._new, self.chosen) if n not in self.chosen]
        theme.set_role(self.reason, "error" if wrong else "dim")
        self.reason.setText(
            wrong
            or (
                f"They use {', '.join(elided(n, 40) for n in more)}, which come with them. {used}"
                if more
                else used
            )
        )
        self.import_button.setEnabled(not wrong and bool(self.chosen))


def ask_modules(window: MainWindow) -> None:
    """Ask for a scene file and import modules from it."""
    path = ask_open_name(window, "Import modules", window.document.folder, FILTER)
    if path is not None:
        import_modules(window, path)


def import_modules(window: MainWindow, path: Path) -> None:
    """Show the dialog for a scene file; the definitions are added as one step."""
    try:
        new = load_document(path).scene
    except RaybenchError as error:
        window.document.failed.emit(str(error))
        return
    if not new.modules:
        window.document.failed.emit(f"{path.name}: the scene defines no modules.")
        return
    dialog = ModulesDialog(path, new, window.document.scene, window)

    def add() -> None:
        made = dialog.definitions()
        names = ", ".join(elided(name, 40) for name in made)
        title = "Module" if len(made) == 1 else "Modules"
        if made and window.document.change(
            Define(made), text=f"{title} {names} imported from {elided(path.name, 60)}"
        ):
            show_library(window)
            window.library.reveal(next(iter(made)))

    dialog.accepted.connect(add)
    dialog.open()
