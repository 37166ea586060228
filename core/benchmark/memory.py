"""What a segment takes: in the result that is kept, and at the height of its making."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import numpy as np

from core.benchmark.extent import Extent
from core.benchmark.scenes import prism, room
from core.benchmark.table import Cell, Column, Table
from core.child_process import child_environment
from core.scene.scene import Scene
from core.trace.results.result import TraceResult
from core.trace.trace import trace

LEAST = 120
"""Bytes that a segment may take in a result."""


def memory_table(extent: Extent) -> Table:
    """Bytes per segment of two scenes."""
    rows = [_row(name, extent) for name in ("prism", "room")]
    columns = (Column("scene", "scene"), Column("segments", "segments"), Column("kept", "kept", "bytes/segment"),
               Column("peak", "at most", "bytes/segment"))  # fmt: skip
    return Table("memory", f"Memory (at most {LEAST} bytes a segment in a result)", columns, tuple(rows))


def bytes_of(result: TraceResult) -> int:
    """What the columns of a result hold."""
    arrays = (getattr(result, f.name) for f in dataclasses.fields(result))
    # broadcast columns take one row
    return sum(a.nbytes if a.strides[0] or not len(a) else a.nbytes // len(a) for a in arrays if isinstance(a, np.ndarray))


def measured_scene(name: str, segments: int) -> Scene:
    return prism(segments // 9) if name == "prism" else room(20, max(1, segments // 600))


def _row(name: str, extent: Extent) -> tuple[Cell, ...]:
    result = trace(measured_scene(name, extent.memory_segments), max_segments=extent.memory_segments)
    return name, len(result), bytes_of(result) / max(1, len(result)), _peak(name, extent.memory_segments)


def _peak(name: str, segments: int) -> float | None:
    """What a process of its own grows by while it traces; None where the system does not tell."""
    code = f"from core.benchmark.memory import print_growth; print_growth({name!r}, {segments})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=child_environment())
    return float(done.stdout) if done.returncode == 0 and done.stdout.strip() else None


def print_growth(name: str, segments: int) -> None:
    """Print by how many bytes per segment this process grows at most while it traces; nothing where the system does not tell."""
    scene = measured_scene(name, segments)
    trace(scene, max_segments=1_000)
    before = _most_memory()
    result = trace(scene, max_segments=segments)
    after = _most_memory()
    if before is not None and after is not None:
        print((after - before) / max(1, len(result)))


def _most_memory() -> int | None:
    """The most bytes that this process ever took. Linux tells more of a child in its own file than in its accounts, where the parent's
    count too."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))
    except (OSError, StopIteration):
        pass
    try:
        import resource
    except ImportError:
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
