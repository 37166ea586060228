"""A conversation's script, run again: edits between and within turns, ids of rays, tools that are
not there.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
from collections.abc import Mapping
from typing import Any

from raybench.agent.call.approval import ALLOW_ALL
from raybench.agent.call.context import ToolContext, new_turn_key
from raybench.agent.call.events import TurnFinished
from raybench.agent.call.open_document import OpenDocument
from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.catalogue.default_tools import agent_tools
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.transcript import Exchange, transcript_script
from raybench.files.shared import read_shared
from raybench.scene.changes.written import changes_from_json
from raybench.session import Session

INSIDE = ("find_rays_inside_glass_xml", {"glass_name": "Main Prism"})
TURN = ("change_scene", {"changes": [{"rotate": "Main Prism", "by": 7}]})
OF_THIS_RUN = re.compile(r"\br\d+(?=-\d)|revision\D{1,4}\d+(?: now, \d+ before)?")


def opened() -> Session:
    return Session(read_shared("example:prism").document)


def by_hand(session: Session) -> None:
    session.apply(changes_from_json([{"set": "Main Prism", "refIndex": 1.6}], session.document))


def held(
    session: Session, *calls: tuple[str, Mapping[str, Any]], tools: tuple[Tool, ...] = ()
) -> Exchange:
    """A turn of these calls."""
    registry = ToolRegistry((*agent_tools(), *tools))
    before, key = session.document, new_turn_key()

    def called(name: str, arguments: Mapping[str, Any]) -> ToolOutcome:
        context = ToolContext(OpenDocument(session), registry, ALLOW_ALL, turn=key)
        tool = next(tool for tool in registry.tools if tool.name == name)
        return asyncio.run(context.run(tool, dict(arguments)))

    outcomes = tuple(called(*call) for call in calls)
    assert [outcome.text for outcome in outcomes if not outcome.ok] == []
    return Exchange("?", TurnFinished("", outcomes), tuple(outcomes), before, session.document)


def printed(session: Session, *exchanges: Exchange) -> list[str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(
            compile(transcript_script(exchanges, "A talk", session.document), "said.py", "exec"), {}
        )
    return OF_THIS_RUN.sub("", out.getvalue()).splitlines()


def said(exchange: Exchange) -> list[str]:
    return [OF_THIS_RUN.sub("", o.notes or o.text) for o in exchange.turn.outcomes]


def test_edits_that_their_own_turn_takes_back() -> None:
    session = opened()
    exchange = held(session, TURN, ("undo_edits", {}), ("redo_edits", {}))
    assert printed(session, exchange) == said(exchange)


def test_ids_of_rays_after_an_edit_by_hand() -> None:
    session = opened()
    first = held(session, TURN, INSIDE)
    by_hand(session)
    second = held(session, INSIDE)
    (rays,) = [outcome.rays for outcome in second.turn.outcomes]
    assert rays is not None
    ray = f"r{rays.revision}-{rays.rows[0]}"
    third = held(
        session,
        ("highlight_rays", {"rays": [ray]}),
        ("query_rays_xml", {"sql": f"SELECT\n'{ray}' = id FROM rays WHERE id = '{ray}'"}),
    )
    assert printed(session, first, second, third) == [
        line for exchange in (first, second, third) for line in said(exchange)
    ]


def test_what_has_changed_since_a_revision() -> None:
    session = opened()
    revision = session.document.revision
    first = held(session, INSIDE)
    by_hand(session)
    second = held(session, ("compare", {"revision": revision}))
    lines = printed(session, first, second)
    assert lines == [*said(first), *said(second)]
    assert "1.5 -> 1.6" in lines[-1]


def test_a_tool_that_is_not_there() -> None:
    def elsewhere() -> str:
        """Look elsewhere."""
        return "found"

    session = opened()
    exchange = held(
        session,
        ("elsewhere", {}),
        INSIDE,
        tools=(Tool.new("elsewhere", (elsewhere, {"effect": "read"})),),
    )
    first, second = printed(session, exchange)
    assert first.startswith("Not called again: There is no tool 'elsewhere'.")
    assert second == said(exchange)[1]
