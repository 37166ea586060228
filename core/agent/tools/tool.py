"""A tool: a function with what a model, a person and the approval of calls need to know about it."""

from __future__ import annotations

import dataclasses
import json
import logging
import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, get_args, runtime_checkable

from core.errors import RaybenchError
from core.schema.extraction import Described, described
from core.schema.parameters import NO_SCHEMA, InvalidContext, InvalidSignature, Parameters, parameters_of
from core.schema.signature import Signature, SignatureError, parse_signature

Type = Literal["native", "llm", "subagent"]
Visibility = Literal["public", "private"]
Effect = Literal["read", "edit", "destructive", "external"]
TIME_LIMIT = 12.0
"""Seconds a tool may take of its own; waiting for a trace or a person does not count."""

log = logging.getLogger(__name__)

FORMS = (
    'a function; (function, "(query :string) -> :string"); (function, {"signature": …, "description": …, "cache": …, "expose": …, '
    '"native_result": …, "visibility": …, "effect": …, "timeout_s": …, "calls": …}); (function, "skip"), which checks nothing; a Tool; '
    "something with as_tool(name), such as a worker; built-in tools are made by builtin_tool(name, kind)"
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
        """A tool from any of `FORMS`; InvalidTool if it is none of them, InvalidSignature if a model could not call the function.

        What a function's decorator `tool_options` states holds in every form, unless the form states it anew.
        """
        if not isinstance(name, str):
            raise TypeError(f"a tool's name is a string, not {name!r}")
        if isinstance(format, Tool):
            return _sound(format if format.name else dataclasses.replace(format, name=name))
        if isinstance(format, ToolForm):
            return _sound(format.as_tool(name))
        match format:
            case (function, how) if callable(function):
                pass
            case function if callable(function):
                how = {}
            case _:
                raise InvalidTool(f"{name}: {_shown(format)} cannot be a tool. A tool is {FORMS}.")
        if not isinstance(how, str | Mapping):
            raise InvalidTool(f"{name}: {_shown(how)} says nothing about a function. A tool is {FORMS}.")
        options = {**getattr(function, "tool_options", {}), **({"signature": how} if isinstance(how, str) else how)}
        given = {key: value for key, value in options.items() if key in _OPTIONS}
        for key in options.keys() - given.keys():
            log.warning("%s: there is no option %r for a tool. Options: %s", name, key, ", ".join(_OPTIONS))
        unchecked = given.get("signature") in UNCHECKED
        if unchecked:
            del given["signature"]
        extracted = None
        if not isinstance(how, str) and not _anonymous(function):
            _check_context(function)
            about = described(function) if isinstance(function, Hashable) else described.__wrapped__(function)
            if given.get("signature") is None and not unchecked:
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
        return {"name": code_name(self.name), **about, "input_schema": dict(self.input_schema)}

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


UNCHECKED = ("skip", ":skip")
"""What stands for a signature where the arguments are not to be checked."""
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


def _check_context(function: object) -> None:
    """InvalidContext for a parameter whose hint is the tools' context in a function that is not marked to get one."""
    if getattr(function, "context_parameter", None) is not None:
        return
    for parameter, hint in getattr(function, "__annotations__", {}).items():
        written = hint if isinstance(hint, str) else getattr(hint, "__name__", "")
        if parameter != "return" and re.search(r"\bToolContext\b", written):
            mark = "@tool_context" if parameter == "ctx" else f'@tool_context(param="{parameter}")'
            raise InvalidContext(f"{getattr(function, '__name__', function)} takes a ToolContext as '{parameter}'. Write {mark} above it.")


def _anonymous(function: object) -> bool:
    return getattr(function, "__name__", "") == "<lambda>"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def code_name(name: str) -> str:
    """A tool's name as code and some models write it: a hyphen as an underscore."""
    return name.replace("-", "_")


def tool_named(tools: tuple[Tool, ...], name: str) -> Tool | None:
    """The tool of this name, or None. A hyphen may be written as an underscore, as in code and in some models' requests."""
    return next((t for t in tools if t.name == name), None) or next((t for t in tools if code_name(t.name) == name), None)
