"""A call that a model wrote as JSON text, ``{"tool": "name", "args": {…}}``, read strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.agent.tools.argument_faults import field_of
from core.agent.tools.parameters import InvalidArguments, InvalidSignature
from core.agent.tools.signature import SignatureError
from core.agent.tools.tool import Tool, tool_named

_KINDS = {
    "int_type": "int",
    "float_type": "float",
    "finite_number": "float",
    "bool_type": "bool",
    "string_type": "string",
    "dict_type": "object",
    "list_type": "array",
}


@dataclass(frozen=True)
class CallRead:
    """What came of reading a call: an error in one line, or the arguments with defaults filled in and unknown ones dropped.

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
    """Check a payload against the tools there are; the first thing that is wrong with it is told."""
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
        return CallRead(_told(error, arguments), name)
    except (InvalidSignature, SignatureError) as error:
        return CallRead(f"Tool '{name}' cannot be called: {error}", name)
    return CallRead("", name, checked.values, checked.dropped)


def _told(error: InvalidArguments, arguments: Any) -> str:
    if not error.faults:
        return str(error)
    fault = error.faults[0]
    where = field_of(fault, arguments)
    if fault["type"] == "missing":
        return f"Missing required arg '{where}'"
    return f"{where} must be {_KINDS[fault['type']]}" if fault["type"] in _KINDS else str(error)
