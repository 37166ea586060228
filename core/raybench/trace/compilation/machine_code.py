"""Compiled kernels in a process without numba. LLVM loads their object code, which is called with
the addresses of its arguments.

A call has a row of words, eight bytes each. An array is a word, the address of numpy's
``PyArrayObject``, whose fields the machine code reads; an integer, a float or a bool is a word; a
tuple is its items. The result is written to the word after the arguments.
"""

import ctypes
import functools
import json
import struct
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from raybench.errors import RaybenchError

Layout = tuple[Any, ...]
"""How an argument is passed: ``("array", dtype, dimensions)``, ``("int",)``, ``("float",)``,
``("bool",)``, ``("none",)`` or ``("tuple", layouts)``.
"""
_Native = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 7)
"""A function of machine code, called without the GIL: the addresses of its failure and of an
exception, and five times that of its words; returns 0 unless there was no memory.
"""


class UnusableCode(RaybenchError):
    """Object code was made for another processor, or lacks a kernel."""


OUT_OF_MEMORY, WRONG_ARRAY = 1, 2


class KernelFailed(RaybenchError):
    """A kernel returned an error code."""

    def __init__(self, code: int) -> None:
        super().__init__(
            "The memory for tracing is used up. Close other documents, or trace fewer rays."
            if code == OUT_OF_MEMORY
            else "A kernel was called with an array of other dimensions, or that is not contiguous."
        )


class Code(NamedTuple):
    """The machine code of a kernel: its function, and the layouts of its arguments and of its
    result.
    """

    function: Callable[..., int]
    arguments: tuple[Layout, ...]
    result: Layout


class EntryPoint:
    """A kernel that Python can call. It is a Python function until its machine code is loaded."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.code: Code | None = None
        ENTRY_POINTS[entry_name(function)] = self

    def __call__(self, *arguments: Any) -> Any:
        return bind_first_arguments(self, *arguments)()


def bind_first_arguments(kernel: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """A function that calls a kernel with fixed first arguments, repeatedly and from one thread.
    Its own arguments must be numbers, or tuples of numbers.
    """
    if not isinstance(kernel, EntryPoint):
        return partial(kernel, *arguments)
    if kernel.code is not None:
        return Call(kernel.code, arguments)
    function = kernel.function

    def call_uncompiled(*numbers: Any) -> Any:
        with np.errstate(all="ignore"):  # 1/0 is infinite, in threads too
            return function(*arguments, *numbers)

    return call_uncompiled


ENTRY_POINTS: dict[str, Any] = {}
"""The kernels of the imported modules by name: each an `EntryPoint`, or numba's dispatcher in the
processes that compile.
"""


def entry_name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


class Call:
    """A call of machine code with its arguments. Arrays among the arguments must not be moved in
    memory, but may be resized.
    """

    def __init__(self, code: Code, arguments: tuple[Any, ...]) -> None:
        self._code, self._arguments = code, arguments
        words: list[int] = []
        _append_words(words, code.arguments, arguments)
        self._first, self._rest = len(words), code.arguments[len(arguments) :]
        self._words = array("q", words)
        size = self._first + sum(map(_word_count, self._rest))
        self._words.extend([0] * (size - self._first + 3))  # the result, a failure, an exception
        address = self._words.buffer_info()[0]
        self._addresses = (address + 8 * (size + 1), address + 8 * (size + 2), *[address] * 5)

    def __call__(self, *numbers: Any) -> Any:
        if len(numbers) != len(self._rest):
            raise TypeError(f"a kernel takes {len(self._rest)} more arguments, not {len(numbers)}")
        words: list[int] = []
        _append_words(words, self._rest, numbers)
        at = self._first
        for word in words:
            self._words[at] = word
            at += 1
        if self._code.function(*self._addresses):
            raise KernelFailed(OUT_OF_MEMORY)
        if self._words[at + 1]:
            raise KernelFailed(WRONG_ARRAY)
        word, kind = self._words[at], self._code.result[0]
        return (
            word
            if kind == "int"
            else (
                None
                if kind == "none"
                else bool(word)
                if kind == "bool"
                else _FLOAT.unpack(_INT.pack(word))[0]
            )
        )


_INT, _FLOAT = struct.Struct("q"), struct.Struct("d")


def _word_count(layout: Layout) -> int:
    """The number of words that an argument with this layout occupies."""
    return sum(map(_word_count, layout[1])) if layout[0] == "tuple" else 1


def _number_as_word(kind: str, number: Any) -> int:
    if kind == "float":
        word: int = _INT.unpack(_FLOAT.pack(number))[0]
        return word
    return int(number)


def _append_words(words: list[int], layouts: tuple[Layout, ...], values: tuple[Any, ...]) -> None:
    """Append the words of some arguments to ``words``. Raises TypeError for an argument that does
    not have its layout. The machine code itself checks the dimensions of arrays.
    """
    for layout, value in zip(layouts, values, strict=False):
        kind = layout[0]
        if kind == "array":
            if value.dtype is not layout[1] and value.dtype != layout[1]:
                raise TypeError(f"a kernel takes an array of {layout[1]}, not of {value.dtype}")
            words.append(id(value))
        elif kind == "tuple":
            if len(value) != len(layout[1]):
                raise TypeError(f"a kernel takes a tuple of {len(layout[1])}, not of {len(value)}")
            _append_words(words, layout[1], value)
        else:
            words.append(_number_as_word(kind, value))


def load_machine_code(content: bytes) -> None:
    """Load the machine code of all kernels from object code, which
    `raybench.trace.compilation.numba_code.object_code` has made. Raises UnusableCode.
    """
    import llvmlite.binding as llvm  # type: ignore[import-untyped]

    head, _, code = content.partition(b"\n")
    try:
        about = json.loads(head)
        compiled_for, kernels = about["machine"], about["kernels"]
    except (ValueError, LookupError, TypeError):
        raise UnusableCode("The file is not one of compiled kernels.") from None
    if compiled_for != processor_description():
        raise UnusableCode("The kernels were compiled for another processor.")
    if not kernels.keys() >= ENTRY_POINTS.keys():
        raise UnusableCode("The kernels were compiled from other sources.")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    for name, (arguments, result) in kernels.items():
        if name in ENTRY_POINTS:
            function = _Native(engine.get_function_address(name))
            ENTRY_POINTS[name].code = Code(function, tuple(_read_layouts(arguments)), tuple(result))
    engine.detach()  # the code stays as long as the process: to free it at exit fails where a
    # thread that is still running has imported llvmlite


def _read_layouts(written: list[Any]) -> Iterator[Layout]:
    """Yield layouts that were stored as JSON, with their dtypes restored."""
    for kind, *rest in written:
        if kind == "array":
            yield kind, np.dtype(rest[0]), rest[1]
        elif kind == "tuple":
            yield kind, tuple(_read_layouts(rest[0]))
        else:
            yield (kind,)


def processor_description() -> list[str]:
    """The processor for which machine code is made: LLVM's names of the platform, the processor and
    its features.
    """
    import llvmlite.binding as llvm

    return [
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    ]
