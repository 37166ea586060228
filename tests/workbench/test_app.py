"""The application's beginning."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.files.recovery import Draft, RecoverySlot
from core.scene.document import Document
from core.scene.scene import Scene


def test_importing_a_module_beside_a_window_does_not_read_its_source(open_window, monkeypatch: pytest.MonkeyPatch):
    """PySide's own `import` looks at modules while they are made, which some of pydantic's do not survive."""
    open_window()
    read: list[str] = []
    monkeypatch.setattr(inspect, "getsource", lambda module: read.append(module.__name__) or "")
    for name in ("xmlrpc.server", "wave"):
        sys.modules.pop(name, None)
        __import__(name)
    assert read == []


def test_the_program_offers_what_was_left_when_it_starts(tmp_path: Path):
    slot = RecoverySlot.create(tmp_path / "recovery")
    slot.write(Draft(Document(scene=Scene(name="left"))))
    slot.release()
    code = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from workbench import app
from workbench.main_window import MainWindow

application = app.application()

def look():
    window = next(w for w in application.topLevelWidgets() if isinstance(w, MainWindow))
    rows = list(window.recovery_offer.rows.values())
    if rows:
        timer.stop()
        print(window.document.scene.name, "|", rows[0].text.full_text.split(",")[0], "|", window.recovery.folder)
        rows[0].recover.click()
        print(window.document.scene.name, flush=True)
        window.document.session.saved = window.document.document
        window.close()

timer = QTimer(interval=20)
timer.timeout.connect(look)
timer.start()
app.run(None)
"""
    places = {"RAYBENCH_STATE_DIR": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config"), "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, env={**os.environ, **places})
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"Total reflection in a prism | left | {tmp_path / 'recovery'}", "left"]
    assert list((tmp_path / "recovery").iterdir()) == []
