"""The protocol of backends: a backend streams one reply to a conversation.

A conversation is plain JSON: messages with a ``role`` and a list of content blocks (``text``,
``tool_use``, ``tool_result`` ...).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.words import in_words
from raybench.errors import RaybenchError
from raybench.schema.signature import Type

if TYPE_CHECKING:
    from raybench.agent.call.outcome import ToolOutcome

Block = dict[str, Any]
Message = dict[str, Any]


class BackendError(RaybenchError):
    """The backend gave no reply; the message is one line with the reason and the remedy."""


@dataclass(frozen=True)
class Text:
    """A piece of streamed text."""

    text: str


@dataclass(frozen=True)
class Finished:
    """A complete content block for the history: a text that was streamed before, a call, or another
    kind.
    """

    block: Block


@dataclass(frozen=True)
class Usage:
    """Token counts as reported by the server."""

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
    """The end of the reply. ``reason`` is the stop reason: end_turn, tool_use, max_tokens, refusal
    ...; ``detail`` may explain it.
    """

    reason: str = "end_turn"
    usage: Usage = field(default_factory=Usage)
    detail: str = ""


StreamEvent = Text | Finished | End


class Backend(Protocol):
    """A model or a substitute for one. ``name`` is shown to people."""

    @property
    def name(self) -> str: ...

    def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncIterator[StreamEvent]:
        """Stream one reply; BackendError if there is none or it breaks off."""
        ...

    def for_model(self, name: str) -> Backend:
        """The same server with another model; itself if it has only one."""
        ...

    async def close(self) -> None:
        """Close connections."""
        ...


WEB_SEARCH = Tool(
    "web_search",
    description=(
        "Search the web, by the provider of the model. What is searched for leaves this computer."
    ),
    signature="(query :string) -> :any",
    type="provider",
    effect="external",
    expose="native",
    asks=lambda a: f"web search: {in_words(a.get('query') or 'nothing')}",
)
"""The provider's own web search, which is offered only to backends that provide it, and only if the
person allowed it by name.
"""


@runtime_checkable
class Provides(Protocol):
    """A backend whose server runs tools of its own, which are of the type ``provider``."""

    @property
    def provided(self) -> tuple[Tool, ...]: ...


@runtime_checkable
class Concludes(Protocol):
    """A backend that can be asked to answer without another call. Others get no tools for a turn's
    last reply.
    """

    def conclude(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncIterator[StreamEvent]:
        """Stream one reply that makes no calls, as ``stream_turn`` does; ``tools`` are those that
        were called before.
        """
        ...


@runtime_checkable
class Priced(Protocol):
    """A backend with known prices."""

    def cost(self, usage: Usage) -> float | None:
        """The price of the tokens in US dollars; None if it is not known."""
        ...


@runtime_checkable
class Paced(Protocol):
    """A backend with its own maximum number of replies in a turn, the concluding one included."""

    @property
    def most_steps(self) -> int: ...


@runtime_checkable
class AnswersInForm(Protocol):
    """A backend that must know the form of a JSON answer, to distinguish it from a call."""

    def answering(self, form: Type) -> Backend:
        """The same model, whose answers are JSON of this form."""
        ...


@runtime_checkable
class Summarizes(Protocol):
    """A backend whose model reads a shorter summary of a result."""

    def summary(self, outcome: ToolOutcome) -> str:
        """The text that its model reads of a call."""
        ...


@runtime_checkable
class ReadsOutcomes(Protocol):
    """A backend in this program, which takes the outcomes of calls instead of the text that a model
    reads.
    """

    def read(self, outcome: ToolOutcome) -> None:
        """Take the result of a call, before the next reply is asked for."""
        ...


def question_of(messages: Sequence[Mapping[str, Any]]) -> str:
    """The last text of the last message: the question, without the texts that the program put
    before it.
    """
    blocks = messages[-1]["content"] if messages else []
    return next((b["text"] for b in reversed(blocks) if b["type"] == "text"), "")
