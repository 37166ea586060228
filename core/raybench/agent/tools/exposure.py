"""The exposure of tools: whether a tool is offered to the model (native), to programs that the
model writes, to both, or to neither.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from raybench.agent.call.outcome import ResultPreview
from raybench.agent.tools.tool import Tool, python_identifier
from raybench.errors import RaybenchError
from raybench.schema.signature import NAME

Layer = Literal["native", "program"]

EXPOSURES = ("native", "program", "both")
_OTHER_NAMES = {"ptc_lisp": "program"}


class InvalidExposure(RaybenchError):
    """A tool has an invalid ``expose`` or ``native_result``. The message names the tool and the
    valid values.
    """


class InvalidName(InvalidExposure):
    """A tool name that model APIs do not accept."""


def exposed_tools(tools: Sequence[Tool], layer: Layer) -> tuple[Tool, ...]:
    """The tools that are exposed to a layer, in order. A tool without an exposure is exposed to the
    model; a private tool is not exposed.
    """
    return tuple(
        tool
        for tool in tools
        if not tool.private
        and _OTHER_NAMES.get(tool.expose or "native", tool.expose or "native") in (layer, "both")
    )


def may_call(caller: Tool | None, tool: Tool) -> bool:
    """Whether ``caller`` may call a tool; None stands for a model or a person. A private tool can
    only be called by tools that list it.
    """
    return not tool.private or (caller is not None and tool.name in caller.calls)


def check_tools(tools: Iterable[Tool]) -> None:
    """Raise InvalidExposure if two tools have the same name, or if a name or an exposure is
    invalid.
    """
    names: dict[str, str] = {}
    for tool in tools:
        check_exposure(tool)
        check_name(tool)
        name = python_identifier(tool.name)
        if (other := names.get(name)) is not None:
            raise InvalidExposure(f"{other} and {tool.name} are one name in code. Rename one.")
        names[name] = tool.name


def check_name(tool: Tool) -> None:
    """Raise InvalidName if a model API would not accept the name of the tool."""
    if not re.fullmatch(NAME, tool.name):
        raise InvalidName(
            f"{tool.name!r} cannot be a tool's name: letters a to z, digits, _ and -, at most 64, a"
            " letter or _ first."
        )


def check_exposure(tool: Tool) -> None:
    """Raise InvalidExposure if ``expose`` or ``native_result`` is invalid."""
    if tool.expose is not None and (
        not isinstance(tool.expose, str)
        or _OTHER_NAMES.get(tool.expose, tool.expose) not in EXPOSURES
    ):
        raise InvalidExposure(
            f"{tool.name}: expose {tool.expose!r} is not one of {', '.join(EXPOSURES)}."
        )
    if tool.native_result is None:
        return
    if tool.expose != "both" or not tool.cache:
        raise InvalidExposure(
            f"{tool.name}: native_result needs expose 'both' and cache true, for the whole result"
            f" is kept for programs; given are expose {tool.expose!r} and cache {tool.cache!r}."
        )
    if problem := ResultPreview.find_preview_problem(tool.native_result):
        raise InvalidExposure(f"{tool.name}: {problem}")
