"""The result of a trace: its segments as columns, and quantities that are computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from raybench.arrays import Booleans, Floats, Int32s, Integers
from raybench.errors import RaybenchError, one_line
from raybench.optics.polarization import (
    Ellipse,
    degree_of_polarization,
    polarization_ellipse,
)
from raybench.scene import RELATIVE
from raybench.scene.document import next_revision
from raybench.trace.codes import Completion, Flag, Interaction, Status
from raybench.trace.columns import STORED, RayColumns, default_rows
from raybench.trace.keep import Kept, RowsNotKept
from raybench.trace.results.detectors import NONE_COUNTED, DetectorReading, detector_readings
from raybench.trace.results.lineage import Lineage
from raybench.trace.results.ray_set import RaySet, Segment, Segments
from raybench.trace.tables.coated_edges import NO_COATINGS, CoatedEdges
from raybench.trace.tables.finished_edges import NO_FINISHES, FinishedEdges

if TYPE_CHECKING:
    from raybench.scene.scene import Scene


def squared_chord_bending(p1: Floats, p2: Floats, line: Integers) -> Floats:
    """For each chord (k,), the square of its curvature times its length; 0 for a polyline with one
    chord.

    ``p1`` and ``p2`` (k, 2) are the ends of chords, ``line`` (k,) is the index of the polyline to
    which each belongs, ascending. The curvature is that of the circles through neighbouring points.
    To fourth order, the relative difference of length between an arc and its chord is
    `squared_chord_bending` / 24.
    """
    d = p2 - p1
    length = np.hypot(*d.T)
    squared = np.zeros(
        len(d) + 1
    )  # of the curvature at the start of each chord, and at the end of the last one
    joined = np.flatnonzero((line[1:] == line[:-1]) & (length[1:] > 0) & (length[:-1] > 0))
    a, b = d[joined], d[joined + 1]
    across = length[joined] * length[joined + 1] * np.hypot(*(a + b).T)
    twice = 2 * (a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    squared[joined + 1] = np.divide(twice, across, out=np.zeros(len(joined)), where=across > 0) ** 2
    known = np.zeros(len(d) + 1, bool)
    known[joined + 1] = True
    mean: Floats = (squared[:-1] + squared[1:]) / np.maximum(known[:-1].astype(int) + known[1:], 1)
    bent: Floats = np.minimum(mean * length**2, 4.0)  # no chord is longer than the diameter
    return bent


@dataclass(frozen=True)
class Ledger:
    """The balance of power: emitted + resampled + gained = escaped + absorbed + truncated + alive."""

    emitted: float = 0.0
    resampled: float = 0.0
    """Added when one weak reflection represents several."""
    gained: float = 0.0
    """Net power added by elements that do not conserve power."""
    escaped: float = 0.0
    absorbed: float = 0.0
    truncated: float = 0.0
    alive: float = 0.0
    unsent: float = 0.0
    """Power of the sources that is not emitted, for it would be more than 1 in a ray."""

    @property
    def supplied_power(self) -> float:
        """The total power of all traced rays, whether they were traced to their end or became too
        weak.
        """
        return self.emitted + self.resampled + self.gained

    @property
    def truncated_share(self) -> float:
        """The fraction of all power that was in rays too weak to trace further; 0 without light."""
        return self.truncated / self.supplied_power if self.supplied_power > 0 else 0.0

    @property
    def unsent_share(self) -> float:
        """The fraction of the sources' power that their rays do not carry; 0 without light."""
        return (
            1 - self.emitted / (self.emitted + self.unsent) if self.unsent > 0 else 0.0
        )  # the power unsent may be infinite

    @property
    def imbalance(self) -> float:
        return self.supplied_power - (self.escaped + self.absorbed + self.truncated + self.alive)

    @classmethod
    def from_columns(
        cls, c: Mapping[str, NDArray[Any]], absorbed_at_ends: Floats | float = 0.0
    ) -> Ledger:
        """The balance of power computed from stored columns, and from the power (n,) that edges
        absorb at the ends of the rows. Other power that is lost where rays split counts as
        truncated, power that is gained there as resampled.
        """
        power, left = c["power"].sum(axis=1), c["end_power"].sum(axis=1) - absorbed_at_ends
        child = np.flatnonzero(c["parent"] >= 0)
        continued = np.bincount(c["parent"][child], power[child], minlength=len(power))
        branch = np.bincount(c["parent"][child], minlength=len(power)) > 0
        change = (continued - left)[branch]
        ended = {s: float(left[~branch & (c["status"] == s)].sum()) for s in Status}
        cut = ended[Status.TRUNCATED] + ended[Status.DEPTH]
        return cls(
            emitted=float(power[c["parent"] < 0].sum()),
            resampled=float(change[change > 0].sum()),
            escaped=ended[Status.ESCAPED],
            absorbed=ended[Status.ABSORBED]
            + ended[Status.ILL_DEFINED]
            + float((power - left).sum()),
            truncated=cut - float(change[change < 0].sum()),
            alive=ended[Status.ALIVE] + ended[Status.CONTINUED],
        )


def columns_from_rows(rows: Sequence[Any]) -> dict[str, NDArray[Any]]:
    """Convert rows, which are mappings or objects, to columns. Raises RaybenchError with the number
    of the row and its fault.
    """
    n = len(rows)
    out = default_rows(n)
    for i, row in enumerate(rows):
        try:
            out["p1"][i] = _coordinate_pair(_row_value(row, "p1"))
            out["p2"][i] = _coordinate_pair(_row_value(row, "p2"))
            out["power"][i] = _row_value(row, "brightness_s"), _row_value(row, "brightness_p")
            wavelength = _row_value(row, "wavelength", None)
            parent = _row_value(row, "parent", None)
            out["wavelength"][i] = np.nan if wavelength is None else wavelength
            out["parent"][i] = -1 if parent is None else int(parent)
            given = _row_value(row, "interaction", None)
            name = given or ("source" if parent is None else "reflect")
            code = Interaction.parse(str(name))
            if code is None:
                known = ", ".join(Interaction.words())
                raise ValueError(f"its interaction {name!r} is not one of {known}")
            out["interaction"][i] = code
            gap, new = _row_value(row, "gap", False), _row_value(row, "is_new", False)
            out["flags"][i] = (Flag.GAP if gap else 0) | (Flag.NEW if new else 0)
            out["status"][i] = Status.ESCAPED if _row_value(row, "escaped", False) else Status.ALIVE
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            what = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            raise RaybenchError(
                f"Segment {i} cannot be read: {what}. It needs p1, p2, brightness_s and"
                " brightness_p."
            ) from None
    numbers = np.hstack([out["p1"], out["p2"], out["power"]])
    wrong = np.flatnonzero(~np.isfinite(numbers).all(axis=1) | (out["power"] < 0).any(axis=1))
    if len(wrong):
        raise RaybenchError(
            f"Segment {wrong[0]} has a position or a power that is not a finite number, or a"
            " negative power. Correct it."
        )
    parents = out["parent"]
    late = np.flatnonzero((parents >= np.arange(n)) | (parents < -1))
    if len(late):
        raise RaybenchError(
            f"Segment {late[0]} has parent {parents[late[0]]}, which does not precede it. Order"
            " parents first."
        )
    has_child = np.zeros(n, bool)
    has_child[parents[parents >= 0]] = True
    out["status"][has_child] = Status.CONTINUED
    out["end_power"] = out["power"]
    tir = out["interaction"] == Interaction.TIR
    out["flags"][tir] |= np.uint8(Flag.TIR)
    out["flags"][parents[tir & (parents >= 0)]] |= np.uint8(Flag.CAUSES_TIR)
    roots = parents < 0
    out["source_ray"][roots] = np.arange(roots.sum())
    for i in np.flatnonzero(~roots).tolist():
        out["source_ray"][i] = out["source_ray"][parents[i]]
        out["depth"][i] = out["depth"][parents[i]] + 1
    return out


_REQUIRED = object()


def _row_value(row: Any, name: str, default: Any = _REQUIRED) -> Any:
    if isinstance(row, Mapping):
        return row[name] if default is _REQUIRED else row.get(name, default)
    return getattr(row, name) if default is _REQUIRED else getattr(row, name, default)


def _coordinate_pair(point: Any) -> tuple[float, float]:
    if isinstance(point, Mapping):
        return float(point["x"]), float(point["y"])
    if hasattr(point, "x"):
        return float(point.x), float(point.y)
    x, y = point
    return float(x), float(y)


Pieces = tuple[Floats, Floats, Integers]
"""Straight pieces of segments: starts and ends (k, 2), and rows (k,)."""
ESCAPE_LENGTH = 1e4
"""The drawn length of an escaping ray, in scene units times the scene's length scale; its true
length is infinite.
"""


@dataclass(frozen=True)
class TraceWarning:
    """A warning about a trace. ``index`` is the index of the optical object that the warning is
    about, -1 for none.

    ``remedy`` is the setting of the scene that fixes the problem: an instruction such as "Simulate
    colours", the name of the setting in the file format, and its value.
    """

    index: int
    text: str
    remedy: tuple[str, str, object] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", one_line(self.text))


@dataclass(frozen=True, eq=False)
class TraceResult(RayColumns):
    """All segments of a trace: the columns of `RayColumns`, of equal length n, and the properties
    of the trace as a whole.

    ``polyline`` (m, 2) holds the points of curved segments, see ``points``. ``counted`` (k, 2)
    holds the rows that end on an object on which a detector lies, in ascending order, each with the
    index of this detector, which also counts the row: see `raybench.trace.results.detectors`.
    """

    warnings: tuple[TraceWarning, ...] = ()
    ledger: Ledger = field(default_factory=Ledger)
    completion: Completion = Completion.COMPLETE
    milliseconds: float = 0.0
    revision: int = 0
    object_names: tuple[str, ...] = field(default=(), repr=False)
    """The names of the optical objects when this was traced."""
    polyline: Floats = field(default_factory=lambda: np.zeros((0, 2)), repr=False)
    counted: Integers = field(default_factory=lambda: NONE_COUNTED, repr=False)
    scene: Scene | None = field(default=None, repr=False)
    """The scene that was traced, if known."""
    coated: CoatedEdges = field(default=NO_COATINGS, repr=False)
    """The coated edges as they were traced; none if unknown."""
    finished: FinishedEdges = field(default=NO_FINISHES, repr=False)
    """The edges with a finish as they were traced; none if unknown."""
    disabled: frozenset[int] = field(default=frozenset(), repr=False)
    """The keys of the objects that had no effect on its light."""
    preparing_ms: float = field(default=0.0, repr=False)
    """The part of ``milliseconds`` before the first ray was traced."""
    power_unit: str = RELATIVE
    """The unit of its powers, one of `raybench.scene.POWER_UNITS`."""
    full_power: float = 1.0
    """The power that is drawn in full brightness: 1 if powers are relative, else that of the
    strongest ray of a source.
    """
    draw: int = 0
    """Which of the independent draws of what is random was traced (`raybench.trace.trace.trace`).
    """
    kept: Kept | None = field(default=None, repr=False)
    """What is known of the other rows if the trace kept only some; None if these are all rows."""

    def __len__(self) -> int:
        return len(self.p1)

    def __repr__(self) -> str:
        return (
            f"TraceResult({len(self)} segments, r{self.revision}, {self.completion.text},"
            f" {self.milliseconds:.1f} ms)"
        )

    @cached_property
    def lineage(self) -> Lineage:
        self._require_all_rows()
        return Lineage(self.parent, self.interaction)

    def _require_all_rows(self) -> None:
        """Raise RowsNotKept if the trace kept only some rows."""
        if self.kept is not None:
            raise RowsNotKept

    def require_rows_leaving(self, indices: Iterable[int]) -> None:
        """Raise RowsNotKept unless all rows that start on these optical objects were kept, with
        their parents.
        """
        if self.kept is not None and not set(indices) <= set(self.kept.keep.leaving):
            raise RowsNotKept

    def require_rows_ending_on(self, indices: Iterable[int]) -> None:
        """Raise RowsNotKept unless all rows that end on these optical objects were kept."""
        if self.kept is not None and not set(indices) <= set(self.kept.keep.objects):
            raise RowsNotKept

    @property
    def segment_count(self) -> int:
        """The number of all rows of the trace, including those that it did not keep."""
        return len(self) if self.kept is None else self.kept.segments

    def emitted_power(self, source: int) -> float:
        """The power that the optical object ``source`` emits."""
        if self.kept is not None:
            emitted = self.kept.emitted
            return float(emitted[source]) if source < len(emitted) else 0.0
        return float(self.total_power[(self.parent < 0) & (self.source == source)].sum())

    @property
    def power_cut_at_depth(self) -> float:
        """The power at the ends of the rows where the depth limit ended the light."""
        if self.kept is not None:
            return self.kept.cut_at_depth
        return float(self.total_arriving_power[self.status == Status.DEPTH].sum())

    @cached_property
    def detectors(self) -> tuple[DetectorReading, ...]:
        """The readings of all detectors, or of those at which rows were kept, in the order of the
        optical objects; none if the scene is not known.
        """
        readings = detector_readings(self.scene, vars(self)) if self.scene is not None else ()
        kept = self.kept
        return tuple(r for r in readings if kept is None or r.index in kept.keep.objects)

    @cached_property
    def reach(self) -> float:
        """The largest absolute coordinate of the starts of rows; 0 without rows."""
        return float(np.abs(self.p1).max(initial=0.0)) if self.kept is None else self.kept.reach

    @cached_property
    def rows(self) -> Integers:
        """The indices of all rows, (n,)."""
        return np.arange(len(self))

    @cached_property
    def size(self) -> float:
        """The longer side of the box around the starts of all rows, in scene units. If all rows
        start at one point, the box around their ends in the scene is used, otherwise the largest
        coordinate. 0 without rows.
        """
        return (
            _box_size(self.p1)
            or _box_size(self.p2[~self.escaped])
            or float(np.abs(self.p1).max(initial=0.0))
        )

    @property
    def nbytes(self) -> int:
        """The memory that the columns of the result occupy, in bytes."""
        arrays = {
            id(a): a for f in fields(self) if isinstance(a := getattr(self, f.name), np.ndarray)
        }  # equal columns may be one array
        # broadcast columns store one row
        return sum(
            a.nbytes if a.strides[0] or not len(a) else a.nbytes // len(a) for a in arrays.values()
        )

    @property
    def segments(self) -> Segments:
        """The rows as a sequence of `Segment`."""
        return Segments(self, self.rows)

    @property
    def escaped(self) -> Booleans:
        """A mask (n,) of the rows that hit nothing."""
        escaped: Booleans = self.status == Status.ESCAPED
        return escaped

    @cached_property
    def total_power(self) -> Floats:
        """The power (n,) of both polarisations together at the start of each row."""
        total: Floats = self.power[:, 0] + self.power[:, 1]  # faster than a sum
        return total

    @property
    def drawn_power(self) -> Floats:
        """The power (n,) of rows as it is drawn: 1 is full brightness."""
        return self.total_power / self.full_power if self.full_power != 1 else self.total_power

    @cached_property
    def total_arriving_power(self) -> Floats:
        """The power (n,) of both polarisations together at the end of each row."""
        if self.end_power is self.power:
            return self.total_power
        total: Floats = self.end_power[:, 0] + self.end_power[:, 1]
        return total

    @cached_property
    def is_polarized(self) -> bool:
        """Whether S2 or S3 of some ray is not 0."""
        return bool(self.stokes.any())

    @cached_property
    def end_stokes(self) -> Floats:
        """The Stokes parameters S2 and S3 (n, 2) at the end of each row."""
        if self.end_power is self.power or not self.is_polarized:
            return self.stokes
        start = self.total_power
        left = np.divide(
            self.total_arriving_power, start, out=np.zeros(len(self)), where=start != 0
        )
        scaled: Floats = self.stokes * left[:, None]
        return scaled

    @cached_property
    def degree_of_polarization(self) -> Floats:
        """The degree of polarisation (n,), 0 where the power is 0."""
        stokes = self.stokes if self.is_polarized else None
        return degree_of_polarization(self.power, stokes, self.full_power)

    @cached_property
    def polarization_ellipse(self) -> Ellipse:
        """The ellipse of the polarized light of each row."""
        return polarization_ellipse(self.power, self.stokes, self.full_power)

    @cached_property
    def length(self) -> Floats:
        """The lengths (n,) of the rows in scene units; infinite for escaping rays."""
        d = self.p2 - self.p1
        out = np.where(self.escaped, np.inf, np.hypot(d[:, 0], d[:, 1]))
        if len(self.polyline):
            p1, p2, rows = self.straight_pieces
            curved = np.isin(rows, np.flatnonzero(self.points[:, 1] > 1))
            p1, p2, rows = p1[curved], p2[curved], rows[curved]
            arcs = np.hypot(*(p2 - p1).T) * (1 + squared_chord_bending(p1, p2, rows) / 24)
            sums = np.bincount(rows, arcs, minlength=len(self))
            out = np.where(self.points[:, 1] > 1, sums, out)
        return out

    @cached_property
    def direction(self) -> Floats:
        """The directions of travel (n,) at the starts of the rows: degrees in [0, 360),
        counter-clockwise on screen; NaN for segments of zero length.
        """
        to = self.p2
        if len(self.polyline):
            curved = self.points[:, 1] > 1
            to = np.where(
                curved[:, None], self.polyline[np.where(curved, self.points[:, 0] + 1, 0)], to
            )
        dx, dy = (to - self.p1).T
        angle = np.degrees(np.arctan2(-dy, dx)) % 360
        return np.where((dx == 0) & (dy == 0), np.nan, np.where(angle > 360 - 1e-9, 0.0, angle))

    @property
    def deviation(self) -> Floats:
        """The angles (n,) between each row and its source ray: degrees in (-180, 180],
        counter-clockwise on screen.
        """
        turn: Floats = 180.0 - (180.0 - (self.direction - self.direction[self.lineage.root])) % 360
        return turn

    @cached_property
    def straight_pieces(self) -> Pieces:
        """The straight pieces of all segments. A straight segment is a single piece."""
        return self.pieces()

    def pieces(self, rows: Integers | None = None, most: int | None = None) -> Pieces:
        """The straight pieces of the segments in ``rows``, by default of all, in this order.

        If curved segments have more than ``most`` points, points are skipped, so that each piece
        connects a point with the second, third ... next one.
        """
        if not len(self.polyline):
            return (
                (self.p1, self.p2, self.rows)
                if rows is None
                else (self.p1[rows], self.p2[rows], rows)
            )
        first, count = (self.points if rows is None else self.points[rows]).astype(np.int64).T
        step = 1 if most is None else max(1, -(-int(count.sum()) // most))
        pieces = np.where(count > 1, -((1 - count) // step), 1)
        which = np.repeat(np.arange(len(count)), pieces)
        within = step * (np.arange(len(which)) - np.repeat(np.cumsum(pieces) - pieces, pieces))
        curved, first, last = count[which] > 1, first[which], count[which] - 1
        of = which if rows is None else rows[which]
        p1 = np.where(
            curved[:, None], self.polyline[np.where(curved, first + within, 0)], self.p1[of]
        )
        p2 = np.where(
            curved[:, None],
            self.polyline[np.where(curved, first + np.minimum(within + step, last), 0)],
            self.p2[of],
        )
        return p1, p2, of

    @cached_property
    def _middle(self) -> Floats:
        """The point half-way along each segment, (n, 2)."""
        middle: Floats = (self.p1 + self.p2) / 2
        if not len(self.polyline):
            return middle
        p1, p2, rows = self.straight_pieces
        length = np.hypot(*(p2 - p1).T)
        reached = np.cumsum(length)
        curved = np.flatnonzero(self.points[:, 1] > 1)
        first, last = np.searchsorted(rows, curved), np.searchsorted(rows, curved, side="right") - 1
        start = reached[first] - length[first]
        half = start + (reached[last] - start) / 2
        k = np.clip(np.searchsorted(reached, half), first, last)
        fraction = (half - (reached[k] - length[k])) / np.where(length[k] > 0, length[k], 1.0)
        middle[curved] = p1[k] + fraction[:, None] * (p2[k] - p1[k])
        return middle

    @property
    def middle(self) -> Floats:
        """The point half-way along each segment, (n, 2), as a copy."""
        return self._middle.copy()

    def rows_ending_on(self, *indices: int) -> Integers:
        """The rows, in order, that end on the optical objects with these indices, including rows
        that detectors on other objects count.
        """
        self.require_rows_ending_on(indices)
        own = np.flatnonzero(np.isin(self.hit, indices))
        counted = self.counted[np.isin(self.counted[:, 1], indices), 0]
        return np.union1d(own, counted) if len(counted) else own

    def segment_id(self, row: int) -> str:
        """The id of a segment: ``r<revision>-<row>``."""
        self._require_all_rows()
        return f"r{self.revision}-{row}"

    def segment_ids(self, rows: Integers | Int32s) -> list[str | None]:
        """The ids of some segments; None for a negative row, which stands for no segment."""
        self._require_all_rows()
        start = f"r{self.revision}-"
        return [None if row < 0 else f"{start}{row}" for row in rows.tolist()]

    def ray_set(self, which: Booleans | Integers, question: str = "") -> RaySet:
        """A set of rays that answers a question. ``which`` is a mask (n,), or row numbers in any
        order; each row is taken once.
        """
        self._require_all_rows()
        mask = which
        if which.dtype != np.bool_:
            mask = np.zeros(len(self), bool)
            mask[which] = True
        return RaySet(np.flatnonzero(mask), question, self.revision)

    @classmethod
    def from_segments(cls, segments: Iterable[Any], *, revision: int | None = None) -> TraceResult:
        """Make a result from rows that other programs have recorded, as mappings or objects.

        Each needs ``p1`` and ``p2`` (pairs, mappings or objects with x and y), ``brightness_s`` and
        ``brightness_p``; it may have ``wavelength``, ``parent`` (a row or None), ``interaction`` (a
        name of `Interaction`), ``gap``, ``is_new``, ``escaped``. Raises RaybenchError with the
        number of the row and its fault. For all segments of a result, this result is returned.
        """
        if isinstance(segments, Segments):
            whole = np.array_equal(segments.rows, np.arange(len(segments.result)))
            if whole:
                return (
                    segments.result
                    if revision is None
                    else replace(segments.result, revision=revision)
                )
            return segments.result.subset(
                segments.rows, next_revision() if revision is None else revision
            )
        rows = list(segments)
        if rows and all(isinstance(r, Segment) and r.result is rows[0].result for r in rows):
            return cls.from_segments(
                Segments(rows[0].result, np.array([r.row for r in rows])), revision=revision
            )
        columns: dict[str, Any] = columns_from_rows(rows)
        return cls(
            **columns,
            ledger=Ledger.from_columns(columns),
            revision=next_revision() if revision is None else revision,
        )

    def subset(self, rows: Integers, revision: int) -> TraceResult:
        """A result with some of the rows and another revision. A row whose parent is not among them
        gets no parent.
        """
        columns = {name: getattr(self, name)[rows] for name in STORED}
        order = np.argsort(rows, kind="stable")
        place = order[np.searchsorted(rows[order], columns["parent"], side="right") - 1]
        columns["parent"] = np.where(rows[place] == columns["parent"], place, -1).astype(np.int32)
        if (columns["parent"] >= np.arange(len(rows))).any():
            raise RaybenchError(
                "Some segments precede their parents, or are given twice. Give them in the order of"
                " the trace."
            )
        place = np.searchsorted(rows[order], self.counted[:, 0])
        kept = np.append(rows[order], -1)[place] == self.counted[:, 0]
        counted = np.stack([order[place[kept]], self.counted[kept, 1]], axis=1)
        return replace(
            self,
            **columns,
            counted=counted[np.argsort(counted[:, 0], kind="stable")],
            ledger=Ledger.from_columns(columns),
            revision=revision,
            completion=Completion.REDUCED,
        )


def _box_size(ends: Floats) -> float:
    """The longer side of the box around some points (n, 2); 0 for none."""
    return max(
        (float(np.ptp(axis)) for axis in ends.T if len(axis)), default=0.0
    )  # by axis: ten times faster than both at once
