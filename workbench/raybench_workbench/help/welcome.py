"""The welcome page: the examples with their pictures and what to ask about each, recent files, and
where to begin.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from importlib.resources import as_file
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QThreadPool, Signal
from PySide6.QtGui import QGuiApplication, QIcon, QImage, QKeyEvent, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench.files.examples import EXAMPLES, Example, command_line
from raybench.kinds.decorations import TextLabel
from raybench_workbench import theme
from raybench_workbench.threads.background import in_background, in_gui_thread
from raybench_workbench.words.labels import WrappedLabel, elided_to
from raybench_workbench.words.plain_text import label_text, tool_tip

SIZE = (960, 640)
PICTURE = QSize(208, 130)
TILE = QSize(224, 172)
SIDE_WIDTH = 232
NEW, OPEN = "new", "open"
MOST_SEGMENTS = 20_000
"""Segments that the picture of an example shows at most."""


class Welcome(QDialog):
    """The examples as pictures, which a thread draws.

    Emits ``chosen`` with an example, with a path, with ``NEW`` for a new scene, or with ``OPEN``
    for the dialog that opens a file.
    """

    chosen = Signal(object)

    def __init__(
        self, recent: list[Path], colours: theme.Theme, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Welcome")
        theme.set_role(self, "panel")
        self.resize(*SIZE)
        self.drawn = 0
        self.gallery = _gallery()
        self.question = WrappedLabel(selectable=True)
        self.question.setMinimumHeight(2 * theme.ROW_HEIGHT)
        self.open_button = QPushButton("Open example")
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self._open_selected)
        line = QHBoxLayout()
        line.addWidget(self.question, 1)
        line.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignBottom)
        right = QVBoxLayout()
        right.addWidget(self.gallery, 1)
        right.addLayout(line)
        layout = QHBoxLayout(self)
        layout.setSpacing(2 * theme.GRID)
        layout.addLayout(self._side(recent))
        layout.addLayout(right, 1)
        self.gallery.currentRowChanged.connect(self._show_question)
        self.gallery.itemActivated.connect(self._open_selected)
        self.gallery.setCurrentRow(0)
        self.gallery.setFocus()
        self._closed = False
        ratio = max(screen.devicePixelRatio() for screen in QGuiApplication.screens())
        draw = partial(self._draw, colours, ratio, in_gui_thread(self, self._show_picture))
        in_background(
            self, draw, lambda _: None, lambda error: None, pool=QThreadPool.globalInstance()
        )

    def _side(self, recent: list[Path]) -> QVBoxLayout:
        side = QVBoxLayout()
        title = QLabel("Raybench")
        theme.set_role(title, "headline")
        about = QLabel(
            "Draw lenses, mirrors and sources; rays are traced while you drag. Ask in the chat what"
            " the light does: the rays that answer light up."
        )
        about.setWordWrap(True)
        about.setFixedWidth(SIDE_WIDTH)
        side.addWidget(title)
        side.addWidget(about)
        side.addSpacing(theme.GRID)
        new, opened = QPushButton("New scene"), QPushButton("Open a file…")
        new.clicked.connect(lambda: self._choose(NEW))
        opened.clicked.connect(lambda: self._choose(OPEN))
        for button in (new, opened):
            button.setAutoDefault(False)
            side.addWidget(button)
        if recent:
            side.addSpacing(theme.GRID)
            label = QLabel("Recent")
            theme.set_role(label, "dim")
            side.addWidget(label)
        for path in recent:
            button = QPushButton()
            button.setText(
                label_text(elided_to(path.name, button.fontMetrics(), SIDE_WIDTH - 4 * theme.GRID))
            )
            button.setFlat(True)
            button.setAutoDefault(False)
            button.setToolTip(tool_tip(str(path)))
            theme.set_role(button, "file")
            button.clicked.connect(lambda _=False, path=path: self._choose(path))
            side.addWidget(button)
        side.addStretch(1)
        return side

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.gallery.hasFocus():
            self._open_selected()
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self._closed = True  # the thread stops at the next picture
        super().done(result)

    def _choose(self, what: object) -> None:
        self.done(QDialog.DialogCode.Accepted)
        self.chosen.emit(what)

    def _open_selected(self, *_: object) -> None:
        self._choose(EXAMPLES[max(self.gallery.currentRow(), 0)])

    def _show_question(self, row: int) -> None:
        self.question.setText(question_of(EXAMPLES[row]) if 0 <= row < len(EXAMPLES) else "")

    def _show_picture(self, row: int, image: QImage) -> None:
        icon = QIcon()
        for mode in (
            QIcon.Mode.Normal,
            QIcon.Mode.Selected,
        ):  # a selected picture keeps its colours
            icon.addPixmap(QPixmap.fromImage(image), mode)
        self.gallery.item(row).setIcon(icon)
        self.drawn += 1

    def _draw(self, colours: theme.Theme, ratio: float, show: Callable[..., None]) -> None:
        """Draw the pictures, in a thread of the pool, and ``show`` each in its row."""
        for row, example in enumerate(EXAMPLES):
            if self._closed:
                return
            with suppress(
                RaybenchError
            ):  # the example is listed without a picture, and opening it reports why
                show(row, picture_of(example, colours, ratio))


def question_of(example: Example) -> str:
    """What can be asked about an example, and the answer."""
    question = next((q for q in example.questions if q.command[0] == "ask"), example.questions[0])
    answer = f"{question.answer[:1].upper()}{question.answer[1:]}."
    if question.command[0] == "ask":
        return f"Ask in the chat: {question.command[2]}\n{answer}"
    return f"On the command line: {command_line(example, question)}\n{answer}"


def picture_of(example: Example, colours: theme.Theme, ratio: float = 1.0) -> QImage:
    """The traced scene of an example, of the size `PICTURE` with ``ratio`` pixels for each logical
    one. Raises RaybenchError.
    """
    from raybench.files.document_file import load_document
    from raybench.trace.trace import trace
    from raybench_workbench.figure import figure_of, image_of

    with as_file(example.path) as path:
        document = load_document(path)
    pictured = tuple(
        o for o in document.scene.objects if not isinstance(o, TextLabel)
    )  # its words would be too small to read
    document = dataclasses.replace(
        document, scene=dataclasses.replace(document.scene, objects=pictured)
    )
    result = trace(document, threads=1, max_segments=MOST_SEGMENTS)
    # drawn in twice the size and scaled down, so that lines and texts of the scene are fine
    pixels = PICTURE * ratio
    large = image_of(
        figure_of(
            document, result, colours, size=(2 * pixels.width(), 2 * pixels.height()), scale=ratio
        )
    )
    image = large.scaled(
        pixels, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    image.setDevicePixelRatio(ratio)
    return image


def _gallery() -> QListWidget:
    gallery = QListWidget()
    gallery.setAccessibleName("Examples")
    gallery.setViewMode(QListWidget.ViewMode.IconMode)
    gallery.setIconSize(PICTURE)
    gallery.setGridSize(TILE)
    gallery.setMovement(QListWidget.Movement.Static)
    gallery.setResizeMode(QListWidget.ResizeMode.Adjust)
    gallery.setWordWrap(True)
    gallery.setUniformItemSizes(True)
    blank = QPixmap(PICTURE)
    blank.fill(Qt.GlobalColor.transparent)
    for example in EXAMPLES:
        item = QListWidgetItem(QIcon(blank), example.title)
        item.setToolTip(question_of(example))
        gallery.addItem(item)
    return gallery
