"""The commands that run studies: ``raybench sweep``, ``optimise``, ``tolerance`` and ``estimate``."""

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
from typing import Any

from raybench.analysis.answers.words import count_with_noun
from raybench.errors import RaybenchError
from raybench.files.atomic import check_writable
from raybench.files.document_file import save_document
from raybench.files.shared import read_shared
from raybench.scene.changes import apply_changes, changes_to_json
from raybench.scene.document import Document
from raybench.scene.parameters.parameter import Parameter
from raybench.study.estimate import MOST_DRAWS, Means, estimate
from raybench.study.experiment import Evaluator, Row, with_initial_changes
from raybench.study.optimise import Optimum, SearchStopped, optimise
from raybench.study.request import read_changes
from raybench.study.sweep import Sweep, SweepPoint, refine_sweep
from raybench.study.table import check_table_file, column_headings, save_table
from raybench.study.terms.goal import read_goals
from raybench.study.terms.parameter import relative_value_notes
from raybench.study.terms.ranges import read_bounds
from raybench.study.tolerance import (
    DEFAULT_SAMPLES,
    QUANTILES,
    InvalidTolerance,
    Sensitivity,
    Tolerance,
    root_sum_square,
)
from raybench.system.interrupt import INTERRUPTED_STATUS, ctrl_c_raises_interrupt
from raybench_workbench.commands.terminal import (
    CLEAR_LINE,
    compile_in_background,
    make_folder,
    print_idle_objects,
    print_unwritten_parts,
    write_control_sequence,
)


@contextmanager
def executor_from_options(options: argparse.Namespace) -> Iterator[Executor | None]:
    """The executor that the options choose for a study: that of a cluster, or None for threads in
    this process.
    """
    if options.cluster is None:
        compile_in_background()
        yield None
        return
    from raybench.study.cluster import connect_cluster

    with connect_cluster(options.cluster) as executor:
        yield executor


@contextmanager
def stop_on_interrupt() -> Iterator[Callable[[], bool]]:
    """Yields a function that tells whether Ctrl-C was pressed, so that a study can end with its
    results so far. A second Ctrl-C interrupts the command.
    """
    pressed = threading.Event()

    def handle_interrupt(number: int, frame: object) -> None:
        if pressed.is_set():
            raise KeyboardInterrupt
        pressed.set()
        print("Stopping; Ctrl-C again ends at once.", file=sys.stderr)

    before = signal.getsignal(signal.SIGINT)
    if ctrl_c_raises_interrupt():
        signal.signal(signal.SIGINT, handle_interrupt)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)


def number_text(value: float, form: str = ".9g") -> str:
    """A number as text for a table; an undefined number has a word instead."""
    return "undefined" if math.isnan(value) else format(value, form)


def print_progress(text: str) -> None:
    """Print a line of progress in place of the previous one, if stderr is a terminal."""
    if sys.stderr.isatty():
        print(text, end="", file=sys.stderr)
        write_control_sequence(CLEAR_LINE)


OTHER_PATH = "*"
"""The mark of a row whose light takes another path than in the scene."""


def sweep_parameters(options: argparse.Namespace) -> None:
    """Run a sweep, print its table row by row, and write it to a file if one is given. After Ctrl-C
    the rows so far are written.
    """
    if options.out is not None:
        check_table_file(options.out)
    document = read_shared(options.scene).document
    sweep = Sweep.build(
        document,
        options.axes,
        options.measure,
        options.max_segments,
        options.link,
        read_changes(options.change, document),
    )
    print_idle_objects(options.scene, document)
    titles = [title.rjust(12) for title in column_headings(sweep.table([]))]
    print("  ".join(titles))
    points: list[SweepPoint] = []

    def show_point(point: SweepPoint) -> None:
        varied = zip(sweep.experiment.parameters, point.values, strict=True)
        texts = [p.value_text(v, ".9g") for p, v in varied]
        texts += [number_text(m.value) for m in point.measures]
        cells = [text.rjust(len(title)) for text, title in zip(texts, titles, strict=True)]
        if any(m.other_path for m in point.measures):
            cells.append(OTHER_PATH)
        print("  ".join(cells), flush=True)

    try:
        with executor_from_options(options) as executor:
            for point in sweep.run(executor, options.threads):
                points.append(point)
                if not options.refine:
                    show_point(point)
            if options.refine:
                with Evaluator(executor, options.threads) as evaluator:
                    points.extend(refine_sweep(sweep, list(points), options.refine, evaluator))
                points.sort(key=lambda point: point.values)
                for point in points:
                    show_point(point)
    finally:
        if options.out is not None and points:
            save_table(sweep.table(points), options.out)
            # a refined sweep has more
            of = "" if len(points) >= len(sweep) else f" of {len(sweep)}"
            print(f"{options.out}: {len(points)}{of} rows", file=sys.stderr)
    lines = []
    for i, measure in enumerate(sweep.experiment.measures):
        reasons = [p.measures[i].reason for p in points if not p.measures[i].defined]
        for reason in dict.fromkeys(reasons):
            count = f"{reasons.count(reason)} of {len(points)} rows"
            lines.append(f"{measure.expression} is undefined in {count}: {reason}")
    table = sweep.table(points)
    if table.paths_note:
        lines.append(f"{OTHER_PATH} {table.paths_note}.")
    if table.note:
        lines.append(f"{table.note}.")
    for line in [*lines, *relative_value_notes(sweep.experiment.parameters)]:
        print(line, file=sys.stderr)


def optimise_scene(options: argparse.Namespace) -> int | None:
    """Run an optimisation, print the changes and the measures before and after, and write the
    changed scene to a file if one is given.

    After Ctrl-C the best result so far is used, and the exit status is `INTERRUPTED_STATUS`.
    """
    if options.out is not None:
        check_writable(options.out)
    document = read_shared(options.scene).document
    first = read_changes(options.change, document)
    begun = with_initial_changes(document, first)
    bounds = [read_bounds(text, begun) for text in options.vary]
    goals = read_goals(options.goal, begun)
    print_idle_objects(options.scene, document)
    try:
        with executor_from_options(options) as executor, stop_on_interrupt() as stop:
            found = optimise(
                document,
                bounds,
                goals,
                first=first,
                measures=options.measure,
                links=options.link,
                whole_range=options.whole_range,
                keep_path=not options.any_path,
                seed=options.seed,
                executor=executor,
                threads=options.threads,
                max_segments=options.max_segments,
                stop=stop,
                report=lambda evaluations, merit: print_progress(
                    f"{evaluations} evaluations, merit {merit:.6g} (Ctrl-C stops with the best so"
                    " far)"
                ),
            )
    except SearchStopped:
        raise KeyboardInterrupt from None
    if options.json:
        print(json.dumps(_optimum_json(found), indent=1, ensure_ascii=False))
    else:
        print("\n".join(_optimum_lines(found)))
    if options.out is not None:
        save_document(found.document, options.out, backup=True)
        print(f"{options.out}: the scene with these changes", file=sys.stderr)
        print_unwritten_parts(found.document, options.out)
    elif not options.json:
        print(
            "Nothing was written; --out FILE writes the scene with these changes.", file=sys.stderr
        )
    return None if found.complete else INTERRUPTED_STATUS


def _optimum_lines(found: Optimum) -> list[str]:
    texts = [
        (
            b.parameter.text,
            b.parameter.value_text(b.now, ".9g"),
            b.parameter.value_text(value, ".9g"),
            b.parameter.unit_text(found.experiment.base_document),
        )
        for b, value in zip(found.bounds, found.values, strict=True)
    ]
    rows = [
        (str(goal), a, b, b.unit + "  not met" * (not met))
        for goal, a, b, met in zip(found.goals, found.before, found.after, found.met, strict=True)
    ]
    rows += [(b.expression, a, b, b.unit) for a, b in found.measured]
    texts += [(name, number_text(a.value), number_text(b.value), unit) for name, a, b, unit in rows]
    wide = [max(map(len, column)) for column in zip(*texts, strict=True)]
    state = "" if found.complete else "Stopped; the best so far. "
    method = f", {found.method}" if found.method else ""
    changes = changes_to_json(found.changes, found.experiment.document)
    return [
        *(
            f"{name:<{wide[0]}}  {before:>{wide[1]}} -> {after:>{wide[2]}} {unit}".rstrip()
            for name, before, after, unit in texts
        ),
        f"{state}{found.evaluations} evaluations{method}.",
        *(f"Note: {note}" for note in found.notes),
        f"changes: {json.dumps(changes, ensure_ascii=False)}",
    ]


def _optimum_json(found: Optimum) -> dict[str, Any]:
    def value(parameter: Parameter, number: float) -> float | str:
        return parameter.value_text(number) if parameter.choices else number

    goals = zip(found.goals, found.before, found.after, found.met, strict=True)
    return {
        "parameters": [
            {
                "parameter": b.parameter.text,
                "unit": b.parameter.unit_text(found.experiment.base_document),
                "before": value(b.parameter, b.now),
                "after": value(b.parameter, number),
            }
            for b, number in zip(found.bounds, found.values, strict=True)
        ],
        "goals": [
            {
                "goal": str(goal),
                "unit": b.unit,
                "before": a.value_or_none,
                "after": b.value_or_none,
                "met": met,
            }
            for goal, a, b, met in goals
        ],
        "measures": [
            {
                "measure": b.expression,
                "unit": b.unit,
                "before": a.value_or_none,
                "after": b.value_or_none,
            }
            for a, b in found.measured
        ],
        "path": {"before": found.paths[0], "after": found.paths[1]},
        "other_paths": [
            {
                "path": other.path,
                "parameters": {
                    b.parameter.text: value(b.parameter, number)
                    for b, number in zip(found.bounds, other.values, strict=True)
                },
                "goals": {m.expression: m.value_or_none for m in other.measures},
            }
            for other in found.alternatives
        ],
        "changes": changes_to_json(found.changes, found.experiment.document),
        "evaluations": found.evaluations,
        "method": found.method,
        "complete": found.complete,
        "notes": list(found.notes),
    }


WORST_SAMPLES = 3
"""Number of samples that are written."""


def analyse_tolerance(options: argparse.Namespace) -> int | None:
    """Run a tolerance analysis and print a summary of its sensitivities and samples. After Ctrl-C
    the summary covers the samples so far; the exit status is then `INTERRUPTED_STATUS`.
    """
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
        first=read_changes(options.change, document),
        samples=options.samples or DEFAULT_SAMPLES,
        seed=options.seed,
        max_segments=options.max_segments,
    )
    print_idle_objects(options.scene, document)
    rows: list[Row] = []
    with (
        executor_from_options(options) as executor,
        stop_on_interrupt() as stop,
        Evaluator(executor, options.threads, stop) as evaluator,
    ):
        nominal = study.nominal(evaluator)
        sensitivities = list(study.sensitivities(evaluator))
        print("\n".join(_sensitivity_lines(study, nominal, sensitivities)), flush=True)
        for row in evaluator.rows(study.experiment_to_evaluate(), study.points):
            rows.append(row)
            print_progress(f"{len(rows)} of {study.samples} samples (Ctrl-C stops with these)")
    if not rows:
        raise KeyboardInterrupt
    print("\n".join(_sample_lines(study, rows, sensitivities)))
    if options.out is not None:
        save_table(study.table(rows), options.out)
        print(f"{options.out}: {len(rows)} of {study.samples} samples", file=sys.stderr)
    if options.worst is not None:
        make_folder(options.worst, "--worst")
        _save_worst_samples(study, rows, options.worst)
    return None if len(rows) == study.samples else INTERRUPTED_STATUS


def _save_worst_samples(study: Tolerance, rows: Sequence[Row], folder: Path) -> None:
    """Write the scenes of the worst samples whose values can be applied to the scene. Raises
    RaybenchError if there are none.
    """
    samples: list[tuple[int, Document]] = []
    refused: list[str] = []
    for index in study.worst_samples(rows, len(rows)):
        try:
            changes = study.changes(index, rows[index])
            samples.append((index, apply_changes(changes, study.experiment.document)))
        except RaybenchError as error:
            refused.append(str(error))
        if len(samples) == WORST_SAMPLES:
            break
    for place, (index, sample) in enumerate(samples, 1):
        path = folder / f"worst-{place}.raybench"
        save_document(sample, path, backup=True)
        print(f"{path}: sample {index + 1}", file=sys.stderr)
    if not samples:
        raise RaybenchError(f"{folder}: no sample can be written: {refused[0]}")
    if refused:
        print(
            f"{folder}: without {count_with_noun(len(refused), 'sample')} that cannot be made:"
            f" {refused[0]}",
            file=sys.stderr,
        )


def _sensitivity_lines(
    study: Tolerance, nominal: Row, sensitivities: Sequence[Sensitivity]
) -> list[str]:
    """Lines of text with the nominal value of each measure and the effect of each deviation on it,
    strongest first.
    """

    def effect(sensitivity: Sensitivity) -> float:
        changes = [abs(c) for c in sensitivity.changes(i, nominal) if not math.isnan(c)]
        return max(changes, default=math.inf)

    lines = []
    for i, measure in enumerate(study.experiment.measures[: study.measures]):
        unit = f" {nominal[i].unit}".rstrip()
        lines.append(f"{measure.expression}: {number_text(nominal[i].value)}{unit} nominally")
        for each in sorted(sensitivities, key=effect, reverse=True):
            parameter = each.deviation.parameter
            by = f"±{each.deviation.by:g} {parameter.unit_text(study.experiment.base_document)}".rstrip()
            least, most = (number_text(c, "+.6g") for c in each.changes(i, nominal))
            lines.append(f"  {parameter.text} {by}: {least} .. {most}{unit}")
    return lines


def _sample_lines(
    study: Tolerance, rows: Sequence[Row], sensitivities: Sequence[Sensitivity]
) -> list[str]:
    lines = [f"{len(rows)} samples, seed {study.seed}"]
    for i, s in enumerate(study.spreads(rows)):
        unit = f" {rows[0][i].unit}".rstrip()
        quantiles = ", ".join(
            f"{100 * q:g} % {number_text(v)}" for q, v in zip(QUANTILES, s.quantiles, strict=True)
        )
        lines += [
            f"{s.measure.expression}: mean {number_text(s.mean)}, standard deviation"
            f" {number_text(s.deviation)}{unit}",
            f"  least {number_text(s.least)}, {quantiles}, most {number_text(s.most)}{unit}",
        ]
        if len(sensitivities) == len(study.deviations):
            linear = number_text(root_sum_square(sensitivities, i))
            lines.append(f"  standard deviation by linear propagation: {linear}{unit}")
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


def estimate_measures(options: argparse.Namespace) -> int | None:
    """Print the means of measures over draws: repeated traces with other random rays. After Ctrl-C
    the means so far are printed, and the exit status is `INTERRUPTED_STATUS`.
    """
    opened = read_shared(options.scene).document
    document = with_initial_changes(opened, read_changes(options.change, opened))
    print_idle_objects(options.scene, document)
    means: Means = ()
    with executor_from_options(options) as executor, stop_on_interrupt() as stop:
        for means in estimate(
            document,
            options.measure,
            error=options.error,
            draws=options.draws or MOST_DRAWS,
            max_segments=options.max_segments,
            executor=executor,
            threads=options.threads,
            stop=stop,
        ):
            worst = max(mean.relative_error for mean in means)
            print_progress(
                f"{means[0].draws} draws, error {100 * worst:.2g} % (Ctrl-C stops with these)"
            )
        stopped = stop()
    if not means:
        raise KeyboardInterrupt
    if options.json:
        rows = [
            {
                "measure": mean.latest.expression,
                "unit": mean.latest.unit,
                "mean": mean.value_or_none,
                "standard_error": mean.error_or_none,
                "draws": mean.draws,
                "undefined": mean.undefined,
            }
            for mean in means
        ]
        print(json.dumps({"measures": rows, "complete": not stopped}, indent=1))
    else:
        print("\n".join(map(str, means)))
    return INTERRUPTED_STATUS if stopped else None
