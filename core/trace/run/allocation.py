"""Room for the rays on their way and for the rows they leave, and how much of the machine's memory that may take."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from core.trace.columns import STORED, Columns
from core.trace.run.memory import Buffers

if TYPE_CHECKING:
    from core.trace.kernels.rays import Batch, Queue

SHARE = 0.5
"""Of the machine's memory, what one trace may take unless it is told otherwise."""
UNKNOWN_MEMORY = 4 << 30
"""What a machine that does not tell is taken to have, in bytes."""
BATCH, GRADED_BATCH = 256, 32
"""Rays that a thread has at work at once, few enough for its cache; fewer where each takes long."""
LARGE = 1 << 18
"""Rows beyond which arrays are at once made as large as they may ever be: pages that are never touched take no memory."""


NO_LINE = np.empty((0, 2))


@cache
def default_memory_limit() -> int:
    """The bytes that one trace may take unless it is told otherwise."""
    return int(SHARE * _machine_memory())


def _machine_memory() -> int:
    if sys.platform == "win32":
        import ctypes

        # dwLength and dwMemoryLoad, then seven sizes of 8 bytes, the first of which is the memory of the machine
        status = (ctypes.c_ulonglong * 8)()
        ctypes.cast(status, ctypes.POINTER(ctypes.c_ulong))[0] = ctypes.sizeof(status)
        return int(status[1]) if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)) else UNKNOWN_MEMORY
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return UNKNOWN_MEMORY


def new_queue(n: int, bodies: int) -> Queue:
    """Room for n rays on their way, in a scene with so many gradient-index bodies."""
    from core.trace.kernels.rays import Queue

    return Queue(
        ray=np.empty((n, 6)),
        wavelength=np.empty(n),
        tag=np.empty((n, 5), np.int32),
        place=np.empty(n, np.int64),
        mark=np.empty((n, 3), np.uint8),
        inside=np.zeros((n, bodies), np.uint8),
    )


def batch_size(bodies: int) -> int:
    """How many rays a thread has at work at once, in a scene with so many gradient-index bodies."""
    return GRADED_BATCH if bodies else BATCH


def new_batch(bodies: int, primitives: int) -> Batch:
    """A thread's room for the rays it has at work, in a scene with so many gradient-index bodies and primitives."""
    from core.trace.kernels.loop import SHARE_SIZE
    from core.trace.kernels.ray_path import PATH_WIDTH
    from core.trace.kernels.rays import MET_WIDTH, REACH_WIDTH, Batch
    from core.trace.tables.bvh import new_walk

    n = batch_size(bodies)
    return Batch(
        *new_queue(n, bodies),
        at=np.empty(n, np.int64),
        met=np.empty((n, MET_WIDTH), np.int64),
        reach=np.empty((n, REACH_WIDTH)),
        path=np.empty((n, PATH_WIDTH if bodies else 0)),
        share=np.zeros(SHARE_SIZE, np.int64),
        walk=new_walk(primitives),
    )


def new_columns(n: int, bodies: int) -> Columns:
    """Room for n rows, without any points of curved rays; columns that only gradient-index media need have no width without bodies."""
    widths = {name: (c.width,) if c.width and (bodies or not c.curved) else (0,) if c.curved else () for name, c in STORED.items()}
    return Columns._make([*(np.empty((n, *widths[name]), c.dtype) for name, c in STORED.items()), NO_LINE])


def bytes_per_item(arrays: Queue | Columns) -> int:
    """What one ray on its way, or one row, takes. Points of curved rays come on top."""
    widths = (a.dtype.itemsize * (a.shape[1] if a.ndim > 1 else 1) for name, a in arrays._asdict().items() if name != "polyline")
    return sum(widths)


def grown(arrays: Any, used: int, needed: int, most: int, buffers: Buffers) -> Any:
    """A queue or columns with room for ``needed`` items and some to spare, at most ``most``, of which ``used`` are copied."""
    have = len(arrays[0])
    if have >= needed:
        return arrays
    names = [name for name in arrays._fields if name != "polyline"]
    again = buffers.take(arrays._replace(polyline=NO_LINE) if "polyline" in arrays._fields else arrays, needed)
    if again is not None:
        for name in names:
            getattr(again, name)[:used] = getattr(arrays, name)[:used]
        return again if len(names) == len(again) else again._replace(polyline=arrays.polyline)
    sizes = [most] if needed > LARGE else []
    sizes += [min(most, 4 * needed), needed]
    for size in sizes:
        try:
            new = {name: np.empty((size, *getattr(arrays, name).shape[1:]), getattr(arrays, name).dtype) for name in names}
        except MemoryError:  # where untouched pages count too, it has to be less
            if size == sizes[-1]:
                raise
            continue
        break
    for name in names:
        new[name][:used] = getattr(arrays, name)[:used]
    return arrays._replace(**new)


def longer(columns: Columns, used: int, needed: int) -> Columns:
    """The columns with room for ``needed`` points of curved rays and half as many again to spare."""
    if len(columns.polyline) >= needed:
        return columns
    line = np.empty((needed + needed // 2, 2))
    line[:used] = columns.polyline[:used]
    return columns._replace(polyline=line)


def trimmed(arrays: Any, n: int) -> Any:
    """A queue or columns without points, with room for n items and a quarter more: the rest is given back to the system, without copying
    where it can."""
    room = n + n // 4
    if len(arrays[0]) > room + LARGE // 64:
        for array in arrays:
            array.resize((min(room, len(array)), *array.shape[1:]), refcheck=False)
    return arrays
