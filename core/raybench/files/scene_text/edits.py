"""The changes that an edit of a scene's text makes: the differences from the previous text, object
by object.
"""

from __future__ import annotations

import difflib
import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from raybench.errors import RaybenchError, elided
from raybench.files.scene_text.layout import Part, SceneText
from raybench.files.scene_text.reading import UNCHANGED, ReadPart, TextFault, place_of, read_parts
from raybench.files.upgrade import VERSION
from raybench.kinds.fields import fields_of
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadEntry, kind_of
from raybench.scene.changes import (
    Add,
    Change,
    Define,
    Delete,
    Reorder,
    Replace,
    SetDocument,
    SetSettings,
    Undefine,
)
from raybench.scene.changes.objects import read_object
from raybench.scene.changes.replacing import fault_in, part_named, replaced
from raybench.scene.changes.setting import KNOWN, kept_entries
from raybench.scene.changes.values import InvalidValue, decoded, nearest
from raybench.scene.codec import field_to_json
from raybench.scene.document import Document
from raybench.scene.modules.importing import with_used
from raybench.scene.modules.module import Module
from raybench.scene.names import taken_names
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings


@dataclass(frozen=True)
class Edited:
    """The effect of an edited text on a document: the changes, and the text with its parts after
    them.
    """

    changes: tuple[Change, ...]
    text: SceneText


def edits(text: str, base: SceneText, document: Document) -> Edited:
    """The changes that lead from ``base``, the text of some earlier state of the document, to a
    text.

    What differs between that state and the document is kept where the text did not change. Raises
    TextFault.
    """
    parts = read_parts(text, base)
    matched = _matched(text, base, [p for p in parts if p.item and p.part.entry == "objs"])
    before = {p.owner for p in base.parts if p.entry == "objs" and p.owner is not None}
    return Edited(*_changes(text, base, document, parts, matched, before))


def _changes(
    text: str,
    base: SceneText,
    document: Document,
    parts: Sequence[ReadPart],
    matched: Sequence[tuple[ReadPart, int | None]],
    before: set[Any],
) -> tuple[tuple[Change, ...], SceneText]:
    scene = document.scene
    modules, defined, undefined = _modules(text, base, parts, scene)
    settings = _settings(text, base, document, parts)
    made, replaces = dict[int, SceneObject](), list[Change]()
    written = dict[int, tuple[ReadPart, SceneObject]]()
    order, keys = list[int](), list[int]()
    for p, key in matched:
        old = scene.get(key) if key is not None else None
        if p.value is UNCHANGED:
            if (
                old is not None
            ):  # else it was deleted meanwhile: the text did not change it, so that stands
                order.append(old.key)
            keys.append(key if key is not None else 0)
            continue
        new = _object(text, p, old, document.unit)
        if isinstance(new, ModuleObj) and new.module not in modules:
            existing = f"there are {', '.join(sorted(modules))}" if modules else "there are none"
            raise _fault(
                text, p.part, "module", f"there is no module {elided(new.module, 60)!r}; {existing}"
            )
        if old is None:
            made[new.key] = new
        elif new is not old:
            replaces.append(Replace(old.key, p.value))
        written[new.key] = p, new
        order.append(new.key)
        keys.append(new.key)
    for p, key in matched:  # an instance that did not change, of a module that is gone
        old = scene.get(key) if key is not None else None
        if (
            p.value is UNCHANGED
            and isinstance(old, ModuleObj)
            and old.module in scene.modules
            and old.module not in modules
        ):
            raise _fault(
                text, p.part, "module", f"there is no module {elided(old.module, 60)!r} any longer"
            )
    gone = [k for k in before.difference(keys) if scene.get(k) is not None]
    away = set(gone)
    now = [o.key for o in scene.objects if o.key not in away]
    after = {o.key: o for o in scene.objects if o.key not in away} | {
        key: new for key, (_, new) in written.items()
    }
    for obj, reason in taken_names(scene, scene.with_objects(after.values()), document.groups):
        raise _fault(text, written[obj.key][0].part, "name", reason)
    changes = (
        *([Define(defined)] if defined else ()),
        *([Delete(gone)] if gone else ()),
        *_placing(now, order, made),
        *replaces,
        *map(Undefine, undefined),
        *settings,
    )
    return changes, SceneText(text, tuple(_owned(parts, iter(keys))))


def _owned(parts: Sequence[ReadPart], keys: Iterator[int]) -> Iterator[Part]:
    """The parts, with the keys of their objects."""
    for p in parts:
        yield p.part._replace(owner=next(keys)) if p.item and p.part.entry == "objs" else p.part


def _matched(
    text: str, base: SceneText, objects: Sequence[ReadPart]
) -> list[tuple[ReadPart, int | None]]:
    """The objects of a text, each with the key of the previous object that it matches: by equal
    text in any position, then by `_pair`; None for a new one.
    """
    same = {p.part.owner for p in objects if p.value is UNCHANGED}
    free = [
        p for p in base.parts if p.entry == "objs" and p.owner is not None and p.owner not in same
    ]
    keys: dict[int, int | None] = {
        i: int(p.part.owner)
        for i, p in enumerate(objects)
        if p.value is UNCHANGED and p.part.owner is not None
    }
    by_text: dict[str, deque[Part]] = defaultdict(deque)
    for part in free:
        by_text[base.part_text(part)].append(part)
    taken = set[Any]()
    rest = []
    for i, p in enumerate(objects):
        if p.value is UNCHANGED:
            continue
        if found := by_text.get(text[p.part.start : p.part.end]):
            keys[i] = int(found.popleft().owner)  # type: ignore[arg-type]
            taken.add(keys[i])
        else:
            rest.append(i)
    free = [part for part in free if part.owner not in taken]
    _pair(keys, rest, [objects[i].value for i in rest], free, base)
    return [(p, keys.get(i)) for i, p in enumerate(objects)]


def _pair(
    keys: dict[int, int | None],
    new: Sequence[int],
    values: Sequence[Any],
    old: Sequence[Part],
    base: SceneText,
) -> None:
    """Match new objects to previous ones and add the keys of these: by the same JSON, then the same
    name, then the same kind in the same order.
    """
    was = [p.value for part in old for p in read_parts('{"objs": [' + base.part_text(part) + "]}")]
    left, others = list(zip(new, values, strict=True)), list(zip(old, was, strict=True))
    for look in (_json, _name):
        seen, known = Counter(look(v) for _, v in left), {look(v): part for part, v in others}
        times = Counter(look(v) for _, v in others)
        for i, value in left:
            if (name := look(value)) and seen[name] == times[name] == 1:
                keys[i] = int(known[name].owner)  # type: ignore[arg-type]
        taken = set(keys.values())
        left = [(i, v) for i, v in left if i not in keys]
        others = [(part, v) for part, v in others if part.owner not in taken]
    if len(left) == len(others):
        keys |= {i: int(part.owner) for (i, _), (part, _) in zip(left, others, strict=True)}  # type: ignore[arg-type]
        return
    kinds = [_kind(v) for _, v in left], [_kind(v) for _, v in others]
    for a, b, size in difflib.SequenceMatcher(None, *kinds).get_matching_blocks():
        keys |= {left[a + k][0]: int(others[b + k][0].owner) for k in range(size)}  # type: ignore[arg-type]


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _kind(value: Any) -> str:
    return str(value.get("type")) if isinstance(value, dict) else ""


def _name(value: Any) -> str:
    return (
        f"{_kind(value)} {value['name']}" if isinstance(value, dict) and value.get("name") else ""
    )


def _object(text: str, p: ReadPart, old: SceneObject | None, unit: str) -> SceneObject:
    """The object of a part that changed. Raises TextFault."""
    if isinstance(old, UnreadEntry) and p.value == old.entry:
        return old
    if fault := (
        fault_in(p.value, unit, old) if old is None or p.value.__class__ is not dict else None
    ):
        raise _fault(text, p.part, *fault)
    try:
        return replaced(old, p.value, unit) if old is not None else read_object(p.value, unit)
    except RaybenchError as error:
        path = (
            fault[0]
            if (fault := fault_in(p.value, unit, old))
            else part_named(p.value, str(error).partition(": ")[2])
        )
        raise _fault(text, p.part, path, str(error)) from None


def _fault(text: str, part: Part, path: str, reason: str) -> TextFault:
    start, end = place_of(text, part, path)
    return TextFault(text, start, end if path else start + 1, reason)


def _placing(now: list[int], order: list[int], made: dict[int, SceneObject]) -> Iterator[Change]:
    """The changes that add objects where they are in the new order, and bring the others into it."""
    listed = set(order)
    wanted = [
        *order,
        *(k for k in now if k not in listed),
    ]  # objects added elsewhere since then stay at the end
    i = 0
    while i < len(wanted):
        if i < len(now) and now[i] == wanted[i]:
            i += 1
            continue
        run = 1
        if wanted[i] in made:
            while i + run < len(wanted) and wanted[i + run] in made:
                run += 1
            yield Add(
                tuple(made[k] for k in wanted[i : i + run]), at=None if i == len(now) else float(i)
            )
        else:
            at = now.index(wanted[i], i)
            while (
                i + run < len(wanted) and at + run < len(now) and now[at + run] == wanted[i + run]
            ):
                run += 1
            yield Reorder(wanted[i : i + run], to=float(i))
            del now[at : at + run]
        now[i:i] = wanted[i : i + run]
        i += run


def _modules(
    text: str, base: SceneText, parts: Sequence[ReadPart], scene: Scene
) -> tuple[set[str], dict[str, Any], list[str]]:
    """The names of the modules after the edit, the new definitions, and the names of removed ones.
    Raises TextFault.
    """
    listed = [p for p in parts if p.part.entry == "modules"]
    if wrong := next((p for p in listed if not p.item), None):
        raise TextFault(
            text,
            wrong.part.start,
            wrong.part.end,
            f"'modules' must map names to definitions, it is {kind_of(wrong.value)}",
        )
    defined = dict[str, Any]()
    for p in listed:
        if p.value is UNCHANGED:
            continue
        old = scene.modules.get(str(p.part.owner))
        if old is not None and old.read == p.value and _was(base, p.part):
            continue
        module = Module.from_json(str(p.part.owner), p.value)
        if module.trouble:
            named = part_named(
                ("params", "vars", "objs", "numPoints", "maxLoopLength"), module.trouble
            )
            raise _fault(text, p.part, named, module.trouble)
        defined[module.name] = p.value
    names = {str(p.part.owner) for p in listed}
    undefined = [
        str(p.owner)
        for p in base.parts
        if p.entry == "modules" and p.owner not in names and p.owner in scene.modules
    ]
    undefined.sort(
        key=lambda name: -len(with_used(scene.modules, (name,)))
    )  # those that use others first
    return (set(scene.modules) - set(undefined)) | names, defined, undefined


def _was(base: SceneText, part: Part) -> bool:
    return any(p.entry == "modules" and p.owner == part.owner for p in base.parts)


def _settings(
    text: str, base: SceneText, document: Document, parts: Sequence[ReadPart]
) -> list[Change]:
    """The changes of the scene's own entries. Raises TextFault."""
    own = {
        p.part.entry: p
        for p in parts
        if p.part.owner is None and p.part.entry not in ("objs", "modules")
    }
    old = {p.entry: base.part_text(p) for p in base.parts if p.owner is None}
    if wrong := next(
        (p for p in parts if p.part.entry == "objs" and not p.item and p.value != []), None
    ):
        raise TextFault(
            text,
            wrong.part.start,
            wrong.part.end,
            f"'objs' must be a list of objects, it is {kind_of(wrong.value)}",
        )
    version = own.get("version")
    if version is None or version.value != VERSION or version.value is True:
        place = version.part if version is not None else Part("", None, 0, 1)
        why = "is edited here; open a scene of another version with File → Open link"
        raise TextFault(text, place.start, place.end, f"version {VERSION} of the format {why}")
    fields, values, kept, name = (
        {f.json_name: f for f in fields_of(Settings)},
        dict[str, Any](),
        kept_entries(document.scene),
        None,
    )
    for entry, p in own.items():
        if text[p.part.start : p.part.end] == old.get(entry):
            continue
        if entry in fields:
            f = fields[entry]
            try:
                decoded(
                    {entry: p.value},
                    [f],
                    {f.name: f.default},
                    "The settings",
                    document.unit,
                    part=False,
                )
            except InvalidValue as error:
                raise _fault(text, p.part, "", str(error)) from None
            values[entry] = p.value
        elif entry == "name":
            if not isinstance(p.value, str):
                raise TextFault(
                    text,
                    p.part.start,
                    p.part.end,
                    f"the name must be a text, it is {kind_of(p.value)}",
                )
            name = p.value
        elif entry in old:
            kept[entry] = p.value
        elif entry not in KNOWN:
            reason = f"there is no setting {elided(entry, 60)!r}. {nearest(entry, list(fields))}"
            raise TextFault(text, p.name_start, p.name_start + len(entry) + 2, reason)
    for entry in old.keys() - own.keys():
        if entry in fields:
            values[entry] = field_to_json(fields[entry], fields[entry].default)
        elif entry == "name":
            name = ""
        kept.pop(entry, None)
    changes: list[Change] = [SetSettings(values)] if values else []
    own_changes = SetDocument(
        name=name, kept=kept if kept != kept_entries(document.scene) else None
    )
    return changes + ([own_changes] if own_changes != SetDocument() else [])
