"""Expansion of module instances to their parts: the objects that are traced and drawn instead of
the instance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from raybench.errors import RaybenchError, elided, in_quotes
from raybench.formula import Allowance, Scope, execute
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.scene.modules.module import InvalidModule, Module, distinct, instance_scope
from raybench.scene.modules.parts import Batch, batches_of
from raybench.scene.modules.seeded_random import SeededRandom
from raybench.scene.modules.templates import LETTERS_PER_STEP, objects_from

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
    """The parts of an instance in order, with inner instances replaced by theirs. ``trouble`` is an
    error message if it has none.

    ``steps`` is the number of steps used, ``drawn`` the number of random numbers used.
    """

    parts: tuple[SceneObject, ...] = ()
    trouble: str = ""
    steps: int = 0
    drawn: int = 0


@dataclass(frozen=True)
class _Inputs:
    """The inputs of an expansion besides the instance: modules, seed, position in the random
    sequence, and allowed steps.
    """

    modules: Mapping[str, Module] = field(repr=False)
    seed: str | None
    drawn: int
    allowed: int


def expansions(
    objects: Iterable[SceneObject], modules: Mapping[str, Module], seed: str | None
) -> dict[int, Expansion]:
    """The expansions of all instances among the objects, by key. The expansion of an unchanged
    instance is cached in it.
    """
    out: dict[int, Expansion] = {}
    instances = [o for o in objects if isinstance(o, ModuleObj)]
    if not instances:  # the usual case, and called at each step of a drag
        return out
    allowance, random = Allowance(MAX_STEPS), SeededRandom(seed or "")
    for obj in instances:
        inputs = _Inputs(modules, seed, random.position, allowance.steps)
        expansion = _cached(obj, inputs) or expanded(obj, modules, allowance, random)
        obj.expanded[:] = [(inputs, expansion)]
        allowance.steps, random.position = (
            inputs.allowed - expansion.steps,
            inputs.drawn + expansion.drawn,
        )
        out[obj.key] = expansion
    return out


def _cached(instance: ModuleObj, now: _Inputs) -> Expansion | None:
    for before, expansion in instance.expanded:
        same_numbers = expansion.drawn == 0 or (before.seed, before.drawn) == (now.seed, now.drawn)
        enough = (
            (before.allowed == now.allowed) if expansion.trouble else expansion.steps <= now.allowed
        )
        if before.modules is now.modules and same_numbers and enough:
            return expansion  # type: ignore[no-any-return]
    return None


def expanded(
    instance: ModuleObj, modules: Mapping[str, Module], allowance: Allowance, random: SeededRandom
) -> Expansion:
    """Expand one instance; errors are returned in `Expansion.trouble`."""
    steps, drawn = allowance.steps, random.position
    parts: tuple[SceneObject, ...] = ()
    trouble = ""
    try:
        parts = tuple(
            _Expanding(instance, modules, allowance, random).parts(instance, instance.title, (), 1)
        )
    except RaybenchError as error:
        trouble = str(error)
    return Expansion(parts, trouble, steps - allowance.steps, random.position - drawn)


def preview(
    instance: ModuleObj, modules: Mapping[str, Module], steps: int
) -> tuple[SceneObject, ...]:
    """The parts that an instance would have; none if that takes more than so many steps, or is
    impossible.
    """
    return expanded(instance, modules, Allowance(steps), SeededRandom("")).parts


@dataclass(frozen=True, slots=True)
class _Expanding:
    """The expansion of one instance, ``root``, which holds the keys of all its parts, those of
    inner instances included.
    """

    root: ModuleObj
    modules: Mapping[str, Module]
    allowance: Allowance
    random: SeededRandom

    def parts(
        self, instance: ModuleObj, title: str, address: tuple[int, ...], depth: int
    ) -> Iterator[SceneObject]:
        """The parts of the instance called ``title`` at an ``address`` in the root's templates."""
        try:
            inner = list(self.objects(instance, depth))
            letters = sum(
                len(b.addresses) * (len(title) + max(len(b.first.name), len(b.first.stem)))
                for b in inner
            )
            self.allowance.spend(letters // LETTERS_PER_STEP)
        except RaybenchError as error:
            raise InvalidModule(
                f"{in_quotes(title)} (module {elided(instance.module)}): {error}"
            ) from None
        given = iter(distinct([b.first.name for b in inner if b.first.name for _ in b.addresses]))
        derived = iter(
            distinct([b.first.stem for b in inner if not b.first.name for _ in b.addresses])
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

    def objects(self, instance: ModuleObj, depth: int) -> Iterator[Batch]:
        """The objects generated by the templates of an instance's module."""
        if depth > MAX_DEPTH:
            raise InvalidModule(
                f"modules are nested more than {MAX_DEPTH} deep: does one contain itself? End the"
                " recursion with 'if'"
            )
        module = self.modules.get(instance.module)
        if module is None:
            raise InvalidModule(
                "there is no such module; there are"
                f" {elided(str(sorted(self.modules) or 'none'), 400)}"
            )
        if module.trouble:
            raise InvalidModule(f"the module cannot be used: {module.trouble}")
        scope = Scope(random=self.random, allowance=self.allowance)
        scope = scope.with_values(instance_scope(instance, module, scope))
        for i, statement in enumerate(module.statements):
            try:
                scope = execute(statement, scope)
            except RaybenchError as error:
                raise InvalidModule(f"vars[{i}] '{statement:.60}': {error}") from None
        for filled in objects_from(module.templates, scope, module.loop_length):
            self.allowance.spend(STEPS_PER_OBJECT * len(filled.addresses))
            yield from batches_of(filled)
