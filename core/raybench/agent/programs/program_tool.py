"""The tool ``run_program``, which runs a Python program that can call other tools."""

import dataclasses
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from raybench.agent.call.context import ToolContext, ToolFailed, tool_context
from raybench.agent.programs.program import Outside, ProgramLimits, run_code
from raybench.agent.tools.exposure import exposed_tools
from raybench.agent.tools.tool import PROGRAM_TOOL, Tool, python_identifier
from raybench.analysis.answers.words import count_with_noun

LIMITS = ProgramLimits()
TIME_LIMIT = 120.0
"""Time limit in seconds of a program including its calls; waiting for a person or a trace does not
count.
"""


@tool_context(
    offered="usually",
    brief=(
        "Run a Python program that makes up to 40 calls of tools, as functions, and computes with "
        "what they return: "
        "the whole answer as dicts and lists with the names of the XML, such as "
        'beams_xml("Lens")["leaving"]["beam"][0]["direction"] or query_rays_xml(sql)["row"][0][0]. '
        "Errors can be caught; print() what matters; the value of the last expression comes "
        "back. There are no files, no network, only parts of the standard library such "
        "as math, re and json."
    ),
    effect="read",
    expose="native",
    timeout_s=TIME_LIMIT,
    asks=lambda a: (
        f"program of {count_with_noun(len(str(a.get('code', '')).splitlines()), 'line')}"
    ),
    needs="trace?",
)
async def run_program(ctx: ToolContext, code: str) -> str:
    """Run a Python program that calls tools and computes with what they return.

    Use it to combine, compare or count over up to 40 calls in one go. Every tool can be called as a
    plain function by its name, with its parameters, and an error can be caught. It returns its
    whole answer as values: dicts with the names that the XML has, and a list where an element may
    repeat, such as answer["ray"][0]["p1"]["x"] or query_rays_xml(sql)["row"][0][0]. print() what
    matters; the value of the last expression comes back too. There are no files, no network, and of
    the standard library only parts such as math, re and json.

    Args:
        code: The program.
    """
    return str(await run_code(code, program_functions(ctx), LIMITS))


def program_functions(context: ToolContext) -> dict[str, Outside]:
    """The tools that programs of a turn can call, as functions by name: the tools of the turn's
    model, without tools that need a model if there is none. Their calls are approved and reported
    like calls of the model.
    """
    tools = [
        t
        for t in exposed_tools(context.tools, "program")
        if t.type == "native" or context.backend is not None
    ]
    return {
        python_identifier(tool.name): _function_calling_tool(tool, context)
        for tool in tools
        if tool.name != PROGRAM_TOOL
    }


def _function_calling_tool(tool: Tool, context: ToolContext) -> Outside:
    schema_names = tool.parameters.names or _positional_parameters(tool.function)
    names = [python_identifier(name) for name in schema_names]

    async def call_tool(*args: Any, **given: Any) -> Any:
        if len(args) > len(names):
            raise TypeError(
                f"{tool.name}() takes {len(names)} arguments, {len(args)} were given."
                f" {tool.parameters.usage}"
            )
        if twice := [name for name in names[: len(args)] if name in given]:
            raise TypeError(f"{tool.name}() got '{twice[0]}' twice. {tool.parameters.usage}")
        by_code_name = dict(zip(names, schema_names, strict=True))
        arguments = {
            by_code_name.get(name, name): value
            for name, value in {**dict(zip(names, args, strict=False)), **given}.items()
        }
        outcome = await context.run(tool, arguments)
        if not outcome.ok:
            raise ToolFailed(outcome.text)
        return outcome.value

    return call_tool


def _positional_parameters(function: Callable[..., Any] | None) -> tuple[str, ...]:
    """The names of the positional parameters of a tool's function. Used if the tool has no
    signature.
    """
    try:
        parameters = inspect.signature(function).parameters if function is not None else {}
    except (TypeError, ValueError):  # some C functions have no signature
        return ()
    hidden = getattr(function, "context_parameter", None)
    return tuple(
        name
        for name, p in parameters.items()
        if p.kind is p.POSITIONAL_OR_KEYWORD and name != hidden
    )


def program_tool() -> Tool:
    """The record of the tool ``run_program``. The tool is read-only; each call in a program is
    approved separately.
    """
    return Tool.new(PROGRAM_TOOL, run_program)


def with_program_tools_described(tools: Iterable[Tool]) -> tuple[Tool, ...]:
    """The tools, where the description of ``run_program`` also lists the tools that only programs
    can call.
    """
    tools = tuple(tools)
    native = {tool.name for tool in exposed_tools(tools, "native")}
    only = [t for t in exposed_tools(tools, "program") if t.name not in native]
    if not only:
        return tools

    def described(text: str, texts: Iterable[str | None]) -> str:
        lines = [
            f"- {python_identifier(t.name)}{t.signature or ''}: {' '.join((about or '').split())}"
            for t, about in zip(only, texts, strict=True)
        ]
        return "\n".join([text, "", "Only programs can call these:", *lines])

    return tuple(
        dataclasses.replace(
            t,
            description=described(t.description or "", [t.description for t in only]),
            brief=described(t.brief, [t.brief or t.description for t in only]),
        )
        if t.name == PROGRAM_TOOL
        else t
        for t in tools
    )
