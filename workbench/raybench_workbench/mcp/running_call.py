"""A running call of a client: its requests for approval, and its progress."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mcp.server.session import ServerSession
from mcp_types import RequestId

from raybench.agent.call.approval import Ask, Decision, Request
from raybench.agent.call.events import ToolFinished, ToolProgress, ToolStarted, TurnEvent
from raybench.agent.call.outcome import ToolOutcome

BEAT = 1.0
"""Seconds between two notifications of progress, unless something happens."""


@dataclass(frozen=True)
class CallRequest:
    """A tool and its arguments, as requested by a client. ``client`` is the client's name."""

    client: str
    tool: str
    arguments: Mapping[str, Any]


class RunningCall:
    """A call and its task, which goes on while the client's person is asked: over one request of
    the client, or over several.

    ``run`` makes the call. It reports events to `happened`, and may ask the client's person by
    ``ask``: None if the client cannot.
    """

    def __init__(self, requested: CallRequest, run: Run, elicits: bool) -> None:
        self.requested = requested
        self.ask: Ask | None = self._ask if elicits else None
        self.questions: asyncio.Queue[tuple[Request, asyncio.Future[Decision]]] = asyncio.Queue()
        self.request_ids: set[RequestId | None] = set()
        """The ids of the client's requests that began and continued it."""
        self.answer: asyncio.Future[Decision] | None = None
        """The answer that the call waits for."""
        self.edits = ""
        """A sentence on the edits that the call made before it was stopped or failed; empty without
        any.
        """
        self._begun = asyncio.get_running_loop().time()
        self._words = requested.tool
        self._so_far = ""
        """The work done so far, in words."""
        self._done = 0.0
        self._news = asyncio.Event()
        self.task = asyncio.ensure_future(run(self))

    async def next_question(self) -> Request | None:
        """The next question to the client's person; None when the call has ended."""
        asked = asyncio.ensure_future(self.questions.get())
        try:
            await asyncio.wait({asked, self.task}, return_when=asyncio.FIRST_COMPLETED)
            if not asked.done():
                return None
            request, self.answer = asked.result()
            return request
        finally:
            asked.cancel()

    def decide(self, decision: Decision) -> None:
        """Answer the last question."""
        if self.answer is not None and not self.answer.done():
            self.answer.set_result(decision)

    def stop(self) -> None:
        """Cancel the call; nothing that it does is applied afterwards."""
        self.task.cancel()

    async def report_progress(self, session: ServerSession) -> None:
        """Notify the client of events, and each second that the call still runs, until cancelled.

        Progress is the time in seconds, which only grows, as the protocol requires. The total is
        the time expected from the fraction of the work that is done, once the tool reports one.
        """
        loop, last = asyncio.get_running_loop(), -1.0
        while True:
            last = max(loop.time() - self._begun, last + 1e-3)
            words = ": ".join(filter(None, [self._words, self._so_far]))
            await session.report_progress(
                round(last, 3), round(last / self._done, 3) if self._done else None, words
            )
            self._news.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), BEAT)

    async def _ask(self, request: Request) -> Decision:
        answer: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
        self.questions.put_nowait((request, answer))
        self.say(f"Waits for approval: {request.title}")
        return await answer

    def happened(self, event: TurnEvent) -> None:
        """Take an event of the call."""
        if isinstance(event, ToolStarted):
            self._so_far = ""
            self.say(event.sentence)
        elif isinstance(event, ToolProgress):
            self._done = max(self._done, event.done or 0.0)
            self._so_far = event.words
            self._news.set()
        elif isinstance(event, ToolFinished):
            self.edits = event.outcome.edits

    def say(self, words: str) -> None:
        """The progress of the call, as reported to the client."""
        self._words = words
        self._news.set()


Run = Callable[[RunningCall], Awaitable[ToolOutcome]]
"""Makes a call."""
