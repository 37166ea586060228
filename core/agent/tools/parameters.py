"""What a tool takes, as a schema to advertise and as a strict check of what a model sends."""

from __future__ import annotations

import functools
import inspect
import json
import logging
import operator
import re
import threading
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, NotRequired, Union, get_args, get_origin, get_type_hints

from core.agent.tools.argument_faults import KEYWORD, faults_told, shown, type_words
from core.agent.tools.json_schema import nearest_type, record_schema
from core.agent.tools.jsonable import DEEPEST, too_deep
from core.agent.tools.signature import ANY, NAME, Field, ListOf, Optional, Primitive, Record, Signature, Type, optional
from core.errors import RaybenchError

if TYPE_CHECKING:
    from pydantic import BaseModel

log = logging.getLogger(__name__)
_importing = threading.Lock()
NO_SCHEMA: Mapping[str, Any] = {"type": "object", "properties": {}}


class InvalidSignature(RaybenchError):
    """A function cannot be a tool; the text says which parameter and why."""


class InvalidArguments(RaybenchError):
    """Arguments that do not fit what a tool takes; a sentence a field. ``faults`` are pydantic's own words for them, in their order."""

    def __init__(self, text: str, faults: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(text)
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Arguments:
    """Checked arguments: ``values`` to call with (defaults filled in), and the names that the tool does not know."""

    values: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of the tool called ``tool``; ``schema`` is a JSON schema of an object. Without a ``model`` anything is taken.

    ``defaults`` says whether what is left out is filled in; a compact signature knows no defaults, and leaves them to the function.
    """

    tool: str
    names: tuple[str, ...] = ()
    schema: Mapping[str, Any] = field(default_factory=lambda: NO_SCHEMA)
    model: type[BaseModel] | None = None
    defaults: bool = True

    def check(self, arguments: Any) -> Arguments:
        """The arguments with the types of the parameters, nothing converted; InvalidArguments says what is wrong, field by field."""
        from pydantic import ValidationError

        if not isinstance(arguments, Mapping):
            raise InvalidArguments(f"{self.tool}: the arguments must be an object, got {shown(arguments)}. {self.usage}")
        if too_deep(arguments):
            raise InvalidArguments(f"{self.tool}: the arguments nest more than {DEEPEST} deep. {self.usage}")
        try:
            written = json.dumps(dict(arguments), allow_nan=self.model is not None)
            if self.model is None:
                return Arguments(json.loads(written))
            read = self.model.model_validate_json(written)
        except ValidationError as error:
            faults = error.errors(include_url=False)
            told = " ".join(sentence for _, sentence in faults_told(faults, arguments))
            raise InvalidArguments(f"{self.tool}: {told} {self.usage}", faults) from None
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArguments(f"{self.tool}: the arguments are no JSON ({error}). {self.usage}") from None
        given = {name: _place(i) for i, name in enumerate(self.names) if self.defaults or _place(i) in read.model_fields_set}
        values = {name: getattr(read, place) for name, place in given.items()}
        return Arguments(values, tuple(str(name) for name in arguments if name not in self.names))

    @property
    def usage(self) -> str:
        """The parameters in a line, such as ``Parameters: glass_name: string, min_angle: number = 0.0.``"""
        return f"Parameters: {', '.join(self.summary) or 'none'}."

    @property
    def summary(self) -> tuple[str, ...]:
        """One text a parameter: its name, type and default."""
        out = []
        for name, about in self.schema["properties"].items():
            default = f" = {json.dumps(about['default'])}" if "default" in about else ""
            optional = "" if default or name in self.schema.get("required", ()) else "?"
            out.append(f"{name}{optional}: {type_words(about, self.schema.get('$defs', {}))}{default}")
        return tuple(out)


@dataclass(frozen=True, eq=False)
class Described:
    """What a function says of itself: its parameters, its compact signature, and its docstring without the parameters."""

    parameters: Parameters
    signature: Signature
    description: str | None


@functools.lru_cache(maxsize=512)
def described(function: Callable[..., Any]) -> Described:
    """What a function takes, from its type hints and docstring. InvalidSignature if a model could not call it.

    A parameter that the function marks as ``context_parameter`` is filled by the program and not part of this.
    """
    # imported when the first tool is made: the window that lists no tool yet does not wait for them. One thread at a time, for pydantic
    # imports its parts on demand, and a second thread that came in between would find some of them half made
    with _importing:
        import docstring_parser
        from pydantic import Field as pydantic_field

    name = getattr(function, "__name__", type(function).__name__)
    doc = docstring_parser.parse(inspect.getdoc(_described_by(function)) or "")
    texts = {p.arg_name: " ".join((p.description or "").split()) for p in doc.params}
    try:
        hints = get_type_hints(_described_by(function), include_extras=True)
        parameters = dict(inspect.signature(function).parameters)
    except (NameError, TypeError, ValueError) as error:
        raise InvalidSignature(f"{name} cannot be a tool: its signature cannot be read ({error}).") from None
    hidden = getattr(function, "context_parameter", None)
    if hidden is not None:
        place = parameters.pop(hidden, None)
        if place is None:
            raise InvalidSignature(f"{name} is marked with @tool_context, but has no parameter '{hidden}'.")
        if place.kind in (place.POSITIONAL_ONLY, place.VAR_POSITIONAL, place.VAR_KEYWORD):
            raise InvalidSignature(
                f"{name} is marked with @tool_context, but its '{hidden}' cannot be given by name. Use a plain parameter."
            )
    fields: dict[str, Any] = {}
    for parameter, about in parameters.items():
        if about.kind in (about.VAR_POSITIONAL, about.VAR_KEYWORD, about.POSITIONAL_ONLY):
            raise InvalidSignature(f"{name} cannot be a tool: '{parameter}' cannot be given by name. Use plain parameters.")
        default = ... if about.default is about.empty else about.default
        hint = _with_offsets(hints.get(parameter, Any))
        fields[parameter] = (hint, pydantic_field(default, alias=parameter, description=texts.get(parameter) or None))
    model = _model(name, fields)
    whole = model.model_json_schema(by_alias=True)
    definitions = whole.get("$defs", {})
    schema = _tidy(whole)
    schema.pop("description", None)
    schema = {**schema, "properties": schema.get("properties", {}), "additionalProperties": False}
    types = {p: nearest_type(about, definitions) for p, about in schema["properties"].items()}
    required = schema.get("required", [])
    taken = tuple(Field(p, t if p in required else optional(t)) for p, t in types.items())
    description = "\n\n".join(t for t in (doc.short_description, doc.long_description) if t)
    return Described(
        Parameters(name, tuple(parameters), schema, model), Signature(taken, _returned(hints.get("return", Any))), description or None
    )


def _described_by(function: Any) -> Any:
    """Where the hints and the docstring of a callable stand."""
    while isinstance(function, functools.partial):
        function = function.func
    return function if inspect.isroutine(function) or inspect.isclass(function) else type(function).__call__


def parameters_of(tool: str, signature: Signature) -> Parameters:
    """What a tool takes by its compact signature."""
    from pydantic import Field as pydantic_field

    fields = {
        f.name: (annotation(f.type), pydantic_field(None if f.optional else ..., alias=f.name, description=f.description or None))
        for f in signature.parameters
    }
    return Parameters(tool, tuple(fields), record_schema(signature.parameters), _model(tool, fields), defaults=False)


def annotation(type: Type) -> Any:
    """The Python type that pydantic checks a type of a signature by."""
    from pydantic import AfterValidator, ConfigDict, StringConstraints
    from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

    match type:
        case Optional(inner):
            return annotation(inner) | None
        case ListOf(item):
            return list[annotation(item)]  # type: ignore[misc]
        case Record(fields, closed):
            keys = {f.name: NotRequired[annotation(f.type)] if f.optional else annotation(f.type) for f in fields}
            typed_dict: Any = TypedDict  # the keys are known at run time only
            record = typed_dict("Record", keys)
            record.__pydantic_config__ = ConfigDict(strict=True, extra="forbid" if closed else "ignore", allow_inf_nan=False)
            return record
        case Primitive(name):
            return {
                "string": str,
                "int": int,
                "float": float,
                "bool": bool,
                "keyword": Annotated[str, StringConstraints(pattern=KEYWORD)],
                "map": dict[str, Any],
                "any": Any,
                "datetime": Annotated[str, AfterValidator(read_datetime)],
            }[name]


def read_datetime(text: str) -> datetime:
    """A date and time from ISO text with an offset, in UTC; ValueError for anything else."""
    try:
        if "T" in text.upper():
            return _in_utc(datetime.fromisoformat(text))
    except ValueError:
        pass
    raise ValueError(_WITH_OFFSET)


_WITH_OFFSET = "a date and time with an offset, such as 2026-01-31T12:00:00Z"


def _in_utc(read: datetime) -> datetime:
    try:
        if read.tzinfo is not None:
            return read.astimezone(UTC)
    except OverflowError:  # before the first year
        pass
    raise ValueError(_WITH_OFFSET)


def _with_offsets(hint: Any) -> Any:
    """A type hint whose dates and times, alone or in lists, are those of ``:datetime``: with an offset, and read in UTC."""
    from pydantic import AfterValidator

    if hint is datetime:
        return Annotated[datetime, AfterValidator(_in_utc)]
    if get_origin(hint) in (Union, types.UnionType):
        options = tuple(map(_with_offsets, get_args(hint)))
        return hint if options == get_args(hint) else functools.reduce(operator.or_, options)
    if get_origin(hint) is list:
        return list[_with_offsets(get_args(hint)[0])]  # type: ignore[misc]
    return hint


def _model(tool: str, fields: Mapping[str, Any]) -> type[BaseModel]:
    from pydantic import ConfigDict, create_model

    hidden = next((name for name in fields if name.startswith("_")), None)
    if hidden is not None:
        raise InvalidSignature(f"{tool} cannot be a tool: parameter '{hidden}' starts with an underscore. Rename it.")
    odd = next((name for name in fields if not re.fullmatch(NAME, name)), None)
    if odd is not None:
        raise InvalidSignature(f"{tool} cannot be a tool: models take no name such as '{odd}'. Use at most 64 of a to z, 0 to 9 and _.")
    config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)
    # named by place, with the parameter as alias: a parameter may then be called as a method of BaseModel is
    made: dict[str, Any] = {_place(i): field for i, field in enumerate(fields.values())}
    try:
        model: type[BaseModel] = create_model("Parameters", __config__=config, **made)
        model.model_json_schema()
    except Exception as error:  # pydantic raises many kinds for a type that JSON cannot hold
        raise InvalidSignature(f"{tool} cannot be a tool: {str(error).splitlines()[0]}") from None
    return model


def _returned(hint: Any) -> Type:
    """The type that comes nearest to a hint of what is returned."""
    from pydantic import TypeAdapter

    if hint is None or hint is type(None):
        return ANY
    try:
        schema = TypeAdapter(hint).json_schema(mode="serialization")
    except Exception as error:  # a result may be anything: what JSON cannot describe is no fault of the tool
        log.debug("the result type %r has no JSON schema: %s", hint, error)
        return ANY
    return nearest_type(schema, schema.get("$defs", {}))


def _place(i: int) -> str:
    return f"parameter_{i}"


def _tidy(schema: Any) -> Any:
    """The schema without the titles that pydantic makes up from names."""
    if isinstance(schema, dict):
        return {k: _tidy(v) for k, v in schema.items() if not (k == "title" and isinstance(v, str))}
    return [_tidy(v) for v in schema] if isinstance(schema, list) else schema
