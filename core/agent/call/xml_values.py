"""Answers in XML as values that a program can compute with."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

from core.errors import RaybenchError

TEXTS = frozenset({"id", "parent", "name", "object", "source", "edge", "glass", "label", "title", "note"})
"""What is a text even if it looks like a number."""


def read_xml(text: str) -> dict[str, Any]:
    """Read a tool's answer in XML as dicts and lists.

    An element is a dict of its attributes and its simple children by name, numbers as numbers, with all its children that hold more
    than a text as the list "children", in order, each with its name as "tag". So of rays: for ray in read_xml(answer)["children"]:
    ray["id"], ray["p1"]["x"], ray["length"].

    Args:
        text: The answer.
    """
    if "<!" in text:
        raise RaybenchError("This XML declares entities or a type, which answers of tools do not. Give an answer as it came.")
    try:
        return _element(ElementTree.fromstring(text))
    except (ElementTree.ParseError, ValueError) as error:
        raise RaybenchError(f"This is no XML ({error}). Give a whole answer of a tool whose name ends in _xml.") from None


def _element(element: ElementTree.Element) -> dict[str, Any]:
    found: dict[str, Any] = {"tag": element.tag}
    found |= {name: _value(name, text) for name, text in element.attrib.items()}
    children = []
    for child in element:
        if child.attrib or len(child):
            read = _element(child)
            children.append(read)
            found.setdefault(child.tag, read)
        else:
            found.setdefault(child.tag, _value(child.tag, (child.text or "").strip()))
    if children:
        found["children"] = children
    elif (element.text or "").strip():
        found["text"] = _value("text", (element.text or "").strip())
    else:
        found["children"] = []
    return found


def _value(name: str, text: str) -> Any:
    if name in TEXTS:
        return text
    if text in ("true", "false"):
        return text == "true"
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text
