"""Measures of imaging: focus, focal length, conjugate distances and magnification, for the strongest bundle that leaves an object."""

from __future__ import annotations

import numpy as np

from core.analysis.geometry.contact import contacts
from core.analysis.geometry.straight import Floats, Rows
from core.analysis.measures.light import Light
from core.analysis.measures.measure import Measure, Parameter, Role, Undefined, Unit
from core.analysis.rays.bundle import Conjugates, Focus
from core.analysis.rays.incidence import first_pieces, last_pieces
from core.analysis.rays.leaving_light import LeavingBundle
from core.analysis.scene.refractive_index import index_by_colour
from core.shapes.point import Point
from core.trace.codes import Interaction

OBJECT = Parameter("object", Role.SURFACE)
SOURCE = Parameter("source", Role.SOURCE, optional=True)


def focus(light: Light, index: int, source: int | None = None) -> float:
    """Distance along the beam from an object's last surface to the best focus (least RMS width) of its strongest bundle, negative if
    virtual."""
    bundle = light.strongest(index, source)
    best = bundle.focus()
    return _from_surface(light, index, bundle.rows, best.point, best.axis)


def focus_x(light: Light, index: int, source: int | None = None) -> float:
    """The x coordinate of the best focus of the strongest bundle."""
    return _best(light, index, source).point.x


def focus_y(light: Light, index: int, source: int | None = None) -> float:
    """The y coordinate, downwards, of the best focus of the strongest bundle."""
    return _best(light, index, source).point.y


def spot_rms(light: Light, index: int, source: int | None = None) -> float:
    """Root mean square distance, weighted by power, of the rays from their mean at the best focus."""
    return _best(light, index, source).rms


def spot_width(light: Light, index: int, source: int | None = None) -> float:
    """Full width of the strongest bundle at its best focus."""
    return _best(light, index, source).width


def focal_length(light: Light, index: int, source: int | None = None) -> float:
    """Paraxial focal length, from the principal plane, for parallel incoming light; positive if converging."""
    return light.strongest(index, source).lens().focal_length


def back_focal_length(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the last surface to the paraxial focal point, for parallel incoming light."""
    bundle = light.strongest(index, source)
    cardinal = bundle.lens()
    x, y = cardinal.axis
    mean = light.leaving_directions(bundle).sum(axis=0)
    onward = 1.0 if mean[0] * x + mean[1] * y > 0 else -1.0  # after a mirror light runs against the axis
    return _from_surface(light, index, bundle.rows, cardinal.focal_point, (onward * x, onward * y))


def image_distance(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the last surface to the paraxial image, where rays close to the middle one meet; negative if virtual."""
    bundle, conjugates = _imaging(light, index, source)
    if conjugates.image_point is None:
        raise Undefined(f"The light leaves {light.title(index)} parallel: its image is at infinity.")
    return _from_surface(light, index, bundle.rows, conjugates.image_point, conjugates.axis_out)


def object_distance(light: Light, index: int, source: int | None = None) -> float:
    """Distance from the paraxial object point, where the light comes from, to the first surface; negative if virtual."""
    bundle, conjugates = _imaging(light, index, source)
    if conjugates.object_point is None:
        raise Undefined(f"The light arrives at {light.title(index)} parallel: its object is at infinity.")
    return -_from_surface(light, index, bundle.arriving, conjugates.object_point, conjugates.axis_in)


def magnification(light: Light, index: int, source: int | None = None) -> float:
    """Paraxial transverse magnification; negative if the image is inverted."""
    bundle, conjugates = _imaging(light, index, source)
    if conjugates.slope_ratio is None:
        which, end = ("arrives", "object") if conjugates.object_point is None else ("leaves", "image")
        raise Undefined(f"The light {which} parallel: its {end} is at infinity. Use a point source that {light.title(index)} images.")
    result, row, arrived = light.result, int(bundle.rows[0]), int(bundle.arriving[0])
    # the media just before the first and just after the last surface
    before, after = last_pieces(result, np.array([arrived])), first_pieces(result, np.array([row]))
    (n_in,), (n_out,) = index_by_colour(
        light.scene, result.wavelength[[row]], before[0] + 0.999999 * (before[1] - before[0]), after[0] + 1e-6 * (after[1] - after[0]),
        disabled=light.disabled,
    )  # fmt: skip
    path = result.lineage.path(row)
    inside = result.interaction[path[path.index(arrived) + 2 :]]
    reflections = int(np.isin(inside, (Interaction.REFLECT, Interaction.TIR)).sum()) + (not light.goes_through(bundle, index))
    return float(n_in / n_out) * conjugates.slope_ratio * (-1.0 if reflections % 2 else 1.0)


def _best(light: Light, index: int, source: int | None) -> Focus:
    return light.strongest(index, source).focus()


def _imaging(light: Light, index: int, source: int | None) -> tuple[LeavingBundle, Conjugates]:
    bundle = light.strongest(index, source)
    return bundle, bundle.conjugates()


def _from_surface(light: Light, index: int, rows: Rows, point: Point, axis: tuple[float, float]) -> float:
    """The signed distance of a point, along an axis through it, after the surface on which ``rows`` start, or otherwise end."""
    result = light.result
    starts = result.hit[result.parent[rows[0]]] == index if result.parent[rows[0]] >= 0 else False
    ends = first_pieces(result, rows)[0] if starts else last_pieces(result, rows)[1]
    edge = int(result.edge[result.parent[rows[0]] if starts else rows[0]])
    ax, at = np.array(axis), np.array(point)
    along = (ends - at) @ ax
    middle, reach = float(along.mean()), float(np.abs(along).max() + np.ptp(ends, axis=0).max() + 1.0)
    shape = next(e.shape for e in light.edges(index) if e.index == edge)
    line = (at - 2 * reach * ax)[None], (at + 2 * reach * ax)[None]
    crossings: Floats = contacts(*line, shape).along - 2 * reach
    # if the axis misses the surface, as for an off-axis part of a lens, the middle of the rays' points on it is used instead
    vertex: float = min(crossings.tolist(), key=lambda x: abs(x - middle), default=middle)
    return -vertex


MEASURES = (
    Measure(focus, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(focus_x, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(focus_y, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(spot_rms, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(spot_width, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(focal_length, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(back_focal_length, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(object_distance, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(image_distance, Unit.LENGTH, (OBJECT, SOURCE)),
    Measure(magnification, Unit.ONE, (OBJECT, SOURCE)),
)
