"""What happens in a turn, as it happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.agent.call.call import ToolOutcome
from core.agent.models.protocol import Usage


@dataclass(frozen=True)
class TextDelta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True)
class ToolStarted:
    """A call is about to run. ``sentence`` says in words what it asks; ``within`` is the id of the call that makes it, if one does."""

    id: str
    tool: str
    arguments: Mapping[str, Any]
    sentence: str
    within: str = ""


@dataclass(frozen=True)
class ToolFinished:
    """A call is over; ``id`` is that of its `ToolStarted`."""

    id: str
    outcome: ToolOutcome


@dataclass(frozen=True)
class TurnFinished:
    """The turn is over. ``answer`` ends with the tools it rests on; ``stopped`` by the person; ``error`` is a line with a remedy."""

    answer: str
    tools_used: tuple[str, ...] = ()
    outcomes: tuple[ToolOutcome, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stopped: bool = False
    error: str = ""


TurnEvent = TextDelta | ToolStarted | ToolFinished | TurnFinished
Emit = Callable[[TurnEvent], None]
