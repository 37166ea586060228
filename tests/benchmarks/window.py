"""How long the window's thread works at a time: on an answer, on much light, and on an edit of a
large scene. Each is measured in a process of its own, a module beside this one that prints JSON.
"""

from __future__ import annotations

import json
import subprocess
import sys

from .report import Cell, Column, Extent, Table, environment_of_child

CHAT_RAYS, CHAT_TIMES = 10_000, 3
CHAT = (
    ("a streamed piece of an answer", "text_ms", 16.0),
    (f"a result with {CHAT_RAYS} rays", "result_ms", 50.0),
    ("opening its card", "open_ms", 50.0),
)
"""What is measured, its key in the output of `window_chat`, and the goal in milliseconds."""
LONG, MANY, MOST = 10_000, 100_000, 1_000_000
"""Numbers of rays that all cross the canvas."""
MUCH_LIGHT = (
    (f"a frame while panning {LONG} long rays, median", LONG, "frame_ms", 1000 / 60),
    (f"the same, {MANY} rays", MANY, "frame_ms", 1000 / 60),
    (f"at a time, while {MANY} rays are painted in full", MANY, "hold_ms", 50.0),
    (f"from the rest of the hand to the full picture of {MANY} rays", MANY, "rest_ms", 1000.0),
    (f"a click on one of {MOST} rays, until the inspector shows it", MOST, "click_ms", 50.0),
)
"""What is measured, the number of rays, the key in the output of `window_much_light`, and the goal
in milliseconds.
"""
EDITED, SELECTED = 5_000, 6_000
"""Objects of the scene that is edited, and of that in which all are selected."""
LARGE_SCENE = (
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
"""What is measured, in which run, and its key in the output of `window_large_scene`; the goal is 50
milliseconds.
"""
COLUMNS = (
    Column("what", "what"),
    Column("longest", "longest", "ms"),
    Column("goal", "goal", "ms"),
)
LONGEST = (
    "The longest time at once in which the window's thread is busy, of the best run. Processor"
    " time of this thread."
)


def chat_table(extent: Extent) -> Table:
    """The longest times while the agent answers; not available without a window."""
    runs = []
    for _ in range(min(CHAT_TIMES, extent.repeats) if extent.window else 0):
        if run := _window_times("window_chat", CHAT_RAYS):
            runs.append(run)
    rows: list[tuple[Cell, ...]] = [
        (what, min((run[key] for run in runs), default=None), goal) for what, key, goal in CHAT
    ]
    return Table("chat", "The chat", COLUMNS, tuple(rows), LONGEST)


def much_light_table(extent: Extent) -> Table:
    """The times of the window's thread, and of the full picture, which other threads make; not
    available without a window.
    """
    runs: dict[int, dict[str, float]] = {}
    for rays in (LONG, MANY, MOST) if extent.window else ():
        runs[rays] = _window_times("window_much_light", rays, "click")
    rows: list[tuple[Cell, ...]] = [
        (what, runs.get(rays, {}).get(key), goal) for what, rays, key, goal in MUCH_LIGHT
    ]
    note = (
        "Processor time of the window's thread; the full picture, which other threads paint, in"
        " wall-clock time."
    )
    columns = (
        Column("what", "the window works"),
        Column("milliseconds", "for", "ms"),
        Column("goal", "goal", "ms"),
    )
    return Table("window", "Much light in the window", columns, tuple(rows), note)


def large_scene_table(extent: Extent) -> Table:
    """The longest times while a large scene is edited; not available without a window."""
    runs: dict[str, dict[str, float]] = {"edited": {}, "text": {}, "selected": {}}
    if extent.window:
        runs = {
            "edited": _window_times("window_large_scene", EDITED),
            "text": _window_times("window_large_scene", EDITED, "text"),
            "selected": _window_times("window_large_scene", SELECTED),
        }
    rows: list[tuple[Cell, ...]] = [
        (what, runs[run].get(key), 50.0) for what, run, key in LARGE_SCENE
    ]
    return Table("large_scene", "Editing a large scene", COLUMNS, tuple(rows), LONGEST)


def _window_times(module: str, *arguments: object) -> dict[str, float]:
    """What a module beside this one prints, by its keys; if it fails nothing, and its last line is
    passed on to stderr.
    """
    command = [sys.executable, "-m", f"tests.benchmarks.{module}", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment_of_child())
    if done.returncode:
        reason = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[-1]
        print(f"The times of '{module}' were not measured: {reason}", file=sys.stderr)
        return {}
    return {key: float(value) for key, value in json.loads(done.stdout.splitlines()[-1]).items()}
