"""Objects that have no effect on light, in one line, since they may explain a zero in an answer."""

from __future__ import annotations

from collections.abc import Collection

from raybench.errors import elided, one_line
from raybench.kinds.faults import fault_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import Unread
from raybench.scene.modules.expansion import Expansion
from raybench.scene.scene import Scene

LONGEST = 300
"""Maximum characters about each object."""
MOST = 3
"""Maximum number of objects that are listed."""


def idle_objects(scene: Scene, disabled: Collection[int] = ()) -> str:
    """The objects of a scene without effect, with the reasons, in one line; empty if all have one.
    ``disabled``: keys to omit.
    """
    idle: list[str] = []
    for outer in scene.objects:
        if outer.key in disabled:
            continue
        if isinstance(outer, ModuleObj) and (
            text := without_parts(outer, scene.expansions[outer.key])
        ):
            idle.append(text)
        for obj in scene.with_parts_of(outer):
            if text := _without_effect(obj):
                idle.append(text)
    more = len(idle) - MOST
    listed = " ".join(elided(one_line(text), LONGEST) for text in idle[:MOST])
    return listed + (
        f" {more} more {'object has' if more == 1 else 'objects have'} no effect."
        if more > 0
        else ""
    )


def without_parts(instance: ModuleObj, expansion: Expansion) -> str:
    """The sentence about an instance of a module that has no parts; empty if it has some."""
    if expansion.trouble:
        return f"{expansion.trouble.rstrip('.')}. It is kept but has no parts."
    if not expansion.parts:
        why = "its module makes none with these points and parameters"
        return f"{instance.reference} has no parts: {why}. Change them or the module, or delete it."
    return ""


def _without_effect(obj: SceneObject) -> str:
    """Why an object has no effect, in a sentence; empty if it has one."""
    if "without effect" not in obj.derived:
        fault = (
            f"is kept but has no effect: {obj.reason}" if isinstance(obj, Unread) else fault_of(obj)
        )
        obj.derived["without effect"] = f"{obj.reference} {fault}" if fault else ""
    return str(obj.derived["without effect"])
