"""From instances of modules to their parts: the objects that light meets and eyes see in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice

from core.errors import RaybenchError, elided, in_quotes
from core.formula import Allowance, Scope, execute
from core.kinds.object import SceneObject
from core.scene.modules.module import InvalidModule, Module, ModuleObj, distinct, instance_scope
from core.scene.modules.parts import Alike, alike_of
from core.scene.modules.seeded_random import SeededRandom
from core.scene.modules.templates import objects_from

DEEPEST = 30
"""How deeply instances may stand in each other's modules: one that contains itself ends here."""
OBJECT = 20
"""Steps that an object counts for, beside its template."""
MOST_STEPS = 1_500_000
"""What all instances of a scene may take together: values of templates and steps of their formulas. Some seconds."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """What an instance stands for: its parts in order, those of inner instances in their places, or the trouble that leaves it none.

    ``steps`` is what it took, ``drawn`` how many random numbers.
    """

    parts: tuple[SceneObject, ...] = ()
    trouble: str = ""
    steps: int = 0
    drawn: int = 0


@dataclass(frozen=True)
class _Before:
    """What an expansion depends on beside the instance; the random numbers only where some were drawn."""

    modules: Mapping[str, Module] = field(repr=False)
    seed: str | None
    drawn: int
    allowed: int


def expansions(objects: Iterable[SceneObject], modules: Mapping[str, Module], seed: str | None) -> dict[int, Expansion]:
    """The expansions of all instances among some objects, by their keys. An instance that did not change is not expanded anew."""
    out: dict[int, Expansion] = {}
    instances = [o for o in objects if isinstance(o, ModuleObj)]
    if not instances:  # most scenes, over and over while something is dragged
        return out
    allowance, random = Allowance(MOST_STEPS), SeededRandom(seed or "")
    for obj in instances:
        now = _Before(modules, seed, random.place, allowance.steps)
        expansion = _remembered(obj, now) or expanded(obj, modules, allowance, random)
        obj.expanded[:] = [(now, expansion)]
        allowance.steps, random.place = now.allowed - expansion.steps, now.drawn + expansion.drawn
        out[obj.key] = expansion
    return out


def _remembered(instance: ModuleObj, now: _Before) -> Expansion | None:
    for before, expansion in instance.expanded:
        same_numbers = expansion.drawn == 0 or (before.seed, before.drawn) == (now.seed, now.drawn)
        enough = (before.allowed == now.allowed) if expansion.trouble else expansion.steps <= now.allowed
        if before.modules is now.modules and same_numbers and enough:
            return expansion  # type: ignore[no-any-return]
    return None


def expanded(instance: ModuleObj, modules: Mapping[str, Module], allowance: Allowance, random: SeededRandom) -> Expansion:
    """The expansion of one instance."""
    steps, drawn = allowance.steps, random.place
    parts: tuple[SceneObject, ...] = ()
    trouble = ""
    try:
        parts = tuple(_Expanding(instance, modules, allowance, random).parts(instance, instance.title, (), 1))
    except RaybenchError as error:
        trouble = str(error)
    return Expansion(parts, trouble, steps - allowance.steps, random.place - drawn)


@dataclass(frozen=True, slots=True)
class _Expanding:
    """The expansion of one instance, whose keys its parts get, also those of inner instances."""

    root: ModuleObj
    modules: Mapping[str, Module]
    allowance: Allowance
    random: SeededRandom

    def parts(self, instance: ModuleObj, title: str, place: tuple[int, ...], depth: int) -> Iterator[SceneObject]:
        """The parts of an instance that is called ``title`` and stands at a place of the root's templates."""
        try:
            inner = list(self.objects(instance, depth))
        except RaybenchError as error:
            raise InvalidModule(f"{in_quotes(title)} (module {elided(instance.module)}): {error}") from None
        given = iter(distinct([a.one.name for a in inner if a.one.name for _ in a.places]))
        derived = iter(distinct([a.one.stem for a in inner if not a.one.name for _ in a.places]))
        for alike in inner:
            names = [f"{title}/{name}" for name in islice(given if alike.one.name else derived, len(alike.places))]
            places = [place + where for where in alike.places]
            if isinstance(alike.one, ModuleObj):
                yield from self.parts(alike.one, names[0], places[0], depth + 1)
            else:
                yield from alike.called(names, map(self.root.part_keys.__getitem__, places))

    def objects(self, instance: ModuleObj, depth: int) -> Iterator[Alike]:
        """The objects that the templates of an instance's module give."""
        if depth > DEEPEST:
            raise InvalidModule(f"modules stand in each other more than {DEEPEST} deep: does one contain itself? Give it an end with 'if'")
        module = self.modules.get(instance.module)
        if module is None:
            raise InvalidModule(f"there is no such module; there are {sorted(self.modules) or 'none'}")
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
            self.allowance.spend(OBJECT * len(filled.places))
            yield from alike_of(filled)
