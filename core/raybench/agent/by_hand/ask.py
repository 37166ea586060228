"""Answers one question about a session, without a window."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from raybench.agent.call.approval import Ask, Profile
from raybench.agent.call.bench import Paint, SessionBench
from raybench.agent.call.events import Emit, TurnFinished
from raybench.agent.call.outcome_json import calls_json, ray_sets_json
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.models.protocol import Backend
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.loop import MAX_STEPS
from raybench.session import Session
from raybench.trace.limits import DEFAULT_LIMIT


@dataclass(frozen=True)
class Reply:
    """The reply to a question. ``text`` ends with a line of sources; ``error``: why there is no
    answer or a command failed.

    ``problem``: why the offline agent did not understand the question.
    """

    question: str
    turn: TurnFinished
    problem: str = ""

    @property
    def text(self) -> str:
        return self.turn.answer

    @property
    def tools_used(self) -> tuple[str, ...]:
        return self.turn.tools_used

    @property
    def error(self) -> str:
        failed = [
            o.text
            for o in self.turn.outcomes[-1:]
            if not o.ok and self.question.lstrip().startswith("/")
        ]
        return self.turn.error or self.problem or "".join(failed)

    def to_json(self) -> dict[str, Any]:
        """The reply as JSON values: answer, tools used, calls, ray sets, usage."""
        return {
            "question": self.question,
            "answer": self.text,
            "tools_used": list(self.tools_used),
            "tool_calls": calls_json(self.turn.outcomes),
            "ray_sets": ray_sets_json(self.turn.outcomes),
            "usage": asdict(self.turn.usage),
            "cost": self.turn.cost,
            "did_you_mean": list(self.turn.choices),
            "error": self.error or None,
        }


def ask(
    session: Session,
    text: str,
    backend: Backend | None = None,
    *,
    profile: Profile = "read-only",
    approve: Ask | None = None,
    granted: Iterable[str] = (),
    emit: Emit = lambda event: None,
    max_segments: int = DEFAULT_LIMIT,
    max_steps: int = MAX_STEPS,
    paint: Paint | None = None,
    registry: ToolRegistry | None = None,
) -> Reply:
    """Answer one question, after tracing the session's scene if necessary; without a ``backend``
    the offline agent answers.

    ``approve`` is asked about calls with side effects, if the profile says so; tools in ``granted``
    are allowed. ``emit`` receives the events of the turn, which has at most ``max_steps`` replies
    of the model. ``paint`` makes pictures of the canvas. ``registry`` has the tools, by default
    those that ship.
    """

    async def turn() -> Reply:
        bench = SessionBench(session, max_segments, paint)
        conversation = Conversation(
            bench, backend, registry=registry, max_steps=max_steps, granted=granted
        )
        try:
            finished = await conversation.say(text, emit, profile=profile, ask=approve)
            return Reply(text, finished, conversation.offline.problem)
        finally:
            await conversation.close()

    reply = asyncio.run(turn())
    # only Ctrl-C stops a turn here; asyncio.run does not raise it again if the task ends normally
    if reply.turn.stopped:
        raise KeyboardInterrupt
    return reply
