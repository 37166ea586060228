"""The base class of backends. A backend streams the next reply of a language model in a
conversation.

A conversation is plain JSON: messages with a ``role`` and a list of content blocks (``text``,
``tool_use``, ``tool_result`` ...).
"""

from __future__ import annotations

import operator
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from raybench.agent.tools.tool import Tool
from raybench.analysis.answers.words import value_in_words
from raybench.errors import RaybenchError

if TYPE_CHECKING:
    from raybench.agent.call.outcome import ToolOutcome

PICTURES_REFUSED = "This model takes no pictures: it was told that there was one."
"""What a person who attached a picture is told."""
PICTURES_TOO_LARGE = "The request was too large with the picture: the model was asked without it."
Block = dict[str, Any]
Message = dict[str, Any]


class BackendError(RaybenchError):
    """The backend gave no reply. The message is one line with the reason and the remedy."""


@dataclass(frozen=True)
class TextDelta:
    """A streamed piece of the text of a reply."""

    text: str


@dataclass(frozen=True)
class FinishedBlock:
    """A complete content block for the history: text that was streamed before, a tool call, or a
    block of another type.
    """

    block: Block


@dataclass(frozen=True)
class Usage:
    """The numbers of tokens of a reply, as the server reports them."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*map(operator.add, vars(self).values(), vars(other).values()))


@dataclass(frozen=True)
class ReplyEnd:
    """The end of a reply. ``reason`` is the stop reason: end_turn, tool_use, max_tokens, refusal
    ...; ``detail`` may explain it.
    """

    reason: str = "end_turn"
    usage: Usage = field(default_factory=Usage)
    detail: str = ""


@dataclass(frozen=True)
class RetryNotice:
    """The request failed for a temporary reason, and is repeated after ``seconds``. ``reason`` is a
    few words, such as *overloaded*.

    The event comes before any text of a reply, once for each attempt. Show it as a line such as
    "trying again in 3 s (overloaded)", count the seconds down, and remove it at the next event.
    """

    seconds: float
    reason: str

    def __str__(self) -> str:
        return f"trying again in {max(1, round(self.seconds))} s ({self.reason})"


StreamEvent = TextDelta | FinishedBlock | RetryNotice | ReplyEnd


class Backend(ABC):
    """The interface to a language model, or to a substitute. A subclass defines ``name``, which is
    displayed, and `stream_turn`; all other methods have defaults.
    """

    most_steps: int | None = None
    """The most steps of a turn, each a reply with calls, where the backend has a limit of its own.
    """

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    def reason_without_pictures(self) -> str:
        """Why a sentence is sent to the model in place of each picture; empty if pictures are
        sent.
        """
        return ""

    @property
    def provided_tools(self) -> tuple[Tool, ...]:
        """The tools that the server of this backend runs itself. They have the type
        ``provider``.
        """
        return ()

    @abstractmethod
    def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream one reply. Raises BackendError if there is no reply, or if it breaks off."""

    def stream_last_reply(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream the last reply of a turn, which must not call tools. ``tools`` are the tools
        offered before; by default the model is offered none.
        """
        return self.stream_turn(system, messages, ())

    def for_model(self, name: str) -> Backend:
        """A copy of this backend for another model. It is closed together with this backend. A
        backend with only one model returns itself.
        """
        return self

    def with_answer_form(self, form: Any) -> Backend:
        """A copy of this backend whose model must answer with JSON of the given form. A backend
        that reads calls from text needs the form to distinguish answers from calls.
        """
        return self

    async def list_models(self) -> list[str]:
        """The names of the models that the server lists. Raises BackendError."""
        return []

    def cost(self, usage: Usage) -> float | None:
        """The price of the tokens in US dollars; None if it is not known."""
        return None

    def outcome_text(self, outcome: ToolOutcome) -> str:
        """The text that tells the model the outcome of a call."""
        return outcome.model_text

    def receive_outcome(self, outcome: ToolOutcome) -> None:
        """Receive the outcome of a call before the next reply. Only backends without a model use
        it.
        """
        return None

    async def close(self) -> None:
        """Close the connections to the server."""
        return None


WEB_SEARCH = Tool(
    "web_search",
    description=(
        "Search the web, by the provider of the model. What is searched for leaves this computer."
    ),
    signature="(query :string) -> :any",
    type="provider",
    effect="external",
    expose="native",
    asks=lambda a: f"web search: {value_in_words(a.get('query') or 'nothing')}",
)
"""The provider's own web search, which is offered only to backends that provide it, and only if the
person allowed it by name.
"""


def last_question(messages: Sequence[Mapping[str, Any]]) -> str:
    """The question in the last message: its last text, without texts that the program added before
    it.
    """
    blocks = messages[-1]["content"] if messages else []
    return next((b["text"] for b in reversed(blocks) if b["type"] == "text"), "")
