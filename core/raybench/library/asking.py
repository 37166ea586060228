"""Questions to a scene, with or without a model."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from concurrent.futures import Future
from html import escape
from typing import TYPE_CHECKING, Any

from raybench.agent.by_hand import command_line
from raybench.agent.by_hand.command_line import Reply
from raybench.agent.call.approval import Profile
from raybench.agent.models.protocol import Backend
from raybench.library.tools import ToolAnswer

if TYPE_CHECKING:
    from raybench.library.scene import Scene


class AskedQuestion:
    """A question that is being answered. ``await`` this object, or read an attribute, which waits
    for the answer.

    Examples:
        >>> import raybench as rb
        >>> scene = rb.Scene.open("example:prism")
        >>> asked = scene.ask("What is the power on Screen?", offline=True)
        >>> asked.understood, asked.tools_used
        (True, ('measure_xml',))
        >>> asked.text.partition(" (")[0]
        'The power that arrives at Screen is 37.5733'
    """

    def __init__(self, scene: Scene, text: str, backend: Backend | None, profile: Profile) -> None:
        self._scene, self.question = scene, text
        self._reply: Future[Reply] = Future()

        def answer() -> None:
            try:
                reply = command_line.ask_question(scene.session, text, backend, profile=profile)
                self._reply.set_result(reply)
            except BaseException as error:
                self._reply.set_exception(error)

        threading.Thread(target=answer, name="question", daemon=True).start()

    def __await__(self) -> Generator[Any, None, AskedQuestion]:
        yield from asyncio.wrap_future(self._reply).__await__()
        return self

    @property
    def reply(self) -> Reply:
        """The complete reply; waits for it. Raises RaybenchError if the turn failed."""
        return self._reply.result()

    @property
    def text(self) -> str:
        """The answer with a line of sources; if there is no answer, the reason and similar
        questions.
        """
        reply = self.reply
        return reply.text or reply.error

    @property
    def understood(self) -> bool:
        """Whether the question was answered."""
        return not self.reply.error and not self.reply.turn.choices

    @property
    def did_you_mean(self) -> tuple[str, ...]:
        """Similar questions that are offered if this one was not understood."""
        return tuple(self.reply.turn.choices)

    @property
    def tools_used(self) -> tuple[str, ...]:
        """The names of the tools that were called."""
        return self.reply.tools_used

    @property
    def answers(self) -> tuple[ToolAnswer, ...]:
        """The answers of the tools, in order."""
        light = self._scene.trace()
        return tuple(ToolAnswer(light, outcome) for outcome in self.reply.turn.outcomes)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.question}: {self.text}>" if self._reply.done() else f"<{self.question} …>"

    def _repr_html_(self) -> str:
        text = escape(self.text).replace("\n", "<br>")
        return f"<p><i>{escape(self.question)}</i></p><p>{text}</p>" + "".join(
            answer._repr_html_() for answer in self.answers
        )
