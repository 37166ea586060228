"""The record of a tool: function, name, signature, description, effect, exposure and limits. Also
binds arguments to the function, and describes where a tool is defined.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import json
import logging
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol, get_origin, get_type_hints, runtime_checkable

from annotated_types import Gt, Lt
from typing_extensions import is_typeddict

from raybench.analysis.answers.words import value_in_words
from raybench.analysis.tools.offered import Offered
from raybench.errors import ForeignError, RaybenchError, elide_text, one_line, short_repr
from raybench.schema.parameters import (
    NO_SCHEMA,
    FunctionDescription,
    InvalidArguments,
    InvalidContext,
    InvalidSignature,
    Parameters,
    describe_function,
    signature_parameters,
)
from raybench.schema.signature import (
    Signature,
    SignatureError,
    is_optional,
    parse_signature,
    type_without_null,
)
from raybench.schema.values import Mode, fault_sentences

Type = Literal["native", "llm", "subagent", "provider"]
"""Who runs a tool: a function, a prompt for a model, a worker, or the server of the model."""
Visibility = Literal["public", "private"]
Effect = Literal["read", "edit", "destructive", "external"]
Needs = Literal["trace", "trace?", "scene", "nothing"]
"""What a tool cannot do without: the trace of the scene; the scene, which it may correct if it
cannot be traced; or neither.
"""
Asks = Callable[[Mapping[str, Any]], str]
"""Describes a call with given arguments, such as ``rays inside Main Prism``. It may raise KeyError,
TypeError or AttributeError.
"""
PROGRAM_TOOL = "run_program"
"""The name of the tool that runs a program, which can call other tools."""
MOST_DESCRIPTION_CHARACTERS = 400
"""Characters of the description of a call."""
TIME_LIMIT = 12.0
"""Default time limit of a call in seconds. Time spent waiting for another tool, a trace or a person
does not count.
"""

EFFECT_REMEDY = 'Its effect is not stated: if it only reads, write @tool_options(effect="read").'
"""The remedy for a tool that is external only because its effect was not stated."""
log = logging.getLogger(__name__)


class InvalidTool(RaybenchError):
    """An object cannot be made into a tool. The message says why, and lists the accepted types."""


@runtime_checkable
class ToolForm(Protocol):
    """An object that can make a tool record: a worker, or a prompt for a model."""

    def as_tool(self, name: str) -> Tool:
        """A tool record for this object, with the given name."""
        ...


@dataclass(frozen=True, eq=False)
class Tool:
    """A tool: a function that a model, a program or a person can call by name.

    ``function``: may be a coroutine function; None if the tool is run elsewhere. ``signature``:
    compact text, stated or derived from the function; without one, arguments are not checked.
    ``expose``: whether the model (``native``), code that it writes (``program``) or ``both`` call
    the tool; None leaves it to the agent. ``native_result``: the preview of a stored result for the
    model. ``private``: hidden from models; only tools that list it in their ``calls`` can call it.
    ``effect``: side effects of a call; the default ``external`` requires approval. ``timeout_s``:
    time limit, for calls by a person only if it was stated (``limited``). Calls of ``read`` tools
    run concurrently, except ``in_order`` tools.
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
    timeout_s: Annotated[float, Gt(0), Lt(math.inf)] = TIME_LIMIT
    calls: Sequence[str] = ()
    in_order: bool = False
    limited: bool = False
    assumed: bool = False
    """Whether its effect is ``external`` only because none was stated."""
    ignored: Sequence[str] = ()
    """Names of options that were given and do not exist."""
    check: Mode = "enabled"
    """How results are checked against the signature, stated or of hints."""
    asks: Asks | None = None
    """See `question`."""
    offered: Offered = "always"
    """When a model is offered the tool. One that is on demand is found by ``search_help``."""
    brief: str = ""
    """What a model is offered in place of description and texts of parameters; the whole is told on
    demand.
    """
    needs: Needs = "trace"
    """With ``trace?`` a call waits for the trace, but is made even if the scene cannot be traced.
    With ``scene`` it does not wait, and with ``nothing`` the command line needs no scene either.
    """
    extracted: FunctionDescription | None = dataclasses.field(default=None, repr=False)
    """Set where the signature was extracted from the function: it also holds defaults and parameter
    descriptions.
    """

    @classmethod
    def new(cls, name: str, format: object) -> Tool:
        """Make a tool from an object of one of the `FORMS`. Raises InvalidTool for any other
        object, and InvalidSignature if a model cannot call the function.

        Options of the decorator `tool_options` apply to every form; options in the object override
        them.
        """
        if not isinstance(name, str):
            raise TypeError(f"a tool's name is a string, not {name!r}")
        function: Any
        how: Any
        function, how = format if isinstance(format, tuple) and len(format) == 2 else (format, {})
        if isinstance(function, type) and hasattr(function, "as_tool"):
            raise InvalidTool(
                f"{name}: {function.__name__} is a class. Give an object of it,"
                f" {function.__name__}(), or state options by @tool_options above the class."
            )
        ready = isinstance(function, Tool | ToolForm)
        if not ready and not callable(function):
            raise InvalidTool(f"{name}: {short_repr(format)} cannot be a tool. A tool is {FORMS}.")
        if not isinstance(how, str | Mapping):
            raise InvalidTool(
                f"{name}: {short_repr(how)} is neither a signature nor a mapping of options. A tool"
                f" is {FORMS}."
            )
        if ready:
            return _validate_tool(_with_options(name, function, how))
        options = {
            **getattr(function, "tool_options", {}),
            **({"signature": how} if isinstance(how, str) else how),
        }
        given, ignored = _known_options(options)
        unchecked = given.get("signature") in UNCHECKED_SIGNATURES
        if unchecked:
            del given["signature"]
        extracted = None
        if not isinstance(how, str) and getattr(function, "__name__", "") != "<lambda>":
            _check_context(function)
            about = (
                describe_function(function)
                if isinstance(function, Hashable)
                else describe_function.__wrapped__(function)
            )
            if given.get("signature") is None and not unchecked:
                extracted = about
                given["signature"] = about.signature
            if given.get("description") is None:
                given["description"] = about.description
        return _validate_tool(
            cls(
                name,
                function,
                extracted=extracted,
                limited="timeout_s" in given,
                assumed="effect" not in given,
                ignored=ignored,
                **given,
            )
        )

    @cached_property
    def parsed_signature(self) -> Signature | None:
        """The signature of the tool, parsed; None if it has none. Raises SignatureError if it
        cannot be parsed.
        """
        return None if self.signature is None else parse_signature(self.signature)

    @cached_property
    def parameters(self) -> Parameters:
        """The parameters of the tool. Raises SignatureError or InvalidSignature if its signature
        cannot be parsed.
        """
        if self.extracted is not None:
            return dataclasses.replace(self.extracted.parameters, tool=self.name)
        return (
            Parameters(self.name)
            if self.parsed_signature is None
            else signature_parameters(self.name, self.parsed_signature)
        )

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """The JSON schema of the object that holds the arguments; empty if the signature cannot be
        parsed.
        """
        try:
            return self.parameters.schema
        except (SignatureError, InvalidSignature) as error:
            log.warning("%s: %s", self.name, error)
            return NO_SCHEMA

    @property
    def definition(self) -> dict[str, Any]:
        """The definition that is sent to a model: the name as an identifier, the description if
        there is one, and the input schema.
        """
        about = {"description": self.description} if self.description else {}
        return {
            "name": python_identifier(self.name),
            **about,
            "input_schema": dict(self.input_schema),
        }

    @property
    def waits_for_trace(self) -> bool:
        """Whether a call waits until the scene is traced, because its result depends on rays. Tools
        that edit the scene do not wait, since an edit may end a trace that takes too long.
        """
        return self.needs in ("trace", "trace?")

    @property
    def is_model_task(self) -> bool:
        """Whether the tool is a task for a language model, such as a worker or a prompt."""
        return self.type in ("llm", "subagent")

    @property
    def private(self) -> bool:
        return self.visibility == "private"

    @property
    def summary(self) -> str:
        """The first line of the tool's description."""
        return (self.description or "").strip().partition("\n")[0]

    def question(self, arguments: Mapping[str, Any]) -> str:
        """A description of a call with these arguments, in one line of at most
        `MOST_DESCRIPTION_CHARACTERS` characters: the text from `asks`, else name and arguments.
        """
        return elide_text(self._question(arguments), MOST_DESCRIPTION_CHARACTERS)

    def _question(self, arguments: Mapping[str, Any]) -> str:
        if self.asks is not None:
            with contextlib.suppress(
                KeyError, TypeError, AttributeError
            ):  # an argument is missing or of another type: the call reports it
                return self.asks(arguments)
        words = self.name.removesuffix("_xml").replace("_", " ")
        given = {
            name: value
            for name, value in arguments.items()
            if value is not None and value is not False
        }
        if len(given) == 1 and isinstance(only := next(iter(given.values())), str):
            return f"{words}: {value_in_words(only)}"
        listed = ", ".join(
            f"{name.replace('_', ' ')} {value_in_words(value)}" for name, value in given.items()
        )
        return f"{words}: {listed}" if listed else words

    @property
    def usage(self) -> str:
        """The syntax of the tool as a slash command, such as ``find_rays <glass_name>
        [min_angle=0.0]``.
        """
        schema = self.input_schema
        words = []
        for name, about in schema["properties"].items():
            default = f"={json.dumps(about['default'])}" if "default" in about else ""
            words.append(
                f"<{name}>" if name in schema.get("required", ()) else f"[{name}{default}]"
            )
        return " ".join([self.name, *words])


UNCHECKED_SIGNATURES = ("skip", ":skip")
"""In place of a signature: arguments are passed on unchecked."""
OPTIONS = tuple(
    f.name
    for f in dataclasses.fields(Tool)
    if f.name not in ("name", "function", "type", "limited", "assumed", "ignored", "extracted")
)
"""The fields that a form can set."""
FORMS = (
    'a function; (function, "(query :string) -> :string"); (function, {'
    + ", ".join(f'"{name}": …' for name in OPTIONS)
    + '}); (function, "skip"), which checks nothing; a Tool; something with as_tool(name), such as'
    " a worker; (one of these two, {options}); built-in tools are made by builtin_tool(name, kind)"
)
"""The values that can be made into a tool, for messages."""


def _known_options(options: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The valid options, and the names of the invalid ones."""
    known = {name: value for name, value in options.items() if name in OPTIONS}
    return known, tuple(str(name) for name in options if name not in known)


def _with_options(name: str, form: Tool | ToolForm, how: str | Mapping[str, Any]) -> Tool:
    """The tool record of a `ToolForm`, with other options. ``how`` is a dict of options. Raises
    InvalidTool if it contains a signature, since the form defines one.
    """
    tool = form if isinstance(form, Tool) else form.as_tool(name)
    if isinstance(how, str) or "signature" in how:
        raise InvalidTool(
            f"{name}: {short_repr(form)} has a signature of its own. Give other options alone."
        )
    given, ignored = _known_options(how)
    return dataclasses.replace(
        tool,
        name=tool.name or name,
        limited=tool.limited or "timeout_s" in given,
        assumed=tool.assumed and "effect" not in given,
        ignored=(*tool.ignored, *ignored),
        **given,
    )


@cache
def _field_types() -> Any:
    """A pydantic model of the fields that a tool form can set."""
    from pydantic import ConfigDict, create_model

    hints = get_type_hints(Tool, include_extras=True)
    checked: dict[str, Any] = {
        name: (hints[name], ...)
        for name in ("type", *OPTIONS)
        if name not in ("expose", "native_result")  # checked where the tool is registered
    }
    return create_model("Options", __config__=ConfigDict(strict=True), **checked)


def _validate_tool(tool: Tool) -> Tool:
    """Return the tool if the types of its fields are valid, else raise InvalidTool. The exposure is
    checked later, when the tool is registered.
    """
    from pydantic import ValidationError

    fields = vars(tool)
    try:
        _field_types().model_validate(fields)
    except ValidationError as error:
        sentences = fault_sentences(error.errors(include_url=False), fields)
        raise InvalidTool(f"{tool.name}: {sentences[0][1]}") from None
    return tool


def _check_context(function: object) -> None:
    """Raise InvalidContext if a function has a parameter of the type `ToolContext`, or an
    unannotated parameter ``ctx``, but no decorator `tool_context`.
    """
    if getattr(function, "context_parameter", None) is not None:
        return
    hints = dict(getattr(function, "__annotations__", {}))
    if inspect.isfunction(function) and "ctx" in inspect.signature(function).parameters:
        hints.setdefault("ctx", "ToolContext")
    for parameter, hint in hints.items():
        written = hint if isinstance(hint, str) else getattr(hint, "__name__", "")
        if parameter != "return" and re.search(r"\bToolContext\b", written):
            mark = "@tool_context" if parameter == "ctx" else f'@tool_context(param="{parameter}")'
            raise InvalidContext(
                f"{getattr(function, '__name__', function)} takes a ToolContext as '{parameter}'."
                f" Write {mark} above it."
            )


def python_identifier(name: str) -> str:
    """The name of a tool as a Python identifier, with hyphens replaced by underscores."""
    return name.replace("-", "_")


def tool_named(tools: tuple[Tool, ...], name: str) -> Tool | None:
    """The tool with a name among ``tools``; None if there is none. Without an equal name, hyphens
    and underscores count as the same.
    """
    return next((t for t in tools if t.name == name), None) or next(
        (t for t in tools if python_identifier(t.name) == name), None
    )


def bind_call(tool: Tool, values: Mapping[str, Any], context: object = None) -> Callable[[], Any]:
    """Bind arguments by name to the function of a tool. Returns a function without parameters.
    Raises InvalidArguments if they do not match.

    In names, hyphens become underscores. A function with a single parameter that may be a dict gets
    all arguments as one dict, if it does not accept them by name. ``context`` is passed in the
    function's ``context_parameter`` (see `raybench.tools`), if it has one.
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
    named = {python_identifier(name): value for name, value in values.items()}
    if hidden in named:
        raise InvalidArguments(
            f"{tool.name}: '{hidden}' is filled by the program and cannot be given."
        )
    free = {name: p for name, p in signature.parameters.items() if name != hidden}
    optional = (
        {
            python_identifier(name)
            for name, hint in tool.parsed_signature.parameters.items()
            if is_optional(hint)
        }
        if tool.parsed_signature is not None
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
        if (
            len(free) != 1
            or only is None
            or only.kind in (only.VAR_KEYWORD, only.VAR_POSITIONAL)
            or not _may_be_dict(function, only.name)
        ):
            raise InvalidArguments(f"{tool.name}: {error}. {tool.parameters.usage}") from None
        if only.kind is only.POSITIONAL_ONLY:
            call = signature.bind(dict(values), **filled)
        else:
            call = signature.bind(**{only.name: dict(values)}, **filled)
    return lambda: function(*call.args, **call.kwargs)


def _may_be_dict(function: Callable[..., Any], parameter: str) -> bool:
    """Whether the type hint of a parameter allows a dict. True without a hint."""
    try:
        hint = type_without_null(get_type_hints(function).get(parameter, Any))
    except Exception:  # a hint is an expression, which may fail in any way
        return True
    kind = get_origin(hint) or hint
    return hint is Any or not isinstance(kind, type) or is_typeddict(kind) or issubclass(dict, kind)


Kind = Literal["builtin", "code", "worker"]


class ToolNotFound(ForeignError, FileNotFoundError):
    """No tool has this name. The message says where it was searched, and lists similar names."""

    MOST_DESCRIPTION_CHARACTERS = 2_000


@dataclass(frozen=True, eq=False)
class FoundTool:
    """A tool and the place where it is defined. ``tool`` is None if no model can call the function;
    ``problem`` says why. ``handler`` is the function or worker that does the work.
    """

    name: str
    kind: Kind
    handler: Callable[..., Any] | ToolForm | None
    source_path: Path | None = None
    tool: Tool | None = None
    problem: str = ""
    callable: bool = True
    """Whether other tools can call it."""

    @property
    def place(self) -> str:
        """The place of the definition as text for a person, such as ``tools.py::main`` or
        ``main.worker``.
        """
        if self.kind == "code":
            return f"tools.py::{self.name}"
        if self.source_path is None:
            return f"{self.name} (built in)"
        return one_line(
            self.source_path.name
            if self.source_path.stem == self.name
            else f"{self.name}/{self.source_path.name}"
        )
