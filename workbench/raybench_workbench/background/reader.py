"""Reads the picture behind a document in a thread, whenever its file changes or is replaced by
another.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from raybench_workbench.background.picture import Picture, PictureFile, find_picture
from raybench_workbench.document import WorkDocument
from raybench_workbench.threads import Latest


class PictureReader(QObject):
    """Holds the ``picture`` behind a document, None without one; an unreadable picture is reported
    by `WorkDocument.failed`.
    """

    changed = Signal()

    def __init__(self, document: WorkDocument, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self.picture: Picture | None = None
        self._reading = Latest(self, document.failed.emit, "Reading the background picture")
        self._file: PictureFile | None = None
        document.changed.connect(self._follow)
        document.opened.connect(self._follow)
        document.saved.connect(self._follow)
        self._follow()

    @property
    def busy(self) -> bool:
        """Whether a picture is being read."""
        return self._reading.working

    def _follow(self, *_: object) -> None:
        """Read the document's picture if it is not the one that was read last."""
        before, file = self._file, PictureFile.of(self._document.document, self._document.folder)
        if file == before:
            return
        self._file = file
        self._reading.drop()
        if file is None or before is None or before.path != file.path:
            self.picture = None
            self.changed.emit()
        if file is not None:
            document, folder = self._document.document, self._document.folder
            self._reading.ask(
                lambda: find_picture(document, folder), lambda found: self._show(*found)
            )

    def _show(self, picture: Picture | None, fault: str) -> None:
        self.picture = picture
        self.changed.emit()
        if fault:
            self._document.failed.emit(fault)
