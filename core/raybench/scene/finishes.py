"""Finishes of edges: the scattering of reflected and transmitted light, and the reflectance of
painted edges.

In the plane, the scattered light is a function of u = β - β0 alone, where β and β0 are the sines of
the angles of the scattered and the specular direction to the normal (Harvey). So scattering is
reciprocal (Helmholtz).
"""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError, elide_text, in_quotes, short_repr
from raybench.scene.catalogue_names import find_catalogue_name

FIRST_NODE, NODES_PER_DECADE = 1e-6, 64
"""The least difference u at which the density is tabulated, and how many values there are from each
power of ten to the next.
"""
MIN_FIRST_NODE = 1e-200
"""The least difference of any table; narrower cores hold no light that counts."""
GAUSS_POINTS = 8
"""Points of each interval at which the density is integrated (Gauss)."""
ROUNDING = 1e-9
DEFAULT_RAYS, MOST_RAYS = 8, 1000
SIDES = ("both", "reflected", "transmitted")


class InvalidFinish(RaybenchError):
    """A finish is impossible; the message gives the reason."""


@dataclass(frozen=True)
class ScatterProfile:
    """The distribution of scattered light over u, the difference of sines from the specular
    direction. ``name`` is its word in JSON, ``keys`` are the JSON keys of its values.
    """

    name: ClassVar[str] = ""
    keys: ClassVar[Mapping[str, str]] = {}
    """The attributes of the values, by their keys in JSON."""

    @abstractmethod
    def density(self, u: Floats) -> Floats:
        """The relative power at values of u from 0 to 2."""

    @property
    @abstractmethod
    def description(self) -> str:
        """A short description of the profile."""

    @property
    def breakpoints(self) -> Floats:
        """The values of u between which the density is smooth."""
        return np.empty(0)

    @property
    def constant_below(self) -> float:
        """The value of u below which the density is constant."""
        return FIRST_NODE

    @property
    def stated_total(self) -> float | None:
        """The scattered fraction of the power at normal incidence; None if the profile does not
        state it.
        """
        return None

    def to_json(self) -> dict[str, Any]:
        """The profile as JSON, which `finish_from_json` reads."""
        values = {key: getattr(self, name) for key, name in self.keys.items()}
        return {
            "scatter": self.name,
            **{k: list(v) if isinstance(v, tuple) else v for k, v in values.items()},
        }


@dataclass(frozen=True)
class LambertianProfile(ScatterProfile):
    """A profile with the same radiance in all directions (Lambert's law)."""

    name = "lambertian"

    def density(self, u: Floats) -> Floats:
        return np.ones_like(u)

    @property
    def description(self) -> str:
        return "Lambertian"


@dataclass(frozen=True)
class GaussianProfile(ScatterProfile):
    """A Gaussian profile about the specular direction, with a standard ``deviation`` in degrees
    near the normal.
    """

    deviation: float
    name = "gaussian"
    keys: ClassVar = {"deviation": "deviation"}

    def __post_init__(self) -> None:
        if not 0.001 <= self.deviation <= 90:
            raise InvalidFinish(
                f"deviation is {self.deviation:g}; it is an angle of 0.001 to 90 degrees."
            )

    def density(self, u: Floats) -> Floats:
        sigma = math.sin(math.radians(self.deviation))
        return np.exp(-0.5 * (u / sigma) ** 2)

    @property
    def description(self) -> str:
        return f"Gaussian of {self.deviation:.6g}°"


@dataclass(frozen=True)
class ABgProfile(ScatterProfile):
    """A profile with the density A / (B + u^g), whose roll-off is at u = B^(1/g) (Harvey, Shack).
    If ``a`` is 0, the finish states the scattered fraction.
    """

    a: float
    b: float
    g: float
    name = "abg"
    keys: ClassVar = {"A": "a", "B": "b", "g": "g"}

    def __post_init__(self) -> None:
        if not (0 <= self.a < math.inf and 1e-12 <= self.b < math.inf and 0 <= self.g <= 10):
            raise InvalidFinish(
                f"A {self.a:g}, B {self.b:g}, g {self.g:g} make no ABg profile. A is 0 or more, B at"
                " least 1e-12, and g from 0 to 10."
            )

    def density(self, u: Floats) -> Floats:
        return 1.0 / (self.b + u**self.g)

    @property
    def description(self) -> str:
        return f"ABg of B {self.b:.6g}, g {self.g:.6g}"

    @property
    def constant_below(self) -> float:
        roll_off = self.b ** (1 / self.g) if self.g > 0.1 else 1.0
        return min(FIRST_NODE, max(1e-3 * roll_off, MIN_FIRST_NODE))

    @property
    def stated_total(self) -> float | None:
        return self.a * 2 * unit_integral(self) if self.a else None


@dataclass(frozen=True)
class TableProfile(ScatterProfile):
    """A profile of measured values (n,) at ``angles`` from the normal in degrees, for light at
    normal incidence: the relative power per unit of sine in the plane. Values are interpolated
    linearly over the sine, and constant beyond the last angle.
    """

    angles: tuple[float, ...]
    values: tuple[float, ...]
    name = "table"
    keys: ClassVar = {"angles": "angles", "values": "values"}

    def __post_init__(self) -> None:
        if (
            len(self.angles) != len(self.values)
            or not self.angles
            or not all(a < b for a, b in pairwise(self.angles))
            or not (self.angles[0] >= 0 and self.angles[-1] <= 90)
        ):
            raise InvalidFinish(
                "A table has ascending angles from 0 to 90 degrees, and a value for each."
            )
        if not all(0 <= v < math.inf for v in self.values) or not any(self.values):
            raise InvalidFinish("The values of a table are 0 or more, and not all 0.")

    def density(self, u: Floats) -> Floats:
        return np.interp(u, self.breakpoints, self.values)

    @property
    def description(self) -> str:
        return f"table of {len(self.angles)} angles"

    @property
    def breakpoints(self) -> Floats:
        return np.sin(np.radians(self.angles))


PROFILES: Mapping[str, type[ScatterProfile]] = {
    kind.name: kind for kind in (LambertianProfile, GaussianProfile, ABgProfile, TableProfile)
}


@lru_cache(512)
def _cumulated_density(profile: ScatterProfile) -> tuple[Floats, Floats]:
    """Values of u (n,) from 0 to 2, and the integrals (n,) of the density from 0 to these
    values.
    """
    decades = math.log10(2.0 / profile.constant_below)
    spaced = np.geomspace(profile.constant_below, 2.0, int(NODES_PER_DECADE * decades) + 2)
    if isinstance(profile, LambertianProfile):
        spaced = np.array([2.0])
    u = np.unique(np.concatenate([[0.0, 1.0], spaced, profile.breakpoints]))
    u = u[u <= 2.0]
    middle, half = (u[1:] + u[:-1]) / 2, (u[1:] - u[:-1]) / 2
    points, weights = np.polynomial.legendre.leggauss(GAUSS_POINTS)
    parts = half * (profile.density(middle[:, None] + half[:, None] * points) @ weights)
    return u, np.concatenate([[0.0], np.cumsum(parts)])


def unit_integral(profile: ScatterProfile) -> float:
    """The integral of the density of a profile for u from 0 to 1."""
    u, sums = _cumulated_density(profile)
    return float(np.interp(1.0, u, sums))


@lru_cache(512)
def profile_table(profile: ScatterProfile) -> Floats:
    """The cumulative distribution F of a profile as rows (n, 2): u from 0 to 2, and F(u), which is
    1/2 at u = 1; F(-u) = -F(u). F is linear between the rows.
    """
    u, sums = _cumulated_density(profile)
    table = np.column_stack([u, sums * (0.5 / unit_integral(profile))])
    table.flags.writeable = False
    return table


@dataclass(frozen=True, kw_only=True)
class Finish:
    """A finish of an edge. ``name`` is its name in the catalogue or the user's name; empty without
    a name.

    ``total`` is the fraction of the reflected or transmitted power that is scattered at normal
    incidence (total integrated scatter); the rest is specular. Instead, ``roughness`` may state the
    root mean square height of a polished surface in nm. With a ``reflectance`` the edge is painted:
    that fraction of the light is reflected, the rest absorbed. ``scatters`` is one of `SIDES`.
    ``rays`` is the number of scattered rays for each incident ray. ``towards`` is the key of a
    target object: half of the rays are sent there, and carry the power that is scattered in its
    direction.
    """

    profile: ScatterProfile = LambertianProfile()
    total: float | None = None
    roughness: float | None = None
    reflectance: float | None = None
    scatters: str = "both"
    rays: int = DEFAULT_RAYS
    towards: int | None = None
    name: str = ""

    def __post_init__(self) -> None:
        for name, value in (("total", self.total), ("reflectance", self.reflectance)):
            if value is not None and not 0 <= value <= 1:
                raise InvalidFinish(
                    f"{name} is {short_repr(value)}; a fraction of power is from 0 to 1."
                )
        if self.roughness is not None:
            if self.total is not None:
                raise InvalidFinish("Give a total or a roughness, not both.")
            if not 0 <= self.roughness < math.inf:
                raise InvalidFinish(f"roughness is {self.roughness:g} nm; it is 0 or more.")
        if self.scatters not in SIDES:
            raise InvalidFinish(f"scatters is {short_repr(self.scatters)}; it is one of {SIDES}.")
        if not 1 <= self.rays <= MOST_RAYS:
            raise InvalidFinish(f"rays is {self.rays}; it is from 1 to {MOST_RAYS}.")
        own = self.profile.stated_total
        if self.total is None and self.roughness is None and own is not None and own > 1 + ROUNDING:
            raise InvalidFinish(
                f"This ABg profile scatters {own:.4g} times the light. Lower A, or give a total."
            )
        if isinstance(self.profile, TableProfile):
            table, start = profile_table(self.profile), np.linspace(0.0, 1.0, 201)
            most = (np.interp(1 - start, *table.T) + np.interp(1 + start, *table.T)).max()
            if most * (1 if self.total is None else self.total) > 1 + ROUNDING:
                raise InvalidFinish(
                    f"At oblique incidence this table scatters {most:.4g} times as much as at normal"
                    " incidence, more than all of the light. Lower the total."
                )

    @property
    def is_paint(self) -> bool:
        return self.reflectance is not None

    @property
    def description(self) -> str:
        """A short description of the finish, without its name."""
        paint = f"reflectance {self.reflectance:.6g}, " if self.is_paint else ""
        if self.roughness is not None:
            return f"{paint}roughness {self.roughness:.6g} nm"
        share = max(self.scattered_fraction(550.0, 1.0, reflected) for reflected in (True, False))
        scattered = "" if share == 1 else f", scatters {share:.4g}"
        return f"{paint}{self.profile.description}{scattered}"

    @property
    def title(self) -> str:
        """The name or, without a name, the description."""
        return self.name or self.description

    def scattered_fraction(self, wavelength: float, contrast: float, reflected: bool) -> float:
        """The scattered fraction of the reflected power (if ``reflected``) or of the transmitted
        power, at normal incidence, for a wavelength in nm. ``contrast`` is the refractive index
        before a reflecting edge, or the difference of the indices at a refracting edge.
        """
        side = "reflected" if reflected else "transmitted"
        if self.scatters not in ("both", side) or (self.is_paint and not reflected):
            return 0.0
        if self.roughness is not None:
            path = (2.0 if reflected else 1.0) * abs(contrast) * self.roughness
            return -math.expm1(-((2 * math.pi * path / wavelength) ** 2))
        if self.total is not None:
            return self.total
        own = self.profile.stated_total
        return 1.0 if own is None else min(own, 1.0)

    def to_json(self) -> dict[str, Any]:
        """The finish as JSON, which `finish_from_json` reads."""
        values: dict[str, Any] = {"name": self.name} if self.name else {}
        values |= self.profile.to_json()
        for key, default in (
            ("total", None), ("roughness", None), ("reflectance", None), ("scatters", "both"),
            ("rays", DEFAULT_RAYS), ("towards", None),
        ):  # fmt: skip
            if getattr(self, key) != default:
                values[key] = getattr(self, key)
        return values


Finishes = Mapping[int, Mapping[int, Finish]]
"""The finishes of edges, by the key of the object and the index of the edge."""

FINISH_FORMS = (
    'the name of one of the catalogue, or {"reflectance": 0.9} (a white paint), {"scatter": '
    '"lambertian", "total": 0.5}, {"scatter": "gaussian", "deviation": 5}, {"scatter": "abg", "A": '
    '0.001, "B": 1e-5, "g": 2}, {"scatter": "table", "angles": [0, 60], "values": [2, 1]}; besides'
    ' "reflectance" (a paint), "total", "roughness" in nm, "scatters": "transmitted", "rays": 8,'
    ' "towards": a name'
)
"""What a finish is written as, in words."""
_NUMBER_FIELDS = ("total", "roughness", "reflectance")


def finish_from_json(data: Any) -> Finish:
    """Decode a finish from the name of a catalogue finish or from a JSON object. Raises
    InvalidFinish.
    """
    if isinstance(data, str):
        return catalogue_finish(data)
    if not isinstance(data, Mapping):
        raise InvalidFinish(f"A finish is {FINISH_FORMS}.")
    given = dict(data)
    name = given.pop("name", "")
    if not isinstance(name, str) or len(name) > 200:
        raise InvalidFinish(f"The name of a finish is a text, not {short_repr(name)}.")
    if name and not given:
        return catalogue_finish(name)
    values: dict[str, Any] = {
        key: _read_number(given, key) for key in _NUMBER_FIELDS if key in given
    }
    if "scatters" in given:
        values["scatters"] = given["scatters"]
    if "rays" in given:
        values["rays"] = int(_read_number(given, "rays"))
    if (towards := given.get("towards")) is not None:
        if isinstance(towards, bool) or not isinstance(towards, int):
            raise InvalidFinish(f"towards is {short_repr(towards)}; it must be an object's name.")
        values["towards"] = towards
    word = given.get("scatter", LambertianProfile.name)
    kind = PROFILES.get(word) if isinstance(word, str) else None
    if kind is None:
        raise InvalidFinish(f"scatter is {short_repr(word)}; it is one of {', '.join(PROFILES)}.")
    known = {"scatter", *values, *kind.keys, "towards"}
    if unknown := [key for key in given if key not in known]:
        raise InvalidFinish(
            f"{elide_text(', '.join(map(str, unknown)), 60)} is no value of such a finish. A finish"
            f" is {FINISH_FORMS}."
        )
    profile = kind(*(_profile_value(kind, given, key) for key in kind.keys))
    return Finish(profile=profile, name=name, **values)


def _profile_value(kind: type[ScatterProfile], data: Mapping[str, Any], key: str) -> Any:
    if kind is not TableProfile:
        if key not in data and key != "A":
            raise InvalidFinish(f"A finish that scatters {kind.name} needs {', '.join(kind.keys)}.")
        return _read_number(data, key)
    values = data.get(key)
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise InvalidFinish("A table has angles and values, two lists of numbers.")
    return tuple(_read_number({key: value}, key) for value in values)


def _read_number(data: Mapping[str, Any], key: str) -> float:
    value = data.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise InvalidFinish(f"{key} is {short_repr(value)}; it must be a finite number.")
    return float(value)


@cache
def finish_catalogue() -> Mapping[str, tuple[Finish, str]]:
    """The built-in finishes by name, each with the source of its values."""
    text = (
        files("raybench_resources")
        .joinpath("materials", "finishes.json")
        .read_text(encoding="utf-8")
    )
    return {
        row["name"]: (
            finish_from_json({k: v for k, v in row.items() if k != "source"}),
            row["source"],
        )
        for row in json.loads(text)
    }


def catalogue_finish(name: str) -> Finish:
    """The catalogue finish with this name (see `find_catalogue_name`). Raises InvalidFinish with
    the existing names.
    """
    if (known := find_catalogue_name(name, finish_catalogue())) is not None:
        return finish_catalogue()[known][0]
    raise InvalidFinish(
        f"There is no finish {in_quotes(name, 60)}. There are: {'; '.join(finish_catalogue())}."
    )
