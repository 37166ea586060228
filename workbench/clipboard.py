"""Objects on the clipboard: as JSON that any program of this format reads, and the modules that instances among them need beside it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication

from core.kinds.object import SceneObject
from core.scene.codec import object_to_json
from core.scene.edits import control_points, insert_objects, remove_objects
from core.scene.modules.module import Module, ModuleObj
from core.scene.scene import Scene
from workbench.canvas.drags import movable

if TYPE_CHECKING:
    from workbench.main_window import MainWindow

MODULES = "application/x-raybench-modules"
"""The clipboard's name for the definitions, by their name, of the modules whose instances were copied."""


def copy(window: MainWindow) -> None:
    """Put the selected objects on the clipboard."""
    scene = window.document.scene
    chosen = [o for o in scene.objects if o.key in window.selection.keys]
    used = {o.module for o in chosen if isinstance(o, ModuleObj)}
    mime = QMimeData()
    mime.setText(json.dumps([object_to_json(o) for o in chosen], ensure_ascii=False, indent=2))
    if used:
        modules = {name: m.read for name, m in scene.modules.items() if name in used}
        mime.setData(MODULES, json.dumps(modules).encode())
    QApplication.clipboard().setMimeData(mime)


def cut(window: MainWindow) -> None:
    """Put the selected objects on the clipboard and take them out of the scene; locked ones stay, and that is said."""
    keys = movable(window.document.scene, window.selection.keys)
    if not keys:
        window.document.failed.emit("What is selected is locked. Unlock it in its properties to cut it.")
        return
    whom = window.whom(keys)
    window.selection.set(keys)
    copy(window)
    window.document.edit(f"Cut {whom}", lambda s: remove_objects(s, keys))


def insert(window: MainWindow, objects: tuple[SceneObject, ...]) -> None:
    """Add objects to the scene and select them. Where one already lies there, all move aside by steps of the grid."""
    if not objects:
        window.document.failed.emit("There are no objects to paste. Copy some first.")
        return
    modules = _copied_modules()
    made: set[int] = set()

    def change(scene: Scene) -> Scene:
        step = scene.settings.grid_size * _steps_aside(scene, objects)
        missing = {n: m for n, m in modules.items() if n not in scene.modules and any(_uses(o, n) for o in objects)}
        scene, keys = insert_objects(scene.with_modules(missing), objects, step, step)
        made.update(keys)
        return scene

    whom = objects[0].name or objects[0].label.lower() if len(objects) == 1 else f"{len(objects)} objects"
    if window.document.edit(f"Paste {whom}", change):
        window.selection.set(made)


def _uses(obj: SceneObject, module: str) -> bool:
    return isinstance(obj, ModuleObj) and obj.module == module


def _copied_modules() -> Mapping[str, Module]:
    data = bytes(QApplication.clipboard().mimeData().data(MODULES).data())
    found: Any = json.loads(data) if data else {}
    return {name: Module.from_json(name, read) for name, read in found.items()}


def _steps_aside(scene: Scene, objects: Iterable[SceneObject]) -> int:
    """How many steps of the grid objects have to move so that none lies just on another of its kind."""
    step = scene.settings.grid_size
    taken = {_place(o, 0.0) for o in scene.objects}
    return next(n for n in range(len(scene.objects) + 1) if not any(_place(o, n * step) in taken for o in objects))


def _place(obj: SceneObject, shift: float) -> tuple[object, ...]:
    """Its kind and where its points are, to nine digits of a unit."""
    return obj.type, *((round(c.at.x + shift, 9), round(c.at.y + shift, 9)) for c in control_points(obj))
