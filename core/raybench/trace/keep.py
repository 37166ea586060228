"""Traces that keep only the rows at some objects, and the data that they store about the other
rows.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from raybench.arrays import Booleans, Floats, Integers, Seeds
from raybench.trace.codes import Met

MOST_OBJECTS = 61
"""The most objects whose rows a trace can keep: each has a bit of `Kept.met`."""
REFLECTED, ODD, SCATTERED = (np.uint64(bit) for bit in Met)
"""Bits of `Kept.met`."""


@dataclass(frozen=True)
class Keep:
    """The rows that a trace keeps: those that end on ``objects`` and those that start on
    ``leaving``. Both are distinct indices of optical objects in ascending order; -1 in ``objects``
    selects the rows that end on no object. If both are empty, no rows are kept. A trace keeps all
    rows if there are more than `MOST_OBJECTS` ``objects``.

    With ``leaving``, the kept rows have parents, see `NOT_KEPT`. With ``leaving`` or ``paths``, the
    trace stores what the light of each kept row has met before (`Kept.path_key`, `Kept.met`).
    """

    objects: tuple[int, ...] = ()
    leaving: tuple[int, ...] = ()
    paths: bool = False

    def __or__(self, other: Keep) -> Keep:
        """The smallest `Keep` that keeps the rows of both."""
        return Keep(
            tuple(sorted({*self.objects, *other.objects})),
            tuple(sorted({*self.leaving, *other.leaving})),
            self.paths or other.paths,
        )

    @property
    def has_rows(self) -> bool:
        """Whether any rows are kept."""
        return bool(self.objects or self.leaving)

    @property
    def has_paths(self) -> bool:
        """Whether the trace stores what the light of kept rows has met."""
        return bool(self.leaving or (self.objects and self.paths))


@dataclass(frozen=True, eq=False)
class Kept:
    """The data that a trace with `Keep` stores in addition to its k rows.

    ``path_key`` (k,): the number of the path to the end of each row
    (`raybench.trace.results.path_keys.path_keys`). ``met`` (k,): bits for what the light of each
    row met before the start of the row: bit j for the object with the index ``keep.objects[j]``,
    and the bits of `Met`. ``path_key`` and ``met`` exist only if ``keep.has_paths``. ``segments``:
    the number of all rows. ``emitted``: the power that each optical object of the scene emits, at
    least up to the last source. ``cut_at_depth``: the power at the ends of the rows where the depth
    limit ended the light. ``reach``: the largest absolute coordinate of the starts of rows.
    """

    keep: Keep
    path_key: Seeds
    met: Seeds
    segments: int
    emitted: Floats
    cut_at_depth: float
    reach: float

    def have_met(self, rows: Integers, objects: Collection[int]) -> Booleans:
        """A mask (k,) of the given rows whose light has met one of these kept objects before the
        start of the row.
        """
        bits = np.uint64(sum(1 << self.keep.objects.index(i) for i in objects))
        mask: Booleans = (self.met[rows] & bits) != 0
        return mask


class RowsNotKept(RuntimeError):
    """A question about rows that a trace did not keep, which is a programming error."""

    def __init__(self) -> None:
        super().__init__(
            "This trace kept only the rows that end on some objects, without their parents and"
            " numbers. Trace again without keep."
        )


class _MissingColumn:
    """A placeholder for a column that a trace with `Keep` does not have. Any use raises
    RowsNotKept.
    """

    def _refuse(self, *_: Any) -> NoReturn:
        raise RowsNotKept

    __array__ = __getitem__ = __len__ = __iter__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = __eq__ = __ne__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        raise RowsNotKept


NO_COLUMN: Any = _MissingColumn()
"""`TraceResult.parent` of a trace with `Keep` of no leaving rows, and what is known of paths of one
without them.
"""
NOT_KEPT = -2
"""The parent of a row whose parent a trace with `Keep` of leaving rows did not keep. The other
parents are indices of kept rows, or -1 for source rays.
"""
