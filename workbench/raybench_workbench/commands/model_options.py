"""The model, the project and the approvals that commands take: their options, questions to a person
at the terminal, and where what a project's code prints goes.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raybench.errors import RaybenchError
from raybench_workbench.commands.terminal import Argument, argument
from raybench_workbench.display import paint_offscreen

if TYPE_CHECKING:
    from raybench.agent.call.approval import Approvals, Decision, Request
    from raybench.agent.call.open_document import Paint
    from raybench.agent.catalogue.project_code import ProjectCode
    from raybench.agent.catalogue.registry import ToolRegistry
    from raybench.agent.models.protocol import Backend
    from raybench.agent.tools.tool import Tool
    from raybench.scene.document import Document
    from raybench.session import Session
    from raybench.trace.results.result import TraceResult

SCRIPTED = "scripted:"
"""Prefix of a model name that is a file of scripted replies."""
MAX_LINES = 20
"""Lines about an edit that are shown before a question."""
MAX_ARGUMENT = 50
"""Characters of an argument shown in a question."""


def _given_address(text: str) -> str:
    """An address that is given but empty, as by a variable that is not set, must not become that of
    another server.
    """
    if not text.strip():
        raise argparse.ArgumentTypeError(
            "the address is empty. Give one such as http://localhost:8080, or leave the option out"
        )
    return text


def model_arguments(
    profile: str = "read-only", where: str = "at the terminal"
) -> tuple[Argument, ...]:
    """The options that `backend_of` and `approvals_of` read. ``profile`` is the default one,
    ``where`` says where a person is asked.
    """
    return (
        argument(
            "--model",
            "the model to ask; the key comes from ANTHROPIC_API_KEY, for chat completions"
            " OPENAI_API_KEY. scripted:FILE replays replies",
            "M",
        ),
        argument(
            "--base-url",
            "another server with the Messages API, or with --protocol text chat completions",
            "U",
            type=_given_address,
        ),
        argument(
            "--protocol",
            "how the model calls tools: tools is its own tool use (default); text is for models"
            " without, which write calls as JSON",
            choices=("tools", "text"),
            default="tools",
        ),
        argument("--offline", "answer without a model"),
        argument(
            "--profile",
            f"read-only refuses all but reading, ask asks about the rest {where}, auto makes edits"
            " of the scene without asking; calls that reach outside the scene or cannot be undone"
            f" need --allow, or ask; {profile} by default",
            choices=("read-only", "ask", "auto"),
            default=profile,
        ),
        argument(
            "--allow",
            "allow one tool without asking; may be repeated",
            "NAME",
            action="append",
            default=[],
        ),
    )


def backend_of(options: argparse.Namespace) -> Backend | None:
    """The model chosen by the options or the environment; None if no model was chosen, which the
    caller reports if it needs one.
    """
    from raybench.agent.models.anthropic import AnthropicBackend, environment_key, environment_url
    from raybench.agent.models.any_server import text_backend
    from raybench.agent.models.text_protocol import TextBackend

    if options.offline:
        return None
    in_text = options.protocol == "text"
    if (options.model or "").startswith(SCRIPTED):
        from raybench.agent.models.scripted import ScriptedBackend

        scripted = ScriptedBackend.from_file(Path(options.model.removeprefix(SCRIPTED)))
        return TextBackend(scripted) if in_text else scripted
    if not (options.model or options.base_url or environment_key() or environment_url()):
        return None
    url = options.base_url or ""
    return (
        text_backend(options.model or "", url)
        if in_text
        else AnthropicBackend(options.model or "", url)
    )


def save_session(session: Session, path: Path, *, backup: bool = True) -> None:
    """Save a document, by default with a backup of its file. If another program changed that
    meanwhile, print where its version is kept.
    """
    from raybench.files.atomic import backup_of
    from raybench.files.document_file import left_out

    own = session.path is not None and os.path.realpath(session.path) == os.path.realpath(path)
    changed = own and session.changed_on_disk()
    session.save(path, backup=backup)
    if lost := left_out(session.document, path):
        print(f"{path}: {lost}.", file=sys.stderr)
    if changed:
        print(
            f"{path}: another program changed this file since it was read. That version is now"
            f" {backup_of(path)}.",
            file=sys.stderr,
        )


def save_changed(session: Session, before: Document, path: Path | None) -> None:
    """Save a document that is no longer ``before``; say where changes are in no file, and where
    there are none to write.
    """
    changed = session.document is not before
    if path is None and changed:
        print("The changed scene was not written: --save FILE writes it.", file=sys.stderr)
    elif path is not None and not changed:
        print(f"Nothing was changed, so {path} was not written.", file=sys.stderr)
    elif path is not None:
        save_session(session, path)


def approvals_of(options: argparse.Namespace, tools: Iterable[Tool]) -> Approvals:
    """The approval profile, the tools that are allowed by name, and questions to the user at the
    terminal.

    Raises RaybenchError if the profile needs a terminal, or if none of the ``tools`` has an allowed
    name.
    """
    from raybench.agent.call.approval import Approvals

    check_allowed(options, tools)
    if options.profile == "ask" and not sys.stdin.isatty():
        raise RaybenchError(
            "There is no terminal to ask on. Give --profile read-only or --profile auto, and"
            " --allow NAME for single tools."
        )
    return Approvals(
        options.profile,
        TerminalUser().decide if options.profile == "ask" else None,
        set(options.allow),
    )


def check_allowed(options: argparse.Namespace, tools: Iterable[Tool]) -> None:
    """Raise RaybenchError if none of the ``tools`` has a name that --allow allows."""
    from raybench.agent.models.protocol import WEB_SEARCH

    known = {tool.name for tool in (*tools, WEB_SEARCH)}
    for name in options.allow:
        if name not in known:
            near = difflib.get_close_matches(name, known, 3, 0.5)
            hint = (
                f"Did you mean {', '.join(near)}?" if near else "raybench tool --list lists them."
            )
            raise RaybenchError(f"--allow {name}: there is no tool of this name. {hint}")


class TerminalUser:
    """Asks the user at the terminal for approval, one request after the other: an answer is to the
    question that was written last.

    Any text but yes or no declines, and is the reason that the model is given.
    """

    def __init__(self) -> None:
        from asyncio import Lock

        self._asking = Lock()
        self._allowed: set[str] = set()
        """The tools that are allowed for the session, also for requests that were waiting then."""

    async def decide(self, request: Request) -> Decision:
        from raybench.agent.call.approval import Decision

        async with self._asking:
            decision = (
                Decision(True) if request.tool.name in self._allowed else await self._ask(request)
            )
            if decision.always:
                self._allowed.add(request.tool.name)
            return decision

    async def _ask(self, request: Request) -> Decision:
        from raybench.agent.call.approval import Decision
        from raybench.agent.call.scope import in_thread

        tool, edit = request.tool, request.edit
        if edit is not None:
            lines = edit.lines
            rest = len(lines) - MAX_LINES
            print(
                "\n".join([*lines[:MAX_LINES], *([f"and {rest} more lines"] if rest > 0 else [])]),
                file=sys.stderr,
            )
            question = "Make these changes?"
        else:
            given = ", ".join(
                f"{name}={_abbreviate_value(value)}" for name, value in request.arguments.items()
            )
            question = f"{tool.name}({given}) ({tool.effect}). Allow?"
        answer = await in_thread(
            lambda: _prompt_person(
                f"{question} [y/N, s: {tool.name} for the session, or say why not]"
            )
        )
        if answer.lower() in ("s", "session"):
            return Decision(True, always=True)
        if answer.lower() in ("y", "yes", "a", "approve"):
            return Decision(True)
        return Decision(False, reason="" if answer.lower() in ("", "n", "no") else answer)


def session_painter() -> Paint:
    """Paints the canvas of a session without a window; loads Qt when it is first used."""

    def paint(session: Session, result: TraceResult, width: int) -> bytes:
        paint_offscreen()
        from raybench_workbench.app import make_application
        from raybench_workbench.figure import canvas_picture
        from raybench_workbench.theme import DARK

        app = make_application(DARK.name)
        try:
            return canvas_picture(session.document, result, session.view, DARK, width)
        finally:
            del app

    return paint


def _abbreviate_value(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_ARGUMENT else f"{text[:MAX_ARGUMENT]}…"


def print_value(value: Any) -> None:
    """Print a tool's result: a text unchanged, nothing for None, else JSON."""
    from raybench.schema.json_values import json_document

    if value is not None:
        print(value if isinstance(value, str) else json_document(value))


def confirm_question(question: str) -> bool:
    """Ask a yes/no question on the terminal; only an explicit yes counts."""
    return _prompt_person(f"{question} [y/N]").lower() in ("y", "yes")


def _prompt_person(question: str) -> str:
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


def project_folder(text: str) -> Path:
    """The folder of a project as it is written on the command line: a path, or ``example:project``
    for the one that ships.
    """
    from raybench.files.examples import PROJECT

    name, folder = PROJECT
    return Path(str(folder)) if text == name else Path(text)


TRUST = argument(
    "--trust", "trust the current version of the folder's tools.py, which runs as a program"
)
PROJECT_ARGUMENTS = (
    argument(
        "--project",
        "a project folder, whose tools.py and *.worker files add tools",
        "FOLDER",
        type=project_folder,
    ),
    TRUST,
)
"""The options that `registry_of` reads."""


def registry_of(options: argparse.Namespace) -> ToolRegistry:
    """The shipped tools, and those of the project that the options name; what cannot be used of it
    is printed on stderr.
    """
    from raybench.agent.by_hand.command_line import registry

    if options.project is None:
        return registry()
    found = project_registry(options.project, options.trust)
    with printing_aside():
        problems = found.problems
    for problem in problems:
        print(problem, file=sys.stderr)
    return found


def project_registry(folder: Path | None, trust: bool, *, asks: bool = True) -> ToolRegistry:
    """The shipped tools and those of a folder, whose code runs if it is trusted; RaybenchError if
    the folder does not exist.

    ``asks`` says whether a person at the terminal may be asked to trust it.
    """
    from raybench.agent.catalogue.default_tools import agent_tools
    from raybench.agent.catalogue.project_code import TOOLS, TrustedFolders
    from raybench.agent.catalogue.registry import ToolRegistry

    if folder is not None and not folder.is_dir():
        raise RaybenchError(
            f"{folder}: there is no such folder. Name one that holds tools.py or *.worker files."
        )

    def ask(code: ProjectCode) -> bool:
        question = (
            f"{code.folder / TOOLS} runs as a program on this machine, with all your rights. Trust"
            " this version?"
        )
        return trust or (asks and sys.stdin.isatty() and confirm_question(question))

    return ToolRegistry(agent_tools(), folder, TrustedFolders().trust(ask))


@contextlib.contextmanager
def printing_aside(on: bool = True) -> Iterator[None]:
    """Print on stderr what tools print, where ``on``: stdout is for the answer alone then."""
    with contextlib.redirect_stdout(sys.stderr) if on else contextlib.nullcontext():
        yield
