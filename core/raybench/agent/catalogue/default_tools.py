"""The tools that every conversation starts with."""

from __future__ import annotations

import dataclasses

from raybench.agent.catalogue.builtin import with_builtins
from raybench.agent.catalogue.help import search_help
from raybench.agent.catalogue.system_stats import system_stats
from raybench.agent.programs.program_tool import program_tool
from raybench.agent.scene_tools.table import scene_tools
from raybench.agent.tools.tool import Needs, Tool
from raybench.agent.view_tools.pointing import pointing_tools
from raybench.agent.view_tools.view_tools import view_tools
from raybench.analysis.agentic_tools import WRAPPERS
from raybench.analysis.tools.discovery import tools


def agent_tools() -> tuple[Tool, ...]:
    """Questions about the traced rays, changes of the scene, ray filters of the canvas, help, and
    programs.

    Always in the same order, so that servers can cache the request.
    """
    questions = (_question_tool(name) for name in sorted(tools()))
    about = (Tool.new(f.__name__, f) for f in (search_help, system_stats))
    for_programs = (
        dataclasses.replace(tool, expose="program")
        for tool in with_builtins((), families=("grep",), llm_query=True)
    )
    return (
        *questions,
        *scene_tools(),
        *view_tools(),
        *pointing_tools(),
        *about,
        *for_programs,
        program_tool(),
    )


def _question_tool(name: str) -> Tool:
    """A tool of `raybench.analysis.tools`, described as its wrapper for scripts is; it returns the
    answer as a value instead of XML.
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
        as_script, function=question.function, asks=question.question, needs=needs
    )
