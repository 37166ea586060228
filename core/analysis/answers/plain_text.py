"""An XML answer as plain text: one line an element, its facts in words with their units."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator

from core.errors import one_line

_NAMES = ("name", "label", "first")
"""Attributes that say which one an element is; the first that is there stands in front."""
_LENGTHS = frozenset(
    {
        "length", "perimeter", "radius", "left", "top", "right", "bottom",
        "x1", "y1", "x2", "y2", "mid_x", "mid_y", "centre_x", "centre_y",
    }
)  # fmt: skip
_ABOUT = frozenset({"revision", "unit", "wavelength_unit", "angle_unit", "power_unit"})


def as_text(xml: str) -> str:
    """The text of an answer. What its root says of the units is written to the numbers."""
    root = ET.fromstring(xml)
    return "\n".join(_lines(root, root.attrib.get("unit", ""), 0))


def _lines(element: ET.Element, unit: str, depth: int) -> Iterator[str]:
    named = next((n for n in _NAMES if n in element.attrib), "")
    facts = [_fact(k, v, unit) for k, v in element.attrib.items() if k != named and not (depth == 0 and k in _ABOUT)]
    if element.tag == "property":
        own = f" {element.attrib['unit']}" if "unit" in element.attrib else ""
        yield f"{'  ' * depth}{element.attrib.get('label') or element.attrib['name']}: {_shown(element.attrib['value'])}{own}"
        return
    if element.text and element.text.strip():
        facts.append(_shown(element.text))
    head = " ".join(w for w in (element.tag.replace("_", " "), _shown(element.attrib.get(named, ""))) if w)
    yield "  " * depth + head + (f": {', '.join(facts)}" if facts else "")
    for child in element:
        yield from _lines(child, unit, depth + 1)


def _fact(name: str, value: str, unit: str) -> str:
    words = name.replace("_", " ")
    if value in ("true", "false"):
        return words if value == "true" else f"not {words}"
    if name in _LENGTHS:
        return f"{words} {value} {unit}".rstrip()
    if name == "area":
        return f"{words} {value} {unit}²"
    if name.endswith("angle"):
        return f"{words} {value}°"
    if name.startswith("wavelength"):
        return f"{words} {value} nm"
    return f"{words} {_shown(value)}"


def _shown(value: str) -> str:
    """A text in one line."""
    return one_line(" ".join(value.split()))
