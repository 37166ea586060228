"""Adding, deleting, duplicating and reordering objects."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Self

from raybench.errors import elide_text
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.fields import LENGTH, described_field, number, settable_fields
from raybench.kinds.kinds import KINDS, SAMPLES, kind_row_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import InvalidObject, SceneObject
from raybench.kinds.unread import Unread
from raybench.scene.changes.change import (
    Change,
    Target,
    Targeted,
    object_titles,
    target_keys,
)
from raybench.scene.changes.values import InvalidValue, decode_values, unknown_kind_text
from raybench.scene.codec import object_to_json
from raybench.scene.document import EDGE_ANNOTATIONS, Document, annotations_with_new_targets
from raybench.scene.free_names import free_name, free_names, name_without_number
from raybench.scene.handles import retarget_copies, with_handle_indices_updated
from raybench.scene.measurements import copy_measurements
from raybench.shapes.point import Point

_PLACES = {
    "drag": (Point(0, -20), Point(0, 20)),
    "click": (Point(0, 0),),
    "points": ((Point(0, 0), Point(40, 0), Point(20, 30)),),
}
"""The points where the mouse is pressed and released, or clicks."""


def example_object(kind: str) -> SceneObject | None:
    """A small object of a kind, as a mouse drag creates it; None for kinds that cannot be created
    by a drag.
    """
    sample = SAMPLES.get(kind)
    return None if sample is None else KINDS[kind](**sample.fields(*_PLACES[sample.by]))


MAX_OBJECTS = 100_000
"""Objects that a scene may have after a change."""
MAX_COPIES = 1000
"""Copies of an object that one change makes."""


class Add(Change):
    """Add objects to the scene. They may be given as JSON in the file format; keys are assigned on
    construction.
    """

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
            return f"{len(self.objects)} objects added"
        obj = after.scene.get(self.objects[0].key) or self.objects[0]
        named = f"{obj.label} {obj.name}" if obj.name else obj.title
        return f"{elide_text(named, 60)} added"

    @classmethod
    def subject_from_json(cls, written: Any, unit: str) -> tuple[SceneObject, ...]:
        several = written if isinstance(written, list | tuple) else [written]
        return tuple(read_object(each, unit) for each in several)

    def subject_to_json(self) -> Any:
        """The objects in the file format, without the unknown properties of the file that they were
        read from.
        """
        written = [
            object_to_json(o if isinstance(o, Unread) else replace(o, read={}))
            for o in self.objects
        ]
        return written[0] if len(written) == 1 else written


def read_object(data: Any, unit: str = "mm", owner: str = "") -> SceneObject:
    """Create an object from JSON. Unlike for JSON from a file, its kind and every field must be
    known and in range.

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
    """An index in the order of objects; ``last`` is the index after the last object. Raises
    InvalidValue for a number that is not whole or is below 0.
    """
    if not (value >= 0 and (value == int(min(value, last)) or value > last)):
        raise InvalidValue(f"An index is a whole number from 0 on; {value:g} is not.")
    return int(min(value, last))


def _kind_example_json(kind: str, given: Mapping[str, Any]) -> str:
    """The JSON of an object of a kind, as an example in an error message. Empty if ``given`` has
    all fields that are needed.
    """
    example = example_object(kind)
    written = object_to_json(example) if example is not None else {}
    return f" Such as {json.dumps(written)}." if written.keys() - given.keys() else ""


class Delete(Targeted):
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
        return f"{self.describe_targets(before)} deleted"


class Duplicate(Targeted):
    """Add copies of objects, each shifted from the one before. A copy of "Prism" is named "Prism 2"
    unless a name is given. The default shift is one grid step.

    Copies have the edge labels, coatings and finishes of their originals, are disabled or hidden if these are, and are a
    group for each whose objects are copied. A measurement all of whose points are on them is
    copied, too.
    """

    verb = "duplicate"

    dx: float | None = described_field(
        "number", None, "dx", unit=LENGTH, help="To the right; without dx and dy, one grid step."
    )
    dy: float | None = described_field("number", None, "dy", unit=LENGTH, help="Downwards.")
    count: float = number(
        1,
        "Copies",
        low=1,
        high=MAX_COPIES,
        help="How many copies of each object, each shifted from the one before.",
    )
    as_: str = described_field(
        "text",
        "",
        "Name",
        help="The name of the copy, or of a group of the copies where they are several.",
    )
    made: dict[tuple[int, int], SceneObject] = field(default_factory=dict, compare=False)
    """The first copies made, by their number and the originals' keys: each time this change is
    applied the copies have their keys.
    """

    @property
    def copies(self) -> list[int]:
        """The keys of the copies. Empty before the change is applied."""
        return [copy.key for copy in self.made.values()]

    def apply(self, document: Document) -> Document:
        if self.count not in range(1, MAX_COPIES + 1):
            raise InvalidValue(
                f"The count of copies must be a whole number from 1 to {MAX_COPIES}; {self.count:g}"
                " is not."
            )
        step = document.scene.settings.grid_size
        unshifted = self.dx is None and self.dy is None
        dx, dy = (step, step) if unshifted else (self.dx or 0.0, self.dy or 0.0)
        originals, there = self.objects(document), document.scene.objects
        name = self.as_.strip()
        if name and (name in document.groups or any(o.title == name for o in there)):
            raise InvalidValue(
                f"There is a '{elide_text(name, 60)}' already. Give the copy another name."
            )
        shifts = [(dx * k, dy * k) for k in range(1, int(self.count) + 1)]
        _check_object_count(len(there) + len(originals) * len(shifts))
        same, new, rounds = {i: i for i in range(len(there))}, list[SceneObject](), []
        held = document.groups_within({o.key for o in originals})
        treated = _keys_in_edge_annotations(document)
        for k, copies in enumerate(shifted_object_copies(document, originals, shifts, held)):
            made = [
                c.with_key_of(self.made.setdefault((k, o.key), c))
                for o, c in zip(originals, copies, strict=True)
            ]
            rounds.append(_copied_keys(originals, made, treated))
            at = {
                document.scene.index_of(o.key): i
                for i, o in enumerate(originals, len(there) + len(new))
            }
            new += retarget_copies(originals, made, at, same)
        if name and len(new) == 1:
            new = [replace(new[0], name=name)]
        doubled = with_objects_checked(document, (*there, *new))
        groups = [
            (group, [copied[k] for k in keys])
            for copied in rounds
            for group, keys in document.groups_within(copied).items()
            if not (name and len(keys) == len(new))
        ]
        grouped = groups_for_copies(doubled, groups)
        if name and len(new) > 1:
            grouped[name] = frozenset(o.key for o in new)
        measurements = dict(doubled.measurements)
        for copied in rounds:
            measurements |= copy_measurements(doubled.measurements, copied, measurements)
        pairs = [pair for copied in rounds for pair in copied.items()]
        moves = [{old: (copy,) for old, copy in copied.items()} for copied in rounds]
        of_edges = {name: dict(getattr(doubled, name)) for name in EDGE_ANNOTATIONS}
        parts = [
            moved.with_new_keys(new_keys)
            for copied, new_keys, shift in zip(rounds, moves, shifts, strict=True)
            for part in doubled.parts
            if part.present.keys() <= copied.keys()
            and (moved := part.moved(Similarity.shift(*shift))) is not None
        ]
        return doubled.with_annotations(
            **{
                name: held
                | {
                    copy: annotations_with_new_targets(held[old], new_keys)
                    for copied, new_keys in zip(rounds, moves, strict=True)
                    for old, copy in copied.items()
                    if old in held
                }
                for name, held in of_edges.items()
            },
            disabled=doubled.disabled.union(copy for old, copy in pairs if old in doubled.disabled),
            hidden=doubled.hidden.union(copy for old, copy in pairs if old in doubled.hidden),
            groups={**doubled.groups, **grouped},
            measurements=measurements,
            parts=(*doubled.parts, *parts),
        )

    def describe(self, before: Document, after: Document) -> str:
        made = [after.scene.get(key) for key in self.copies if before.scene.get(key) is None]
        named = self.as_.strip() or ", ".join(copy.title for copy in made if copy is not None)
        times = f" {self.count:g} times" if self.count > 1 else ""
        return f"{self.describe_targets(before)} duplicated{times}{f' as {elide_text(named, 60)}' if named else ''}"


def _keys_in_edge_annotations(document: Document) -> set[int]:
    """The keys of the objects and parts with annotated edges, and of those that finishes aim at."""
    aims = (f.towards for own in document.finishes.values() for f in own.values())
    keys = {key for name in EDGE_ANNOTATIONS for key in getattr(document, name)}
    return keys.union(aim for aim in aims if aim is not None)


def _copied_keys(
    originals: Sequence[SceneObject], copies: Sequence[SceneObject], annotated: Collection[int]
) -> dict[int, int]:
    """The keys of copies by those of their originals; with those of the annotated parts of
    instances.
    """
    keys: dict[int, int] = {}
    for original, copy in zip(originals, copies, strict=True):
        keys[original.key] = copy.key
        if isinstance(original, ModuleObj) and isinstance(copy, ModuleObj):
            parts = original.part_keys.items()
            keys |= {key: copy.part_keys[at] for at, key in parts if key in annotated}
    return keys


def shifted_object_copies(
    document: Document,
    objects: Sequence[SceneObject],
    shifts: Iterable[tuple[float, float]],
    groups: Mapping[str, Collection[int]],
) -> Iterator[list[SceneObject]]:
    """Yield copies of the objects for each shift. Copies get new keys, and names that no object and
    no group of the document has. A name that begins with that of one of the ``groups``, which hold
    keys of the objects, begins with the name that `groups_for_copies` gives the group's copy.
    """
    taken = {o.title for o in document.scene.objects} | set(document.groups)
    numbered: dict[str, Iterator[str]] = {}
    for shift in shifts:
        renamed = []
        for group, keys in groups.items():
            renamed.append((group, free_name(group, taken), keys))
            taken.add(renamed[-1][1])
        copies = []
        for original in objects:
            copy = original.with_new_key()
            for group, name, keys in renamed:
                if original.key in keys and copy.name.startswith(f"{group} "):
                    copy = replace(copy, name=name + copy.name.removeprefix(group))
            if not isinstance(original, Unread):
                copy = kind_row_of(copy).transformed(copy, Similarity.shift(*shift))
            if copy.name in taken:
                stem = name_without_number(copy.name)
                copy = replace(
                    copy, name=next(numbered.setdefault(stem, free_names(stem, taken, 2)))
                )
            if copy.name:
                taken.add(copy.name)
            copies.append(copy)
        yield copies


def groups_for_copies(
    document: Document, groups: Iterable[tuple[str, Iterable[int]]]
) -> dict[str, frozenset[int]]:
    """Groups for copies of objects, as sets of keys by name. The names are not used by any object
    or group of the document, which contains the copies already.
    """
    taken = {o.title for o in document.scene.objects} | set(document.groups)
    new: dict[str, frozenset[int]] = {}
    for name, keys in groups:
        free = free_name(name, taken)
        taken.add(free)
        new[free] = frozenset(keys)
    return new


class Reorder(Targeted):
    """Move objects to another position in the scene's order, which determines what is drawn on top."""

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
        return f"{self.describe_targets(before)} reordered"


def with_objects_checked(document: Document, objects: tuple[SceneObject, ...]) -> Document:
    """The document with other objects. Raises InvalidObject if there are too many objects, or if
    one occurs twice.
    """
    _check_object_count(len(objects))
    if len({o.key for o in objects}) < len(objects):
        raise InvalidObject("One of these objects is already in the scene. Duplicate it instead.")
    if objects == document.scene.objects:
        return document
    return document.with_scene(document.scene.with_objects(objects, document.groups))


def _check_object_count(objects: int) -> None:
    """Raise InvalidObject if a scene cannot have this many objects."""
    if objects > MAX_OBJECTS:
        raise InvalidObject(
            f"The scene would have {objects:,} objects; it can have {MAX_OBJECTS:,}. Add fewer."
        )
