"""A lens system as objects of the bench: its glasses, mirrors and stop, a detector at the image, and a
source for each field.

The axis is the x axis, with the first vertex at the origin and light that travels along +x. Heights of a
prescription count upwards, y of a scene downwards.
"""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from raybench.kinds.blockers import Aperture as Screen
from raybench.kinds.curved_glasses import ParamGlass
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass as GlassBody
from raybench.kinds.mirrors import ArcMirror, Mirror, ParamMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam
from raybench.lens.clearance import clear_semi_diameters
from raybench.lens.glass import AIR, Glass, glass_material
from raybench.lens.paraxial import FirstOrder, chief_slope, first_order
from raybench.lens.prescription import Field, FieldKind, InvalidPrescription, Prescription, Surface
from raybench.lens.sequential import trace_fan
from raybench.presets.preset import body_fields_of_material
from raybench.shapes.point import Point, Vertex

MARGIN = 1.03
"""Rims of surfaces without a semi-diameter, relative to the outermost ray."""
SCREEN = 1.6
"""The outer height of a stop, relative to its opening."""
APPROACH = 0.25
"""Where sources are before the first vertex, relative to the length of the system."""


def lens_objects(system: Prescription) -> tuple[SceneObject, ...]:
    """The glass bodies and mirrors of a lens, its stop if that stands in air, and a detector at the
    image, named by their surfaces. Raises InvalidPrescription if a surface does not reach its
    semi-diameter or two cross, and UnknownMaterial.
    """
    heights = [
        half * (MARGIN if surface.semi_diameter is None else 1.0)
        for half, surface in zip(clear_semi_diameters(system), system.surfaces, strict=True)
    ]
    for number, (surface, height) in enumerate(zip(system.surfaces, heights, strict=True), 1):
        if not height > 0 or math.isnan(surface.sag(height)):
            raise InvalidPrescription(
                f"Surface {number} with the radius {surface.radius:g} does not reach a height of"
                f" {height:.4g}. Give it a smaller semi-diameter, or a longer radius."
            )
    return (*_bodies(system, heights), *_stop(system, heights), *_image(system))


def _bodies(system: Prescription, heights: Sequence[float]) -> Iterator[SceneObject]:
    media = [system.object_glass]
    for surface in system.surfaces:
        media.append(media[-1] if surface.is_mirror else surface.glass)
    for group in _cemented_groups(system, media):
        curved = any(_is_aspheric(system.surfaces[i]) for i in range(group[0], group[-1] + 2))
        for i in group:
            yield _element(system, media[i + 1], i, heights, curved)
    for i, surface in enumerate(system.surfaces):
        if surface.is_mirror:
            yield _mirror(surface, system.vertices[i], heights[i], i + 1)


def _cemented_groups(system: Prescription, media: Sequence[Glass]) -> list[list[int]]:
    """The elements by their front surfaces; those that share a surface are in one group."""
    groups: list[list[int]] = []
    for i in range(len(system.surfaces) - 1):
        if media[i + 1] == AIR:
            continue
        if groups and groups[-1][-1] == i - 1:
            groups[-1].append(i)
        else:
            groups.append([i])
    return groups


def _is_aspheric(surface: Surface) -> bool:
    return bool(any(surface.aspheric) or (surface.conic and math.isfinite(surface.radius)))


def _element(
    system: Prescription, glass: Glass, index: int, heights: Sequence[float], curved: bool
) -> SceneObject:
    left, right = index, index + 1
    if system.vertices[right] < system.vertices[left]:  # light comes back from a mirror
        left, right = right, left
    front, back = system.surfaces[left], system.surfaces[right]
    h1, h2 = heights[left], heights[right]
    x1, x2 = system.vertices[left], system.vertices[right]
    rim1, rim2 = x1 + front.sag(h1), x2 + back.sag(h2)
    if rim2 <= rim1:
        raise InvalidPrescription(
            f"Surfaces {index + 1} and {index + 2} cross below the rim. Make the thickness larger,"
            " or a semi-diameter smaller."
        )
    top = max(h1, h2)  # a shorter side is ground flat up to the cylinder
    name = system.surfaces[index].comment or f"Surfaces {index + 1} and {index + 2}"
    fields = body_fields_of_material(glass_material(glass))
    if not curved:
        upper = [Vertex(rim2, -h2), *([Vertex(rim2, -top)] if h2 < top else [])]
        upper += [*([Vertex(rim1, -top)] if h1 < top else []), Vertex(rim1, -h1)]
        lower = [Vertex(v.x, -v.y) for v in upper]
        return GlassBody(
            name=name,
            path=(*upper, *_vertex(front, x1), *reversed(lower), *_vertex(back, x2)),
            **fields,
        )
    corners = [(rim1, -h1), (rim1, -top), (rim2, -top), (rim2, -h2)]
    sides = [(a, b) for a, b in pairwise(corners) if a != b]
    below = [((bx, -by), (ax, -ay)) for (ax, ay), (bx, by) in reversed(sides)]
    pieces = (  # clockwise on the screen
        _curve_piece(front, x1, h1, -h1),
        *(_line_piece(a, b) for a, b in sides),
        _curve_piece(back, x2, -h2, h2),
        *(_line_piece(a, b) for a, b in below),
    )
    return ParamGlass(name=name, origin=Point(0, 0), pieces=pieces, **fields)


def _vertex(surface: Surface, x: float) -> tuple[Vertex, ...]:
    """The arc point of a surface between its rims; none for a plane."""
    return (Vertex(x, 0.0, True),) if math.isfinite(surface.radius) else ()


def _sag_formula(surface: Surface, x: float) -> str:
    """The x of a surface at the scene's y = t, in LaTeX."""
    terms = [f"{x!r}"]
    if math.isfinite(surface.radius):
        c = surface.curvature
        k = (1 + surface.conic) * c * c
        terms.append(rf"\frac{{{c!r}\cdot t^2}}{{1+\sqrt{{1-({k!r})\cdot t^2}}}}")
    terms += [rf"({a!r})\cdot t^{{{2 * i + 2}}}" for i, a in enumerate(surface.aspheric) if a]
    return "+".join(_plain_numbers(t) for t in terms)


def _plain_numbers(text: str) -> str:
    """The text with numbers of the form 1e-07 as products with a power of ten."""
    return re.sub(r"(\d(?:\.\d+)?)e([+-]?\d+)", lambda m: rf"{m[1]}\cdot 10^{{{int(m[2])}}}", text)


def _curve_piece(surface: Surface, x: float, start: float, end: float) -> dict[str, object]:
    """A piece of the outline along a surface, from one height (scene y) to another."""
    if start < end:
        return _piece(_sag_formula(surface, x), "t", start, end)
    return _piece(_sag_formula(surface, x), "-t", -start, -end)


def _line_piece(a: tuple[float, float], b: tuple[float, float]) -> dict[str, object]:
    (ax, ay), (bx, by) = a, b
    x, y = (f"{p!r}+({q - p!r})\\cdot t" for p, q in ((ax, bx), (ay, by)))
    return _piece(_plain_numbers(x), _plain_numbers(y), 0.0, 1.0)


def _piece(x: str, y: str, start: float, end: float) -> dict[str, object]:
    return {"eqnX": x, "eqnY": y, "tMin": start, "tMax": end, "tStep": (end - start) / 100}


def _mirror(surface: Surface, x: float, height: float, number: int) -> SceneObject:
    name, rim = surface.comment or f"Surface {number}", x + surface.sag(height)
    upper, lower = Point(rim, -height), Point(rim, height)
    if _is_aspheric(surface):
        piece = _curve_piece(surface, x, -height, height)
        return ParamMirror(name=name, origin=Point(0, 0), pieces=(piece,))
    if math.isinf(surface.radius):
        return Mirror(name=name, p1=upper, p2=lower)
    return ArcMirror(name=name, p1=upper, p2=lower, p3=Point(x, 0.0))


def _stop(system: Prescription, heights: Sequence[float]) -> Iterator[SceneObject]:
    """The stop as a screen with an opening, if it is a surface in air without power."""
    surface, media = system.surfaces[system.stop], system.indices(system.primary_wavelength)
    if surface.is_mirror or media[system.stop] != media[system.stop + 1]:
        return
    x, half = system.vertices[system.stop], surface.semi_diameter
    half = first_order(system).stop_semi_diameter if half is None else half
    outer = SCREEN * max(half, heights[system.stop])
    yield Screen(
        name=surface.comment or "Stop",
        p1=Point(x, -outer),
        p2=Point(x, outer),
        p3=Point(x, -half),
        p4=Point(x, half),
    )


def _image(system: Prescription) -> Iterator[SceneObject]:
    reach = [
        abs(float(height))
        for field in system.fields
        for height in trace_fan(
            system, field, system.primary_wavelength, np.linspace(-1, 1, 9), clipped=False
        ).y[-1]
        if math.isfinite(height)
    ]
    half = 1.1 * max(reach, default=0.0) or first_order(system).entrance_diameter / 2
    yield Detector(
        name="Image",
        p1=Point(system.vertices[-1], -half),
        p2=Point(system.vertices[-1], half),
    )


def field_sources(
    system: Prescription, fields: Sequence[Field] | None = None
) -> tuple[SceneObject, ...]:
    """A source for each field and wavelength that fills the entrance pupil: a parallel beam for a far
    object, a fan from the object point for a near one. Weights of wavelengths are powers.
    """
    first, out = first_order(system), []
    for field in system.fields if fields is None else fields:
        for wave in system.wavelengths:
            out.append(_field_source(system, first, field, wave.value, wave.weight))
    return tuple(out)


def _field_source(
    system: Prescription, first: FirstOrder, field: Field, wavelength: float, weight: float
) -> SceneObject:
    unit = "°" if system.field_kind is FieldKind.ANGLE else f" {system.unit}"
    name = f"Field {field.value:g}{unit}"
    if len(system.wavelengths) > 1:
        name += f", {wavelength:g} nm"
    slope, half = chief_slope(system, first, field.value), first.entrance_diameter / 2
    pupil = Point(first.entrance_pupil, 0.0)
    if math.isinf(system.object_distance):
        dx, dy = 1 / math.hypot(1, slope), -slope / math.hypot(1, slope)
        across = half * dx  # the beam's width is that of the pupil as seen from the field
        room = APPROACH * max(abs(system.length), first.entrance_diameter)
        before = (max(pupil.x, 0.0) + room + across * abs(dy)) / dx
        centre = Point(pupil.x - before * dx, -before * dy)
        return Beam(
            name=name,
            p1=Point(centre.x + across * dy, centre.y - across * dx),
            p2=Point(centre.x - across * dy, centre.y + across * dx),
            brightness=weight * 0.5,
            wavelength=wavelength,
        )
    at = Point(-system.object_distance, slope * (system.object_distance + pupil.x))
    low, high = (math.atan2(y - at.y, pupil.x - at.x) for y in (-half, half))
    middle = (low + high) / 2
    return AngleSource(
        name=name,
        p1=at,
        p2=Point(at.x + math.cos(middle), at.y + math.sin(middle)),
        emis_angle=abs(math.degrees(high - low)),
        brightness=weight * 0.5,
        wavelength=wavelength,
    )
