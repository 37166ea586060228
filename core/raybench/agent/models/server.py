"""The connection to a model server: its displayed name, its keys, and an HTTP client that limits
the received data. Only this package of `core` uses a network client.
"""

import asyncio
import importlib
import json
import logging
import os
import re
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Protocol, Self
from urllib.parse import urlsplit

from raybench.agent.call.scope import run_in_thread
from raybench.agent.models.addresses import host_of, is_local
from raybench.agent.models.errors import (
    AskedServer,
    RefusedRequest,
    ServerBusy,
    ServiceNotFound,
    as_backend_error,
)
from raybench.agent.models.known_servers import key_in_environment, key_variable, known_server
from raybench.agent.models.protocol import (
    PICTURES_REFUSED,
    PICTURES_TOO_LARGE,
    Backend,
    BackendError,
    FinishedBlock,
    ReplyEnd,
    RetryNotice,
    StreamEvent,
)
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import has_pictures, without_pictures
from raybench.errors import RaybenchError

MOST_BYTES = 128 << 20
"""Maximum bytes of one reply; a megabyte of text that is streamed word by word takes thirty."""
MOST_UNPARSED_BYTES = 8 << 20
"""Maximum bytes up to the next content of a stream, or of a reply without events; parsed as JSON
they may take thirty times the memory.
"""
MOST_LINES = 100_000
"""Maximum lines up to the next content of a stream, more than a network packet can have. Lines
without an event are read one by one, too.
"""
MOST_REPLY_CHARACTERS = 4 << 20
"""Maximum characters of the text of a reply, for which any model takes an hour."""
MOST_ARGUMENTS = 200_000
"""Maximum characters of the arguments of a call, which are parsed again with each piece."""
MOST_TOKENS = 8192
"""Maximum tokens of a reply that is requested, until the server refuses that many."""
LEAST_TOKENS = 512
"""Maximum tokens of a reply that are always worth a request."""
MOST_MODELS = 1000
"""Maximum models of a server that are listed."""
CONNECT_SECONDS, LISTING_SECONDS = 5.0, 20.0
FIRST_WAIT = 1.0
"""Seconds before a request is sent again for the first time; later it is three times as many."""
LONGEST_WAIT = 60.0
"""Most seconds that a server may let wait before a request is sent again."""
SILENCE, LOCAL_SILENCE = 120.0, 300.0
"""Longest silence of a server in seconds. One on this computer may first load the model, and read
the question slowly.
"""
NO_KEY = "No API key for {}. Set {} or enter a key, or give the address of a local server."
_MAY_LEAVE_OUT = (400, 413, 422)
"""Statuses of refusals that may name an optional part of the request."""
_NOT_ABOUT_PICTURES = (401, 403, 404, 408, 409, 429, 503, 529)
"""Statuses of refusals whose reason cannot be a picture."""
ABOUT_LIMIT = re.compile(
    r"max_\w*tokens|(?:output|completion) tokens|context[ _](length|size)", re.I
)
"""Reasons of a refusal for which a lower limit of the reply may help."""
_ABOUT_SIZE = re.compile(r"context[ _](length|window|size)|too (?:large|long|big)|exceed", re.I)
"""Reasons of a refusal for which a request without pictures may be small enough."""
_NUMBER = re.compile(r"(?<![\w.-])\d+\b")
_VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
BOUNDED_EXTENSION = "raybench.bounded"
"""The extension of a response that is its bounded stream."""
KEYRING_SERVICE = "raybench"
log = logging.getLogger(__name__)


def key_for_address(address: str, given: str, key: str) -> str:
    """The key that may be sent to an address: ``key``, or an empty text if the connection is not
    encrypted.

    Raises BackendError if the address is not a server address, or if the user gave the key for this
    server (``given``) and it would be sent unencrypted.
    """
    try:
        parts = urlsplit(address)
        usable = (
            parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
        )
    except ValueError:
        usable = False
    if not usable or any(c.isspace() for c in address):
        shown = re.sub(r"//[^@/]*@", "//…@", address)
        raise BackendError(
            f"“{shown}” is not the address of a server. Give one such as http://localhost:8080."
        )
    if parts.scheme == "https" or is_local(address):
        return key
    if given:
        raise BackendError(
            f"The connection to {host_of(address)} is not encrypted: others could read the key. Use"
            " https://, or no key."
        )
    return ""


def sendable_request(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """A copy of a request whose texts can be encoded as UTF-8. Unpaired surrogates, which some
    models and terminals produce, are joined or replaced.
    """
    text = json.dumps(request, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole: Mapping[str, Any] = json.loads(
            text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
        return whole
    return request


class ReceivedContent(Protocol):
    """A reply while it is received. ``size`` is the number of characters so far."""

    size: int


class ServerBackend(Backend):
    """A backend for a model on a server.

    ``found_key`` replaces the key in the environment; like that key, it may be meant for another
    server. ``timeout`` is the longest time in seconds without content from the server, by default
    `SILENCE` or `LOCAL_SILENCE`; pings and empty events are not content.
    """

    sdk: ClassVar[str]
    """The name of the package that speaks with the server."""
    client_class: ClassVar[str]
    """The class of its client."""

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str = "",
        *,
        max_retries: int = 2,
        timeout: float | None = None,
        found_key: str = "",
    ) -> None:
        self.model, self.base_url = model, base_url
        self._given_key = api_key
        self.key = api_key or found_key or key_in_environment(base_url)
        self._max_retries = max_retries
        silence = LOCAL_SILENCE if is_local(base_url) else SILENCE
        self._timeout = silence if timeout is None else timeout
        self._kept: dict[str, Mapping[str, Any]] = {}
        """What the server wants back with each call, by the id of the call: the block's ``kept``.
        """
        self._client: Any = None
        self._sent_headers: dict[str, Any] = {}
        self._pictures_left_out = ""
        self._copies: dict[str, Self] = {}
        """The backends for other models, which keep what they learned about the server."""
        self._most_tokens = MOST_TOKENS

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, {self.host!r})"

    @property
    def name(self) -> str:
        return self.model or self.host

    @property
    def reason_without_pictures(self) -> str:
        return self._pictures_left_out

    @property
    def host(self) -> str:
        """The host name and port of the server, without user name and password."""
        return host_of(self.base_url)

    def for_model(self, name: str) -> Self:
        if name == self.model:
            return self
        if name not in self._copies:
            self._copies[name] = type(self)(
                name,
                self.base_url,
                self._given_key,
                max_retries=self._max_retries,
                timeout=self._timeout,
                found_key=self.key,
            )
        return self._copies[name]

    def key_to_send(self) -> str:
        """The API key for a request. Raises BackendError if the server needs a key and there is
        none, or if the key would be sent unencrypted.
        """
        known = known_server(self.base_url)
        if known and known.needs_key and not self.key:
            raise BackendError(NO_KEY.format(known.title, known.key_variable))
        return key_for_address(self.base_url, self._given_key, self.key)

    @property
    def _is_default_server(self) -> bool:
        """Whether the server is the one that the environment variables of the SDK are meant for."""
        raise NotImplementedError

    async def list_models(self) -> list[str]:
        key = key_for_address(self.base_url, self._given_key, self.key)
        names: list[str] = []
        try:
            with self._translate_errors(LISTING_SECONDS):
                models = (await self._connected_client(key)).models
                async with asyncio.timeout(LISTING_SECONDS):
                    async for model in await models.list(extra_headers=self._sent_headers):
                        names.append(str(model.id))
                        if len(names) == MOST_MODELS:
                            break
            return names
        except ServiceNotFound:
            text = f"{self.host} does not list its models. Give the name of one."
            raise ServiceNotFound(text) from None

    async def _connected_client(self, key: str) -> Any:
        """The client of the SDK, with the SDK's own retries off."""
        # in a thread: the import takes seconds, and Stop must not wait for it
        sdk = await run_in_thread(lambda: importlib.import_module(self.sdk))
        if self._client is None:
            self._sent_headers = self._headers(key, self._is_default_server)
            self._client = getattr(sdk, self.client_class)(
                api_key=key or "none",
                base_url=self.base_url,
                max_retries=0,
                http_client=bounded_client(
                    sdk.DefaultAsyncHttpxClient, self.base_url, self._timeout
                ),
            )
        return self._client

    def _headers(self, key: str, own: bool) -> dict[str, Any]:
        """The headers of each request. They also tell the SDK to omit the key, if there is none.
        Headers from environment variables are omitted unless the server is the default one
        (``own``).
        """
        omitted = importlib.import_module(self.sdk).Omit()
        custom = os.environ.get(f"{self.sdk.upper()}_CUSTOM_HEADERS", "")
        names = [line.partition(":")[0].strip() for line in custom.splitlines() if ":" in line]
        headers: dict[str, Any] = {}
        if not own:
            headers |= dict.fromkeys([*names, "OpenAI-Organization", "OpenAI-Project"], omitted)
        if not key and not (own and "authorization" in map(str.lower, names)):
            headers |= dict.fromkeys(["Authorization", "X-Api-Key"], omitted)
        return {**headers, "accept-encoding": "identity"}

    def _stream_request(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream the reply to one request. ``more`` are additional request fields."""
        raise NotImplementedError

    async def _stream_reply(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream a reply. The request is repeated if the server is busy and has sent nothing yet.
        It is repeated without a part that the server refuses, if this part can be left out, or
        without pictures. If the request without pictures succeeds, no more pictures are sent,
        unless the request was only too large.
        """
        for id in _earlier_call_ids(messages):
            self._kept.pop(id, None)
        pictures = has_pictures(messages) and self._pictures_left_out != PICTURES_REFUSED
        left_out = "" if pictures else self._pictures_left_out
        sent = messages if pictures else without_pictures(messages)
        refusal: BackendError | None = None
        used = {b["id"] for m in messages for b in m["content"] if b["type"] == "tool_use"}
        tried = 0
        while True:
            begun = False
            try:
                async for event in self._stream_request(system, sent, tools, more):
                    begun = True
                    self._pictures_left_out = left_out
                    if isinstance(event, FinishedBlock) and event.block["type"] == "tool_use":
                        # a server refuses every later request with an id that is not its call's own
                        id = str(event.block.get("id") or "")
                        if id in used or not _VALID_ID.fullmatch(id):
                            id = uuid.uuid4().hex[:9]
                        used.add(id)
                        block = {**event.block, "id": id}
                        if kept := block.pop("kept", None):
                            self._kept[id] = kept
                        event = FinishedBlock(block)
                    elif isinstance(event, ReplyEnd) and event.reason != "tool_use":
                        for id in used:  # the turn has ended
                            self._kept.pop(id, None)
                    yield event
                return
            except RefusedRequest as error:
                if begun:
                    raise
                status, again = error.status, self._next_attempt(error, tried)
                if status in _MAY_LEAVE_OUT and self._adapt_to_refusal(error):
                    continue
                if again is None:
                    if not pictures or not status or status in _NOT_ABOUT_PICTURES:
                        raise refusal or error from None
                    refusal, pictures, sent = error, False, without_pictures(messages)
                    large = status == 413 or _ABOUT_SIZE.search(error.said)
                    left_out = PICTURES_TOO_LARGE if large else PICTURES_REFUSED
                    continue
            tried += 1
            yield again
            await asyncio.sleep(again.seconds)

    def _next_attempt(self, error: RefusedRequest, tried: int) -> RetryNotice | None:
        """When and why the request is repeated after ``tried`` retries; None if it is not."""
        if not isinstance(error, ServerBusy) or tried == self._max_retries:
            return None
        wait = FIRST_WAIT * 3**tried if error.seconds is None else error.seconds
        return RetryNotice(wait, error.reason) if wait <= LONGEST_WAIT else None

    def _adapt_to_refusal(self, refusal: RefusedRequest) -> bool:
        """Change further requests so that the server no longer refuses them: here, lower the token
        limit. Returns False if there is nothing to change.
        """
        most = self._most_tokens
        if most == LEAST_TOKENS or not ABOUT_LIMIT.search(refusal.said):
            return False
        lower = [int(n) for n in _NUMBER.findall(refusal.said) if LEAST_TOKENS < int(n) < most]
        self._most_tokens = max(lower, default=max(LEAST_TOKENS, most // 4))
        return True

    async def _read_events(
        self, stream: Any, reply: ReceivedContent
    ) -> AsyncGenerator[Mapping[str, Any], None]:
        """The events of an SDK stream as JSON objects; other events are skipped. Raises
        TimeoutError if the content of the ``reply`` does not grow for too long.
        """
        events, end, now = aiter(stream), object(), asyncio.get_running_loop().time
        size, deadline = reply.size, now() + self._timeout
        while True:
            async with asyncio.timeout_at(deadline):
                event = await anext(events, end)
            if event is end:
                return
            if (plain := _event_as_json(event)) is not None:
                yield plain
            if reply.size > size:
                size, deadline = reply.size, now() + self._timeout
                reset_stream_limits(stream.response)
            elif now() > deadline:  # a flood of events does not let the timeout run
                raise TimeoutError

    @contextmanager
    def _translate_errors(self, seconds: float | None = None) -> Iterator[None]:
        """A context manager that converts every error to a `BackendError` with the remedy in one
        line. ``seconds`` is the timeout, if it is not that of replies.
        """
        try:
            yield
        except BackendError:
            raise
        except TimeoutError:
            raise BackendError(
                f"{self.host} sent nothing of a reply for {seconds or self._timeout:g} s. Ask again, or choose"
                " a faster model."
            ) from None
        except Exception as error:
            sdk = importlib.import_module(self.sdk)
            asked = AskedServer(self.host, self.model, self.key, key_variable(self.base_url))
            raise as_backend_error(error, sdk, asked) from None

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None
        for copy in self._copies.values():
            await copy.close()

    def check_reply_length(self, count: int, most: int = MOST_REPLY_CHARACTERS) -> None:
        """Raise BackendError if a reply has more than ``most`` characters. ``count`` is its
        length.
        """
        if count > most:
            raise BackendError(
                f"{self.host} sent more than {most:,} letters in one reply. Ask for less."
            )


def _earlier_call_ids(messages: Sequence[Mapping[str, Any]]) -> list[str]:
    """The ids of the calls before the last question."""
    asked = [
        n
        for n, m in enumerate(messages)
        if m["role"] == "user" and any(b["type"] == "text" for b in m["content"])
    ]
    before = messages[: asked[-1]] if asked else []
    return [b["id"] for m in before for b in m["content"] if b["type"] == "tool_use"]


def parse_call_arguments(text: str) -> Any:
    """The arguments of a call, parsed from JSON; the text itself if it is not JSON. The result of
    the call then reports this.
    """
    try:
        return plain_json(json.loads(text)) if text.strip() else {}
    except (ValueError, RecursionError):
        return text


def plain_json(value: Any) -> Any:
    """A value converted to JSON and back. Raises ValueError if JSON cannot represent it."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _event_as_json(event: Any) -> Mapping[str, Any] | None:
    """An event of an SDK as a JSON object; None if it is not an object."""
    if hasattr(event, "model_dump"):
        event = event.model_dump(mode="json", exclude_none=True, warnings=False)
    return event if isinstance(event, Mapping) else None


def bounded_client(make: Callable[..., Any], address: str, timeout: float) -> Any:
    """Make an asynchronous HTTP client without redirects. It reads at most `MOST_BYTES` of a reply,
    and at most `MOST_UNPARSED_BYTES` bytes and `MOST_LINES` lines between two calls of
    `reset_stream_limits`.

    Args:
        make: The class of the client.
        address: The server's. For one on this computer no proxy is used, which could read the key.
        timeout: The longest silence of the server, seconds.
    """
    import httpx2

    host = host_of(address)
    direct = {"mounts": {"http://": None, "https://": None}} if is_local(address) else {}

    async def check_response(response: Any) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise BackendError(
                f"{host} sent a compressed reply, which was not asked for. Check the address."
            )
        response.stream = response.extensions[BOUNDED_EXTENSION] = _bounded_stream(
            response.stream, host
        )

    limits = httpx2.Timeout(timeout, connect=CONNECT_SECONDS)
    # a redirect would send the conversation to a server that the user did not choose
    return make(
        timeout=limits, follow_redirects=False, event_hooks={"response": [check_response]}, **direct
    )


def reset_stream_limits(response: Any) -> None:
    """Restart the count of bytes and lines of a response, after one of its events was read."""
    response.extensions[BOUNDED_EXTENSION].restart_counts()


def _bounded_stream(stream: Any, host: str) -> Any:
    """A byte stream that raises BackendError if the reply is too large, or if too much data, such
    as empty lines, comes without an event.
    """
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self) -> None:
            self.restart_counts()

        def restart_counts(self) -> None:
            self.at_once = self.lines = 0

        async def __aiter__(self) -> AsyncIterator[bytes]:
            received = 0
            async for chunk in stream:
                received += len(chunk)
                self.at_once += len(chunk)
                self.lines += chunk.count(b"\n") + chunk.count(b"\r")
                if received > MOST_BYTES:
                    raise BackendError(
                        f"{host} sent more than {MOST_BYTES >> 20} MB in one reply. Ask for less."
                    )
                if self.at_once > MOST_UNPARSED_BYTES:
                    raise BackendError(
                        f"{host} sent more than {MOST_UNPARSED_BYTES >> 20} MB at once. Check the"
                        " address."
                    )
                if self.lines > MOST_LINES:
                    raise BackendError(
                        f"{host} sent more than {MOST_LINES:,} lines at once. Check the address."
                    )
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


def check_content_type(response: Any, host: str, *allowed: str) -> None:
    """Raise ServiceNotFound if the content type of a response is not one of ``allowed``, for
    example if it is a web page.
    """
    kind = response.headers.get("content-type", "").partition(";")[0]
    if kind and not any(word in kind for word in allowed):
        raise ServiceNotFound(f"{host} sent {kind} instead of a reply. Check the address.")


class KeyringFault(RaybenchError):
    """A key cannot be stored in the keyring of the system."""


def stored_key(host: str) -> str | None:
    """The key of a server in the keyring; empty if none is stored, None if there is no working
    keyring.
    """
    try:
        keyring = _usable_keyring()
        return None if keyring is None else str(keyring.get_password(KEYRING_SERVICE, host) or "")
    # each system's keyring has errors of its own, and a panic of one in Rust is no Exception
    except BaseException as error:
        log.warning("the keyring gives no key for %s: %s", host, type(error).__name__)
        return None


def store_key(host: str, key: str) -> None:
    """Store a key for a server in the keyring, or delete it if ``key`` is empty. Raises
    KeyringFault.
    """
    try:
        keyring = _usable_keyring()
        if keyring is None:
            raise KeyringFault(
                "There is no keyring that works. Set ANTHROPIC_API_KEY before the program starts."
            )
        if key:
            keyring.set_password(KEYRING_SERVICE, host, key)
        elif keyring.get_password(KEYRING_SERVICE, host):
            keyring.delete_password(KEYRING_SERVICE, host)
    except KeyringFault:
        raise
    except BaseException as error:  # as above; its text may hold the key
        raise KeyringFault(
            f"The system's keyring does not keep the key ({type(error).__name__}). Unlock it, and"
            " connect again."
        ) from None


def _usable_keyring() -> Any:
    """The module keyring, if it is installed and has a recommended backend; else None."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    return keyring if keyring.get_keyring().priority >= 1 else None
