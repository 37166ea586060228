"""How long the window's thread is held at a time while a large scene is edited, measured in a
process of its own.
"""

from __future__ import annotations

from raybench.benchmark.extent import Extent
from raybench.benchmark.table import Cell, Column, Table
from raybench.benchmark.window_times import window_times

EDITED, SELECTED = 5_000, 6_000
"""Objects of the scene that is edited, and of that in which all are selected."""
ROWS = (
    ("opening a scene of 5 000 objects", "edited", "open_ms"),
    ("selecting one of 5 000 objects", "edited", "select_ms"),
    ("beginning to drag it", "edited", "begin_ms"),
    ("a step of the drag", "edited", "drag_ms"),
    ("changing a property", "edited", "edit_ms"),
    ("selecting one, beside the scene as JSON", "text", "select_ms"),
    ("beginning to drag it", "text", "begin_ms"),
    ("a step of the drag", "text", "drag_ms"),
    ("changing a property", "text", "edit_ms"),
    ("painting 6 000 selected objects", "selected", "paint_ms"),
)
"""What is measured, in which run, and its key in the output of
`raybench_workbench.timing.large_scene`.
"""
GOAL = 50.0


def large_scene_table(extent: Extent) -> Table:
    """The longest holds; not available without a window."""
    runs = {
        "edited": window_times("large_scene", EDITED) if extent.window else {},
        "text": window_times("large_scene", EDITED, "text") if extent.window else {},
        "selected": window_times("large_scene", SELECTED) if extent.window else {},
    }
    rows: list[tuple[Cell, ...]] = [(what, runs[run].get(key), GOAL) for what, run, key in ROWS]
    columns = (
        Column("what", "what"),
        Column("longest", "longest", "ms"),
        Column("goal", "goal", "ms"),
    )
    note = (
        "The longest time at once in which the window's thread is busy, of the best run. Processor"
        " time of this thread."
    )
    return Table("large_scene", "Editing a large scene", columns, tuple(rows), note)
