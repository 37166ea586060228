"""Exposure of tools: to the model directly (native), to programs that it writes, to both, or to
neither.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from raybench.agent.call.outcome import ResultPreview
from raybench.agent.tools.tool import Tool, code_name
from raybench.errors import RaybenchError
from raybench.schema.signature import NAME

Layer = Literal["native", "program"]

EXPOSURES = ("native", "program", "both")
_OTHER_NAMES = {"ptc_lisp": "program"}


class InvalidExposure(RaybenchError):
    """An invalid ``expose`` or ``native_result``; the message names the tool and the accepted
    values.
    """


class InvalidName(InvalidExposure):
    """A tool name that model APIs do not accept."""


def exposed_tools(tools: Sequence[Tool], layer: Layer) -> tuple[Tool, ...]:
    """The tools exposed to a layer, in their order. Private tools are exposed to no layer; a tool
    without stated exposure is exposed to the model.
    """
    return tuple(
        tool
        for tool in tools
        if not tool.private
        and _OTHER_NAMES.get(tool.expose or "native", tool.expose or "native") in (layer, "both")
    )


def may_call(caller: Tool | None, tool: Tool) -> bool:
    """Whether a caller may call a tool; the caller None is a model or a person. Private tools are
    called only by tools that list them.
    """
    return not tool.private or (caller is not None and tool.name in caller.calls)


def check_tools(tools: Iterable[Tool]) -> None:
    """Raise InvalidExposure if two names collide, or if a tool's name or exposure is invalid."""
    names: dict[str, str] = {}
    for tool in tools:
        check_exposure(tool)
        check_name(tool)
        name = code_name(tool.name)
        if (other := names.get(name)) is not None:
            raise InvalidExposure(f"{other} and {tool.name} are one name in code. Rename one.")
        names[name] = tool.name


def check_name(tool: Tool) -> None:
    """InvalidName if model APIs do not accept the tool's name."""
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
