"""Conversion of Python values to JSON, the memory size of JSON values, and the conversion of lists
from language models, which may write a single item instead of a list, or a list as JSON text.
"""

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Annotated, Any

from raybench.errors import RaybenchError, escaped_json, with_article

MOST_NESTED_VALUES = 100
"""Maximum nesting depth of arguments, below Python's recursion limit."""
BYTES_EACH = 64
"""Minimum size of a Python object in bytes, as an estimate."""
MOST_REPR_CHARACTERS = 2_000
MOST_ITEMS = 1_000_000
"""Maximum number of items taken from an iterator, which may be infinite."""
DEEPEST_RESULT = 1_000
"""Depth to which a value is measured; what nests deeper cannot be JSON and becomes text."""


class TooManyItems(RaybenchError):
    """An iterator has more than `MOST_ITEMS` items."""


class TooLarge(RaybenchError):
    """A value needs too much memory."""


def to_json_value(value: Any, *, strict: bool = False, most: int | None = None) -> Any:
    """Convert a value to JSON values: dataclasses to objects, dates to ISO text, arrays to lists,
    anything else to its shortened ``repr``.

    With ``strict``, other values raise TypeError or ValueError. Raises TooManyItems for an iterator
    with too many items, and TooLarge if the value needs more than ``most`` bytes.
    """
    from pydantic_core import to_jsonable_python

    if isinstance(value, Iterator):
        value = list(islice(value, MOST_ITEMS + 1))
        if len(value) > MOST_ITEMS:
            raise TooManyItems(
                f"The result is an iterator of more than {MOST_ITEMS:,} items. Return a list."
            )
    if most is not None and not fits_memory_size(value, most, DEEPEST_RESULT, deeper=True):
        raise TooLarge(
            f"The result needs more than {most // 10**6} MB. Return a part of it, or write it to a"
            " file."
        )

    def convert_value_without_json_form(value: Any) -> Any:
        if hasattr(value, "tolist"):  # arrays and numbers of numpy
            return value.tolist()
        if strict:
            a_class = isinstance(value, type)
            what = f"the class {value.__name__}" if a_class else with_article(type(value).__name__)
            raise TypeError(f"{what} has no form in JSON")
        return _short_repr(value)

    try:
        return to_jsonable_python(
            value, fallback=convert_value_without_json_form, inf_nan_mode="constants"
        )
    except (ValueError, TypeError, RecursionError):  # bytes, or a cyclic structure
        if strict:
            raise
        return _short_repr(value)


def _short_repr(value: Any) -> str:
    try:
        return repr(value)[:MOST_REPR_CHARACTERS]
    except Exception as error:  # nested too deep, or without a working __repr__
        return f"<{type(value).__name__}: {error}>"[:MOST_REPR_CHARACTERS]


def nests_too_deep(arguments: Mapping[str, Any]) -> bool:
    """Whether lists and objects in the arguments are nested more than `MOST_NESTED_VALUES` deep."""
    level: list[Any] = [arguments]
    for _ in range(MOST_NESTED_VALUES):
        level = [
            inner
            for item in level
            for inner in (item.values() if isinstance(item, Mapping) else item)
        ]
        level = [item for item in level if isinstance(item, Mapping | list | tuple)]
        if not level:
            return False
    return True


def arguments_if_json_object(arguments: Any) -> Mapping[str, Any]:
    """The arguments if they are a JSON object, otherwise an empty mapping."""
    if not isinstance(arguments, Mapping) or nests_too_deep(arguments):
        return {}
    try:
        json.dumps(dict(arguments))
    except (TypeError, ValueError):  # such as a number of thousands of digits
        return {}
    return arguments


def json_text(value: Any) -> str:
    """JSON values as text; a string is returned unquoted."""
    return value if isinstance(value, str) else escaped_json(json.dumps(value, ensure_ascii=False))


def json_document(value: Any) -> str:
    """JSON values as an indented document. NaN and infinities, which are not valid JSON, become
    texts.
    """
    from pydantic_core import PydanticSerializationError, to_json

    try:
        return escaped_json(to_json(value, indent=2, inf_nan_mode="strings").decode())
    except (
        PydanticSerializationError
    ):  # half of a pair of surrogates, which UTF-8 lacks and JSON has as an escape
        return escaped_json(
            json.dumps(
                _without_nonfinite_numbers(to_json_value(value)), indent=2, ensure_ascii=False
            )
        )


def _without_nonfinite_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nonfinite_numbers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_without_nonfinite_numbers(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def json_type(value: Any) -> str:
    """The JSON type name of a value."""
    if isinstance(value, bool):
        return "boolean"
    for kind, name in (
        (int, "integer"),
        (float, "number"),
        (str, "string"),
        (list, "array"),
        (Mapping, "object"),
    ):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "any"


def fits_memory_size(
    value: Any, most: int, deepest: int = MOST_NESTED_VALUES, *, deeper: bool = False
) -> bool:
    """Whether a value needs at most ``most`` bytes, where a shared part counts each time it occurs,
    and is nested at most ``deepest`` deep. With ``deeper`` the parts below that depth are ignored.

    Small values can expand to billions of bytes, such as a list that contains another list twice,
    which contains a third list twice …
    """
    around: list[Iterator[Any]] = [iter((value,))]
    while around:
        for item in around[-1]:
            most -= BYTES_EACH
            if not isinstance(item, list | tuple | set | frozenset | Mapping):
                most -= _item_json_size(item)
            elif most < BYTES_EACH * len(item):
                return False
            elif len(around) <= deepest:
                around.append(
                    chain(item, item.values()) if isinstance(item, Mapping) else iter(item)
                )
                break
            elif not deeper:
                return False
            if most < 0:
                return False
        else:
            around.pop()
    return True


def _item_json_size(item: Any) -> int:
    if item is None or isinstance(item, float):
        return 0
    if isinstance(item, str | bytes | bytearray):
        return len(item)
    if isinstance(item, int):
        return item.bit_length() // 8
    count = (
        getattr(item, "size", 0) if hasattr(item, "tolist") else 0
    )  # of an array, whose numbers become objects
    return BYTES_EACH * count if isinstance(count, int) else 0


def parse_json_container(value: Any) -> Any:
    """Parse the JSON text of a list or an object. Any other value is returned unchanged."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def coerce_to_list(value: Any, item: type) -> Any:
    """Convert a single item, or the JSON text of an item or a list, to a list. Other values are
    unchanged. ``item`` is the type of the list's items.
    """
    read = parse_json_container(value)
    if isinstance(read, list):
        return read
    one = read if isinstance(read, item) else value
    return [one] if isinstance(one, item) else value


@dataclass(frozen=True)
class ListFromSingleItem:
    """An annotation of a parameter that applies `coerce_to_list` to its value. The JSON schema is
    still that of the list.
    """

    item: type

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(
            lambda value: coerce_to_list(value, self.item), handler(source)
        )


TextList = Annotated[list[str], ListFromSingleItem(str)]
"""The type of a tool's parameter for texts: a list, or one alone."""
