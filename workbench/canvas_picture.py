"""A small picture of the canvas, for a model to look at."""

from __future__ import annotations

from core.scene.document import Document
from core.trace.results.result import TraceResult
from core.view import View
from workbench.figure import figure_of, png
from workbench.theme import Theme


def canvas_picture(document: Document, result: TraceResult, view: View, theme: Theme, width: int) -> bytes:
    """The canvas as PNG: what the camera shows, or the whole scene, with the view's filter and highlight; about ``width`` pixels wide."""
    area = "scene" if view.camera is None else "view"
    whole = figure_of(document, result, theme, view=view, area=area)
    size = width, max(width // 4, min(width, round(width * whole.size[1] / whole.size[0])))
    return png(figure_of(document, result, theme, view=view, area=area, size=size))
