"""Replacing an object by another in its place, as text that describes it is edited."""

import dataclasses
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from raybench.errors import elided, first_of
from raybench.kinds.fields import described, fields_of
from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.kinds import KINDS
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject, next_key
from raybench.kinds.unread import Unread
from raybench.scene.changes.change import Change, Targeted, with_replaced
from raybench.scene.changes.differences import object_differences
from raybench.scene.changes.objects import read_object
from raybench.scene.changes.setting import check_module
from raybench.scene.changes.values import InvalidValue, decode_values, no_kind, suggest_names
from raybench.scene.codec import object_or_unread, object_to_json
from raybench.scene.document import Document

MAX_WORDS = 3
"""Number of differences that the description of the change names."""


class Replace(Targeted):
    """Replace an object by another, given as JSON of the file format: it keeps its place, its
    groups and its annotations.

    Unlike `raybench.scene.changes.Set` it states the whole object: fields that the JSON leaves out
    have their defaults. Properties that only other programs know may stay.
    """

    verb = "replace"

    with_: Mapping[str, Any] = described(
        "scene_object", None, "Object", help="The object in the file format, with its type."
    )

    parts: dict[tuple[int, ...], int] = dataclasses.field(
        default_factory=lambda: defaultdict(next_key), compare=False
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
            check_module(new, new.reference, document.scene)
            if not isinstance(objects[0], ModuleObj):
                new = dataclasses.replace(new, part_keys=self.parts)
        return with_replaced(document, {new.key: new})

    def describe(self, before: Document, after: Document) -> str:
        (old,) = self.objects(before)
        changed = object_differences(old, after.scene.get(old.key) or old, after.unit)
        parts = first_of([f"{d.label} {d.before} -> {d.after}" for d in changed], MAX_WORDS)
        return f"{elided(old.title, 60)}{f': {parts}' if parts else ' rewritten'}"

    def merged(self, after: Change) -> Change | None:
        return after if isinstance(after, Replace) and after.listed == self.listed else None


def replace_object(old: SceneObject, data: Any, unit: str) -> SceneObject:
    """The object that JSON describes in the place of another, whose key it has. Raises InvalidValue
    or InvalidObject.
    """
    if isinstance(old, Unread) and data == object_to_json(old):
        return old
    if (
        isinstance(old, Unread)
        and isinstance(data, Mapping)
        and data.get("type") == old.read.get("type")
    ):
        new = object_or_unread(dict(data), 0)
        if (
            isinstance(new, Unread) and new.reason == old.reason
        ):  # unchanged: another program may read it
            return dataclasses.replace(new, key=old.key, alias=old.alias, place=old.place)
    if fault := fault_in(data, unit, old):
        raise InvalidValue(fault[1])
    kept = foreign_names(data, old)
    new = read_object({k: v for k, v in data.items() if k not in kept}, unit, owner_of(data, old))
    same = type(new) is type(old)
    values: dict[str, Any] = {"alias": old.alias if same else "", "read": dict(data)}
    if isinstance(new, HomogeneousGlass) and isinstance(old, HomogeneousGlass):
        values["assigned"] = old.assigned
    new = dataclasses.replace(new.identified_as(old), **values)
    # what only other programs know is not compared by ==
    return old if same and new == old and object_to_json(old) == object_to_json(new) else new


def foreign_names(data: Mapping[str, Any], old: SceneObject | None) -> frozenset[str]:
    """The names in an object's JSON that have no meaning here, but were already there in the file."""
    kind = KINDS.get(str(data.get("type")))
    known = {f.json_name for f in fields_of(kind)} | {"type"} if kind is not None else set()
    return frozenset(k for k in data if k not in known and old is not None and k in old.read)


def owner_of(data: Any, old: SceneObject | None) -> str:
    """How errors name the object that JSON describes."""
    kind, name = (str(data.get(k) or "") for k in ("type", "name"))
    name = name or (old.title if old is not None else "")
    return (
        f"'{elided(name, 60)}' ({elided(kind, 60)})"
        if name
        else f"The {elided(kind, 60)}".strip()
        if kind
        else "The object"
    )


def fault_in(data: Any, unit: str, old: SceneObject | None = None) -> tuple[str, str] | None:
    """The fault in the JSON of an object: the path to the invalid part, and the reason; None for
    valid JSON.
    """
    if not isinstance(data, Mapping):
        return (
            "",
            (
                'An object is JSON such as {"type": "Mirror", "p1": {"x": 0, "y": 0}, "p2": {"x":'
                ' 0, "y": 50}}.'
            ),
        )
    owner, kept = owner_of(data, old), foreign_names(data, old)
    kind = data.get("type")
    if kind is None:
        return "", f"{owner} has no 'type', such as Mirror or Glass"
    if not isinstance(kind, str) or kind not in KINDS:
        return "type", no_kind(kind)
    fields = {f.json_name: f for f in fields_of(KINDS[kind])}
    values = {k: v for k, v in data.items() if k != "type" and k not in kept}
    for name, value in values.items():
        if name not in fields:
            return (
                name,
                f"{owner} has no field {elided(name, 60)!r}. {suggest_names(name, list(fields))}",
            )
        if value is None and fields[name].default is None:
            continue
        f = fields[name]
        try:
            decode_values(
                {name: value},
                [f],
                {f.name: None if f.required else f.default},
                owner,
                unit,
                part=False,
            )
        except InvalidValue as error:
            return part_named((name,), str(error)), str(error)
    return None


def part_named(names: Iterable[str], text: str) -> str:
    """The path to a part of one of the fields that an error names, such as ``path[2].x``; empty if
    it names none.
    """
    for name in names:
        if found := re.search(
            rf"(?<!\w){re.escape(name)}(?: ?\[\d+\])?(?:\[\d+\]|\.[A-Za-z]\w*)*", text
        ):
            return found[0].replace(" ", "")
    return ""
