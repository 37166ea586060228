"""Small kernels, with every kind of argument, and a command that compiles them into the cache as
the program does its own.
"""

from __future__ import annotations

import math
import sys
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from raybench.system.files import read_checked
from raybench.trace.compilation import compile_kernels, loading
from raybench.trace.compilation.jit import (
    COMPILING,
    allocating,
    builder,
    compile_call,
    entry,
    rare,
)
from raybench.trace.compilation.kernel_cache import kernel_folder
from raybench.trace.compilation.machine_code import load_machine_code

loading.COMMAND = (
    sys.executable,
    "-P",
    "-c",
    "import small_kernels; small_kernels.compile_or_check()",
)


class Part(NamedTuple):
    weights: Any
    count: int


class Whole(NamedTuple):
    matrix: Any
    vector: Any
    part: Part
    x: float


@rare
def gamma(x: float) -> float:
    return math.gamma(x)


@entry
def total(whole: Whole, out: Any, scale: float, twice: bool) -> float:
    s = 0.0
    for i in range(whole.matrix.shape[0]):
        for j in range(whole.matrix.shape[1]):
            s += whole.matrix[i, j] * whole.vector[i]
    for i in range(whole.part.count):
        s += whole.part.weights[i]
    out[1] = 7
    return (2.0 if twice else 1.0) * s * scale + gamma(whole.x)


@allocating
def doubled(a: Any) -> Any:
    b = np.empty((a.shape[0], 3))
    for i in range(a.shape[0]):
        for j in range(3):
            b[i, j] = 2 * a[i, j]
    return b


@builder
def sum_of_doubled(a: Any, rows: int) -> int:
    room = np.zeros(rows)
    return int(doubled(a).sum() + room.sum())


@entry
def count(state: Any) -> None:
    state[1] += 1


@rare
def is_smaller(x: float, y: float) -> bool:
    return x < y


@entry
def is_larger(x: float, y: float) -> bool:
    return is_smaller(y, x)


def results() -> list[Any]:
    """What the kernels return and write."""
    out, state = np.zeros(2, np.uint8), np.zeros(4, np.int64)
    count(state)
    return [*(call() for call in calls(out)), out.tolist(), state.tolist()]


def calls(out: Any) -> list[partial[Any]]:
    """Calls of the kernels that return something."""
    whole = Whole(
        np.arange(6.0).reshape(2, 3),
        np.array([1.0, 2.0]),
        Part(np.array([5, 6, 7], np.int32), 2),
        4.0,
    )
    totals = [partial(total, whole, out, 10.0, True), partial(total, whole, out, 0.5, False)]
    return [
        *totals,
        partial(sum_of_doubled, np.ones((4, 3)), 1),
        partial(is_larger, 2.0, 1.0),
        partial(is_larger, 1.0, 2.0),
    ]


def compile_or_check() -> None:
    """What the command does in a process that compiles, and in the one that loads the code first."""
    folder = kernel_folder()
    if folder is not None and COMPILING:
        for call in [partial(count, np.zeros(4, np.int64)), *calls(np.zeros(2, np.uint8))]:
            compile_call(call)
        compile_kernels._write_machine_code(folder)
    elif folder is not None and compile_kernels.CHECK in sys.argv:
        load_machine_code(read_checked(folder / compile_kernels.UNCHECKED))
        results()
