"""The tools that every conversation starts with."""

from __future__ import annotations

import dataclasses

from core.agent.call.xml_values import read_xml
from core.agent.catalogue.builtin import with_builtins
from core.agent.catalogue.help import search_help
from core.agent.catalogue.system_stats import system_stats
from core.agent.programs.program_tool import program_tool
from core.agent.tools.tool import Tool
from core.agent.view_tools.view_tools import view_tools
from core.analysis.tool_registry import get_agentic_tools


def agent_tools() -> tuple[Tool, ...]:
    """Questions about the traced rays, ray filters of the canvas, help, and programs; always in the same order, so that servers can
    cache the request."""
    questions = (Tool.new(t["name"], (t["function"], {"effect": "read", "expose": "both"})) for t in get_agentic_tools())
    about = (Tool.new(f.__name__, (f, {"effect": "read", "expose": "both"})) for f in (search_help, system_stats))
    for_programs = (dataclasses.replace(tool, expose="program") for tool in with_builtins((), families=("grep",), llm_query=True))
    reader = Tool.new("read_xml", (read_xml, {"effect": "read", "expose": "program"}))
    return (*sorted(questions, key=lambda tool: tool.name), *view_tools(), *about, reader, *for_programs, program_tool())
