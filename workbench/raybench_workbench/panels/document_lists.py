"""Lists of parts of a document: the steps of its history, its problems and its saved views."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, Qt, QThreadPool, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from raybench.raster.coloring import COLORINGS
from raybench.scene.changes import SetDocument, SetSettings
from raybench.scene.document import EdgeLabels
from raybench.scene.free_names import free_names
from raybench.scene.problems import Problem, Remedy, find_scene_problems
from raybench.scene.saved_view import SavedView
from raybench.scene.scene import Scene
from raybench.trace.results.result import TraceWarning
from raybench_workbench import theme
from raybench_workbench.dialogs import NameDialog
from raybench_workbench.document import WorkDocument
from raybench_workbench.texts import literal_label_text, literal_tool_tip
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr
from raybench_workbench.widgets import WrappedLabel, column_layout

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu

    from raybench_workbench.main_window import MainWindow

FIRST_STEP_TEXT = tr("As it was opened")
HINT = tr(
    "Every change is listed here. Click one to go back to it, and a later one to go forward again."
)


class HistoryPanel(QWidget):
    """The list of all history steps, in which undone steps are dim. It is filled only while it is
    visible.
    """

    def __init__(self, document: WorkDocument, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "panel")
        self._document = document
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("History"))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setUniformItemSizes(True)
        self.hint = WrappedLabel(HINT, self, role="dim")
        self.hint.setContentsMargins(theme.GRID, theme.GRID, theme.GRID, theme.GRID)
        column_layout(self.hint, (self.list, 1), on=self, margins=0, spacing=0)
        self.list.itemClicked.connect(self._go_to_step)
        self.list.itemActivated.connect(self._go_to_step)
        document.changed.connect(self._show_steps)
        document.opened.connect(self._show_steps)
        document.gestureChanged.connect(self._show_steps)
        theme.notifier.changed.connect(self._show_steps)

    def showEvent(self, event: object) -> None:
        super().showEvent(event)  # type: ignore[arg-type]
        self._show_steps()

    def _show_steps(self, *_: object) -> None:
        if not self.isVisible() or self._document.gesture is not None:
            return
        history, colors = self._document.session.history, theme.current_theme()
        texts = [
            FIRST_STEP_TEXT,
            *(tr(step.text) for step in (*history.done, *reversed(history.undone))),
        ]
        while self.list.count() > len(texts):
            self.list.takeItem(self.list.count() - 1)
        for i, text in enumerate(texts):  # a click on an item gets here, which must stay
            undone = i > len(history.done)
            item = self.list.item(i) or QListWidgetItem(self.list)
            item.setText(text)
            item.setSizeHint(QSize(0, theme.ROW_HEIGHT))
            item.setToolTip(literal_tool_tip(text))
            item.setForeground(colors.color("dim" if undone else "text"))
            item.setFont(theme.text_font(italic=undone))
        self.list.setCurrentRow(len(history.done))
        self.list.scrollToItem(self.list.item(len(history.done)))
        self.hint.setVisible(len(texts) == 1)

    def _go_to_step(self, item: QListWidgetItem) -> None:
        """Undo or redo up to the step of a row."""
        self._document.go_to_step(self.list.row(item))


MANY_OBJECTS = 400
"""Number of objects above which a scene is checked in another thread."""


class SceneProblems(QObject):
    """The problems of the scene and the warnings of its last full trace, in ``all``. They are
    updated after each edit, except during a drag; for a large scene in another thread.
    """

    changed = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.all: tuple[Problem, ...] = ()
        self.by_key: dict[int, list[Problem]] = {}
        self._checked: tuple[Scene, frozenset[int], EdgeLabels, Mapping[str, Any]] | None = None
        """What was checked last: a scene, the keys of the objects that were disabled in it, the
        labels of edges, and the unknown entries of the file.
        """
        self._own: tuple[Problem, ...] = ()
        self._searching = LatestTaskRunner(
            self,
            document.failed.emit,
            tr("The search for problems of the scene"),
            pool=QThreadPool.globalInstance(),
        )
        document.changed.connect(self._check_scene)
        document.gestureChanged.connect(self._check_scene)
        document.fullResultReady.connect(self._check_scene)
        document.opened.connect(self._forget_problems)
        self._check_scene()

    def apply_remedy(self, remedy: Remedy) -> None:
        """Make the changes that a remedy proposes, as one undo step."""
        self._document.change(remedy.changes)

    def problems_text(self, key: int) -> str:
        """The problems of an object with their remedies, one per line."""
        return "\n".join(tr(p.text) for p in self.by_key.get(key, ()))

    @property
    def settled(self) -> bool:
        """Whether the problems are up to date."""
        return not self._searching.is_working

    def _forget_problems(self) -> None:
        self._checked, self._own = None, ()
        self._check_scene()

    def _check_scene(self, *_: object) -> None:
        document, before = self._document.document, self._checked
        if self._document.gesture is not None:
            return
        now = document.scene, document.disabled, document.edge_labels, document.kept
        if before is None or now[0] is not before[0] or now[1:] != before[1:]:
            self._checked = now
            self._searching.cancel_request()
            if len(document.scene.objects) > MANY_OBJECTS:
                self._searching.request_task(
                    partial(find_scene_problems, *now), self._store_problems
                )
            else:
                self._own = find_scene_problems(*now)
        if self.settled:
            self._publish_problems()

    def _store_problems(self, found: tuple[Problem, ...]) -> None:
        self._own = found
        self._publish_problems()

    def _publish_problems(self) -> None:
        """Combine the problems of the scene and the warnings of the trace, and emit that they
        changed.
        """
        result = self._document.session.fresh_result
        optical, owner = self._document.scene.optical, self._document.scene.instance_key_of
        warned = []
        for w in result.warnings if result else ():
            key = owner(optical[w.index].key) if 0 <= w.index < len(optical) else None
            warned.append(Problem(key, w.text, _warning_remedy(w)))
        found = tuple(dict.fromkeys((*self._own, *warned)))
        same = found == self.all
        self.all = found  # also where the texts are the same: their remedies may differ
        self.by_key = {}
        for problem in found:
            if problem.key is not None:
                self.by_key.setdefault(problem.key, []).append(problem)
        if not same:
            self.changed.emit()


def _warning_remedy(warning: TraceWarning) -> Remedy | None:
    if warning.remedy is None:
        return None
    text, name, value = warning.remedy
    return Remedy(text, (SetSettings({name: value}),))


def ask_save_view(window: MainWindow) -> None:
    """Ask for a name and save the current view under it."""
    views = window.document.document.views
    suggested = next(free_names("View", views))
    NameDialog(
        tr("Save this view"), tr("Name of the view"), suggested, partial(save_view, window), window
    ).open()


def save_view(window: MainWindow, name: str) -> str:
    """Save the visible part of the scene under a name, and replace a view of the same name. Returns
    an empty text, or the reason if this is refused.
    """
    if not name.strip():
        return tr("A view needs a name.")
    visible = window.canvas.camera.visible_rectangle(window.canvas.size_in_pixels)
    view = SavedView(*visible, window.document.session.view.coloring)
    return _store_views(window, {**window.document.document.views, name.strip(): view})


def show_view(window: MainWindow, saved: SavedView) -> None:
    """Show a saved view."""
    coloring = saved.coloring if saved.coloring in COLORINGS else ""
    window.document.set_view(
        dataclasses.replace(window.document.session.view, camera=saved.camera, coloring=coloring)
    )


def remove_view(window: MainWindow, name: str) -> None:
    """Remove a saved view."""
    views = {n: v for n, v in window.document.document.views.items() if n != name}
    if refused := _store_views(window, views):
        window.document.failed.emit(refused)


def _store_views(window: MainWindow, views: dict[str, SavedView]) -> str:
    written = {name: view.to_json() for name, view in views.items()}
    return window.document.apply_or_refuse(SetDocument(views=written))


def fill_views_menu(window: MainWindow, menu: QMenu) -> None:
    """Fill a menu with the saved views and with a submenu that removes them."""
    menu.clear()
    views = window.document.document.views
    menu.addAction(tr("Save this view…"), partial(ask_save_view, window)).setEnabled(
        bool(window.document.scene.objects)
    )
    if views:
        menu.addSeparator()
        for name, saved in views.items():
            menu.addAction(literal_label_text(name), partial(show_view, window, saved))
        menu.addSeparator()
        removal = menu.addMenu(tr("Remove"))
        for name in views:
            removal.addAction(literal_label_text(name), partial(remove_view, window, name))
