"""Start-up benchmarks: every row is measured in a separate process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

from core.benchmark.clock import best_of
from core.benchmark.extent import Extent
from core.benchmark.table import Cell, Column, Table
from core.child_process import child_environment

VERSION = ("-m", "workbench.cli", "--version")
IMPORTS = ("-c", "import core.trace.trace, core.files.scene_json")
FIRST_TRACE = ("-c", "from core.benchmark.scenes import prism; from core.trace.trace import trace; trace(prism(100))")
COMPILE = ("-m", "core.trace.compilation.compile_kernels")
WINDOW = ("-c", "from workbench.shot import offscreen_window, settle\nwith offscreen_window(None) as w: {}")


def start_up_table(extent: Extent) -> Table:
    """Start-up times of different commands; rows of the window are empty if Qt is unavailable."""
    times = min(3, extent.repeats)
    rows: list[tuple[Cell, ...]] = [
        ("python itself", _seconds(("-c", "pass"), times)),
        ("raybench --version", _seconds(VERSION, times)),
        ("importing the tracer, without its compiler", _seconds(IMPORTS, times)),
        ("from process start to the first trace, kernels cached", _seconds(FIRST_TRACE, times)),
    ]
    if extent.window:
        rows.append(("first window on the example (offscreen)", _seconds((WINDOW[0], WINDOW[1].format("pass")), times)))
        rows.append(("the same, traced and painted", _seconds((WINDOW[0], WINDOW[1].format("settle(w)")), times)))
    if extent.cold:
        with tempfile.TemporaryDirectory(prefix="raybench-", ignore_cleanup_errors=True) as folder:
            rows.append(("compiling all kernels, once per installation", _seconds(COMPILE, 1, {"RAYBENCH_CACHE_DIR": folder})))
    return Table("start_up", "Starting", (Column("what", "what"), Column("seconds", "best", "s")), tuple(rows))


def _seconds(arguments: tuple[str, ...], times: int, more: Mapping[str, str] | None = None) -> float | None:
    """The best time of a child process; None if it fails."""
    environment = child_environment(QT_QPA_PLATFORM="offscreen", **(more or {}))

    def run() -> None:
        subprocess.run([sys.executable, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    try:
        return best_of(run, times, time.perf_counter)
    except subprocess.CalledProcessError:
        return None
