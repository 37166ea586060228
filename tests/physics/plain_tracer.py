"""A second tracer, as plain as can be: one ray after the other through the laws and the order of the file format, over complex numbers.

It knows the kinds without curves of formulas, looks at every object for every ray, and takes no care of surfaces that touch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.kinds.blockers import Blocker
from core.kinds.detectors import Detector
from core.kinds.glasses import CircleGlass, Glass, HomogeneousGlass, PlaneGlass
from core.kinds.gratings import DiffractionGrating
from core.kinds.lenses import IdealLens
from core.kinds.mirrors import ArcMirror, BeamSplitter, Mirror
from core.kinds.object import Filtered, SceneObject
from core.scene.scene import Scene
from core.shapes.point import Point
from core.trace.run.emission import initial_rays

BEFORE = 1e-5
"""How far before a surface the ray is asked where it is."""


@dataclass
class Ray:
    at: complex
    along: complex
    s: float
    p: float
    wavelength: float
    gap: bool
    source_ray: int
    depth: int = 0
    parent: int = -1
    child: bool = False
    """Whether it began where it is; one that goes on keeps its place among the entries."""

    @property
    def power(self) -> float:
        return self.s + self.p


@dataclass(frozen=True)
class Row:
    start: complex
    end: complex
    """Where it ends; for one that escapes, a place 100 from its start."""
    s: float
    p: float
    hit: int
    parent: int
    depth: int
    source_ray: int


def plain_trace(scene: Scene, most: int) -> tuple[list[Row], dict[int, float]]:
    """The rows of a scene in the order of processing, at most ``most`` and one, and what each detector measures."""
    objects, settings, shortest = scene.optical, scene.settings, 1e-6 * scene.settings.length_scale
    first = initial_rays(scene)
    entries: list[Ray | None] = [
        Ray(complex(*first.start[i]), complex(*first.direction[i]), first.power[i] / 2, first.power[i] / 2, first.wavelength[i],
            bool(first.gap[i]), i)
        for i in range(len(first))
    ]  # fmt: skip
    rows: list[Row] = []
    measured = {i: 0.0 for i, o in enumerate(objects) if isinstance(o, Detector)}
    while any(entries):
        last = -1
        for place, ray in enumerate(entries):  # it grows meanwhile
            if ray is None:
                continue
            if len(rows) > most:
                return rows, measured
            found = min(((s, i) for i, o in enumerate(objects) for s in meetings(o, ray) if s > shortest), default=(math.inf, -1))
            hit, end = found[1], ray.at + min(found[0], math.inf if found[1] >= 0 else 100.0) * ray.along
            rows.append(Row(ray.at, end, ray.s, ray.p, hit, ray.parent, ray.depth, ray.source_ray))
            ray.gap, last = ray.gap or hit != last, hit
            ray.depth, ray.parent = ray.depth + 1, len(rows) - 1
            out: list[Ray] = []
            if hit >= 0 and ray.depth <= settings.max_ray_depth:
                if isinstance(obj := objects[hit], Detector):
                    measured[hit] += math.copysign(ray.power, cross(ray.along, point(obj.p2) - point(obj.p1)))
                weakest = 0.01 if settings.color_mode == "default" else 1e-6
                out = list(sent_on(obj, replace(ray, at=end, child=False), place, weakest))
            entries[place] = next((r for r in out if not r.child), None)
            entries += [r for r in out if r.child]
    return rows, measured


def cross(a: complex, b: complex) -> float:
    return (a.conjugate() * b).imag


def dot(a: complex, b: complex) -> float:
    return (a.conjugate() * b).real


def point(p: Point) -> complex:
    return complex(p.x, p.y)


def sides(obj: SceneObject) -> list[tuple[complex, complex]]:
    if isinstance(obj, Glass):
        corners = [complex(v.x, v.y) for v in obj.path]
        return list(zip(corners, corners[1:] + corners[:1], strict=True))
    if isinstance(obj, Mirror | BeamSplitter | Blocker | IdealLens | Detector | DiffractionGrating):
        return [(point(obj.p1), point(obj.p2))]
    return []


def circle_of(obj: SceneObject) -> tuple[complex, float] | None:
    if isinstance(obj, CircleGlass):
        return point(obj.p1), abs(point(obj.p2) - point(obj.p1))
    if isinstance(obj, ArcMirror):
        a, b = point(obj.p1) - point(obj.p3), point(obj.p2) - point(obj.p3)
        centre = (abs(a) ** 2 * b - abs(b) ** 2 * a) * 1j / (2 * cross(a, b))
        return point(obj.p3) - centre, abs(centre)
    return None


def meetings(obj: SceneObject, ray: Ray) -> Iterator[float]:
    """Distances at which a ray's line meets an object."""
    filtered = isinstance(obj, Filtered) and obj.filter and not math.isnan(ray.wavelength)
    if filtered and (abs(obj.wavelength - ray.wavelength) <= obj.bandwidth) == obj.invert:
        return
    for a, b in sides(obj):
        if (across := cross(ray.along, b - a)) and 0 <= cross(a - ray.at, ray.along) / across <= 1:
            yield cross(a - ray.at, b - a) / across
    if isinstance(obj, PlaneGlass):
        a, b = point(obj.p1), point(obj.p2)
        yield cross(a - ray.at, b - a) / cross(ray.along, b - a)
    circle = circle_of(obj)
    if circle is None:
        return
    centre, radius = circle
    middle, off = dot(ray.along, centre - ray.at), cross(ray.along, centre - ray.at)
    if abs(off) < radius:
        for s in (middle - math.sqrt(radius**2 - off**2), middle + math.sqrt(radius**2 - off**2)):
            x = ray.at + s * ray.along
            if isinstance(obj, ArcMirror):
                chord = point(obj.p2) - point(obj.p1)
                if cross(chord, x - point(obj.p1)) * cross(chord, point(obj.p3) - point(obj.p1)) < 0:
                    continue
            yield s


def normal_at(obj: SceneObject, x: complex, along: complex) -> complex:
    """The unit normal against a ray."""
    circle = circle_of(obj)
    if circle is not None:
        n = x - circle[0]
    elif isinstance(obj, PlaneGlass):
        n = (point(obj.p2) - point(obj.p1)) * 1j
    else:
        a, b = min(sides(obj), key=lambda side: abs(abs(x - side[0]) + abs(x - side[1]) - abs(side[1] - side[0])))
        n = (b - a) * 1j
    return n / abs(n) * (1 if dot(n, along) < 0 else -1)


def holds(obj: HomogeneousGlass, x: complex) -> bool:
    """Whether a point is in a glass."""
    if isinstance(obj, CircleGlass):
        return abs(x - point(obj.p1)) < abs(point(obj.p2) - point(obj.p1))
    if isinstance(obj, PlaneGlass):
        return cross(point(obj.p2) - point(obj.p1), x - point(obj.p1)) > 0
    right = [a.real + (x.imag - a.imag) * (b.real - a.real) / (b.imag - a.imag)
             for a, b in sides(obj) if (a.imag > x.imag) != (b.imag > x.imag)]  # fmt: skip
    return sum(r > x.real for r in right) % 2 == 1


def sent_on(obj: SceneObject, ray: Ray, place: int, weakest: float) -> Iterator[Ray]:
    """What goes on where a ray stands on an object: the ray itself and its children."""
    d, n = ray.along, normal_at(obj, ray.at, ray.along)
    mirrored = d - 2 * dot(d, n) * n
    if isinstance(obj, Detector):
        yield ray
    elif isinstance(obj, Mirror | ArcMirror):
        yield replace(ray, along=mirrored)
    elif isinstance(obj, BeamSplitter):
        t = obj.trans_ratio
        if ray.power * t > weakest:
            yield replace(ray, s=ray.s * t, p=ray.p * t, gap=False, child=True)
        if ray.power * t > weakest or ray.power * (1 - t) > weakest:
            yield replace(ray, along=mirrored, s=ray.s * (1 - t), p=ray.p * (1 - t))
    elif isinstance(obj, IdealLens):
        up = n * 1j
        height = dot(up, ray.at - (point(obj.p1) + point(obj.p2)) / 2)
        out = -n + up * (dot(up, d) / -dot(n, d) - height / obj.focal_length)
        yield replace(ray, along=out / abs(out))
    elif isinstance(obj, DiffractionGrating):
        across, wave = -n * 1j, (540.0 if math.isnan(ray.wavelength) else ray.wavelength) * 1e-6 * obj.line_density
        for m in range(-1000, 1001):
            sine = dot(across, d) + m * wave
            share = obj.slit_ratio**2 * (math.sin(x := math.pi * m * obj.slit_ratio) / x if m else 1.0) ** 2
            if obj.custom_brightness:
                index = -2 * m if m <= 0 else 2 * m - 1
                share = obj.brightnesses[index] if index < len(obj.brightnesses) else 0.0
            if abs(sine) <= 1 and ray.power * share > weakest:
                out = across * sine + (n if obj.mirrored else -n) * math.sqrt(1 - sine**2)
                yield replace(ray, along=out, s=ray.s * share, p=ray.p * share, gap=True, child=True)
    elif isinstance(obj, HomogeneousGlass):
        yield from refracted(obj, ray, place, weakest, n, mirrored)


def refracted(obj: HomogeneousGlass, ray: Ray, place: int, weakest: float, n: complex, mirrored: complex) -> Iterator[Ray]:
    """Fresnel's and Snell's laws; a reflection too weak to follow is followed for some, with the power of all."""
    index = obj.ref_index if math.isnan(ray.wavelength) else obj.ref_index + obj.cauchy_b * 1e6 / ray.wavelength**2
    ratio = index if holds(obj, ray.at - BEFORE * ray.along) else 1 / index
    cos_i = -dot(n, ray.along)
    square = 1 - ratio**2 * (1 - cos_i**2)
    if square < 0:
        yield replace(ray, along=mirrored)
        return
    cos_t, size = math.sqrt(square), abs(ratio)
    r_s = ((size * cos_i - cos_t) / (size * cos_i + cos_t)) ** 2 if obj.partial_reflect else 0.0
    r_p = ((size * cos_t - cos_i) / (size * cos_t + cos_i)) ** 2 if obj.partial_reflect else 0.0
    back = ray.s * r_s + ray.p * r_p
    times = 1 if back > weakest else 0
    if back <= weakest and not ray.gap and back > 1e-15:
        times = math.floor(0.01 / back) + 1
        times = times if place % times == 0 else 0
    if times:
        yield replace(ray, along=mirrored, s=ray.s * r_s * times, p=ray.p * r_p * times, child=True)
    s, p = ray.s * (1 - r_s), ray.p * (1 - r_p)
    if s + p > (0 if weakest == 0.01 else 1e-6):
        along = ratio * ray.along + (size * cos_i - cos_t if ratio > 0 else -size * cos_i - cos_t) * n
        yield replace(ray, along=along / abs(along), s=s, p=p)
