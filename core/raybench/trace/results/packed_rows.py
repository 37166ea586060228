"""Compact storage of rows of a trace: a bit for each row of the trace up to the last of them,
compressed.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

PACK_FROM = 512
"""Number of rows from which on packing pays."""


@dataclass(frozen=True)
class PackedRows:
    """Ascending rows without repetition: ``count`` of them."""

    count: int
    data: bytes

    @classmethod
    def of(cls, rows: NDArray[np.int64]) -> Self:
        """Pack rows, which must ascend and not repeat."""
        among = np.zeros(int(rows[-1]) + 1 if len(rows) else 0, bool)
        among[rows] = True
        return cls(len(rows), zlib.compress(np.packbits(among).tobytes(), 1))

    def __len__(self) -> int:
        return self.count

    def unpacked(self) -> NDArray[np.int64]:
        """The rows."""
        return np.flatnonzero(np.unpackbits(np.frombuffer(zlib.decompress(self.data), np.uint8)))


def packed(rows: NDArray[np.int64]) -> NDArray[np.int64] | PackedRows:
    """The rows packed, or unchanged if they are few or not in ascending order."""
    if len(rows) < PACK_FROM or not np.all(rows[1:] > rows[:-1]):
        return rows
    return PackedRows.of(rows)
