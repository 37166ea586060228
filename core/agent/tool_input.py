"""What a tool's own code, or a person, hands to a tool: one thing, or a dict of its parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.agent.registry import Found
from core.agent.tool import Tool
from core.errors import RaybenchError

NOTHING: tuple[Any, ...] = (None, "", {})


class InvalidInput(RaybenchError):
    """An input that a tool cannot take; the text says how it takes one."""


def bound_input(found: Found, input: Any) -> tuple[Tool, dict[str, Any], tuple[Path, ...] | None]:
    """The tool to run, its arguments by name, and the attachments that the input names, if it does.

    A tool without parameters takes nothing; one with a single parameter takes the input whole, even a dict; others take a dict.
    """
    if found.kind == "worker":
        return _for_worker(found, input)
    function = found.handler
    if found.tool is not None and found.tool.extracted is None and found.tool.parsed is not None:
        names = [f.name for f in found.tool.parsed.parameters]
        required = [f.name for f in found.tool.parsed.parameters if not f.optional]
        return found.tool, _arguments(found.name, names, required, input), None
    if not callable(function):
        raise InvalidInput(f"{found.name} has nothing here that could run it.")
    hidden = getattr(function, "context_parameter", None)
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != hidden]
    if found.tool is not None:
        required = [p.name for p in parameters if p.default is p.empty]
        return found.tool, _arguments(found.name, [p.name for p in parameters], required, input), None
    return _by_place(found, function, hidden, parameters, input), {}, None


def _arguments(name: str, names: list[str], required: list[str], input: Any) -> dict[str, Any]:
    if not names or (len(names) == 1 and not required and _nothing(input)):
        if not _nothing(input):
            raise InvalidInput(f"{name} takes no input, but was given {input!r}.")
        return {}
    if len(names) == 1:
        if input is None:
            raise InvalidInput(f"{name} needs its input, '{names[0]}'.")
        return {names[0]: input}
    if input is None and not required:
        return {}
    if not isinstance(input, dict):
        raise InvalidInput(f"{name} takes a dict with {', '.join(names)}; it was given {input!r}.")
    return dict(input)


def _for_worker(found: Found, input: Any) -> tuple[Tool, dict[str, Any], tuple[Path, ...] | None]:
    assert found.tool is not None
    assert found.tool.parsed is not None
    fields = found.tool.parsed.parameters
    attachments: tuple[Path, ...] | None = None
    if isinstance(input, dict) and "input" in input and not input.keys() - {"input", "attachments"}:
        given = input.get("attachments")
        if given is not None:
            if not isinstance(given, list | tuple) or not all(isinstance(path, str | Path) for path in given):
                raise InvalidInput(f"{found.name}: attachments is a list of paths, not {given!r}.")
            attachments = tuple(map(Path, given))
        if len(fields) != 1 or not isinstance(input["input"], dict) or fields[0].name not in input["input"]:
            input = input["input"]
    if isinstance(input, dict) and len(fields) == 1 and input.keys() == {fields[0].name}:
        return found.tool, dict(input), attachments
    required = [f.name for f in fields if not f.optional]
    return found.tool, _arguments(found.name, [f.name for f in fields], required, input), attachments


def _by_place(found: Found, function: Callable[..., Any], hidden: str | None, parameters: list[inspect.Parameter], input: Any) -> Tool:
    """A function that no model could call, since some of its parameters have no names to give: with its input bound."""
    args: tuple[Any, ...] = ()
    given: dict[str, Any] = {}
    kinds = {p.kind for p in parameters}
    only = parameters[0] if len(parameters) == 1 else None
    if only is not None and only.kind is not only.VAR_KEYWORD:
        args = (input,)
        if hidden is not None and _after(function, hidden, only.name):
            raise InvalidInput(f"{found.place}: '{only.name}' stands after the context, and takes no name. Make it a plain parameter.")
    elif inspect.Parameter.POSITIONAL_ONLY in kinds or inspect.Parameter.VAR_POSITIONAL in kinds:
        raise InvalidInput(f"{found.place}: several parameters are given by name, and some of these have none. Use plain parameters.")
    elif not isinstance(input, dict) or not all(isinstance(key, str) for key in input):
        raise InvalidInput(f"{found.name} takes a dict; it was given {input!r}.")
    else:
        given = dict(input)

    def filled(context: Any) -> dict[str, Any]:
        return given if hidden is None else {**given, hidden: context}

    async def call_async(context: Any) -> Any:
        return await function(*args, **filled(context))

    def call(context: Any) -> Any:
        return function(*args, **filled(context))

    run: Any = call_async if inspect.iscoroutinefunction(function) else call
    run.context_parameter = "context"
    return Tool(found.name, run, "() -> :any", effect="external")


def _after(function: Callable[..., Any], first: str, then: str) -> bool:
    names = list(inspect.signature(function).parameters)
    return names.index(first) < names.index(then)


def _nothing(input: Any) -> bool:
    return any(input == nothing and type(input) is type(nothing) for nothing in NOTHING)
