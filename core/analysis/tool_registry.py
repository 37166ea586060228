"""The catalogue of tools, generated from the functions themselves."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any, Literal

from core.agent.tools.parameters import described
from core.agent.tools.tool import Tool
from core.analysis import agentic_tools
from core.errors import RaybenchError

TOOLS: tuple[Callable[..., str], ...] = (
    agentic_tools.find_rays_inside_glass_xml,
    agentic_tools.find_rays_crossing_edge_xml,
    agentic_tools.find_rays_by_angle_to_edge_xml,
    agentic_tools.find_rays_by_polarization_xml,
    agentic_tools.describe_scene_xml,
    agentic_tools.describe_edges_xml,
    agentic_tools.fresnel_xml,
    agentic_tools.tir_analysis_xml,
    agentic_tools.detector_xml,
    agentic_tools.focus_xml,
    agentic_tools.query_rays_xml,
    agentic_tools.rank_paths_by_energy_xml,
    agentic_tools.find_paths_xml,
    agentic_tools.find_bright_paths_through_edge_xml,
    agentic_tools.find_ghosts_xml,
    agentic_tools.ray_path_xml,
    agentic_tools.check_energy_conservation_xml,
    agentic_tools.detect_tir_traps_xml,
    agentic_tools.ray_statistics_xml,
)
"""The functions that are offered. Adding a tool is adding its function here."""


def _records() -> list[Tool]:
    return [Tool.new(function.__name__, (function, {"effect": "read"})) for function in TOOLS]


def get_agentic_tools() -> list[dict[str, Any]]:
    """
    Return the string-based tools with metadata that any framework can take.

    Each entry contains:
    - 'name': function name (str)
    - 'function': the callable
    - 'description': one-line description (str)
    - 'parameters': dict of parameter names to types and descriptions
    - 'input_schema': JSON schema of the parameters, as the Messages API takes it

    The functions are plain: typed parameters, a string as result, exceptions with a sentence. To use them elsewhere:

        tools = [t["function"] for t in get_agentic_tools()]
    """
    entries = []
    for tool in _records():
        schema = json.loads(json.dumps(dict(tool.input_schema)))
        entries.append(
            {
                "name": tool.name,
                "function": tool.function,
                "description": tool.summary,
                "parameters": {name: dict(about) for name, about in schema["properties"].items()},
                "input_schema": schema,
            }
        )
    return entries


def list_available_tools(format: Literal["text", "dict"] = "text") -> str | list[dict[str, str]]:
    """
    Return the catalogue: the tools, and the functions around them that scripts use.

    Args:
        format: "text" for people and models; "dict" for a list of dicts with module, name, kind, signature and description.
            The kind is "tool" for what a language model may call, "function" for what only Python can.
    """
    if format not in ("text", "dict"):
        raise RaybenchError(f"format is {format!r}; it must be 'text' or 'dict'.")
    tools = [_entry(f, "tool", ", ".join(described(f).parameters.summary)) for f in TOOLS]
    functions = (getattr(agentic_tools, name) for name in agentic_tools.__all__)
    others = [f for f in (*functions, get_agentic_tools, list_available_tools) if f not in TOOLS]
    entries = tools + [_entry(f, "function", ", ".join(inspect.signature(f).parameters)) for f in others]
    if format == "dict":
        return entries
    return "\n".join(["Tools:", *map(_told, tools), "For scripts:", *map(_told, entries[len(tools) :])])


def _entry(function: Callable[..., Any], kind: str, parameters: str) -> dict[str, str]:
    about = (inspect.getdoc(function) or "").split("\n\n")[0]
    name = function.__name__
    return {"module": function.__module__, "name": name, "kind": kind, "signature": f"{name}({parameters})", "description": about}


def _told(entry: dict[str, str]) -> str:
    return f"{entry['signature']}\n    {entry['description']}"
