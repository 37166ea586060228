"""The problems of the open scene, found once for all who show them: messages, tree and canvas."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from core.scene.problems import Problem, Remedy, problems_of
from workbench.document import WorkDocument


class SceneProblems(QObject):
    """``all`` are the problems of the scene and the warnings of its last full trace; they are found again after each edit, not during a
    drag."""

    changed = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.all: tuple[Problem, ...] = ()
        self.by_key: dict[int, list[Problem]] = {}
        document.changed.connect(self._check)
        document.gestureChanged.connect(self._check)
        document.fullResultReady.connect(self._check)
        document.opened.connect(self._check)
        self._check()

    def mend(self, remedy: Remedy) -> None:
        """Make the changes of a remedy, as one undo step."""
        self._document.change(remedy.changes)

    def text_of(self, key: int) -> str:
        """What is wrong with an object, a line each, with the remedies."""
        return "\n".join(p.text for p in self.by_key.get(key, ()))

    def _check(self, *_: object) -> None:
        if self._document.gesture is not None:
            return
        result = self._document.session.fresh_result
        optical, owner = self._document.scene.optical, self._document.scene.owner_of
        warned = tuple(
            Problem(owner(optical[w.index].key) if 0 <= w.index < len(optical) else None, w.text)
            for w in (result.warnings if result else ())
        )
        found = tuple(dict.fromkeys(problems_of(self._document.scene) + warned))
        same = found == self.all
        self.all = found  # also where the texts are the same: their remedies may differ
        self.by_key = {}
        for problem in found:
            if problem.key is not None:
                self.by_key.setdefault(problem.key, []).append(problem)
        if not same:
            self.changed.emit()
