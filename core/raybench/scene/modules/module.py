"""Modules, which generate objects from parametric templates. An instance of a module is a
`raybench.kinds.module_instance.ModuleObj`.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from raybench.errors import RaybenchError, in_quotes
from raybench.formula import Scope, evaluate_formula, split_range
from raybench.kinds.fields import as_number
from raybench.kinds.module_instance import ModuleObj
from raybench.scene.free_names import free_names

LOOP_LENGTH = 1000
"""Default maximum number of iterations of a module's loop."""


class InvalidModule(RaybenchError):
    """A module or an instance cannot be used; the message says what is wrong and where."""


@dataclass(frozen=True, slots=True)
class ModuleParameter:
    """A numeric parameter of a module, with its range and its default value as formulas."""

    name: str
    start: str
    step: str
    end: str
    default: str

    @classmethod
    def read(cls, text: object) -> Self:
        """Parse ``name=start:step:end`` or ``name=start:step:end:default``. Raises InvalidModule."""
        if not isinstance(text, str):
            raise InvalidModule(f"a parameter is a text such as 'N=1:1:10:5', not {text!r:.60}")
        name, values = split_range(text)
        return cls(
            name, values[0], values[1], values[2], values[3] if len(values) == 4 else values[0]
        )


@dataclass(frozen=True, kw_only=True)
class Module:
    """The definition of a module: its number of control points, its parameters, statements
    (variables and functions) and templates of objects.

    ``trouble`` is an error message if the definition is invalid, else empty; ``read`` is the JSON
    of the definition, which is written back.
    """

    name: str
    point_count: int = 0
    parameters: tuple[ModuleParameter, ...] = ()
    statements: tuple[str, ...] = ()
    templates: tuple[Any, ...] = ()
    loop_length: int = LOOP_LENGTH
    trouble: str = ""
    read: Any = field(default_factory=dict, repr=False)

    @classmethod
    def from_json(cls, name: str, data: Any) -> Self:
        """Decode a definition of a module. An error is stored in the module's ``trouble``."""
        try:
            return cls._from_json(name, data)
        except RaybenchError as error:
            return cls(name=name, trouble=str(error), read=data)

    @classmethod
    def _from_json(cls, name: str, data: Any) -> Self:
        if not isinstance(data, dict):
            raise InvalidModule("a module is a JSON object with numPoints, params, vars and objs")
        statements = _read_list(data, "vars")
        if not all(isinstance(s, str) for s in statements):
            raise InvalidModule("'vars' must be a list of texts")
        parameters = tuple(ModuleParameter.read(p) for p in _read_list(data, "params"))
        twice = sorted(
            name for name, count in Counter(p.name for p in parameters).items() if count > 1
        )
        if twice:
            raise InvalidModule(f"two parameters are called '{twice[0]}': rename one of them")
        return cls(
            name=name,
            point_count=_read_whole_number(data, "numPoints", 0),
            parameters=parameters,
            statements=tuple(statements),
            templates=tuple(_read_list(data, "objs")),
            loop_length=_read_whole_number(data, "maxLoopLength", LOOP_LENGTH),
            read=data,
        )


MODULE_KEYS = frozenset(
    {"numPoints", "params", "vars", "objs", "maxLoopLength", "importedFromBeta"}
)
"""Known keys of a module definition."""


def instance_scope(instance: ModuleObj, module: Module, scope: Scope) -> dict[str, float]:
    """The variables that an instance defines for the templates of its module, by name: x_1, y_1,
    x_2 ... for its points, and its parameters. Raises InvalidModule.
    """
    if len(instance.points) != module.point_count:
        raise InvalidModule(f"it has {len(instance.points)} points instead of {module.point_count}")
    chosen = instance.params
    if chosen is not None and not isinstance(chosen, Mapping):
        raise InvalidModule("its 'params' must map names to numbers")
    values = {n: v for n, value in (chosen or {}).items() if (v := as_number(value)) is not None}
    for parameter in module.parameters:
        if chosen is None:
            values[parameter.name] = evaluate_formula(parameter.default, scope)
        elif parameter.name not in chosen:
            raise InvalidModule(f"it has no value for the parameter {in_quotes(parameter.name)}")
        elif parameter.name not in values:
            raise InvalidModule(
                f"the value of its parameter {in_quotes(parameter.name)} must be a number, it is"
                f" {chosen[parameter.name]!r:.60}"
            )
    for i, p in enumerate(instance.points, 1):
        values[f"x_{i}"], values[f"y_{i}"] = p
    return values


def make_names_unique(names: Sequence[str]) -> list[str]:
    """Make names unique. A name that occurs once is unchanged; others are numbered: ``Mirror 1``,
    ``Mirror 2`` ...
    """
    total = Counter(names)
    taken = {n for n in names if total[n] == 1}
    numbered = {n: free_names(n, taken) for n in total if total[n] > 1}
    return [next(numbered[n]) if n in numbered else n for n in names]


def _read_list(data: Mapping[str, Any], key: str) -> list[Any]:
    value = data.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise InvalidModule(f"'{key}' must be a list")
    return value


def _read_whole_number(data: Mapping[str, Any], key: str, default: int) -> int:
    value = data.get(key, default)
    number = as_number(value)
    if number is None or not 0 <= number < 1e15 or number != int(number):
        raise InvalidModule(f"'{key}' must be a whole number, it is {value!r:.60}")
    return int(number)


def conflicting_names(existing: Mapping[str, Module], new: Mapping[str, Module]) -> list[str]:
    """The names whose definitions in ``existing`` and ``new`` differ."""
    return [
        name
        for name, module in new.items()
        if name in existing and existing[name].read != module.read
    ]


def names_with_used_modules(modules: Mapping[str, Module], chosen: Collection[str]) -> list[str]:
    """The names of the ``chosen`` modules and of all modules that they use, in the order of their
    definitions.
    """
    wanted, waiting = set[str](), list(chosen)
    while waiting:
        name = waiting.pop()
        if name in modules and name not in wanted:
            wanted.add(name)
            waiting += _used_module_names(modules[name].read)
    return [name for name in modules if name in wanted]


def definitions_to_add(
    existing: Mapping[str, Module],
    new: Mapping[str, Module],
    chosen: Collection[str],
    choices: Mapping[str, str],
) -> dict[str, Any]:
    """The definitions of modules to add, as JSON by name: the ``chosen`` modules and the modules
    that they use.

    ``choices`` resolve name conflicts: ``keep`` the existing definition, ``replace`` it, or a new
    name for the added definition; references are updated.
    """
    wanted = names_with_used_modules(new, chosen)
    taken = conflicting_names(existing, new)
    names = {
        n: choices[n]
        for n in wanted
        if n in taken and choices.get(n, "keep") not in ("keep", "replace")
    }
    out = {}
    for name in wanted:
        if name in existing and (name not in taken or choices.get(name, "keep") == "keep"):
            continue
        out[names.get(name, name)] = _rename_modules(new[name].read, names)
    return out


def definitions_with_new_names(
    existing: Mapping[str, Module], new: Mapping[str, Module], chosen: Collection[str]
) -> tuple[dict[str, str], dict[str, Any]]:
    """Prepare ``new`` definitions to be added to ``existing`` ones. Returns the renamed ones as old
    name → new name, and the definitions to add (``chosen`` and the modules that they use, unless
    they exist) as JSON by new name.

    A definition is renamed if an existing one of its name differs: to the name of an equal existing
    definition, else to a free name. References between them are renamed too.
    """
    names: dict[str, str] = {}
    for _ in range(len(new) + 1):  # each round, the names go one level up in what uses what
        before = names
        beside = {
            name: _free_definition_name(name, _rename_modules(module.read, before), existing, new)
            for name, module in new.items()
        }
        names = {name: to for name, to in beside.items() if to != name}
        if names == before:
            break
    wanted = [
        name
        for name in names_with_used_modules(new, chosen)
        if names.get(name, name) not in existing
    ]
    return names, {names.get(name, name): _rename_modules(new[name].read, names) for name in wanted}


def _free_definition_name(
    name: str, read: Any, existing: Mapping[str, Module], new: Mapping[str, Module]
) -> str:
    """A name for the definition ``read``: the given name if it is free or has an equal definition,
    else the name of any equal definition, else a free name.
    """
    if name not in existing or existing[name].read == read:
        return name
    same = next((there for there, known in existing.items() if known.read == read), None)
    return same or next(free_names(name, {*existing, *new}, 2))


def _used_module_names(data: Any) -> Iterator[str]:
    """Yield the names of the modules whose instances a definition (JSON) contains."""
    if isinstance(data, Mapping):
        if data.get("type") == "ModuleObj" and isinstance(data.get("module"), str):
            yield data["module"]
        for value in data.values():
            yield from _used_module_names(value)
    elif isinstance(data, list):
        for value in data:
            yield from _used_module_names(value)


def _rename_modules(data: Any, names: Mapping[str, str]) -> Any:
    if isinstance(data, Mapping):
        out = {k: _rename_modules(v, names) for k, v in data.items()}
        if out.get("type") == "ModuleObj" and out.get("module") in names:
            out["module"] = names[out["module"]]
        return out
    return [_rename_modules(v, names) for v in data] if isinstance(data, list) else data
