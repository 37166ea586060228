"""Painters of sources, glass bodies, surfaces and detectors."""

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF

from raybench.kinds.aspects.outlines import Edge, bounds, signed_area
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody, PlaneGlass
from raybench.kinds.grin import CircleGrinGlass, GradedGlass
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import IdealMirror
from raybench.kinds.object import Filtered, SceneObject
from raybench.kinds.outline import edges_of
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay
from raybench.optics.colour import wavelength_to_rgb
from raybench.scene.problems.objects import sides_cross
from raybench.shapes.point import Point
from raybench_workbench.canvas.rays.light_colors import readable_colors
from raybench_workbench.canvas.rays.ray_image import image_bytes
from raybench_workbench.canvas.strokes import (
    Style,
    outline_path,
    paint_chevron,
    pixel_distance,
    unit_vector,
)
from raybench_workbench.canvas.viewport import Camera
from raybench_workbench.theme import Theme

ORDINARY = 1.5
"""The index at which a glass has the theme's colour of glass unchanged."""
LEAST, MOST = 0.3, 2.4
"""Opacity of the thinnest and of the densest glass, relative to ordinary glass."""
FAINT = 0.4
"""Factor on the opacity of disabled glass."""
SLENDER = 10.0
"""Ratio of length to thickness above which a glass body counts as a layer, which may belong to a
stack.
"""
THIN_LAYER, THIN_BODY, FAINTEST = 6.0, 1.0, 0.15
"""Thickness in pixels below which the outlines of layers and of other bodies are fainter, and the
smallest factor on their opacity.
"""
FEW_SIDES = 16
"""Number of sides up to which a body with a faint outline is examined for crossings."""
HALO = 3.0
"""Width in pixels of the rim around a source in the colour of the canvas, which separates it from
the light around it.
"""
FLAT = 1e-6
"""Range of an index that counts as uniform."""
MAP_CELLS = 96
"""Cells along the longer side of the map of a gradient index."""
LINE_EXTENT = 20_000.0
"""Half the length of an infinite line as painted, in pixels."""


def paint_body_fill(obj: GlassBody, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint the inside of a body, more opaque the higher its index; of one with a gradient index, a
    map of the index.
    """
    path = outline_path(edges_of(obj), camera, closed=True)
    if isinstance(obj, GradedGlass) and (box := bounds(edges_of(obj))) is not None:
        a, b = camera.to_screen(Point(box[0], box[1])), camera.to_screen(Point(box[2], box[3]))
        painter.save()
        painter.setClipPath(path, Qt.ClipOperation.IntersectClip)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.setOpacity(FAINT if style.disabled else 1.0)
        painter.drawImage(QRectF(a, b), index_map(obj.ref_index_fn, obj.origin, box, style.theme))
        painter.restore()
    else:
        _fill_glass(path, painter, style, obj.uniform_index(None))


def paint_half_plane_fill(obj: PlaneGlass, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint the visible part of the half-plane, as a square on the boundary's glass side."""
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = unit_vector(a, b) * LINE_EXTENT
    inward = QPointF(-along.y(), along.x())
    path = QPainterPath()
    path.addPolygon(QPolygonF([a - along, a + along, a + along + inward, a - along + inward]))
    _fill_glass(path, painter, style, obj.uniform_index(None))


def _fill_glass(path: QPainterPath, painter: QPainter, style: Style, index: float | None) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(
        glass_tint(
            index if index is not None else ORDINARY, style.theme, FAINT if style.disabled else 1.0
        )
    )
    painter.drawPath(path)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def glass_tint(index: float, theme: Theme, opacity: float = 1.0) -> QColor:
    """The colour inside a glass: stronger with its index; that of an index below 1, or a negative
    one, has another hue.
    """
    density = abs(abs(index) - 1.0) / (ORDINARY - 1.0)
    return theme.color("glass" if index >= 1 else "thin", opacity * min(max(density, LEAST), MOST))


@lru_cache(maxsize=64)
def index_map(
    formula: str, origin: Point, box: tuple[float, float, float, float], theme: Theme
) -> QImage:
    """The gradient index of a formula about an origin, over a box (left, top, right, bottom), as an
    image that is more opaque where the index is higher.
    """
    left, top, right, bottom = box
    longest = max(right - left, bottom - top) or 1.0
    columns, rows = (
        max(2, round(MAP_CELLS * side / longest)) for side in (right - left, bottom - top)
    )
    x, y = (
        (left + (np.arange(columns) + 0.5) / columns * (right - left)),
        (top + (np.arange(rows) + 0.5) / rows * (bottom - top)),
    )
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    with np.errstate(all="ignore"):
        index = CircleGrinGlass(p1=origin, p2=origin, ref_index_fn=formula, origin=origin).index_at(
            points, None
        )
    known = np.isfinite(index)
    low, high = (
        (float(index[known].min()), float(index[known].max())) if known.any() else (1.0, 1.0)
    )
    place = (index - low) / (high - low) if high - low > FLAT else np.full(len(index), 0.5)
    color = theme.color("glass")
    opacity = np.where(known, color.alphaF() * (LEAST + np.nan_to_num(place) * (MOST - LEAST)), 0.0)
    image = QImage(columns, rows, QImage.Format.Format_RGBA8888_Premultiplied)
    rgba = np.stack(
        [opacity * color.redF(), opacity * color.greenF(), opacity * color.blueF(), opacity], axis=1
    )
    image_bytes(image)[:] = np.rint(np.clip(rgba, 0, 1) * 255)
    return image


def surface_pen(obj: SceneObject, style: Style, color: str, width: float) -> QPen:
    """The pen of a surface: in the colour of its band, if it acts on some wavelengths only."""
    pen = style.pen(color, width)
    if (
        isinstance(obj, Filtered)
        and obj.filter
        and not (style.selected or style.hovered or style.ghost)
    ):
        band = QColor.fromRgbF(
            *readable_colors(
                wavelength_to_rgb([min(max(obj.wavelength, 400.0), 660.0)]), style.theme
            )[0].tolist()
        )
        band.setAlphaF(pen.color().alphaF())
        pen.setColor(band)
    return pen


def paint_body(obj: GlassBody, painter: QPainter, camera: Camera, style: Style) -> None:
    edges, pen = edges_of(obj), style.pen("outline", 1.25)
    if style.over_light and not (style.selected or style.hovered):
        color = pen.color()
        color.setAlphaF(color.alphaF() * outline_opacity(edges, camera.scale))
        pen.setColor(color)
    painter.setPen(pen)
    painter.drawPath(outline_path(edges, camera, closed=True))


def outline_opacity(edges: Sequence[Edge], scale: float) -> float:
    """The opacity of a body's outline: fainter for thin layers, since the outlines of a stack would
    otherwise hide its light.
    """
    half = sum(edge.shape.length for edge in edges) / 2
    if not half:
        return 1.0
    thickness = abs(signed_area(edges)) / half
    full = THIN_LAYER if half > SLENDER * thickness else THIN_BODY
    opacity = min(1.0, max(thickness * scale / full, FAINTEST))
    if (
        opacity < 1.0
        and len(edges) <= FEW_SIDES
        and sides_cross(np.array([e.shape.a for e in edges]))
    ):
        return (
            1.0  # the signed areas on both sides of a crossing cancel, however thick the parts are
        )
    return opacity


def paint_half_plane(obj: PlaneGlass, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = unit_vector(a, b) * LINE_EXTENT
    painter.setPen(style.pen("outline", 1.25))
    painter.drawLine(a - along, a + along)


def _outline_painter(
    color: str, width: float, dashes: tuple[float, ...] = (), *, banded: bool = False
) -> Callable[[SceneObject, QPainter, Camera, Style], None]:
    """A painter of the outline of a surface; where it acts on a band of wavelengths, in the band's
    colour if ``banded``.
    """

    def paint(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
        pen = surface_pen(obj, style, color, width) if banded else style.pen(color, width)
        if dashes:
            pen.setDashPattern(dashes)
        painter.setPen(pen)
        painter.drawPath(outline_path(edges_of(obj), camera, closed=False))

    return paint


paint_mirror = _outline_painter("mirror", 2.5, banded=True)
paint_splitter = _outline_painter("mirror", 2.5, (3, 1.2), banded=True)
paint_custom_surface = _outline_painter("mirror", 2.5, (5, 1.2, 1, 1.2))
paint_grating = _outline_painter("mirror", 4, (0.5, 0.5))


def paint_ideal_mirror(obj: IdealMirror, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(surface_pen(obj, style, "mirror", 2.5))
    painter.drawLine(a, b)
    head = min(9.0, pixel_distance(a, b) / 5) * (1 if obj.focal_length > 0 else -1)
    painter.setPen(surface_pen(obj, style, "mirror", 1.75))
    for tip, other in ((a, b), (b, a)):
        paint_chevron(painter, tip, other, head)


def paint_blocker(obj: SceneObject, painter: QPainter, camera: Camera, style: Style) -> None:
    """Paint a thick line with darker notches: it looks rough, where a mirror is smooth."""
    path = outline_path(edges_of(obj), camera, closed=False)
    painter.setPen(surface_pen(obj, style, "blocker", 5))
    painter.drawPath(path)
    notches = QPen(style.theme.color("canvas", 0.45), 5)
    notches.setCapStyle(Qt.PenCapStyle.FlatCap)
    notches.setDashPattern([0.3, 0.7])
    painter.setPen(notches)
    painter.drawPath(path)


def paint_ideal_lens(obj: IdealLens, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    painter.setPen(style.pen("outline", 1.75))
    painter.drawLine(a, b)
    head = min(9.0, pixel_distance(a, b) / 5)
    outward = 1 if obj.focal_length > 0 else -1
    for tip, other in ((a, b), (b, a)):
        paint_chevron(painter, tip, other, head * outward)
    middle = (a + b) / 2
    across = unit_vector(a, b) * 3
    painter.drawLine(
        middle + QPointF(-across.y(), across.x()), middle - QPointF(-across.y(), across.x())
    )


def paint_detector(obj: Detector, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    pen = style.pen("detector", 1.75)
    pen.setDashPattern([4, 2.5])
    painter.setPen(pen)
    painter.drawLine(a, b)
    painter.setPen(style.pen("detector", 1.75))
    across = unit_vector(a, b) * 4
    for end in (a, b):
        painter.drawLine(
            end + QPointF(-across.y(), across.x()), end - QPointF(-across.y(), across.x())
        )


def paint_beam(obj: Beam, painter: QPainter, camera: Camera, style: Style) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    along = unit_vector(a, b)
    ahead = QPointF(along.y(), -along.x()) * min(6.0, pixel_distance(a, b) / 4)
    feet = (a, (a + b) / 2, b)
    if style.over_light:
        painter.setPen(QPen(style.theme.color("canvas"), 2.5 + HALO))
        painter.drawLine(a, b)
        painter.setPen(QPen(style.theme.color("canvas"), 1.25 + HALO))
        painter.drawLines([QLineF(foot, foot + ahead) for foot in feet])
    painter.setPen(style.pen("source", 2.5))
    painter.drawLine(a, b)
    painter.setPen(style.pen("source", 1.25))
    painter.drawLines([QLineF(foot, foot + ahead) for foot in feet])


def paint_point_source(obj: PointSource, painter: QPainter, camera: Camera, style: Style) -> None:
    _paint_lamp(painter, camera.to_screen(Point(obj.x, obj.y)), style)


def paint_directed_source(
    obj: SingleRay | AngleSource, painter: QPainter, camera: Camera, style: Style
) -> None:
    a, b = camera.to_screen(obj.p1), camera.to_screen(obj.p2)
    if style.selected or style.hovered:
        pen = style.pen("source", 1.0)
        pen.setDashPattern([2, 3])
        painter.setPen(pen)
        painter.drawLine(a, b)
    _paint_lamp(painter, a, style)


def paint_source_icon(
    obj: SingleRay | AngleSource, painter: QPainter, camera: Camera, style: Style
) -> None:
    """Paint a source and its ray, or some of the rays of a fan."""
    painter.setPen(style.pen("source", 1.25))
    fan = (QPointF(17, 4), QPointF(17.5, 10), QPointF(17, 16))
    for end in fan if isinstance(obj, AngleSource) else (QPointF(*obj.p2),):
        painter.drawLine(QPointF(*obj.p1), end)
    paint_directed_source(obj, painter, camera, style)


def _paint_lamp(painter: QPainter, at: QPointF, style: Style) -> None:
    pen = style.pen("source", 1.25)
    if style.over_light:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.theme.color("canvas"))
        painter.drawEllipse(at, 5.5 + HALO / 2, 5.5 + HALO / 2)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen)
    painter.drawEllipse(at, 5.5, 5.5)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QBrush(QColor(pen.color())))
    painter.drawEllipse(at, 2.75, 2.75)
    painter.setBrush(Qt.BrushStyle.NoBrush)
