"""The operations of `raybench.trace.compilation.lanes` as vector instructions of the processor.
Used in the process that compiles the kernels.

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
from numba.extending import intrinsic, overload

from raybench.trace.compilation.jit import LANES
from raybench.trace.compilation.numba_code import FOR_KERNELS

_intrinsic: Any = intrinsic
_VECTOR = ir.VectorType(ir.DoubleType(), LANES)
_BITS = ir.VectorType(ir.IntType(64), LANES)


def _constant_vector(value: float) -> Any:
    """A vector with the same number in all lanes."""
    return ir.Constant(_VECTOR, [value] * LANES)


def _split_constant_exactly(value: Fraction, bits: int, count: int) -> list[float]:
    """Numbers whose sum is ``value``. All but the last have so few bits that their products with
    small integers are exact.
    """
    parts = []
    for _ in range(count - 1):
        scale = 2 ** (bits - math.frexp(float(value))[1])
        parts.append(float(Fraction(math.floor(value * scale), scale)))
        value -= Fraction(parts[-1])
    return [*parts, float(value)]


PI = _split_constant_exactly(
    Fraction("3.14159265358979323846264338327950288419716939937510582097494459"), 37, 3
)
LOG_2 = _split_constant_exactly(
    Fraction("0.69314718055994530941723212145817656807550013436025525412068001"), 41, 2
)
SINE = [(-1) ** i / math.factorial(2 * i + 1) for i in range(11)]
COSINE = [(-1) ** i / math.factorial(2 * i) for i in range(12)]
EXPONENTIAL = [1.0 / math.factorial(i) for i in range(14)]
"""Taylor coefficients, as many as count: to pi / 2 for sine and cosine in powers of the square, to
log(2) / 2 for the exponential.
"""
INTEGER = 1.5 * 2.0**52
"""Added to a number, the sum has its nearest integer in its last bits."""


def _evaluate_polynomial(builder: Any, x: Any, coefficients: list[float]) -> Any:
    total = _constant_vector(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        total = builder.fadd(builder.fmul(total, x), _constant_vector(coefficient))
    return total


def _round_vector(builder: Any, x: Any) -> Any:
    return builder.fsub(builder.fadd(x, _constant_vector(INTEGER)), _constant_vector(INTEGER))


def _sine_and_cosine(builder: Any, x: Any) -> tuple[Any, Any]:
    """The sine and the cosine of the vector ``x``. A multiple of pi is subtracted first; an odd
    multiple changes the sign.
    """
    turns = _round_vector(builder, builder.fmul(x, _constant_vector(1.0 / math.pi)))
    for part in PI:
        x = builder.fsub(x, builder.fmul(turns, _constant_vector(part)))
    odd = builder.fsub(
        turns,
        builder.fmul(
            _constant_vector(2.0),
            _round_vector(builder, builder.fmul(turns, _constant_vector(0.5))),
        ),
    )
    sign = builder.fsub(
        _constant_vector(1.0), builder.fmul(_constant_vector(2.0), builder.fmul(odd, odd))
    )
    square = builder.fmul(x, x)
    sine = builder.fmul(builder.fmul(sign, x), _evaluate_polynomial(builder, square, SINE))
    return sine, builder.fmul(sign, _evaluate_polynomial(builder, square, COSINE))


def _exponential(builder: Any, x: Any) -> Any:
    """The exponential of the vector ``x``. A multiple of log(2) is subtracted first, and then added
    to the exponent of the result.
    """
    shifted = builder.fadd(
        builder.fmul(x, _constant_vector(1.0 / math.log(2.0))), _constant_vector(INTEGER)
    )
    times = builder.fsub(shifted, _constant_vector(INTEGER))
    for part in LOG_2:
        x = builder.fsub(x, builder.fmul(times, _constant_vector(part)))
    bits = builder.shl(builder.bitcast(shifted, _BITS), ir.Constant(_BITS, [52] * LANES))
    scale = builder.bitcast(builder.add(bits, ir.Constant(_BITS, [1023 << 52] * LANES)), _VECTOR)
    return builder.fmul(scale, _evaluate_polynomial(builder, x, EXPONENTIAL))


def _call_intrinsic(builder: Any, name: str, *vectors: Any, fastmath: tuple[str, ...] = ()) -> Any:
    """The result of an intrinsic function of LLVM for vectors."""
    insert: Any = cgutils.get_or_insert_function
    kind = ir.FunctionType(_VECTOR, [_VECTOR] * len(vectors))
    function = insert(builder.module, kind, f"llvm.{name}.v{LANES}f64")
    return builder.call(function, vectors, fastmath=fastmath)


def _square_root(builder: Any, x: Any) -> Any:
    return _call_intrinsic(builder, "sqrt", x)


def _row_pointer(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    fields: Any = cgutils.create_struct_proxy(array_type)  # type: ignore[no-untyped-call]
    data = fields(context, builder, value=array).data
    first = builder.gep(data, [builder.mul(row, ir.Constant(row.type, LANES))])
    return builder.bitcast(first, _VECTOR.as_pointer())


def _row_intrinsic(compute: Callable[..., Any], arguments: int) -> Any:
    """An intrinsic for an operation on rows of one array. Its arguments are the first row of the
    results, then one row for each argument of the operation.
    """

    def signature_and_codegen(typing: Any, rows: Any, to: Any, *args: Any) -> tuple[Any, Any]:
        def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            at = [_row_pointer(context, builder, rows, given[0], row) for row in given[1:]]
            results = compute(builder, *(builder.load(a, align=8) for a in at[1:]))
            for i, result in enumerate(results if isinstance(results, tuple) else (results,)):
                row = builder.add(given[1], ir.Constant(given[1].type, i))
                builder.store(result, _row_pointer(context, builder, rows, given[0], row), align=8)
            return context.get_dummy_value()

        return types.void(rows, *[types.intp] * (arguments + 1)), codegen

    # numba wants each argument by name
    by_count: dict[int, Callable[..., Any]] = {
        1: lambda typing, rows, to, x: signature_and_codegen(typing, rows, to, x),
        2: lambda typing, rows, to, x, y: signature_and_codegen(typing, rows, to, x, y),
        3: lambda typing, rows, to, x, y, z: signature_and_codegen(typing, rows, to, x, y, z),
    }
    return by_count[arguments]


def _broadcast_number(builder: Any, value: Any) -> Any:
    """A vector that has the number ``value`` in all lanes."""
    empty, lane = ir.Constant(_VECTOR, ir.Undefined), ir.IntType(32)
    one = builder.insert_element(empty, value, ir.Constant(lane, 0))
    return builder.shuffle_vector(one, empty, ir.Constant(ir.VectorType(lane, LANES), [0] * LANES))


def _add_scaled_row(
    typing: Any, rows: Any, to: Any, factor: Any, others: Any, row: Any
) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _row_pointer(context, builder, rows, given[0], given[1])
        other = builder.load(_row_pointer(context, builder, others, given[3], given[4]), align=8)
        builder.store(
            builder.fadd(
                builder.load(at, align=8), builder.fmul(_broadcast_number(builder, given[2]), other)
            ),
            at,
            align=8,
        )
        return context.get_dummy_value()

    return types.void(rows, types.intp, types.float64, others, types.intp), codegen


def _is_row_within(typing: Any, rows: Any, row: Any, most: Any) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        x = builder.load(_row_pointer(context, builder, rows, given[0], given[1]), align=8)
        size = _call_intrinsic(builder, "fabs", x)
        inside = builder.bitcast(
            builder.fcmp_ordered("<=", size, _broadcast_number(builder, given[2])),
            ir.IntType(LANES),
        )
        return builder.icmp_unsigned("==", inside, ir.Constant(inside.type, -1))

    return types.boolean(rows, types.intp, types.float64), codegen


class _Vector:
    """A vector in code that is being built, with the operators of numbers. A comparison gives a
    vector of bits, with the operators of conditions.
    """

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _operand(self, other: Any) -> Any:
        return other.value if isinstance(other, _Vector) else _constant_vector(other)

    def _combine(self, operation: str, x: Any, y: Any) -> _Vector:
        return _Vector(self.builder, getattr(self.builder, operation)(x, y))

    def _compare(self, relation: str, other: Any) -> _Vector:
        bits = self.builder.fcmp_ordered(relation, self.value, self._operand(other))
        return _Vector(self.builder, bits)

    def __add__(self, other: Any) -> _Vector:
        return self._combine("fadd", self.value, self._operand(other))

    def __sub__(self, other: Any) -> _Vector:
        return self._combine("fsub", self.value, self._operand(other))

    def __mul__(self, other: Any) -> _Vector:
        return self._combine("fmul", self.value, self._operand(other))

    def __truediv__(self, other: Any) -> _Vector:
        return self._combine("fdiv", self.value, self._operand(other))

    def __rsub__(self, other: float) -> _Vector:
        return self._combine("fsub", self._operand(other), self.value)

    def __rmul__(self, other: float) -> _Vector:
        return self._combine("fmul", self._operand(other), self.value)

    def __rtruediv__(self, other: float) -> _Vector:
        return self._combine("fdiv", self._operand(other), self.value)

    def __neg__(self) -> _Vector:
        return _Vector(self.builder, self.builder.fneg(self.value))

    def __abs__(self) -> _Vector:
        return _Vector(self.builder, _call_intrinsic(self.builder, "fabs", self.value))

    def _choose(self, name: str, other: Any) -> _Vector:
        other = self._operand(other)
        chosen = _call_intrinsic(self.builder, name, self.value, other, fastmath=("nnan",))
        return _Vector(self.builder, chosen)

    def least(self, other: Any) -> _Vector:
        return self._choose("minnum", other)

    def greatest(self, other: Any) -> _Vector:
        return self._choose("maxnum", other)

    def root(self) -> _Vector:
        return _Vector(self.builder, _square_root(self.builder, self.value))

    def __lt__(self, other: Any) -> _Vector:
        return self._compare("<", other)

    def __le__(self, other: Any) -> _Vector:
        return self._compare("<=", other)

    def __gt__(self, other: Any) -> _Vector:
        return self._compare(">", other)

    def __ge__(self, other: Any) -> _Vector:
        return self._compare(">=", other)

    def __eq__(self, other: Any) -> _Vector:  # type: ignore[override]
        return self._compare("==", other)

    def __and__(self, other: _Vector) -> _Vector:
        return self._combine("and_", self.value, other.value)

    def __or__(self, other: _Vector) -> _Vector:
        return self._combine("or_", self.value, other.value)

    def __invert__(self) -> _Vector:
        return _Vector(self.builder, self.builder.not_(self.value))

    def select(self, x: Any, y: Any) -> _Vector:
        chosen = self.builder.select(self.value, self._operand(x), self._operand(y))
        return _Vector(self.builder, chosen)


class _Table:
    """An array in code that is being built: (n,), each number in all lanes, or (n, LANES)."""

    def __init__(self, context: Any, builder: Any, array_type: Any, array: Any) -> None:
        fields: Any = cgutils.create_struct_proxy(array_type)  # type: ignore[no-untyped-call]
        self.builder, self.rows = builder, array_type.ndim == 2
        self.data = fields(context, builder, value=array).data

    def __getitem__(self, index: int) -> _Vector:
        builder = self.builder
        at = ir.Constant(ir.IntType(64), index * LANES if self.rows else index)
        pointer = builder.gep(self.data, [at])
        if self.rows:
            return _Vector(
                builder, builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()), align=8)
            )
        return _Vector(builder, _broadcast_number(builder, builder.load(pointer)))


def operation_over_lanes(
    compute: Callable[..., tuple[_Vector, ...]], inputs: tuple[int, ...], outputs: tuple[int, ...]
) -> Any:
    """The intrinsic for `raybench.trace.compilation.lanes.over_lanes`."""

    def typed(typing: Any, rows: Any, table: Any, numbers: Any) -> tuple[Any, Any]:
        def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            def row_at(row: int) -> Any:
                at = ir.Constant(ir.IntType(64), row)
                return _row_pointer(context, builder, rows, given[0], at)

            results = compute(
                *(_Vector(builder, builder.load(row_at(row), align=8)) for row in inputs),
                _Table(context, builder, table, given[1]),
                *(
                    _Vector(builder, _broadcast_number(builder, builder.extract_value(given[2], i)))
                    for i in range(len(numbers))
                ),
            )
            for row, result in zip(outputs, results, strict=False):
                vector = result.value if isinstance(result, _Vector) else _constant_vector(result)
                builder.store(vector, row_at(row), align=8)
            met = ir.Constant(ir.IntType(LANES), 0)
            for condition in results[len(outputs) :]:
                met = builder.bitcast(condition.value, ir.IntType(LANES))
            return builder.zext(met, ir.IntType(64))

        return types.int64(rows, table, numbers), codegen

    return _intrinsic(typed)


def _for_vectors(of_vectors: Callable[..., Any], of_numbers: Callable[..., Any]) -> Any:
    """The function ``of_vectors``, for which kernels that call it with numbers use ``of_numbers``."""
    overload(of_vectors, jit_options=FOR_KERNELS, strict=False)(lambda *args: of_numbers)
    return of_vectors


def _lowest_set_bit(typing: Any, bits: Any) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.cttz(given[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), codegen


OPERATIONS = {
    name: _intrinsic(typed)
    for name, typed in {
        "add": _row_intrinsic(lambda builder, x, y: builder.fadd(x, y), 2),
        "subtract": _row_intrinsic(lambda builder, x, y: builder.fsub(x, y), 2),
        "multiply": _row_intrinsic(lambda builder, x, y: builder.fmul(x, y), 2),
        "divide": _row_intrinsic(lambda builder, x, y: builder.fdiv(x, y), 2),
        "multiply_add": _row_intrinsic(
            lambda builder, x, y, z: builder.fadd(builder.fmul(x, y), z), 3
        ),
        "negate": _row_intrinsic(lambda builder, x: builder.fneg(x), 1),
        "square_root": _row_intrinsic(_square_root, 1),
        "exponential": _row_intrinsic(_exponential, 1),
        "sine": _row_intrinsic(lambda builder, x: _sine_and_cosine(builder, x)[0], 1),
        "cosine": _row_intrinsic(lambda builder, x: _sine_and_cosine(builder, x)[1], 1),
        "sine_and_cosine": _row_intrinsic(_sine_and_cosine, 1),
        "add_scaled_row": _add_scaled_row,
        "is_row_within": _is_row_within,
        "lowest_set_bit": _lowest_set_bit,
    }.items()
} | {
    "select": _for_vectors(lambda c, x, y: c.select(x, y), lambda c, x, y: x if c else y),
    "least": _for_vectors(lambda x, y: x.least(y), lambda x, y: x if x < y else y),
    "greatest": _for_vectors(lambda x, y: x.greatest(y), lambda x, y: x if x > y else y),
    "root": _for_vectors(lambda x: x.root(), lambda x: math.sqrt(x)),
}
"""The functions of `raybench.trace.compilation.lanes` that these take the place of, by name."""
