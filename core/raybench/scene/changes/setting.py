"""Changes that set fields of objects, of the scene's settings, and of the document."""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any, Self

from raybench.errors import elide_text, in_quotes, list_choices, list_first_texts
from raybench.kinds.fields import (
    as_number,
    described_field,
    described_fields,
    label_in_sentence,
    settable_fields,
)
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.lenses import SphericalLens
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.phrase import Phrase
from raybench.scene import LENGTH_UNITS, POWER_UNITS
from raybench.scene.background import Background
from raybench.scene.changes.change import (
    Change,
    TargetedChange,
    ValuedChange,
    object_titles,
    target_keys,
    with_changed_objects,
)
from raybench.scene.changes.parts import with_part_data
from raybench.scene.changes.values import (
    NO_VALUE,
    InvalidValue,
    decode_values,
    field_label_at_path,
    format_value,
    json_at_path,
    parse_path,
    suggest_similar_names,
)
from raybench.scene.codec import json_names
from raybench.scene.document import Document
from raybench.scene.hit_test import scene_extent
from raybench.scene.locks import is_locked
from raybench.scene.measurements import KINDS, MAX_MEASUREMENTS, Measurement
from raybench.scene.numerical_tolerances import (
    ENTRY_NAME,
    tolerance_faults,
    tolerances_with_defaults,
    tolerances_without_defaults,
)
from raybench.scene.parts import Part
from raybench.scene.saved_view import MAX_SAVED_VIEWS as MOST_VIEWS
from raybench.scene.saved_view import SavedView
from raybench.scene.scene import Scene
from raybench.scene.settings import Observer, Settings
from raybench.scene.sheet import Sheet
from raybench.scene.slider_range import MOST_SLIDERS, SliderRange
from raybench.shapes.point import Point

OBSERVER_RADIUS = 40.0
"""The radius of a new observer, in scene units times the length scale."""
OTHER_CHANGE_EXAMPLES = {
    "material": "{{'material': {name}, 'name': 'N-BK7'}}",
    "hidden": "{{'hide': {name}}}",
    "disabled": "{{'disable': {name}}}",
}
"""What is no field of an object but a change of its own."""


class Set(TargetedChange):
    """Set fields of objects. ``values`` maps field names of the file format, or paths to parts of
    fields such as ``p1.x``, ``path[2].x`` or ``params.r1`` (in JSON also ``r1``), to JSON values.
    Lengths may be texts such as "5 mm". Of a point, only the given coordinates are changed.
    """

    verb = "set"
    follow = "values"

    values: Mapping[str, Any] = field(default_factory=dict)

    def replace_names_by_keys(self, document: Document) -> Self:
        change = super().replace_names_by_keys(document)
        objects = change.objects(document)
        _, data = change._part_and_its_values(document)
        values = {
            (
                full_path(path, objects[0], document.scene)
                if objects and path not in data
                else path
            ): v
            for path, v in change.values.items()
        }
        return dataclasses.replace(change, values=values)

    def apply(self, document: Document) -> Document:
        if not self.values:
            raise InvalidValue("Nothing is set. Give fields and their values.")
        part, data = self._part_and_its_values(document)
        if part is not None and data:
            fields, title = described_fields(type(part.preset.data)), document.part_name(part)
            now = {f.name: getattr(part.preset.data, f.name) for f in fields}
            owner = f"'{elide_text(title, 60)}' ({label_in_sentence(part.preset.label)})"
            document = with_part_data(
                document, part, decode_values(data, fields, now, owner, document.unit)
            )
        rest = {path: value for path, value in self.values.items() if path not in data}
        if not rest:
            return document
        objects = {o.key: self._changed_object(o, rest, document) for o in self.objects(document)}
        return with_changed_objects(document, objects)

    def _part_and_its_values(self, document: Document) -> tuple[Part | None, dict[str, Any]]:
        """The part that consists of the targets, and the values that belong to the data of this
        part.
        """
        part = document.part_of_objects(self.keys(document))
        if part is None:
            return None, {}
        names = {f.json_name for f in described_fields(type(part.preset.data))}
        return part, {p: v for p, v in self.values.items() if parse_path(p)[0] in names}

    def _changed_object(
        self, obj: SceneObject, values: Mapping[str, Any], document: Document
    ) -> SceneObject:
        owner = f"'{elide_text(obj.title, 60)}' ({obj.noun})"
        if isinstance(obj, UnreadObject):
            raise InvalidValue(
                f"{owner} cannot be read, so it cannot be changed: {obj.reason} Delete it and add"
                " it anew."
            )
        fields = settable_fields(type(obj), document.source_unit)
        now = {f.name: getattr(obj, f.name) for f in fields}
        if isinstance(obj, ModuleObj):
            now["params"] = effective_parameters(obj, document.scene)
        others = OTHER_CHANGE_EXAMPLES.keys() - {f.json_name for f in fields}
        if other := next((name for name in values if name in others), None):
            change = OTHER_CHANGE_EXAMPLES[other].format(name=in_quotes(obj.title, 60))
            raise InvalidValue(
                f"{owner} has no field '{other}'. There is a change for it, such as {change}."
            )
        new = decode_values(values, fields, now, owner, document.unit)
        after = obj.with_fields(new, simulate_colors=document.scene.settings.simulate_colors)
        if isinstance(after, ModuleObj) and "module" in new:
            check_module_exists(after, owner, document.scene)
        if "params" in new:
            _check_parameters(after, now["params"], owner, document.scene)
        return after

    def describe(self, before: Document, after: Document) -> str:
        part, data = self._part_and_its_values(before)
        if part is not None and data:
            new = next((p for p in after.parts if set(p.keys) & part.present_objects.keys()), part)
            owners, name = (part.preset.data, new.preset.data), before.part_name(part)
            is_whole = any(
                f.about.kind == "data" and f.json_name in data
                for f in described_fields(type(part.preset))
            )
            if is_whole and (text := part.preset.describe_difference(new.preset)):
                return Phrase("{objects}: {changes}", objects=name, changes=text)
            changes = _describe_differences(data, [owners], after.unit)
            return Phrase("{objects}: {changes}", objects=name, changes=changes)
        pairs = [(o, after.scene.get(o.key) or o) for o in self.objects(before)]
        objects = self.describe_targets(before)
        if list(self.values) == ["name"] and len(pairs) == 1:
            name = elide_text(str(self.values["name"]), 60) or Phrase("no name")
            was = elide_text(pairs[0][0].title, 60)
            return Phrase("{name} renamed to {other}", name=was, other=name)
        if list(self.values) == ["locked"] and pairs:
            if is_locked(after.scene, pairs[0][1]):
                return Phrase("{objects} locked", objects=objects)
            return Phrase("{objects} unlocked", objects=objects)
        changes = _describe_differences(self.values, pairs, after.unit)
        return Phrase("{objects}: {changes}", objects=objects, changes=changes)

    def lost_lens_outline_reason(self, before: Document, after: Document) -> str:
        """The reason why a lens has an outline ``before`` this change of its data, but not
        ``after`` this change and the following ones. Empty if there is no such lens.
        """
        if all(parse_path(path)[0] != "params" for path in self.values):
            return ""
        for obj in self.objects(before):
            new = after.scene.get(obj.key)
            if (
                isinstance(obj, SphericalLens)
                and isinstance(new, SphericalLens)
                and _has_outline(obj, before)
                and not _has_outline(new, after)
            ):
                given = list_first_texts([f"{path} = {v}" for path, v in self.values.items()])
                return (
                    f"'{elide_text(obj.title, 60)}' ({obj.noun}) would vanish: no lens fits"
                    f" {elide_text(given, 60)}. Give a thickness, and radii that reach from rim to rim{_least_radius_text(new)}."
                )
        return ""

    def merge_consecutive(self, after: Change) -> Change | None:
        if isinstance(after, Set) and after.target_tuple == self.target_tuple:
            return after if after.values.keys() == self.values.keys() else None
        return None


def _has_outline(lens: SphericalLens, document: Document) -> bool:
    colors = document.scene.settings.simulate_colors
    return lens.outline(simulate_colors=colors) is not None


def _least_radius_text(lens: SphericalLens) -> str:
    if lens.def_by != "DR1R2" or lens.p1 is None or lens.p2 is None:
        return ""
    return f", at least {math.dist(lens.p1, lens.p2) / 2:.6g}, or make it less high first"


def check_module_exists(instance: ModuleObj, owner: str, scene: Scene) -> None:
    """Raise InvalidValue if the scene has no definition of the instance's module."""
    if instance.module not in scene.modules:
        raise InvalidValue(
            f"{owner}: there is no module '{elide_text(instance.module, 60)}'; there are"
            f" {list_choices(sorted(scene.modules), 'and')}."
        )


def _check_parameters(obj: Any, before: Any, owner: str, scene: Scene) -> None:
    """Raise InvalidValue for a new parameter that the object's kind, lens definition or module does
    not have. Unknown parameters from a file are kept.
    """
    if not isinstance(obj.params, Mapping):
        return
    module = scene.modules.get(obj.module) if isinstance(obj, ModuleObj) else None
    known = (
        [p.name for p in module.parameters]
        if module is not None
        else list(kind_row_of(obj).parameters(obj))
    )
    kept = before if isinstance(before, Mapping) else ()
    for name in obj.params:
        if name not in known and name not in kept:
            raise InvalidValue(
                f"{owner}: params has no part {elide_text(name, 60)!r}. {suggest_similar_names(name, known)}"
            )


def effective_parameters(instance: ModuleObj, scene: Scene) -> Any:
    """The parameters of an instance, or its module's defaults if it has none of its own."""
    module = scene.modules.get(instance.module)
    if instance.params is not None or module is None:
        return instance.params
    return {
        p.name: n if (n := as_number(p.default)) is not None else p.default
        for p in module.parameters
    }


def full_path(path: str, obj: SceneObject, scene: Scene) -> str:
    """The path of a field. The name of a parameter, if it is not also the name of a field, gets the
    prefix ``params``.
    """
    parameters = getattr(obj, "params", None)
    if isinstance(obj, ModuleObj):
        parameters = effective_parameters(obj, scene)
    fields = {f.json_name for f in described_fields(type(obj))}
    short = isinstance(parameters, Mapping) and path in parameters and path not in fields
    return f"params.{path}" if short else path


def _describe_differences(
    values: Mapping[str, Any], pairs: Sequence[tuple[Any, Any]], unit: str
) -> str:
    """Describe changed values, such as ``refractive index 1.5 -> 1.7``. ``pairs`` are the owners
    before and after. The old value is stated only if all owners had the same value. Unchanged
    values are left out, unless no value changed.
    """
    changed = [
        p for p in values if any(json_at_path(old, p) != json_at_path(new, p) for old, new in pairs)
    ]
    if not changed:
        stay = [
            Phrase(
                "{label} stays {value}",
                label=field_label_at_path(pairs[0][0], p),
                value=format_value(pairs[0][0], p, json_at_path(pairs[0][0], p), unit),
            )
            for p in values
        ]
        return list_first_texts(stay, 1) or Phrase("nothing")
    out = []
    for path in changed:
        first, new = pairs[0]
        was, now = (
            {format_value(o, path, json_at_path(o, path), unit) for o, _ in pairs},
            json_at_path(new, path),
        )
        after = format_value(new, path, now, unit)
        label = field_label_at_path(first, path)
        out.append(
            Phrase("{label} {before} -> {after}", label=label, before=was.pop(), after=after)
            if len(was) == 1 and was != {NO_VALUE}
            else Phrase("{label} -> {after}", label=label, after=after)
        )
    return list_first_texts(out)


class SetSettings(ValuedChange):
    """Set fields of the scene's settings. ``values`` is as in `Set`."""

    verb = "settings"

    def apply(self, document: Document) -> Document:
        scene, fields = document.scene, described_fields(Settings)
        old = scene.settings
        now = {f.name: getattr(old, f.name) for f in fields}
        if old.observer is None and any(path.startswith("observer") for path in self.values):
            now["observer"] = default_observer(scene)
        toleranced = any(path.startswith(ENTRY_NAME) for path in self.values)
        if toleranced:  # one that the file leaves out can be set too
            now["numerical_tolerances"] = tolerances_with_defaults(old.numerical_tolerances)
        of_document = {f.json_name for f in described_fields(SetDocument)}
        if other := next((name for name in self.values if name in of_document), None):
            change = json.dumps({"document": {other: self.values[other]}}, ensure_ascii=False)
            raise InvalidValue(
                f"The settings have no field '{other}': the document has it. Write it as"
                f" {elide_text(change, 100)}."
            )
        values = decode_values(self.values, fields, now, "The settings", document.unit)
        new = dataclasses.replace(old, **values)
        if new.mode == "observer" and new.observer is None:
            new = dataclasses.replace(new, observer=default_observer(scene))
        if new.observer is not None and new.observer.r < 0:
            raise InvalidValue(
                f"The settings: observer.r must be at least 0; {new.observer.r:g} is not."
            )
        if toleranced:
            previous = set(tolerance_faults(old.numerical_tolerances))
            for fault in tolerance_faults(new.numerical_tolerances):
                if fault not in previous:
                    raise InvalidValue(f"The settings: {fault}")
            kept = tolerances_without_defaults(new.numerical_tolerances, old.numerical_tolerances)
            new = dataclasses.replace(new, numerical_tolerances=kept)
        if new == old:
            return document
        return document.with_scene(dataclasses.replace(scene, settings=new))

    def describe(self, before: Document, after: Document) -> str:
        pair = before.scene.settings, after.scene.settings
        changes = _describe_differences(self.values, [pair], after.unit)
        return Phrase("Settings: {changes}", changes=changes)

    def merge_consecutive(self, after: Change) -> Change | None:
        if isinstance(after, SetSettings) and after.values.keys() == self.values.keys():
            return after
        return None


def default_observer(scene: Scene) -> Observer:
    """An observer at the centre of the scene's bounding box."""
    left, top, right, bottom = scene_extent(scene) or (0.0, 0.0, 0.0, 0.0)
    return Observer(
        Point((left + right) / 2, (top + bottom) / 2), OBSERVER_RADIUS * scene.settings.length_scale
    )


class SetDocument(Change):
    """Set values of the document: the units of length and power, the scene's name, the saved
    studies, the background, the sheet, the sliders or unknown entries of the file. None leaves a
    value unchanged.

    Numbers are not converted, so a new unit changes physical sizes and powers. ``background`` is a
    `Background` and ``sheet`` a `Sheet` as JSON; an empty object removes it. The following mappings
    replace all existing entries: ``studies``, from names to studies as JSON; ``measurements``, from
    names to measurements as JSON (`raybench.scene.measurements`), whose ``object`` is a name or a
    key; ``views``, from names to saved views (`raybench.scene.saved_view`); ``sliders``, from names
    of numbers to the ranges of their sliders (`raybench.scene.slider_range`); and ``kept``, the
    unknown entries of the scene's file.
    """

    verb = "document"
    takes = "an object with unit, name or both"

    unit: str | None = described_field(
        "choice", None, "Unit", choices=LENGTH_UNITS, help="The length unit of the scene."
    )
    power_unit: str | None = described_field(
        "choice",
        None,
        "Power unit",
        choices=POWER_UNITS,
        help="The unit of powers; in lm, sources are in W.",
    )
    name: str | None = described_field("text", None, "Name", help="The scene's name.")
    studies: Mapping[str, Mapping[str, Any]] | None = described_field(
        "mapping", None, "Studies", help="Saved studies as JSON, by name."
    )
    background: Mapping[str, Any] | None = described_field(
        "data",
        None,
        "Background",
        help=(
            "A picture beside the document: file, x, y, scale (units per pixel), opacity; {} for"
            " none."
        ),
    )
    measurements: Mapping[str, Mapping[str, Any]] | None = described_field(
        "mapping",
        None,
        "Measurements",
        help=(
            f"All measurements by name: kind ({', '.join(KINDS)}) and pins, points with x, y and"
            " the object they go with; optionally offset, direction, text and digits."
        ),
    )
    views: Mapping[str, Mapping[str, Any]] | None = described_field(
        "mapping",
        None,
        "Views",
        help=(
            "All saved views by name: x, y, width and height of the visible area, and optionally a"
            " colouring of rays."
        ),
    )
    sheet: Mapping[str, Any] | None = described_field(
        "data",
        None,
        "Sheet",
        help="The sheet of figures: page, scale, margin, title, author, caption; {} for none.",
    )
    sliders: Mapping[str, Mapping[str, Any]] | None = described_field(
        "mapping",
        None,
        "Sliders",
        help="All sliders by the names of their numbers, such as Lens.focalLength: low and high.",
    )
    kept: Mapping[str, Any] | None = described_field(
        "data", None, "Kept", help="All entries of the file that only other programs know."
    )

    def apply(self, document: Document) -> Document:
        new: dict[str, Any] = {}
        for name, known in (("unit", LENGTH_UNITS), ("power_unit", POWER_UNITS)):
            if (given := getattr(self, name)) is not None:
                if given not in known:
                    raise InvalidValue(
                        f"The {name.replace('_', ' ')} must be one of {list_choices(known)};"
                        f" {elide_text(given, 40)!r} is not."
                    )
                new[name] = given
        if self.studies is not None:
            new["studies"] = dict(self.studies)
        if self.background is not None:
            new["background"] = Background.from_json(self.background) if self.background else None
        if self.measurements is not None:
            new["measurements"] = _decode_measurements(document, self.measurements)
        if self.views is not None:
            new["views"] = _decode_views(self.views)
        if self.sheet is not None:
            new["sheet"] = Sheet.from_json(self.sheet) if self.sheet else None
        if self.sliders is not None:
            new["sliders"] = _decode_sliders(self.sliders)
        after, scene = document.with_annotations(**new), document.scene
        if self.name is not None and self.name != scene.name:
            scene = dataclasses.replace(scene, name=self.name)
        if self.kept is not None and dict(self.kept) != unknown_scene_entries(scene):
            scene = with_unknown_entries(scene, self.kept)
        return after.with_scene(scene)

    def replace_names_by_keys(self, document: Document) -> Self:
        return self._with_object_addresses(document, lambda key: key)

    def replace_keys_by_names(self, document: Document) -> Self:
        return self._with_object_addresses(
            document, lambda key: object_titles(document.scene, (key,))[0]
        )

    def _with_object_addresses(self, document: Document, address: Callable[[int], Any]) -> Self:
        """The same change with the references from measurements to objects converted by
        ``address``.
        """
        if self.measurements is None:
            return self
        measurements = _decode_measurements(document, self.measurements)
        return dataclasses.replace(
            self, measurements={name: m.to_json(address) for name, m in measurements.items()}
        )

    def describe(self, before: Document, after: Document) -> str:
        parts = list[str]()
        for label, was, now in (
            (Phrase("unit"), before.unit, self.unit),
            (Phrase("unit of power"), before.power_unit, self.power_unit),
        ):
            if now is not None:
                parts.append(
                    Phrase("{label} {before} -> {after}", label=label, before=was, after=now)
                )
        if self.name is not None:
            named = Phrase("scene named {name}", name=elide_text(self.name, 60))
            parts.append(named if self.name else Phrase("scene without a name"))
        if self.studies is not None:
            parts.append(_describe_saved_items(Phrase("study"), before.studies, self.studies))
        if self.background is not None:
            file = self.background and elide_text(str(self.background["file"]), 40)
            parts.append(
                Phrase("background {file}", file=file) if file else Phrase("no background")
            )
        if self.measurements is not None:
            new, old = _decode_measurements(before, self.measurements), before.measurements
            parts += [
                Phrase("{name} changed", name=elide_text(n, 40))
                if n in old
                else Phrase("{name} measured", name=elide_text(n, 40))
                for n in new
                if new[n] != old.get(n)
            ]
            parts += [Phrase("{name} removed", name=elide_text(n, 40)) for n in old if n not in new]
        if self.views is not None:
            views = _decode_views(self.views)
            parts.append(_describe_saved_items(Phrase("view"), before.views, views))
        if self.sheet is not None:
            parts.append(Phrase("sheet changed") if self.sheet else Phrase("no sheet"))
        if self.sliders is not None:
            sliders = _decode_sliders(self.sliders)
            parts.append(_describe_saved_items(Phrase("slider"), before.sliders, sliders))
        if self.kept is not None:
            known = unknown_scene_entries(before.scene).keys()
            parts += [
                Phrase("{name} removed", name=elide_text(n, 40))
                for n in sorted(known - self.kept.keys())
            ]
            parts += [
                Phrase("{name} kept", name=elide_text(n, 40))
                for n in sorted(self.kept.keys() - known)
            ]
        changes = list_first_texts(parts) or Phrase("nothing")
        return Phrase("Document: {changes}", changes=changes)


NON_SETTING_ENTRIES = frozenset({"version", "name", "objs", "modules"})
"""Entries of a scene's file that are not settings, but have a meaning."""


def unknown_scene_entries(scene: Scene) -> dict[str, Any]:
    """The entries of a scene's file that the program does not know. They are written back
    unchanged.
    """
    known = NON_SETTING_ENTRIES | json_names(Settings)
    return {k: v for k, v in scene.read.items() if k not in known}


def with_unknown_entries(scene: Scene, kept: Mapping[str, Any]) -> Scene:
    """The scene with other unknown entries. Raises InvalidValue for an entry that the program
    knows.
    """
    known = NON_SETTING_ENTRIES | json_names(Settings)
    if wrong := [k for k in kept if k in known]:
        raise InvalidValue(
            f"'{elide_text(wrong[0], 60)}' has a meaning here, so it is not kept. Set it by its own"
            " change."
        )
    return dataclasses.replace(
        scene, read={k: v for k, v in scene.read.items() if k in known} | dict(kept)
    )


def _decode_measurements(
    document: Document, given: Mapping[str, Mapping[str, Any]]
) -> dict[str, Measurement]:
    """Decode measurements from JSON, by name. Raises InvalidMeasurement, UnknownName or
    InvalidObject.
    """
    if len(given) > MAX_MEASUREMENTS:
        raise InvalidValue(f"A document has at most {MAX_MEASUREMENTS} measurements.")
    return {
        name: Measurement.from_json(each, lambda target: target_keys(document, (target,))[0])
        for name, each in given.items()
    }


def _decode_views(given: Mapping[str, Mapping[str, Any]]) -> dict[str, SavedView]:
    """Decode saved views from JSON, by name. Raises InvalidView."""
    if len(given) > MOST_VIEWS:
        raise InvalidValue(f"A document has at most {MOST_VIEWS} saved views.")
    return {name: SavedView.from_json(each) for name, each in given.items()}


def _decode_sliders(given: Mapping[str, Mapping[str, Any]]) -> dict[str, SliderRange]:
    """Decode the ranges of sliders from JSON, by the names of their numbers. Raises InvalidSlider."""
    if len(given) > MOST_SLIDERS:
        raise InvalidValue(f"A document has at most {MOST_SLIDERS} sliders.")
    return {name: SliderRange.from_json(each) for name, each in given.items()}


def _describe_saved_items(what: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    parts = [
        Phrase("{what} {name} saved", what=what, name=elide_text(n, 40))
        for n in after
        if after[n] != before.get(n)
    ]
    parts += [
        Phrase("{what} {name} removed", what=what, name=elide_text(n, 40))
        for n in before
        if n not in after
    ]
    return list_first_texts(parts) or Phrase("no {what} changed", what=what)
