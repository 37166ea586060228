"""``run_program``: the tool by which a model composes others in Python."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from core.agent.call.context import ToolContext, ToolFailed, tool_context
from core.agent.programs.program import Limits, Outside, run_code
from core.agent.tools.exposure import exposed
from core.agent.tools.tool import Tool

NAME = "run_program"
LIMITS = Limits()
SECONDS = 120.0
"""How long a program may take with all that it calls; waiting for a person or a trace does not count."""


@tool_context
async def run_program(ctx: ToolContext, code: str) -> str:
    """Run a Python program that calls tools and computes with what they return.

    Use it to combine, compare or count over many calls in one go. Every tool can be called as a plain function by its name, with its
    parameters; it returns the whole answer, and an error can be caught. print() what matters; the value of the last expression comes
    back too. There are no files, no network, and of the standard library only parts such as math, re and json.

    Args:
        code: The program.
    """
    return str(await run_code(code, program_functions(ctx), LIMITS))


def program_functions(context: ToolContext) -> dict[str, Outside]:
    """The tools that programs may call, as functions: each call is the model's own, with its approvals, and is told as one."""
    tools = exposed(context.registry.tools, "program")
    return {tool.name.replace("-", "_"): _function(tool, context) for tool in tools if tool.name != NAME}


def _function(tool: Tool, context: ToolContext) -> Outside:
    names = [name.replace("-", "_") for name in tool.parameters.names]

    async def call(*args: Any, **given: Any) -> Any:
        if len(args) > len(names):
            raise TypeError(f"{tool.name}() takes {len(names)} arguments, {len(args)} were given. {tool.parameters.usage}")
        if twice := [name for name in names[: len(args)] if name in given]:
            raise TypeError(f"{tool.name}() got '{twice[0]}' twice. {tool.parameters.usage}")
        by_code_name = dict(zip(names, tool.parameters.names, strict=True))
        arguments = {by_code_name.get(name, name): value for name, value in {**dict(zip(names, args, strict=False)), **given}.items()}
        outcome = await context.run(tool, arguments)
        if not outcome.ok:
            raise ToolFailed(outcome.text)
        return outcome.value

    return call


def program_tool() -> Tool:
    """The tool itself. What it calls is approved call by call."""
    return Tool.new(NAME, (run_program, {"effect": "read", "expose": "native", "timeout_s": SECONDS}))


def with_program_only(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """The tools, of which ``run_program`` tells of those that are there for programs alone: no schema lists them."""
    tools = tuple(tools)
    native = {tool.name for tool in exposed(tools, "native")}
    only = [t for t in exposed(tools, "program") if t.name not in native]
    lines = [f"- {t.name.replace('-', '_')}{t.signature or ''}: {' '.join((t.description or '').split())}" for t in only]
    if not lines:
        return tools
    more = "\n".join(["", "", "Only programs can call these:", *lines])
    return tuple(dataclasses.replace(t, description=f"{t.description}{more}") if t.name == NAME else t for t in tools)
