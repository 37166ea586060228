"""Compact signatures, such as ``(query :string, limit :int?) -> [{id :int}]``. They describe the
parameters and the result of a tool as types that pydantic validates.

    signature = "(" [field {"," field}] ")" "->" type | type          a type alone takes no
    parameters
    field     = name type                                             name: a letter or _, then
    letters, digits, - and _
    type      = (primitive | "[" type "]" | "{" [field {"," field}] "}") ["?"]
    primitive = ":string" | ":int" | ":float" | ":bool" | ":keyword" | ":map" | ":any" | ":datetime"

``?`` marks what may be null or left out; ``:boolean`` is ``:bool``. Blanks and line ends are free
between tokens. A list is ``list[...]``, a record a `TypedDict`, and ``?`` is ``| None``.
"""

import difflib
import re
import types
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from typing_extensions import TypedDict, is_typeddict  # pydantic wants these before Python 3.12

from raybench.errors import RaybenchError, elide_text

NAME = r"[A-Za-z_][A-Za-z0-9_-]{0,63}"
"""The pattern of names of tools and parameters that model APIs accept."""
KEYWORD = r"^[A-Za-z_][A-Za-z0-9_\-]*$"
"""The pattern of a keyword: a short name such as a choice."""
MOST_NESTED_TYPES = 64
"""Maximum nesting depth of lists and records."""
DEEPEST_EXPANSION = 3
"""Depth to which the definitions of a JSON schema are expanded."""
IN_UTC = object()
"""The context of a validation that accepts datetimes in UTC only."""
_WITH_OFFSET = "a date and time with an offset, such as 2026-01-31T12:00:00Z"


class SignatureError(RaybenchError):
    """A text is not a valid signature. The message gives line and column, and what is expected
    there.
    """


@dataclass(frozen=True)
class Signature:
    """The types of a tool's parameters, by name, and of its result. ``str`` of a signature is its
    text.
    """

    parameters: Mapping[str, Any]
    returns: Any = Any

    def __str__(self) -> str:
        return f"({_fields_text(self.parameters)}) -> {type_text(self.returns)}"


def to_utc(read: datetime) -> datetime:
    """Convert a time with a UTC offset to UTC. Raises ValueError for a time without an offset."""
    try:
        if read.tzinfo is not None:
            return read.astimezone(UTC)
    except OverflowError:  # before the first year
        pass
    raise ValueError(_WITH_OFFSET)


def read_datetime(text: str) -> datetime:
    """Parse ISO text with an offset to a datetime in UTC. Raises ValueError for any other text."""
    try:
        if "T" in text.upper():
            return to_utc(datetime.fromisoformat(text))
    except ValueError:
        pass
    raise ValueError(_WITH_OFFSET)


def _checked_datetime(text: str, info: Any) -> datetime:
    """Validate a datetime. In the validation context `IN_UTC`, offsets other than UTC are
    invalid.
    """
    read = read_datetime(text)
    if info.context is IN_UTC and datetime.fromisoformat(text).utcoffset():
        raise ValueError(_WITH_OFFSET)
    return read


@cache
def primitive_types() -> Mapping[str, Any]:
    """The primitive types by name. A ``keyword`` is a short name, such as one of several choices; a
    ``map`` is an object with any fields.
    """
    # imported with the first tool, so that the first window opens without it
    from pydantic import AfterValidator, StringConstraints, WithJsonSchema

    text = WithJsonSchema({"type": "string"})  # without a format, which strict modes refuse
    return {
        "string": str,
        "int": int,
        "float": float,
        "bool": bool,
        "keyword": Annotated[str, StringConstraints(pattern=KEYWORD), text],
        "map": dict[str, Any],
        "any": Any,
        "datetime": Annotated[str, AfterValidator(_checked_datetime), text],
    }


def is_optional(hint: Any) -> bool:
    """Whether a type allows null. A field of such a type may be left out."""
    return get_origin(hint) in (Union, types.UnionType) and type(None) in get_args(hint)


def type_without_null(hint: Any) -> Any:
    """The type without null: for ``:int?`` it is ``:int``."""
    return get_args(hint)[0] if is_optional(hint) else hint


def accepts_any_text(hint: Any) -> bool:
    """Whether every text is a valid value of this type."""
    return type_without_null(hint) in (str, Any)


def record_fields(hint: Any) -> Mapping[str, Any]:
    """The types of a record's fields by name."""
    return {
        name: get_args(field)[0] if get_origin(field) is NotRequired else field
        for name, field in hint.__annotations__.items()
    }


def type_text(hint: Any) -> str:
    """A type as text in compact signatures."""
    if is_optional(hint):
        return f"{type_text(type_without_null(hint))}?"
    if get_origin(hint) is list:
        return f"[{type_text(get_args(hint)[0])}]"
    if is_typeddict(hint):
        return f"{{{_fields_text(record_fields(hint))}}}"
    return f":{next(name for name, known in primitive_types().items() if known == hint)}"


def _fields_text(fields: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {type_text(hint)}" for name, hint in fields.items())


def nearest_type_text(
    schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0
) -> str:
    """The text of the compact signature type that is nearest to a JSON schema of pydantic; ``:any``
    if there is none.

    ``definitions`` are the schema's ``$defs``. References are expanded three levels deep, so that
    recursive definitions end.
    """
    if "$ref" in schema:
        if depth >= DEEPEST_EXPANSION:
            return ":any"
        definition = definitions[str(schema["$ref"]).rsplit("/", 1)[-1]]
        return nearest_type_text(definition, definitions, depth + 1)
    if "anyOf" in schema:
        options = [option for option in schema["anyOf"] if option.get("type") != "null"]
        inner = nearest_type_text(options[0], definitions, depth) if len(options) == 1 else ":any"
        return optional_type_text(inner) if len(options) < len(schema["anyOf"]) else inner
    match schema.get("type"):
        case "string" if "enum" in schema or "const" in schema:
            return ":keyword"
        case "string":
            return ":datetime" if schema.get("format") == "date-time" else ":string"
        case "array" if "prefixItems" not in schema:
            return f"[{nearest_type_text(schema.get('items', {}), definitions, depth)}]"
        case "object":
            properties = schema.get("properties", {"": {}})
            if not all(re.fullmatch(NAME, name) for name in properties):
                return ":map"  # any fields, or names that no signature can hold
            return f"{{{fields_text(schema, definitions, depth)}}}"
        case kind:
            numbers = {"integer": ":int", "number": ":float", "boolean": ":bool"}
            return numbers.get(str(kind), ":any")


def fields_text(schema: Mapping[str, Any], definitions: Mapping[str, Any], depth: int = 0) -> str:
    """The fields of an object's JSON schema, as text in compact signatures."""
    texts = {
        name: nearest_type_text(about, definitions, depth)
        for name, about in schema["properties"].items()
    }
    required = schema.get("required", [])
    return ", ".join(
        f"{name} {text if name in required else optional_type_text(text)}"
        for name, text in texts.items()
    )


def optional_type_text(text: str) -> str:
    """The text of the optional type for the text of a type."""
    return text if text.endswith("?") else f"{text}?"


def parse_signature(text: object) -> Signature:
    """Parse a compact signature. Raises SignatureError with line and column."""
    if not isinstance(text, str):
        raise SignatureError(f"signature must be a string, got {type(text).__name__}")
    return _Reader(text).read_signature()


_TOKEN = re.compile(r"->|:[A-Za-z_][\w-]*|[A-Za-z_](?:[A-Za-z0-9_]|-(?!>))*|[()\[\]{},?]", re.ASCII)
_BLANK = re.compile(r"\s*")
_END = ""


class _Reader:
    """A recursive descent parser of compact signatures."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.token = ""
        self.place = 0
        self.advance()

    def advance(self) -> str:
        """Return the current token and move to the next one."""
        read = self.token
        self.place = self.at = _BLANK.match(self.text, self.at).end()  # type: ignore[union-attr]
        if self.at == len(self.text):
            self.token = _END
        elif match := _TOKEN.match(self.text, self.at):
            self.token, self.at = match[0], match.end()
        else:
            raise self.error(f"a {self.text[self.at]!r} has no meaning here")
        return read

    def error(self, what: str) -> SignatureError:
        line = self.text.count("\n", 0, self.place) + 1
        column = self.place - self.text.rfind("\n", 0, self.place)
        return SignatureError(f"parse error at line {line}, column {column}: {what}")

    def expected_error(self, what: str) -> SignatureError:
        return self.error(
            f"expected {what}, found {elide_text(self.token, 60) if self.token != _END else 'the end'}"
        )

    def take_token(self, token: str, after: str = "") -> None:
        if self.token != token:
            raise self.expected_error(f"{token}{after}")
        self.advance()

    def read_signature(self) -> Signature:
        parameters: Mapping[str, Any] = {}
        if self.token == "(":
            self.advance()
            parameters = self.read_fields(")")
            self.take_token("->", " and the type of the result")
        returns = self.read_type()
        if self.token != _END:
            raise self.expected_error("the end")
        return Signature(parameters, returns)

    def read_fields(self, close: str) -> Mapping[str, Any]:
        fields: dict[str, Any] = {}
        while self.token != close or fields:
            if not re.match(r"[A-Za-z_]", self.token):
                raise self.expected_error("a name" if fields else f"a name or {close}")
            if self.token in fields:
                raise self.error(f"{self.token} is there twice")
            name = self.advance()
            fields[name] = self.read_type()
            if self.token == close:
                break
            self.take_token(",", f" or {close}")
        self.advance()
        return fields

    def read_type(self) -> Any:
        self.depth += 1
        if self.depth > MOST_NESTED_TYPES:
            raise self.error(f"more than {MOST_NESTED_TYPES} levels of lists and records")
        read = self.read_plain_type()
        self.depth -= 1
        if self.token == "?":
            self.advance()
            return read | None
        return read

    def read_plain_type(self) -> Any:
        if self.token == "[":
            self.advance()
            item = self.read_type()
            self.take_token("]")
            return list[item]  # type: ignore[valid-type]
        if self.token == "{":
            self.advance()
            keys = {
                name: NotRequired[hint] if is_optional(hint) else hint
                for name, hint in self.read_fields("}").items()
            }
            return TypedDict("Record", keys)  # type: ignore[operator]
        if not self.token.startswith(":"):
            raise self.expected_error("a type such as :string")
        name = self.token[1:]
        name = "bool" if name == "boolean" else name
        primitives = primitive_types()
        if name not in primitives:
            near = difflib.get_close_matches(name, primitives, 1)
            meant = f", did you mean :{near[0]}?" if near else "."
            types = ", ".join(f":{p}" for p in primitives)
            raise self.error(
                f"there is no type :{elide_text(name, 60)}{meant} Types are {types}; a list is [:type],"
                " a record {field :type}"
            )
        self.advance()
        return primitives[name]
