"""A scene as JSON text that a person edits: the layout of the text, the update of the text after
changes of the scene, and the conversion of an edit of the text to changes of the scene.

A `SceneText` holds the position of each object, definition and setting. An edited text is parsed as
a whole and compared with the text before the edit; the differences become changes of the document.
"""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from raybench.bisection import largest_fitting_integer
from raybench.errors import RaybenchError, elide_text
from raybench.files.scene_json import (
    DuplicateKey,
    find_repeated_key,
    scene_to_json,
    with_unique_keys,
)
from raybench.files.upgrade import VERSION
from raybench.kinds.fields import described_fields
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import json_type_words
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
from raybench.scene.changes.replacing import json_object_description, replace_object
from raybench.scene.changes.setting import NON_SETTING_ENTRIES, unknown_scene_entries
from raybench.scene.changes.values import (
    InvalidValue,
    decode_values,
    path_named_in_error,
    suggest_similar_names,
)
from raybench.scene.codec import MAX_DEPTH, field_to_json, nesting_depth, object_to_json
from raybench.scene.document import Document
from raybench.scene.modules.module import Module, names_with_used_modules
from raybench.scene.names import new_name_conflicts
from raybench.scene.scene import Scene
from raybench.scene.settings import Settings

LINE_WIDTH = 100
"""Values that fit in a line of this many characters are written in one."""
INDENT = 2
MAX_MERGED_GAP = 12
"""Changed ranges with fewer characters between them are marked as one."""
_ESCAPED_CHARACTER = re.compile(
    "[\u007f-\u00a0\u00ad\u0600-\u0605\u061c\u180e\u200b-\u200f\u2028-\u202f\u205f-\u206f"
    "\ud800-\udfff\ufdd0-\ufdef\ufeff\ufff0-\uffff\U00010000-\U0010ffff]"
)
"""Characters that a text editor hides, changes or counts as two: they are written as escape
sequences.
"""
_SPACE = re.compile(r"[ \t\n\r]*")
_WORD = re.compile(r"[\w.+-]*")
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')
_STRING_OR_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity|-?\d[\d.eE+-]*')
_REWORDED_MESSAGES = {
    "Expecting ',' delimiter": "a comma or a closing bracket is missing before this",
    "Expecting ':' delimiter": "a colon is missing before this",
    "Expecting value": "a value is missing here",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing here",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a text must not contain line breaks or tabs: write \\n or \\t",
    "Invalid \\escape": "this is not an escape sequence: write \\\\ for a backslash",
    "Illegal trailing comma before end of object": "a comma has nothing after it",
    "Illegal trailing comma before end of array": "a comma has nothing after it",
    "Extra data": "nothing may follow the scene",
}
"""Messages of Python's JSON parser, reworded for the editor."""


class TextFault(RaybenchError):
    """The text of a scene is invalid. ``start`` and ``end`` are the indices of the invalid part;
    ``line`` and ``column`` are counted from 1.
    """

    def __init__(self, text: str, start: int, end: int, reason: str) -> None:
        self.start = max(0, min(start, len(text)))
        self.end = max(self.start, min(end, len(text)))
        self.line = text.count("\n", 0, self.start) + 1
        self.column = self.start - text.rfind("\n", 0, self.start)
        self.reason = reason[:1].upper() + reason[1:].rstrip(".")
        stop = "" if self.reason.endswith("?") else "."
        super().__init__(f"Line {self.line}, column {self.column}: {self.reason}{stop}")


class TextPart(NamedTuple):
    """A range of the text of a scene: the value of one ``entry`` of the scene, one object in
    ``objs`` or one definition in ``modules``.

    ``owner`` is the object's key, the module's name, or None for an entry of the scene itself.
    ``start`` and ``end`` are indices into the text, the end exclusive.
    """

    entry: str
    owner: int | str | None
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class SceneText:
    """The JSON text of a scene, its parts in order, the objects that the parts describe (by key),
    and the scene. The scene is None if other parts of it have changed since.
    """

    text: str = field(repr=False)
    parts: tuple[TextPart, ...] = field(repr=False)
    objects: Mapping[int, SceneObject] = field(repr=False)
    scene: Scene | None = field(repr=False)

    def part_text(self, part: TextPart) -> str:
        return self.text[part.start : part.end]

    @property
    def object_parts(self) -> list[TextPart]:
        return [p for p in self.parts if p.entry == "objs" and p.owner is not None]

    def after_edit(self, edit: TextEdit, before: Scene, after: Scene) -> SceneText:
        """The text after an edit, whose changes led from the scene ``before`` to the scene
        ``after``.
        """
        objects = dict[int, SceneObject]()
        for part in edit.parts:
            if part.entry == "objs" and isinstance(part.owner, int):
                known = after.get(part.owner) if part.owner in edit.replaced_keys else None
                known = known or self.objects.get(part.owner)
                if known is not None:
                    objects[part.owner] = known
        return SceneText(edit.text, edit.parts, objects, after if self.scene is before else None)


class TextUpdate(NamedTuple):
    """An update of a text: the new text, the replaced range of the old text with its replacement
    (start, end, text), and the ranges of the new text to be marked as changed.
    """

    text: SceneText
    replacement: tuple[int, int, str]
    changed: list[tuple[int, int]]


# --- layout


def scene_text(scene: Scene, earlier: SceneText | None = None) -> SceneText:
    """The text of a scene. Parts that did not change since the text ``earlier`` are copied from it."""
    parts = earlier.parts if earlier is not None else ()
    known = {(p.entry, p.owner): earlier.part_text(p) for p in parts} if earlier else {}

    def value_text(value: Any, indent: int, entry: str, owner: str | None = None) -> str:
        old = known.get((entry, owner))
        return old if old and json.loads(old) == value else json_text(value, indent)

    def object_text(obj: SceneObject) -> str:
        if earlier is not None and earlier.objects.get(obj.key) is obj:
            return known["objs", obj.key]
        return json_text(object_to_json(obj), 2 * INDENT)

    own = Scene(settings=scene.settings, name=scene.name, modules=scene.modules, read=scene.read)
    outer, inner = f"\n{' ' * INDENT}", f"\n{' ' * 2 * INDENT}"
    entries = []
    for name, value in scene_to_json(own).items():
        if name == "objs" and scene.objects:
            piece = f"[{inner}{f',{inner}'.join(map(object_text, scene.objects))}{outer}]"
        elif name == "modules" and isinstance(value, Mapping) and value:
            texts = {n: value_text(m, 2 * INDENT, name, n) for n, m in value.items()}
            modules = (f"{json_text(n)}: {text}" for n, text in texts.items())
            piece = f"{{{inner}{f',{inner}'.join(modules)}{outer}}}"
        else:
            piece = value_text(value, INDENT, name)
        entries.append(f"{outer}{json_text(name)}: {piece}")
    text = f"{{{','.join(entries)}\n}}\n"
    places = _text_parts(read_items(text), [o.key for o in scene.objects])
    return SceneText(text, places, {o.key: o for o in scene.objects}, scene)


def _text_parts(items: Sequence[JsonItem], keys: Iterable[int]) -> tuple[TextPart, ...]:
    """The parts of a text, from its JSON items. ``keys`` are the keys of the objects, in order."""
    owners = iter(keys)
    return tuple(
        TextPart("objs", next(owners), i.start, i.end)
        if i.entry == "objs"
        else TextPart(i.entry or str(i.name), str(i.name) if i.entry else None, i.start, i.end)
        for i in items
    )


def json_text(value: Any, indent: int = 0) -> str:
    """A JSON value as text, for a place after ``indent`` spaces. It is written in one line if it
    fits, else with one item on each line.
    """
    return _ESCAPED_CHARACTER.sub(
        lambda found: json.dumps(found[0])[1:-1], _format_value(value, indent, indent)
    )


def _format_value(value: Any, indent: int, column: int) -> str:
    flat = json.dumps(value, ensure_ascii=False, allow_nan=False)
    if not isinstance(value, dict | list) or not value or column + len(flat) <= LINE_WIDTH:
        return flat
    inner = indent + INDENT
    if isinstance(value, dict):
        starts = [f"{json.dumps(name, ensure_ascii=False)}: " for name in value]
        items, (opening, closing) = list(value.values()), "{}"
    else:
        starts, items, (opening, closing) = [""] * len(value), value, "[]"
    lines = [
        f"\n{' ' * inner}{start}{_format_value(item, inner, inner + len(start) + 1)}"
        for start, item in zip(starts, items, strict=True)
    ]
    return f"{opening}{','.join(lines)}\n{' ' * indent}{closing}"


# --- the text follows the scene


def update_text(old: SceneText | None, scene: Scene) -> TextUpdate:
    """The text of a scene after changes, and its differences from the earlier text ``old``."""
    new = scene_text(scene, old)
    if old is None:
        return TextUpdate(new, (0, 0, new.text), [])
    first, behind = common_start_and_end_lengths(old.text, new.text)
    replacement = first, len(old.text) - behind, new.text[first : len(new.text) - behind]
    known = {(p.entry, p.owner): old.part_text(p) for p in old.parts}
    changed = list[tuple[int, int]]()
    for part in new.parts:
        was, now = known.get((part.entry, part.owner), ""), new.part_text(part)
        if was != now:
            start, end = _changed_word_range(part, was, now)
            if changed and start - changed[-1][1] < MAX_MERGED_GAP:
                start = changed.pop()[0]
            changed.append((start, end))
    return TextUpdate(new, replacement, changed)


def _changed_word_range(part: TextPart, was: str, now: str) -> tuple[int, int]:
    """The range, extended to whole words, in which the text of a part differs from its earlier
    text.
    """
    first, behind = common_start_and_end_lengths(was, now)
    before, after = _WORD.match(now[:first][::-1]), _WORD.match(now, len(now) - behind)
    assert before is not None
    assert after is not None
    return part.start + first - before.end(), part.start + max(first, after.end())


def common_start_and_end_lengths(a: str, b: str) -> tuple[int, int]:
    """The lengths of the longest common start and of the longest common end of two texts; they do
    not overlap.
    """
    limit = min(len(a), len(b))
    first = largest_fitting_integer(lambda n: a[:n] == b[:n], 0, limit + 1)
    behind = largest_fitting_integer(
        lambda n: a[len(a) - n :] == b[len(b) - n :], 0, limit - first + 1
    )
    return first, behind


# --- reading


class JsonItem(NamedTuple):
    """An item of a JSON list or object in a text, with its name or index. ``entry`` is the entry of
    the scene that contains it, such as ``objs``; empty for others.
    """

    entry: str
    name: str | int
    name_start: int
    start: int
    end: int
    value: Any


def read_items(text: str) -> list[JsonItem]:
    """The entries in the text of a scene, and the items of its lists ``objs`` and ``modules``.
    Raises TextFault.
    """
    try:
        data = _STRICT.decode(text)
    except json.JSONDecodeError as error:
        reason = _REWORDED_MESSAGES.get(error.msg, error.msg)
        raise TextFault(text, error.pos, error.pos + 1, reason) from None
    except DuplicateKey:
        first = find_repeated_key(text)[0]
        reason = f"{elide_text(first[0], 60)} is there twice: remove one of the two"
        raise TextFault(text, *first.span(), reason) from None
    except _NotFiniteNumber as error:
        numbers = _STRING_OR_NUMBER.finditer(text)
        found = next(m for m in numbers if m[0] == error.word)
        raise TextFault(text, *found.span(), str(error)) from None
    except RecursionError:
        raise _too_deep_error(text) from None
    except ValueError:
        at = max(re.finditer(r"\d+", text), key=lambda found: len(found[0])).start()
        raise TextFault(text, at, at + 1, "a number has too many digits") from None
    start = _skip_space(text, 0)
    if not isinstance(data, dict):
        raise TextFault(text, start, start + 1, "a scene begins with {")
    if nesting_depth(data) > MAX_DEPTH:
        raise _too_deep_error(text)
    return list(_json_items(text, start, within=("objs", "modules")))


class _NotFiniteNumber(Exception):
    """A NaN or infinity in a text; ``word`` is its spelling."""

    def __init__(self, word: str, reason: str) -> None:
        super().__init__(reason)
        self.word = word


def _parse_finite_number(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise _NotFiniteNumber(word, f"{elide_text(word, 40)} is too large: give a finite number")
    return value


def _refuse_json_constant(word: str) -> float:
    raise _NotFiniteNumber(word, f"{word} is not a JSON number: give a finite one")


_STRICT = json.JSONDecoder(
    object_pairs_hook=with_unique_keys,
    parse_constant=_refuse_json_constant,
    parse_float=_parse_finite_number,
)
_decode = json.JSONDecoder().raw_decode


def _too_deep_error(text: str) -> TextFault:
    depth = at = 0
    for token in _STRING_OR_BRACKET.finditer(text):
        at = token.start()
        depth += (token[0] in "[{") - (token[0] in "]}")
        if depth > MAX_DEPTH:
            break
    return TextFault(text, at, at + 1, "this is nested too deeply")


def _skip_space(text: str, position: int) -> int:
    return _SPACE.match(text, position).end()  # type: ignore[union-attr]


def _json_items(
    text: str, position: int, entry: str = "", within: Sequence[str] = ()
) -> Iterator[JsonItem]:
    """Yield the items of the JSON list or object at an index of valid JSON. An entry whose name is
    in ``within`` is replaced by the items that it contains.
    """
    listed, count = text[position] == "[", 0
    position = _skip_space(text, position + 1)
    while text[position] not in "]}":
        name: str | int = count
        name_start = position
        if not listed:
            name, position = _decode(text, position)
            position = _skip_space(text, _skip_space(text, position) + 1)
        if name in within and text[position] == {"objs": "[", "modules": "{"}[str(name)]:
            end = position + 1
            for item in _json_items(text, position, str(name)):
                yield item
                end = item.end
            end = _skip_space(text, end) + 1
        else:
            value, end = _decode(text, position)
            yield JsonItem(entry, name, name_start, position, end, value)
        position = _skip_space(text, end)
        if text[position] == ",":
            position = _skip_space(text, position + 1)
        count += 1


def _text_fault_at(text: str, item: JsonItem, path: str, reason: str) -> TextFault:
    """The error for an invalid value at a path inside an item, such as ``path[2].x``. If the path
    does not exist, it is placed at the value that should contain it.
    """
    start, end = item.start, item.end if path else item.start + 1
    for index, name in re.findall(r"\[(\d+)\]|([^.\[\]]+)", path):
        step = int(index) if index else name
        inner = _json_items(text, start) if text[start] in "[{" else ()
        found = next((i for i in inner if i.name == step), None)
        if found is None:
            end = start + 1
            break
        start, end = found.start, found.end
    return TextFault(text, start, end, reason)


# --- what an edit means


class TextEdit(NamedTuple):
    """The result of an edit of the text: the changes of the document, the keys of the objects that
    are replaced as a whole, and the text with its parts after the changes.
    """

    changes: tuple[Change, ...]
    replaced_keys: frozenset[int]
    text: str
    parts: tuple[TextPart, ...]


def read_edit(text: str, base: SceneText, document: Document) -> TextEdit:
    """Find the changes of the document that lead from ``base``, the text of an earlier state, to
    the edited ``text``.

    Where the text did not change, the values of the document are kept, even if they differ from
    ``base``. Raises TextFault.
    """
    scene, items = document.scene, read_items(text)
    defined, undefined = _module_changes(text, base, items, scene)
    settings = _scene_entry_changes(text, base, items, document)
    modules = (scene.modules.keys() - undefined) | defined.keys()
    objects = [i for i in items if i.entry == "objs"]
    made, replaces = dict[int, SceneObject](), list[Change]()
    written, order, keys = dict[int, tuple[JsonItem, SceneObject]](), list[int](), list[int]()
    for item, (key, same) in zip(objects, _matched_keys(text, base, objects), strict=True):
        old = scene.get(key) if key is not None else None
        if same and old is None:  # it was deleted meanwhile, which the text did not change
            keys.append(key or 0)
            continue
        new = old if same and old is not None else _object_from_item(text, item, old, document.unit)
        if isinstance(new, ModuleObj) and new.module not in modules:
            name, there = elide_text(new.module, 60), ", ".join(sorted(modules))
            if not same:
                reason = f"there is no module {name!r}; there are {there or 'none'}"
                raise _text_fault_at(text, item, "module", reason)
            if new.module in scene.modules:
                raise _text_fault_at(
                    text, item, "module", f"there is no module {name!r} any longer"
                )
        if old is None:
            made[new.key] = new
        elif new is not old:
            replaces.append(Replace(old.key, item.value))
        if not same:
            written[new.key] = item, new
        order.append(new.key)
        keys.append(new.key)
    gone = {p.owner for p in base.object_parts}.difference(keys)
    gone_keys = [o.key for o in scene.objects if o.key in gone]
    rest = [o for o in scene.objects if o.key not in gone]
    after = {o.key: o for o in rest} | {key: new for key, (_, new) in written.items()}
    for obj, reason in new_name_conflicts(
        scene, scene.with_objects(after.values()), document.groups
    ):
        raise _text_fault_at(text, written[obj.key][0], "name", reason)
    changes = (
        *([Define(defined)] if defined else ()),
        *([Delete(gone_keys)] if gone_keys else ()),
        *_order_changes([o.key for o in rest], order, made),
        *replaces,
        *map(Undefine, undefined),
        *settings,
    )
    return TextEdit(changes, frozenset(made) | {*written}, text, _text_parts(items, keys))


def _matched_keys(
    text: str, base: SceneText, items: Sequence[JsonItem]
) -> list[tuple[int | None, bool]]:
    """For each object in a text, the key of the corresponding earlier object (None for a new
    object), and whether both have the same text. Objects correspond if their texts are equal, or
    else if kind and name are equal.
    """
    parts = base.object_parts
    old, new = [base.part_text(p) for p in parts], [text[i.start : i.end] for i in items]
    others, left, matches = [*range(len(old))], [*range(len(new))], dict[int, int]()
    for sort_of in (str, _object_kind_and_name):
        free = defaultdict[str, deque[int]](deque)
        for k in others:
            free[sort_of(old[k])].append(k)
        for i in left:
            if same := free[sort_of(new[i])]:
                matches[i] = same.popleft()
        taken = set(matches.values())
        left = [i for i in left if i not in matches]
        others = [k for k in others if k not in taken]
    if len(left) == len(others):
        matches |= zip(left, others, strict=True)
    keys = {i: (parts[k].owner, new[i] == old[k]) for i, k in matches.items()}
    return [keys.get(i, (None, False)) for i in range(len(items))]  # type: ignore[misc]


def _object_kind_and_name(text: str) -> str:
    value = json.loads(text)
    return f"{value.get('type')} {value.get('name')}" if isinstance(value, dict) else ""


def _object_from_item(text: str, item: JsonItem, old: SceneObject | None, unit: str) -> SceneObject:
    """Decode the object of an item that is new or changed. Raises TextFault."""
    try:
        if old is None:
            return read_object(item.value, unit, json_object_description(item.value))
        return replace_object(old, item.value, unit)
    except RaybenchError as error:
        path = error.path if isinstance(error, InvalidValue) else ""
        if not path and isinstance(item.value, dict):
            path = path_named_in_error(item.value, str(error).partition(": ")[2])
        raise _text_fault_at(text, item, path, str(error)) from None


def _order_changes(
    current: list[int], wanted_order: list[int], new_objects: Mapping[int, SceneObject]
) -> Iterator[Change]:
    """Yield the changes that add new objects and put all objects into the new order. Objects that
    were added elsewhere in the meantime stay at the end.
    """
    listed, at = set(wanted_order), 0
    wanted = [*wanted_order, *(key for key in current if key not in listed)]
    while at < len(wanted):
        if current[at : at + 1] == wanted[at : at + 1]:
            at += 1
            continue
        count = 1
        if wanted[at] in new_objects:
            while wanted[at + count : at + count + 1] and wanted[at + count] in new_objects:
                count += 1
            objects = tuple(new_objects[key] for key in wanted[at : at + count])
            yield Add(objects, at=None if at == len(current) else float(at))
        else:
            old = current.index(wanted[at], at)
            longest = min(len(wanted) - at, len(current) - old)
            while count < longest and current[old + count] == wanted[at + count]:
                count += 1
            yield Reorder(wanted[at : at + count], to=float(at))
            del current[old : old + count]
        current[at:at] = wanted[at : at + count]
        at += count


def _module_changes(
    text: str, base: SceneText, items: Sequence[JsonItem], scene: Scene
) -> tuple[dict[str, Any], list[str]]:
    """The module definitions that an edit adds or changes, and the names of the removed ones. A
    removed definition comes before the definitions that it uses. Raises TextFault.
    """
    old = {p.owner: base.part_text(p) for p in base.parts if p.entry == "modules"}
    defined, names = dict[str, Any](), set[str]()
    for item in items:
        if item.name == "modules" and not item.entry:
            reason = f"'modules' must map names to definitions, it is {json_type_words(item.value)}"
            raise TextFault(text, item.start, item.end, reason)
        if item.entry != "modules":
            continue
        name = str(item.name)
        names.add(name)
        there = scene.modules.get(name)
        unchanged = text[item.start : item.end] == old.get(name)
        if unchanged or (there is not None and there.read == item.value):
            continue
        module = Module.from_json(name, item.value)
        if module.trouble:
            fields = ("params", "vars", "objs", "numPoints", "maxLoopLength")
            raise _text_fault_at(
                text, item, path_named_in_error(fields, module.trouble), module.trouble
            )
        defined[name] = item.value
    undefined = [str(n) for n in old if n not in names and n in scene.modules]
    undefined.sort(key=lambda name: -len(names_with_used_modules(scene.modules, (name,))))
    return defined, undefined


def _scene_entry_changes(
    text: str, base: SceneText, items: Sequence[JsonItem], document: Document
) -> list[Change]:
    """The changes of the scene's name, its settings, and the entries that other programs use.
    Raises TextFault.
    """
    own = {str(i.name): i for i in items if not i.entry}
    old = {p.entry: base.part_text(p) for p in base.parts if p.owner is None}
    if (objs := own.pop("objs", None)) is not None:
        reason = f"'objs' must be a list of objects, it is {json_type_words(objs.value)}"
        raise TextFault(text, objs.start, objs.end, reason)
    version = own.get("version")
    if version is None or version.value != VERSION or version.value is True:
        start, end = (version.start, version.end) if version is not None else (0, 1)
        why = "is edited here; open a scene of another version with File → Open link"
        raise TextFault(text, start, end, f"version {VERSION} of the format {why}")
    fields = {f.json_name: f for f in described_fields(Settings)}
    values, name = dict[str, Any](), None
    kept = unknown_scene_entries(document.scene)
    for entry, item in own.items():
        if text[item.start : item.end] == old.get(entry):
            continue
        if entry in fields:
            f = fields[entry]
            values[entry] = item.value
            try:
                decode_values({entry: item.value}, [f], {f.name: f.default}, "The settings",
                        document.unit, part=False)  # fmt: skip
            except InvalidValue as error:
                raise _text_fault_at(text, item, "", str(error)) from None
        elif entry == "name":
            if not isinstance(item.value, str):
                reason = f"the name must be a text, it is {json_type_words(item.value)}"
                raise TextFault(text, item.start, item.end, reason)
            name = item.value
        elif entry in old:
            kept[entry] = item.value
        elif entry not in NON_SETTING_ENTRIES:
            reason = f"there is no setting {elide_text(entry, 60)!r}. {suggest_similar_names(entry, list(fields))}"
            raise TextFault(text, item.name_start, item.name_start + len(entry) + 2, reason)
    for entry in old.keys() - own.keys():
        if entry in fields:
            values[entry] = field_to_json(fields[entry], fields[entry].default)
        elif entry == "name":
            name = ""
        kept.pop(entry, None)
    changes: list[Change] = [SetSettings(values)] if values else []
    changed_kept = kept if kept != unknown_scene_entries(document.scene) else None
    if name is not None or changed_kept is not None:
        changes.append(SetDocument(name=name, kept=changed_kept))
    return changes
