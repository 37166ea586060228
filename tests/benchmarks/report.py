"""The extent of the measurements, how a time is taken, and tables of them as text and as JSON."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from raybench.system.process import child_environment

from .scenes import SYNTHETIC

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Extent:
    """The sizes of all measurements. ``repeats`` is the number of runs, of which the best counts."""

    repeats: int
    scenes: tuple[str, ...]
    most_segments: int
    objects: tuple[int, ...]
    """Numbers of glasses in the room scenes."""
    growth_segments: int
    waves: int
    """Terms of the index of a gradient-index medium."""
    rays: tuple[int, ...]
    edited_segments: tuple[int, ...]
    module_parts: int
    compared_segments: int
    """Number of segments for the plain kernel, whose time is proportional to the number of
    primitives.
    """
    memory_segments: int
    asked_segments: int
    listed_rays: tuple[int, ...]
    stopped_rays: int
    evaluations: int
    """Number of points of the study."""
    sensitive: int
    """Number of objects whose positions deviate."""
    cold: bool
    """Whether to measure the compilation of all kernels, which takes a minute."""
    window: bool


FULL = Extent(
    repeats=7,
    scenes=tuple(SYNTHETIC),
    most_segments=10_000_000,
    objects=(50, 500, 5_000, 50_000),
    growth_segments=400_000,
    waves=60,
    rays=(1_000, 10_000, 100_000, 1_000_000),
    edited_segments=(1_000, 10_000, 100_000),
    module_parts=3_000,
    compared_segments=200_000,
    memory_segments=5_000_000,
    asked_segments=100_000,
    listed_rays=(1_000, 100_000),
    stopped_rays=1_000_000,
    evaluations=1_000,
    sensitive=50,
    cold=True,
    window=True,
)
QUICK = Extent(
    repeats=1,
    scenes=("a_prism_1k", "b_room20_100"),
    most_segments=5_000,
    objects=(20, 100),
    growth_segments=2_000,
    waves=4,
    rays=(100, 1_000),
    edited_segments=(1_000,),
    module_parts=20,
    compared_segments=1_000,
    memory_segments=20_000,
    asked_segments=1_000,
    listed_rays=(100,),
    stopped_rays=20_000,
    evaluations=10,
    sensitive=3,
    cold=False,
    window=False,
)

PATIENCE = 6.0
"""Total seconds after which a measurement is not repeated."""
LEAST = 0.3
"""Total seconds for which brief work is repeated: a processor at rest takes a while to reach its
clock rate.
"""


def best_of(
    work: Callable[[], object],
    times: int,
    clock: Callable[[], float] = time.perf_counter,
    least: float = LEAST,
) -> float:
    """The shortest duration of ``times`` runs of ``work`` in seconds of ``clock``; of more runs if
    they take less than ``least`` seconds in total, unless only one is wanted; of fewer if they
    exceed `PATIENCE` in total.

    With ``time.process_time``, single-threaded work is measured as on an idle machine, since only
    this process's CPU time counts.
    """
    best, runs, start = float("inf"), 0, time.perf_counter()
    while True:
        begun = clock()
        work()
        best = min(best, clock() - begun)
        runs, total = runs + 1, time.perf_counter() - start
        if total > PATIENCE or (runs >= times and (times == 1 or total > least)):
            return best


Cell = str | int | float | None
"""A word, a count, a measured number, or None if unavailable."""


@dataclass(frozen=True)
class Column:
    """A column's name and unit; ``key`` names it in JSON."""

    key: str
    name: str
    unit: str = ""


@dataclass(frozen=True)
class Table:
    """Measurements of one sort: rows with one cell per column. ``note`` is an explanation for
    readers.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The table as JSON, with its rows as objects."""
        return {
            "key": self.key,
            "title": self.title,
            "note": self.note,
            "units": {c.key: c.unit for c in self.columns if c.unit},
            "rows": [
                dict(zip((c.key for c in self.columns), row, strict=True)) for row in self.rows
            ],
        }

    def to_text(self) -> str:
        """The table as text: words left-aligned, numbers right-aligned, units below the column
        names.
        """
        words = [
            all(isinstance(row[i], str) for row in self.rows) for i in range(len(self.columns))
        ]
        lines = [
            [c.name for c in self.columns],
            [c.unit for c in self.columns],
            *([_written(v) for v in row] for row in self.rows),
        ]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.columns))]
        text = [
            "  ".join(
                v.ljust(w) if left else v.rjust(w)
                for v, w, left in zip(line, widths, words, strict=True)
            ).rstrip()
            for line in lines
        ]
        text.insert(2, "  ".join("-" * w for w in widths))
        return "\n".join([self.title, "", *text, *([self.note] if self.note else [])])


def _written(value: Cell) -> str:
    if value is None:
        return "—"
    if isinstance(value, float):
        # three digits, the precision of measurements on a shared machine
        return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}".replace(",", "\u2009")
    return f"{value:,}".replace(",", "\u2009") if isinstance(value, int) else value


def environment_of_child(**more: str) -> dict[str, str]:
    """The environment of a child process that measures: it finds these modules, and has no
    display.
    """
    environment = child_environment(QT_QPA_PLATFORM="offscreen", **more)
    environment["PYTHONPATH"] += f"{os.pathsep}{ROOT}"
    return environment
