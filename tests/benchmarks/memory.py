"""Memory benchmarks: bytes per segment in a result, and peak memory while tracing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from raybench.scene.scene import Scene
from raybench.trace.trace import trace

from .report import Cell, Column, Extent, Table, environment_of_child
from .scenes import prism, room

LEAST = 120
"""The required maximum of bytes per segment in a result."""


def memory_table(extent: Extent) -> Table:
    """Bytes per segment of two scenes."""
    rows = [_row(name, extent) for name in ("prism", "room")]
    columns = (Column("scene", "scene"), Column("segments", "segments"), Column("kept", "kept", "bytes/segment"),
               Column("peak", "at most", "bytes/segment"))  # fmt: skip
    return Table(
        "memory", f"Memory (at most {LEAST} bytes a segment in a result)", columns, tuple(rows)
    )


def measured_scene(name: str, segments: int) -> Scene:
    return prism(segments // 9) if name == "prism" else room(20, max(1, segments // 600))


def _row(name: str, extent: Extent) -> tuple[Cell, ...]:
    result = trace(
        measured_scene(name, extent.memory_segments), max_segments=extent.memory_segments
    )
    return (
        name,
        len(result),
        result.nbytes / max(1, len(result)),
        _peak(name, extent.memory_segments),
    )


def _peak(name: str, segments: int) -> float | None:
    """The growth of peak memory in bytes per segment, measured in a child process; None if
    unavailable.
    """
    code = f"from tests.benchmarks.memory import print_growth; print_growth({name!r}, {segments})"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment_of_child()
    )
    return float(done.stdout) if done.returncode == 0 and done.stdout.strip() else None


def print_growth(name: str, segments: int) -> None:
    """Print the growth of this process's peak memory during a trace, in bytes per segment; nothing
    if unavailable.
    """
    scene = measured_scene(name, segments)
    trace(scene, max_segments=1_000)
    before = peak_bytes()
    result = trace(scene, max_segments=segments)
    after = peak_bytes()
    if before is not None and after is not None:
        print((after - before) / max(1, len(result)))


def peak_bytes() -> int | None:
    """The peak resident memory of the process in bytes, None but on Linux. ``ru_maxrss`` of a child
    would include the parent's memory at the fork.
    """
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), None)
