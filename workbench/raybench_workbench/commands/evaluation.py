"""The command ``eval``, which puts a bank of tasks to a model and scores its answers."""

import argparse
import asyncio
import sys
from pathlib import Path
from signal import default_int_handler

from raybench.agent.by_hand.command_line import shipped_registry
from raybench.agent.eval import results
from raybench.agent.eval.attempt import Attempt, Examiner
from raybench.agent.eval.bank import read_bank, select_tasks
from raybench.agent.turn.loop import MAX_STEPS
from raybench.errors import RaybenchError, one_line
from raybench.files.atomic import check_writable
from raybench.schema.json_values import json_document
from raybench.system.interrupt import set_interrupt_handler
from raybench_workbench.commands.model_options import (
    backend_from_options,
    print_to_stderr,
    session_canvas_painter,
)
from raybench_workbench.commands.terminal import compile_kernels_once

MAX_UNANSWERED = 3
"""After so many tasks in a row without any reply no more are put."""


def evaluate_model(options: argparse.Namespace) -> None:
    """Put the tasks to the model and print the scores. After an interruption, or if the model stops
    replying, the scores of the finished attempts are printed.

    Raises RaybenchError if the model cannot be asked. A wrong answer is no error.
    """
    if options.compare:
        print(results.comparison_table(*map(results.read_attempts, options.compare)))
        return
    tasks = select_tasks(read_bank(options.bank), options.only)
    if options.list:
        for task in tasks:
            print(f"{task.name:26}{task.theme:12}{task.kind:12}{task.ask}")
        return
    connected = backend_from_options(options, tasks[0].name)
    if connected is None and not options.offline:
        raise RaybenchError("No model is connected. Give --model, --base-url or --offline.")
    model = "offline" if connected is None else options.model or connected.name
    done = [] if options.out is None else _earlier_attempts(options.out, model)
    finished = {(a.task, a.repeat) for a in done}
    asked = [(task, n) for n in range(1, options.repeat + 1) for task in tasks]
    waiting = [(task, n) for task, n in asked if (task.name, n) not in finished]
    count = len(done) + len(waiting)

    def report(attempt: Attempt) -> None:
        done.append(attempt)
        if options.out is not None:
            results.save_attempts(options.out, model, done)
        mark, why = "✓" if attempt.is_right else "✗", attempt.error or "; ".join(attempt.faults)
        took = f"{attempt.calls} calls, {attempt.seconds:.1f} s"
        line = f"{len(done)}/{count} {mark} {attempt.task} ({took}) {one_line(why)}"
        print(line.rstrip(), file=sys.stderr)
        if len(done) >= MAX_UNANSWERED and all(a.is_unanswered for a in done[-MAX_UNANSWERED:]):
            raise RaybenchError(f"{model} does not reply. {attempt.error}")

    examiner = Examiner(
        model,
        lambda task: backend_from_options(options, task.name),
        shipped_registry(),
        options.max_steps or MAX_STEPS,
        session_canvas_painter(),
    )
    compile_kernels_once()
    set_interrupt_handler(default_int_handler)  # with which asyncio cancels its tasks in order
    end: BaseException | None = None
    try:
        with print_to_stderr():
            asyncio.run(examiner.examine(waiting, report, options.jobs))
    except (KeyboardInterrupt, RaybenchError) as error:
        end = error
    if options.json:
        print(json_document(results.results_json(model, done)))
    elif done:
        print(results.score_table(done))
    if end is not None:
        raise end


def _earlier_attempts(path: Path, model: str) -> list[Attempt]:
    """The attempts stored in a file of results, which need not be made again. Raises RaybenchError
    if the file has another format or belongs to another model.
    """
    check_writable(path)
    earlier = results.read_attempts(path) if path.exists() else []
    others = {a.model for a in earlier} - {model}
    if others:
        raise RaybenchError(
            f"{path}: this holds answers of {', '.join(sorted(others))}. Give {model} a file of its"
            " own with --out."
        )
    return [attempt for attempt in earlier if not attempt.is_unanswered]
