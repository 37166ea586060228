"""The backend for servers with the chat-completions API, such as local model servers. It sends and
streams text only.

Tools are not sent, since many such models cannot use them: `raybench.agent.models.text_protocol`
asks for calls in text.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from typing import Any

from raybench.agent.call.scope import run_in_thread
from raybench.agent.models.protocol import (
    BackendError,
    End,
    Finished,
    StreamEvent,
    TextDelta,
    Usage,
)
from raybench.agent.models.server import (
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
from raybench.agent.turn.history import text_block
from raybench.errors import as_sentence

SERVICE = "/chat/completions"
KEY = "OPENAI_API_KEY"
"""The environment variable of the key, which local servers do not need."""
_REASONS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_BUSY = (408, 409, 429, 500, 502, 503, 504, 529)
"""Statuses after which the request is repeated."""
MOST_WAIT = 30.0
"""Longest wait in seconds before a request is repeated."""


class ChatBackend(ServerBackend):
    """A backend for chat completions at ``base_url``: the server's root, the address up to ``/v1``,
    or that of the service. Without a ``model`` it uses the first that the server lists. Local
    servers need no key.
    """

    key_variable = KEY

    def __init__(self, model: str, base_url: str, api_key: str = "", **options: Any) -> None:
        address = base_url.rstrip("/")
        root = address.removesuffix(SERVICE)
        if root == address and "/" not in address.partition("://")[2]:
            root = f"{root}/v1"
        super().__init__(model, root, api_key, **options)

    async def stream_turn(
        self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]
    ) -> AsyncGenerator[StreamEvent, None]:
        key = key_for_address(self.base_url, self._given_key, self.key)
        with self._with_remedies():
            if self._client is None:
                # in a thread: the import takes time, and Stop must not wait for it
                self._client = await run_in_thread(lambda: self._new_client(key))
            request = {
                "model": await self._model_name(),
                "messages": _text_messages(system, messages),
                "max_tokens": MOST_TOKENS,
                "stream": True,
                "stream_options": {"include_usage": True},
            }
            response = await self._send_request(request)
            try:
                async for event in self._read_events(response):
                    yield event
            finally:
                await response.aclose()

    def _new_client(self, key: str) -> Any:
        import httpx2

        client = bounded_client(httpx2.AsyncClient, self.base_url, self._timeout)
        client.headers.update(
            {"accept-encoding": "identity"} | ({"authorization": f"Bearer {key}"} if key else {})
        )
        return client

    async def _model_name(self) -> str:
        """The model's name; without one, that of the first model that the server lists."""
        if not self.model:
            try:
                async with asyncio.timeout(self._timeout):
                    listed = (await self._client.get(f"{self.base_url}/models")).json()
                self.model = str(listed["data"][0]["id"])
            except (ValueError, KeyError, IndexError, TypeError, RecursionError):
                return "default"  # servers of a single model take any name
        return self.model

    async def _send_request(self, request: Mapping[str, Any]) -> Any:
        """Send the request and return the response, not yet read. The request is repeated while the
        server is busy. Raises BackendError for any other refusal.
        """
        import httpx2

        max_retries, timeout = self._max_retries, self._timeout
        for tried in range(max_retries + 1):
            last = tried == max_retries
            made = self._client.build_request(
                "POST", f"{self.base_url}{SERVICE}", json=sendable_request(request)
            )
            try:
                async with asyncio.timeout(timeout):
                    response = await self._client.send(made, stream=True)
            except httpx2.TransportError as error:
                if last or isinstance(error, httpx2.TimeoutException):
                    raise
                wait = 0.5 * 2**tried
            else:
                if response.status_code == 200:
                    return response
                try:
                    async with asyncio.timeout(timeout):
                        said = _server_message(await response.aread())
                finally:
                    await response.aclose()
                status = response.status_code
                if status in NOT_THERE:
                    what = f"no service {SERVICE} at this address, or no model “{self.model}”"
                    raise ServiceNotFound(f"{self.host} has {what} ({status}). Check both.")
                if last or status not in _BUSY:
                    raise self._refusal_error(status, said)
                wait = _retry_delay(response.headers, 0.5 * 2**tried)
            await asyncio.sleep(min(wait, MOST_WAIT))
        raise AssertionError

    async def _read_events(self, response: Any) -> AsyncGenerator[StreamEvent, None]:
        """The events of a reply, streamed or sent as a whole."""
        if "event-stream" not in response.headers.get("content-type", ""):
            async with asyncio.timeout(self._timeout):
                whole = self._parse_json((await response.aread()).decode("utf-8", "replace"))
            said, reason, usage = self._read_part(whole, "message")
            if said:
                yield TextDelta(said)
            yield Finished(text_block(said))
            yield End(_REASONS.get(reason, "end_turn"), usage)
            return
        lines, text, letters, reason, usage = (
            _event_lines(response.aiter_bytes()),
            list[str](),
            0,
            "",
            Usage(),
        )
        while (line := await self._next_event_data(lines)) is not None:
            reset_stream_limits(response)
            if line == "[DONE]":
                reason = reason or "stop"
                break
            said, why, used = self._read_part(self._parse_json(line), "delta")
            reason = why or reason
            usage = used if used != Usage() else usage
            if said:
                letters += len(said)
                self.check_letters(letters)
                text.append(said)
                yield TextDelta(said)
        if not reason:
            raise self._interrupted_error()
        yield Finished(text_block("".join(text)))
        yield End(_REASONS.get(reason, "end_turn"), usage)

    async def _next_event_data(self, lines: AsyncIterator[str]) -> str | None:
        """The next data of the stream; None at its end."""
        async with asyncio.timeout(self._timeout):
            while (line := await anext(lines, None)) is not None:
                if line.startswith("data:"):
                    return line.removeprefix("data:").strip()
        return None

    def _parse_json(self, text: str) -> Any:
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            raise BackendError(
                f"{self.host} sent a reply that cannot be read: it is not JSON. Check the address."
            ) from None

    def _read_part(self, part: Any, where: str) -> tuple[str, str, Usage]:
        """Text, finish reason and usage of a part of the reply; BackendError if it reports an error
        or cannot be read.
        """
        if not isinstance(part, Mapping) or not isinstance(part.get("choices"), list):
            fault = (
                _server_message(json.dumps(part).encode())
                if isinstance(part, Mapping) and part.get("error")
                else ""
            )
            raise (
                self._interrupted_error(f": {fault}")
                if fault
                else BackendError(f"{self.host} sent a reply that cannot be read.")
            )
        used = part.get("usage") or {}
        usage = Usage(_token_count(used, "prompt_tokens"), _token_count(used, "completion_tokens"))
        choice: Any = next(iter(part["choices"]), {})
        said = (choice.get(where) or {}).get("content") if isinstance(choice, Mapping) else None
        return said if isinstance(said, str) else "", str(choice.get("finish_reason") or ""), usage

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None


async def _event_lines(chunks: AsyncIterator[bytes]) -> AsyncIterator[str]:
    """Read the lines of an event stream. Only LF or CR ends a line, since JSON may hold other line
    separators of Unicode.
    """
    held: list[bytes] = []
    async for chunk in chunks:
        first, *others = re.split(rb"[\r\n]", chunk)
        held.append(first)
        for part in others:
            yield b"".join(held).decode("utf-8", "replace")
            held = [part]
    yield b"".join(held).decode("utf-8", "replace")


def _text_messages(system: str, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """The messages as the server takes them: their texts."""
    first = [{"role": "system", "content": system}] if system else []
    return first + [
        {
            "role": m["role"],
            "content": "\n\n".join(b["text"] for b in m["content"] if b["type"] == "text"),
        }
        for m in messages
    ]


def _token_count(usage: Any, name: str) -> int:
    number = usage.get(name) if isinstance(usage, Mapping) else 0
    return number if isinstance(number, int) else 0


def _retry_delay(headers: Mapping[str, str], otherwise: float) -> float:
    """How long to wait before the next try, seconds."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)  # in this order NaN is 0
        except (KeyError, ValueError):
            continue
    return otherwise


def _server_message(body: bytes) -> str:
    """The server's error message as a sentence in one line; "" if it gives none."""
    try:
        error = json.loads(body).get("error")
    except (ValueError, AttributeError, RecursionError):
        return ""
    text = error.get("message") if isinstance(error, Mapping) else error
    return as_sentence(" ".join(str(text or "").split())[:200])
