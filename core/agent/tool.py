"""A tool: a function with what a model, a person and the approval of calls need to know about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from core.agent.signature import Signature, signature_of

Effect = Literal["read", "edit", "destructive", "external"]


@dataclass(frozen=True, eq=False)
class Tool:
    """Something that can be called by name.

    ``function`` takes what ``input_schema`` describes and returns a text. ``effect`` says what it does beyond answering; unstated it
    is ``external``, which asks first.
    """

    name: str
    function: Callable[..., str]
    description: str
    input_schema: Mapping[str, Any]
    effect: Effect = "external"

    @classmethod
    def from_function(cls, function: Callable[..., str], *, name: str = "", description: str = "", effect: Effect = "external") -> Self:
        """A tool from a function's type hints and docstring; InvalidSignature if a model could not call it."""
        signature = signature_of(function)
        return cls(name or signature.name, function, description or signature.description, signature.schema, effect)

    @property
    def signature(self) -> Signature:
        return signature_of(self.function)

    @property
    def usage(self) -> str:
        """How a person types it after a slash: ``find_rays <glass_name> [min_angle=0.0]``."""
        properties: Mapping[str, Mapping[str, Any]] = self.input_schema["properties"]
        words = [f"[{p}={json.dumps(about['default'])}]" if "default" in about else f"<{p}>" for p, about in properties.items()]
        return " ".join([self.name, *words])


def agent_tools() -> tuple[Tool, ...]:
    """The questions about the traced rays, sorted by name so that every request lists them alike."""
    from core.analysis.tool_registry import get_agentic_tools

    tools = (Tool.from_function(t["function"], name=t["name"], effect="read") for t in get_agentic_tools())
    return tuple(sorted(tools, key=lambda tool: tool.name))


def tool_named(tools: tuple[Tool, ...], name: str) -> Tool | None:
    """The tool of this name, or None."""
    return next((tool for tool in tools if tool.name == name), None)
