"""Attempts of a model at the tasks of a bank. Several tasks can run at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from raybench.agent.call.open_document import OpenDocument, Paint
from raybench.agent.catalogue.registry import ToolRegistry
from raybench.agent.eval.bank import ANSWER_LINE, Task
from raybench.agent.eval.check import answer_faults
from raybench.agent.models.protocol import Backend
from raybench.agent.turn.conversation import Conversation
from raybench.agent.turn.loop import MAX_STEPS
from raybench.files.document_file import document_from_json, document_to_json
from raybench.session import Session

Asked = tuple[Task, int]
"""A task, and which of its repetitions, from 1."""


@dataclass(frozen=True)
class Attempt:
    """The result of one task: the ``answer``, its ``faults``, and the effort.

    ``repeat``: number of the repetition, from 1. ``error``: why the turn failed, else empty.
    ``cost``: in US dollars, None if unknown.
    """

    model: str
    task: str
    theme: str
    kind: str
    repeat: int
    answer: str
    faults: tuple[str, ...]
    error: str
    calls: int
    tokens_in: int
    tokens_out: int
    seconds: float
    cost: float | None

    @property
    def is_right(self) -> bool:
        return not self.faults and not self.error

    @property
    def is_unanswered(self) -> bool:
        """Whether the turn failed before the model returned any text or call, as without a
        server.
        """
        return bool(self.error) and not self.answer and not self.calls


@dataclass(frozen=True)
class Examiner:
    """Gives tasks to one model. ``connect`` makes the connection for a task; without it the offline
    agent answers.
    """

    model: str
    connect: Callable[[Task], Backend | None]
    registry: ToolRegistry
    max_steps: int = MAX_STEPS
    paint: Paint | None = None

    async def attempt(self, task: Task, repeat: int = 1) -> Attempt:
        """Give one task to the model, and check its answer."""
        document = document_from_json(task.scene_json)
        session, backend = Session(document), self.connect(task)
        conversation = Conversation(
            OpenDocument(session, paint=self.paint),
            backend,
            registry=self.registry,
            max_steps=self.max_steps,
            values=False,
        )
        asked = task.ask if backend is None else f"{task.ask}\n\n{ANSWER_LINE}"
        start = time.monotonic()
        try:
            turn = await conversation.say(asked, profile="auto")
        finally:
            await conversation.close()
        if turn.stopped:  # a turn that is cancelled ends in order
            raise asyncio.CancelledError
        usage = turn.usage
        return Attempt(
            self.model,
            task.name,
            task.theme,
            task.kind,
            repeat,
            turn.answer,
            tuple(
                answer_faults(
                    task,
                    document_to_json(document),
                    document_to_json(session.document),
                    turn.answer,
                )
            ),
            turn.error or conversation.offline.problem,
            len(turn.outcomes),
            usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
            usage.output_tokens,
            round(time.monotonic() - start, 3),
            turn.cost,
        )

    async def examine(
        self, asked: Iterable[Asked], report: Callable[[Attempt], None], at_once: int = 1
    ) -> None:
        """Give tasks to the model, ``at_once`` at a time, and report each finished attempt.
        Cancelled attempts are not reported. An exception of ``report`` ends the run.
        """
        waiting = iter(asked)

        async def put_tasks() -> None:
            for task, repeat in waiting:
                report(await self.attempt(task, repeat))

        await asyncio.gather(*(put_tasks() for _ in range(at_once)))
