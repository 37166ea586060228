"""Which objects a person may move, cut and delete by hand. Changes made by number or by code are not bound by locks."""

from __future__ import annotations

from collections.abc import Collection

from core.kinds.object import SceneObject
from core.kinds.unread import Unread
from core.scene.scene import Scene


def is_locked(scene: Scene, obj: SceneObject) -> bool:
    """Whether an object is locked, itself or by the scene's settings."""
    return obj.locked == "locked" or (obj.locked == "default" and scene.settings.lock_objs)


def unlocked(scene: Scene, keys: Collection[int]) -> frozenset[int]:
    """The keys of those among some objects that are not locked."""
    return frozenset(o.key for o in scene.objects if o.key in keys and not is_locked(scene, o))


def movable(scene: Scene, keys: Collection[int]) -> frozenset[int]:
    """The keys of those among some objects that can be moved by hand: not locked, and of a known position."""
    return frozenset(o.key for o in scene.objects if o.key in keys and not is_locked(scene, o) and not isinstance(o, Unread))
