"""Expansion of module instances to their parts, the objects that are traced and drawn instead of
the instance.
"""

import dataclasses
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, repeat
from typing import Any, NamedTuple

import numpy as np

from raybench.arrays import Floats
from raybench.errors import RaybenchError, elide_text, in_quotes
from raybench.formula import Scope, StepAllowance, execute_statements
from raybench.kinds.fields import Field, described_fields
from raybench.kinds.kinds import KINDS
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import MAX_NUMBER, SceneObject, objects_of_kind
from raybench.scene.codec import object_from_json
from raybench.scene.modules.module import InvalidModule, Module, instance_scope, make_names_unique
from raybench.scene.modules.seeded_random import SeededRandom
from raybench.scene.modules.templates import (
    LETTERS_PER_STEP,
    GeneratedObjects,
    fill_templates,
    javascript_number,
)
from raybench.shapes.point import Point, Vertex


class ObjectBatch(NamedTuple):
    """Objects that differ only in some fields: their addresses in the templates, the first object,
    and the values of these fields for all objects.
    """

    addresses: Sequence[tuple[int, ...]]
    first: SceneObject
    differing: Mapping[str, Iterable[Any]]

    def objects(self, names: Iterable[str], keys: Iterable[int]) -> Iterator[SceneObject]:
        """Yield the objects with the given names and keys. Can be called only once, since it
        consumes iterators.
        """
        kind = type(self.first)
        shared = {f.name: getattr(self.first, f.name) for f in dataclasses.fields(kind)}
        states = [shared.copy() for _ in self.addresses]
        for attribute, values in {
            **self.differing,
            "name" if self.first.name else "alias": names,
            "key": keys,
        }.items():
            for state, value in zip(
                states, values, strict=False
            ):  # constant columns are infinite `repeat` iterators
                state[attribute] = value
        for state in states:
            obj = object.__new__(kind)
            object.__setattr__(obj, "__dict__", state)
            yield obj


def decode_batches(filled: GeneratedObjects) -> Sequence[ObjectBatch]:
    """The objects of a filled template, in batches. Raises SceneFileError if one cannot be decoded."""
    if not filled.addresses:
        return ()
    template = filled.addresses[0][0]
    first = _decode_object(_object_json_at(filled.data, 0), template)
    differing = _differing_columns(filled.data, first)
    if differing is not None and (
        len(filled.addresses) == 1 or not isinstance(first, ModuleObj)
    ):  # instances are expanded one by one
        return [ObjectBatch(filled.addresses, first, differing)]
    return [
        ObjectBatch([a], _decode_object(_object_json_at(filled.data, k), template), {})
        for k, a in enumerate(filled.addresses)
    ]


def _differing_columns(
    data: Mapping[str, Any], first: SceneObject
) -> dict[str, Iterable[Any]] | None:
    """The values for all objects, by name, of the fields that differ between the objects, whose
    JSON contains columns. None if the objects must be decoded one by one.
    """
    with_columns = {
        key: columns for key, value in data.items() if (columns := list(_columns_in_json(value)))
    }
    fields = [f for f in described_fields(type(first)) if f.json_name in with_columns]
    if len(fields) < len(with_columns) or not all(
        bool((np.abs(c) <= MAX_NUMBER).all()) for columns in with_columns.values() for c in columns
    ):
        return None
    values = {f.name: _field_column(f, data[f.json_name], getattr(first, f.name)) for f in fields}
    return None if None in values.values() else values  # type: ignore[return-value]


def _field_column(f: Field, value: Any, first: Any) -> Iterable[Any] | None:
    """The values of a field for all objects. ``value`` is the field's JSON with columns, ``first``
    its value in the first object. None if a field of this kind cannot have columns.
    """
    match f.about.kind:
        case "number" | "coordinate":
            return _number_column(value, first)
        case "point":
            return _point_column(value, first)
        case "points":
            return zip(
                *(_point_column(v, p) for v, p in zip(value, first, strict=True)), strict=False
            )
        case "path" if not any(isinstance(v.get("arc"), np.ndarray) for v in value):
            return zip(
                *(_point_column(v, p) for v, p in zip(value, first, strict=True)), strict=False
            )
        case _:
            return None


def _point_column(value: Mapping[str, Any], first: Point | Vertex) -> Iterable[Point | Vertex]:
    xs, ys = _number_column(value["x"], first.x), _number_column(value["y"], first.y)
    if isinstance(first, Vertex):
        return map(Vertex, xs, ys, repeat(first.arc))
    return map(
        tuple.__new__, repeat(Point), zip(xs, ys, strict=False)
    )  # twice as fast as Point(x, y)


def _number_column(value: Any, first: float) -> Iterable[float]:
    return value.tolist() if isinstance(value, np.ndarray) else repeat(first)


def _columns_in_json(data: Any) -> Iterator[Floats]:
    if isinstance(data, np.ndarray):
        yield data
    elif isinstance(data, dict | list):
        for inner in data.values() if isinstance(data, dict) else data:
            yield from _columns_in_json(inner)


def _object_json_at(data: Any, index: int) -> Any:
    """The JSON of the object with this index, taken from JSON that holds columns for all objects."""
    if isinstance(data, np.ndarray):
        return data[index].item()
    if isinstance(data, dict):
        return {k: _object_json_at(v, index) for k, v in data.items()}
    return [_object_json_at(v, index) for v in data] if isinstance(data, list) else data


def _decode_object(data: Any, template: int) -> SceneObject:
    """Decode the object of a filled template. Numbers are converted if the kind's field is a flag
    or a text.
    """
    if isinstance(data, dict):
        kind = KINDS.get(data["type"]) if isinstance(data.get("type"), str) else None
        for f in described_fields(kind) if kind is not None else ():
            value = data.get(f.json_name)
            if f.about.kind == "flag" and isinstance(value, float):
                data[f.json_name] = value == value and value != 0.0
            elif f.about.kind == "text" and isinstance(value, float):
                data[f.json_name] = javascript_number(value)
            elif f.about.kind == "path" and isinstance(value, list):
                for vertex in value:
                    if isinstance(vertex, dict) and isinstance(vertex.get("arc"), float):
                        vertex["arc"] = vertex["arc"] != 0.0
    return object_from_json(data, template)


MAX_DEPTH = 30
"""Maximum nesting depth of instances within modules; stops a module that contains itself."""
STEPS_PER_OBJECT = 20
"""Steps counted for each object in addition to those of its template."""
MAX_STEPS = 1_500_000
"""Maximum number of steps (template values and formula operations) for all instances of a scene: a
few seconds.
"""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The parts of an instance in order. Inner instances are replaced by their parts. ``trouble``
    is the message of an error, which leaves no parts.

    ``steps`` is the number of evaluation steps used, ``drawn`` the number of random numbers used.
    """

    parts: tuple[SceneObject, ...] = ()
    trouble: str = ""
    steps: int = 0
    drawn: int = 0


@dataclass(frozen=True)
class _ExpansionInputs:
    """The inputs of an expansion besides the instance: the modules, the seed, the position in the
    random sequence, and the number of allowed steps.
    """

    modules: Mapping[str, Module] = field(repr=False)
    seed: str | None
    drawn: int
    allowed: int


def expand_instances(
    objects: Sequence[SceneObject], modules: Mapping[str, Module], seed: str | None
) -> dict[int, Expansion]:
    """The expansions, by key, of all instances among the objects. An unchanged instance keeps its
    earlier expansion.
    """
    out: dict[int, Expansion] = {}
    instances = objects_of_kind(objects, ModuleObj)
    if not instances:  # the usual case, and called at each step of a drag
        return out
    allowance, random = StepAllowance(MAX_STEPS), SeededRandom(seed or "")
    for _, obj in instances:
        inputs = _ExpansionInputs(modules, seed, random.position, allowance.steps)
        expansion = _cached_expansion(obj, inputs) or expand_instance(
            obj, modules, allowance, random
        )
        obj.expanded[:] = [(inputs, expansion)]
        allowance.steps, random.position = (
            inputs.allowed - expansion.steps,
            inputs.drawn + expansion.drawn,
        )
        out[obj.key] = expansion
    return out


def _cached_expansion(instance: ModuleObj, inputs: _ExpansionInputs) -> Expansion | None:
    for before, expansion in instance.expanded:
        same_numbers = expansion.drawn == 0 or (before.seed, before.drawn) == (
            inputs.seed,
            inputs.drawn,
        )
        enough = (
            (before.allowed == inputs.allowed)
            if expansion.trouble
            else expansion.steps <= inputs.allowed
        )
        if before.modules is inputs.modules and same_numbers and enough:
            return expansion  # type: ignore[no-any-return]
    return None


def expand_instance(
    instance: ModuleObj,
    modules: Mapping[str, Module],
    allowance: StepAllowance,
    random: SeededRandom,
) -> Expansion:
    """Expand one instance. An error message is returned in `Expansion.trouble`."""
    steps, drawn = allowance.steps, random.position
    parts: tuple[SceneObject, ...] = ()
    trouble = ""
    try:
        parts = tuple(
            _InstanceExpansion(instance, modules, allowance, random).parts(
                instance, instance.title, (), 1
            )
        )
    except RaybenchError as error:
        trouble = str(error)
    return Expansion(parts, trouble, steps - allowance.steps, random.position - drawn)


def parts_within_steps(
    instance: ModuleObj, modules: Mapping[str, Module], steps: int
) -> tuple[SceneObject, ...]:
    """The parts of an instance. Empty if the expansion fails, or takes more than ``steps``
    steps.
    """
    return expand_instance(instance, modules, StepAllowance(steps), SeededRandom("")).parts


@dataclass(frozen=True, slots=True)
class _InstanceExpansion:
    """The expansion of the instance ``root``. The root stores the keys of all its parts, including
    those of inner instances.
    """

    root: ModuleObj
    modules: Mapping[str, Module]
    allowance: StepAllowance
    random: SeededRandom

    def parts(
        self, instance: ModuleObj, title: str, address: tuple[int, ...], depth: int
    ) -> Iterator[SceneObject]:
        """Yield the parts of an instance with this ``title``. ``address`` is its address in the
        templates of the root.
        """
        try:
            inner = list(self.objects(instance, depth))
            letters = sum(
                len(b.addresses) * (len(title) + max(len(b.first.name), len(b.first.stem)))
                for b in inner
            )
            self.allowance.spend_steps(letters // LETTERS_PER_STEP)
        except RaybenchError as error:
            raise InvalidModule(
                f"{in_quotes(title)} (module {elide_text(instance.module)}): {error}"
            ) from None
        given = iter(
            make_names_unique([b.first.name for b in inner if b.first.name for _ in b.addresses])
        )
        derived = iter(
            make_names_unique(
                [b.first.stem for b in inner if not b.first.name for _ in b.addresses]
            )
        )
        for batch in inner:
            names = [
                f"{title}/{name}"
                for name in islice(given if batch.first.name else derived, len(batch.addresses))
            ]
            addresses = [address + inner_address for inner_address in batch.addresses]
            if isinstance(batch.first, ModuleObj):
                yield from self.parts(batch.first, names[0], addresses[0], depth + 1)
            else:
                yield from batch.objects(names, map(self.root.part_keys.__getitem__, addresses))

    def objects(self, instance: ModuleObj, depth: int) -> Iterator[ObjectBatch]:
        """Yield the objects, in batches, that the templates of the instance's module generate."""
        if depth > MAX_DEPTH:
            raise InvalidModule(
                f"modules are nested more than {MAX_DEPTH} deep: does one contain itself? End the"
                " recursion with 'if'"
            )
        module = self.modules.get(instance.module)
        if module is None:
            raise InvalidModule(
                "there is no such module; there are"
                f" {elide_text(str(sorted(self.modules) or 'none'), 400)}"
            )
        if module.trouble:
            raise InvalidModule(f"the module cannot be used: {module.trouble}")
        scope = Scope(random=self.random, allowance=self.allowance)
        scope = scope.with_more_values(instance_scope(instance, module, scope))
        for i, statement in enumerate(module.statements):
            try:
                scope = execute_statements(statement, scope)
            except RaybenchError as error:
                raise InvalidModule(f"vars[{i}] '{statement:.60}': {error}") from None
        for filled in fill_templates(module.templates, scope, module.loop_length):
            self.allowance.spend_steps(STEPS_PER_OBJECT * len(filled.addresses))
            yield from decode_batches(filled)
