"""Painters of sources, glass bodies, surfaces and detectors."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from raybench.kinds.aspects.outlines import Edge, edges_bounding_box, signed_area
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody, PlaneGlass
from raybench.kinds.grin import CircleGrinGlass, GradedGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import IdealMirror
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.outline import object_edges
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.optics.colour import wavelength_to_rgb
from raybench.scene.problems.objects import polygon_sides_cross
from raybench.shapes.point import Point
from raybench_workbench.canvas.rays.light_colors import readable_colors
from raybench_workbench.canvas.rays.ray_image import image_bytes
from raybench_workbench.canvas.strokes import (
    Sketch,
    Style,
    outline_path,
    pixel_distance,
    set_pen_and_brush,
    turn_clockwise,
    unit_vector,
)
from raybench_workbench.theme import Theme, rgb_components

ORDINARY_INDEX = 1.5
"""The index at which a glass has the theme's colour of glass unchanged."""
MIN_OPACITY, MAX_OPACITY = 0.3, 2.4
"""Opacity of the thinnest and of the densest glass, relative to ordinary glass."""
DISABLED_OPACITY = 0.4
"""Factor on the opacity of disabled glass."""
SLENDER_RATIO = 10.0
"""Ratio of length to thickness above which a glass body counts as a layer, which may belong to a
stack.
"""
THIN_LAYER, THIN_BODY, MIN_OUTLINE_OPACITY = 6.0, 1.0, 0.15
"""Thickness in pixels below which the outlines of layers and of other bodies are fainter, and the
smallest factor on their opacity.
"""
FEW_SIDES = 16
"""Number of sides up to which a body with a faint outline is examined for crossings."""
HALO_WIDTH = 3.0
"""Width in pixels of the rim around a source in the colour of the canvas, which separates it from
the light around it.
"""
UNIFORM_INDEX_RANGE = 1e-6
"""Range of an index that counts as uniform."""
MAP_CELLS = 96
"""Cells along the longer side of the map of a gradient index."""
LINE_EXTENT = 20_000.0
"""Half the length of an infinite line as painted, in pixels."""


def paint_body_fill(obj: GlassBody, sketch: Sketch) -> None:
    """Paint the inside of a glass body, more opaque for a higher refractive index. For a gradient
    index, paint a map of the index.
    """
    path, painter, style = sketch.outline(obj, closed=True), sketch.painter, sketch.style
    if isinstance(obj, GradedGlass) and (box := edges_bounding_box(object_edges(obj))) is not None:
        corners = sketch.camera.to_screen(Point(*box[:2])), sketch.camera.to_screen(Point(*box[2:]))
        painter.save()
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(DISABLED_OPACITY if style.disabled else 1.0)
        image = index_map_image(obj.ref_index_fn, obj.origin, box, style.theme)
        painter.drawImage(QRectF(*corners), image)
        painter.restore()
    else:
        _fill_glass(path, sketch, obj)


def paint_half_plane_fill(obj: PlaneGlass, sketch: Sketch) -> None:
    """Paint the visible part of a glass half-plane, as a square on the glass side of its boundary."""
    a, b = _ends_beyond_canvas(obj, sketch)
    inward = turn_clockwise(unit_vector(a, b)) * LINE_EXTENT
    path = QPainterPath()
    path.addPolygon(QPolygonF([a, b, b + inward, a + inward]))
    _fill_glass(path, sketch, obj)


def paint_half_plane(obj: PlaneGlass, sketch: Sketch) -> None:
    sketch.set_pen("outline", 1.25)
    sketch.draw_line(*_ends_beyond_canvas(obj, sketch))


def _ends_beyond_canvas(obj: PlaneGlass, sketch: Sketch) -> tuple[QPointF, QPointF]:
    """The two ends of the part of an infinite boundary line that is painted, which lie outside the
    canvas.
    """
    a, b = sketch.end_points(obj)
    along = unit_vector(a, b) * LINE_EXTENT
    return a - along, a + along


def _fill_glass(path: QPainterPath, sketch: Sketch, obj: GlassBody | PlaneGlass) -> None:
    index, style = obj.uniform_index(None), sketch.style
    opacity = DISABLED_OPACITY if style.disabled else 1.0
    set_pen_and_brush(
        sketch.painter,
        None,
        glass_tint(ORDINARY_INDEX if index is None else index, style.theme, opacity),
    )
    sketch.painter.drawPath(path)
    sketch.painter.setBrush(Qt.BrushStyle.NoBrush)


def glass_tint(index: float, theme: Theme, opacity: float = 1.0) -> QColor:
    """The fill colour of a glass, stronger for a higher refractive index. An index below 1, or a
    negative one, has another hue.
    """
    density = abs(abs(index) - 1.0) / (ORDINARY_INDEX - 1.0)
    return theme.color(
        "glass" if index >= 1 else "thin", opacity * min(max(density, MIN_OPACITY), MAX_OPACITY)
    )


@lru_cache(maxsize=64)
def index_map_image(
    formula: str, origin: Point, box: tuple[float, float, float, float], theme: Theme
) -> QImage:
    """An image of a gradient index over a box (left, top, right, bottom), more opaque where the
    index is higher. ``formula`` gives the index relative to ``origin``.
    """
    left, top, right, bottom = box
    longest = max(right - left, bottom - top) or 1.0

    def cell_middles(low: float, high: float) -> NDArray[np.float64]:
        """The middles of the cells between two coordinates."""
        count = max(2, round(MAP_CELLS * (high - low) / longest))
        cells: NDArray[np.float64] = low + (np.arange(count) + 0.5) / count * (high - low)
        return cells

    x, y = cell_middles(left, right), cell_middles(top, bottom)
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    body = CircleGrinGlass(p1=origin, p2=origin, ref_index_fn=formula, origin=origin)
    with np.errstate(all="ignore"):
        index = body.index_at(points, None)
    known = np.isfinite(index)
    low, high = (index[known].min(), index[known].max()) if known.any() else (1.0, 1.0)
    place = (
        (index - low) / (high - low)
        if high - low > UNIFORM_INDEX_RANGE
        else np.full(len(index), 0.5)
    )
    color = theme.color("glass")
    opacity = np.where(
        known,
        color.alphaF() * (MIN_OPACITY + np.nan_to_num(place) * (MAX_OPACITY - MIN_OPACITY)),
        0.0,
    )
    image = QImage(len(x), len(y), QImage.Format.Format_RGBA8888_Premultiplied)
    rgba = opacity[:, None] * np.array([*rgb_components(color), 1.0])
    image_bytes(image)[:] = np.rint(np.clip(rgba, 0, 1) * 255)
    return image


def surface_pen(
    obj: SceneObject, style: Style, color: str, width: float, dashes: Sequence[float] = ()
) -> QPen:
    """The pen for the outline of a surface. If the surface acts on some wavelengths only, the pen
    has the colour of that band.
    """
    pen = style.pen(color, width)
    if dashes:
        pen.setDashPattern(dashes)
    told = style.selected or style.hovered or style.ghost
    if isinstance(obj, Filtered) and obj.filter and not told:
        nm = min(max(obj.wavelength, 400.0), 660.0)
        band = QColor.fromRgbF(*readable_colors(wavelength_to_rgb([nm]), style.theme)[0].tolist())
        band.setAlphaF(pen.color().alphaF())
        pen.setColor(band)
    return pen


def paint_body(obj: GlassBody, sketch: Sketch) -> None:
    edges, pen = object_edges(obj), sketch.style.pen("outline", 1.25)
    if sketch.style.over_light and not (sketch.style.selected or sketch.style.hovered):
        color = pen.color()
        color.setAlphaF(color.alphaF() * outline_opacity(edges, sketch.camera.scale))
        pen.setColor(color)
    sketch.painter.setPen(pen)
    sketch.painter.drawPath(outline_path(edges, sketch.camera, closed=True))


def outline_opacity(edges: Sequence[Edge], scale: float) -> float:
    """The opacity of a body's outline. The outlines of thin layers are fainter, because the
    outlines of a stack would otherwise hide its light.
    """
    half = sum(edge.shape.length for edge in edges) / 2
    if not half:
        return 1.0
    thickness = abs(signed_area(edges)) / half
    full = THIN_LAYER if half > SLENDER_RATIO * thickness else THIN_BODY
    opacity = min(1.0, max(thickness * scale / full, MIN_OUTLINE_OPACITY))
    few = opacity < 1.0 and len(edges) <= FEW_SIDES
    if few and polygon_sides_cross(np.array([e.shape.a for e in edges])):
        # the signed areas on both sides of a crossing cancel, however thick the parts are
        return 1.0
    return opacity


def _surface_painter(
    color: str, width: float, dashes: tuple[float, ...] = ()
) -> Callable[[SceneObject, Sketch], None]:
    """Make the function that paints the outline of a surface with a pen of these properties."""

    def paint(obj: SceneObject, sketch: Sketch) -> None:
        sketch.painter.setPen(surface_pen(obj, sketch.style, color, width, dashes))
        sketch.painter.drawPath(sketch.outline(obj))

    return paint


paint_mirror = _surface_painter("mirror", 2.5)
paint_splitter = _surface_painter("mirror", 2.5, (3, 1.2))
paint_custom_surface = _surface_painter("mirror", 2.5, (5, 1.2, 1, 1.2))
paint_grating = _surface_painter("mirror", 4, (0.5, 0.5))


def paint_blocker(obj: SceneObject, sketch: Sketch) -> None:
    """Paint a blocker as a thick line with darker notches, which looks rough in contrast to a
    mirror.
    """
    path = sketch.outline(obj)
    sketch.painter.setPen(surface_pen(obj, sketch.style, "blocker", 5))
    sketch.painter.drawPath(path)
    notches = QPen(sketch.style.theme.color("canvas", 0.45), 5)
    notches.setCapStyle(Qt.PenCapStyle.FlatCap)
    notches.setDashPattern([0.3, 0.7])
    sketch.painter.setPen(notches)
    sketch.painter.drawPath(path)


def paint_ideal_mirror(obj: IdealMirror, sketch: Sketch) -> None:
    sketch.painter.setPen(surface_pen(obj, sketch.style, "mirror", 2.5))
    sketch.draw_line(*sketch.end_points(obj))
    sketch.painter.setPen(surface_pen(obj, sketch.style, "mirror", 1.75))
    _paint_arrow_heads(obj, sketch)


def paint_ideal_lens(obj: IdealLens, sketch: Sketch) -> None:
    a, b = sketch.end_points(obj)
    sketch.set_pen("outline", 1.75)
    sketch.draw_line(a, b)
    _paint_arrow_heads(obj, sketch)
    middle, across = (a + b) / 2, turn_clockwise(unit_vector(a, b) * 3)
    sketch.draw_line(middle + across, middle - across)


def _paint_arrow_heads(obj: IdealMirror | IdealLens, sketch: Sketch) -> None:
    """Paint the arrow heads at both ends of an ideal lens or mirror. They point outwards if it
    converges light.
    """
    a, b = sketch.end_points(obj)
    head = min(9.0, pixel_distance(a, b) / 5) * (1 if obj.focal_length > 0 else -1)
    sketch.draw_chevron(a, b, head)
    sketch.draw_chevron(b, a, head)


def paint_detector(obj: Detector, sketch: Sketch) -> None:
    a, b = sketch.end_points(obj)
    sketch.set_pen("detector", 1.75, (4, 2.5))
    sketch.draw_line(a, b)
    sketch.set_pen("detector", 1.75)
    across = turn_clockwise(unit_vector(a, b) * 4)
    for end in (a, b):
        sketch.draw_line(end + across, end - across)


def paint_beam(obj: Beam, sketch: Sketch) -> None:
    a, b = sketch.end_points(obj)
    ahead = turn_clockwise(unit_vector(b, a)) * min(6.0, pixel_distance(a, b) / 4)
    rays = [QLineF(foot, foot + ahead) for foot in (a, (a + b) / 2, b)]
    painter, style = sketch.painter, sketch.style
    thick, thin = style.pen("source", 2.5), style.pen("source", 1.25)
    ground = style.theme.color("canvas")
    rim = (
        [(QPen(ground, 2.5 + HALO_WIDTH), QPen(ground, 1.25 + HALO_WIDTH))]
        if style.over_light
        else []
    )
    for back, front in (*rim, (thick, thin)):
        painter.setPen(back)
        painter.drawLine(a, b)
        painter.setPen(front)
        painter.drawLines(rays)


def paint_point_source(obj: PointSource, sketch: Sketch) -> None:
    _paint_lamp(sketch.camera.to_screen(Point(obj.x, obj.y)), sketch)


def paint_directed_source(obj: SingleRay | AngleSource, sketch: Sketch) -> None:
    if sketch.style.selected or sketch.style.hovered:
        sketch.set_pen("source", 1.0, (2, 3))
        sketch.draw_line(*sketch.end_points(obj))
    _paint_lamp(sketch.end_points(obj)[0], sketch)


def paint_source_icon(obj: SingleRay | AngleSource, sketch: Sketch) -> None:
    """Paint the icon of a source: its ray, or some rays of its fan."""
    sketch.set_pen("source", 1.25)
    start, end = sketch.end_points(obj)
    fan = (QPointF(17, 4), QPointF(17.5, 10), QPointF(17, 16))
    for tip in fan if isinstance(obj, AngleSource) else (end,):
        sketch.draw_line(start, tip)
    paint_directed_source(obj, sketch)


def _paint_lamp(at: QPointF, sketch: Sketch) -> None:
    pen, painter = sketch.style.pen("source", 1.25), sketch.painter
    if sketch.style.over_light:
        set_pen_and_brush(painter, None, sketch.style.theme.color("canvas"))
        painter.drawEllipse(at, 5.5 + HALO_WIDTH / 2, 5.5 + HALO_WIDTH / 2)
    set_pen_and_brush(painter, pen)
    painter.drawEllipse(at, 5.5, 5.5)
    set_pen_and_brush(painter, None, pen.color())
    painter.drawEllipse(at, 2.75, 2.75)
    painter.setBrush(Qt.BrushStyle.NoBrush)
