"""The palette: every action of the window by a few letters of its name."""

from __future__ import annotations

import dataclasses
import html
import platform
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from importlib.resources import as_file
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QThreadPool, QTimer, Signal, qVersion
from PySide6.QtGui import (
    QAction,
    QGuiApplication,
    QIcon,
    QImage,
    QKeyEvent,
    QPixmap,
    QTextBlockFormat,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from raybench.errors import RaybenchError
from raybench.files.examples import EXAMPLES, Example, command_line
from raybench.kinds.decorations import TextLabel
from raybench.system.extras import version_of
from raybench.system.log_file import log_path
from raybench_workbench import theme
from raybench_workbench.texts import label_text, tool_tip
from raybench_workbench.threads import in_background, in_gui_thread
from raybench_workbench.widgets import NoMatch, WrappedLabel, elided_to, in_a_column, in_a_row

if TYPE_CHECKING:
    from raybench.agent.catalogue.help import Passage

REASON = "reason"
"""The property of an action of the table that says why it cannot be used; empty while it can."""
PALETTE_SIZE = (460, 340)
UNUSABLE = 0.4
"""Cost of an action that cannot be used: it is listed after others that match as well, and before
those that match by chance.
"""
_ACTION = Qt.ItemDataRole.UserRole


def match_score(query: str, title: str) -> float | None:
    """How well the letters of a query match a title: less is better, None if they do not occur in
    this order.

    Letters that follow each other or begin a word cost nothing, others one; a match that starts
    late costs a little.
    """
    low, at, cost, first = title.lower(), -1, 0.0, 0
    for i, letter in enumerate(query.lower().replace(" ", "")):
        starts = [k for k in range(at + 1, len(low)) if low[k] == letter]
        if not starts:
            return None
        near = next((k for k in starts if k == at + 1 or not low[k - 1].isalnum()), None)
        at, cost = (near, cost) if near is not None else (starts[0], cost + 1)
        first = at if i == 0 else first
    return cost + first / 100 + len(title) / 1000


class Palette(QDialog):
    """Lists the actions that match what is typed, the best first; Enter or a click runs one."""

    def __init__(self, actions: Sequence[tuple[str, QAction]], parent: QWidget) -> None:
        """``actions`` are pairs of a menu's name and an action in it."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName("Find an action")
        theme.set_role(self, "panel")
        self._actions = actions
        blank = QPixmap(theme.ICON_SIZE, theme.ICON_SIZE)
        blank.fill(Qt.GlobalColor.transparent)
        self._no_icon = QIcon(blank)
        """Keeps the titles of actions without a picture in line with the others."""
        self.query = QLineEdit(self)
        self.query.setPlaceholderText("What do you want to do?")
        self.query.setAccessibleName("Action to find")
        self.list = QListWidget(self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.no_match = NoMatch(
            "No action matches. Try another word, or ask in the chat.", self.list
        )
        in_a_column(self.query, self.list, on=self, margins=theme.GRID)
        self.query.textChanged.connect(self._fill_commands)
        self.query.installEventFilter(self)
        self.list.itemClicked.connect(self._run_command)
        self._fill_commands("")
        self.resize(*PALETTE_SIZE)

    def _fill_commands(self, query: str) -> None:
        self.list.clear()
        ranked = []
        for i, (menu, action) in enumerate(self._actions):
            title = action.text().replace("&&", "&")
            costs = [
                c + extra
                for text, extra in ((title, 0.0), (f"{menu} {title}", 0.5))
                if (c := match_score(query, text)) is not None
            ]
            if costs:
                best = min(costs) if query else 0.0
                ranked.append(
                    (best if action.isEnabled() else best + UNUSABLE, i, menu, title, action)
                )
        for _, _, menu, title, action in sorted(ranked, key=lambda r: r[:2]):
            keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            reason = action.property(REASON) or ""
            text = "    ".join(
                filter(None, (f"{menu}: {title}", keys, reason and f"({reason.removesuffix('.')})"))
            )
            item = QListWidgetItem(
                action.icon() if not action.icon().isNull() else self._no_icon, text
            )
            item.setData(_ACTION, action)
            if not action.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.no_match.setVisible(not self.list.count())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the query has the focus, and Enter run."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            step = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_PageDown: 8,
                Qt.Key.Key_PageUp: -8,
            }.get(Qt.Key(event.key()))
            if step is not None:
                self.list.setCurrentRow(
                    min(max(self.list.currentRow() + step, 0), self.list.count() - 1)
                )
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                item = self.list.currentItem()
                if item is not None:
                    self._run_command(item)
                return True
        return super().eventFilter(watched, event)

    def _run_command(self, item: QListWidgetItem) -> None:
        action: QAction = item.data(_ACTION)
        if action.isEnabled():
            self.close()
            QTimer.singleShot(
                0, action.trigger
            )  # after the click, since a dialog of the action may run while the palette is deleted

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the upper middle of a window."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        at = window.mapToGlobal(window.rect().topLeft())
        self.move(at.x() + (window.width() - self.width()) // 2, at.y() + window.height() // 8)
        self.show()
        self.query.setFocus()


FIRST_GUIDES = ("Window: ", "Asking: ")
"""The guides that are listed before the others."""
PURPOSE = "A workbench for two-dimensional ray optics with an agent at the bench."
ABOUT_ICON = 64
KEYS_SIZE, GUIDES_SIZE = (980, 640), (920, 640)


def keys_html(actions: Iterable[tuple[str, QAction]], others: Iterable[tuple[str, str]]) -> str:
    """Two columns with all keys: of the actions by their menus, then of the canvas (``others`` are
    pairs of keys and meaning).
    """
    rows: dict[str, list[tuple[str, str]]] = {}
    for menu, action in actions:
        native = action.shortcut().SequenceFormat.NativeText
        keys = ", ".join(k.toString(native) for k in action.shortcuts() if not k.isEmpty())
        if keys:
            rows.setdefault(menu, []).append((keys, action.iconText().partition(": ")[0]))
    rows["On the canvas"] = list(others)
    columns: list[list[str]] = [[], []]
    lines = sum(map(len, rows.values())) + len(rows)
    for menu, found in rows.items():
        column = columns[
            sum(map(len, columns)) > 0.55 * lines
        ]  # the last part, of the canvas, has lines that wrap
        column.append(
            f"<tr><td colspan=2 style='padding-top:10px'><b>{html.escape(menu)}</b></td></tr>"
        )
        column += (
            "<tr><td"
            f" style='padding-right:24px'>{html.escape(k)}</td><td>{html.escape(what)}</td></tr>"
            for k, what in found
        )
    tables = (
        f"<td width='50%'><table cellspacing=0 cellpadding=2>{''.join(column)}</table></td>"
        for column in columns
    )
    return f"<table width='100%' cellspacing=0 cellpadding=8><tr>{''.join(tables)}</tr></table>"


def show_keys(
    window: QWidget, actions: Iterable[tuple[str, QAction]], others: Iterable[tuple[str, str]]
) -> QDialog:
    """Show the sheet of keys beside the work: it does not block the window."""
    dialog = _new_dialog(window, "Keys", KEYS_SIZE)
    text = QTextBrowser(dialog)
    text.setHtml(keys_html(actions, others))
    text.setAccessibleName("All keys")
    in_a_column(text, on=dialog, margins=0)
    dialog.show()
    return dialog


class Guides(QDialog):
    """The shipped guides: their sections as a list, below the names of the guides, and the section
    chosen. A search lists those that it finds instead, the best first.
    """

    def __init__(self, parent: QWidget) -> None:
        # the catalogue of tools is not loaded before it is asked for
        from raybench.agent.catalogue.default_tools import guide
        from raybench.agent.catalogue.help import guide_sections, sections

        super().__init__(parent)
        self._guides = sorted((*guide_sections(), *sections(guide())), key=_section_place)
        self._rows: list[Passage | None] = []
        """The section of each row; None in that of a guide's name."""
        self.query = QLineEdit(self)
        self.query.setPlaceholderText("Search the guides")
        self.query.setAccessibleName("Search the guides")
        self.query.setClearButtonEnabled(True)
        self.list = QListWidget(self)
        self.list.setAccessibleName("Sections of the guides")
        self.list.setFixedWidth(320)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = QTextBrowser(self)
        self.text.setAccessibleName("Section")
        self.text.document().setDocumentMargin(2 * theme.GRID)
        left = in_a_column(self.query, (self.list, 1))
        in_a_row(left, (self.text, 1), on=self)
        self.query.textChanged.connect(self._search_guides)
        self.list.currentRowChanged.connect(self._show_section)
        self._search_guides("")

    def _search_guides(self, query: str) -> None:
        from raybench.agent.catalogue.help import best_passages

        typed = query.strip().lower()
        held = [g for g in self._guides if typed in g.text.lower() or typed in g.title.lower()]
        found = list(dict.fromkeys((*best_passages(query, self._guides, len(self._guides)), *held)))
        self.list.clear()
        self._rows = []
        if typed:
            for section in found:
                self._add_section(section.title, section)
        else:
            for guide, sections in groupby(
                self._guides, key=lambda section: section.title.partition(": ")[0]
            ):
                self._add_section(guide, None)
                for section in sections:
                    self._add_section(f"    {section.title.partition(': ')[2]}", section)
        self.list.setCurrentRow(0 if typed else 1)
        if not self._rows:
            self.text.setPlainText(
                "Nothing in the guides matches. Try another word, or ask in the chat."
            )

    def _add_section(self, text: str, section: Passage | None) -> None:
        item = QListWidgetItem(text)
        item.setToolTip(text.strip())
        if section is None:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setFont(theme.text_font(strong=True))
            item.setForeground(
                self.list.palette().text()
            )  # a heading is no choice, and yet to be read
        self.list.addItem(item)
        self._rows.append(section)

    def _show_section(self, row: int) -> None:
        if 0 <= row < len(self._rows) and (section := self._rows[row]) is not None:
            self.text.setMarkdown(f"## {section.title}\n\n{section.text}")
            document = self.text.document()
            cursor = QTextCursor(document)
            cursor.select(QTextCursor.SelectionType.Document)
            spaced = QTextBlockFormat()
            spaced.setBottomMargin(theme.GRID)
            cursor.mergeBlockFormat(spaced)
            cursor.clearSelection()


def _section_place(section: Passage) -> int:
    """Where the guide of a section stands among the others."""
    return next(
        (i for i, guide in enumerate(FIRST_GUIDES) if section.title.startswith(guide)),
        len(FIRST_GUIDES),
    )


def show_guides(window: QWidget) -> Guides:
    """Show the guides beside the work."""
    dialog = Guides(window)
    _prepare_dialog(dialog, "Guides", GUIDES_SIZE)
    dialog.show()
    dialog.query.setFocus()
    return dialog


def diagnostics_report(scene: str) -> str:
    """What a report of a fault needs to say of the program and its surroundings; ``scene``
    describes the scene.
    """
    packages = ("numpy", "numba", "scipy")
    versions = ", ".join(f"{name} {version_of(name)}" for name in packages)
    return (
        f"Raybench {metadata.version('raybench')}\nPython {platform.python_version()} on {platform.platform()}\n"
        f"Qt {qVersion()}, PySide6 {PySide6.__version__}, {versions}\nScene: {scene}\nLog: {log_path()}"
    )


def show_about(window: QWidget, text: str) -> QDialog:
    """Show the program's name, what it is and ``text``, as `diagnostics_report` gives it, which can be
    selected and copied.
    """
    dialog = QDialog(window)
    _prepare_dialog(dialog, "About Raybench")
    icon, name, purpose = (
        QLabel(dialog),
        QLabel(text.partition("\n")[0], dialog),
        QLabel(PURPOSE, dialog),
    )
    icon.setPixmap(window.windowIcon().pixmap(ABOUT_ICON, ABOUT_ICON))
    theme.set_role(name, "headline")
    facts = QLabel(text.partition("\n")[2], dialog)
    facts.setAccessibleName("Versions and scene")
    facts.setTextFormat(Qt.TextFormat.PlainText)
    facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    theme.set_role(facts, "dim")
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    copy = buttons.addButton("Copy", QDialogButtonBox.ButtonRole.ActionRole)
    copy.setToolTip("Copy what is shown, for a report")
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    buttons.rejected.connect(dialog.reject)
    buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
    grid = QGridLayout(dialog)
    grid.setContentsMargins(*[2 * theme.GRID] * 4)
    grid.setHorizontalSpacing(2 * theme.GRID)
    grid.setVerticalSpacing(theme.GRID)
    grid.addWidget(icon, 0, 0, 4, 1, Qt.AlignmentFlag.AlignTop)
    for row, widget in enumerate((name, purpose, facts, buttons)):
        grid.addWidget(widget, row, 1)
    dialog.show()
    return dialog


def _new_dialog(window: QWidget, title: str, size: tuple[int, int]) -> QDialog:
    dialog = QDialog(window)
    _prepare_dialog(dialog, title, size)
    return dialog


def _prepare_dialog(dialog: QDialog, title: str, size: tuple[int, int] | None = None) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    theme.set_role(dialog, "panel")
    if size is not None:
        dialog.resize(*size)


WELCOME_SIZE = (960, 640)
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
        self.resize(*WELCOME_SIZE)
        self.drawn = 0
        self.gallery = _gallery_list()
        self.question = WrappedLabel(selectable=True)
        self.question.setMinimumHeight(2 * theme.ROW_HEIGHT)
        self.open_button = QPushButton("Open example")
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self._open_selected)
        line = QHBoxLayout()
        line.addWidget(self.question, 1)
        line.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignBottom)
        right = in_a_column((self.gallery, 1), line)
        in_a_row(self._recent_files(recent), (right, 1), on=self, spacing=2 * theme.GRID)
        self.gallery.currentRowChanged.connect(self._show_question)
        self.gallery.itemActivated.connect(self._open_selected)
        self.gallery.setCurrentRow(0)
        self.gallery.setFocus()
        self._closed = False
        ratio = max(screen.devicePixelRatio() for screen in QGuiApplication.screens())
        draw = partial(self._draw_pictures, colours, ratio, in_gui_thread(self, self._show_picture))
        in_background(
            self, draw, lambda _: None, lambda error: None, pool=QThreadPool.globalInstance()
        )

    def _recent_files(self, recent: list[Path]) -> QVBoxLayout:
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
        new.clicked.connect(lambda: self._choose_example(NEW))
        opened.clicked.connect(lambda: self._choose_example(OPEN))
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
            button.clicked.connect(lambda _=False, path=path: self._choose_example(path))
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

    def _choose_example(self, what: object) -> None:
        self.done(QDialog.DialogCode.Accepted)
        self.chosen.emit(what)

    def _open_selected(self, *_: object) -> None:
        self._choose_example(EXAMPLES[max(self.gallery.currentRow(), 0)])

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

    def _draw_pictures(self, colours: theme.Theme, ratio: float, show: Callable[..., None]) -> None:
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


def _gallery_list() -> QListWidget:
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
