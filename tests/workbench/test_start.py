"""The start of the program, before any command."""

from __future__ import annotations

import subprocess
import sys


def test_python_without_docstrings_is_refused_in_one_line() -> None:
    done = subprocess.run(
        [sys.executable, "-OO", "-m", "raybench_workbench", "tool", "--list"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("raybench: Python removes docstrings here")
    assert done.stderr.count("\n") == 1
