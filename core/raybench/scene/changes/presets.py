"""The change that adds the objects of a preset."""

import itertools
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import astuple, field, replace
from typing import Any, Self

from raybench.errors import elide_text
from raybench.kinds.aspects.similarity import Similarity
from raybench.kinds.fields import described_field, described_fields, number
from raybench.kinds.kinds import kind_row_of
from raybench.kinds.object import next_object_key
from raybench.phrase import Phrase
from raybench.presets import PRESETS, Preset
from raybench.scene.changes.change import NamedChange, TargetedChange, target_objects
from raybench.scene.changes.objects import with_objects_checked
from raybench.scene.changes.parts import fitted_body, part_object_names
from raybench.scene.changes.placing import Place, mean_centre_of_objects, place_parameter
from raybench.scene.changes.values import InvalidValue, decode_values, suggest_similar_names
from raybench.scene.codec import field_to_json
from raybench.scene.document import Document
from raybench.scene.parts import Part
from raybench.shapes.point import Point


def preset_with_values(name: str, values: Mapping[str, Any], unit: str = "mm") -> Preset:
    """A preset whose fields have the JSON ``values`` or, if these lack a field, its default. Raises
    InvalidValue.
    """
    kind = PRESETS.get(name)
    if kind is None:
        raise InvalidValue(
            f"There is no preset {elide_text(str(name), 60)!r}. {suggest_similar_names(str(name), PRESETS)}"
        )
    fields = described_fields(kind)
    return kind(
        **decode_values(
            values, fields, {f.name: f.default for f in fields}, kind.label, unit, part=False
        )
    )


def part_to_json(part: Part, address: Callable[[int], Any]) -> dict[str, Any]:
    """The JSON of a part. ``address`` returns the JSON that stands for an object's key."""
    fields = described_fields(type(part.preset))
    return {
        "preset": type(part.preset).__name__,
        "values": {f.json_name: field_to_json(f, getattr(part.preset, f.name)) for f in fields},
        "objects": [None if k is None else address(k) for k in part.keys],
        "placement": list(astuple(part.placement)),
    }


def part_from_json(data: Any, key: Callable[[Any], int], unit: str) -> Part:
    """Decode a part from JSON. ``key`` returns the object's key for an address. Raises
    InvalidValue, ValueError, TypeError, LookupError or ArithmeticError.
    """
    keys = tuple(None if a is None else key(a) for a in data["objects"])
    preset = preset_with_values(data["preset"], data["values"], unit)
    return Part(preset, keys, Similarity(*map(float, data["placement"])))


class MakePart(TargetedChange):
    """Make existing objects a part of a preset, as after pasting copies of the objects of a part.
    ``of`` is the part as JSON, in which the indices of the targets stand for its objects. Refused
    if an object differs from the object that the data make.
    """

    verb = "part"

    of: Mapping[str, Any] = described_field(
        "data", None, "Of", help="The part as a document's file has it, by indices of the objects."
    )

    def apply(self, document: Document) -> Document:
        keys = self.keys(document)
        try:
            part = part_from_json(self.of, lambda i: keys[int(i)], document.unit)
            there = part.in_scene(document.scene)
        except (TypeError, ValueError, LookupError, ArithmeticError):
            there = None
        if there is None:
            raise InvalidValue("The objects are not as these data make them. Add the preset anew.")
        return document.with_annotations(parts=(*document.parts, there))

    def describe(self, before: Document, after: Document) -> str:
        return Phrase("{objects} made a part", objects=self.describe_targets(before))


class AddPreset(NamedChange):
    """Add the objects of a preset, as a group if there are several. ``values`` are the values of
    the preset's fields as JSON; other fields have their defaults.
    """

    verb = "preset"
    takes = "the name of a preset, such as BiconvexLens"
    follow = "values"

    values: Mapping[str, Any] = field(default_factory=dict)
    at: Place = place_parameter(
        Point(0.0, 0.0),
        "At",
        help="Where its middle goes: a point, or an object's name for its centre.",
    )
    angle: float = number(
        0.0,
        "Angle",
        unit="deg",
        help="By which it is turned, counter-clockwise as seen; at 0 light comes from the left.",
    )
    as_: str = described_field("text", "", "Name", help="Its name, or the name of its group.")
    keys: dict[int, int] = field(
        default_factory=lambda: defaultdict(next_object_key), compare=False
    )
    """The keys of its objects by their indices: the same each time this change is applied."""

    def part(self, unit: str = "mm") -> Part:
        """The part with the preset's objects, moved to ``at``, which must be a point. Every call
        gives the objects the same keys. Raises InvalidValue or InvalidPreset.
        """
        assert isinstance(self.at, Point)
        preset = preset_with_values(self.name, self.values, unit)
        made = preset.objects_for_unit(unit)
        keys = tuple(self.keys[i] for i in range(len(made)))
        return Part(preset, keys, Similarity.rotation_then_shift(self.angle, self.at))

    def apply(self, document: Document) -> Document:
        scene = document.scene
        part = self.replace_names_by_keys(document).part(document.unit)
        label = part.preset.label if len(part.keys) > 1 else part.made_objects[0].name
        taken = {o.title for o in scene.objects} | set(document.groups)
        new = next(
            n
            for i in itertools.count(1)
            if not taken
            & set(
                part_object_names(
                    n := _numbered_name(self.as_ or label, i), label, part.made_objects
                )
            )
        )
        objects = [
            replace(fitted_body(o, scene), name=name, key=key)
            for o, name, key in zip(
                part.made_objects,
                part_object_names(new, label, part.made_objects),
                part.present_objects,
                strict=False,
            )
        ]
        if all(kind_row_of(o).emits is None for o in scene.objects):
            scene = scene.with_settings(**part.preset.scene_settings)
        after = with_objects_checked(document.with_scene(scene), (*scene.objects, *objects))
        groups = dict(after.groups)
        if len(objects) > 1:
            groups[new] = frozenset(part.present_objects)
        return after.with_annotations(groups=groups, parts=(*after.parts, part))

    def replace_names_by_keys(self, document: Document) -> Self:
        if isinstance(self.at, Point):
            return self
        return replace(
            self,
            at=(
                mean_centre_of_objects(target_objects(document, (self.at,)))
                if self.at is not None
                else Point(0.0, 0.0)
            ),
        )

    def describe(self, before: Document, after: Document) -> str:
        keys = {self.keys[i] for i in list(self.keys)}
        group = next((name for name, held in after.groups.items() if held and held <= keys), "")
        titles = [o.title for k in keys if (o := after.scene.get(k)) is not None]
        name = group or next(iter(titles), self.as_ or PRESETS[self.name].label)
        return Phrase("{objects} added", objects=elide_text(name, 60))


def _numbered_name(name: str, number: int) -> str:
    return name if number == 1 else f"{name} {number}"
