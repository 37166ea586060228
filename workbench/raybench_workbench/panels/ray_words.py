"""The values of rays as texts, for the ray table, the inspector and the tip on the canvas."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from raybench.trace.columns import COLUMNS, DEGREES, LENGTH, NANOMETRES, RELATIVE, Column, Reading
from raybench.trace.results.result import TraceResult
from raybench_workbench.panels.number_edit import format_decimals

NONE = "—"
"""The text of a value that a ray does not have."""


def decimals_of(result: TraceResult) -> int:
    """The number of decimals that resolves 1e-5 of the extent of the traced rays."""
    if not len(result):
        return 2
    return 5 - math.ceil(math.log10(result.size or 1.0))


def _point(value: Sequence[float] | float, decimals: int) -> str:
    """A point as text; for the end of an escaping ray (a float) its direction in degrees."""
    if isinstance(value, float):
        return f"∞ at {value:.1f}°"
    return f"{format_decimals(value[0], decimals)}, {format_decimals(value[1], decimals)}"


def _length(value: float, decimals: int) -> str:
    return "∞" if math.isinf(value) else format_decimals(value, decimals + 1)


def _power(value: float, _: int) -> str:
    return f"{value:.5f}" if value >= 1e-3 or value == 0 else f"{value:.2e}"


FORMATS: dict[tuple[type, str], Callable[[Any, int], str]] = {
    (tuple, LENGTH): _point,
    (float, LENGTH): _length,
    (float, RELATIVE): _power,
    (float, DEGREES): lambda value, _: f"{value:.2f}°",
    (float, NANOMETRES): lambda value, _: f"{value:.1f}",
    (float, ""): lambda value, _: f"{value:.4f}",
    (int, ""): lambda value, _: str(value),
    (bool, ""): lambda value, _: "yes" if value else "no",
    (str, ""): lambda value, _: str(value),
}
"""Formatting functions by value type and unit; arguments are the value and the number of decimals
of lengths.
"""


def text_of(column: Column, value: Any, decimals: int) -> str:
    """A value of a column as text; ``decimals`` are those of places, see `decimals_of`."""
    return NONE if value is None else FORMATS[column.value, column.unit](value, decimals)


def ray_line(result: TraceResult, row: int) -> str:
    """A ray in a line, such as ``r3-12: Lamp, 540.0 nm, power 0.01200, refract, to Screen``."""
    reading = Reading(result, np.array([row]))
    source, wavelength, power, way, target, status = (
        text_of(COLUMNS[name], COLUMNS[name].values(reading)[0], 2)
        for name in ("source_name", "wavelength", "total_power", "interaction", "object", "status")
    )
    colour = [f"{wavelength} nm"] if wavelength != NONE else []
    return f"{result.segment_id(row)}: " + ", ".join(
        [source, *colour, f"power {power}", way, status if target == NONE else f"to {target}"]
    )
