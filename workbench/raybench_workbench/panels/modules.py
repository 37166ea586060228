"""Actions on modules: make a module of the selection, expand instances into their parts, and import
modules.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QGridLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from raybench.errors import RaybenchError, elide_text
from raybench.files.document_file import load_document
from raybench.kinds.fields import described_fields
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Define, Expand, MakeModule
from raybench.scene.changes.values import format_value, json_at_path
from raybench.scene.creation import module_creatable_id
from raybench.scene.free_names import free_names
from raybench.scene.modules.module import (
    conflicting_names,
    definitions_to_add,
    names_with_used_modules,
)
from raybench.scene.scene import Scene
from raybench_workbench import theme
from raybench_workbench.dialogs import (
    NameDialog,
    action_and_cancel_buttons,
    ask_open_name,
    dialog_column_layout,
)
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, set_vertical_scrolling
from raybench_workbench.window.layout import show_library

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


def ask_make_module(window: MainWindow) -> None:
    """Ask for a name and turn the selected objects into a module. An instance of it takes their
    place and is selected.
    """
    keys = window.selection.keys

    def make_module(name: str) -> str:
        made = MakeModule(keys, name)
        refused = window.document.apply_or_refuse(made)
        if not refused:
            window.selection.set({made.instance})
        return refused

    free = next(free_names("Module", window.document.scene.modules))
    NameDialog(tr("Make module"), tr("Name of the module"), free, make_module, window).open()


def selected_instances(window: MainWindow) -> list[ModuleObj]:
    """The selected instances of modules."""
    objects, keys = window.document.scene.objects, window.selection.keys
    return [o for o in objects if o.key in keys and isinstance(o, ModuleObj)]


def expand_instances(window: MainWindow) -> None:
    """Replace the selected module instances by their parts, and select the parts."""
    chosen = selected_instances(window)
    parts = [p.key for o in chosen for p in window.document.scene.parts_of(o)]
    if window.document.change(Expand(o.key for o in chosen)):
        window.selection.set(parts)


def fill_modules_menu(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the modules that the scene defines."""
    menu.clear()
    for name, module in window.document.scene.modules.items():
        action = menu.addAction(
            literal_label_text(name),
            partial(window.activate_drawing_tool, module_creatable_id(name)),
        )
        action.setEnabled(not module.trouble)
        action.setToolTip(literal_tool_tip(module.trouble))
    if menu.isEmpty():
        menu.addAction(tr("The scene defines none")).setEnabled(False)
    menu.addSeparator()
    menu.addAction(window.actions_by_id["file.import_modules"])


MAX_PARTS = 200
"""Number of parts that are listed."""
VISIBLE_ROWS = 8
"""Rows that are visible without scrolling."""


class PartsView(QTreeWidget):
    """A tree with a row for each part of a module instance. The rows of a part's values are created
    when it is expanded.
    """

    def __init__(self) -> None:
        super().__init__()
        self._parts: tuple[SceneObject, ...] = ()
        self._items: list[QTreeWidgetItem] = []
        self._unit = "mm"
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setAccessibleName(tr("Parts of the module"))
        self.setEditTriggers(self.EditTrigger.NoEditTriggers)
        self.setIndentation(2 * theme.GRID)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(False)
        self.itemExpanded.connect(self._add_part_values)
        theme.notifier.changed.connect(self._paint_kinds)

    def show_parts(self, parts: tuple[SceneObject, ...], owner: str, unit: str) -> None:
        """Show the parts of an instance; expanded parts stay expanded. ``owner`` is the title of
        the instance, with which the names of all parts begin.
        """
        if parts == self._parts and unit == self._unit and self.topLevelItemCount():
            return
        opened = {i for i, item in enumerate(self._items) if item.isExpanded()}
        self._parts, self._unit = parts, unit
        self._items = []  # before they are deleted
        self.clear()
        for i, part in enumerate(parts[:MAX_PARTS]):
            name = elide_text(part.title.removeprefix(f"{owner}/"), 60)
            item = QTreeWidgetItem(self, [name, part.label])
            item.setToolTip(0, literal_tool_tip(part.title))
            item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self._items.append(item)
            item.setExpanded(i in opened)
        self._paint_kinds()
        if len(parts) > MAX_PARTS:
            QTreeWidgetItem(self, [tr("{count} more", count=len(parts) - MAX_PARTS)])
        row = max(theme.ROW_HEIGHT - theme.HALF, self.sizeHintForRow(0))
        self.setFixedHeight(
            row * min(VISIBLE_ROWS, max(1, len(parts)) + (4 if opened else 0)) + 2 * theme.HALF
        )

    def _paint_kinds(self, *_: object) -> None:
        """Paint the kinds of the parts in the dim colour of the theme."""
        for item in self._items:
            item.setForeground(1, theme.current_theme().color("dim"))

    def _add_part_values(self, item: QTreeWidgetItem) -> None:
        """Add rows with the values of a part below its row."""
        if item.childCount():
            return
        part = self._parts[self.indexOfTopLevelItem(item)]
        for f in described_fields(type(part)):
            if f.name in ("name", "locked") or f.about.unused:
                continue
            value = json_at_path(part, f.json_name)
            if value is None or (not f.is_required and getattr(part, f.name) == f.default):
                continue
            is_list = isinstance(value, list) and f.about.kind in ("path", "points")
            items = value if is_list else [value]
            for k, one in enumerate(items):
                label = f"{f.about.label} {k}" if len(items) > 1 else f.about.label
                text = format_value(part, f.json_name, one, self._unit)
                QTreeWidgetItem(item, [label, text]).setToolTip(1, literal_tool_tip(text))
        rows = min(VISIBLE_ROWS, len(self._parts) + item.childCount())
        self.setFixedHeight(max(self.height(), theme.ROW_HEIGHT * rows))


KEEP, REPLACE, RENAME = tr("Keep the one here"), tr("Replace the one here"), tr("Import as")
LEAST_WIDTH = 320
"""Pixels, for the reasons why definitions cannot be used."""
FILTER = tr("Scenes (*.json *.raybench)")


class ModulesDialog(QDialog):
    """A dialog with a row for each module of a file: whether to import it and, if its name is
    taken, how to resolve the conflict.
    """

    def __init__(self, path: Path, new: Scene, scene: Scene, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Import modules from {name}", name=path.name))
        self._new, self._existing = new.modules, scene.modules
        taken = conflicting_names(self._existing, self._new)
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
            box = self.boxes[name] = QCheckBox(literal_label_text(elide_text(name, 40)), rows)
            box.setChecked(not module.trouble)
            box.setEnabled(not module.trouble)
            box.setToolTip(
                literal_tool_tip(module.trouble)
                or tr(
                    "{count} parameters, {points} points",
                    count=len(module.parameters),
                    points=module.point_count,
                )
            )
            box.toggled.connect(self._check_import)
            grid.addWidget(box, row, 0)
            if name in taken:
                choice = self.choices[name] = QComboBox(rows)
                choice.addItems([RENAME, REPLACE, KEEP])
                choice.setAccessibleName(tr("{name} is taken", name=name))
                edit = self.names[name] = QLineEdit(next(free_names(name, names, 2)), rows)
                edit.setAccessibleName(tr("New name of {name}", name=name))
                choice.currentTextChanged.connect(self._check_import)
                edit.textChanged.connect(self._check_import)
                grid.addWidget(choice, row, 1)
                grid.addWidget(edit, row, 2)
            else:
                note = tr("is here already") if name in self._existing else "new"
                label = QLabel(note, rows)
                if module.trouble:
                    label = WrappedLabel(
                        tr("cannot be used: {trouble}", trouble=module.trouble), rows
                    )
                theme.set_role(label, "dim")
                grid.addWidget(label, row, 1)
        grid.setRowStretch(len(self._new), 1)
        grid.setColumnStretch(1, 1)
        area = QScrollArea(self)
        set_vertical_scrolling(area, rows, focus=True)
        area.setMinimumWidth(max(rows.sizeHint().width() + 3 * theme.GRID, LEAST_WIDTH))
        area.setMinimumHeight(min(rows.sizeHint().height() + theme.GRID, 320))
        self.reason = WrappedLabel(parent=self)
        buttons, self.import_button = action_and_cancel_buttons(self, tr("Import"))
        dialog_column_layout(self, (area, 1), self.reason, buttons)
        self._check_import()

    @property
    def chosen_modules(self) -> list[str]:
        return [name for name, box in self.boxes.items() if box.isChecked()]

    def chosen_definitions(self) -> dict[str, object]:
        """The module definitions to add to the scene, by name."""
        choices = {
            name: {KEEP: "keep", REPLACE: "replace"}.get(
                choice.currentText(), self.names[name].text().strip()
            )
            for name, choice in self.choices.items()
        }
        return definitions_to_add(self._existing, self._new, self.chosen_modules, choices)

    def _check_import(self, *_: object) -> None:
        """Show why the import is impossible, or which other modules it includes."""
        for name, choice in self.choices.items():
            self.names[name].setVisible(choice.currentText() == RENAME)
        wrong, new = "", set(self._existing) | set(self._new)
        used = names_with_used_modules(self._new, self.chosen_modules)
        for name in used:
            if name in self.choices and self.choices[name].currentText() == RENAME:
                given = self.names[name].text().strip()
                if not given:
                    wrong = tr("A name is missing.")
                elif given in new:
                    wrong = tr(
                        "'{name}' is taken: give {other} another name.",
                        name=elide_text(given, 40),
                        other=elide_text(name, 40),
                    )
                new.add(given)
        text = tr("The library shows what is imported.")
        if more := [elide_text(name, 40) for name in used if name not in self.chosen_modules]:
            text = tr(
                "They use {names}, which come with them. {words}", names=", ".join(more), words=text
            )
        theme.set_role(self.reason, "error" if wrong else "dim")
        self.reason.setText(wrong or text)
        self.import_button.setEnabled(not wrong and bool(self.chosen_modules))


def ask_import_modules(window: MainWindow) -> None:
    """Ask for a scene file and import modules from it."""
    path = ask_open_name(window, tr("Import modules"), window.document.folder, FILTER)
    if path is not None:
        import_modules(window, path)


def import_modules(window: MainWindow, path: Path) -> None:
    """Show the import dialog for a scene file. The chosen modules are added as one undo step."""
    try:
        new = load_document(path).scene
    except RaybenchError as error:
        window.document.failed.emit(str(error))
        return
    if not new.modules:
        window.document.failed.emit(tr("{name}: the scene defines no modules.", name=path.name))
        return
    dialog = ModulesDialog(path, new, window.document.scene, window)

    def add_chosen_modules() -> None:
        made = dialog.chosen_definitions()
        names = ", ".join(elide_text(name, 40) for name in made)
        title = tr("Module") if len(made) == 1 else tr("Modules")
        if made and window.document.change(
            Define(made),
            text=tr(
                "{title} {names} imported from {name}",
                title=title,
                names=names,
                name=elide_text(path.name, 60),
            ),
        ):
            show_library(window)
            window.library.scroll_to_module(next(iter(made)))

    dialog.accepted.connect(add_chosen_modules)
    dialog.open()
