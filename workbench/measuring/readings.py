"""The values of a document's measurements, read again only when the document or its light changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal

from core.scene.document import Document
from core.scene.measurements import KINDS, Measurement
from core.trace.results.result import TraceResult
from workbench.threads.background import in_background

if TYPE_CHECKING:
    from core.analysis.measurements import Drawn

LARGE = 20_000
"""Number of segments above which measurements of light are read in a worker thread."""


def readings(document: Document, result: TraceResult | None, measurements: Mapping[str, Measurement] | None = None) -> dict[str, Drawn]:
    """The measurements of a document, or other ones, by name, as they are drawn."""
    measurements = document.measurements if measurements is None else measurements
    if not measurements:
        return {}
    from core.analysis.measurements import read  # loads the measures, which the first window does not need

    return {name: read(document, result, m) for name, m in measurements.items()}


class Readings(QObject):
    """The readings of one window. Those of much light come later: ``changed`` is emitted when they are there."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._of: tuple[Document, TraceResult | None] | None = None
        self._drawn: dict[str, Drawn] = {}

    def of(self, document: Document, result: TraceResult | None) -> dict[str, Drawn]:
        """The readings by name. Where there is much light, those that were read before are returned until there are others."""
        now = document, result
        if self._of is None or self._of[0] is not document or self._of[1] is not result:
            self._of = now
            light = [n for n, m in document.measurements.items() if KINDS[m.kind].takes_surface]
            large = result is not None and len(result) > LARGE and bool(light)
            before = {n: d for n, d in self._drawn.items() if n in light} if large else {}
            at_once = {n: m for n, m in document.measurements.items() if not large or n not in light}
            self._drawn = before | readings(document, result, at_once)
            if large:
                self._read_later(document, result, {n: document.measurements[n] for n in light})
        return self._drawn

    def _read_later(self, document: Document, result: TraceResult | None, measurements: Mapping[str, Measurement]) -> None:
        of, pool = self._of, QThreadPool.globalInstance()
        in_background(self, lambda: readings(document, result, measurements), lambda drawn: self._show(of, drawn), pool=pool)

    def _show(self, of: object, drawn: dict[str, Drawn]) -> None:
        if of is self._of:
            self._drawn = self._drawn | drawn
            self.changed.emit()
