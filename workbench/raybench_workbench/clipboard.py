"""Objects on the clipboard: as JSON in the scene format, together with the module definitions that
instances among them need, the materials of glass bodies, and what the document notes of the
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

from raybench.errors import elided
from raybench.kinds.decorations import Handle
from raybench.kinds.module_instance import ModuleObj
from raybench.kinds.object import SceneObject
from raybench.materials.material import assigned_from_json, assigned_to_json
from raybench.scene.changes import (
    Add,
    Change,
    ChangeRefused,
    Define,
    Delete,
    Disable,
    Group,
    Hide,
    LabelEdge,
    applied,
)
from raybench.scene.changes.objects import copies_of, groups_of_copies
from raybench.scene.changes.quantity import METRES
from raybench.scene.codec import object_from_json, object_to_json
from raybench.scene.control_points import control_points
from raybench.scene.document import Document
from raybench.scene.handles import copies_retargeted, with_indices_kept
from raybench.scene.locks import unlocked_keys
from raybench.scene.materials import material_of, with_material
from raybench.scene.measurements import Measurement, measurements_copied, measurements_of
from raybench.scene.modules.module import Module, definitions_beside, with_used
from raybench.scene.scene import Scene
from raybench_workbench.editing import step_text
from raybench_workbench.measuring.mode import with_measurements
from raybench_workbench.panels.messages import MESSAGE_MS

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

MODULES = "application/x-raybench-modules"
"""MIME type of the definitions, by name, of the modules whose instances were copied and of those
that they use.
"""
MATERIALS = "application/x-raybench-materials"
"""MIME type of the materials of the copied objects, by their index among them."""
NOTES = "application/x-raybench-notes"
"""MIME type of what the document notes of the copied objects, by their index among them: which are
disabled and hidden, their edge labels, groups and measurements.
"""
UNIT = "application/x-raybench-unit"
"""MIME type of the unit of the scene from which the objects were copied."""

HELD = "application/x-raybench-held"
"""MIME type of what copied handles hold besides the objects copied with them: other objects of a
scene of this run of the program.
"""
RUN = uuid.uuid4().hex
"""Names this run of the program: in another, the keys of objects mean others."""


def copy_selection(window: MainWindow) -> None:
    """Put the selected objects on the clipboard."""
    scene = window.document.scene
    chosen = [o for o in scene.objects if o.key in window.selection.keys]
    used = with_used(scene.modules, {o.module for o in chosen if isinstance(o, ModuleObj)})
    mime = QMimeData()
    mime.setText(
        json.dumps(
            [object_to_json(o) for o in with_indices_kept(scene.objects, chosen)],
            ensure_ascii=False,
            indent=2,
        )
    )
    mime.setData(UNIT, json.dumps({"unit": window.document.document.unit}).encode())
    if used:
        modules = {name: scene.modules[name].read for name in used}
        mime.setData(MODULES, json.dumps(modules).encode())
    materials = {
        i: assigned_to_json(own)
        for i, o in enumerate(chosen)
        if (own := material_of(o)) is not None
    }
    if materials:
        mime.setData(MATERIALS, json.dumps(materials).encode())
    if notes := _notes_of(window.document.document, [o.key for o in chosen]):
        mime.setData(NOTES, json.dumps(notes).encode())
    if held := _held_elsewhere(scene, chosen):
        mime.setData(HELD, json.dumps(held).encode())
    QApplication.clipboard().setMimeData(mime)


def cut_selection(window: MainWindow) -> None:
    """Move the selected objects to the clipboard; locked ones stay. An error if all of them are
    locked.
    """
    keys = unlocked_keys(window.document.scene, window.selection.keys)
    if not keys:
        window.document.failed.emit(
            "The selection is locked. Unlock it in its properties to cut it."
        )
        return
    window.selection.set(keys)
    copy_selection(window)
    document = window.document.document
    kept = {
        n: m
        for n, m in document.measurements.items()
        if n not in measurements_of(document.measurements, keys)
    }
    gone = [with_measurements(document, kept)] if len(kept) < len(document.measurements) else []
    window.document.change([*gone, Delete(keys)], text=step_text(window, keys, "cut"))


def insert_objects(
    window: MainWindow, objects: tuple[SceneObject, ...], copied_with: QMimeData | None = None
) -> None:
    """Add objects to the scene and select them, displaced by some steps if they would coincide with
    existing ones.

    ``copied_with`` has the materials, modules and notes that they were copied with, if they come
    from the clipboard. Instances keep these modules: where another definition has the name here,
    theirs gets a new one.
    """
    if not objects:
        window.document.failed.emit("There are no objects to paste. Copy some first.")
        return
    scene = window.document.scene
    try:
        materials = {
            int(i): assigned_from_json(row)
            for i, row in _copied_json(copied_with, MATERIALS).items()
        }
        objects = tuple(with_material(o, materials.get(i)) for i, o in enumerate(objects))
        copied = {n: Module.from_json(n, m) for n, m in _copied_json(copied_with, MODULES).items()}
        notes, unit = (
            _copied_json(copied_with, NOTES),
            str(_copied_json(copied_with, UNIT).get("unit")),
        )
        list(
            _note_changes(notes, window.document.document, objects)
        )  # raises an error where they cannot be read
        objects = _with_handles(objects, _copied_json(copied_with, HELD), scene)
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        OverflowError,
        RecursionError,
    ):  # another program put them there
        window.document.failed.emit(
            "The clipboard holds materials, modules or notes in a form that cannot be read. Copy"
            " the objects again."
        )
        return
    names, missing = definitions_beside(
        scene.modules, copied, {o.module for o in objects if isinstance(o, ModuleObj)}
    )
    objects = tuple(
        replace(o, module=names.get(o.module, o.module)) if isinstance(o, ModuleObj) else o
        for o in objects
    )
    step = window.canvas.navigation.step
    step *= _free_steps(scene, objects, step)
    first, (copies,) = (
        len(scene.objects),
        copies_of(window.document.document, objects, [(step, step)]),
    )
    copied_at, kept_at = (
        {i: first + i for i in range(len(objects))},
        {len(objects) + i: i for i in range(first)},
    )
    added = Add(tuple(copies_retargeted(objects, copies, copied_at, kept_at)))
    one = added.objects[0]
    pasted = (
        f"{len(objects)} objects"
        if len(objects) > 1
        else elided(f"{one.label} {one.name}".strip(), 60)
    )
    changes: list[Change] = [*([Define(missing)] if missing else ()), added]
    try:
        changes += _note_changes(notes, applied(changes, window.document.document), added.objects)
    except ChangeRefused as error:
        window.document.failed.emit(str(error))
        return
    if window.document.change(changes, text=f"{pasted} pasted"):
        window.selection.present(o.key for o in added.objects)
        _compare_units(window, unit)


def _compare_units(window: MainWindow, copied: str) -> None:
    """Say in the status bar where the numbers of pasted objects mean other lengths than in the
    scene from which they were copied.
    """
    here = window.document.document.unit
    if copied in METRES and copied != here:
        factor = f"{float(METRES[copied] / METRES[here]):.10g}"
        words = (
            f"1 {copied} was pasted as 1 {here}. Arrange → Scale… by {factor} gives the sizes that"
            " were copied."
        )
        window.status.showMessage(words, MESSAGE_MS)


def _held_elsewhere(scene: Scene, chosen: Sequence[SceneObject]) -> dict[str, Any]:
    """The handles among copied objects that hold others, too, by their index among the copied, and
    all that they hold by key: ``held``.
    """
    own = {o.key for o in chosen}
    keys = {i: o.key for i, o in enumerate(scene.objects)}
    handles = {
        i: o
        for i, o in enumerate(chosen)
        if isinstance(o, Handle) and any(keys.get(t, 0) not in own for t in o.targets)
    }
    held = {t: keys[t] for o in handles.values() for t in o.targets if t in keys}
    copied = [o.key for o in chosen]
    return (
        {
            "run": RUN,
            "handles": {i: object_to_json(o) for i, o in handles.items()},
            "held": held,
            "copied": copied,
        }
        if handles
        else {}
    )


def _with_handles(
    objects: Sequence[SceneObject], noted: Mapping[str, Any], scene: Scene
) -> tuple[SceneObject, ...]:
    """Copied objects, with handles that hold again what they held elsewhere, as far as it is in the
    scene. The indices of a handle are those among the copied objects and, behind these, those in
    the scene.
    """
    if noted.get("run") != RUN:
        return tuple(objects)
    copied = {key: i for i, key in enumerate(noted["copied"])}
    there = {o.key: len(objects) + i for i, o in enumerate(scene.objects)}
    indices = {
        int(t): {**there, **copied}[key]
        for t, key in noted["held"].items()
        if key in there or key in copied
    }
    handles = {int(i): object_from_json(data) for i, data in noted["handles"].items()}
    return tuple(
        h.retargeted(indices) if isinstance(h := handles.get(i), Handle) else o
        for i, o in enumerate(objects)
    )


def _notes_of(document: Document, keys: Sequence[int]) -> dict[str, Any]:
    """What a document notes of objects, which are named by their index among the keys."""
    index = {key: i for i, key in enumerate(keys)}
    notes = {
        "disabled": sorted(index[k] for k in document.disabled & index.keys()),
        "hidden": sorted(index[k] for k in document.hidden & index.keys()),
        "labels": {index[k]: dict(own) for k, own in document.edge_labels.items() if k in index},
        "groups": {
            name: sorted(index[k] for k in held)
            for name, held in document.groups_within(index).items()
        },
        "measurements": {
            name: m.to_json(index.get)
            for name, m in measurements_of(document.measurements, index).items()
        },
    }
    return {what: noted for what, noted in notes.items() if noted}


def _note_changes(
    notes: Mapping[str, Any], document: Document, objects: Sequence[SceneObject]
) -> Iterator[Change]:
    """The changes that note the same of new objects of a document."""

    def keys(indices: Iterable[int]) -> list[int]:
        return [objects[i].key for i in indices]

    if disabled := keys(notes.get("disabled", ())):
        yield Disable(disabled)
    if hidden := keys(notes.get("hidden", ())):
        yield Hide(hidden)
    for i, labels in notes.get("labels", {}).items():
        for edge, text in labels.items():
            once = list(labels.values()).count(text) == 1
            if (
                once and not str(text).strip().isdecimal()
            ):  # others, of a file of an older version, would be refused
                yield LabelEdge(objects[int(i)].key, str(int(edge)), str(text))
    groups = {name: keys(held) for name, held in notes.get("groups", {}).items()}
    for name, held in groups_of_copies(document, groups.items()).items():
        yield Group(held, name)
    there, copies = document.measurements, {i: o.key for i, o in enumerate(objects)}
    noted = {
        str(name): Measurement.from_json(m, copies.__getitem__)
        for name, m in notes.get("measurements", {}).items()
    }
    if new := measurements_copied(noted, {key: key for key in copies.values()}, there):
        yield with_measurements(document, {**there, **new})


def _copied_json(mime: QMimeData | None, format_: str) -> Mapping[str, Any]:
    """What was copied besides the objects, in one of the MIME types above; empty without it."""
    data = b"" if mime is None else bytes(mime.data(format_).data())
    values: Mapping[str, Any] = json.loads(data) if data else {}
    return values


def _free_steps(scene: Scene, objects: Iterable[SceneObject], step: float) -> int:
    """The smallest number of steps by which objects must move so that none coincides with another
    of its kind.

    One if no such number exists: coordinates may be so large that a step is lost in their rounding.
    """
    occupied = {_position_key(o, 0.0) for o in scene.objects}
    free = (
        n
        for n in range(len(scene.objects) + 1)
        if not any(_position_key(o, n * step) in occupied for o in objects)
    )
    return next(free, 1)


def _position_key(obj: SceneObject, shift: float) -> tuple[object, ...]:
    """The kind and the positions of the control points, rounded to nine decimals, displaced by
    ``shift`` in x and y.
    """
    return obj.type, *(
        (round(c.at.x + shift, 9), round(c.at.y + shift, 9)) for c in control_points(obj)
    )
