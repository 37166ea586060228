"""``raybench ask``: one question to the agent, from a terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from raybench.errors import RaybenchError
from raybench_workbench.commands.arguments import SOURCES, add_limit_option, positive
from raybench_workbench.commands.project_options import (
    add_project_options,
    printing_aside,
    registry_of,
)
from raybench_workbench.commands.terminal import (
    add_model_options,
    approvals_of,
    backend_of,
    painter,
    save_changed,
)
from raybench_workbench.commands.terminal_trace import compile_in_background

if TYPE_CHECKING:
    from raybench.agent.by_hand.command_line import Reply


def add_ask_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("scene", metavar="SCENE", help=SOURCES)
    about = "a question in words, or a tool as in '/find_rays_inside_glass_xml Prism'"
    parser.add_argument("text", type=_question, metavar="TEXT", help=about)
    add_model_options(parser)
    add_project_options(parser)
    parser.add_argument(
        "--max-steps",
        type=positive,
        metavar="N",
        help="the most replies of the model; 8 by default",
    )
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the document here afterwards"
    )
    add_limit_option(parser)
    parser.add_argument(
        "--json", action="store_true", help="print answer, tool calls, ray sets and usage as JSON"
    )


def ask_command(options: argparse.Namespace) -> None:
    """Run a turn of the agent and print its answer. Raises RaybenchError if it fails."""
    from raybench.agent.by_hand.command_line import ask
    from raybench.files.atomic import check_writable
    from raybench.schema.json_values import json_document
    from raybench.session import Session

    if options.save is not None:
        check_writable(options.save)
    registry = registry_of(options)
    approvals = approvals_of(options, registry.tools)
    backend = backend_of(options)
    session = Session.open(options.scene)
    opened = session.document
    compile_in_background()
    if backend is None and not options.offline and not options.text.lstrip().startswith("/"):
        print(
            "No model is connected, so the offline agent answers. Set ANTHROPIC_API_KEY or give"
            " --base-url.",
            file=sys.stderr,
        )
    with printing_aside(options.json):
        answer = ask(
            session,
            options.text,
            backend,
            profile=approvals.profile,
            approve=approvals.ask,
            granted=approvals.granted,
            max_segments=options.max_segments,
            paint=painter(),
            registry=registry,
            **({} if options.max_steps is None else {"max_steps": options.max_steps}),
        )
    if options.json:
        print(json_document(answer.to_json()))
    elif answer.text and answer.text != answer.error:
        print(answer.text)
    if approvals.profile != "ask":  # there the person has just decided
        effects = {tool.name: tool.effect for tool in registry.tools}
        for text in _not_made(answer, effects):
            print(text, file=sys.stderr)
    save_changed(session, opened, options.save)
    if answer.error:
        raise RaybenchError(answer.error)


def _not_made(answer: Reply, effects: Mapping[str, str]) -> list[str]:
    """Why calls with side effects failed, where the tool was not called again with success and the
    answer does not say it: a model may.
    """
    last = {
        outcome.tool: outcome
        for outcome in answer.turn.outcomes
        if effects.get(outcome.tool, "read") != "read"
    }
    said = f"{answer.error}\n{answer.text}"
    return [o.text for o in last.values() if not o.ok and o.text not in said]


def _question(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError("the question is empty")
    return text
