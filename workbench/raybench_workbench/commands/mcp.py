"""``raybench mcp``: the tools over the Model Context Protocol, about a scene without a window, or
as a bridge to an open window.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError
from raybench.system.interrupt import end_process_on_signal, set_interrupt_handler
from raybench_workbench.commands.model_options import (
    backend_from_options,
    check_allowed,
    project_registry,
    save_session,
    session_canvas_painter,
)
from raybench_workbench.mcp import ABOUT, MISSING_PACKAGE, NO_WINDOW, NOT_SAVED, SAVED

if TYPE_CHECKING:
    from mcp.server import Server

    from raybench.agent.call.outcome import ToolOutcome
    from raybench_workbench.mcp.server import RunningCall


def serve_tools(options: argparse.Namespace) -> None:
    """Serve on standard input and output until the client ends. Raises RaybenchError if the scene
    or the project cannot be read.
    """
    import asyncio

    if options.install is not None:
        return _install_client_entry(options)
    try:
        import mcp  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "mcp":
            raise
        raise RaybenchError(MISSING_PACKAGE) from None
    with _reserve_standard_output():
        server = _serve_attached(options) if options.attach else _serve_file(options)
    from raybench_workbench.mcp.protocol_server import serve_stdio

    if sys.stdin.isatty():
        print(
            "Waiting for a client of the Model Context Protocol on standard input; Ctrl-C ends.",
            file=sys.stderr,
        )
    set_interrupt_handler(
        end_process_on_signal
    )  # the thread that reads standard input would wait for a line before it ends
    try:
        asyncio.run(serve_stdio(server))
    except* (BrokenPipeError, ConnectionError):
        pass  # the client has ended; there is nobody left to tell
    with contextlib.suppress(OSError):  # what is left in the buffer has no reader
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _install_client_entry(options: argparse.Namespace) -> None:
    """Show the entry for a client's configuration, and write it once the person agrees. Raises
    RaybenchError if the file cannot be changed.
    """
    from raybench_workbench.mcp.clients import CLIENTS, plan_installation

    given = [name for name in ("project", "save") if getattr(options, name) is not None]
    if options.scene is None and given:
        raise RaybenchError(
            f"--{given[0]} belongs to a scene without a window. Name the SCENE too, or leave it out."
        )
    arguments = ["mcp", "--attach"]
    if options.scene is not None:
        source = Path(options.scene)
        arguments[1:] = [str(source.resolve()) if source.exists() else options.scene]
        arguments += _given_options(options)
    command = shutil.which("raybench") or sys.argv[0]
    plan = plan_installation(options.install, str(Path(command).resolve()), arguments)
    title = CLIENTS[options.install].title
    if plan.after == plan.before:
        print(f"{plan.path}: {title} uses Raybench already.")
        return
    print(f"{plan.path} gets this entry:\n\n{plan.entry}")
    if not options.yes:
        if not sys.stdin.isatty():
            raise RaybenchError("Nothing was written. Add --yes to write it.")
        if input("Write it? [y/N] ").strip().lower() not in {"y", "yes"}:
            print("Nothing was written.")
            return
    plan.write()
    print(f"Written. Start {title} anew to use it.")


def _given_options(options: argparse.Namespace) -> Iterator[str]:
    """The options with which the client's entry starts the server: the given ones except those
    about the installation. Paths are made absolute.
    """
    from raybench_workbench.commands.table import COMMANDS

    for name, about in COMMANDS["mcp"].arguments:
        value = getattr(options, about.get("dest") or name.strip("-").replace("-", "_"), None)
        default = about.get("default", False if about.get("action") == "store_true" else None)
        if not name.startswith("--") or name in {"--install", "--yes"} or value == default:
            continue
        for each in value if isinstance(value, list | tuple | set | frozenset) else [value]:
            yield name
            if each is not True:
                yield str(each.resolve()) if isinstance(each, Path) else str(each)


@contextlib.contextmanager
def _reserve_standard_output() -> Iterator[None]:
    """Reserve standard output for the protocol while the block runs. What a project's code prints
    then goes to standard error.
    """
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


def _serve_attached(options: argparse.Namespace) -> Server[Any]:
    from raybench_workbench.mcp.attach import Bridge

    given = [name for name in ("scene", "project", "save") if getattr(options, name) is not None]
    if given:
        raise RaybenchError(
            f"--attach uses what is open in the window: leave out {' and '.join(given)}."
        )
    return Bridge().protocol


def _serve_file(options: argparse.Namespace) -> Server[Any]:
    from raybench.agent.call.open_document import OpenDocument
    from raybench.agent.turn.conversation import ClientCalls
    from raybench.files.atomic import check_writable, digest_on_disk
    from raybench.files.document_file import list_omitted_contents
    from raybench.session import Session
    from raybench_workbench.mcp.server import ToolServer

    if options.save is not None:
        check_writable(options.save)
    registry = project_registry(
        options.project, options.trust, asks=False
    )  # standard input belongs to the client
    session = Session.open(options.scene) if options.scene is not None else Session()
    for problem in registry.problems:
        print(problem, file=sys.stderr)
    check_allowed(options, registry.tools)
    backend = backend_from_options(options)
    opened = OpenDocument(session, options.max_segments, session_canvas_painter())
    calls = ClientCalls(
        opened,
        lambda: registry,
        granted=options.allow,
        backend=lambda: backend,
        model=options.model or "",
    )

    written: str | None = None
    """The digest of the file as it was last written here."""

    def save() -> str:
        """Save the document; returns the reason if it could not be saved, for the client's model.
        The previous file is kept as a backup.
        """
        nonlocal written
        try:
            save_session(session, options.save, backup=digest_on_disk(options.save) != written)
        except (RaybenchError, OSError) as error:
            return f"The change was made, but {options.save} could not be written: {error}"
        written = session.digest
        left_out = list_omitted_contents(session.document, options.save)
        return f"{options.save} is a plain scene. {' '.join(left_out)}" if left_out else ""

    async def run(call: RunningCall) -> ToolOutcome:
        before = session.document
        problem = ""
        try:
            outcome = await calls.call(
                call.tool,
                call.arguments,
                profile=options.profile,
                ask=call.ask,
                emit=call.record_event,
            )
        finally:
            if options.save is not None and session.document is not before:
                problem = save()
        return replace(outcome, notes=f"{outcome.notes}\n{problem}".strip()) if problem else outcome

    kept = NOT_SAVED if options.save is None else SAVED.format(options.save)
    about = ABOUT + NO_WINDOW.format(kept)
    return ToolServer(lambda: calls.tools, run, about, opened).protocol
