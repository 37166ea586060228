"""``raybench sweep``: measures over one or two parameters, as a table."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from raybench_workbench.commands.arguments import SOURCES, positive
from raybench_workbench.commands.study_options import add_study_options, executor_of, number_text
from raybench_workbench.commands.terminal_trace import print_idle

if TYPE_CHECKING:
    from raybench.study.sweep import Point, Sweep


def add_sweep_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("scene", metavar="SCENE", help=SOURCES)
    about = (
        "a parameter and its values: Prism.angle=-20..20:81, Lens.x=0..5mm:11,"
        " Lens.focalLength=10..1000:5 log, Wedge.refIndex=1.5,1.6"
    )
    command.add_argument(
        "axes", nargs="+", metavar="PARAMETER=VALUES", help=f"{about}; one or two of them"
    )
    command.add_argument(
        "--measure",
        action="append",
        required=True,
        metavar="EXPR",
        help="a measure such as power(Screen); may be repeated",
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="write the table as .csv, .npz or .json"
    )
    command.add_argument(
        "--refine",
        type=positive,
        metavar="N",
        help="put up to N more values where a measure steps; the table is then printed at the end",
    )
    add_study_options(command)


def sweep_command(options: argparse.Namespace) -> None:
    """Compute the table; print it row by row, and write it where that is asked for. After Ctrl-C
    the rows so far are written.
    """
    from raybench.files.shared import read_shared
    from raybench.study.evaluator import Evaluator
    from raybench.study.refine import refined
    from raybench.study.sweep import Sweep
    from raybench.study.table_file import check_table_file, headings, save_table

    if options.out is not None:
        check_table_file(options.out)
    document = read_shared(options.scene).document
    sweep = Sweep.of(document, options.axes, options.measure, options.max_segments, options.link)
    print_idle(options.scene, document)
    titles = headings(sweep.table([]))
    print("  ".join(title.rjust(12) for title in titles))
    points: list[Point] = []

    def show(point: Point) -> None:
        print(
            "  ".join(
                cell.rjust(max(12, len(title)))
                for cell, title in zip(_cells(point), titles, strict=True)
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
                    points.extend(refined(sweep, list(points), options.refine, evaluator))
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
    _explain(points, sweep)


def _cells(point: Point) -> list[str]:
    values = [*point.values, *(m.value for m in point.measures)]
    return [number_text(v) for v in values]


def _explain(points: list[Point], sweep: Sweep) -> None:
    """Say why a measure is undefined, once for each reason, how much light powers leave out, and
    which numbers are motions.
    """
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
