"""Changes of modules: add and remove definitions, replace objects by an instance of a new module,
and replace instances by their parts.
"""

import dataclasses
import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import chain
from typing import Any

from raybench.errors import elide_text, list_first_texts
from raybench.kinds.decorations import Drawing, Handle
from raybench.kinds.fields import described_field
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import InvalidObject, SceneObject, next_object_key
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene.changes.change import NamedChange, TargetedChange, ValuedChange
from raybench.scene.changes.objects import with_objects_checked
from raybench.scene.changes.placing import mean_centre_of_objects
from raybench.scene.changes.values import InvalidValue
from raybench.scene.codec import object_to_json
from raybench.scene.control_points import control_points
from raybench.scene.document import EDGE_ANNOTATIONS, Document
from raybench.scene.free_names import free_names
from raybench.scene.handles import with_handle_indices_updated
from raybench.scene.materials import current_material
from raybench.scene.measurements import Pin, pin_at_point
from raybench.scene.modules.module import Module, names_with_used_modules
from raybench.scene.modules.templates import javascript_number
from raybench.shapes.point import Point


class Define(ValuedChange):
    """Add definitions of modules, by name. A definition replaces the existing definition of the
    same name.
    """

    verb = "define"

    def apply(self, document: Document) -> Document:
        made = {}
        for name, data in self.values.items():
            module = Module.from_json(name, data)
            if module.trouble:
                raise InvalidObject(
                    f"The module '{elide_text(name, 60)}' cannot be used: {module.trouble}."
                )
            made[name] = module
        return document.with_scene(document.scene.with_modules(made))

    def describe(self, before: Document, after: Document) -> str:
        names = list_first_texts([elide_text(n, 40) for n in self.values])
        if len(self.values) != 1:
            return Phrase("Modules {names} defined", names=names)
        return Phrase("Module {name} defined", name=names)


class Undefine(NamedChange):
    """Remove the definition of a module. No object and no other module may use it."""

    verb = "undefine"
    takes = "the name of a module"

    def apply(self, document: Document) -> Document:
        modules = document.scene.modules
        self.check_name_known("module", modules)
        used = [
            o.title
            for o in document.scene.objects
            if isinstance(o, ModuleObj) and o.module == self.name
        ]
        if used:
            raise InvalidValue(
                f"The module '{elide_text(self.name, 60)}' is used by '{elide_text(used[0], 60)}'. Delete"
                " or expand its instances first."
            )
        own = names_with_used_modules(modules, (self.name,))
        using = [
            name
            for name in modules
            if name not in own and self.name in names_with_used_modules(modules, (name,))
        ]
        if using:
            raise InvalidValue(
                f"The module '{elide_text(self.name, 60)}' is used by the module"
                f" '{elide_text(using[0], 60)}'. Remove or redefine that one first."
            )
        rest = {name: module for name, module in modules.items() if name != self.name}
        return document.with_scene(dataclasses.replace(document.scene, modules=rest))

    def describe(self, before: Document, after: Document) -> str:
        return Phrase("Module {name} removed", name=elide_text(self.name, 60))


class MakeModule(TargetedChange):
    """Make a module from objects, with one control point at their centre, and replace the objects
    by an instance of it. The objects keep their keys as parts of the instance.

    The instance is disabled or hidden if the objects were, and it belongs to the groups of all of
    them.
    """

    verb = "module"

    as_: str = described_field("text", "", "Name", help="The module's name.")
    instance: int = dataclasses.field(default_factory=next_object_key, compare=False)
    """The key of the instance: the same each time this change is applied."""
    parts: dict[frozenset[int], dict[tuple[int, ...], int]] = dataclasses.field(
        default_factory=dict, compare=False
    )
    """The keys of its parts by the keys of the objects that it was made of: the same each time too.
    """

    def apply(self, document: Document) -> Document:
        name, scene = self.as_.strip(), document.scene
        if not name:
            raise InvalidValue("A module needs a name. Give one in 'as'.")
        if name in scene.modules:
            raise InvalidValue(
                f"There is a module '{elide_text(name, 60)}' already. Give another name."
            )
        keys = frozenset(self.keys(document))
        objects = [o for o in scene.objects if o.key in keys]
        for o in objects:
            _check_can_be_module_part(o)
        _check_all_or_none_in_state(objects, document.disabled, "disabled", "Enable")
        _check_all_or_none_in_state(objects, document.hidden, "hidden", "Show")
        at = _round_centre_point(mean_centre_of_objects(objects))
        templates = [object_template(o, at) for o in objects]
        module = Module.from_json(
            name, {"numPoints": 1, "params": [], "vars": [], "objs": templates}
        )
        if module.trouble:
            raise InvalidObject(
                f"The module '{elide_text(name, 60)}' cannot be made: {module.trouble}."
            )
        parts = self.parts.setdefault(
            keys, defaultdict(next_object_key, _part_keys_by_address(objects))
        )
        made = ModuleObj(module=name, points=(at,), key=self.instance, part_keys=parts)
        first = min(scene.index_of(k) for k in keys)
        rest = [o for i, o in enumerate(scene.objects) if o.key not in keys or i == first]
        new = with_handle_indices_updated(
            scene.objects, [made if o.key in keys else o for o in rest]
        )
        after = document.with_scene(scene.with_modules({name: module}).with_objects(new))
        return _with_keys_replaced(document, after, dict.fromkeys(keys, (made,)))

    def describe(self, before: Document, after: Document) -> str:
        made = after.scene.get(self.instance)
        objects, name = self.describe_targets(before), elide_text(self.as_.strip(), 60)
        done = Phrase("{objects} made the module {name}", objects=objects, name=name)
        if made is None:
            return done
        return Phrase("{done}, here {instance}", done=done, instance=elide_text(made.title, 60))


def _check_can_be_module_part(obj: SceneObject) -> None:
    """Raise InvalidValue for an object that a template cannot describe."""
    if isinstance(obj, Handle):
        raise InvalidValue(
            f"{obj.reference} moves other objects of the scene, so it cannot be a part of a module."
            " Leave it out."
        )
    if isinstance(obj, UnreadObject):
        raise InvalidValue(
            f"{obj.reference} cannot be read, so it cannot be a part of a module. Leave it out."
        )
    if (own := current_material(obj)) is not None:
        raise InvalidValue(
            f"{obj.reference} has the material {elide_text(own.material.name, 60)}, which a module"
            " cannot hold. Remove the material, so that its fit stays, or leave the object out."
        )
    if "`" in str(object_to_json(obj)):
        raise InvalidValue(
            f"{obj.reference} has a backtick in a text, which begins a formula in a module."
            " Remove it."
        )


def _check_all_or_none_in_state(
    objects: Sequence[SceneObject], keys_in_state: Collection[int], state: str, remedy: str
) -> None:
    """Raise InvalidValue if only some of the objects are disabled or hidden. An instance can only
    be disabled or hidden as a whole.
    """
    there = [o for o in objects if o.key in keys_in_state]
    if there and len(there) < len(objects):
        raise InvalidValue(
            f"{there[0].reference} is {state} and other objects are not, but a module is as a"
            f" whole. {remedy} it, or leave it out."
        )


def _with_keys_replaced(
    before: Document, after: Document, new: Mapping[int, Sequence[SceneObject]]
) -> Document:
    """The document ``after`` with the keys of some objects replaced by the keys of the ``new``
    objects: in groups, in the sets of disabled and hidden objects, and in measurements. Points of
    measurements are attached to the nearest new object.
    """

    def reattach_pin(pin: Pin) -> Pin:
        if pin.key is None or not (others := new.get(pin.key)):
            return pin
        at = pin.position_in_scene(before.scene)
        other = min(
            others,
            key=lambda o: min((math.dist(c.at, at) for c in control_points(o)), default=math.inf),
        )
        return pin_at_point(after.scene, at, other.key)

    measurements = {
        name: dataclasses.replace(m, pins=tuple(map(reattach_pin, m.pins)))
        for name, m in before.measurements.items()
    }
    replaced = after.with_new_keys({key: [o.key for o in objects] for key, objects in new.items()})
    # the parts have the keys of the objects, and so the annotations of their edges
    own = {name: getattr(after, name) for name in EDGE_ANNOTATIONS}
    return replaced.with_annotations(measurements=measurements, **own)


def _round_centre_point(point: Point) -> Point:
    """A point near a centre, rounded so that its distance from the centre has few digits."""
    return Point(float(round(point.x)), float(round(point.y)))


def object_template(obj: SceneObject, module_origin: Point) -> dict[str, Any]:
    """The JSON of an object as a template of a module. Its points are relative to the module's
    point 1, which is at ``module_origin``.
    """
    data: dict[str, Any] = object_to_json(dataclasses.replace(obj, read={}))
    for control in control_points(obj):
        target: Any = data
        for step in (
            control.path.replace("[", ".").replace("]", "").split(".") if control.path else ()
        ):
            target = (
                target[int(step)] if step.isdigit() else target.setdefault(step, {})
            )  # a default is not written
        target |= {
            axis: _relative_coordinate(axis, getattr(control.at, axis), module_origin)
            for axis in "xy"
        }
    if isinstance(obj, Drawing):
        data["strokes"] = [
            [_relative_coordinate("xy"[i % 2], c, module_origin) for i, c in enumerate(stroke)]
            for stroke in data.get("strokes", [])
        ]
    return data


def _relative_coordinate(axis: str, value: float, origin: Point) -> str:
    difference = value - getattr(origin, axis)
    nearest_short = round(difference, 9)
    if getattr(origin, axis) + nearest_short == value:
        difference = nearest_short
    return f"`{axis}_1{'+' if difference >= 0 else '-'}{javascript_number(abs(difference))}`"


def _part_keys_by_address(objects: Sequence[SceneObject]) -> dict[tuple[int, ...], int]:
    """The keys of the parts of an instance that replaces objects, by the addresses of the parts in
    the templates.
    """
    keys: dict[tuple[int, ...], int] = {}
    for i, o in enumerate(objects):
        keys[(i,)] = o.key
        if isinstance(o, ModuleObj):
            keys |= {(i, *address): key for address, key in o.part_keys.items()}
    return keys


class Expand(TargetedChange):
    """Replace instances of modules by their parts. The parts become independent objects and keep
    their keys.

    They are disabled or hidden if the instance was, and belong to its groups.
    """

    verb = "expand"

    def apply(self, document: Document) -> Document:
        scene = document.scene
        new: dict[int, list[SceneObject]] = {}
        taken = {o.title for o in scene.objects}
        for o in self.objects(document):
            if not isinstance(o, ModuleObj):
                raise InvalidValue(f"{o.reference} is not an instance of a module. Name one.")
            expansion = scene.expansions[o.key]
            if expansion.trouble:
                raise InvalidObject(f"{o.reference} has no parts: {expansion.trouble}")
            new[o.key] = [_part_as_separate_object(part, taken) for part in expansion.parts]
        objects = [part for o in scene.objects for part in new.get(o.key, [o])]
        after = with_objects_checked(document, with_handle_indices_updated(scene.objects, objects))
        return _with_keys_replaced(document, after, new)

    def describe(self, before: Document, after: Document) -> str:
        return Phrase("{objects} broken up into parts", objects=self.describe_targets(before))


def _part_as_separate_object(part: SceneObject, taken: set[str]) -> SceneObject:
    """A part of an instance as an independent object. It keeps its name in the module unless this
    name is ``taken``.
    """
    name = part.name
    if name:
        short = name.rpartition("/")[2]
        name = next(n for n in chain((short, name), free_names(short, taken, 2)) if n not in taken)
        taken.add(name)
    return dataclasses.replace(part, name=name, alias="")
