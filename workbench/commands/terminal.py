"""Shared by the commands that use a model: the choice of the model, and approval by the user at the terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import RaybenchError

if TYPE_CHECKING:
    from core.agent.call.approval import Approvals
    from core.agent.models.protocol import Backend
    from core.agent.tools.tool import Tool
    from core.session import Session

SCRIPTED = "scripted:"
"""Prefix of a model name that stands for a file of scripted replies."""
MAX_ARGUMENT = 50
"""Characters of an argument shown in a question."""


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """The options that `backend_of` and `approvals_of` read."""
    parser.add_argument(
        "--model", metavar="M", help="the model to ask; the key comes from ANTHROPIC_API_KEY. scripted:FILE replays replies"
    )
    parser.add_argument("--base-url", metavar="U", help="another server with the Messages API")
    parser.add_argument("--offline", action="store_true", help="answer without a model")
    parser.add_argument(
        "--profile", choices=("read-only", "ask", "auto"), default="read-only", help="what the agent may do without approval"
    )


def backend_of(options: argparse.Namespace) -> Backend | None:
    """The model chosen by the options or the environment; None if there is none, which the caller reports if it needs one."""
    from core.agent.models.anthropic import AnthropicBackend, environment_key, environment_url

    if options.offline:
        return None
    if (options.model or "").startswith(SCRIPTED):
        from core.agent.models.scripted import ScriptedBackend

        return ScriptedBackend.from_file(Path(options.model.removeprefix(SCRIPTED)))
    if not (options.model or options.base_url or environment_key() or environment_url()):
        return None
    return AnthropicBackend(options.model or "", options.base_url or "")


def save_session(session: Session, path: Path) -> None:
    """Save a document. If another program changed its file meanwhile, print where that version is kept."""
    from core.files.versions import backup_of

    own = session.path is not None and os.path.realpath(session.path) == os.path.realpath(path)
    changed = own and session.changed_on_disk()
    session.save(path)
    if changed:
        print(f"{path}: another program changed this file since it was read. That version is now {backup_of(path)}.", file=sys.stderr)


def approvals_of(options: argparse.Namespace) -> Approvals:
    """The approval profile, with questions to the user at the terminal. Raises RaybenchError if the profile needs a terminal."""
    from core.agent.call.approval import Approvals

    if options.profile == "ask" and not sys.stdin.isatty():
        raise RaybenchError("There is no terminal to ask on. Give --profile read-only or --profile auto.")
    return Approvals(options.profile, TerminalUser().allows if options.profile == "ask" else None)


class TerminalUser:
    """Asks the user at the terminal for approval. A tool allowed for the session is not asked about again."""

    def __init__(self) -> None:
        self._allowed: set[str] = set()

    async def allows(self, tool: Tool, arguments: Mapping[str, object]) -> bool:
        if tool.name in self._allowed:
            return True
        given = ", ".join(f"{name}={_abbreviated(value)}" for name, value in arguments.items())
        answer = _prompt(f"{tool.name}({given}) ({tool.effect}). Allow? [y/N, s for the session]")
        if answer in ("s", "session"):
            self._allowed.add(tool.name)
        return answer in ("y", "yes", "a", "approve", "s", "session")


def _abbreviated(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_ARGUMENT else f"{text[:MAX_ARGUMENT]}…"


def print_value(value: Any) -> None:
    """Print a tool's result: a text unchanged, nothing for None, else JSON."""
    from core.schema.jsonable import json_document

    if value is not None:
        print(value if isinstance(value, str) else json_document(value))


def confirm(question: str) -> bool:
    """Ask a yes/no question on the terminal; only an explicit yes counts."""
    return _prompt(f"{question} [y/N]") in ("y", "yes")


def _prompt(question: str) -> str:
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower()
