"""The rays that the canvas shows: a drawing of the trace result, and one of its highlighted rays.
Drawings of many rays are made in the background.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QThreadPool, Signal

from raybench.trace.codes import Completion
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.view import PickedRays, View
from raybench_workbench import theme
from raybench_workbench.canvas.rays.backdrop import Backdrop
from raybench_workbench.canvas.rays.drawing import RayDrawing, ShownRays
from raybench_workbench.document import Selection, WorkDocument
from raybench_workbench.threads import LatestTaskRunner
from raybench_workbench.translation import tr

LARGE_TRACE = 50_000
"""Number of segments above which a drawing is made in the background."""


class RayLayer(QObject):
    """Makes the drawings of a document's trace result, and passes them to the backdrop of the
    canvas.
    """

    changed = Signal()
    """A drawing is to be painted."""
    resultShown = Signal()
    """The drawing is that of another result, view or theme."""

    def __init__(self, document: WorkDocument, selection: Selection, backdrop: Backdrop) -> None:
        super().__init__(backdrop)
        self._document, self._selection, self._backdrop = document, selection, backdrop
        self.shown: ShownRays | None = None
        """What the current drawing shows, or the one in progress."""
        self._lit_of: _HighlightedRays | None = None
        """What is highlighted."""
        self._lit_rows: NDArray[np.int64] | None = None
        """The highlighted rows."""
        pool = QThreadPool.globalInstance()
        self._making = LatestTaskRunner(
            self, document.failed.emit, tr("The picture of the rays"), pool=pool
        )
        self._lighting = LatestTaskRunner(
            self, document.failed.emit, tr("The picture of the highlighted rays"), pool=pool
        )
        self._drawn_view = View()
        """The view that the drawing was made with."""
        backdrop.failed.connect(document.failed)
        document.resultChanged.connect(self.draw_trace_result)
        selection.hoverChanged.connect(self._draw_highlighted)
        selection.snapshotChanged.connect(self.draw_trace_result)
        theme.notifier.changed.connect(self.draw_trace_result)

    @property
    def settled(self) -> bool:
        """Whether no drawing is being made."""
        return not (self._making.is_working or self._lighting.is_working)

    def draw_trace_result(self, _: object = None) -> None:
        """Make the drawing of the document's result, or of the snapshot in its place."""
        session, snapshot = self._document.session, self._selection.snapshot
        document = snapshot.document if snapshot is not None else session.document
        result = snapshot.result if snapshot is not None else self._document.result
        self._making.cancel_request()
        if result is None:
            self.shown = None
            self._show_drawing(None)
            return
        settings = document.scene.settings
        self.shown = shown = ShownRays(result, session.view, settings, theme.current_theme())
        if len(result) > LARGE_TRACE:
            self._making.request_task(
                lambda: _prepare_thinning(shown.drawing()), self._show_drawing
            )
        else:
            self._show_drawing(shown.drawing())

    def follow_view(self, view: View) -> None:
        """Draw the rays again if the filter or the coloring of the view changed; otherwise only
        update the highlight.
        """
        before, self._drawn_view = self._drawn_view, view
        if not _have_same_filters(before, view) or before.coloring != view.coloring:
            self.draw_trace_result()
        else:
            self._draw_highlighted()

    def _show_drawing(self, drawing: RayDrawing | None) -> None:
        self._backdrop.rays = drawing
        self._draw_highlighted()
        self.resultShown.emit()

    def _draw_highlighted(self, _: object = None) -> None:
        """Make the drawing of the highlighted rays if they have changed."""
        lit_of, before = self._rays_to_highlight(), self._lit_of
        self._lit_of = lit_of
        if lit_of is None or before is None or lit_of.shown is not before.shown:
            self._lit_rows, self._backdrop.lit = None, None
        if lit_of != before:
            self._lighting.cancel_request()
            if lit_of is not None and len(lit_of.shown.result) > LARGE_TRACE:
                self._lighting.request_task(lit_of.rows_and_drawing, self._show_highlighted)
            elif lit_of is not None:
                self._lit_rows, self._backdrop.lit = lit_of.rows_and_drawing()
        self.changed.emit()

    def _show_highlighted(self, made: tuple[NDArray[np.int64], RayDrawing]) -> None:
        self._lit_rows, self._backdrop.lit = made
        self.changed.emit()

    def highlighted_rows(self) -> NDArray[np.int64] | None:
        """The rows of the highlighted rays that no filter hides; None without a highlight, and
        while a large highlight is still computed.
        """
        return self._lit_rows

    def visible_rows(self, result: TraceResult) -> NDArray[np.int64] | None:
        """The rows of a result that pass the view's filter, ascending; None if all rows pass."""
        view, shown = self._document.session.view, self.shown
        if (
            shown is not None
            and shown.result is result
            and not self._making.is_working
            and _have_same_filters(shown.view, view)
        ):
            return shown.filtered_rows
        return view.visible_rows(result)

    def _rays_to_highlight(self) -> _HighlightedRays | None:
        """The rays to highlight: the ray set under the pointer, else the rays selected in the ray
        table, else the rays of the answer.
        """
        result, view, shown = self._document.result, self._document.session.view, self.shown
        if result is None or shown is None or shown.result is not result:
            return None
        hovered, picked = self._selection.hovered, view.picked
        if hovered is not None and _belongs_to_result(hovered, result):
            return _HighlightedRays(shown, hovered)
        fresh = result is self._document.session.fresh_result
        if picked and picked.highest_row < len(result) and fresh:
            return _HighlightedRays(shown, picked, view.whole_paths)
        if view.highlight is not None and _belongs_to_result(view.highlight, result):
            return _HighlightedRays(shown, view.highlight)
        return None


@dataclass(frozen=True)
class _HighlightedRays:
    """Rays to highlight in a drawing; with ``whole_paths`` together with all rays that lead to them
    or come from them.
    """

    shown: ShownRays
    rays: RaySet | PickedRays
    whole_paths: bool = False

    def rows_and_drawing(self) -> tuple[NDArray[np.int64], RayDrawing]:
        """The rows of the highlighted rays, and the drawing of these rows."""
        rows = self.shown.visible_highlighted_rows(self.rays, whole_paths=self.whole_paths)
        return rows, _prepare_thinning(self.shown.highlight_drawing(rows))


def _have_same_filters(a: View, b: View) -> bool:
    return (a.ray_filter, a.specific_rays) == (b.ray_filter, b.specific_rays)


def _prepare_thinning(drawing: RayDrawing) -> RayDrawing:
    """Return the drawing, after computing the data with which it can be thinned out quickly."""
    _ = drawing.sparse_drawing
    return drawing


def _belongs_to_result(rays: RaySet, result: TraceResult) -> bool:
    """Whether a ray set refers to the rows of this result."""
    return rays.revision == result.revision and result.completion != Completion.REDUCED
