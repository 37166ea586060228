"""Opening and importing lens files, with a dialog for glasses that are missing in the catalogue."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QComboBox, QFormLayout, QWidget

from raybench.errors import RaybenchError, elide_text
from raybench.files.shared import LENS_SUFFIXES, SharedContent
from raybench.kinds.fields import METRES
from raybench.kinds.kinds import kind_row_of
from raybench.lens.design import LensDesign, design_to_json
from raybench.lens.glass import Glass, glass_from_text
from raybench.lens.opening import (
    MissingGlass,
    glass_label,
    missing_glasses,
    open_lens,
    read_glasses,
    read_lens_file,
)
from raybench.lens.prescription import Prescription
from raybench.scene.changes import AddPreset
from raybench.shapes.point import Point
from raybench_workbench import theme
from raybench_workbench.dialogs import ValueDialog, ask_open_name, show_notes
from raybench_workbench.translation import tr
from raybench_workbench.widgets import column_layout, push_button

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

T = TypeVar("T")
WIDTH = 420
FILTER = tr("Lenses ({names})", names=" ".join(f"*{ending}" for ending in LENS_SUFFIXES))
CATALOGUES = tr("Glass catalogues (*.agf)")


class GlassDialog(ValueDialog):
    """Asks which glasses replace those of a lens file that are missing in the catalogue. `glasses`
    are the chosen ones, by their names in the file.
    """

    def __init__(self, path: Path, missing: Sequence[MissingGlass], parent: QWidget) -> None:
        self._folder = path.parent
        self.glasses: dict[str, Glass] = {}
        self.choices = {glass.name: self._glass_choice_box(glass) for glass in missing}
        form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        for glass in missing:
            label = f"{elide_text(glass.name, 24)}, {elide_text(glass.where, 24)}"
            form.addRow(label, self.choices[glass.name])
        self.catalogue = push_button(tr("Use a catalogue file (.agf)…"), self._ask_catalogue)
        rows = QWidget()
        rows.setFocusProxy(self.choices[missing[0].name])
        column_layout(form, self.catalogue, on=rows)
        super().__init__(
            tr("Glasses of {name}", name=elide_text(path.name, 40)),
            tr("The catalogue does not have these glasses. Choose what stands for each:"),
            rows,
            parent,
            WIDTH,
        )
        for choice in self.choices.values():
            choice.currentTextChanged.connect(lambda: self.show_reason(""))

    def _glass_choice_box(self, glass: MissingGlass) -> QComboBox:
        choice = QComboBox()
        choice.setEditable(True)
        choice.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        choice.setAccessibleName(tr("Glass for {name}", name=glass.name))
        for label, each in glass.choices.items():
            choice.addItem(label, each)
        edit = choice.lineEdit()
        assert edit is not None
        edit.setPlaceholderText(tr("a name, or as 1.6204/60.3"))
        choice.setCurrentIndex(0 if glass.is_stated else -1)
        return choice

    def use_catalogue(self, path: Path) -> None:
        """Choose the glasses that a catalogue file has under these names."""
        try:
            glasses, problems = read_glasses(path)
        except RaybenchError as error:
            self.show_reason(str(error))
            return
        known = {name.casefold(): glass for name, glass in glasses.items()}
        found = {name: known[name.casefold()] for name in self.choices if name.casefold() in known}
        for name, glass in found.items():
            choice = self.choices[name]
            choice.insertItem(0, f"{glass_label(glass)} ({path.name})", glass)
            choice.setCurrentIndex(0)
        lacking = next((p for p in problems if p.partition(":")[0] in self.choices), "")
        none = "" if found else tr("{name} has none of these glasses.", name=path.name)
        self.show_reason(lacking or none)

    def accept_value(self) -> None:
        glasses: dict[str, Glass] = {}
        for name, choice in self.choices.items():
            text = choice.currentText().strip()
            at = choice.findText(text)
            try:
                if not text:
                    raise RaybenchError(tr("choose a glass."))
                glasses[name] = choice.itemData(at) if at >= 0 else glass_from_text(text)
            except RaybenchError as error:
                self.show_reason(f"{name}: {error}")
                choice.setFocus()
                return
        self.glasses = glasses
        self.accept()

    def _ask_catalogue(self) -> None:
        path = ask_open_name(self, tr("Use a glass catalogue"), self._folder, CATALOGUES)
        if path is not None:
            self.use_catalogue(path)


def read_lens_document(
    window: MainWindow, path: Path, use_content: Callable[[SharedContent], object]
) -> None:
    """Read a lens file as a document, after asking for missing glasses, and call ``use_content``
    with the document.
    """

    def read(glasses: Mapping[str, Glass]) -> SharedContent:
        document, notes = open_lens(path, glasses)
        return SharedContent(document, path.stem, None, notes=notes)

    _read_with_glasses(window, path, read, use_content)


def ask_lens_file(window: MainWindow) -> None:
    """Ask for a lens file and add its lens to the scene."""
    path = ask_open_name(window, tr("Import a lens"), window.document.folder, FILTER)
    if path is not None:
        import_lens(window, path)


def import_lens(window: MainWindow, path: Path) -> None:
    """Add the lens of a file in the middle of the view, converted to the unit of the scene. Its
    sources are added too if the scene has no light yet.
    """

    def add(lens: tuple[Prescription, tuple[str, ...]]) -> None:
        system, notes = lens
        document = window.document.document
        factor = float(METRES[system.unit] / METRES[document.unit])
        system = dataclasses.replace(system.scaled(factor), unit=document.unit)
        canvas = window.canvas
        middle = canvas.camera.to_scene(canvas.rect().toRectF().center())
        dark = all(kind_row_of(o).emits is None for o in document.scene.objects)
        change = AddPreset(
            "CentredLens",
            {"design": design_to_json(LensDesign(system)), "sources": dark},
            Point(float(round(middle.x - system.length / 2)), float(round(middle.y))),
            as_=system.title or path.stem,
        )
        if window.document.change(change):
            window.selection.select_and_show(change.keys.values())
            show_notes(window, tr("{name} was imported", name=path.name), notes)

    _read_with_glasses(window, path, partial(read_lens_file, path), add)


def _read_with_glasses(
    window: MainWindow,
    path: Path,
    read: Callable[[Mapping[str, Glass]], T],
    use_result: Callable[[T], object],
) -> None:
    """Ask for the glasses that are missing in the catalogue, read a lens file with them in a
    thread, and call ``use_result`` with the result.
    """

    def ask(missing: Sequence[MissingGlass]) -> None:
        if not missing:
            window.reading.request_task(partial(read, {}), use_result)
            return
        dialog = GlassDialog(path, missing, window)
        dialog.accepted.connect(
            lambda: window.reading.request_task(partial(read, dialog.glasses), use_result)
        )
        dialog.open()

    window.reading.request_task(partial(missing_glasses, path), ask)
