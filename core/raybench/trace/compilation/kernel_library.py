"""What numba makes of a kernel in the processes that compile: intermediate code, of which
`object_code` makes machine code, once.

Numba would make machine code of each function together with all that it calls, to run it here. But
nothing runs here, and a large part is optimised by itself, not again in each kernel that calls it.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target

RUNS_HERE = "_ZN7cpython"
"""How the names of functions begin that Python can call: a test's own, but no kernel's."""
APART: list[KernelLibrary] = []
"""The large parts of the kernels, in the order in which they were compiled or loaded."""
_Library: Any = JITCodeLibrary


class KernelLibrary(_Library):  # type: ignore[misc]
    """The code of a function and of what it calls."""

    def keep_apart(self) -> None:
        """Let callers declare the functions of this library, not contain them: `object_code` links
        them.
        """
        self._shared_module = llvm.parse_assembly("")
        APART.append(self)

    def optimise_again(self) -> None:
        """Optimise once more: some passes find more to do in what later ones have left."""
        self._optimize_final_module()

    def link_into(self, module: Any) -> None:
        """Add the code to a module; what several libraries contain is taken once."""
        module.link_in(self._final_module, preserve=True)

    def serialize_using_object_code(self) -> Any:
        return self.serialize_using_bitcode()

    def _finalize_final_module(self) -> None:
        if any(
            f.name.startswith(RUNS_HERE) and not f.is_declaration
            for f in self._final_module.functions
        ):
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True


def use_kernel_libraries() -> None:
    """Let numba make a `KernelLibrary` of each function that it compiles from now on."""
    codegen: Any = cpu_target.target_context.codegen()
    codegen._library_class = KernelLibrary
    engine, set_env = codegen._engine, codegen.set_env

    def set_where_there_is_machine_code(name: str, environment: object) -> None:
        if engine.is_symbol_defined(name):
            set_env(name, environment)

    codegen.set_env = set_where_there_is_machine_code
