"""What threads tell each other without the interpreter: elements of an int64 array that are read and written in one piece, in order."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numpy as np
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from core.trace.compilation.jit import inner

State = NDArray[np.int64]
SPINS = 1_000
"""Looks that take about a microsecond together."""
Code = Callable[[Any, Any, Any, Any], Any]


def os_yield() -> Any:
    """The system's own function to let other threads have the processor."""
    if sys.platform == "win32":
        return ctypes.windll.kernel32.SwitchToThread
    return ctypes.CDLL(None).sched_yield


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
load: Callable[[State, int], int] = compiled(_load)
"""An element; what its writer wrote before it is seen too."""

store: Callable[[State, int, int], None] = compiled(_store)
"""Set an element, after everything that this thread wrote before."""

exchange: Callable[[State, int, int], int] = compiled(_exchange)
"""Set an element and return what it was."""

GIVE_WAY = "raybench_give_way"
llvm.add_symbol(GIVE_WAY, ctypes.cast(os_yield(), ctypes.c_void_p).value)
give_way: Any = types.ExternalFunction(GIVE_WAY, types.int32())
"""Let other threads have the processor."""

if config.DISABLE_JIT:  # type: ignore[attr-defined]
    load, store, give_way = np.ndarray.__getitem__, np.ndarray.__setitem__, os_yield()
    one_at_a_time = threading.Lock()

    def exchange(state: State, place: int, value: int) -> int:
        with one_at_a_time:
            before, state[place] = int(state[place]), value
        return before


@inner
def rest(tries: int) -> None:
    """What to do after so many looks for what is not yet there. Soon it takes others to bring it about, who may want this processor."""
    if tries > SPINS:
        give_way()


@inner
def lock(state: State, place: int) -> None:
    """Wait until an element is 0 and set it: until `unlock`, no other thread gets here."""
    tries = 0
    while exchange(state, place, 1) != 0:
        while load(state, place) != 0:
            tries += 1
            rest(tries)


@inner
def unlock(state: State, place: int) -> None:
    """Let others pass `lock`."""
    store(state, place, 0)
