"""Names that are not taken yet, made by numbering."""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterator


def free_names(stem: str, taken: Container[str], first: int = 1) -> Iterator[str]:
    """``Mirror 1``, ``Mirror 2`` and so on, from the number ``first``, without those ``taken``, to which others may be added meanwhile."""
    return (name for i in itertools.count(first) if (name := f"{stem} {i}") not in taken)
