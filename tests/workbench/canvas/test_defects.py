"""A defect in a handler of the canvas is reported, and the program goes on."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.one_window


SCRIPT = """
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QApplication
from raybench_workbench.shot import offscreen_window

def divide(*_):
    1.0 / zero  # an error that Python itself raises

zero = 0.0
with offscreen_window("example:prism") as window:
    canvas = window.canvas
    canvas.mode.press = canvas.mode.move = divide
    at, left = QPointF(50, 50), Qt.MouseButton.LeftButton
    for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick, QEvent.Type.MouseMove):
        QApplication.postEvent(canvas, QMouseEvent(kind, at, at, left, left, Qt.KeyboardModifier.NoModifier))
    QTimer.singleShot(200, QApplication.quit)
    QApplication.exec()
print("goes on")
"""


@pytest.mark.usefixtures("raybench_app")
def test_a_defect_in_a_handler_of_the_mouse_is_reported_and_the_program_goes_on() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout) == (0, "goes on\n"), done.stderr
    assert done.stderr.count("ZeroDivisionError: float division by zero") == 3
