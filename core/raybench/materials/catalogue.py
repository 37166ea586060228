"""The catalogue of materials: built-in glasses, crystals, liquids, plastics and metals, and an
optional database.

The built-in data are those of refractiveindex.info, CC0.
"""

import contextlib
import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files

from raybench.errors import RaybenchError
from raybench.materials import database
from raybench.materials.database import searchable_name
from raybench.materials.material import Material, material_from_json


class UnknownMaterial(RaybenchError):
    """No material has this name; the message suggests similar names."""


@cache
def shipped_materials() -> Mapping[str, Material]:
    """The built-in materials, by name."""
    text = (
        files("raybench_resources")
        .joinpath("materials", "catalogue.json")
        .read_text(encoding="utf-8")
    )
    return {row["name"]: material_from_json(row) for row in json.loads(text)}


def material_named(name: str) -> Material:
    """The material with this name, from the catalogue or the database. Case and spaces are ignored.

    Raises UnknownMaterial with similar names, or UnreadableMaterial.
    """
    if "/" in name:
        return _database_material_named(name)
    materials = shipped_materials()
    if name in materials:
        return materials[name]
    known = {searchable_name(each): each for each in materials}
    if searchable_name(name) in known:
        return materials[known[searchable_name(name)]]
    near = [known[f] for f in difflib.get_close_matches(searchable_name(name), known, 4, 0.5)]
    if not near and database.is_database_installed():
        near = [entry.name for entry in database.search_entries(name, 4)]
    hint = (
        f"Did you mean {', '.join(near)}?"
        if near
        else f"There are {len(materials)}, such as {', '.join(list(materials)[:5])}."
    )
    if not near and not database.is_database_installed():
        hint += f" {database.HOW_TO_GET_IT}."
    raise UnknownMaterial(f"There is no material '{name[:60]}'. {hint}")


def _database_material_named(name: str) -> Material:
    if not database.is_database_installed():
        raise UnknownMaterial(f"There is no material '{name[:60]}'. {database.HOW_TO_GET_IT}.")
    known = database.database_entries()
    entry = known.get(name) or next(
        (e for e in known.values() if e.name.casefold() == name.casefold()), None
    )
    if entry is None:
        near = [e.name for e in database.search_entries(name.rpartition("/")[2], 4)]
        near = near or difflib.get_close_matches(name, known, 4, 0.5)
        raise UnknownMaterial(
            f"There is no material '{name[:60]}'."
            + f" Did you mean {', '.join(near)}?" * bool(near)
        )
    return database.read_entry_material(entry)


def search_materials(
    text: str = "",
    family: str = "",
    materials: Mapping[str, Material] | None = None,
    *,
    of_database: int = 0,
) -> tuple[Material, ...]:
    """The materials whose names contain ``text``; names that begin with the text come first.
    ``family`` limits the search to one family.

    If a text is given, at most ``of_database`` materials of the database follow, those with an
    index in the visible.
    """
    chosen = shipped_materials() if materials is None else materials
    wanted = searchable_name(text)
    found = [
        m
        for m in chosen.values()
        if wanted in searchable_name(m.name) and (not family or m.family == family)
    ]
    more = _search_database(text, family, of_database) if of_database and len(wanted) > 1 else []
    return (
        *sorted(
            found,
            key=lambda m: (
                not searchable_name(m.name).startswith(wanted),
                _natural_sort_key(m.name),
            ),
        ),
        *more,
    )


def _natural_sort_key(name: str) -> list[tuple[int, str]]:
    """A sort key for natural order: SF2 comes before SF10."""
    return [(int(digits or 0), rest) for digits, rest in re.findall(r"(\d*)(\D*)", name)]


def _search_database(text: str, family: str, most: int) -> list[Material]:
    found = []
    for entry in database.search_entries(text, 2 * most):
        with contextlib.suppress(database.UnreadableMaterial):
            material = database.read_entry_material(entry)
            if material.n_d is not None and (not family or material.family == family):
                found.append(material)
    return found[:most]


def nearest_materials(
    n_d: float,
    v_d: float | None,
    materials: Iterable[Material] | None = None,
    *,
    most: int = 5,
    families: Iterable[str] = ("glass",),
) -> tuple[Material, ...]:
    """The materials that are nearest to an index and an Abbe number on the glass map. Without an
    Abbe number only the index is compared.

    A difference of 0.01 in n_d counts like 1 in V_d, about the spacing of neighbouring glasses.
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
