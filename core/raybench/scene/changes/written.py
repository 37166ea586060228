"""Conversion of changes from and to JSON. Decoding is strict; encoding uses names instead of
keys.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from raybench.errors import RaybenchError, elide_text, list_choices
from raybench.kinds.fields import Description, described_fields
from raybench.scene.changes.change import CHANGE_TYPES, Change, ChangeRefused, Changes
from raybench.scene.changes.linking import split_off_links
from raybench.scene.changes.quantity import InvalidQuantity, read_quantity
from raybench.scene.changes.transaction import (
    change_refused_error,
    check_changed_document,
    replace_keys_by_names,
)
from raybench.scene.changes.values import InvalidValue, suggest_similar_names, violated_limits_text
from raybench.scene.codec import MAX_DEPTH, nesting_depth
from raybench.scene.document import Document, use_negative_revisions
from raybench.scene.treatments import NO_TREATMENT, TREATMENTS
from raybench.shapes.point import Point

MAX_CHANGES = 10_000


OTHER_SPELLINGS = {
    "rename": "{'set': 'Lens', 'name': 'Objective'}",
    "enable": "{'disable': 'Lens', 'on': false}",
    "show": "{'hide': 'Lens', 'on': false}",
    "remove": "{'delete': 'Lens'}",
    "copy": "{'duplicate': 'Lens'}",
    "turn": "{'rotate': 'Lens', 'by': 5}",
}
"""How changes are written that are no verbs of their own."""


@use_negative_revisions()
def changes_from_json(data: Any, document: Document) -> tuple[Change, ...]:
    """Decode a change or a list of changes, and replace the names in it by keys.

    Each change is decoded for the document after the previous changes. Raises ChangeRefused, which
    names the invalid change and the reason.
    """
    many = [data] if isinstance(data, Mapping) else data
    if not isinstance(many, list | tuple) or len(many) > MAX_CHANGES:
        raise ChangeRefused(
            f"Changes are a list of at most {MAX_CHANGES} JSON objects, such as [{{'set': 'Prism',"
            " 'refIndex': 1.7}]."
        )
    out: list[Change] = []
    documents = [document]
    for i, item in enumerate(many, 1):
        change: Change | None = None
        try:
            change = read_change(item, documents[-1].unit)
            for each in split_off_links(change, documents[-1]):
                out.append(each.replace_names_by_keys(documents[-1]))
                documents.append(out[-1].apply(documents[-1]))
        except (RaybenchError, OverflowError, ZeroDivisionError) as error:
            if change is not None:
                raise change_refused_error(change, documents[-1], i, len(many), error) from error
            where = f"Change {i} of {len(many)}: " if len(many) > 1 else ""
            raise ChangeRefused(
                f"{where}{error}{' None of the changes was made.' if where else ''}", i
            ) from error
    check_changed_document(out, documents)
    return tuple(out)


def convert_to_changes(changes: Any, document: Document) -> tuple[Change, ...]:
    """Convert changes, which may be `Change` objects or JSON, to a tuple of `Change` objects.
    Raises ChangeRefused.
    """
    if isinstance(changes, Change):
        return (changes,)
    if not isinstance(changes, Mapping):
        changes = (
            list(changes)
            if isinstance(changes, Iterable) and not isinstance(changes, str | bytes)
            else [changes]
        )
        if all(isinstance(c, Change) for c in changes):
            return tuple(changes)
    return changes_from_json(changes, document)


def read_change(data: Any, unit: str = "mm") -> Change:
    """Decode one change from JSON. Names of objects are not replaced by keys. Raises
    InvalidValue.
    """
    if not isinstance(data, Mapping) or not all(isinstance(k, str) for k in data):
        raise InvalidValue("A change is a JSON object such as {'move': 'Lens', 'dx': 5}.")
    if nesting_depth(data) > MAX_DEPTH:
        raise InvalidValue("The change is nested too deeply.")
    verbs = [k for k in data if k in CHANGE_TYPES]
    # among the fields that follow a verb, one may be named as a verb
    verbs = [k for k in verbs if CHANGE_TYPES[k].follow][:1] or verbs
    if len(verbs) != 1:
        if verbs:
            raise InvalidValue(f"A change has one verb, this has {' and '.join(verbs)}.")
        key = next(iter(data), "")
        how = (
            f"Write it as {OTHER_SPELLINGS[key]}."
            if key in OTHER_SPELLINGS
            else suggest_similar_names(key, CHANGE_TYPES)
        )
        raise InvalidValue(f"{elide_text(key, 60)!r} is not a change. {how}")
    kind = CHANGE_TYPES[verbs[0]]
    subject, rest = data[kind.verb], {k: v for k, v in data.items() if k != kind.verb}
    arguments: dict[str, Any] = {}
    if kind.subject:
        arguments[kind.subject] = kind.subject_from_json(subject, unit)
    elif isinstance(subject, Mapping):
        rest = {**subject, **rest}
    else:
        raise InvalidValue(f"'{kind.verb}' takes {kind.takes}.")
    if kind.follow:
        own = {f.json_name for f in described_fields(kind)}
        arguments[kind.follow] = {k: v for k, v in rest.items() if k not in own}
        rest = {k: v for k, v in rest.items() if k in own}
    return kind(**arguments, **_decode_change_arguments(kind, rest, unit))


def _decode_change_arguments(
    kind: type[Change], given: Mapping[str, Any], unit: str
) -> dict[str, Any]:
    """The constructor arguments of a change, decoded and checked against the descriptions of its
    parameters.
    """
    fields = {f.json_name: f for f in described_fields(kind)}
    out: dict[str, Any] = {}
    for name, value in given.items():
        if name not in fields:
            raise InvalidValue(
                f"'{kind.verb}' has no parameter {elide_text(name, 60)!r}."
                f" {suggest_similar_names(name, fields)}"
            )
        out[fields[name].name] = _read_argument(
            fields[name].about, value, f"{kind.verb}.{name}", unit
        )
    if kind.needs and not given.keys() & set(kind.needs):
        example = json.dumps({kind.verb: "Name", **kind.example})
        raise InvalidValue(
            f"'{kind.verb}' needs {list_choices(kind.needs)}. Write it as {example}."
        )
    return out


def _read_argument(about: Description, value: Any, where: str, unit: str) -> Any:
    try:
        match about.kind:
            case "number":
                return _read_number(about, value, where, unit)
            case "flag" if isinstance(value, bool):
                return value
            case "mapping" if isinstance(value, Mapping) and all(
                isinstance(v, Mapping) for v in value.values()
            ):
                return {str(k): dict(v) for k, v in value.items()}
            case "scene_object" | "data" if isinstance(value, Mapping):
                return dict(value)
            case "coating" | "finish" if value is None or value == NO_TREATMENT:
                return ""
            case "coating" | "finish" if isinstance(value, str | Mapping):
                return value
            case "choice" if value in about.choices:
                return value
            case "text" | "object" if isinstance(value, str):
                return value
            case "place" if isinstance(value, str):
                return value
            case "place" if isinstance(value, Mapping) and set(value) == {"x", "y"}:
                return Point(*(_read_number(about, value[k], f"{where}.{k}", unit) for k in "xy"))
    except InvalidQuantity as error:
        raise InvalidValue(f"{where} {error}.") from None
    needed = {"flag": "true or false", "choice": f"one of {', '.join(about.choices)}", "text": "a text", "object": "an object's name",
              "mapping": "a JSON object of JSON objects", "data": "a JSON object",
              **{sort.noun: f"a {sort.noun}: {sort.forms}" for sort in TREATMENTS},
              "scene_object": "an object in the file format, with its type",
              "place": "a point with x and y, or an object's name"}  # fmt: skip
    raise InvalidValue(
        f"{where} must be {needed[about.kind]}, it is {elide_text(repr(value), 60)}."
    )


def _read_number(about: Description, value: Any, where: str, unit: str) -> float:
    if isinstance(value, str):
        value = read_quantity(value, about.unit, unit)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e50:
        raise InvalidValue(f"{where} must be a finite number, it is {elide_text(repr(value), 60)}.")
    if limits := violated_limits_text(value, about.low, about.high):
        raise InvalidValue(f"{where} must be {limits}; {value:g} is not.")
    return float(value)


# --- writing


def changes_to_json(changes: Changes, document: Document) -> list[dict[str, Any]]:
    """Encode changes as JSON, with the names that objects have in the document. Raises UnknownName
    if a name is ambiguous.
    """
    return [_change_as_json(change) for change in replace_keys_by_names(changes, document)]


def _change_as_json(change: Change) -> dict[str, Any]:
    """Encode a change as JSON. Its targets must be names."""
    parameters: dict[str, Any] = {}
    for f in described_fields(type(change)):
        value = getattr(change, f.name)
        if value is not None and (value != f.default or f.json_name in change.needs):
            at = {"x": value.x, "y": value.y} if isinstance(value, Point) else value
            parameters[f.json_name] = at
    if not change.subject:
        return {change.verb: parameters}
    values = getattr(change, change.follow) if change.follow else {}
    return {change.verb: change.subject_to_json(), **values, **parameters}
