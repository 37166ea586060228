"""The tools of every conversation, and the help page about them."""

import dataclasses
import os
import re
from functools import cache
from importlib import metadata

from typing_extensions import TypedDict

from raybench.agent.call.context import tool_options
from raybench.agent.catalogue.builtin import REPLACEABLE, builtin_tool
from raybench.agent.catalogue.help import search_help
from raybench.agent.programs.program_tool import program_tool
from raybench.agent.scene_tools.table import scene_tools
from raybench.agent.tools.tool import Needs, Tool
from raybench.agent.view_tools.lens_plot import plot_lens
from raybench.agent.view_tools.pointing import pointing_tools
from raybench.agent.view_tools.ray_filter_tools import ray_filter_tools
from raybench.analysis.agentic_tools import WRAPPERS
from raybench.analysis.context import require_context
from raybench.analysis.tools.discovery import tools
from raybench.system.process import resident_bytes
from raybench.trace.compilation.loading import are_kernels_ready

MEGABYTE = 1e6
_HEAD = """\
# Tools

## How a tool is called

A language model calls tools by itself. By hand, a tool is a slash command in the chat or after `raybench ask SCENE`, with its arguments in
order: `/find_rays_inside_glass_xml "Main Prism"`. Arguments in square brackets may be left out; they then have the value shown. Those that
ask about the light are also commands, `raybench tool SCENE NAME ARGUMENTS`, and Python functions of `raybench.analysis`. Tools that only read
never ask for approval.
"""
EFFECTS = {
    "read": "Questions",
    "edit": "Changes of the scene",
    "destructive": "Changes that cannot be undone",
    "external": "Tools that reach outside the program",
}


class SystemStats(TypedDict):
    """Statistics of the program. Times are in milliseconds, memory in megabytes of 10^6 bytes; None
    if the system does not report a value.
    """

    revision: int
    segments: int
    trace: str
    trace_ms: float
    trace_mb: float
    memory_mb: float | None
    threads: int
    kernels: str
    version: str


@tool_options(
    offered="on demand",
    effect="read",
    expose="both",
    asks=lambda a: "how the program is doing",
    needs="trace?",
)
def system_stats() -> SystemStats:
    """Report on the program: the last trace, memory, threads and kernels.

    In this order: the document's revision; segments, completion, milliseconds and memory of its
    trace; the memory of the whole program; the threads that a trace uses; whether the tracing
    kernels are compiled; the program's version.
    """
    result = require_context().result
    resident = resident_bytes()
    return SystemStats(
        revision=result.revision,
        segments=len(result),
        trace=result.completion.text,
        trace_ms=round(result.milliseconds, 3),
        trace_mb=result.nbytes / MEGABYTE,
        memory_mb=round(resident / MEGABYTE, 1) if resident else None,
        threads=os.cpu_count() or 1,
        kernels="ready" if are_kernels_ready() else "not compiled yet",
        version=metadata.version("raybench"),
    )


@cache
def agent_tools() -> tuple[Tool, ...]:
    """The tools of every conversation: questions about the traced rays, changes of the scene, ray
    filters of the canvas, help, and programs. The order is fixed, so that servers can cache
    requests.
    """
    questions = (_analysis_tool_record(name) for name in sorted(tools()))
    about = (Tool.new(f.__name__, f) for f in (search_help, system_stats))
    for_programs = (
        dataclasses.replace(builtin_tool(name, kind), expose="program")
        for name, kind in REPLACEABLE.items()
    )
    return (
        *questions,
        *scene_tools(),
        *ray_filter_tools(),
        *pointing_tools(),
        Tool.new("plot_lens", plot_lens),
        *about,
        *for_programs,
        program_tool(),
    )


def _analysis_tool_record(name: str) -> Tool:
    """The tool record of an analysis tool. It has the description of the XML wrapper for scripts,
    but returns a value instead of XML.
    """
    question = tools()[name]
    as_script = Tool.new(name, (WRAPPERS[name], {"effect": question.effect, "expose": "both"}))
    needs: Needs = (
        "trace"
        if question.needs_light or question.tells_trace
        else "scene"
        if question.needs_scene
        else "nothing"
    )
    return dataclasses.replace(
        as_script,
        function=question.function,
        asks=question.question,
        needs=needs,
        offered=question.offered,
        brief=question.brief,
    )


def help_page() -> str:
    """The help page about the tools, as Markdown."""
    tools = sorted(agent_tools(), key=lambda tool: tool.name)
    parts = [_HEAD]
    for effect, title in EFFECTS.items():
        chosen = [tool for tool in tools if tool.effect == effect]
        if chosen:
            parts.append(f"\n## {title}\n\n" + "".join(map(_tool_list_item, chosen)))
    return "".join(parts)


def _tool_list_item(tool: Tool) -> str:
    text = re.sub(
        r"``([^`]*)``", r"`\1`", " ".join((tool.description or "").split("\n\n")[0].split())
    )
    return f"- `{tool.usage}`: {text}\n"
