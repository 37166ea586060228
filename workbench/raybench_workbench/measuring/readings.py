"""The values of a document's measurements, cached until the document or its trace changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal

from raybench.scene.document import Document
from raybench.scene.measurements import KINDS, Measurement
from raybench.trace.results.result import TraceResult
from raybench_workbench.threads import Latest

if TYPE_CHECKING:
    from raybench.analysis.measurements import Drawn

LARGE = 20_000
"""Number of segments above which measurements of light are read in a worker thread."""


def readings(
    document: Document,
    result: TraceResult | None,
    measurements: Mapping[str, Measurement] | None = None,
) -> dict[str, Drawn]:
    """The measurements of a document, or other ones, as they are drawn, by name."""
    measurements = document.measurements if measurements is None else measurements
    if not measurements:
        return {}
    from raybench.analysis.measurements import (
        read,  # imports the measures, which the first window does not need
    )

    return {name: read(document, result, m) for name, m in measurements.items()}


class Readings(QObject):
    """The readings of one window. Those of large traces are computed in a thread; ``changed`` is
    emitted when they are available.

    ``failed`` is called with the reason if they cannot be computed.
    """

    changed = Signal()

    def __init__(self, failed: Callable[[str], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._reading = Latest(
            self, failed, "Reading the measurements", pool=QThreadPool.globalInstance()
        )
        self._of: tuple[Document, TraceResult | None] | None = None
        self._drawn: dict[str, Drawn] = {}

    def of(self, document: Document, result: TraceResult | None) -> dict[str, Drawn]:
        """The readings by name. Of a large trace, the previous ones are returned until the new ones
        are available.
        """
        now = document, result
        if self._of is None or self._of[0] is not document or self._of[1] is not result:
            self._of = now
            self._reading.drop()
            light = [n for n, m in document.measurements.items() if KINDS[m.kind].takes_surface]
            large = result is not None and len(result) > LARGE and bool(light)
            before = {n: d for n, d in self._drawn.items() if n in light} if large else {}
            at_once = {
                n: m for n, m in document.measurements.items() if not large or n not in light
            }
            self._drawn = before | readings(document, result, at_once)
            if large:
                later = {n: document.measurements[n] for n in light}
                self._reading.ask(lambda: readings(document, result, later), self._add)
        return self._drawn

    def _add(self, drawn: dict[str, Drawn]) -> None:
        self._drawn = self._drawn | drawn
        self.changed.emit()
