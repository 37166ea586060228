"""The analysis tools with their JSON schemas, for agent frameworks and scripts. The entries are
generated from `raybench.analysis.tools`.
"""

import inspect
import json
from collections.abc import Callable
from typing import Any, Literal

from raybench.analysis import agentic_tools
from raybench.errors import RaybenchError
from raybench.schema.parameters import describe_function

TOOLS: tuple[Callable[..., str], ...] = tuple(agentic_tools.WRAPPERS.values())
"""Every tool of `raybench.analysis.tools`, as a function that returns XML."""
__all__ = ["TOOLS", "get_agentic_tools", "list_available_tools"]


def get_agentic_tools() -> list[dict[str, Any]]:
    """
    Return the string-based tools with framework-neutral metadata.

    Each entry contains:
    - 'name': function name (str)
    - 'function': the callable
    - 'description': one-line description (str)
    - 'parameters': dict of parameter names to types and descriptions
    - 'input_schema': JSON schema of the parameters, in the format of the Messages API

    The functions take typed parameters, return a string and raise exceptions with a readable
    message. To use them in a framework:

        tools = [t["function"] for t in get_agentic_tools()]
    """
    return [_tool_metadata(function) for function in TOOLS]


def _tool_metadata(function: Callable[..., str]) -> dict[str, Any]:
    signature = describe_function(function)
    schema = json.loads(json.dumps(dict(signature.parameters.schema)))
    return {
        "name": function.__name__,
        "function": function,
        "description": (signature.description or "").partition("\n")[0],
        "parameters": {name: dict(parameter) for name, parameter in schema["properties"].items()},
        "input_schema": schema,
    }


def list_available_tools(format: Literal["text", "dict"] = "text") -> str | list[dict[str, str]]:
    """
    Return the catalogue of the tools and of the related functions for scripts.

    Args:
        format: "text" for users and models; "dict" for a list of dicts with module, name, kind,
            signature and description.
            The kind is "tool" if a language model may call it, "function" if it is for Python
            scripts only.
    """
    if format not in ("text", "dict"):
        raise RaybenchError(f"format is {format!r}; it must be 'text' or 'dict'.")
    tools = [
        _registry_entry(f, "tool", ", ".join(describe_function(f).parameters.summary))
        for f in TOOLS
    ]
    functions = (getattr(agentic_tools, name) for name in agentic_tools.__all__)
    others = [f for f in (*functions, get_agentic_tools, list_available_tools) if f not in TOOLS]
    entries = tools + [
        _registry_entry(f, "function", ", ".join(inspect.signature(f).parameters)) for f in others
    ]
    if format == "dict":
        return entries
    return "\n".join(
        [
            "Tools:",
            *map(_registry_line, tools),
            "For scripts:",
            *map(_registry_line, entries[len(tools) :]),
        ]
    )


def _registry_entry(function: Callable[..., Any], kind: str, parameters: str) -> dict[str, str]:
    description = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
    name = function.__name__
    return {
        "module": function.__module__,
        "name": name,
        "kind": kind,
        "signature": f"{name}({parameters})",
        "description": description,
    }


def _registry_line(entry: dict[str, str]) -> str:
    return f"{entry['signature']}\n    {entry['description']}"
