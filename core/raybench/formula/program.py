"""Compilation of formulas to programs for a register machine: several expressions per program,
common subexpressions computed once.

Registers hold the variables, then the constants, then one result per instruction. `pack_programs`
concatenates many programs to flat arrays for the kernels; `make_interpreter` runs them. Code is
unsigned, so that compiled kernels need not check for negative indices; this saves a quarter of the
time.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats, Int32s
from raybench.formula.interpreter import PackedPrograms, plain
from raybench.formula.operations import ADD, ARITY, CODE, COMMUTATIVE, DIV, MUL, MUL_ADD, SUB
from raybench.formula.reading import FormulaError
from raybench.formula.tree import Node, distinct_nodes, listed_names_text

MAX_INSTRUCTIONS = 100_000
ARITY_OF = tuple(ARITY.values())
"""The number of arguments of each operation code."""
MAX_PRODUCT_POWER = 16
"""Integer powers up to this are computed as products: x^16 by squaring four times."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """A program: ``code`` (n, 4), rows of operation code and argument registers; ``constants``
    (k,); and ``outputs``, the registers of the results.
    """

    code: NDArray[np.uint32]
    constants: Floats
    variables: tuple[str, ...]
    outputs: Int32s

    @property
    def registers(self) -> int:
        """The number of registers needed for a run."""
        return len(self.variables) + len(self.constants) + len(self.code)


def compile_program(expressions: Sequence[Node], variables: Sequence[str]) -> Program:
    """Compile expressions to one program with an output for each expression. ``variables`` are its
    inputs, in this order. Raises FormulaError for any other variable, and for an operation that
    cannot be compiled.
    """
    compiler = _Compiler(tuple(variables))
    outputs = compiler.compile_expressions(expressions)
    operations = compiler.needed_instructions(outputs)
    count, constants = len(compiler.variables), compiler.constants
    register = {
        **{("v", i): i for i in range(count)},
        **{("c", i): count + i for i in range(len(constants))},
    }
    register |= {("r", old): count + len(constants) + new for new, old in enumerate(operations)}
    rows = [(op, *(register[a] for a in args)) for op, args in operations.values()]
    return Program(
        np.array(rows, np.uint32).reshape(-1, 4),
        np.array(constants, np.float64),
        compiler.variables,
        np.array([register[o] for o in outputs], np.int32),
    )


Register = tuple[str, int]
"""The location of a value: a variable ("v"), a constant ("c") or the result of a row ("r"), and its
index.
"""
Operation = tuple[int, tuple[Register, Register, Register]]
SINE_AND_COSINE = ("sin", "cos")
"""Of an angle that has both, they are computed one after the other, so that an interpreter can
compute them as one.
"""


class _Compiler:
    """A compiler that uses value numbering: an operation that occurs twice on the same registers is
    computed once.
    """

    def __init__(self, variables: tuple[str, ...]) -> None:
        self.variables = variables
        self.constants: list[float] = []
        self.rows: list[Operation] = []
        self.known: dict[tuple[object, ...], Register] = {}

    def compile_expressions(self, expressions: Sequence[Node]) -> list[Register]:
        registers: dict[bytes, Register] = {}
        indices = {name: i for i, name in enumerate(self.variables)}
        nodes = list(distinct_nodes(*expressions))
        turned = [{n.args[0].key for n in nodes if n.op == op} for op in SINE_AND_COSINE]
        both = turned[0] & turned[1]
        for node in nodes:
            if node.op == "variable" and node.name in indices:
                registers[node.key] = ("v", indices[node.name])
            elif node.op == "variable":
                raise FormulaError(
                    f"Unknown variable '{node.name}': there are {listed_names_text(self.variables)}."
                )
            elif node.op == "number":
                registers[node.key] = self.constant_register(node.value)
            elif node.op in SINE_AND_COSINE and node.args[0].key in both:
                pair = {
                    op: self.operation_register(op, registers[node.args[0].key])
                    for op in SINE_AND_COSINE
                }
                registers[node.key] = pair[node.op]
            elif node.op in ARITY:
                registers[node.key] = self.node_register(
                    node, [registers[a.key] for a in node.args]
                )
            else:
                raise FormulaError(
                    f"A formula to be traced contains {node.name or node.op}: replace it by numbers"
                    " or operations first."
                )
        return [registers[e.key] for e in expressions]

    def constant_register(self, value: float) -> Register:
        key = ("c", value.hex())
        if key not in self.known:
            self.known[key] = ("c", len(self.constants))
            self.constants.append(value)
        return self.known[key]

    def node_register(self, node: Node, args: list[Register]) -> Register:
        if node.op == "pow" and node.args[1].op == "number":
            exponent = node.args[1].value
            if abs(exponent) <= MAX_PRODUCT_POWER and exponent.is_integer() and exponent != 0.0:
                product = self.power_register(args[0], int(abs(exponent)))
                return (
                    product
                    if exponent > 0.0
                    else self.operation_register("div", self.constant_register(1.0), product)
                )
        if node.op == "neg" and args[0][0] == "r":
            code, (x, y, _) = self.rows[args[0][1]]
            if code == MUL and (factors := self.with_constant_factor_negated((x, y))):
                return self.operation_register("mul", *factors)
            if code == DIV and (divisor := self.with_constant_factor_negated((y,))):
                return self.operation_register("div", x, *divisor)
        return self.operation_register(node.op, *args)

    def power_register(self, base: Register, exponent: int) -> Register:
        if exponent == 1:
            return base
        half = self.power_register(base, exponent // 2)
        square = self.operation_register("mul", half, half)
        return self.operation_register("mul", square, base) if exponent % 2 else square

    def operation_register(self, op: str, *args: Register) -> Register:
        ordered = tuple(sorted(args)) if op in COMMUTATIVE else args
        key = (op, *ordered)
        if key not in self.known:
            self.known[key] = self.new_instruction_register(op, ordered)
        return self.known[key]

    def new_instruction_register(self, op: str, args: tuple[Register, ...]) -> Register:
        if all(kind == "c" for kind, _ in args):
            values = [self.constants[i] for _, i in args] + [0.0, 0.0]
            return self.constant_register(plain.operate(CODE[op], values[0], values[1], values[2]))
        if len(self.rows) >= MAX_INSTRUCTIONS:
            raise FormulaError(
                f"The formula takes more than {MAX_INSTRUCTIONS} operations: make it shorter."
            )
        padded = (*args, args[0], args[0])[:3]
        self.rows.append((CODE[op], (padded[0], padded[1], padded[2])))
        return ("r", len(self.rows) - 1)

    def needed_instructions(self, outputs: Sequence[Register]) -> dict[int, Operation]:
        """The operations that the outputs need, by index, in order. A product that is used only as
        a term of one sum is merged with the sum; the result stays the same.
        """
        uses, rows = Counter(outputs), dict(enumerate(self.rows))
        for i, (op, args) in reversed(list(rows.items())):
            if uses["r", i]:
                uses.update(args[: ARITY_OF[op]])
            else:
                del rows[i]
        for i, (op, (x, y, _)) in list(rows.items()):
            if op not in (ADD, SUB):
                continue
            for term, other in ((y, x), (x, y)) if op == ADD else ((y, x),):
                product = rows.get(term[1]) if term[0] == "r" else None
                if product is None or product[0] != MUL or uses[term] != 1:
                    continue
                factors = (
                    self.with_constant_factor_negated(product[1][:2])
                    if op == SUB
                    else product[1][:2]
                )
                if factors:
                    del rows[term[1]]
                    rows[i] = (MUL_ADD, (factors[0], factors[1], other))
                    break
        return rows

    def with_constant_factor_negated(self, factors: Sequence[Register]) -> tuple[Register, ...]:
        """The factors with one constant factor negated, which is exact. Empty without a constant
        factor.
        """
        for i, factor in enumerate(factors):
            if factor[0] == "c":
                return (
                    *factors[:i],
                    self.constant_register(-self.constants[factor[1]]),
                    *factors[i + 1 :],
                )
        return ()


def pack_programs(programs: Sequence[Program]) -> PackedPrograms:
    """Concatenate programs to flat arrays, in the given order. There may be no programs."""

    def start_indices(counts: list[int]) -> Int32s:
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)

    return PackedPrograms(
        np.concatenate([np.empty((0, 4), np.uint32), *(p.code for p in programs)]),
        np.concatenate([np.empty(0), *(p.constants for p in programs)]),
        np.concatenate([np.empty(0, np.int32), *(p.outputs for p in programs)]),
        start_indices([len(p.code) for p in programs]),
        start_indices([len(p.constants) for p in programs]),
        start_indices([len(p.outputs) for p in programs]),
        np.array([len(p.variables) for p in programs], np.int32),
        max((p.registers for p in programs), default=0),
    )
