"""The commands of studies: ``raybench sweep``, ``optimise`` and ``tolerance``."""

from __future__ import annotations

import argparse
import json
import math
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError
from raybench.system.interrupt import STATUS, raises_interrupt
from raybench_workbench.commands.terminal import (
    CLEAR_LINE,
    SCENE,
    argument,
    compile_in_background,
    control_terminal,
    limit_argument,
    make_folder,
    positive_integer,
    print_idle,
)

if TYPE_CHECKING:
    from raybench.study.experiment import Row
    from raybench.study.optimise import Optimum
    from raybench.study.sweep import Point
    from raybench.study.tolerance import Sensitivity, Tolerance


STUDY_ARGUMENTS = (
    argument(
        "--link",
        "a parameter that follows others, such as 'Lens 2.x = Lens 1.x + 40'; may be repeated",
        "'PARAMETER = FORMULA'",
        action="append",
        default=[],
    ),
    argument(
        "--threads",
        "threads to compute with; all processors by default",
        "N",
        type=positive_integer,
    ),
    argument(
        "--cluster",
        "compute on a Dask cluster, such as tcp://host:8786 (extra 'cluster')",
        "ADDRESS",
    ),
    limit_argument("each trace"),
)
"""Links, and where to compute."""


@contextmanager
def executor_of(options: argparse.Namespace) -> Iterator[Executor | None]:
    """The executor that the options ask for: a cluster's, or None for threads here."""
    if options.cluster is None:
        compile_in_background()
        yield None
        return
    from raybench.study.cluster import connect_cluster

    with connect_cluster(options.cluster) as executor:
        yield executor


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """A function that says whether Ctrl-C was pressed, to end a study with what there is; a second
    one interrupts the command.
    """
    pressed = threading.Event()

    def press(number: int, frame: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        print("Stopping; Ctrl-C again ends at once.", file=sys.stderr)

    before = signal.getsignal(signal.SIGINT)
    if raises_interrupt():
        signal.signal(signal.SIGINT, press)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def number_text(value: float) -> str:
    """A number in a table, or that it is undefined."""
    return "undefined" if math.isnan(value) else f"{value:.9g}"


def show_progress(text: str) -> None:
    """Show a line of progress on a terminal, in place of the last one; nothing elsewhere."""
    if sys.stderr.isatty():
        print(text, end="", file=sys.stderr)
        control_terminal(CLEAR_LINE)


SWEEP_ARGUMENTS = (
    SCENE,
    argument(
        "axes",
        "a parameter and its values: Prism.angle=-20..20:81, Lens.x=0..5mm:11,"
        " Lens.focalLength=10..1000:5 log, Wedge.refIndex=1.5,1.6; one or two of them",
        "PARAMETER=VALUES",
        nargs="+",
    ),
    argument(
        "--measure",
        "a measure such as power(Screen); may be repeated",
        "EXPR",
        action="append",
        required=True,
    ),
    argument("--out", "write the table as .csv, .npz or .json", "FILE", type=Path),
    argument(
        "--refine",
        "put up to N more values where a measure steps; the table is then printed at the end",
        "N",
        type=positive_integer,
    ),
    *STUDY_ARGUMENTS,
)


def sweep_command(options: argparse.Namespace) -> None:
    """Compute the table; print it row by row, and write it where that is asked for. After Ctrl-C
    the rows so far are written.
    """
    from raybench.files.shared import read_shared
    from raybench.study.experiment import Evaluator
    from raybench.study.sweep import Sweep, refine_sweep
    from raybench.study.table import check_table_file, save_table, table_headings

    if options.out is not None:
        check_table_file(options.out)
    document = read_shared(options.scene).document
    sweep = Sweep.build(document, options.axes, options.measure, options.max_segments, options.link)
    print_idle(options.scene, document)
    titles = table_headings(sweep.table([]))
    print("  ".join(title.rjust(12) for title in titles))
    points: list[Point] = []

    def show(point: Point) -> None:
        print(
            "  ".join(
                cell.rjust(max(12, len(title)))
                for cell, title in zip(_sweep_cells(point), titles, strict=True)
            ),
            flush=True,
        )

    try:
        with executor_of(options) as executor:
            for point in sweep.run(executor, options.threads):
                points.append(point)
                if not options.refine:
                    show(point)
            if options.refine:
                with Evaluator(executor, options.threads) as evaluator:
                    points.extend(refine_sweep(sweep, list(points), options.refine, evaluator))
                points.sort(key=lambda point: point.values)
                for point in points:
                    show(point)
    finally:
        if options.out is not None and points:
            save_table(sweep.table(points), options.out)
            of = (
                "" if len(points) >= len(sweep) else f" of {len(sweep)}"
            )  # a refined sweep has more
            print(f"{options.out}: {len(points)}{of} rows", file=sys.stderr)
    from raybench.study.terms.parameter import about_motions

    for i, measure in enumerate(sweep.experiment.measures):
        for reason in dict.fromkeys(
            p.measures[i].reason for p in points if not p.measures[i].defined
        ):
            count = sum(p.measures[i].reason == reason for p in points)
            print(
                f"{measure.expression} is undefined in {count} of {len(points)} rows: {reason}",
                file=sys.stderr,
            )
    note = sweep.table(points).note
    for line in [*([f"{note}."] if note else []), *about_motions(sweep.experiment.parameters)]:
        print(line, file=sys.stderr)


def _sweep_cells(point: Point) -> list[str]:
    values = [*point.values, *(m.value for m in point.measures)]
    return [number_text(v) for v in values]


OPTIMISE_ARGUMENTS = (
    SCENE,
    argument(
        "--vary",
        "a parameter and its bounds: Lens.x=-50..50; repeat",
        "PARAMETER=LOW..HIGH",
        action="append",
        required=True,
    ),
    argument(
        "--goal",
        "'least rms(Screen)', 'most power(Screen)', 'deviation(Prism) = 30', 'width(Screen) < 3"
        " mm'; may end with 'weight 2'; repeat",
        "GOAL",
        action="append",
        required=True,
    ),
    argument(
        "--global",
        "search the whole ranges first, not only around the scene as it is",
        dest="whole_range",
    ),
    argument("--seed", "seed of the global search", "N", type=int, default=0),
    argument(
        "--out", "write the scene with the changes, as .json or .raybench", "SCENE2", type=Path
    ),
    argument("--json", "print the outcome as JSON"),
    *STUDY_ARGUMENTS,
)


def optimise_command(options: argparse.Namespace) -> int | None:
    """Search, print the changes with the measures before and after, and write the changed scene
    where that is asked for.

    A search that Ctrl-C stopped does so with the best so far, and returns `STATUS`.
    """
    from raybench.files.atomic import check_writable
    from raybench.files.document_file import left_out, save_document
    from raybench.files.shared import read_shared
    from raybench.study.optimise import SearchStopped, optimise
    from raybench.study.terms.goal import read_goals
    from raybench.study.terms.ranges import read_bounds

    if options.out is not None:
        check_writable(options.out)
    document = read_shared(options.scene).document
    bounds = [read_bounds(text, document) for text in options.vary]
    goals = read_goals(options.goal, document)
    print_idle(options.scene, document)
    try:
        with executor_of(options) as executor, stop_on_interrupt() as stop:
            found = optimise(
                document,
                bounds,
                goals,
                links=options.link,
                whole_range=options.whole_range,
                seed=options.seed,
                executor=executor,
                threads=options.threads,
                max_segments=options.max_segments,
                stop=stop,
                report=_print_report,
            )
    except SearchStopped:
        raise KeyboardInterrupt from None
    print(
        json.dumps(_optimum_json(found), indent=1, ensure_ascii=False)
        if options.json
        else _optimum_text(found)
    )
    if options.out is not None:
        save_document(found.document, options.out, backup=True)
        lost = left_out(found.document, options.out)
        print(
            f"{options.out}: the scene with these changes",
            *([lost] if lost else []),
            sep="; ",
            file=sys.stderr,
        )
    elif not options.json:
        print(
            "Nothing was written; --out FILE writes the scene with these changes.", file=sys.stderr
        )
    return None if found.complete else STATUS


def _print_report(evaluations: int, merit: float) -> None:
    show_progress(
        f"{evaluations} evaluations, merit {merit:.6g} (Ctrl-C stops with the best so far)"
    )


def _optimum_text(found: Optimum) -> str:
    document = found.experiment.document
    rows = [
        (b.parameter.text, number_text(b.now), number_text(v), b.parameter.unit_text(document))
        for b, v in zip(found.bounds, found.values, strict=True)
    ]
    rows += [
        (str(goal), number_text(a.value), number_text(b.value), b.unit + "  not met" * (not met))
        for goal, a, b, met in zip(found.goals, found.before, found.after, found.met, strict=True)
    ]
    wide = [max(len(row[i]) for row in rows) for i in range(3)]
    lines = [
        f"{name:<{wide[0]}}  {before:>{wide[1]}} -> {after:>{wide[2]}} {unit}".rstrip()
        for name, before, after, unit in rows
    ]
    state = "" if found.complete else "Stopped; the best so far. "
    summary = f"{state}{found.evaluations} evaluations{', ' if found.method else ''}{found.method}."
    changes = f"changes: {json.dumps(_changes_json(found), ensure_ascii=False)}"
    return "\n".join([*lines, summary, *(f"Note: {note}" for note in found.notes), changes])


def _changes_json(found: Optimum) -> list[dict[str, Any]]:
    from raybench.scene.changes import changes_to_json

    return changes_to_json(found.changes, found.experiment.document)


def _optimum_json(found: Optimum) -> dict[str, Any]:
    def number(value: float) -> float | None:
        return None if value != value else value

    document = found.experiment.document
    return {
        "parameters": [
            {
                "parameter": b.parameter.text,
                "unit": b.parameter.unit_text(document),
                "before": b.now,
                "after": v,
            }
            for b, v in zip(found.bounds, found.values, strict=True)
        ],
        "goals": [
            {
                "goal": str(goal),
                "unit": m.unit,
                "before": number(a.value),
                "after": number(m.value),
                "met": met,
            }
            for goal, a, m, met in zip(
                found.goals, found.before, found.after, found.met, strict=True
            )
        ],
        "changes": _changes_json(found),
        "evaluations": found.evaluations,
        "method": found.method,
        "complete": found.complete,
        "notes": list(found.notes),
    }


WORST = 3
"""Number of samples that are written."""


TOLERANCE_ARGUMENTS = (
    SCENE,
    argument(
        "--vary",
        "how far a parameter may be off: 'Lens.x±0.1', 'Lens.focalLength±1%%', 'Prism.angle±0.5"
        " normal'; uniform by default, normal means two standard deviations; +- is the same as"
        " ±; repeat",
        "'PARAMETER±BY'",
        action="append",
        required=True,
    ),
    argument(
        "--measure", "a measure such as power(Screen); repeat", "EXPR", action="append", default=[]
    ),
    argument(
        "--limit",
        "what has to hold: 'rms(Screen) < 0.2', 'focus(Lens) = 99..101'; repeat",
        "LIMIT",
        action="append",
        default=[],
    ),
    argument(
        "--adjust",
        "a compensator, adjusted in every sample; repeat",
        "PARAMETER=LOW..HIGH",
        action="append",
        default=[],
    ),
    argument(
        "--goal",
        "what compensators are adjusted for: 'least rms(Screen)'",
        "GOAL",
        action="append",
        default=[],
    ),
    argument(
        "--samples", "random samples; 200 by default", "N", type=positive_integer, default=None
    ),
    argument("--seed", "seed of the random numbers", "N", type=int, default=0),
    argument("--out", "write the samples as .csv, .npz or .json", "FILE", type=Path),
    argument("--worst", "write the three worst samples as scenes", "DIR", type=Path),
    *STUDY_ARGUMENTS,
)


def tolerance_command(options: argparse.Namespace) -> int | None:
    """Compute sensitivities and samples and print their summary. After Ctrl-C it is that of the
    samples so far, with `STATUS`.
    """
    from raybench.files.shared import read_shared
    from raybench.study.experiment import Evaluator
    from raybench.study.table import check_table_file, save_table
    from raybench.study.tolerance import SAMPLES, InvalidTolerance, Tolerance

    if options.out is not None:
        check_table_file(options.out)
    if not options.measure and not options.limit:
        raise InvalidTolerance("Nothing is measured. Give --measure or --limit.")
    document = read_shared(options.scene).document
    study = Tolerance.read(
        document,
        options.vary,
        options.measure,
        limits=options.limit,
        adjust=options.adjust,
        goals=options.goal,
        links=options.link,
        samples=options.samples or SAMPLES,
        seed=options.seed,
        max_segments=options.max_segments,
    )
    print_idle(options.scene, document)
    rows: list[Row] = []
    with (
        executor_of(options) as executor,
        stop_on_interrupt() as stop,
        Evaluator(executor, options.threads, stop) as evaluator,
    ):
        nominal = study.nominal(evaluator)
        sensitivities = list(study.sensitivities(evaluator))
        print("\n".join(_sensitivity_lines(study, nominal, sensitivities)), flush=True)
        for row in evaluator.rows(study.evaluable(), study.points):
            rows.append(row)
            show_progress(f"{len(rows)} of {study.samples} samples (Ctrl-C stops with these)")
    if not rows:
        raise KeyboardInterrupt
    print("\n".join(_sample_lines(study, rows, sensitivities)))
    if options.out is not None:
        save_table(study.table(rows), options.out)
        print(f"{options.out}: {len(rows)} of {study.samples} samples", file=sys.stderr)
    if options.worst is not None:
        make_folder(options.worst, "--worst")
        _save_worst(study, rows, options.worst)
    return None if len(rows) == study.samples else STATUS


def _save_worst(study: Tolerance, rows: Sequence[Row], folder: Path) -> None:
    """Write the worst samples of those whose values can be put into the scene. Raises RaybenchError
    if there are none.
    """
    from raybench.analysis.answers.words import number_of
    from raybench.files.document_file import save_document
    from raybench.scene.changes import applied

    place, refused = 1, list[str]()
    for index in study.worst(rows, len(rows)):
        try:
            sample = applied(study.changes(index, rows[index]), study.experiment.document)
        except RaybenchError as error:
            refused.append(str(error))
            continue
        path = folder / f"worst-{place}.raybench"
        save_document(sample, path, backup=True)
        print(f"{path}: sample {index + 1}", file=sys.stderr)
        if (place := place + 1) > WORST:
            break
    if place == 1:
        raise RaybenchError(f"{folder}: no sample can be written: {refused[0]}")
    if refused:
        print(
            f"{folder}: without {number_of(len(refused), 'sample')} that cannot be made:"
            f" {refused[0]}",
            file=sys.stderr,
        )


def _sensitivity_lines(
    study: Tolerance, nominal: Row, sensitivities: Sequence[Sensitivity]
) -> list[str]:
    lines = []
    for i, measure in enumerate(study.experiment.measures[: study.measures]):
        unit = f" {nominal[i].unit}".rstrip()
        lines.append(f"{measure.expression}: {number_text(nominal[i].value)}{unit} nominally")
        pairs = [(s, *s.changes(i, nominal)) for s in sensitivities]
        pairs.sort(
            key=lambda pair: (
                -max(
                    (abs(change) for change in pair[1:] if not math.isnan(change)), default=math.inf
                )
            )
        )
        for s, low, high in pairs:
            by = f"±{s.deviation.by:g} {s.deviation.parameter.unit_text(study.experiment.document)}".rstrip()
            least, most = (
                "undefined" if math.isnan(change) else f"{change:+.6g}" for change in (low, high)
            )
            lines.append(f"  {s.deviation.parameter.text} {by}: {least} .. {most}{unit}")
    return lines


def _sample_lines(
    study: Tolerance, rows: Sequence[Row], sensitivities: Sequence[Sensitivity]
) -> list[str]:
    from raybench.study.tolerance import QUANTILES, root_sum_square

    lines = [f"{len(rows)} samples, seed {study.seed}"]
    for i, s in enumerate(study.spreads(rows)):
        unit = f" {rows[0][i].unit}".rstrip()
        quantiles = ", ".join(
            f"{100 * q:g} % {number_text(v)}" for q, v in zip(QUANTILES, s.quantiles, strict=True)
        )
        lines.append(
            f"{s.measure.expression}: mean {number_text(s.mean)}, standard deviation"
            f" {number_text(s.deviation)}{unit}"
        )
        lines.append(
            f"  least {number_text(s.least)}, {quantiles}, most {number_text(s.most)}{unit}"
        )
        if len(sensitivities) == len(study.deviations):
            lines.append(
                "  standard deviation by linear propagation:"
                f" {number_text(root_sum_square(sensitivities, i))}{unit}"
            )
        if s.defined < len(rows):
            reason = next(row[i].reason for row in rows if not row[i].defined)
            lines.append(f"  undefined in {len(rows) - s.defined} samples: {reason}")
    for y in study.yields(rows):
        low, high = (100 * bound for bound in y.interval)
        lines.append(
            f"yield, {y.of}: {100 * y.share:.3g} % ({y.within} of {y.samples}; 95 % interval"
            f" {low:.3g} to {high:.3g} %)"
        )
    note = study.table(rows).note
    return [*lines, f"Note: {note}."] if note else lines
