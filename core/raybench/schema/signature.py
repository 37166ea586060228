"""Compact signatures: ``(query :string, limit :int?) -> [{id :int}]`` gives parameters and result
of a tool.

    signature = "(" [field {"," field}] ")" "->" type | type          a type alone takes no
    parameters
    field     = name type                                             name: a letter or _, then
    letters, digits, - and _
    type      = (primitive | "[" type "]" | "{" [field {"," field}] "}") ["?"]
    primitive = ":string" | ":int" | ":float" | ":bool" | ":keyword" | ":map" | ":any" | ":datetime"

``?`` marks what may be null or left out; ``:boolean`` is ``:bool``. Blanks and line ends are free
between tokens.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from raybench.errors import RaybenchError, elided

PRIMITIVES = ("string", "int", "float", "bool", "keyword", "map", "any", "datetime")
NAME = r"[A-Za-z_][A-Za-z0-9_-]{0,63}"
"""The pattern of names of tools and parameters that model APIs accept."""
DEEPEST = 64
"""Maximum nesting depth of lists and records."""


class SignatureError(RaybenchError):
    """A text is not a signature; the message gives line, column and what is expected there."""


@dataclass(frozen=True)
class Primitive:
    """One of `PRIMITIVES`. A keyword is a short name such as a choice; a map is an object of any
    fields.
    """

    name: str


@dataclass(frozen=True)
class ListOf:
    """A list whose items have one type."""

    item: Type


@dataclass(frozen=True)
class Optional:
    """What may be null or, as a field, left out."""

    type: Primitive | ListOf | Record


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a record. ``description`` appears only in JSON schemas."""

    name: str
    type: Type
    description: str = ""

    @property
    def optional(self) -> bool:
        return isinstance(self.type, Optional)


@dataclass(frozen=True)
class Record:
    """An object with these fields; others may come along unless it is ``closed``."""

    fields: tuple[Field, ...] = ()
    closed: bool = False


Type = Primitive | ListOf | Record | Optional
ANY = Primitive("any")


@dataclass(frozen=True)
class Signature:
    """Parameters and result of a tool. ``str`` gives text that parses to an equal signature."""

    parameters: tuple[Field, ...]
    returns: Type = ANY

    def __str__(self) -> str:
        return f"({_fields(self.parameters)}) -> {type_text(self.returns)}"


def optional(type: Type) -> Optional:
    """The type as an optional one."""
    return type if isinstance(type, Optional) else Optional(type)


def is_any_text(type: Type) -> bool:
    """Whether every text is a value of the type."""
    inner = type.type if isinstance(type, Optional) else type
    return isinstance(inner, Primitive) and inner.name in ("string", "any")


def type_text(type: Type) -> str:
    """The text of a type."""
    match type:
        case Optional(inner):
            return f"{type_text(inner)}?"
        case ListOf(item):
            return f"[{type_text(item)}]"
        case Record(fields):
            return f"{{{_fields(fields)}}}"
        case Primitive(name):
            return f":{name}"


def _fields(fields: tuple[Field, ...]) -> str:
    return ", ".join(f"{f.name} {type_text(f.type)}" for f in fields)


def parse_signature(text: object) -> Signature:
    """Parse a signature; SignatureError with line and column."""
    if not isinstance(text, str):
        raise SignatureError(f"signature must be a string, got {type(text).__name__}")
    return _Reader(text).signature()


_TOKEN = re.compile(r"->|:[A-Za-z_][\w-]*|[A-Za-z_](?:[A-Za-z0-9_]|-(?!>))*|[()\[\]{},?]", re.ASCII)
_BLANK = re.compile(r"\s*")
_END = ""


class _Reader:
    """A recursive descent parser."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0
        self.token = ""
        self.place = 0
        self.advance()

    def advance(self) -> str:
        """Move to the next token; returns the one that was current."""
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

    def expected(self, what: str) -> SignatureError:
        return self.error(
            f"expected {what}, found {elided(self.token, 60) if self.token != _END else 'the end'}"
        )

    def take(self, token: str, after: str = "") -> None:
        if self.token != token:
            raise self.expected(f"{token}{after}")
        self.advance()

    def signature(self) -> Signature:
        parameters: tuple[Field, ...] = ()
        if self.token == "(":
            self.advance()
            parameters = self.fields(")")
            self.take("->", " and the type of the result")
        returns = self.type()
        if self.token != _END:
            raise self.expected("the end")
        return Signature(parameters, returns)

    def fields(self, close: str) -> tuple[Field, ...]:
        fields: dict[str, Field] = {}
        while self.token != close or fields:
            if not re.match(r"[A-Za-z_]", self.token):
                raise self.expected("a name" if fields else f"a name or {close}")
            if self.token in fields:
                raise self.error(f"{self.token} is there twice")
            name = self.advance()
            fields[name] = Field(name, self.type())
            if self.token == close:
                break
            self.take(",", f" or {close}")
        self.advance()
        return tuple(fields.values())

    def type(self) -> Type:
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.error(f"more than {DEEPEST} levels of lists and records")
        read = self.plain_type()
        self.depth -= 1
        if self.token == "?":
            self.advance()
            return Optional(read)
        return read

    def plain_type(self) -> Primitive | ListOf | Record:
        if self.token == "[":
            self.advance()
            item = self.type()
            self.take("]")
            return ListOf(item)
        if self.token == "{":
            self.advance()
            return Record(self.fields("}"))
        if not self.token.startswith(":"):
            raise self.expected("a type such as :string")
        name = self.token[1:]
        name = "bool" if name == "boolean" else name
        if name not in PRIMITIVES:
            near = difflib.get_close_matches(name, PRIMITIVES, 1)
            meant = f", did you mean :{near[0]}?" if near else "."
            types = ", ".join(f":{p}" for p in PRIMITIVES)
            raise self.error(
                f"there is no type :{elided(name, 60)}{meant} Types are {types}; a list is [:type],"
                " a record {field :type}"
            )
        self.advance()
        return Primitive(name)
