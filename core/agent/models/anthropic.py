"""The backend for Anthropic's Messages API, at its own address or at any compatible server.

The only file of `core` that touches a network client; it is imported when the first question is sent, because it takes seconds.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from core.agent.call.thread import in_thread
from core.agent.models.protocol import Backend, BackendError, Block, End, Finished, StreamEvent, Text, Usage
from core.agent.tools.tool import Tool

DEFAULT_MODEL = "claude-sonnet-5-5"
DEFAULT_HOST = "api.anthropic.com"
MODELS = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-haiku-5-5", "claude-fable-5-2")
"""The models offered by the model picker, which accepts any other name."""
NO_KEY = "No API key for Anthropic. Set ANTHROPIC_API_KEY or enter a key, or give the address of a local server."


def environment_key() -> str:
    """The API key in the environment, or an empty text."""
    return os.environ.get("ANTHROPIC_API_KEY", "").strip()


def environment_url() -> str:
    """The base URL in the environment, or an empty text."""
    return os.environ.get("ANTHROPIC_BASE_URL", "").strip()


class AnthropicBackend:
    """``base_url`` and ``api_key`` come from the environment where they are not given; a server elsewhere needs no key."""

    def __init__(
        self,
        model: str = "",
        base_url: str = "",
        api_key: str = "",
        *,
        max_tokens: int = 8192,
        max_retries: int = 2,
        timeout: float = 300.0,
    ) -> None:
        self.model = model or DEFAULT_MODEL
        self.base_url = base_url or environment_url()
        self._key = api_key or environment_key()
        self._limits = (max_tokens, max_retries, timeout)
        self._client: Any = None

    def __repr__(self) -> str:
        return f"AnthropicBackend({self.model!r}, {self.host!r})"

    @property
    def name(self) -> str:
        return self.model

    @property
    def host(self) -> str:
        return (urlsplit(self.base_url).netloc or self.base_url) if self.base_url else DEFAULT_HOST

    @property
    def own_host(self) -> bool:
        """Whether this is Anthropic's own server, which supports more features than compatible ones."""
        return self.host == DEFAULT_HOST

    async def stream_turn(self, system: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Tool]) -> AsyncIterator[StreamEvent]:
        if self.own_host and not self._key:
            raise BackendError(NO_KEY)
        if self.base_url and not self.base_url.startswith(("http://", "https://")):
            raise BackendError(f"“{self.base_url}” is no address of a server. Give one such as http://localhost:8080.")
        # in a thread: the import takes seconds, and Stop must not wait for it
        await in_thread(lambda: importlib.import_module("anthropic"))
        import anthropic
        import httpx2

        max_tokens, max_retries, timeout = self._limits
        try:
            if self._client is None:
                self._client = anthropic.AsyncAnthropic(
                    api_key=self._key or "none",
                    base_url=self.base_url or f"https://{DEFAULT_HOST}",
                    max_retries=max_retries,
                    timeout=httpx2.Timeout(timeout, connect=5.0),
                )
            request: dict[str, Any] = {"model": self.model, "max_tokens": max_tokens, "messages": list(messages)}
            if system:
                request["system"] = system
            if tools:
                request["tools"] = [tool.definition for tool in tools]
            if self.own_host:
                request["cache_control"] = {"type": "ephemeral"}
            async with self._client.messages.stream(**request) as stream:
                async for event in stream:
                    if event.type == "text":
                        yield Text(event.text)
                    elif event.type == "content_block_stop":
                        yield Finished(plain_block(event.content_block))
                    elif event.type == "message_stop":
                        yield End(event.message.stop_reason or "end_turn", _usage(event.message.usage), _detail(event.message))
        except (anthropic.AnthropicError, httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise BackendError(self.explain(error)) from None
        except (ValueError, TypeError, AssertionError, LookupError) as error:
            # raised by the SDK for a reply that it cannot parse, such as arguments that are not JSON
            raise BackendError(f"{self.host} sent a reply that cannot be read ({_first_line(error)}). Ask again.") from None

    def for_model(self, name: str) -> AnthropicBackend:
        if name == self.model:
            return self
        max_tokens, max_retries, timeout = self._limits
        return AnthropicBackend(name, self.base_url, self._key, max_tokens=max_tokens, max_retries=max_retries, timeout=timeout)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    def explain(self, error: Exception) -> str:
        """One line about an error of the SDK or the connection, with the remedy; never contains the key."""
        import anthropic

        status = getattr(error, "status_code", None)
        message = self._without_key(_message(error))
        if isinstance(error, anthropic.APITimeoutError) or "Timeout" in type(error).__name__:
            return f"{self.host} did not answer in time. Ask again, or check the address."
        if isinstance(error, anthropic.APIConnectionError):
            return f"{self.host} cannot be reached. Check the network and the address."
        if status is None or not isinstance(error, anthropic.APIStatusError):
            return f"The connection to {self.host} broke off. Ask again."
        kind = getattr(error, "type", None) or ""
        if status == 200:
            return f"{self.host} broke off: {message} Ask again."
        if status == 529 or kind == "overloaded_error":
            return f"{self.host} is overloaded (529). Wait a little and ask again."
        remedies = {
            401: f"{self.host} refused the key (401). Enter another one.",
            403: f"{self.host} does not allow this with the key given (403): {message}",
            404: f"{self.host} does not know the model “{self.model}” or the address (404). Choose another model.",
            413: f"The conversation is too long for {self.host} (413). Start a new one.",
            429: f"{self.host} limits the rate of requests (429). Wait a little and ask again.",
        }
        if status in remedies:
            return remedies[status]
        if status >= 500:
            return f"{self.host} has a fault ({status}). Wait a little and ask again."
        return f"{self.host} refused the request ({status}): {message} Check the model's name and the address."

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "…") if self._key else text


def chosen_backend(model: str = "", base_url: str = "", api_key: str = "") -> Backend | None:
    """The backend configured by the arguments and the environment; None if there is neither a key nor another address."""
    backend = AnthropicBackend(model, base_url, api_key)
    return None if backend.own_host and not (api_key or environment_key()) else backend


def plain_block(block: Any) -> Block:
    """A content block of the SDK as JSON, as it is sent back and saved."""
    plain: Block = block.model_dump(mode="json", exclude_none=True)
    return {"type": "text", "text": plain["text"]} if plain["type"] == "text" and not plain.get("citations") else plain


def _usage(usage: Any) -> Usage:
    return Usage(
        usage.input_tokens or 0,
        usage.output_tokens or 0,
        getattr(usage, "cache_read_input_tokens", 0) or 0,
        getattr(usage, "cache_creation_input_tokens", 0) or 0,
    )


def _detail(message: Any) -> str:
    details = getattr(message, "stop_details", None)
    return str(getattr(details, "explanation", "") or "") if details else ""


def _message(error: Exception) -> str:
    """The server's error message as a sentence in one line."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    text = inner.get("message") if isinstance(inner, dict) else None
    line = _first_line(text or error)
    return line if line.endswith((".", "!", "?")) else f"{line}."


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
