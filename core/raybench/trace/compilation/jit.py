"""Decorators for kernels: they run without the GIL, divide as IEEE 754 does (1/0 is infinite), and
are compiled by numba, in child processes.

In the processes that compile (`COMPILING`) these decorators are numba's, and nothing is run. In all
others functions stay Python, and numba is not imported: an `entry` runs the machine code that a
child has compiled, once `load_machine_code` has loaded it, and until then the Python function,
which gives the same rows, slowly.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

import numpy as np

from raybench.trace.compilation.machine_code import ENTRY_POINTS, EntryPoint, entry_name

DISABLED = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether numba's variable for debugging says that nothing is to be compiled."""
COMPILING = os.environ.get("RAYBENCH_COMPILING") == "1" and not DISABLED
"""Whether this process compiles kernels."""

F = TypeVar("F", bound=Callable[..., Any])

if COMPILING:
    import numba

    from raybench.trace.compilation.kernel_file import KernelFile
    from raybench.trace.compilation.kernel_library import use_kernel_libraries

    _config: Any = numba.config
    # numba reads .numba_config.yaml in the current folder, which may hold a downloaded scene: its
    # settings are dropped
    _config._config_fname = ""
    _config.reload_config()
    use_kernel_libraries()
    _compiled: Any = partial(
        numba.njit, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )

    def _kept(function: F, **options: bool) -> F:
        kernel = _compiled(function, **options)
        kernel._cache = KernelFile(function, hot=not options["_nrt"])
        return cast("F", kernel)

    def _called(function: F, **options: bool) -> F:
        kernel = ENTRY_POINTS[entry_name(function)] = _kept(function, **options)
        return kernel

else:

    def _compiled(function: F, **options: Any) -> F:
        return function

    def _kept(function: F, **options: bool) -> F:
        return function

    def _called(function: F, **options: bool) -> F:
        return cast("F", EntryPoint(function))


def compile_call(call: partial[Any]) -> None:
    """Compile a kernel for the types of a call's arguments, without running it; where nothing is
    compiled, call it.
    """
    if COMPILING:
        kernel: Any = call.func
        kernel.compile(tuple(kernel.typeof_pyval(argument) for argument in call.args))
    else:
        call()


inner: Callable[[F], F] = partial(_compiled, inline="always", _nrt=False)
"""A part of a kernel, inlined into its callers, so that no array is passed between functions."""

rare: Callable[[F], F] = partial(_compiled, _nrt=False)
"""A part that few rays need: a function of its own that only kernels call, which keeps its callers
small.
"""

allocating: Callable[[F], F] = partial(_compiled, _nrt=True)
"""As `rare`, for a part that allocates arrays, or holds references to them."""

part: Callable[[F], F] = partial(_kept, _nrt=False)
"""A large part of a kernel, compiled and kept by itself, which its callers declare: so two
processes share the work, and it is optimised twice, where it would be as often as it has callers.
"""

allocating_part: Callable[[F], F] = partial(_kept, _nrt=True)
"""As `part`, for one that allocates arrays; optimised once, for a second time makes the integration
of paths slower.
"""

entry: Callable[[F], F] = partial(_called, _nrt=False)
"""A kernel that Python calls. It allocates no arrays and holds no references: reference counting
would take several locked instructions per ray, fifteen times the work of a prism.
"""

builder: Callable[[F], F] = partial(_called, _nrt=True)
"""A kernel that Python calls, and that allocates arrays for its own use."""

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

place: Callable[[Any], int] = cast("Any", np.uint64)
"""An integer as an index that is not negative; of a signed one numba computes whether it counts
from the end. Not for arithmetic: with a signed integer it gives a float.
"""
