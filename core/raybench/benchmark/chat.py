"""How long the window's thread is held at a time while the agent answers, measured in a process of
its own.
"""

from __future__ import annotations

from raybench.benchmark.extent import Extent
from raybench.benchmark.table import Cell, Column, Table
from raybench.benchmark.window_times import window_times

RAYS = 10_000
TIMES = 3
ROWS = (
    ("a streamed piece of an answer", "text_ms", 16.0),
    (f"a result with {RAYS} rays", "result_ms", 50.0),
    ("opening its card", "open_ms", 50.0),
)
"""What is measured, its key in the output of `raybench_workbench.timing.chat`, and the goal in
milliseconds.
"""


def chat_table(extent: Extent) -> Table:
    """The longest holds; not available without a window."""
    runs = (
        [run for _ in range(min(TIMES, extent.repeats)) if (run := window_times("chat", RAYS))]
        if extent.window
        else []
    )
    rows: list[tuple[Cell, ...]] = [
        (what, min((run[key] for run in runs), default=None), goal) for what, key, goal in ROWS
    ]
    columns = (
        Column("what", "what"),
        Column("longest", "longest", "ms"),
        Column("goal", "goal", "ms"),
    )
    note = (
        "The longest time at once in which the window's thread is busy, of the best run. Processor"
        " time of this thread."
    )
    return Table("chat", "The chat", columns, tuple(rows), note)
