"""Reads the shapes of an SVG file as outlines in millimetres. Other files that it refers to are
never loaded.
"""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from raybench.errors import elide_text
from raybench.files.drawings.contour import (
    MOST_NAME,
    MOST_SEGMENTS,
    ArcSegment,
    Circle,
    Contour,
    CubicSegment,
    DrawingError,
    LineSegment,
    Outline,
    Segment,
    cubic_of_quadratic,
    transform_outline,
)
from raybench.files.drawings.svg_clips import (
    CLIP_ATTRIBUTE,
    CLIPPED_ATTRIBUTE,
    clip_polygon,
    cut_to_clip,
    insert_clip_paths,
)
from raybench.files.drawings.svg_viewports import (
    flatten_viewports,
    local_name,
    normalize_use_references,
    referenced_id,
)
from raybench.shapes.point import Point

if TYPE_CHECKING:
    from shapely import Polygon

MOST_DIGITS = 60
_ENDLESS = re.compile(rf"[\d.]{{{MOST_DIGITS + 1}}}")
ENCODINGS = (
    "utf-8",
    "utf8",
    "us-ascii",
    "ascii",
    "iso-8859-1",
    "latin1",
    "windows-1252",
    "utf-16-le",
    "utf-16-be",
)
"""Encodings that are read."""
_SIGNS = {
    b"\xff\xfe": "utf-16-le",
    b"\xfe\xff": "utf-16-be",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
"""The first bytes of a text in UTF-16: a byte order mark, or the first letter."""
_DECLARED = re.compile(rb"""<\?xml [^>]{0,80}?encoding\s*=\s*["']([\w.-]{1,40})["']""")
MOST_ELEMENTS = 100_000
"""Maximum number of elements, including those repeated by ``use``; parts of a path or a list count
as fractions of an element.
"""
PARTS_PER_ELEMENT = 4
WORDS_PER_ELEMENT, INHERITED_PER_ELEMENT = 100, 120
"""Words of style sheets, and parts that an element inherits, which take the time of an element: the
library reads them for each anew.
"""
_PARTS = {
    **dict.fromkeys(("d", "points", "transform"), re.compile(r"[A-Za-z]|[-+\d.]+")),
    **dict.fromkeys(("style", "class"), re.compile(r"[\w-]+")),
}
"""The parts of attributes that may be long."""
MOST_RULES = 2_000
"""Rules of the drawing's style sheets."""
MAX_DEPTH = 200
VIEWBOX_PARTS = 20
"""Parts of the transform that a viewport becomes."""
CIRCLE_TOLERANCE = 1e-6
"""Relative difference of the radii up to which an ellipse is a circle."""
NAME_ATTRIBUTE, LAYER_ATTRIBUTE = "raybench-name", "raybench-layer"
"""Attributes of elements: the name, and that of the layer, which their contents inherit."""
_AUTOMATIC = re.compile(r"(?i)(path|rect|circle|ellipse|polygon|polyline|line|use|svg|g)[\d_-]*\Z")
"""Identifiers that drawing programs give by themselves."""
_Placed = Callable[[Any], Point]


def read_svg(content: bytes) -> tuple[list[Outline], list[str]]:
    """Read the outlines of an SVG file in millimetres, with y down, and notes on omitted contents.
    Raises DrawingError.
    """
    from svgelements import SVG, Shape

    root = _parse_xml_safely(content)
    notes = _notes_on_unread_elements(root)
    _store_names_as_attributes(root)
    whole = insert_clip_paths(root)
    _check_size(root)  # with the clip paths, which are there for each use
    scale = flatten_viewports(root)
    outlines: list[Outline] = []
    clips: dict[str, Polygon | None] = {}
    count, unpainted, cuts = 0, 0, 0
    try:
        drawing = SVG.parse(
            io.StringIO(ElementTree.tostring(root, encoding="unicode")), ppi=96.0, reify=False
        )
        for shape in drawing.elements():
            if not isinstance(shape, Shape) or shape.values.get("visibility") in (
                "hidden",
                "collapse",
            ):
                continue
            number = shape.values["attributes"].get(CLIP_ATTRIBUTE)
            if number is None and not (
                _is_visible_paint(shape.fill) or _is_visible_paint(shape.stroke)
            ):
                unpainted += 1
                continue
            own = [
                transform_outline(o, lambda p: Point(p.x * scale, p.y * scale), scale)
                for o in _outlines_of_shape(shape)
            ]
            visible = own
            for through in map(clips.get, shape.values.get(CLIPPED_ATTRIBUTE, "").split()):
                whole += through is None and number is None
                if through is not None and number is None:
                    visible = [
                        part
                        for o in visible
                        for part in cut_to_clip(o, through, filled=_is_visible_paint(shape.fill))
                    ]
            count += sum(len(o.segments) for o in (*own, *(o for o in visible if o not in own)))
            if count > MOST_SEGMENTS:
                raise DrawingError(
                    f"the drawing has more than {MOST_SEGMENTS:,} segments. Import a part of it."
                )
            if number is not None:
                clips[number] = clip_polygon(own)
                continue
            cuts += visible != own
            name, layer = (shape.values.get(mark, "") for mark in (NAME_ATTRIBUTE, LAYER_ATTRIBUTE))
            outlines += (replace(o, name=name, layer=layer) for o in visible)
    except DrawingError:
        raise
    except Exception as error:  # of any kind: the library does not expect every damaged file
        raise DrawingError(
            f"the SVG cannot be read: {elide_text(str(error) or type(error).__name__, 100)}."
        ) from None
    if whole:
        notes.append("What is clipped by other than one simple closed path comes whole.")
    if cuts:
        what = (
            "1 shape was cut at its clip path"
            if cuts == 1
            else f"{cuts} shapes were cut at their clip paths"
        )
        notes.append(f"{what}, with straight lines for curves.")
    if unpainted:
        what = "1 shape" if unpainted == 1 else f"{unpainted} shapes"
        notes.append(
            f"Left out: {what} without a fill and a stroke. Give a stroke to what is to be"
            " imported."
        )
    return outlines, notes


def _store_names_as_attributes(root: ElementTree.Element) -> None:
    """Store the names of elements and layers as attributes of the elements. Layers are those of
    Inkscape or, in other files, the named groups at the top level.
    """

    def inkscape(element: ElementTree.Element, attribute: str) -> str:
        return next((v for k, v in element.items() if k.endswith(f"inkscape}}{attribute}")), "")

    groups = [e for e in root.iter() if local_name(e) == "g"]
    layers = [e for e in groups if inkscape(e, "groupmode") == "layer"] or list(root)
    for element in root.iter():
        name = inkscape(element, "label") or element.get("id", "")
        if not name or _AUTOMATIC.match(name):
            continue
        if local_name(element) == "g" and element in layers:
            element.set(LAYER_ATTRIBUTE, elide_text(name, MOST_NAME))
        elif element is not root:
            element.set(NAME_ATTRIBUTE, elide_text(name, MOST_NAME))


def _notes_on_unread_elements(root: ElementTree.Element) -> list[str]:
    names = Counter(map(local_name, root.iter()))
    notes = []
    if texts := names["text"]:
        notes.append(
            "1 text was left out: convert it to a path."
            if texts == 1
            else f"{texts} texts were left out: convert them to paths."
        )
    if images := names["image"]:
        notes.append(
            "1 picture was left out." if images == 1 else f"{images} pictures were left out."
        )
    if any("mask" in e.get("style", "") or e.get("mask", "none") != "none" for e in root.iter()):
        notes.append("Shapes that are masked come whole.")
    return notes


def _is_visible_paint(paint: Any) -> bool:
    return paint is not None and paint.value is not None


def _parse_xml_safely(content: bytes) -> ElementTree.Element:
    """Parse the XML of a file. Raises DrawingError if it defines entities or has too many elements,
    which would be unsafe to read.
    """
    text = _decode_text(content)
    if "<!ENTITY" in text or (
        "<!DOCTYPE" in text and "[" in text[text.index("<!DOCTYPE") :].partition(">")[0]
    ):
        raise DrawingError("the SVG defines entities, which are not read. Save it as plain SVG.")
    try:
        root = ElementTree.fromstring(text.partition("?>")[2] if text.startswith("<?xml") else text)
    except (ElementTree.ParseError, ValueError, RecursionError) as error:
        raise DrawingError(f"this is not an SVG: {elide_text(str(error), 100)}.") from None
    if local_name(root) != "svg":
        raise DrawingError(
            f"this is not an SVG: it begins with <{elide_text(local_name(root), 40)}>."
        )
    normalize_use_references(root)
    _check_numbers(root)
    _remove_non_rules(root)
    _check_size(root)
    return root


def _decode_text(content: bytes) -> str:
    """Decode the text of a file, with the encoding of its byte order mark or else of its XML
    declaration. Raises DrawingError.
    """
    encoding = next((name for sign, name in _SIGNS.items() if content.startswith(sign)), "")
    if not encoding:
        declared = _DECLARED.match(content)
        encoding = declared[1].decode().lower() if declared else "utf-8"
        encoding = (
            "utf-8" if encoding.startswith("utf-16") else encoding
        )  # its first bytes show that it is not
    if encoding not in ENCODINGS:
        raise DrawingError(f"the SVG is in the encoding {encoding}. Save it as plain SVG in UTF-8.")
    try:
        return content.decode(encoding).removeprefix("\ufeff")
    except UnicodeDecodeError:
        raise DrawingError(
            f"the SVG is no {encoding.upper()} text. Save it as plain SVG in UTF-8."
        ) from None


def _check_size(root: ElementTree.Element) -> None:
    """Raise DrawingError if a drawing would take too long to read: it has too many elements after
    each ``use`` is replaced, or an element contains itself.

    Long attributes, style sheets and inherited properties count as fractions of an element.
    """
    by_id = {e.get("id"): e for e in root.iter() if e.get("id")}
    styles = _count_words_by_selector(root)
    known: dict[int, tuple[float, int]] = {}

    def element_size(element: ElementTree.Element, inside: tuple[int, ...]) -> tuple[float, int]:
        """The size of an element with its contents, and the number of elements in it."""
        if id(element) in inside or len(inside) > MAX_DEPTH:
            raise DrawingError(
                "the SVG uses a part of itself within that part, or is nested too deeply. Save it"
                " as plain SVG."
            )
        if id(element) not in known:
            used = by_id.get(referenced_id(element)) if local_name(element) == "use" else None
            below = [
                element_size(child, (*inside, id(element)))
                for child in (*element, *([used] if used is not None else []))
            ]
            count = sum(n for _, n in below)
            own = {
                name: sum(1 for _ in part.finditer(element.get(name, "")))
                for name, part in _PARTS.items()
            }
            words, moves = map(
                sum, zip(*(styles.get(s, (0, 0)) for s in _element_selectors(element)), strict=True)
            )
            inherited = (
                own["transform"]
                + moves
                + VIEWBOX_PARTS * ("viewBox" in element.attrib)
                + len(element.attrib) // 10
            )
            parts = (sum(own.values()) + moves) // PARTS_PER_ELEMENT + words / WORDS_PER_ELEMENT
            known[id(element)] = (
                1 + parts + inherited * count / INHERITED_PER_ELEMENT + sum(n for n, _ in below),
                1 + count,
            )
        return known[id(element)]

    if element_size(root, ())[0] > MOST_ELEMENTS:
        raise DrawingError(
            f"the SVG has more than {MOST_ELEMENTS:,} elements, or as much in styles and"
            " transforms. Import a part of it."
        )


def _count_words_by_selector(root: ElementTree.Element) -> Mapping[str, tuple[int, int]]:
    """For each selector of the style sheets, the number of words in its declarations, and how many
    of these words belong to transforms.
    """
    found: dict[str, tuple[int, int]] = {}
    for selectors, body in (
        rule
        for e in root.iter()
        if local_name(e) == "style" and e.text
        for rule in _style_rules(e.text)
    ):
        words = sum(1 for _ in _PARTS["style"].finditer(body))
        moves = sum(1 for _ in _PARTS["transform"].finditer(body)) if "transform" in body else 0
        for selector in selectors.split(","):
            before = found.get(selector, (0, 0))
            found[selector] = before[0] + words, before[1] + moves
    return found


def _element_selectors(element: ElementTree.Element) -> Iterator[str]:
    """The selectors of style sheets that the SVG library applies to an element."""
    name = local_name(element)
    yield from ("*", name, f"#{element.get('id', '')}")
    for each in element.get("class", "").split(" "):
        yield from (f".{each}", f"{name}.{each}")


def _remove_non_rules(root: ElementTree.Element) -> None:
    """Remove everything except rules from the style sheets, since the SVG library searches other
    text in at least quadratic time.

    Raises DrawingError if there are too many rules.
    """
    count = 0
    for element in root.iter():
        if local_name(element) == "style" and element.text:
            rules = [f"{selector}{{{body}}}" for selector, body in _style_rules(element.text)]
            element.text = "\n".join(rules)
            count += len(rules)
    if count > MOST_RULES:
        raise DrawingError(
            f"the SVG has more than {MOST_RULES:,} rules in its style sheets. Save it as plain SVG."
        )


def _style_rules(text: str) -> Iterator[tuple[str, str]]:
    """Yield each selector of a style sheet with the text of the declarations in its rule."""
    first, *behind = text.split("/*")
    plain = first + "".join(part.partition("*/")[2] for part in behind)
    for rule in plain.split("}"):
        selectors, _, body = rule.partition("{")
        if selectors.strip() and body.strip():
            yield ",".join(dict.fromkeys(s.strip() for s in selectors.split(","))), body.strip()


def _check_numbers(root: ElementTree.Element) -> None:
    """Raise DrawingError if a number has too many digits: the time to parse it grows at least with
    their square.
    """
    for element in root.iter():
        for name, value in element.items():
            if found := _ENDLESS.search(value):
                shown = elide_text(f"{name}='{found[0]}'", 60)
                raise DrawingError(
                    f"the SVG has a number of more than {MOST_DIGITS} digits, {shown}. Save it with"
                    " shorter ones."
                )


def _outlines_of_shape(shape: Any) -> Iterator[Outline]:
    """The outlines of a shape, one contour for each of its subpaths."""
    from svgelements import Arc as SvgArc
    from svgelements import Circle as SvgCircle
    from svgelements import Close, CubicBezier, Ellipse, Line, Move, Path, QuadraticBezier

    at = _transform_function(shape.transform)
    if isinstance(shape, SvgCircle | Ellipse):
        centre, *radii = map(
            at,
            (
                (shape.cx, shape.cy),
                (shape.cx + shape.rx, shape.cy),
                (shape.cx, shape.cy + shape.ry),
            ),
        )
        if _is_circle(centre, *radii):
            yield Circle(centre, math.dist(centre, radii[0]))
            return
    segments: list[Segment] = []
    for part in Path(shape).segments(transformed=False):
        if isinstance(part, Move):
            if segments:
                yield Contour(tuple(segments), _contour_is_closed(segments))
            segments = []
        elif isinstance(part, Close):
            if segments:
                first, last = segments[0][0], segments[-1][-1]
                if math.dist(first, last) > 1e-9 * (1 + abs(first.x) + abs(first.y)):
                    segments.append(LineSegment(last, first))
                yield Contour(tuple(segments), True)
            segments = []
        elif isinstance(part, SvgArc):
            segments += _arc_segments(part, at)
        elif isinstance(part, CubicBezier):
            segments.append(
                CubicSegment(*map(at, (part.start, part.control1, part.control2, part.end)))
            )
        elif isinstance(part, QuadraticBezier):
            segments.append(cubic_of_quadratic(*map(at, (part.start, part.control, part.end))))
        elif isinstance(part, Line) and part.start != part.end:
            segments.append(LineSegment(at(part.start), at(part.end)))
    if segments:
        yield Contour(tuple(segments), _contour_is_closed(segments))


def _contour_is_closed(segments: list[Segment]) -> bool:
    first, last = segments[0][0], segments[-1][-1]
    return len(segments) > 1 and math.dist(first, last) <= 1e-9 * (1 + abs(first.x) + abs(first.y))


def _arc_segments(part: Any, placement: _Placed) -> Iterator[Segment]:
    """Convert an SVG arc: a circular arc to arcs of at most half a turn, an elliptic arc to cubic
    curves.
    """
    if not _is_circle(*map(placement, (part.center, part.prx, part.pry))):
        for curve in part.as_cubic_curves():
            yield CubicSegment(
                *map(placement, (curve.start, curve.control1, curve.control2, curve.end))
            )
        return
    pieces = max(1, math.ceil(abs(part.sweep) / math.pi - 1e-9))
    for k in range(pieces):
        yield ArcSegment(*(placement(part.point((k + u) / pieces)) for u in (0.0, 0.5, 1.0)))


def _is_circle(centre: Point, one: Point, other: Point) -> bool:
    """Whether an ellipse is a circle. ``one`` and ``other`` are the ends of two conjugate radii,
    which must be equally long and perpendicular.
    """
    (ax, ay), (bx, by) = ((p.x - centre.x, p.y - centre.y) for p in (one, other))
    square = ax * ax + ay * ay
    return (
        square > 0
        and abs(bx * bx + by * by - square) <= 2 * CIRCLE_TOLERANCE * square
        and abs(ax * bx + ay * by) <= CIRCLE_TOLERANCE * square
    )


def _transform_function(matrix: Any) -> _Placed:
    """Make a function that applies the transform of a shape to a point."""

    def transform_point(point: Any) -> Point:
        x, y = (float(c) for c in point)
        p = Point(matrix.a * x + matrix.c * y + matrix.e, matrix.b * x + matrix.d * y + matrix.f)
        if not (math.isfinite(p.x) and math.isfinite(p.y)):
            raise ValueError("a coordinate is not a finite number")
        return p

    return transform_point
