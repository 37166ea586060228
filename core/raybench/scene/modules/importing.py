"""Bringing definitions of modules from one scene into another, where some may have the same names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from raybench.scene.free_names import free_names
from raybench.scene.modules.module import Module


def conflicts(existing: Mapping[str, Module], new: Mapping[str, Module]) -> list[str]:
    """The names under which both have different definitions."""
    return [
        name
        for name, module in new.items()
        if name in existing and existing[name].read != module.read
    ]


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
    existing: Mapping[str, Module],
    new: Mapping[str, Module],
    chosen: Collection[str],
    choices: Mapping[str, str],
) -> dict[str, Any]:
    """The definitions to add, as JSON by name.

    ``choices`` resolve name conflicts: ``keep`` the existing definition, ``replace`` it, or another
    name for the new one, to which references are adapted.
    """
    wanted = with_used(new, chosen)
    taken = conflicts(existing, new)
    names = {
        n: choices[n]
        for n in wanted
        if n in taken and choices.get(n, "keep") not in ("keep", "replace")
    }
    out = {}
    for name in wanted:
        if name in existing and (name not in taken or choices.get(name, "keep") == "keep"):
            continue
        out[names.get(name, name)] = _renamed(new[name].read, names)
    return out


def definitions_beside(
    existing: Mapping[str, Module], new: Mapping[str, Module], chosen: Collection[str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """The other names that definitions get which keep what they mean, and those to add, as JSON by
    name.

    Where another definition has the name of a new one, that gets the name of an equal one, else a
    free one. A definition is another one also if a module that it uses gets another name.
    """
    names: dict[str, str] = {}
    for _ in range(len(new) + 1):  # each round, the names go one level up in what uses what
        before = names
        beside = {
            name: _name_beside(name, _renamed(module.read, before), existing, new)
            for name, module in new.items()
        }
        names = {name: to for name, to in beside.items() if to != name}
        if names == before:
            break
    wanted = [name for name in with_used(new, chosen) if names.get(name, name) not in existing]
    return names, {names.get(name, name): _renamed(new[name].read, names) for name in wanted}


def _name_beside(
    name: str, read: Any, existing: Mapping[str, Module], new: Mapping[str, Module]
) -> str:
    """The name of a definition, ``read``, that is called ``name`` elsewhere."""
    if name not in existing or existing[name].read == read:
        return name
    same = next((there for there, known in existing.items() if known.read == read), None)
    return same or next(free_names(name, {*existing, *new}, 2))


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
