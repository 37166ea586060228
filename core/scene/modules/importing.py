"""Bringing definitions of modules from one scene into another, where some may have the same names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from core.scene.modules.module import Module


def conflicts(existing: Mapping[str, Module], new: Mapping[str, Module]) -> list[str]:
    """The names under which both have different definitions."""
    return [name for name, module in new.items() if name in existing and existing[name].read != module.read]


def with_used(modules: Mapping[str, Module], chosen: Collection[str]) -> list[str]:
    """The names of the chosen modules and of all that they use, in the order of the definitions."""
    wanted, waiting = set[str](), list(chosen)
    while waiting:
        name = waiting.pop()
        if name in modules and name not in wanted:
            wanted.add(name)
            waiting += _used(modules[name].read)
    return [name for name in modules if name in wanted]


def definitions(
    existing: Mapping[str, Module], new: Mapping[str, Module], chosen: Collection[str], choices: Mapping[str, str]
) -> dict[str, Any]:
    """The definitions to add, as JSON by name.

    ``choices`` resolve name conflicts: ``keep`` the existing definition, ``replace`` it, or another name for the new one, to which
    references are adapted.
    """
    wanted = with_used(new, chosen)
    taken = conflicts(existing, new)
    names = {n: choices[n] for n in wanted if n in taken and choices.get(n, "keep") not in ("keep", "replace")}
    out = {}
    for name in wanted:
        if name in existing and (name not in taken or choices.get(name, "keep") == "keep"):
            continue
        out[names.get(name, name)] = _renamed(new[name].read, names)
    return out


def _used(data: Any) -> Iterator[str]:
    """The names of the modules of which the JSON of a definition has instances."""
    if isinstance(data, Mapping):
        if data.get("type") == "ModuleObj" and isinstance(data.get("module"), str):
            yield data["module"]
        for value in data.values():
            yield from _used(value)
    elif isinstance(data, list):
        for value in data:
            yield from _used(value)


def _renamed(data: Any, names: Mapping[str, str]) -> Any:
    if isinstance(data, Mapping):
        out = {k: _renamed(v, names) for k, v in data.items()}
        if out.get("type") == "ModuleObj" and out.get("module") in names:
            out["module"] = names[out["module"]]
        return out
    return [_renamed(v, names) for v in data] if isinstance(data, list) else data
