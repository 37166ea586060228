"""Gradient-index media at a point: index, gradient and absorption, also where bodies overlap."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.formula.program import PackedPrograms
from core.kinds.primitives import GRADED_PROGRAM, GRADED_X, GRADED_Y
from core.trace.compilation.jit import NONE, allocating, inner, rare
from core.trace.compilation.machine import run, run_packed
from core.trace.kernels.intersect import crossings_ahead
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


@inner
def slopes(
    graded: NDArray[np.int64], parameters: Floats, p: PackedPrograms, inside: NDArray[np.uint8], wavelength: float,
    x: float, y: float, tx: float, ty: float, k: Floats, stage: int, registers: Floats,
) -> float:  # fmt: skip
    """Derivatives of a ray's state with respect to τ, where dτ = ds/n: of x, y, (tx, ty) = n dr/ds, and the integral of the absorption.

    dr/dτ = n dr/ds and d(n dr/ds)/dτ = n grad n (Born & Wolf, section 3.2), which depends on position only. ``inside`` marks the bodies
    that contain the point: their indices multiply, their absorptions add. Written to row ``stage`` of ``k``; returns the index.
    ``registers`` is scratch memory.
    """
    n, gx, gy, absorption = 1.0, 0.0, 0.0, 0.0
    for g in range(len(graded)):
        if inside[g]:
            obj = graded[g]
            j = int(parameters[obj, GRADED_PROGRAM])
            registers[0], registers[1] = x - parameters[obj, GRADED_X], y - parameters[obj, GRADED_Y]
            registers[2] = wavelength
            run(
                p.code, p.constants, 3, p.code_start[j], p.code_start[j + 1], p.constant_start[j], p.constant_start[j + 1], registers
            )  # fmt: skip
            first = p.output_start[j]
            index = registers[p.outputs[first]]
            n *= index
            gx += registers[p.outputs[first + 1]] / index
            gy += registers[p.outputs[first + 2]] / index
            absorption += registers[p.outputs[first + 3]]
    k[stage, 0], k[stage, 1], k[stage, 2], k[stage, 3], k[stage, 4] = tx, ty, n * n * gx, n * n * gy, absorption * abs(n)
    return n


@rare
def locate(t: Tables, inside: NDArray[np.uint8], x: float, y: float, dx: float, dy: float) -> None:
    """Set ``inside``: which gradient-index bodies contain the start (x, y) of a ray with direction (dx, dy)."""
    for g in range(len(t.graded)):
        inside[g] = crossings_ahead(t, t.graded[g], x, y, dx, dy, NONE) % 2
