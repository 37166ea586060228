"""Lookup of names of the catalogues of coatings and finishes."""

from collections.abc import Collection


def name_in_catalogue(name: str, known: Collection[str]) -> str | None:
    """The name among ``known`` that is meant: the same name, or else the only one that contains
    ``name``. Case and spaces are ignored. None if there is none, or several.
    """
    wanted = _fold(name)
    same = [each for each in known if _fold(each) == wanted]
    found = same or [each for each in known if wanted and wanted in _fold(each)]
    return found[0] if len(found) == 1 else None


def _fold(name: str) -> str:
    return "".join(name.split()).casefold()
