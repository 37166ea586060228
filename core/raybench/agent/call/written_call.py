"""A call that a model wrote as JSON text, ``{"tool": "name", "args": {…}}``: found in its reply,
and read strictly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from raybench.agent.tools.tool import Tool, tool_named
from raybench.errors import elided
from raybench.schema.argument_faults import EXPECTED, field_of
from raybench.schema.parameters import InvalidArguments, InvalidSignature
from raybench.schema.signature import SignatureError

_JSON_WORDS = {name: name for name in ("int", "float", "bool", "string")} | {
    "finite float": "float",
    "list": "array",
    "map": "object",
}
"""The JSON names of types in error messages. Other faults use the message of the check."""
_FENCE = re.compile(r"```\w*\s*")
_MEANT = re.compile(r"\{\s*[\"'}]|\[\s*\{")
"""The beginning of a text that is meant as an object, or as a list of objects."""
_AMONG_WORDS = re.compile(r"\{\s*\"(?:tool|args)\"\s*:")
_KEYS = ("tool", "args", "arguments", "function", "tool_calls", "tool_name")
"""Keys of calls, also in the forms of other protocols, which a model may write by mistake."""
_KEY = re.compile(rf"[\"']?(?:{'|'.join(_KEYS)})[\"']?\s*:")


@dataclass(frozen=True)
class Written:
    """A reply that was meant as a call: its ``text``, and its ``payload`` or, if that cannot be
    read, the ``fault``.
    """

    text: str
    payload: Any = None
    fault: str = ""


def written_call(reply: str) -> Written | None:
    """The call that a reply was meant as; None if it is an answer: words, a number, JSON without a
    key of calls, such as was asked for.

    A code fence around the whole reply is accepted, since many models write one. A call among other
    words is a fault.
    """
    reply = reply.strip()
    first, line_end, rest = reply.partition("\n")
    fenced = bool(line_end) and _FENCE.fullmatch(first) is not None and rest.endswith("```")
    text = rest.removesuffix("```").strip() if fenced else reply
    if not _MEANT.match(text):
        among = _AMONG_WORDS.search(reply)
        return (
            Written(reply[among.start() :], fault="Payload must stand alone, without other words")
            if among
            else None
        )
    try:
        payload = json.loads(text, object_pairs_hook=_with_unique_keys)
    except (ValueError, RecursionError) as error:
        return Written(text, fault=f"Payload must be JSON ({error})") if _KEY.search(text) else None
    objects = payload if isinstance(payload, list) else [payload]
    return (
        Written(text, payload)
        if any(isinstance(o, Mapping) and not o.keys().isdisjoint(_KEYS) for o in objects)
        else None
    )


def _with_unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON. ValueError if a key occurs twice: which of the values is meant is not
    known.
    """
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key '{elided(key, 40)}' occurs twice")
        found[key] = value
    return found


@dataclass(frozen=True)
class CallRead:
    """The result of reading a call: an error in one line, or the arguments with defaults filled in
    and unknown ones dropped.

    ``tool`` is the name that was called, as far as it could be read.
    """

    error: str = ""
    tool: str | None = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    dropped: tuple[str, ...] = ()

    @property
    def valid(self) -> bool:
        return not self.error


def read_call(payload: Any, tools: Sequence[Tool]) -> CallRead:
    """Check a payload against the tools; the error is the first fault found."""
    if not isinstance(payload, Mapping):
        return CallRead("Payload must be an object")
    if set(payload) != {"tool", "args"}:
        return CallRead("Payload must have exactly 'tool' and 'args' keys")
    name, arguments = payload["tool"], payload["args"]
    if not isinstance(name, str):
        return CallRead("'tool' must be a string")
    tool = tool_named(tuple(tools), name)
    if tool is None or tool.private:
        return CallRead(f"Unknown tool '{name}'", name)
    if not isinstance(arguments, Mapping):
        return CallRead("'args' must be an object", name)
    try:
        checked = tool.parameters.check(arguments)
    except InvalidArguments as error:
        return CallRead(_message(error, arguments), name)
    except (InvalidSignature, SignatureError) as error:
        return CallRead(f"Tool '{name}' cannot be called: {error}", name)
    return CallRead("", name, checked.values, checked.dropped)


def _message(error: InvalidArguments, arguments: Any) -> str:
    if not error.faults:
        return str(error)
    fault = error.faults[0]
    where, wanted = field_of(fault, arguments), EXPECTED.get(fault["type"])
    if wanted == "field":
        return f"Missing required arg '{where}'"
    return f"{where} must be {_JSON_WORDS[wanted]}" if wanted in _JSON_WORDS else str(error)
