"""The backend for Anthropic's Messages API, at Anthropic's own address or at a compatible server.

The SDK is imported when the first question is sent, since the import takes seconds.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any

from raybench.agent.models.errors import interrupted_error
from raybench.agent.models.protocol import (
    WEB_SEARCH,
    BackendError,
    Block,
    FinishedBlock,
    ReplyEnd,
    StreamEvent,
    TextDelta,
    Usage,
)
from raybench.agent.models.server import (
    MOST_ARGUMENTS,
    ServerBackend,
    check_content_type,
    parse_call_arguments,
    sendable_request,
)
from raybench.agent.tools.offer import listed_tools, offered_definition
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import text_block

REQUIRED_FIELDS = {
    "_tool_use": ("id", "name"),
    "tool_use": ("name",),
    "_tool_result": ("tool_use_id",),
    "text": ("text",),
}
"""The fields of a content block that have to be texts, by the end of its type."""
TOKEN_COUNTS = (
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
KEY_VARIABLE = "ANTHROPIC_API_KEY"


class ReceivedReply:
    """The parts of a reply that have been received so far."""

    def __init__(self, backend: AnthropicBackend) -> None:
        self.ended = False
        self.size = 0
        self._backend = backend
        self._blocks: dict[Any, Block] = {}
        """The unfinished blocks by their index."""
        self._arguments: dict[Any, str] = {}
        """The JSON of the calls' arguments so far."""
        self._used: dict[str, int] = {}
        self._reason = self._detail = ""

    def read_event(self, event: Mapping[str, Any]) -> Iterator[StreamEvent]:
        """Convert an event of the SDK to stream events. Raises BackendError if arguments are not
        JSON, or if an id is missing or repeated.
        """
        index = event.get("index")
        match event.get("type"):
            case "message_start":
                self._read_usage(event.get("message") or {})
            case "content_block_start":
                self._blocks[index] = block = dict(event["content_block"])
                self._arguments[index] = ""
                if block.get("type") == "text" and block.get("text"):
                    yield self._text_delta(block["text"])
            case "content_block_delta":
                yield from self._read_delta(index, event["delta"])
            case "content_block_stop":
                block = self._finished_block(index)
                if block["type"] != "text":
                    self._append_text(block["type"])
                yield FinishedBlock(block)
            case "message_delta":
                self._read_usage(event)
                delta = event.get("delta") or {}
                self._reason = delta.get("stop_reason") or self._reason
                details = delta.get("stop_details") or {}
                self._detail = str(details.get("explanation") or "")
            case "message_stop":
                self.ended = True
                used = [self._used.get(name, 0) for name in TOKEN_COUNTS]
                yield ReplyEnd(self._reason or "end_turn", Usage(*used), self._detail)

    def _read_delta(self, index: Any, delta: Mapping[str, Any]) -> Iterator[StreamEvent]:
        block = self._blocks[index]
        match delta.get("type"):
            case "text_delta":
                block["text"] = block.get("text", "") + delta["text"]
                yield self._text_delta(delta["text"])
            case "input_json_delta":
                self._arguments[index] += delta["partial_json"]
                self._append_text(delta["partial_json"])
                self._backend.check_reply_length(len(self._arguments[index]), MOST_ARGUMENTS)
            case "citations_delta":
                block["citations"] = [*block.get("citations", ()), delta["citation"]]
            case "thinking_delta" | "signature_delta" as kind:
                name = kind.removesuffix("_delta")
                block[name] = block.get(name, "") + delta[name]
                self._append_text(delta[name])

    def _text_delta(self, text: str) -> TextDelta:
        self._append_text(text)
        return TextDelta(text)

    def _append_text(self, text: str) -> None:
        self.size += len(text)
        self._backend.check_reply_length(self.size)

    def _read_usage(self, event: Mapping[str, Any]) -> None:
        used = event.get("usage")
        if isinstance(used, Mapping):
            self._used |= {n: used[n] for n in TOKEN_COUNTS if isinstance(used.get(n), int)}

    def _finished_block(self, index: Any) -> Block:
        """A complete content block. Raises BackendError if its type, or a text that this type
        requires, is missing.
        """
        block, host = self._blocks.pop(index), self._backend.host
        kind = block.get("type")
        required = (
            next((names for ending, names in REQUIRED_FIELDS.items() if kind.endswith(ending)), ())
            if isinstance(kind, str)
            else ("type",)
        )
        if missing := [name for name in required if not isinstance(block.get(name), str)]:
            raise BackendError(
                f"{host} sent a part of a reply without a valid {' and '.join(missing)}. Ask again."
            )
        if kind == "text":
            return block if block.get("citations") else {"type": "text", "text": block["text"]}
        if str(kind).endswith("tool_use"):
            given = json.dumps(block.get("input") or {})
            block["input"] = parse_call_arguments(self._arguments[index]) or parse_call_arguments(
                given
            )
        return block


def environment_key() -> str:
    """The API key in the environment variables; empty if there is none."""
    return os.environ.get(KEY_VARIABLE, "").strip()


def environment_url() -> str:
    """The base URL of the server in the environment variables; empty if there is none."""
    return os.environ.get("ANTHROPIC_BASE_URL", "").strip()


def messages_root(address: str) -> str:
    """The root address of a server. The given address may end with the path of the Messages API."""
    return re.sub(r"(/v1)?(/messages)?/*$", "", address)


class AnthropicBackend(ServerBackend):
    """A backend for Anthropic's Messages API. ``model`` and ``base_url`` default to the environment
    variables. A server at another address needs no key.
    """

    sdk, client_class = "anthropic", "AsyncAnthropic"

    def __init__(
        self, model: str = "", base_url: str = "", api_key: str = "", **options: Any
    ) -> None:
        address = messages_root(base_url or environment_url() or f"https://{DEFAULT_HOST}")
        super().__init__(model or DEFAULT_MODEL, address, api_key, **options)

    @property
    def provided_tools(self) -> tuple[Tool, ...]:
        return (WEB_SEARCH,) if self.is_own_host else ()

    @property
    def is_own_host(self) -> bool:
        """Whether the server is Anthropic's own, which supports more features than compatible
        servers.
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

    async def _stream_request(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        key = self.key_to_send()
        request: dict[str, Any] = {
            "model": self.model,
            "max_tokens": self._most_tokens,
            "messages": list(messages),
            "stream": True,
            **more,
        }
        if system:
            request["system"] = system
        if tools:
            request["tools"] = [tool_definition(tool) for tool in listed_tools(tools)]
        if (
            self.is_own_host
        ):  # two breakpoints: after the messages, and after what all conversations share
            request["cache_control"] = {"type": "ephemeral"}
            if system:
                cached = {**text_block(system), "cache_control": {"type": "ephemeral"}}
                request["system"] = [cached]
        reply = ReceivedReply(self)
        with self._translate_errors():
            client = await self._connected_client(key)
            async with asyncio.timeout(self._timeout):
                stream = await client.messages.create(
                    **sendable_request(request), extra_headers=self._sent_headers
                )
            try:
                check_content_type(stream.response, self.host, "event-stream")
                async for event in self._read_events(stream, reply):
                    for part in reply.read_event(event):
                        yield part
                    if reply.ended:
                        return
                raise interrupted_error(self.host)
            finally:
                await stream.close()

    @property
    def _is_default_server(self) -> bool:
        meant = self.is_own_host or self.base_url == messages_root(environment_url())
        return meant and self.base_url.startswith("https:")

    def cost(self, usage: Usage) -> float | None:
        prices = next(
            (p for name, p in PRICES.items() if self.is_own_host and self.model.startswith(name)),
            None,
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


def tool_definition(tool: Tool) -> dict[str, Any]:
    """The definition of a tool in a request. A tool that the server runs itself is only named."""
    return (
        {"type": SEARCH_TYPE, "name": tool.name, "max_uses": MOST_SEARCHES}
        if tool is WEB_SEARCH
        else offered_definition(tool)
    )
