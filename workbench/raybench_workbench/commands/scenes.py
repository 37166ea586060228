"""The commands on scenes without a window: ``raybench trace``, ``export``, ``import``, ``compare``
and ``verify``.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError
from raybench.files.atomic import write_bytes
from raybench.files.drawings import KINDS, TOLERANCE
from raybench.scene import UNITS
from raybench_workbench.commands.model_options import PROJECT_ARGUMENTS, registry_of
from raybench_workbench.commands.questions import rays_of
from raybench_workbench.commands.terminal import (
    SCENE,
    SOURCES,
    THEMES,
    argument,
    compile_once,
    limit_argument,
    load_and_trace,
    load_compiled,
    make_folder,
    pixel_size,
    positive_integer,
    print_idle,
    print_if_partial,
)
from raybench_workbench.display import paint_offscreen

if TYPE_CHECKING:
    from raybench.files.shared import Shared
    from raybench.scene.document import Document
    from raybench.scene.names import UnknownName
    from raybench.study.what_if import Difference
    from raybench.trace.results.ray_set import RaySet
    from raybench.trace.results.result import TraceResult
    from raybench.verify.cases import Outcome

MOST_PROBLEMS = 100
"""Problems of a scene that are printed."""


TRACE_ARGUMENTS = (
    argument("scenes", SOURCES, "SCENE", nargs="+"),
    argument("--out", "where DIR/<scene>.npz goes", "DIR", type=Path, required=True),
    argument("--csv", "also write DIR/<scene>.csv: one line per segment, units in the headings"),
    argument("--xml", "also write DIR/<scene>.xml, with rays as in the tools' answers"),
    argument(
        "--threads", "threads to trace with; all processors by default", "N", type=positive_integer
    ),
    limit_argument("each scene"),
)


def trace_command(options: argparse.Namespace) -> int:
    """Trace the scenes one after the other, also those behind one that cannot be read; returns 1 if
    there was such a one.
    """
    from raybench.files.trace_npz import save_npz

    make_folder(options.out, "--out")
    failed, names = 0, set[str]()
    for scene in options.scenes:
        try:
            shared, result = load_and_trace(scene, options.max_segments, options.threads)
        except RaybenchError as error:
            if options.debug:
                raise
            print(f"raybench: {error}", file=sys.stderr)
            failed += 1
            continue
        # number the files of scenes with the same name, so that they do not overwrite each other
        name = next(
            n
            for n in (shared.name, *(f"{shared.name}-{i}" for i in range(2, len(names) + 3)))
            if n not in names
        )
        names.add(name)
        save_npz(result, options.out / f"{name}.npz", shared.document.unit)
        _write_rays(options, name, shared.document, result)
        print(
            f"{name}: {len(result)} segments, {result.milliseconds:.1f} ms,"
            f" {result.completion.text}"
        )
        _print_problems(scene if shared.path else name, shared.document, result)
    return 1 if failed else 0


def _write_rays(
    options: argparse.Namespace, name: str, document: Document, result: TraceResult
) -> None:
    """Write a trace in the optional formats chosen by ``options``."""
    if not (options.csv or options.xml):
        return
    from raybench.analysis.answers.rays_xml import rays_to_xml
    from raybench.analysis.context import TracedScene
    from raybench.files.atomic import write_text
    from raybench.files.rays_export import save_csv

    edge_name = TracedScene.of(document, result).edge_title
    if options.csv:
        save_csv(result, options.out / f"{name}.csv", unit=document.unit, edge_name=edge_name)
    if options.xml:
        xml = rays_to_xml(result.segments, unit=document.unit, edge_name=edge_name)
        write_text(options.out / f"{name}.xml", xml)


def _print_problems(label: str, document: Document, result: TraceResult) -> None:
    from raybench.scene.problems import problems_of

    texts = list(
        dict.fromkeys(
            [w.text for w in result.warnings]
            + [
                p.text
                for p in problems_of(
                    document.scene, document.disabled, document.edge_labels, document.kept
                )
            ]
        )
    )
    for text in texts[:MOST_PROBLEMS]:
        print(f"{label}: {text}", file=sys.stderr)
    if len(texts) > MOST_PROBLEMS:
        print(
            f"{label}: {len(texts) - MOST_PROBLEMS} more problems; the window lists them.",
            file=sys.stderr,
        )


FIGURES = (".png", ".svg", ".pdf")
OF_FIGURES = ("size", "scale", "theme", "area", "transparent")
"""The options without effect on ray data."""
NARROWEST, WIDEST = 10, 1000
"""Limits of a width on paper, in millimetres."""
PRINTED = 300 / 96
"""Pixels per logical pixel of a picture with a width on paper: 300 to the inch."""


def _read_size(text: str) -> tuple[int, int] | float:
    """Pixels, or a width on paper in millimetres."""
    match = re.fullmatch(r"(\d+(?:\.\d*)?) ?(mm|cm|in)", text)
    if match is None:
        try:
            return pixel_size(text)
        except argparse.ArgumentTypeError as error:
            raise argparse.ArgumentTypeError(f"{error}, or a width on paper such as 85mm") from None
    millimetres = float(match[1]) * {"mm": 1.0, "cm": 10.0, "in": 25.4}[match[2]]
    if not NARROWEST <= millimetres <= WIDEST:
        raise argparse.ArgumentTypeError(f"'{text}' is outside of {NARROWEST} mm to {WIDEST} mm")
    return millimetres


def _read_scale(text: str) -> float:
    try:
        scale = float(text)
    except ValueError:
        scale = 0.0
    if not 0.1 <= scale <= 16:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number from 0.1 to 16")
    return scale


EXPORT_ARGUMENTS = (
    SCENE,
    argument(
        "out",
        "output file; its suffix .png, .svg, .pdf, .csv, .npz or .xml selects the format",
        "OUT",
        type=Path,
    ),
    argument(
        "--size",
        "size of a figure in pixels, or its width on paper in mm, cm or in; by default the"
        " aspect ratio of its area",
        "WxH|85mm",
        type=_read_size,
    ),
    argument(
        "--scale",
        "pixels per line width: larger lines and texts; 1 by default, 3.125 (300 to the inch)"
        " in a picture with a width on paper",
        "N",
        type=_read_scale,
    ),
    argument("--theme", "colours of a figure; paper by default", choices=THEMES),
    argument(
        "--area",
        "what a figure shows: the scene's own view, all of the scene (default), or its crop box",
        choices=("view", "scene", "crop"),
    ),
    argument("--transparent", "no background"),
    argument(
        "--tool",
        "highlight the rays this tool returns in a figure, or write only those",
        "'NAME ARGS'",
    ),
    *PROJECT_ARGUMENTS,
    limit_argument(),
)


def export_command(options: argparse.Namespace) -> None:
    """Write a figure or ray data as the options say, and print what was written. Raises
    RaybenchError if it cannot be written.
    """
    from raybench.files.atomic import check_writable
    from raybench.files.rays_export import RAY_FILES, export_rays

    suffix = options.out.suffix.lower()
    if suffix not in (*FIGURES, *RAY_FILES):
        endings = ", ".join((*FIGURES, *RAY_FILES))
        raise RaybenchError(
            f"{options.out}: there is no export format '{suffix or options.out.name}'. Use one of"
            f" the suffixes {endings}."
        )
    if suffix in RAY_FILES and (
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
    if suffix in RAY_FILES:
        export_rays(options.out, shared.document, result, rays)
        print(
            f"{options.out}: {len(result) if rays is None else len(rays)}"
            f" segments{_why_partial(result)}"
        )
    else:
        print(_write_figure(options, shared, result, rays))


def _write_figure(
    options: argparse.Namespace, shared: Shared, result: TraceResult, rays: RaySet | None
) -> str:
    paint_offscreen()
    import dataclasses

    from raybench.view import View
    from raybench_workbench.app import make_application
    from raybench_workbench.background import find_background
    from raybench_workbench.figure import FIGURES as WRITERS
    from raybench_workbench.figure import PER_MM, figure_of
    from raybench_workbench.theme import THEMES

    load_compiled()  # they paint, too: the same scene gives the same bytes at the first start
    app = make_application(theme := options.theme or "paper")
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
        f" segments{lit}{_why_partial(result)}"
    )


def _why_partial(result: TraceResult) -> str:
    """Why a trace is partial, as `raybench trace` says; empty if it is complete."""
    from raybench.trace.codes import Completion

    return "" if result.completion is Completion.COMPLETE else f", {result.completion.text}"


IMPORT_ARGUMENTS = (
    argument("drawing", "an .svg or a .dxf file", "FILE", type=Path),
    argument(
        "--as",
        "what its outlines become; glass by default",
        dest="as_",
        choices=KINDS,
        default="glass",
    ),
    argument(
        "--scale", "factor to the drawing's own size; 1 by default", "S", type=float, default=1.0
    ),
    argument("--unit", "length unit of the scene; mm by default", choices=UNITS, default="mm"),
    argument(
        "--tolerance",
        f"largest distance of flattened curves, in that unit; {TOLERANCE} by default",
        "T",
        type=float,
        default=TOLERANCE,
    ),
    argument("--out", "the scene to write, .json or .raybench", "SCENE", type=Path, required=True),
)


def import_command(options: argparse.Namespace) -> None:
    """Write the scene as the options say, and print what it holds in a line. Raises RaybenchError."""
    from raybench.files.document_file import SUFFIX, left_out, save_document
    from raybench.files.drawings.conversion import imported, read_drawing
    from raybench.scene.document import Document
    from raybench.scene.scene import Scene

    if options.out.suffix.lower() not in (".json", SUFFIX):
        raise RaybenchError(f"{options.out}: a scene is a .json or a {SUFFIX} file.")
    drawing = read_drawing(options.drawing)
    what = imported(
        drawing, options.as_, scale=options.scale, unit=options.unit, tolerance=options.tolerance
    )
    document = Document(scene=Scene.of(what.objects, name=options.drawing.stem), unit=options.unit)
    save_document(document, options.out, backup=True)
    print(f"{options.out}: {what.summary} {options.unit}. {' '.join(what.notes)}".strip())
    if lost := left_out(document, options.out):
        print(f"{options.out}: {lost}.", file=sys.stderr)


COMPARE_ARGUMENTS = (
    SCENE,
    argument("other", "the scene that it is compared with, such as a later version of it", "OTHER"),
    argument(
        "--measure",
        "a measure to compare, such as power(Screen); may be repeated",
        "EXPR",
        action="append",
        default=[],
    ),
    limit_argument(),
    argument("--json", "print the differences as JSON"),
)


def compare_command(options: argparse.Namespace) -> None:
    """Print each value that is different, and each measure in both scenes. Objects are matched by
    name and type.
    """
    from raybench.analysis.measures.bound import bind
    from raybench.errors import RaybenchError
    from raybench.files.shared import read_shared
    from raybench.scene.changes.differences import document_differences, match_keys
    from raybench.scene.names import UnknownName
    from raybench.study.what_if import compare_measures
    from raybench.trace.trace import trace

    before, after = read_shared(options.scene).document, read_shared(options.other).document
    before = match_keys(before, after.scene.objects)
    rows = document_differences(before, after)
    measured: tuple[Difference, ...] = ()
    if options.measure:
        measures = "; ".join(options.measure)
        try:
            bind(measures, after)  # report their errors before anything is traced
        except RaybenchError as error:
            raise RaybenchError(f"{options.other}, whose names measures use: {error}") from error
        compile_once()
        traced = (
            trace(before, max_segments=options.max_segments),
            trace(after, max_segments=options.max_segments),
        )
        try:
            measured = compare_measures(before, after, traced, measures)
        except UnknownName as error:
            raise RaybenchError(
                f"{options.scene} lacks an object of {options.other} that {_missing_measure(error)} is"
                " about: objects match by name and kind. Leave this measure out, or correct the"
                " scene."
            ) from error
        for name, document, result in zip(
            (options.scene, options.other), (before, after), traced, strict=True
        ):
            print_idle(name, document)
            print_if_partial(name, result)
    if options.json:
        entries = [
            {"of": d.subject, "value": d.label, "before": d.before, "after": d.after} for d in rows
        ]
        about = [
            {
                "measure": m.after.expression,
                "unit": m.after.unit,
                "before": m.before.known,
                "after": m.after.known,
            }
            for m in measured
        ]
        print(json.dumps({"differences": entries, "measures": about}, indent=1, ensure_ascii=False))
        return
    for difference in rows:
        print(difference)
    if not rows:
        print("The scenes are equal.")
    for measure in measured:
        print(measure)


def _missing_measure(error: UnknownName) -> str:
    """The measure that an error is about."""
    return str(error).partition(" refers to ")[0]


COLUMNS = "{:<43} {:>18} {:>18} {:>9}  {}"


VERIFY_ARGUMENTS = (
    argument(
        "cases",
        "scenes of the table, such as snell or ball-lens; all by default",
        "CASE",
        nargs="*",
    ),
    argument("--json", "print the table as JSON, with formulas and their sources"),
    argument("--save", "write the scenes into DIR too, to open them", "DIR", type=Path),
)


def verify_command(options: argparse.Namespace) -> int:
    """Compute the table and print it row by row; returns 1 if a case does not hold."""
    from raybench.verify.cases import case_outcomes, cases_of, save_scenes

    cases = cases_of(options.cases)
    if options.save is not None:
        make_folder(options.save, "--save")
        print(f"{options.save}: {save_scenes(options.save, cases)} scenes", file=sys.stderr)
    compile_once()
    if not options.json:
        print(COLUMNS.format("case", "computed", "exact", "error", "scene: measure"))
    done: list[Outcome] = []
    for outcome in case_outcomes(cases):
        done.append(outcome)
        if not options.json:
            print(_case_line(outcome), flush=True)
    failed = [outcome for outcome in done if not outcome.holds]
    if options.json:
        print(
            json.dumps(
                {"holds": not failed, "cases": [_case_json(o) for o in done]},
                indent=2,
                ensure_ascii=False,
            )
        )
    else:
        print(f"{len(done) - len(failed)} of {len(done)} cases hold.")
    return 1 if failed else 0


def _case_line(outcome: Outcome) -> str:
    case = outcome.case
    line = COLUMNS.format(
        case.claim,
        f"{outcome.computed:.12g}",
        f"{case.exact + 0.0:.12g}",
        f"{outcome.error:.0e}" if outcome.error else "0",
        f"{case.scene}: {case.measure}",
    )
    return (
        line
        if outcome.holds
        else f"{line}\n  FAILED: the error may be {case.tolerance:g}. {outcome.reason}".rstrip()
    )


def _case_json(outcome: Outcome) -> dict[str, Any]:
    case = outcome.case
    return {
        "scene": case.scene,
        "claim": case.claim,
        "measure": case.measure,
        "formula": case.formula,
        "source": case.source,
        "exact": case.exact,
        "computed": None if math.isnan(outcome.computed) else outcome.computed,
        "unit": outcome.unit,
        "error": None if math.isnan(outcome.error) else outcome.error,
        "tolerance": case.tolerance,
        "segments": outcome.segments,
        "holds": outcome.holds,
        **({"reason": outcome.reason} if outcome.reason else {}),
    }
