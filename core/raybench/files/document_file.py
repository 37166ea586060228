"""Reads and writes documents: plain scenes in ``.json`` files, scenes with annotations in
``.raybench`` files.
"""

import dataclasses
import json
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from raybench.errors import RaybenchError, SceneFileError, elide_text, list_choices
from raybench.files.atomic import content_digest, write_backup, write_bytes
from raybench.files.plain_scene import plain_scene
from raybench.files.scene_json import (
    json_bytes,
    parse_json,
    read_file,
    scene_from_json,
    scene_to_json,
)
from raybench.kinds.module_instance import ModuleObj
from raybench.materials.material import assigned_material_from_json, assigned_material_to_json
from raybench.scene import LENGTH_UNITS, POWER_UNITS, RELATIVE
from raybench.scene.background import Background
from raybench.scene.changes.presets import part_from_json, part_to_json
from raybench.scene.document import Document
from raybench.scene.materials import current_material, with_assigned_material
from raybench.scene.measurements import MAX_MEASUREMENTS, Measurement
from raybench.scene.parameters.following import with_link, with_links_applied
from raybench.scene.parts import Parts
from raybench.scene.saved_view import SavedView
from raybench.scene.scene import Scene, with_aliases
from raybench.scene.sheet import Sheet
from raybench.scene.slider_range import SliderRange
from raybench.scene.treatments import (
    TREATMENTS,
    treatments_from_json,
    treatments_to_json,
)

Named = TypeVar("Named")
SUFFIX = ".raybench"
OPTIONAL_ENTRIES = (
    "powerUnit",
    "aliases",
    *(sort.attribute for sort in TREATMENTS),
    "groups",
    "materials",
    "studies",
    "background",
    "measurements",
    "views",
    "sheet",
    "parts",
    "links",
    "sliders",
)
"""Annotations that are omitted from the file if empty."""
REQUIRED_ENTRIES = ("raybench", "unit", "edgeLabels", "disabled", "hidden", "scene")
"""The other entries of the file."""
RECOVERY_KEY = "recovery"
"""The key of the metadata in a recovery file (see `raybench.files.recovery`), which is not part of
the document.
"""


def load_document(path: Path) -> Document:
    """Read a ``.json`` scene or a ``.raybench`` document. Raises SceneFileError if any part of the
    file cannot be read.
    """
    return read_file(path, lambda text: parse_json(text, document_from_json))


def is_plain_scene(path: Path) -> bool:
    """Whether a file name has the suffix of a plain scene file, which stores no annotations."""
    return path.suffix.lower() != SUFFIX


def list_omitted_contents(document: Document, path: Path) -> tuple[str, ...]:
    """The contents of a document that a file with this name cannot store, as sentences with the
    names of the objects. Empty if the file can store the whole document.
    """
    return plain_scene(document).left_out if is_plain_scene(path) else ()


def save_document(document: Document, path: Path, *, backup: bool = False) -> str:
    """Write a document atomically. Returns the hash of the file's contents.

    A ``.json`` file stores the plain scene only, see `list_omitted_contents`. With ``backup`` the
    previous version of the file is kept (see `backup_path`). Raises FileWriteError if something
    cannot be written; the file is then unchanged.
    """
    content = json_bytes(
        scene_to_json(plain_scene(document).scene)
        if is_plain_scene(path)
        else document_to_json(document)
    )
    if backup:
        write_backup(path, content)
    write_bytes(path, content)
    return content_digest(content)


def document_from_json(data: Any) -> Document:
    """Decode a document from JSON values in the ``.raybench`` format, or from those of a plain
    scene.
    """
    if isinstance(data, dict) and "raybench" in data:
        return _document_from_json(data)
    return Document(scene=scene_from_json(data))


def document_to_json(document: Document) -> dict[str, Any]:
    """Encode a document as JSON values in the ``.raybench`` format. Objects are identified by their
    addresses, see `_object_addresses`.
    """
    scene = document.scene
    at = _object_addresses(scene)

    def sorted_addresses(keys: Iterable[int]) -> list[int | str]:
        return sorted((at[k] for k in keys if k in at), key=str)

    labels = {
        str(at[k]): {str(i): text for i, text in own.items()}
        for k, own in document.edge_labels.items()
        if k in at
    }
    materials = {
        str(at[o.key]): assigned_material_to_json(own)
        for o in scene.objects
        if (own := current_material(o)) is not None
    }
    background = document.background
    out = {
        "raybench": 1,
        "unit": document.unit,
        "powerUnit": "" if document.power_unit == RELATIVE else document.power_unit,
        "edgeLabels": labels,
        **{
            sort.attribute: treatments_to_json(getattr(document, sort.attribute), at)
            for sort in TREATMENTS
        },
        "disabled": sorted_addresses(document.disabled),
        "hidden": sorted_addresses(document.hidden),
        "aliases": _object_aliases(scene),
        "groups": {name: sorted_addresses(keys) for name, keys in document.groups.items()},
        "materials": materials,
        "scene": scene_to_json(scene),
        "background": background.to_json() if background is not None else None,
        "measurements": {name: m.to_json(at.get) for name, m in document.measurements.items()},
        "views": {name: view.to_json() for name, view in document.views.items()},
        "sheet": document.sheet.to_json() if document.sheet is not None else None,
        "parts": [part_to_json(part, at.__getitem__) for part in document.parts],
        "links": {link.parameter.text: link.expression for link in document.links},
        "sliders": {name: each.to_json() for name, each in document.sliders.items()},
        "studies": {name: dict(study) for name, study in document.studies.items()},
    }
    return {k: v for k, v in out.items() if v or k not in OPTIONAL_ENTRIES} | dict(document.kept)


def _object_aliases(scene: Scene) -> dict[str, str]:
    """The aliases of unnamed objects, by the index of the object. They are saved since studies and
    conversations may refer to them. Empty if reading the file would create the same aliases.
    """
    aliases = {str(i): o.alias for i, o in enumerate(scene.objects) if not o.name}
    anew = with_aliases(dataclasses.replace(o, alias="") for o in scene.objects)
    return {} if all(o.name or o.alias == aliases[str(i)] for i, o in enumerate(anew)) else aliases


def _restore_aliases(data: dict[str, Any], scene: Scene) -> Scene:
    """A copy of the scene with the aliases that a file contains. An alias that occurs twice is
    ignored. Raises ValueError if an alias is not a text.
    """
    if not data.get("aliases"):
        return scene
    aliases = {_key_at_address(scene, i): alias for i, alias in data["aliases"].items()}
    answering = Counter(o.name or str(aliases.get(o.key)) for o in scene.objects)
    for alias in aliases.values():
        if not isinstance(alias, str) or not alias:
            raise ValueError(f"{json.dumps(alias)[:60]} is not the name of one object")
    kept = {
        key: alias for key, alias in aliases.items() if answering[alias] == 1
    }  # earlier versions wrote others, too
    return scene.with_objects(
        dataclasses.replace(o, alias="" if o.name else kept.get(o.key, "")) for o in scene.objects
    )


def _object_addresses(scene: Scene) -> dict[int, int | str]:
    """The address of each object in a file, by the object's key: the index in the scene or, for a
    part of a module instance, the position in the templates, such as ``3/0.2``.
    """
    out: dict[int, int | str] = {}
    for i, obj in enumerate(scene.objects):
        out[obj.key] = i
        if isinstance(obj, ModuleObj):
            existing = {part.key for part in scene.parts_of(obj)}
            out |= {
                key: f"{i}/{'.'.join(map(str, part))}"
                for part, key in obj.part_keys.items()
                if key in existing
            }
    return out


def _document_from_json(data: dict[str, Any]) -> Document:
    if data["raybench"] != 1 or data["raybench"] is True:
        version = elide_text(json.dumps(data["raybench"]), 60)
        raise SceneFileError(
            f"this document has version {version}; version 1 can be opened. Open it with a newer"
            " Raybench."
        )
    scene = scene_from_json(data.get("scene"))
    unit, power_unit = data.get("unit", "mm"), data.get("powerUnit", RELATIVE)
    for name, value, known in (
        ("unit", unit, LENGTH_UNITS),
        ("powerUnit", power_unit, POWER_UNITS),
    ):
        if value not in known:
            raise SceneFileError(
                f"'{name}' must be one of {list_choices(known)}, it is {json.dumps(value)[:60]}."
            )

    def keys_at_addresses(addresses: Iterable[Any]) -> frozenset[int]:
        return frozenset(_key_at_address(scene, address) for address in addresses)

    def decode_by_key(entry: str, decode: Callable[[Any], Named]) -> dict[int, Named]:
        return {_key_at_address(scene, i): decode(v) for i, v in data.get(entry, {}).items()}

    try:
        scene = _restore_aliases(data, scene)
        labels = decode_by_key("edgeLabels", lambda v: {int(e): str(t) for e, t in v.items()})
        treatments: dict[str, Any] = {
            sort.attribute: decode_by_key(
                sort.attribute,
                partial(treatments_from_json, sort=sort, address=partial(_key_at_address, scene)),
            )
            for sort in TREATMENTS
        }
        groups = {
            str(name): keys_at_addresses(held) for name, held in data.get("groups", {}).items()
        }
        disabled, hidden = (
            keys_at_addresses(data.get("disabled", ())),
            keys_at_addresses(data.get("hidden", ())),
        )
        materials = decode_by_key("materials", assigned_material_from_json)
    except (AttributeError, TypeError, ValueError, LookupError, OverflowError) as error:
        raise SceneFileError(
            f"the annotations cannot be read ({elide_text(str(error))}). "
            "Correct 'aliases', 'edgeLabels', 'coatings', 'finishes', 'disabled', 'hidden', 'groups' and"
            " 'materials'."
        ) from None
    if materials:
        scene = scene.with_objects(
            with_assigned_material(o, materials.get(o.key)) for o in scene.objects
        )
    studies = data.get("studies", {})
    if not isinstance(studies, dict) or not all(
        isinstance(study, dict) for study in studies.values()
    ):
        raise SceneFileError("'studies' must map names to JSON objects. Correct or remove it.")
    background = Background.from_json(data["background"]) if data.get("background") else None
    measurements = _decode_entry(
        "measurements",
        data,
        lambda each: Measurement.from_json(each, lambda address: _key_at_address(scene, address)),
    )
    views = _decode_entry("views", data, SavedView.from_json)
    sliders = _decode_entry("sliders", data, SliderRange.from_json)
    sheet = Sheet.from_json(data["sheet"]) if data.get("sheet") else None
    parts = _read_parts(data.get("parts", []), scene, unit)
    kept = {
        k: v
        for k, v in data.items()
        if k not in (*REQUIRED_ENTRIES, *OPTIONAL_ENTRIES, RECOVERY_KEY)
    }
    document = Document(
        scene=scene, unit=unit, power_unit=power_unit, edge_labels=labels, disabled=disabled, hidden=hidden, groups=groups, studies=studies, background=background,
        measurements=measurements, views=views, sheet=sheet, sliders=sliders, parts=parts, kept=kept, **treatments,
    )  # fmt: skip
    return _read_links(data.get("links", {}), document)


def _read_links(data: Any, document: Document) -> Document:
    """The document with the links that a file contains, after the linked numbers were computed."""
    try:
        for place, expression in data.items():
            document = with_link(document, place, expression)
        return with_links_applied(document)
    except (RaybenchError, AttributeError, TypeError) as error:
        raise SceneFileError(
            f"'links' cannot be read ({elide_text(str(error))}). Correct or remove it."
        ) from None


def _read_parts(data: Any, scene: Scene, unit: str) -> Parts:
    """Read the parts of a document from JSON. A part is dropped if its objects no longer match its
    data, since another program may have edited the objects; the objects themselves are kept.
    """
    parts = []
    try:
        for entry in data:
            part = part_from_json(entry, lambda at: _key_at_address(scene, at), unit)
            if (now := part.in_scene(scene)) is not None:
                parts.append(now)
    except (
        RaybenchError,
        AttributeError,
        TypeError,
        ValueError,
        LookupError,
        ArithmeticError,
    ) as error:
        raise SceneFileError(
            f"'parts' cannot be read ({elide_text(str(error))}). Correct or remove it."
        ) from None
    return tuple(parts)


def _decode_entry(
    entry: str, data: dict[str, Any], decode: Callable[[Any], Named]
) -> dict[str, Named]:
    """Decode an entry of a document that maps names to JSON objects."""
    given = data.get(entry, {})
    if not isinstance(given, dict) or len(given) > MAX_MEASUREMENTS:
        raise SceneFileError(
            f"'{entry}' must map up to {MAX_MEASUREMENTS} names to JSON objects. Correct or"
            " remove it."
        )
    try:
        return {name: decode(each) for name, each in given.items()}
    except (RaybenchError, ValueError, LookupError, OverflowError) as error:
        raise SceneFileError(
            f"'{entry}' cannot be read ({elide_text(str(error))}). Correct or remove it."
        ) from None


def _key_at_address(scene: Scene, address: Any) -> int:
    """The key of the object at this address. Raises ValueError or LookupError if there is no such
    object.
    """
    if isinstance(address, int | str) and not isinstance(address, bool):
        index, _, part = str(address).partition("/")
        obj = scene.objects[int(index)] if int(index) >= 0 else None
        if obj is not None and not part:
            return obj.key
        if isinstance(obj, ModuleObj):
            return obj.part_keys[tuple(int(n) for n in part.split("."))]
    raise ValueError(f"{json.dumps(address)[:60]} is not the address of an object")
