"""The built-in catalogue of materials: glasses, crystals, liquids, plastics and metals (data of refractiveindex.info, CC0)."""

from __future__ import annotations

import difflib
import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from core.errors import RaybenchError
from core.materials.json_form import material_from_json
from core.materials.material import Material


class UnknownMaterial(RaybenchError):
    """No material has this name; the message suggests similar names."""


@cache
def shipped_materials() -> Mapping[str, Material]:
    """The built-in materials, by name."""
    text = files("resources").joinpath("materials", "catalogue.json").read_text(encoding="utf-8")
    return {row["name"]: material_from_json(row) for row in json.loads(text)}


def material_named(name: str, materials: Mapping[str, Material] | None = None) -> Material:
    """The material with this name, ignoring case and spaces. Raises UnknownMaterial with similar names."""
    materials = shipped_materials() if materials is None else materials
    if name in materials:
        return materials[name]
    folded = {_folded(known): known for known in materials}
    if _folded(name) in folded:
        return materials[folded[_folded(name)]]
    near = [folded[f] for f in difflib.get_close_matches(_folded(name), folded, 4, 0.5)]
    hint = f"Did you mean {', '.join(near)}?" if near else f"There are {len(materials)}, such as {', '.join(list(materials)[:5])}."
    raise UnknownMaterial(f"There is no material '{name[:60]}'. {hint}")


def _folded(name: str) -> str:
    return "".join(name.split()).casefold()


def search_materials(text: str = "", family: str = "", materials: Mapping[str, Material] | None = None) -> tuple[Material, ...]:
    """The materials whose names contain a text, those that start with it first, of one ``family`` or all."""
    chosen = shipped_materials() if materials is None else materials
    wanted = _folded(text)
    found = [m for m in chosen.values() if wanted in _folded(m.name) and (not family or m.family == family)]
    return tuple(sorted(found, key=lambda m: (not _folded(m.name).startswith(wanted), m.name)))


def nearest_materials(
    n_d: float, v_d: float | None, materials: Iterable[Material] | None = None, *, most: int = 5, families: Iterable[str] = ("glass",)
) -> tuple[Material, ...]:
    """The materials nearest to an index and an Abbe number on the glass map; to the index alone without an Abbe number.

    The metric weights 0.01 in n_d like 1 in V_d: about the spacing of neighbouring glasses.
    """
    chosen = shipped_materials().values() if materials is None else materials
    allowed = set(families)
    placed = [(m, m.n_d, m.v_d) for m in chosen if m.family in allowed]
    ranked = sorted(
        (math.hypot((n - n_d) / 0.01, v - v_d if v_d is not None else 0.0), m.name, m)
        for m, n, v in placed
        if n is not None and v is not None
    )
    return tuple(m for _, _, m in ranked[:most])
