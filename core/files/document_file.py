"""Documents on disk: plain scenes as ``.json``, scenes with annotations as ``.raybench``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from core.files.scene_json import SceneFileError, parse, read_file, scene_from_json, scene_to_json, write_json
from core.scene.document import UNITS, Document
from core.scene.scene import Scene

SUFFIX = ".raybench"


def load_document(path: Path) -> Document:
    """Read a ``.json`` scene or a ``.raybench`` document. Raises SceneFileError in one line; nothing is partly loaded."""
    return read_file(path, lambda text: parse(text, document_from_json))


def save_document(document: Document, path: Path) -> None:
    """Write a document, whole or not at all. A ``.json`` path gets the plain scene, which drops annotations (see `Document.annotated`)."""
    write_json(path, document_to_json(document) if path.suffix == SUFFIX else scene_to_json(document.scene))


def document_from_json(data: Any) -> Document:
    """The document a JSON value describes, in the wrapper or as a plain scene."""
    if isinstance(data, dict) and "raybench" in data:
        return _document_from_json(data)
    return Document(scene=scene_from_json(data))


def document_to_json(document: Document) -> dict[str, Any]:
    """The wrapper's JSON. Objects are referred to by their place in the scene."""
    scene = document.scene
    places = {o.key: i for i, o in enumerate(scene.objects)}
    labels = {str(places[k]): {str(i): t for i, t in v.items()} for k, v in document.edge_labels.items() if k in places}
    return {
        "raybench": 1,
        "unit": document.unit,
        "edgeLabels": labels,
        "disabled": sorted(places[k] for k in document.disabled if k in places),
        "hidden": sorted(places[k] for k in document.hidden if k in places),
        "scene": scene_to_json(scene),
    }


def _document_from_json(data: dict[str, Any]) -> Document:
    if data["raybench"] != 1:
        raise SceneFileError(f"this document has version {json.dumps(data['raybench'])}; version 1 can be opened.")
    scene = scene_from_json(data.get("scene"))
    unit = data.get("unit", "mm")
    if unit not in UNITS:
        raise SceneFileError(f"'unit' must be one of {list(UNITS)}, it is {json.dumps(unit)[:60]}.")
    try:
        labels = {_key(scene, int(i)): {int(e): str(t) for e, t in v.items()} for i, v in data.get("edgeLabels", {}).items()}
        disabled, hidden = (frozenset(_key(scene, i) for i in data.get(name, ())) for name in ("disabled", "hidden"))
    except (AttributeError, TypeError, ValueError, IndexError) as error:
        raise SceneFileError(f"the annotations cannot be read ({error}). Correct 'edgeLabels', 'disabled' and 'hidden'.") from None
    return Document(scene=scene, unit=unit, edge_labels=labels, disabled=disabled, hidden=hidden)


def _key(scene: Scene, index: int) -> int:
    return scene.objects[index].key
