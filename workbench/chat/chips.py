"""A ray set as a small button: hovering previews its rays on the canvas, a click highlights them, a double click zooms to them."""

from __future__ import annotations

import dataclasses

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QEnterEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QPushButton, QWidget

from core.analysis.answers.words import capitalized, rays_counted
from core.trace.results.result import RaySet
from core.view import View, camera_around, extent_of_rays
from workbench import theme
from workbench.document import WorkDocument
from workbench.selection import Selection


class RaySetChip(QPushButton):
    """A click highlights ``rays``, the next removes the highlight; a double click or Z zooms to them, too.

    Disabled while the document has another revision than the rays.
    """

    def __init__(self, rays: RaySet, document: WorkDocument, selection: Selection, parent: QWidget | None = None) -> None:
        super().__init__(rays.name, parent)
        self.rays, self._document, self._selection = rays, document, selection
        self.setAccessibleName(f"Highlight {rays.name}: {rays.question}")
        theme.set_role(self, "chip")
        self.clicked.connect(self._toggle)
        document.viewChanged.connect(self._view_changed)
        document.changed.connect(self._update_state)
        self._update_state()
        self._view_changed(document.session.view)

    @property
    def lit(self) -> bool:
        return self._document.session.view.highlight is self.rays

    def _toggle(self) -> None:
        self._document.highlight(None if self.lit else self.rays)

    def zoom(self) -> None:
        """Highlight the rays, and show them large on the canvas."""
        result = self._document.session.fresh_result
        if result is not None and len(self.rays) and self.rays.revision == result.revision:
            camera = camera_around([extent_of_rays(result, self.rays)])
            self._document.highlight(self.rays)
            self._document.set_view(dataclasses.replace(self._document.session.view, camera=camera))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.zoom()  # without the press that a double click is by default: its release would put the rays out again

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Z:
            self.zoom()
        else:
            super().keyPressEvent(event)

    def _view_changed(self, view: View) -> None:
        lit = view.highlight is self.rays
        if lit != bool(self.property("lit")):
            self.setProperty("lit", lit)
            theme.set_role(self, "chip")

    def _update_state(self, *_documents: object) -> None:
        fresh = self.rays.revision == self._document.document.revision
        self.setEnabled(fresh and len(self.rays) > 0)
        if not fresh:
            self._preview(False)
        about = (
            "Click to highlight them, double click (Z) to zoom to them." if fresh else "The scene has changed since: ask again, or undo."
        )
        self.setToolTip(f"{rays_counted(len(self.rays))}. {capitalized(self.rays.question)}. {about}")

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._preview(self.isEnabled())

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._preview(False)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._preview(self.isEnabled())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._preview(False)

    def _preview(self, on: bool) -> None:
        if on:
            self._selection.hover(self.rays)
        elif self._selection.hovered is self.rays:
            self._selection.hover(None)
