"""Locks, which prevent moving, cutting and deleting objects with the mouse and the keyboard. Forms
and code ignore locks.
"""

from collections.abc import Collection

from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.scene.scene import Scene


def is_locked(scene: Scene, obj: SceneObject) -> bool:
    """Whether an object is locked, either itself or by the scene's settings."""
    return obj.locked == "locked" or (obj.locked == "default" and scene.settings.lock_objs)


def unlocked_keys(scene: Scene, keys: Collection[int]) -> frozenset[int]:
    """The keys in ``keys`` whose objects are not locked."""
    return frozenset(o.key for o in scene.objects if o.key in keys and not is_locked(scene, o))


def movable_keys(scene: Scene, keys: Collection[int]) -> frozenset[int]:
    """The keys in ``keys`` whose objects can be dragged: they are not locked, could be read, and
    have a position of their own.
    """
    return frozenset(
        o.key
        for o in scene.objects
        if o.key in keys
        and not is_locked(scene, o)
        and not (isinstance(o, UnreadObject) or (isinstance(o, ModuleObj) and not o.points))
    )
