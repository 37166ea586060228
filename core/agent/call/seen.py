"""Which state of each object a model was last told of: it must not change what a person has changed since."""

from __future__ import annotations

from collections.abc import Iterable

from core.errors import RaybenchError, in_quotes
from core.kinds.object import SceneObject
from core.scene.changes import Change
from core.scene.changes.change import Targeted
from core.scene.changes.differences import object_differences
from core.scene.document import Document

MOST_TOLD = 4
"""Differences of an object that an error tells."""


class ChangedByHand(RaybenchError):
    """An object was changed by somebody else since the model was told of it."""


class SeenObjects:
    """The objects as a model was last told of them, by key."""

    def __init__(self, document: Document | None = None) -> None:
        self._objects: dict[int, SceneObject] = {}
        if document is not None:
            self.see(document.scene.objects)

    def see(self, objects: Iterable[SceneObject]) -> None:
        """Note that the model was told of these objects as they are."""
        self._objects |= {o.key: o for o in objects}

    def check(self, changes: Iterable[Change], document: Document) -> None:
        """Raise ChangedByHand, which tells the differences, for changes (with keys) of an object that is not as the model was told.

        The model is then told: the same changes pass the next time.
        """
        keys = {target for change in changes if isinstance(change, Targeted) for target in change.listed}
        told: list[str] = []
        for obj in document.scene.objects:
            old = self._objects.get(obj.key)
            if obj.key in keys and old is not None and old != obj:
                found = object_differences(old, obj, document.unit)
                more = f" and {len(found) - MOST_TOLD} more" if len(found) > MOST_TOLD else ""
                told.append(", ".join(f"{in_quotes(d.subject)} {d.label} {d.before} -> {d.after}" for d in found[:MOST_TOLD]) + more)
                self.see([obj])
        if told:
            raise ChangedByHand(
                f"Nothing was changed: the person has changed what you want to change since you read it: {'; '.join(told)}. "
                "Read it with read_objects where you need more, and repeat the changes if they still make sense."
            )
