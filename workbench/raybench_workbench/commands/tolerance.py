"""``raybench tolerance``: sensitivities, the spread of measures under random deviations, and the
yield.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench.system.interrupt import STATUS
from raybench_workbench.commands.arguments import SOURCES, make_folder, positive
from raybench_workbench.commands.study_options import (
    add_study_options,
    executor_of,
    number_text,
    show_progress,
    stop_on_interrupt,
)
from raybench_workbench.commands.terminal_trace import print_idle

if TYPE_CHECKING:
    from raybench.study.evaluator import Row
    from raybench.study.tolerance import Sensitivity, Tolerance

WORST = 3
"""Number of samples that are written."""


def add_tolerance_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("scene", metavar="SCENE", help=SOURCES)
    command.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="'PARAMETER±BY'",
        help=(
            "how far a parameter may be off: 'Lens.x±0.1', 'Lens.focalLength±1%%', 'Prism.angle±0.5"
            " normal'; uniform by default, normal means two standard deviations; +- is the same as"
            " ±; repeat"
        ),
    )
    command.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="EXPR",
        help="a measure such as power(Screen); repeat",
    )
    command.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="LIMIT",
        help="what has to hold: 'rms(Screen) < 0.2', 'focus(Lens) = 99..101'; repeat",
    )
    command.add_argument(
        "--adjust",
        action="append",
        default=[],
        metavar="PARAMETER=LOW..HIGH",
        help="a compensator, adjusted in every sample; repeat",
    )
    command.add_argument(
        "--goal",
        action="append",
        default=[],
        metavar="GOAL",
        help="what compensators are adjusted for: 'least rms(Screen)'",
    )
    command.add_argument(
        "--samples", type=positive, default=None, metavar="N", help="random samples; 200 by default"
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the random numbers"
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="write the samples as .csv, .npz or .json"
    )
    command.add_argument(
        "--worst", type=Path, metavar="DIR", help="write the three worst samples as scenes"
    )
    add_study_options(command)


def tolerance_command(options: argparse.Namespace) -> int | None:
    """Compute sensitivities and samples and print their summary. After Ctrl-C it is that of the
    samples so far, with `STATUS`.
    """
    from raybench.files.shared import read_shared
    from raybench.study.evaluator import Evaluator
    from raybench.study.table_file import check_table_file, save_table
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
