"""The operations of `raybench.trace.compilation.lanes` as vector instructions of the processor, for
the processes that compile.

Numba would have to prove that the rows of an operation do not overlap, and calls a library for
sines, one at a time. Here an operation loads its rows, computes, and stores one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from raybench.trace.compilation.plain_lanes import LANES, Rows

_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_BITS = ir.VectorType(ir.IntType(64), LANES)


def _all(value: float) -> Any:
    """A vector with the same number in all lanes."""
    return ir.Constant(_VECTOR, [value] * LANES)


def _parts(value: Fraction, bits: int, count: int) -> list[float]:
    """Numbers that add to ``value``, all but the last with so many bits that their products with
    small integers are exact.
    """
    parts = []
    for _ in range(count - 1):
        scale = 2 ** (bits - math.frexp(float(value))[1])
        parts.append(float(Fraction(math.floor(value * scale), scale)))
        value -= Fraction(parts[-1])
    return [*parts, float(value)]


PI = _parts(Fraction("3.14159265358979323846264338327950288419716939937510582097494459"), 37, 3)
LOG_2 = _parts(Fraction("0.69314718055994530941723212145817656807550013436025525412068001"), 41, 2)
SINE = [(-1) ** i / math.factorial(2 * i + 1) for i in range(11)]
COSINE = [(-1) ** i / math.factorial(2 * i) for i in range(12)]
EXPONENTIAL = [1.0 / math.factorial(i) for i in range(14)]
"""Taylor coefficients, as many as count: to pi / 2 for sine and cosine in powers of the square, to
log(2) / 2 for the exponential.
"""
INTEGER = 1.5 * 2.0**52
"""Added to a number, the sum has its nearest integer in its last bits."""


def _polynomial(builder: Any, x: Any, coefficients: list[float]) -> Any:
    total = _all(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = builder.fadd(builder.fmul(total, x), _all(coefficient))
    return total


def _rounded(builder: Any, x: Any) -> Any:
    return builder.fsub(builder.fadd(x, _all(INTEGER)), _all(INTEGER))


def _sine_and_cosine(builder: Any, x: Any) -> tuple[Any, Any]:
    """Of x less a multiple of pi, with the sign of the multiple's parity."""
    turns = _rounded(builder, builder.fmul(x, _all(1.0 / math.pi)))
    for part in PI:
        x = builder.fsub(x, builder.fmul(turns, _all(part)))
    odd = builder.fsub(
        turns, builder.fmul(_all(2.0), _rounded(builder, builder.fmul(turns, _all(0.5))))
    )
    sign = builder.fsub(_all(1.0), builder.fmul(_all(2.0), builder.fmul(odd, odd)))
    square = builder.fmul(x, x)
    sine = builder.fmul(builder.fmul(sign, x), _polynomial(builder, square, SINE))
    return sine, builder.fmul(sign, _polynomial(builder, square, COSINE))


def _exponential(builder: Any, x: Any) -> Any:
    """Of x less a multiple of log(2), with the multiple added to the exponent."""
    shifted = builder.fadd(builder.fmul(x, _all(1.0 / math.log(2.0))), _all(INTEGER))
    times = builder.fsub(shifted, _all(INTEGER))
    for part in LOG_2:
        x = builder.fsub(x, builder.fmul(times, _all(part)))
    bits = builder.shl(builder.bitcast(shifted, _BITS), ir.Constant(_BITS, [52] * LANES))
    scale = builder.bitcast(builder.add(bits, ir.Constant(_BITS, [1023 << 52] * LANES)), _VECTOR)
    return builder.fmul(scale, _polynomial(builder, x, EXPONENTIAL))


def _square_root(builder: Any, x: Any) -> Any:
    kind = ir.FunctionType(_VECTOR, [_VECTOR])
    return builder.call(
        cgutils.get_or_insert_function(builder.module, kind, f"llvm.sqrt.v{LANES}f64"),  # type: ignore[no-untyped-call]
        [x],
    )


def row_of(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    data = make_array(array_type)(context, builder, array).data  # type: ignore[no-untyped-call]
    first = builder.gep(data, [builder.mul(row, ir.Constant(row.type, LANES))])
    return builder.bitcast(first, _VECTOR.as_pointer())


def _operation(compute: Callable[..., Any], arguments: int) -> Any:
    """An intrinsic on rows of one array: the results' first row, then a row for each argument."""

    def typed(typing: Any, rows: Any, to: Any, *args: Any) -> tuple[Any, Any]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            at = [row_of(context, builder, rows, given[0], row) for row in given[1:]]
            results = compute(builder, *(builder.load(a, align=8) for a in at[1:]))
            for i, result in enumerate(results if isinstance(results, tuple) else (results,)):
                row = builder.add(given[1], ir.Constant(given[1].type, i))
                builder.store(result, row_of(context, builder, rows, given[0], row), align=8)
            return context.get_dummy_value()

        return types.void(rows, *[types.intp] * (arguments + 1)), code

    # numba wants each argument by name
    by_count: dict[int, Callable[..., Any]] = {
        1: lambda typing, rows, to, x: typed(typing, rows, to, x),
        2: lambda typing, rows, to, x, y: typed(typing, rows, to, x, y),
        3: lambda typing, rows, to, x, y, z: typed(typing, rows, to, x, y, z),
    }
    return by_count[arguments]


def every(builder: Any, value: Any) -> Any:
    """A vector with a number in all lanes."""
    empty, lane = ir.Constant(_VECTOR, ir.Undefined), ir.IntType(32)
    one = builder.insert_element(empty, value, ir.Constant(lane, 0))
    return builder.shuffle_vector(one, empty, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))


def _add_scaled(
    typing: Any, rows: Any, to: Any, factor: Any, others: Any, row: Any
) -> tuple[Any, Any]:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = row_of(context, builder, rows, given[0], given[1])
        other = builder.load(row_of(context, builder, others, given[3], given[4]), align=8)
        builder.store(
            builder.fadd(builder.load(at, align=8), builder.fmul(every(builder, given[2]), other)),
            at,
            align=8,
        )
        return context.get_dummy_value()

    return types.void(rows, types.intp, types.float64, others, types.intp), code


def _is_within(typing: Any, rows: Any, row: Any, most: Any) -> tuple[Any, Any]:
    def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        x = builder.load(row_of(context, builder, rows, given[0], given[1]), align=8)
        kind = ir.FunctionType(_VECTOR, [_VECTOR])
        size = builder.call(
            cgutils.get_or_insert_function(builder.module, kind, f"llvm.fabs.v{LANES}f64"),  # type: ignore[no-untyped-call]
            [x],
        )
        inside = builder.bitcast(
            builder.fcmp_ordered("<=", size, every(builder, given[2])), ir.IntType(LANES)
        )
        return builder.icmp_unsigned("==", inside, ir.Constant(inside.type, -1))

    return types.boolean(rows, types.intp, types.float64), code


compiled: Any = intrinsic
add: Callable[[Rows, int, int, int], None] = compiled(_operation(lambda b, x, y: b.fadd(x, y), 2))
subtract: Callable[[Rows, int, int, int], None] = compiled(
    _operation(lambda b, x, y: b.fsub(x, y), 2)
)
multiply: Callable[[Rows, int, int, int], None] = compiled(
    _operation(lambda b, x, y: b.fmul(x, y), 2)
)
divide: Callable[[Rows, int, int, int], None] = compiled(
    _operation(lambda b, x, y: b.fdiv(x, y), 2)
)
multiply_add: Callable[[Rows, int, int, int, int], None] = compiled(
    _operation(lambda b, x, y, z: b.fadd(b.fmul(x, y), z), 3)
)
negate: Callable[[Rows, int, int], None] = compiled(_operation(lambda b, x: b.fneg(x), 1))
square_root: Callable[[Rows, int, int], None] = compiled(_operation(_square_root, 1))
exponential: Callable[[Rows, int, int], None] = compiled(_operation(_exponential, 1))
sine: Callable[[Rows, int, int], None] = compiled(
    _operation(lambda b, x: _sine_and_cosine(b, x)[0], 1)
)
cosine: Callable[[Rows, int, int], None] = compiled(
    _operation(lambda b, x: _sine_and_cosine(b, x)[1], 1)
)
sine_and_cosine: Callable[[Rows, int, int], None] = compiled(_operation(_sine_and_cosine, 1))
add_scaled: Callable[[Rows, int, float, Rows, int], None] = compiled(_add_scaled)
is_within: Callable[[Rows, int, float], bool] = compiled(_is_within)
