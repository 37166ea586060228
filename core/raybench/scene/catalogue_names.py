"""Lookup of names in the catalogues of coatings and finishes."""

from collections.abc import Collection


def find_catalogue_name(name: str, known: Collection[str]) -> str | None:
    """The name in ``known`` that equals ``name``, or else the only one that contains it. Case and
    spaces are ignored. None if no name, or several names, contain it.
    """
    wanted = _simplify_name(name)
    same = [each for each in known if _simplify_name(each) == wanted]
    found = same or [each for each in known if wanted and wanted in _simplify_name(each)]
    return found[0] if len(found) == 1 else None


def _simplify_name(name: str) -> str:
    return "".join(name.split()).casefold()
