"""Compilation of the kernels in child processes, so that numba is needed in no other, and no compiler holds the GIL of a window.

Run as ``python -P -m core.trace.compilation.compile_kernels`` it compiles the kernels and prints its progress: a fraction and a text per
line. It goes on if the process that started it ends.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from core.checked_file import read_checked, write_checked
from core.child_process import child_environment
from core.errors import RaybenchError
from core.files.lock import FileLock
from core.trace.compilation.jit import COMPILING, DISABLED
from core.trace.compilation.kernel_cache import READY, kept_machine_code, kernel_folder, kernels_ready, note_unwritten, note_use
from core.trace.compilation.machine_code import ENTRY_POINTS, UnusableCode, load_machine_code

__all__ = ["CompilationFailed", "compile_in_child", "kernels_ready", "machine_code_loaded", "use_machine_code"]


COMMAND = (sys.executable, "-P", "-m", "core.trace.compilation.compile_kernels")
SECOND, CHECK = "second", "check"
"""The arguments that start the second process, and the one that loads the machine code before any other does."""
SECOND_PART = ("curved paths", "nearest hits")
"""The steps that the second process compiles: about half of the work."""
NEEDED = {"interactions": "curved paths", "generations": "nearest hits"}
"""The steps of the first process that contain kernels of the second: each waits for the named one, so that none is compiled twice."""
UNCHECKED = "unchecked-machine-code"
LOCK = "lock"
NICE = 5
"""How much lower the priority of these processes is than that of a window."""
_loading = threading.Lock()

Progress = Callable[[str, float], None]


class CompilationFailed(RaybenchError):
    """The kernels could not be compiled."""


def use_machine_code() -> None:
    """Load the machine code of all imported kernels, compiled first if there is none. Raises CompilationFailed.

    Where no folder can be written the kernels stay Python, and `core.trace.compilation.kernel_cache.cache_problem` tells the reason.
    """
    with _loading:
        if COMPILING or DISABLED or machine_code_loaded():
            return
        for _ in range(2):
            content = kept_machine_code()
            if content is None:
                compile_in_child()
                content = kept_machine_code()
            folder = kernel_folder()
            if folder is None:
                return
            if content is None:  # the disk is full
                note_unwritten(folder)
                return
            try:
                load_machine_code(content)
            except UnusableCode as error:  # such as a folder that is shared between machines
                problem = error
                (folder / READY).unlink(missing_ok=True)
            else:
                note_use()
                return
        raise CompilationFailed(f"The tracing kernels cannot be loaded: {problem} Delete {folder} and start again.")


def machine_code_loaded() -> bool:
    """Whether the kernels that were imported run as machine code."""
    return bool(ENTRY_POINTS) and all(entry.code is not None for entry in ENTRY_POINTS.values())


def compile_in_child(progress: Progress | None = None) -> None:
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


def _environment(folder: Path, compiling: bool = True) -> dict[str, str]:
    """A child's environment, with the kernel cache of this process."""
    return child_environment(RAYBENCH_CACHE_DIR=str(folder.parent), RAYBENCH_COMPILING=str(int(compiling)))


# --- in the processes that compile


def _compile(progress: Progress) -> None:
    """Compile all kernels into the cache; a second process compiles a part of them. If another program does so, wait for it."""
    progress("Starting the compiler", 0.0)
    folder = kernel_folder()
    if folder is None:
        return
    while (lock := FileLock.take(folder / LOCK)) is None:
        time.sleep(0.1)
    try:
        if not kernels_ready():
            with subprocess.Popen([*COMMAND, SECOND], stdout=subprocess.PIPE, text=True, env=_environment(folder)) as second:
                assert second.stdout is not None
                try:
                    _compile_steps(progress, second.stdout)
                except BaseException:
                    second.kill()
                    raise
            if COMPILING:
                _write_machine_code(folder)
    finally:
        lock.release()
    progress("Kernels are ready", 1.0)


def _compile_steps(progress: Progress, compiled: Iterable[str]) -> None:
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


def _write_machine_code(folder: Path) -> None:
    """Write the machine code of all kernels, and delete the files of their parts. A process of its own loads it first: code that needs
    what is missing here would end the process that loads it."""
    from core.trace.compilation.kernel_file import SUFFIX
    from core.trace.compilation.object_code import object_code

    try:
        write_checked(folder / UNCHECKED, object_code(ENTRY_POINTS))
        subprocess.run([*COMMAND, CHECK], check=True, env=_environment(folder, compiling=False))
        os.replace(folder / UNCHECKED, folder / READY)
    except OSError:  # the disk is full: `use_machine_code` finds nothing
        return
    for kept in folder.glob(f"*{SUFFIX}"):
        kept.unlink(missing_ok=True)


def _compile_second_part() -> None:
    """Compile the steps of the second process."""
    from core.trace.trace import kernel_steps

    steps = kernel_steps()
    for what in SECOND_PART:
        steps[what]()
        print(what, flush=True)


def _check() -> None:
    """Load the machine code and run each kernel on empty input."""
    from core.trace.trace import kernel_steps

    steps = kernel_steps()
    folder = kernel_folder()
    assert folder is not None
    load_machine_code(read_checked(folder / UNCHECKED))
    for step in steps.values():
        step()


def _report(text: str, fraction: float) -> None:
    with contextlib.suppress(BrokenPipeError):  # whoever started this has ended
        print(fraction, text, flush=True)


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    if SECOND in sys.argv:
        _compile_second_part()
    elif CHECK in sys.argv:
        _check()
    else:
        _compile(_report)
