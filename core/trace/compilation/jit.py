"""Decorators for kernels: they release the GIL, divide as IEEE 754 does (1/0 is infinite), and are cached in the kernel folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

import numba
import numpy as np

from core.trace.compilation.kernel_file import KernelFile

_config: Any = numba.config
# numba reads .numba_config.yaml in the current folder, which may hold a downloaded scene: its settings are dropped
_config._config_fname = ""
_config.reload_config()

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = partial(numba.njit, nogil=True, error_model="numpy")


def _cached(function: F, **options: bool) -> F:
    kernel = _njit(no_cfunc_wrapper=True, **options)(function)
    if not _config.DISABLE_JIT:
        kernel._cache = KernelFile(function)
    return kernel


inner: Callable[[F], F] = _njit(inline="always", _nrt=False)
"""A part of a kernel, inlined into its callers, so that no array is passed between functions."""

_internal: Any = partial(_njit, no_cpython_wrapper=True, no_cfunc_wrapper=True)

rare: Callable[[F], F] = _internal(_nrt=False)
"""A part that few rays need: a function of its own that only kernels call, which keeps its callers small."""

allocating: Callable[[F], F] = _internal(_nrt=True)
"""As `rare`, for a part that allocates arrays, or holds references to them."""

entry: Callable[[F], F] = partial(_cached, _nrt=False)
"""A kernel that Python calls. It allocates no arrays and holds no references: reference counting would take several locked instructions
per ray, fifteen times the work of a prism."""

builder: Callable[[F], F] = _cached
"""A kernel that Python calls, at least to compile it, and that allocates arrays."""

NONE: int = np.int64(-1)  # type: ignore[assignment]
"""No index. Numba types integer literals separately and would compile a second specialisation for -1, 0 or 1; pass these instead."""

ZERO: int = np.int64(0)  # type: ignore[assignment]
ONE: int = np.int64(1)  # type: ignore[assignment]

whole: Callable[[Any], int] = cast("Any", np.int64)
"""An integer as int64: numba's ``int`` keeps narrower types, with which functions would be compiled a second time."""

place: Callable[[Any], int] = cast("Any", np.uint64)
"""An integer as an index that is not negative; of a signed one numba computes whether it counts from the end. Not for arithmetic: with a
signed integer it gives a float."""
