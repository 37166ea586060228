"""The properties of the selection: a form made from the fields of the selected objects."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from core.scene.document import Document
from core.scene.fields import LENGTH, Field, fields_of
from core.scene.object import SceneObject
from core.scene.point import Vertex
from core.scene.scene import Scene
from core.scene.unread import Unread
from workbench import theme
from workbench.document import WorkDocument
from workbench.panels.number_edit import NumberEdit
from workbench.selection import Selection

MOST_VERTICES = 24
"""Outlines with more points than this are edited on the canvas only."""
HINT = "Nothing selected. Click an object on the canvas or in the list to see and change its properties."
_SEVERAL = object()
Get = Callable[[Any], Any]
Put = Callable[[Any, Any], SceneObject]


@dataclass(frozen=True)
class _Number:
    """A number of an object: what it is called, and how it is read and put into a copy."""

    label: str
    unit: str
    tip: str
    get: Get
    put: Put
    low: float | None = None
    high: float | None = None


def _getter(f: Field) -> Get:
    return lambda o: getattr(o, f.name)


def _putter(f: Field) -> Put:
    return lambda o, value: dataclasses.replace(o, **{f.name: value})


def _part(axis: str, get: Get, put: Put) -> tuple[Get, Put]:
    """Reading and writing one coordinate of a point."""
    return lambda o: getattr(get(o), axis), lambda o, value: put(o, get(o)._replace(**{axis: value}))


class Properties(QScrollArea):
    """The form. Every committed change is one undo step for all selected objects; wrong input is said and the old value kept."""

    def __init__(self, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document, self._selection = document, selection
        self._shape: tuple[object, ...] = ()
        self._updates: list[Callable[[list[SceneObject]], None]] = []
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName("Properties of the selection")
        selection.changed.connect(self._show)
        document.changed.connect(self._document_changed)
        self._show()

    def _document_changed(self, before: Document, after: Document) -> None:
        self._show()

    def _selected(self) -> list[SceneObject]:
        return [o for o in self._document.scene.objects if o.key in self._selection.keys]

    def _show(self, _: object = None) -> None:
        objects = self._selected()
        shape = (tuple((o.key, _vertices(o)) for o in objects), self._document.document.unit)
        if shape != self._shape or self.widget() is None:
            self._shape = shape
            self._build(objects)
        for update in self._updates:
            update(objects)

    def _build(self, objects: list[SceneObject]) -> None:
        self._updates = []
        form = QWidget()
        theme.set_role(form, "panel")
        column = QVBoxLayout(form)
        column.setContentsMargins(theme.GRID, theme.HALF, theme.GRID, theme.GRID)
        column.setSpacing(theme.HALF)
        if not objects:
            column.addWidget(_note(HINT))
        elif len(objects) > 1:
            column.addWidget(_note(f"{len(objects)} objects: a change goes to all of them."))
        for obj in objects[:1]:
            if isinstance(obj, Unread):
                column.addWidget(_note(f"{obj.type}: {obj.reason} It is kept in the file as it is."))
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.GRID)
        grid.setVerticalSpacing(theme.HALF)
        grid.setColumnStretch(1, 1)
        for f in _common_fields(objects):
            self._add(grid, f, objects)
        column.addLayout(grid)
        column.addStretch(1)
        self.setWidget(form)

    def _add(self, grid: QGridLayout, f: Field, objects: list[SceneObject]) -> None:
        if any(getattr(o, f.name) is None for o in objects):
            return
        row = grid.rowCount()
        tip = f.about.help
        match f.about.kind:
            case "number" | "coordinate":
                _label(grid, row, f.about.label, tip)
                number = _Number(f.about.label, f.about.unit, tip, _getter(f), _putter(f), f.about.low, f.about.high)
                grid.addWidget(self._number(number), row, 1)
            case "point":
                _heading(grid, row, f.about.label, tip)
                grid.addLayout(self._point(f.about.label, "", tip, _getter(f), _putter(f)), row + 1, 0, 1, 2)
            case "path" | "points":
                count = _vertices(objects[0])
                if len(objects) > 1 or count > MOST_VERTICES:
                    return
                _heading(grid, row, f.about.label, tip)
                for i in range(count):
                    grid.addLayout(self._vertex(f, i, tip), row + 1 + i, 0, 1, 2)
            case "flag":
                box = QCheckBox(f.about.label)
                box.setToolTip(tip)
                box.clicked.connect(lambda on: self._set_field(f, on))
                self._updates.append(lambda objs: _check(box, _common(objs, lambda o: getattr(o, f.name))))
                grid.addWidget(box, row, 0, 1, 2)
            case "choice":
                _label(grid, row, f.about.label, tip)
                combo = QComboBox()
                combo.addItems(f.about.choices)
                combo.setToolTip(tip)
                combo.setMinimumWidth(40)
                combo.setAccessibleName(f.about.label)
                combo.activated.connect(lambda i: self._set_field(f, f.about.choices[i]))
                self._updates.append(lambda objs: combo.setCurrentIndex(_choice(f, _common(objs, lambda o: getattr(o, f.name)))))
                grid.addWidget(combo, row, 1)
            case "text":
                _heading(grid, row, f.about.label, tip)
                edit = QLineEdit()
                edit.setToolTip(tip)
                edit.setMinimumWidth(40)
                edit.setAccessibleName(f.about.label)
                edit.editingFinished.connect(lambda: self._set_text(f, edit))
                self._updates.append(lambda objs: _fill(edit, f, objs))
                grid.addWidget(edit, row + 1, 0, 1, 2)

    def _point(self, label: str, place: str, tip: str, get: Get, put: Put) -> QHBoxLayout:
        """Two numbers in a line, after the point's place in a path."""
        line = QHBoxLayout()
        line.setSpacing(theme.HALF)
        if place:
            number = QLabel(place)
            number.setFixedWidth(theme.width_of("00"))
            theme.set_role(number, "label")
            line.addWidget(number)
        for axis, unit in (("x", ""), ("y", LENGTH)):
            line.addWidget(self._number(_Number(f"{label} {axis}", unit, tip, *_part(axis, get, put))))
        return line

    def _vertex(self, f: Field, i: int, tip: str) -> QHBoxLayout:
        def put(o: Any, vertex: Vertex) -> SceneObject:
            path = list(getattr(o, f.name))
            path[i] = vertex
            return _putter(f)(o, tuple(path))

        return self._point(f"{f.about.label} {i}", str(i), tip, lambda o: getattr(o, f.name)[i], put)

    def _number(self, number: _Number) -> NumberEdit:
        edit = NumberEdit(number.label, self._unit(number.unit), number.low, number.high)
        edit.setToolTip(number.tip)

        def update(objects: list[SceneObject]) -> None:
            value = _common(objects, number.get)
            edit.set_value(None if value is _SEVERAL else float(value))

        def commit(value: float) -> None:
            if not self._change(number.label, lambda o: number.put(o, value)):
                update(self._selected())

        edit.committed.connect(commit)
        edit.refused.connect(self._document.failed)
        self._updates.append(update)
        return edit

    def _unit(self, unit: str) -> str:
        unit = self._document.document.unit if unit == LENGTH else unit
        return "°" if unit == "deg" else unit

    def _set_text(self, f: Field, edit: QLineEdit) -> None:
        if edit.isModified():
            edit.setModified(False)
            self._set_field(f, edit.text().strip() if f.name == "name" else edit.text())

    def _set_field(self, f: Field, value: Any) -> bool:
        return self._change(f.about.label, lambda o: dataclasses.replace(o, **{f.name: value}))

    def _change(self, label: str, change: Callable[[Any], SceneObject]) -> bool:
        keys = self._selection.keys
        objects = self._selected()
        whom = objects[0].title if len(objects) == 1 else f"{len(objects)} objects"

        def edit(scene: Scene) -> Scene:
            changed = tuple(change(o) if o.key in keys else o for o in scene.objects)
            return scene if changed == scene.objects else scene.with_objects(changed)

        return self._document.edit(f"Change {label.lower()} of {whom}", edit)


def _common_fields(objects: list[SceneObject]) -> list[Field]:
    if not objects or any(isinstance(o, Unread) for o in objects):
        return []
    rest = [fields_of(type(o)) for o in objects[1:]]
    fields = [f for f in fields_of(type(objects[0])) if all(f in other for other in rest)]
    # the lock is last: it is about editing, not about the object
    return [f for f in fields if f.name != "locked"] + [f for f in fields if f.name == "locked"]


def _vertices(obj: SceneObject) -> int:
    return max((len(getattr(obj, f.name) or ()) for f in fields_of(type(obj)) if f.about.kind in ("path", "points")), default=0)


def _common(objects: list[SceneObject], get: Callable[[Any], Any]) -> Any:
    """The value all objects share, or `_SEVERAL`."""
    values = [get(o) for o in objects]
    return values[0] if values and all(v == values[0] for v in values) else _SEVERAL


def _check(box: QCheckBox, value: Any) -> None:
    box.setTristate(value is _SEVERAL)
    box.setCheckState(
        Qt.CheckState.PartiallyChecked if value is _SEVERAL else (Qt.CheckState.Checked if value else Qt.CheckState.Unchecked)
    )


def _choice(f: Field, value: Any) -> int:
    return -1 if value is _SEVERAL else f.about.choices.index(value)


def _fill(edit: QLineEdit, f: Field, objects: list[SceneObject]) -> None:
    if edit.isModified() and edit.hasFocus():
        return
    value = _common(objects, lambda o: getattr(o, f.name))
    alias = objects[0].alias if f.name == "name" and len(objects) == 1 else ""
    edit.setPlaceholderText("several" if value is _SEVERAL else alias)
    edit.setText("" if value is _SEVERAL else value)
    edit.setCursorPosition(0)


def _heading(grid: QGridLayout, row: int, text: str, tip: str) -> None:
    label = QLabel(text)
    label.setToolTip(tip)
    theme.set_role(label, "label")
    grid.addWidget(label, row, 0, 1, 2)


def _label(grid: QGridLayout, row: int, text: str, tip: str) -> None:
    label = QLabel(text)
    label.setToolTip(tip)
    theme.set_role(label, "label")
    grid.addWidget(label, row, 0)


def _note(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    theme.set_role(label, "dim")
    return label
