"""The change that replaces an object by another one, as when its JSON text is edited."""

import dataclasses
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from raybench.errors import elide_text, list_first_texts
from raybench.kinds.fields import described_field
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.kinds import KINDS
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject, next_object_key
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes.change import Change, TargetedChange, with_objects_replaced
from raybench.scene.changes.differences import object_differences
from raybench.scene.changes.objects import read_object
from raybench.scene.changes.setting import check_module_exists
from raybench.scene.changes.values import InvalidValue
from raybench.scene.codec import json_names, object_to_json, read_object_or_unread
from raybench.scene.document import Document

MAX_DESCRIBED = 3
"""Number of differences that the description of the change names."""


class Replace(TargetedChange):
    """Replace an object by another object, which is given as JSON of the file format. The new
    object has the same index, groups and annotations.

    In contrast to `raybench.scene.changes.Set`, the JSON states the whole object: missing fields
    get their defaults. Unknown properties from the file may be kept.
    """

    verb = "replace"

    with_: Mapping[str, Any] = described_field(
        "scene_object", None, "Object", help="The object in the file format, with its type."
    )

    parts: dict[tuple[int, ...], int] = dataclasses.field(
        default_factory=lambda: defaultdict(next_object_key), compare=False
    )
    """The keys of the parts of an instance in place of another kind of object: the same each time
    this change is applied.
    """

    def apply(self, document: Document) -> Document:
        if self.with_ is None:
            raise InvalidValue("'replace' needs the new object in 'with'.")
        objects = self.objects(document)
        if len(objects) != 1:
            raise InvalidValue(
                f"'replace' takes one object, not {len(objects)}. Give a change for each."
            )
        new = replace_object(objects[0], self.with_, document.unit)
        if new is objects[0]:
            return document
        if isinstance(new, ModuleObj):
            check_module_exists(new, new.reference, document.scene)
            if not isinstance(objects[0], ModuleObj):
                new = dataclasses.replace(new, part_keys=self.parts)
        return with_objects_replaced(document, {new.key: new})

    def describe(self, before: Document, after: Document) -> str:
        (old,) = self.objects(before)
        changed = object_differences(old, after.scene.get(old.key) or old, after.unit)
        texts = [
            Phrase("{label} {before} -> {after}", label=d.label, before=d.before, after=d.after)
            for d in changed
        ]
        name = elide_text(old.title, 60)
        if not texts:
            return Phrase("{objects} rewritten", objects=name)
        return Phrase(
            "{objects}: {changes}", objects=name, changes=list_first_texts(texts, MAX_DESCRIBED)
        )

    def merge_consecutive(self, after: Change) -> Change | None:
        return (
            after
            if isinstance(after, Replace) and after.target_tuple == self.target_tuple
            else None
        )


def replace_object(old: SceneObject, data: Any, unit: str) -> SceneObject:
    """Read an object from JSON to replace an existing object, whose key it gets. Raises
    InvalidValue or InvalidObject.
    """
    if isinstance(old, UnreadObject) and data == object_to_json(old):
        return old
    if (
        isinstance(old, UnreadObject)
        and isinstance(data, Mapping)
        and data.get("type") == old.read.get("type")
    ):
        new = read_object_or_unread(dict(data), 0)
        if (
            isinstance(new, UnreadObject) and new.reason == old.reason
        ):  # unchanged: another program may read it
            return dataclasses.replace(new, key=old.key, alias=old.alias, place=old.place)
    own = data
    if isinstance(data, Mapping):  # without what only other programs know
        kind = KINDS.get(str(data.get("type")))
        known = {"type", *(json_names(kind) if kind is not None else ())}
        own = {k: v for k, v in data.items() if k in known or k not in old.read}
    new = read_object(own, unit, json_object_description(data, old))
    same = type(new) is type(old)
    values: dict[str, Any] = {"alias": old.alias if same else "", "read": dict(data)}
    if isinstance(new, HomogeneousGlass) and isinstance(old, HomogeneousGlass):
        values["assigned"] = old.assigned
    new = dataclasses.replace(new.with_key_of(old), **values)
    # what only other programs know is not compared by ==
    return old if same and new == old and object_to_json(old) == object_to_json(new) else new


def json_object_description(data: Any, old: SceneObject | None = None) -> str:
    """The words for an object in error messages, from its JSON ``data``. Empty if the JSON
    describes no object.
    """
    if not isinstance(data, Mapping):
        return ""
    kind, name = (str(data.get(k) or "") for k in ("type", "name"))
    if name := name or (old.title if old is not None else ""):
        return f"'{elide_text(name, 60)}' ({elide_text(kind, 60)})"
    return f"The {elide_text(kind, 60)}" if kind else "The object"
