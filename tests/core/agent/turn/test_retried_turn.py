"""A turn that ended with an error goes on, with the real SDKs against a server on loopback."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.core.agent.turn.valid_history import INSIDE, assert_valid
from tests.messages_server import MessagesServer, Reply, refuse, say, use
from tests.open_prism import TOOLS, open_prism

from raybench.agent.call.events import TurnFinished
from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.chat import ChatBackend
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.history import GO_ON

FAULT = refuse(500, "api_error")
CALL = use(INSIDE, glass_name="Prism")


@pytest.mark.parametrize("form", ["messages", "chat"])
@pytest.mark.parametrize(
    ("replies", "calls"),
    [
        ([FAULT], 0),
        ([CALL, FAULT], 1),
        ([CALL, say("Perhaps the", fault="cut")], 1),
        ([FAULT, CALL, FAULT], 1),
    ],
    ids=["at once", "after a call", "in the answer", "twice"],
)
def test_a_turn_goes_on_from_the_history_that_is_valid(
    form: str, replies: list[Reply], calls: int
) -> None:
    with MessagesServer([*replies, say("Light is inside.")], form) as server:
        kind = AnthropicBackend if form == "messages" else ChatBackend
        backend = kind("m", server.url, "k", max_retries=0)
        conversation = Conversation(open_prism(), backend, TOOLS)

        async def go() -> TurnFinished:
            finished = await conversation.say("Are there two rays?")
            while finished.error:
                asked = len(server.requests)
                finished = await conversation.retry()
                assert len(server.requests) > asked
            await conversation.close()
            return finished

        finished = asyncio.run(go())
    assert finished.answer.startswith("Light is inside.")
    assert [outcome.tool for outcome in finished.outcomes] == [INSIDE] * calls
    assert_valid(conversation.history)
    sent = json.dumps(server.requests[-1]["messages"])
    assert sent.count("Are there two rays?") == 1
    assert sent.count(GO_ON) == sent.count("Perhaps the")


def test_a_declined_question_is_put_again_without_the_refusal() -> None:
    replies = [say("Never.", stop_reason="refusal"), say("Two.")]
    with MessagesServer(replies) as server:
        conversation = Conversation(open_prism(), AnthropicBackend("m", server.url, "k"), TOOLS)

        async def go() -> list[TurnFinished]:
            turns = [await conversation.say("How many rays?"), await conversation.retry()]
            await conversation.close()
            return turns

        declined, answered = asyncio.run(go())
    assert "declined" in declined.error
    assert answered.answer == "Two."
    first, second = (request["messages"] for request in server.requests)
    assert second[-1]["content"][-1]["text"] == first[-1]["content"][-1]["text"]
    assert "Never." not in json.dumps(second)
