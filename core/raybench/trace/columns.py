"""The columns of rays that a trace stores. They define the arrays of kernels and the columns of
files.

To add one, add a field to `RayColumns`, and write it in a kernel. Kernel arrays, their allocation,
`TraceResult`, recorded rows and npz read `STORED`. Columns that are computed from these are in
`raybench.analysis.rays.columns`. An incomplete column is an error at import.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Bytes, Floats, Int32s, Integers, Seeds
from raybench.scene import RELATIVE
from raybench.trace.codes import NO_ORDER, Interaction, Status, Word

if TYPE_CHECKING:
    from raybench.trace.results.result import TraceResult

Point = tuple[float, float]
EdgeName = Callable[[int, int], str]
"""The label of an edge, from its optical object's index and its own."""
LENGTH, NANOMETRES, DEGREES = "scene units", "nm", "deg"
"""Units: a length is in those of the scene, a power (`RELATIVE`) in that of the document, or else
relative to the brightness of sources.
"""


def unit_name(unit: str, length: str, power: str) -> str:
    """The name of a column's unit, where the units of length and power have these names."""
    return {LENGTH: length, RELATIVE: power}.get(unit, unit)


class IncompleteColumn(TypeError):
    """The definition of a ray column lacks something that is needed to read it."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Some rows of a result that are to be read, with the names of edges and of optical objects."""

    result: TraceResult
    rows: Integers
    edge_name: EdgeName = lambda _hit, edge: str(edge)
    names: Sequence[str] | None = None
    """Names of the optical objects; None for the result's own ``object_names``."""


@dataclass(frozen=True)
class Column:
    """A column with a value for every ray. ``read`` returns the values of the rows of a `Reading`
    as Python values; None means no value.

    ``csv``, ``sql``, ``xml``, ``element``, ``title`` and ``filter`` are its names in CSV files, in
    the SQL table, as an attribute and as a child element of a ray in XML, in the ray table, and as
    a quantity of ray filters; empty if it is not there. An element ``block/name`` stands in a child
    element ``block``, which holds only what is true or above 0.
    """

    words: str
    """Its meaning, for users."""
    value: type
    """The type of one value: int, float, str, bool, or tuple for a pair of numbers."""
    unit: str = ""
    read: Callable[[Reading], list[Any]] | None = None
    csv: str = ""
    sql: str = ""
    xml: str = ""
    element: str = ""
    title: str = ""
    filter: str = ""
    vocabulary: type[Word] | None = None
    """The vocabulary of a column of codes."""
    dtype: Any = None
    """The numpy dtype of a stored column; None for a derived one."""
    width: int = 0
    """The length of the second axis of a stored column; 0 for a one-dimensional array."""
    missing: float = 0.0
    """The value of a stored column where a recording or a file has none."""
    curved: bool = False
    """Whether only traces with gradient-index media have it."""
    polarized: bool = False
    """Whether only traces that need Stokes parameters have it; tables leave it out elsewhere."""
    on_request: bool = False
    """Whether it is computed only for those who name it, because it takes long."""
    name: str = ""

    def values(self, reading: Reading) -> list[Any]:
        """The values of the column for the rows of ``reading``."""
        if self.read is not None:
            return self.read(reading)
        numbers: list[Any] = getattr(reading.result, self.name)[reading.rows].tolist()
        words = self.vocabulary.words() if self.vocabulary is not None else None
        return numbers if words is None else [words[code] for code in numbers]

    def numbers(self, result: TraceResult) -> Floats:
        """The values (n,) of the column for all rows of a result; NaN means no value."""
        known = getattr(result, self.name, None)
        if isinstance(known, np.ndarray):
            return known.astype(np.float64, copy=False)
        return np.array(self.values(Reading(result, np.arange(len(result)))), np.float64)


def stored_column(
    words: str, value: type, dtype: type[np.generic], unit: str = "", **about: Any
) -> Any:
    """A dataclass field of `RayColumns` for a column that is stored in an array."""
    return field(metadata={"column": Column(words, value, unit, dtype=dtype, **about)})


def _index_reader(index: str) -> Callable[[Reading], list[Any]]:
    """Make a function that reads a column of row numbers or indices. Negative ones become None."""
    return lambda r: [None if i < 0 else i for i in getattr(r.result, index)[r.rows].tolist()]


@dataclass(frozen=True, eq=False)
class RayColumns:
    """The stored columns of n rays, one row per segment. Positions are in scene units, y down."""

    p1: Floats = stored_column(
        "start", tuple, np.float64, LENGTH, width=2, element="p1", title="From"
    )
    """(n, 2)"""
    p2: Floats = stored_column(
        "end; of an escaped ray another point on it",
        tuple,
        np.float64,
        LENGTH,
        width=2,
        element="p2",
    )
    """(n, 2); an escaping ray is drawn `ESCAPE_LENGTH` times the length scale long."""
    power: Floats = stored_column("s- and p-polarised power", tuple, np.float64, RELATIVE, width=2)
    """(n, 2)"""
    wavelength: Floats = stored_column(
        "vacuum wavelength, where colours are simulated", float, np.float64, NANOMETRES, missing=math.nan, csv="wavelength",
        sql="wavelength", element="wavelength", filter="wavelength", title="λ",
        read=lambda r: [None if nm != nm else nm for nm in r.result.wavelength[r.rows].tolist()],
    )  # fmt: skip
    """(n,): nm, NaN where the scene does not simulate colours."""
    parent: Int32s = stored_column(
        "row of the segment it came from; none straight from a source",
        int,
        np.int32,
        missing=-1,
        sql="parent",
        read=_index_reader("parent"),
    )
    """(n,): a row, -1 for source rays. Parents precede their children."""
    source: Int32s = stored_column(
        "its source's index among the optical objects", int, np.int32, missing=-1
    )
    source_ray: Int32s = stored_column(
        "which of all source rays it came from", int, np.int32, csv="source ray", sql="source_ray"
    )  # fmt: skip
    depth: Int32s = stored_column(
        "interactions before it", int, np.int32, csv="depth", sql="depth", filter="depth"
    )
    hit: Int32s = stored_column(
        "optical object at its end; none where it meets nothing",
        int,
        np.int32,
        missing=-1,
        sql="object_index",
        read=_index_reader("hit"),
    )
    """(n,): -1 for none."""
    edge: Int32s = stored_column("index of that object's edge", int, np.int32, missing=-1)
    """(n,): -1 for none, also where light is stopped within a medium."""
    interaction: Bytes = stored_column(
        "what made it", str, np.uint8, vocabulary=Interaction, csv="interaction", sql="interaction", xml="interaction",
        title="Interaction",
    )  # fmt: skip
    """(n,): codes of `Interaction`."""
    status: Bytes = stored_column(
        "how it ended",
        str,
        np.uint8,
        vocabulary=Status,
        csv="status",
        sql="status",
        xml="status",
        title="Status",
    )
    """(n,): codes of `Status`."""
    flags: NDArray[np.uint16] = stored_column("facts about it, a bit each", int, np.uint16)
    """(n,): bits of `Flag`."""
    order: Int32s = stored_column(
        "diffraction order in which its light left the last grating on its path; none where it has met no grating", int, np.int32,
        missing=NO_ORDER, csv="diffraction order", sql="diffraction_order",
        read=lambda r: [None if m == NO_ORDER else m for m in r.result.order[r.rows].tolist()],
    )  # fmt: skip
    """(n,): `NO_ORDER` for none. Positive orders turn to the right, looking along the light; at a
    concave grating to the left.
    """
    points: Int32s = stored_column(
        "first and number of its points in the polyline, of a ray that is curved",
        tuple,
        np.int32,
        width=2,
        curved=True,
    )
    """(n, 2): index of the first point and number of points in ``polyline`` (m, 2) of a segment
    that is curved by a gradient-index medium; number 0 for a straight one, 1 for a path that ended
    at its start.
    """
    end_power: Floats = stored_column(
        "s- and p-polarised power at its end", tuple, np.float64, RELATIVE, width=2, curved=True
    )
    """(n, 2); less than ``power`` where the medium absorbs."""
    stokes: Floats = stored_column(
        "Stokes parameters S2 and S3 at its start, where polarization is traced",
        tuple,
        np.float64,
        RELATIVE,
        width=2,
        polarized=True,
    )
    """(n, 2); see `raybench.trace.kernels.polarization`. S0 and S1 are in ``power``."""


KINDS_OF_NAMES = ("csv", "sql", "xml", "element", "title", "filter")


def check_columns(columns: Iterable[tuple[str, Column]]) -> dict[str, Column]:
    """The columns by name. Raises IncompleteColumn if a column has not all that is needed to read
    it.
    """
    table: dict[str, Column] = {}
    for name, column in columns:
        pair, number = column.value is tuple, column.value in (int, float)
        faults = {
            "needs words, and a value that is int, float, str, bool or tuple": not column.words
            or column.value not in (int, float, str, bool, tuple),
            "is derived and needs a function that reads it": not (column.read or column.dtype),
            "has two numbers: give each a derived column in CSV, SQL and XML": pair
            and (column.csv or column.sql or column.xml),
            "is no number, so it cannot be a quantity of filters": column.filter and not number,
            "is there twice": name in table,
        }
        for fault, found in faults.items():
            if found:
                raise IncompleteColumn(f"The column {name!r} of rays {fault}.")
        for kind in KINDS_OF_NAMES:
            own = getattr(column, kind)
            if same := [other for other, c in table.items() if own and getattr(c, kind) == own]:
                raise IncompleteColumn(
                    f"The columns {same[0]!r} and {name!r} of rays have the same name {own!r} for"
                    f" {kind}."
                )
        table[name] = replace(column, name=name)
    return table


STORED: dict[str, Column] = check_columns(
    (f.name, f.metadata["column"]) for f in fields(RayColumns)
)
"""The columns that have arrays, in order."""


def default_rows(n: int) -> dict[str, NDArray[Any]]:
    """Arrays of n rows for all stored columns, filled with the columns' ``missing`` values."""
    return {
        name: np.full((n, c.width) if c.width else n, c.missing, c.dtype)
        for name, c in STORED.items()
    }


if TYPE_CHECKING:

    class Columns(RayColumns, tuple[NDArray[Any], ...]):
        """The arrays that kernels write, with unused rows at their ends: the stored columns, and
        the points of curved rays. Where only some rows are kept, ``trail`` (n, 2) has the number
        of the path of each, and what its light has met.
        """

        trail: Seeds
        polyline: Floats

        @classmethod
        def _make(cls, arrays: Iterable[NDArray[Any]]) -> Columns: ...
        def _asdict(self) -> dict[str, NDArray[Any]]: ...
        def _replace(self, **arrays: NDArray[Any]) -> Columns: ...

else:
    Columns = namedtuple("Columns", (*STORED, "trail", "polyline"))
