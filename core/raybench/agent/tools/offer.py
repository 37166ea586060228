"""Which tools are offered to a model, and how the model calls tools that are not offered: by name
or, since some APIs refuse that, by ``call_tool``.
"""

import contextlib
import dataclasses
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from raybench.agent.tools.tool import Tool, tool_named
from raybench.analysis.answers.page import PAGE_PARAMETERS

CALL_TOOL = Tool(
    "call_tool",
    signature="(name :string, arguments :map) -> :any",
    description=(
        "Call a tool that is not in your list, with its arguments by name. A wrong call returns"
        " its definition, and search_help finds the one that you need, such as: {names}."
    ),
    effect="edit",
)
"""The tool with which a model calls any other one. It is never run: see `intended_call`."""


def tools_for_model(
    tools: Sequence[Tool], *, window: bool = False, small: bool = False
) -> tuple[Tool, ...]:
    """All tools that a model may call. Tools that are not offered directly are marked as on demand,
    and are listed in the description of ``call_tool``, which comes last. The order is fixed, so
    that a server can cache it.

    ``window``: whether there is a window. ``small``: whether the model is small; it is offered only
    the most needed tools, each with the first paragraph of its brief text.
    """
    levels = {"always"} if small else {"always", "usually", *(["window"] * window)}
    offered = [
        dataclasses.replace(tool, offered="on demand")
        if tool.offered not in levels
        else dataclasses.replace(tool, brief=tool.brief.partition("\n\n")[0])
        if small and tool.brief
        else tool
        for tool in tools
    ]
    named = {"usually"} if small else {"on demand"}
    others = [tool.name for tool in tools if tool.offered in named]
    if not others or tool_named(tuple(tools), CALL_TOOL.name) is not None:
        return tuple(offered)
    about = (CALL_TOOL.description or "").format(names=", ".join(others))
    return (*offered, dataclasses.replace(CALL_TOOL, description=about))


def listed_tools(tools: Sequence[Tool]) -> list[Tool]:
    """The tools whose definitions are sent to the model."""
    return [tool for tool in tools if tool.offered != "on demand"]


EXPLAINED = {
    *("object_name", "glass_name", "detector_name", "source_name", "edge_label", "wavelength"),
    *("measures", "changes", "seed", "rays", "seconds"),
}
"""Parameters of many tools, which the instructions explain (`prompts/system.md`)."""


def offered_definition(tool: Tool) -> dict[str, Any]:
    """The definition of a tool that is sent to the model. If the tool has a ``brief`` text, this is
    the description, parameters of a page are left out, and parameters that the text or the
    instructions explain have no text.
    """
    whole = tool.definition
    if not tool.brief:
        return whole
    in_brief = set(re.findall(r"\w+", tool.brief))
    schema = whole["input_schema"]
    fields = {
        name: _brief_field(about, explained=name in EXPLAINED | in_brief)
        for name, about in schema["properties"].items()
        if name not in PAGE_PARAMETERS - in_brief
    }
    if schema.get("required", []) != [*fields]:  # it cannot be kept to strictly
        schema.pop("additionalProperties", None)
    return {**whole, "description": tool.brief, "input_schema": {**schema, "properties": fields}}


def _brief_field(about: Mapping[str, Any], explained: bool) -> dict[str, Any]:
    """The schema of a parameter in brief. Text and default are left out if the parameter is
    ``explained``, or if they can be guessed.
    """
    given, *null = about.get("anyOf", [about])
    field = {**about, **given} if null == [{"type": "null"}] else {**about}
    if field.get("items") == {"additionalProperties": True, "type": "object"}:
        field["items"] = {"type": "object"}
    guessed = explained or not field.get("default") or field["default"] == -1
    omitted = {
        *(["anyOf"] if field.get("type") else []),
        *(["description"] if explained else []),
        *(["default"] if guessed else []),
    }
    return {key: value for key, value in field.items() if key not in omitted}


def definition_text(tool: Tool, definition: Mapping[str, Any]) -> str:
    """The definition of a tool as text, with signature and parameters."""
    about = " ".join(definition.get("description", "").split())
    lines = [f"{tool.name}{tool.signature or '(…)'}: {about}".rstrip(": ")]
    for name, schema in definition["input_schema"]["properties"].items():
        words = " ".join(str(schema.get("description", "")).split())
        default = (
            f" By default {json.dumps(schema['default'])}."
            if schema.get("default") is not None
            else ""
        )
        if words or default:
            lines.append(f"  {name}: {words}{default}")
    return "\n".join(lines)


def intended_call(tools: tuple[Tool, ...], name: str, arguments: Any) -> tuple[str, Any]:
    """The name and the arguments of the intended call: those inside a ``call_tool`` call, else
    those given.
    """
    called = tool_named(tools, name)
    if (
        called is None
        or called.function is not None
        or called.name != CALL_TOOL.name
        or not isinstance(arguments, Mapping)
        or not isinstance(arguments.get("name"), str)
    ):
        return name, arguments
    inner = arguments.get("arguments", {k: v for k, v in arguments.items() if k != "name"})
    if isinstance(inner, str):  # some models write an object within an object as text
        with contextlib.suppress(ValueError):  # the check of the arguments reports it
            inner = json.loads(inner)
    return arguments["name"], inner
