"""The list of the scene's objects with a search field, kept in sync with the selection."""

import itertools
from operator import attrgetter

from PySide6.QtCore import QItemSelection, QItemSelectionModel, QItemSelectionRange, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLineEdit,
    QStackedLayout,
    QStyledItemDelegate,
    QWidget,
)

from raybench.scene.document import Document
from raybench_workbench import theme
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.panels.document_lists import SceneProblems
from raybench_workbench.panels.scene_tree_rows import (
    GROUPS_ROLE,
    KIND_ROLE,
    ObjectListView,
    ObjectRowDelegate,
    SceneModel,
)
from raybench_workbench.translation import tr
from raybench_workbench.widgets import NoMatchHint, SearchField, WrappedLabel, column_layout

SEARCHED_ROLES = (Qt.ItemDataRole.DisplayRole, KIND_ROLE, GROUPS_ROLE)


class SceneTree(QWidget):
    """The list of objects below a search field, kept in sync with the selection. It shows a hint
    while the scene is empty.
    """

    menuRequested = Signal(object)
    """A context menu is asked for at a point of the screen; the object there is selected."""
    hovered = Signal(object)
    """The key of the object whose row is under the pointer, or None."""
    exited = Signal()
    """The search was left by Esc."""

    def __init__(
        self,
        document: WorkDocument,
        selection: Selection,
        problems: SceneProblems,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._selection = selection
        self.model = SceneModel(document, problems, self)
        problems.changed.connect(self.model.repaint_icons)
        self.list = ObjectListView(self)
        self.list.setModel(self.model)
        self.list.setItemDelegate(ObjectRowDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setAccessibleName(tr("Objects of the scene"))
        self.no_match = NoMatchHint(tr("No object matches. Try another name or kind."), self.list)
        self.search = SearchField(tr("Find an object"), tr("Find by name or kind"))
        self.hint = WrappedLabel(
            tr("No objects. Open a scene, or drop a file on the window."), self, role="dim"
        )
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.hint.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, 0)
        search_and_list = QWidget(self)
        line = column_layout(self.search, margins=(theme.GRID, 0, theme.GRID, 0))
        column_layout(line, (self.list, 1), on=search_and_list, margins=0, spacing=theme.HALF)
        self._search_and_list = search_and_list
        self._stack = QStackedLayout(self)
        self._stack.addWidget(search_and_list)
        self._stack.addWidget(self.hint)
        self._following = self._filtered = False
        self.list.selectionModel().selectionChanged.connect(self._selection_changed)
        self.list.switched.connect(
            lambda row, name: self.model.set_switch(row, name, self._selection.keys)
        )
        self.list.dropped.connect(lambda row: self.model.move_objects(self._selection.keys, row))
        self.list.hovered.connect(
            lambda row: self.hovered.emit(self.model.key_at(row) if row >= 0 else None)
        )
        self.list.customContextMenuRequested.connect(
            lambda at: self.menuRequested.emit(self.list.viewport().mapToGlobal(at))
        )
        self.search.textChanged.connect(self._search_rows)
        self.search.chosen.connect(self._select_first)
        self.search.listEntered.connect(self._select_first)
        self.search.exited.connect(self.exited)
        self.model.layoutChanged.connect(self._filter_rows)
        selection.changed.connect(self._select_rows_of_keys)
        document.opened.connect(self.search.clear)
        document.changed.connect(self._update_rows)
        theme.notifier.changed.connect(self.model.repaint_icons)
        self._update_rows(document.document, document.document)

    def edit_selected_name(self) -> None:
        """Edit the name of the selected object in its row."""
        if rows := self._selected_rows():
            key = self.model.key_at(rows[0])
            self._end_editing()
            self.list.setFocus()
            self._edit_name(key)

    def _edit_name(self, key: int) -> None:
        """Open the editor for an object's name. If the search hides the object's row, clear the
        search.
        """
        for row in self.model.rows_of_keys(frozenset({key})):
            if self.list.isRowHidden(row):
                self.search.clear()
            self.list.edit(self.model.index(row))

    def _end_editing(self) -> None:
        """Accept the name that is being edited. Qt does so only when the editor loses the focus,
        and keeps an editor open if its row is hidden.
        """
        if (editor := self._name_editor()) is not None:
            self.list.commitData(editor)
            self.list.closeEditor(editor, QStyledItemDelegate.EndEditHint.NoHint)

    def _select_first(self) -> None:
        """Select the first object that matches the search."""
        if (first := self._first_visible_key()) is not None:
            self.list.setFocus()
            self.list.setCurrentIndex(self.model.index(first))

    def _search_rows(self) -> None:
        self._end_editing()
        self._filter_rows()

    def _filter_rows(self) -> None:
        """Show only the rows whose name or kind contains the search text."""
        typed = self.search.text().strip().lower()
        was_filtered, self._filtered = self._filtered, bool(typed)
        for row in range(self.model.rowCount() if typed or was_filtered else 0):
            texts = (self.model.index(row).data(role) for role in SEARCHED_ROLES)
            self.list.setRowHidden(row, bool(typed) and typed not in " ".join(texts).lower())
        self.no_match.setVisible(bool(typed) and self._first_visible_key() is None)

    def _first_visible_key(self) -> int | None:
        return next(
            (row for row in range(self.model.rowCount()) if not self.list.isRowHidden(row)), None
        )

    def _update_rows(self, before: Document, after: Document) -> None:
        editor = self._name_editor()
        if editor is not None and after.scene.get(editor.property("key")) is None:
            # while it has its row: Qt complains of one that loses the focus without
            self.list.closeEditor(editor, QStyledItemDelegate.EndEditHint.NoHint)
        self.model.show_scene(after.scene)
        states = attrgetter("disabled", "hidden", "groups")
        if states(before) != states(after):
            self.model.repaint_icons()
        self._stack.setCurrentWidget(self._search_and_list if after.scene.objects else self.hint)
        self._select_rows_of_keys(self._selection.keys)

    def accept_typing(self) -> bool:
        """Accept the name that is being edited; returns whether that succeeded."""
        editor = self._name_editor()
        if editor is None:
            return True
        key, name = editor.property("key"), editor.text().strip()
        self._end_editing()
        obj = self.model.object_with_key(key)
        return obj is None or obj.name == name

    def _name_editor(self) -> QLineEdit | None:
        """The open editor of a name, or None. Closed editors are hidden but not deleted at once."""
        return next(
            (e for e in self.list.viewport().findChildren(QLineEdit) if not e.isHidden()), None
        )

    def _selection_changed(self) -> None:
        if not self._following:
            self._selection.set(self.model.key_at(row) for row in self._selected_rows())

    def _selected_rows(self) -> list[int]:
        return sorted(
            row
            for r in self.list.selectionModel().selection().toList()
            for row in range(r.top(), r.bottom() + 1)
        )

    def _select_rows_of_keys(self, keys: frozenset[int]) -> None:
        rows = self.model.rows_of_keys(keys)
        if rows == self._selected_rows():
            return
        chosen = QItemSelection()
        # consecutive rows form one range: Qt would take seconds for thousands of ranges of one row
        for _, group in itertools.groupby(enumerate(rows), lambda pair: pair[1] - pair[0]):
            run = [row for _, row in group]
            chosen.append(QItemSelectionRange(self.model.index(run[0]), self.model.index(run[-1])))
        self._following = True
        self.list.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows:
            self.list.scrollTo(self.model.index(rows[0]))
        self._following = False
