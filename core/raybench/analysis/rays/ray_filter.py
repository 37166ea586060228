"""Filters for rays. A `RayFilter` holds the conditions for visible rays, and can be written as JSON
or text. The ray table has its own filters, typed as text, such as ``power > 0.1, Screen, reflect``;
all conditions in the text must hold.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.geometry.straight import Mask, Rows
from raybench.analysis.rays.columns import COLUMNS, columns_with_name
from raybench.errors import RaybenchError, elide_text, name_in_sentence
from raybench.scene import RELATIVE
from raybench.scene.scene import Scene
from raybench.trace.columns import DEGREES, LENGTH, Column
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult

QUANTITIES = {
    column.filter: column
    for column in columns_with_name(
        "filter", ("total_power", "wavelength", "depth", "direction", "length")
    )
}
"""The columns of rays that ranges apply to, by the name of the quantity."""
if TYPE_CHECKING:
    Quantity = str
else:
    Quantity = Literal[tuple(QUANTITIES)]
Relation = Literal["source", "object"]
BOUNDS = {"gte": "≥", "gt": ">", "lte": "≤", "lt": "<"}
ROUNDING = 1e-7
"""Tolerance within which a value counts as equal to its bound: relative; absolute for angles, in
degrees.
"""


class InvalidFilter(RaybenchError):
    """A condition for rays is invalid. The message names the condition and its correct form."""


@dataclass(frozen=True)
class RangeCondition:
    """The condition that a quantity is between bounds. None stands for no bound.

    Power: sum of both polarizations, relative to the brightness of sources. Wavelength: in nm.
    Depth: number of interactions. Angle: direction of the ray in degrees, 0 to the right,
    counter-clockwise on screen; a range may wrap, as from 350 to 10. Length: in scene units,
    infinite for escaping rays.
    """

    key: Quantity
    gte: float | None = None
    lte: float | None = None
    gt: float | None = None
    lt: float | None = None

    def __post_init__(self) -> None:
        given = self._given_bounds
        if self.key not in QUANTITIES:
            raise InvalidFilter(
                f"There is no quantity {self.key!r}. Give one of {', '.join(QUANTITIES)}."
            )
        if not given:
            raise InvalidFilter(f"A range of {self.key} needs a bound: one of {', '.join(BOUNDS)}.")
        for name, value in given.items():
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not math.isfinite(value)
            ):
                raise InvalidFilter(
                    f"The bound {name} of {self.key} is {value!r}. Give a finite number."
                )
        for one, other in (("gte", "gt"), ("lte", "lt")):
            if {one, other} <= given.keys():
                raise InvalidFilter(
                    f"The range of {self.key} has both {one} and {other}. Give one of them."
                )
        low, high = self.low, self.high
        if self._is_angle:
            alone = low if high is None else high if low is None else 0.0
            if not 0 <= (alone or 0.0) <= 360:
                raise InvalidFilter(
                    f"A single bound of an angle is from 0 to 360 degrees, not {alone:g}. Give both"
                    " bounds."
                )
        elif low is not None and high is not None and low > high:
            raise InvalidFilter(
                f"The range of {self.key} is from {low:g} to {high:g}. Swap its bounds."
            )
        if self._is_empty:
            bounds = " and ".join(f"{BOUNDS[name]} {value:g}" for name, value in given.items())
            raise InvalidFilter(
                f"No {self.key} is {bounds}. Give other bounds; ≥ and ≤ include their own value."
            )

    @property
    def _given_bounds(self) -> dict[str, float]:
        bounds = {name: getattr(self, name) for name in BOUNDS}
        return {name: value for name, value in bounds.items() if value is not None}

    @property
    def low(self) -> float | None:
        return self.gte if self.gte is not None else self.gt

    @property
    def high(self) -> float | None:
        return self.lte if self.lte is not None else self.lt

    def mask(self, result: TraceResult) -> Mask:
        """Mask (n,) of the segments in the range. Segments without a wavelength are in no range of
        wavelengths.
        """
        values = QUANTITIES[self.key].numbers(result)
        low, high, relative, absolute = self.low, self.high, ROUNDING, 0.0
        if self._is_angle:  # counter-clockwise from the lower bound, up to 360 without an upper one
            low, high = self._angle_range
            values = (values - low) % 360.0
            # within the tolerance below the lower bound counts as on it
            values = np.where(360.0 - values < ROUNDING, 0.0, values)
            low, relative, absolute = 0.0, 0.0, ROUNDING
        inside: Mask = ~np.isnan(values)
        for bound, beyond, strict in (
            (low, np.greater, self.gt is not None),
            (high, np.less, self.lt is not None or (self._is_angle and self.high is None)),
        ):
            if bound is not None:
                on = np.isclose(values, bound, rtol=relative, atol=absolute)
                inside &= (beyond(values, bound) & ~on) if strict else (beyond(values, bound) | on)
        return inside

    @property
    def _is_angle(self) -> bool:
        return QUANTITIES[self.key].unit == DEGREES

    @property
    def _is_empty(self) -> bool:
        """Whether the range contains no value: its bounds are equal and one is excluded."""
        strict = self.gt is not None or self.lt is not None
        if self._is_angle:
            return self._angle_range[1] == 0 and (strict or self.high is None)
        return self.low == self.high and strict

    @property
    def _angle_range(self) -> tuple[float, float]:
        """The start and the width of a range of angles in degrees."""
        low = self.low if self.low is not None else 0.0
        high = self.high if self.high is not None else 360.0
        return low, 360.0 if high - low >= 360.0 else (high - low) % 360.0

    def description(self, scene: Scene, unit: str) -> str:
        """The condition as text for users, such as ``wavelength 500 to 600 nm``; ``unit`` is the
        name of a scene unit.
        """
        of_column = QUANTITIES[self.key].unit
        unit = {LENGTH: f" {unit}", DEGREES: "°", RELATIVE: "", "": ""}.get(
            of_column, f" {of_column}"
        )
        if self.gte is not None and self.lte is not None:
            between = f"{self.gte:g}" if self.gte == self.lte else f"{self.gte:g} to {self.lte:g}"
            return f"{self.key} {between}{unit}"
        bounds = [f"{BOUNDS[name]} {value:g}{unit}" for name, value in self._given_bounds.items()]
        return f"{self.key} {' and '.join(bounds)}"

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "range": self._given_bounds}


@dataclass(frozen=True)
class MatchCondition:
    """The condition that a ray comes from one of some sources, or starts or ends on one of some
    objects. ``any`` holds the keys of the sources or objects.
    """

    key: Relation
    any: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.key not in get_args(Relation):
            raise InvalidFilter(
                f"Rays cannot be matched by {self.key!r}. Give one of"
                f" {', '.join(get_args(Relation))}."
            )
        if not self.any or not all(
            isinstance(k, int) and not isinstance(k, bool) for k in self.any
        ):
            raise InvalidFilter(
                f"The condition on {self.key} needs the keys of objects, whole numbers."
            )

    def mask(self, result: TraceResult) -> Mask:
        """Mask (n,) of the segments that match; all false if the trace has no scene. The key of a
        module instance matches all its parts.
        """
        scene = result.scene or Scene()
        keys = scene.keys_with_parts(self.any)
        selected = np.array(
            [o.key in keys for o in scene.optical] + [False]
        )  # the last element is index -1: no object
        if self.key == "source":
            return selected[_clamp_object_indices(result.source, selected)]
        ends_on = selected[_clamp_object_indices(result.hit, selected)]
        ends_on[result.rows_ending_on(*np.flatnonzero(selected))] = True
        return ends_on | np.where(result.parent >= 0, ends_on[result.parent], False)

    def description(self, scene: Scene, unit: str) -> str:
        """The condition as text for users, such as ``from Laser``."""
        names = {
            o.key: name_in_sentence(o.title) for o in (*scene.expanded_objects, *scene.objects)
        }
        titles = " or ".join(names.get(key, "a deleted object") for key in self.any)
        return f"{'from' if self.key == 'source' else 'at'} {titles}"

    def to_json(self) -> dict[str, Any]:
        return {"key": self.key, "match": {"any": list(self.any)}}


Condition = RangeCondition | MatchCondition
CLAUSES = ("must", "should", "must_not")


@dataclass(frozen=True)
class RayFilter:
    """Conditions for rays: all in ``must`` hold, at least one in ``should`` unless it is empty, and
    none in ``must_not``.
    """

    must: tuple[Condition, ...] = ()
    should: tuple[Condition, ...] = ()
    must_not: tuple[Condition, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.must or self.should or self.must_not)

    def merged_with(self, other: RayFilter) -> Self:
        """A filter with the conditions of both filters, without duplicates."""
        return type(self)(
            *(tuple(dict.fromkeys((*getattr(self, c), *getattr(other, c)))) for c in CLAUSES)
        )

    def mask(self, result: TraceResult) -> Mask:
        """Mask (n,) of the segments of a trace that the filter selects."""
        passes = np.ones(len(result), bool)
        for condition in self.must:
            passes &= condition.mask(result)
        if self.should:
            passes &= np.logical_or.reduce([c.mask(result) for c in self.should])
        for condition in self.must_not:
            passes &= ~condition.mask(result)
        return passes

    def description(self, scene: Scene, unit: str = "mm") -> str:
        """The filter as text for users, such as ``power ≥ 0.1, from Laser``; empty if it has no
        conditions.
        """
        parts = [c.description(scene, unit) for c in self.must]
        if self.should:
            parts.append(" or ".join(c.description(scene, unit) for c in self.should))
        return ", ".join([*parts, *(f"not {c.description(scene, unit)}" for c in self.must_not)])

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Parse ``{"must": [{"key": "power", "range": {"gte": 0.1}}], "should": [...], "must_not":
        [...]}``. Raises InvalidFilter.
        """
        if not isinstance(value, Mapping) or (unknown := [k for k in value if k not in CLAUSES]):
            what = (
                f"has {', '.join(map(repr, unknown))}"
                if isinstance(value, Mapping)
                else f"is {value!r}"
            )
            raise InvalidFilter(
                f"A ray filter {what}. It is an object of lists of conditions:"
                f" {', '.join(CLAUSES)}."
            )
        for clause, conditions in value.items():
            if not isinstance(conditions, list | tuple):
                raise InvalidFilter(
                    f"'{clause}' of a ray filter is {conditions!r}. Give a list of conditions."
                )
        return cls(
            *(tuple(_read_condition(c) for c in value.get(clause, ())) for clause in CLAUSES)
        )

    def to_json(self) -> dict[str, Any]:
        """The filter as JSON values, without empty clauses."""
        return {
            clause: [c.to_json() for c in getattr(self, clause)]
            for clause in CLAUSES
            if getattr(self, clause)
        }


NO_FILTER = RayFilter()


def _read_condition(value: Any) -> Condition:
    match value:
        case RangeCondition() | MatchCondition():
            return value
        case {"key": str(), "range": dict() as bounds} if (
            len(value) == 2 and bounds.keys() <= BOUNDS.keys()
        ):
            return RangeCondition(value["key"], **bounds)
        case {"key": str(), "match": {"any": list() | tuple() as keys}} if (
            len(value) == 2 and len(value["match"]) == 1
        ):
            return MatchCondition(value["key"], tuple(keys))
    examples = (
        '{"key": "power", "range": {"gte": 0.1}} or {"key": "source", "match": {"any": [keys of'
        " objects]}}"
    )
    raise InvalidFilter(f"The condition {value!r} cannot be read. Write {examples}.")


def _clamp_object_indices(index: NDArray[np.int32], selected: Mask) -> NDArray[np.int64]:
    """Object indices that are valid for the array ``selected``. Invalid ones become the last index,
    which stands for no object.
    """
    none = len(selected) - 1
    return np.where((index >= 0) & (index < none), index, none).astype(np.int64)


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
COMPARED: dict[str, Column] = {
    c.csv: c for c in COLUMNS.values() if c.csv and c.value in (int, float)
}
"""The numbers that can be compared, by their names in CSV files."""
_NO_SETS: Mapping[str, RaySet] = MappingProxyType({})
_SIGN = re.compile("[<>=]")
_COMPARISON = re.compile(r"([^<>=]+?)\s*(<=|>=|<|>|=)\s*(\S+)")


class InvalidRowFilter(RaybenchError):
    """A condition typed into the ray table cannot be read."""


def filtered_rows(result: TraceResult, text: str, sets: Mapping[str, RaySet] = _NO_SETS) -> Rows:
    """The rows, ascending, that satisfy all conditions in a text; all rows if the text is empty.

    A condition compares a quantity with a number, or is a part of the name of the source, of the
    hit object, of the interaction or of the status, or the name of one of the ray ``sets``, such as
    R1. Raises InvalidRowFilter.
    """
    mask: Mask = np.ones(len(result), bool)
    for condition in filter(None, (part.strip() for part in text.split(","))):
        comparison = _COMPARISON.fullmatch(condition)
        if (rays := sets.get(condition.upper())) is not None:
            if rays.revision != result.revision:
                raise InvalidRowFilter(
                    f"{condition} is of an earlier state of the scene. Ask again."
                )
            mask &= np.isin(np.arange(len(result)), rays.rows)
        else:
            mask &= (
                _compare_column(result, *comparison.groups())
                if comparison
                else _rows_with_word(result, condition)
            )
    return np.flatnonzero(mask)


def _compare_column(result: TraceResult, name: str, sign: str, number: str) -> Mask:
    column = COMPARED.get(" ".join(name.lower().split()))
    if column is None:
        raise InvalidRowFilter(
            f"'{elide_text(name, 40)}' is not a quantity of rays. Quantities: {', '.join(COMPARED)}."
        )
    try:
        value = float(number)
    except ValueError:
        raise InvalidRowFilter(
            f"'{elide_text(number, 40)}' is not a number. Write such as {name} {sign} 0.1."
        ) from None
    mask: Mask = COMPARISONS[sign](column.numbers(result), value)
    return mask


def _rows_with_word(result: TraceResult, word: str) -> Mask:
    """Mask of the rows with a word in one of their texts. Each distinct text is searched only
    once.
    """
    given, word, mask = word, word.lower(), np.zeros(len(result), bool)
    names = np.array([word in name.lower() for name in result.object_names] + [False])
    if _SIGN.search(word) and not names.any():
        raise InvalidRowFilter(
            f"'{elide_text(given, 40)}' is not a condition. Write such as power > 0.1."
        )
    mask |= names[result.source] | names[result.hit]
    mask[result.counted[names[result.counted[:, 1]], 0]] = True
    for name in ("interaction", "status"):
        vocabulary = COLUMNS[name].vocabulary
        assert vocabulary is not None
        codes = [int(w) for w in vocabulary if word in w.word.lower()]
        mask |= np.isin(getattr(result, name), codes)
    return mask
