"""Adding, deleting and reordering objects."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from raybench.errors import elide_text
from raybench.kinds.fields import described_field, settable_fields
from raybench.kinds.kinds import KINDS, SAMPLES
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes.change import (
    Change,
    Target,
    TargetedChange,
    object_titles,
    target_keys,
)
from raybench.scene.changes.values import InvalidValue, decode_values, unknown_kind_text
from raybench.scene.codec import object_to_json
from raybench.scene.document import Document
from raybench.scene.handles import with_handle_indices_updated
from raybench.shapes.point import Point

_PLACES = {
    "drag": (Point(0, -20), Point(0, 20)),
    "click": (Point(0, 0),),
    "points": ((Point(0, 0), Point(40, 0), Point(20, 30)),),
}
"""The points where the mouse is pressed and released, or clicks."""


def example_object(kind: str) -> SceneObject | None:
    """A small object of a kind, as a mouse drag would create it; None for kinds that cannot be
    created by a drag.
    """
    sample = SAMPLES.get(kind)
    return None if sample is None else KINDS[kind](**sample.fields(*_PLACES[sample.by]))


MAX_OBJECTS = 100_000
"""Objects that a scene may have after a change."""


class Add(Change):
    """Add objects to the scene. Objects may be JSON in the file format."""

    verb = "add"
    subject = "objects"

    objects: tuple[SceneObject, ...]
    at: float | None = described_field(
        "number",
        None,
        "At",
        low=0,
        help="The index of the first of them, counted from 0; without it, the end.",
    )

    def __post_init__(self) -> None:
        given: Any = self.objects
        several = [given] if isinstance(given, SceneObject | Mapping) else list(given)
        object.__setattr__(
            self,
            "objects",
            tuple(o if isinstance(o, SceneObject) else read_object(o) for o in several),
        )

    def apply(self, document: Document) -> Document:
        there = document.scene.objects
        at = len(there) if self.at is None else _read_index(self.at, len(there))
        new = with_handle_indices_updated(there, (*there[:at], *self.objects, *there[at:]))
        # what these hold is counted among all objects already
        behind = new[at + len(self.objects) :]
        return with_objects_checked(document, (*new[:at], *self.objects, *behind))

    def describe(self, before: Document, after: Document) -> str:
        if len(self.objects) != 1:
            return Phrase("{count} objects added", count=len(self.objects))
        obj = after.scene.get(self.objects[0].key) or self.objects[0]
        if not obj.name:
            return Phrase("{objects} added", objects=elide_text(obj.title, 60))
        name = elide_text(obj.name, 60)
        return Phrase("{kind} {name} added", kind=Phrase(obj.label), name=name)

    @classmethod
    def subject_from_json(cls, written: Any, unit: str) -> tuple[SceneObject, ...]:
        several = written if isinstance(written, list | tuple) else [written]
        return tuple(read_object(each, unit) for each in several)

    def subject_to_json(self) -> Any:
        """The objects in the file format, without unknown properties from the file."""
        written = [
            object_to_json(o if isinstance(o, UnreadObject) else replace(o, read={}))
            for o in self.objects
        ]
        return written[0] if len(written) == 1 else written


def read_object(data: Any, unit: str = "mm", owner: str = "") -> SceneObject:
    """Create an object from JSON. Unlike in a file, the kind and every field must be known and in
    range.

    ``unit`` is the document's length unit, for lengths such as "5 mm"; ``owner`` names the object
    in errors. Raises InvalidValue or InvalidObject.
    """
    if not isinstance(data, Mapping):
        raise InvalidValue(
            'An object is JSON such as {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x": 0,'
            ' "y": 50}}.'
        )
    kind = data.get("type")
    owner = owner or f"The new {kind or 'object'}"
    if kind is None:
        raise InvalidValue(f"{owner} has no 'type', such as Mirror or Glass.")
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidValue(unknown_kind_text(kind), "type")
    fields = settable_fields(KINDS[kind])
    values = {k: v for k, v in data.items() if k != "type"}
    defaults = {f.name: None if f.is_required else f.default for f in fields}
    new = decode_values(values, fields, defaults, owner, unit, part=False)
    power = {"power": new.pop("power")} if "power" in new else {}
    missing = [
        f.json_name
        for f in fields
        if f.is_required and new.get(f.name) is None and f.about.kind != "points"
    ]
    if missing:
        raise InvalidValue(f"{owner} needs {', '.join(missing)}.{_kind_example_json(kind, data)}")
    try:
        made: SceneObject = KINDS[kind](
            **{f.name: () for f in fields if f.about.kind == "points"} | new
        ).with_fields(power)
    except InvalidObject as error:
        raise InvalidObject(
            f"{str(error).removesuffix('.')}.{_kind_example_json(kind, data)}"
        ) from None
    return made


def _read_index(value: float, last: int) -> int:
    """Read an index in the order of objects. ``last`` is the index after the last object. Raises
    InvalidValue unless the number is an integer of at least 0.
    """
    if not (value >= 0 and (value == int(min(value, last)) or value > last)):
        raise InvalidValue(f"An index is a whole number from 0 on; {value:g} is not.")
    return int(min(value, last))


def _kind_example_json(kind: str, given: Mapping[str, Any]) -> str:
    """The JSON of an object of a kind, as an example in an error message. Empty if ``given`` has
    all required fields.
    """
    example = example_object(kind)
    written = object_to_json(example) if example is not None else {}
    return f" Such as {json.dumps(written)}." if written.keys() - given.keys() else ""


class Delete(TargetedChange):
    """Delete objects and their annotations. A group that has no objects left is deleted too."""

    verb = "delete"

    def apply(self, document: Document) -> Document:
        scene, keys = document.scene, frozenset(self.keys(document))
        rest = with_handle_indices_updated(
            scene.objects, [o for o in scene.objects if o.key not in keys]
        )
        after = document.with_scene(scene.with_objects(rest))
        return after.with_new_keys(dict.fromkeys(scene.keys_with_parts(keys), ()))

    def describe(self, before: Document, after: Document) -> str:
        return Phrase("{objects} deleted", objects=self.describe_targets(before))


class Reorder(TargetedChange):
    """Move objects to another position in the object order of the scene. Later objects are drawn on
    top.
    """

    verb = "reorder"

    before: Target | None = described_field(
        "object", None, "Before", help="The object or group to move them before."
    )
    after: Target | None = described_field(
        "object", None, "After", help="The object or group to move them after."
    )
    to: float | None = described_field(
        "number", None, "To", low=0, help="The index of the first of them, counted from 0."
    )

    def apply(self, document: Document) -> Document:
        scene, keys = document.scene, self.keys(document)
        moving = [o for o in scene.objects if o.key in keys]
        rest = [o for o in scene.objects if o.key not in keys]
        if [self.before, self.after, self.to].count(None) != 2:
            raise InvalidValue("To reorder, give one of before, after and to.")
        if self.to is not None:
            at = _read_index(self.to, len(rest))
        else:
            # of a group before its first object, or after its last one
            anchors = target_keys(document, [a for a in (self.before, self.after) if a is not None])
            anchor = anchors[-1 if self.before is None else 0]
            if anchor in keys:
                raise InvalidValue(
                    "Objects cannot be moved before or after themselves. Name another object."
                )
            at = [o.key for o in rest].index(anchor) + (self.after is not None)
        new = (*rest[:at], *moving, *rest[at:])
        if new == scene.objects:
            return document
        return document.with_scene(
            scene.with_objects(with_handle_indices_updated(scene.objects, new))
        )

    def replace_names_by_keys(self, document: Document) -> Self:
        before, after = (
            None if a is None else target_keys(document, (a,))[at]
            for a, at in ((self.before, 0), (self.after, -1))
        )
        return replace(super().replace_names_by_keys(document), before=before, after=after)

    def replace_keys_by_names(self, document: Document) -> Self:
        before, after = (
            a if a is None else object_titles(document.scene, target_keys(document, (a,)))[0]
            for a in (self.before, self.after)
        )
        return replace(super().replace_keys_by_names(document), before=before, after=after)

    def describe(self, before: Document, after: Document) -> str:
        return Phrase("{objects} reordered", objects=self.describe_targets(before))


def with_objects_checked(document: Document, objects: tuple[SceneObject, ...]) -> Document:
    """The document with other objects, after a check. Raises InvalidObject if there are too many
    objects, or if an object occurs twice.
    """
    check_object_count(len(objects))
    if len({o.key for o in objects}) < len(objects):
        raise InvalidObject("One of these objects is already in the scene. Duplicate it instead.")
    if objects == document.scene.objects:
        return document
    return document.with_scene(document.scene.with_objects(objects, document.groups))


def check_object_count(objects: int) -> None:
    """Raise InvalidObject if a scene cannot have this many objects."""
    if objects > MAX_OBJECTS:
        raise InvalidObject(
            f"The scene would have {objects:,} objects; it can have {MAX_OBJECTS:,}. Add fewer."
        )
