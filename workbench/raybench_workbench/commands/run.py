"""``raybench run``: a project folder's entry tool, from a terminal."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError
from raybench_workbench.commands.project_options import (
    add_trust_option,
    printing_aside,
    project_folder,
    project_registry,
)
from raybench_workbench.commands.terminal import (
    add_model_options,
    approvals_of,
    backend_of,
    painter,
    print_value,
    save_changed,
)
from raybench_workbench.commands.terminal_trace import compile_in_background

if TYPE_CHECKING:
    from raybench.agent.call.events import TurnEvent
    from raybench.session import Session

SCENES = ("scene.raybench", "scene.json")
"""File names of a project's own scene."""


def add_run_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder",
        type=project_folder,
        metavar="FOLDER",
        help="a folder with tools.py, *.worker files, or both",
    )
    parser.add_argument("text", nargs="?", metavar="INPUT", help="the input, as text")
    parser.add_argument(
        "--tool", default="main", metavar="NAME", help="the tool to run; main by default"
    )
    parser.add_argument(
        "--input",
        metavar="JSON|PATH",
        help="the input as JSON, or as a file that holds JSON or text",
    )
    parser.add_argument(
        "--scene",
        metavar="FILE",
        help=f"the scene to use; by default the folder's {' or '.join(SCENES)}",
    )
    parser.add_argument(
        "--attachments", nargs="+", type=Path, default=[], metavar="PATH", help="files for the tool"
    )
    add_model_options(parser)
    add_trust_option(parser)
    parser.add_argument(
        "--save", type=Path, metavar="FILE", help="write the document here afterwards"
    )
    parser.add_argument(
        "--json", action="store_true", help="print output, tool calls, ray sets and usage as JSON"
    )


def run_command(options: argparse.Namespace) -> None:
    """Run the tool and print its output. Raises RaybenchError if it fails."""
    import asyncio

    from raybench.agent.by_hand.command_line import RunResult, run_tool, typed_input
    from raybench.agent.call.context import ToolContext
    from raybench.agent.call.open_document import OpenDocument
    from raybench.agent.view_tools.state_tool import ViewDraft
    from raybench.files.atomic import check_writable
    from raybench.schema.jsonable import json_document

    if options.save is not None:
        check_writable(options.save)
    given = _input(options)
    registry = project_registry(options.folder, options.trust)
    with printing_aside(options.json):
        tool = registry.find_tool(options.tool)
    for problem in registry.problems:
        if problem != tool.problem:  # which the error tells
            print(problem, file=sys.stderr)
    input_value = (
        typed_input(tool, given) if options.input is None and isinstance(given, str) else given
    )
    session = _session(options)
    opened = session.document
    approvals = approvals_of(options, registry.tools)
    backend = backend_of(options)

    async def run() -> RunResult:
        context = ToolContext(
            OpenDocument(session, paint=painter()),
            registry,
            approvals,
            backend,
            model=options.model or "",
            message_callback=_print_call if sys.stderr.isatty() else lambda event: None,
            state=ViewDraft.from_view(session.view),
        )
        try:
            return await run_tool(context, tool.name, input_value, tuple(options.attachments))
        finally:
            if backend is not None:
                await backend.close()

    with printing_aside(options.json):
        result = asyncio.run(run())
    if options.json:
        print(json_document(result.to_json()))
    else:
        print_value(result.output)
    save_changed(session, opened, options.save)
    if result.error:
        raise RaybenchError(result.error)


def _session(options: argparse.Namespace) -> Session:
    from raybench.session import Session

    own = next(
        (str(options.folder / name) for name in SCENES if (options.folder / name).is_file()), None
    )
    scene = options.scene or own
    if scene is None:
        return Session()
    session = Session.open(scene)
    compile_in_background()
    return session


def _input(options: argparse.Namespace) -> Any:
    """The input from the options: parsed JSON if it is JSON, else text; None without input."""
    from raybench.files.shared import is_file

    if options.text is not None and options.input is not None:
        raise RaybenchError("The input is given twice. Give INPUT or --input.")
    if options.input is None:
        return options.text
    text: str = options.input
    if is_file(text):
        try:
            text = Path(text).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise RaybenchError(
                f"{text}: the input is not text. Attach it with --attachments."
            ) from None
        except OSError as error:
            raise RaybenchError(f"{text}: the input cannot be read ({error.strerror}).") from None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        if text == options.input and Path(text).suffix == ".json":
            raise RaybenchError(
                f"{text}: there is no such file, and this is not JSON. Give a text as INPUT."
            ) from None
        return text


def _print_call(event: TurnEvent) -> None:
    """Print a line on stderr for a finished tool call."""
    from raybench.agent.call.events import ToolFinished

    if isinstance(event, ToolFinished):
        outcome = event.outcome
        mark = "✓" if outcome.ok else "✗"
        print(f"{mark} {outcome.sentence} ({outcome.milliseconds:.0f} ms)", file=sys.stderr)
