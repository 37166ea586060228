"""Compiling the kernels in a child process, so that the first start neither freezes a window nor is done twice.

Run as ``python -P -m core.trace.compilation.compile_kernels`` it compiles and prints its progress, a share and a text a line.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from core.child_process import child_environment
from core.errors import RaybenchError
from core.trace.compilation.kernel_cache import kernel_folder, kernels_ready, note_use

__all__ = ["CompilationFailed", "compile_here", "compile_in_child", "kernels_ready"]


COMMAND = (sys.executable, "-P", "-m", "core.trace.compilation.compile_kernels")
ASIDE = "aside"
DONE_ASIDE = ("curved ways", "interactions")
"""What a second process compiles meanwhile: about half of the work, and the first is done when the others come to it."""


class CompilationFailed(RaybenchError):
    """The kernels could not be compiled."""


def compile_in_child(progress: Callable[[str, float], None] | None = None) -> None:
    """Fill the kernel cache from a child process; blocks until it is done. ``progress`` is told a text and a share from 0 to 1.

    Where nothing can be written it returns at once, for the child's kernels would be lost. Raises CompilationFailed with the child's
    last line.
    """
    folder = kernel_folder()
    if folder is None:
        return
    with subprocess.Popen(COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_environment(folder)) as child:
        last = ""
        assert child.stdout is not None
        for line in child.stdout:
            share, _, text = line.strip().partition(" ")
            last = line.strip() or last
            if progress is not None and text and share.replace(".", "", 1).isdigit():
                progress(text, float(share))
    if child.returncode != 0:
        raise CompilationFailed(f"The tracing kernels could not be compiled: {last}. Delete {folder} and start again.")


def compile_here(progress: Callable[[str, float], None]) -> None:
    """Compile or load all kernels and mark the cache as complete; a second process takes its share of the work."""
    progress("Starting the compiler", 0.0)
    folder = kernel_folder()
    if folder is None:
        _compile(progress, lambda: None)
    else:
        with subprocess.Popen([*COMMAND, ASIDE], stdout=subprocess.DEVNULL, env=_environment(folder)) as aside:
            _compile(progress, aside.wait)
    note_use()
    progress("Kernels are ready", 1.0)


def _compile(progress: Callable[[str, float], None], wait: Callable[[], object]) -> None:
    """Compile or load each kernel; ``wait`` is called when the second process's are needed."""
    from core.trace.trace import kernel_steps

    steps = kernel_steps()
    for i, (what, step) in enumerate(steps.items()):
        progress(f"Compiling the tracing kernels: {what}", i / len(steps))
        if what == DONE_ASIDE[-1]:
            wait()  # its kernels are in the cache now; where it failed, they are compiled here
        step()


def _environment(folder: Path) -> dict[str, str]:
    """A child's environment; the child keeps kernels where this process looks for them."""
    return child_environment(RAYBENCH_CACHE_DIR=str(folder.parent))


def compile_aside() -> None:
    """Compile the second process's share."""
    from core.trace.trace import kernel_steps

    steps = kernel_steps()
    for what in DONE_ASIDE:
        steps[what]()


if __name__ == "__main__":
    if ASIDE in sys.argv:
        compile_aside()
    else:
        compile_here(lambda text, share: print(share, text, flush=True))
