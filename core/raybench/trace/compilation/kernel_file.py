"""The file that keeps a part of the kernels between the processes that compile, until the machine
code of all is complete.

It is checked before it is loaded, and never needed, for what cannot be kept is compiled again.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps as _dumps

from raybench.system.files import DamagedFile, read_checked, write_checked
from raybench.trace.compilation.kernel_cache import kernel_folder, note_unkept

SUFFIX = ".kernel"
_rebuilt: Any = CompileResult._rebuild
dumps: Callable[[object], bytes] = _dumps


class KernelFile(_Cache):
    """Numba's cache of one function, in one file of the kernel folder: compiled code by signature
    and processor.

    Numba's own keeps two files without checksums, loads them wherever they are from, and fails
    where they are damaged or cannot be written. The folder's name is a hash of the sources, so an
    installation that was moved finds its kernels.
    """

    def __init__(self, function: Callable[..., Any], hot: bool) -> None:
        """``hot``: the function is optimised twice before it is kept."""
        self._name = f"{function.__module__}.{function.__qualname__}{SUFFIX}"
        self._enabled, self._hot = True, hot

    @property
    def cache_path(self) -> str:
        return str(kernel_folder() or "")

    def enable(self) -> None:
        self._enabled = True

    def disable(self) -> None:
        self._enabled = False

    def flush(self) -> None:
        if path := self._path:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled function for a signature; None where there is none, or it is damaged: then
        its file is deleted.
        """
        target_context.refresh()
        if not self._enabled:
            return None
        try:
            kept = self._load().get((sig, target_context.codegen().magic_tuple()))
            if kept is None:
                return None
            compiled = _rebuilt(target_context, *pickle.loads(kept))
            compiled.library.keep_apart()
            return compiled
        except Exception:  # whatever is wrong with it, it can be compiled again
            self.flush()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function. Where that fails the reason is noted: it is compiled, and
        serves as long as this process runs.
        """
        if self._hot:
            data.library.optimise_again()
        data.library.keep_apart()
        path = self._path
        if not self._enabled or path is None:
            return
        try:
            kept = self._load()
        except Exception:  # what is damaged is written anew
            kept = {}
        kept[sig, data.codegen.magic_tuple()] = dumps(data._reduce())
        try:
            write_checked(path, dumps((numba.__version__, kept)))
        except OSError as error:
            note_unkept(f"{path}: {error.strerror}")

    @property
    def _path(self) -> Path | None:
        folder = kernel_folder()
        return folder and folder / self._name

    def _load(self) -> dict[Any, bytes]:
        """What is kept, by signature and processor; DamagedFile, or whatever unpickling raises,
        where that is damaged.
        """
        path = self._path
        if path is None or not path.exists():
            return {}
        version, kept = pickle.loads(read_checked(path))
        if version != numba.__version__:
            raise DamagedFile(f"{path}: this was written by another version of numba.")
        return dict(kept)
