"""Export of a conversation as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from core.agent.call.call import ToolOutcome
from core.agent.call.events import TurnFinished
from core.analysis.answers.words import rays_counted


@dataclass(frozen=True)
class Exchange:
    """A question and how the turn ended."""

    question: str
    turn: TurnFinished


def markdown(exchanges: Iterable[Exchange], title: str = "Conversation") -> str:
    """The questions, the calls with their times in milliseconds, and the answers."""
    parts = [f"# {title}"]
    for exchange in exchanges:
        parts.append("\n".join(f"> {line}" for line in exchange.question.splitlines() or [""]))
        parts += [_call(outcome) for outcome in exchange.turn.outcomes]
        turn = exchange.turn
        parts += [text for text in (turn.answer, "*Stopped.*" if turn.stopped else "", f"**{turn.error}**" if turn.error else "") if text]
    return "\n\n".join(parts) + "\n"


def _call(outcome: ToolOutcome) -> str:
    arguments = ", ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in outcome.arguments.items())
    mark = "✓" if outcome.ok else "✗"
    found = f": {rays_counted(len(outcome.rays))}, {outcome.rays.name}" if outcome.rays is not None else ""
    took = "kept from before" if outcome.cached else f"{outcome.milliseconds:.1f} ms"
    return f"- {mark} {outcome.sentence}{found} ({took}) `{outcome.tool}({arguments})`"
