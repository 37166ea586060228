"""Gradient-index media at a point: index, gradient and absorption, also where bodies overlap."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.kinds.primitives import GRADED_PROGRAM, GRADED_X, GRADED_Y
from core.trace.compilation.jit import NONE, allocating, rare
from core.trace.compilation.lanes import LANES
from core.trace.compilation.machine import run_packed
from core.trace.kernels.intersect import crossings_ahead
from core.trace.kernels.programs import load_constants, run_rows
from core.trace.tables.tables import Tables

Floats = NDArray[np.float64]
GREEN = 540.0
"""The wavelength in nm used in formulas where the scene does not simulate colours."""


@allocating
def graded_index(t: Tables, obj: int, x: float, y: float, wavelength: float) -> float:
    """The refractive index of a gradient-index body at a point."""
    values, registers, result = np.empty(3), np.empty(t.programs.largest), np.empty(4)
    values[0], values[1] = x - t.parameters[obj, GRADED_X], y - t.parameters[obj, GRADED_Y]
    values[2] = GREEN if math.isnan(wavelength) else wavelength
    run_packed(t.programs, int(t.parameters[obj, GRADED_PROGRAM]), values, registers, result)
    return np.float64(result[0])


@allocating
def medium_registers(t: Tables) -> Floats:
    """Registers (rows, LANES) for the programs of all gradient-index bodies, one after the other, with their constants."""
    p, size = t.programs, 0
    for obj in t.graded:
        j = int(t.parameters[obj, GRADED_PROGRAM])
        size += p.variables[j] + p.constant_start[j + 1] - p.constant_start[j] + p.code_start[j + 1] - p.code_start[j]
    registers, base = np.zeros((size, LANES)), 0
    for obj in t.graded:
        base = load_constants(p, int(t.parameters[obj, GRADED_PROGRAM]), base, registers)
    return registers


@rare
def forces(
    t: Tables, inside: NDArray[np.uint8], at: Floats, x: int, y: int, wavelength: int, index: int, registers: Floats, k: Floats, row: int
) -> None:
    """What the medium does to a ray in each lane, with τ as the parameter, where dτ = ds/n.

    Written to ``k``, from ``row`` on: the derivative of (tx, ty) = n dr/ds, which is n grad n (Born & Wolf, section 3.2) and depends on
    the position only, and that of the integral of the absorption. The index is written to row ``index`` of ``at``, whose rows ``x``,
    ``y`` and ``wavelength`` are given. ``inside`` (bodies, LANES) marks the bodies that contain the point: their indices multiply, their
    absorptions add.
    """
    p, base = t.programs, 0
    for lane in range(LANES):
        at[index, lane], k[row, lane], k[row + 1, lane], k[row + 2, lane] = 1.0, 0.0, 0.0, 0.0
    for g in range(len(t.graded)):
        obj = t.graded[g]
        j = int(t.parameters[obj, GRADED_PROGRAM])
        first = base + p.variables[j] + p.constant_start[j + 1] - p.constant_start[j]
        if np.any(inside[g]):
            for lane in range(LANES):
                registers[base, lane] = at[x, lane] - t.parameters[obj, GRADED_X]
                registers[base + 1, lane] = at[y, lane] - t.parameters[obj, GRADED_Y]
                registers[base + 2, lane] = at[wavelength, lane]
            run_rows(p, j, base, registers)
            out = p.output_start[j]
            for lane in range(LANES):
                if inside[g, lane]:
                    n = registers[base + p.outputs[out], lane]
                    at[index, lane] *= n
                    k[row, lane] += registers[base + p.outputs[out + 1], lane] / n
                    k[row + 1, lane] += registers[base + p.outputs[out + 2], lane] / n
                    k[row + 2, lane] += registers[base + p.outputs[out + 3], lane]
        base = first + p.code_start[j + 1] - p.code_start[j]
    for lane in range(LANES):
        n = at[index, lane]
        k[row, lane] *= n * n
        k[row + 1, lane] *= n * n
        k[row + 2, lane] *= abs(n)


@rare
def locate(t: Tables, inside: NDArray[np.uint8], x: float, y: float, dx: float, dy: float) -> None:
    """Set ``inside``: which gradient-index bodies contain the start (x, y) of a ray with direction (dx, dy)."""
    for g in range(len(t.graded)):
        inside[g] = crossings_ahead(t, t.graded[g], x, y, dx, dy, NONE) % 2
