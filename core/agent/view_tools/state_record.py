"""The tool record of a state tool: it works on the turn's draft of the view, which is applied when the turn has ended."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, get_type_hints

from core.agent.tools.tool import Tool
from core.analysis.answers.words import counted, rays_counted
from core.view import View

if TYPE_CHECKING:
    from core.agent.call.context import ToolContext
    from core.agent.view_tools.state_tool import StateTool


@functools.cache
def agent_signature(kind: type[StateTool]) -> inspect.Signature:
    """The signature of `apply_to_state` without ``self`` and the state, with resolved types."""
    signature = inspect.signature(kind.apply_to_state)
    hints = get_type_hints(kind.apply_to_state, include_extras=True)
    parameters = [p.replace(annotation=hints.get(p.name, p.empty)) for p in list(signature.parameters.values())[2:]]
    return signature.replace(parameters=parameters, return_annotation=hints.get("return", str))


def state_record(kind: type[StateTool], make: Callable[[ToolContext], StateTool], name: str = "", description: str = "") -> Tool:
    """The record of a state tool of a class; ``make`` builds the one that a call uses. Name and description are by default the class's."""
    name, signature = name or kind.name, agent_signature(kind)

    def call(*args: Any, tool_context: ToolContext, **values: Any) -> str:
        sentence = make(tool_context).as_agent_callable(tool_context.state)(*args, **values)
        result = tool_context.result
        rows = tool_context.state.onto(View()).visible_rows(result)
        total = rays_counted(len(result))
        return f"{sentence} {total} are shown." if rows is None else f"{sentence} {counted(len(rows))} of {total} are shown."

    hidden = inspect.Parameter("tool_context", inspect.Parameter.KEYWORD_ONLY)
    call.__name__ = call.__qualname__ = name
    call.__doc__ = description or kind.description
    call.__signature__ = signature.replace(parameters=[*signature.parameters.values(), hidden])  # type: ignore[attr-defined]
    call.__annotations__ = {p.name: p.annotation for p in signature.parameters.values()} | {"return": str}
    call.context_parameter = hidden.name  # type: ignore[attr-defined]
    call.made_of = kind  # type: ignore[attr-defined]
    return Tool.new(name, (call, {"effect": "read", "expose": "both", "in_order": True}))
