"""A second tracer, as plain as can be: one ray after the other through the laws and the order of
the file format, over complex numbers.

It looks at every object for every ray. Of curves by formulas it knows those that are straight
between corners and jumps.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.physics.plain_formulas import value
from tests.physics.plain_shapes import END, Round, cross, dot, even_odd, point, sides

from raybench.kinds.blockers import Aperture, Blocker, CircleBlocker
from raybench.kinds.curved_glasses import CustomGlass
from raybench.kinds.custom_surfaces import CustomArcSurface, CustomSurface, CustomSurfaceBase
from raybench.kinds.detectors import Detector
from raybench.kinds.glasses import CircleGlass, Glass, HomogeneousGlass, PlaneGlass
from raybench.kinds.gratings import DiffractionGrating
from raybench.kinds.lenses import IdealLens
from raybench.kinds.mirrors import ArcMirror, BeamSplitter, CustomMirror, IdealMirror, Mirror
from raybench.kinds.object import Filtered, SceneObject
from raybench.scene.scene import Scene
from raybench.trace.run.emission import initial_rays

EPS = 1e-6
"""The least length of a segment, and the distance below which surfaces coincide, in length scales.
"""
EQUAL = 1e-11
"""The relative difference of powers that are equal in ordinary numbers."""


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


@dataclass(frozen=True)
class Hit:
    """A ray on an object: where, the tangent of the side it meets, and whether it leaves (1) or
    enters (-1) a glass; 0 for neither, NaN at a corner.
    """

    index: int
    obj: SceneObject
    distance: float
    tangent: complex
    crossing: float


@dataclass(frozen=True)
class Tracer:
    """Traces by the rules with tolerances of its own, so that a scene in which they decide can be
    told from one in which they do not.
    """

    eps: float = EPS
    end: float = END

    def trace(self, scene: Scene, most: int) -> tuple[list[Row], dict[int, float]]:
        """The rows of a scene in the order of processing, at most ``most`` and one, and what each
        detector measures.
        """
        objects, settings, scale = scene.optical, scene.settings, scene.settings.length_scale
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
                hit, merged = self.nearest(objects, ray, scale)
                end = ray.at + (hit.distance if hit else 100.0) * ray.along
                index = hit.index if hit else -1
                rows.append(
                    Row(ray.at, end, ray.s, ray.p, index, ray.parent, ray.depth, ray.source_ray)
                )
                ray.gap, last = ray.gap or index != last, index
                ray.depth, ray.parent = ray.depth + 1, len(rows) - 1
                out: list[Ray] = []
                if hit and ray.depth <= settings.max_ray_depth:
                    if isinstance(hit.obj, Detector):
                        measured[index] += math.copysign(ray.power, cross(ray.along, hit.tangent))
                    weakest = 0.01 if settings.color_mode == "default" else 1e-6
                    out = list(
                        sent_on(hit, merged, replace(ray, at=end, child=False), place, weakest)
                    )
                entries[place] = next((r for r in out if not r.child), None)
                entries += [r for r in out if r.child]
        return rows, measured

    def nearest(
        self, objects: Sequence[SceneObject], ray: Ray, scale: float
    ) -> tuple[Hit | None, list[Hit]]:
        """What a ray meets first, and the other glasses and surfaces there, in the order of
        objects.
        """
        best: Hit | None = None
        merged: list[Hit] = []
        for i, obj in enumerate(objects):
            hit = self.hit_on(i, obj, ray, scale)
            if hit is None:
                continue
            if best is not None and abs(hit.distance - best.distance) < self.eps * scale:
                if not is_glass(best.obj) and not is_glass(hit.obj):
                    continue
                if is_glass(hit.obj):
                    merged.append(hit)
                else:
                    merged.append(best)
                    best = hit
            elif best is None or hit.distance < best.distance:
                best, merged = hit, []
        return best, merged

    def hit_on(self, index: int, obj: SceneObject, ray: Ray, scale: float) -> Hit | None:
        """Where a ray first meets an object."""
        if isinstance(obj, Filtered) and obj.filter and not math.isnan(ray.wavelength):
            within = abs(obj.wavelength - ray.wavelength) <= obj.bandwidth
            if within == obj.invert:
                return None
        near, found = self.eps * scale, []
        for side in sides(obj):
            for s in side.meetings(ray.at, ray.along, self.end * scale):
                tangent = side.tangent(ray.at + s * ray.along)
                if s > near and (not one_sided(obj) or cross(ray.along, tangent) > 0):
                    found.append((s, tangent))
        if not found:
            return None
        s, tangent = min(found, key=lambda pair: pair[0])
        x = ray.at + s * ray.along
        crossing = 0.0
        if isinstance(obj, Glass):
            if any(abs(complex(v.x, v.y) - x) < near for v in obj.path):
                crossing = math.nan
            elif sum(other - s < near for other, _ in found) % 2:
                crossing = 1.0 if even_odd(obj, (ray.at + x) / 2) else -1.0
        elif isinstance(obj, CircleGlass):
            crossing = (
                1.0
                if abs((ray.at + x) / 2 - point(obj.p1)) < abs(point(obj.p2) - point(obj.p1))
                else -1.0
            )
        elif isinstance(obj, PlaneGlass):
            crossing = math.copysign(1.0, cross(ray.along, tangent))
        elif isinstance(obj, CustomGlass):
            crossing = 1.0 if cross(ray.along, tangent) < 0 else -1.0
        return Hit(index, obj, s, tangent, crossing)


def is_glass(obj: SceneObject) -> bool:
    return isinstance(obj, HomogeneousGlass)


def one_sided(obj: SceneObject) -> bool:
    return isinstance(obj, Detector | CustomSurfaceBase) and not obj.two_sided


def index_of(obj: HomogeneousGlass, ray: Ray) -> float:
    return (
        obj.ref_index
        if math.isnan(ray.wavelength)
        else obj.ref_index + obj.cauchy_b * 1e6 / ray.wavelength**2
    )


def kept(power: float, weakest: float) -> bool:
    """Whether a power is above a threshold; one that equals it in ordinary numbers is not."""
    return power > weakest * (1 + EQUAL)


def sent_on(hit: Hit, merged: Sequence[Hit], ray: Ray, place: int, weakest: float) -> Iterator[Ray]:
    """What goes on where a ray stands on an object: the ray itself and its children. ``merged``:
    what else is there.
    """
    obj, d = hit.obj, ray.along
    n = hit.tangent * 1j
    n *= 1 if dot(n, d) < 0 else -1
    mirrored = d - 2 * dot(d, n) * n
    if isinstance(obj, Detector):
        yield ray
    elif isinstance(obj, Mirror | ArcMirror | CustomMirror):
        yield replace(ray, along=mirrored)
    elif isinstance(obj, BeamSplitter):
        t = obj.trans_ratio
        if kept(ray.power * t, weakest):
            yield replace(ray, s=ray.s * t, p=ray.p * t, gap=False, child=True)
        if kept(ray.power * t, weakest) or kept(ray.power * (1 - t), weakest):
            yield replace(ray, along=mirrored, s=ray.s * (1 - t), p=ray.p * (1 - t))
    elif isinstance(obj, IdealLens | IdealMirror):
        up = n * 1j
        height = dot(up, ray.at - (point(obj.p1) + point(obj.p2)) / 2)
        out = (n if isinstance(obj, IdealMirror) else -n) + up * (
            dot(up, d) / -dot(n, d) - height / obj.focal_length
        )
        yield replace(ray, along=out / abs(out))
    elif isinstance(obj, DiffractionGrating):
        across, wave = (
            -n * 1j,
            (540.0 if math.isnan(ray.wavelength) else ray.wavelength) * 1e-6 * obj.line_density,
        )
        for m in range(-1000, 1001):
            sine = dot(across, d) + m * wave
            share = (
                obj.slit_ratio**2
                * (math.sin(x := math.pi * m * obj.slit_ratio) / x if m else 1.0) ** 2
            )
            if obj.custom_brightness:
                index = -2 * m if m <= 0 else 2 * m - 1
                share = obj.brightnesses[index] if index < len(obj.brightnesses) else 0.0
            if abs(sine) <= 1 and kept(ray.power * share, weakest):
                out = across * sine + (n if obj.mirrored else -n) * math.sqrt(1 - sine**2)
                yield replace(
                    ray, along=out, s=ray.s * share, p=ray.p * share, gap=True, child=True
                )
    elif isinstance(obj, CustomSurface | CustomArcSurface):
        if not any(math.isnan(other.crossing) for other in merged):
            yield from by_formulas(hit, obj, merged, ray, weakest, n)
    elif isinstance(obj, HomogeneousGlass):
        yield from refracted(hit, obj, merged, ray, place, weakest, n, mirrored)
    else:
        assert isinstance(obj, Blocker | CircleBlocker | Aperture)


def by_formulas(
    hit: Hit, obj: CustomSurfaceBase, merged: Sequence[Hit], ray: Ray, weakest: float, n: complex
) -> Iterator[Ray]:
    """The outgoing rays of a custom surface."""
    glasses = [
        (g.crossing, index_of(g.obj, ray)) for g in merged if isinstance(g.obj, HomogeneousGlass)
    ]
    theta_0 = cmath.phase(n / -ray.along)
    outgoing: list[tuple[list[float], list[float]]] = [([], []) for _ in obj.out_rays]
    for polarisation, incident in ((0, ray.s), (1, ray.p)):
        known = {
            "theta_0": theta_0, "P_0": incident, "wave": 540.0 if math.isnan(ray.wavelength) else ray.wavelength,
            "t": place_on(obj, ray.at), "p": float(polarisation),
            "n_0": math.prod(index for crossing, index in glasses if crossing > 0),
            "n_1": math.prod(index for crossing, index in glasses if crossing < 0),
        }  # fmt: skip
        for k, (formula_theta, formula_power) in enumerate(obj.out_rays, 1):
            known[f"theta_{k}"] = theta = value(formula_theta, known)
            power = value(formula_power, known)
            known[f"P_{k}"] = (
                power if power > 0 and math.isfinite(theta) and math.isfinite(power) else 0.0
            )
            outgoing[k - 1][0].append(theta)
            outgoing[k - 1][1].append(known[f"P_{k}"])
    rays = []
    for thetas, powers in outgoing:
        if thetas[0] == thetas[1]:
            rays.append((thetas[0], powers[0], powers[1]))
        else:
            rays += [(thetas[0], powers[0], 0.0), (thetas[1], 0.0, powers[1])]
    new = [kept(s + p, weakest) for _, s, p in rays[1:]]
    for k, (theta, s, p) in enumerate(rays):
        if kept(s + p, weakest):
            along = -n * cmath.rect(1, -theta)
            yield replace(
                ray, along=along, s=s, p=p, gap=ray.gap or (k > 0 and sum(new) > 1), child=k > 0
            )


def place_on(obj: CustomSurfaceBase, x: complex) -> float:
    """The variable t of a place on a custom surface."""
    if isinstance(obj, CustomSurface):
        a, b = point(obj.p1), point(obj.p2)
        return 2 * dot(b - a, x - a) / abs(b - a) ** 2 - 1
    (side,) = sides(obj)
    assert isinstance(side, Round)
    assert side.arc is not None
    a, _, b = (end - side.centre for end in side.arc)
    return 2 * (cmath.phase((x - side.centre) / a) % math.tau) / (cmath.phase(b / a) % math.tau) - 1


def refracted(
    hit: Hit,
    obj: HomogeneousGlass,
    merged: Sequence[Hit],
    ray: Ray,
    place: int,
    weakest: float,
    n: complex,
    mirrored: complex,
) -> Iterator[Ray]:
    """Fresnel's and Snell's laws; a reflection too weak to follow is followed for some, with the
    power of all.
    """
    ratio = 1.0
    for crossed in (hit, *merged):
        if math.isnan(crossed.crossing):
            return
        if isinstance(crossed.obj, HomogeneousGlass):
            ratio *= index_of(crossed.obj, ray) ** crossed.crossing
    cos_i = -dot(n, ray.along)
    square = 1 - ratio**2 * (1 - cos_i**2)
    if square < 0:
        yield replace(ray, along=mirrored)
        return
    cos_t, size = math.sqrt(square), abs(ratio)
    r_s = ((size * cos_i - cos_t) / (size * cos_i + cos_t)) ** 2 if obj.partial_reflect else 0.0
    r_p = ((size * cos_t - cos_i) / (size * cos_t + cos_i)) ** 2 if obj.partial_reflect else 0.0
    back = ray.s * r_s + ray.p * r_p
    times = 1 if kept(back, weakest) else 0
    if not times and not ray.gap and back > 1e-15:
        times = math.floor(0.01 / back * (1 + EQUAL)) + 1
        times = times if place % times == 0 else 0
    if times:
        yield replace(ray, along=mirrored, s=ray.s * r_s * times, p=ray.p * r_p * times, child=True)
    s, p = ray.s * (1 - r_s), ray.p * (1 - r_p)
    if kept(s + p, 0 if weakest == 0.01 else 1e-6):
        along = (
            ratio * ray.along + (size * cos_i - cos_t if ratio > 0 else -size * cos_i - cos_t) * n
        )
        yield replace(ray, along=along / abs(along), s=s, p=p)
