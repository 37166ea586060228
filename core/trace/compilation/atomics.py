"""Atomic operations on elements of int64 arrays with acquire and release order, and a spin lock, for threads in kernels."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.trace.compilation.jit import COMPILING, inner

State = NDArray[np.int64]
SPINS = 1_000
"""Polls before a waiting thread yields; together they take about a microsecond."""
Code = Callable[[Any, Any, Any, Any], Any]
load: Callable[[State, int], int]
"""Atomic load with acquire order: what the writer of the element wrote before it is visible."""
store: Callable[[State, int, int], None]
"""Atomic store with release order: after everything that this thread wrote before."""
exchange: Callable[[State, int, int], int]
"""Atomic exchange: set an element and return its previous value."""
yield_processor: Callable[[], Any]
"""Yield the processor to other threads."""

if COMPILING:
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic
    from numba.np.arrayobj import make_array

    def _element(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
        view = make_array(array_type)(context, builder, array)  # type: ignore[no-untyped-call]
        return cgutils.get_item_pointer(context, builder, array_type, view, [index])  # type: ignore[no-untyped-call]

    def _load(typing: Any, array: Any, index: Any) -> tuple[Any, Code]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.load_atomic(_element(context, builder, array, *given), "acquire", 8)

        return types.int64(array, types.intp), code

    def _store(typing: Any, array: Any, index: Any, value: Any) -> tuple[Any, Code]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            builder.store_atomic(given[2], _element(context, builder, array, *given[:2]), "release", 8)
            return context.get_dummy_value()

        return types.void(array, types.intp, types.int64), code

    def _exchange(typing: Any, array: Any, index: Any, value: Any) -> tuple[Any, Code]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.atomic_rmw("xchg", _element(context, builder, array, *given[:2]), given[2], "acq_rel")

        return types.int64(array, types.intp, types.int64), code

    compiled: Any = intrinsic
    load, store, exchange = compiled(_load), compiled(_store), compiled(_exchange)
    # a function of the operating system
    yield_processor = types.ExternalFunction("SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32())

else:
    load, store = np.ndarray.__getitem__, np.ndarray.__setitem__
    _exchanging = threading.Lock()

    def exchange(state: State, index: int, value: int) -> int:
        with _exchanging:
            before, state[index] = int(state[index]), value
        return before

    def yield_processor() -> None:
        time.sleep(0)


@inner
def rest(tries: int) -> None:
    """Called after each unsuccessful poll: yields the processor after `SPINS` of them, which the awaited thread may need."""
    if tries > SPINS:
        yield_processor()


@inner
def lock(state: State, index: int) -> None:
    """Acquire the spin lock at an index: wait until the element is 0 and set it to 1."""
    tries = 0
    while exchange(state, index, 1) != 0:
        while load(state, index) != 0:
            tries += 1
            rest(tries)


@inner
def unlock(state: State, index: int) -> None:
    """Release the spin lock at an index."""
    store(state, index, 0)
