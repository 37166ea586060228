"""Conversations of any calls about scenes with any names: the exported script compiles, runs, and
prints what the calls found.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import random
import re
from pathlib import Path
from typing import Any

import pytest
from tests.edge_values import edge_argument, edge_change
from tests.grammars import NAME

from raybench.agent.by_hand.command_line import tools_without_model
from raybench.agent.call.approval import ALLOW_ALL
from raybench.agent.call.context import ToolContext
from raybench.agent.call.events import TurnFinished
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.transcript import Exchange, Transcript, transcript_script
from raybench.files.atomic import write_text
from raybench.files.document_file import load_document
from raybench.scene.changes import ChangeRefused, Set
from raybench.schema.signature import is_optional
from raybench.session import Session

COUNT = 600 if os.environ.get("RAYBENCH_LONG") else 6
EXAMPLE = Path(__file__).parents[4] / "resources" / "raybench_resources" / "scenes" / "prism.json"
REGISTRY = ToolRegistry(agent_tools())
OTHER = ("run_program", "system_stats", "compare")
"""A process, what is another at each call, and what reads the history of edits, which a script does
not have.
"""
TOOLS = [tool for tool in tools_without_model(REGISTRY) if tool.name not in OTHER]
TEXTS = (
    *NAME,
    *(
        "'''",
        '"""',
        "\\",
        "{0}",
        "%s",
        "\x00",
        "\ud800",
        "a\rimport os",
        "\x0cx",
        "# coding: utf-7",
        "\u2028x",
        "𝒳",
        "=1",
        "</script>",
    ),
    *("\\N{DIGIT ONE}", "\\x", "'", '"', "'''\nraise SystemExit\n'''", "\t"),
)
OF_THIS_RUN = re.compile(
    r'\br\d+-(?=\d)|revision="\d+"|revision \d+(?: now, \d+ before)?|is at \d+ now'
)


def fitting(session: Session, tool: Tool, chance: random.Random) -> dict[str, Any]:
    """Arguments that name what is there, or any."""
    names = [o.title for o in session.document.scene.objects] + list(session.answers)
    given: dict[str, Any] = {}
    for name, hint in (
        tool.parsed_signature.parameters if tool.parsed_signature is not None else {}
    ).items():
        if is_optional(hint) and chance.random() < 0.6:
            continue
        given[name] = edge_argument(hint, chance)
        if isinstance(given[name], str) and chance.random() < 0.7:
            title = chance.choice(names)
            given[name] = chance.choice(
                (
                    title,
                    title,
                    "power(Screen)",
                    f"* > {title}",
                    "SELECT count(*) FROM rays",
                    f"{title}.x=0..1:2",
                )
            )
    if tool.name == "change_scene":
        given["changes"] = [edge_change(tuple(names), chance)]
    return given


def called(session: Session, tool: Tool, given: dict[str, Any]) -> ToolOutcome:
    return asyncio.run(ToolContext(OpenDocument(session), REGISTRY, ALLOW_ALL).run(tool, given))


def words(text: str) -> str:
    return OF_THIS_RUN.sub("", text)


@pytest.mark.long
@pytest.mark.security
def test_a_script_of_any_conversation_prints_what_its_calls_found(tmp_path: Path) -> None:
    chance = random.Random(f"script {os.environ.get('RAYBENCH_SEED', '')}")
    example, ran = load_document(EXAMPLE), 0
    for _ in range(COUNT):
        session, exchanges, wanted = Session(example), list[Exchange](), list[str]()
        for obj in session.document.scene.objects:
            if chance.random() < 0.5:
                with contextlib.suppress(ChangeRefused):  # the name of another
                    session.apply(Set(obj.key, {"name": chance.choice(TEXTS)}))
        for _ in range(chance.choice((1, 1, 2, 3))):
            if chance.random() < 0.3:
                session.undo()
            before, parts = session.document, list[ToolOutcome]()
            for _ in range(chance.choice((0, 1, 2, 4))):
                outcome = called(
                    session, tool := chance.choice(TOOLS), fitting(session, tool, chance)
                )
                parts.append(outcome)
                if outcome.ok:
                    wanted.append(outcome.notes or outcome.text)
            turn = TurnFinished("Yes.", tuple(parts))
            exchanges.append(
                Exchange(chance.choice(TEXTS), turn, tuple(parts), before, session.document)
            )
        transcript = Transcript(tuple(exchanges))
        write_text(
            file := tmp_path / "said.py",
            transcript_script(transcript.exchanges, transcript.title, example),
        )
        source = file.read_bytes()
        printed = io.StringIO()
        found: dict[str, Any] = {}
        with contextlib.redirect_stdout(printed):
            exec(compile(source, str(file), "exec"), found)
        assert words(printed.getvalue()) == words("".join(f"{text}\n" for text in wanted)), (
            source.decode()
        )
        ran += len(wanted)
    assert ran >= COUNT / 2
