"""A read-only view of the parts of a module's instance and their values, which follow from its
points and parameters.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from raybench.errors import elided
from raybench.kinds.fields import fields_of
from raybench.kinds.object import SceneObject
from raybench.scene.changes.values import formatted, part_of
from raybench_workbench import theme
from raybench_workbench.words.plain_text import tool_tip

MAX_PARTS = 200
"""Number of parts that are listed."""
VISIBLE = 8
"""Rows that are visible without scrolling."""


class PartsView(QTreeWidget):
    """A row for each part; the rows of its values are created when it is expanded."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[SceneObject, ...] = ()
        self._unit = "mm"
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setAccessibleName("Parts of the module")
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setIndentation(2 * theme.GRID)
        self.setUniformRowHeights(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.header().setStretchLastSection(False)
        self.itemExpanded.connect(self._fill)
        theme.notifier.changed.connect(self._paint_kinds)

    def show_parts(self, parts: tuple[SceneObject, ...], owner: str, unit: str) -> None:
        """Show parts; expanded ones stay expanded. ``owner`` is the title of the instance, with
        which all their names begin.
        """
        if parts == self._parts and unit == self._unit and self.topLevelItemCount():
            return
        items = (self.topLevelItem(i) for i in range(self.topLevelItemCount()))
        opened = {i for i, item in enumerate(items) if item is not None and item.isExpanded()}
        self._parts, self._unit = parts, unit
        self.clear()
        for i, part in enumerate(parts[:MAX_PARTS]):
            item = QTreeWidgetItem([elided(part.title.removeprefix(f"{owner}/"), 60), part.label])
            item.setToolTip(0, tool_tip(part.title))
            item.setData(0, Qt.ItemDataRole.UserRole, i)
            item.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self.addTopLevelItem(item)
            if i in opened:
                item.setExpanded(True)
        self._paint_kinds()
        if len(parts) > MAX_PARTS:
            self.addTopLevelItem(QTreeWidgetItem([f"{len(parts) - MAX_PARTS} more"]))
        row = max(theme.ROW_HEIGHT - theme.HALF, self.sizeHintForRow(0))
        self.setFixedHeight(
            row * min(VISIBLE, max(1, len(parts)) + (4 if opened else 0)) + 2 * theme.HALF
        )

    def _paint_kinds(self, *_: object) -> None:
        """Dim the kinds of the parts in the colour of the theme."""
        for i in range(self.topLevelItemCount()):
            if (item := self.topLevelItem(i)) is not None:
                item.setForeground(1, theme.current().color("dim"))

    def _fill(self, item: QTreeWidgetItem) -> None:
        """Add the values of a part below it."""
        index = item.data(0, Qt.ItemDataRole.UserRole)
        if index is None or item.childCount():
            return
        part = self._parts[index]
        for f in fields_of(type(part)):
            if f.name in ("name", "locked") or f.about.unused:
                continue
            value = part_of(part, f.json_name)
            if value is None or (not f.required and getattr(part, f.name) == f.default):
                continue
            items = (
                value if isinstance(value, list) and f.about.kind in ("path", "points") else [value]
            )
            for k, one in enumerate(items):
                label = f"{f.about.label} {k}" if len(items) > 1 else f.about.label
                child = QTreeWidgetItem([label, formatted(part, f.json_name, one, self._unit)])
                child.setToolTip(1, tool_tip(child.text(1)))
                item.addChild(child)
        self.setFixedHeight(
            max(
                self.height(), theme.ROW_HEIGHT * min(VISIBLE, len(self._parts) + item.childCount())
            )
        )
