"""The bar at the top of the main window, made from the table of actions: menus, tool bar, and
buttons that create objects.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QHelpEvent, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QMenu,
    QMenuBar,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QToolTip,
    QWidget,
)

from raybench.scene.creation import ALL_FAMILIES
from raybench_workbench import actions, theme
from raybench_workbench.actions import ACTIONS, Action, Menu
from raybench_workbench.canvas.icons import action_icon
from raybench_workbench.help_windows import REASON_PROPERTY
from raybench_workbench.panels.form import accept_typing
from raybench_workbench.panels.library import CreateBar
from raybench_workbench.saving import may_discard_form_input
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import row_layout

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow


class MenuBar(QWidget):
    """The menus and their actions, which the tool bar, the context menus and the shortcuts also
    use.
    """

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.actions_by_id: dict[str, QAction] = {}
        self._shown: dict[str, tuple[str, bool]] = {}
        """The title and the enabled state of each action, so that only what changes is set."""
        theme.set_role(self, "bar")
        bar = QMenuBar(self)
        self.menus: dict[str, QMenu] = {}
        tops = {row.title: self._make_menu(row, bar) for row in actions.MENU_TABLE}
        for name in actions.MENUS:  # their first letters differ
            title = tops[name].title()
            tops[name].setTitle(title if "&" in title else f"&{title}")
            bar.addMenu(tops[name])
        self.create_bar = self._make_create_bar()
        # the tools give way to it
        bar.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Maximum)
        line = row_layout(on=self, margins=(0, 0, 0, 1), spacing=0)
        line.addWidget(bar, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addStretch(1)
        line.addWidget(self.create_bar)
        line.addStretch(1)
        line.addWidget(self._make_tool_bar())

    def _make_menu(self, row: Menu, parent: QWidget) -> QMenu:
        self.menus[row.title] = menu = ActionMenu(tr(row.title, "menu"), parent)
        for each in row.rows:
            if each is None:
                menu.addSeparator()
            elif isinstance(each, Menu):
                menu.addMenu(self._make_menu(each, menu))
            else:
                menu.addAction(self._make_action(each))
        if row.fill is not None:
            menu.aboutToShow.connect(partial(row.fill, self._window, menu))
        return menu

    def _make_action(self, action: Action) -> QAction:
        window = self._window
        made = QAction(window)  # `refresh_actions` sets its title
        made.setObjectName(action.id)
        made.setIconVisibleInMenu(False)
        made.setCheckable(action.checked is not None)
        if action.shortcut is not None:
            made.setShortcuts([QKeySequence(action.shortcut), *map(QKeySequence, action.also)])
        if action.scopes:
            made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        for scope in action.scopes:
            {"canvas": window.canvas, "tree": window.tree.list}[scope].addAction(made)
        if action.scopes and any(map(_is_letter, made.shortcuts())):
            window.form_pages.addAction(made)  # as on the canvas; text fields keep the letter
        made.triggered.connect(lambda: self._run_action(action))
        self.actions_by_id[action.id] = made
        return made

    def _run_action(self, action: Action) -> None:
        """Run an action after committing typed input. Actions that store, show or replace the
        document elsewhere first ask about refused input.
        """
        window = self._window
        if action.category == "File":
            accepted = may_discard_form_input(window)
        else:
            accepted = True
            accept_typing(window.form_pages)
            accept_typing(window.canvas)
        if accepted and action.enabled(window):
            action.run(window)
        window.refresh_actions()

    def _make_tool_bar(self) -> QToolBar:
        tools = QToolBar(self)
        tools.setIconSize(QSize(theme.ICON_SIZE, theme.ICON_SIZE))
        for group in actions.TOOL_BAR:
            if tools.actions():
                tools.addSeparator()
            for name in group:
                tools.addAction(self.actions_by_id[name])
        return tools

    def _make_create_bar(self) -> CreateBar:
        first = [self.actions_by_id[name] for name in ("edit.arrow", "insert.library")]
        kinds = {k: self.actions_by_id[f"insert.{k}"] for f in ALL_FAMILIES.values() for k in f}
        for made in kinds.values():
            made.setIconVisibleInMenu(True)
        return CreateBar(first, kinds, {name: self.menus[name] for name in ALL_FAMILIES}, self)

    def show_context_menu(self, at: QPoint) -> None:
        """Show the context menu of the selection, or of the empty canvas, at a point of the screen."""
        self._window.refresh_actions()
        menu = ActionMenu("", self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for group in (
            actions.CONTEXT_MENU if self._window.selection.keys else actions.EMPTY_CONTEXT_MENU
        ):
            if menu.actions():
                menu.addSeparator()
            for name in group:
                menu.addAction(self.actions_by_id.get(name) or self.menus[name].menuAction())
        menu.popup(at)

    def refresh_actions(self) -> None:
        """Update the title, the enabled state and the check mark of each action."""
        for action in ACTIONS:
            made = self.actions_by_id[action.id]
            title = action.title if isinstance(action.title, str) else action.title(self._window)
            enabled = action.enabled(self._window)
            if self._shown.get(action.id) != (title, enabled):
                self._shown[action.id] = title, enabled
                if isinstance(action.title, str):
                    title = tr(title, action.category)
                reason = "" if enabled else tr(action.enabled.otherwise)
                made.setText(literal_label_text(title))
                made.setProperty(REASON_PROPERTY, reason)
                keys = made.shortcut().toString(made.shortcut().SequenceFormat.NativeText)
                line = f"{title.removesuffix('…')}  {keys}".strip()
                made.setToolTip(literal_tool_tip(f"{line}\n{reason}".strip()))
                made.setEnabled(enabled)
            if action.checked is not None:
                made.setChecked(action.checked(self._window))

    def update_theme(self) -> None:
        """Paint the icons in the colours of the current theme."""
        colours = theme.current_theme()
        for action in ACTIONS:
            if action.icon:
                self.actions_by_id[action.id].setIcon(action_icon(action.icon, colours))
        self.create_bar.update_theme()
        for more in self.findChildren(QToolButton, "qt_toolbar_ext_button"):
            more.setIcon(action_icon("more", colours))


def _is_letter(keys: QKeySequence) -> bool:
    """Whether a shortcut is a single letter, with or without Shift."""
    sign = keys.toString().removeprefix("Shift+")
    return len(sign) == 1 and sign.isalpha()


NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier


class ActionMenu(QMenu):
    """A menu in which a letter key runs the only entry that begins with it, or moves to the next of
    several. Letters are no shortcuts while the menu is open.
    """

    def showEvent(self, event: QShowEvent) -> None:
        # not before, because a menu that is filled gets many events
        self.installEventFilter(self)
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        letter = event.text().casefold()
        found = [
            a
            for a in self.actions()
            if _is_letter_key(event)
            and a.isEnabled()
            and a.iconText().casefold().startswith(letter)
        ]
        if not found:
            super().keyPressEvent(event)
            return
        active = self.activeAction()
        place = found.index(active) + 1 if active in found else 0
        self.setActiveAction(found[place % len(found)])
        if len(found) == 1:
            super().keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, NONE))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Prevent letter keys from acting as shortcuts, and show the tool tips."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if _is_letter_key(event):
                event.accept()
                return True
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            entry = self.actionAt(event.pos())
            QToolTip.showText(event.globalPos(), _entry_tool_tip(entry) if entry else "", self)
            return True
        return super().eventFilter(watched, event)


def _is_letter_key(event: QKeyEvent) -> bool:
    return event.text().isalpha() and event.modifiers() in (NONE, SHIFT)


def _entry_tool_tip(action: QAction) -> str:
    reason = action.property(REASON_PROPERTY)
    if reason is not None:
        return literal_tool_tip(reason)
    return action.toolTip() if action.toolTip() != action.iconText() else ""
