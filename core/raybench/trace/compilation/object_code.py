"""The object code of all kernels, as `raybench.trace.compilation.machine_code` loads it; made in a
process that compiles.

Each kernel gets a function that reads its arguments from a row of words. Numba's libraries are
linked to it with the two functions that their code calls to allocate memory, so that nothing of
numba is needed to run it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
from llvmlite import ir
from numba import types
from numba.core.registry import cpu_target
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import as_dtype

from raybench.trace.compilation.kernel_library import APART
from raybench.trace.compilation.machine_code import OUT_OF_MEMORY, WRONG_ARRAY, Layout, machine

WORD, BYTES, INT32 = ir.IntType(64), ir.IntType(8).as_pointer(), ir.IntType(32)
HEAD = object.__basicsize__
"""The bytes of an object before the fields of ``PyArrayObject``, of which these are the indices in
words.
"""
DATA, COUNT, DIMENSIONS, FLAGS = (HEAD // 8 + i for i in (0, 1, 2, 6))
MEMORY = ir.LiteralStructType([WORD, BYTES, BYTES, BYTES, WORD, BYTES])
"""Numba's description of an allocation: count of references, destructor and its data, address,
size, allocator.
"""
ADDRESS, SIZE = 3, 4


def object_code(kernels: Mapping[str, Any]) -> bytes:
    """The code of compiled kernels, numba's dispatchers with one signature each, by name; a line of
    JSON describes it.
    """
    target = cpu_target.target_context
    codegen = target.codegen()
    linked = _parsed(_allocation(), codegen)
    about: dict[str, tuple[list[Layout], Layout]] = {}
    for name, kernel in kernels.items():
        (compiled,) = kernel.overloads.values()
        about[name] = (
            [_layout(each) for each in compiled.signature.args],
            _layout(compiled.signature.return_type),
        )
        linked.link_in(_parsed(_entry_point(target, name, compiled), codegen))
    for library in APART:
        library.link_into(linked)
    linked.verify()
    head = json.dumps({"machine": machine(), "kernels": about})
    return head.encode() + b"\n" + bytes(codegen._tm.emit_object(linked))


def _parsed(module: ir.Module, codegen: Any) -> Any:
    module.triple, module.data_layout = llvm.get_process_triple(), codegen._data_layout
    return llvm.parse_assembly(str(module))


def _layout(kind: Any) -> Layout:
    """How an argument of a type is passed."""
    if isinstance(kind, types.BaseTuple):
        return "tuple", tuple(_layout(each) for each in kind)  # type: ignore[attr-defined]
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


def _entry_point(target: Any, name: str, compiled: Any) -> ir.Module:
    """A function with the kernel's name that takes the address of its words, calls it, and returns
    0 or what went wrong.
    """
    module = target.create_module(name)
    function = ir.Function(module, ir.FunctionType(INT32, [WORD.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    words = _Words(target, builder, function.args[0])
    arguments = [words.value(kind) for kind in compiled.signature.args]
    with builder.if_then(builder.not_(words.sound)):
        builder.ret(ir.Constant(INT32, WRONG_ARRAY))
    callee = target.declare_function(module, compiled.fndesc)
    returned = compiled.signature.return_type
    status, result = target.call_conv.call_function(
        builder, callee, returned, compiled.signature.args, arguments
    )
    if returned != types.none:
        if returned == types.boolean:
            result = builder.zext(result, WORD)
        to = words.next()
        builder.store(result, builder.bitcast(to, result.type.as_pointer()))
    failed = builder.and_(status.is_error, builder.not_(status.is_none))
    builder.ret(builder.select(failed, ir.Constant(INT32, OUT_OF_MEMORY), ir.Constant(INT32, 0)))
    return module


class _Words:
    """Reads the words of a call, one after the other."""

    def __init__(self, target: Any, builder: Any, words: Any) -> None:
        self._target, self._builder, self._words, self._next = target, builder, words, 0
        self.sound = ir.Constant(ir.IntType(1), 1)
        """Whether all arrays so far have their numbers of dimensions, and are contiguous."""

    def next(self) -> Any:
        """The address of the next word."""
        self._next += 1
        return self._builder.gep(self._words, [ir.Constant(WORD, self._next - 1)])

    def value(self, kind: Any) -> Any:
        """The next argument, as numba passes it."""
        builder = self._builder
        if isinstance(kind, types.BaseTuple):
            return self._target.make_tuple(builder, kind, [self.value(each) for each in kind])  # type: ignore[attr-defined]
        if isinstance(kind, types.Array):
            return self._array(kind)
        word = builder.load(self.next())
        if kind == types.float64:
            return builder.bitcast(word, ir.DoubleType())
        return builder.trunc(word, ir.IntType(1)) if kind == types.boolean else word

    def _array(self, kind: Any) -> Any:
        builder, target = self._builder, self._target
        fields = builder.inttoptr(builder.load(self.next()), WORD.as_pointer())

        def field(of: Any, index: int) -> Any:
            return builder.load(builder.gep(of, [ir.Constant(WORD, index)]))

        def short(index: int) -> Any:
            return builder.load(
                builder.gep(
                    builder.bitcast(fields, INT32.as_pointer()), [ir.Constant(WORD, 2 * index)]
                )
            )

        right = builder.icmp_signed("==", short(COUNT), ir.Constant(INT32, kind.ndim))
        # the lowest flag is that of a contiguous array
        self.sound = builder.and_(
            self.sound, builder.and_(right, builder.trunc(short(FLAGS), ir.IntType(1)))
        )
        dimensions = builder.inttoptr(field(fields, DIMENSIONS), WORD.as_pointer())
        shape = [field(dimensions, i) for i in range(kind.ndim)]
        size = ir.Constant(WORD, as_dtype(kind.dtype).itemsize)
        strides = [size]
        for each in shape[:0:-1]:
            strides.insert(0, builder.mul(strides[0], each))
        array = make_array(kind)(target, builder)  # type: ignore[no-untyped-call]
        data = builder.inttoptr(field(fields, DATA), array.data.type)
        populate_array(array, data, shape, strides, size, None)  # type: ignore[no-untyped-call]
        return array._getvalue()


def _allocation() -> ir.Module:
    """The functions that numba's code calls to allocate and free arrays, and the gamma function,
    from the C library.
    """
    module = ir.Module("allocation")
    malloc = ir.Function(module, ir.FunctionType(BYTES, [WORD]), "malloc")
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [BYTES]), "free")
    allocate = ir.Function(
        module, ir.FunctionType(BYTES, [WORD, INT32]), "NRT_MemInfo_alloc_aligned"
    )
    builder = ir.IRBuilder(allocate.append_basic_block())
    size, align = allocate.args
    align = builder.zext(align, WORD)
    head = ir.Constant(WORD, 8 * len(MEMORY.elements))
    memory = builder.call(malloc, [builder.add(builder.add(size, align), head)])
    with builder.if_then(
        builder.icmp_unsigned("!=", builder.ptrtoint(memory, WORD), ir.Constant(WORD, 0))
    ):
        first = builder.add(
            builder.ptrtoint(memory, WORD),
            builder.add(head, builder.sub(align, ir.Constant(WORD, 1))),
        )
        address = builder.inttoptr(builder.and_(first, builder.neg(align)), BYTES)
        info = builder.bitcast(memory, MEMORY.as_pointer())
        values = {0: ir.Constant(WORD, 1), ADDRESS: address, SIZE: size}
        for i, kind in enumerate(MEMORY.elements):
            builder.store(
                values.get(i, ir.Constant(kind, None)),
                builder.gep(info, [ir.Constant(INT32, 0), ir.Constant(INT32, i)]),
            )
    builder.ret(memory)
    release = ir.Function(module, ir.FunctionType(ir.VoidType(), [BYTES]), "NRT_MemInfo_call_dtor")
    builder = ir.IRBuilder(release.append_basic_block())
    builder.call(free, [release.args[0]])
    builder.ret_void()
    real = ir.DoubleType()
    gamma = ir.Function(module, ir.FunctionType(real, [real]), "numba_gamma")
    builder = ir.IRBuilder(gamma.append_basic_block())
    builder.ret(
        builder.call(ir.Function(module, ir.FunctionType(real, [real]), "tgamma"), gamma.args)
    )
    return module
