"""Reads the lines, arcs, circles, polylines and splines in the model space of a DXF file as
outlines in millimetres.
"""

import io
import logging
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

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
    join_segments,
    transform_outline,
)
from raybench.shapes.point import Point

MOST_ENTITIES = 100_000
"""Maximum number of entities, including those of blocks at each insertion."""
JOIN_TOLERANCE = 1e-6
"""Maximum distance of ends that are joined, relative to the size of the drawing."""
UNIT_NAMES = {1: "inches", 2: "feet", 5: "centimetres", 6: "metres", 9: "mils", 13: "micrometres"}
MM_PER_UNIT = {
    1: 25.4, 2: 304.8, 3: 1_609_344.0, 4: 1.0, 5: 10.0, 6: 1000.0, 7: 1e6, 8: 25.4e-6, 9: 0.0254, 10: 914.4, 11: 1e-7, 12: 1e-6, 13: 1e-3,
    14: 100.0, 15: 1e4, 16: 1e5, 17: 1e12, 21: 1.2e6 / 3937, 22: 1e5 / 3937, 23: 3.6e6 / 3937, 24: 6.336e9 / 3937,
}  # fmt: skip
"""Millimetres in a unit of the drawing, by the header's ``$INSUNITS``; a drawing without one of
these counts in millimetres.
"""


def read_dxf(content: bytes) -> tuple[list[Outline], list[str]]:
    """Read the outlines of a DXF file in millimetres, with y down, and notes on omitted contents.
    Raises DrawingError.
    """
    from ezdxf import recover
    from ezdxf.filemanagement import read
    from ezdxf.lldxf.const import DXFError

    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)  # it logs every number that it repairs
    try:
        try:
            drawing = read(io.StringIO(content.decode("utf-8"), newline=None))
        except (UnicodeDecodeError, DXFError):
            drawing, _ = recover.read(io.BytesIO(content))
        _check_blocks(drawing)
        loose: defaultdict[tuple[str, str], list[Segment]] = defaultdict(list)
        outlines: list[Outline] = []
        left_out: Counter[str] = Counter()
        unread: Counter[str] = Counter()
        count, hidden = 0, 0
        for entity, seen, name, layer in _visible_entities(drawing.modelspace(), drawing.layers):
            if not seen:
                hidden += 1
                continue
            try:
                found = _outlines_of_entity(entity)
            except Exception:  # of any kind: the others are read
                unread[entity.dxftype()] += 1
                continue
            if found is None:
                left_out[entity.dxftype()] += 1
                continue
            count += sum(len(r.segments) for r in found)
            if count > MOST_SEGMENTS:
                raise DrawingError(
                    f"the drawing has more than {MOST_SEGMENTS:,} segments. Import a part of it."
                )
            for r in found:
                if not r.closed:
                    loose[name, layer] += r.segments
                else:
                    outlines.append(replace(r, name=name, layer=layer))
        every = (c for segments in loose.values() for s in segments for p in s for c in p)
        size = max(map(abs, every), default=1.0) or 1.0
        for (name, layer), segments in loose.items():
            joined = join_segments(segments, JOIN_TOLERANCE * size)
            outlines += (replace(o, name=name, layer=layer) for o in joined)
        unit = int(drawing.header.get("$INSUNITS", 0))
        scale = MM_PER_UNIT.get(unit)
    except DrawingError:
        raise
    except Exception as error:  # of any kind: the library does not expect every damaged file
        raise DrawingError(
            f"the DXF cannot be read: {elide_text(str(error) or type(error).__name__, 100)}."
        ) from None
    mm = scale or 1.0
    scaled = [transform_outline(o, lambda p: Point(p.x * mm, p.y * mm), mm) for o in outlines]
    notes = []
    wrong = "Change its scale if that is wrong."
    if scale is None:
        notes.append(f"The drawing names no unit and is read in millimetres. {wrong}")
    elif scale != 1.0:
        counts = UNIT_NAMES.get(unit, f"units of {scale:g} mm")
        notes.append(f"The drawing counts in {counts}. {wrong}")
    if hidden:
        what = "1 hidden entity" if hidden == 1 else f"{hidden} hidden entities"
        notes.append(
            f"Left out: {what}. Show what is hidden, and layers that are off or frozen, to import"
            " it."
        )
    if unread:
        kinds = ", ".join(f"{n} × {elide_text(kind, 30)}" for kind, n in unread.most_common(5))
        notes.append(f"Damaged and left out: {kinds}. Draw it again, or explode it.")
    if left_out:
        kinds = ", ".join(f"{n} × {elide_text(kind, 30)}" for kind, n in left_out.most_common(5))
        notes.append(
            f"Left out: {kinds}. Lines, arcs, circles, ellipses, polylines and splines are read."
        )
    return scaled, notes


def _check_blocks(drawing: Any) -> None:
    """Raise DrawingError if a drawing would have too many entities after its blocks are inserted,
    or if a block contains itself.
    """
    known: dict[str, int] = {}

    def count_entities(entities: Any, inside: tuple[str, ...]) -> int:
        total = 0
        for entity in entities:
            if entity.dxftype() == "INSERT":
                name = str(entity.dxf.name).lower()
                if name in inside:
                    raise DrawingError(
                        "a block of the DXF inserts itself. Explode its blocks first."
                    )
                if name not in known:
                    block = drawing.blocks.get(name)
                    known[name] = count_entities(block, (*inside, name)) if block is not None else 0
                total += (1 + known[name]) * max(1, entity.mcount)
            else:
                total += 1
            if total > MOST_ENTITIES:
                raise DrawingError(
                    f"the DXF has more than {MOST_ENTITIES:,} entities. Import a part of it."
                )
        return total

    count_entities(drawing.modelspace(), ())


def _visible_entities(
    entities: Any, layers: Any, layer: str = "0", frozen: bool = False, block: str = ""
) -> Iterator[tuple[Any, bool, str, str]]:
    """Yield the entities, whether each is visible, and the names of its ``block`` and its layer.
    Inserted blocks are replaced by their contents; entities on layer 0 then belong to the ``layer``
    of the block. Entities of a ``frozen`` block are hidden.
    """
    for entity in entities:
        name = layer if entity.dxf.layer == "0" else entity.dxf.layer
        on = layers.get(name) if layers.has_entry(name) else None
        hides = (
            frozen or bool(entity.dxf.get("invisible", 0)) or (on is not None and on.is_frozen())
        )
        if entity.dxftype() == "INSERT":
            title = block or ("" if entity.dxf.name.startswith("*") else entity.dxf.name)
            if not entity.dxf.get("zscale", 1.0):  # flat drawings are written so
                entity.dxf.zscale = 1.0
            for one in entity.multi_insert() if entity.mcount > 1 else (entity,):
                inner = one.virtual_entities()
                yield from _visible_entities(inner, layers, name, hides, title)
        else:
            shown = not (hides or (on is not None and on.is_off()))
            names = (elide_text(n, MOST_NAME) for n in (block, "" if name == "0" else name))
            yield entity, shown, *names


def _outlines_of_entity(entity: Any) -> list[Outline] | None:
    """The outlines of an entity; None for a type of entity that is not supported."""
    from ezdxf import path

    match entity.dxftype():
        case "LINE":
            a, b = _point_of_vector(entity.dxf.start), _point_of_vector(entity.dxf.end)
            return [Contour((LineSegment(a, b),), False)] if a != b else []
        case "CIRCLE" if _is_flat(entity):
            return [
                Circle(
                    _point_of_vector(entity.ocs().to_wcs(entity.dxf.center)),
                    float(entity.dxf.radius),
                )
            ]
        case "ARC" if _is_flat(entity):
            sweep = (entity.dxf.end_angle - entity.dxf.start_angle) % 360.0 or 360.0
            pieces = 1 if sweep <= 180.0 else 2
            on = [_point_of_vector(p) for p in entity.vertices(entity.angles(2 * pieces + 1))]
            arcs = tuple(ArcSegment(*on[i : i + 3]) for i in range(0, 2 * pieces, 2))
            return [Contour(arcs, sweep == 360.0)]
        case "LWPOLYLINE" | "POLYLINE" if entity.dxftype() == "LWPOLYLINE" or entity.is_2d_polyline:
            parts = [
                s
                for one in entity.virtual_entities()
                for outline in _outlines_of_entity(one) or ()
                for s in outline.segments
            ]
            size = max((abs(c) for s in parts for p in s for c in p), default=1.0) or 1.0
            return list(join_segments(parts, JOIN_TOLERANCE * size))
        case "POLYLINE" if not entity.is_3d_polyline:  # a mesh
            return None
        case "ELLIPSE" | "SPLINE" | "POLYLINE" | "CIRCLE" | "ARC" | "HELIX":
            return [
                c
                for sub in path.make_path(entity).sub_paths()
                if (c := _contour_of_path(sub)) is not None
            ]
    return None


def _contour_of_path(path: Any) -> Contour | None:
    segments: list[Segment] = []
    at = _point_of_vector(path.start)
    for command in path.commands():
        end = _point_of_vector(command.end)
        if command.type.name == "LINE_TO":
            segments.append(LineSegment(at, end))
        elif command.type.name == "CURVE4_TO":
            segments.append(
                CubicSegment(
                    at, _point_of_vector(command.ctrl1), _point_of_vector(command.ctrl2), end
                )
            )
        elif command.type.name == "CURVE3_TO":
            segments.append(cubic_of_quadratic(at, _point_of_vector(command.ctrl), end))
        at = end
    return Contour(tuple(segments), bool(path.is_closed)) if segments else None


def _is_flat(entity: Any) -> bool:
    """Whether an entity is in a plane parallel to the plane of the drawing, seen from the front or
    from behind.
    """
    return abs(abs(float(entity.dxf.extrusion.z)) - 1.0) < 1e-9


def _point_of_vector(vector: Any) -> Point:
    x, y = float(vector[0]), -float(vector[1])
    if not (math.isfinite(x) and math.isfinite(y)):
        raise ValueError("a coordinate is not a finite number")
    return Point(x, y)
