"""Facts: the numbers in tool results and in the scene, each with its quantity, its unit, its
objects and its row of a study.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from raybench.agent.answer_check.claims import (
    COUNTED_NOUNS,
    UNITS,
    Claim,
    SourceCall,
    number_claims,
    singular,
)

MOST_TEXT_CHARACTERS = 50_000
"""Characters that are read of one text."""
REMARK_KEYS = frozenset({"note", "reason", "caution", "hint", "meaning", "problem"})
"""Keys of texts that say more than the values of a record."""
VARIED_ARGUMENTS = frozenset({"axes", "changes", "vary"})
"""Arguments that say what a study varies."""
CHANGE_QUANTITY = "changes"
"""The quantity of the numbers that a change sets."""
SCENE_PATH = "scene"
"""The path of the fields of the objects and settings of a scene."""
POSITION_QUANTITIES = ("x", "y")
"""Quantities of which only differences mean something."""
RAY_ID = re.compile(r"r\d+-\d+")
"""The id of a ray."""
_NO_OWNERS = REMARK_KEYS | {"unlit", "unlit_by", "without", "changes", "least_at", "most_at"}
"""Texts of a record that may name other objects than it is about."""
_PATH_KEYS = frozenset({"surfaces", "path", "pattern"})
"""Texts that name all objects of a path, of which records within are about one."""
_ROW_NUMBER_KEYS = frozenset({"surface", "order"})
"""Keys of numbers that name a row, as in ``surface 3``."""
_NO_FACTS = frozenset(
    {"rank", "index", "revision", "offset", "next_offset", "limit", "id", "units", "least_at"}
    | {"most_at", "columns"}
)
_MEASURED_VALUE_KEYS = frozenset({"value", "before", "after", "nominal"})
"""Keys of a measured record whose values are the measure itself."""
_SIDES = {"left": "x", "right": "x", "top": "y", "bottom": "y"}
_DIMENSIONS = (
    (re.compile(r"^relative$|share|throughput|fill|reflectance|transmittance|degree_of|unpolarized|_dop|mean_degree"), "share", 1.0),
    (re.compile(r"^speed$"), "speed", 1.0),
    (re.compile(r"index|^n$|^n_|_n$|magnification|abbe|f_number"), "number", 1.0),
    (re.compile(r"wavelength|^nm$"), "length", 1e-9),
    (re.compile(r"angle|direction|deviation|divergence|margin(?!al)|below_critical|incidence|refraction|tilt"), "angle", 1.0),
    (re.compile(r"count|rays|paths|segments|chains|groups|bundles|rank|points|objects$"), "count", 1.0),
    (re.compile(r"power|emitted|absorbed|escaped|truncated|blocked|brightness|energy|passing|without|stopped"), "power", 1.0),
    (re.compile(r"^[xy]\d?$|_[xy]$|^(?:left|right|top|bottom)$|length|width|height|pupil|distance|focus|focal|radius|rms|centroid|aberration|perimeter|moved|separation|thickness|diameter|sag"), "length", 0.0),
    (re.compile(r"colour$|tangential|transverse|longitudinal|spherical|coma|astigmatism|petzval|^image$|^edge$"), "length", 0.0),
)  # fmt: skip
"""The dimensions of values by their keys; a size of 0 stands for the unit of the document."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A number in a source. ``written`` is the number as written; ``number`` is in the base unit of
    its ``dimension`` (see `claims.UNITS`), which is empty if unknown and ``power`` for powers
    without a unit.

    ``quantity``: key of the number, such as ``focal_length``. ``owners``: objects, edges and rays
    that it belongs to. ``varied``: objects that its study varies. ``rays``: ray ids in its record.
    ``parameter_values``: parameter values of its row of a study. ``state``: ``before`` or ``after``
    a change. ``listed``: length of its list. ``row``: its positions in nested lists. ``path``: keys
    that lead to it, which are the same for all facts of a column.
    """

    number: float
    written: float
    dimension: str = ""
    quantity: str = ""
    owners: frozenset[str] = frozenset()
    call: SourceCall | None = None
    parameter_values: tuple[float, ...] = ()
    state: str = ""
    listed: int = 1
    path: str = ""
    varied: frozenset[str] = frozenset()
    rays: frozenset[str] = frozenset()
    row: tuple[int, ...] = ()

    @property
    def unit_size(self) -> float:
        """The size of the unit in which the number is written, in the base unit."""
        return self.number / self.written if self.written else 1.0

    @property
    def is_from_question(self) -> bool:
        return self.call is None and not self.quantity

    def differs(self, other: Fact) -> bool:
        return abs(self.number - other.number) > 1e-6 * max(abs(self.number), abs(other.number))

    @property
    def column_key(self) -> tuple[str, str, str]:
        """A key that the facts of one table column share."""
        return (self.call.tool if self.call else "", self.path, self.quantity)


class Value(Protocol):
    """A number as written, and in the base unit of its dimension."""

    @property
    def number(self) -> float: ...
    @property
    def written(self) -> float: ...
    @property
    def dimension(self) -> str: ...


V = TypeVar("V", bound=Value)


class NumberTable(Generic[V]):
    """Numbers stored as arrays, so that all are compared with a claim at once."""

    def __init__(self, values: Iterable[V]) -> None:
        self._values = list(values)
        self._numbers = np.array([f.number for f in self._values], float)
        self._written = np.array([f.written for f in self._values], float)
        self._dimension_and_unit = np.array([f.dimension for f in self._values], str)

    def find_matches(self, claim: Claim) -> list[V]:
        """The values that a claim can state, after rounding. A claim without a unit is compared
        with values as written, a claim with a unit with values of its dimension and values without
        a unit.
        """
        number, written, unknown = self._numbers, self._written, self._dimension_and_unit == ""
        fits = np.ones(len(number), bool)
        if claim.dimension:
            fits = (self._dimension_and_unit == claim.dimension) | (
                unknown & (claim.dimension != "watt")
            )
            if claim.dimension == "share":  # a power may be that of a part of one ray
                fits |= (self._dimension_and_unit == "power") & (np.abs(number) <= 1)
        elif claim.unit:
            fits = unknown
        elif claim.ratio:
            fits = np.isin(self._dimension_and_unit, ("share", "number", ""))
        elif claim.noun:
            fits = np.isin(self._dimension_and_unit, ("count", "power", "number", ""))
            fits &= np.abs(written - np.round(written)) < 1e-6
        found = np.zeros(len(number), bool)
        for value, half in claim.values:
            as_written = claim.is_near(written, value, half)
            in_unit = claim.is_near(number, value * claim.unit_size, half * claim.unit_size)
            if not claim.dimension:
                found |= as_written
                continue
            found |= in_unit & ~unknown
            # of an unknown value: a fraction, or a percentage
            found |= unknown & (as_written | (in_unit & (claim.dimension == "share")))
        return [self._values[i] for i in np.flatnonzero(found & fits).tolist()]


@dataclass(frozen=True)
class RecordContext:
    """What the facts of a record have in common (see `Fact`). ``quantity``: the quantity of the
    record, such as ``rms`` for ``rms(Screen)``. ``kind``: a word that distinguishes the record from
    others. ``unit``: the stated unit of its values.
    """

    call: SourceCall | None = None
    owners: frozenset[str] = frozenset()
    quantity: str = ""
    kind: str = ""
    unit: str = ""
    parameter_values: tuple[float, ...] = ()
    listed: int = 1
    path: str = ""
    varied: frozenset[str] = frozenset()
    rays: frozenset[str] = frozenset()
    row: tuple[int, ...] = ()


@dataclass(frozen=True)
class FactReader:
    """Reads facts from JSON values and texts. ``names`` matches the names of objects; ``unit`` is
    the unit of lengths, ``power_unit`` of powers.
    """

    names: re.Pattern[str]
    unit: str
    power_unit: str

    def read(self, value: Any, key: str, record: RecordContext) -> Iterator[Fact]:
        """The facts in a JSON value. ``key`` is its key in the record."""
        if value is None or isinstance(value, bool) or key in _NO_FACTS:
            return
        if isinstance(value, int | float):
            if value == value and abs(value) != float("inf"):
                yield self._number_fact(value, key, record)
        elif isinstance(value, str):
            if len(value) <= MOST_TEXT_CHARACTERS:
                yield from self.read_text(value, key, record)
        elif isinstance(value, Mapping):
            yield from self._read_record(value, key, record)
        elif isinstance(value, list | tuple):
            if len(value) == 2 and all(isinstance(v, int | float) for v in value):
                value = [dict(zip(POSITION_QUANTITIES, value, strict=True))]  # a point
            elif value and not isinstance(value[0], int | float):
                yield _count_fact(len(value), singular(key), record)
            rows = replace(record, listed=max(2, record.listed, len(value)))
            for i, part in enumerate(value):
                yield from self.read(part, key, replace(rows, row=(*record.row, i)))

    def owners_named_in(self, text: str) -> frozenset[str]:
        return frozenset(self.names.findall(text))

    def _number_fact(self, value: float, key: str, record: RecordContext) -> Fact:
        dimension, size = _dimension_and_unit(key, record)
        if dimension == "length" and not size:
            size = UNITS.get(self.unit, ("length", 0.0254))[1]
        if dimension == "power":
            dimension, size = UNITS.get(self.power_unit, (dimension, size))
        part = re.fullmatch(r"(?:(.+)_)?([sp]|unpolarized)", key)  # of power_s, reflectance/s
        within = record.path.rpartition("/")[2]
        quantity = (part[1] or within) if part else _SIDES.get(key, key)
        if record.quantity:
            quantity = (
                record.quantity if key in _MEASURED_VALUE_KEYS else f"{key}_{record.quantity}"
            )
        elif record.kind:
            quantity = f"{record.kind}_{key}"
        return Fact(
            value * (size or 1.0),
            value,
            dimension,
            re.sub(r"\d$", "", quantity),
            record.owners | ({part[2]} if part else frozenset()),
            record.call,
            record.parameter_values,
            key if key in ("before", "after") else "",
            record.listed,
            record.path,
            record.varied,
            record.rays,
            record.row,
        )

    def _read_record(
        self, values: Mapping[str, Any], key: str, record: RecordContext
    ) -> Iterator[Fact]:
        texts = {k: v for k, v in values.items() if isinstance(v, str) and k not in _NO_OWNERS}
        labels = {texts[name] for name in ("label", "edge") if name in texts}
        labels |= {v for v in (texts.get("id", ""),) if RAY_ID.fullmatch(v)}
        rays = {v for k, v in texts.items() if k != "parent" and RAY_ID.fullmatch(v)}
        labels |= {
            f"{k} {values[k]}" for k in _ROW_NUMBER_KEYS & values.keys() if values[k] is not None
        }
        named = {k: self.owners_named_in(v) for k, v in texts.items()}
        owners = record.owners.union(labels, *named.values())
        passed = record.owners.union(labels, *(v for k, v in named.items() if k not in _PATH_KEYS))
        kind = texts.get("name", "") if record.listed > 1 else ""
        fields = replace(
            record,
            owners=owners,
            quantity=_measured_quantity(texts.get("of", "")),
            kind=kind if re.fullmatch(r"[a-z_ ]+", kind) else "",
            unit=texts.get("unit", "") if "revision" not in values else "",
            rays=record.rays | rays,
            path=f"{record.path}/{key}" if key else record.path,
        )
        columns, units = values.get("columns"), values.get("units")
        if isinstance(units, Mapping) and isinstance(values.get("fields"), Mapping):
            values = {**values, "fields": {**values["fields"], "units": units}}
        study = {
            c["id"]: (kind, c)
            for kind in ("parameter", "measure")
            for c in values.get(kind) or ()
            if isinstance(c, Mapping) and "id" in c
        }
        for name, part in values.items():
            own = replace(fields, owners=passed) if isinstance(part, Mapping | list) else fields
            if isinstance(units, Mapping) and isinstance(units.get(name), str):
                own = replace(own, unit=units[name])
            if self.names.fullmatch(name):
                own = replace(own, owners=own.owners | {name})
            if name == "count" and isinstance(part, int):
                listed = next((k for k, v in values.items() if isinstance(v, list)), name)
                yield _count_fact(part, singular(listed), own)
            if name in ("row", "each") and study and isinstance(part, list):
                for row in part:
                    yield from self._read_study_row(row, study, replace(own, listed=len(part)))
            elif name == "row" and isinstance(columns, list) and isinstance(part, list):
                for i, row in enumerate(part):
                    record = replace(
                        own,
                        parameter_values=_finite_numbers(row[:1]),
                        listed=max(2, len(part)),
                        row=(i,),
                    )
                    yield from self.read(
                        dict(zip(map(str, columns), row, strict=False)), name, record
                    )
            elif name in ("least", "most") and isinstance(place := values.get(f"{name}_at"), str):
                at = tuple(c.values[0][0] for c in number_claims(place, self.names))
                yield from self.read(part, name, replace(own, parameter_values=at))
            elif not (study and name == "parameter"):
                yield from self.read(part, str(name), own)

    def _read_study_row(
        self,
        row: Mapping[str, Any],
        study: Mapping[str, tuple[str, Mapping[str, Any]]],
        record: RecordContext,
    ) -> Iterator[Fact]:
        """The facts in a row of a study, whose keys are column ids. Parameter values are not
        facts.
        """
        axes = [id for id, (kind, _) in study.items() if kind == "parameter"]
        at = _finite_numbers(row.get(axis) for axis in axes)
        for key, value in row.items():
            id, _, extreme = key.partition("_")
            if id not in study or not isinstance(value, int | float) or extreme.endswith((*axes,)):
                continue
            kind, column = study[id]
            of, own = str(column["of"]), replace(record, owners=frozenset(), call=None)
            if kind == "measure":
                own = replace(record, owners=record.owners | self.owners_named_in(of))
            own = replace(
                own,
                quantity=_measured_quantity(of),
                unit=column.get("unit") or "",
                parameter_values=at + _finite_numbers(row.get(f"{key}_{axis}") for axis in axes),
                path=f"{record.path}/{id}",
            )
            yield self._number_fact(value, extreme or "value", own)

    def read_text(self, text: str, key: str, record: RecordContext) -> Iterator[Fact]:
        """The facts in a text. Numbers before and after an arrow are values before and after a
        change; a number in brackets behind is the change.
        """
        given = record.call is None and not record.owners  # by the person, or as an argument
        text = re.sub(r"(?<=\d)\.\.(?=-?\d)", " to ", text)  # the range of a parameter
        for sentence in re.split(r"(?<=[.!?;])\s+|\n+", text):
            named = frozenset() if given or key in _NO_OWNERS else self.owners_named_in(sentence)
            of = re.search(r"\b([a-z_]+)\(", sentence)
            claims = number_claims(sentence, self.names)
            changed = next((c for c in claims if _follows_arrow(sentence, c)), None)
            for claim in claims:
                quantity, state = of[1] if of else claim.noun or key, ""
                if record.call is None or key in REMARK_KEYS:
                    quantity = key
                elif changed and claim.end <= changed.start:
                    state = "before"
                elif claim is changed:
                    state = "after"
                elif changed and of:
                    quantity = f"{'relative' if claim.unit == '%' else 'difference'}_{quantity}"
                if changed and not claim.unit:
                    claim = replace(claim, unit=changed.unit, dimension=changed.dimension)
                owners = record.owners | named
                if key == CHANGE_QUANTITY or (state and not of):
                    quantity, owners, state = CHANGE_QUANTITY, frozenset(), state or "after"
                for number, _ in claim.values:
                    yield Fact(
                        number * claim.unit_size,
                        number,
                        claim.dimension or ("count" if claim.noun else ""),
                        quantity,
                        owners,
                        record.call,
                        state=state,
                        path=record.path,
                        varied=record.varied,
                    )


def _count_fact(number: int, noun: str, record: RecordContext) -> Fact:
    return Fact(number, number, "count", noun, record.owners, record.call)


def _finite_numbers(values: Iterable[Any]) -> tuple[float, ...]:
    """The numbers among some values."""
    return tuple(float(v) for v in values if re.fullmatch(r"-?\d[\d.]*(?:e[-+]?\d+)?", str(v)))


def _follows_arrow(text: str, claim: Claim) -> bool:
    return text[: claim.start].rstrip().endswith("->")


def _measured_quantity(measure: str) -> str:
    """The quantity in the text of a measure or parameter: ``rms`` in ``least rms(Screen)``, ``y``
    in ``Screen.y``.
    """
    named = re.search(r"(\w+)\(", measure) or re.search(r"\.(\w+)$", measure)
    return named[1] if named else ""


def _dimension_and_unit(key: str, record: RecordContext) -> tuple[str, float]:
    """The dimension of a value and the size of its unit, from the unit of the record, from the key,
    or from the quantity of the record.
    """
    if record.unit and key != "relative":
        return UNITS.get(record.unit, ("power" if "power" in record.unit else "", 1.0))
    of = key if key == "relative" else record.quantity or key
    if key != singular(key) and singular(key) in COUNTED_NOUNS:
        return "count", 1.0
    for name in (of, record.path.rpartition("/")[2]):
        lowered = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()
        for pattern, dimension, size in _DIMENSIONS:
            if pattern.search(lowered):
                return dimension, size
    return "", 1.0


@lru_cache(4096)
def word_stems(text: str) -> frozenset[str]:
    """The stems of the words in a text or a quantity name, so that ``passing`` matches
    ``passes``.
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    return frozenset(w[:4] for w in re.findall(r"[a-z]{3,}|(?<![a-z])n(?![a-z])", split))
