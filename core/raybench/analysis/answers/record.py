"""Typed answers: record classes whose fields define the content of an answer element.

A scalar field becomes an attribute, a record field a child, and a field with a sequence of records
a list. The name of the field is the name in XML and JSON. `raybench.analysis.answers.schema` makes
the XML schema of all answers from these classes.
"""

import math
import types
from collections.abc import Sequence
from dataclasses import dataclass
from typing import (
    Annotated,
    Any,
    NamedTuple,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from raybench.analysis.answers.answer import Child, Element, ElementList, Leaf
from raybench.analysis.answers.xml_answer import provenance_attributes
from raybench.analysis.context import require_context
from raybench.trace import codes

ABSENT: Any = object()
"""The default of an attribute that some records of a type lack, in values too."""
MeasureNames = Annotated[tuple[str, ...], "measures"]
"""The type of a field that stands for one attribute for each of some measures, given by names."""
REQUIRED: Any = object()
"""The default of a field that must be given."""


@dataclass(frozen=True)
class WrittenForm:
    """How values of a type are written. ``type`` is the type in the XML schema; ``missing`` is the
    text that stands for None.
    """

    type: str
    missing: str = ""


Positive = Annotated[int, WrittenForm("xs:positiveInteger")]
Integer = Annotated[int, WrittenForm("xs:integer")]
"""An int without this annotation is a count, from 0."""
Share = Annotated[float, WrittenForm("share")]
"""A part of a whole, from 0 to 1."""
Degrees = Annotated[float, WrittenForm("degrees")]
Angle = Annotated[float | None, WrittenForm("degrees_or_none", missing="none")]
"""An angle in degrees as the text of a child element, ``none`` where there is none."""
RayId = Annotated[str, WrittenForm("ray_id")]
InteractionWord = Annotated[str, WrittenForm("interaction")]
StatusWord = Annotated[str, WrittenForm("status")]
WORDS = {"interaction": codes.Interaction, "status": codes.Status}
"""The enumerations whose words are the values of a type."""


@dataclass_transform(eq_default=False, kw_only_default=True, frozen_default=True)
class Record(Element):
    """An answer element with typed fields; subclasses are frozen dataclasses. ``tag`` is the XML
    name of the element, unless the field that contains the record defines another name.

    Initializers are not made by `dataclass`, which would compile one for each type and take a tenth
    of a second.
    """

    def __init_subclass__(cls, tag: str = "") -> None:
        cls.tag = tag or getattr(cls, "tag", "")

    def __init__(self, **values: Any) -> None:
        attributes: dict[str, Any] = {}
        children: list[Child] = []
        own = vars(self)
        for name, _, what, missing, default in record_fields(type(self)):
            value = own[name] = values.get(name, default)
            if value is REQUIRED:
                raise TypeError(f"{type(self).__name__} needs {name}.")
            name = name.rstrip("_")
            if what == "context":
                context = require_context() if value is ABSENT else value
                attributes |= provenance_attributes(context)
            elif value is ABSENT:
                continue
            elif what == "attribute":
                attributes[name] = value
            elif isinstance(value, Record):
                children.append(_name_record(value, name))
            elif what == "list":
                if isinstance(value, list):
                    value = [_name_record(v, name) if isinstance(v, Record) else v for v in value]
                children.append(ElementList(name, value) if isinstance(value, Sequence) else value)
            elif missing:
                children.append(Leaf(name, value, missing))
        if len(unknown := values.keys() - own.keys()):
            raise TypeError(f"{type(self).__name__} has no {', '.join(unknown)}.")
        super().__init__(self.tag, attributes, tuple(children))

    def with_fields(self, **values: Any) -> Self:
        """A copy of the record with new values for some fields."""
        return type(self)(
            **{part.name: getattr(self, part.name) for part in record_fields(type(self))} | values
        )


def _name_record(record: Record, name: str) -> Record:
    """Set the tag of a record to the name of its field, unless the record type defines a tag."""
    record.tag = record.tag or name
    return record


class Root(Record):
    """The root element of an answer. ``context`` is a `TracedScene`, by default the active context;
    `provenance_attributes` writes its revision and units. It is None for an answer that needs no
    scene.
    """

    context: Any = ABSENT


def union_members(kind: Any) -> tuple[Any, ...]:
    """The member types of a union, without None; for any other type a tuple with this type."""
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(k for k in get_args(kind) if k is not type(None))
    return (kind,)


def item_types(kind: Any) -> tuple[Any, ...]:
    """The types that the elements of a list type can have; empty for any other type."""
    for member in union_members(kind):
        if get_origin(member) is Sequence:
            return union_members(get_args(member)[0])
        if member is ElementList:
            return (kind,)
    return ()


def annotated_written_form(kind: Any) -> WrittenForm | None:
    """How values of an annotated type are written; None if the type has no such annotation."""
    for member in (kind, *union_members(kind)):
        for about in getattr(member, "__metadata__", ()):
            if isinstance(about, WrittenForm):
                return about
    return None


def ratio(part: float, whole: float) -> float | None:
    """The quotient of two numbers; None if ``whole`` is 0."""
    return part / whole if whole > 0 else None


def none_if_nan(value: float) -> float | None:
    """The number, or None if it is NaN."""
    return None if math.isnan(value) else float(value)


class RecordField(NamedTuple):
    """A field of a record: name, type, default and the text for a missing value. It also says
    whether the field is written as an ``attribute``, a ``list`` or a ``child``, or is the
    ``context``.
    """

    name: str
    type: Any
    what: str
    missing: str
    default: Any


_PARTS: dict[type, tuple[RecordField, ...]] = {}


def record_fields(record: type[Record]) -> tuple[RecordField, ...]:
    """The fields of a record type, those of base classes last. The result is cached."""
    if record in _PARTS:
        return _PARTS[record]
    hints = get_type_hints(record, include_extras=True)
    bases = [c for c in record.__mro__ if c is not Record and issubclass(c, Record)]
    found = []
    for name in dict.fromkeys(name for c in bases for name in c.__annotations__):
        kind, how = hints[name], annotated_written_form(hints[name])
        if kind == MeasureNames:
            names = getattr(record, name)
            found += [RecordField(n, float | None, "attribute", "", ABSENT) for n in names]
            continue
        missing = how.missing if how else ""
        what = "context" if name == "context" else "attribute"
        if item_types(kind):
            what = "list"
        elif missing or any(
            isinstance(k, type) and issubclass(k, Record) for k in union_members(kind)
        ):
            what = "child"
        found.append(RecordField(name, kind, what, missing, getattr(record, name, REQUIRED)))
    _PARTS[record] = tuple(found)
    return _PARTS[record]
