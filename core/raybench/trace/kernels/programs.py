"""The register machine of formulas for several rays at once: a row of registers holds a value for
each of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from raybench.formula import operations as ops
from raybench.formula.interpreter import PackedPrograms, interpreter
from raybench.trace.compilation import lanes
from raybench.trace.compilation.jit import LANES, rare, whole
from raybench.trace.compilation.lanes import LARGEST_POWER, WIDEST_ANGLE

Rows = NDArray[np.float64]
_machine = interpreter(rare)
operate, run_packed = _machine.operate, _machine.run_packed
"""The register machine of formulas for one ray, compiled once for all kernels."""


@rare
def load_constants(p: PackedPrograms, index: int, base: int, registers: Rows) -> int:
    """Write a program's constants to its registers, which begin at row ``base``; returns the row
    after the last register.
    """
    row = base + p.variables[index]
    for i in range(p.constant_start[index], p.constant_start[index + 1]):
        for lane in range(LANES):
            registers[row, lane] = p.constants[i]
        row += 1
    return int(row + p.code_start[index + 1] - p.code_start[index])


@rare
def run_rows(p: PackedPrograms, index: int, base: int, registers: Rows) -> None:
    """Run a program whose variables and constants are in ``registers`` (rows, LANES) from row
    ``base`` on; as `Interpreter.run`.
    """
    to = base + p.variables[index] + p.constant_start[index + 1] - p.constant_start[index]
    i, last = whole(p.code_start[index]), whole(p.code_start[index + 1])
    while i < last:
        op, x, y, z = (
            p.code[i, 0],
            base + whole(p.code[i, 1]),
            base + whole(p.code[i, 2]),
            base + whole(p.code[i, 3]),
        )
        if op == ops.MUL_ADD:
            lanes.multiply_add(registers, to, x, y, z)
        elif op == ops.MUL:
            lanes.multiply(registers, to, x, y)
        elif op == ops.ADD:
            lanes.add(registers, to, x, y)
        elif op == ops.SUB:
            lanes.subtract(registers, to, x, y)
        elif op == ops.DIV:
            lanes.divide(registers, to, x, y)
        elif op == ops.NEG:
            lanes.negate(registers, to, x)
        elif op == ops.SQRT:
            lanes.square_root(registers, to, x)
        elif (op == ops.SIN or op == ops.COS) and lanes.is_within(registers, x, WIDEST_ANGLE):
            if (
                i + 1 < last
                and op == ops.SIN
                and p.code[i + 1, 0] == ops.COS
                and p.code[i + 1, 1] == p.code[i, 1]
            ):
                lanes.sine_and_cosine(registers, to, x)
                i += 1
                to += 1
            elif op == ops.SIN:
                lanes.sine(registers, to, x)
            else:
                lanes.cosine(registers, to, x)
        elif op == ops.EXP and lanes.is_within(registers, x, LARGEST_POWER):
            lanes.exponential(registers, to, x)
        else:
            for lane in range(LANES):
                registers[to, lane] = operate(
                    op, registers[x, lane], registers[y, lane], registers[z, lane]
                )
        i += 1
        to += 1
