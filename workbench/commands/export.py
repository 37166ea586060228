"""``raybench export``: a scene as a figure, or its rays as data, without a window."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import RaybenchError
from core.files.atomic import write_bytes, write_text
from workbench.commands.terminal_trace import load_and_trace
from workbench.commands.tool import rays_of

if TYPE_CHECKING:
    from core.scene.document import Document
    from core.trace.results.result import RaySet, TraceResult

FIGURES = (".png", ".svg", ".pdf")


def export_command(options: argparse.Namespace) -> str:
    """Write what the options ask for; returns what was written, in a line. RaybenchError if it cannot be."""
    suffix = options.out.suffix.lower()
    if suffix not in (*FIGURES, *DATA):
        endings = ", ".join((*FIGURES, *DATA))
        raise RaybenchError(f"{options.out}: nothing is exported as '{suffix or options.out.name}'. Let the name end in one of {endings}.")
    if not options.out.parent.is_dir():
        raise RaybenchError(f"{options.out}: the folder does not exist. Create it, or choose another one.")
    rays = rays_of(options.scene, options.tool)[0] if options.tool is not None else None
    shared, result = load_and_trace(options.scene, options.max_segments)
    if suffix in DATA:
        DATA[suffix](options.out, shared.document, result, rays)
        return f"{options.out}: {len(result) if rays is None else len(rays)} segments"
    return _figure(options, shared.document, result, rays)


def _figure(options: argparse.Namespace, document: Document, result: TraceResult, rays: RaySet | None) -> str:
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    import dataclasses

    from core.view import View
    from workbench.app import application
    from workbench.figure import FIGURES as WRITERS
    from workbench.figure import figure_of
    from workbench.theme import THEMES

    app = application(options.theme)
    view = View(highlight=dataclasses.replace(rays, revision=result.revision) if rays is not None else None)
    figure = figure_of(
        document,
        result,
        THEMES[options.theme],
        view=view,
        area=options.area,
        size=options.size,
        scale=options.scale,
        transparent=True if options.transparent else None,
    )
    write_bytes(options.out, WRITERS[options.out.suffix.lower()](figure))
    del app
    width, height = (round(side * figure.scale) for side in figure.size)
    lit = f", {len(rays)} segments lit" if rays is not None else ""
    return f"{options.out}: {width} x {height} pixels, {len(result)} segments{lit}"


def _npz(out: Path, document: Document, result: TraceResult, rays: RaySet | None) -> None:
    from core.files.trace_npz import save_npz

    if rays is not None:
        raise RaybenchError(f"{out}: an .npz file holds a whole trace. Leave --tool out, or write .csv or .xml.")
    save_npz(result, out, document.unit)


def _csv(out: Path, document: Document, result: TraceResult, rays: RaySet | None) -> None:
    from core.analysis.context import TracedScene
    from core.files.rays_csv import save_csv

    save_csv(result, out, rays, unit=document.unit, edge_name=TracedScene.of(document, result).edge_title)


def _xml(out: Path, document: Document, result: TraceResult, rays: RaySet | None) -> None:
    from core.analysis.answers.rays_xml import rays_to_xml
    from core.analysis.context import TracedScene

    segments = result.segments if rays is None else [result.segments[row] for row in rays.rows.tolist()]
    xml = rays_to_xml(segments, unit=document.unit, edge_name=TracedScene.of(document, result).edge_title)
    write_text(out, xml)


DATA: dict[str, Callable[..., None]] = {".csv": _csv, ".npz": _npz, ".xml": _xml}
"""What writes rays as data, by the ending of the file's name."""
