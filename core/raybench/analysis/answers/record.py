"""Typed answers: dataclasses whose fields say what an element of an answer holds.

A field of a scalar is an attribute of the element, a field of a record a child, and a field of a
sequence of records a list. The name of the field is the name in XML and in JSON. From these types
come the XML and the values of an answer, and `raybench.analysis.answers.schema` makes the XML
schema of all answers.
"""

from __future__ import annotations

import types
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, Union, dataclass_transform, get_args, get_origin, get_type_hints

from raybench.analysis.answers.answer import Child, Element, LazyListing, Leaf, Listed
from raybench.analysis.answers.xml_answer import provenance
from raybench.analysis.context import TracedScene
from raybench.trace import codes

ABSENT: Any = object()
"""The default of an attribute that some records of a type lack, in values too."""


@dataclass(frozen=True)
class Written:
    """How a value is written: the ``type`` of the schema; ``missing``, for a child element without
    attributes, is its text where the value is None.
    """

    type: str
    missing: str = ""


Positive = Annotated[int, Written("xs:positiveInteger")]
Integer = Annotated[int, Written("xs:integer")]
"""An int without this annotation is a count, from 0."""
Share = Annotated[float, Written("share")]
"""A part of a whole, from 0 to 1."""
Degrees = Annotated[float, Written("degrees")]
Angle = Annotated[float | None, Written("degrees_or_none", missing="none")]
"""An angle in degrees as the text of a child element, ``none`` where there is none."""
RayId = Annotated[str, Written("ray_id")]
InteractionWord = Annotated[str, Written("interaction")]
StatusWord = Annotated[str, Written("status")]
WORDS = {"interaction": codes.Interaction, "status": codes.Status}
"""The enumerations whose words are the values of a type."""


@dataclass_transform(eq_default=False, kw_only_default=True, frozen_default=True)
class Record(Element):
    """An element of an answer with typed fields. ``tag``: its name in XML, where a field of another
    record does not give one.
    """

    def __init_subclass__(cls, tag: str = "") -> None:
        dataclass(frozen=True, kw_only=True, eq=False)(cls)
        cls.tag = tag or getattr(cls, "tag", "")

    def __post_init__(self) -> None:
        attributes: dict[str, Any] = {}
        children: list[Child] = []
        for name, kind, missing in parts_of(type(self)):  # type: ignore[arg-type]
            value, name = getattr(self, name), name.rstrip("_")
            if value is ABSENT:
                continue
            if kind == "attribute":
                attributes[name] = value
            elif kind == "context":
                attributes |= provenance(value)
            elif isinstance(value, Record):
                children.append(_named(value, name))
            elif kind == "list":
                if isinstance(value, list):
                    value = [_named(v, name) if isinstance(v, Record) else v for v in value]
                children.append(Listed(name, value) if isinstance(value, Sequence) else value)
            elif missing:
                children.append(Leaf(name, value, missing))
        object.__setattr__(self, "attributes", attributes)
        object.__setattr__(self, "children", tuple(children))


def _named(record: Record, name: str) -> Record:
    """A record, which takes the name of its field unless its type has one."""
    if not record.tag:
        object.__setattr__(record, "tag", name)
    return record


class Root(Record):
    """The root of an answer about a ``context``, which becomes its `provenance`; None for an answer
    that needs no scene.
    """

    context: TracedScene | None


def union_members(kind: Any) -> tuple[Any, ...]:
    """The types of a union except None; of any other type itself."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(k for k in get_args(kind) if k is not type(None))
    return (kind,)


def item_types(kind: Any) -> tuple[Any, ...]:
    """The types of the elements of a list; empty if a type is no list of elements."""
    for member in union_members(kind):
        if get_origin(member) is Sequence:
            return union_members(get_args(member)[0])
        if member is LazyListing:
            return (kind,)
    return ()


def written(kind: Any) -> Written | None:
    """How the values of a type are written, if an annotation says it."""
    for member in (kind, *union_members(kind)):
        for about in getattr(member, "__metadata__", ()):
            if isinstance(about, Written):
                return about
    return None


@cache
def parts_of(record: type[Record]) -> tuple[tuple[str, str, str], ...]:
    """The fields of a record, those of its bases last: each with its name, whether it is an
    ``attribute``, ``list``, ``child`` or the ``context``, and the text of a missing value.
    """
    hints = get_type_hints(record, include_extras=True)
    own = {field.name for field in fields(record)}  # type: ignore[arg-type]
    names = dict.fromkeys(
        name for c in record.__mro__ for name in vars(c).get("__annotations__", ())
    )
    found = []
    for name in (n for n in names if n in own):
        kind, how = hints[name], written(hints[name])
        missing = how.missing if how else ""
        what = "context" if name == "context" else "attribute"
        if item_types(kind):
            what = "list"
        elif missing or any(
            isinstance(k, type) and issubclass(k, Record) for k in union_members(kind)
        ):
            what = "child"
        found.append((name, what, missing))
    return tuple(found)
