"""Events of a turn, emitted as they occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from raybench.agent.answer_check.claims import CheckedPart, unsupported_parts
from raybench.agent.call.outcome import ToolOutcome, names_of_run_tools
from raybench.agent.models.protocol import RetryNotice, TextDelta, Usage


@dataclass(frozen=True)
class ToolStarted:
    """A tool call has started. ``sentence`` describes it for people. ``within`` is the id of the
    call that made this one, if any.
    """

    id: str
    tool: str
    arguments: Mapping[str, Any]
    sentence: str
    within: str = ""


@dataclass(frozen=True)
class ToolProgress:
    """A tool call is running. ``done`` is the completed fraction of its work from 0 to 1, or None
    if the total is unknown.

    ``words`` describe briefly what is done. ``id`` is that of its `ToolStarted`.
    """

    id: str
    done: float | None
    words: str = ""


@dataclass(frozen=True)
class ToolFinished:
    """A tool call has ended. ``id`` is the same as in its `ToolStarted` event."""

    id: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class AnswerSentBack:
    """An answer was sent back to the model for correction. ``reason`` says what in it no tool said,
    without a full stop.
    """

    reason: str


@dataclass(frozen=True)
class TurnFinished:
    """A turn has ended. ``stopped`` says whether the user stopped it. ``error`` is one line with a
    remedy.

    ``cost`` is in US dollars; None if it is not known. ``key`` is the merge key of the turn's
    edits; ``choices`` are the questions that are offered in place of one that was not understood,
    ``following`` those that may follow on the answer.
    ``checked`` are the numbers, names and ray sets of the answer of a model; ``returned`` is the
    reason why a first answer was sent back to it, if one was.
    """

    answer: str
    outcomes: tuple[ToolOutcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stopped: bool = False
    error: str = ""
    cost: float | None = None
    key: str = field(default="", compare=False)
    choices: tuple[str, ...] = ()
    checked: tuple[CheckedPart, ...] = ()
    returned: str = ""
    following: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the tools that the answer is based on: those whose calls succeeded, each
        once, except private tools.
        """
        return tuple(dict.fromkeys(o.tool for o in self.outcomes if o.ok and not o.private))

    @property
    def unsupported_parts(self) -> tuple[CheckedPart, ...]:
        """What no source of the answer holds, each text once."""
        return unsupported_parts(self.checked)

    @property
    def tools_used(self) -> tuple[str, ...]:
        return names_of_run_tools(self.outcomes)


def sent_back_line(reason: str) -> str:
    """The line that tells people that an answer was sent back to the model."""
    return f"A first answer was sent back to the model: {reason}."


def unsupported_line(turn: TurnFinished) -> str:
    """The line that tells people which parts of an answer are unsupported."""
    said = "; ".join(checked.reason for checked in turn.unsupported_parts)
    return f"Not supported: {said}."


def without_traces(event: TurnEvent) -> TurnEvent:
    """A copy of the event whose outcomes hold no traces, as a conversation stores it."""
    if isinstance(event, ToolFinished):
        return replace(event, outcome=event.outcome.without_trace)
    if isinstance(event, TurnFinished):
        return replace(event, outcomes=tuple(outcome.without_trace for outcome in event.outcomes))
    return event


TurnEvent = (
    TextDelta
    | RetryNotice
    | ToolStarted
    | ToolProgress
    | ToolFinished
    | AnswerSentBack
    | TurnFinished
)
Emit = Callable[[TurnEvent], None]
