"""A tool: a function with what a model, a person and the approval of calls need to know about it."""

from __future__ import annotations

import dataclasses
import json
import logging
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from core.agent.tools.parameters import NO_SCHEMA, Described, InvalidSignature, Parameters, described, parameters_of
from core.agent.tools.signature import Signature, SignatureError, parse_signature
from core.errors import RaybenchError

Type = Literal["native", "llm", "subagent"]
Visibility = Literal["public", "private"]
Effect = Literal["read", "edit", "destructive", "external"]
TIME_LIMIT = 12.0
"""Seconds a tool may take of its own; waiting for a trace or a person does not count."""

log = logging.getLogger(__name__)

FORMS = (
    'a function; (function, "(query :string) -> :string"); (function, {"signature": …, "description": …, "cache": …, "expose": …, '
    '"native_result": …, "visibility": …, "effect": …, "timeout_s": …, "calls": …}); (function, "skip"); a Tool; '
    "something with as_tool(name), such as a worker; or the name of a built-in tool"
)


class InvalidTool(RaybenchError):
    """What was given cannot be a tool; the text says why and which forms there are."""


@runtime_checkable
class ToolForm(Protocol):
    """Whatever can turn itself into a tool: a worker, a prompt for a model, a state tool."""

    def as_tool(self, name: str) -> Tool:
        """The tool, under this name."""
        ...


@dataclass(frozen=True, eq=False)
class Tool:
    """Something that can be called by name.

    ``function`` may be a coroutine function; it is None where something else runs the tool. ``signature`` is compact text, as it was
    given or as the function says; without one, anything is taken as it is. ``expose`` says who calls the tool: the model itself
    (``native``), code that it writes (``program``), or ``both``; None leaves it to the agent. ``native_result`` says what the model
    sees of a result that is kept for programs. A ``private`` tool is shown to no model, and called by those tools only that list it
    among their ``calls``. ``effect`` says what a call does beyond answering; unstated it is ``external``, which asks first.
    """

    name: str
    function: Callable[..., Any] | None = None
    signature: str | None = None
    description: str | None = None
    type: Type = "native"
    cache: bool = False
    expose: str | None = None
    native_result: Mapping[str, Any] | None = None
    visibility: Visibility = "public"
    effect: Effect = "external"
    timeout_s: float = TIME_LIMIT
    calls: tuple[str, ...] = ()
    extracted: Described | None = dataclasses.field(default=None, repr=False)
    """What the function says of itself, where the signature was taken from there: with defaults and texts that the signature leaves out."""

    @classmethod
    def new(cls, name: str, format: object) -> Tool:
        """A tool from any of `FORMS`; InvalidTool if it is none of them, InvalidSignature if a model could not call the function."""
        if not isinstance(name, str):
            raise TypeError(f"a tool's name is a string, not {name!r}")
        if isinstance(format, Tool):
            return _sound(format if format.name else dataclasses.replace(format, name=name))
        if isinstance(format, ToolForm):
            return _sound(format.as_tool(name))
        if isinstance(format, str):
            from core.agent.tools.builtin import builtin_tool

            return builtin_tool(name, format)
        match format:
            case (function, how) if callable(function):
                pass
            case function if callable(function):
                how = {}
            case _:
                raise InvalidTool(f"{name}: {_shown(format)} cannot be a tool. A tool is {FORMS}.")
        if how == "skip":
            return cls(name, function)
        if isinstance(how, str):
            return cls(name, function, how)
        if not isinstance(how, Mapping):
            raise InvalidTool(f"{name}: {_shown(how)} says nothing about a function. A tool is {FORMS}.")
        given = {key: value for key, value in how.items() if key in _OPTIONS}
        for key in how.keys() - given.keys():
            log.warning("%s: there is no option %r for a tool. Options: %s", name, key, ", ".join(_OPTIONS))
        extracted = None
        if not _anonymous(function):
            about = described(function) if isinstance(function, Hashable) else described.__wrapped__(function)
            if given.get("signature") is None:
                extracted = about
                given["signature"] = str(about.signature)
            if given.get("description") is None:
                given["description"] = about.description
        return _sound(cls(name, function, extracted=extracted, **given))

    @cached_property
    def parsed(self) -> Signature | None:
        """The signature as a value; SignatureError if it cannot be read."""
        return None if self.signature is None else parse_signature(self.signature)

    @cached_property
    def parameters(self) -> Parameters:
        """What the tool takes; SignatureError or InvalidSignature if its signature cannot be read."""
        if self.extracted is not None:
            return dataclasses.replace(self.extracted.parameters, tool=self.name)
        return Parameters(self.name) if self.parsed is None else parameters_of(self.name, self.parsed)

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """What the tool takes, as a JSON schema of an object; one that says nothing if the signature cannot be read."""
        try:
            return self.parameters.schema
        except (SignatureError, InvalidSignature) as error:
            log.warning("%s: %s", self.name, error)
            return NO_SCHEMA

    @property
    def definition(self) -> dict[str, Any]:
        """How the tool is told to a model: its name as an identifier, what it does if that is said, and what it takes."""
        about = {"description": self.description} if self.description else {}
        return {"name": self.name.replace("-", "_"), **about, "input_schema": dict(self.input_schema)}

    @property
    def private(self) -> bool:
        return self.visibility == "private"

    @property
    def summary(self) -> str:
        """The first line of the description."""
        return (self.description or "").strip().partition("\n")[0]

    @property
    def usage(self) -> str:
        """How a person types it after a slash: ``find_rays <glass_name> [min_angle=0.0]``."""
        schema = self.input_schema
        words = []
        for name, about in schema["properties"].items():
            default = f"={json.dumps(about['default'])}" if "default" in about else ""
            words.append(f"<{name}>" if name in schema.get("required", ()) else f"[{name}{default}]")
        return " ".join([self.name, *words])


_OPTIONS = ("signature", "description", "cache", "expose", "native_result", "visibility", "effect", "timeout_s", "calls")


def _sound(tool: Tool) -> Tool:
    """The tool itself, if its fields hold what they may. How it is exposed is the agent's to check, who knows where it is used."""
    for field, allowed in (("visibility", get_args(Visibility)), ("effect", get_args(Effect)), ("type", get_args(Type))):
        if (value := getattr(tool, field)) not in allowed:
            raise InvalidTool(f"{tool.name}: {field} {value!r} is not one of {', '.join(allowed)}.")
    if isinstance(tool.timeout_s, bool) or not isinstance(tool.timeout_s, int | float) or not 0 < tool.timeout_s < float("inf"):
        raise InvalidTool(f"{tool.name}: timeout_s is a number of seconds above 0, not {tool.timeout_s!r}.")
    if not isinstance(tool.calls, Iterable) or isinstance(tool.calls, str):
        raise InvalidTool(f"{tool.name}: calls is a list of names of private tools, not {tool.calls!r}.")
    if not isinstance(tool.cache, bool):
        raise InvalidTool(f"{tool.name}: cache is true or false, not {tool.cache!r}.")
    if tool.signature is not None and not isinstance(tool.signature, str):
        raise InvalidTool(f"{tool.name}: signature must be a string, got {tool.signature!r}.")
    if tool.description is not None and not isinstance(tool.description, str):
        raise InvalidTool(f"{tool.name}: description is a text, not {tool.description!r}.")
    return tool


def _anonymous(function: object) -> bool:
    return getattr(function, "__name__", "") == "<lambda>"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def agent_tools() -> tuple[Tool, ...]:
    """The tools of the bench: questions about the traced rays, what is shown of them, help, programs. Every request lists them alike."""
    from core.agent.call.xml_values import read_xml
    from core.agent.programs.program_tool import program_tool
    from core.agent.tools.builtin import with_builtins
    from core.agent.tools.help import search_help
    from core.agent.tools.system_stats import system_stats
    from core.agent.view_tools.view_tools import view_tools
    from core.analysis.tool_registry import get_agentic_tools

    questions = (Tool.new(t["name"], (t["function"], {"effect": "read", "expose": "both"})) for t in get_agentic_tools())
    about = (Tool.new(f.__name__, (f, {"effect": "read", "expose": "both"})) for f in (search_help, system_stats))
    for_programs = (dataclasses.replace(tool, expose="program") for tool in with_builtins((), families=("grep",), llm_query=True))
    reader = Tool.new("read_xml", (read_xml, {"effect": "read", "expose": "program"}))
    return (*sorted(questions, key=lambda tool: tool.name), *view_tools(), *about, reader, *for_programs, program_tool())


def tool_named(tools: tuple[Tool, ...], name: str) -> Tool | None:
    """The tool of this name, or None. A hyphen may be written as an underscore, as in code and in some models' requests."""
    return next((t for t in tools if t.name == name), None) or next((t for t in tools if t.name.replace("-", "_") == name), None)
