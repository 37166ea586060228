"""``raybench compare``: what is different in another scene, and what that does to measures."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from raybench_workbench.commands.arguments import SOURCES, add_limit_option
from raybench_workbench.commands.terminal_trace import compile_once, print_idle, print_if_partial

if TYPE_CHECKING:
    from raybench.scene.names import UnknownName
    from raybench.study.what_if import Difference


def add_compare_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("scene", metavar="SCENE", help=SOURCES)
    command.add_argument(
        "other",
        metavar="OTHER",
        help="the scene that it is compared with, such as a later version of it",
    )
    command.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="EXPR",
        help="a measure to compare, such as power(Screen); may be repeated",
    )
    add_limit_option(command)
    command.add_argument("--json", action="store_true", help="print the differences as JSON")


def compare_command(options: argparse.Namespace) -> None:
    """Print each value that is different, and each measure in both scenes. Objects are matched by
    name and type.
    """
    from raybench.analysis.measures.bound import bind
    from raybench.errors import RaybenchError
    from raybench.files.shared import read_shared
    from raybench.scene.changes.differences import differences
    from raybench.scene.changes.matching import matched
    from raybench.scene.names import UnknownName
    from raybench.study.what_if import compared
    from raybench.trace.trace import trace

    before, after = read_shared(options.scene).document, read_shared(options.other).document
    before = matched(before, after.scene.objects)
    rows = differences(before, after)
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
            measured = compared(before, after, traced, measures)
        except UnknownName as error:
            raise RaybenchError(
                f"{options.scene} lacks an object of {options.other} that {_missing(error)} is"
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


def _missing(error: UnknownName) -> str:
    """The measure that an error is about."""
    return str(error).partition(" refers to ")[0]
