"""Compilation of the kernels in a child process, so that the first start does not freeze the window.

Run as ``python -P -m core.trace.compilation.compile_kernels`` it compiles the kernels and prints its progress: a fraction and a text per
line.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from core.child_process import child_environment
from core.errors import RaybenchError
from core.trace.compilation.kernel_cache import kernel_folder, kernels_ready, note_use

__all__ = ["CompilationFailed", "compile_here", "compile_in_child", "kernels_ready"]


COMMAND = (sys.executable, "-P", "-m", "core.trace.compilation.compile_kernels")
SECOND = "second"
"""The argument that starts the second process."""
SECOND_PART = ("curved paths", "nearest hits")
"""The steps that the second process compiles: about half of the work."""
NEEDED = {"interactions": "curved paths", "searches": "nearest hits"}
"""The steps of the first process that contain kernels of the second: each waits for the named one, so that none is compiled twice."""


class CompilationFailed(RaybenchError):
    """The kernels could not be compiled."""


def compile_in_child(progress: Callable[[str, float], None] | None = None) -> None:
    """Fill the kernel cache from a child process; blocks until it is done. ``progress`` is called with a text and a fraction from 0 to 1.

    If no folder can be written it returns at once, because the child's kernels would be lost. Raises CompilationFailed with the child's
    last line of output.
    """
    folder = kernel_folder()
    if folder is None:
        return
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_environment(folder)) as child:
        last = ""
        assert child.stdout is not None
        for line in child.stdout:
            fraction, _, text = line.strip().partition(" ")
            last = line.strip() or last
            if progress is not None and text and fraction.replace(".", "", 1).isdigit():
                progress(text, float(fraction))
    if child.returncode != 0:
        raise CompilationFailed(f"The tracing kernels could not be compiled: {last}. Delete {folder} and start again.")


def compile_here(progress: Callable[[str, float], None]) -> None:
    """Compile or load all kernels and mark the cache as complete; a second process compiles a part of them."""
    progress("Starting the compiler", 0.0)
    folder = kernel_folder()
    if folder is None:
        _compile(progress, iter(()))
    else:
        with subprocess.Popen([*COMMAND, SECOND], stdout=subprocess.PIPE, text=True, env=_environment(folder)) as second:
            assert second.stdout is not None
            _compile(progress, second.stdout)
    note_use()
    progress("Kernels are ready", 1.0)


def _compile(progress: Callable[[str, float], None], compiled: Iterable[str]) -> None:
    """Compile or load each kernel. ``compiled`` are the lines of the second process, the names of the steps that it has compiled; if it
    ends early, its kernels are compiled here."""
    from core.trace.trace import kernel_steps

    steps = kernel_steps()
    lines = iter(compiled)
    here = [name for name in steps if name not in SECOND_PART]
    for i, what in enumerate([*here, *SECOND_PART]):
        progress(f"Compiling the tracing kernels: {what}", i / len(steps))
        if what in NEEDED:
            next((line for line in lines if line.strip() == NEEDED[what]), None)
        steps[what]()


def _environment(folder: Path) -> dict[str, str]:
    """A child's environment, with the kernel cache of this process."""
    return child_environment(RAYBENCH_CACHE_DIR=str(folder.parent))


def compile_second_part() -> None:
    """Compile the steps of the second process."""
    from core.trace.trace import kernel_steps

    steps = kernel_steps()
    for what in SECOND_PART:
        steps[what]()
        print(what, flush=True)


if __name__ == "__main__":
    if SECOND in sys.argv:
        compile_second_part()
    else:
        compile_here(lambda text, fraction: print(fraction, text, flush=True))
