"""Which of Qt's handlers the window's classes override. The others are called from `QWidget.event`
and `viewportEvent`.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
CALL_OTHERS = ("event", "viewportEvent")
KEY_WITH_ERROR = """
import sys
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication
from raybench_workbench.panels.number_edit import NumberEdit

app = QApplication([])
sys.excepthook = lambda kind, error, trace: print(kind.__name__)
field = NumberEdit("x")
field.commit = lambda: [][0]  # an error that Python itself raises
QCoreApplication.postEvent(field, QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier))
app.processEvents()
print("still here")
"""


def _overrides(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (
                f"{node.name}.{f.name}"
                for f in node.body
                if isinstance(f, ast.FunctionDef) and f.name in CALL_OTHERS
            )


def test_no_class_overrides_a_handler_that_calls_the_others() -> None:
    """With Python 3.11, an error that Python itself raises in a handler that such an override calls
    ends the process: event filters do the same without being on the stack of other handlers.
    """
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in (ROOT / "workbench").rglob("*.py")
        for name in _overrides(ast.parse(path.read_text()))
    }
    assert found == set()
    assert list(_overrides(ast.parse("class A:\n    def event(self, event): ..."))) == ["A.event"]


def test_an_error_in_a_key_handler_of_a_number_is_reported() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", KEY_WITH_ERROR],
        capture_output=True,
        text=True,
        timeout=120,
        env=environment,
    )
    assert (done.returncode, done.stdout.split("\n")) == (
        0,
        ["IndexError", "still here", ""],
    ), done.stderr
