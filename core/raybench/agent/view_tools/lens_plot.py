"""The tool ``plot_lens``, which draws the aberrations of a lens system."""

from typing import Any

import numpy as np

from raybench.agent.call.context import ToolContext, tool_context
from raybench.agent.call.outcome import PngImage
from raybench.agent.call.scope import run_in_thread
from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError
from raybench.lens.curves import Curve, Figure, lens_figure
from raybench.lens.figure import arrange_figure
from raybench.lens.in_document import lens_part, lens_systems

SMALLEST, LARGEST = 320, 1400
"""Limits of the width of a picture, in pixels."""
HEIGHT_PER_WIDTH = 0.6
"""Height of a picture, in widths."""
POINTS, MOST_CURVES = 5, 24
"""Maximum points of a curve that are listed beside the picture, and curves whose points are listed.
"""


@tool_context(
    effect="read",
    expose="native",
    offered="on demand",
    needs="scene",
    asks=lambda a: f"plot {value_in_words(a.get('plot') or 'overview')} of the lens system",
)
async def plot_lens(
    ctx: ToolContext, plot: str = "overview", lens: str = "", width: int = 720
) -> Any:
    """Draw a plot of the aberrations of a lens system with all its fields and colours, and list
    points of its curves.

    Args:
        plot: overview, ray_fan, opd_fan, best_opd_fan, spot_focus, longitudinal, axial_colour,
            lateral_colour, field_curvature (with distortion), vignetting, seidel, wavefront (with
            the Strehl ratio), line_spread, mtf or mtf_focus.
        lens: Name of the lens system; empty for the only one.
        width: Width in pixels, 320 to 1400.
    """
    if not SMALLEST <= width <= LARGEST:
        raise RaybenchError(f"width is {width}; give a number from {SMALLEST} to {LARGEST}.")
    name = ctx.document.part_name(lens_part(ctx.document, lens))
    system = lens_systems(ctx.document)[name]
    figure = await run_in_thread(lambda: lens_figure(system, plot))
    drawing = arrange_figure(figure, width, round(HEIGHT_PER_WIDTH * width), name)
    png = await ctx.run_on_document(lambda opened: opened.paint_lens(drawing))
    return PngImage(png, {"lens": name, "plot": figure.title} | _plotted_values(figure))


def _plotted_values(figure: Figure) -> dict[str, Any]:
    """The axes of a plot and points of its curves, as JSON values."""
    words, count = dict(figure.styles), 0
    panels = []
    for panel in figure.panels:
        curves = {}
        for curve in panel.curves:
            if count < MOST_CURVES:
                line = words.get(curve.style, "")
                curves[", ".join(filter(None, (curve.name, line))) or "curve"] = _curve_points(
                    curve
                )
            count += 1
        axes = {"x": panel.x_title, "y": panel.y_title, "curves": curves}
        panels.append(({"of": panel.title} if panel.title else {}) | axes)
    told: dict[str, Any] = {"panels": panels}
    if count > MOST_CURVES:
        told["more"] = f"{count - MOST_CURVES} more curves are in the picture"
    return told | ({"note": figure.note} if figure.note else {})


def _curve_points(curve: Curve) -> list[list[float]]:
    """Some points of a curve, rounded to 4 digits."""
    known = np.flatnonzero(np.isfinite(curve.x) & np.isfinite(curve.y))
    chosen = known[np.unique(np.linspace(0, len(known) - 1, POINTS).round().astype(int))]
    return [
        [float(f"{value:.4g}") for value in point]
        for point in zip(curve.x[chosen].tolist(), curve.y[chosen].tolist(), strict=True)
    ]
