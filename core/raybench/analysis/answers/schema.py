"""The XML schema of all answers, generated from the record types. It is written by

python -m raybench.analysis.answers.schema > resources/raybench_resources/answers.xsd
"""

import inspect
from collections.abc import Iterator
from itertools import groupby
from typing import Any, Literal, get_args, get_origin

from raybench.analysis.answers.answer import Leaf
from raybench.analysis.answers.rays_xml import ATTRIBUTES, ELEMENTS, is_required_column
from raybench.analysis.answers.record import (
    ABSENT,
    WORDS,
    Record,
    Root,
    annotated_written_form,
    item_types,
    record_fields,
    union_members,
)
from raybench.analysis.answers.xml_answer import UNITS
from raybench.scene import POWER_UNITS

TYPES = """\
  <!-- Values -->
  <xs:simpleType name="number">
    <xs:union memberTypes="xs:double">
      <xs:simpleType><xs:restriction base="xs:token">
        <xs:enumeration value="inf"/><xs:enumeration value="-inf"/><xs:enumeration value="nan"/>
      </xs:restriction></xs:simpleType>
    </xs:union>
  </xs:simpleType>
  <xs:simpleType name="none">
    <xs:restriction base="xs:token"><xs:enumeration value="none"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="count"><xs:restriction base="xs:nonNegativeInteger"/></xs:simpleType>
  <xs:simpleType name="share"><xs:restriction base="xs:double">
    <xs:minInclusive value="-1e-9"/><xs:maxInclusive value="1.000000001"/>
  </xs:restriction></xs:simpleType>
  <xs:simpleType name="degrees"><xs:restriction base="xs:double">
    <xs:minInclusive value="-360"/><xs:maxInclusive value="360"/>
  </xs:restriction></xs:simpleType>
  <xs:simpleType name="degrees_or_none"><xs:union memberTypes="degrees none"/></xs:simpleType>
  <xs:simpleType name="truth"><xs:restriction base="xs:token">
    <xs:enumeration value="true"/><xs:enumeration value="false"/>
  </xs:restriction></xs:simpleType>
  <xs:simpleType name="ray_id">
    <xs:restriction base="xs:token"><xs:pattern value="r[0-9]+-[0-9]+"/></xs:restriction>
  </xs:simpleType>
  <xs:simpleType name="power_unit"><xs:restriction base="xs:token">
    {power_units}
  </xs:restriction></xs:simpleType>
  <xs:complexType name="leaf"><xs:simpleContent><xs:extension base="xs:string">
    <xs:attribute name="null" type="truth"/>
  </xs:extension></xs:simpleContent></xs:complexType>
  <xs:complexType name="point">
    <xs:attribute name="x" type="number" use="required"/>
    <xs:attribute name="y" type="number" use="required"/>
  </xs:complexType>

  <!-- The root of every answer has the units. -->
  <xs:attributeGroup name="units">
{units}
  </xs:attributeGroup>
  <!-- The root of an answer about a trace has its revision and the unit of lengths; stale and a note
    where the scene was edited since; truncated_share, of an answer about power, is the part of all
    power that was in rays too weak to follow, where it matters. A page has what was skipped of each
    list, what is left of each after it, the offset of the next page, and what its elements are
    shown without. -->
  <xs:attributeGroup name="provenance">
    <xs:attribute name="offset" type="count"/>
    <xs:attribute name="left" type="xs:string"/>
    <xs:attribute name="next_offset" type="count"/>
    <xs:attribute name="without" type="xs:string"/>
    <xs:attribute name="revision" type="count" use="required"/>
    <xs:attribute name="unit" type="xs:string" use="required"/>
    <xs:attribute name="stale" type="truth"/>
    <xs:attribute name="note" type="xs:string"/>
    <xs:attribute name="truncated_share" type="number"/>
    <xs:attributeGroup ref="units"/>
  </xs:attributeGroup>
"""
COLUMNS = {tuple: "point", float: "number", int: "count", bool: "truth", str: "xs:string"}
OF_A_PAGE = ("offset", "left", "next_offset")
"""Attributes that every root may have."""
MIXED_RECORDS = ("PhaseShifts",)
"""The records instead of which there may be a text."""
XML_TYPES = {float: "number", int: "count", str: "xs:string", bool: "truth"}


def answers_schema() -> str:
    """The XML schema of the answers of all tools."""
    from raybench.analysis import tool_registry  # noqa: F401  the tools define the types

    roots = sorted(
        (
            root
            for root in _records_with_tag(Root)
            if root.__module__.startswith("raybench.analysis.")
        ),
        key=lambda root: root.tag,
    )
    units = "\n".join(
        f'    <xs:attribute name="{name}" type="xs:token" fixed="{unit}" use="required"/>'
        for name, unit in UNITS.items()
        if name != "power_unit"
    )
    units += '\n    <xs:attribute name="power_unit" type="power_unit" use="required"/>'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        "<!-- Made by python -m raybench.analysis.answers.schema. -->",
        '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">',
        "",
        *TYPES.format(
            units=units,
            power_units="".join(f'<xs:enumeration value="{unit}"/>' for unit in POWER_UNITS),
        ).splitlines(),
        *(line for name, words in WORDS.items() for line in _enumeration_type_lines(name, words)),
        "",
        "  <!-- Rays -->",
        *_ray_type_lines(),
    ]
    types: dict[str, type[Record]] = {}
    for root in roots:
        _collect_types(root, types)
    for record in types.values():
        lines += ["", *_schema_comment(record), *_complex_type_lines(record)]
    lines += ["", *(f'  <xs:element name="{r.tag}" type="{r.__name__}"/>' for r in roots)]
    return "\n".join([*lines, "</xs:schema>", ""])


def _records_with_tag(record: type[Record]) -> Iterator[type[Record]]:
    for derived in record.__subclasses__():
        if derived.tag:
            yield derived
        yield from _records_with_tag(derived)


def _collect_types(record: type[Record], types: dict[str, type[Record]]) -> None:
    """Add a record type, and the record types of its fields, to the dict ``types`` by name."""
    if types.setdefault(record.__name__, record) is not record:
        raise ValueError(
            f"Two records are named {record.__name__}, in {record.__module__} and"
            f" {types[record.__name__].__module__}. Rename one: the schema takes the names of"
            " classes."
        )
    for part in record_fields(record):
        for member in (*item_types(part.type), *union_members(part.type)):
            if isinstance(member, type) and issubclass(member, Record):
                _collect_types(member, types)


def _schema_comment(record: type[Record]) -> Iterator[str]:
    if record.__doc__:
        yield f"  <!-- {inspect.cleandoc(record.__doc__)} -->"


def _complex_type_lines(record: type[Record]) -> Iterator[str]:
    children: list[str] = []
    attributes: list[str] = []
    for name, kind, what, missing, default in record_fields(record):
        optional = default is ABSENT or type(None) in get_args(kind)
        if what == "list":
            children += _list_type_lines(name, kind)
        elif what == "child":
            absent = default is ABSENT or (optional and not missing)
            least = ' minOccurs="0"' if absent else ""
            children.append(f'<xs:element name="{name}" type="{_schema_type(kind)}"{least}/>')
        elif what == "context":
            group = "units" if kind is type(None) else "provenance"
            attributes.append(f'<xs:attributeGroup ref="{group}"/>')
        elif not (issubclass(record, Root) and name in OF_A_PAGE):
            required = "" if optional else ' use="required"'
            attributes.append(_attribute_type(name.rstrip("_"), kind, required))
    mixed = ' mixed="true"' if record.__name__ in MIXED_RECORDS else ""
    yield f'  <xs:complexType name="{record.__name__}"{mixed}>'
    if children:
        yield "    <xs:sequence>"
        yield from (f"      {child}" for child in children)
        yield "    </xs:sequence>"
    yield from (f"    {line}" for attribute in attributes for line in attribute.splitlines())
    yield "  </xs:complexType>"


def _list_type_lines(name: str, kind: Any) -> Iterator[str]:
    many = 'minOccurs="0" maxOccurs="unbounded"'
    items = item_types(kind)
    if len(items) == 1:
        yield f'<xs:element name="{name.rstrip("_")}" type="{_schema_type(items[0])}" {many}/>'
        return
    yield f"<xs:choice {many}>"
    yield from (f'  <xs:element name="{item.tag}" type="{_schema_type(item)}"/>' for item in items)
    yield "</xs:choice>"


def _attribute_type(name: str, kind: Any, required: str) -> str:
    choices = [k for k in union_members(kind) if get_origin(k) is Literal]
    if not choices:
        return f'<xs:attribute name="{name}" type="{_schema_type(kind)}"{required}/>'
    values = "".join(f'<xs:enumeration value="{value}"/>' for value in get_args(choices[0]))
    return (
        f'<xs:attribute name="{name}"{required}>\n'
        f'  <xs:simpleType><xs:restriction base="xs:token">{values}</xs:restriction>'
        "</xs:simpleType>\n</xs:attribute>"
    )


def _schema_type(kind: Any) -> str:
    if (how := annotated_written_form(kind)) is not None:
        return how.type
    member = union_members(kind)[0]
    if member is Leaf:
        return "leaf"
    return XML_TYPES.get(member) or (
        member.__name__ if isinstance(member, type) and issubclass(member, Record) else "xs:string"
    )


def _enumeration_type_lines(name: str, words: Any) -> Iterator[str]:
    values = "".join(f'<xs:enumeration value="{member.word}"/>' for member in words)
    yield f'  <xs:simpleType name="{name}"><xs:restriction base="xs:token">'
    yield f"    {values}"
    yield "  </xs:restriction></xs:simpleType>"


def _ray_type_lines() -> Iterator[str]:
    """The lines of the schema type of a ray element, generated from the columns of rays."""
    yield '  <xs:complexType name="Ray">'
    yield "    <xs:sequence>"
    for block, columns in groupby(ELEMENTS, lambda column: column.element.rpartition("/")[0]):
        if block:
            yield f'      <xs:element name="{block}" minOccurs="0"><xs:complexType><xs:sequence>'
        for column in columns:
            name = column.element.rpartition("/")[2]
            least = "" if is_required_column(column) else ' minOccurs="0"'
            yield f'      <xs:element name="{name}" type="{COLUMNS[column.value]}"{least}/>'
        if block:
            yield "      </xs:sequence></xs:complexType></xs:element>"
    yield "    </xs:sequence>"
    yield '    <xs:attribute name="index" type="count" use="required"/>'
    for column in ATTRIBUTES:
        known = next((n for n, words in WORDS.items() if words is column.vocabulary), "")
        kind = known or ("ray_id" if column.name in ("id", "parent_id") else "xs:string")
        required = ' use="required"' if known or column.name == "id" else ""
        yield f'    <xs:attribute name="{column.xml}" type="{kind}"{required}/>'
    yield "  </xs:complexType>"


if __name__ == "__main__":
    print(answers_schema(), end="")
