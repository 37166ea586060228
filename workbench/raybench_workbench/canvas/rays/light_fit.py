"""The rectangle of the action Fit: the objects, and the images that light forms near them, which
are known only after the trace.
"""

from __future__ import annotations

from functools import partial
from weakref import ReferenceType, ref

from PySide6.QtCore import QObject, QThreadPool, Signal

from raybench.scene.document import Document
from raybench.scene.hit_test import scene_extent
from raybench.shapes.curves import Box
from raybench.trace.results.extent import lit_extent
from raybench.trace.results.result import TraceResult
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads import Latest

LARGE = 50_000
"""Number of segments above which the rectangle is computed in the background."""


class LightFit(QObject):
    """The rectangle of a document and its light. While it is ``awaited``, `find` computes it after
    a trace and emits ``found``.
    """

    found = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.awaited = False
        """Whether the canvas is to be fitted again as soon as the light is known."""
        self._finding = Latest(
            self, document.failed.emit, "The fit to the light", pool=QThreadPool.globalInstance()
        )
        self._known: tuple[Document, ReferenceType[TraceResult], Box | None] | None = None

    @property
    def busy(self) -> bool:
        """Whether the rectangle is being computed."""
        return self._finding.working

    @property
    def box(self) -> Box | None:
        """The rectangle of the objects, and of the light if it is known, in scene units; None if
        the scene is empty.
        """
        document, known = self._document.document, self._known
        if self.known and known is not None:
            return known[2]
        return scene_extent(document.scene, hidden=document.hidden)

    @property
    def known(self) -> bool:
        """Whether the rectangle of the document's full trace is known."""
        known, result = self._known, self._document.session.fresh_result
        return (
            known is not None
            and known[0] is self._document.document
            and result is not None
            and known[1]() is result
        )

    def find(self) -> None:
        """Find the awaited rectangle of the document's full trace, if there is one: at once, or in
        the background.
        """
        document, result = self._document.document, self._document.session.fresh_result
        if not self.awaited or result is None or self._document.gesture is not None:
            return
        self._finding.drop()
        work, keep = (
            partial(lit_extent, document.scene, result, hidden=document.hidden),
            partial(self._keep, document, ref(result)),
        )
        if len(result) <= LARGE:
            keep(work())
        else:
            self._finding.ask(work, keep)

    def _keep(
        self, document: Document, result: ReferenceType[TraceResult], box: Box | None
    ) -> None:
        self._known = document, result, box
        if self.awaited and self.known:
            self.awaited = False
            self.found.emit()
