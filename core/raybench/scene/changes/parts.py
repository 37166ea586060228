"""The objects of parts: their names and materials, and their replacement after the data of a part
change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from raybench.kinds.glasses import HomogeneousGlass
from raybench.kinds.object import SceneObject, next_object_key
from raybench.scene.changes.change import with_objects_replaced
from raybench.scene.changes.materials import body_with_material
from raybench.scene.changes.objects import with_objects_checked
from raybench.scene.document import Document
from raybench.scene.free_names import free_name, name_without_number
from raybench.scene.handles import with_handle_indices_updated
from raybench.scene.materials import wavelengths_for_cauchy_fit
from raybench.scene.parts import Part, with_values_from_part
from raybench.scene.scene import Scene


def fitted_body(obj: SceneObject, scene: Scene) -> SceneObject:
    """A glass body whose material is fitted at the wavelengths of a scene."""
    if isinstance(obj, HomogeneousGlass) and obj.assigned:
        waves = wavelengths_for_cauchy_fit(scene)
        return body_with_material(obj, obj.assigned.material, waves)
    return obj


def with_part_data(document: Document, part: Part, values: Mapping[str, Any]) -> Document:
    """The document with other data of a part, by attribute, and with its objects made again from
    the data. They keep their keys and the names that users gave them. Raises InvalidPreset.
    """
    preset = part.preset.with_data(values)
    made = preset.objects_for_unit(document.unit)
    same = _match_objects(part.made_objects, made)
    keys = tuple(next_object_key() if i is None else part.keys[i] for i in same)
    new = Part(preset, keys, part.placement)
    scene, present = document.scene, new.present_objects
    name = document.part_name(part)
    taken = {o.title for o in scene.objects if o.key not in part.present_objects} | set(
        document.groups
    )
    is_plain = any(
        o.name == now.name for k, o in part.present_objects.items() if (now := scene.get(k))
    )
    objects: dict[int, SceneObject] = {}
    for key, i, obj in zip(keys, same, new.made_objects, strict=True):
        if key is None:
            continue
        titles = obj.name, _object_name(name, preset.label, obj, several=len(made) > 1)
        old = scene.get(key)
        if old is None or i is None:
            given, current = titles[0 if is_plain else 1], obj
        else:
            before = part.made_objects[i]
            known = before.name, _object_name(name, preset.label, before, several=len(made) > 1)
            # a number at its end was given where two names were alike
            as_known = old.name if old.name in known else name_without_number(old.name)
            given = titles[known.index(as_known)] if as_known in known else old.name
            current = with_values_from_part(old, obj)
        given = free_name(given, taken) if given else ""
        taken.add(given)
        objects[key] = replace(fitted_body(current, scene), name=given, key=key)
    gone, at = part.present_objects.keys() - present.keys(), document.parts.index(part)
    after = replace(document, parts=tuple(p for p in document.parts if p is not part))
    after = with_objects_replaced(after, {k: o for k, o in objects.items() if scene.get(k)})
    if gone or len(objects) > len(part.present_objects) - len(gone):
        order = [o for o in after.scene.objects if o.key not in gone]
        there = {o.key for o in order}
        last = max((i for i, o in enumerate(order, 1) if o.key in objects), default=len(order))
        order[last:last] = [o for o in objects.values() if o.key not in there]
        updated = with_handle_indices_updated(after.scene.objects, order)
        after = with_objects_checked(after, updated)
    groups = {
        group: held | present.keys() if part.present_objects.keys() <= held else held
        for group, held in document.groups.items()
    }
    after = after.with_annotations(groups=groups).with_new_keys(dict.fromkeys(gone, ()))
    return after.with_annotations(parts=(*after.parts[:at], new, *after.parts[at:]))


def _match_objects(before: Sequence[SceneObject], after: Sequence[SceneObject]) -> list[int | None]:
    """For each object made after a change of the data, the index of the corresponding object made
    before: the object of the same name, or else the next remaining object of the same kind; None
    for a new object.
    """
    left = dict(enumerate(before))
    same: list[int | None] = []
    for obj in after:
        found = next((i for i, o in left.items() if (o.name, o.type) == (obj.name, obj.type)), None)
        if found is not None:
            del left[found]
        same.append(found)
    for j, obj in enumerate(after):
        alike = [i for i, o in left.items() if o.type == obj.type]
        if same[j] is None and alike:
            same[j] = alike[0]
            del left[alike[0]]
    return same


def part_object_names(name: str, label: str, objects: Sequence[SceneObject]) -> list[str]:
    """The names for a preset's objects: ``name`` replaces ``label``. If there are several objects,
    their own names are appended to it, and the last item is ``name`` for their group.
    """
    several = len(objects) > 1
    names = [_object_name(name, label, o, several=several) for o in objects]
    return [*names, name] if several else names


def _object_name(name: str, label: str, obj: SceneObject, *, several: bool) -> str:
    if not several:
        return name
    rest = obj.name.removeprefix(label)
    return name + (rest if rest != obj.name else f" {obj.name}")
