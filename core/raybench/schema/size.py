"""The memory that a value needs when its shared parts are copied, as by JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

DEEPEST = 100
"""Maximum nesting depth of arguments, below Python's recursion limit."""
BYTES_EACH = 64
"""Minimum size of a Python object in bytes, as an estimate."""


def fits(value: Any, most: int, deepest: int = DEEPEST, *, deeper: bool = False) -> bool:
    """Whether a value needs at most ``most`` bytes when shared parts are copied, and nests at most
    ``deepest`` deep; with ``deeper`` deeper parts are ignored instead.

    A few bytes can expand to billions: a list that contains another one twice, which contains a
    third one twice …
    """
    around: list[Iterator[Any]] = [iter((value,))]
    while around:
        for item in around[-1]:
            most -= BYTES_EACH
            if not isinstance(item, list | tuple | set | frozenset | Mapping):
                most -= _own_size(item)
            elif most < BYTES_EACH * len(item):
                return False
            elif len(around) <= deepest:
                around.append(
                    chain(item, item.values()) if isinstance(item, Mapping) else iter(item)
                )
                break
            elif not deeper:
                return False
            if most < 0:
                return False
        else:
            around.pop()
    return True


def _own_size(item: Any) -> int:
    if item is None or isinstance(item, float):
        return 0
    if isinstance(item, str | bytes | bytearray):
        return len(item)
    if isinstance(item, int):
        return item.bit_length() // 8
    count = (
        getattr(item, "size", 0) if hasattr(item, "tolist") else 0
    )  # of an array, whose numbers become objects
    return BYTES_EACH * count if isinstance(count, int) else 0
