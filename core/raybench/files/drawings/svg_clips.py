"""Applies the clip paths of SVG. A shape that is clipped by one closed path is cut to its visible
part; any other shape is imported whole.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

from raybench.files.drawings.contour import (
    Contour,
    LineSegment,
    Outline,
    box_of_outline,
    outline_points,
)
from raybench.files.drawings.svg_viewports import local_name, referenced_id
from raybench.shapes.point import Point

if TYPE_CHECKING:
    from shapely import Polygon

CLIP_ATTRIBUTE, CLIPPED_ATTRIBUTE = "raybench-clip", "raybench-clipped"
"""Attributes: of a clip path, its number; of a clipped element, the numbers of its clip paths."""
SHAPES = ("path", "rect", "circle", "ellipse", "polygon", "polyline")
FLATTENING_TOLERANCE = 1e-4
"""Largest distance of the straight sides of a cut outline from its curves, as a fraction of its
size.
"""
MAX_CLIP_TEXT = 300_000
"""Characters of all clip paths, each as often as it is used: reading them takes a time that grows
with these.
"""
MAX_CLIP_POINTS = 2_000
"""Points of a clip path."""
_URL = re.compile(r"""url\(\s*["']?#([^"')\s]+)["']?\s*\)""")


def insert_clip_paths(root: ElementTree.Element) -> int:
    """Insert the clip path of each clipped element beside the element, in a group with the same
    transform, and mark both with attributes.

    Returns the number of elements whose clip is not a single path in the coordinates of the
    drawing; they remain unmarked.
    """
    by_id = {e.get("id"): e for e in root.iter() if e.get("id")}
    by_class = dict(_clip_classes(root))
    group = root.tag.removesuffix("svg") + "g"
    made, left, text = 0, 0, 0

    def mark_element(parent: ElementTree.Element, within: tuple[str, ...]) -> None:
        nonlocal made, left, text
        for i, element in enumerate(list(parent)):
            inside, clip = within, _clip_path_id(element, by_class)
            if clip is not None and local_name(element) != "clipPath":
                shape = _clip_shape(by_id.get(clip), by_id)
                text += sum(map(len, shape.attrib.values())) if shape is not None else 0
                if shape is None or text > MAX_CLIP_TEXT:
                    left += 1
                else:
                    inside = (*within, str(made))
                    shape.set(CLIP_ATTRIBUTE, str(made))
                    made += 1
                    wrapper = ElementTree.Element(
                        group,
                        {
                            k: element.attrib.pop(k)
                            for k in ("id", "transform")
                            if k in element.attrib
                        },
                    )
                    wrapper.extend((shape, element))
                    parent[i] = wrapper
                element.attrib.pop("clip-path", None)
            if inside:
                element.set(CLIPPED_ATTRIBUTE, " ".join(inside))
            mark_element(element, inside)

    mark_element(root, ())
    return left


def _clip_classes(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Yield the classes in the style sheets that set a clip path, with the id of the clip path."""
    for style in (e.text or "" for e in root.iter() if local_name(e) == "style"):
        for selectors, _, rules in (rule.partition("{") for rule in style.split("}")):
            if "clip-path" in rules and (found := _URL.search(rules.partition("clip-path")[2])):
                yield from (
                    (name.strip().removeprefix("."), found[1]) for name in selectors.split(",")
                )


def _clip_path_id(element: ElementTree.Element, by_class: dict[str, str]) -> str | None:
    """The id of the clip path that applies to an element; None if there is none."""
    style = element.get("style", "")
    text = style.partition("clip-path")[2] if "clip-path" in style else element.get("clip-path", "")
    if found := _URL.search(text):
        return found[1]
    return next(
        (by_class[name] for name in element.get("class", "").split() if name in by_class), None
    )


def _clip_shape(
    clip: ElementTree.Element | None, by_id: dict[str | None, ElementTree.Element]
) -> ElementTree.Element | None:
    """A copy of the only shape in a clip path. None if it contains none or several, or is itself
    clipped.
    """
    if (
        clip is None
        or local_name(clip) != "clipPath"
        or clip.get("clipPathUnits") == "objectBoundingBox"
        or _clip_path_id(clip, {})
    ):
        return None
    inner = [e for e in clip if local_name(e) not in ("title", "desc")]
    used = (
        by_id.get(referenced_id(inner[0]))
        if len(inner) == 1 and local_name(inner[0]) == "use"
        else None
    )
    shape = inner[0] if used is None and inner else used
    if (
        shape is None
        or len(inner) != 1
        or local_name(shape) not in SHAPES
        or _clip_path_id(shape, {})
    ):
        return None
    made = copy.deepcopy(shape)
    shift = (
        f"translate({inner[0].get('x', '0')} {inner[0].get('y', '0')})" if used is not None else ""
    )
    outer = [
        clip.get("transform", ""),
        inner[0].get("transform", "") if used is not None else "",
        shift,
        made.get("transform", ""),
    ]
    made.attrib.pop("id", None)
    made.set("transform", " ".join(filter(None, outer)))
    made.set("style", "visibility:visible;display:inline")
    return made


def clip_polygon(outlines: Sequence[Outline]) -> Polygon | None:
    """The visible area of a clip path as a polygon. None if it is not a single closed outline,
    crosses itself or has too many points.
    """
    from shapely import Polygon, prepare

    points = _polyline_points(outlines[0]) if len(outlines) == 1 else []
    if not 3 < len(points) <= MAX_CLIP_POINTS:
        return None
    made = Polygon(points)
    prepare(made)
    return made if made.is_valid and made.area > 0 else None


def cut_to_clip(outline: Outline, clip: Polygon, *, filled: bool) -> list[Outline]:
    """The part of an outline inside a clip path. An outline that is wholly inside is returned
    unchanged; otherwise the parts consist of straight lines.

    A closed ``filled`` outline gives closed ones, which include sides of the clip path; of another
    outline only the visible lines remain.
    """
    from shapely import LineString, Polygon, make_valid

    points = _polyline_points(outline)
    line: Any = LineString(points)
    if clip.covers(line):
        return [outline]
    area = make_valid(Polygon(points)) if outline.closed and filled and len(points) > 3 else None
    left = clip.intersection(area if area is not None else line)
    return list(_outlines_of_geometry(left))


def _outlines_of_geometry(geometry: Any) -> Iterator[Outline]:
    if hasattr(geometry, "geoms"):
        for part in geometry.geoms:
            yield from _outlines_of_geometry(part)
    elif geometry.geom_type == "Polygon" and geometry.area > 0:
        for ring in (geometry.exterior, *geometry.interiors):
            yield _as_contour(ring.coords, closed=True)
    elif geometry.geom_type == "LineString" and geometry.length > 0:
        yield _as_contour(geometry.coords, closed=geometry.is_closed)


def _as_contour(coordinates: Any, *, closed: bool) -> Contour:
    points = [Point(float(x), float(y)) for x, y in coordinates]
    return Contour(tuple(LineSegment(a, b) for a, b in pairwise(points) if a != b), closed)


def _polyline_points(outline: Outline) -> list[Point]:
    left, top, right, bottom = box_of_outline(outline)
    return outline_points(
        outline, FLATTENING_TOLERANCE * max(right - left, bottom - top) or FLATTENING_TOLERANCE
    )
