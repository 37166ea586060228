"""The interpreter of programs: functions of numbers and arrays that run as plain Python or compiled
by numba.

Nothing here raises: outside a function's domain the result is NaN, on overflow it is infinite, and
x/0 is infinite with its sign, as in JavaScript.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Floats, Int32s
from raybench.formula import operations as ops


class PackedPrograms(NamedTuple):
    """Many programs, concatenated; the ``…_start`` arrays have one entry more than there are
    programs.
    """

    code: NDArray[np.uint32]
    constants: Floats
    outputs: Int32s
    code_start: Int32s
    constant_start: Int32s
    output_start: Int32s
    variables: Int32s
    """The number of variables of each program."""
    largest: int
    """The number of registers of the largest program."""


F = TypeVar("F", bound=Callable[..., Any])

NAN, INFINITY = math.nan, math.inf
SAME = 1e-12
"""Relative tolerance for the equality of numbers (math.js' default)."""
LARGEST_EXPONENT = 709.0
"""Arguments beyond this nearly overflow in exp, where a library function may raise."""


class Interpreter(NamedTuple):
    """The functions that run programs: ``operate`` computes a single operation, ``run_packed`` a
    whole program. See `make_interpreter`.
    """

    operate: Callable[[int, float, float, float], float]
    run_packed: Callable[..., None]


class Compiler(Protocol):
    """A decorator that compiles a function, such as ``numba.njit(error_model="numpy")``."""

    def __call__(self, function: F, /) -> F: ...


def leave_uncompiled(function: F) -> F:
    """Return the function unchanged. This is the default compiler, which compiles nothing."""
    return function


def make_interpreter(jit: Compiler = leave_uncompiled) -> Interpreter:
    """Return the functions that run programs, each passed through the compiler ``jit``. By default
    they stay plain Python functions.
    """

    @jit
    def floor(x: float) -> float:
        if x != 0.0 and abs(x) < 4503599627370496.0:  # 2^52: larger doubles are all integers
            return float(math.floor(x))
        return x

    @jit
    def exponential(x: float) -> float:
        if x > LARGEST_EXPONENT:
            half = math.exp(min(0.5 * x, LARGEST_EXPONENT))
            return half * half
        return math.exp(x)

    @jit
    def power(x: float, y: float) -> float:
        if y == 0.0:
            return 1.0
        if x != x or y != y:
            return NAN
        size = abs(x)
        endless = y == INFINITY or y == -INFINITY
        if size == 1.0 and endless:
            return NAN  # JavaScript's rule; C gives 1
        whole = not endless and y == floor(y)
        if x < 0.0 and not whole and not endless and size != INFINITY:
            return NAN
        negative = whole and 0.5 * y != floor(0.5 * y) and math.copysign(1.0, x) < 0.0
        if size == 0.0:
            result = 0.0 if y > 0.0 else INFINITY
        elif size == INFINITY:
            result = INFINITY if y > 0.0 else 0.0
        elif endless:
            result = INFINITY if (size > 1.0) == (y > 0.0) else 0.0
        else:
            exponent = y * math.log(size)
            if exponent < LARGEST_EXPONENT:
                result = math.pow(size, y)
            elif exponent < 2.0 * LARGEST_EXPONENT:
                root = math.pow(size, 0.5 * y)
                result = root * root
            else:
                result = INFINITY
        return -result if negative else result

    @jit
    def quotient(x: float, y: float) -> float:
        if y != 0.0:
            return x / y
        if x != x or x == 0.0 or y != y:
            return NAN
        return math.copysign(INFINITY, x) * math.copysign(1.0, y)

    @jit
    def equal(x: float, y: float) -> bool:
        if x == y:
            return True
        larger = max(abs(x), abs(y))
        return abs(x - y) <= larger * SAME and larger != INFINITY

    @jit
    def factorial(x: float) -> float:
        if x != x or (x < 0.0 and x == floor(x)):
            return NAN
        if x > 170.6:
            return INFINITY
        if x < -170.0:
            return 0.0
        return math.gamma(x + 1.0)

    @jit
    def trigonometric_function(op: int, x: float) -> float:
        """The value of a function that is undefined at infinity, such as the sine, or has a bounded
        domain.
        """
        if x - x != 0.0:
            return INFINITY if op == ops.ACOSH and x > 0.0 else NAN
        if op == ops.SIN:
            return math.sin(x)
        if op == ops.COS:
            return math.cos(x)
        if op == ops.TAN:
            return math.tan(x)
        if op == ops.ASIN:
            return math.asin(x) if abs(x) <= 1.0 else NAN
        if op == ops.ACOS:
            return math.acos(x) if abs(x) <= 1.0 else NAN
        if op == ops.ACOSH:
            return math.acosh(x) if x >= 1.0 else NAN
        if abs(x) < 1.0:
            return math.atanh(x)
        return math.copysign(INFINITY, x) if abs(x) == 1.0 else NAN

    @jit
    def logarithm(op: int, x: float) -> float:
        if not x > 0.0:
            return -INFINITY if x == 0.0 else NAN
        if x == INFINITY:
            return INFINITY
        if op == ops.LOG:
            return math.log(x)
        return math.log2(x) if op == ops.LOG2 else math.log10(x)

    @jit
    def hyperbolic_function(op: int, x: float) -> float:
        if op == ops.SINH:
            if abs(x) < LARGEST_EXPONENT:
                return math.sinh(x)
            half = exponential(0.5 * abs(x))
            return math.copysign(0.5 * half * half, x) if x == x else x
        if abs(x) < LARGEST_EXPONENT:
            return math.cosh(x)
        half = exponential(0.5 * abs(x))
        return 0.5 * half * half

    @jit
    def cube_root(x: float) -> float:
        if x == 0.0 or x - x != 0.0:
            return x
        root = math.copysign(math.pow(abs(x), 1.0 / 3.0), x)
        return (
            root - (root - x / (root * root)) / 3.0
        )  # one Newton step, so that cbrt(27) is exactly 3

    @jit
    def operate(op: int, x: float, y: float, z: float) -> float:
        """The result of the operation with the code ``op``. An operation with fewer than three
        arguments ignores the others.
        """
        if op == ops.ADD:
            return x + y
        if op == ops.SUB:
            return x - y
        if op == ops.MUL:
            return x * y
        if op == ops.DIV:
            return quotient(x, y)
        if op == ops.NEG:
            return -x
        if op == ops.POW:
            return power(x, y)
        if op == ops.SQRT:
            return math.sqrt(x) if x >= 0.0 else NAN
        if op == ops.EXP:
            return exponential(x)
        if op in (ops.LOG, ops.LOG2, ops.LOG10):
            return logarithm(op, x)
        if op in (ops.SIN, ops.COS, ops.TAN, ops.ASIN, ops.ACOS, ops.ACOSH, ops.ATANH):
            return trigonometric_function(op, x)
        if op == ops.ATAN:
            return math.atan(x)
        if op == ops.ATAN2:
            return math.atan2(x, y)
        if op in (ops.SINH, ops.COSH):
            return hyperbolic_function(op, x)
        if op == ops.TANH:
            return math.tanh(x)
        if op == ops.ASINH:
            return math.asinh(x)
        if op == ops.CBRT:
            return cube_root(x)
        if op == ops.ABS:
            return abs(x)
        if op == ops.SIGN:
            return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else x)
        if op == ops.FLOOR:
            return floor(x)
        if op == ops.CEIL:
            return -floor(-x)
        if op == ops.ROUND:  # halves round up, as in JavaScript's Math.round
            low = floor(x)
            return low + 1.0 if x - low >= 0.5 else low
        if op == ops.TRUNC:
            return floor(x) if x > 0.0 else -floor(-x)
        if op == ops.MOD:  # has the divisor's sign; x if the divisor is 0
            if y == 0.0:
                return x
            return x - y * floor(x / y)
        if op == ops.MIN:
            return x if x < y or x != x else (y if y == y else NAN)
        if op == ops.MAX:
            return x if x > y or x != x else (y if y == y else NAN)
        if op == ops.LESS:
            return 1.0 if x < y and not equal(x, y) else 0.0
        if op == ops.LESS_EQUAL:
            return 1.0 if x < y or equal(x, y) else 0.0
        if op == ops.EQUAL:
            return 1.0 if equal(x, y) else 0.0
        if op == ops.NOT:
            return 0.0 if x == x and x != 0.0 else 1.0
        if op == ops.SELECT:
            return y if x == x and x != 0.0 else z
        if op == ops.FACTORIAL:
            return factorial(x)
        return NAN

    @jit
    def run_packed(
        packed: Any, index: int, values_in: Any, registers: Any, values_out: Any
    ) -> None:
        """Run program number ``index`` of ``packed``. ``values_in`` are the values of its
        variables; the outputs are written to ``values_out``.

        ``registers`` is scratch of at least ``packed.largest`` numbers: the variables, the
        constants, then one result per row of code, which is an operation and the registers of its
        arguments.
        """
        register = packed.variables[index]
        for i in range(register):
            registers[i] = values_in[i]
        for i in range(packed.constant_start[index], packed.constant_start[index + 1]):
            registers[register] = packed.constants[i]
            register += 1
        code = packed.code
        for i in range(packed.code_start[index], packed.code_start[index + 1]):
            op, x, y = code[i, 0], registers[code[i, 1]], registers[code[i, 2]]
            if op == ops.ADD:  # arithmetic is inlined, since a call would take longer
                result = x + y
            elif op == ops.SUB:
                result = x - y
            elif op == ops.MUL:
                result = x * y
            elif op == ops.DIV:
                result = x / y if y != 0.0 else quotient(x, y)
            elif op == ops.NEG:
                result = -x
            elif op == ops.MUL_ADD:
                result = x * y + registers[code[i, 3]]
            else:
                result = operate(op, x, y, registers[code[i, 3]])
            registers[register] = result
            register += 1
        first = packed.output_start[index]
        for i in range(first, packed.output_start[index + 1]):
            values_out[i - first] = registers[packed.outputs[i]]

    return Interpreter(operate, run_packed)


plain = make_interpreter()
"""The interpreter in plain Python, not compiled."""
