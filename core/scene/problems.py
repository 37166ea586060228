"""What a scene holds that this program cannot use: kept, but said."""

from __future__ import annotations

from dataclasses import dataclass

from core.scene.fields import fields_of
from core.scene.outline import fault_of
from core.scene.scene import Scene
from core.scene.settings import Settings
from core.scene.unread import Unread

KEPT = frozenset({"version", "name", "objs", "modules", "backgroundImage"})
"""Keys of a scene that are not settings, and known."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to know about a scene; ``key`` is the object it concerns, None for the scene itself."""

    key: int | None
    text: str


def problems_of(scene: Scene) -> tuple[Problem, ...]:
    """Everything in the scene that is kept in the file but has no effect here."""
    out = [Problem(None, f"Unknown setting '{k}' is kept but has no effect.") for k in scene.read if k not in _known_settings()]
    for o in scene.objects:
        if isinstance(o, Unread):
            out.append(Problem(o.key, f"'{o.title}' ({o.type}) is kept but has no effect: {o.reason}"))
            continue
        if fault := fault_of(o):
            out.append(Problem(o.key, f"'{o.title}' ({o.type}) has no outline: {fault}"))
        known = {f.json_name for f in fields_of(type(o))} | {"type", "notDone"}
        for k in o.read:
            if k not in known:
                out.append(Problem(o.key, f"'{o.title}' ({o.type}): unknown property '{k}' is kept but has no effect."))
    return tuple(out)


def _known_settings() -> frozenset[str]:
    return KEPT | {f.json_name for f in fields_of(Settings)}
