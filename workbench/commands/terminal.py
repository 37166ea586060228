"""What commands that talk to a model share: which model it is, and who is asked, on a terminal."""

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
"""How a model is named that plays replies from a file."""
BRIEF = 50
"""Characters of an argument that a question shows."""


def add_model_options(parser: argparse.ArgumentParser) -> None:
    """The options that `backend_of` and `approvals_of` read."""
    parser.add_argument("--model", metavar="M", help="the model to ask; the key comes from ANTHROPIC_API_KEY. scripted:FILE plays replies")
    parser.add_argument("--base-url", metavar="U", help="another server that speaks the Messages API")
    parser.add_argument("--offline", action="store_true", help="answer without a model")
    parser.add_argument("--profile", choices=("read-only", "ask", "auto"), default="read-only", help="what the agent may do unasked")


def backend_of(options: argparse.Namespace) -> Backend | None:
    """The model that was named or has a key; None where there is none. Whether one is missed is for its user to say."""
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
    """Write a document to a file. If that is its own, and another program changed it meanwhile, say where that version is kept."""
    from core.files.versions import backup_of

    own = session.path is not None and os.path.realpath(session.path) == os.path.realpath(path)
    changed = own and session.changed_on_disk()
    session.save(path)
    if changed:
        print(f"{path}: another program changed this file since it was read. That version is now {backup_of(path)}.", file=sys.stderr)


def approvals_of(options: argparse.Namespace) -> Approvals:
    """What may be done unasked, and the person at the terminal who is asked; RaybenchError if there is none."""
    from core.agent.call.approval import Approvals

    if options.profile == "ask" and not sys.stdin.isatty():
        raise RaybenchError("There is no terminal to ask on. Give --profile read-only or --profile auto.")
    return Approvals(options.profile, Person().allows if options.profile == "ask" else None)


class Person:
    """Whoever sits at the terminal. What was allowed for the session is not asked about again."""

    def __init__(self) -> None:
        self._allowed: set[str] = set()

    async def allows(self, tool: Tool, arguments: Mapping[str, object]) -> bool:
        if tool.name in self._allowed:
            return True
        given = ", ".join(f"{name}={_brief(value)}" for name, value in arguments.items())
        said = _answer(f"{tool.name}({given}) ({tool.effect}). Allow? [y/N, s for the session]")
        if said in ("s", "session"):
            self._allowed.add(tool.name)
        return said in ("y", "yes", "a", "approve", "s", "session")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= BRIEF else f"{text[:BRIEF]}…"


def print_value(value: Any) -> None:
    """A tool's result for whoever reads the output: a text as it is, nothing for None, else JSON."""
    from core.schema.jsonable import json_document

    if value is not None:
        print(value if isinstance(value, str) else json_document(value))


def asked(question: str) -> bool:
    """What a person at the terminal answers; only yes is yes."""
    return _answer(f"{question} [y/N]") in ("y", "yes")


def _answer(question: str) -> str:
    print(f"{question} ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower()
