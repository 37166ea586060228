"""A backend that returns recorded replies, for demonstrations and tests."""

import asyncio
import copy
import itertools
import json
import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from raybench.agent.models.protocol import (
    Backend,
    BackendError,
    Block,
    FinishedBlock,
    ReplyEnd,
    StreamEvent,
    TextDelta,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import call_block, text_block

Reply = Sequence[Block | str | Exception] | str


class ScriptedBackend(Backend):
    """Returns the given replies in order. A reply is a text, or a list of texts and blocks; an
    exception in the list is raised.

    ``pause``: seconds between events. ``requests``: the messages of every request.
    """

    name = "scripted"

    def __init__(self, replies: Sequence[Reply], pause: float = 0.0) -> None:
        self.replies = list(replies)
        self.pause = pause
        self.requests: list[list[Mapping[str, Any]]] = []

    @classmethod
    def from_file(cls, path: Path, task: str = "") -> Self:
        """Read the replies from a JSON file. A reply is a text, or a list of texts and of
        ``{"call": tool, "arguments": {...}}``. The file holds a list of replies, or an object with
        such a list for each task.
        """
        written = (
            'a list such as ["a reply", ["a reply that calls", {"call": "tool", "arguments": {}}]]'
        )
        try:
            replies = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise BackendError(f"{path}: the replies cannot be read ({error.strerror}).") from None
        except (ValueError, RecursionError) as error:
            raise BackendError(f"{path}: this is not JSON ({error}). Write {written}.") from None
        ids = itertools.count(1)

        def read_part(value: Any) -> Block | str:
            match value:
                case str():
                    return value
                case {"call": str() as name, "arguments": dict() as arguments}:
                    return call_block(f"call_{next(ids)}", name, arguments)
            raise BackendError(f"{path}: {value!r} is not part of a reply. Write {written}.")

        if task and isinstance(replies, dict):
            replies = replies.get(task, [])
        if not isinstance(replies, list):
            raise BackendError(f"{path}: the replies are not a list. Write {written}.")
        return cls(
            [
                [read_part(p) for p in reply] if isinstance(reply, list) else [read_part(reply)]
                for reply in replies
            ]
        )

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        self.requests.append(copy.deepcopy(list(messages)))
        if len(self.requests) > len(self.replies):
            raise BackendError("The script has no more replies. Add one.")
        reply = self.replies[len(self.requests) - 1]
        calls = False
        for part in [reply] if isinstance(reply, str) else reply:
            if isinstance(part, Exception):
                raise part
            if isinstance(part, str):
                for piece in re.findall(r"\s*\S+\s*$|\s*\S+", part):
                    await asyncio.sleep(self.pause)
                    yield TextDelta(piece)
                yield FinishedBlock(text_block(part))
            else:
                await asyncio.sleep(self.pause)
                calls |= part["type"] == "tool_use"
                yield FinishedBlock(part)
        yield ReplyEnd("tool_use" if calls else "end_turn")


def call(name: str, /, id: str = "call_1", **arguments: Any) -> Block:
    """A content block of the type tool_use, which calls the tool ``name``."""
    return call_block(id, name, arguments)
