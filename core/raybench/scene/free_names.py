"""Names that are not taken yet, made by numbering."""

import itertools
import re
from collections.abc import Container, Iterator

_NUMBER = re.compile(r"(?<=\S)\s+\d+\Z")
"""The number of a name such as "Prism 2"; that of "BK7" is part of the name."""


def free_names(stem: str, taken: Container[str], first: int = 1) -> Iterator[str]:
    """Yield ``Mirror 1``, ``Mirror 2`` and so on, from the number ``first``, except the names
    ``taken``. The caller may add to ``taken`` between two names.
    """
    return (name for i in itertools.count(first) if (name := f"{stem} {i}") not in taken)


def stem_of(name: str) -> str:
    """A name without its number: ``Prism`` of ``Prism 2``."""
    return _NUMBER.sub("", name)


def free_name(name: str, taken: Container[str]) -> str:
    """A name or, if it is taken, its stem with the next number, from 2."""
    return name if name not in taken else next(free_names(stem_of(name), taken, 2))
