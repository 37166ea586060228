"""Unused names, made by adding numbers."""

import itertools
import re
from collections.abc import Container, Iterator

_NUMBER = re.compile(r"(?<=\S)\s+\d+\Z")
"""The number of a name such as "Prism 2"; that of "BK7" is part of the name."""


def free_names(stem: str, taken: Container[str], first: int = 1) -> Iterator[str]:
    """Yield ``Mirror 1``, ``Mirror 2`` and so on, beginning with the number ``first``. Names in
    ``taken`` are left out; the caller may add names to ``taken`` during the iteration.
    """
    return (name for i in itertools.count(first) if (name := f"{stem} {i}") not in taken)


def name_without_number(name: str) -> str:
    """A name without the number at its end: ``Prism`` for ``Prism 2``."""
    return _NUMBER.sub("", name)


def free_name(name: str, taken: Container[str]) -> str:
    """The given name or, if it is taken, its stem with the lowest free number from 2."""
    return name if name not in taken else next(free_names(name_without_number(name), taken, 2))
