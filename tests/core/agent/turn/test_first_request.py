"""What the first request of a conversation holds: a new tool must not make it grow unseen."""

import asyncio
import json
from collections.abc import Callable

import pytest
from tests.messages_server import MessagesServer, say

from raybench.agent.call.open_document import OpenDocument
from raybench.agent.models.anthropic import AnthropicBackend
from raybench.agent.models.any_server import text_protocol_backend
from raybench.agent.models.chat import ChatBackend
from raybench.agent.models.protocol import Backend
from raybench.agent.turn.conversation import Conversation
from raybench.files.examples import EXAMPLES
from raybench.session import Session

MOST, MOST_SMALL = 24_000, 9_000
"""Characters of a first request, for any model and for a small one."""
QUESTION = "Where is the best focus of the light, and how much of it gets there?"
BACKENDS: dict[str, Callable[[str], Backend]] = {
    "messages": lambda url: AnthropicBackend("m", url, "key"),
    "chat": lambda url: ChatBackend("m", url, "key"),
    "text": lambda url: text_protocol_backend("m", url, "key"),
}


class InWindow(OpenDocument):
    has_window = True


def first_request(form: str, scene: str, *, window: bool = False, small: bool = False) -> str:
    with MessagesServer([say("Here.")], form="chat" if form == "chat" else "messages") as server:

        async def go() -> None:
            opened = (InWindow if window else OpenDocument)(Session.open(scene))
            talk = Conversation(opened, BACKENDS[form](server.url), small=small)
            await talk.say(QUESTION)
            await talk.close()

        asyncio.run(go())
        return json.dumps(server.requests[0], ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("form", BACKENDS)
def test_the_first_request_is_short(form: str) -> None:
    example = EXAMPLES[0].name
    for window in (False, True):
        sent = first_request(form, example, window=window)
        assert QUESTION in sent
        assert len(sent) <= MOST, window
    assert len(first_request(form, example, small=True)) <= MOST_SMALL


def test_the_first_request_is_short_on_every_example() -> None:
    for example in EXAMPLES:
        assert len(first_request("messages", example.name, window=True)) <= MOST, example.name
