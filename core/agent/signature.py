"""What a function takes, as a schema to advertise and as a strict check of what a model sends."""

from __future__ import annotations

import functools
import inspect
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_type_hints

from core.errors import RaybenchError

if TYPE_CHECKING:
    from pydantic import BaseModel


_importing = threading.Lock()


class InvalidSignature(RaybenchError):
    """A function cannot be a tool; the text says which parameter and why."""


class InvalidArguments(RaybenchError):
    """Arguments that do not fit a signature; one line a field."""


@dataclass(frozen=True)
class Arguments:
    """Checked arguments: ``values`` to call with (defaults filled in), and the names that the function does not know."""

    values: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Signature:
    """The parameters of a function. ``schema`` is a JSON schema of an object; ``description`` is what its docstring says of it."""

    name: str
    parameters: tuple[str, ...]
    schema: Mapping[str, Any]
    description: str
    model: type[BaseModel]

    def check(self, arguments: Any) -> Arguments:
        """The arguments with the types of the signature, nothing converted; InvalidArguments says what is wrong, field by field."""
        from pydantic import ValidationError

        if not isinstance(arguments, Mapping):
            raise InvalidArguments(f"{self.name}: the arguments must be an object, got {_shown(arguments)}. {self.usage}")
        try:
            read = self.model.model_validate_json(json.dumps(dict(arguments)))
        except ValidationError as error:
            faults = " ".join(_fault(e) for e in error.errors(include_url=False))
            raise InvalidArguments(f"{self.name}: {faults} {self.usage}") from None
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidArguments(f"{self.name}: the arguments are no JSON ({error}). {self.usage}") from None
        values = {name: getattr(read, _field(i)) for i, name in enumerate(self.parameters)}
        return Arguments(values, tuple(str(name) for name in arguments if name not in self.parameters))

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
            out.append(f"{name}: {type_words(about)}{default}")
        return tuple(out)


def type_words(about: Mapping[str, Any]) -> str:
    """The type of a JSON schema in words, such as ``string`` or ``list of number``."""
    if "enum" in about:
        return " | ".join(json.dumps(v) for v in about["enum"])
    if "anyOf" in about:
        return " or ".join(type_words(option) for option in about["anyOf"])
    if about.get("type") == "array":
        return f"list of {type_words(about.get('items', {}))}"
    return str(about.get("type", "any"))


@functools.cache
def signature_of(function: Callable[..., Any]) -> Signature:
    """What a function takes, from its type hints and docstring. InvalidSignature if a model could not call it."""
    # imported when the first tool is made: the window that lists no tool yet does not wait for them. One thread at a time, for pydantic
    # imports its parts on demand, and a second thread that came in between would find some of them half made
    with _importing:
        import docstring_parser
        from pydantic import ConfigDict, Field, create_model

    name = getattr(function, "__name__", type(function).__name__)
    doc = docstring_parser.parse(inspect.getdoc(function) or "")
    texts = {p.arg_name: " ".join((p.description or "").split()) for p in doc.params}
    try:
        hints = get_type_hints(function, include_extras=True)
        parameters = inspect.signature(function).parameters
    except (NameError, TypeError, ValueError) as error:
        raise InvalidSignature(f"{name} cannot be a tool: its signature cannot be read ({error}).") from None
    fields: dict[str, Any] = {}
    for i, (parameter, about) in enumerate(parameters.items()):
        if parameter.startswith("_"):
            raise InvalidSignature(f"{name} cannot be a tool: parameter '{parameter}' starts with an underscore. Rename it.")
        if about.kind in (about.VAR_POSITIONAL, about.VAR_KEYWORD, about.POSITIONAL_ONLY):
            raise InvalidSignature(f"{name} cannot be a tool: '{parameter}' cannot be given by name. Use plain parameters.")
        default = ... if about.default is about.empty else about.default
        # named by place, with the parameter as alias: a parameter may then be called as a method of BaseModel is
        fields[_field(i)] = (hints.get(parameter, Any), Field(default, alias=parameter, description=texts.get(parameter) or None))
    config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)
    try:
        model = create_model(name, __config__=config, **fields)
        schema = _tidy(model.model_json_schema(by_alias=True))
    except Exception as error:  # pydantic raises many kinds for a type that JSON cannot hold
        raise InvalidSignature(f"{name} cannot be a tool: {error}") from None
    schema.pop("description", None)
    schema = {**schema, "properties": schema.get("properties", {}), "additionalProperties": False}
    description = "\n\n".join(t for t in (doc.short_description, doc.long_description) if t)
    return Signature(name, tuple(parameters), schema, description, model)


def _field(i: int) -> str:
    return f"parameter_{i}"


def _tidy(schema: Any) -> Any:
    """The schema without the titles that pydantic makes up from names."""
    if isinstance(schema, dict):
        return {k: _tidy(v) for k, v in schema.items() if not (k == "title" and isinstance(v, str))}
    return [_tidy(v) for v in schema] if isinstance(schema, list) else schema


def _fault(error: Any) -> str:
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "missing":
        return f"'{where}' is missing."
    wanted = error["msg"].removeprefix("Input should be ").removeprefix("a valid ")
    return f"'{where}' must be {_article(wanted)}, got {_shown(error['input'])}."


def _article(words: str) -> str:
    if words.startswith(("a ", "an ", "less ", "greater ", "'", '"')):
        return words
    return f"{'an' if words[:1] in 'aeiou' else 'a'} {words}"


def _shown(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."
