"""Converts an SVG drawing to one coordinate system: lengths become numbers of user units, nested
viewports become transforms, and elements that are never painted are moved out of the way.
"""

import math
import re
from xml.etree import ElementTree

MM_PER_PIXEL = 25.4 / 96
"""The size of a pixel in CSS, in which SVG counts where no other unit is given."""
MM_PER_UNIT = {
    "mm": 1.0,
    "cm": 10.0,
    "in": 25.4,
    "pt": 25.4 / 72,
    "pc": 25.4 / 6,
    "Q": 0.25,
    "px": MM_PER_PIXEL,
    "": MM_PER_PIXEL,
}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_LENGTH = re.compile(rf"({_NUMBER.pattern})\s*(mm|cm|in|pt|pc|Q|px|%|)")
_LENGTH_ATTRIBUTES = {
    "x": 0,
    "cx": 0,
    "x1": 0,
    "x2": 0,
    "width": 0,
    "rx": 0,
    "y": 1,
    "cy": 1,
    "y1": 1,
    "y2": 1,
    "height": 1,
    "ry": 1,
    "r": 2,
}
"""Attributes that are lengths, and what their percentages are of: width, height or mean size of the
viewport.
"""
_REFERENCED_ELEMENTS = ("marker", "mask", "pattern", "symbol")
"""Elements whose contents are painted only where they are referred to."""
_SHARES = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
_Size = tuple[float, float]


def local_name(element: ElementTree.Element) -> str:
    """The tag of an XML element without its namespace."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


HREF, XLINK_HREF = "href", "{http://www.w3.org/1999/xlink}href"
"""The attribute of what a ``use`` refers to, and its older name, which it takes precedence over."""


def referenced_id(element: ElementTree.Element) -> str:
    """The id of the element that a ``use`` element refers to; empty without a reference within the
    drawing.
    """
    reference = element.get(HREF, element.get(XLINK_HREF, "")).strip()
    return reference.removeprefix("#") if reference.startswith("#") else ""


def normalize_use_references(root: ElementTree.Element) -> None:
    """Give each ``use`` element exactly one reference, in the form that the SVG library reads. The
    library drops the first character of a reference even if it is not a #.
    """
    for element in root.iter():
        if local_name(element) == "use":
            target = referenced_id(element)
            for name in (HREF, XLINK_HREF):
                element.attrib.pop(name, None)
            if target:
                element.set(HREF, f"#{target}")


def flatten_viewports(root: ElementTree.Element) -> float:
    """Convert all lengths of a drawing to user units of the outermost viewport. Returns the size of
    such a unit in mm.

    A nested ``svg``, or a ``symbol`` where it is used, becomes a group with a transform.
    """
    box = _view_box(root)
    sizes = [_absolute_pixels(root.get(name, "")) for name in ("width", "height")]
    if box is None:
        viewport, unit = (sizes[0] or 0.0, sizes[1] or 0.0), MM_PER_PIXEL
    else:
        viewport = box[2], box[3]
        unit = min(
            (s / side * MM_PER_PIXEL for s, side in zip(sizes, viewport, strict=True) if s),
            default=MM_PER_PIXEL,
        )
    if all(viewport):
        root.set("width", repr(viewport[0]))
        root.set("height", repr(viewport[1]))
    symbols = {e.get("id", ""): e for e in root.iter() if local_name(e) == "symbol"}
    _flatten_element(root, viewport, symbols)
    for symbol in symbols.values():
        symbol.tag = root.tag.removesuffix("svg") + "g"
        symbol.attrib.pop("viewBox", None)
    return unit


def _flatten_element(
    element: ElementTree.Element, viewport: _Size, symbols: dict[str, ElementTree.Element]
) -> None:
    group = f"{element.tag.rpartition('}')[0]}}}" if "}" in element.tag else ""
    for i, child in enumerate(element):
        name = local_name(child)
        for key, kind in _LENGTH_ATTRIBUTES.items():
            if key in child.attrib:
                child.set(
                    key,
                    _length_in_user_units(
                        child.get(key, ""), (*viewport, math.hypot(*viewport) / math.sqrt(2))[kind]
                    ),
                )
        inside = viewport
        if name == "svg":
            inside = _fit_into_group(child, child, viewport)
            child.tag = f"{group}g"
        elif name == "use" and referenced_id(child) in symbols:
            _fit_into_group(child, symbols[referenced_id(child)], viewport)
        elif name == "symbol" and (box := _view_box(child)) is not None:
            inside = box[2], box[3]
        _flatten_element(child, inside, symbols)
        if name in _REFERENCED_ELEMENTS:
            aside = ElementTree.Element(f"{group}defs")
            aside.append(child)
            element[i] = aside


def _fit_into_group(
    element: ElementTree.Element, content: ElementTree.Element, viewport: _Size
) -> _Size:
    """Convert the position and size of an element to a transform that fits ``content`` into it.
    Returns the size in the new coordinates.
    """
    x, y, *size = (
        _absolute_pixels(element.attrib.pop(key, "")) for key in ("x", "y", "width", "height")
    )
    width, height = size[0] or viewport[0], size[1] or viewport[1]
    steps = [element.get("transform", ""), f"translate({x or 0.0!r} {y or 0.0!r})"]
    box = _view_box(content)
    if box is not None and width and height:
        sx, sy = width / box[2], height / box[3]
        align = content.get("preserveAspectRatio", "xMidYMid")
        if "none" not in align:
            sx = sy = max(sx, sy) if "slice" in align else min(sx, sy)
            found = re.search(r"x(M\w\w)Y(M\w\w)", align)
            shares = [
                _SHARES.get(word, 0.5) for word in (found.groups() if found else ("Mid", "Mid"))
            ]
            steps.append(
                f"translate({shares[0] * (width - sx * box[2])!r}"
                f" {shares[1] * (height - sy * box[3])!r})"
            )
        steps.append(f"scale({sx!r} {sy!r}) translate({-box[0]!r} {-box[1]!r})")
        width, height = box[2], box[3]
    element.set("transform", " ".join(steps).strip())
    return width, height


def _view_box(element: ElementTree.Element) -> tuple[float, float, float, float] | None:
    """The view box of an element as left, top, width and height; None if it has no valid one."""
    words = re.split(r"[\s,]+", element.get("viewBox", "").strip())
    if len(words) != 4 or not all(_NUMBER.fullmatch(w) for w in words):
        return None
    left, top, width, height = map(float, words)
    return (left, top, width, height) if width > 0 and height > 0 else None


def _absolute_pixels(text: str) -> float | None:
    """A length in pixels; None for a percentage or an invalid text."""
    found = _LENGTH.fullmatch(text.strip())
    return (
        float(found[1]) * (MM_PER_UNIT[found[2]] / MM_PER_PIXEL)
        if found is not None and found[2] != "%"
        else None
    )


def _length_in_user_units(text: str, full_length: float) -> str:
    """A length as a number of user units, where percentages refer to ``full_length``. Any other
    text is returned unchanged.
    """
    found = _LENGTH.fullmatch(text.strip())
    if found is not None and found[2] == "%":
        return repr(float(found[1]) / 100 * full_length) if full_length else text
    size = _absolute_pixels(text)
    return text if size is None else repr(size)
