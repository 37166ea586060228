"""Cyclic garbage is collected in the GUI thread alone, where Qt objects may be deleted."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 200
"""Milliseconds between two looks at how much has been made since the last collection."""


class GarbageCollector(QObject):
    """Collects garbage from a timer of the event loop, in place of Python, which collects it in
    whichever thread makes an object next.

    What there is when the event loop begins stays: searching all that was imported would take more
    than a tenth of a second each time.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.timeout.connect(_collect)
        self._timer.start(INTERVAL)
        QTimer.singleShot(0, gc.freeze)

    def stop(self) -> None:
        """Leave the collection to Python again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()


def _collect() -> None:
    """Collect the oldest generation that is due."""
    due = [made > most > 0 for made, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if any(due):
        gc.collect(max(generation for generation, is_due in enumerate(due) if is_due))
