"""The application's beginning."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from raybench.files.document_file import save_document
from raybench.files.recovery import Draft, RecoverySlot
from raybench.kinds.sources import PointSource
from raybench.scene.document import Document
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings


def test_an_import_does_not_read_its_source(open_window, monkeypatch: pytest.MonkeyPatch):
    """PySide's own `import` looks at modules while they are made, which some of pydantic's do not
    survive.
    """
    open_window()
    read: list[str] = []
    monkeypatch.setattr(inspect, "getsource", lambda module: read.append(module.__name__) or "")
    for name in ("xmlrpc.server", "wave"):
        sys.modules.pop(name, None)
        __import__(name)
    assert read == []


def test_the_program_offers_leftovers_at_its_start(tmp_path: Path):
    slot = RecoverySlot.create(tmp_path / "recovery")
    slot.write(Draft(Document(scene=Scene(name="left"))))
    slot.release()
    code = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from raybench_workbench import app
from raybench_workbench.main_window import MainWindow

application = app.make_application()

def look():
    window = next(w for w in application.allWidgets() if isinstance(w, MainWindow))
    rows = list(window.recovery_offer.rows.values())
    if rows:
        timer.stop()
        print(window.document.scene.name, "|", rows[0].text.full_text.split(",")[0], "|", window.recovery.folder)
        rows[0].recover.click()
        print(window.document.scene.name, flush=True)
        window.document.session.discard()
        window.close()

timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
app.run_application([])
"""
    places = {
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **places},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"Total reflection in a prism | left | {tmp_path / 'recovery'}",
        "left",
    ]
    assert list((tmp_path / "recovery").iterdir()) == []


def test_failures_in_a_window_are_logged(tmp_path: Path):
    code = """
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from raybench_workbench import app
from raybench_workbench.main_window import MainWindow

application = app.make_application()

def fail():
    QTimer.singleShot(0, end)
    qWarning("a warning of Qt")
    [][3]

def end():
    window = next(w for w in application.allWidgets() if isinstance(w, MainWindow))
    window.actions_by_id["help.diagnostics"].trigger()
    print(QGuiApplication.clipboard().text(), flush=True)
    window.close()

QTimer.singleShot(0, fail)
app.run_application([])
"""
    places = {
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **places},
    )
    assert done.returncode == 0, done.stderr
    log = tmp_path / "log" / "raybench.log"
    assert f"Log: {log}" in done.stdout.splitlines()
    for text in (log.read_text(), done.stderr):
        assert text.count("a warning of Qt") == 1
        assert text.count("IndexError: list index out of range") == 1


def test_numbers_have_a_decimal_point():
    code = """
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDoubleSpinBox
from raybench_workbench import app
from raybench_workbench.export.dialog import ExportDialog
from raybench_workbench.shot import offscreen_window, wait_seconds

with offscreen_window(None) as window:
    window.actions_by_id["file.export"].trigger()
    wait_seconds(0.1)
    scale = next(box for box in window.findChild(ExportDialog).findChildren(QDoubleSpinBox) if box.text() == "2.0")
    scale.selectAll()
    QTest.keyClicks(scale, "1.5")
    scale.interpretText()
    print(scale.text(), scale.value())
"""
    german = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "LC_ALL": "de_DE.UTF-8",
        "LANG": "de_DE.UTF-8",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env=german
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "1.5 1.5\n"


def test_the_plots_are_imported_where_they_are_shown_first(tmp_path: Path):
    """In a thread, their import of Qt's modules races with the window and with the end."""
    code = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from raybench_workbench import app
from raybench_workbench.main_window import MainWindow

application = app.make_application()

def show():
    print("pyqtgraph" in sys.modules)
    window = next(w for w in application.allWidgets() if isinstance(w, MainWindow))
    window.plots_dock.show()
    window.grab()
    print("pyqtgraph" in sys.modules, flush=True)
    application.quit()

QTimer.singleShot(1000, show)
app.run_application([])
"""
    places = {
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **places},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "False\nTrue\n"


def test_a_window_closed_while_painting_ends_quietly(tmp_path: Path):
    """What paints in a thread starts threads, which Python refuses at its end."""
    lamp = PointSource(x=3.0, y=2.0, brightness=600.0)
    save_document(
        Document(scene=Scene.of([lamp], Settings(ray_mode_density=600.0))), tmp_path / "star.json"
    )
    code = f"""
from PySide6.QtCore import QTimer
from raybench_workbench import app
from raybench_workbench.main_window import MainWindow

application = app.make_application()

def look():
    window = next((w for w in application.allWidgets() if isinstance(w, MainWindow)), None)
    if window is None or window.service.awaits_trace or not window.document.result:
        return
    if window.canvas.backdrop._cancelled is not None:
        timer.stop()
        print(len(window.document.result), flush=True)
        window.close()
    elif window.canvas.backdrop.settled:
        window.canvas.navigation.zoom(1.1)  # it was painted between two looks: once more

timer = QTimer(interval=5)
timer.timeout.connect(look)
timer.start()
app.run_application([{str(tmp_path / "star.json")!r}])
"""
    places = {
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **places},
    )
    assert done.stdout.strip() == "300000"
    assert [
        line for line in done.stderr.splitlines() if "This plugin does not support" not in line
    ] == [], "what offscreen windows lack apart"
    assert done.returncode == 0


def test_a_drawing_on_the_command_line_is_imported(tmp_path: Path):
    drawing = tmp_path / "plate.svg"
    drawing.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm"><rect width="5"'
        ' height="5"/></svg>'
    )
    code = f"""
from PySide6.QtCore import QTimer
from raybench_workbench import app
from raybench_workbench.panels.drawing_import import DrawingDialog

application = app.make_application()

def look():
    dialog = next((w for w in application.topLevelWidgets() if isinstance(w, DrawingDialog) and w.isVisible()), None)
    if dialog is not None:
        timer.stop()
        print(dialog.windowTitle(), flush=True)
        dialog.reject()
        application.closeAllWindows()

timer = QTimer(interval=5)
timer.timeout.connect(look)
timer.start()
app.run_application([{str(drawing)!r}])
"""
    places = {
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **places},
    )
    assert "plate.svg" in done.stdout, done.stderr


@pytest.mark.skipif(os.name != "posix", reason="closes the pipe of stderr")
def test_a_closed_terminal_does_not_end_a_window():
    code = """
import os
reads, writes = os.pipe()
os.dup2(writes, 2)
os.close(writes)
os.close(reads)

from PySide6.QtCore import qInstallMessageHandler, qWarning
from raybench_workbench import app

qInstallMessageHandler(app._handle_qt_message)
qWarning("nobody reads this")
print("goes on", flush=True)
"""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "goes on\n")


def test_the_window_is_no_larger_than_the_screen(tmp_path: Path):
    code = """
from PySide6.QtCore import QTimer
from raybench_workbench import app
from raybench_workbench.main_window import INITIAL_SIZE, MainWindow

application = app.make_application()

def look():
    window = next(w for w in application.allWidgets() if isinstance(w, MainWindow)).window()
    room = window.screen().availableGeometry()
    print(room.width() < INITIAL_SIZE.width(), window.width() == room.width(),
        window.frameGeometry().height() <= room.height(), window.height() < room.height())
    window.close()

QTimer.singleShot(100, look)
app.run_application([])
"""
    places = {
        "RAYBENCH_STATE_DIR": str(tmp_path),
        "RAYBENCH_CONFIG_DIR": str(tmp_path / "config"),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **places},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "True True True True\n", done.stderr
