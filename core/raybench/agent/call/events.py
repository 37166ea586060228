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
    calling call, if any.
    """

    id: str
    tool: str
    arguments: Mapping[str, Any]
    sentence: str
    within: str = ""


@dataclass(frozen=True)
class ToolProgress:
    """Progress of a running tool call. ``done``: completed fraction from 0 to 1, or None if the
    total is unknown. ``words``: short description of the work. ``id``: as in its `ToolStarted`
    event.
    """

    id: str
    done: float | None
    words: str = ""


@dataclass(frozen=True)
class ToolFinished:
    """A tool call has ended. ``id`` is the id of its `ToolStarted` event."""

    id: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class AnswerSentBack:
    """An answer was sent back to the model for correction. ``reason`` names the unsupported parts,
    without a full stop.
    """

    reason: str


@dataclass(frozen=True)
class TurnFinished:
    """A turn has ended.

    ``stopped``: whether the user stopped it. ``error``: one line with a remedy. ``cost``: in US
    dollars, None if unknown. ``key``: merge key of the turn's edits. ``choices``: questions offered
    instead of a question that was not understood. ``following``: questions that may follow on the
    answer. ``checked``: checked numbers, names and ray sets of a model's answer. ``returned``: why
    a first answer was sent back to the model, if it was.
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
        """The names of the tools that the answer is based on: tools that were called successfully,
        without private tools and repetitions.
        """
        return tuple(dict.fromkeys(o.tool for o in self.outcomes if o.ok and not o.private))

    @property
    def unsupported_parts(self) -> tuple[CheckedPart, ...]:
        """The parts of the answer that nothing supports, without repeated texts."""
        return unsupported_parts(self.checked)

    @property
    def tools_used(self) -> tuple[str, ...]:
        return names_of_run_tools(self.outcomes)


def sent_back_line(reason: str) -> str:
    """The line that tells users that an answer was sent back to the model."""
    return f"A first answer was sent back to the model: {reason}."


def unsupported_line(turn: TurnFinished) -> str:
    """The line that tells users which parts of an answer are unsupported."""
    said = "; ".join(checked.reason for checked in turn.unsupported_parts)
    return f"Not supported: {said}."


def without_traces(event: TurnEvent) -> TurnEvent:
    """A copy of the event whose outcomes hold no traces, for storage in a conversation."""
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
