"""Running compiled formulas in plain Python."""

from collections.abc import Mapping

from raybench.formula import Program, pack_programs
from raybench.formula.interpreter import plain


def run_program(program: Program, values: Mapping[str, float]) -> tuple[float, ...]:
    """The outputs of a program for the values of its variables."""
    registers, outputs = [0.0] * program.registers, [0.0] * len(program.outputs)
    given = [float(values[name]) for name in program.variables]
    packed = pack_programs([program])
    plain.run_packed(
        packed._replace(constants=packed.constants.tolist()), 0, given, registers, outputs
    )
    return tuple(outputs)
