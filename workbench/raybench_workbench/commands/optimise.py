"""``raybench optimise``: values of parameters for which goals are met best, as changes."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.system.interrupt import STATUS
from raybench_workbench.commands.arguments import SOURCES
from raybench_workbench.commands.study_options import (
    add_study_options,
    executor_of,
    number_text,
    show_progress,
    stop_on_interrupt,
)
from raybench_workbench.commands.terminal_trace import print_idle

if TYPE_CHECKING:
    from raybench.study.optimise import Optimum


def add_optimise_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("scene", metavar="SCENE", help=SOURCES)
    command.add_argument(
        "--vary",
        action="append",
        required=True,
        metavar="PARAMETER=LOW..HIGH",
        help="a parameter and its bounds: Lens.x=-50..50; repeat",
    )
    command.add_argument(
        "--goal",
        action="append",
        required=True,
        metavar="GOAL",
        help=(
            "'least rms(Screen)', 'most power(Screen)', 'deviation(Prism) = 30', 'width(Screen) < 3"
            " mm'; may end with 'weight 2'; repeat"
        ),
    )
    command.add_argument(
        "--global",
        dest="whole_range",
        action="store_true",
        help="search the whole ranges first, not only around the scene as it is",
    )
    command.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the global search"
    )
    command.add_argument(
        "--out",
        type=Path,
        metavar="SCENE2",
        help="write the scene with the changes, as .json or .raybench",
    )
    command.add_argument("--json", action="store_true", help="print the outcome as JSON")
    add_study_options(command)


def optimise_command(options: argparse.Namespace) -> int | None:
    """Search, print the changes with the measures before and after, and write the changed scene
    where that is asked for.

    A search that Ctrl-C stopped does so with the best so far, and returns `STATUS`.
    """
    from raybench.files.atomic import check_writable
    from raybench.files.document_file import left_out, save_document
    from raybench.files.shared import read_shared
    from raybench.study.optimise import SearchStopped, optimise
    from raybench.study.terms.bounds import read_bounds
    from raybench.study.terms.goal import read_goals

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
                report=_report,
            )
    except SearchStopped:
        raise KeyboardInterrupt from None
    print(json.dumps(_about(found), indent=1, ensure_ascii=False) if options.json else _text(found))
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


def _report(evaluations: int, merit: float) -> None:
    show_progress(
        f"{evaluations} evaluations, merit {merit:.6g} (Ctrl-C stops with the best so far)"
    )


def _text(found: Optimum) -> str:
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
    changes = f"changes: {json.dumps(_changes(found), ensure_ascii=False)}"
    return "\n".join([*lines, summary, *(f"Note: {note}" for note in found.notes), changes])


def _changes(found: Optimum) -> list[dict[str, Any]]:
    from raybench.scene.changes import changes_to_json

    return changes_to_json(found.changes, found.experiment.document)


def _about(found: Optimum) -> dict[str, Any]:
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
        "changes": _changes(found),
        "evaluations": found.evaluations,
        "method": found.method,
        "complete": found.complete,
        "notes": list(found.notes),
    }
