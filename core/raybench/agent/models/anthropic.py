"""The backend for Anthropic's Messages API, at its own address or at any compatible server.

The SDK is imported when the first question is sent, because that takes seconds.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import warnings
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any

from raybench.agent.call.scope import run_in_thread
from raybench.agent.models.protocol import (
    WEB_SEARCH,
    Backend,
    BackendError,
    Block,
    End,
    Finished,
    StreamEvent,
    TextDelta,
    Usage,
)
from raybench.agent.models.server import (
    MOST_ARGUMENTS,
    MOST_TOKENS,
    NOT_THERE,
    ServerBackend,
    ServiceNotFound,
    bounded_client,
    key_for_address,
    reset_stream_limits,
    sendable_request,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import has_pictures, without_pictures
from raybench.errors import as_sentence

REQUIRED = {"tool_use": ("id", "name"), "_tool_result": ("tool_use_id",), "text": ("text",)}
"""The fields of a content block that have to be texts, by the end of its type."""
TOKENS = (
    "input_tokens",
    "output_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
)
DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_HOST = "api.anthropic.com"
MODELS = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-fable-5-2")
"""The models offered by the model picker, which accepts any other name."""
PRICES = {
    "claude-sonnet-5-5": (2.0, 10.0),
    "claude-opus-5-5": (4.0, 20.0),
    "claude-haiku-5-5": (0.5, 2.5),
    "claude-fable-5-2": (8.0, 40.0),
}
"""US dollars for a million tokens read and written, by the beginning of a model's name: Anthropic's
list prices of November 2026.
"""
SEARCH_TYPE = "web_search_20250305"
MOST_SEARCHES = 5
CACHE_READ, CACHE_WRITE = 0.1, 1.25
"""The price of a token read from or written to the server's cache, relative to an ordinary input
token.
"""
KEY = "ANTHROPIC_API_KEY"
NO_KEY = (
    f"No API key for Anthropic. Set {KEY} or enter a key, or give the address of a local server."
)
_NOT_ABOUT_PICTURES = (None, 401, 403, 404, 429, 529)
"""Statuses of refusals whose reason cannot be a picture."""


class ReceivedReply:
    """The state of a reply while it is received."""

    def __init__(self, backend: AnthropicBackend) -> None:
        self.ended = False
        self._backend = backend
        self._letters = 0
        """The length of the texts so far."""
        self._arguments = ""
        """The JSON of the current call's arguments so far."""
        self._calls = set[str]()

    def read_event(self, event: Any) -> Iterator[StreamEvent]:
        """The stream events for an event of the SDK. Raises BackendError for arguments that are not
        JSON, or a missing or repeated id.
        """
        if event.type == "text":
            self._letters += len(event.text)
            self._backend.check_letters(self._letters)
            yield TextDelta(event.text)
        elif event.type == "content_block_start":
            self._arguments = ""
        elif event.type == "input_json":
            self._arguments += event.partial_json
            self._backend.check_letters(len(self._arguments), MOST_ARGUMENTS)
        elif event.type == "content_block_stop":
            if event.content_block.type == "tool_use":
                self._check_call(event.content_block)
            yield Finished(self._block_json(event.content_block))
        elif event.type == "message_stop":
            self.ended = True
            message = event.message
            used = [getattr(message.usage, name, 0) or 0 for name in TOKENS]
            details = getattr(message, "stop_details", None)
            detail = str(getattr(details, "explanation", "") or "") if details else ""
            yield End(message.stop_reason or "end_turn", Usage(*used), detail)

    def _block_json(self, block: Any) -> Block:
        """A content block as JSON. Raises BackendError if its type or a text that its type requires
        is missing.
        """
        plain = block_as_json(block)
        kind = plain.get("type")
        required = (
            next((names for ending, names in REQUIRED.items() if kind.endswith(ending)), ())
            if isinstance(kind, str)
            else ("type",)
        )
        if missing := [name for name in required if not isinstance(plain.get(name), str)]:
            raise BackendError(
                f"{self._backend.host} sent a part of a reply without a valid {' and '.join(missing)}. Ask"
                " again."
            )
        return plain

    def _check_call(self, call: Any) -> None:
        fault = ""
        # results are sent back by id: the server would refuse every later request with a repeated
        # one
        if not call.id or not isinstance(call.id, str) or call.id in self._calls:
            fault = "without a unique id"
        self._calls.add(call.id)
        if self._arguments:
            try:
                json.loads(self._arguments)
            except (ValueError, RecursionError):
                fault = fault or "whose arguments are not JSON"
        if fault:
            raise BackendError(
                f"{self._backend.host} sent a call of {call.name} {fault}. It was not run. Ask again."
            )


def block_as_json(block: Any) -> Block:
    """A content block of the SDK as JSON, as it is sent back and saved."""
    plain: Block = block.model_dump(mode="json", exclude_none=True, warnings=False)
    return (
        {"type": "text", "text": plain.get("text")}
        if plain.get("type") == "text" and not plain.get("citations")
        else plain
    )


def environment_key() -> str:
    """The API key in the environment, or an empty text."""
    return os.environ.get(KEY, "").strip()


def environment_url() -> str:
    """The base URL in the environment, or an empty text."""
    return os.environ.get("ANTHROPIC_BASE_URL", "").strip()


class AnthropicBackend(ServerBackend):
    """A backend for Anthropic's Messages API. Model and ``base_url`` default to the environment; a
    server at another address needs no key.
    """

    key_variable = KEY

    def __init__(
        self, model: str = "", base_url: str = "", api_key: str = "", **options: Any
    ) -> None:
        super().__init__(model or DEFAULT_MODEL, base_url or environment_url(), api_key, **options)
        self._status: int | None = None
        """The status of the last refusal."""
        self._refuses_pictures = False

    @property
    def host(self) -> str:
        return super().host if self.base_url else DEFAULT_HOST

    @property
    def provided_tools(self) -> tuple[Tool, ...]:
        return (WEB_SEARCH,) if self.own_host else ()

    @property
    def own_host(self) -> bool:
        """Whether this is Anthropic's own server, which supports more features than compatible
        ones.
        """
        return self.host == DEFAULT_HOST

    def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        return self._stream_reply(system, messages, tools, {})

    def stream_last_reply(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        # the tools stay in the request: the messages name them, and the server's cache begins with
        # them
        choice = {"tool_choice": {"type": "none"}} if tools else {}
        return self._stream_reply(system, messages, tools, choice)

    async def _stream_reply(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream a reply. If the server refuses a request with pictures, repeat it without them; if
        that succeeds, send no more pictures.
        """
        pictures = has_pictures(messages)
        sent = without_pictures(messages) if pictures and self._refuses_pictures else messages
        begun = False
        try:
            async for event in self._stream_request(system, sent, tools, more):
                begun = True
                yield event
            return
        except BackendError as error:
            if (
                begun
                or self._refuses_pictures
                or not pictures
                or self._status in _NOT_ABOUT_PICTURES
            ):
                raise
            refusal = error
        try:
            async for event in self._stream_request(
                system, without_pictures(messages), tools, more
            ):
                self._refuses_pictures = True
                yield event
        except BackendError as error:
            raise (error if self._refuses_pictures else refusal) from None

    async def _stream_request(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        self._status = None
        key = self.key_to_send()
        # in a thread: the import takes seconds, and Stop must not wait for it
        await run_in_thread(lambda: importlib.import_module("anthropic"))
        request: dict[str, Any] = {
            "model": self.model,
            "max_tokens": MOST_TOKENS,
            "messages": list(messages),
            **more,
        }
        if system:
            request["system"] = system
        if tools:
            request["tools"] = [tool_definition(tool) for tool in tools]
        if self.own_host:
            request["cache_control"] = {"type": "ephemeral"}
        reply = ReceivedReply(self)
        with self._with_remedies():
            if self._client is None:
                self._client = self._new_client(key)
            manager = self._client.messages.stream(**sendable_request(request))
            async with asyncio.timeout(self._timeout):
                stream = await manager.__aenter__()
            try:
                events = aiter(stream)
                while not reply.ended:
                    async with asyncio.timeout(self._timeout):
                        event = await anext(events, None)
                    if event is None:
                        raise self._interrupted_error()
                    reset_stream_limits(stream.response)
                    for part in reply.read_event(event):
                        yield part
            finally:
                await manager.__aexit__(None, None, None)

    def key_to_send(self) -> str:
        """The key for a request. Raises BackendError if there is none, or if it would be sent
        unencrypted.
        """
        key = (
            key_for_address(self.base_url, self._given_key, self.key) if self.base_url else self.key
        )
        if self.own_host and not self.key:
            raise BackendError(NO_KEY)
        return key

    def _new_client(self, key: str) -> Any:
        import anthropic

        # the SDK warns of the wrong types in a reply before they are refused
        warnings.filterwarnings("ignore", "Pydantic serializer warnings", UserWarning)
        address = self.base_url or f"https://{DEFAULT_HOST}"
        return anthropic.AsyncAnthropic(
            api_key=key or "none",
            base_url=address,
            max_retries=self._max_retries,
            default_headers={"accept-encoding": "identity"},
            http_client=bounded_client(anthropic.DefaultAsyncHttpxClient, address, self._timeout),
        )

    def cost(self, usage: Usage) -> float | None:
        prices = next(
            (p for name, p in PRICES.items() if self.own_host and self.model.startswith(name)), None
        )
        if prices is None:
            return None
        read, written = prices
        tokens = (
            usage.input_tokens
            + CACHE_READ * usage.cache_read_tokens
            + CACHE_WRITE * usage.cache_write_tokens
        )
        return (tokens * read + usage.output_tokens * written) / 1e6

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    def _as_backend_error(self, error: Exception) -> BackendError:
        import anthropic
        import httpx2

        self._status = getattr(error, "status_code", None)
        if isinstance(error, anthropic.APIConnectionError):
            for cause in (error.__cause__, error.__context__):
                if isinstance(cause, BackendError):
                    return cause
        if isinstance(error, anthropic.APIConnectionError | httpx2.HTTPError):
            return super()._as_backend_error(error)
        said = _server_message(error).replace(self.key, "…") if self.key else _server_message(error)
        if not isinstance(error, anthropic.APIStatusError):
            # raised by the SDK for a reply that it cannot parse
            return BackendError(
                f"{self.host} sent a reply that cannot be read ({_first_line(said)}) Ask again."
            )
        status = error.status_code
        if status == 200:
            return self._interrupted_error(f": {said}")
        if status == 403:
            return BackendError(f"{self.host} does not allow this with the key given (403): {said}")
        overloaded = getattr(error, "type", None) == "overloaded_error"
        refusal = (
            BackendError(
                f"{self.host} does not know the model “{self.model}” or the address (404). Choose"
                " another model."
            )
            if status == 404
            else self._refusal_error(529 if overloaded else status, said)
        )
        missing = status in NOT_THERE and not self.own_host
        return ServiceNotFound(str(refusal)) if missing else refusal


def environment_backend() -> Backend | None:
    """The backend configured by the environment; None if there is neither a key nor another
    address.
    """
    backend = AnthropicBackend()
    return None if backend.own_host and not backend.key else backend


def tool_definition(tool: Tool) -> dict[str, Any]:
    """The definition of a tool in a request; for a tool that the server runs only a reference by
    name.
    """
    return (
        {"type": SEARCH_TYPE, "name": tool.name, "max_uses": MOST_SEARCHES}
        if tool is WEB_SEARCH
        else tool.definition
    )


def _server_message(error: Exception) -> str:
    """The server's error message as a sentence in one line."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    text = inner.get("message") if isinstance(inner, dict) else None
    return as_sentence(_first_line(text or error))


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
