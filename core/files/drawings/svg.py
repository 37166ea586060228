"""Reading SVG: its shapes as outlines in millimetres. Nothing that a file refers to is loaded."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from core.errors import elided
from core.files.drawings.contour import MOST_SEGMENTS, Circle, Circular, Contour, Cubic, DrawingError, Outline, Segment, Straight, mapped
from core.shapes.point import Point

MM_PER_PIXEL = 25.4 / 96
"""The size of a pixel in CSS, in which SVG counts where no other unit is given."""
MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "Q": 0.25, "px": MM_PER_PIXEL, "": MM_PER_PIXEL}
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")
_SIZE = re.compile(rf"({_NUMBER.pattern})\s*(mm|cm|in|pt|pc|Q|px|)")
MOST_DIGITS = 60
_ENDLESS = re.compile(rf"[\d.]{{{MOST_DIGITS + 1}}}")
MOST_ELEMENTS = 100_000
"""Elements, with those that are repeated by ``use``."""
DEEPEST = 200
ROUND = 1e-6
"""Relative difference of the radii up to which an ellipse is a circle."""


def read_svg(content: bytes) -> tuple[list[Outline], list[str]]:
    """The outlines of an SVG file in millimetres, y down, and notes on what was left out. Raises DrawingError."""
    from svgelements import SVG, Shape, Text

    root = _checked(content)
    scale = _in_user_units(root)
    try:
        drawing = SVG.parse(io.StringIO(ElementTree.tostring(root, encoding="unicode")), ppi=96.0)
        outlines: list[Outline] = []
        count, texts = 0, 0
        for element in drawing.elements():
            if isinstance(element, Shape):
                for outline in _of_shape(element):
                    outline = mapped(outline, lambda p: Point(p.x * scale, p.y * scale), scale)
                    outlines.append(outline)
                    count += len(outline.segments) if isinstance(outline, Contour) else 1
                    if count > MOST_SEGMENTS:
                        raise DrawingError(f"the drawing has more than {MOST_SEGMENTS:,} segments. Import a part of it.")
            elif isinstance(element, Text):
                texts += 1
    except DrawingError:
        raise
    except Exception as error:  # of any kind: the library does not expect every damaged file
        raise DrawingError(f"the SVG cannot be read: {elided(str(error) or type(error).__name__, 100)}.") from None
    return outlines, [f"{texts} texts were left out: convert them to paths."] if texts else []


def _checked(content: bytes) -> ElementTree.Element:
    """The XML of a file, once it is known that reading it is bounded: no entities, and not too many elements. Raises DrawingError."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DrawingError("the SVG is not UTF-8 text. Save it as plain SVG in UTF-8.") from None
    if "<!ENTITY" in text or ("<!DOCTYPE" in text and "[" in text[text.index("<!DOCTYPE") :].partition(">")[0]):
        raise DrawingError("the SVG defines entities, which are not read. Save it as plain SVG.")
    try:
        root = ElementTree.fromstring(text.partition("?>")[2] if text.startswith("<?xml") else text)
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        raise DrawingError(f"this is no SVG: {elided(str(error), 100)}.") from None
    if root.tag.rpartition("}")[2] != "svg":
        raise DrawingError(f"this is no SVG: it begins with <{elided(root.tag.rpartition('}')[2], 40)}>.")
    _check_size(root)
    _check_numbers(root)
    return root


def _in_user_units(root: ElementTree.Element) -> float:
    """Give the drawing the size of its view box in pixels, so that its user units are pixels; returns their size in millimetres.

    The library's own conversion of millimetres is off by half a millionth.
    """
    box = [float(w) for w in re.split(r"[ ,]+", root.get("viewBox", "").strip()) if _NUMBER.fullmatch(w)]
    sizes = [_SIZE.fullmatch(root.get(name, "").strip()) for name in ("width", "height")]
    if len(box) != 4 or min(box[2:]) <= 0:
        return MM_PER_PIXEL
    scales = [float(s[1]) * MM_PER_UNIT[s[2]] / side for s, side in zip(sizes, box[2:], strict=True) if s is not None and float(s[1]) > 0]
    root.set("width", repr(box[2]))
    root.set("height", repr(box[3]))
    return min(scales, default=MM_PER_PIXEL)


def _check_size(root: ElementTree.Element) -> None:
    """Raise DrawingError if the drawing has too many elements once ``use`` is followed, or one that uses itself."""
    by_id = {e.get("id"): e for e in root.iter() if e.get("id")}
    known: dict[int, int] = {}

    def size(element: ElementTree.Element, inside: tuple[int, ...]) -> int:
        if id(element) in inside or len(inside) > DEEPEST:
            raise DrawingError("the SVG uses a part of itself within that part, or is nested too deeply. Save it as plain SVG.")
        if id(element) not in known:
            within = (*inside, id(element))
            total = 1 + sum(size(child, within) for child in element)
            if element.tag.rpartition("}")[2] == "use":
                href = next((v for k, v in element.items() if k.rpartition("}")[2] == "href"), "")
                used = by_id.get(href.removeprefix("#"))
                total += size(used, within) if used is not None else 0
            known[id(element)] = total
        return known[id(element)]

    if size(root, ()) > MOST_ELEMENTS:
        raise DrawingError(f"the SVG has more than {MOST_ELEMENTS:,} elements. Import a part of it.")


def _check_numbers(root: ElementTree.Element) -> None:
    """Raise DrawingError if a number has very many digits, whose reading would take a time that grows with their square and more."""
    for element in root.iter():
        for name, value in element.items():
            if found := _ENDLESS.search(value):
                shown = elided(f"{name}='{found[0]}'", 60)
                raise DrawingError(f"the SVG has a number of more than {MOST_DIGITS} digits, {shown}. Save it with shorter ones.")


def _of_shape(shape: Any) -> Iterator[Outline]:
    """The outlines of one shape, a contour for each of its subpaths."""
    from svgelements import Arc as SvgArc
    from svgelements import Circle as SvgCircle
    from svgelements import Close, CubicBezier, Ellipse, Line, Move, Path, QuadraticBezier

    if isinstance(shape, SvgCircle | Ellipse):
        rx, ry = abs(shape.implicit_rx), abs(shape.implicit_ry)
        if rx > 0 and abs(rx - ry) <= ROUND * rx:
            yield Circle(_point(shape.implicit_center), rx)
            return
    segments: list[Segment] = []
    for part in Path(shape).segments():
        if isinstance(part, Move):
            if segments:
                yield Contour(tuple(segments), _meet(segments))
            segments = []
        elif isinstance(part, Close):
            if segments:
                first, last = segments[0][0], segments[-1][-1]
                if math.dist(first, last) > 1e-9 * (1 + abs(first.x) + abs(first.y)):
                    segments.append(Straight(last, first))
                yield Contour(tuple(segments), True)
            segments = []
        elif isinstance(part, SvgArc):
            segments += _arc(part)
        elif isinstance(part, CubicBezier):
            segments.append(Cubic(*map(_point, (part.start, part.control1, part.control2, part.end))))
        elif isinstance(part, QuadraticBezier):
            a, c, b = map(_point, (part.start, part.control, part.end))
            c1, c2 = (Point(p.x + 2 / 3 * (c.x - p.x), p.y + 2 / 3 * (c.y - p.y)) for p in (a, b))
            segments.append(Cubic(a, c1, c2, b))
        elif isinstance(part, Line) and part.start != part.end:
            segments.append(Straight(_point(part.start), _point(part.end)))
    if segments:
        yield Contour(tuple(segments), _meet(segments))


def _meet(segments: list[Segment]) -> bool:
    first, last = segments[0][0], segments[-1][-1]
    return len(segments) > 1 and math.dist(first, last) <= 1e-9 * (1 + abs(first.x) + abs(first.y))


def _arc(part: Any) -> Iterator[Segment]:
    """A circular arc as arcs of at most half a turn; one of an ellipse as cubic curves."""
    if abs(part.rx - part.ry) > ROUND * abs(part.rx):
        for curve in part.as_cubic_curves():
            yield Cubic(*map(_point, (curve.start, curve.control1, curve.control2, curve.end)))
        return
    pieces = max(1, math.ceil(abs(part.sweep) / math.pi - 1e-9))
    for k in range(pieces):
        yield Circular(*(_point(part.point((k + u) / pieces)) for u in (0.0, 0.5, 1.0)))


def _point(at: Any) -> Point:
    x, y = float(at.x), float(at.y)
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a coordinate is no finite number")
    return Point(x, y)
