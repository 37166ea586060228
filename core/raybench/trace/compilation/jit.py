"""Decorators for kernels. Kernels run without the GIL, divide as IEEE 754 does (1/0 is infinite),
and are compiled by numba in a child process.

In the process that compiles (`COMPILING`) these decorators are numba's, and nothing is run. In all
others functions stay Python, and numba is not imported: an `entry` runs the machine code that a
child has compiled, once `load_machine_code` has loaded it, and until then the Python function,
which gives the same rows, slowly.
"""

import os
from collections.abc import Callable
from functools import partial
from operator import getitem, setitem
from typing import Any, TypeVar, cast

import numpy as np

from raybench.arrays import Integers
from raybench.trace.compilation.machine_code import ENTRY_POINTS, EntryPoint, entry_name

DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether numba's variable for debugging says that nothing is to be compiled."""
COMPILING = os.environ.get("RAYBENCH_COMPILING") == "1" and not DISABLED
"""Whether this process compiles kernels."""

F = TypeVar("F", bound=Callable[..., Any])

elementwise: Callable[[F], F]
"""A function, without branches, of numbers or of rows of numbers
(`raybench.trace.compilation.lanes.over_lanes`).
"""

load_shared: Callable[[Integers, int], int]
"""Read an integer that threads share, and all that was written before `store_shared` wrote it."""
store_shared: Callable[[Integers, int, int], None]
"""Write an integer that threads share, after all that was written before."""
replace_shared: Callable[[Integers, int, int, int], bool]
"""Replace an integer that threads share if it is the expected one. Returns whether it was."""
wait_briefly: Callable[[], None]
"""Wait some tens of nanoseconds, and leave a core to its other thread."""
yield_processor: Callable[[], None]
"""Let other threads run that wait for this processor."""

if COMPILING:
    from raybench.trace.compilation import atomic, numba_code

    _compile_function = numba_code.dispatcher_for
    elementwise = numba_code.elementwise
    load_shared, store_shared = atomic.load_shared, atomic.store_shared
    replace_shared = atomic.replace_shared
    wait_briefly, yield_processor = atomic.wait_briefly, atomic.yield_processor

    def _register_kernel(function: F, **options: bool) -> F:
        kernel = ENTRY_POINTS[entry_name(function)] = _compile_function(function, **options)
        return cast("F", kernel)

    def compile_call(call: partial[Any]) -> None:
        """Compile a kernel for the types of a call's arguments, without running it."""
        numba_code.compile_kernel(call.func, call.args)

else:

    def _compile_function(function: F, **options: Any) -> F:
        return function

    elementwise = _compile_function

    def _register_kernel(function: F, **options: bool) -> F:
        return cast("F", EntryPoint(function))

    def compile_call(call: partial[Any]) -> None:
        """Where nothing is compiled, call the kernel."""
        call()

    # as Python, kernels run in one thread

    def _replace_integer(array: Integers, index: int, expected: int, value: int) -> bool:
        if array[index] != expected:
            return False
        array[index] = value
        return True

    load_shared, store_shared = cast("Any", getitem), cast("Any", setitem)
    replace_shared = _replace_integer

    def yield_processor() -> None:
        pass

    wait_briefly = yield_processor


inner: Callable[[F], F] = partial(_compile_function, inline="always", _nrt=False)
"""A part of a kernel, inlined into its callers, so that no array is passed between functions."""

rare: Callable[[F], F] = partial(_compile_function, _nrt=False)
"""A function of its own that only kernels call: a part that few rays need, which keeps its callers
small, or one of `raybench.trace.trace.kernel_compile_calls`.
"""

allocating: Callable[[F], F] = partial(_compile_function, _nrt=True)
"""As `rare`, for a part that allocates arrays, or holds references to them."""

entry: Callable[[F], F] = partial(_register_kernel, _nrt=False)
"""A kernel that Python calls. It allocates no arrays and holds no references: reference counting
would take several locked instructions per ray, fifteen times the work of a prism.
"""

builder: Callable[[F], F] = partial(_register_kernel, _nrt=True)
"""A kernel that Python calls, and that allocates arrays for its own use."""

LANES = 8
"""Numbers in a row of `raybench.trace.compilation.lanes`: one vector of the widest processors, two
or four of others.
"""
NONE: int = np.int64(-1)  # type: ignore[assignment]
"""No index. Numba types integer literals separately and would compile a second specialisation for
-1, 0 or 1; pass these instead.
"""

ZERO: int = np.int64(0)  # type: ignore[assignment]
ONE: int = np.int64(1)  # type: ignore[assignment]

whole: Callable[[Any], int] = cast("Any", np.int64)
"""An integer as int64: numba's ``int`` keeps narrower types, with which functions would be compiled
a second time.
"""

place: Callable[[Any], int] = cast("Any", np.uint64 if COMPILING else int)
"""An integer as an index that is not negative; of a signed one numba computes whether it counts
from the end. Not for arithmetic: with a signed integer it gives a float.
"""
