"""A tool called by hand: ``/name "first argument" name=value``."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from core.agent.tool import Tool
from core.errors import RaybenchError

_WORD = r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'])+"


class InvalidCommand(RaybenchError):
    """A slash command that cannot be read; the text says how it is written."""


def parse_command(text: str, tools: Sequence[Tool]) -> tuple[Tool, dict[str, Any]]:
    """The tool and arguments of a slash command.

    Arguments stand in the order of the tool's parameters, quoted as in a shell, or as ``name=value``. Types are the schema's; what
    does not fit is passed on as text, for the tool's own check to name.
    """
    name, _, rest = text.strip().removeprefix("/").partition(" ")
    tool = next((t for t in tools if t.name == name), None)
    if tool is None:
        near = difflib.get_close_matches(name, [t.name for t in tools], 3, 0.5)
        hint = f"Did you mean {', '.join('/' + n for n in near)}?" if near else "Type /help for what there is."
        raise InvalidCommand(f"There is no command /{name}. {hint}")
    try:
        words = _words(rest)
    except ValueError:
        raise InvalidCommand(f'A quotation mark is not closed in: {rest} Write /{name} "a name".') from None
    properties: Mapping[str, Mapping[str, Any]] = tool.input_schema["properties"]
    free = list(properties)
    arguments: dict[str, Any] = {}
    for word, quoted in words:
        given, equals, value = word.partition("=")
        if equals and given in properties and not quoted:
            if given in arguments:
                raise InvalidCommand(f"'{given}' is given twice. Usage: /{tool.usage}")
        elif free:
            given, value = free[0], word
        else:
            raise InvalidCommand(f"One argument too many: '{word}'. Quote names that hold spaces. Usage: /{tool.usage}")
        arguments[given] = _typed(value, properties[given])
        free = [p for p in free if p != given]
    return tool, arguments


def _words(rest: str) -> list[tuple[str, bool]]:
    """The words of a line without their quotation marks, and whether each began with one. ValueError if one is not closed."""
    if re.sub(_WORD, "", rest).strip():
        raise ValueError(rest)
    return [(re.sub(r"\"([^\"]*)\"|'([^']*)'", r"\1\2", word), word[0] in "\"'") for word in re.findall(_WORD, rest)]


def _typed(text: str, about: Mapping[str, Any]) -> Any:
    """A word as the type its parameter has."""
    kinds = {about.get("type"), *(option.get("type") for option in about.get("anyOf", ()))}
    if about.get("type") == "string":
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return float(value) if kinds & {"number"} and isinstance(value, int) and not isinstance(value, bool) else value
