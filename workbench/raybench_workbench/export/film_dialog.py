"""The dialog that writes a film: area, colours, size, curve and file."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QSpinBox,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench_workbench import theme
from raybench_workbench.dialogs import (
    action_and_cancel_buttons,
    ask_save_name,
    dialog_column_layout,
)
from raybench_workbench.export import MAX_SIDE, MIN_SIDE
from raybench_workbench.film import FFMPEG, FILM_SUFFIXES, Film, film_writer
from raybench_workbench.preferences.choices import THEME
from raybench_workbench.threads import run_with_progress
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, describe_widget, row_layout

FILTERS = tr("GIF animation (*.gif);;MP4 video (*.mp4);;PNG frames (*.png)")
NO_FFMPEG = tr("MP4 needs the program ffmpeg, which is not found.")


class FilmDialog(QDialog):
    """Asks for the area, the colours and the size of a film. The other properties are those of the
    given ``film``. The property `film` is the result.
    """

    def __init__(self, film: Film, parent: QWidget) -> None:
        super().__init__(parent)
        self._film = film
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Write film"))
        self.area = describe_widget(QComboBox(self), name=tr("Area"))
        self.area.addItem(tr("Whole scene"), None)
        if film.view.camera is not None:
            self.area.addItem(tr("Visible part"), film.view.camera)
        self.colours = describe_widget(QComboBox(self), name=tr("Colours"))
        for name in theme.THEMES:
            self.colours.addItem(tr(THEME.choices[name], THEME.title), name)
        self.colours.setCurrentIndex(self.colours.findData(film.theme.name))
        self.sides = [
            describe_widget(QSpinBox(self), name=name) for name in (tr("Width"), tr("Height"))
        ]
        for side, value in zip(self.sides, film.size, strict=True):
            side.setRange(MIN_SIDE, MAX_SIDE)
            side.setValue(value)
            side.setSuffix(" px")
            theme.indent_number_text(side)
        self.curve = QCheckBox(tr("With the curve"), self)
        self.curve.setChecked(film.measure is not None)
        self.curve.setEnabled(film.measure is not None)
        form = QFormLayout()
        form.setHorizontalSpacing(2 * theme.GRID)
        form.setVerticalSpacing(theme.GRID)
        form.addRow(tr("Area"), self.area)
        form.addRow(tr("Colours"), self.colours)
        form.addRow(tr("Size"), row_layout(*self.sides, spacing=theme.GRID))
        form.addRow("", self.curve)
        note = "" if shutil.which(FFMPEG) else NO_FFMPEG
        buttons, self.write_button = action_and_cancel_buttons(self, tr("Write…"))
        missing = WrappedLabel(note, self, role="dim") if note else None
        dialog_column_layout(self, form, missing, buttons, spacing=2 * theme.GRID)

    @property
    def film(self) -> Film:
        """The film with the chosen options."""
        return replace(
            self._film,
            view=replace(self._film.view, camera=self.area.currentData()),
            theme=theme.THEMES[self.colours.currentData()],
            size=(self.sides[0].value(), self.sides[1].value()),
            measure=self._film.measure if self.curve.isChecked() else None,
        )


def ask_film(
    film: Film,
    suggested: Path | str,
    parent: QWidget,
    done: Callable[[str], object],
    failed: Callable[[str], object],
) -> None:
    """Show the dialog, ask for a file and write the film. Then ``done`` is called with a text about
    the written files, or ``failed`` with the reason of a failure.
    """

    def ask_file() -> None:
        out = ask_save_name(parent, tr("Write film"), suggested, FILTERS, FILM_SUFFIXES)
        if out is None:
            return
        try:
            write = film_writer(dialog.film, out)
        except RaybenchError as error:
            failed(str(error))
            return
        run_with_progress(
            write,
            tr("Writing {name}", name=out.name),
            parent,
            lambda files: done(
                tr("{name} written", name=files[0].name)
                if len(files) == 1
                else tr("{first} to {last} written", first=files[0].name, last=files[-1].name)
            ),
            failed,
        )

    dialog = FilmDialog(film, parent)
    dialog.accepted.connect(ask_file)
    dialog.open()
