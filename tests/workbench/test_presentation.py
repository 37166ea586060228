"""The canvas alone on the whole screen, and the window again as it was."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget

pytestmark = pytest.mark.one_window


def visible_parts(window):
    docks = [d for d in window.findChildren(QDockWidget) if d.isVisible()]
    bars = [b for b in (window.menuWidget(), window.statusBar(), window.messages) if b.isVisible()]
    return docks, bars


def test_the_canvas_alone_is_shown_until_esc(window, qtbot):
    before, present = visible_parts(window), window.actions_by_id["view.present"]
    qtbot.keyClick(window.canvas, Qt.Key.Key_F11, Qt.KeyboardModifier.ShiftModifier)
    assert visible_parts(window) == ([], [])
    assert window.isFullScreen()
    assert present.isChecked()
    assert window.canvas.viewport.camera.scale < window.canvas.camera.scale  # larger texts
    qtbot.keyClick(window.canvas, Qt.Key.Key_Escape)
    assert visible_parts(window) == before
    assert not window.isFullScreen()
    assert not present.isChecked()
    assert window.canvas.viewport.camera == window.canvas.camera


def test_objects_are_dragged_and_shortcuts_work_in_a_presentation(window, mouse, qtbot):
    window.actions_by_id["view.present"].trigger()
    prism = next(o for o in window.document.scene.objects if o.type == "Glass")
    x = sum(p.x for p in prism.path) / len(prism.path)
    y = sum(p.y for p in prism.path) / len(prism.path)
    mouse.drag((x, y), (x + 30, y))
    done = window.document.session.history.done
    assert len(done) == 1
    qtbot.keyClick(window.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not done
    window.actions_by_id["view.present"].trigger()
