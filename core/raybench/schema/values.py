"""Validation of values against types of compact signatures, and lenient conversion of typed input."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from raybench.errors import RaybenchError
from raybench.schema.argument_faults import EXPECTED, KEYWORD, excerpt
from raybench.schema.jsonable import json_type
from raybench.schema.parameters import annotation, read_datetime
from raybench.schema.signature import ANY, ListOf, Optional, Primitive, Record, Type

Mode = Literal["enabled", "warn_only", "disabled", "strict"]
"""``enabled`` raises and allows undeclared fields; ``warn_only`` returns warnings; ``disabled``
skips validation; ``strict`` raises and allows no undeclared fields.
"""

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Fault:
    """A fault and its path, such as ``("results", 0, "id")``."""

    path: Path
    message: str

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path))}: {self.message}" if self.path else self.message


class InvalidValue(RaybenchError):
    """A value does not have its type; ``faults`` lists paths and reasons."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


def faults(
    value: Any, type: Type, *, closed: bool = False, finite: bool = True
) -> tuple[Fault, ...]:
    """All faults of a JSON value, checked strictly; ``closed`` forbids undeclared fields,
    ``finite`` NaN and infinity.
    """
    from pydantic import ConfigDict, ValidationError, create_model

    if type == ANY:
        return ()
    config = ConfigDict(strict=True, allow_inf_nan=False)
    model: Any = create_model(
        "Result", __config__=config, value=(annotation(_closed(type) if closed else type), ...)
    )
    try:
        model.model_validate_json(json.dumps({"value": value}))
    except ValidationError as error:
        found = [
            e for e in error.errors(include_url=False) if finite or e["type"] != "finite_number"
        ]
        return tuple(Fault(e["loc"][1:], _message(e)) for e in found)
    except (TypeError, ValueError, RecursionError) as error:
        return (Fault((), f"not JSON: {error}"),)
    return ()


def _closed(type: Type) -> Type:
    match type:
        case Optional(inner):
            return Optional(_closed(inner))  # type: ignore[arg-type]
        case ListOf(item):
            return ListOf(_closed(item))
        case Record(fields):
            return Record(tuple(replace(f, type=_closed(f.type)) for f in fields), closed=True)
    return type


def _message(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "no such field"
    expected = EXPECTED.get(error["type"], "")
    got = "nothing" if error["type"] == "missing" else json_type(error["input"])
    return f"expected {expected}, got {got}" if expected else str(error["msg"])


def coerced(value: Any, type: Type, path: Path = ()) -> tuple[Any, tuple[str, ...]]:
    """Convert a value leniently to its type, such as texts to numbers and booleans. Also returns
    one warning per conversion.

    Conversions are exact: 42.0 is no int and "3.5abc" no float. Undeclared fields of a record are
    dropped. InvalidValue for the first fault.
    """
    match type:
        case Optional(inner):
            return (None, ()) if value is None else coerced(value, inner, path)
        case ListOf(item):
            if not isinstance(value, list | tuple):
                raise _expected("list", value, path)
            read = [coerced(v, item, (*path, i)) for i, v in enumerate(value)]
            return [v for v, _ in read], tuple(w for _, warnings in read for w in warnings)
        case Record(fields):
            if not isinstance(value, Mapping):
                raise _expected("map", value, path)
            if type.closed and (unknown := value.keys() - {f.name for f in fields}):
                raise InvalidValue((Fault((*path, min(map(str, unknown))), "no such field"),))
            record: dict[str, Any] = {}
            warned: list[str] = []
            for f in fields:
                if f.name not in value and f.optional:
                    continue
                if f.name not in value:
                    raise InvalidValue((Fault((*path, f.name), "expected field, got nothing"),))
                record[f.name], warnings = coerced(value[f.name], f.type, (*path, f.name))
                warned += warnings
            return record, tuple(warned)
        case Primitive(name):
            return _coerced(value, name, path)


def _coerced(value: Any, name: str, path: Path) -> tuple[Any, tuple[str, ...]]:
    read = value
    if isinstance(value, str) and name in _WRITTEN:
        if not re.fullmatch(_WRITTEN[name], value):
            raise _expected(name, value, path)
        read = value == "true" if name == "bool" else int(value) if name == "int" else float(value)
    elif name == "datetime":
        text = value.isoformat() if isinstance(value, datetime) else value
        try:
            read = read_datetime(text)
        except (ValueError, AttributeError, TypeError):
            raise _expected("datetime with an offset", value, path) from None
        if datetime.fromisoformat(text).utcoffset() == read.utcoffset():
            return read, ()
    elif not _is(value, name):
        raise _expected(name, value, path)
    if name == "float":
        try:
            read_float = float(read)
        except OverflowError:  # a whole number of more than 308 digits
            read_float = math.inf
        if not math.isfinite(read_float):
            raise _expected("finite float", value, path)
        return read_float, () if read is value else _noted(path, value, name, read_float)
    return read, () if read is value else _noted(path, value, name, read)


def _noted(path: Path, value: Any, name: str, read: Any) -> tuple[str, ...]:
    return (f"{Fault(path, '')}{excerpt(value)} was read as {name} {read}",)


_WRITTEN = {
    "int": r"[+-]?[0-9]{1,1000}",
    "float": r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?",
    "bool": "true|false",
}
"""The accepted syntax of numbers and booleans. Stricter than pydantic's lax mode, which takes
"yes", 1.0 and " 4_2 ".
"""


def _is(value: Any, name: str) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return {
        "string": isinstance(value, str),
        "keyword": isinstance(value, str) and re.fullmatch(KEYWORD, value) is not None,
        "int": number and isinstance(value, int),
        "float": number,
        "bool": isinstance(value, bool),
        "map": isinstance(value, Mapping),
        "any": True,
    }[name]


def _expected(name: str, value: Any, path: Path) -> InvalidValue:
    return InvalidValue((Fault(path, f"expected {name}, got {excerpt(value)}"),))


def checked_result(
    value: Any, type: Type, mode: Mode = "enabled", *, finite: bool = True
) -> tuple[str, ...]:
    """Validate a tool's result; returns warnings in the mode ``warn_only``, raises InvalidValue in
    the failing modes.
    """
    found = (
        () if mode == "disabled" else faults(value, type, closed=mode == "strict", finite=finite)
    )
    if found and mode != "warn_only":
        raise InvalidValue(found)
    return tuple(map(str, found))
