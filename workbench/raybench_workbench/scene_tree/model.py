"""The scene's objects as rows, and what is changed by them: names, switches, the order."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QWidget

from raybench.kinds.object import SceneObject
from raybench.kinds.unread import Unread
from raybench.scene.changes import Change, Disable, Hide, Reorder, Set
from raybench.scene.locks import is_locked
from raybench.scene.scene import Scene
from raybench_workbench import theme
from raybench_workbench.canvas.icons import kind_icon
from raybench_workbench.document import WorkDocument
from raybench_workbench.problems.scene_problems import SceneProblems
from raybench_workbench.words.plain_text import tool_tip

KEY = Qt.ItemDataRole.UserRole
KIND = KEY + 1
PROBLEM = KEY + 2
GIVEN = KEY + 3
STATES = KEY + 4
GROUPS = KEY + 5
SWITCHES = ("hidden", "disabled", "locked")
"""The switches of a row, from left to right."""
TIPS = {
    "hidden": "Hidden: acts on light, but is not drawn",
    "disabled": "Light passes it",
    "locked": "Locked: cannot be dragged",
}
Index = QModelIndex | QPersistentModelIndex


class SceneModel(QAbstractListModel):
    """One row per object, in the scene's order."""

    def __init__(
        self, document: WorkDocument, problems: SceneProblems, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document, self._problems = document, problems
        self._objects: tuple[SceneObject, ...] = ()
        self._lock_objs = False
        self._icons: dict[tuple[str, bool], QIcon] = {}
        self.show_scene(document.scene)

    def show_scene(self, scene: Scene) -> None:
        """Show a scene; if it has the same objects as before, the model is not reset."""
        same = [o.key for o in scene.objects] == [o.key for o in self._objects]
        if not same:
            self.beginResetModel()
        relocked = scene.settings.lock_objs != self._lock_objs
        changed = [
            i
            for i, (a, b) in enumerate(zip(self._objects, scene.objects, strict=False))
            if relocked
            or (
                a is not b
                and (a.type, a.name, a.alias, a.locked) != (b.type, b.name, b.alias, b.locked)
            )
        ]
        self._objects, self._lock_objs = scene.objects, scene.settings.lock_objs
        if not same:
            self.endResetModel()
        elif changed:
            self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))

    def repaint_icons(self) -> None:
        self._icons.clear()
        if self._objects:
            self.dataChanged.emit(self.index(0), self.index(len(self._objects) - 1))

    def object_of(self, key: int) -> SceneObject | None:
        return self._document.scene.get(key)

    def key_at(self, row: int) -> int:
        return self._objects[row].key

    def rows_of(self, keys: frozenset[int]) -> list[int]:
        return [i for i, o in enumerate(self._objects) if o.key in keys]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._objects)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return (
            flags
            if isinstance(self._objects[index.row()], Unread)
            else flags | Qt.ItemFlag.ItemIsEditable
        )

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        obj = self._objects[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return obj.title
            case Qt.ItemDataRole.EditRole:
                return obj.name
            case Qt.ItemDataRole.FontRole:
                return theme.text_font(italic=not obj.name)
            case Qt.ItemDataRole.DecorationRole:
                which = obj.type, obj.key in self._document.document.disabled
                return self._icons.setdefault(
                    which, kind_icon(which[0], theme.current(), disabled=which[1])
                )
            case Qt.ItemDataRole.ToolTipRole:
                states = [TIPS[name] for name in self.states(index.row())]
                return tool_tip(
                    "\n".join(
                        [self._problems.text_of(obj.key) or f"{obj.title}: {obj.label}", *states]
                    )
                )
            case _ if role == STATES:
                return self.states(index.row())
            case _ if role == GROUPS:
                return ", ".join(
                    name for name, keys in self._document.document.groups.items() if obj.key in keys
                )
        return {KEY: obj.key, KIND: obj.type if isinstance(obj, Unread) else obj.label, PROBLEM: obj.key in self._problems.by_key,
                GIVEN: not obj.name and not isinstance(obj, Unread)}.get(role)  # fmt: skip

    def states(self, row: int) -> tuple[str, ...]:
        """The `SWITCHES` that are on in a row."""
        obj, document = self._objects[row], self._document.document
        on = {
            "hidden": obj.key in document.hidden,
            "disabled": obj.key in document.disabled,
            "locked": is_locked(document.scene, obj),
        }
        return tuple(name for name in SWITCHES if on[name])

    def switch(self, row: int, name: str, selected: frozenset[int]) -> None:
        """Turn a switch of a row on or off, and with it that of all selected objects if the row is
        of one of them.
        """
        key, on = self._objects[row].key, name not in self.states(row)
        keys = selected if key in selected else {key}
        free = "unlocked" if self._document.scene.settings.lock_objs else "default"
        changes: dict[str, Change] = {"hidden": Hide(keys, on=on), "disabled": Disable(keys, on=on),
                                      "locked": Set(keys, {"locked": "locked" if on else free})}  # fmt: skip
        self._document.change(changes[name])

    def move(self, keys: frozenset[int], row: int) -> None:
        """Move objects before the one in a row; to the end if there is no such row."""
        rest = [o.key for o in self._objects if o.key not in keys]
        after = [o.key for o in self._objects[row:] if o.key not in keys]
        if not rest:
            return
        self._document.change(
            Reorder(keys, before=after[0]) if after else Reorder(keys, after=rest[-1])
        )

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        obj = self._objects[index.row()]
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or name == obj.name:
            return False
        return self._document.change(Set(obj.key, {"name": name}))
