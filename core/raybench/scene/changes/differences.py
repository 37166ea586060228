"""The differences between two documents, value by value, in words; and the matching of documents
that were read separately, so that they can be compared.
"""

import dataclasses
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from raybench.errors import elided
from raybench.kinds.fields import fields_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import Unread
from raybench.scene.background import Background
from raybench.scene.changes.setting import kept_entries
from raybench.scene.changes.values import NOTHING, format_value, label_of, part_of
from raybench.scene.document import Document
from raybench.scene.materials import material_of
from raybench.scene.measurements import Measurement

MAX_ITEMS = 6
"""Maximum items of a list, such as corners, whose differences are listed individually."""


@dataclass(frozen=True)
class Difference:
    """A value that differs: its owner (an object's name, ``Settings`` ...), its label, and its
    texts in both documents.

    ``key`` is the object's. An object that is new or gone has one difference, with an empty text
    ``before`` or ``after``.
    """

    subject: str
    label: str
    before: str
    after: str
    key: int | None = None

    def __str__(self) -> str:
        if not self.before:
            return f"{self.subject} {self.after}"
        if not self.after:
            return f"{self.subject} deleted"
        return f"{self.subject}: {self.label} {self.before} -> {self.after}"


def document_differences(before: Document, after: Document) -> tuple[Difference, ...]:
    """All differences: objects in the order of the scene, then annotations, settings and the
    document's own values.
    """
    if before is after:
        return ()
    return (
        *_of_objects(before, after),
        *_of_annotations(before, after),
        *_of_document(before, after),
    )


def object_differences(
    before: SceneObject, after: SceneObject, unit: str
) -> tuple[Difference, ...]:
    """The differences between two states of an object."""
    if type(before) is not type(after) or isinstance(after, Unread):
        return (
            ()
            if before == after
            else (Difference(_object_name(after), "kind", before.noun, after.noun, after.key),)
        )
    was, now = (_material_text(o) for o in (before, after))
    material = (
        (Difference(_object_name(after), "material", was, now, after.key),) if was != now else ()
    )
    return (*_of_fields(before, after, _object_name(after), unit, after.key), *material)


def _material_text(obj: SceneObject) -> str:
    own = material_of(obj)
    return own.material.name if own is not None else NOTHING


def _of_objects(before: Document, after: Document) -> Iterator[Difference]:
    for new in after.scene.objects:
        old = before.scene.get(new.key)
        if old is None:
            yield Difference(_object_name(new), "", "", f"added ({new.noun})", new.key)
        elif old is not new:
            yield from object_differences(old, new, after.unit)
    for old in before.scene.objects:
        if after.scene.get(old.key) is None:
            yield Difference(_object_name(old), "", old.noun, "", old.key)


def _of_fields(
    old: Any, new: Any, subject: str, unit: str, key: int | None = None
) -> Iterator[Difference]:
    for f in fields_of(type(new)):
        if f.about.unused or getattr(old, f.name) == getattr(new, f.name):
            continue
        for path in _differing_paths(
            f.json_name, part_of(old, f.json_name), part_of(new, f.json_name)
        ):
            was, now = (_value_text(o, path, part_of(o, path), unit) for o in (old, new))
            yield Difference(subject, label_of(new, path), was, now, key)


def _value_text(owner: Any, path: str, part: Any, unit: str) -> str:
    items = part if isinstance(part, list) else [part]
    return _short_text(", ".join(format_value(owner, path, item, unit) for item in items))


def _differing_paths(name: str, old: Any, new: Any) -> Iterator[str]:
    """The paths to the parts of a field that differ: the items of a list of the same length, else
    the whole field.
    """
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        differing = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
        if len(differing) <= MAX_ITEMS:
            yield from (f"{name}[{i}]" for i in differing)
            return
    yield name


def _of_annotations(before: Document, after: Document) -> Iterator[Difference]:
    for label, was, now in (
        ("disabled", before.disabled, after.disabled),
        ("hidden", before.hidden, after.hidden),
    ):
        for key in sorted(was ^ now):
            obj = after.scene.get(key)
            if obj is not None and before.scene.get(key) is not None:
                yield Difference(
                    _object_name(obj),
                    label,
                    "yes" if key in was else "no",
                    "yes" if key in now else "no",
                    key,
                )
    for key in sorted({*before.edge_labels, *after.edge_labels}):
        obj = after.scene.get(key)
        old, new = before.edge_labels.get(key, {}), after.edge_labels.get(key, {})
        if obj is not None:
            for edge in sorted(i for i in {*old, *new} if old.get(i) != new.get(i)):
                yield Difference(
                    _object_name(obj),
                    f"label of edge {edge}",
                    _short_text(old.get(edge, "")),
                    _short_text(new.get(edge, "")),
                    key,
                )
    for name in sorted({*before.groups, *after.groups}):
        if before.groups.get(name) != after.groups.get(name):
            yield Difference(
                f"Group {elided(name, 60)}",
                "objects",
                _member_names(before, name),
                _member_names(after, name),
            )
    places, now_at = (
        {name: _measurement_places(m) for name, m in d.measurements.items()}
        for d in (before, after)
    )
    yield from _of_named("Measurement", "points", places, now_at)
    seen, now_seen = (
        {name: f"{v.x:g}, {v.y:g}, {v.width:g} × {v.height:g}" for name, v in d.views.items()}
        for d in (before, after)
    )
    yield from _of_named("View", "area", seen, now_seen)


def _measurement_places(measurement: Measurement) -> str:
    return ", ".join(f"({pin.at.x:g}, {pin.at.y:g})" for pin in measurement.pins)


def _of_named(
    what: str, label: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[Difference]:
    for name in sorted({*before, *after}):
        was, now = before.get(name, ""), after.get(name, "")
        if was != now:
            yield Difference(
                f"{what} {elided(name, 60)}", label, was, now if was else f"added: {now}"
            )


def _short_text(text: str) -> str:
    return elided(text, 60) or NOTHING


def _member_names(document: Document, group: str) -> str:
    keys = document.groups.get(group, frozenset())
    return _short_text(", ".join(_object_name(o) for o in document.scene.objects if o.key in keys))


def _of_document(before: Document, after: Document) -> Iterator[Difference]:
    yield from _of_fields(before.scene.settings, after.scene.settings, "Settings", after.unit)
    for label, was, now in (
        ("unit", before.unit, after.unit),
        ("name", before.scene.name, after.scene.name),
    ):
        if was != now:
            yield Difference("Document", label, _short_text(was), _short_text(now))
    yield from _of_values("Module", "definition", before.scene.modules, after.scene.modules)
    yield from _of_values("Study", "definition", before.studies, after.studies)
    yield from _of_values(
        "Kept entry", "value", kept_entries(before.scene), kept_entries(after.scene)
    )
    if before.background != after.background:
        yield Difference(
            "Document",
            "background",
            _background_text(before.background),
            _background_text(after.background),
        )


def _background_text(background: Background | None) -> str:
    if background is None:
        return NOTHING
    b = background
    return f"{elided(b.file, 60)} at ({b.x:g}, {b.y:g}), scale {b.scale:g}, opacity {b.opacity:g}"


def _of_values(
    what: str, label: str, before: Mapping[str, Any], after: Mapping[str, Any]
) -> Iterator[Difference]:
    """Differences, by name, whose values are too long to report."""
    for name in sorted(n for n in {*before, *after} if before.get(n) != after.get(n)):
        was, now = ("defined", "redefined") if name in before else (NOTHING, "defined")
        yield Difference(
            f"{what} {elided(name, 60)}", label, was, now if name in after else NOTHING
        )


def _object_name(obj: SceneObject) -> str:
    return elided(obj.title, 60)


def match_keys(document: Document, others: Iterable[SceneObject]) -> Document:
    """The document with the keys of other objects for its own of the same name and type, in order
    where several share both.

    Annotations go with their objects; all others keep their keys.
    """
    waiting: dict[tuple[str, str], deque[SceneObject]] = defaultdict(deque)
    for obj in others:
        waiting[obj.title, obj.type].append(obj)
    keys: dict[int, int] = {}
    objects = []
    for obj in document.scene.objects:
        candidates = waiting[obj.title, obj.type]
        objects.append(_with_key_of(obj, candidates.popleft(), keys) if candidates else obj)
    measurements = {
        name: dataclasses.replace(
            m,
            pins=tuple(
                dataclasses.replace(pin, key=keys[pin.key]) if pin.key in keys else pin
                for pin in m.pins
            ),
        )
        for name, m in document.measurements.items()
    }
    return dataclasses.replace(
        document,
        scene=document.scene.with_objects(objects),
        edge_labels={keys.get(key, key): labels for key, labels in document.edge_labels.items()},
        disabled=frozenset(keys.get(key, key) for key in document.disabled),
        hidden=frozenset(keys.get(key, key) for key in document.hidden),
        groups={
            name: frozenset(keys.get(key, key) for key in held)
            for name, held in document.groups.items()
        },
        measurements=measurements,
    )


def _with_key_of(obj: SceneObject, other: SceneObject, keys: dict[int, int]) -> SceneObject:
    """The object, with its parts, under the keys of another one; ``keys`` gets the new key of each
    old one.
    """
    keys[obj.key] = other.key
    if isinstance(obj, ModuleObj) and isinstance(other, ModuleObj):
        keys |= {key: other.part_keys[address] for address, key in obj.part_keys.items()}
    return obj.identified_as(other)
