"""How long the window's thread works on much light, measured in processes of their own."""

from __future__ import annotations

from raybench.benchmark.extent import Extent
from raybench.benchmark.table import Cell, Column, Table
from raybench.benchmark.window_times import window_times

LONG, MANY, MOST = 10_000, 100_000, 1_000_000
"""Numbers of rays that all cross the canvas."""
ROWS = (
    (f"a frame while panning {LONG} long rays, median", LONG, "frame_ms", 1000 / 60),
    (f"the same, {MANY} rays", MANY, "frame_ms", 1000 / 60),
    (f"at a time, while {MANY} rays are painted in full", MANY, "hold_ms", 50.0),
    (f"from the rest of the hand to the full picture of {MANY} rays", MANY, "rest_ms", 1000.0),
    (f"a click on one of {MOST} rays, until the inspector shows it", MOST, "click_ms", 50.0),
)
"""What is measured, the number of rays, the key in the output of
`raybench_workbench.timing.much_light`, and the goal in milliseconds.
"""

NOTE = (
    "Processor time of the window's thread; the full picture, which other threads paint, in"
    " wall-clock time."
)


def window_table(extent: Extent) -> Table:
    """The times of the window's thread, and of the full picture, which other threads make; not
    available without a window.
    """
    runs = (
        {rays: window_times("much_light", rays, "click") for rays in (LONG, MANY, MOST)}
        if extent.window
        else {}
    )
    rows: list[tuple[Cell, ...]] = [
        (what, runs.get(rays, {}).get(key), goal) for what, rays, key, goal in ROWS
    ]
    columns = (
        Column("what", "the window works"),
        Column("milliseconds", "for", "ms"),
        Column("goal", "goal", "ms"),
    )
    return Table("window", "Much light in the window", columns, tuple(rows), NOTE)
