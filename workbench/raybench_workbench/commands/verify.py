"""``raybench verify``: closed forms of optics, computed on this machine."""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench_workbench.commands.arguments import make_folder
from raybench_workbench.commands.terminal_trace import compile_once

if TYPE_CHECKING:
    from raybench.verify.case import Outcome

COLUMNS = "{:<43} {:>18} {:>18} {:>9}  {}"


def add_verify_options(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "cases",
        nargs="*",
        metavar="CASE",
        help="scenes of the table, such as snell or ball-lens; all by default",
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="print the table as JSON, with formulas and their sources",
    )
    command.add_argument(
        "--save", type=Path, metavar="DIR", help="write the scenes into DIR too, to open them"
    )


def verify_command(options: argparse.Namespace) -> int:
    """Compute the table and print it row by row; returns 1 if a case does not hold."""
    from raybench.verify.run import cases_of, outcomes, save_scenes

    cases = cases_of(options.cases)
    if options.save is not None:
        make_folder(options.save, "--save")
        print(f"{options.save}: {save_scenes(options.save, cases)} scenes", file=sys.stderr)
    compile_once()
    if not options.json:
        print(COLUMNS.format("case", "computed", "exact", "error", "scene: measure"))
    done: list[Outcome] = []
    for outcome in outcomes(cases):
        done.append(outcome)
        if not options.json:
            print(_line(outcome), flush=True)
    failed = [outcome for outcome in done if not outcome.holds]
    if options.json:
        print(
            json.dumps(
                {"holds": not failed, "cases": [_json(o) for o in done]},
                indent=2,
                ensure_ascii=False,
            )
        )
    else:
        print(f"{len(done) - len(failed)} of {len(done)} cases hold.")
    return 1 if failed else 0


def _line(outcome: Outcome) -> str:
    case = outcome.case
    line = COLUMNS.format(
        case.claim, f"{outcome.computed:.12g}", f"{case.exact + 0.0:.12g}", f"{outcome.error:.0e}" if outcome.error else "0",
        f"{case.scene}: {case.measure}",
    )  # fmt: skip
    return (
        line
        if outcome.holds
        else f"{line}\n  FAILED: the error may be {case.tolerance:g}. {outcome.reason}".rstrip()
    )


def _json(outcome: Outcome) -> dict[str, Any]:
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
