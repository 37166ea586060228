"""Converts a lens system to objects of a scene: its glasses, mirrors and stop, a detector at the
image, and a source for each field.

The axis is the x axis, with the first vertex at the origin and light that travels along +x. Heights
of a prescription are positive upwards, y of a scene downwards.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from raybench.errors import in_quotes, list_choices
from raybench.kinds.blockers import Aperture as Screen
from raybench.kinds.blockers import Blocker
from raybench.kinds.curved_glasses import ParamGlass
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import Glass as GlassBody
from raybench.kinds.mirrors import ArcMirror, Mirror, ParamMirror
from raybench.kinds.object import SceneObject
from raybench.kinds.sources import AngleSource, Beam
from raybench.lens.clearance import clear_semi_diameters
from raybench.lens.glass import AIR, Glass, glass_material
from raybench.lens.paraxial import FirstOrder, chief_slope, first_order, object_height
from raybench.lens.prescription import (
    Field,
    FieldKind,
    InvalidPrescription,
    Prescription,
    Surface,
    Wavelength,
)
from raybench.lens.rims import RIM_MARGIN, rim_heights
from raybench.lens.sequential import trace_fields
from raybench.presets.preset import body_fields_of_material
from raybench.shapes.point import Point, Vertex

SCREEN = 1.6
"""The outer height of a stop, relative to its opening."""
APPROACH = 0.25
"""Where beams start before the first rim, relative to the length of the system."""
END = 0.05
"""How far a medium reaches behind the image, relative to the last distance."""


@dataclass(frozen=True)
class _Face:
    """A surface at its position on the axis, with the height of its rim."""

    surface: Surface
    x: float
    height: float
    name: str

    @property
    def rim(self) -> float:
        """The x coordinate of the rim."""
        return self.x + self.surface.sag(self.height)

    @property
    def geometry_key(self) -> tuple[object, ...]:
        """A key that is equal for surfaces at the same place with the same shape, which are a
        single face of the glass that light meets several times.
        """
        return round(self.x, 9), self.surface.radius, self.surface.conic, self.surface.aspheric


@dataclass(frozen=True)
class _Volume:
    """A volume of glass between two faces."""

    left: _Face
    right: _Face
    glass: Glass
    name: str


def lens_objects(system: Prescription) -> tuple[SceneObject, ...]:
    """The glass bodies and mirrors of a lens, its stop if it is in air, and a detector at the
    image, named by their surfaces. Raises InvalidPrescription if a surface does not reach its
    semi-diameter or if two surfaces cross, and UnknownMaterial.
    """
    faces, image = _faces(system), _image_detector(system)
    return (
        *_bodies(system, faces, image),
        *_mirrors(system, faces),
        *_stop_screen(system, faces),
        image,
    )


def mount_blockers(system: Prescription) -> tuple[SceneObject, ...]:
    """Blockers beyond the rims of the glasses, so that no light passes outside a semi-diameter."""
    faces, indices = _faces(system), system.indices(system.primary_wavelength)
    starts = [abs(p.y) for s in field_sources(system) for p in (s.p1, s.p2)]
    outer = max([SCREEN * max(face.height for face in faces), *(1.1 * y for y in starts)])
    made: dict[tuple[object, ...], SceneObject] = {}
    for i, face in enumerate(faces):
        if face.surface.is_mirror or indices[i] == indices[i + 1]:
            continue
        name = f"Mount of surface {i + 1}"
        for side, words in ((-1, name), (1, f"{name}, below")):
            ends = Point(face.rim, side * face.height), Point(face.rim, side * outer)
            made.setdefault((face.geometry_key, side), Blocker(name=words, p1=ends[0], p2=ends[1]))
    return tuple(made.values())


def conversion_notes(system: Prescription) -> tuple[str, ...]:
    """Sentences that say how the objects differ from the prescription."""
    notes = []
    if math.isfinite(system.image_radius):
        notes.append(
            f"The detector is flat; the image surface has the radius {system.image_radius:g}."
        )
    faces = _faces(system)
    low = [
        str(i)
        for i, (face, half) in enumerate(zip(faces, clear_semi_diameters(system), strict=True), 1)
        if face.height < half
    ]
    if low:
        notes.append(
            f"The glass ends before the outermost light at surface{'s' * (len(low) > 1)}"
            f" {list_choices(low, 'and')}, and cuts it off."
        )
    for i, face in enumerate(faces):
        if face.surface.is_mirror and _hole_for_crossing_light(system, faces, i)[1]:
            notes.append(
                f"The mirror of surface {i + 1} stands in the light of other surfaces and blocks it."
            )
    return tuple(notes)


def _faces(system: Prescription) -> list[_Face]:
    faces = []
    for i, (surface, height) in enumerate(zip(system.surfaces, rim_heights(system), strict=True)):
        if not height > 0 or math.isnan(surface.sag(height)):
            raise InvalidPrescription(
                f"Surface {i + 1} with the radius {surface.radius:g} does not reach a height of"
                f" {height:.4g}. Give it a smaller semi-diameter, or a longer radius."
            )
        faces.append(_Face(surface, system.vertices[i], height, surface.comment))
    return faces


def _bodies(system: Prescription, faces: Sequence[_Face], image: Detector) -> Iterator[SceneObject]:
    """A body for each volume of glass. The body of a glass before the first surface begins before
    the sources; the body of a glass behind the last surface ends behind the image.
    """
    media = [system.object_glass]
    for surface in system.surfaces:
        media.append(media[-1] if surface.is_mirror else surface.glass)
    ends = [faces[0], faces[-1]]
    if media[0] != AIR:
        starts = [p for s in field_sources(system) for p in (s.p1, s.p2)]
        top = max(faces[0].height, *(1.1 * abs(p.y) for p in starts))
        ends[0] = _Face(Surface(), min(p.x for p in starts) - top, top, "Object space")
    if media[-1] != AIR:
        way = system.surfaces[-1].thickness
        behind = math.copysign(END * max(abs(way), image.p2.y), way)
        ends[1] = _Face(Surface(), system.vertices[-1] + behind, image.p2.y, "")
    volumes: dict[frozenset[tuple[object, ...]], _Volume] = {}
    gaps = zip(pairwise([ends[0], *faces, ends[1]]), media, strict=True)
    for number, ((one, other), glass) in enumerate(gaps):
        if glass == AIR:
            continue
        left, right = sorted((one, other), key=lambda face: face.x)
        between = f"Surfaces {number} and {number + 1}" if number < len(faces) else "Image space"
        name = one.name or between
        key = frozenset((one.geometry_key, other.geometry_key))
        if key in volumes:  # light comes back from a mirror
            known = volumes[key]
            left = replace(left, height=max(left.height, known.left.height))
            right = replace(right, height=max(right.height, known.right.height))
            name = known.name
        volumes[key] = _Volume(left, right, glass, name)
    groups: list[list[_Volume]] = []  # cemented ones, whose common faces have one outline
    for volume in sorted(volumes.values(), key=lambda v: v.left.x):
        if groups and groups[-1][-1].right.geometry_key == volume.left.geometry_key:
            groups[-1].append(volume)
        else:
            groups.append([volume])
    for group in groups:
        curved = any(_is_aspheric(f.surface) for v in group for f in (v.left, v.right))
        for volume in group:
            yield _glass_body(volume, curved)


def _is_aspheric(surface: Surface) -> bool:
    return bool(any(surface.aspheric) or (surface.conic and math.isfinite(surface.radius)))


def _glass_body(volume: _Volume, curved: bool) -> SceneObject:
    left, right, name = volume.left, volume.right, volume.name
    h1, h2 = left.height, right.height
    rim1, rim2 = left.rim, right.rim
    if rim2 <= rim1:
        raise InvalidPrescription(
            f"The sides of {in_quotes(name)} cross below the rim. Make the thickness larger, or a"
            " semi-diameter smaller."
        )
    top = max(h1, h2)  # a shorter side is ground flat up to the cylinder
    fields = body_fields_of_material(glass_material(volume.glass))
    if not curved:
        upper = [Vertex(rim2, -h2), *([Vertex(rim2, -top)] if h2 < top else [])]
        upper += [*([Vertex(rim1, -top)] if h1 < top else []), Vertex(rim1, -h1)]
        lower = [Vertex(v.x, -v.y) for v in upper]
        return GlassBody(
            name=name,
            path=(*upper, *_arc_vertex(left), *reversed(lower), *_arc_vertex(right)),
            **fields,
        )
    corners = [(rim1, -h1), (rim1, -top), (rim2, -top), (rim2, -h2)]
    sides = [(a, b) for a, b in pairwise(corners) if a != b]
    below = [((bx, -by), (ax, -ay)) for (ax, ay), (bx, by) in reversed(sides)]
    pieces = (  # clockwise on the screen
        _curve_piece(left, h1, -h1),
        *(_line_piece(a, b) for a, b in sides),
        _curve_piece(right, -h2, h2),
        *(_line_piece(a, b) for a, b in below),
    )
    return ParamGlass(name=name, origin=Point(0, 0), pieces=pieces, **fields)


def _arc_vertex(face: _Face) -> tuple[Vertex, ...]:
    """The arc point of a face between the ends of its rim; none for a plane."""
    return (Vertex(face.x, 0.0, True),) if math.isfinite(face.surface.radius) else ()


def _sag_formula(surface: Surface, x: float) -> str:
    """The x coordinate of a surface at y = t of the scene, as a formula in LaTeX."""
    terms = [f"{x!r}"]
    if math.isfinite(surface.radius):
        c = surface.curvature
        k = (1 + surface.conic) * c * c
        terms.append(rf"\frac{{{c!r}\cdot t^2}}{{1+\sqrt{{1-({k!r})\cdot t^2}}}}")
    terms += [rf"({a!r})\cdot t^{{{2 * i + 2}}}" for i, a in enumerate(surface.aspheric) if a]
    return "+".join(_plain_numbers(t) for t in terms)


def _plain_numbers(text: str) -> str:
    """The text in which numbers of the form 1e-07 are replaced by products with a power of ten."""
    return re.sub(r"(\d(?:\.\d+)?)e([+-]?\d+)", lambda m: rf"{m[1]}\cdot 10^{{{int(m[2])}}}", text)


def _curve_piece(face: _Face, start: float, end: float) -> dict[str, object]:
    """A piece of a parametric outline along a face, from one height (y of the scene) to another."""
    formula = _sag_formula(face.surface, face.x)
    if start < end:
        return _parametric_piece(formula, "t", start, end)
    return _parametric_piece(formula, "-t", -start, -end)


def _line_piece(a: tuple[float, float], b: tuple[float, float]) -> dict[str, object]:
    (ax, ay), (bx, by) = a, b
    x, y = (f"{p!r}+({q - p!r})\\cdot t" for p, q in ((ax, bx), (ay, by)))
    return _parametric_piece(_plain_numbers(x), _plain_numbers(y), 0.0, 1.0)


def _parametric_piece(x: str, y: str, start: float, end: float) -> dict[str, object]:
    return {"eqnX": x, "eqnY": y, "tMin": start, "tMax": end, "tStep": (end - start) / 100}


def _mirrors(system: Prescription, faces: Sequence[_Face]) -> Iterator[SceneObject]:
    """A mirror for each reflecting face. It has a hole if light between other surfaces passes
    through it.
    """
    mirrors: dict[tuple[object, ...], SceneObject] = {}
    for i, face in enumerate(faces):
        if not face.surface.is_mirror:
            continue
        name, hole = face.name or f"Surface {i + 1}", _hole_for_crossing_light(system, faces, i)[0]
        mirror: SceneObject
        if hole or _is_aspheric(face.surface):
            ranges = [(-face.height, -hole), (hole, face.height)]
            ranges = ranges if hole else [(-face.height, face.height)]
            pieces = tuple(_curve_piece(face, *ends) for ends in ranges)
            mirror = ParamMirror(name=name, origin=Point(0, 0), pieces=pieces)
        else:
            upper, lower = Point(face.rim, -face.height), Point(face.rim, face.height)
            mirror = (
                Mirror(name=name, p1=upper, p2=lower)
                if math.isinf(face.surface.radius)
                else ArcMirror(name=name, p1=upper, p2=lower, p3=Point(face.x, 0.0))
            )
        mirrors.setdefault(face.geometry_key, mirror)
    yield from mirrors.values()


def _hole_for_crossing_light(
    system: Prescription, faces: Sequence[_Face], index: int
) -> tuple[float, bool]:
    """The half-width of the hole that a mirror needs to let light between other surfaces pass (0
    for no hole), and whether the mirror still obstructs part of this light.
    """
    left = min(min(f.x, f.rim) for f in faces)
    room = min(abs(left) + abs(system.length) + faces[0].height, system.object_distance)
    before = replace(
        system,
        surfaces=(Surface(thickness=room, glass=system.object_glass), *system.surfaces),
        stop=system.stop + 1,
        object_distance=system.object_distance - room,
    )
    fan, face = trace_fields(before, np.linspace(-1, 1, 11), clipped=False), faces[index]
    x, y, hole, is_blocking = fan.x - room, fan.y, 0.0, False
    sag = np.vectorize(face.surface.sag)
    for j in range(len(x) - 1):
        if j in {index, index + 1}:  # on the way to the mirror and from it
            continue
        run, rise, at = x[j + 1] - x[j], y[j + 1] - y[j], np.zeros_like(x[j])
        with np.errstate(all="ignore"):
            for _ in range(5):
                part = (face.x + np.nan_to_num(sag(y[j] + at * rise)) - x[j]) / run
                at = np.clip(part, 0.0, 1.0)
        crossing = np.abs(y[j] + at * rise)[(part > 1e-6) & (part < 1 - 1e-6)]
        if len(crossing) and crossing.min() < face.height:
            if RIM_MARGIN * crossing.max() < face.height:
                hole = max(hole, RIM_MARGIN * float(crossing.max()))
            else:
                is_blocking = True
    return hole, is_blocking


def _stop_screen(system: Prescription, faces: Sequence[_Face]) -> Iterator[SceneObject]:
    """The stop as a screen with an opening, if it is a surface in air that does not refract."""
    face, media = faces[system.stop], system.indices(system.primary_wavelength)
    if face.surface.is_mirror or media[system.stop] != media[system.stop + 1]:
        return
    half = face.surface.semi_diameter
    half = first_order(system).stop_semi_diameter if half is None else half
    outer = SCREEN * max(half, face.height)
    yield Screen(
        name=face.name or "Stop",
        p1=Point(face.x, -outer),
        p2=Point(face.x, outer),
        p3=Point(face.x, -half),
        p4=Point(face.x, half),
    )


def _image_detector(system: Prescription) -> Detector:
    shape = len(system.fields), len(system.wavelengths), -1
    heights = trace_fields(system, np.linspace(-1, 1, 9), clipped=False).y[-1].reshape(shape)
    reach = np.abs(heights[:, system.primary])
    half = 1.1 * float(np.nanmax(reach, initial=0.0)) or first_order(system).stop_semi_diameter
    at = system.vertices[-1]
    return Detector(name="Image", p1=Point(at, -half), p2=Point(at, half))


def field_sources(
    system: Prescription, fields: Sequence[Field] | None = None
) -> tuple[Beam | AngleSource, ...]:
    """A source for each field and wavelength, which fills the entrance pupil: a parallel beam for
    an object at infinity, a fan from the object point for a near object. The powers are
    proportional to the weights of the wavelengths. Raises InvalidPrescription for a virtual object.
    """
    if system.object_distance < 0:
        raise InvalidPrescription(
            "The object is virtual: no source of the bench gives its converging light. Put the"
            " optics before it into the file."
        )
    first = first_order(system)
    left = min(min(face.x, face.rim) for face in _faces(system))
    return tuple(
        _field_source(system, first, left, field, wave)
        for field in (system.fields if fields is None else fields)
        for wave in system.wavelengths
    )


def _field_source(
    system: Prescription, first: FirstOrder, left: float, field: Field, wave: Wavelength
) -> Beam | AngleSource:
    """The source of one field and wavelength. A beam starts to the left of ``left``."""
    unit = "°" if system.field_kind is FieldKind.ANGLE else f" {system.unit}"
    name = f"Field {field.value:g}{unit}"
    if len(system.wavelengths) > 1:
        name += f", {wave.value:g} nm"
    slope, most = chief_slope(system, first, field.value), max(w.weight for w in system.wavelengths)
    brightness = 0.5 * wave.weight / most if most else 0.5
    if math.isinf(system.object_distance):
        half = first.entrance_diameter / 2
        dx, dy = 1 / math.hypot(1, slope), -slope / math.hypot(1, slope)
        across = half * dx  # the beam's width is that of the pupil as seen from the field
        room = APPROACH * max(abs(system.length), first.entrance_diameter)
        before = (first.entrance_pupil - left + room + across * abs(dy)) / dx
        centre = Point(first.entrance_pupil - before * dx, -before * dy)
        return Beam(
            name=name,
            p1=Point(centre.x + across * dy, centre.y - across * dx),
            p2=Point(centre.x - across * dy, centre.y + across * dx),
            brightness=brightness,
            wavelength=wave.value,
        )
    at = Point(-system.object_distance, -object_height(system, first, field.value))
    low, high = (math.atan(-slope - side * first.object_slope) for side in (-1, 1))
    middle = (low + high) / 2
    return AngleSource(
        name=name,
        p1=at,
        p2=Point(at.x + math.cos(middle), at.y + math.sin(middle)),
        emis_angle=abs(math.degrees(high - low)),
        brightness=brightness,
        wavelength=wave.value,
    )
