"""Streams of replies that are nearly right, in both protocols: an answer or an error in one line, a
valid history, soon.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import time
from typing import Any

import pytest
from tests.changed_text import ODD_VALUES, changed_value
from tests.core.agent.models.protocols_spoken import KEY, SPOKEN
from tests.core.agent.turn.valid_history import assert_valid
from tests.messages_server import MessagesServer, Reply, _completion_events, _events, say
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.events import TurnFinished
from raybench.agent.turn.conversation import Conversation
from raybench.errors import RaybenchError

COUNT = 2_000 if os.environ.get("RAYBENCH_LONG") else 24
SLOWEST = 4.0
"""Seconds of the processor that one turn may take."""
MOST_WORDS = 2_000


def stream(reply: Reply, form: str, chance: random.Random) -> bytes:
    """The bytes of a reply with one to four changes of its events, and perhaps of their bytes."""
    events: list[Any] = list(
        _events(reply, "m") if form == "messages" else _completion_events(reply, "m")
    )
    events = json.loads(json.dumps(events))
    for _ in range(chance.choice((0, 1, 1, 2, 4))):
        k = chance.randrange(len(events))
        match chance.randrange(6):
            case 0:
                del events[k]
            case 1:
                events.insert(k, events[k])
            case 2:
                events.insert(chance.randrange(len(events)), events.pop(k))
            case 3:
                events[k] = chance.choice(ODD_VALUES)
            case _:
                events[k] = changed_value(events[k], chance)
        events = events or [{}]
    end = chance.choice(("\n", "\n", "\n", "\r\n", "\r"))
    names = [
        e["type"] if isinstance(e, dict) and isinstance(e.get("type"), str) else "message_stop"
        for e in events
    ]
    data = "".join(
        (f"event: {name}{end}" if form == "messages" else "")
        + f"data: {e if e == '[DONE]' else json.dumps(e)}{end}{end}"
        for name, e in zip(names, events, strict=True)
    ).encode("utf-8", "replace")
    match chance.randrange(8):
        case 0:
            return data[: chance.randrange(len(data) + 1)] or b"\n"
        case 1:
            at = chance.randrange(len(data))
            return (
                data[:at]
                + bytes([chance.randrange(256)]) * chance.choice((1, 3, 30_000))
                + data[at + 1 :]
            )
    return data


@pytest.mark.long
@pytest.mark.parametrize("spoken", SPOKEN)
@pytest.mark.security
def test_a_changed_stream_is_an_answer_or_an_error_in_one_line(spoken: str) -> None:
    backend_at, form, replies = SPOKEN[spoken]
    chance = random.Random(f"{spoken} {os.environ.get('RAYBENCH_SEED', '')}")
    pages = [
        replies[0],
        *(Reply(page=stream(chance.choice(replies), form, chance)) for _ in range(COUNT - 1)),
    ]
    with MessagesServer([*pages, say("Done.")], form=form) as server:

        async def turn() -> tuple[TurnFinished, Conversation]:
            conversation = Conversation(open_prism(), backend_at(server.url), TOOLS)
            try:
                return await conversation.say("Scale?"), conversation
            finally:
                await conversation.close()

        asyncio.run(turn())  # the libraries are loaded
        while (first := len(server.requests)) < COUNT:
            begun = time.process_time()
            try:
                finished, conversation = asyncio.run(turn())
            except RaybenchError as error:
                raise AssertionError(
                    f"{error!r} left a turn after {pages[first].page!r}"
                ) from error
            used = pages[first : len(server.requests)]
            assert time.process_time() - begun < SLOWEST, used
            assert_valid(conversation.history)
            told = finished.error
            assert len(told) < MOST_WORDS, used
            assert "\n" not in told, used
            assert KEY not in told + finished.answer, used
            assert told or finished.answer, used
