"""The memory of the machine, and that of this process."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")


def machine_bytes() -> int | None:
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
    """The resident memory of the process in bytes on Linux; elsewhere its peak as `getrusage`
    reports it; 0 on Windows.
    """
    if sys.platform == "linux":
        return int(_STATM.read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    if sys.platform == "win32":
        return 0
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
