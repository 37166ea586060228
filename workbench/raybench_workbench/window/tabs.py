"""The windows of the desktop. Each has a tab for every scene that is open in it; the page of a tab
is a `MainWindow` with the document, panels and conversation of the scene. Tabs can be moved between
windows.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QContextMenuEvent, QMouseEvent, QScreen
from PySide6.QtWidgets import QApplication, QMenu, QStyle, QTabBar, QTabWidget, QToolButton, QWidget

from raybench_workbench import theme
from raybench_workbench.canvas.icons import action_icon
from raybench_workbench.dialogs import ask_open_name
from raybench_workbench.document import WorkDocument
from raybench_workbench.files import FILTER, open_file
from raybench_workbench.preferences.settings import OpenFiles, Settings
from raybench_workbench.saving import may_leave_document
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.translation import tr
from raybench_workbench.widgets import describe_widget

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

MAX_TAB_WIDTH = 26 * theme.GRID
"""Largest width of a tab in pixels; a longer name is elided."""
TAB_PADDING = 8 * theme.GRID
"""Width in pixels of a tab besides its text: padding and the button that closes it."""
TEAR_DISTANCE = 3 * theme.GRID
"""Distance in pixels from the bar at which a dragged tab leaves it."""
CLOSE_SIDE = QTabBar.ButtonPosition.RightSide
_windows: list[TabWindow] = []
"""References to the windows until Qt deletes them."""


class WaitingScene(QWidget):
    """The page of a file that is opened only when its tab is first shown."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path


class TabWindow(QTabWidget):
    """A window of the desktop with a tab for each of its scenes. The tab bar is hidden while only
    one scene is open.
    """

    def __init__(self, make_page: Callable[[], MainWindow]) -> None:
        """``make_page`` creates the page of a new scene."""
        super().__init__()
        self._make_page = make_page
        self.is_closing = False
        """Whether the person agreed that all its scenes are closed."""
        bar = SceneTabBar(self)
        self.setTabBar(bar)
        self.setDocumentMode(True)
        self.setMovable(True)
        self.currentChanged.connect(self._show_current)
        bar.tabCloseRequested.connect(self.close_tab)
        bar.tabMoved.connect(remember_open_files)
        bar.tabLeft.connect(self._drop_current_tab)
        _windows.append(self)
        _show_tab_bars()

    @property
    def current_page(self) -> MainWindow:
        """The page of the current tab."""
        return cast("MainWindow", self.currentWidget())

    @property
    def pages(self) -> list[MainWindow]:
        """The pages of all tabs, without files that are not opened yet."""
        return [cast("MainWindow", w) for w in self._widgets() if not isinstance(w, WaitingScene)]

    @property
    def open_files(self) -> OpenFiles:
        """The files of all tabs, in order."""
        files = [(i, path) for i, w in enumerate(self._widgets()) if (path := scene_file(w))]
        before = sum(i < self.currentIndex() for i, _ in files)
        return OpenFiles([path.absolute() for _, path in files], min(before, len(files) - 1))

    def _widgets(self) -> Iterator[QWidget]:
        return (w for i in range(self.count()) if (w := self.widget(i)) is not None)

    def open_tab(self) -> MainWindow:
        """Open a tab beside the current one; returns its page, with an empty document."""
        page = self._new_page()
        if self.count():
            page.restoreState(self.current_page.saveState())
        else:
            self.resize(page.size())
            page.settings.restore_window(self.restoreGeometry, page.restoreState)
        self.insert_page(page, self.currentIndex() + 1)
        return page

    def insert_page(self, page: MainWindow, index: int = -1) -> None:
        """Show a page in a new tab; it may come from another window."""
        page.setWindowState(Qt.WindowState.WindowNoState)
        self.setCurrentIndex(self.insertTab(index, page, ""))
        show_title(page)

    def show_file(self, path: Path) -> bool:
        """Show the tab of a file; returns whether the file is open."""
        for widget in self._widgets():
            other = scene_file(widget)
            if other is not None and _are_same_file(other, path):
                self.setCurrentWidget(widget)
                return True
        return False

    def close_tab(self, index: int) -> None:
        """Close a tab, after a question about unsaved changes."""
        if isinstance(self.widget(index), WaitingScene):
            self.removeTab(index)
            remember_open_files()
        else:
            self.setCurrentIndex(index)  # what the question is about
            self.current_page.close()

    def may_close(self) -> bool:
        """Ask about the unsaved changes of all scenes; returns whether the window may be closed."""
        shown = self.currentWidget()
        for page in self.pages:
            self.setCurrentWidget(page)
            if not may_leave_document(page):
                return False
        if shown is not None:
            self.setCurrentWidget(shown)
        return True

    def move_to(self, page: MainWindow, target: TabWindow, index: int = -1) -> None:
        """Move a page of this window to another window, and activate that window."""
        self.removeTab(self.indexOf(page))
        target.insert_page(page, index)
        _activate_window(target)
        if not self.count():
            self.close()

    def move_to_new_window(self, page: MainWindow, at: QPoint | None = None) -> None:
        """Move a page to a new window, whose upper edge is at the screen point ``at``."""
        target = TabWindow(self._make_page)
        target.place_like(self, at)
        self.move_to(page, target)

    def place_like(self, other: QWidget, at: QPoint | None = None) -> None:
        """Give this window the size of another one, unless that fills the screen. Its upper edge is
        placed at the screen point ``at``, by default a little below and right of the other window.
        The whole window stays on the screen.
        """
        at = at if at is not None else other.pos() + QPoint(TEAR_DISTANCE, TEAR_DISTANCE)
        room = self.room_on_screen(QApplication.screenAt(at) or other.screen())
        size = other.normalGeometry().size().boundedTo(room.size())
        self.resize(size)
        last = room.bottomRight() - QPoint(size.width(), size.height())
        self.move(max(room.left(), min(at.x(), last.x())), max(room.top(), min(at.y(), last.y())))

    def room_on_screen(self, screen: QScreen) -> QRect:
        """The part of a screen that a window can fill, without its title bar."""
        # not every window manager keeps it on a small screen
        bar = self.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
        return screen.availableGeometry().adjusted(0, 0, 0, -bar)

    def closeEvent(self, event: QCloseEvent) -> None:
        if not (self.is_closing or self.may_close()):
            event.ignore()
            return
        self.is_closing = True
        _show_tab_bars()
        remember_open_files()
        for page in self.pages:
            page.end()
        self.destroyed.connect(lambda _: _windows.remove(self))
        self.deleteLater()

    def _new_page(self) -> MainWindow:
        page = self._make_page()
        page.closed.connect(partial(_remove_page, page))
        for happened in (page.document.opened, page.document.saved):
            happened.connect(remember_open_files)
        return page

    def _show_current(self, index: int) -> None:
        widget = self.widget(index)
        if widget is None or self.is_closing:
            return
        if isinstance(widget, WaitingScene):
            self._open_waiting_file(widget, index)
            return
        page = self.current_page
        show_title(page)
        (page.focusWidget() or page.canvas).setFocus()
        remember_open_files()

    def _open_waiting_file(self, waiting: WaitingScene, index: int) -> None:
        page = self._new_page()
        self.insert_page(page, index)
        self.removeTab(self.indexOf(waiting))
        waiting.deleteLater()
        open_file(page, waiting.path)

    def _drop_current_tab(self, at: QPoint) -> None:
        """Move the current page to the window at a screen point, or to a new window there."""
        page = self.current_page
        target = QApplication.topLevelAt(at)
        if isinstance(target, TabWindow) and target is not self:
            bar = target.tabBar()
            self.move_to(page, target, bar.tabAt(bar.mapFromGlobal(at)))
        elif self.count() > 1:
            self.move_to_new_window(page, at)


class SceneTabBar(QTabBar):
    """The tab bar of a window. A click with the middle button closes a tab. A tab can be dragged to
    another window, or out of the bar to get a window of its own.
    """

    tabLeft = Signal(QPoint)
    """The current tab was dragged away from the bar, and dropped at this point of the screen."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._is_tab_held = False
        self.setAccessibleName(tr("Scenes"))
        theme.set_role(self, "scenes")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setExpanding(False)
        self.setSelectionBehaviorOnRemove(QTabBar.SelectionBehavior.SelectPreviousTab)
        theme.notifier.changed.connect(self._update_theme)

    def tabInserted(self, index: int) -> None:
        button = describe_widget(QToolButton(self), name=tr("Close"), tip=tr("Close this tab"))
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(
            lambda: self.tabCloseRequested.emit(self.tabAt(button.geometry().center()))
        )
        self.setTabButton(index, CLOSE_SIDE, button)
        self._update_theme()
        super().tabInserted(index)

    def tabSizeHint(self, index: int) -> QSize:
        # the style sheet's font, which Qt does not measure with here
        font = theme.text_font(theme.SMALL_SIZE, strong=True)
        width = theme.text_pixel_width(self.tabText(index), font) + TAB_PADDING
        return QSize(min(width, MAX_TAB_WIDTH), super().tabSizeHint(index).height())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._is_tab_held = self.tabAt(event.position().toPoint()) >= 0
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._is_tab_held and event.buttons() & Qt.MouseButton.LeftButton:
            away = self._is_away_from_bar(event.position().toPoint())
            self.setCursor(Qt.CursorShape.DragMoveCursor if away else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self.unsetCursor()
        at = event.position().toPoint()
        if event.button() == Qt.MouseButton.MiddleButton and self.tabAt(at) >= 0:
            self.tabCloseRequested.emit(self.tabAt(at))
        elif (
            self._is_tab_held
            and event.button() == Qt.MouseButton.LeftButton
            and self._is_away_from_bar(at)
        ):
            self.tabLeft.emit(event.globalPosition().toPoint())  # the press made it current

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        index, window = self.tabAt(event.pos()), self.parentWidget()
        if index < 0 or not isinstance(window, TabWindow):
            return
        window.setCurrentIndex(index)
        actions = window.current_page.actions_by_id
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([actions[name] for name in ("tab.detach", "file.close")])
        menu.popup(event.globalPos())

    def _update_theme(self, *_: object) -> None:
        for index in range(self.count()):
            button = self.tabButton(index, CLOSE_SIDE)
            if isinstance(button, QToolButton):
                button.setIcon(action_icon("close", theme.current_theme()))

    def _is_away_from_bar(self, at: QPoint) -> bool:
        return (
            not self.rect()
            .adjusted(-TEAR_DISTANCE, -TEAR_DISTANCE, TEAR_DISTANCE, TEAR_DISTANCE)
            .contains(at)
        )


def find_tab_window(page: MainWindow) -> TabWindow | None:
    """The window that contains a page; None if the page is a window of its own."""
    window = page.window()
    return window if isinstance(window, TabWindow) else None


def tab_windows() -> list[TabWindow]:
    """The open windows, in the order in which they were opened."""
    return [window for window in _windows if not window.is_closing]


def open_pages() -> list[MainWindow]:
    """The pages of all windows, without files that are not opened yet."""
    return [page for window in tab_windows() for page in window.pages]


def scene_file(page: QWidget) -> Path | None:
    """The file of a page's scene; None if it has none."""
    path: Path | None = (
        page.path if isinstance(page, WaitingScene) else page.document.session.path  # type: ignore[attr-defined]
    )
    return path


def _are_same_file(one: Path, other: Path) -> bool:
    return one == other or (one.exists() and other.exists() and one.samefile(other))


def is_untouched(page: MainWindow) -> bool:
    """Whether another scene can replace this one without loss: it has no file, no changes and no
    conversation, and no file is being read.
    """
    session = page.document.session
    return not (
        session.path or session.modified or page.chat_dock.exchanges or page.reading.is_working
    )


def open_tab(page: MainWindow) -> MainWindow:
    """Open a tab with an empty document in the window of a page; returns the new page."""
    window = find_tab_window(page)
    if window is not None:
        return window.open_tab()
    return open_window(partial(_make_page_like, page))


def open_new_tab(page: MainWindow) -> None:
    """Open a tab with a new document."""
    open_tab(page).document.new()


def open_new_window(page: MainWindow) -> None:
    """Open a window with a new document, a little below and right of the page's window."""
    window = find_tab_window(page)
    make = partial(_make_page_like, page) if window is None else window._make_page
    new = open_window(make)
    top = find_tab_window(new)
    assert top is not None
    top.place_like(page.window())
    new.document.new()


def open_window(make_page: Callable[[], MainWindow]) -> MainWindow:
    """Open a window with one tab and an empty document, no larger than the screen; returns its
    page.
    """
    window = TabWindow(make_page)
    page = window.open_tab()
    window.resize(window.size().boundedTo(window.room_on_screen(window.screen()).size()))
    window.show()
    return page


def open_files_again(page: MainWindow, files: OpenFiles) -> None:
    """Open the files of an earlier run in a window. The file that was shown is opened now, each
    other file when its tab is first shown.
    """
    window = find_tab_window(page)
    assert window is not None
    for index, path in enumerate(files.files):
        if index == files.shown:
            open_file(page, path)
        else:
            window.insertTab(index, WaitingScene(path), literal_label_text(path.name))
            window.setTabToolTip(index, literal_tool_tip(str(path)))


def _make_page_like(page: MainWindow) -> MainWindow:
    """A new page with the settings and folders of this one."""
    return type(page)(WorkDocument(), page.settings, page.recovery.folder, page.conversations)


def ask_open_in_tab(page: MainWindow) -> None:
    """Ask for a file and open it in a tab of its own."""
    path = ask_open_name(page, tr("Open a scene in a new tab"), page.document.folder, FILTER)
    if path is not None:
        open_file_in_tab(page, path)


def open_file_in_tab(page: MainWindow, path: Path) -> None:
    """Show the tab of a file. If the file is not open, open it in place of an untouched scene, else
    in a new tab.
    """
    shown = show_file(path)
    if shown is None:
        open_file(activate_page_to_fill(page), path)
    else:
        _activate_window(shown.window())


def show_file(path: Path) -> MainWindow | None:
    """Show the tab of a file in its window; returns its page, or None if it is not open."""
    return next((w.current_page for w in tab_windows() if w.show_file(path)), None)


def open_from_outside(source: str) -> None:
    """Open a file or a link, which a second start of the program hands over, in the active window."""
    active, windows = QApplication.activeWindow(), tab_windows()
    if not windows:
        return
    window = active if isinstance(active, TabWindow) and active in windows else windows[-1]
    page = window.current_page
    if os.path.exists(source):
        open_file_in_tab(page, Path(source))
    else:
        activate_page_to_fill(page).document.open(source)


def activate_page_to_fill(page: MainWindow) -> MainWindow:
    """The page in which to open a scene: this page if it is untouched, else a new tab beside it.
    Its window is activated.
    """
    target = page if is_untouched(page) else open_tab(page)
    _activate_window(target.window())
    return target


def show_tab_bar(page: MainWindow, on: bool) -> None:
    """Show or hide the tab bar in the window of a page. It stays hidden while only one scene is
    open.
    """
    window = find_tab_window(page)
    if window is not None:
        window.tabBar().setVisible(on and (window.count() > 1 or len(tab_windows()) > 1))


def _show_tab_bars() -> None:
    """Show the tab bars of all windows if there are several, so that tabs can be dragged between
    them.
    """
    windows = tab_windows()
    for window in windows:
        window.setTabBarAutoHide(len(windows) == 1)


def show_next_tab(page: MainWindow, step: int = 1) -> None:
    """Show the tab ``step`` places further right, and the first after the last."""
    window = find_tab_window(page)
    if window is not None:
        window.setCurrentIndex((window.currentIndex() + step) % window.count())


def detach_tab(page: MainWindow) -> None:
    """Move a page to a window of its own."""
    window = find_tab_window(page)
    if window is not None:
        window.move_to_new_window(page)


def quit_program(page: MainWindow) -> None:
    """Close all windows after questions about unsaved changes. If the user cancels one, all stay
    open.
    """
    windows = tab_windows()
    if not all(window.may_close() for window in windows):
        return
    for window in windows:
        window.is_closing = True
    for window in windows:
        window.close()
    if page.window() not in windows:
        page.close()


def scene_title(page: MainWindow) -> str:
    """The name of a scene's file, else of the scene."""
    session = page.document.session
    return session.path.name if session.path else session.document.scene.name or tr("Untitled")


def show_title(page: MainWindow) -> None:
    """Show the name of a scene, with a mark for unsaved changes, in its tab and as the title of its
    window.
    """
    window = find_tab_window(page)
    if window is None:
        return
    index, name = window.indexOf(page), scene_title(page)
    text = literal_label_text(f"• {name}" if page.isWindowModified() else name)
    if window.tabText(index) != text:
        window.setTabText(index, text)
    window.setTabToolTip(index, literal_tool_tip(str(page.document.session.path or name)))
    if window.currentWidget() is page:
        window.setWindowTitle(page.windowTitle())
        window.setWindowModified(page.isWindowModified())


_settings: Settings | None = None
"""Where the open files are stored, once they are."""


def start_storing_open_files(settings: Settings) -> None:
    """From now on, store which files are open in which windows, for the next start."""
    global _settings
    _settings = settings
    remember_open_files()


def remember_open_files(*_: object) -> None:
    """Store which files are open. When the last window closes, its files stay stored."""
    if _settings is not None and (windows := tab_windows()):
        _settings.remember_open_files(window.open_files for window in windows)


def _remove_page(page: MainWindow) -> None:
    """Remove the tab of a closed page, and its window if that was the last tab."""
    window = find_tab_window(page)
    if window is None:
        return
    window.removeTab(window.indexOf(page))
    page.deleteLater()
    if window.count():
        remember_open_files()
    elif not window.is_closing:
        window.close()


def _activate_window(window: QWidget) -> None:
    window.show()
    window.raise_()
    window.activateWindow()
