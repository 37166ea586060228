"""Extraction of parameters, signature and description from the type hints and docstring of a
function.
"""

from __future__ import annotations

import functools
import inspect
import json
import logging
import operator
import threading
import types
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from raybench.schema.json_schema import nearest_type
from raybench.schema.parameters import (
    InvalidContext,
    InvalidSignature,
    Parameters,
    in_utc,
    json_schema,
    parameter_model,
)
from raybench.schema.signature import ANY, Field, Signature, Type, optional

log = logging.getLogger(__name__)
_importing = threading.Lock()


@dataclass(frozen=True, eq=False)
class Described:
    """The parameters, compact signature and description (docstring without parameters) extracted
    from a function.
    """

    parameters: Parameters
    signature: Signature
    description: str | None


@functools.lru_cache(maxsize=512)
def described(function: Callable[..., Any]) -> Described:
    """Extract a function's parameters and description. InvalidSignature if a model could not call
    it.

    The parameter named by the function's attribute ``context_parameter`` is filled by the program
    and left out.
    """
    # imported with the first tool, so that the first window opens without them; under a lock, since
    # pydantic imports its submodules lazily and another thread could see them partially initialised
    with _importing:
        import docstring_parser
        from pydantic import Field as pydantic_field

    name = getattr(function, "__name__", type(function).__name__)
    doc = docstring_parser.parse(inspect.getdoc(_described_by(function)) or "")
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
    hints = _hints(name, _described_by(function), hidden)
    fields: dict[str, Any] = {}
    for parameter, about in parameters.items():
        if about.kind in (about.VAR_POSITIONAL, about.VAR_KEYWORD, about.POSITIONAL_ONLY):
            raise InvalidSignature(
                f"{name} cannot be a tool: '{parameter}' cannot be given by name. Use plain"
                " parameters."
            )
        default = ... if about.default is about.empty else about.default
        hint = _with_offsets(hints.get(parameter, Any))
        fields[parameter] = (
            hint,
            pydantic_field(default, alias=parameter, description=texts.get(parameter) or None),
        )
    model = parameter_model(name, fields)
    whole = json_schema(model)
    definitions = whole.get("$defs", {})
    schema = _tidy(whole)
    schema.pop("description", None)
    schema = {**schema, "properties": schema.get("properties", {}), "additionalProperties": False}
    for parameter, about in parameters.items():
        if _has_no_json(about.default):
            schema["properties"][parameter].pop("default", None)
    try:
        json.dumps(schema, allow_nan=False)
    except ValueError as error:  # a limit of thousands of digits, or infinite
        raise InvalidSignature(
            f"{name} cannot be a tool: its parameters have no JSON schema ({error})."
        ) from None
    types = {p: nearest_type(about, definitions) for p, about in schema["properties"].items()}
    required = schema.get("required", [])
    taken = tuple(Field(p, t if p in required else optional(t)) for p, t in types.items())
    # the parser ends the summary at the first line break, which here is not its end
    summary, rest = doc.short_description or "", doc.long_description or ""
    if not doc.blank_after_short_description:
        more, _, rest = rest.partition("\n\n")
        summary = " ".join([summary, *more.split()]).rstrip()
    description = "\n\n".join(t for t in (summary, rest) if t)
    return Described(
        Parameters(name, tuple(parameters), schema, model),
        Signature(taken, _returned(hints.get("return", Any))),
        description or None,
    )


def _described_by(function: Any) -> Any:
    """The object that holds the hints and the docstring of a callable."""
    while isinstance(function, functools.partial):
        function = function.func
    return (
        function
        if inspect.isroutine(function) or inspect.isclass(function)
        else type(function).__call__
    )


def _hints(name: str, function: Any, hidden: str | None) -> dict[str, Any]:
    """Resolve the type hints of a function one by one; InvalidSignature names the parameter whose
    hint cannot be resolved.

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


def _with_offsets(hint: Any) -> Any:
    """The hint with each datetime, alone or in lists, restricted to the rules of ``:datetime``:
    with an offset, converted to UTC.
    """
    from pydantic import AfterValidator

    if hint is datetime:
        return Annotated[datetime, AfterValidator(in_utc)]
    if get_origin(hint) in (Union, types.UnionType):
        options = tuple(map(_with_offsets, get_args(hint)))
        return hint if options == get_args(hint) else functools.reduce(operator.or_, options)
    if get_origin(hint) is list:
        return list[_with_offsets(get_args(hint)[0])]  # type: ignore[misc]
    return hint


def _returned(hint: Any) -> Type:
    """The nearest type of compact signatures for the hint of the result."""
    from pydantic import TypeAdapter

    if hint is None or hint is type(None):
        return ANY
    try:
        schema = TypeAdapter(hint).json_schema(mode="serialization")
    except (
        Exception
    ) as error:  # a result may be of any type; one that JSON cannot describe is not a fault
        log.debug("the result type %r has no JSON schema: %s", hint, error)
        return ANY
    return nearest_type(schema, schema.get("$defs", {}))


def _tidy(schema: Any) -> Any:
    """The schema without the titles that pydantic generates."""
    if isinstance(schema, dict):
        return {k: _tidy(v) for k, v in schema.items() if not (k == "title" and isinstance(v, str))}
    return [_tidy(v) for v in schema] if isinstance(schema, list) else schema


def _has_no_json(value: Any) -> bool:
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
