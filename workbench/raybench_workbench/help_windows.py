"""The help windows: the command palette, the list of keyboard shortcuts, the guides, the
information about the program, and the welcome page with the examples.
"""

from __future__ import annotations

import dataclasses
import html
import math
import platform
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from importlib import metadata
from importlib.resources import as_file
from itertools import groupby
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QEvent, QObject, QSize, Qt, QThreadPool, QTimer, qVersion
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
    QApplication,
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
from raybench.files.examples import EXAMPLES, Example, question_command
from raybench.kinds.decorations import TextLabel
from raybench.system.extras import package_version
from raybench.system.log_file import log_path
from raybench.system.plugins import loaded_plugins
from raybench_workbench import files, theme
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.threads import gui_thread_function, run_in_background
from raybench_workbench.translation import tr
from raybench_workbench.widgets import (
    NoMatchHint,
    WrappedLabel,
    column_layout,
    describe_widget,
    elide_to_width,
    row_layout,
)

if TYPE_CHECKING:
    from raybench.agent.catalogue.help import Passage
    from raybench_workbench.main_window import MainWindow

REASON_PROPERTY = "reason"
"""The property of an action of the table that says why it cannot be used; empty while it can."""
UNUSABLE_COST = 0.4
"""Cost of an action that cannot be used: it is listed after others that match as well, and before
those that match by chance.
"""
_DATA = Qt.ItemDataRole.UserRole
_MOVES = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


def match_score(query: str, title: str) -> float | None:
    """The score of a title for the typed letters ``query``, lower for a better match; None if the
    title does not contain them in this order.

    A letter costs nothing if it follows the previous match or begins a word, else 1. A match that
    starts late costs a little.
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


def _blank_icon(size: QSize) -> QIcon:
    """A transparent icon that reserves the space of a picture."""
    blank = QPixmap(size)
    blank.fill(Qt.GlobalColor.transparent)
    return QIcon(blank)


class CommandPalette(QDialog):
    """A dialog that lists the actions matching the typed query, best matches first. Enter or a
    click runs one.
    """

    def __init__(self, actions: Sequence[tuple[str, QAction]], parent: QWidget) -> None:
        """``actions`` are pairs of the name of a menu and an action in that menu."""
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAccessibleName(tr("Find an action"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        theme.set_role(self, "panel")
        self._actions = actions
        self._no_icon = _blank_icon(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        self.query = describe_widget(QLineEdit(self), name=tr("Action to find"))
        self.query.setPlaceholderText(tr("What do you want to do?"))
        self.list = QListWidget(self)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.no_match = NoMatchHint(
            tr("No action matches. Try another word, or ask in the chat."), self.list
        )
        column_layout(self.query, self.list, on=self, margins=theme.GRID)
        self.query.textChanged.connect(self._fill_list)
        self.query.returnPressed.connect(lambda: self._run_action(self.list.currentItem()))
        self.query.installEventFilter(self)
        self.list.itemClicked.connect(self._run_action)
        self._fill_list("")
        self.resize(460, 340)

    def _fill_list(self, query: str) -> None:
        self.list.clear()
        ranked = []
        for i, (menu, action) in enumerate(self._actions):
            title = action.text().replace("&&", "&")
            own, with_menu = match_score(query, title), match_score(query, f"{menu} {title}")
            if with_menu is not None:  # the title alone matches then, too, or not
                best = min(with_menu + 0.5, math.inf if own is None else own)
                cost = (best if query else 0.0) + (0 if action.isEnabled() else UNUSABLE_COST)
                ranked.append((cost, i, f"{menu}: {title}", action))
        for _, _, title, action in sorted(ranked, key=lambda row: row[:2]):
            keys = action.shortcut().toString(action.shortcut().SequenceFormat.NativeText)
            reason = (action.property(REASON_PROPERTY) or "").removesuffix(".")
            text = "    ".join(filter(None, (title, keys, reason and f"({reason})")))
            icon = self._no_icon if action.icon().isNull() else action.icon()
            item = QListWidgetItem(icon, text, self.list)
            item.setData(_DATA, action)
            if not action.isEnabled():
                item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.list.setCurrentRow(0)
        self.no_match.setVisible(not self.list.count())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys move in the list while the query field has the focus."""
        if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.KeyPress:
            return super().eventFilter(watched, event)
        if event.key() in _MOVES:
            QApplication.sendEvent(self.list, event)
        return event.key() in _MOVES

    def _run_action(self, item: QListWidgetItem | None) -> None:
        action: QAction | None = item.data(_DATA) if item is not None else None
        if action is not None and action.isEnabled():
            self.close()
            # after the click, since a dialog of the action may run while the palette is deleted
            QTimer.singleShot(0, action.trigger)

    def open_over(self, window: QWidget) -> None:
        """Show the palette at the upper middle of a window."""
        at = window.mapToGlobal(window.rect().topLeft())
        self.move(at.x() + (window.width() - self.width()) // 2, at.y() + window.height() // 8)
        self.show()
        self.query.setFocus()


class HelpDialog(QDialog):
    """A dialog beside the main window, which it does not block."""

    def __init__(self, parent: QWidget, title: str, *size: int) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        theme.set_role(self, "panel")
        if size:
            self.resize(*size)


def shortcuts_html(
    actions: Iterable[tuple[str, QAction]], others: Iterable[tuple[str, str]]
) -> str:
    """Two columns with all keyboard shortcuts as HTML: first those of the actions by menu, then
    ``others``, pairs of keys and their meaning on the canvas.
    """
    rows: dict[str, list[tuple[str, str]]] = {}
    for menu, action in actions:
        native = action.shortcut().SequenceFormat.NativeText
        keys = ", ".join(k.toString(native) for k in action.shortcuts() if not k.isEmpty())
        if keys:
            rows.setdefault(menu, []).append((keys, action.iconText().partition(": ")[0]))
    rows["On the canvas"] = list(others)
    # the last part, of the canvas, has lines that wrap
    most = 0.55 * (sum(map(len, rows.values())) + len(rows))
    columns: list[list[str]] = [[], []]
    for menu, found in rows.items():
        column = columns[sum(map(len, columns)) > most]
        title = f"<b>{html.escape(menu)}</b>"
        column.append(f"<tr><td colspan=2 style='padding-top:10px'>{title}</td></tr>")
        for keys, what in found:
            cells = f"<td style='padding-right:24px'>{html.escape(keys)}</td>"
            column.append(f"<tr>{cells}<td>{html.escape(what)}</td></tr>")
    tables = (
        f"<td width='50%'><table cellspacing=0 cellpadding=2>{''.join(column)}</table></td>"
        for column in columns
    )
    return f"<table width='100%' cellspacing=0 cellpadding=8><tr>{''.join(tables)}</tr></table>"


def show_shortcut_sheet(
    window: QWidget, actions: Iterable[tuple[str, QAction]], others: Iterable[tuple[str, str]]
) -> None:
    """Show the dialog with all keyboard shortcuts."""
    dialog = HelpDialog(window, tr("Keys"), 980, 640)
    text = describe_widget(QTextBrowser(dialog), name=tr("All keys"))
    text.setHtml(shortcuts_html(actions, others))
    column_layout(text, on=dialog, margins=0)
    dialog.show()


def _guide_section_sort_key(section: Passage) -> list[bool]:
    """The sort key of a guide section: sections about the window and about asking questions come
    first.
    """
    return [not section.title.startswith(guide) for guide in ("Window: ", "Asking: ")]


class GuidesDialog(HelpDialog):
    """The dialog of the built-in guides: a list of sections under the titles of their guides, and
    the text of the chosen section. A search lists the matching sections, best matches first.
    """

    def __init__(self, parent: QWidget) -> None:
        # the catalogue of tools is not loaded before it is asked for
        from raybench.agent.catalogue.default_tools import help_page
        from raybench.agent.catalogue.help import guide_sections, page_sections

        super().__init__(parent, tr("Guides"), 920, 640)
        self._sections = sorted(
            (*guide_sections(), *page_sections(help_page())), key=_guide_section_sort_key
        )
        self.query = describe_widget(QLineEdit(self), name=tr("Search the guides"))
        self.query.setPlaceholderText(tr("Search the guides"))
        self.query.setClearButtonEnabled(True)
        self.list = describe_widget(QListWidget(self), name=tr("Sections of the guides"))
        self.list.setFixedWidth(320)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text = describe_widget(QTextBrowser(self), name=tr("Section"))
        self.text.document().setDocumentMargin(2 * theme.GRID)
        row_layout(column_layout(self.query, (self.list, 1)), (self.text, 1), on=self)
        self.query.textChanged.connect(self._search_guides)
        self.list.currentItemChanged.connect(self._show_section)
        self._search_guides("")
        self.query.setFocus()

    def _search_guides(self, query: str) -> None:
        from raybench.agent.catalogue.help import best_passages

        self.list.clear()
        typed = query.strip().lower()
        if typed:
            best = best_passages(query, self._sections, len(self._sections))
            held = [s for s in self._sections if typed in f"{s.title}\n{s.text}".lower()]
            for section in dict.fromkeys((*best, *held)):
                self._add_section(section.title, section)
        else:
            for guide, own in groupby(self._sections, key=lambda s: s.title.partition(": ")[0]):
                self._add_section(guide, None)
                for section in own:
                    self._add_section(f"    {section.title.partition(': ')[2]}", section)
        self.list.setCurrentRow(0 if typed else 1)
        if not self.list.count():
            self.text.setPlainText(
                tr("Nothing in the guides matches. Try another word, or ask in the chat.")
            )

    def _add_section(self, text: str, section: Passage | None) -> None:
        """Add a section to the list or, if ``section`` is None, the title of a guide, which cannot
        be chosen.
        """
        item = QListWidgetItem(text, self.list)
        item.setToolTip(text.strip())
        item.setData(_DATA, section)
        if section is None:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            item.setFont(theme.text_font(strong=True))
            item.setForeground(self.list.palette().text())

    def _show_section(self, item: QListWidgetItem | None, _before: object) -> None:
        section: Passage | None = item.data(_DATA) if item is not None else None
        if section is not None:
            self.text.setMarkdown(f"## {section.title}\n\n{section.text}")
            cursor = QTextCursor(self.text.document())
            cursor.select(QTextCursor.SelectionType.Document)
            spaced = QTextBlockFormat()
            spaced.setBottomMargin(theme.GRID)
            cursor.mergeBlockFormat(spaced)


PURPOSE = tr("A workbench for two-dimensional ray optics with an agent at the bench.")


def diagnostics_report(scene: str) -> str:
    """The text for a bug report about the program, its version and its environment. ``scene``
    describes the open scene.
    """
    versions = ", ".join(f"{name} {package_version(name)}" for name in ("numpy", "numba", "scipy"))
    return (
        f"Raybench {metadata.version('raybench')}\n"
        f"Python {platform.python_version()} on {platform.platform()}\n"
        f"Qt {qVersion()}, PySide6 {PySide6.__version__}, {versions}\n"
        f"{''.join(f'Added: {addition}{chr(10)}' for addition in loaded_plugins())}"
        f"Scene: {scene}\nLog: {log_path()}"
    )


def show_about(window: QWidget, text: str) -> None:
    """Show the name and purpose of the program, and the report ``text`` from `diagnostics_report`,
    which can be selected and copied.
    """
    dialog = HelpDialog(window, tr("About Raybench"))
    title, _, details = text.partition("\n")
    icon = QLabel(dialog)
    icon.setPixmap(window.windowIcon().pixmap(64, 64))
    facts = describe_widget(QLabel(details, dialog), name=tr("Versions and scene"), role="dim")
    facts.setTextFormat(Qt.TextFormat.PlainText)
    facts.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, dialog)
    copy = buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
    copy.setToolTip(tr("Copy what is shown, for a report"))
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(text))
    buttons.rejected.connect(dialog.reject)
    buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)
    grid = QGridLayout(dialog)
    grid.setContentsMargins(*[2 * theme.GRID] * 4)
    grid.setHorizontalSpacing(2 * theme.GRID)
    grid.setVerticalSpacing(theme.GRID)
    grid.addWidget(icon, 0, 0, 4, 1, Qt.AlignmentFlag.AlignTop)
    name = describe_widget(QLabel(title, dialog), role="headline")
    for row, widget in enumerate((name, QLabel(PURPOSE, dialog), facts, buttons)):
        grid.addWidget(widget, row, 1)
    dialog.show()


PICTURE_SIZE = QSize(208, 130)
SIDE_WIDTH = 232
MOST_SEGMENTS = 20_000
"""Segments that the picture of an example shows at most."""


class WelcomePage(HelpDialog):
    """The welcome page: the examples as pictures, which a thread paints, and the recent files. The
    chosen one is opened in the window.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, tr("Welcome"), 960, 640)
        self._window = window
        self.drawn = 0
        self.gallery = describe_widget(QListWidget(), name=tr("Examples"))
        self.gallery.setViewMode(QListWidget.ViewMode.IconMode)
        self.gallery.setIconSize(PICTURE_SIZE)
        self.gallery.setGridSize(QSize(224, 172))
        self.gallery.setMovement(QListWidget.Movement.Static)
        self.gallery.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.gallery.setWordWrap(True)
        self.gallery.setUniformItemSizes(True)
        for example in EXAMPLES:
            item = QListWidgetItem(_blank_icon(PICTURE_SIZE), tr(example.title), self.gallery)
            item.setToolTip(example_question(example))
        self.question = WrappedLabel(selectable=True)
        self.question.setMinimumHeight(2 * theme.ROW_HEIGHT)
        self.open_button = QPushButton(tr("Open example"))
        self.open_button.setDefault(True)
        self.open_button.clicked.connect(self._open_example)
        line = QHBoxLayout()
        line.addWidget(self.question, 1)
        line.addWidget(self.open_button, 0, Qt.AlignmentFlag.AlignBottom)
        right = column_layout((self.gallery, 1), line)
        row_layout(self._introduction_column(), (right, 1), on=self, spacing=2 * theme.GRID)
        self.gallery.currentRowChanged.connect(
            lambda row: self.question.setText(example_question(EXAMPLES[row]))
        )
        self.gallery.itemActivated.connect(self._open_example)
        self.gallery.setCurrentRow(0)
        self.gallery.setFocus()
        self._closed = False
        ratio = max(screen.devicePixelRatio() for screen in QGuiApplication.screens())
        show = gui_thread_function(self, self._show_picture)
        draw = partial(self._draw_pictures, theme.current_theme(), ratio, show)
        run_in_background(
            self, draw, lambda _: None, lambda error: None, pool=QThreadPool.globalInstance()
        )

    def _introduction_column(self) -> QVBoxLayout:
        """The column of the welcome page that introduces the program and lists other ways to begin."""
        about = QLabel(
            tr(
                "Draw lenses, mirrors and sources; rays are traced while you drag. Ask in"
                " the chat what the light does: the rays that answer light up."
            )
        )
        about.setWordWrap(True)
        about.setFixedWidth(SIDE_WIDTH)
        side = column_layout(describe_widget(QLabel("Raybench"), role="headline"), about)
        side.addSpacing(theme.GRID)
        side.addWidget(
            self._choice_button(tr("New scene"), partial(files.new_document, self._window))
        )
        side.addWidget(
            self._choice_button(tr("Open a file…"), partial(files.ask_open_file, self._window))
        )
        recent = self._window.settings.recent
        if recent:
            side.addSpacing(theme.GRID)
            side.addWidget(describe_widget(QLabel(tr("Recent")), role="dim"))
        for path in recent:
            button = self._choice_button("", partial(files.open_file, self._window, path))
            name = elide_to_width(path.name, button.fontMetrics(), SIDE_WIDTH - 4 * theme.GRID)
            button.setText(literal_label_text(name))
            button.setFlat(True)
            side.addWidget(describe_widget(button, tip=literal_tool_tip(str(path)), role="file"))
        side.addStretch(1)
        return side

    def _choice_button(self, text: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda: self._close_and_run(act))
        return button

    def _close_and_run(self, act: Callable[[], object]) -> None:
        self.accept()
        act()

    def _open_example(self, *_: object) -> None:
        example = EXAMPLES[max(self.gallery.currentRow(), 0)]
        self._close_and_run(partial(files.open_example, self._window, example))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.gallery.hasFocus():
            self._open_example()
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self._closed = True  # the thread stops at the next picture
        super().done(result)

    def _show_picture(self, row: int, image: QImage) -> None:
        icon = QIcon()
        for mode in (QIcon.Mode.Normal, QIcon.Mode.Selected):  # it keeps its colours if selected
            icon.addPixmap(QPixmap.fromImage(image), mode)
        self.gallery.item(row).setIcon(icon)
        self.drawn += 1

    def _draw_pictures(self, colours: theme.Theme, ratio: float, show: Callable[..., None]) -> None:
        """Draw the pictures of the examples, in a thread of the pool, and call ``show`` with each.
        An example without a picture is still listed, and opening it reports the reason.
        """
        for row, example in enumerate(EXAMPLES):
            if self._closed:
                return
            with suppress(RaybenchError):
                show(row, example_picture(example, colours, ratio))


def example_question(example: Example) -> str:
    """The text with a question that can be asked about an example, and its answer."""
    question = next((q for q in example.questions if q.command[0] == "ask"), example.questions[0])
    answer = f"{question.answer[:1].upper()}{question.answer[1:]}."
    if question.command[0] == "ask":
        return tr(
            "Ask in the chat: {command}\n{answer}", command=question.command[2], answer=answer
        )
    return tr(
        "On the command line: {command}\n{answer}",
        command=question_command(example, question),
        answer=answer,
    )


def example_picture(example: Example, colours: theme.Theme, ratio: float = 1.0) -> QImage:
    """A picture of the traced scene of an example. Its size is `PICTURE_SIZE`, with ``ratio``
    device pixels per logical pixel. Raises RaybenchError.
    """
    from raybench.files.document_file import load_document
    from raybench.trace.trace import trace
    from raybench_workbench.figure import figure_image, make_figure

    with as_file(example.path) as path:
        document = load_document(path)
    # texts would be too small to read
    objects = tuple(o for o in document.scene.objects if not isinstance(o, TextLabel))
    scene = dataclasses.replace(document.scene, objects=objects)
    document = dataclasses.replace(document, scene=scene)
    result = trace(document, threads=1, max_segments=MOST_SEGMENTS)
    # drawn in twice the size and scaled down, so that lines and texts of the scene are fine
    pixels = PICTURE_SIZE * ratio
    size = 2 * pixels.width(), 2 * pixels.height()
    large = figure_image(make_figure(document, result, colours, size=size, scale=ratio))
    image = large.scaled(
        pixels, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    image.setDevicePixelRatio(ratio)
    return image
