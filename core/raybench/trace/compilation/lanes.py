"""Arithmetic on rows of `LANES` numbers, one for each of several rays or boxes. The result of each
lane does not depend on the others.

``add(rows, to, x, y)`` writes to row ``to`` the sums of the numbers in rows x and y; so the others.
`multiply_add` rounds the product, then the sum; `sine_and_cosine` writes rows ``to`` and ``to +
1``. Here they are numpy's; where kernels are compiled, vector instructions take their place.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from raybench.arrays import Floats
from raybench.trace.compilation.jit import COMPILING, LANES

WIDEST_ANGLE, LARGEST_POWER = 65_536.0, 700.0
"""Sines and cosines, and exponentials, are computed for arguments up to these sizes."""


def _row_operation(compute: Callable[..., Any]) -> Callable[..., None]:
    def operation(rows: Floats, to: int, *args: int) -> None:
        with np.errstate(all="ignore"):
            results = compute(*(rows[a].copy() for a in args))
        rows[to : to + len(results)] = results

    return operation


add, subtract = _row_operation(lambda x, y: [x + y]), _row_operation(lambda x, y: [x - y])
multiply, divide = _row_operation(lambda x, y: [x * y]), _row_operation(lambda x, y: [x / y])
multiply_add, negate = _row_operation(lambda x, y, z: [x * y + z]), _row_operation(lambda x: [-x])
square_root, exponential = (
    _row_operation(lambda x: [np.sqrt(x)]),
    _row_operation(lambda x: [np.exp(x)]),
)
sine, cosine = _row_operation(lambda x: [np.sin(x)]), _row_operation(lambda x: [np.cos(x)])
sine_and_cosine = _row_operation(lambda x: [np.sin(x), np.cos(x)])


def add_scaled_row(rows: Floats, to: int, factor: float, others: Floats, row: int) -> None:
    """Add ``factor`` times a row of ``others`` to the row ``to``."""
    rows[to] += factor * others[row]


def is_row_within(rows: Floats, row: int, most: float) -> bool:
    """Whether all numbers of a row are at most ``most`` in magnitude. False if one is NaN."""
    return bool((np.abs(rows[row]) <= most).all())


def select(condition: Any, x: Any, y: Any) -> Any:
    """The numbers x in the lanes where a condition holds, and y in the others."""
    if isinstance(condition, np.ndarray):
        return np.where(condition, x, y)
    return x if condition else y


def least(x: Any, y: Any) -> Any:
    """The lesser of the numbers x and y, none of them NaN, in each lane."""
    return np.minimum(x, y)


def greatest(x: Any, y: Any) -> Any:
    """The greater of the numbers x and y, none of them NaN, in each lane."""
    return np.maximum(x, y)


def root(x: Any) -> Any:
    """The square roots of the numbers in a row."""
    return np.sqrt(x)


def over_lanes(
    inputs: tuple[int, ...], outputs: tuple[int, ...]
) -> Callable[[Callable[..., tuple[Any, ...]]], Callable[..., int]]:
    """Make an operation on rows of a function of numbers: ``operation(rows, table, numbers)``.
    ``rows`` is flat here: one row after the other.

    The function is given the rows ``inputs``, then the table and each of the numbers. A table (n,)
    holds numbers that are the same for all lanes, as those of the tuple ``numbers`` are; a table
    (n, LANES) holds rows. The function's results are written to the rows ``outputs``. If one more
    follows, it is a condition, and the operation returns the lanes where it holds, as one bit each.
    The function has no branches, only arithmetic, comparisons, `select`, `least`, `greatest`, `root`
    and `elementwise` functions.
    """

    def operation_of(compute: Callable[..., tuple[Any, ...]]) -> Callable[..., int]:
        if COMPILING:
            return vector_lanes.operation_over_lanes(compute, inputs, outputs)  # type: ignore[no-any-return]

        def operation(rows: Floats, table: Floats, numbers: tuple[float, ...]) -> int:
            given = (rows[row * LANES : (row + 1) * LANES].copy() for row in inputs)
            with np.errstate(all="ignore"):
                results = compute(*given, table, *numbers)
            for row, result in zip(outputs, results, strict=False):
                rows[row * LANES : (row + 1) * LANES] = result
            return sum(1 << int(i) for met in results[len(outputs) :] for i in np.flatnonzero(met))

        return operation

    return operation_of


def lowest_set_bit(bits: int) -> int:
    """The position of the lowest bit that is set. ``bits`` must not be 0."""
    return int(bits & -bits).bit_length() - 1


if COMPILING:
    from raybench.trace.compilation import vector_lanes

    globals().update(vector_lanes.OPERATIONS)
