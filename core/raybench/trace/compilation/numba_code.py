"""Makes the kernels' object code with numba, in a separate process. The object code runs without
numba and without Python.

Numba would make machine code of each function together with all that it calls, to run it here. But
nothing runs here, so each kernel stays intermediate code, and a kernel that calls another only
declares it; `make_object_code` links them all, and removes what they pass to each other unread.

Of this program only this module depends on what numba does not document:

- the option ``_nrt``: functions without it neither allocate arrays nor count references;
- the configuration's file name, ``_config_fname``;
- the library of a function, `JITCodeLibrary`: ``_shared_module`` is linked into its callers,
  ``_optimize_final_module`` optimises it, ``_finalize_final_module`` makes machine code of it and
  calls ``_finalize_dynamic_globals``; ``_library_class``, ``_engine``, ``set_env`` and ``_tm``, the
  target, of the code generator; ``targetoptions`` of a dispatcher; ``fndesc.llvm_func_name`` of a
  function;
- the calling convention: the addresses of the result and of the exception come first, and the
  status that is returned is 0 unless an exception is raised;
- the functions that compiled code calls (`RUNTIME`), and the layout of what they return.
"""

import json
from collections.abc import Callable, Container, Mapping
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numba
import numba.extending
import numpy as np
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.registry import cpu_target
from numba.np.numpy_support import as_dtype

from raybench.trace.compilation.machine_code import WRONG_ARRAY, Layout, processor_description

RUNS_HERE = "_ZN7cpython"
"""How the names of functions begin that Python can call: a test's own, but no kernel's."""
RUNTIME = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare double @tgamma(double)

; An allocation is described by its count of references, destructor, the destructor's data, address,
; size and allocator, of 8 bytes each. The array is aligned behind them.
%allocation = type {i64, ptr, ptr, i64, i64, ptr}
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %alignment = zext i32 %align to i64
  %head = add i64 %alignment, 48
  %bytes = add i64 %size, %head
  %memory = call ptr @malloc(i64 %bytes)
  %failed = icmp eq ptr %memory, null
  br i1 %failed, label %end, label %describe
describe:
  %begin = ptrtoint ptr %memory to i64
  %after_head = add i64 %begin, 47
  %beyond = add i64 %after_head, %alignment
  %mask = sub i64 0, %alignment
  %address = and i64 %beyond, %mask
  %counted = insertvalue %allocation zeroinitializer, i64 1, 0
  %placed = insertvalue %allocation %counted, i64 %address, 3
  %described = insertvalue %allocation %placed, i64 %size, 4
  store %allocation %described, ptr %memory
  br label %end
end:
  ret ptr %memory
}

define void @NRT_MemInfo_call_dtor(ptr %memory) {
  call void @free(ptr %memory)
  ret void
}

define double @numba_gamma(double %x) {
  %gamma = call double @tgamma(double %x)
  ret double %gamma
}
"""
"""The functions that numba's code calls to allocate and free arrays, and the gamma function, from
the C library.
"""
HEAD = object.__basicsize__ // 8
"""The words of an object before the fields of ``PyArrayObject``, of which these are the indices."""
DATA, COUNT, DIMENSIONS, FLAGS = HEAD, HEAD + 1, HEAD + 2, HEAD + 6
_numba: Any = numba
_pointer: Any = types.CPointer
INTEGERS = _pointer(types.int64)
VIEWS = (
    INTEGERS,
    _pointer(types.float64),
    _pointer(INTEGERS),
    _pointer(_pointer(types.voidptr)),
    _pointer(_pointer(INTEGERS)),
)
"""The types with which an entry point reads its words: as integers, numbers, and addresses of
arrays whose fields are integers, addresses of numbers, and addresses of dimensions.
"""
FOR_KERNELS: Any = {"error_model": "numpy", "_nrt": False}
"""Options of functions that are Python's and that kernels call."""
KERNELS: list[Any] = []
"""The kernels that have been compiled, in this order."""
_Library: Any = JITCodeLibrary
# numba reads .numba_config.yaml in the current folder, which may hold a downloaded scene: its
# settings are dropped
_numba.config._config_fname = ""
_numba.config.reload_config()


class KernelLibrary(_Library):  # type: ignore[misc]
    """The code of a compiled function and of the functions that it calls."""

    def forbid_inlining(self) -> None:
        """Prevent LLVM from inlining the functions of this library into their callers, which then
        only declare them.
        """
        self._shared_module = llvm.parse_assembly("")

    def optimise_again(self) -> None:
        """Optimise the code once more, since some passes can improve what later passes have
        produced.
        """
        self._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if any(f.name.startswith(RUNS_HERE) for f in self.get_defined_functions()):
            super()._finalize_final_module()
        else:
            self._finalize_dynamic_globals()
            self._finalized = True


def _use_kernel_libraries() -> None:
    """Make numba use a `KernelLibrary` for each function that it compiles from now on."""
    codegen: Any = cpu_target.target_context.codegen()
    codegen._library_class = KernelLibrary
    engine, set_env = codegen._engine, codegen.set_env

    def set_environment_if_compiled(name: str, environment: object) -> None:
        if engine.is_symbol_defined(name):
            set_env(name, environment)

    codegen.set_env = set_environment_if_compiled


_use_kernel_libraries()


def dispatcher_for(function: Callable[..., Any], **options: Any) -> Any:
    """The numba dispatcher of a function that is called only by compiled functions."""
    decorate = _numba.njit(
        error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, **options
    )
    return decorate(function)


def elementwise(function: Callable[..., Any]) -> Any:
    """A function that kernels call with numbers, and that stays Python elsewhere."""
    return _numba.extending.register_jitable(**FOR_KERNELS)(function)


def compile_kernel(kernel: Any, arguments: tuple[Any, ...]) -> None:
    """Compile a kernel for the types of its arguments. It is optimised once, or twice if it
    allocates no arrays. Kernels that are compiled later only declare it.
    """
    if kernel in KERNELS:
        return
    kernel.compile(tuple(map(_numba.typeof, arguments)))
    KERNELS.append(kernel)
    (code,) = kernel.overloads.values()
    if not kernel.targetoptions["_nrt"]:  # a second time makes the integration of paths slower
        code.library.optimise_again()
    code.library.forbid_inlining()


def make_object_code(entry_points: Mapping[str, Any]) -> bytes:
    """The object code of all compiled kernels, with a line of JSON that describes the arguments of
    the kernels that Python calls (``entry_points``, by name).
    """
    target = cpu_target.target_context.codegen()._tm
    linked = llvm.parse_assembly(RUNTIME)
    linked.triple, linked.data_layout = target.triple, str(target.target_data)
    about: dict[str, tuple[list[Layout], Layout]] = {}
    for name, kernel in entry_points.items():
        (code,) = kernel.overloads.values()
        signature = code.signature
        about[name] = (
            [_argument_layout(each) for each in signature.args],
            _argument_layout(signature.return_type),
        )
        entry_point = dispatcher_for(_make_entry_point(kernel, signature))
        entry_point.compile(VIEWS)
        _link_kernel(linked, entry_point)
        (code,) = entry_point.overloads.values()
        linked.get_function(code.fndesc.llvm_func_name).name = name
    for kernel in KERNELS:
        _link_kernel(linked, kernel)
    remove_unused_arguments(linked, about)
    linked.verify()
    head = json.dumps({"machine": processor_description(), "kernels": about})
    return head.encode() + b"\n" + bytes(target.emit_object(linked))


def _link_kernel(module: Any, kernel: Any) -> None:
    """Add the code of a kernel to an LLVM module. Code that several kernels contain is added only
    once.
    """
    (code,) = kernel.inspect_llvm().values()
    module.link_in(llvm.parse_assembly(code))


def remove_unused_arguments(module: Any, entry_points: Container[str]) -> None:
    """Make the functions of a module take only what they read. Only those named in ``entry_points``
    can then be called from outside.

    A kernel passes whole tables to others, hundreds of words, of which each reads a few. Arguments
    that are the same constant in all calls are removed, too.
    """
    for function in module.functions:
        if not function.is_declaration and function.name not in entry_points:
            function.linkage = "internal"
    target = cpu_target.target_context.codegen()._tm
    passes = llvm.create_new_module_pass_manager()
    passes.add_ipsccp_pass()
    passes.add_dead_arg_elimination_pass()
    passes.run(module, llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options()))


def _argument_layout(kind: Any) -> Layout:
    """The layout in which an argument of a numba type is passed."""
    if isinstance(kind, types.BaseTuple):
        return "tuple", tuple(_argument_layout(each) for each in kind)  # type: ignore[attr-defined]
    if isinstance(kind, types.Array) and kind.layout == "C":
        return "array", as_dtype(kind.dtype).str, kind.ndim
    scalars = {
        types.int64: "int",
        types.float64: "float",
        types.boolean: "bool",
        types.none: "none",
    }
    if kind not in scalars:
        raise TypeError(f"a kernel that Python calls takes and returns no {kind}")
    return (scalars[kind],)


def _make_entry_point(kernel: Any, signature: Any) -> Callable[..., Any]:
    """Make a function that calls a kernel: it reads the arguments from a row of words and writes
    the result to the next word. It returns 0, or `WRONG_ARRAY` if an array has the wrong number of
    dimensions or is not contiguous.

    Its source is written here, since numba passes no arguments as a list.
    """
    names: dict[str, Any] = {"kernel": kernel, "array": _numba.carray}
    lines = ["def entry_point(integers, numbers, fields, data, dimensions):"]
    words = 0

    def argument_source(kind: Any) -> str:
        nonlocal words
        if isinstance(kind, types.BaseTuple):
            items = "".join(f"{argument_source(each)}, " for each in kind)  # type: ignore[attr-defined]
            made = getattr(kind, "instance_class", None)
            if made is None:
                return f"({items})"
            names[made.__name__] = made
            return f"{made.__name__}({items})"
        i, words = words, words + 1
        if not isinstance(kind, types.Array):
            return (
                f"numbers[{i}]"
                if kind == types.float64
                else f"integers[{i}]" + (" != 0" if kind == types.boolean else "")
            )
        # the count is half a word; the lowest flag is that of a contiguous array
        lines.append(
            f"    if fields[{i}][{COUNT}] & 0xFFFFFFFF != {kind.ndim}: return {WRONG_ARRAY}"
        )
        lines.append(f"    if fields[{i}][{FLAGS}] & 1 == 0: return {WRONG_ARRAY}")
        dtype = as_dtype(kind.dtype)
        names[f"dtype_{dtype}"] = getattr(np, dtype.name)
        shape = "".join(f"dimensions[{i}][{DIMENSIONS}][{j}], " for j in range(kind.ndim))
        return f"array(data[{i}][{DATA}], ({shape}), dtype_{dtype})"

    call = f"kernel({', '.join(map(argument_source, signature.args))})"
    to = "numbers" if signature.return_type == types.float64 else "integers"
    result = "" if signature.return_type == types.none else f"{to}[{words}] = "
    exec("\n".join([*lines, f"    {result}{call}", "    return 0"]), names)
    written: Callable[..., Any] = names["entry_point"]
    return written
