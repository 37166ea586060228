"""Values made from the options of a command: the model, the project and the approvals. Also
questions to the user at the terminal, and the redirection of printed text.
"""

import argparse
import contextlib
import difflib
import os
import sys
from asyncio import Lock
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from raybench.agent.by_hand.command_line import shipped_registry
from raybench.agent.call.approval import ApprovalRequest, ApprovalRules, Decision
from raybench.agent.call.open_document import Paint
from raybench.agent.call.scope import run_in_thread
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.project_code import TOOLS_FILE, ProjectCode, TrustedFolders
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.known_servers import server_named
from raybench.agent.models.protocol import WEB_SEARCH, Backend
from raybench.agent.tools.tool import Tool
from raybench.errors import RaybenchError
from raybench.files.atomic import backup_path
from raybench.lens.figure import PageLayout
from raybench.scene.document import Document
from raybench.schema.json_values import json_document
from raybench.session import Session
from raybench.trace.results.result import TraceResult
from raybench_workbench.commands.terminal import print_unwritten_parts
from raybench_workbench.display import paint_offscreen

SCRIPTED_PREFIX = "scripted:"
"""Prefix of a model name that is a file of scripted replies."""
MAX_LINES = 20
"""Lines about an edit that are shown before a question."""
MAX_ARGUMENT = 50
"""Characters of an argument shown in a question."""


def backend_from_options(options: argparse.Namespace, task: str = "") -> Backend | None:
    """The model chosen by the options or the environment; None if none was chosen. The caller
    reports this if it needs a model. ``task`` chooses among scripted replies.
    """
    from raybench.agent.models.any_server import configured_backend
    from raybench.agent.models.scripted import ScriptedBackend
    from raybench.agent.models.text_protocol import TextBackend

    model, in_text = options.model or "", options.protocol == "text"
    if options.offline:
        return None
    if model.startswith(SCRIPTED_PREFIX):
        scripted = ScriptedBackend.from_file(Path(model.removeprefix(SCRIPTED_PREFIX)), task)
        return TextBackend(scripted) if in_text else scripted
    address = options.base_url or ""
    if options.server is not None:
        if address:
            raise RaybenchError("Both --server and --base-url name a server. Give one of them.")
        address = server_named(options.server).address
    return configured_backend(model, address, in_text=in_text)


def save_session(session: Session, path: Path, *, backup: bool = True) -> None:
    """Save a document, by default with a backup of its file. If another program changed the file
    meanwhile, print where that version is kept.
    """
    own = session.path is not None and os.path.realpath(session.path) == os.path.realpath(path)
    changed = own and session.changed_on_disk()
    session.save(path, backup=backup)
    print_unwritten_parts(session.document, path)
    if changed:
        print(
            f"{path}: another program changed this file since it was read. That version is now"
            f" {backup_path(path)}.",
            file=sys.stderr,
        )


def save_if_changed(session: Session, before: Document, path: Path | None) -> None:
    """Save the document if it differs from ``before``. Print a note if changes are saved in no
    file, or if there are none.
    """
    changed = session.document is not before
    if path is None and changed:
        print("The changed scene was not written: --save FILE writes it.", file=sys.stderr)
    elif path is not None and not changed:
        print(f"Nothing was changed, so {path} was not written.", file=sys.stderr)
    elif path is not None:
        save_session(session, path)


def approvals_from_options(options: argparse.Namespace, tools: Iterable[Tool]) -> ApprovalRules:
    """The approval rules from the options: the profile, the tools allowed by name, and questions to
    the user at the terminal.

    Raises RaybenchError if the profile needs a terminal, or if none of the ``tools`` has an allowed
    name.
    """
    check_allowed(options, tools)
    asks = options.profile == "ask"
    if asks and not sys.stdin.isatty():
        raise RaybenchError(
            "There is no terminal to ask on. Give --profile read-only or --profile auto, and"
            " --allow NAME for single tools."
        )
    return ApprovalRules(
        options.profile, TerminalUser().decide if asks else None, set(options.allow)
    )


def check_allowed(options: argparse.Namespace, tools: Iterable[Tool]) -> None:
    """Raise RaybenchError if the option --allow names none of the ``tools``."""
    known = {tool.name for tool in (*tools, WEB_SEARCH)}
    for name in options.allow:
        if name not in known:
            near = ", ".join(difflib.get_close_matches(name, known, 3, 0.5))
            hint = f"Did you mean {near}?" if near else "raybench tool --list lists them."
            raise RaybenchError(f"--allow {name}: there is no tool of this name. {hint}")


class TerminalUser:
    """Asks the user at the terminal to approve requests, one at a time, so that an answer belongs
    to the question printed last.

    Any text other than yes or no declines, and is given to the model as the reason.
    """

    def __init__(self) -> None:
        self._asking = Lock()
        self._allowed: set[str] = set()
        """The tools that are allowed for the session, also for requests that were waiting then."""

    async def decide(self, request: ApprovalRequest) -> Decision:
        async with self._asking:
            if request.tool.name in self._allowed:
                return Decision(True)
            answer = await run_in_thread(lambda: _prompt_person(_approval_question(request)))
            if answer.lower() in ("s", "session"):
                self._allowed.add(request.tool.name)
                return Decision(True, always=True)
            if answer.lower() in ("y", "yes", "a", "approve"):
                return Decision(True)
            return Decision(False, reason="" if answer.lower() in ("", "n", "no") else answer)


def _approval_question(request: ApprovalRequest) -> str:
    """The question whether a call may be made. The lines of the edit are printed before it."""
    tool, edit = request.tool, request.edit
    if edit is None:
        given = ", ".join(
            f"{name}={_short_text(value)}" for name, value in request.arguments.items()
        )
        question = f"{tool.name}({given}) ({tool.effect}). Allow?"
    else:
        rest = len(edit.lines) - MAX_LINES
        more = [f"and {rest} more lines"] if rest > 0 else []
        print("\n".join([*edit.lines[:MAX_LINES], *more]), file=sys.stderr)
        question = "Make these changes?"
    return f"{question} [y/N, s: {tool.name} for the session, or say why not]"


def _short_text(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_ARGUMENT else f"{text[:MAX_ARGUMENT]}…"


def _prompt_person(question: str) -> str:
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def session_canvas_painter() -> Paint:
    """The function that paints a session's canvas, or a plot of a lens system, without a window. Qt
    is loaded when it is first called.
    """

    def paint(session: Session, what: TraceResult | PageLayout, width: int) -> bytes:
        paint_offscreen()
        from raybench_workbench.app import make_application
        from raybench_workbench.figure import canvas_picture
        from raybench_workbench.plots.figure_view import lens_picture
        from raybench_workbench.theme import DARK

        app = make_application(DARK.name)
        try:
            if isinstance(what, PageLayout):
                return lens_picture(what, DARK)
            return canvas_picture(session.document, what, session.view, DARK, width)
        finally:
            del app

    return paint


def print_value(value: Any) -> None:
    """Print a tool's result: a text unchanged, nothing for None, else JSON."""
    if value is not None:
        print(value if isinstance(value, str) else json_document(value))


def registry_from_options(options: argparse.Namespace) -> ToolRegistry:
    """The built-in tools and the tools of the project that the options name. Problems with the
    project are printed on stderr.
    """
    if options.project is None:
        return shipped_registry()
    found = project_registry(options.project, options.trust)
    with print_to_stderr():
        problems = found.problems
    for problem in problems:
        print(problem, file=sys.stderr)
    return found


def project_registry(folder: Path | None, trust: bool, *, asks: bool = True) -> ToolRegistry:
    """The built-in tools and those of a project's folder, whose code runs if it is trusted. Raises
    RaybenchError if the folder does not exist.

    ``asks`` says whether a person at the terminal may be asked to trust it; only an explicit yes
    counts.
    """
    if folder is not None and not folder.is_dir():
        raise RaybenchError(
            f"{folder}: there is no such folder. Name one that holds tools.py or *.worker files."
        )

    def ask(code: ProjectCode) -> bool:
        if trust or not (asks and sys.stdin.isatty()):
            return trust
        answer = _prompt_person(
            f"{code.folder / TOOLS_FILE} runs as a program on this machine, with all your rights."
            " Trust this version? [y/N]"
        )
        return answer.lower() in ("y", "yes")

    return ToolRegistry(agent_tools(), folder, TrustedFolders().trust(ask))


def print_to_stderr(on: bool = True) -> contextlib.AbstractContextManager[object]:
    """If ``on``, print the output of tools on stderr, so that stdout contains only the answer."""
    return contextlib.redirect_stdout(sys.stderr) if on else contextlib.nullcontext()
