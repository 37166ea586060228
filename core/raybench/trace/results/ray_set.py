"""Sets of rays, which are the answers to questions. A set stores rows of a trace in compact form,
with their columns.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from raybench.arrays import Integers
from raybench.errors import RaybenchError
from raybench.trace.codes import Flag, Interaction, Status

if TYPE_CHECKING:
    from raybench.trace.results.result import TraceResult

PACK_FROM = 512
"""Number of rows from which on packing pays."""


@dataclass(frozen=True)
class PackedRows:
    """``count`` row numbers in ascending order, without repetition, in compact form."""

    count: int
    data: bytes

    def __len__(self) -> int:
        return self.count

    def unpack_rows(self) -> Integers:
        """The row numbers as an array."""
        return np.flatnonzero(np.unpackbits(np.frombuffer(zlib.decompress(self.data), np.uint8)))


@dataclass(frozen=True, eq=False)
class RaySet:
    """Some rows of a result, the question that they answer, and the revision of the result.
    ``name`` is a short name such as ``R1``.

    ``a | b`` is the union of two sets, ``a & b`` the intersection, ``a - b`` the difference and ``a
    ^ b`` the symmetric difference. Combining sets of different revisions raises RaybenchError.
    """

    kept: Integers | PackedRows
    question: str
    revision: int
    name: str = ""

    @property
    def rows(self) -> Integers:
        """The numbers of the rows in the result."""
        return self.kept.unpack_rows() if isinstance(self.kept, PackedRows) else self.kept

    def packed(self) -> RaySet:
        """The same set in a form for long storage: its rows are packed if they are many and in
        ascending order.
        """
        rows = self.kept
        if isinstance(rows, PackedRows) or len(rows) < PACK_FROM or (rows[1:] <= rows[:-1]).any():
            return self
        among = np.zeros(int(rows[-1]) + 1, bool)
        among[rows] = True
        data = zlib.compress(np.packbits(among).tobytes(), 1)
        return replace(self, kept=PackedRows(len(rows), data))

    def __len__(self) -> int:
        return len(self.kept)

    def __or__(self, other: RaySet) -> RaySet:
        return self._join_sets(other, "or", np.logical_or)

    def __and__(self, other: RaySet) -> RaySet:
        return self._join_sets(other, "and", np.logical_and)

    def __sub__(self, other: RaySet) -> RaySet:
        return self._join_sets(other, "but not", np.greater)

    def __xor__(self, other: RaySet) -> RaySet:
        return self._join_sets(other, "or else", np.logical_xor)

    def _join_sets(self, other: RaySet, word: str, join: Callable[[Any, Any], Any]) -> RaySet:
        if self.revision != other.revision:
            raise RaybenchError(
                f"{self.name or 'A set'} is of revision {self.revision},"
                f" {other.name or 'the other'} of revision {other.revision}: their rays cannot be"
                " compared. Ask both questions of one trace."
            )
        # masks, not sorting: a hundred thousand rows take less than a millisecond
        rows, other_rows = self.rows, other.rows
        mine, others = np.zeros(
            (2, 1 + max(rows.max(initial=-1), other_rows.max(initial=-1))), bool
        )
        mine[rows], others[other_rows] = True, True
        return RaySet(
            np.flatnonzero(join(mine, others)),
            f"({self.name or self.question}) {word} ({other.name or other.question})",
            self.revision,
        )


@dataclass(frozen=True, slots=True)
class Segment:
    """One row of a result. Its values are read when they are needed."""

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
    """Some rows of a result as a sequence of `Segment`. ``rows`` (n,) are their row numbers."""

    result: TraceResult
    rows: Integers

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
