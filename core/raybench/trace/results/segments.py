"""The rows of a result as a sequence of objects, read on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import NDArray

from raybench.trace.codes import Flag, Interaction, Status

if TYPE_CHECKING:
    from raybench.trace.results.result import TraceResult


@dataclass(frozen=True, slots=True)
class Segment:
    """One row of a result, read on demand."""

    result: TraceResult = field(repr=False)
    row: int

    @property
    def id(self) -> str:
        return self.result.segment_id(self.row)

    @property
    def p1(self) -> tuple[float, float]:
        x, y = self.result.p1[self.row]
        return float(x), float(y)

    @property
    def p2(self) -> tuple[float, float]:
        x, y = self.result.p2[self.row]
        return float(x), float(y)

    @property
    def length(self) -> float:
        return float(self.result.length[self.row])

    @property
    def brightness_s(self) -> float:
        return float(self.result.power[self.row, 0])

    @property
    def brightness_p(self) -> float:
        return float(self.result.power[self.row, 1])

    @property
    def wavelength(self) -> float | None:
        value = float(self.result.wavelength[self.row])
        return None if np.isnan(value) else value

    @property
    def parent(self) -> int | None:
        row = int(self.result.parent[self.row])
        return None if row < 0 else row

    @property
    def interaction(self) -> str:
        return Interaction(self.result.interaction[self.row]).word

    @property
    def status(self) -> str:
        return Status(self.result.status[self.row]).word

    @property
    def flags(self) -> Flag:
        return Flag(int(self.result.flags[self.row]))

    @property
    def gap(self) -> bool:
        return Flag.GAP in self.flags

    @property
    def is_new(self) -> bool:
        return Flag.NEW in self.flags

    @property
    def escaped(self) -> bool:
        return bool(self.result.status[self.row] == Status.ESCAPED)

    @property
    def depth(self) -> int:
        return int(self.result.depth[self.row])


@dataclass(frozen=True, slots=True, eq=False)
class Segments(Sequence[Segment]):
    """Some rows of a result as a sequence of `Segment`; ``rows`` (n,) are their indices."""

    result: TraceResult
    rows: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Segment: ...
    @overload
    def __getitem__(self, index: slice) -> Segments: ...
    def __getitem__(self, index: int | slice) -> Segment | Segments:
        if isinstance(index, slice):
            return Segments(self.result, self.rows[index])
        return Segment(self.result, int(self.rows[index]))

    def __iter__(self) -> Iterator[Segment]:
        return (Segment(self.result, int(row)) for row in self.rows)
