"""Writes answers as XML. The root element states revision and units. Names in the scene cannot make
the XML malformed.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from raybench.analysis.answers.answer import Answer, Element, ElementList, Leaf
from raybench.analysis.context import TracedScene
from raybench.errors import HIDDEN
from raybench.scene import RELATIVE

HEADER = '<?xml version="1.0" encoding="UTF-8"?>'
UNITS: Mapping[str, str] = {"wavelength_unit": "nm", "angle_unit": "deg", "power_unit": RELATIVE}
"""The units of every answer except its length unit, where powers are relative to the brightness of
the scene's sources.
"""
STALE_WARNING = (
    "The scene was edited after this trace: this describes the scene as it was traced. Trace it"
    " again for its current state."
)
_UNESCAPED_TEXT = re.compile(r"[A-Za-z0-9 _.,:;/()|+*=?'%°→…-]*")
"""Texts that stand in XML as they are."""
_BOOLS, _FLOATS, _INTEGERS = (bool, np.bool_), (float, np.floating), (int, np.integer)
_NUMBERS = (*_FLOATS, *_INTEGERS, *_BOOLS)
_INVALID_CHARACTERS = re.compile("[\0-\x08\v\f\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def to_xml(answer: Answer) -> str:
    """The answer as an XML document."""
    return xml_document(answer.root)


def xml_document(root: Element) -> str:
    """An element as an XML document, each child element on a line of its own."""
    lines = [HEADER]
    _write_element(root, "", lines)
    return "\n".join(lines)


def _write_element(node: Element | Leaf, indent: str, lines: list[str]) -> None:
    if isinstance(node, Leaf):
        lines.append(indent + _leaf_text(node))
        return
    start = f"{indent}<{node.tag}{_attributes_text(node.attributes)}"
    if not node.children:
        lines.append(f"{start}/>")
        return
    only = node.children[0] if len(node.children) == 1 else None
    if isinstance(only, ElementList) and only.has_only_leaves:
        cells = "".join(_leaf_text(item) for item in only.items if isinstance(item, Leaf))
        lines.append(f"{start}>{cells}</{node.tag}>")  # a table row is written on one line
        return
    before, is_empty = len(lines), True
    lines.append(f"{start}>")
    for child in node.children:
        if isinstance(child, (Element, Leaf)):
            _write_element(child, f"{indent}  ", lines)
        elif (texts := child.xml_elements(f"{indent}  ")) is not None:
            lines.extend(texts)
            is_empty = False
        else:
            for item in child.items:
                _write_element(item, f"{indent}  ", lines)
    if len(lines) > before + 1 or not is_empty:
        lines.append(f"{indent}</{node.tag}>")
    else:
        lines[before] = f"{start}/>"


def _leaf_text(leaf: Leaf) -> str:
    if leaf.value is None and leaf.missing is None:
        return f'<{leaf.tag} null="true"/>'
    return f"<{leaf.tag}>{escaped_text(formatted_value(leaf.missing if leaf.value is None else leaf.value))}</{leaf.tag}>"


def provenance_attributes(context: TracedScene | None) -> dict[str, Any]:
    """The attributes of every root element: the units and, for an answer about a trace, the
    revision of the trace and whether the trace is outdated.
    """
    if context is None:
        return dict(UNITS)
    units = {"unit": context.unit, **UNITS, "power_unit": context.power_unit}
    about: dict[str, Any] = {"revision": context.result.revision, **units}
    if context.is_stale:
        about |= {"stale": True, "note": STALE_WARNING}
    return about


def formatted_value(value: Any) -> str:
    """A value as text: floats with nine significant digits, or ``inf``, ``-inf``, ``nan``; booleans
    as ``true`` or ``false``; the items of tuples separated by commas.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, _BOOLS):
        return "true" if value else "false"
    if isinstance(value, _FLOATS):
        number = float(value)
        return f"{number + 0.0:.9g}" if math.isfinite(number) else str(number)
    if isinstance(value, _INTEGERS):
        return str(int(value))
    if isinstance(value, tuple):
        return ", ".join(map(formatted_value, value))
    return str(value)


def escaped_text(value: str) -> str:
    """A text escaped for the content of an XML element, in one line. Invalid characters are escaped
    as in JSON, hidden characters as character references.
    """
    if needs_no_escaping(value):  # most values, as of attributes
        return value
    from xml.sax.saxutils import escape  # with modules of the network

    return _replace_hidden_characters(escape(escape_invalid_characters(value)))


def needs_no_escaping(value: str) -> bool:
    """Whether a text can be written in XML without escaping."""
    return _UNESCAPED_TEXT.fullmatch(value) is not None


def quoted_attribute(value: str) -> str:
    """A text as a quoted XML attribute value in one line. Hidden characters become character
    references.
    """
    if needs_no_escaping(value):  # most values, such as the ids of 100 000 rays
        return f'"{value}"'
    from xml.sax.saxutils import quoteattr

    return _replace_hidden_characters(quoteattr(escape_invalid_characters(value)))


def escape_invalid_characters(value: str) -> str:
    """The text with characters invalid in XML, such as control characters, escaped as in JSON:
    ``\\u0001``.
    """
    return _INVALID_CHARACTERS.sub(lambda m: f"\\u{ord(m[0]):04x}", value)


def _replace_hidden_characters(escaped: str) -> str:
    """Replace hidden characters in an escaped text by character references."""
    return HIDDEN.sub(lambda m: f"&#{ord(m[0])};", escaped)


def _attributes_text(attributes: Mapping[str, Any]) -> str:
    return "".join(
        [
            f' {name.rstrip("_")}="{formatted_value(value)}"'
            if isinstance(value, _NUMBERS)
            else f" {name.rstrip('_')}={quoted_attribute(formatted_value(value))}"
            for name, value in attributes.items()
            if value is not None
        ]
    )
