"""The list of objects, by mouse and keyboard: names, switches, order, groups, search."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu
from quiet import nothing_raised_or_printed
from window_state import selected

from raybench.kinds.mirrors import Mirror
from raybench.scene.changes import Delete, Duplicate, Replace, Set, SetSettings
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.shapes.point import Point
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.panels.scene_tree_rows import switch_rect
from raybench_workbench.shot import widget_picture

pytestmark = pytest.mark.one_window


LEFT = Qt.MouseButton.LeftButton


def titles(window):
    return [o.title for o in window.document.scene.objects]


def box(window, name):
    return window.tree.list.visualRect(window.tree.model.index(titles(window).index(name)))


def click(window, qtbot, name, modifiers=Qt.KeyboardModifier.NoModifier):
    qtbot.mouseClick(window.tree.list.viewport(), LEFT, modifiers, box(window, name).center())


def move(window, at, buttons=Qt.MouseButton.NoButton):
    view = window.tree.list.viewport()
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(at),
        view.mapToGlobal(QPointF(at)),
        Qt.MouseButton.NoButton,
        buttons,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(view, event)


def drag(window, qtbot, name, to):
    view = window.tree.list.viewport()
    qtbot.mousePress(view, LEFT, pos=box(window, name).center())
    for at in (box(window, name).center() + QPoint(0, 8), to, to):
        move(window, at, LEFT)
    qtbot.mouseRelease(view, LEFT, pos=to)


def menu_at(window, widget, at):
    """The context menu that a click of the right button opens, as its texts."""
    QApplication.sendEvent(
        widget, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, widget.mapToGlobal(at))
    )
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


@pytest.mark.parametrize(
    "change",
    [
        Replace("Mirror 1", {"type": "Blocker", "p1": {"x": 0, "y": 0}, "p2": {"x": 9, "y": 0}}),
        SetSettings({"lockObjs": True}),
    ],
)
def test_changed_rows_are_repainted(window, change):
    changed = []
    window.tree.model.dataChanged.connect(
        lambda first, last: changed.append((first.row(), last.row()))
    )
    row = titles(window).index("Mirror 1")
    window.document.change(change)
    assert [first <= row <= last for first, last in changed] == [True]
    assert (
        "locked" in window.tree.model.enabled_switches(row)
        or window.tree.model.index(row).data() == "Blocker 1"
    )


def test_a_name_with_breaks_takes_one_line(window) -> None:
    key = window.document.scene.objects[1].key
    seen = []
    for name in ("Left\nmirror", "Left mirror"):
        window.document.change(Set(key, {"name": name}))
        seen.append(widget_picture(window.tree.list))
    assert seen[0] == seen[1]


@pytest.mark.parametrize("where", ["tree", "canvas"])
def test_f2_renames_in_place(window, qtbot, where):
    click(window, qtbot, "Main Prism")
    focus = window.tree.list if where == "tree" else window.canvas
    focus.setFocus()
    qtbot.keyClick(focus, Qt.Key.Key_F2)
    edit = window.tree.list.findChild(QLineEdit)
    edit.selectAll()
    qtbot.keyClicks(edit, "Wedge")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Wedge" in titles(window))


def test_a_taken_name_is_refused_with_the_remedy(window, qtbot):
    refused = []
    window.document.failed.connect(refused.append)
    click(window, qtbot, "Main Prism")
    qtbot.keyClick(window.tree.list, Qt.Key.Key_F2)
    edit = window.tree.list.findChild(QLineEdit)
    edit.selectAll()
    qtbot.keyClicks(edit, "Screen")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(refused))
    assert refused == ["There is another object named 'Screen'. Give one of them another name."]
    assert titles(window) == ["Lamp", "Main Prism", "Screen", "Mirror 1"]


@pytest.mark.parametrize(("name", "on"), [("hidden", "hidden"), ("disabled", "disabled")])
def test_a_switch_is_clicked_on_and_off(window, qtbot, name, on):
    window.selection.clear()
    key = window.document.scene.objects[1].key
    for keys in ({key}, set()):
        at = switch_rect(box(window, "Main Prism"), name).center()
        qtbot.mouseClick(window.tree.list.viewport(), LEFT, pos=at)
        assert getattr(window.document.document, on) == keys
    assert window.selection.keys == frozenset()


@pytest.mark.parametrize("name", ["hidden", "disabled", "locked"])
def test_a_switch_turns_all_selected_rows(window, qtbot, name):
    one, other, third = titles(window)[:3]
    click(window, qtbot, one)
    click(window, qtbot, other, Qt.KeyboardModifier.ControlModifier)
    before = window.document.document

    def on():
        return [name in window.tree.model.enabled_switches(row) for row in range(3)]

    for state in (True, False):
        qtbot.mouseClick(
            window.tree.list.viewport(), LEFT, pos=switch_rect(box(window, other), name).center()
        )
        assert on() == [state, state, False]
    assert len(window.selection.keys) == 2
    qtbot.mouseClick(
        window.tree.list.viewport(), LEFT, pos=switch_rect(box(window, third), name).center()
    )
    assert on() == [False, False, True]  # a row that is not selected stands for itself
    assert len(window.document.session.history.done) == 3
    for _ in range(3):
        qtbot.keyClick(window.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert window.document.document == before


def test_a_locked_object_ignores_the_mouse(window, qtbot, hand):
    at = switch_rect(box(window, "Main Prism"), "locked").center()
    before = widget_picture(window.tree.list)
    qtbot.mouseClick(window.tree.list.viewport(), LEFT, pos=at)
    assert window.document.scene.objects[1].locked == "locked"
    assert widget_picture(window.tree.list) != before
    path = window.document.scene.objects[1].path
    centre = sum(v.x for v in path) / len(path), sum(v.y for v in path) / len(path)
    hand(window.canvas).drag(centre, (centre[0] + 30, centre[1]))
    assert window.document.scene.objects[1].path == path
    qtbot.mouseClick(window.tree.list.viewport(), LEFT, pos=at)
    assert window.document.scene.objects[1].locked == "default"


def test_a_dragged_row_is_one_step(window, qtbot):
    before = titles(window)
    last = box(window, before[-1])
    drag(window, qtbot, before[0], last.bottomLeft() + QPoint(40, -2))
    assert titles(window) == [*before[1:], before[0]]
    drag(window, qtbot, before[0], box(window, before[1]).topLeft() + QPoint(40, 2))
    assert titles(window) == before
    assert len(window.document.session.history.done) == 2


def test_several_rows_are_dragged_together(window, qtbot):
    before = titles(window)
    click(window, qtbot, before[0])
    click(window, qtbot, before[1], Qt.KeyboardModifier.ControlModifier)
    drag(window, qtbot, before[1], box(window, before[-1]).bottomLeft() + QPoint(40, -2))
    assert titles(window) == [*before[2:], *before[:2]]
    assert selected(window) == set(before[:2])


def test_esc_gives_up_a_drag_of_rows(window, qtbot):
    before, view = titles(window), window.tree.list.viewport()
    qtbot.mousePress(view, LEFT, pos=box(window, before[0]).center())
    to = box(window, before[-1]).bottomLeft() + QPoint(40, -2)
    for _ in range(2):
        move(window, to, LEFT)
    qtbot.keyClick(window.tree.list, Qt.Key.Key_Escape)
    move(window, to, LEFT)
    qtbot.mouseRelease(view, LEFT, pos=to)
    assert titles(window) == before
    drag(window, qtbot, before[0], to)
    assert titles(window) == [*before[1:], before[0]]


def test_a_drag_beyond_the_list_scrolls(open_window, qtbot):
    scene = Scene.of(
        [Mirror(name=f"M{i}", p1=Point(10 * i, 0), p2=Point(10 * i, 80)) for i in range(40)]
    )
    window = open_window(Document(scene=scene))
    window.tree.list.scrollToTop()
    view, bar = window.tree.list.viewport(), window.tree.list.verticalScrollBar()
    below = QPoint(40, view.height() + 30)
    qtbot.mousePress(view, LEFT, pos=box(window, "M2").center())
    for _ in range(2):
        move(window, below, LEFT)
    qtbot.waitUntil(lambda: bar.value() == bar.maximum())
    qtbot.mouseRelease(view, LEFT, pos=below)
    assert titles(window)[-2:] == ["M39", "M2"]
    qtbot.mousePress(view, LEFT, pos=box(window, "M2").center())
    for _ in range(2):
        move(window, QPoint(40, -9), LEFT)
    qtbot.waitUntil(lambda: bar.value() == 0)
    qtbot.mouseRelease(view, LEFT, pos=QPoint(40, -9))
    assert titles(window)[:2] == ["M2", "M0"]


def test_a_double_click_renames_in_place(window, qtbot):
    at = box(window, "Main Prism").center()
    click(window, qtbot, "Main Prism")
    qtbot.mouseDClick(window.tree.list.viewport(), LEFT, pos=at)
    edit = window.tree.list.findChild(QLineEdit)
    edit.selectAll()
    qtbot.keyClicks(edit, "Wedge")
    qtbot.keyClick(edit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "Wedge" in titles(window))


def test_keys_in_the_search_of_objects(window, qtbot):
    search = window.tree.search
    search.setFocus()
    for select in (Qt.Key.Key_Return, Qt.Key.Key_Down):
        qtbot.keyClicks(search, "scr")
        qtbot.keyClick(search, select)
        assert selected(window) == {"Screen"}
        assert window.tree.list.hasFocus()
        search.setFocus()
        qtbot.keyClick(search, Qt.Key.Key_Escape)
        assert (search.text(), search.hasFocus()) == ("", True)
        window.selection.clear()
    qtbot.keyClick(search, Qt.Key.Key_Escape)
    assert window.canvas.hasFocus()


def test_the_pointer_on_a_row_lights_the_object(window):
    move(window, box(window, "Main Prism").center())
    assert window.canvas.hovered == window.document.scene.objects[1].key
    QApplication.sendEvent(window.tree.list.viewport(), QEvent(QEvent.Type.Leave))
    assert window.canvas.hovered is None


def test_the_search_finds_names_and_kinds(window, qtbot):
    window.canvas.setFocus()
    qtbot.keyClick(window.canvas, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.tree.search.hasFocus()
    for typed, shown in (("scr", ["Screen"]), ("glass", ["Main Prism"])):
        window.tree.search.selectAll()
        qtbot.keyClicks(window.tree.search, typed)
        assert [
            t for i, t in enumerate(titles(window)) if not window.tree.list.isRowHidden(i)
        ] == shown
        assert window.tree.no_match.isHidden()
    qtbot.keyClicks(window.tree.search, "zzz")
    assert window.tree.no_match.isVisible()
    window.tree.search.clear()
    assert window.tree.no_match.isHidden()
    assert not any(window.tree.list.isRowHidden(i) for i in range(len(titles(window))))


def test_a_group_is_made_selected_and_dissolved(window, qtbot, hand):
    click(window, qtbot, "Main Prism")
    click(window, qtbot, "Screen", Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(
        window.tree.list,
        Qt.Key.Key_G,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert list(window.document.document.groups) == ["Group 1"]
    window.selection.clear()
    path = window.document.scene.objects[1].path
    centre = sum(v.x for v in path) / len(path), sum(v.y for v in path) / len(path)
    hand(window.canvas).click(*centre)
    assert selected(window) == {"Main Prism", "Screen"}
    hand(window.canvas).click(*centre, Qt.KeyboardModifier.AltModifier)
    assert selected(window) == {"Main Prism"}
    hand(window.canvas).drag(centre, (centre[0] + 10, centre[1]))
    qtbot.keyClick(
        window.canvas,
        Qt.Key.Key_U,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    assert window.document.document.groups == {}


def test_a_group_is_renamed_as_one_step(window, qtbot):
    rename = window.actions_by_id["arrange.rename_group"]
    click(window, qtbot, "Main Prism")
    assert not rename.isEnabled()
    click(window, qtbot, "Screen", Qt.KeyboardModifier.ControlModifier)
    window.actions_by_id["arrange.group"].trigger()
    keys = window.selection.keys
    rename.trigger()
    (dialog,) = window.findChildren(NameDialog)
    for typed, refused in (
        ("Main Prism", "is the name of an object"),
        ("", "needs a name"),
        ("Telescope", ""),
    ):
        dialog.edit.selectAll()
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Delete)
        qtbot.keyClicks(dialog.edit, typed)
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
        assert refused in dialog.reason.text()
        assert not refused or dialog.reason.height() >= dialog.reason.heightForWidth(
            dialog.reason.width()
        )
    assert window.document.document.groups == {"Telescope": keys}
    assert [s.text for s in window.document.session.history.done][1:] == [
        "Group 1 renamed to Telescope"
    ]


def test_the_menu_of_a_row_runs_actions(window, qtbot):
    click(window, qtbot, "Main Prism")
    menu = menu_at(window, window.tree.list.viewport(), box(window, "Main Prism").center())
    shown = [a.text() for a in menu.actions() if not a.isSeparator()]
    assert shown == [
        "Rename",
        "Cut",
        "Copy",
        "Duplicate",
        "Delete",
        "Hide",
        "Let light pass",
        "Lock",
        "Group",
        "Rename group…",
        "Ungroup",
        "&Arrange",
        "Fit selection",
        "Sweep…",
    ]
    qtbot.keyClick(menu, Qt.Key.Key_Up)
    menu.setActiveAction(next(a for a in menu.actions() if a.text() == "Let light pass"))
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert window.document.document.disabled == {window.document.scene.objects[1].key}


def test_right_click_and_right_drag_on_the_canvas(window, qtbot, hand):
    path = window.document.scene.objects[1].path
    centre = sum(v.x for v in path) / len(path), sum(v.y for v in path) / len(path)
    right = Qt.MouseButton.RightButton
    qtbot.mouseClick(window.canvas, right, pos=hand(window.canvas).at(*centre))
    menu = QApplication.activePopupWidget()
    assert selected(window) == {"Main Prism"}
    menu.setActiveAction(next(a for a in menu.actions() if a.text() == "Lock"))
    qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert window.document.scene.objects[1].locked == "locked"
    camera = window.canvas.camera
    finger = hand(window.canvas)
    finger.press(*centre, button=right)
    finger.move(centre[0] + 40, centre[1], button=right)
    finger.release(button=right)
    assert window.canvas.camera != camera
    assert QApplication.activePopupWidget() is None
    qtbot.mouseClick(window.canvas, right, pos=QPoint(5, window.canvas.height() - 5))
    assert "&Insert" in [a.text() for a in QApplication.activePopupWidget().actions()]
    assert selected(window) == set()
    QApplication.activePopupWidget().close()


def test_the_order_is_changed_by_keys(window, qtbot):
    before = titles(window)
    click(window, qtbot, before[1])
    window.canvas.setFocus()
    control = Qt.KeyboardModifier.ControlModifier
    for name, wanted in (
        ("arrange.forward", [before[0], before[2], before[1], *before[3:]]),
        ("arrange.backward", before),
    ):
        window.actions_by_id[name].trigger()
        assert titles(window) == wanted
    qtbot.keyClick(window.canvas, Qt.Key.Key_BracketRight, control)
    assert titles(window) == [before[0], before[2], before[1], *before[3:]]
    window.actions_by_id["arrange.front"].trigger()
    assert titles(window) == [before[0], *before[2:], before[1]]
    window.actions_by_id["arrange.back"].trigger()
    assert titles(window) == [before[1], before[0], *before[2:]]


def test_renaming_shows_a_row_hidden_by_search(window, qtbot):
    window.tree.search.setText("no such object")
    window.selection.set([window.document.scene.objects[1].key])
    window.actions_by_id["edit.rename"].trigger()
    assert window.tree.search.text() == ""
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    assert editor.height() > 10
    qtbot.keyClicks(editor, "Wedge")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: titles(window)[1] == "Wedge")


def test_renaming_keeps_the_name_of_a_hidden_row(window, qtbot):
    lamp, prism = window.document.scene.objects[:2]
    window.selection.set([prism.key])
    window.actions_by_id["edit.rename"].trigger()
    qtbot.keyClicks(window.tree.list.findChild(QLineEdit), "Wedge")
    window.tree.search.setText(lamp.title)
    QApplication.processEvents()
    window.selection.set([lamp.key])
    with nothing_raised_or_printed([]) as check:
        window.actions_by_id["edit.rename"].trigger()
        check()
    assert window.document.scene.get(prism.key).name == "Wedge"
    qtbot.keyClicks(QApplication.focusWidget(), "Bulb")
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.scene.get(lamp.key).name == "Bulb")


def test_enter_takes_a_name_over_at_once(window, qtbot):
    lamp, prism = window.document.scene.objects[:2]
    window.selection.set([prism.key])
    window.actions_by_id["edit.rename"].trigger()
    qtbot.keyClicks(QApplication.focusWidget(), "Wedge")
    with nothing_raised_or_printed([]) as check:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        window.document.change(Delete(lamp.key))
        QApplication.processEvents()
        check()
    assert titles(window)[0] == "Wedge"
    assert window.tree.list.hasFocus()


def test_a_name_is_given_up_with_the_last_object(window, qtbot):
    lamp, *others = window.document.scene.objects
    window.document.change(Delete([o.key for o in others]))
    window.selection.set([lamp.key])
    window.actions_by_id["edit.rename"].trigger()
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    with nothing_raised_or_printed([]) as check:
        window.document.change(Delete(lamp.key))
        check()
    assert window.tree.hint.isVisible()


@pytest.mark.parametrize("meanwhile", ["theme", "deleted", "added", "the object itself deleted"])
def test_a_name_outlasts_edits_while_typed(window, qtbot, meanwhile):
    lamp, prism = window.document.scene.objects[:2]
    window.selection.set([prism.key])
    window.actions_by_id["edit.rename"].trigger()
    qtbot.keyClicks(window.tree.list.findChild(QLineEdit), "New name")
    if meanwhile == "theme":
        window.actions_by_id["theme.light"].trigger()
    elif meanwhile == "added":
        window.document.change(Duplicate([lamp.key]))
    else:
        window.document.change(Delete(lamp.key if meanwhile == "deleted" else prism.key))
    QApplication.processEvents()
    editors = [edit for edit in window.tree.list.findChildren(QLineEdit) if edit.isVisible()]
    if meanwhile == "the object itself deleted":
        assert not editors
        return
    (editor,) = editors
    assert editor.text() == "New name"
    assert editor.hasFocus()
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.document.scene.get(prism.key).name == "New name")
