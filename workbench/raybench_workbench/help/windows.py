"""The windows of the Help menu: the sheet of keys, the guides, and About."""

from __future__ import annotations

import html
import platform
from collections.abc import Iterable
from importlib import metadata
from itertools import groupby
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QAction, QGuiApplication, QTextBlockFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from raybench.system.extras import version_of
from raybench.system.log_file import log_path
from raybench_workbench import theme

if TYPE_CHECKING:
    from raybench.agent.catalogue.help import Passage

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
    dialog = _dialog(window, "Keys", KEYS_SIZE)
    text = QTextBrowser(dialog)
    text.setHtml(keys_html(actions, others))
    text.setAccessibleName("All keys")
    column = QVBoxLayout(dialog)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(text)
    dialog.show()
    return dialog


class Guides(QDialog):
    """The shipped guides: their sections as a list, below the names of the guides, and the section
    chosen. A search lists those that it finds instead, the best first.
    """

    def __init__(self, parent: QWidget) -> None:
        # the catalogue of tools is not loaded before it is asked for
        from raybench.agent.catalogue.default_tools import guide
        from raybench.agent.catalogue.help import guides, sections

        super().__init__(parent)
        self._guides = sorted((*guides(), *sections(guide())), key=_place)
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
        left = QVBoxLayout()
        left.addWidget(self.query)
        left.addWidget(self.list, 1)
        line = QHBoxLayout(self)
        line.addLayout(left)
        line.addWidget(self.text, 1)
        self.query.textChanged.connect(self._search)
        self.list.currentRowChanged.connect(self._show)
        self._search("")

    def _search(self, query: str) -> None:
        from raybench.agent.catalogue.help import nearest

        typed = query.strip().lower()
        held = [g for g in self._guides if typed in g.text.lower() or typed in g.title.lower()]
        found = list(dict.fromkeys((*nearest(query, self._guides, len(self._guides)), *held)))
        self.list.clear()
        self._rows = []
        if typed:
            for section in found:
                self._add(section.title, section)
        else:
            for guide, sections in groupby(
                self._guides, key=lambda section: section.title.partition(": ")[0]
            ):
                self._add(guide, None)
                for section in sections:
                    self._add(f"    {section.title.partition(': ')[2]}", section)
        self.list.setCurrentRow(0 if typed else 1)
        if not self._rows:
            self.text.setPlainText(
                "Nothing in the guides matches. Try another word, or ask in the chat."
            )

    def _add(self, text: str, section: Passage | None) -> None:
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

    def _show(self, row: int) -> None:
        if 0 <= row < len(self._rows) and (section := self._rows[row]) is not None:
            self.text.setMarkdown(f"## {section.title}\n\n{section.text}")
            _space_paragraphs(self.text.document())


def _space_paragraphs(document: QTextDocument) -> None:
    """Put space between the paragraphs and items of a text, which Markdown has none of in Qt."""
    cursor = QTextCursor(document)
    cursor.select(QTextCursor.SelectionType.Document)
    spaced = QTextBlockFormat()
    spaced.setBottomMargin(theme.GRID)
    cursor.mergeBlockFormat(spaced)
    cursor.clearSelection()


def _place(section: Passage) -> int:
    """Where the guide of a section stands among the others."""
    return next(
        (i for i, guide in enumerate(FIRST_GUIDES) if section.title.startswith(guide)),
        len(FIRST_GUIDES),
    )


def show_guides(window: QWidget) -> Guides:
    """Show the guides beside the work."""
    dialog = Guides(window)
    _prepare(dialog, "Guides", GUIDES_SIZE)
    dialog.show()
    dialog.query.setFocus()
    return dialog


def diagnostics(scene: str) -> str:
    """What a report of a fault needs to say of the program and its surroundings; ``scene``
    describes the scene.
    """
    packages = ("numpy", "numba", "scipy")
    versions = ", ".join(f"{name} {version_of(name)}" for name in packages)
    return (f"Raybench {metadata.version('raybench')}\nPython {platform.python_version()} on {platform.platform()}\n"
            f"Qt {qVersion()}, PySide6 {PySide6.__version__}, {versions}\nScene: {scene}\nLog: {log_path()}")  # fmt: skip


def show_about(window: QWidget, text: str) -> QDialog:
    """Show the program's name, what it is and ``text``, as `diagnostics` gives it, which can be
    selected and copied.
    """
    dialog = QDialog(window)
    _prepare(dialog, "About Raybench")
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


def _dialog(window: QWidget, title: str, size: tuple[int, int]) -> QDialog:
    dialog = QDialog(window)
    _prepare(dialog, title, size)
    return dialog


def _prepare(dialog: QDialog, title: str, size: tuple[int, int] | None = None) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    theme.set_role(dialog, "panel")
    if size is not None:
        dialog.resize(*size)
