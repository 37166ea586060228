"""What a model is to the loop: something that streams one reply to a conversation.

A conversation is plain JSON: messages with a ``role`` and a list of content blocks (``text``, ``tool_use``, ``tool_result`` ...).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from core.agent.tools.tool import Tool
from core.errors import RaybenchError

Block = dict[str, Any]
Message = dict[str, Any]


class BackendError(RaybenchError):
    """No reply came; one line says why and what to do about it."""


@dataclass(frozen=True)
class Text:
    """A piece of the text that is being written."""

    text: str


@dataclass(frozen=True)
class Finished:
    """A content block is whole: a text that was streamed before, a call, or anything else that belongs in the history."""

    block: Block


@dataclass(frozen=True)
class Usage:
    """Tokens, as the server counts them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )


@dataclass(frozen=True)
class End:
    """The reply is over. ``reason`` is the server's: end_turn, tool_use, max_tokens, refusal ...; ``detail`` may explain it."""

    reason: str = "end_turn"
    usage: Usage = field(default_factory=Usage)
    detail: str = ""


StreamEvent = Text | Finished | End


class Backend(Protocol):
    """Something that answers. ``name`` is what a person calls it."""

    @property
    def name(self) -> str: ...

    def stream_turn(self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> AsyncIterator[StreamEvent]:
        """One reply, as it is written; BackendError if there is none or it breaks off."""
        ...

    def for_model(self, name: str) -> Backend:
        """The same server with another of its models; itself where it has only one."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...


def question_of(messages: Sequence[Mapping[str, Any]]) -> str:
    """The last text of the last message: what was asked, without what the program said before it."""
    blocks = messages[-1]["content"] if messages else []
    return next((b["text"] for b in reversed(blocks) if b["type"] == "text"), "")
