"""The commands that work on scenes without a window: ``raybench trace``, ``export``, ``import``,
``compare`` and ``verify``.
"""

import argparse
import dataclasses
import datetime
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from raybench.analysis.answers.words import count_with_noun
from raybench.errors import RaybenchError
from raybench.files.atomic import check_writable, write_bytes, write_text
from raybench.files.document_file import SUFFIX, save_document
from raybench.files.drawings import SUFFIXES
from raybench.files.shared import SharedContent, read_shared
from raybench.files.trace_npz import save_npz
from raybench.scene.changes.duplicating import groups_for_copies
from raybench.scene.document import Document
from raybench.scene.pages import PAGES
from raybench.scene.problems import find_scene_problems
from raybench.scene.scene import Scene
from raybench.scene.sheet import FIT, ROUND, Sheet, ratio_text
from raybench.trace.codes import Completion
from raybench.trace.results.ray_set import RaySet
from raybench.trace.results.result import TraceResult
from raybench.trace.trace import trace
from raybench_workbench.commands.terminal import (
    compile_kernels_once,
    load_and_trace,
    load_compiled_kernels,
    make_folder,
    print_idle_objects,
    print_if_partial,
    print_unwritten_parts,
)
from raybench_workbench.display import paint_offscreen

if TYPE_CHECKING:
    from raybench.study.what_if import MeasureComparison
    from raybench.verify.cases import CaseOutcome

MOST_PROBLEMS = 100
"""Problems of a scene that are printed."""


def trace_scenes(options: argparse.Namespace) -> int:
    """Trace several scenes one after the other and skip unreadable ones; returns 1 if there was
    one, else 0.
    """
    if options.column and not options.csv:
        raise RaybenchError("--column adds to the .csv files. Give --csv as well, or leave it out.")
    make_folder(options.out, "--out")
    failed, names = 0, set[str]()
    for scene in options.scenes:
        try:
            shared, result = load_and_trace(scene, options.max_segments, options.threads)
        except RaybenchError as error:
            if options.debug:
                raise
            print(f"raybench: {error}", file=sys.stderr)
            failed = 1
            continue
        # number the files of scenes with the same name, so that they do not overwrite each other
        name, number = shared.name, 1
        while name in names:
            number += 1
            name = f"{shared.name}-{number}"
        names.add(name)
        save_npz(result, options.out / f"{name}.npz", shared.document.unit)
        if options.csv or options.xml:
            _write_rays(options, name, shared.document, result)
        print(
            f"{name}: {len(result)} segments, {result.milliseconds:.1f} ms,"
            f" {result.completion.text}"
        )
        _print_problems(scene if shared.path else name, shared.document, result)
    return failed


def _write_rays(
    options: argparse.Namespace, name: str, document: Document, result: TraceResult
) -> None:
    """Write the rays of a trace in the file formats that the options choose."""
    from raybench.analysis.answers.rays_xml import rays_to_xml
    from raybench.analysis.context import TracedScene
    from raybench.files.rays_export import save_csv

    edge_name = TracedScene.from_document(document, result).edge_title
    if options.csv:
        save_csv(
            result,
            options.out / f"{name}.csv",
            unit=document.unit,
            edge_name=edge_name,
            also=options.column,
        )
    if options.xml:
        xml = rays_to_xml(result.segments, unit=document.unit, edge_name=edge_name)
        write_text(options.out / f"{name}.xml", xml)


def _print_problems(label: str, document: Document, result: TraceResult) -> None:
    problems = find_scene_problems(
        document.scene, document.disabled, document.edge_labels, document.kept
    )
    told = [warning.text for warning in result.warnings] + [problem.text for problem in problems]
    texts = list(dict.fromkeys(told))
    for text in texts[:MOST_PROBLEMS]:
        print(f"{label}: {text}", file=sys.stderr)
    if len(texts) > MOST_PROBLEMS:
        print(
            f"{label}: {len(texts) - MOST_PROBLEMS} more problems; the window lists them.",
            file=sys.stderr,
        )


FIGURE_SUFFIXES = (".png", ".svg", ".pdf")
SCENE_SUFFIXES = (".json", SUFFIX)
SHEET_OPTIONS = ("title", "author", "caption", "date", "margin", "drawing_scale")
"""The options that say what a sheet holds."""
FIGURE_OPTIONS = (
    *("size", "scale", "theme", "area", "transparent", "scale_bar", "refine", "sheet"),
    *SHEET_OPTIONS,
)
"""The options without effect on ray data."""


def export_scene(options: argparse.Namespace) -> None:
    """Write a figure, ray data or a scene as the options specify, and print which files were
    written. Raises RaybenchError if a file cannot be written.
    """
    from raybench.files.rays_export import RAY_FILE_SUFFIXES, export_rays

    suffix = options.out.suffix.lower()
    if suffix not in (*FIGURE_SUFFIXES, *RAY_FILE_SUFFIXES, *SCENE_SUFFIXES):
        endings = ", ".join((*FIGURE_SUFFIXES, *RAY_FILE_SUFFIXES, *SCENE_SUFFIXES))
        raise RaybenchError(
            f"{options.out}: there is no export format '{suffix or options.out.name}'. Use one of"
            f" the suffixes {endings}."
        )
    given = [f"--{name.replace('_', '-')}" for name in FIGURE_OPTIONS if getattr(options, name)]
    if suffix not in FIGURE_SUFFIXES and given:
        raise RaybenchError(
            f"{options.out}: {', '.join(given)} is for figures. Omit it, or write to"
            f" {', '.join(FIGURE_SUFFIXES)}."
        )
    if suffix not in RAY_FILE_SUFFIXES and options.column:
        raise RaybenchError(f"{options.out}: --column is for rays. Omit it, or write to .csv.")
    if suffix != ".png" and options.refine:
        raise RaybenchError(f"{options.out}: --refine is for pictures. Omit it, or write to .png.")
    check_writable(options.out)
    if suffix in SCENE_SUFFIXES:
        document = read_shared(options.scene).document
        save_document(document, options.out, backup=True)
        print(f"{options.out}: {count_with_noun(len(document.scene.objects), 'object')}")
        print_unwritten_parts(document, options.out)
        return
    rays = None
    if options.tool is not None:
        from raybench_workbench.commands.questions import rays_from_options

        rays, _ = rays_from_options(options)
    shared, result = load_and_trace(options.scene, options.max_segments)
    print_idle_objects(options.scene, shared.document)
    if suffix in RAY_FILE_SUFFIXES:
        export_rays(options.out, shared.document, result, rays, also=options.column)
        written = f"{len(result) if rays is None else len(rays)} segments"
    else:
        written = _write_figure(options, shared, result, rays)
    partial = result.completion is not Completion.COMPLETE
    print(f"{options.out}: {written}{f', {result.completion.text}' if partial else ''}")


def _write_figure(
    options: argparse.Namespace, shared: SharedContent, result: TraceResult, rays: RaySet | None
) -> str:
    paint_offscreen()
    from raybench.view import View
    from raybench_workbench.app import make_application
    from raybench_workbench.background import find_background
    from raybench_workbench.export.sheet import PIXELS_PER_MM, PRINT_PIXEL_RATIO, SheetPage
    from raybench_workbench.figure import FIGURE_ENCODERS as WRITERS
    from raybench_workbench.figure import make_figure, refine_figure
    from raybench_workbench.theme import THEMES

    sheet = _sheet_from_options(options, shared)
    load_compiled_kernels()  # they paint, too: the same scene gives the same bytes at the first start
    suffix, wide = options.out.suffix.lower(), isinstance(options.size, float)
    on_paper, page = wide or sheet is not None, None
    if sheet is not None:
        file = shared.path.name if shared.path is not None else ""
        date = options.date if options.date is not None else f"{datetime.date.today()}"
        page = SheetPage(sheet, file, date, shared.document.unit)
    app = make_application(theme := options.theme or "paper")
    figure = make_figure(
        shared.document,
        result,
        THEMES[theme],
        view=View(highlight=rays and dataclasses.replace(rays, revision=result.revision)),
        area=options.area or "scene",
        size=None if wide else options.size,
        width_mm=options.size if wide else None,
        scale=options.scale or (PRINT_PIXEL_RATIO if on_paper and suffix == ".png" else 1.0),
        transparent=True if options.transparent else None,
        scale_bar=options.scale_bar,
        folder=shared.path.parent if shared.path is not None else None,
        page=page,
    )
    if options.refine:
        from raybench_workbench.commands.studies import print_progress, stop_on_interrupt

        def tell(done: float) -> None:
            print_progress(f"{done:.0%} of the draws (Ctrl-C stops with these)")

        with stop_on_interrupt() as stop:
            refined = dataclasses.replace(figure, progress=tell)
            refined = refine_figure(
                refined, options.refine, stop, max_segments=options.max_segments
            )
        figure = dataclasses.replace(figure, refined=refined.refined)
    _, fault = find_background(figure.document, figure.folder)
    if fault:
        print(fault, file=sys.stderr)
    write_bytes(options.out, WRITERS[suffix](figure))
    del app
    width, height = (round(side * figure.viewport.ratio) for side in figure.whole_size)
    across, down = (side / PIXELS_PER_MM for side in figure.whole_size)
    paper = f" ({across:.1f} x {down:.1f} mm)" if on_paper else ""
    if page is not None:
        paper += f", scale {ratio_text(figure.paper_scale)}"
    if figure.is_cut:
        print("The scene is larger than the page at this scale: it is cut off.", file=sys.stderr)
    lit = f", {len(rays)} segments lit" if rays is not None else ""
    means = f", refined: {figure.refined.words}" if figure.refined is not None else ""
    return f"{width} x {height} pixels{paper}, {len(result)} segments{lit}{means}"


def _sheet_from_options(options: argparse.Namespace, shared: SharedContent) -> Sheet | None:
    """The document's sheet, changed as the options say; None without the option ``--sheet``. Raises
    RaybenchError.
    """
    given = {name: value for name in SHEET_OPTIONS if (value := getattr(options, name)) is not None}
    if options.sheet is None:
        if given:
            names = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(given))
            raise RaybenchError(f"{names} is for sheets. Add a page such as --sheet a4.")
        return None
    if options.size is not None:
        raise RaybenchError("A sheet has the size of its page. Omit --size, or --sheet.")
    document = shared.document
    given.pop("date", None)
    if "drawing_scale" in given:
        given["scale"] = given.pop("drawing_scale")
    usual = Sheet(scale=FIT if PAGES[options.sheet].is_slide else ROUND)
    sheet = dataclasses.replace(document.sheet or usual, page=options.sheet, **given)
    default = document.scene.name or (shared.path.stem if shared.path is not None else "")
    return sheet if sheet.title else dataclasses.replace(sheet, title=default)


def import_drawing(options: argparse.Namespace) -> None:
    """Convert a drawing or a lens into a scene file as the options specify, and print a one-line
    summary. Raises RaybenchError.
    """
    if options.out.suffix.lower() not in SCENE_SUFFIXES:
        raise RaybenchError(f"{options.out}: a scene is a .json or a {SUFFIX} file.")
    if options.drawing.suffix.lower() not in SUFFIXES:
        return _import_lens(options)
    from raybench.files.drawings.conversion import convert_drawing, read_drawing

    drawing = read_drawing(options.drawing)
    what = convert_drawing(
        drawing, options.as_, scale=options.scale, unit=options.unit, tolerance=options.tolerance
    )
    document = Document(scene=Scene.of(what.objects, name=options.drawing.stem), unit=options.unit)
    layers = [(name, keys) for name, keys in what.layers.items() if name and len(keys) > 1]
    document = document.with_annotations(groups=groups_for_copies(document, layers))
    save_document(document, options.out, backup=True)
    print(f"{options.out}: {what.summary} {options.unit}. {' '.join(what.notes)}".strip())
    print_unwritten_parts(document, options.out)


def _import_lens(options: argparse.Namespace) -> None:
    """Convert a lens file into a scene, and print what the scene does not represent exactly."""
    from raybench.lens.opening import open_lens
    from raybench_workbench.commands.lenses import chosen_glasses

    document, notes = open_lens(options.drawing, chosen_glasses(options))
    save_document(document, options.out, backup=True)
    print(f"{options.out}: {len(document.scene.objects)} objects in {document.unit}")
    for note in notes:
        print(f"{options.drawing}: {note}", file=sys.stderr)
    print_unwritten_parts(document, options.out)


def compare_scenes(options: argparse.Namespace) -> None:
    """Print each value in which two scenes differ, and each measure for both. Objects are matched
    by name and type.
    """
    from raybench.scene.changes.differences import document_differences, match_object_keys

    before, after = read_shared(options.scene).document, read_shared(options.other).document
    before = match_object_keys(before, after.scene.objects)
    rows = document_differences(before, after)
    measured = _compare_measures(options, before, after) if options.measure else ()
    if options.json:
        entries = [
            {"of": d.subject, "value": d.label, "before": d.before, "after": d.after} for d in rows
        ]
        about = [
            {
                "measure": m.after.expression,
                "unit": m.after.unit,
                "before": m.before.value_or_none,
                "after": m.after.value_or_none,
            }
            for m in measured
        ]
        print(json.dumps({"differences": entries, "measures": about}, indent=1, ensure_ascii=False))
    else:
        for difference in rows or ["The scenes are equal."]:
            print(difference)
        for measure in measured:
            print(measure)


def _compare_measures(
    options: argparse.Namespace, before: Document, after: Document
) -> tuple["MeasureComparison", ...]:
    from raybench.analysis.measures.bound import bind_measures
    from raybench.study.what_if import compare_measures

    measures = "; ".join(options.measure)
    try:
        bind_measures(measures, after)  # report their errors before anything is traced
    except RaybenchError as error:
        raise RaybenchError(f"{options.other}, whose names measures use: {error}") from error
    compile_kernels_once()
    one = trace(before, max_segments=options.max_segments)
    other = trace(after, max_segments=options.max_segments)
    measured = compare_measures(before, after, (one, other), measures)
    for name, document, result in (
        (options.scene, before, one),
        (options.other, after, other),
    ):
        print_idle_objects(name, document)
        print_if_partial(name, result)
    return measured


COLUMNS = "{:<43} {:>18} {:>18} {:>9}  {}"


def verify_cases(options: argparse.Namespace) -> int:
    """Compute the table of verification cases and print it row by row; returns 1 if a case fails."""
    from raybench.verify.cases import cases_of_scenes, compute_case_outcomes, save_scenes

    cases = cases_of_scenes(options.cases)
    if options.save is not None:
        make_folder(options.save, "--save")
        print(f"{options.save}: {save_scenes(options.save, cases)} scenes", file=sys.stderr)
    compile_kernels_once()
    if not options.json:
        print(COLUMNS.format("case", "computed", "exact", "error", "scene: measure"))
    done: list[CaseOutcome] = []
    for outcome in compute_case_outcomes(cases):
        done.append(outcome)
        if not options.json:
            print(_case_line(outcome), flush=True)
    holding = sum(outcome.is_within_tolerance for outcome in done)
    holds = holding == len(done)
    if options.json:
        table = {"holds": holds, "cases": [_case_json(outcome) for outcome in done]}
        print(json.dumps(table, indent=2, ensure_ascii=False))
    else:
        print(f"{holding} of {len(done)} cases hold.")
    return 0 if holds else 1


def _case_line(outcome: "CaseOutcome") -> str:
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
        if outcome.is_within_tolerance
        else f"{line}\n  FAILED: the error may be {case.tolerance:g}. {outcome.reason}".rstrip()
    )


def _case_json(outcome: "CaseOutcome") -> dict[str, Any]:
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
        "holds": outcome.is_within_tolerance,
        **({"reason": outcome.reason} if outcome.reason else {}),
    }
