"""The input of a tool called by code or by a person: one value, or a dict of arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from raybench.agent.tools.lookup import FoundTool
from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.page import page_parameters
from raybench.errors import RaybenchError
from raybench.schema.signature import Field, Optional, Primitive, Record, Type


class InvalidInput(RaybenchError):
    """An input that does not fit a tool's parameters; the message says which form it needs."""


def bound_input(
    found: FoundTool, input: Any
) -> tuple[Tool, dict[str, Any], tuple[Path, ...] | None]:
    """The tool to run, its arguments by name, and the attachments named by the input, if any.

    A tool without parameters takes no input. The input of a tool with a single parameter is its
    value, even if it is a dict; where the parameter cannot be a dict, a dict with its name is
    accepted too. Other tools need a dict.
    """
    if found.tool is None:
        return _by_place(found, input), {}, None
    if found.tool.parsed is None:
        if input is not None and not isinstance(input, dict):
            raise InvalidInput(f"{found.name} takes a dict; it was given {input!r}.")
        return found.tool, dict(input or {}), None
    attachments: tuple[Path, ...] | None = None
    fields = found.tool.parsed.parameters
    if found.kind == "worker":
        input, attachments = _unwrapped(found.name, fields, input)
    return found.tool, _arguments(found.name, fields, input), attachments


def _arguments(name: str, fields: Sequence[Field], input: Any) -> dict[str, Any]:
    names = ", ".join(f.name for f in fields)
    nothing = input is None or input == {} or (input == "" and not fields)
    if nothing and all(f.optional for f in fields):
        return {}
    if not fields:
        raise InvalidInput(f"{name} takes no input, but was given {input!r}.")
    if len(fields) == 1:
        if nothing and not (input == {} and _takes_dict(fields[0].type)):
            raise InvalidInput(f"{name} needs its input, '{names}'.")
        if isinstance(input, dict) and input.keys() == {names} and not _takes_dict(fields[0].type):
            return dict(input)  # the parameter cannot be a dict: this is its value by name
        return {names: input}
    paging = page_parameters(f.name for f in fields)
    own = [f for f in fields if f.name not in paging]
    if not isinstance(input, dict) and len(own) == 1 and not nothing:
        return {own[0].name: input}
    if not isinstance(input, dict):
        raise InvalidInput(f"{name} takes a dict with {names}; it was given {input!r}.")
    known = {f.name for f in fields}
    if unknown := [str(key) for key in input if key not in known]:
        raise InvalidInput(f"{name} takes no {', '.join(unknown)}; it takes {names}.")
    return dict(input)


def _takes_dict(type: Type) -> bool:
    if isinstance(type, Optional):
        return _takes_dict(type.type)
    return isinstance(type, Record) or (isinstance(type, Primitive) and type.name in ("map", "any"))


def _unwrapped(
    name: str, fields: Sequence[Field], input: Any
) -> tuple[Any, tuple[Path, ...] | None]:
    """A worker's input and attachments, which may be given together as ``{"input": …,
    "attachments": […]}``.
    """
    attachments: tuple[Path, ...] | None = None
    if isinstance(input, dict) and "input" in input and input.keys() <= {"input", "attachments"}:
        given = input.get("attachments")
        if given is not None:
            if not isinstance(given, list | tuple) or not all(
                isinstance(path, str | Path) for path in given
            ):
                raise InvalidInput(f"{name}: attachments is a list of paths, not {given!r}.")
            attachments = tuple(map(Path, given))
        return input["input"], attachments
    if isinstance(input, dict) and len(fields) == 1 and input.keys() == {fields[0].name}:
        return input[fields[0].name], attachments
    return input, attachments


def _by_place(found: FoundTool, input: Any) -> Tool:
    """A tool for a function whose parameters cannot all be passed by name (so that no model can
    call it), with its input bound.
    """
    function = found.handler
    if not found.callable:
        raise InvalidInput(found.problem)
    if not callable(function):
        raise InvalidInput(f"{found.name} cannot run here: it has no function.")
    hidden = getattr(function, "context_parameter", None)
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != hidden]
    args: tuple[Any, ...] = ()
    given: dict[str, Any] = {}
    kinds = {p.kind for p in parameters}
    only = parameters[0] if len(parameters) == 1 else None
    if only is not None and only.kind is not only.VAR_KEYWORD:
        args = (input,)
        if hidden is not None and _after(function, hidden, only.name):
            raise InvalidInput(
                f"{found.place}: '{only.name}' follows the context and is positional-only. Make it"
                " a plain parameter."
            )
    elif inspect.Parameter.POSITIONAL_ONLY in kinds or inspect.Parameter.VAR_POSITIONAL in kinds:
        raise InvalidInput(
            f"{found.place}: several parameters are passed by name, and some are positional-only."
            " Use plain parameters."
        )
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
