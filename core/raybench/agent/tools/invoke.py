"""Binding of checked arguments to the parameters of a function."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from raybench.agent.tools.tool import Tool, code_name
from raybench.schema.parameters import InvalidArguments
from raybench.schema.signature import is_optional


def bound(tool: Tool, values: Mapping[str, Any], context: object = None) -> Callable[[], Any]:
    """A function without parameters that calls the tool's function with these arguments;
    InvalidArguments if they do not fit.

    They are passed by name, with hyphens as underscores; a function that does not accept these, but
    has a single parameter, gets all of them as a dict. ``context`` is passed in the function's
    ``context_parameter`` (see `raybench.agent.context`), if it has one.
    """
    function = tool.function
    if function is None:
        raise InvalidArguments(f"{tool.name} cannot run here: it has no function.")
    try:
        signature = inspect.signature(function)
    except (
        TypeError,
        ValueError,
    ):  # some C functions have no signature: pass keywords and let them fail
        return lambda: function(**values)
    hidden = getattr(function, "context_parameter", None)
    filled = {hidden: context} if hidden is not None else {}
    named = {code_name(name): value for name, value in values.items()}
    if hidden in named:
        raise InvalidArguments(
            f"{tool.name}: '{hidden}' is filled by the program and cannot be given."
        )
    free = {name: p for name, p in signature.parameters.items() if name != hidden}
    optional = (
        {code_name(name) for name, hint in tool.parsed.parameters.items() if is_optional(hint)}
        if tool.parsed is not None
        else set()
    )
    left_out = {
        name: None
        for name, p in free.items()
        if name in optional and name not in named and p.default is p.empty
    }
    try:
        call = signature.bind(**left_out, **named, **filled)
    except TypeError as error:
        only = next(iter(free.values()), None)
        if len(free) != 1 or only is None or only.kind in (only.VAR_KEYWORD, only.VAR_POSITIONAL):
            raise InvalidArguments(f"{tool.name}: {error}. {tool.parameters.usage}") from None
        if only.kind is only.POSITIONAL_ONLY:
            call = signature.bind(dict(values), **filled)
        else:
            call = signature.bind(**{only.name: dict(values)}, **filled)
    return lambda: function(*call.args, **call.kwargs)
