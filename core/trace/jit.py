"""How kernels are compiled: without the GIL, with the processor's own arithmetic (1/0 is infinite), kept in the kernel folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from core.trace.kernel_cache import kernel_folder

numba.config.CACHE_DIR = str(kernel_folder())  # type: ignore[attr-defined]

F = TypeVar("F", bound=Callable[..., Any])

inner: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", inline="always", _nrt=False)  # type: ignore[assignment]
"""A part of a kernel: becomes part of what calls it, so that no array changes hands on the way."""

rare: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", _nrt=True)  # type: ignore[assignment]
"""A part that few rays come to: compiled once and called, which keeps what calls it small. It may allocate arrays."""

entry: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", cache=True, _nrt=False)  # type: ignore[assignment]
"""A kernel that Python calls. It allocates nothing and owns nothing: without counting references to its arrays (locked instructions,
several to a ray) it is up to fifteen times faster."""

builder: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", cache=True)  # type: ignore[assignment]
"""A kernel that Python calls and that returns arrays of its own."""
