"""Sets the values of fields, or of parts of fields (``path[2].x``), after checks against the
descriptions of the fields; and formats values.

Values are JSON of the file format; `raybench.scene.codec` decodes and encodes them.
"""

import difflib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from raybench.errors import RaybenchError, SceneFileError, elide_text, short_repr
from raybench.formula import FormulaError, parse_latex
from raybench.kinds.aspects.own_style import is_readable_style
from raybench.kinds.fields import (
    LENGTH,
    STYLE_KINDS,
    Description,
    Field,
    as_number,
    settable_fields,
)
from raybench.kinds.kinds import KINDS
from raybench.phrase import Phrase, join_with_commas
from raybench.scene.changes.quantity import InvalidQuantity, format_with_unit, read_quantity
from raybench.scene.codec import MAX_DEPTH, field_from_json, field_to_json, nesting_depth

_NUMERIC_KINDS = ("number", "coordinate", "point", "path", "points", "curve", "numbers", "limit")
_PATH = re.compile(r"([A-Za-z]\w*)((?:\[\d{1,9}\]|\.[A-Za-z]\w*)*)")
_STEP = re.compile(r"\[(\d+)\]|\.(\w+)")
Step = int | str
NO_VALUE = Phrase("none")
"""The text for an empty value."""


class InvalidValue(RaybenchError):
    """A field does not exist, or a value is not allowed; the message names the field and what is
    allowed. ``path`` is the path of the wrong part in an object's JSON, if it is known.
    """

    def __init__(self, text: str, path: str = "") -> None:
        super().__init__(text)
        self.path = path


def parse_path(path: str) -> tuple[str, tuple[Step, ...]]:
    """Split a path such as ``path[2].x`` into the name of the field and the steps into the field's
    value. Raises InvalidValue.
    """
    match = _PATH.fullmatch(path) if len(path) <= 200 else None
    if match is None:
        raise InvalidValue(
            f"{elide_text(path, 60)!r} is not a field. Give a name such as refIndex, or a part of a"
            " field such as p1.x or path[2].x."
        )
    return match[1], tuple(int(i) if i else name for i, name in _STEP.findall(match[2]))


def find_field(name: str, fields: Sequence[Field], owner: str, now: Mapping[str, Any]) -> Field:
    """The field with this name in the file format. Raises InvalidValue, which suggests fields with
    a part of this name among the values ``now``, or similar names.
    """
    for f in fields:
        if f.json_name == name:
            return f
    wholes = {f.json_name: field_to_json(f, now[f.name]) for f in fields if now[f.name] is not None}
    parts = [
        f"{field}.{name}"
        for field, whole in wholes.items()
        if isinstance(whole, Mapping) and name in whole
    ]
    meant = (
        f"Did you mean {' or '.join(parts)}?"
        if parts
        else suggest_similar_names(name, [f.json_name for f in fields])
    )
    raise InvalidValue(f"{owner} has no field {elide_text(name, 60)!r}. {meant}", name)


def unknown_kind_text(kind: object) -> str:
    """The error message for an unknown kind of object, with similar kinds."""
    return f"There is no kind {elide_text(str(kind), 60)!r}. {suggest_similar_names(str(kind), list(KINDS))}"


def suggest_similar_names(name: str, names: Collection[str]) -> str:
    """A sentence that suggests similar names, or lists all names if none is similar."""
    if not names:
        return "There are none."
    close = difflib.get_close_matches(name.lower(), {n.lower() for n in names}, 3, 0.6)
    similar = [n for n in names if n.lower() in close]
    return f"Did you mean {' or '.join(similar)}?" if similar else f"There are: {', '.join(names)}."


def decode_values(
    values: Mapping[str, Any],
    fields: Sequence[Field],
    now: Mapping[str, Any],
    owner: str,
    unit: str,
    *,
    part: bool = True,
) -> dict[str, Any]:
    """Decode JSON ``values`` for fields, or for parts of fields, and return the new values by
    attribute.

    ``now`` maps attributes to their current values, ``owner`` names the object in errors, ``unit``
    is the document's length unit. If ``part`` is false, only whole fields can be set. A JSON object
    changes only the keys it contains; numbers, texts and lists are replaced. Raises InvalidValue
    with the name of the field.
    """
    new: dict[str, tuple[Field, Any]] = {}
    for path, value in values.items():
        name, steps = parse_path(path)
        f = find_field(name, fields, owner, now)
        if nesting_depth(value) > MAX_DEPTH:
            raise InvalidValue(f"{owner}: {path} is nested too deeply.")
        if steps and not part:
            raise InvalidValue(f"{owner}: {path} is a part of a field; give {name} as a whole.")
        whole = new[f.name][1] if f.name in new else field_to_json(f, now[f.name])
        try:
            if steps and whole is None:  # as the parameters of a lens with an outline
                raise _MissingPart(
                    f"{name} is"
                    f" empty{', as the outline is given by path' if now.get('path') else ''}."
                )
            new[f.name] = f, _replace_part_at_path(whole, steps, _convert_texts(f, value, unit))
        except InvalidQuantity as error:
            raise InvalidValue(f"{owner}: {path} {error}.", path) from None
        except _MissingPart as error:
            raise InvalidValue(f"{owner}: {path} does not exist: {error}") from None
    out = {}
    for attribute, (f, value) in new.items():
        try:
            out[attribute] = _decode_and_check_field(f, value, owner, unit)
        except InvalidValue as error:
            raise InvalidValue(str(error), path_named_in_error([f.json_name], str(error))) from None
    return out


def path_named_in_error(names: Iterable[str], text: str) -> str:
    """The path, such as ``path[2].x``, of the field or part that an error message names. Empty if
    the message names none.
    """
    for name in names:
        part = rf"(?<!\w){re.escape(name)}(?: ?\[\d+\])?(?:\[\d+\]|\.[A-Za-z]\w*)*"
        if found := re.search(part, text):
            return found[0].replace(" ", "")
    return ""


class _MissingPart(Exception):
    """A path does not lead to an existing part of a value."""


def _replace_part_at_path(whole: Any, steps: tuple[Step, ...], value: Any) -> Any:
    """The JSON value ``whole`` with the part at the path ``steps`` replaced."""
    if not steps:
        return (
            {**whole, **value}
            if isinstance(whole, Mapping) and isinstance(value, Mapping)
            else value
        )
    step, rest = steps[0], steps[1:]
    if isinstance(step, int):
        if not isinstance(whole, list | tuple):
            raise _MissingPart(f"[{step}] is not applied to a list.")
        if step >= len(whole):
            raise _MissingPart(f"there are {len(whole)} items, counted from 0.")
        return [*whole[:step], _replace_part_at_path(whole[step], rest, value), *whole[step + 1 :]]
    if not isinstance(whole, Mapping):
        raise _MissingPart(f"'{step}' is not applied to a JSON object.")
    if step not in whole:
        raise _MissingPart(suggest_similar_names(step, list(whole)))
    return {**whole, step: _replace_part_at_path(whole[step], rest, value)}


def _convert_texts(f: Field, value: Any, unit: str) -> Any:
    """Convert texts such as "5 mm" to numbers if the field is numeric. In parameters without a
    unit, such as those of a module, a text with a unit is a length.
    """
    parameters = f.json_name == "params"
    if f.about.kind not in _NUMERIC_KINDS and not parameters:
        return value
    if f.about.kind == "limit" and value == "Infinity":
        return value
    if isinstance(value, str):
        return read_quantity(value, f.about.unit or (LENGTH if parameters else ""), unit)
    if isinstance(value, Mapping):
        return {k: _convert_texts(f, v, unit) for k, v in value.items()}
    return [_convert_texts(f, v, unit) for v in value] if isinstance(value, list | tuple) else value


def _decode_and_check_field(f: Field, value: Any, owner: str, unit: str) -> Any:
    """Decode the JSON value of a field and check it. Raises InvalidValue if it is malformed, out of
    range or has unknown keys.
    """
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError) as error:
        raise InvalidValue(
            f"{owner}: {f.json_name} must be JSON with finite numbers: {error}."
        ) from None
    try:
        out = field_from_json(f, value)
    except SceneFileError as error:
        raise InvalidValue(f"{owner}: {error}") from None
    kind, low, high = f.about.kind, f.about.low, f.about.high
    low = 0.0 if kind == "limit" and low is None else low
    if kind in ("number", "coordinate", "limit") and value is not None and value != "Infinity":
        given = float(value)
        if limits := violated_limits_text(given, low, high):
            raise InvalidValue(
                f"{owner}: {f.json_name} must be {limits}; {format_with_unit(given, f.about.unit, unit)}"
                " is not."
            )
    if kind == "text" and f.about.variables and isinstance(out, str):
        try:
            parse_latex(out, f.about.variables)
        except FormulaError as error:
            raise InvalidValue(f"{owner}: {f.json_name}: {error}") from None
    if kind in STYLE_KINDS and not is_readable_style(value):
        raise InvalidValue(f"{owner}: {f.json_name} cannot be read. {f.about.help}")
    if kind in STYLE_KINDS and value is not None:  # what is taken back leaves no entry
        return {key: entry for key, entry in value.items() if entry is not None} or None
    if kind not in ("data", "limit"):
        _refuse_unknown_keys(value, field_to_json(f, out), f.json_name, owner)
    return out


def violated_limits_text(value: float, low: float | None, high: float | None) -> str:
    """A sentence that states the limits if a number is outside of them, otherwise empty."""
    if (low is None or value >= low) and (high is None or value <= high):
        return ""
    if low is not None and high is not None:
        return f"between {low:g} and {high:g}"
    return f"at least {low:g}" if low is not None else f"at most {high:g}"


def _refuse_unknown_keys(given: Any, known: Any, where: str, owner: str) -> None:
    """Raise InvalidValue for keys of ``given`` that are not in ``known``, which the decoding
    ignores.
    """
    if isinstance(given, Mapping) and isinstance(known, Mapping):
        for key, value in given.items():
            if key not in known and value is not None:
                raise InvalidValue(
                    f"{owner}: {where} has no part {elide_text(key, 60)!r}. {suggest_similar_names(key, list(known))}"
                )
            _refuse_unknown_keys(value, known.get(key), f"{where}.{key}", owner)
    elif isinstance(given, list | tuple) and isinstance(known, list):
        for i, (a, b) in enumerate(zip(given, known, strict=True)):
            _refuse_unknown_keys(a, b, f"{where}[{i}]", owner)


# --- formatting


def json_at_path(value: Any, path: str) -> Any:
    """The JSON value at a path in an object or in settings; None if the path does not exist."""
    f, steps = _field_at_path(value, path)
    part = field_to_json(f, getattr(value, f.name)) if f is not None else None
    for step in steps:
        if isinstance(step, int):
            part = part[step] if isinstance(part, list | tuple) and step < len(part) else None
        else:
            part = part.get(step) if isinstance(part, Mapping) else None
    return part


def _field_at_path(value: Any, path: str) -> tuple[Field | None, tuple[Step, ...]]:
    """The field at the beginning of a path, and the remaining steps into the field's value."""
    name, steps = parse_path(path)
    return next((f for f in settable_fields(type(value)) if f.json_name == name), None), steps


def field_label_at_path(value: Any, path: str) -> str:
    """The label of a field, or of a part of it, for use in a sentence."""
    f, steps = _field_at_path(value, path)
    name = parse_path(path)[0]
    if name == "params" and steps:
        return path[len(name) + 1 :]
    label = f.about.label if f is not None else name
    label = Phrase(label[:1].lower() + label[1:] if label[1:2].islower() else label)
    rest = path[len(name) :]
    return Phrase("{label}{rest}", label=label, rest=rest) if rest else label


def format_value(value: Any, path: str, part: Any, unit: str) -> str:
    """Format ``part``, the value at a path of an object, for users."""
    f, _ = _field_at_path(value, path)
    about = f.about if f is not None else Description("data", "")
    if part is None:
        return NO_VALUE
    if isinstance(part, bool):
        return Phrase("on") if part else Phrase("off")
    if isinstance(part, int | float):
        if as_number(part) is None:
            return short_repr(part)
        return format_with_unit(part, about.unit, unit)
    if isinstance(part, str):
        if part in about.choices and about.titles:
            return Phrase(about.titles[about.choices.index(part)].lower())
        return elide_text(part, 40) or NO_VALUE
    if isinstance(part, Mapping):
        if all(not isinstance(c, str) and as_number(c) is not None for c in map(part.get, "xy")):
            point = Phrase("({x:.6g}, {y:.6g})", x=part["x"], y=part["y"])
            in_unit = Phrase("{point} {unit}", point=point, unit=unit)
            return in_unit if about.unit == LENGTH else point
        parts = [(k, format_value(value, path, v, unit)) for k, v in list(part.items())[:6]]
        return join_with_commas([Phrase("{label} {value}", label=k, value=v) for k, v in parts])
    return Phrase("1 item") if len(part) == 1 else Phrase("{count} items", count=len(part))
