"""The Python console: its cells read and change the open document, one step of the history each."""

from __future__ import annotations

import sys

import pytest
from prism_window import prism_document
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from raybench.session import Session
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.main_window import MainWindow
from raybench_workbench.shot import wait_until_settled
from raybench_workbench.widgets import Hint


@pytest.fixture
def console(window: MainWindow, tmp_path, monkeypatch):
    pytest.importorskip("qtconsole")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    window.actions_by_id["view.console"].trigger()
    return window.console_dock.panel


def run(qtbot, console, cell: str) -> str:
    """Type a cell and Enter; returns what is printed below it, up to the next prompt."""
    control = console.console._control
    qtbot.waitUntil(lambda: control.toPlainText().rstrip().endswith("]:"))
    prompts = control.toPlainText().count("In [")
    QTest.keyClicks(control, cell)
    QTest.keyClick(control, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: control.toPlainText().count("In [") > prompts)
    return control.toPlainText().rpartition("In [")[0].rpartition(f"]: {cell}")[2]


def test_a_cell_is_a_step_of_the_history(window, console, qtbot):
    document, main = window.document, sys.modules["__main__"]
    before, done = document.document, document.session.history.done
    assert "5.0" in run(
        qtbot, console, "scene.move('Main Prism', dx=2); scene.move('Main Prism', dx=3); rb and 5.0"
    )
    assert len(done) == 1
    assert run(qtbot, console, "scene.names[0], type(np.zeros(1))").count("ndarray") == 1
    run(qtbot, console, "scene.set('Main Prism', name='P')")
    assert len(done) == 2
    wait_until_settled(window)
    power = run(qtbot, console, "light.measure('escaped()'), len(light.rays)")
    assert f", {len(document.session.fresh_result)})" in power
    window.selection.set(o.key for o in document.scene.objects if o.name == "P")
    assert "['P']" in run(qtbot, console, "selection")
    shown = []
    window.document.changed.connect(lambda before, after: shown.append(after))
    run(qtbot, console, "for i in 1, 2: scene.tools.change_scene([{'move': 'P', 'dx': i}])")
    assert shown == [document.document]
    assert len(done) == 3
    run(qtbot, console, "scene.undo()")
    assert len(done) == 2
    error = run(qtbot, console, "scene.move('Nothing', dx=1)")
    assert error.strip().startswith("ChangeRefused: No object named 'Nothing'.")
    assert "ZeroDivisionError" in run(qtbot, console, "1 / 0")
    assert len(done) == 2
    run(qtbot, console, "scene.undo()")
    window.actions_by_id["edit.undo"].trigger()
    assert document.document is before
    assert sys.modules["__main__"] is main


def test_the_keys_of_the_window_act_from_the_console(window, console, qtbot):
    for action, key in (("view.actual", Qt.Key.Key_0), ("view.zoom_in", Qt.Key.Key_Plus)):
        with qtbot.waitSignal(window.actions_by_id[action].triggered):
            QTest.keyClick(console.console._control, key, Qt.KeyboardModifier.ControlModifier)
    keys = {a.shortcut().toString() for a in console.console.actions()}
    assert not keys & {
        window.actions_by_id[name].shortcut().toString() for name in ("file.save", "file.print")
    }


def test_each_document_has_a_console_of_its_own(console, window, qtbot):
    from raybench_workbench.console.panel import ConsolePanel

    other = WorkDocument(Session(prism_document()))
    second = ConsolePanel(other, Selection())
    qtbot.addWidget(second)
    run(qtbot, console, "x = 1; scene.move('Lamp', dx=1)")
    assert "NameError" in run(qtbot, second, "x")
    run(qtbot, second, "scene.move('Screen', dx=1)")
    run(qtbot, console, "scene.move('Lamp', dx=x)")
    second.close_console()
    texts = [[s.text for s in d.session.history.done] for d in (window.document, other)]
    assert texts == [["Lamp moved by (1, 0) mm"] * 2, ["Screen moved by (1, 0) mm"]]


def test_without_the_package_the_dock_says_what_to_install(window, monkeypatch):
    monkeypatch.setitem(sys.modules, "qtconsole", None)
    monkeypatch.delitem(sys.modules, "raybench_workbench.console.panel", raising=False)
    window.actions_by_id["view.console"].trigger()
    hint = window.console_dock.panel
    assert isinstance(hint, Hint)
    assert "pip install 'raybench[console]'" in hint.text()
