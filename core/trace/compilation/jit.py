"""How kernels are compiled: without the GIL, with the processor's own arithmetic (1/0 is infinite), kept in the kernel folder."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numba
import numpy as np

from core.trace.kernel_file import KernelFile

_config: Any = numba.config
_config._config_fname = ""  # a .numba_config.yaml in the current folder is not read again, and what it said
_config.reload_config()  # is forgotten: it may lie there beside a downloaded scene

F = TypeVar("F", bound=Callable[..., Any])

_njit: Any = partial(numba.njit, nogil=True, error_model="numpy")


def _kept(function: F, **options: bool) -> F:
    kernel = _njit(no_cfunc_wrapper=True, **options)(function)
    if not _config.DISABLE_JIT:
        kernel._cache = KernelFile(function)
    return kernel


inner: Callable[[F], F] = _njit(inline="always", _nrt=False)
"""A part of a kernel: becomes part of what calls it, so that no array changes hands on the way."""

_unseen: Any = partial(_njit, no_cpython_wrapper=True, no_cfunc_wrapper=True)

rare: Callable[[F], F] = _unseen(_nrt=False)
"""A part that few rays come to: compiled once and called by kernels, not by Python, which keeps what calls it small."""

allocating: Callable[[F], F] = _unseen(_nrt=True)
"""As `rare`, for a part that makes arrays, or holds those that another made."""

entry: Callable[[F], F] = partial(_kept, _nrt=False)
"""A kernel that Python calls. It makes no arrays and owns none: counting references to those it is given would cost several locked
instructions a ray, fifteen times what a prism does."""

builder: Callable[[F], F] = _kept
"""A kernel that Python calls, at least to have it compiled, and that makes arrays."""

NONE: int = np.int64(-1)  # type: ignore[assignment]
"""No place in a table. A literal -1 would be a type of its own, and have what it is given to compiled a second time; so would 0 and 1."""

ZERO: int = np.int64(0)  # type: ignore[assignment]
ONE: int = np.int64(1)  # type: ignore[assignment]
