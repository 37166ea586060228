"""Tab visits the widgets of a window in the order in which one reads them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QPushButton, QWidget

from raybench_workbench import theme
from raybench_workbench.window.keyboard import FocusFrame, sort_in_reading_order

pytestmark = pytest.mark.one_window


def visited(window, qtbot, key=Qt.Key.Key_Tab):
    """The accessible names, or else the texts, of the widgets that a key visits from the canvas
    until it is back there.
    """
    window.activateWindow()
    window.canvas.setFocus()
    widgets: list[QWidget] = []
    while len(widgets) < 100:
        qtbot.keyClick(QApplication.focusWidget(), key)
        focused = QApplication.focusWidget()
        if focused is window.canvas:
            return [w.accessibleName() or w.text() for w in widgets]
        assert focused not in widgets, f"{focused.accessibleName()} keeps the focus"
        widgets.append(focused)
    raise AssertionError("Tab does not come back to the canvas")


def test_tab_goes_from_the_bar_over_the_left_side_the_canvas_and_the_chat(window, qtbot):
    names = visited(window, qtbot)
    bar = names.index("Light: draw beam")
    assert names.index("Connect a model") < names.index("Message to the agent") < bar, (
        "the chat is right of the canvas"
    )
    assert names[bar : bar + 9] == [
        "Light: draw beam", "Mirrors: draw mirror", "Glass: draw glass", "Polarization: draw polarizer", "Blockers: draw blocker", "Measure: draw detector",
        "Objects, library and history", "Find an object", "Objects of the scene",
    ]  # fmt: skip


def test_the_rows_of_a_form_that_was_filled_anew_come_below_its_tabs(window, qtbot):
    window.selection.set([window.document.scene.objects[1].key])
    names = visited(window, qtbot)
    tabs = names.index("Properties and settings")
    assert names[tabs + 1] == "Name"
    assert names[-2:] == ["Coating of edge W", "Finish of edge W"]


def test_shift_tab_goes_the_same_way_back(window, qtbot):
    window.selection.set([window.document.scene.objects[1].key])
    assert visited(window, qtbot, Qt.Key.Key_Backtab) == visited(window, qtbot)[::-1]


@pytest.mark.parametrize("chosen", [False, True])
def test_the_shortcut_of_the_settings_focuses_the_first_of_them(window, chosen):
    if chosen:
        window.selection.set([window.document.scene.objects[1].key])
    window.activateWindow()
    window.canvas.setFocus()
    window.actions_by_id["edit.settings"].trigger()
    focused = QApplication.focusWidget()
    assert isinstance(focused, QComboBox)
    assert focused.accessibleName() == "Mode"


@pytest.mark.parametrize("panel", ["view.rays", "study.sweep", "view.plots", "view.inspector"])
def test_tab_is_held_by_no_panel(window, qtbot, panel):
    without = visited(window, qtbot)
    window.actions_by_id[panel].trigger()
    with qtbot.waitExposed(window):
        window.show()
    assert len(visited(window, qtbot)) > len(without)


def test_widgets_of_a_line_are_read_from_left_to_right_though_one_is_lower(qtbot):
    parent = QWidget()
    qtbot.addWidget(parent)
    below, right, left = (QPushButton(name, parent) for name in ("below", "right", "left"))
    left.setGeometry(0, 4, 40, 24)
    right.setGeometry(60, 0, 40, 24)
    below.setGeometry(0, 40, 40, 24)
    assert sort_in_reading_order([below, right, left]) == [left, right, below]


def framed(window):
    """The widgets that have a frame."""
    return [frame.parentWidget() for frame in window.findChildren(FocusFrame) if frame.isVisible()]


def test_a_frame_shows_where_tab_moved_the_focus_until_a_click(window, qtbot, hand):
    window.activateWindow()
    window.tree.search.setFocus()
    assert not framed(window)
    while QApplication.focusWidget() is not window.canvas:
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        assert framed(window) == [QApplication.focusWidget()]
    window.resize(1000, 700)
    QApplication.processEvents()
    picture, accent = window.canvas.grab().toImage(), theme.current_theme().color("accent")
    assert (
        picture.pixelColor(9, picture.height() - 1)
        == picture.pixelColor(picture.width() - 1, 9)
        == accent
    ), "it has the new size"
    hand(window.canvas).click(40, 40)
    assert not framed(window)
    assert QApplication.focusWidget() is window.canvas
    qtbot.keyClick(window.canvas, Qt.Key.Key_Tab)
    window.canvas.setFocus()
    assert not framed(window), "the focus went elsewhere without Tab"


def test_the_focus_of_a_button_that_is_disabled_goes_on_from_there_without_a_frame(window, qtbot):
    window.actions_by_id["study.sweep"].trigger()
    panel = window.studies
    window.activateWindow()
    for button in (panel.apply_button, panel.export_button):
        button.setEnabled(True)
    panel.apply_button.setFocus()
    panel.apply_button.setEnabled(False)
    assert QApplication.focusWidget() is panel.export_button
    assert not framed(window)


def test_the_frame_is_as_large_as_its_widget_also_after_that_has_another_size(qtbot, raybench_app):
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(200, 100)
    with qtbot.waitExposed(widget):
        widget.show()
    frame = FocusFrame(widget)
    assert frame.size() == widget.size()
    widget.resize(320, 140)
    assert frame.size() == widget.size() == QSize(320, 140)
