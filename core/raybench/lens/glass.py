"""The media of prescriptions: air, catalogue glasses by name, and model glasses given by index and
Abbe number.
"""

import contextlib
import difflib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from raybench.materials import database
from raybench.materials.catalogue import (
    UnknownMaterial,
    material_named,
    nearest_materials,
    shipped_materials,
)
from raybench.materials.database import searchable_name
from raybench.materials.dispersion import LINE_C, LINE_D, LINE_F, Dispersion
from raybench.materials.material import Material


@dataclass(frozen=True)
class ModelGlass:
    """A glass that is given by its index at the d line and its Abbe number, which is infinite
    without dispersion.
    """

    n_d: float
    v_d: float = math.inf

    def __str__(self) -> str:
        return f"{self.n_d:.6g}" if math.isinf(self.v_d) else f"{self.n_d:.6g}/{self.v_d:.4g}"


DISPERSION_SPAN = (LINE_F / 1000) ** -2 - (LINE_C / 1000) ** -2
"""1/λ² at the F line less that at the C line, 1/µm²."""
TABLE_WAVELENGTHS = 33
"""Wavelengths in the table of a shifted glass, at least."""
Glass = str | ModelGlass | Material
"""The name of a material of the catalogue, `AIR`, a model glass, or a material of a file of
glasses.
"""
AIR = "AIR"

INDICES = "indices of a lens file"
"""The source of a material that a lens file states by its refractive indices."""
MOST_TERMS = 4
"""Terms of the formula through stated indices at most."""

MAKERS_SHELF = "-optical"
"""How the folders of glasses end that are named by their makers."""
EQUAL_INDEX = 2e-3
"""Difference of the indices of one glass by two sources at most."""

_CODE = re.compile(r"(\d{3})(\d{3})|(\d{3,})[.:](\d{2,})")
"""A glass code: 517642 means an index of 1.517 and an Abbe number of 64.2, 516800.641672 of 1.5168
and 64.1672.
"""


@lru_cache(512)
def glass_material(glass: Glass) -> Material:
    """The material of a glass. A model glass becomes a material with Cauchy's formula through its
    index and Abbe number. Raises UnknownMaterial with similar names.
    """
    if isinstance(glass, Material):
        return glass
    if isinstance(glass, str):
        return material_named(glass)
    b = (glass.n_d - 1) / glass.v_d / DISPERSION_SPAN
    a = glass.n_d - b / (LINE_D / 1000) ** 2
    formula = Dispersion("cauchy", (a, b, -2.0))
    return Material(str(glass), "glass", "model of n_d and V_d", formula)


def glass_with_index_shift(glass: Glass, shift: float, wavelengths: Sequence[float]) -> Glass:
    """A glass whose index is increased by ``shift`` at all wavelengths. A material becomes a table
    around the ``wavelengths`` (nm), which is exact there. Raises UnknownMaterial.
    """
    if glass == AIR:
        return ModelGlass(1 + shift)
    if isinstance(glass, ModelGlass):
        return ModelGlass(glass.n_d + shift, glass.v_d)
    material = glass_material(glass)
    low = max(0.9 * min(wavelengths), material.dispersion.low)
    high = min(1.1 * max(wavelengths), material.dispersion.high)
    at = np.unique([*np.linspace(low, high, TABLE_WAVELENGTHS), *wavelengths])
    pairs = np.stack([at / 1000, material.index(at) + shift], axis=1)
    return Material(
        f"{material.name} {shift:+.3g}",
        material.family,
        f"{material.source}, shifted",
        Dispersion("tabulated", tuple(pairs.ravel().tolist()), low, high),
        material.extinction,
    )


def glass_with_indices(
    name: str, wavelengths: Sequence[float], indices: Sequence[float]
) -> ModelGlass | Material:
    """The glass with these refractive indices at these wavelengths (nm): a model glass if it has
    all of these indices, else a material with Cauchy's formula fitted to them. A single index gives
    a glass without dispersion.
    """
    known = dict(zip(wavelengths, indices, strict=True))  # a wavelength may be stated twice
    wavelengths, indices = list(known), list(known.values())
    if len(indices) < 2:
        return ModelGlass(indices[0])
    inverse = np.asarray(wavelengths) ** -2.0 * 1e6
    b, a = np.polyfit(inverse, np.asarray(indices), 1)
    if np.abs(a + b * inverse - indices).max() < 1e-9:
        n_d = float(a + b * (LINE_D / 1000) ** -2)
        v_d = (n_d - 1) / (float(b) * DISPERSION_SPAN) if abs(b) > 1e-9 else math.inf
        return ModelGlass(round(n_d, 10), round(v_d, 7))
    terms = np.polyfit(inverse, np.asarray(indices), min(len(indices), MOST_TERMS) - 1)[::-1]
    pairs = [v for i, term in enumerate(terms[1:], 1) for v in (float(term), -2.0 * i)]
    return Material(name, "glass", INDICES, Dispersion("cauchy", (float(terms[0]), *pairs)))


def glass_name(glass: Glass) -> str:
    """The name of a glass, or the index and Abbe number of a model glass."""
    return glass.name if isinstance(glass, Material) else str(glass)


def glass_from_code(text: str) -> ModelGlass | None:
    """The model glass of a glass code such as 517642, 517.642 or 516800.641672; None for other
    text.
    """
    found = _CODE.fullmatch(text.strip())
    if found is None:
        return None
    index, abbe = found[1] or found[3], found[2] or found[4]
    return ModelGlass(float(f"1.{index}"), float(f"{abbe[:2]}.{abbe[2:]}0"))


def glass_from_text(text: str) -> Glass:
    """Read a glass as a person types it: an index and an Abbe number such as 1.6204/60.3, an index,
    a glass code, or a name of the catalogue. Raises UnknownMaterial.
    """
    numbers = re.fullmatch(r"(\d\.\d+)(?:/(\d+(?:\.\d+)?))?", text.strip())
    if numbers:
        return ModelGlass(float(numbers[1]), float(numbers[2] or math.inf))
    return glass_from_code(text) or catalogue_glass(text.strip())


def catalogue_glass(name: str) -> str | Material:
    """The catalogue glass with this name: only its name if it is a built-in glass, else its
    material, so that the document contains the data. Raises UnknownMaterial.
    """
    material = material_named(name)
    return material.name if material.name in shipped_materials() else material


@dataclass(frozen=True)
class UnmatchedGlass:
    """A glass name that is not in the catalogue, with the most similar names of the catalogue
    first.
    """

    name: str
    similar_names: tuple[str, ...]


def match_glass(
    name: str, stated: ModelGlass | None = None, makers: Sequence[str] = ()
) -> str | UnmatchedGlass:
    """The catalogue's spelling of a glass name; if the catalogue does not have it, the most similar
    names, ordered by spelling and then by the ``stated`` index and Abbe number. If several makers
    have a glass of this name, the first in ``makers`` (in capitals) is taken.
    """
    if "/" in name:
        with contextlib.suppress(UnknownMaterial):
            return material_named(name).name
    known = {_simplify_name(each): each for each in shipped_materials()}
    wanted = _simplify_name(name)
    if wanted in known:
        return known[wanted]
    of_makers = _glasses_of_makers()
    near = of_makers.get(wanted, [])
    named = [each for maker in makers for each in near if name_and_maker(each)[1] == maker]
    alike = [each for each in named or near if _matches_stated_index(each, stated)]
    if len(alike) == 1 or (named and alike):
        return alike[0]
    spelled_alike = difflib.get_close_matches(wanted, of_makers | known, 3, 0.6)
    near = near + [known.get(each) or of_makers[each][0] for each in spelled_alike]
    if stated is not None:
        near += [m.name for m in nearest_materials(stated.n_d, stated.v_d, most=3)]
    return UnmatchedGlass(name, tuple(dict.fromkeys(near)))


@cache
def _glasses_of_makers() -> dict[str, list[str]]:
    """The names of glasses in the installed database, by their simplified names (see
    `_simplify_name`).
    """
    found: dict[str, list[str]] = {}
    for each in database.database_entries():
        folder, _, name = each.rpartition("/")
        if folder.endswith(MAKERS_SHELF):
            found.setdefault(_simplify_name(name), []).append(each)
    return found


@cache
def glass_names() -> tuple[str, ...]:
    """The names of all known glasses: first those of the catalogue, then those of the installed
    database.
    """
    shipped = [m.name for m in shipped_materials().values() if m.family != "metal"]
    return (*shipped, *(name for names in _glasses_of_makers().values() for name in names))


def name_and_maker(glass: str | Material) -> tuple[str, str]:
    """The name of a glass as its maker writes it, and the maker in capitals (empty if unknown).
    Raises UnknownMaterial.
    """
    whole = glass_name(glass)
    folder, _, name = whole.rpartition("/")
    if folder.endswith(MAKERS_SHELF):
        return name, folder.removesuffix(MAKERS_SHELF).upper()
    source = glass_material(glass).source.split()
    maker = source[0] if source and source[0].isupper() and len(source[0]) > 2 else ""
    return whole, maker


def _matches_stated_index(glass: str, stated: ModelGlass | None) -> bool:
    """Whether a glass of the catalogue has the index ``stated`` in a file; true without a stated
    index.
    """
    n_d = material_named(glass).n_d
    return stated is None or n_d is None or abs(n_d - stated.n_d) < EQUAL_INDEX


def _simplify_name(name: str) -> str:
    """A glass name simplified for comparison, without hyphens and the like: some programs write
    NBK7 for N-BK7.
    """
    return searchable_name(name).replace("-", "")
