"""The program that compiles the kernels in a separate process: ``python -P -m
raybench.trace.compilation.compile_kernels``.

It prints its progress, a fraction and a text per line. If the process that started it ends, it
continues, for the next start.
"""

import gc
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from raybench.system.files import read_checked, write_checked
from raybench.trace.compilation import loading
from raybench.trace.compilation.jit import COMPILING, DISABLED, compile_call
from raybench.trace.compilation.kernel_cache import READY, are_kernels_stored, kernel_folder
from raybench.trace.compilation.loading import compiler_environment
from raybench.trace.compilation.machine_code import ENTRY_POINTS, load_machine_code

CHECK = "check"
"""The argument that starts the process that tests the machine code before any other loads it."""
UNCHECKED = "unchecked-machine-code"
LOCK = "lock"
OBJECTS_BETWEEN_COLLECTIONS = 200_000
"""Numba makes so many objects that searching them for cycles would take a fifth of its time."""

Progress = Callable[[str, float], None]


def _compile_kernels(progress: Progress) -> None:
    """Compile all kernels and store them in the cache. If another process is compiling them, wait
    for it.
    """
    from raybench.trace.trace import kernel_compile_calls

    progress("Starting the compiler", 0.0)
    folder = kernel_folder()
    if folder is None:
        return
    lock = FileLock(folder / LOCK)
    while not lock.is_locked:
        try:
            lock.acquire(timeout=1.0)
        except Timeout:
            progress("Another window or command compiles the tracing kernels", 0.0)
    try:
        if not are_kernels_stored():
            gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
            steps = kernel_compile_calls()
            for i, what in enumerate(steps):
                progress(f"Compiling the tracing kernels: {what}", i / len(steps))
                compile_call(steps[what])
            if COMPILING:
                _write_machine_code(folder)
    finally:
        lock.release()
    progress("Kernels are ready", 1.0)


def _write_machine_code(folder: Path) -> None:
    """Write the machine code of all kernels. Before that, a separate process loads it as a test,
    since code with unresolved symbols would end the process that loads it.
    """
    from raybench.trace.compilation.numba_code import make_object_code

    try:
        write_checked(folder / UNCHECKED, make_object_code(ENTRY_POINTS))
        subprocess.run(
            [*loading.COMMAND, CHECK], check=True, env=compiler_environment(folder, compiling=False)
        )
        os.replace(folder / UNCHECKED, folder / READY)
    except OSError:  # the disk is full: `use_machine_code` finds nothing
        return


def _check_kernels() -> None:
    """Load the machine code and run each kernel once on empty input."""
    from raybench.trace.trace import kernel_compile_calls

    steps = kernel_compile_calls()
    folder = kernel_folder()
    assert folder is not None
    load_machine_code(read_checked(folder / UNCHECKED))
    for step in steps.values():
        step()


def _report_progress(text: str, fraction: float) -> None:
    with suppress(BrokenPipeError):  # the process that started this one has ended
        print(fraction, text, flush=True)


if __name__ == "__main__":
    if CHECK in sys.argv:
        _check_kernels()
    elif COMPILING or DISABLED:
        _compile_kernels(_report_progress)
    else:
        loading.compile_in_child_process(_report_progress)
