"""The slab test of a ray with `LANES` boxes at once: vector instructions where kernels are
compiled, else numpy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from raybench.trace.compilation.jit import COMPILING
from raybench.trace.compilation.plain_lanes import LANES, Rows

meet_boxes: Callable[
    [Rows, int, int, int, int, float, float, float, float, float, NDArray[np.float64]], int
]
"""``meet_boxes(rows, x_in, y_in, x_out, y_out, px, py, ix, iy, most, near)``: which boxes a ray
from (px, py) meets before the distance ``most``, a bit each. The rows hold the boxes' sides through
which it enters and leaves along each axis, ``ix`` and ``iy`` are the reciprocals of its direction.
The distances at which it enters the boxes are written to ``near`` (LANES,).
"""
first_bit: Callable[[int], int]
"""The position of the lowest bit that is set in a number other than 0."""

if COMPILING:
    from llvmlite import ir  # type: ignore[import-untyped]
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    from raybench.trace.compilation.vector_lanes import every, row_of

    def _meet_boxes(
        typing: Any,
        rows: Any,
        x_in: Any,
        y_in: Any,
        x_out: Any,
        y_out: Any,
        px: Any,
        py: Any,
        ix: Any,
        iy: Any,
        most: Any,
        near: Any,
    ) -> tuple[Any, Any]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            def side(row: Any, start: Any, factor: Any) -> Any:
                place = builder.load(row_of(context, builder, rows, given[0], row), align=8)
                return builder.fmul(
                    builder.fsub(place, every(builder, start)), every(builder, factor)
                )

            def larger(a: Any, b: Any) -> Any:
                return builder.select(builder.fcmp_ordered(">", a, b), a, b)

            def smaller(a: Any, b: Any) -> Any:
                return builder.select(builder.fcmp_ordered("<", a, b), a, b)

            x0, y0, x1, y1 = given[1:5]
            px, py, ix, iy, most = given[5:10]
            zero = ir.Constant(ir.DoubleType(), 0.0)
            enters = larger(larger(side(x0, px, ix), side(y0, py, iy)), every(builder, zero))
            leaves = smaller(smaller(side(x1, px, ix), side(y1, py, iy)), every(builder, most))
            builder.store(
                enters,
                row_of(context, builder, near, given[10], ir.Constant(given[1].type, 0)),
                align=8,
            )
            met = builder.bitcast(builder.fcmp_ordered("<=", enters, leaves), ir.IntType(LANES))
            return builder.zext(met, ir.IntType(64))

        rest = [types.intp] * 4 + [types.float64] * 5
        return types.int64(rows, *rest, near), code

    def _first_bit(typing: Any, bits: Any) -> tuple[Any, Any]:
        def code(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64), ir.IntType(1)])
            count = cgutils.get_or_insert_function(builder.module, kind, "llvm.cttz.i64")  # type: ignore[no-untyped-call]
            return builder.call(count, [given[0], ir.Constant(ir.IntType(1), 1)])

        return types.int64(types.int64), code

    compiled: Any = intrinsic
    meet_boxes, first_bit = compiled(_meet_boxes), compiled(_first_bit)

else:

    def meet_boxes(
        rows: Rows, x_in: int, y_in: int, x_out: int, y_out: int, px: float, py: float, ix: float, iy: float, most: float,
        near: NDArray[np.float64],
    ) -> int:  # fmt: skip
        with np.errstate(all="ignore"):
            near[:] = np.maximum(np.maximum((rows[x_in] - px) * ix, (rows[y_in] - py) * iy), 0.0)
            leaves = np.minimum(np.minimum((rows[x_out] - px) * ix, (rows[y_out] - py) * iy), most)
        return sum(1 << i for i in range(LANES) if near[i] <= leaves[i])

    def first_bit(bits: int) -> int:
        return (bits & -bits).bit_length() - 1
