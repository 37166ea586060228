"""Parameters of a tool: their JSON schema, and the strict validation of arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, NotRequired

from raybench.errors import RaybenchError
from raybench.schema.argument_faults import KEYWORD, excerpt, fault_sentences, type_words
from raybench.schema.json_schema import record_schema
from raybench.schema.jsonable import too_deep
from raybench.schema.signature import NAME, ListOf, Optional, Primitive, Record, Signature, Type
from raybench.schema.size import DEEPEST

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.json_schema import GenerateJsonSchema

NO_SCHEMA: Mapping[str, Any] = {"type": "object", "properties": {}}
MOST_FAULTS = 8
"""Maximum number of fields that an error describes."""


class InvalidSignature(RaybenchError):
    """A function cannot be a tool; the text says which parameter and why."""


class InvalidContext(InvalidSignature):
    """A function's context parameter is missing or cannot be passed by name, so that the function
    cannot be called.
    """


class InvalidArguments(RaybenchError):
    """Arguments do not fit the parameters; the message has a sentence for each of the first fields.

    ``faults`` are pydantic's errors in order.
    """

    def __init__(self, text: str, faults: Sequence[Mapping[str, Any]] = ()) -> None:
        super().__init__(text)
        self.faults = tuple(faults)


@dataclass(frozen=True)
class Arguments:
    """Checked arguments: ``values`` with defaults filled in, and the names of unknown arguments,
    which were dropped.
    """

    values: Mapping[str, Any]
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parameters of the tool called ``tool``; ``schema`` is a JSON schema of an object. Without
    a ``model`` any arguments are accepted.

    With ``defaults`` missing arguments are filled in; compact signatures have no defaults and leave
    them to the function.
    """

    tool: str
    names: tuple[str, ...] = ()
    schema: Mapping[str, Any] = field(default_factory=lambda: NO_SCHEMA)
    model: type[BaseModel] | None = None
    defaults: bool = True

    def check(self, arguments: Any) -> Arguments:
        """Validate arguments strictly, without conversion; InvalidArguments lists the faults of all
        fields.
        """
        from pydantic import ValidationError

        if not isinstance(arguments, Mapping):
            raise InvalidArguments(
                f"{self.tool}: the arguments must be an object, got {excerpt(arguments)}."
                f" {self.usage}"
            )
        if too_deep(arguments):
            raise InvalidArguments(
                f"{self.tool}: the arguments nest more than {DEEPEST} deep. {self.usage}"
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
            name: place(i)
            for i, name in enumerate(self.names)
            if self.defaults or place(i) in read.model_fields_set
        }
        values = {name: getattr(read, place) for name, place in given.items()}
        return Arguments(values, tuple(str(name) for name in arguments if name not in self.names))

    @property
    def usage(self) -> str:
        """The parameters in a line, such as ``Parameters: glass_name: string, min_angle: number =
        0.0.``
        """
        return f"Parameters: {', '.join(self.summary) or 'none'}."

    @property
    def summary(self) -> tuple[str, ...]:
        """One text a parameter: its name, type and default."""
        out = []
        for name, about in self.schema["properties"].items():
            default = f" = {json.dumps(about['default'])}" if "default" in about else ""
            optional = "" if default or name in self.schema.get("required", ()) else "?"
            out.append(
                f"{name}{optional}: {type_words(about, self.schema.get('$defs', {}))}{default}"
            )
        return tuple(out)


def parameters_of(tool: str, signature: Signature) -> Parameters:
    """The parameters of a compact signature."""
    from pydantic import Field as pydantic_field

    fields = {
        f.name: (
            annotation(f.type),
            pydantic_field(
                None if f.optional else ..., alias=f.name, description=f.description or None
            ),
        )
        for f in signature.parameters
    }
    return Parameters(
        tool,
        tuple(fields),
        record_schema(signature.parameters),
        parameter_model(tool, fields),
        defaults=False,
    )


def annotation(type: Type) -> Any:
    """The Python type hint by which pydantic validates a type of a signature."""
    from pydantic import AfterValidator, ConfigDict, StringConstraints
    from typing_extensions import TypedDict  # pydantic wants this one before Python 3.12

    match type:
        case Optional(inner):
            return annotation(inner) | None
        case ListOf(item):
            return list[annotation(item)]  # type: ignore[misc]
        case Record(fields, closed):
            keys = {
                f.name: NotRequired[annotation(f.type)] if f.optional else annotation(f.type)
                for f in fields
            }
            typed_dict: Any = TypedDict  # the keys are known at run time only
            record = typed_dict("Record", keys)
            record.__pydantic_config__ = ConfigDict(
                strict=True, extra="forbid" if closed else "ignore", allow_inf_nan=False
            )
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
    """Parse ISO text with an offset to a datetime in UTC; ValueError for anything else."""
    try:
        if "T" in text.upper():
            return in_utc(datetime.fromisoformat(text))
    except ValueError:
        pass
    raise ValueError(_WITH_OFFSET)


_WITH_OFFSET = "a date and time with an offset, such as 2026-01-31T12:00:00Z"


def in_utc(read: datetime) -> datetime:
    """A time with an offset as one in UTC. Raises ValueError without an offset."""
    try:
        if read.tzinfo is not None:
            return read.astimezone(UTC)
    except OverflowError:  # before the first year
        pass
    raise ValueError(_WITH_OFFSET)


def parameter_model(tool: str, fields: Mapping[str, Any]) -> type[BaseModel]:
    """The model of a tool's parameters, given as pydantic takes fields, in order. Raises
    InvalidSignature if models cannot call it.
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
    made: dict[str, Any] = {place(i): field for i, field in enumerate(fields.values())}
    try:
        model: type[BaseModel] = create_model("Parameters", __config__=config, **made)
        json_schema(model)
    except Exception as error:  # pydantic raises many kinds for a type that JSON cannot hold
        raise InvalidSignature(f"{tool} cannot be a tool: {str(error).splitlines()[0]}") from None
    return model


def json_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a model of parameters, without those defaults that have no form in JSON: a
    call leaves them out.
    """
    return model.model_json_schema(by_alias=True, schema_generator=_generator())


@cache
def _generator() -> type[GenerateJsonSchema]:
    from pydantic.json_schema import GenerateJsonSchema

    class Generator(GenerateJsonSchema):
        ignored_warning_kinds = {  # noqa: RUF012
            "skipped-choice",
            "non-serializable-default",
        }

    return Generator


def place(i: int) -> str:
    """The name of the parameter ``i`` in the model."""
    return f"parameter_{i}"
