"""A model's server that has the Messages API or the chat-completions API: one is guessed from its
address, and the other tried if it is not there.
"""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from raybench.agent.models.anthropic import AnthropicBackend, environment_key, environment_url
from raybench.agent.models.chat import ChatBackend
from raybench.agent.models.protocol import Backend, StreamEvent
from raybench.agent.models.server import ServiceNotFound, host_of
from raybench.agent.models.text_protocol import TextBackend
from raybench.agent.tools.tool import Tool


class AnyServer(Backend):
    """A server whose API is guessed from its address: chat completions if that has a path such as
    ``/v1``, otherwise the Messages API.

    If it has no such service, the other one is tried, with the same key, so that no server receives
    the keys of two providers. The one that answered is used from then on.
    """

    def __init__(self, model: str, base_url: str, api_key: str = "") -> None:
        self._given = model, base_url, api_key
        root = re.sub(r"(/v1)?(/messages)?/*$", "", base_url)
        first: AnthropicBackend | ChatBackend
        second: AnthropicBackend | ChatBackend
        if "/" in base_url.partition("://")[2].rstrip("/") and not base_url.endswith("/messages"):
            first = ChatBackend(model, base_url, api_key)
            second = AnthropicBackend(model, root, api_key, found_key=first.key)
        else:
            first = AnthropicBackend(model, root, api_key)
            second = ChatBackend(model, base_url, api_key, found_key=first.key)
        self._both = (first, second)
        self._there: tuple[AnthropicBackend | ChatBackend, ...] = self._both
        self.model, self.base_url, self.host = model, base_url, host_of(base_url)

    @property
    def name(self) -> str:
        return self._there[0].name if len(self._there) == 1 else self.model or self.host

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        first: ServiceNotFound | None = None
        for backend in self._there:
            try:
                async with aclosing(backend.stream_turn(system, messages, tools)) as stream:
                    async for event in stream:
                        if self._there != (backend,):
                            self._there = (backend,)
                        yield event
                return
            except ServiceNotFound as missing:
                first = first or missing
        assert first is not None
        raise first

    def for_model(self, name: str) -> Backend:
        return self if name == self.model else AnyServer(name, *self._given[1:])

    async def close(self) -> None:
        for backend in self._both:  # also the one that is not there: it may hold a connection
            await backend.close()


def chosen_backend(model: str = "", base_url: str = "", *, in_text: bool = False) -> Backend | None:
    """The model of a name at a server, by default that of the environment; None where neither names
    one.
    """
    if not (model or base_url or environment_key() or environment_url()):
        return None
    return text_protocol_backend(model, base_url) if in_text else AnthropicBackend(model, base_url)


def text_protocol_backend(model: str = "", base_url: str = "", api_key: str = "") -> TextBackend:
    """A model for the text protocol: at ``base_url``, at the address in the environment, or else at
    Anthropic's.
    """
    address = base_url or environment_url()
    return TextBackend(
        AnyServer(model, address, api_key) if address else AnthropicBackend(model, "", api_key)
    )
