"""The operations of `raybench.trace.compilation.jit` on integers that threads share, as atomic
instructions of the processor. Used in the process that compiles the kernels.
"""

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from raybench.trace.compilation.machine_code import processor_description

_intrinsic: Any = intrinsic
WORD = 8
"""Bytes of an integer."""
TRIPLE = processor_description()[0]
_NUMBER = ir.IntType(32)


def _integer_pointer(context: Any, builder: Any, array_type: Any, array: Any, index: Any) -> Any:
    fields: Any = cgutils.create_struct_proxy(array_type)  # type: ignore[no-untyped-call]
    return builder.gep(fields(context, builder, value=array).data, [index])


@_intrinsic  # type: ignore[untyped-decorator]
def load_shared(typing: Any, array: Any, index: Any) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _integer_pointer(context, builder, array, *given)
        return builder.load_atomic(at, "acquire", WORD)

    return types.int64(array, types.int64), codegen


@_intrinsic  # type: ignore[untyped-decorator]
def store_shared(typing: Any, array: Any, index: Any, value: Any) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _integer_pointer(context, builder, array, *given[:2])
        builder.store_atomic(given[2], at, "release", WORD)
        return context.get_dummy_value()

    return types.none(array, types.int64, types.int64), codegen


@_intrinsic  # type: ignore[untyped-decorator]
def replace_shared(
    typing: Any, array: Any, index: Any, expected: Any, value: Any
) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        at = _integer_pointer(context, builder, array, *given[:2])
        result = builder.cmpxchg(at, given[2], given[3], "acq_rel", "acquire")
        return builder.extract_value(result, 1)

    return types.boolean(array, types.int64, types.int64, types.int64), codegen


@_intrinsic  # type: ignore[untyped-decorator]
def wait_briefly(typing: Any) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        if TRIPLE.startswith("x86_64"):
            _call_function(builder, "llvm.x86.sse2.pause", ir.VoidType())
        elif TRIPLE.startswith(("aarch64", "arm64")):
            _call_function(builder, "llvm.aarch64.hint", ir.VoidType(), ir.Constant(_NUMBER, 1))
        return context.get_dummy_value()

    return types.none(), codegen


@_intrinsic  # type: ignore[untyped-decorator]
def yield_processor(typing: Any) -> tuple[Any, Any]:
    def codegen(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        name = "SwitchToThread" if "windows" in TRIPLE else "sched_yield"
        _call_function(builder, name, _NUMBER)
        return context.get_dummy_value()

    return types.none(), codegen


def _call_function(builder: Any, name: str, result: Any, *arguments: Any) -> None:
    """Call a function of LLVM or of the system."""
    insert: Any = cgutils.get_or_insert_function
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    builder.call(insert(builder.module, kind, name), arguments)
