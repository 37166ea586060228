"""The tool ``read_objects``, which reads the fields of objects by the names that changes use."""

from functools import partial
from typing import Any

from raybench.agent.call.context import ToolContext, tool_context
from raybench.analysis.answers.words import value_in_words
from raybench.kinds.fields import described_fields, unit_text
from raybench.kinds.object import SceneObject
from raybench.kinds.unread import UnreadObject
from raybench.presets.centred_lens import CentredLens
from raybench.scene.changes.change import target_objects
from raybench.scene.codec import field_to_json
from raybench.scene.document import Document
from raybench.scene.labels import find_edge_by_label
from raybench.scene.names import object_named
from raybench.scene.parts import Part
from raybench.scene.treatments import name_of_object, treatment_with_target
from raybench.schema.json_values import TextList


@tool_context(
    offered="always",
    brief="Read the fields of objects, as change_scene sets them. names may be groups or parts.",
    effect="read",
    expose="both",
    needs="scene",
    asks=lambda a: f"fields of {value_in_words(a.get('names') or 'nothing')}",
)
def read_objects(ctx: ToolContext, names: TextList) -> list[dict[str, Any]]:
    """
    Read the fields of objects, under the names by which change_scene and what_if set them.

    Args:
        names: Names of objects, of groups for all their objects, or of parts for their data.
    """
    document = ctx.document
    found: dict[int, SceneObject] = {}
    parts = {
        document.part_name(part): part for part in document.parts if len(part.present_objects) > 1
    }
    for name in names:
        if name in parts:
            continue
        group = target_objects(document, [name]) if name in document.groups else ()
        found |= {o.key: o for o in group or [object_named(document.scene, name)]}
    ctx.known.record_objects(found.values())
    return [
        *(
            _part_fields(document, name, parts[name])
            for name in dict.fromkeys(names)
            if name in parts
        ),
        *(_object_fields(document, obj) for obj in found.values()),
    ]


def _part_fields(document: Document, name: str, part: Part) -> dict[str, Any]:
    objects = [o.title for o in document.scene.objects if o.key in part.present_objects]
    about = {
        "part": name,
        "preset": type(part.preset).__name__,
        "data": part.preset.describe(document.unit),
    }
    if isinstance(part.preset, CentredLens):
        about["read"] = "read_lens_xml tells its surfaces; edit_lens sets them"
    return {**about, "objects": objects, **_link_fields(document, frozenset(part.present_objects))}


def _link_fields(document: Document, keys: frozenset[int]) -> dict[str, Any]:
    """A field ``links`` with the links of the objects ``keys``, such as ``{"Lens.x": "=Prism.x"}``;
    empty if there are none.
    """
    links = {
        link.parameter.text: f"={link.expression}"
        for link in document.links
        if link.parameter.keys and keys.issuperset(link.parameter.keys)
    }
    return {"links": links} if links else {}


def _object_fields(document: Document, obj: SceneObject) -> dict[str, Any]:
    if isinstance(obj, UnreadObject):
        return {"object": obj.title, "type": obj.type, "problem": obj.reason}
    described = [f for f in described_fields(type(obj)) if not f.about.unused]
    units = {f.json_name: unit_text(f.about.unit, document.unit) for f in described if f.about.unit}
    values = {f.json_name: field_to_json(f, getattr(obj, f.name)) for f in described}
    power = document.source_unit and getattr(obj, "power", None)
    labels = document.edge_labels.get(obj.key, {})
    treatments = {
        sort.attribute: {
            find_edge_by_label(obj, str(i), labels).title: treatment_with_target(
                each.to_json(), partial(name_of_object, document.scene)
            )
            for i, each in own[obj.key].items()
        }
        for sort, own in document.treatments.by_type
        if obj.key in own
    }
    return {
        "object": obj.title,
        "type": obj.type,
        "fields": values,
        "units": units,
        **treatments,
        **({"power": f"{power:g} {document.source_unit}"} if power else {}),
        **_link_fields(document, frozenset((obj.key,))),
    }
