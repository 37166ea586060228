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

rare: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", _nrt=False)  # type: ignore[assignment]
"""A part that few rays come to: compiled once and called, which keeps what calls it small."""

allocating: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", _nrt=True)  # type: ignore[assignment]
"""As `rare`, for a part that makes arrays, or holds those that another made."""

entry: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", cache=True, _nrt=False)  # type: ignore[assignment]
"""A kernel that Python calls. It makes no arrays and owns none: counting references to those it is given would cost several locked
instructions a ray, fifteen times what a prism does."""

builder: Callable[[F], F] = numba.njit(nogil=True, error_model="numpy", cache=True)  # type: ignore[assignment]
"""A kernel that Python calls and that returns arrays of its own."""
