"""The main window, driven as a person does: files, undo, layout."""

from __future__ import annotations

import json
import threading
from importlib import import_module
from pathlib import Path

import pytest
from prism_window import prism_document
from PySide6.QtCore import QMimeData, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QMenuBar, QMessageBox

from raybench.files.document_file import load_document, save_document
from raybench.files.examples import EXAMPLES
from raybench.scene.changes import Disable, Move, Set
from raybench_workbench import files, saving
from raybench_workbench.actions import (
    ACTIONS,
    MENU_TABLE,
    MENUS,
    Action,
    InvalidAction,
    LazyFunction,
    Menu,
    check_action_table,
    flatten_menu_rows,
)
from raybench_workbench.preferences.choices import THEME
from raybench_workbench.shot import wait_seconds, wait_until_settled, widget_picture
from raybench_workbench.tracing import TraceState
from raybench_workbench.window.layout import MIN_LEFT

pytestmark = [pytest.mark.quick, pytest.mark.one_window]

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


def answer(button: QMessageBox.StandardButton) -> None:
    """Press a button of the question that comes up next."""

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox), "no question came up"
        box.button(button).click()

    QTimer.singleShot(50, press)


@pytest.fixture
def prism(open_window):
    window = open_window(prism_document())
    window.tests_prism = window.document.scene.objects[1].key
    return window


def shift(window, dx=5.0):
    window.document.change(Move(window.tests_prism, dx, 0))


def test_the_status_line_reports_the_trace(prism):
    result = prism.document.session.fresh_result
    assert len(result) > 20
    assert f"{len(result)} segments" in prism.status.segments.text().replace("\u2009", "")
    assert prism.status.time.text() == "1.0 ms"
    assert prism.status.state.text() == "complete"


def test_the_canvas_has_most_of_the_window(prism):
    canvas = prism.canvas
    assert canvas.width() * canvas.height() > 0.55 * prism.width() * prism.height()


def test_opening_a_file_shows_it_and_remembers_it(prism, tmp_path):
    path = tmp_path / "other.json"
    save_document(prism.document.document, path)
    files.open_file(prism, path)
    wait_until_settled(prism)
    assert prism.document.session.path == path
    assert prism.windowTitle() == "other.json[*] – Raybench"
    assert prism.settings.recent == [path]
    recent = menu(prism, "Open recent")
    recent.aboutToShow.emit()
    assert [a.text() for a in recent.actions()] == ["other.json"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "not JSON"),
        ('{"version": 5, "objs": [], "gridSize": NaN}', "must be a finite number"),
        ('{"version": 5, "objs": 7}', "must be a list of objects"),
        (None, "no such file"),
    ],
    ids=["no JSON", "NaN", "no list", "missing"],
)
def test_an_unreadable_file_leaves_the_document(prism, tmp_path, text, says):
    path = tmp_path / "bad.json"
    if text is not None:
        path.write_text(text)
    before = prism.document.document
    files.open_file(prism, path)
    assert prism.document.document is before
    assert prism.messages.error.isVisible()
    line = prism.messages.error.label.full_text
    assert says in line
    assert "\n" not in line
    assert "bad.json" in line
    shift(prism)
    assert not prism.messages.error.isVisible()


def test_a_file_with_one_bad_object_opens(prism, tmp_path):
    path = tmp_path / "bad.json"
    save_document(prism.document.document, path)
    data = json.loads(path.read_text())
    data["objs"][3]["p1"] = "left"
    path.write_text(json.dumps(data))
    files.open_file(prism, path)
    wait_until_settled(prism)
    assert prism.document.session.path == path
    assert len(prism.document.session.fresh_result) > 20
    message = (
        "'Unread object 1' (Mirror, object 4 of the file) is kept but has no effect: 'p1' must be a"
        " point with x and y, it is text."
    )
    assert prism.messages.problem.label.full_text == message
    assert prism.messages.problem.isVisible()
    assert not prism.isWindowModified()
    assert saving.save_document(prism)
    assert json.loads(path.read_text())["objs"][3]["p1"] == "left"


@pytest.mark.parametrize(
    "entry", [None, {"type": 3}, {"type": "Glass", "path": [{"x": 1}]}], ids=json.dumps
)
def test_an_entry_that_is_no_object_is_kept(prism, qtbot, tmp_path, entry):
    path = tmp_path / "bad.json"
    save_document(prism.document.document, path)
    data = json.loads(path.read_text())
    data["objs"].insert(1, entry)
    path.write_text(json.dumps(data))
    files.open_file(prism, path)
    wait_until_settled(prism)
    assert (
        "object 2 of the file) is kept but has no effect: "
        in prism.messages.problem.label.full_text
    )
    qtbot.keyClick(prism, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(prism.canvas, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(prism.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    shift(prism)
    qtbot.keyClick(prism, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert not prism.isWindowModified()
    assert json.loads(path.read_text())["objs"][1] == entry
    assert len(json.loads(path.read_text())["objs"]) == len(data["objs"])


def test_a_large_file_is_read_in_a_thread(prism, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "large.json"
    mirrors = [{"type": "Mirror", "p1": {"x": 20 * (i % 60), "y": 20 * (i // 60)}, "p2": {"x": 20 * (i % 60), "y": 20 * (i // 60) + 9}}
               for i in range(4000)]  # fmt: skip
    path.write_text(json.dumps({"version": 5, "objs": mirrors}))
    ticks = []
    timer = QTimer()
    timer.timeout.connect(lambda: ticks.append(len(prism.document.scene.objects)))
    timer.start(1)
    few = len(prism.document.scene.objects)
    files.open_file(prism, path)
    assert prism.status.currentMessage() == "Reading large.json…"
    qtbot.waitUntil(lambda: not prism.reading.is_working)
    timer.stop()
    assert ticks
    assert ticks[0] == few
    assert len(prism.document.scene.objects) == 4000
    assert not prism.status.currentMessage()
    wait_until_settled(prism)
    shift(prism)
    monkeypatch.setattr(files, "may_leave_document", lambda window: False)
    files.open_file(prism, path)
    qtbot.waitUntil(lambda: not prism.reading.is_working)
    assert not prism.status.currentMessage(), "also where the person stays"
    path.write_text(path.read_text()[:-1])
    files.open_file(prism, path)
    qtbot.waitUntil(lambda: not prism.reading.is_working)
    assert "is not JSON" in prism.messages.error.label.full_text
    assert not prism.status.currentMessage()
    assert len(prism.document.scene.objects) == 4000


def test_what_is_opened_during_a_reading_stays(prism, qtbot, tmp_path):
    large, small = tmp_path / "large.json", tmp_path / "small.json"
    mirror = {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 9, "y": 0}}
    large.write_text(json.dumps({"version": 5, "objs": [mirror] * 4000}))
    small.write_text(json.dumps({"version": 5, "objs": [mirror]}))
    files.open_file(prism, large)
    files.open_file(prism, small)
    wait_until_settled(prism)
    qtbot.wait(500)
    assert prism.document.session.path == small
    files.open_file(prism, large)
    prism.document.new()
    qtbot.wait(500)
    assert not prism.document.scene.objects


def test_a_dropped_file_is_opened(prism, tmp_path):
    path = tmp_path / "dropped.json"
    save_document(prism.document.document, path)
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path))])
    event = QDropEvent(
        QPointF(300, 300),
        Qt.DropAction.CopyAction,
        mime,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    prism.dropEvent(event)
    assert prism.document.session.path == path


def test_saving_clears_the_mark_of_changes(prism, qtbot, tmp_path, monkeypatch):
    path = tmp_path / "mine.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **k: (str(path), ""))
    shift(prism)
    assert prism.isWindowModified()
    qtbot.keyClick(prism, Qt.Key.Key_S, CTRL | SHIFT)
    assert not prism.isWindowModified()
    assert load_document(path).scene == prism.document.scene
    shift(prism)
    qtbot.keyClick(prism, Qt.Key.Key_S, CTRL)
    assert json.loads(path.read_text())["objs"][1]["path"][0]["x"] == 210
    assert not prism.isWindowModified()


def test_a_save_that_fails_keeps_the_mark(prism, tmp_path):
    shift(prism)
    assert not saving.save_to_file(prism, tmp_path / "no folder" / "x.json")
    assert "cannot be written" in prism.messages.error.label.full_text
    assert prism.isWindowModified()


def test_saving_annotations_as_a_plain_scene_warns_first(prism, tmp_path):
    prism.document.apply(Disable(prism.tests_prism))
    answer(QMessageBox.StandardButton.Cancel)
    assert not saving.save_to_file(prism, tmp_path / "plain.json")
    assert not (tmp_path / "plain.json").exists()
    assert saving.save_to_file(prism, tmp_path / "whole.raybench")
    assert len(load_document(tmp_path / "whole.raybench").disabled) == 1


@pytest.mark.parametrize(
    ("button", "goes"),
    [(QMessageBox.StandardButton.Cancel, False), (QMessageBox.StandardButton.Discard, True)],
)
def test_closing_asks_about_unsaved_work(prism, button, goes):
    shift(prism)
    answer(button)
    assert prism.close() is goes


def test_closing_ends_the_agents_thread(prism):
    def agents() -> int:
        return sum(thread.name == "agent" for thread in threading.enumerate())

    prism.chat_dock.agent.start()  # which happens a moment after the window is there
    before = agents()
    assert before > 0
    prism.close()
    assert agents() == before - 1


def test_closing_a_saved_document_asks_nothing(prism):
    assert prism.close()


def test_undo_and_redo_name_their_step(prism, qtbot):
    before = prism.document.document
    shift(prism)
    after = prism.document.document
    undo = prism.actions_by_id["edit.undo"]
    assert undo.text() == "Undo: Main Prism moved by (5, 0) mm"
    qtbot.keyClick(prism, Qt.Key.Key_Z, CTRL)
    assert prism.document.document is before
    assert not undo.isEnabled()
    assert not prism.isWindowModified()
    assert prism.actions_by_id["edit.redo"].text() == "Redo: Main Prism moved by (5, 0) mm"
    qtbot.keyClick(prism, Qt.Key.Key_Z, CTRL | SHIFT)
    assert prism.document.document is after


def test_the_window_comes_back_as_it_was_left(prism, open_window):
    prism.actions_by_id["view.rays"].trigger()
    prism.actions_by_id["theme.light"].trigger()
    prism.close()
    again = open_window(
        Path(__file__).parents[2] / "resources" / "raybench_resources" / "scenes" / "prism.json"
    )
    assert again.rays_dock.isVisible()
    assert again.settings.get(THEME) == "light"


def test_a_refused_edit_changes_nothing(prism):
    before = prism.document.document
    prism.document.change(Move(prism.tests_prism, float("nan"), 0))
    assert prism.document.document is before
    assert "Main Prism" in prism.messages.error.label.full_text


def test_a_stopped_trace_keeps_its_rays(open_window, qtbot):
    from raybench.kinds.mirrors import Mirror
    from raybench.kinds.sources import PointSource
    from raybench.scene.document import Document
    from raybench.scene.scene import Scene
    from raybench.scene.settings import Settings
    from raybench.session import Session
    from raybench.shapes.point import Point

    window = open_window()
    corners = [Point(0, 0), Point(100, 0), Point(100, 90), Point(0, 90)]
    walls = [Mirror(p1=a, p2=b) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    endless = Document(
        scene=Scene.of([PointSource(x=31, y=40), *walls], Settings(ray_mode_density=0.1))
    )
    window.document.replace_session(Session(endless))
    qtbot.waitUntil(lambda: window.service.state is TraceState.TRACING, timeout=60_000)
    qtbot.mouseClick(window.status.state, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not window.service.busy, timeout=30_000)
    wait_seconds(0.05)
    assert window.status.state.text() == "partial: cancelled"
    assert len(window.document.result) > 0


@pytest.mark.one_window(False)
def test_the_example_is_nobody_s_file(prism):
    from raybench_workbench.app import open_example

    open_example(prism.document)
    wait_until_settled(prism)
    assert prism.document.session.path is None
    assert prism.settings.recent == []
    assert len(prism.document.session.fresh_result) > 500


def menu(window, title):
    """A menu, or a menu within one, by its title."""
    return next(
        m for m in window.menuWidget().findChildren(QMenu) if m.title().replace("&", "") == title
    )


def name_of(action):
    """What the table calls an entry of a menu."""
    if action.isSeparator():
        return "-"
    return action.menu().title().replace("&", "") if action.menu() else action.objectName()


def test_menus_hold_the_rows_of_the_table(prism):
    rows = [row for row in flatten_menu_rows(MENU_TABLE) if isinstance(row, Menu)]
    assert len(rows) > 20
    for row in rows:
        wanted = [
            "-" if each is None else each.id if isinstance(each, Action) else each.title
            for each in row.rows
        ]
        there = menu(prism, row.title).actions()
        assert [name_of(a) for a in there] == wanted, row.title


def test_shortcuts_work_where_the_table_says(prism):
    for action in ACTIONS:
        made = prism.actions_by_id[action.id]
        assert (made in prism.canvas.actions()) is ("canvas" in action.scopes)
        assert (made in prism.tree.list.actions()) is ("tree" in action.scopes)


def test_every_shortcut_is_used_once(prism):
    shortcuts = [
        shortcut.toString()
        for made in prism.actions_by_id.values()
        for shortcut in made.shortcuts()
    ]
    assert sorted(shortcuts) == sorted(set(shortcuts))


@pytest.mark.parametrize(
    ("row", "name"), [(Action("file.new", "Another", print), "file.new"), (Menu("Theme"), "Theme")]
)
def test_two_rows_of_a_name_are_refused(row, name):
    with pytest.raises(InvalidAction, match=f"There are two rows '{name}'"):
        check_action_table((*MENU_TABLE, Menu("More", row)))


def test_a_bar_names_only_what_exists():
    with pytest.raises(InvalidAction, match=r"names 'edit.rename'"):
        check_action_table(MENU_TABLE[:1])


def test_a_small_window_leaves_the_properties_readable(open_window):
    window = open_window(prism_document(), size=(200, 200))
    assert window.scene_dock.width() >= 160
    assert (
        window.properties.widget().minimumSizeHint().width() <= window.properties.viewport().width()
    )


def test_long_names_take_a_bounded_place(open_window):
    window = open_window(prism_document())
    key = window.document.scene.objects[1].key
    window.selection.set({key})
    seen = []
    for name in ("y" * 300, "y" * 5000):
        window.document.change(Set(key, {"name": name}))
        wait_until_settled(window)
        seen.append(widget_picture(window.canvas))
    assert seen[0] == seen[1]


@pytest.mark.one_window(False)
def test_an_example_opens_without_a_file(prism):
    submenu = menu(prism, "Open example")
    submenu.aboutToShow.emit()
    assert [a.text() for a in submenu.actions()] == [example.title for example in EXAMPLES]
    next(a for a in submenu.actions() if a.text().startswith("A lens array")).trigger()
    wait_until_settled(prism)
    assert prism.document.scene.name == "A lens array"
    assert prism.document.session.path is None
    assert prism.settings.recent == []
    assert len(prism.document.result) == 51


@pytest.mark.one_window(False)
def test_panels_below_the_canvas_are_tabs(prism, qtbot):
    rays, plots = prism.actions_by_id["view.rays"], prism.actions_by_id["view.plots"]
    rays.trigger()
    plots.trigger()
    qtbot.waitUntil(lambda: plots.isChecked() and not rays.isChecked())
    assert prism.plots.width() == prism.canvas.width()
    rays.trigger()  # it is behind, so it comes to the front
    qtbot.waitUntil(lambda: rays.isChecked() and not plots.isChecked())
    assert prism.rays.width() == prism.canvas.width()
    rays.trigger()
    qtbot.waitUntil(lambda: plots.isChecked() and not rays.isChecked())


@pytest.mark.one_window(False)
@pytest.mark.parametrize("width", [1024, 700])
def test_all_menus_fit_a_narrow_window(open_window, width):
    window = open_window(size=(width, 700))
    (bar,) = window.findChildren(QMenuBar)
    shown = [
        a for a in bar.actions() if a.isVisible() and bar.rect().contains(bar.actionGeometry(a))
    ]
    assert [a.text().replace("&", "") for a in shown] == list(MENUS)
    assert bar.width() >= bar.sizeHint().width()
    assert window.width() == width


def test_families_without_room_are_in_a_menu(open_window, qtbot):
    window = open_window(size=(1024, 700))
    bar = window.create_bar
    hidden = [family for family, button in bar.buttons.items() if not button.isVisible()]
    assert hidden
    assert bar.extension.isVisible()
    opened = []
    bar.extension.menu().aboutToShow.connect(lambda: QTimer.singleShot(0, look))

    def look():
        menu = QApplication.activePopupWidget()
        opened.extend(a.text() for a in menu.actions())
        menu.close()

    qtbot.mouseClick(bar.extension, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(opened))
    assert opened == hidden


def test_every_function_imported_later_exists():
    later = [row.run for row in ACTIONS if isinstance(row.run, LazyFunction)]
    assert len(later) > 4
    for run in later:
        assert callable(getattr(import_module(f"raybench_workbench.{run.module}"), run.name))


def test_no_panel_makes_a_small_window_larger(
    open_window,
):
    window = open_window(size=(1024, 700))
    for name in ("view.rays", "view.study", "view.plots", "view.json", "view.inspector"):
        window.actions_by_id[name].trigger()
        wait_seconds(0.05)
        assert window.width() == 1024, name
        assert window.scene_dock.width() >= MIN_LEFT, name
    hint = window.inspector.hint
    assert hint.visibleRegion().boundingRect().height() >= hint.heightForWidth(hint.width())


def test_a_panel_has_one_name_everywhere(window):
    for name, dock in (("chat", window.chat_dock), ("inspector", window.inspector_dock)):
        assert (
            dock.titleBarWidget().text()
            == dock.windowTitle()
            == window.actions_by_id[f"view.{name}"].iconText()
        )
