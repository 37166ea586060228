"""Lists as models write them: also a single item that stands for a list of one, and the JSON of a
list as text.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any


def from_json(value: Any) -> Any:
    """The list or object whose JSON a text is; anything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def as_list(value: Any, item: type) -> Any:
    """A single item, or the JSON of one or of a list, as a list; anything else as it is."""
    read = from_json(value)
    if isinstance(read, list):
        return read
    one = read if isinstance(read, item) else value
    return [one] if isinstance(one, item) else value


@dataclass(frozen=True)
class OneIsList:
    """Makes `as_list` of a parameter's value. The JSON schema stays that of the list."""

    item: type

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_before_validator_function(
            lambda value: as_list(value, self.item), handler(source)
        )


TextList = Annotated[list[str], OneIsList(str)]
"""The type of a tool's parameter for texts: a list, or one alone."""
