"""Form rows of how a text or a line asks to be drawn: its colour, and the width and dashes of a
line.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QPushButton, QSizePolicy

from raybench.kinds.rows.own_style import WIDEST_LINE, OwnStyle
from raybench_workbench import theme
from raybench_workbench.panels.form import SEVERAL, Form
from raybench_workbench.panels.form_part import Part

AS_THEME, SEVERAL_TEXT = "as the theme", "several…"
USUAL_WIDTH = 1.25
"""Pixels of a line that asks for no width."""
DASHES = {
    "Solid": (),
    "Dashed": (6.0, 4.0),
    "Dotted": (1.5, 3.0),
    "Dash-dotted": (8.0, 3.0, 1.5, 3.0),
}


def add_style(form: Form, part: Part, *, lines: bool) -> None:
    """Add the row of a colour and, for lines, those of width and dashes. ``part`` is the JSON of an
    `OwnStyle`.
    """
    _add_color(
        form,
        dataclasses.replace(
            part,
            label="Colour",
            tip="Its own colour; as the theme says where it would hardly be seen.",
        ),
    )
    if lines:
        width = _entry(part, "Line width", "width", lambda own: own.width or USUAL_WIDTH, "px")
        form.add_row(width, form.number(dataclasses.replace(width, low=0.1, high=WIDEST_LINE)))
        dashes = _entry(
            part,
            "Dashes",
            "dash",
            lambda own: _named(own.dash),
            encode=lambda name: list(DASHES[name]),
        )
        combo = form.choice(dashes, list(DASHES))
        combo.setPlaceholderText("other")
        form.add_row(dashes, combo)


def _entry(
    part: Part,
    label: str,
    key: str,
    get: Callable[[OwnStyle], Any],
    unit: str = "",
    encode: Callable[[Any], Any] = lambda value: value,
) -> Part:
    """An entry of a style, which is written with the others kept; empty ones are left out."""
    return Part(
        label,
        lambda o: get(OwnStyle.of(part.get(o))),
        part.path,
        unit,
        encode=lambda value: {key: encode(value) or None},
    )


def _named(dash: tuple[float, ...]) -> str:
    """The name of dashes; empty for others than those of the list."""
    return next((name for name, known in DASHES.items() if known == dash), "")


def _add_color(form: Form, part: Part) -> None:
    color = _entry(part, part.label, "color", lambda own: own.color)
    button = QPushButton()
    button.setAccessibleName(color.label)
    button.setToolTip(part.tip)
    button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    button.setIconSize(QSize(theme.SMALL_SIZE, theme.SMALL_SIZE))
    reset = form.button(
        "×", "Remove the colour", lambda o: color.values(None), "Remove the colour: as the theme"
    )
    reset.setFixedWidth(2 * theme.GRID)

    def chosen(given: QColor) -> None:
        parts = given.redF(), given.greenF(), given.blueF(), given.alphaF()
        form.change(
            color.values({name: round(part, 4) for name, part in zip("rgba", parts, strict=True)})
        )

    def pick() -> None:
        now = form.common(color)
        dialog = QColorDialog(
            _color(now) if now and now is not SEVERAL else QColor(Qt.GlobalColor.white), form
        )
        dialog.setWindowTitle("Colour")
        dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.colorSelected.connect(chosen)
        dialog.open()

    def update() -> None:
        now = form.common(color)
        own = _color(now) if now and now is not SEVERAL else None
        button.setText(
            SEVERAL_TEXT
            if now is SEVERAL
            else f" {own.name().upper()}"
            if own is not None
            else AS_THEME
        )
        button.setIcon(_swatch(own) if own is not None else QIcon())
        reset.setVisible(bool(now))

    button.clicked.connect(pick)
    line = QHBoxLayout()
    line.setSpacing(theme.HALF)
    line.addWidget(button, 1)
    line.addWidget(reset)
    form.add_row(color, line)
    form.on_update(update)


def _color(rgba: tuple[float, float, float, float]) -> QColor:
    return QColor.fromRgbF(*rgba)


def _swatch(color: QColor) -> QIcon:
    """A disc of the colour, twice as large as it is shown, for screens of a high resolution."""
    size = 2 * theme.SMALL_SIZE
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    painter.drawEllipse(QRectF(QPointF(1, 1), QPointF(size - 1, size - 1)))
    painter.end()
    return QIcon(pixmap)
