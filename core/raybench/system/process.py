"""The environment of child processes, and the memory of this process and of the machine."""

import os
import sys
from pathlib import Path

import raybench

_STATM = Path("/proc/self/statm")


def child_environment(**more: str) -> dict[str, str]:
    """The environment variables for a Python child process: this process's import path without the
    current folder, and the variables ``more``.

    ``python -m`` and ``python -c`` put the current folder first in the import path, so that a
    ``random.py`` there, next to a downloaded scene, would be executed.

    The folder of this program is kept, since in development it may be the current folder.
    """
    root = str(Path(raybench.__path__[0]).parent)
    path = [p for p in sys.path if os.path.isabs(p) and (p == root or not _is_current_folder(p))]
    if root not in path:  # it was imported by a relative entry
        path.append(root)
    return {**os.environ, "PYTHONSAFEPATH": "1", "PYTHONPATH": os.pathsep.join(path), **more}


def _is_current_folder(path: str) -> bool:
    try:
        return os.path.samefile(path, os.curdir)
    except OSError:
        return False


def machine_memory_bytes() -> int | None:
    """The physical memory of the machine in bytes; None if it cannot be determined."""
    if sys.platform == "win32":
        import ctypes

        # MEMORYSTATUSEX: dwLength and dwMemoryLoad, then seven 8-byte sizes, the first of which is
        # the physical memory
        status = (ctypes.c_ulonglong * 8)()
        ctypes.cast(status, ctypes.POINTER(ctypes.c_ulong))[0] = ctypes.sizeof(status)
        return (
            int(status[1])
            if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))
            else None
        )
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return None


def resident_bytes() -> int:
    """The resident memory of this process in bytes. On systems other than Linux it is the peak that
    `getrusage` reports; on Windows it is 0.
    """
    if sys.platform == "linux":
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def return_freed_memory() -> None:
    """Return freed memory to the system. The allocator of Linux keeps freed memory for each thread,
    and tools run in many threads. On other systems nothing is done.
    """
    if sys.platform == "linux":
        import ctypes

        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # only glibc has it
        if trim is not None:
            trim(0)
