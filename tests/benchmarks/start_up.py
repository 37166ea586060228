"""Start-up benchmarks: every row is measured in a separate process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib.resources import files
from pathlib import Path

from raybench.system.files import temporary_folder

from .report import Cell, Column, Extent, Table, best_of, environment_of_child

VERSION = ("-m", "raybench_workbench", "--version")
IMPORTS = ("-c", "import raybench.trace.trace, raybench.files.scene_json")
FIRST_TRACE = (
    "-c",
    (
        "from tests.benchmarks.scenes import prism; from raybench.trace.trace import trace;"
        " trace(prism(100))"
    ),
)
TIMED = """
import time
from importlib.resources import files
from raybench.files.document_file import load_document
from raybench.trace.trace import load_kernels, trace

{0}
began = time.perf_counter()
{1}
print(time.perf_counter() - began)
"""
LOAD = ("-c", TIMED.format("", "load_kernels()"))
GRADED = (
    'load_kernels(); scene = load_document(files("raybench_resources").joinpath("examples",'
    ' "graded-index.json")).scene'
)
FORMULA = ("-c", TIMED.format(GRADED, "trace(scene, max_source_rays=1)"))
COMPILE = ("-m", "raybench.trace.compilation.compile_kernels")
WINDOW = (
    "-c",
    (
        "import gc; gc.disable()  # as the program does\n"
        "from raybench_workbench.shot import offscreen_window, wait_until_settled\nwith"
        " offscreen_window(None) as w: {}"
    ),
)

Child = Callable[[tuple[str, ...]], str]
"""Runs a child process with some arguments and returns what it prints."""


def start_up_table(extent: Extent) -> Table:
    """Start-up times of different commands; rows of the window are empty if Qt is unavailable."""
    times = min(3, extent.repeats)
    with temporary_folder() as folder:
        # byte code is kept as it is in an installation
        kept = {"PYTHONPYCACHEPREFIX": str(folder), "PYTHONDONTWRITEBYTECODE": ""}
        child = partial(_output, kept)
        rows: list[tuple[Cell, ...]] = [
            ("python itself", _seconds(child, ("-c", "pass"), times)),
            ("raybench --version", _seconds(child, VERSION, times)),
            ("importing the tracer", _seconds(child, IMPORTS, times)),
            ("loading the compiled kernels", _printed(child, LOAD, times)),
            (
                "from process start to the first trace, kernels compiled",
                _seconds(child, FIRST_TRACE, times),
            ),
            ("the first trace with a formula, kernels loaded", _printed(child, FORMULA, times)),
        ]
        if extent.window:
            rows.append(
                (
                    "first window on the example (offscreen)",
                    _seconds(child, (WINDOW[0], WINDOW[1].format("pass")), times),
                )
            )
            rows.append(
                (
                    "the same, traced and painted",
                    _seconds(child, (WINDOW[0], WINDOW[1].format("wait_until_settled(w)")), times),
                )
            )
        if extent.cold:
            light, all_compiled = _cold(
                folder, partial(_output, kept | {"RAYBENCH_CACHE_DIR": str(folder / "cache")})
            )
            rows.append(
                ("nothing compiled yet: to the end of raybench trace of the example", light)
            )
            rows.append(
                ("to all kernels compiled in the background, once per installation", all_compiled)
            )
    return Table(
        "start_up",
        "Starting",
        (Column("what", "what"), Column("seconds", "best", "s")),
        tuple(rows),
    )


def _cold(folder: Path, child: Child) -> tuple[float | None, float | None]:
    """Seconds until the example is traced without compiled kernels, and until they are compiled,
    from the same start.
    """
    example = str(files("raybench_resources").joinpath("scenes", "prism.json"))
    light = _seconds(
        child, ("-m", "raybench_workbench", "trace", example, "--out", str(folder / "light")), 1
    )
    waited = _seconds(child, COMPILE, 1)  # it waits for the processes that the command has started
    return light, light + waited if light is not None and waited is not None else None


def _seconds(child: Child, arguments: tuple[str, ...], times: int) -> float | None:
    """The best time of a child process; None if it fails."""
    try:
        return best_of(lambda: child(arguments), times, time.perf_counter)
    except subprocess.CalledProcessError:
        return None


def _printed(child: Child, arguments: tuple[str, ...], times: int) -> float | None:
    """The least number that a child process prints; None if it fails."""
    try:
        return min(float(child(arguments)) for _ in range(times))
    except (subprocess.CalledProcessError, ValueError):
        return None


def _output(more: Mapping[str, str], arguments: tuple[str, ...]) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        env=environment_of_child(**more),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    return done.stdout
