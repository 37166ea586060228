"""Parameters of a tool: their JSON schema and the strict validation of arguments. They are made
from a compact signature, or from the type hints and the docstring of a function.
"""

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
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Union, get_args, get_origin, get_type_hints

from raybench.errors import RaybenchError
from raybench.schema.json_values import MOST_NESTED_VALUES, nests_too_deep
from raybench.schema.signature import (
    NAME,
    Signature,
    fields_text,
    is_optional,
    nearest_type_text,
    to_utc,
)
from raybench.schema.values import fault_sentences, type_words, value_excerpt

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.json_schema import GenerateJsonSchema

log = logging.getLogger(__name__)
_importing = threading.Lock()
NO_SCHEMA: Mapping[str, Any] = {"type": "object", "properties": {}}
MOST_FAULTS = 8
"""Maximum number of fields that an error describes."""


class InvalidSignature(RaybenchError):
    """A function cannot be a tool. The message names the parameter and the reason."""


class InvalidContext(InvalidSignature):
    """The function cannot be called, because its context parameter is missing or cannot be passed
    by name.
    """


class InvalidArguments(RaybenchError):
    """Arguments do not match the parameters; the message has a sentence for each of the first wrong
    fields.

    ``faults`` are pydantic's errors in order.
    """

    def __init__(self, text: str, faults: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(text)
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Arguments:
    """Validated arguments: ``values``, including defaults, and the names of unknown arguments,
    which were dropped.
    """

    values: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of the tool with the name ``tool``. ``schema`` is the JSON schema of its
    arguments, an object. Without a ``model`` any arguments are accepted.

    With ``defaults``, missing arguments are filled in. Compact signatures have no defaults; the
    function handles missing arguments.
    """

    tool: str
    names: tuple[str, ...] = ()
    schema: Mapping[str, Any] = field(default_factory=lambda: NO_SCHEMA)
    model: type[BaseModel] | None = None
    defaults: bool = True

    def check(self, arguments: Any) -> Arguments:
        """Validate arguments strictly, without conversion. Raises InvalidArguments with the faults
        of all fields.
        """
        from pydantic import ValidationError

        if not isinstance(arguments, Mapping):
            raise InvalidArguments(
                f"{self.tool}: the arguments must be an object, got {value_excerpt(arguments)}."
                f" {self.usage}"
            )
        if nests_too_deep(arguments):
            raise InvalidArguments(
                f"{self.tool}: the arguments nest more than {MOST_NESTED_VALUES} deep. {self.usage}"
            )
        try:
            written = json.dumps(dict(arguments), allow_nan=self.model is not None)
            if self.model is None:
                return Arguments(json.loads(written))
            read = self.model.model_validate_json(written)
        except ValidationError as error:
            faults = error.errors(include_url=False)
            sentences = [sentence for _, sentence in fault_sentences(faults, arguments)]
            more = len(sentences) - MOST_FAULTS
            message = " ".join(sentences[:MOST_FAULTS]) + f" And {more} more." * (more > 0)
            raise InvalidArguments(f"{self.tool}: {message} {self.usage}", faults) from None
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArguments(
                f"{self.tool}: the arguments are not valid JSON ({error}). {self.usage}"
            ) from None
        given = {
            name: _numbered_parameter_name(i)
            for i, name in enumerate(self.names)
            if self.defaults or _numbered_parameter_name(i) in read.model_fields_set
        }
        values = {name: getattr(read, place) for name, place in given.items()}
        return Arguments(values, tuple(str(name) for name in arguments if name not in self.names))

    @property
    def usage(self) -> str:
        """The parameters in one line, such as ``Parameters: glass_name: string, min_angle: number =
        0.0.``
        """
        return f"Parameters: {', '.join(self.summary) or 'none'}."

    @property
    def summary(self) -> tuple[str, ...]:
        """A text for each parameter, with its name, type and default."""
        out = []
        for name, about in self.schema["properties"].items():
            default = f" = {json.dumps(about['default'])}" if "default" in about else ""
            optional = "" if default or name in self.schema.get("required", ()) else "?"
            out.append(
                f"{name}{optional}: {type_words(about, self.schema.get('$defs', {}))}{default}"
            )
        return tuple(out)


def signature_parameters(tool: str, signature: Signature) -> Parameters:
    """The parameters that a compact signature describes."""
    from pydantic import Field

    fields = {
        name: (hint, Field(None if is_optional(hint) else ..., alias=name))
        for name, hint in signature.parameters.items()
    }
    model = _parameter_model(tool, fields)
    schema = _compact_schema(schema := _json_schema(model), schema.get("$defs", {}))
    return Parameters(tool, tuple(fields), schema, model, defaults=False)


def _compact_schema(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Convert a JSON schema of pydantic to the schema that a compact signature would have. Records
    allow no other fields, and references to definitions are resolved. An optional type has the
    schema of the type itself, but is not required.
    """

    def compact_part(part: Mapping[str, Any]) -> dict[str, Any]:
        return _compact_schema(part, definitions)

    if "$ref" in schema:
        return compact_part(definitions[schema["$ref"].rsplit("/", 1)[-1]])
    if "anyOf" in schema:
        return compact_part(schema["anyOf"][0])
    if "items" in schema:
        return {"type": "array", "items": compact_part(schema["items"])}
    if schema.get("type") != "object" or "additionalProperties" in schema:
        return {key: schema[key] for key in ("type",) if key in schema}
    properties = {name: compact_part(part) for name, part in schema.get("properties", {}).items()}
    return {
        "type": "object",
        "properties": properties,
        "required": schema.get("required", []),
        "additionalProperties": False,
    }


def _parameter_model(tool: str, fields: Mapping[str, Any]) -> type[BaseModel]:
    """Make the pydantic model of a tool's parameters. ``fields`` are in the form that pydantic
    takes. Raises InvalidSignature if a language model could not call the tool.
    """
    from pydantic import ConfigDict, create_model

    hidden = next((name for name in fields if name.startswith("_")), None)
    if hidden is not None:
        raise InvalidSignature(
            f"{tool} cannot be a tool: parameter '{hidden}' starts with an underscore. Rename it."
        )
    odd = next((name for name in fields if not re.fullmatch(NAME, name)), None)
    if odd is not None:
        raise InvalidSignature(
            f"{tool} cannot be a tool: models take no name such as '{odd}'. Use at most 64 of a to"
            " z, 0 to 9 and _."
        )
    config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)
    # named by place, with the parameter as alias: a parameter may then be called as a method of
    # BaseModel is
    made: dict[str, Any] = {
        _numbered_parameter_name(i): field for i, field in enumerate(fields.values())
    }
    try:
        model: type[BaseModel] = create_model("Parameters", __config__=config, **made)
        _json_schema(model)
    except Exception as error:  # pydantic raises many kinds for a type that JSON cannot hold
        raise InvalidSignature(f"{tool} cannot be a tool: {str(error).splitlines()[0]}") from None
    return model


def _json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model of parameters. Defaults that cannot be written as JSON are left
    out; a call omits such parameters.
    """
    return model.model_json_schema(by_alias=True, schema_generator=_schema_generator())


@cache
def _schema_generator() -> type[GenerateJsonSchema]:
    from pydantic.json_schema import GenerateJsonSchema

    class Generator(GenerateJsonSchema):
        ignored_warning_kinds = {  # noqa: RUF012
            "skipped-choice",
            "non-serializable-default",
        }

    return Generator


def _numbered_parameter_name(number: int) -> str:
    """The name that the parameter number ``number`` has in the model."""
    return f"parameter_{number}"


@dataclass(frozen=True, eq=False)
class FunctionDescription:
    """The result of `describe_function`: the parameters, the compact signature, and the description
    (the docstring without parameters).
    """

    parameters: Parameters
    signature: str
    description: str | None


@functools.lru_cache(maxsize=512)
def describe_function(function: Callable[..., Any]) -> FunctionDescription:
    """Extract the parameters and the description of a function. Raises InvalidSignature if a
    language model could not call it.

    The parameter named by the function's attribute ``context_parameter`` is left out, since the
    program fills it.
    """
    # imported with the first tool, so that the first window opens without them; under a lock, since
    # pydantic imports its submodules lazily and another thread could see them partially initialised
    with _importing:
        import docstring_parser
        from pydantic import Field as pydantic_field

    name = getattr(function, "__name__", type(function).__name__)
    doc = docstring_parser.parse(inspect.getdoc(_documented_object(function)) or "")
    texts = {p.arg_name: " ".join((p.description or "").split()) for p in doc.params}
    try:
        parameters = dict(inspect.signature(function).parameters)
    except (TypeError, ValueError) as error:
        raise InvalidSignature(
            f"{name} cannot be a tool: its signature cannot be read ({error})."
        ) from None
    hidden = getattr(function, "context_parameter", None)
    if hidden is not None:
        context = parameters.pop(hidden, None)
        if context is None:
            raise InvalidContext(
                f"{name} is marked with @tool_context, but has no parameter '{hidden}'."
            )
        if context.kind in (context.POSITIONAL_ONLY, context.VAR_POSITIONAL, context.VAR_KEYWORD):
            raise InvalidContext(
                f"{name} is marked with @tool_context, but its '{hidden}' cannot be given by name."
                " Use a plain parameter."
            )
    hints = _resolve_hints(name, _documented_object(function), hidden)
    fields: dict[str, Any] = {}
    for parameter, about in parameters.items():
        if about.kind in (about.VAR_POSITIONAL, about.VAR_KEYWORD, about.POSITIONAL_ONLY):
            raise InvalidSignature(
                f"{name} cannot be a tool: '{parameter}' cannot be given by name. Use plain"
                " parameters."
            )
        default = ... if about.default is about.empty else about.default
        hint = _require_time_offsets(hints.get(parameter, Any))
        fields[parameter] = (
            hint,
            pydantic_field(default, alias=parameter, description=texts.get(parameter) or None),
        )
    model = _parameter_model(name, fields)
    whole = _json_schema(model)
    definitions = whole.get("$defs", {})
    schema = _without_titles(whole)
    schema.pop("description", None)
    schema = {**schema, "properties": schema.get("properties", {}), "additionalProperties": False}
    for parameter, about in parameters.items():
        if _lacks_json_form(about.default):
            schema["properties"][parameter].pop("default", None)
    try:
        json.dumps(schema, allow_nan=False)
    except ValueError as error:  # a limit of thousands of digits, or infinite
        raise InvalidSignature(
            f"{name} cannot be a tool: its parameters have no JSON schema ({error})."
        ) from None
    # the parser ends the summary at the first line break, which here is not its end
    summary, rest = doc.short_description or "", doc.long_description or ""
    if not doc.blank_after_short_description:
        more, _, rest = rest.partition("\n\n")
        summary = " ".join([summary, *more.split()]).rstrip()
    description = "\n\n".join(t for t in (summary, rest) if t)
    return FunctionDescription(
        Parameters(name, tuple(parameters), schema, model),
        f"({fields_text(schema, definitions)}) -> {_return_type_text(hints.get('return', Any))}",
        description or None,
    )


def _documented_object(function: Any) -> Any:
    """The object that holds the type hints and the docstring of a callable."""
    while isinstance(function, functools.partial):
        function = function.func
    return (
        function
        if inspect.isroutine(function) or inspect.isclass(function)
        else type(function).__call__
    )


def _resolve_hints(name: str, function: Any, hidden: str | None) -> dict[str, Any]:
    """Resolve the type hints of a function one by one. Raises InvalidSignature, which names the
    parameter whose hint cannot be resolved.

    The context's hint is skipped, so that its type may be imported under TYPE_CHECKING only. An
    unresolvable hint of the result is left out.
    """
    if not inspect.isfunction(unwrapped := inspect.unwrap(function)):
        try:
            return get_type_hints(function, include_extras=True)
        except (NameError, TypeError, ValueError) as error:
            raise InvalidSignature(
                f"{name} cannot be a tool: its signature cannot be read ({error})."
            ) from None
    hints: dict[str, Any] = {}
    for parameter, hint in function.__annotations__.items():
        if parameter == hidden:
            continue

        def holder() -> None: ...

        holder.__annotations__ = {parameter: hint}
        try:
            hints |= get_type_hints(holder, unwrapped.__globals__, include_extras=True)
        except Exception as error:  # a hint is an expression, which may fail in any way
            if parameter != "return":
                raise InvalidSignature(
                    f"{name} cannot be a tool: the type hint of '{parameter}', {hint}, cannot be"
                    f" resolved ({error}). Import or define that type where the module runs,"
                    " outside `if TYPE_CHECKING:`."
                ) from None
            log.debug("the result's hint of %s cannot be resolved: %s", name, error)
    return hints


def _require_time_offsets(hint: Any) -> Any:
    """The type hint with stricter datetimes, also within lists: a datetime must have a UTC offset,
    and is converted to UTC.
    """
    from pydantic import AfterValidator

    if hint is datetime:
        return Annotated[datetime, AfterValidator(to_utc)]
    if get_origin(hint) in (Union, types.UnionType):
        options = tuple(map(_require_time_offsets, get_args(hint)))
        return hint if options == get_args(hint) else functools.reduce(operator.or_, options)
    if get_origin(hint) is list:
        return list[_require_time_offsets(get_args(hint)[0])]  # type: ignore[misc]
    return hint


def _return_type_text(hint: Any) -> str:
    """The result type of a function as text: the nearest type of compact signatures."""
    from pydantic import TypeAdapter

    if hint is None or hint is type(None):
        return ":any"
    try:
        schema = TypeAdapter(hint).json_schema(mode="serialization")
    except (
        Exception
    ) as error:  # a result may be of any type; one that JSON cannot describe is not a fault
        log.debug("the result type %r has no JSON schema: %s", hint, error)
        return ":any"
    return nearest_type_text(schema, schema.get("$defs", {}))


def _without_titles(schema: Any) -> Any:
    """The schema without the titles that pydantic generates."""
    if isinstance(schema, dict):
        return {
            k: _without_titles(v)
            for k, v in schema.items()
            if not (k == "title" and isinstance(v, str))
        }
    return [_without_titles(v) for v in schema] if isinstance(schema, list) else schema


def _lacks_json_form(value: Any) -> bool:
    """Whether a value contains a number that JSON cannot represent: not finite, or of thousands of
    digits.
    """
    try:
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError):
        return True
    except TypeError:  # another type, for which pydantic may have a form
        return False
    return False
