"""Whether the light can be exported: it must be that of the document as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from raybench_workbench.main_window import MainWindow

OUTDATED = "The rays are those before the last change. Wait until the scene is traced."
INCOMPLETE = (
    "The scene is still being traced, so that rays are missing. Wait until it is traced, or stop"
    " the trace with Esc."
)


def is_traced(window: MainWindow) -> bool:
    """Whether the rays are those of the document; if a trace of it is still to come, a line above
    the canvas says so.
    """
    document = window.document
    if window.service.waiting:
        outdated = document.result is None or document.result.revision != document.document.revision
        document.failed.emit(OUTDATED if outdated else INCOMPLETE)
        return False
    return True
