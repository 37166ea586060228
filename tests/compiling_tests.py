"""Tests of what only the processes that compile import: run in a process of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from raybench.system.process import child_environment


def run_where_kernels_are_compiled(path: str, folder: Path) -> None:
    """Run the tests of a file in a process that compiles, with its cache in a folder;
    AssertionError with pytest's output if one fails.
    """
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", path]
    environment = child_environment(RAYBENCH_COMPILING="1", RAYBENCH_CACHE_DIR=str(folder))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
