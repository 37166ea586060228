"""The application's beginning."""

from __future__ import annotations

import subprocess
import sys


def test_an_application_does_without_the_import_that_looks_at_every_module():
    """PySide's own `import` looks at modules while they are made, which some of pydantic's do not survive."""
    code = """
import os
os.environ["QT_QPA_PLATFORM"] = "offscreen"
from workbench.app import application
application()
print(__import__.__name__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() != "__feature_import__"
