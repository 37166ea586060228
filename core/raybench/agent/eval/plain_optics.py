"""A simple ray tracer and some closed forms that work on the JSON of a scene. Answers of models are
compared with its results; it shares no code with the tools that the models use.

Points and directions are complex numbers, x + iy with y down, in scene units.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from raybench.errors import RaybenchError

Json = Mapping[str, Any]
LEAST_LENGTH = 1e-7
"""The least length of a segment."""
LEAST_POWER = 1e-6
"""Power below which light is not followed."""
MOST_INTERACTIONS = 60
"""Most interactions of a ray."""
DEFAULTS: Json = {
    "brightness": 1,
    "cauchyB": 0.004,
    "emisAngle": 36.001,
    "focalLength": 100,
    "lineDensity": 1000,
    "partialReflect": True,
    "refIndex": 1.5,
    "transRatio": 0.5,
    "wavelength": 540,
}
"""What a field is that the JSON of a scene leaves out."""
MOST_SEGMENTS = 100_000
"""Most segments that are traced."""
RAYS_PER_SOURCE = 201
"""Rays of a source that is not a single ray. They carry a power of 1 together."""


class NotInScene(RaybenchError):
    """The scene lacks an object, a field, or light that an expression of the bank needs."""


@dataclass(frozen=True)
class Piece:
    """A straight line from ``a`` to ``b``, or the arc from ``a`` through ``middle`` to ``b``."""

    a: complex
    b: complex
    middle: complex | None = None

    @cached_property
    def centre(self) -> complex:
        """The centre of curvature of an arc."""
        assert self.middle is not None
        chord, other = self.b - self.a, self.middle - self.a
        square = abs(chord) ** 2 * other - abs(other) ** 2 * chord
        return self.a + 1j * square / (2 * _cross(other, chord))

    def intersections(self, at: complex, along: complex) -> Iterator[tuple[float, complex]]:
        """The intersections of a ray with the piece: the distance of each, and the unit normal.
        ``at`` is the start of the ray, ``along`` its direction.
        """
        if self.middle is None:
            side = self.b - self.a
            if abs(turned := _cross(along, side)) > 1e-14 * abs(side):
                distance = _cross(self.a - at, side) / turned
                if -1e-12 <= _cross(self.a - at, along) / turned <= 1 + 1e-12:
                    yield distance, 1j * side / abs(side)
            return
        back = at - self.centre
        half = _dot(back, along)
        root = half**2 - abs(back) ** 2 + abs(self.a - self.centre) ** 2
        for distance in (-half - math.sqrt(root), -half + math.sqrt(root)) if root > 0 else ():
            point = at + distance * along
            chord = self.b - self.a
            if _cross(chord, point - self.a) * _cross(chord, self.middle - self.a) >= 0:
                yield distance, (point - self.centre) / abs(point - self.centre)


@dataclass(frozen=True)
class Segment:
    """A straight part of a ray. ``before`` and ``after`` are the names of the objects at its ends,
    empty at a source or if it escapes. ``turns`` are the reflections so far: object, and whether
    the reflection was total.
    """

    source: str
    first: complex
    """The direction in which the source sent the light."""
    at: complex
    along: complex
    s: float
    p: float
    wavelength: float
    before: str = ""
    after: str = ""
    end: complex = 0j
    normal: complex = 0j
    turns: tuple[tuple[str, bool], ...] = ()
    inside: bool = False
    """Whether it runs inside the body that it comes from."""
    depth: int = 0

    @property
    def power(self) -> float:
        return self.s + self.p


class Bench:
    """A scene, given by its JSON. The public methods are the functions that expressions of the bank
    can call. Lengths are in scene units and angles in degrees.
    """

    def __init__(self, scene: Json) -> None:
        self._scene = scene
        self._objects: dict[str, Json] = {o["name"]: o for o in scene["objs"] if o.get("name")}

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The functions that expressions can call, by name."""
        return {
            name: getattr(self, name)
            for name, value in vars(Bench).items()
            if callable(value) and not name.startswith("_") and name != "functions"
        }

    # what the document says

    def get(self, name: str, *path: str | int) -> Any:
        """A field of an object, such as ``get('Lens', 'params', 'r1')``."""
        value: Any = self._object(name)
        try:
            for key in path:
                value = _field(value, key) if isinstance(key, str) else value[key]
        except (LookupError, TypeError):
            raise NotInScene(f"{name} has no {'.'.join(map(str, path))}.") from None
        return value

    def x(self, name: str) -> float:
        """The x coordinate of the centre of an object."""
        return self._middle(name).real

    def y(self, name: str) -> float:
        """The y coordinate, downwards, of the centre of an object."""
        return self._middle(name).imag

    def distance(self, first: str, second: str) -> float:
        """The distance between the centres of two objects."""
        return abs(self._middle(first) - self._middle(second))

    def length(self, name: str) -> float:
        """The distance between the two ends of an object."""
        return abs(self._point(name, "p2") - self._point(name, "p1"))

    def index(self, name: str, wavelength: float = 540.0) -> float:
        """The refractive index of a body; by Cauchy's formula if the scene simulates colours."""
        obj = self._object(name)
        own = float(_field(obj, "refIndex"))
        if self._scene.get("simulateColors"):
            own += float(_field(obj, "cauchyB")) * 1e6 / wavelength**2
        return own

    def focal_length(self, name: str, index: float = 0.0) -> float:
        """The paraxial focal length of a lens or a ball in air. ``index`` replaces its refractive
        index if it is not 0.
        """
        obj = self._object(name)
        if obj["type"] == "IdealLens":
            return float(_field(obj, "focalLength"))
        r1, r2, d = self._lens_dimensions(name)
        n = index or self.index(name)
        return 1 / ((n - 1) * (1 / r1 - 1 / r2 + (n - 1) * d / (n * r1 * r2)))

    def back_focal_length(self, name: str) -> float:
        """The distance from the last surface of a lens or a ball to its paraxial focus."""
        r1, _, d = self._lens_dimensions(name)
        n = self.index(name)
        return self.focal_length(name) * (1 - (n - 1) * d / (n * r1))

    # what the light does

    def power(self, name: str, source: str = "") -> float:
        """The power that arrives at an object from outside, as a share of the emitted power."""
        arriving = sum(s.power for s in self._arriving_segments(name, source, needed=False))
        return arriving / sum(s.power for s in self._all_segments if not s.before)

    def incidence(self, name: str, source: str = "") -> float:
        """The angle of incidence at which the strongest light arrives at an object."""
        ray = max(self._arriving_segments(name, source), key=lambda s: s.power)
        return math.degrees(math.acos(min(1, abs(_dot(ray.along, ray.normal)))))

    def direction(self, name: str, source: str = "") -> float:
        """The direction of the strongest light that leaves an object, counter-clockwise on
        screen.
        """
        return -math.degrees(cmath.phase(self._strongest_leaving(name, source).along))

    def deviation(self, name: str, source: str = "") -> float:
        """The angle, without sign, between the strongest light that leaves an object and this light
        at its source.
        """
        ray = self._strongest_leaving(name, source)
        return abs(math.degrees(cmath.phase(ray.along / ray.first)))

    def divergence(self, name: str) -> float:
        """The full angle of the light that leaves an object."""
        angles = [cmath.phase(s.along / s.first) for s in self._leaving_segments(name, "")]
        return math.degrees(max(angles) - min(angles))

    def spread(self, name: str, source: str = "") -> float:
        """The full width of the light on a straight object."""
        places = self._arrival_positions(name, source)
        return float(places.max() - places.min())

    def spot(self, name: str, source: str = "") -> float:
        """The RMS radius of the light on a straight object."""
        return float(self._arrival_positions(name, source).std())

    def offset(self, name: str, source: str = "") -> float:
        """The distance from the centre of a straight object to the mean position of the arriving
        light.
        """
        return abs(float(self._arrival_positions(name, source).mean()))

    def defocus(self, name: str, source: str = "") -> float:
        """The distance along the arriving light from an object to the narrowest place of the
        light.
        """
        rays = self._arriving_segments(name, source)
        mean = sum(s.along for s in rays)
        mean /= abs(mean)
        across = [(s.end / mean).imag for s in rays]
        slope = [(s.along / mean).imag / (s.along / mean).real for s in rays]
        return float(-np.cov(across, slope)[0, 1] / np.var(slope, ddof=1))

    def total_reflections(self, name: str) -> int:
        """How often the strongest light that leaves an object was totally reflected inside."""
        ray = self._strongest_leaving(name, "")
        return sum(where == name and total for where, total in ray.turns)

    def ghost(self, name: str, by: str) -> float:
        """The power that arrives at an object after partial reflections in the object ``by``, as a
        share of the emitted power.
        """
        arriving = self._arriving_segments(name, "", needed=False)
        found = sum(s.power for s in arriving if (by, False) in s.turns)
        return found / sum(s.power for s in self._all_segments if not s.before)

    def _object(self, name: str) -> Json:
        if name not in self._objects:
            raise NotInScene(f"There is no object '{name}'.")
        return self._objects[name]

    def _point(self, name: str, key: str) -> complex:
        return _point(self.get(name, key))

    def _middle(self, name: str) -> complex:
        obj = self._object(name)
        if obj["type"] in ("CircleGlass", "CircleGrinGlass", "AngleSource", "SingleRay"):
            return self._point(name, "p1")
        if "path" in obj:
            return complex(np.mean([_point(v) for v in obj["path"]]))
        if "x" in obj:
            return _point(obj)
        return (self._point(name, "p1") + self._point(name, "p2")) / 2

    def _lens_dimensions(self, name: str) -> tuple[float, float, float]:
        """The two radii and the thickness of a lens or a ball."""
        obj = self._object(name)
        if obj["type"] == "CircleGlass":
            radius = self.length(name)
            return radius, -radius, 2 * radius
        if obj["type"] != "SphericalLens" or "params" not in obj:
            raise NotInScene(f"{name} is no lens that is given by its radii.")
        return obj["params"]["r1"], obj["params"]["r2"], obj["params"]["d"]

    def _arriving_segments(self, name: str, source: str, needed: bool = True) -> list[Segment]:
        found = [
            s
            for s in self._all_segments
            if s.after == name and not s.inside and source in ("", s.source)
        ]
        if needed and not found:
            raise NotInScene(f"No light arrives at {name}.")
        return found

    def _leaving_segments(self, name: str, source: str) -> list[Segment]:
        found = [
            s
            for s in self._all_segments
            if s.before == name and not s.inside and source in ("", s.source)
        ]
        if not found:
            raise NotInScene(f"No light leaves {name}.")
        return found

    def _strongest_leaving(self, name: str, source: str) -> Segment:
        return max(self._leaving_segments(name, source), key=lambda s: s.power)

    def _arrival_positions(self, name: str, source: str) -> Any:
        a, b = self._point(name, "p1"), self._point(name, "p2")
        unit, middle = (b - a) / abs(b - a), (a + b) / 2
        return np.array([_dot(s.end - middle, unit) for s in self._arriving_segments(name, source)])

    # the trace

    def _outline(self, obj: Json) -> tuple[Piece, ...]:
        """The lines and arcs of the outline of an object."""
        kind = obj["type"]
        if kind in ("CircleGlass", "CircleBlocker"):
            centre, rim = _point(obj["p1"]), _point(obj["p2"])
            half = rim - centre
            a, b = centre + half, centre - half
            return Piece(a, b, centre + 1j * half), Piece(b, a, centre - 1j * half)
        if kind == "ArcMirror":
            return (Piece(_point(obj["p1"]), _point(obj["p2"]), _point(obj["p3"])),)
        if kind == "Aperture":
            return (
                Piece(_point(obj["p1"]), _point(obj["p3"])),
                Piece(_point(obj["p4"]), _point(obj["p2"])),
            )
        if kind == "Glass":
            return _closed_outline([(_point(v), bool(v.get("arc"))) for v in obj["path"]])
        if kind == "SphericalLens":
            return _closed_outline(_lens_outline(obj))
        return (Piece(_point(obj["p1"]), _point(obj["p2"])),)

    @cached_property
    def _all_segments(self) -> list[Segment]:
        bodies = [
            (o.get("name", ""), o, self._outline(o))
            for o in self._scene["objs"]
            if o["type"] in RULES
        ]
        waiting = [ray for o in self._scene["objs"] for ray in _source_rays(o)]
        done: list[Segment] = []
        while waiting:
            if len(done) > MOST_SEGMENTS:
                raise NotInScene(f"The light takes more than {MOST_SEGMENTS} segments.")
            ray = waiting.pop()
            nearest, hit = math.inf, None
            for name, obj, outline in bodies:
                for piece in outline:
                    for distance, normal in piece.intersections(ray.at, ray.along):
                        if LEAST_LENGTH < distance < nearest:
                            nearest, hit = distance, (name, obj, outline, normal)
            if hit is None:
                done.append(ray)
                continue
            name, obj, outline, normal = hit
            normal *= -1 if _dot(ray.along, normal) > 0 else 1
            ray = replace(ray, after=name, end=ray.at + nearest * ray.along, normal=normal)
            done.append(ray)
            beyond = sum(
                distance > nearest + LEAST_LENGTH
                for piece in outline
                for distance, _ in piece.intersections(ray.at, ray.along)
            )
            onward = replace(
                ray, before=name, after="", at=ray.end, inside=False, depth=ray.depth + 1
            )
            if onward.depth < MOST_INTERACTIONS:
                for out in RULES[obj["type"]](self, name, obj, onward, beyond % 2 == 1):
                    if out.power > LEAST_POWER:
                        waiting.append(out)
        return done

    def _refract(self, name: str, obj: Json, ray: Segment, entering: bool) -> Iterator[Segment]:
        """The refracted and the reflected ray at the surface of a body in air, by Snell's and
        Fresnel's laws.
        """
        n = self.index(name, ray.wavelength)
        ratio = 1 / n if entering else n
        cos_in = -_dot(ray.normal, ray.along)
        back = replace(ray, along=ray.along + 2 * cos_in * ray.normal, inside=not entering)
        square = 1 - ratio**2 * (1 - cos_in**2)
        if square < 0:
            yield replace(back, turns=(*ray.turns, (name, True)))
            return
        cos_out = math.sqrt(square)
        along = ratio * ray.along + (ratio * cos_in - cos_out) * ray.normal
        r_s = r_p = 0.0
        if _field(obj, "partialReflect"):
            r_s = ((ratio * cos_in - cos_out) / (ratio * cos_in + cos_out)) ** 2
            r_p = ((ratio * cos_out - cos_in) / (ratio * cos_out + cos_in)) ** 2
            yield replace(back, s=ray.s * r_s, p=ray.p * r_p, turns=(*ray.turns, (name, False)))
        yield replace(ray, along=along, s=ray.s * (1 - r_s), p=ray.p * (1 - r_p), inside=entering)

    def _reflect(self, name: str, obj: Json, ray: Segment, entering: bool) -> Iterator[Segment]:
        yield replace(ray, along=ray.along - 2 * _dot(ray.along, ray.normal) * ray.normal)

    def _divide(self, name: str, obj: Json, ray: Segment, entering: bool) -> Iterator[Segment]:
        through = float(_field(obj, "transRatio"))
        yield replace(ray, s=ray.s * through, p=ray.p * through)
        for other in self._reflect(name, obj, ray, entering):
            yield replace(other, s=ray.s * (1 - through), p=ray.p * (1 - through))

    def _bend(self, name: str, obj: Json, ray: Segment, entering: bool) -> Iterator[Segment]:
        """The ray behind a thin lens without aberration: its slope changes by its height over the
        focal length.
        """
        up = 1j * ray.normal
        height = _dot(up, ray.at - self._middle(name))
        slope = _dot(up, ray.along) / -_dot(ray.normal, ray.along)
        along = -ray.normal + up * (slope - height / float(_field(obj, "focalLength")))
        yield replace(ray, along=along / abs(along))

    def _pass(self, name: str, obj: Json, ray: Segment, entering: bool) -> Iterator[Segment]:
        yield ray

    def _stop(self, name: str, obj: Json, ray: Segment, entering: bool) -> Iterator[Segment]:
        yield from ()


Rule = Callable[[Bench, str, Json, Segment, bool], Iterator[Segment]]
RULES: Mapping[str, Rule] = {
    "Glass": Bench._refract,
    "CircleGlass": Bench._refract,
    "SphericalLens": Bench._refract,
    "Mirror": Bench._reflect,
    "ArcMirror": Bench._reflect,
    "BeamSplitter": Bench._divide,
    "IdealLens": Bench._bend,
    "Detector": Bench._pass,
    "Blocker": Bench._stop,
    "CircleBlocker": Bench._stop,
    "Aperture": Bench._stop,
}
"""What goes on from where a ray meets an object, by the kind of the object. Others do not act."""


def _dot(a: complex, b: complex) -> float:
    return (a.conjugate() * b).real


def _cross(a: complex, b: complex) -> float:
    return (a.conjugate() * b).imag


def _point(value: Json) -> complex:
    return complex(value["x"], value["y"])


def _field(obj: Json, key: str) -> Any:
    return obj[key] if key in obj else DEFAULTS[key]


def _closed_outline(vertices: list[tuple[complex, bool]]) -> tuple[Piece, ...]:
    """The pieces of a closed outline. A vertex with the mark True is a point on the arc between its
    neighbours.
    """
    corners = [i for i, (_, on_arc) in enumerate(vertices) if not on_arc]
    pieces = []
    for i, j in zip(corners, corners[1:] + corners[:1], strict=True):
        between = vertices[(i + 1) % len(vertices)]
        middle = between[0] if between[1] else None
        pieces.append(Piece(vertices[i][0], vertices[j][0], middle))
    return tuple(pieces)


def _lens_outline(obj: Json) -> list[tuple[complex, bool]]:
    if "params" not in obj:
        return [(_point(v), bool(v.get("arc"))) for v in obj["path"]]
    top, bottom = _point(obj["p1"]), _point(obj["p2"])
    height, middle = abs(bottom - top), (top + bottom) / 2
    axis = -1j * (bottom - top) / height
    r1, r2, d = (float(obj["params"][key]) for key in ("r1", "r2", "d"))

    def sag(r: float) -> float:
        return r - math.copysign(math.sqrt(r**2 - height**2 / 4), r)

    left, right = (sag(r1) - d / 2) * axis, (d / 2 + sag(r2)) * axis
    return [
        (top + left, False),
        (top + right, False),
        (middle + axis * d / 2, True),
        (bottom + right, False),
        (bottom + left, False),
        (middle - axis * d / 2, True),
    ]


def _source_rays(obj: Json) -> Iterator[Segment]:
    """The rays of a source; none for other objects."""
    kind, name = obj["type"], obj.get("name", "")
    wavelength = float(_field(obj, "wavelength"))
    steps = (np.arange(RAYS_PER_SOURCE) + 0.5) / RAYS_PER_SOURCE
    starts: list[tuple[complex, complex]] = []
    power = 1 / RAYS_PER_SOURCE
    if kind == "SingleRay":
        start, way = _point(obj["p1"]), _point(obj["p2"]) - _point(obj["p1"])
        starts, power = [(start, way / abs(way))], float(_field(obj, "brightness"))
    elif kind == "Beam":
        a, b = _point(obj["p1"]), _point(obj["p2"])
        starts = [(a + (b - a) * t, -1j * (b - a) / abs(b - a)) for t in steps]
    elif kind == "AngleSource":
        start, way = _point(obj["p1"]), _point(obj["p2"]) - _point(obj["p1"])
        half = math.radians(float(_field(obj, "emisAngle"))) / 2
        starts = [(start, way / abs(way) * cmath.exp(1j * half * (2 * t - 1))) for t in steps]
    elif kind == "PointSource":
        starts = [(_point(obj), cmath.exp(2j * math.pi * t)) for t in steps]
    for start, along in starts:
        yield Segment(name, along, start, along, power / 2, power / 2, wavelength)
