"""The operations of `raybench.trace.compilation.lanes` with numpy, for kernels that are not
compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
LANES = 8
"""Numbers in a row: one vector of the widest processors, two or four of others."""


def _plain(compute: Callable[..., Any]) -> Callable[..., None]:
    def operation(rows: Rows, to: int, *args: int) -> None:
        with np.errstate(all="ignore"):
            results = compute(*(rows[a].copy() for a in args))
        rows[to : to + len(results)] = results

    return operation


add, subtract = _plain(lambda x, y: [x + y]), _plain(lambda x, y: [x - y])
multiply, divide = _plain(lambda x, y: [x * y]), _plain(lambda x, y: [x / y])
multiply_add, negate = _plain(lambda x, y, z: [x * y + z]), _plain(lambda x: [-x])
square_root, exponential = _plain(lambda x: [np.sqrt(x)]), _plain(lambda x: [np.exp(x)])
sine, cosine, sine_and_cosine = (
    _plain(lambda x: [np.sin(x)]),
    _plain(lambda x: [np.cos(x)]),
    _plain(lambda x: [np.sin(x), np.cos(x)]),
)


def add_scaled(rows: Rows, to: int, factor: float, others: Rows, row: int) -> None:
    rows[to] += factor * others[row]


def is_within(rows: Rows, row: int, most: float) -> bool:
    return bool((np.abs(rows[row]) <= most).all())
