"""The differences between two documents in words, value by value. Also matches the objects of two
documents that were read separately.
"""

import dataclasses
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from raybench.errors import elide_text
from raybench.kinds.fields import described_fields
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase, join_with_commas
from raybench.scene.changes.setting import unknown_scene_entries
from raybench.scene.changes.values import NO_VALUE, field_label_at_path, format_value, json_at_path
from raybench.scene.document import Document
from raybench.scene.materials import current_material
from raybench.scene.treatments import TREATMENTS

MAX_ITEMS = 6
"""Maximum items of a list, such as corners, whose differences are listed individually."""


@dataclass(frozen=True)
class ValueDifference:
    """A value that differs between two documents: the name of its owner (an object, ``Settings``
    ...), the label of the value, and its text in each document.

    ``key`` is the key of the object. An added or deleted object has one difference, with an empty
    text ``before`` or ``after``.
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


def document_differences(before: Document, after: Document) -> tuple[ValueDifference, ...]:
    """All differences between two documents: first of objects in the order of the scene, then of
    annotations, settings and the values of the document.
    """
    if before is after:
        return ()
    return (
        *_differences_of_objects(before, after),
        *_differences_of_annotations(before, after),
        *_differences_of_document(before, after),
    )


def object_differences(
    before: SceneObject, after: SceneObject, unit: str
) -> tuple[ValueDifference, ...]:
    """The differences between two states of an object."""
    if type(before) is not type(after) or isinstance(after, UnreadObject):
        return () if before == after else (_difference_of_kinds(before, after),)
    name = _object_name(after)
    owned = (current_material(o) for o in (before, after))
    was, now = (own.material.name if own is not None else NO_VALUE for own in owned)
    material = (
        (ValueDifference(name, Phrase("material"), was, now, after.key),) if was != now else ()
    )
    return (*_differences_of_fields(before, after, name, unit, after.key), *material)


def _difference_of_kinds(before: SceneObject, after: SceneObject) -> ValueDifference:
    nouns = Phrase(before.noun), Phrase(after.noun)
    return ValueDifference(_object_name(after), Phrase("kind"), *nouns, after.key)


def _differences_of_objects(before: Document, after: Document) -> Iterator[ValueDifference]:
    for new in after.scene.objects:
        old = before.scene.get(new.key)
        if old is None:
            added = Phrase("added ({noun})", noun=Phrase(new.noun))
            yield ValueDifference(_object_name(new), "", "", added, new.key)
        elif old is not new:
            yield from object_differences(old, new, after.unit)
    for old in before.scene.objects:
        if after.scene.get(old.key) is None:
            yield ValueDifference(_object_name(old), "", Phrase(old.noun), "", old.key)


def _differences_of_fields(
    old: Any, new: Any, subject: str, unit: str, key: int | None = None
) -> Iterator[ValueDifference]:
    for f in described_fields(type(new)):
        if f.about.unused or getattr(old, f.name) == getattr(new, f.name):
            continue
        for path in _differing_paths(
            f.json_name, json_at_path(old, f.json_name), json_at_path(new, f.json_name)
        ):
            was, now = (_value_text(o, path, json_at_path(o, path), unit) for o in (old, new))
            yield ValueDifference(subject, field_label_at_path(new, path), was, now, key)


def _value_text(owner: Any, path: str, part: Any, unit: str) -> str:
    items = part if isinstance(part, list) else [part]
    return _short_text(join_with_commas([format_value(owner, path, item, unit) for item in items]))


def _differing_paths(name: str, old: Any, new: Any) -> Iterator[str]:
    """Yield the paths to the parts of a field that differ. For lists of the same length these are
    single items, otherwise the whole field.
    """
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        differing = [i for i, (a, b) in enumerate(zip(old, new, strict=True)) if a != b]
        if len(differing) <= MAX_ITEMS:
            yield from (f"{name}[{i}]" for i in differing)
            return
    yield name


def _differences_of_annotations(before: Document, after: Document) -> Iterator[ValueDifference]:
    for mark in (Phrase("disabled"), Phrase("hidden")):
        was, now = getattr(before, mark), getattr(after, mark)
        for key in sorted(was ^ now):
            obj = after.scene.get(key)
            if obj is not None and before.scene.get(key) is not None:
                texts: list[str] = [
                    Phrase("yes") if key in marked else Phrase("no") for marked in (was, now)
                ]
                yield ValueDifference(_object_name(obj), mark, texts[0], texts[1], key)
    sorts = [
        ("edge_labels", Phrase("label")),
        *((sort.attribute, sort.noun) for sort in TREATMENTS),
    ]
    for name, noun in sorts:
        of_old, of_new = getattr(before, name), getattr(after, name)
        for key in sorted({*of_old, *of_new}):
            obj = after.scene.get(key)
            old, new = of_old.get(key, {}), of_new.get(key, {})
            for edge in sorted({*old, *new}):
                if obj is not None and old.get(edge) != new.get(edge):
                    texts = [
                        _short_text(own if isinstance(own, str) else own.title)
                        for own in (old.get(edge, ""), new.get(edge, ""))
                    ]
                    label = Phrase("{noun} of edge {edge}", noun=Phrase(noun), edge=edge)
                    yield ValueDifference(_object_name(obj), label, texts[0], texts[1], key)
    there = {o.key for o in before.scene.objects} & {o.key for o in after.scene.objects}
    for name in sorted({*before.groups, *after.groups}):
        was, now = (d.groups.get(name, frozenset()) & there for d in (before, after))
        # an object that is deleted leaves its group, which needs no words
        if was != now or name not in before.groups:
            texts = [_member_names(d, name) for d in (before, after)]
            group = Phrase("Group {name}", name=elide_text(name, 60))
            yield ValueDifference(group, Phrase("objects"), texts[0], texts[1])
    places = (
        {
            name: ", ".join(
                [
                    *(f"({pin.at.x:g}, {pin.at.y:g})" for pin in m.pins),
                    *(
                        f"{key} {value}"
                        for key, value in list(m.to_json(lambda _: None).items())[2:]
                    ),
                ]
            )
            for name, m in d.measurements.items()
        }
        for d in (before, after)
    )
    yield from _differences_of_named_texts(Phrase("Measurement {name}"), Phrase("points"), *places)
    areas = (
        {name: f"{v.x:g}, {v.y:g}, {v.width:g} × {v.height:g}" for name, v in d.views.items()}
        for d in (before, after)
    )
    yield from _differences_of_named_texts(Phrase("View {name}"), Phrase("area"), *areas)
    formulas = (
        {link.parameter.text: f"= {elide_text(link.expression, 60)}" for link in d.links}
        for d in (before, after)
    )
    yield from _differences_of_named_texts(Phrase("Link {name}"), Phrase("formula"), *formulas)
    for name in dissolved_parts(before, after):
        yield ValueDifference(
            elide_text(name, 60),
            Phrase("data"),
            Phrase("in force"),
            Phrase("none: its objects are free"),
        )


def dissolved_parts(before: Document, after: Document) -> tuple[str, ...]:
    """The names of the parts that an edit dissolved without deleting their objects."""
    kept = {key for part in after.parts for key in part.present_objects}
    return tuple(
        before.part_name(part)
        for part in before.parts
        if not part.present_objects.keys() & kept
        and any(after.scene.get(key) is not None for key in part.present_objects)
    )


def _differences_of_named_texts(
    what: Phrase, label: str, before: Mapping[str, str], after: Mapping[str, str]
) -> Iterator[ValueDifference]:
    for name in sorted({*before, *after}):
        was, now = before.get(name, ""), after.get(name, "")
        if was != now:
            now = now if was else Phrase("added: {text}", text=now)
            yield ValueDifference(Phrase(what.template, name=elide_text(name, 60)), label, was, now)


def _short_text(text: str) -> str:
    if isinstance(text, Phrase) and len(text) <= 60:  # its values are in one line
        return text
    return elide_text(text, 60) or NO_VALUE


def _member_names(document: Document, group: str) -> str:
    keys = document.groups.get(group, frozenset())
    return _short_text(", ".join(_object_name(o) for o in document.scene.objects if o.key in keys))


def _differences_of_document(before: Document, after: Document) -> Iterator[ValueDifference]:
    old, new = before.scene, after.scene
    yield from _differences_of_fields(old.settings, new.settings, Phrase("Settings"), after.unit)
    yield from _differences_of_value(Phrase("unit"), before.unit, after.unit)
    yield from _differences_of_value(Phrase("unit of power"), before.power_unit, after.power_unit)
    yield from _differences_of_value(Phrase("name"), old.name, new.name)
    for what, label, was, now in (
        (Phrase("Module {name}"), Phrase("definition"), old.modules, new.modules),
        (Phrase("Study {name}"), Phrase("definition"), before.studies, after.studies),
        (Phrase("Slider {name}"), Phrase("range"), before.sliders, after.sliders),
        (
            Phrase("Kept entry {name}"),
            Phrase("value"),
            unknown_scene_entries(old),
            unknown_scene_entries(new),
        ),
    ):  # too long to report
        for name in sorted(n for n in {*was, *now} if was.get(n) != now.get(n)):
            defined, again = Phrase("defined"), Phrase("redefined")
            texts = [defined, again] if name in was else [NO_VALUE, defined]
            texts[1] = texts[1] if name in now else NO_VALUE
            subject = Phrase(what.template, name=elide_text(name, 60))
            yield ValueDifference(subject, label, texts[0], texts[1])
    backgrounds = (
        f"{elide_text(b.file, 60)} at ({b.x:g}, {b.y:g}), scale {b.scale:g}, opacity {b.opacity:g}"
        if b is not None
        else ""
        for b in (before.background, after.background)
    )
    yield from _differences_of_value(Phrase("background"), *backgrounds)
    sheets = (
        ", ".join(filter(None, map(str, d.sheet.to_json().values()))) if d.sheet is not None else ""
        for d in (before, after)
    )
    yield from _differences_of_value(Phrase("sheet"), *sheets)


def _differences_of_value(label: str, was: str, now: str) -> Iterator[ValueDifference]:
    if was != now:
        yield ValueDifference(Phrase("Document"), label, was or NO_VALUE, now or NO_VALUE)


def _object_name(obj: SceneObject) -> str:
    return elide_text(obj.title, 60)


def match_object_keys(document: Document, others: Iterable[SceneObject]) -> Document:
    """The document with keys taken from the objects ``others``: each object gets the key of the
    other object with the same name and type. If several objects have the same name and type, they
    are matched in order.

    Annotations stay with their objects; objects without a match keep their keys.
    """
    waiting: dict[tuple[str, str], deque[SceneObject]] = defaultdict(deque)
    for obj in others:
        waiting[obj.title, obj.type].append(obj)
    keys: dict[int, int] = {}
    objects = []
    for obj in document.scene.objects:
        if same := waiting[obj.title, obj.type]:
            other = same.popleft()
            keys[obj.key] = other.key
            if isinstance(obj, ModuleObj) and isinstance(other, ModuleObj):
                keys |= {key: other.part_keys[at] for at, key in obj.part_keys.items()}
            obj = obj.with_key_of(other)
        objects.append(obj)
    after = document.with_new_keys({old: (new,) for old, new in keys.items()})
    return dataclasses.replace(after, scene=document.scene.with_objects(objects))
