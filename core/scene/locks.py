"""Which objects a person may move, cut and delete by hand. Changes made by number or by code are not bound by locks."""

from __future__ import annotations

from collections.abc import Collection

from core.kinds.object import SceneObject
from core.kinds.unread import Unread
from core.scene.modules.module import ModuleObj
from core.scene.scene import Scene


def is_locked(scene: Scene, obj: SceneObject) -> bool:
    """Whether an object is locked, itself or by the scene's settings."""
    return obj.locked == "locked" or (obj.locked == "default" and scene.settings.lock_objs)


def unlocked(scene: Scene, keys: Collection[int]) -> frozenset[int]:
    """The keys of those among some objects that are not locked."""
    return frozenset(o.key for o in scene.objects if o.key in keys and not is_locked(scene, o))


def movable(scene: Scene, keys: Collection[int]) -> frozenset[int]:
    """The keys of those among some objects that can be moved by hand: not locked, and of a known position that is theirs to choose."""
    return frozenset(o.key for o in scene.objects if o.key in keys and not is_locked(scene, o) and not _is_fixed(o))


def _is_fixed(obj: SceneObject) -> bool:
    """Whether an object has no points to be moved by: it cannot be read, or its module places it."""
    return isinstance(obj, Unread) or (isinstance(obj, ModuleObj) and not obj.points)
