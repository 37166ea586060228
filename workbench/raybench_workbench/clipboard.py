"""Copying objects through the clipboard, as JSON in the scene format. The JSON also has the module
definitions of instances, the materials of glass bodies, and the document's annotations of the
objects.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from raybench.errors import elide_text
from raybench.kinds.decorations import Handle
from raybench.kinds.fields import METRES
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.materials.material import assigned_material_from_json, assigned_material_to_json
from raybench.scene.changes import (
    TREATMENT_CHANGES,
    Add,
    Change,
    ChangeRefused,
    Define,
    Delete,
    Disable,
    Group,
    Hide,
    LabelEdge,
    LinkNumber,
    MakePart,
    apply_changes,
)
from raybench.scene.changes.duplicating import groups_for_copies, shifted_object_copies
from raybench.scene.changes.presets import part_to_json
from raybench.scene.codec import object_from_json, object_to_json
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.handles import retarget_copies, with_handle_indices_updated
from raybench.scene.locks import unlocked_keys
from raybench.scene.materials import current_material, with_assigned_material
from raybench.scene.measurements import Measurement, copy_measurements, measurements_attached_to
from raybench.scene.modules.module import (
    Module,
    definitions_with_new_names,
    names_with_used_modules,
)
from raybench.scene.parameters.following import rename_in_links
from raybench.scene.scene import Scene
from raybench.scene.treatments import treatment_with_target, treatments_to_json
from raybench_workbench.editing import step_description
from raybench_workbench.measuring.mode import measurements_change
from raybench_workbench.panels.messages import MESSAGE_MS
from raybench_workbench.translation import tr

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

EXTRAS_MIME_TYPE = "application/x-raybench-objects"
"""MIME type of what is copied besides the objects, as a JSON object: the ``unit`` of their scene,
the ``modules`` of instances, with those that they use, by name; by the index of an object among the
copied ones its ``materials`` and the ``notes`` of the document (which are disabled and hidden, edge
labels, groups, measurements and parts); and what handles ``held`` besides what was copied with
them.
"""
RUN_ID = uuid.uuid4().hex
"""Names this run of the program: in another, the keys of objects mean others."""


def copy_selection(window: MainWindow) -> None:
    """Put the selected objects on the clipboard."""
    scene = window.document.scene
    chosen = [o for o in scene.objects if o.key in window.selection.keys]
    used = names_with_used_modules(
        scene.modules, {o.module for o in chosen if isinstance(o, ModuleObj)}
    )
    objects = [object_to_json(o) for o in with_handle_indices_updated(scene.objects, chosen)]
    materials = {i: current_material(o) for i, o in enumerate(chosen)}
    extras = {
        "unit": window.document.document.unit,
        "modules": {name: scene.modules[name].read for name in used},
        "materials": {
            i: assigned_material_to_json(m) for i, m in materials.items() if m is not None
        },
        "notes": _copied_annotations(window.document.document, [o.key for o in chosen]),
        "held": _handles_of_uncopied_objects(scene, chosen),
    }
    mime = QMimeData()
    mime.setText(json.dumps(objects, ensure_ascii=False, indent=2))
    mime.setData(EXTRAS_MIME_TYPE, json.dumps(extras).encode())
    QApplication.clipboard().setMimeData(mime)


def cut_selection(window: MainWindow) -> None:
    """Move the selected objects to the clipboard; locked ones stay. An error if all of them are
    locked.
    """
    keys = unlocked_keys(window.document.scene, window.selection.keys)
    if not keys:
        window.document.failed.emit(
            tr("The selection is locked. Unlock it in its properties to cut it.")
        )
        return
    window.selection.set(keys)
    copy_selection(window)
    document = window.document.document
    measured = measurements_attached_to(document.measurements, keys)
    kept = {n: m for n, m in document.measurements.items() if n not in measured}
    gone = [measurements_change(document, kept)] if len(kept) < len(document.measurements) else []
    window.document.change([*gone, Delete(keys)], text=step_description(window, keys, "cut"))


def insert_objects(
    window: MainWindow, objects: tuple[SceneObject, ...], copied_with: QMimeData | None = None
) -> None:
    """Add objects to the scene and select them. They are displaced by some steps if they would
    coincide with existing objects.

    ``copied_with`` is the clipboard data of copied objects, which can contain `EXTRAS_MIME_TYPE`.
    Instances keep their module definitions: if the scene has another definition of the same name,
    the pasted module is renamed.
    """
    if not objects:
        window.document.failed.emit(tr("There are no objects to paste. Copy some first."))
        return
    scene = window.document.scene
    try:
        data = b"" if copied_with is None else bytes(copied_with.data(EXTRAS_MIME_TYPE).data())
        extras: Mapping[str, Any] = json.loads(data or b"{}")
        materials = {
            int(i): assigned_material_from_json(m) for i, m in extras.get("materials", {}).items()
        }
        copied = {n: Module.from_json(n, m) for n, m in extras.get("modules", {}).items()}
        notes: Mapping[str, Any] = extras.get("notes", {})
        objects = tuple(with_assigned_material(o, materials.get(i)) for i, o in enumerate(objects))
        list(
            _annotation_changes(notes, window.document.document, objects)
        )  # may be in another form
        objects = _restore_handles(objects, extras.get("held", {}), scene)
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        OverflowError,
        RecursionError,
    ):  # another program put them there
        window.document.failed.emit(
            tr(
                "The clipboard holds materials, modules or notes in a form that cannot be"
                " read. Copy the objects again."
            )
        )
        return
    instances = {o.module for o in objects if isinstance(o, ModuleObj)}
    names, missing = definitions_with_new_names(scene.modules, copied, instances)
    objects = tuple(
        replace(o, module=names.get(o.module, o.module)) if isinstance(o, ModuleObj) else o
        for o in objects
    )
    step = window.canvas.navigation.copy_offset
    step *= _steps_without_overlap(scene, objects, step)
    held = {
        name: {objects[i].key for i in indices} for name, indices in notes.get("groups", {}).items()
    }
    (copies,) = shifted_object_copies(window.document.document, objects, [(step, step)], held)
    count, first = len(objects), len(scene.objects)
    copied_at = {i: first + i for i in range(count)}
    kept_at = {count + i: i for i in range(first)}
    added = Add(tuple(retarget_copies(objects, copies, copied_at, kept_at)))
    one = added.objects[0]
    pasted = (
        tr("{count} objects", count=count)
        if count > 1
        else elide_text(f"{one.label} {one.name}".strip(), 60)
    )
    changes: list[Change] = [*([Define(missing)] if missing else ()), added]
    bare = ""
    try:
        there = apply_changes(changes, window.document.document)
        for change in _annotation_changes(notes, there, added.objects, step):
            if isinstance(change, TREATMENT_CHANGES):
                try:
                    apply_changes(change, there)
                except ChangeRefused as error:  # such as no values for the wavelengths here
                    bare = tr(
                        "Pasted without a {noun}: {error}", noun=change.treatment.noun, error=error
                    )
                    continue
            changes.append(change)
    except ChangeRefused as error:
        window.document.failed.emit(str(error))
        return
    if window.document.change(changes, text=tr("{objects} pasted", objects=pasted)):
        window.selection.select_and_show(o.key for o in added.objects)
        _report_different_unit(window, extras.get("unit"))
        if bare:
            window.document.failed.emit(bare)


def _report_different_unit(window: MainWindow, copied: object) -> None:
    """Warn in the status bar if the scene that the objects were copied from has another unit of
    length.
    """
    here = window.document.document.unit
    if isinstance(copied, str) and copied in METRES and copied != here:
        factor = f"{float(METRES[copied] / METRES[here]):.10g}"
        words = tr(
            "1 {copied} was pasted as 1 {here}. Arrange → Scale… by {factor} gives the"
            " sizes that were copied.",
            copied=copied,
            here=here,
            factor=factor,
        )
        window.status.showMessage(words, MESSAGE_MS)


def _handles_of_uncopied_objects(scene: Scene, chosen: Sequence[SceneObject]) -> dict[str, Any]:
    """The copied handles that also hold objects which were not copied, by index among the copied
    objects. ``held`` are the keys of all objects that a handle holds.
    """
    copied = [o.key for o in chosen]
    keys = {i: o.key for i, o in enumerate(scene.objects)}
    handles = {
        i: o
        for i, o in enumerate(chosen)
        if isinstance(o, Handle) and any(keys.get(t) not in copied for t in o.target_indices)
    }
    return {
        "run": RUN_ID,
        "handles": {i: object_to_json(o) for i, o in handles.items()},
        "held": {t: keys[t] for o in handles.values() for t in o.target_indices if t in keys},
        "copied": copied,
    }


def _restore_handles(
    objects: Sequence[SceneObject], copied_handles: Mapping[str, Any], scene: Scene
) -> tuple[SceneObject, ...]:
    """The copied objects, in which handles again hold uncopied objects that exist in this scene.
    The indices of a handle count the copied objects first, then the objects of the scene.
    """
    if copied_handles.get("run") != RUN_ID:
        return tuple(objects)
    there = {o.key: len(objects) + i for i, o in enumerate(scene.objects)}
    there |= {key: i for i, key in enumerate(copied_handles["copied"])}
    indices = {int(t): there[key] for t, key in copied_handles["held"].items() if key in there}
    handles = {int(i): object_from_json(data) for i, data in copied_handles["handles"].items()}
    return tuple(
        h.with_new_indices(indices) if isinstance(h := handles.get(i), Handle) else o
        for i, o in enumerate(objects)
    )


def _copied_annotations(document: Document, keys: Sequence[int]) -> dict[str, Any]:
    """The annotations of the objects ``keys`` in a document. They refer to each object by its index
    in ``keys``.
    """
    index = {key: i for i, key in enumerate(keys)}
    groups = document.groups_within(index).items()
    measured = measurements_attached_to(document.measurements, index).items()
    return {
        "disabled": sorted(index[k] for k in document.disabled & index.keys()),
        "hidden": sorted(index[k] for k in document.hidden & index.keys()),
        "labels": {index[k]: dict(own) for k, own in document.edge_labels.items() if k in index},
        **{
            sort.attribute: treatments_to_json(treatments, index)
            for sort, treatments in document.treatments.by_type
        },
        "groups": {name: sorted(index[k] for k in held) for name, held in groups},
        "measurements": {name: m.to_json(index.get) for name, m in measured},
        "parts": [
            part_to_json(part, index.__getitem__)
            for part in document.parts
            if part.present_objects.keys() <= index.keys()
        ],
        "links": [
            (o.parameter.text, o.expression)
            for o in document.links
            if o.refers_only_to(index.keys())
        ],
        "names": [o.title for k in keys if (o := document.scene.get(k)) is not None],
    }


def _annotation_changes(
    notes: Mapping[str, Any], document: Document, objects: Sequence[SceneObject], step: float = 0.0
) -> Iterator[Change]:
    """The changes that give copied annotations to the new objects of a document, which are shifted
    by ``step`` to the right and down.
    """

    def keys_at_indices(indices: Iterable[int]) -> list[int]:
        return [objects[i].key for i in indices]

    if disabled := keys_at_indices(notes.get("disabled", ())):
        yield Disable(disabled)
    if hidden := keys_at_indices(notes.get("hidden", ())):
        yield Hide(hidden)
    for i, labels in notes.get("labels", {}).items():
        for edge, text in labels.items():
            # others, of a file of an older version, would be refused
            once = list(labels.values()).count(text) == 1
            if once and not str(text).strip().isdecimal():
                yield LabelEdge(objects[int(i)].key, str(int(edge)), str(text))
    for treat in TREATMENT_CHANGES:
        for i, treatments in notes.get(treat.treatment.attribute, {}).items():
            for edge, data in treatments.items():
                given = treatment_with_target(data, lambda target: objects[target].key)
                yield treat.from_treatment(objects[int(i)].key, str(int(edge)), given)
    groups = {name: keys_at_indices(held) for name, held in notes.get("groups", {}).items()}
    copied_groups = groups_for_copies(document, groups.items())
    for name, held in copied_groups.items():
        yield Group(held, name)
    for part in notes.get("parts", ()):
        *turned, x, y = part["placement"]
        placed = {**part, "placement": [*turned, x + step, y + step]}
        yield MakePart([o.key for o in objects], placed)
    titles = [o.title for copy in objects if (o := document.scene.get(copy.key)) is not None]
    names = dict(zip((*notes.get("names", ()), *groups), (*titles, *copied_groups), strict=False))
    for place, expression in rename_in_links(notes.get("links", ()), names) if titles else ():
        yield LinkNumber(place, expression)
    there, copies = document.measurements, {i: o.key for i, o in enumerate(objects)}
    noted = {
        str(name): Measurement.from_json(m, copies.__getitem__)
        for name, m in notes.get("measurements", {}).items()
    }
    if new := copy_measurements(noted, {key: key for key in copies.values()}, there):
        yield measurements_change(document, {**there, **new})


def _steps_without_overlap(scene: Scene, objects: Iterable[SceneObject], step: float) -> int:
    """The smallest number of steps by which objects must be displaced so that none coincides with
    an object of its kind.

    It is 1 if no such number exists: at very large coordinates a step is lost in rounding.
    """

    def kind_and_points(obj: SceneObject, shift: float) -> tuple[object, ...]:
        """The kind of an object and its control points, displaced by ``shift`` in x and y and
        rounded to nine decimals.
        """
        points = [c.at for c in control_points(obj)]
        return obj.type, *((round(p.x + shift, 9), round(p.y + shift, 9)) for p in points)

    occupied = {kind_and_points(o, 0.0) for o in scene.objects}
    for n in range(len(scene.objects) + 1):
        if not any(kind_and_points(o, n * step) in occupied for o in objects):
            return n
    return 1
