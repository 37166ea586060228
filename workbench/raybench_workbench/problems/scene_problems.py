"""The problems of the open scene, detected once for messages, tree and canvas."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QThreadPool, Signal

from raybench.scene.changes import SetSettings
from raybench.scene.document import EdgeLabels
from raybench.scene.problems import Problem, Remedy, problems_of
from raybench.scene.scene import Scene
from raybench.trace.results.result import Warning
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads.latest import Latest

MANY = 400
"""Number of objects above which a scene is checked in another thread."""


class SceneProblems(QObject):
    """``all`` are the problems of the scene and the warnings of its last full trace. They are
    updated after each edit, but not during a drag; in a large scene by another thread.
    """

    changed = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.all: tuple[Problem, ...] = ()
        self.by_key: dict[int, list[Problem]] = {}
        self._checked: tuple[Scene, frozenset[int], EdgeLabels, Mapping[str, Any]] | None = None
        """The scene that was checked last, with the keys of the objects that were disabled in it,
        the labels of edges, and the unknown entries of the file.
        """
        self._own: tuple[Problem, ...] = ()
        self._searching = Latest(
            self,
            document.failed.emit,
            "The search for problems of the scene",
            pool=QThreadPool.globalInstance(),
        )
        document.changed.connect(self._check)
        document.gestureChanged.connect(self._check)
        document.fullResultReady.connect(self._check)
        document.opened.connect(self._forget)
        self._check()

    def apply(self, remedy: Remedy) -> None:
        """Make the changes of a remedy, as one undo step."""
        self._document.change(remedy.changes)

    def text_of(self, key: int) -> str:
        """The problems of an object, a line each, with the remedies."""
        return "\n".join(p.text for p in self.by_key.get(key, ()))

    @property
    def settled(self) -> bool:
        """Whether the problems are up to date."""
        return not self._searching.working

    def _forget(self) -> None:
        self._checked, self._own = None, ()
        self._check()

    def _check(self, *_: object) -> None:
        scene, document, before = self._document.scene, self._document.document, self._checked
        if self._document.gesture is not None:
            return
        if (
            before is None
            or scene is not before[0]
            or (document.disabled, document.edge_labels, document.kept) != before[1:]
        ):
            self._checked = scene, document.disabled, document.edge_labels, document.kept
            self._searching.drop()
            if len(scene.objects) > MANY:
                self._searching.ask(partial(problems_of, *self._checked), self._take)
            else:
                self._own = problems_of(*self._checked)
        if self.settled:
            self._show()

    def _take(self, found: tuple[Problem, ...]) -> None:
        self._own = found
        self._show()

    def _show(self) -> None:
        """Publish the problems of the scene and the warnings of the trace."""
        result = self._document.session.fresh_result
        optical, owner = self._document.scene.optical, self._document.scene.owner_of
        warned = tuple(
            Problem(
                owner(optical[w.index].key) if 0 <= w.index < len(optical) else None,
                w.text,
                _remedy_of(w),
            )
            for w in (result.warnings if result else ())
        )
        found = tuple(dict.fromkeys(self._own + warned))
        same = found == self.all
        self.all = found  # also where the texts are the same: their remedies may differ
        self.by_key = {}
        for problem in found:
            if problem.key is not None:
                self.by_key.setdefault(problem.key, []).append(problem)
        if not same:
            self.changed.emit()


def _remedy_of(warning: Warning) -> Remedy | None:
    if warning.remedy is None:
        return None
    text, name, value = warning.remedy
    return Remedy(text, (SetSettings({name: value}),))
