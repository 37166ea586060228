"""Coatings of edges: the fractions of light that an edge reflects, transmits and absorbs, by
polarization, angle and wavelength.

A coating is ideal with a given reflectance, a stack of films, or a table of measured values. Films
are listed from the surroundings to the body.
"""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError, elide_text, in_quotes, short_repr
from raybench.materials.catalogue import UnknownMaterial, material_named
from raybench.materials.dispersion import LINE_D, InvalidDispersion, OutsideRange
from raybench.optics.laws import reflected_phase
from raybench.optics.thin_films import film_stack_coherences, film_stack_fractions
from raybench.scene.catalogue_names import find_catalogue_name

SUBSTRATE_INDEX = 1.52
"""The index of the glass under the films of a mirror, which lets no light pass."""
DEFAULT_METAL_THICKNESS = 200.0
"""The thickness in nm of a film of metal that is given without one."""
MOST_FILMS = 200
MAX_THICKNESS = 20_000.0
"""The largest total thickness of a stack in nm. A thicker one has more fringes than a table holds,
and is no coating: coherence ends there.
"""
ROUNDING = 1e-9


class InvalidCoating(RaybenchError):
    """A coating is impossible, or has no values at a wavelength; the message gives the reason."""


@dataclass(frozen=True, kw_only=True)
class Coating:
    """A coating. ``name`` is its name in the catalogue or the user's name; empty without a name."""

    name: str = ""

    @property
    @abstractmethod
    def description(self) -> str:
        """A short description of the coating, without its name."""

    @property
    def title(self) -> str:
        """The name or, without a name, the description."""
        return self.name or self.description

    @abstractmethod
    def fractions(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Floats:
        """The fractions of power R_s, R_p, T_s, T_p (n, 4) for the ``cosines`` (n,) of angles of
        incidence. With ``outward``, light travels from the body of index ``n_in`` to the
        surroundings of index ``n_out``, otherwise in the opposite direction.

        The wavelength is in nm. Raises InvalidCoating if there are no values at this wavelength.
        """

    def coherences(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Floats:
        """The real and imaginary parts of r_s r_p* and of t_s t_p* (n, 4), as fractions of power,
        for the arguments of `fractions`.

        If the phases are not known, those of a mirror are returned for partial reflection, those of
        an uncoated edge for total reflection, and no phase difference for transmission.
        """
        of = self.fractions(wavelength, n_out, n_in, cosines, outward)
        total = is_totally_reflected(n_out, n_in, cosines, outward)
        ratio = abs(n_in / n_out) if outward else abs(n_out / n_in)
        phases = np.array(
            [
                reflected_phase(ratio, c) if whole else (-1.0, 0.0)
                for c, whole in zip(cosines.tolist(), total.tolist(), strict=True)
            ]
        )
        through = np.sqrt(of[:, 2] * of[:, 3])
        size = np.sqrt(of[:, 0] * of[:, 1])
        return np.column_stack([size[:, None] * phases, through, np.zeros(len(of))])

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The coating as JSON, which `coating_from_json` reads."""

    def named_json(self, **values: Any) -> dict[str, Any]:
        """JSON values, preceded by the name of the coating if it has one."""
        return {"name": self.name, **values} if self.name else values

    def table_angles(self) -> Floats:
        """Angles of incidence in the surroundings (degrees) between which the values are smooth
        functions.
        """
        return np.empty(0)

    def fringe_count(self, wavelength: float) -> float:
        """The approximate number of fringes between normal and grazing incidence."""
        return 0.0


@dataclass(frozen=True)
class IdealCoating(Coating):
    """A coating with the same ``reflectance`` for every polarization, angle and wavelength: 0 is an
    ideal antireflection coating. The fraction ``absorbed`` is lost; the rest is transmitted.
    """

    reflectance: float
    absorbed: float = 0.0

    def __post_init__(self) -> None:
        check_fraction("reflectance", self.reflectance)
        check_fraction("absorbed", self.absorbed)
        if self.reflectance + self.absorbed > 1 + ROUNDING:
            raise InvalidCoating(
                f"reflectance {self.reflectance:g} and absorbed {self.absorbed:g} are more than all"
                " of the light. Their sum is at most 1."
            )

    @property
    def description(self) -> str:
        lost = f", absorbs {self.absorbed:.6g}" if self.absorbed else ""
        return f"ideal, R {self.reflectance:.6g}{lost}"

    def fractions(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Floats:
        passed = max(1.0 - self.reflectance - self.absorbed, 0.0)
        out = np.empty((len(cosines), 4))
        out[:, :2], out[:, 2:] = self.reflectance, passed
        total = is_totally_reflected(n_out, n_in, cosines, outward)
        out[total, :2], out[total, 2:] = 1.0 - self.absorbed, 0.0
        return out

    def to_json(self) -> dict[str, Any]:
        lost = {"absorbed": self.absorbed} if self.absorbed else {}
        return self.named_json(reflectance=self.reflectance, **lost)


@dataclass(frozen=True)
class Film:
    """A film of a ``material`` of the catalogue, or of an ``index`` and an ``extinction``.

    Its ``thickness`` is in nm, or it is given as a number of ``quarter_waves`` of the vacuum
    wavelength ``at`` (nm) in the film.
    """

    material: str = ""
    index: float = 0.0
    extinction: float = 0.0
    thickness: float = 0.0
    quarter_waves: float = 0.0
    at: float = 0.0

    def __post_init__(self) -> None:
        if self.material:
            try:
                material_named(self.material)
            except UnknownMaterial as error:
                raise InvalidCoating(str(error)) from None
        elif not (math.isfinite(self.index) and self.index > 0):
            raise InvalidCoating(
                "A film has a material of the catalogue, or an index above 0 such as 1.38."
            )
        for name, value in (
            ("extinction", self.extinction),
            ("thickness", self.thickness),
            ("quarterWaves", self.quarter_waves),
            ("at", self.at),
        ):
            if not (math.isfinite(value) and value >= 0):
                raise InvalidCoating(f"{name} is {value:g}; it is a finite number, 0 or more.")
        if self.quarter_waves and not self.at:
            raise InvalidCoating("quarterWaves needs the wavelength in nm: give at, such as 550.")

    @property
    def nm(self) -> float:
        """The thickness in nm. Raises InvalidCoating."""
        if not self.quarter_waves:
            return self.thickness
        return self.quarter_waves * self.at / (4 * self.complex_index(self.at).real)

    def complex_index(self, wavelength: float) -> complex:
        """The complex index N = n - ik at a vacuum wavelength (nm). Raises InvalidCoating outside
        the data of the material.
        """
        if not self.material:
            return complex(self.index, -self.extinction)
        return _index_of_material(self.material, wavelength)

    @property
    def description(self) -> str:
        what = self.material or f"n {self.index:g}"
        if self.quarter_waves:
            return f"{what} {self.quarter_waves:g} × λ/4 at {self.at:g} nm"
        return f"{what} {self.thickness:.6g} nm"

    def to_json(self) -> dict[str, Any]:
        what: dict[str, Any] = (
            {"material": self.material} if self.material else {"index": self.index}
        )
        if self.extinction:
            what["extinction"] = self.extinction
        if self.quarter_waves:
            return {**what, "quarterWaves": self.quarter_waves, "at": self.at}
        return {**what, "thickness": self.thickness}


@lru_cache(4096)
def _index_of_material(name: str, wavelength: float) -> complex:
    material = material_named(name)
    try:
        n = float(material.index(wavelength))
    except (OutsideRange, InvalidDispersion) as error:
        raise InvalidCoating(str(error)) from None
    return complex(n, -float(material.extinction_at(wavelength)))


@dataclass(frozen=True)
class FilmStack(Coating):
    """A coating of films, listed from the surroundings to the body. A single film of an opaque
    metal is a metal mirror.
    """

    films: tuple[Film, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.films) <= MOST_FILMS:
            raise InvalidCoating(f"There are {len(self.films)} films; give 1 to {MOST_FILMS}.")
        if (total := sum(film.nm for film in self.films)) > MAX_THICKNESS:
            raise InvalidCoating(
                f"The films are {total:.6g} nm thick in all. A coating is at most {MAX_THICKNESS:g}"
                " nm thick; draw a thicker layer as a body."
            )

    @property
    def description(self) -> str:
        return self.films[0].description if len(self.films) == 1 else f"{len(self.films)} films"

    def fractions(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Floats:
        return film_stack_fractions(
            *self._film_stack_arguments(wavelength, n_out, n_in, cosines, outward)
        )

    def coherences(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Floats:
        return film_stack_coherences(
            *self._film_stack_arguments(wavelength, n_out, n_in, cosines, outward)
        )

    def _film_stack_arguments(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Any:
        """The arguments of `film_stack_fractions`."""
        media = (n_in, n_out) if outward else (n_out, n_in)
        return *media, self.films_in_light_order(wavelength, outward), wavelength, cosines

    def films_in_light_order(self, wavelength: float, outward: bool) -> list[tuple[complex, float]]:
        """The complex index and the thickness (nm) of each film, in the order in which light passes
        them. Raises InvalidCoating.
        """
        films = [(film.complex_index(wavelength), film.nm) for film in self.films]
        return films[::-1] if outward else films

    def to_json(self) -> dict[str, Any]:
        return self.named_json(films=[film.to_json() for film in self.films])

    def fringe_count(self, wavelength: float) -> float:
        return sum(f.complex_index(wavelength).real * f.nm for f in self.films) / wavelength

    def with_thickness(self, thickness: float, film: int = 0) -> FilmStack:
        """The stack with another thickness (nm) of one film. The stack loses its name."""
        films = list(self.films)
        films[film] = replace(films[film], thickness=thickness, quarter_waves=0.0, at=0.0)
        return FilmStack(tuple(films))


Row = tuple[float, ...]


@dataclass(frozen=True)
class TableCoating(Coating):
    """A coating given by measured values at ``angles`` of incidence in the surroundings (degrees)
    and ``wavelengths`` (nm), both ascending. Without wavelengths, the values hold for all.

    Each of the ``values`` R_s, R_p, T_s, T_p has a row for each wavelength. Values are interpolated
    linearly between angles and wavelengths, and constant beyond the last angle. For light from the
    body, the angle after refraction is used.
    """

    angles: Row
    wavelengths: Row
    values: tuple[tuple[Row, ...], ...]

    def __post_init__(self) -> None:
        for name, numbers in (("angles", self.angles), ("wavelengths", self.wavelengths)):
            if not all(a < b for a, b in pairwise(numbers)) or not all(
                0 <= v < 1e9 for v in numbers
            ):
                raise InvalidCoating(f"{name} of a table are numbers of 0 or more, ascending.")
        if not self.angles or self.angles[-1] > 90:
            raise InvalidCoating("A table needs angles, from 0 to 90 degrees.")
        shape = max(len(self.wavelengths), 1), len(self.angles)
        for name, rows in zip(("Rs", "Rp", "Ts", "Tp"), self.values, strict=True):
            if len(rows) != shape[0] or any(len(row) != shape[1] for row in rows):
                raise InvalidCoating(
                    f"{name} of a table has a row for each wavelength, with a number for each"
                    " angle."
                )
            for value in (v for row in rows for v in row):
                check_fraction(name, value)
        measured = np.array(self.values)
        for s_or_p, sums in zip("sp", measured[:2] + measured[2:], strict=True):
            if sums.max() > 1 + ROUNDING:
                row, column = np.unravel_index(int(sums.argmax()), sums.shape)
                at = f" and {self.wavelengths[row]:g} nm" if self.wavelengths else ""
                raise InvalidCoating(
                    f"R{s_or_p} + T{s_or_p} is {sums.max():g} at {self.angles[column]:g}°{at}."
                    " Reflected and transmitted light are at most 1."
                )

    @property
    def description(self) -> str:
        rows = f" and {len(self.wavelengths)} wavelengths" if self.wavelengths else ""
        return f"table of {len(self.angles)} angles{rows}"

    def fractions(
        self, wavelength: float, n_out: float, n_in: float, cosines: Floats, outward: bool
    ) -> Floats:
        values = np.array(self.values)
        if self.wavelengths:
            low, high = self.wavelengths[0], self.wavelengths[-1]
            if not low - ROUNDING <= wavelength <= high + ROUNDING:
                raise InvalidCoating(f"Its table has {low:g} to {high:g} nm.")
            values = np.array(
                [
                    [np.interp(wavelength, self.wavelengths, column) for column in quantity.T]
                    for quantity in values
                ]
            )
        else:
            values = values[:, 0]
        ratio = n_in / n_out if outward else 1.0
        sines = np.abs(ratio) * np.sqrt(np.maximum(1.0 - cosines * cosines, 0.0))
        degrees = np.degrees(np.arcsin(np.minimum(sines, 1.0)))
        out = np.stack([np.interp(degrees, self.angles, v) for v in values], axis=-1)
        total = is_totally_reflected(n_out, n_in, cosines, outward)
        out[total, :2] += out[total, 2:]
        out[total, 2:] = 0.0
        return out

    def to_json(self) -> dict[str, Any]:
        table: dict[str, Any] = {"angles": list(self.angles)}
        if self.wavelengths:
            table["wavelengths"] = list(self.wavelengths)
        for name, rows in zip(("Rs", "Rp", "Ts", "Tp"), self.values, strict=True):
            table[name] = [list(row) for row in rows] if self.wavelengths else list(rows[0])
        return self.named_json(table=table)

    def table_angles(self) -> Floats:
        return np.array(self.angles)


Coatings = Mapping[int, Mapping[int, Coating]]
"""The coatings of edges, by the key of the object and the index of the edge."""


def is_totally_reflected(n_out: float, n_in: float, cosines: Floats, outward: bool) -> Any:
    """A mask (n,) of the angles at which light is totally reflected between the media on both sides
    of a coating.
    """
    ratio = abs(n_in / n_out) if outward else abs(n_out / n_in)
    return ratio * ratio * (1.0 - cosines * cosines) > 1.0


def check_fraction(name: str, value: Any) -> None:
    """Raise InvalidCoating unless the value is a fraction of power, from 0 to 1."""
    if not 0 <= value <= 1:
        raise InvalidCoating(f"{name} is {short_repr(value)}; a fraction of power is from 0 to 1.")


def coating_wavelength(wavelength: float | None) -> float:
    """The wavelength (nm) at which a coating acts on light; the d line for light without a
    wavelength (None).
    """
    return LINE_D if wavelength is None else wavelength


COATING_FORMS = (
    'the name of one of the catalogue, or {"reflectance": 0.02}, {"metal": "Silver"}, {"material":'
    ' "MgF2 (o)", "thickness": 100}, {"films": [{"index": 1.38, "quarterWaves": 1, "at": 550}]} or'
    ' {"table": {"angles": [0, 45, 90], "Rs": [0.1, 0.2, 1]}}'
)
"""What a coating is written as, in words."""


def coating_from_json(data: Any) -> Coating:
    """Decode a coating from the name of a catalogue coating or from a JSON object. Raises
    InvalidCoating.
    """
    if isinstance(data, str):
        return catalogue_coating(data)
    if not isinstance(data, Mapping):
        raise InvalidCoating(f"A coating is {COATING_FORMS}.")
    given = dict(data)
    name = given.pop("name", "")
    if not isinstance(name, str) or len(name) > 200:
        raise InvalidCoating(f"The name of a coating is a text, not {short_repr(name)}.")
    match sorted(given):
        case []:
            return catalogue_coating(name)
        case ["reflectance"] | ["absorbed", "reflectance"]:
            return IdealCoating(
                *(_read_number(given, k) for k in ("reflectance", "absorbed")), name=name
            )
        case ["metal"] if isinstance(given["metal"], str):
            return FilmStack((Film(given["metal"], thickness=DEFAULT_METAL_THICKNESS),), name=name)
        case ["films"] if isinstance(given["films"], Sequence):
            return FilmStack(tuple(map(_film_from_json, given["films"])), name=name)
        case ["table"] if isinstance(given["table"], Mapping):
            return _table_from_json(given["table"], name)
        case keys if "material" in keys or "index" in keys:
            return FilmStack((_film_from_json(given),), name=name)
        case keys:
            raise InvalidCoating(
                f"{elide_text(', '.join(map(str, keys)), 60)} make no coating. A coating is"
                f" {COATING_FORMS}."
            )


def _film_from_json(data: Any) -> Film:
    known = ("material", "index", "extinction", "thickness", "quarterWaves", "at")
    if not isinstance(data, Mapping) or not data.keys() <= set(known):
        raise InvalidCoating(f"A film is a JSON object with some of {', '.join(known)}.")
    material = data.get("material", "")
    if not isinstance(material, str):
        raise InvalidCoating(f"The material of a film is a name, not {short_repr(material)}.")
    if "thickness" not in data and "quarterWaves" not in data:
        raise InvalidCoating("A film needs a thickness in nm, or quarterWaves and at.")
    return Film(material, *(_read_number(data, key) for key in known[1:]))


def _read_number(data: Mapping[str, Any], key: str) -> float:
    value = data.get(key, 0.0)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e12:
        raise InvalidCoating(f"{key} is {short_repr(value)}; it must be a finite number.")
    return float(value)


def _table_from_json(data: Mapping[str, Any], name: str) -> TableCoating:
    try:
        angles, waves = (
            tuple(float(v) for v in data.get(key, ())) for key in ("angles", "wavelengths")
        )

        def rows(key: str) -> tuple[Row, ...] | None:
            if key not in data:
                return None
            given = data[key] if waves else [data[key]]
            return tuple(tuple(float(v) for v in row) for row in given)

        r_s = rows("Rs") or ()
        r_p = rows("Rp") or r_s
        t_s, t_p = (
            rows(key) or tuple(tuple(1.0 - v for v in row) for row in r)
            for key, r in (("Ts", r_s), ("Tp", r_p))
        )
    except (TypeError, ValueError):
        raise InvalidCoating(
            "A table has angles, and lists of numbers Rs, Rp, Ts and Tp; with wavelengths, a list"
            " for each of them."
        ) from None
    return TableCoating(angles, waves, (r_s, r_p, t_s, t_p), name=name)


@cache
def coating_catalogue() -> Mapping[str, tuple[Coating, str]]:
    """The built-in coatings by name, each with the source of its design."""
    text = (
        files("raybench_resources")
        .joinpath("materials", "coatings.json")
        .read_text(encoding="utf-8")
    )
    return {
        row["name"]: (
            coating_from_json({k: v for k, v in row.items() if k != "source"}),
            row["source"],
        )
        for row in json.loads(text)
    }


def catalogue_coating(name: str) -> Coating:
    """The catalogue coating with this name (see `find_catalogue_name`). Raises InvalidCoating with
    the existing names.
    """
    if (known := find_catalogue_name(name, coating_catalogue())) is not None:
        return coating_catalogue()[known][0]
    raise InvalidCoating(
        f"There is no coating {in_quotes(name, 60)}. There are: {'; '.join(coating_catalogue())}."
    )
