"""A server with the Messages API or the chat-completions API. The API is guessed from the address;
if the server does not have it, the other one is tried.
"""

import copy
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any, Self

from raybench.agent.call.outcome import ToolOutcome
from raybench.agent.models.addresses import host_of
from raybench.agent.models.anthropic import (
    DEFAULT_HOST,
    AnthropicBackend,
    environment_key,
    environment_url,
    messages_root,
)
from raybench.agent.models.calls_in_text import read_calls_in_text
from raybench.agent.models.chat import OWN_HOST, ChatBackend
from raybench.agent.models.errors import ServiceNotFound, ToolsRefused
from raybench.agent.models.protocol import PICTURES_REFUSED, Backend, RetryNotice, StreamEvent
from raybench.agent.models.text_protocol import TextBackend, outcome_summary
from raybench.agent.tools.tool import Tool
from raybench.schema.signature import accepts_any_text


class AnyServer(Backend):
    """A server whose API is guessed from its address. An address with a path such as ``/v1`` stands
    for chat completions, any other for the Messages API; so do ``ANTHROPIC_BASE_URL`` and a path
    that ends with ``/anthropic``.

    If the server does not offer this API, the other one is tried with the same key, so that no
    server receives the keys of two providers. The API that answered is used from then on. If the
    server refuses tools, the text protocol is used.
    """

    def __init__(self, model: str, base_url: str, api_key: str = "") -> None:
        self._given = model, base_url, api_key
        first: AnthropicBackend | ChatBackend
        second: AnthropicBackend | ChatBackend
        has_path = "/" in base_url.partition("://")[2].rstrip("/")
        messages = base_url == environment_url() or base_url.rstrip("/").endswith("/messages")
        if has_path and not messages and not messages_root(base_url).endswith("/anthropic"):
            first = ChatBackend(model, base_url, api_key)
            second = AnthropicBackend(model, base_url, api_key, found_key=first.key)
        else:
            first = AnthropicBackend(model, base_url, api_key)
            second = ChatBackend(model, base_url, api_key, found_key=first.key)
        self.models = (first, second)
        self._there: list[AnthropicBackend | ChatBackend] = [first, second]
        self._without_tools: list[AnthropicBackend | ChatBackend] = []
        """The one that refused tools; both lists are shared with copies for other answers."""
        self._answer: Any = None
        self._copies: dict[str, AnyServer] = {}
        """The backends for other models, which keep what they learned about the server."""
        self.model, self.base_url, self.host = model, base_url, host_of(base_url)

    @property
    def name(self) -> str:
        return self._there[0].name if len(self._there) == 1 else self.model or self.host

    @property
    def reason_without_pictures(self) -> str:
        return PICTURES_REFUSED if self._without_tools else self._there[0].reason_without_pictures

    def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        return self._stream_reply(system, messages, tools, last=False)

    def stream_last_reply(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        return self._stream_reply(system, messages, tools, last=True)

    async def _stream_reply(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        *,
        last: bool,
    ) -> AsyncGenerator[StreamEvent, None]:
        first: ServiceNotFound | None = None
        for backend in tuple(self._there):
            try:
                async with aclosing(
                    self._stream_from(backend, system, messages, tools, last=last)
                ) as stream:
                    async for event in stream:
                        if not isinstance(event, RetryNotice):
                            self._there[:] = [backend]
                        yield event
                return
            except ToolsRefused:
                if not tools or self._without_tools:
                    raise
                self._there[:] = self._without_tools[:] = [backend]
                break
            except ServiceNotFound as missing:
                first = first or missing
        else:
            assert first is not None
            raise first
        async with aclosing(
            self._stream_from(backend, system, messages, tools, last=last)
        ) as stream:
            async for event in stream:
                yield event

    def _stream_from(
        self,
        backend: AnthropicBackend | ChatBackend,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        *,
        last: bool,
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream a reply from a backend with tools, or with the text protocol if the server refused
        tools.
        """
        asked = TextBackend(backend, self._answer) if self._without_tools else backend
        ask = asked.stream_last_reply if last else asked.stream_turn
        if not tools or self._without_tools:
            return ask(system, messages, tools)
        return read_calls_in_text(lambda m: ask(system, m, tools), messages, tools, self._answer)

    def for_model(self, name: str) -> Backend:
        if name == self.model:
            return self
        if name not in self._copies:
            self._copies[name] = AnyServer(name, *self._given[1:])
        return self._copies[name]

    def with_answer_form(self, form: Any) -> Self:
        other = copy.copy(self)
        other._answer = None if accepts_any_text(form) else form
        return other

    def outcome_text(self, outcome: ToolOutcome) -> str:
        return outcome_summary(outcome) if self._without_tools else outcome.model_text

    async def list_models(self) -> list[str]:
        first: ServiceNotFound | None = None
        for backend in self._there:
            try:
                return await backend.list_models()
            except ServiceNotFound as missing:
                first = first or missing
        assert first is not None
        raise first

    async def close(self) -> None:
        # also the one that is not there: it may hold a connection
        for backend in (*self.models, *self._copies.values()):
            await backend.close()


def configured_backend(
    model: str = "", base_url: str = "", *, in_text: bool = False
) -> Backend | None:
    """The backend for ``model`` at ``base_url``; both default to the environment variables. None if
    neither is given.
    """
    if not (model or base_url or environment_key() or environment_url()):
        return None
    return text_protocol_backend(model, base_url) if in_text else server_backend(model, base_url)


def server_backend(model: str = "", base_url: str = "", api_key: str = "") -> Backend:
    """The backend for a model at ``base_url``, by default the address in the environment, or else
    Anthropic's address. A key is sent only to the hosts of its provider.
    """
    address = base_url or environment_url()
    if not address or host_of(address) == DEFAULT_HOST:
        return AnthropicBackend(model, address, api_key)
    if host_of(address) == OWN_HOST:
        return ChatBackend(model, address, api_key)
    return AnyServer(model, address, api_key)


def text_protocol_backend(model: str = "", base_url: str = "", api_key: str = "") -> TextBackend:
    """The text-protocol backend for a model at ``base_url``, by default the address in the
    environment, or else Anthropic's address.
    """
    return TextBackend(server_backend(model, base_url, api_key))
