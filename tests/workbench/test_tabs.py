"""Several scenes in one program: tabs and windows, what passes between them, and how they end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prism_window import prism_document
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QMessageBox
from tests.core.lens.lenses import TRIPLET
from window_state import named, select

from raybench.files.document_file import save_document
from raybench.lens.formats import write_lens
from raybench.scene.changes import AddPreset, Coat, Move
from raybench.shapes.point import Point
from raybench_workbench import files
from raybench_workbench.compare import CompareDialog
from raybench_workbench.document import WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.preferences.settings import Settings
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.window import tabs

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
PRISM, COATED = "prism.raybench", "coated.raybench"


@pytest.fixture
def page(tab_page: MainWindow, tmp_path: Path) -> MainWindow:
    """The only scene of the only window, without a file. Two files are in its folder."""
    prism = WorkDocument()
    prism.change(AddPreset("CentredLens", {}, Point(0, 0)))
    save_document(prism_document(), tmp_path / PRISM)
    save_document(prism.document, tmp_path / COATED)
    return tab_page


def titles() -> list[list[str]]:
    """The titles of the tabs of all windows."""
    return [[w.tabText(i) for i in range(w.count())] for w in tabs.tab_windows()]


def edit(page: MainWindow) -> None:
    keys = {o.key for o in page.document.scene.objects}
    assert page.document.change(Move(keys, 1, 0))


def press_key(qtbot: Any, key: Qt.Key, modifiers: Qt.KeyboardModifier = CTRL) -> MainWindow:
    """Press a key in the last window; returns the page that is shown then."""
    window = tabs.tab_windows()[-1]
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.keyClick(window.current_page.focusWidget(), key, modifiers)
    return window.current_page


def answer(button: QMessageBox.StandardButton) -> list[str]:
    """Answer the next question; its text is in the list then."""
    asked: list[str] = []

    def act() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), "no question came up"
        asked.append(box.text())
        box.button(button).click()

    QTimer.singleShot(50, act)
    return asked


def drag_tab(window: tabs.TabWindow, index: int, to: QPoint) -> None:
    """Drag a tab to a point of the screen."""
    bar = window.tabBar()
    start = bar.mapToGlobal(bar.tabRect(index).center())
    for kind, at, held in (
        (QEvent.Type.MouseButtonPress, start, LEFT),
        (QEvent.Type.MouseMove, (start + to) / 2, LEFT),
        (QEvent.Type.MouseMove, to, LEFT),
        (QEvent.Type.MouseButtonRelease, to, Qt.MouseButton.NoButton),
    ):
        button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else LEFT
        local = bar.mapFromGlobal(at).toPointF()
        QApplication.sendEvent(bar, QMouseEvent(kind, local, at.toPointF(), button, held, NONE))


def test_tabs_are_opened_shown_and_closed_by_keys_and_mouse(
    page: MainWindow, tmp_path: Path, qtbot: Any
) -> None:
    files.open_file(page, tmp_path / PRISM)
    (window,) = tabs.tab_windows()
    assert not window.tabBar().isVisible()
    second = press_key(qtbot, Qt.Key.Key_T)
    assert second is not page
    assert window.tabBar().isVisible()
    files.open_file(second, tmp_path / COATED)
    edit(second)
    assert titles() == [[PRISM, f"• {COATED}"]]
    assert window.isWindowModified()
    assert press_key(qtbot, Qt.Key.Key_Tab) is page
    assert (window.windowTitle(), window.isWindowModified()) == (page.windowTitle(), False)
    assert page.canvas.hasFocus()
    second.chat_dock.ask("/help")  # of the tab that is not shown
    press_key(qtbot, Qt.Key.Key_Z)
    assert second.document.session.modified, "a key acted on the other tab"
    asked = answer(QMessageBox.StandardButton.Cancel)
    qtbot.mouseClick(window.tabBar().tabButton(1, tabs.CLOSE_SIDE), LEFT)
    assert asked == [f"Save the changes to {COATED}?"]
    assert window.current_page is second
    asked = answer(QMessageBox.StandardButton.Save)
    qtbot.mouseClick(window.tabBar(), MIDDLE, pos=window.tabBar().tabRect(1).center())
    assert asked
    assert titles() == [[PRISM]]
    assert window.current_page is page
    press_key(qtbot, Qt.Key.Key_T)
    tabs.open_file_in_tab(window.current_page, tmp_path / PRISM)
    assert window.current_page is page, "a file is not opened twice"
    press_key(qtbot, Qt.Key.Key_W)
    assert titles() == [["Untitled"]]


def test_a_tab_is_dragged_to_a_window_of_its_own_and_back(
    page: MainWindow, tmp_path: Path, qtbot: Any
) -> None:
    files.open_file(page, tmp_path / PRISM)
    edit(page)
    document = page.document.document
    other = tabs.open_tab(page)
    (first,) = tabs.tab_windows()
    drag_tab(first, 0, first.mapToGlobal(QPoint(300, 300)))
    assert titles() == [["Untitled"], [f"• {PRISM}"]]
    second = tabs.tab_windows()[1]
    assert second.current_page is page
    assert page.document.document is document
    assert len(page.document.session.history.done) == 1
    second.move(first.geometry().topRight())
    assert page.settings.open_files[0].files == [tmp_path / PRISM]
    page.actions_by_id["file.new_tab"].trigger()
    drag_tab(second, 0, first.mapToGlobal(QPoint(200, 200)))
    assert titles() == [["Untitled", f"• {PRISM}"], ["Untitled"]]
    assert first.current_page is page
    assert second.tabBar().isVisible(), "its only tab can be dragged back"
    asked = answer(QMessageBox.StandardButton.Cancel)
    other.actions_by_id["file.quit"].trigger()
    assert asked
    assert titles() == [["Untitled", f"• {PRISM}"], ["Untitled"]], "nothing is closed"
    asked = answer(QMessageBox.StandardButton.Discard)
    other.actions_by_id["file.quit"].trigger()
    assert asked
    assert titles() == []
    assert [w.files for w in page.settings.open_files] == [[tmp_path / PRISM]]


def test_a_tab_dragged_out_of_a_full_screen_is_a_window_on_the_screen(
    page: MainWindow, qtbot: Any
) -> None:
    (first,) = tabs.tab_windows()
    first.resize(500, 300)
    first.showMaximized()
    tabs.open_tab(page)
    screen = first.screen().availableGeometry()
    drag_tab(first, 0, screen.bottomRight() - QPoint(20, 20))
    second = tabs.tab_windows()[1]
    assert screen.adjusted(-4, -4, 4, 4).contains(second.geometry()), "besides its frame"
    assert second.width() < screen.width()
    drag_tab(second, 0, first.mapToGlobal(QPoint(200, 200)))
    assert titles() == [["Untitled", "Untitled"]], "a window without tabs is closed"


def test_files_from_outside_have_a_tab_each_while_one_is_being_read(
    page: MainWindow, tmp_path: Path, qtbot: Any
) -> None:
    page.document.new()
    lens = tmp_path / "lens.zmx"
    lens.write_bytes(write_lens(replace(TRIPLET, title="Cooke"), lens.name)[0])
    for path in (lens, tmp_path / PRISM):
        tabs.open_from_outside(str(path))
    qtbot.waitUntil(lambda: titles() == [["• Cooke", PRISM]])
    assert page.windowTitle() == "Cooke[*] – Raybench"


def test_the_files_of_the_last_time_are_read_when_their_tab_is_shown(
    page: MainWindow, tmp_path: Path, qtbot: Any, shots: Any
) -> None:
    (window,) = tabs.tab_windows()
    for name in (PRISM, COATED):
        tabs.open_file_in_tab(page, tmp_path / name)
    window.setCurrentIndex(0)
    page.settings.wait_until_written()
    (stored,) = Settings(tmp_path / "settings.json").open_files
    assert (stored.files, stored.shown) == ([tmp_path / PRISM, tmp_path / COATED], 0)
    new = tabs.open_window(window._make_page)
    tabs.open_files_again(new, stored)
    assert titles()[1] == [PRISM, COATED]
    assert len(tabs.open_pages()) == 3
    shots(new.window().tabBar(), "tabs")
    press_key(qtbot, Qt.Key.Key_Tab)
    assert len(tabs.open_pages()) == 4
    shown = tabs.tab_windows()[1].current_page
    assert shown.document.session.path == tmp_path / COATED
    assert titles()[1] == [PRISM, COATED]


def test_objects_are_pasted_whole_into_another_scene_which_is_compared_with(
    page: MainWindow, tmp_path: Path, qtbot: Any
) -> None:
    files.open_file(page, tmp_path / PRISM)
    prism = named(page, "Main Prism")
    assert page.document.change(Coat(prism.key, "0", coating="MgF2 quarter wave 550"))
    assert page.document.change(AddPreset("CentredLens", {}, Point(400, 0)))
    page.selection.set({o.key for o in page.document.scene.objects})
    page.canvas.setFocus()
    qtbot.keyClick(page.canvas, Qt.Key.Key_C, CTRL)
    other = press_key(qtbot, Qt.Key.Key_T)
    other.canvas.setFocus()
    qtbot.keyClick(other.canvas, Qt.Key.Key_V, CTRL)
    names = [o.title for o in page.document.scene.objects]
    assert [o.title for o in other.document.scene.objects] == names
    assert len(other.document.document.coatings) == len(other.document.document.parts) == 1
    select(other, "Main Prism")
    assert other.document.change(Move(other.selection.keys, 0, 5))
    menu = other.menus["Compare with an open scene"]
    menu.aboutToShow.emit()
    (entry,) = menu.actions()
    assert entry.text() == PRISM
    entry.trigger()
    qtbot.waitUntil(lambda: other.findChild(CompareDialog) is not None)
    dialog = other.findChild(CompareDialog)
    subjects = {dialog.rows.item(row, 0).text() for row in range(dialog.rows.rowCount())}
    assert "Main Prism" in subjects
    dialog.close()
    wait_until_settled(other)
