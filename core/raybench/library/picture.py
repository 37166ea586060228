"""A scene and its rays as a picture without a window: SVG, or lines on the axes of matplotlib."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from raybench.analysis.scene.objects import edges_as_traced
from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import GlassBody, PlaneGlass
from raybench.kinds.sources import AngleSource, Beam, PointSource, SingleRay, Source
from raybench.library.objects import InvalidArgument, finite_number
from raybench.optics.colour import GREEN, wavelength_to_rgb
from raybench.scene.document import Document
from raybench.trace.results.result import TraceResult

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from raybench.study.refinement import RefinedLight

Floats = NDArray[np.float64]
MOST_RAYS = 2_000
"""Pieces of rays that are drawn: of every so many rays of the sources, the strongest."""
MARGIN = 0.06
"""Space around the objects, as a part of the larger side of the picture."""
FAR = 1e6
"""Coordinates beyond which nothing is shown, as of a half-plane's line, if anything is nearer."""
OPACITY_STEPS = 8
"""Steps of opacity of rays."""
COLOUR_FACTOR = 0.8
"""Factor of the colours of rays, which makes them legible on white."""
COLOURED_WAVELENGTHS = 400.0, 680.0
"""The wavelengths (nm) beyond which colours no longer change."""
EQUAL_DISTANCE = 1e-4
"""The distance of rays that run together, as a part of the size of the picture."""
NAMES: Mapping[str, Any] = {
    "fontsize": 8,
    "color": "0.2",
    "clip_on": True,
    "bbox": {"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 1},
}
"""How names of objects are written."""
GLASS, DETECTOR, BLOCKER, SURFACE, SOURCE = "#7fa8c9", "#1a8f5a", "#333333", "#555f6d", "#c98a00"


@dataclass(frozen=True, eq=False)
class Outline:
    """A drawn object: the points (n, 2) of its outline, its colour, and whether its area is
    filled.
    """

    points: Floats
    color: str
    filled: bool
    title: str


def drawn_outlines(document: Document) -> Iterator[Outline]:
    """Yield the outlines of the objects that are not hidden."""
    for obj in document.drawn_objects:
        color = next((c for kinds, c in _COLORS if isinstance(obj, kinds)), SURFACE)
        if isinstance(obj, Source):
            if places := emission_points(obj):
                yield Outline(np.array(places, float), color, False, obj.title)
            continue
        edges = edges_as_traced(obj, document.scene)
        filled = isinstance(obj, GlassBody) and not isinstance(obj, PlaneGlass)
        pieces = [np.array(edge.shape.points(), float) for edge in edges]
        if filled and pieces:
            yield Outline(np.concatenate(pieces), color, True, obj.title)
        else:
            yield from (Outline(piece, color, False, obj.title) for piece in pieces)


def emission_points(source: Source) -> list[tuple[float, float]]:
    """The point from which a source emits, or the ends of its line."""
    if isinstance(source, PointSource):
        return [(source.x, source.y)]
    if isinstance(source, SingleRay | AngleSource):
        return [source.p1]
    return [source.p1, source.p2] if isinstance(source, Beam) else []


_COLORS = (
    (GlassBody, GLASS),
    (Detector, DETECTOR),
    ((Blocker, CircleBlocker, Aperture), BLOCKER),
    (Source, SOURCE),
)


@dataclass(frozen=True, eq=False)
class RayLines:
    """Drawn rays of one colour and opacity: ``start`` and ``end`` points (n, 2)."""

    start: Floats
    end: Floats
    color: str
    opacity: float


def ray_lines(result: TraceResult) -> Iterator[RayLines]:
    """Yield the drawn rays, by colour and opacity. A source ray is drawn with all rays into which
    it splits. If there would be more than `MOST_RAYS` pieces, only every second, third ... source
    ray is drawn. Coinciding rays of several wavelengths get their mean colour, weighted by power.
    """
    p1, p2, row = result.straight_pieces
    power = result.drawn_power[row]
    visible = np.count_nonzero(power * OPACITY_STEPS**2 > power.max(initial=0.0))
    _, emitted = np.unique(result.source_ray[row], return_inverse=True)
    kept = np.flatnonzero(emitted % max(math.ceil(visible / MOST_RAYS), 1) == 0)
    strong = kept[np.argsort(-power[kept], kind="stable")[:MOST_RAYS]]
    nm = np.nan_to_num(result.wavelength[row][strong], nan=GREEN)
    ends = np.hstack([p1[strong], p2[strong]])
    places = np.round(ends / (max(result.size, 1e-9) * EQUAL_DISTANCE))
    _, first, which = np.unique(places, axis=0, return_index=True, return_inverse=True)
    together = np.bincount(which, power[strong])
    shares = power[strong] / np.maximum(together[which], 1e-300)
    hues = wavelength_colors(nm) * shares[:, None]
    rgb = np.stack([np.bincount(which, channel) for channel in hues.T], axis=1)
    most = float(power.max(initial=0.0)) or 1.0
    shade = np.ceil(np.sqrt(np.minimum(together / most, 1.0)) * OPACITY_STEPS)
    bytes_ = np.round(255 * COLOUR_FACTOR * rgb).astype(int).tolist()
    colors = np.array(["#" + "".join(f"{part:02x}" for part in one) for one in bytes_])
    for color, step in sorted(set(zip(colors.tolist(), shade.tolist(), strict=True))):
        own = strong[first[(colors == color) & (shade == step)]]
        yield RayLines(p1[own], p2[own], color, max(step, 1.0) / OPACITY_STEPS)


def wavelength_colors(wavelength: Floats) -> Floats:
    """The colours (n, 3) of rays with wavelengths (n,) in nm: equally bright over the whole
    spectrum; wavelengths outside of it have the colours of its ends.
    """
    rgb = wavelength_to_rgb(np.clip(wavelength, *COLOURED_WAVELENGTHS))
    brightest: Floats = rgb.max(axis=1, keepdims=True)
    return rgb / np.where(brightest > 0, brightest, 1.0)


def drawn_box(document: Document, result: TraceResult | None) -> tuple[float, float, float, float]:
    """The left, top, right and bottom of the drawing: the bounding box of the objects and of the
    ray ends among them.
    """
    places = [outline.points for outline in drawn_outlines(document)]
    if result is not None and len(result):
        places.append(result.p1)
        places.append(result.p2[~result.escaped])
    points = np.concatenate(places) if places else np.zeros((1, 2))
    near = points[(np.abs(points) < FAR).all(axis=1)]
    points = near if len(near) else points
    (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
    space = MARGIN * max(right - left, bottom - top, 1e-9)
    return left - space, top - space, right + space, bottom + space


def scene_svg(document: Document, result: TraceResult | None, width: int = 720) -> str:
    """The scene and its rays as an SVG picture, ``width`` pixels wide."""
    if finite_number(width, "width", "svg") < 1:
        raise InvalidArgument(f"svg: width is {width!r}; give at least 1 pixel.")
    left, top, right, bottom = drawn_box(document, result)
    scale = width / (right - left)
    height = round(min(max((bottom - top) * scale, 120), 0.8 * width))
    scale = min(scale, height / (bottom - top))
    shift = np.array([width / scale - (right + left), height / scale - (bottom + top)]) / 2

    def page_coordinates(points: Floats) -> Floats:
        return np.round((points + shift) * scale, 2)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}" style="background:#fff">'
    ]
    for lines in ray_lines(result) if result is not None else ():
        ends = zip(
            page_coordinates(lines.start).tolist(),
            page_coordinates(lines.end).tolist(),
            strict=True,
        )
        path = "".join(f"M{x1:g} {y1:g}L{x2:g} {y2:g}" for (x1, y1), (x2, y2) in ends)
        parts.append(
            f'<path d="{path}" stroke="{lines.color}" stroke-opacity="{lines.opacity:g}"'
            ' stroke-width="0.8" fill="none"/>'
        )
    for outline in drawn_outlines(document):
        points = page_coordinates(outline.points).tolist()
        title = f"<title>{escape(outline.title)}</title>"
        if len(points) == 1:
            (x, y) = points[0]
            parts.append(
                f'<circle cx="{x:g}" cy="{y:g}" r="3" fill="{outline.color}">{title}</circle>'
            )
            continue
        path = "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + ("Z" if outline.filled else "")
        fill = f'fill="{outline.color}" fill-opacity="0.25"' if outline.filled else 'fill="none"'
        parts.append(
            f'<path d="{path}" stroke="{outline.color}" stroke-width="1.5" {fill}>{title}</path>'
        )
    return "".join([*parts, "</svg>"])


def refined_brightness(
    document: Document,
    box: tuple[float, float, float, float] | None,
    width: int,
    error: float,
    draws: int,
) -> RefinedLight:
    """The brightness of the light in a box, see `raybench.library.scene.Scene.brightness`. Raises
    InvalidArgument.
    """
    from raybench.raster.brightness import sum_ray_light
    from raybench.study.refinement import refine_light
    from raybench.trace.trace import trace

    if finite_number(width, "width", "brightness") < 1:
        raise InvalidArgument(f"brightness: width is {width!r}; give at least 1 pixel.")
    left, top, right, bottom = box = box or drawn_box(document, trace(document))
    if not (right > left and bottom > top):
        raise InvalidArgument(f"brightness: box is {box}; give left, top, right and bottom.")
    height = max(1, round(width * (bottom - top) / (right - left)))
    settings = document.scene.settings

    def light_of(result: TraceResult) -> NDArray[np.float32]:
        return sum_ray_light(result, settings, box, (width, height))

    last = deque(refine_light(document, light_of, error=error, draws=draws), maxlen=1)
    if not last:
        raise InvalidArgument(
            "brightness: all draws of this scene are the same. Give at least 2 draws, and add a"
            " source with a ray density, such as a beam."
        )
    return replace(last[0], light=last[0].light.reshape(height, width, 3))


def names_to_write(document: Document) -> dict[tuple[float, float], str]:
    """The names of the objects, by the position of each name: the middle of the top of the object.
    Where several objects share a position, the first name and the number of the others.
    """
    found: dict[tuple[float, float], dict[str, None]] = {}
    for outline in drawn_outlines(document):
        left, top = outline.points.min(axis=0).tolist()
        place = ((left + float(outline.points[:, 0].max())) / 2, top)
        found.setdefault(place, {})[outline.title] = None
    return {
        place: next(iter(titles)) + (f" +{len(titles) - 1}" if len(titles) > 1 else "")
        for place, titles in found.items()
    }


def draw_on_axes(
    ax: Axes, document: Document, result: TraceResult | None, names: bool = False
) -> None:
    """Draw the scene and its rays on matplotlib axes, with y down."""
    from matplotlib.collections import LineCollection

    for lines in ray_lines(result) if result is not None else ():
        segments = np.stack([lines.start, lines.end], axis=1)
        ax.add_collection(
            LineCollection(list(segments), colors=lines.color, alpha=lines.opacity, linewidths=0.7)
        )
    for outline in drawn_outlines(document):
        x, y = outline.points.T
        if outline.filled:
            ax.fill(x, y, facecolor=outline.color, alpha=0.25)
            ax.fill(x, y, edgecolor=outline.color, fill=False)
        else:
            ax.plot(x, y, "." if len(x) == 1 else "-", color=outline.color)
    for place, text in names_to_write(document).items() if names else ():
        ax.annotate(text, place, xytext=(0, 3), textcoords="offset points", ha="center", **NAMES)
    left, top, right, bottom = drawn_box(document, result)
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_aspect("equal")
    ax.set_xlabel(f"x ({document.unit})")
    ax.set_ylabel(f"y ({document.unit})")
