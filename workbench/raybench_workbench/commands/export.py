"""``raybench export``: a scene as a figure, or its rays as data, without a window."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench_workbench.commands.arguments import SOURCES, THEMES, add_limit_option, size
from raybench_workbench.commands.project_options import add_project_options, registry_of
from raybench_workbench.commands.terminal_trace import load_and_trace, load_compiled, print_idle
from raybench_workbench.commands.tool import rays_of
from raybench_workbench.display import paint_offscreen

if TYPE_CHECKING:
    from raybench.files.shared import Shared
    from raybench.trace.results.ray_set import RaySet
    from raybench.trace.results.result import TraceResult

FIGURES = (".png", ".svg", ".pdf")
OF_FIGURES = ("size", "scale", "theme", "area", "transparent")
"""The options without effect on ray data."""
NARROWEST, WIDEST = 10, 1000
"""Limits of a width on paper, in millimetres."""
PRINTED = 300 / 96
"""Pixels per logical pixel of a picture with a width on paper: 300 to the inch."""


def add_export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help=SOURCES)
    parser.add_argument(
        "out",
        type=Path,
        metavar="OUT",
        help="output file; its suffix .png, .svg, .pdf, .csv, .npz or .xml selects the format",
    )
    parser.add_argument(
        "--size",
        type=_size,
        metavar="WxH|85mm",
        help=(
            "size of a figure in pixels, or its width on paper in mm, cm or in; by default the"
            " aspect ratio of its area"
        ),
    )
    parser.add_argument(
        "--scale",
        type=_scale,
        metavar="N",
        help=(
            "pixels per line width: larger lines and texts; 1 by default, 3.125 (300 to the inch)"
            " in a picture with a width on paper"
        ),
    )
    parser.add_argument("--theme", choices=THEMES, help="colours of a figure; paper by default")
    parser.add_argument(
        "--area",
        choices=("view", "scene", "crop"),
        help=(
            "what a figure shows: the scene's own view, all of the scene (default), or its crop box"
        ),
    )
    parser.add_argument("--transparent", action="store_true", help="no background")
    parser.add_argument(
        "--tool",
        metavar="'NAME ARGS'",
        help="highlight the rays this tool returns in a figure, or write only those",
    )
    add_project_options(parser)
    add_limit_option(parser)


def _size(text: str) -> tuple[int, int] | float:
    """Pixels, or a width on paper in millimetres."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?) ?(mm|cm|in)", text)
    if match is None:
        try:
            return size(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}, or a width on paper such as 85mm") from None
    millimetres = float(match[1]) * {"mm": 1.0, "cm": 10.0, "in": 25.4}[match[2]]
    if not NARROWEST <= millimetres <= WIDEST:
        raise argparse.ArgumentTypeError(f"'{text}' is outside of {NARROWEST} mm to {WIDEST} mm")
    return millimetres


def _scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0.1 to 16")
    return scale


def export_command(options: argparse.Namespace) -> None:
    """Write a figure or ray data as the options say, and print what was written. Raises
    RaybenchError if it cannot be written.
    """
    from raybench.files.atomic import check_writable
    from raybench.files.rays_export import RAY_WRITERS

    suffix = options.out.suffix.lower()
    if suffix not in (*FIGURES, *RAY_WRITERS):
        endings = ", ".join((*FIGURES, *RAY_WRITERS))
        raise RaybenchError(
            f"{options.out}: there is no export format '{suffix or options.out.name}'. Use one of"
            f" the suffixes {endings}."
        )
    if suffix in RAY_WRITERS and (
        given := [f"--{name}" for name in OF_FIGURES if getattr(options, name)]
    ):
        raise RaybenchError(
            f"{options.out}: {', '.join(given)} is for figures. Omit it, or write to"
            f" {', '.join(FIGURES)}."
        )
    check_writable(options.out)
    rays = (
        rays_of(options.scene, options.tool, registry_of(options))[0]
        if options.tool is not None
        else None
    )
    shared, result = load_and_trace(options.scene, options.max_segments)
    print_idle(options.scene, shared.document)
    if suffix in RAY_WRITERS:
        RAY_WRITERS[suffix](options.out, shared.document, result, rays)
        print(
            f"{options.out}: {len(result) if rays is None else len(rays)}"
            f" segments{_partial(result)}"
        )
    else:
        print(_figure(options, shared, result, rays))


def _figure(
    options: argparse.Namespace, shared: Shared, result: TraceResult, rays: RaySet | None
) -> str:
    paint_offscreen()
    import dataclasses

    from raybench.view import View
    from raybench_workbench.app import application
    from raybench_workbench.background import find_background
    from raybench_workbench.figure import FIGURES as WRITERS
    from raybench_workbench.figure import PER_MM, figure_of
    from raybench_workbench.theme import THEMES

    load_compiled()  # they paint, too: the same scene gives the same bytes at the first start
    app = application(theme := options.theme or "paper")
    view = View(
        highlight=dataclasses.replace(rays, revision=result.revision) if rays is not None else None
    )
    on_paper = isinstance(options.size, float)
    figure = figure_of(
        shared.document,
        result,
        THEMES[theme],
        view=view,
        area=options.area or "scene",
        size=None if on_paper else options.size,
        width_mm=options.size if on_paper else None,
        scale=options.scale
        or (PRINTED if on_paper and options.out.suffix.lower() == ".png" else 1.0),
        transparent=True if options.transparent else None,
        folder=shared.path.parent if shared.path is not None else None,
    )
    _, fault = find_background(figure.document, figure.folder)
    if fault:
        print(fault, file=sys.stderr)
    write_bytes(options.out, WRITERS[options.out.suffix.lower()](figure))
    del app
    width, height = (round(side * figure.viewport.ratio) for side in figure.size)
    paper = (
        f" ({figure.size[0] / PER_MM:.1f} x {figure.size[1] / PER_MM:.1f} mm)" if on_paper else ""
    )
    lit = f", {len(rays)} segments lit" if rays is not None else ""
    return (
        f"{options.out}: {width} x {height} pixels{paper}, {len(result)}"
        f" segments{lit}{_partial(result)}"
    )


def _partial(result: TraceResult) -> str:
    """Why a trace is partial, as `raybench trace` says; empty if it is complete."""
    from raybench.trace.codes import Completion

    return "" if result.completion is Completion.COMPLETE else f", {result.completion.text}"
