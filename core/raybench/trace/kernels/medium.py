"""The refractive index, its gradient and the absorption at a point, inside bodies of gradient index
or of a material, which may overlap. Formulas are evaluated for several rays at the same time.
"""

import math

import numpy as np

from raybench.arrays import Bytes, Floats, Integers
from raybench.formula import operations as ops
from raybench.formula.interpreter import PackedPrograms, make_interpreter
from raybench.kinds.primitives import (
    FULL_LINE,
    GLASS_MATERIAL,
    GRADED_PROGRAM,
    GRADED_X,
    GRADED_Y,
    LINE_NX,
    LINE_NY,
    LINE_X,
    LINE_Y,
    MATERIAL,
)
from raybench.optics.colour import GREEN
from raybench.trace.compilation import lanes
from raybench.trace.compilation.jit import LANES, NONE, ZERO, allocating, inner, rare, whole
from raybench.trace.compilation.lanes import LARGEST_POWER, WIDEST_ANGLE
from raybench.trace.kernels.intersect import count_outline_crossings
from raybench.trace.tables.tables import Tables

_machine = make_interpreter(rare)
operate, run_packed = _machine.operate, _machine.run_packed
"""The register machine of formulas for one ray, compiled once for all kernels."""


@inner
def first_result_register(p: PackedPrograms, index: int) -> int:
    """The first register that holds a result of a program: the number of registers before it."""
    return whole(p.variables[index] + p.constant_start[index + 1] - p.constant_start[index])


@inner
def register_count(p: PackedPrograms, index: int) -> int:
    """The number of registers that a program needs."""
    return whole(first_result_register(p, index) + p.code_start[index + 1] - p.code_start[index])


@rare
def load_program_constants(p: PackedPrograms, index: int, base: int, registers: Floats) -> int:
    """Write the constants of a program to its registers, which begin at the row ``base``. Returns
    the row after its last register.
    """
    row = base + p.variables[index]
    for i in range(p.constant_start[index], p.constant_start[index + 1]):
        for lane in range(LANES):
            registers[row, lane] = p.constants[i]
        row += 1
    return base + register_count(p, index)


@rare
def run_program_rows(p: PackedPrograms, index: int, base: int, registers: Floats) -> None:
    """Run a program in ``registers`` (rows, LANES), where its variables and constants begin at the
    row ``base``. It does the same as `Interpreter.run_packed`.
    """
    to = base + first_result_register(p, index)
    i, last = whole(p.code_start[index]), whole(p.code_start[index + 1])
    while i < last:
        op = p.code[i, 0]
        x = base + whole(p.code[i, 1])
        y = base + whole(p.code[i, 2])
        z = base + whole(p.code[i, 3])
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
        elif (op == ops.SIN or op == ops.COS) and lanes.is_row_within(registers, x, WIDEST_ANGLE):
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
        elif op == ops.EXP and lanes.is_row_within(registers, x, LARGEST_POWER):
            lanes.exponential(registers, to, x)
        else:
            for lane in range(LANES):
                registers[to, lane] = operate(
                    op, registers[x, lane], registers[y, lane], registers[z, lane]
                )
        i += 1
        to += 1


@rare
def wavelength_column(t: Tables, wavelength: float) -> int:
    """The column of `Tables.indices` and `Tables.absorption` for a wavelength of the sources. NaN
    stands for light without a wavelength.
    """
    if math.isnan(wavelength) or len(t.wavelengths) == 0:
        return 0
    low, high = 0, len(t.wavelengths) - 1
    while low < high:
        middle = (low + high) // 2
        if t.wavelengths[middle] < wavelength:
            low = middle + 1
        else:
            high = middle
    return 1 + low


@rare
def material_index(t: Tables, obj: int, wavelength: float) -> float:
    """The refractive index of a body that has a material, at a wavelength of the sources. NaN
    stands for light without a wavelength.
    """
    row = int(t.parameters[obj, GLASS_MATERIAL])
    return np.float64(t.indices[row, wavelength_column(t, wavelength)])


@rare
def material_absorption(t: Tables, obj: int, wavelength: float) -> float:
    """The absorption coefficient of a body that has a material, at a wavelength of the sources (see
    `material_index`).
    """
    row = int(t.parameters[obj, GLASS_MATERIAL])
    return np.float64(t.absorption[row, wavelength_column(t, wavelength)])


@rare
def is_ray_bent(t: Tables, inside: Bytes) -> bool:
    """Whether a ray is bent, because one of the bodies that contain it has a gradient index."""
    bodies = 0
    for g in range(len(t.graded)):
        if inside[g] and t.flags[t.graded[g]] & MATERIAL == 0:
            bodies += 1
    return bodies > 0


@rare
def transmitted_fraction(t: Tables, inside: Bytes, wavelength: float, length: float) -> float:
    """The fraction of the power that remains after a straight path of the given length (infinite
    for an escaping ray) through the bodies with a material that contain it: Beer and Lambert's law
    (Born & Wolf, section 14.1).
    """
    coefficient = 0.0
    for g in range(len(t.graded)):
        if inside[g]:
            coefficient += material_absorption(t, t.graded[g], wavelength)
    return math.exp(-coefficient * length) if coefficient > 0.0 else 1.0


@allocating
def graded_index(t: Tables, obj: int, x: float, y: float, wavelength: float) -> float:
    """The refractive index of a gradient-index body at a point."""
    values, registers, result = np.empty(3), np.empty(t.programs.largest), np.empty(4)
    values[0], values[1] = x - t.parameters[obj, GRADED_X], y - t.parameters[obj, GRADED_Y]
    values[2] = GREEN if math.isnan(wavelength) else wavelength
    run_packed(t.programs, int(t.parameters[obj, GRADED_PROGRAM]), values, registers, result)
    return np.float64(result[0])


@rare
def is_same_medium(t: Tables, first_body: int, second_body: int) -> bool:
    """Whether two gradient-index bodies have the same index and the same absorption at every point."""
    return bool(
        t.parameters[first_body, GRADED_PROGRAM] == t.parameters[second_body, GRADED_PROGRAM]
        and t.parameters[first_body, GRADED_X] == t.parameters[second_body, GRADED_X]
        and t.parameters[first_body, GRADED_Y] == t.parameters[second_body, GRADED_Y]
    )


@allocating
def index_distinct_media(t: Tables) -> Integers:
    """For each gradient-index body (bodies, 2): the first body with the same medium, and the row
    where the registers of its program begin. The last row of the array holds the number of
    registers.
    """
    media, size = np.zeros((len(t.graded) + 1, 2), np.int64), ZERO
    for g in range(len(t.graded)):
        obj = t.graded[g]
        media[g, 0], media[g, 1] = g, size
        if t.flags[obj] & MATERIAL:
            continue
        for other in range(g):
            if t.flags[t.graded[other]] & MATERIAL == 0 and is_same_medium(t, obj, t.graded[other]):
                media[g, 0] = other
                break
        if media[g, 0] == g:
            size += register_count(t.programs, int(t.parameters[obj, GRADED_PROGRAM]))
    media[len(t.graded), 1] = size
    return media


@allocating
def medium_registers(t: Tables, media: Integers) -> Floats:
    """The registers (rows, LANES) for the programs of all distinct media, one after the other.
    Their constants are already in them.
    """
    registers = np.zeros((media[len(t.graded), 1], LANES))
    for g in range(len(t.graded)):
        obj = t.graded[g]
        if t.flags[obj] & MATERIAL == 0 and media[g, 0] == g:
            program = int(t.parameters[obj, GRADED_PROGRAM])
            load_program_constants(t.programs, program, media[g, 1], registers)
    return registers


@rare
def compute_forces(
    t: Tables,
    media: Integers,
    inside: Integers,
    positions: Floats,
    registers: Floats,
    forces: Floats,
    row: int,
) -> None:
    """Compute the effect of the medium on the ray in each lane. The parameter of the ray's path is
    τ, where dτ = ds/n.

    Written to ``forces``, from ``row`` on: the derivative of (tx, ty) = n dr/ds, which is n grad n
    (Born & Wolf, section 3.2) and depends on the position only, and that of the integral of the
    absorption. ``positions`` (4, LANES) holds x, y and the wavelength, and gets the index.
    ``inside`` (bodies, LANES): how many bodies of the same medium contain the point, at the first
    one of each of ``media``; their indices multiply, their absorptions add.
    """
    p = t.programs
    for lane in range(LANES):
        positions[3, lane] = 1.0
        forces[row, lane] = 0.0
        forces[row + 1, lane] = 0.0
        forces[row + 2, lane] = 0.0
    for g in range(len(t.graded)):
        if media[g, 0] != g or not np.any(inside[g]):
            continue
        obj = t.graded[g]
        if t.flags[obj] & MATERIAL:
            for lane in range(LANES):
                if inside[g, lane]:
                    positions[3, lane] *= material_index(t, obj, positions[2, lane])
                    forces[row + 2, lane] += material_absorption(t, obj, positions[2, lane])
            continue
        j, base = int(t.parameters[obj, GRADED_PROGRAM]), media[g, 1]
        for lane in range(LANES):
            registers[base, lane] = positions[0, lane] - t.parameters[obj, GRADED_X]
            registers[base + 1, lane] = positions[1, lane] - t.parameters[obj, GRADED_Y]
            registers[base + 2, lane] = positions[2, lane]
        run_program_rows(p, j, base, registers)
        out = p.output_start[j]
        for lane in range(LANES):
            bodies = inside[g, lane]
            if bodies:
                n = registers[base + p.outputs[out], lane]
                for _ in range(bodies):
                    positions[3, lane] *= n
                forces[row, lane] += bodies * (registers[base + p.outputs[out + 1], lane] / n)
                forces[row + 1, lane] += bodies * (registers[base + p.outputs[out + 2], lane] / n)
                forces[row + 2, lane] += bodies * registers[base + p.outputs[out + 3], lane]
    for lane in range(LANES):
        n = positions[3, lane]
        forces[row, lane] *= n * n
        forces[row + 1, lane] *= n * n
        forces[row + 2, lane] *= abs(n)


@inner
def is_start_inside(
    t: Tables, obj: int, x: float, y: float, dx: float, dy: float, origin: int
) -> int:
    """Whether a body contains the start (``x``, ``y``) of a ray with the direction (``dx``, ``dy``):
    1 or 0. ``origin`` is that of `count_outline_crossings`.
    """
    row = t.geometry[t.first[obj]]
    if t.primitive[t.first[obj]] == FULL_LINE:  # a half-plane
        nx, ny = row[LINE_NX], row[LINE_NY]
        above = (x - row[LINE_X]) * nx + (y - row[LINE_Y]) * ny
        return 1 if (above if abs(above) > t.shortest else dx * nx + dy * ny) < 0.0 else 0
    return count_outline_crossings(t, obj, x, y, dx, dy, origin) % 2


@rare
def find_bodies_inside(t: Tables, inside: Bytes, x: float, y: float, dx: float, dy: float) -> None:
    """Mark in ``inside`` which bodies contain the start (``x``, ``y``) of a ray with the direction
    (``dx``, ``dy``). Only bodies that act along a ray's path count.
    """
    for g in range(len(t.graded)):
        inside[g] = is_start_inside(t, t.graded[g], x, y, dx, dy, NONE)
