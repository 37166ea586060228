"""``raybench trace``: scenes traced, and their segments written as npz, CSV and XML."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench_workbench.commands.arguments import SOURCES, add_limit_option, make_folder, positive
from raybench_workbench.commands.terminal_trace import load_and_trace

if TYPE_CHECKING:
    from raybench.scene.document import Document
    from raybench.trace.results.result import TraceResult
MOST_PROBLEMS = 100
"""Problems of a scene that are printed."""


def add_trace_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scenes", nargs="+", metavar="SCENE", help=SOURCES)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="where DIR/<scene>.npz goes"
    )
    parser.add_argument(
        "--csv",
        action="store_true",
        help="also write DIR/<scene>.csv: one line per segment, units in the headings",
    )
    parser.add_argument(
        "--xml",
        action="store_true",
        help="also write DIR/<scene>.xml, with rays as in the tools' answers",
    )
    parser.add_argument(
        "--threads",
        type=positive,
        metavar="N",
        help="threads to trace with; all processors by default",
    )
    add_limit_option(parser, "each scene")


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
        _export(options, name, shared.document, result)
        print(
            f"{name}: {len(result)} segments, {result.milliseconds:.1f} ms,"
            f" {result.completion.text}"
        )
        _print_problems(scene if shared.path else name, shared.document, result)
    return 1 if failed else 0


def _export(
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
