"""Problems of a scene: what is kept in the file but has no effect, and what is physically wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from core.errors import elided, in_quotes, one_line
from core.kinds.faults import fault_of, remarks_on
from core.kinds.fields import fields_of
from core.kinds.module_instance import ModuleObj
from core.kinds.object import SceneObject
from core.kinds.unread import Unread
from core.scene.modules.expansion import Expansion
from core.scene.modules.module import MODULE_KEYS, Module
from core.scene.numerical_tolerances import tolerance_faults
from core.scene.scene import Scene
from core.scene.settings import Settings

LONGEST_IDLE = 300
"""Length limit of what is told of each, characters."""
MOST_IDLE = 3
"""Maximum number of objects without effect that are told in a line."""
MAX_PARTS = 3
"""Maximum number of problems reported for the parts of one instance."""
KEPT = frozenset({"version", "name", "objs", "modules", "backgroundImage"})
"""Known keys of a scene's JSON that are not settings."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem; ``key`` is the object's key, None for a problem of the scene itself; ``idle``: the object has no effect because of it."""

    key: int | None
    text: str
    idle: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", one_line(self.text))


def problems_of(scene: Scene) -> tuple[Problem, ...]:
    """All problems of a scene: first of its settings and modules, then of its objects in order."""
    out = [Problem(None, f"Unknown setting {in_quotes(k)} is kept but has no effect.") for k in scene.read if k not in _known_settings()]
    out += [Problem(None, text) for text in tolerance_faults(scene.settings.numerical_tolerances)]
    for module in scene.modules.values():
        out += [Problem(None, text) for text in _of_definition(module)]
    global _known
    known, _known = _known, {}
    for o in scene.objects:
        seen = known.get(o.key)
        found = seen[1] if seen is not None and seen[0] is o else tuple(_of_object(o))
        _known[o.key] = o, found
        out += found
        if isinstance(o, ModuleObj):
            out += _of_parts(o, scene.expansions[o.key])
    return tuple(out)


def idle_objects(scene: Scene, disabled: Collection[int] = ()) -> str:
    """Which objects of a scene have no effect, and why, in a line; empty if all have one. ``disabled``: keys of those not to be told."""
    idle = [elided(p.text, LONGEST_IDLE) for p in problems_of(scene) if p.idle and p.key not in disabled]
    more = len(idle) - MOST_IDLE
    return " ".join(idle[:MOST_IDLE]) + (f" {more} more objects have no effect." if more > 0 else "")


_known: dict[int, tuple[SceneObject, tuple[Problem, ...]]] = {}
"""The problems of the objects of the scene examined last, by key: an edit of one object leaves thousands of others as they were."""


def _of_object(o: SceneObject) -> Iterator[Problem]:
    if isinstance(o, Unread):
        yield Problem(o.key, f"{o.reference} is kept but has no effect: {o.reason}", idle=True)
        return
    fault = fault_of(o)
    for text in (fault,) if fault else remarks_on(o):
        yield Problem(o.key, f"{o.reference} {text}", idle=bool(fault))
    known = {f.json_name for f in fields_of(type(o))} | {"type", "notDone"}
    for k in o.read:
        if k not in known:
            yield Problem(o.key, f"{o.reference}: unknown property {in_quotes(k)} is kept but has no effect.")


def _of_definition(module: Module) -> Iterator[str]:
    if module.trouble:
        yield f"Module {in_quotes(module.name)} is kept but cannot be used: {module.trouble}."
        return
    for k in module.read:
        if k not in MODULE_KEYS:
            yield f"Module {in_quotes(module.name)}: unknown property {in_quotes(k)} is kept but has no effect."


def _of_parts(instance: ModuleObj, expansion: Expansion) -> Iterator[Problem]:
    """Problems of an instance: the error of its expansion, and the problems of its first few faulty parts."""
    if expansion.trouble:
        yield Problem(instance.key, f"{expansion.trouble.rstrip('.')}. It is kept but has no parts.", idle=True)
    found = [problem for part in expansion.parts for problem in _of_object(part)]
    yield from (replace(problem, key=instance.key) for problem in found[:MAX_PARTS])
    if len(found) > MAX_PARTS:
        yield Problem(instance.key, f"{in_quotes(instance.title)}: {len(found) - MAX_PARTS} more problems of its parts.")


def _known_settings() -> frozenset[str]:
    return KEPT | {f.json_name for f in fields_of(Settings)}
