"""Loading of the kernels' machine code from the cache. If it is missing, child processes compile
it.

So no other process needs numba, and no compiler holds the GIL of a window.
"""

import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from raybench.errors import RaybenchError, one_line
from raybench.system.extras import reinstall_remedy
from raybench.system.process import child_environment
from raybench.trace.compilation.jit import COMPILING, DISABLED
from raybench.trace.compilation.kernel_cache import (
    READY,
    kernel_folder,
    record_folder_not_written,
    record_folder_use,
    record_kernel_problem,
    stored_machine_code,
)
from raybench.trace.compilation.machine_code import ENTRY_POINTS, UnusableCode, load_machine_code

__all__ = [
    "CompilationFailed",
    "are_kernels_ready",
    "compile_in_background",
    "compile_in_child_process",
    "is_machine_code_loaded",
    "use_machine_code",
]

COMMAND = (sys.executable, "-P", "-m", "raybench.trace.compilation.compile_kernels")
INSTALL = reinstall_remedy("Raybench again, with the numba and llvmlite that it needs")
"""The remedy where the compiler, or the library that loads its code, is missing or damaged."""
log = logging.getLogger(__name__)
_loading = threading.Lock()
_failed = False
"""Whether the kernels could not be compiled, stored or loaded; they then run as Python until this
process ends.
"""
_starting = threading.Lock()
_in_background: threading.Thread | None = None

Progress = Callable[[str, float], None]


class CompilationFailed(RaybenchError):
    """The kernels could not be compiled."""


def use_machine_code() -> None:
    """Load the machine code of all imported kernels; compile it first if it is missing.

    Where no folder can be written, or they cannot be compiled or loaded, the kernels stay Python,
    and `raybench.trace.compilation.kernel_cache.kernel_problem` has the reason. The latter is also
    logged, as a warning, unless `compile_in_child_process` has raised it before.
    """
    with _loading:
        if COMPILING or DISABLED or _failed or is_machine_code_loaded():
            return
        try:
            _load_or_compile()
        except CompilationFailed as error:
            log.warning("%s", error)


def _load_or_compile() -> None:
    if (folder := kernel_folder()) is None:
        return
    for _ in range(2):
        content = _load_or_compile_code(folder)
        if content is None:
            return
        try:
            load_machine_code(content)
        except UnusableCode as error:  # such as a folder that machines share
            problem = error
            (folder / READY).unlink(missing_ok=True)
        except (
            ImportError,
            OSError,
        ) as error:  # of LLVM's library, without which no machine code is loaded
            raise _compilation_failed_error(f"loaded: {one_line(str(error))}.", INSTALL) from None
        else:
            record_folder_use()
            return
    raise _compilation_failed_error(f"loaded: {problem}", f"Delete {folder} and start again.")


def _load_or_compile_code(folder: Path) -> bytes | None:
    """The machine code of all kernels, which is compiled first if it is missing. None if it cannot
    be written, as on a full disk.
    """
    global _failed
    content = stored_machine_code()
    if content is None:
        compile_in_child_process()
        content = stored_machine_code()
    if content is None:
        _failed = True
        record_folder_not_written(folder)
    return content


def compile_in_background() -> threading.Thread | None:
    """Compile the kernels in a child process, which continues if this process ends. Returns a
    thread that waits for it; None if the kernels are compiled already, or cannot be compiled.

    A failure is logged as a warning.
    """
    global _in_background
    with _starting:
        if _in_background is None:
            if (
                are_kernels_ready()
                or (folder := kernel_folder()) is None
                or COMPILING
                or DISABLED
                or _failed
            ):
                return None

            def wait_for_compilation() -> None:
                try:
                    _load_or_compile_code(folder)
                except CompilationFailed as error:
                    log.warning("%s", error)

            _in_background = threading.Thread(
                target=wait_for_compilation, name="compilation", daemon=True
            )
            _in_background.start()
        return _in_background if _in_background.is_alive() else None


def is_machine_code_loaded() -> bool:
    """Whether the imported kernels run as machine code."""
    return bool(ENTRY_POINTS) and all(entry.code is not None for entry in ENTRY_POINTS.values())


def are_kernels_ready() -> bool:
    """Whether no compilation is needed: the machine code is loaded, or is in the cache and
    undamaged. To check the cache, half a megabyte is read.
    """
    return is_machine_code_loaded() or stored_machine_code() is not None


def compile_in_child_process(progress: Progress | None = None) -> None:
    """Compile the kernels in a child process, and wait for it. ``progress`` is called with a text
    and a fraction from 0 to 1.

    If no folder can be written it returns at once, because the child's kernels would be lost.
    Raises CompilationFailed with the child's last line of output, or why there is no child.
    """
    folder = kernel_folder()
    if folder is None:
        return
    last, environment = "", compiler_environment(folder)
    try:
        compiler = subprocess.Popen(
            COMMAND, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
    except OSError as error:  # such as without memory for another process
        raise _compilation_failed_error(
            f"compiled: {one_line(str(error))}.", "Close other programs, and start again."
        ) from None
    with compiler as child:
        assert child.stdout is not None
        for line in child.stdout:
            fraction, _, text = line.strip().partition(" ")
            last = line.strip() or last
            if progress is not None and text and fraction.replace(".", "", 1).isdigit():
                progress(text, float(fraction))
    if child.returncode < 0:
        raise _compilation_failed_error(
            f"compiled: the compiler was ended by signal {-child.returncode}.",
            "Close other programs, and start again.",
        )
    if child.returncode > 0:
        raise _compilation_failed_error(f"compiled: {last}.", INSTALL)


def _compilation_failed_error(what: str, remedy: str) -> CompilationFailed:
    global _failed
    _failed = True
    error = CompilationFailed(
        f"Tracing is about a hundred times slower, because its kernels cannot be {what} {remedy}"
    )
    record_kernel_problem(str(error))
    return error


def compiler_environment(folder: Path, compiling: bool = True) -> dict[str, str]:
    """The environment variables for a child process that uses the same kernel cache."""
    return child_environment(
        RAYBENCH_CACHE_DIR=str(folder.parent), RAYBENCH_COMPILING=str(int(compiling))
    )
