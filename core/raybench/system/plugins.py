"""Plugins from other packages: kinds of objects, measures, tools, importers and panels. Packages
declare them as entry points of the groups ``raybench.kinds`` and so on.

A plugin that cannot be loaded is skipped, and its problem is reported; Raybench starts without it.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

GROUPS = ("kinds", "measures", "tools", "importers", "panels")
"""What a package can add; a group is named ``raybench.`` and one of these."""


@dataclass
class Plugin:
    """An entry point of another package. If it could not be loaded, ``problem`` is the reason."""

    group: str
    name: str
    package: str
    problem: str = ""

    def __str__(self) -> str:
        left_out = f", left out: {self.problem}" if self.problem else ""
        return f"{self.group} {self.name} of {self.package}{left_out}"


_found: dict[EntryPoint, Plugin] = {}


@cache
def _declared_entry_points() -> tuple[EntryPoint, ...]:
    points = entry_points()
    return tuple(p for group in GROUPS for p in points.select(group=f"raybench.{group}"))


def load_plugins(group: str, register: Callable[[str, Any], object]) -> None:
    """Load the entry points of a group, and call ``register`` with the name and value of each. One
    that raises an error is skipped.
    """
    for point in _declared_entry_points():
        if point.group != f"raybench.{group}":
            continue
        package = f"{point.dist.name} {point.dist.version}" if point.dist is not None else "?"
        _found[point] = addition = Plugin(group, point.name, package)
        try:
            register(point.name, point.load())
        except Exception as error:
            addition.problem = f"{type(error).__name__}: {error}"
            print(f"Raybench: {addition}", file=sys.stderr)


def loaded_plugins() -> Iterator[Plugin]:
    """Yield the additions that were loaded or skipped so far, in order."""
    yield from _found.values()
