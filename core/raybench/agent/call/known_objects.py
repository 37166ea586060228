"""The state of each object that the model last saw, so that it does not overwrite what a person has
changed since.
"""

from __future__ import annotations

from collections.abc import Iterable

from raybench.errors import RaybenchError, first_of, in_quotes
from raybench.kinds.object import SceneObject
from raybench.scene.changes import Change
from raybench.scene.changes.change import Targeted
from raybench.scene.changes.differences import object_differences
from raybench.scene.document import Document

MOST_REPORTED = 4
"""Maximum number of differences of an object that an error lists."""


class ChangedByHand(RaybenchError):
    """A person has changed an object since the model last saw it."""


class KnownObjects:
    """The objects as the model last saw them, by key."""

    remark: str = ""
    """What the model was last told of objects without effect."""

    def __init__(self, document: Document | None = None) -> None:
        self._objects: dict[int, SceneObject] = {}
        if document is not None:
            self.update(document.scene.objects)

    def update(self, objects: Iterable[SceneObject]) -> None:
        """Record the current state of objects that the model has seen."""
        self._objects |= {o.key: o for o in objects}

    def check(self, changes: Iterable[Change], document: Document) -> None:
        """Raise ChangedByHand, which lists the differences, for changes (with keys) of an object
        that is not as the model last saw it.

        The error informs the model, so the same changes pass the next time.
        """
        keys = {
            target for change in changes if isinstance(change, Targeted) for target in change.listed
        }
        reports: list[str] = []
        for obj in document.scene.objects:
            old = self._objects.get(obj.key)
            if obj.key in keys and old is not None and old != obj:
                found = object_differences(old, obj, document.unit)
                shown = [f"{in_quotes(d.subject)} {d.label} {d.before} -> {d.after}" for d in found]
                reports.append(first_of(shown, MOST_REPORTED))
                self.update([obj])
        if reports:
            raise ChangedByHand(
                "Nothing was changed: the person has edited these objects since you last read"
                f" them: {'; '.join(reports)}. Read more with read_objects if needed, and repeat"
                " the changes if they still make sense."
            )
