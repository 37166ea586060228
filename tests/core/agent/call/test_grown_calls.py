"""Every tool, called in every way with arguments of its types and of others: an answer that fits
the schema, or an error in a line.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import time
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from tests.answers_schema import answers_schema
from tests.edge_values import edge_argument, edge_change

from raybench.agent.by_hand.slash import arguments_from_words, parse_command, split_words
from raybench.agent.call.approval import ALLOW_ALL, READ_ONLY
from raybench.agent.call.context import ToolContext
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.text_protocol import call_fault, parse_call
from raybench.agent.tools.tool import Tool
from raybench.errors import RaybenchError
from raybench.files.document_file import document_to_json, load_document
from raybench.schema.signature import is_optional
from raybench.session import Session

COUNT = 500 if os.environ.get("RAYBENCH_LONG") else 6
CHANGES = 10_000 if os.environ.get("RAYBENCH_LONG") else 100
SLOWEST = 3.0
"""Seconds of the processor that one call may take."""
MOST_MEMORY = 500e6
MOST_WORDS = 3_000
LONGEST_ANSWER = 3_000_000
EXAMPLE = Path(__file__).parents[4] / "resources" / "raybench_resources" / "scenes" / "prism.json"
REGISTRY = ToolRegistry(agent_tools())
TOOLS = [
    tool for tool in agent_tools() if tool.name not in ("run_program", "llm-query")
]  # a process and a model: they have tests of their own


def called(
    session: Session, tool: Tool, given: dict[str, Any], chance: random.Random
) -> ToolOutcome | str:
    """The outcome of a call as a model, a person or a written call makes it, or why there is none."""
    text = json.dumps(given, default=str)
    try:
        match chance.randrange(4):
            case 0:
                call = parse_call(json.dumps({"tool": tool.name, "args": json.loads(text)}))
                assert call is not None
                if fault := call_fault(call.payload, TOOLS):
                    return fault
                arguments: Any = call.payload["args"]
            case 1:
                words = " ".join(f"{name}={word(value)}" for name, value in given.items())
                _, arguments = parse_command(f"/{tool.name} {words}", TOOLS)
            case 2:
                arguments = arguments_from_words(
                    tool, split_words(" ".join(word(value) for value in given.values()))
                )
            case _:
                arguments = given
    except RaybenchError as error:
        return str(error) or "?"
    except ValueError:  # a quotation mark that is not closed, which the callers tell
        return "?"
    context = ToolContext(
        OpenDocument(session), REGISTRY, ALLOW_ALL if tool.effect == "edit" else READ_ONLY
    )
    return asyncio.run(context.run(tool, arguments))


def word(value: Any) -> str:
    """A value as a person types it."""
    if isinstance(value, str):
        return (
            value
            if value and not set(value) & set(" \"'=")
            else json.dumps(value, ensure_ascii=False)
        )
    return json.dumps(value, default=str)


def check(outcome: ToolOutcome | str, what: object) -> None:
    """The answer fits the schema; an error is in few words and names no fault of the program."""
    if isinstance(outcome, str):
        assert 0 < len(outcome) < MOST_WORDS, what
        return
    assert len(outcome.text) < (LONGEST_ANSWER if outcome.ok else MOST_WORDS), what
    assert outcome.text.strip() or outcome.value == "", what
    if not outcome.ok:
        assert not outcome.text.startswith(
            ("TypeError", "AttributeError", "IndexError", "KeyError", "ZeroDivision", "Overflow")
        ), what
        assert "Error:" not in outcome.text[:60], (outcome.text[:300], what)
    elif outcome.answer is not None and outcome.tool.endswith("_xml"):
        root = etree.fromstring(outcome.text.encode(), etree.XMLParser(huge_tree=True))
        assert answers_schema().validate(root), (answers_schema().error_log.last_error, what)


@pytest.mark.long
@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.security
def test_a_call_leaves_the_document(tool: Tool) -> None:
    chance = random.Random(f"{tool.name} {os.environ.get('RAYBENCH_SEED', '')}")
    session = Session(load_document(EXAMPLE))
    before, memory = session.document, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    parameters = tool.parsed_signature.parameters if tool.parsed_signature is not None else {}
    for _ in range(COUNT):
        given = {
            name: edge_argument(hint, chance)
            for name, hint in parameters.items()
            if not is_optional(hint) or chance.random() < 0.5
        }
        begun = time.process_time()
        check(called(session, tool, given, chance), (tool.name, given))
        assert time.process_time() - begun < SLOWEST, (tool.name, given)
        if tool.effect == "edit":
            while session.undo():
                pass
        assert session.document is before
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) * 1024 < MOST_MEMORY


@pytest.mark.long
@pytest.mark.security
def test_edits_are_whole_and_undone_exactly() -> None:
    chance = random.Random(f"edits {os.environ.get('RAYBENCH_SEED', '')}")
    session = Session(load_document(EXAMPLE))
    before, written = session.document, json.dumps(document_to_json(session.document))
    names = tuple(o.title for o in before.scene.objects)
    tools = {tool.name: tool for tool in TOOLS}
    made = 0
    for _ in range(CHANGES):
        changes = [edge_change(names, chance) for _ in range(chance.choice((1, 1, 1, 2, 4)))]
        begun = time.process_time()
        outcome = called(session, tools["change_scene"], {"changes": changes}, chance)
        check(outcome, changes)
        assert time.process_time() - begun < SLOWEST, changes
        changed = session.document is not before
        made += changed
        assert not changed or (isinstance(outcome, ToolOutcome) and outcome.ok), (
            changes
        )  # what is so already is no change
        if changed:
            now = json.dumps(document_to_json(session.document), allow_nan=False)
            assert session.undo()
            one_by_one = Session(before)
            for change in changes if len(changes) > 1 else ():
                outcome = called(one_by_one, tools["change_scene"], {"changes": [change]}, chance)
                assert isinstance(outcome, ToolOutcome)
                assert outcome.ok, changes
            assert len(changes) == 1 or json.dumps(document_to_json(one_by_one.document)) == now, (
                changes
            )
        assert session.document is before
        assert not session.undo()
    assert json.dumps(document_to_json(session.document)) == written
    assert made > CHANGES / 20
