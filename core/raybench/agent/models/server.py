"""A model's server: its displayed name, the keys for it, and an HTTP client that limits what it
receives.

With `raybench.agent.models.anthropic` and `raybench.agent.models.chat`, the only files of `core`
that touch a network client.
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
from ipaddress import ip_address
from typing import Any, ClassVar, Self
from urllib.parse import urlsplit

from raybench.agent.models.protocol import Backend, BackendError, Finished, Retrying, StreamEvent
from raybench.agent.tools.tool import Tool
from raybench.agent.turn.history import has_pictures, without_pictures
from raybench.errors import RaybenchError, as_sentence

MOST_BYTES = 128 << 20
"""Maximum bytes of one reply; a megabyte of text that is streamed word by word takes thirty."""
MOST_AT_ONCE = 8 << 20
"""Maximum bytes up to the next event of a stream, or of a reply without events; parsed as JSON they
may take thirty times the memory.
"""
MOST_LINES = 100_000
"""Maximum lines up to the next event of a stream, more than a network packet can have. Lines
without an event are read one by one, too.
"""
MOST_LETTERS = 4 << 20
"""Maximum characters of the text of a reply, for which any model takes an hour."""
MOST_ARGUMENTS = 200_000
"""Maximum characters of the arguments of a call, which are parsed again with each piece."""
MOST_TOKENS = 8192
"""Maximum tokens of a reply that is requested."""
CONNECT_SECONDS = 5.0
FIRST_WAIT = 1.0
"""Seconds before a request is sent again for the first time; later it is three times as many."""
NOT_THERE = (404, 405, 501)
"""Statuses of a server without the requested service."""
_NOT_ABOUT_PICTURES = (None, 401, 403, 404, 429, 529)
"""Statuses of refusals whose reason cannot be a picture."""
_ABOUT_TOOLS = (400, 404, 422, 500, 501)
"""Statuses of refusals that may name tools as their reason."""
_REFUSED = (
    r"(?:not|n't)( be)? support|unsupported|not permitted|extra (inputs|fields)|requires --"
    r"|no endpoints"
)
_REFUSES_TOOLS = re.compile(rf"tool.{{0,60}}(?:{_REFUSED})|(?:{_REFUSED}).{{0,60}}tool", re.I)
_ABOUT_TEXT = re.compile(r"\bpars(ed?|ing)\b|context (length|window|size)", re.I)
"""Reasons of a refusal in whose message tools are named, but not refused."""
_VALID_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
BOUNDED = "raybench.bounded"
"""The extension of a response that is its bounded stream."""
SERVICE = "raybench"
log = logging.getLogger(__name__)


class ServiceNotFound(BackendError):
    """A server does not provide the requested API at this address; it may provide another one."""


class ToolsRefused(BackendError):
    """A server refused a request with a message that names tools: it takes none, or this model
    calls none.
    """


class Overloaded(BackendError):
    """A server reported in a reply that it is overloaded."""


def host_of(address: str) -> str:
    """The host name and port in an address, without user name and password."""
    try:
        host = urlsplit(address).netloc.rpartition("@")[2].lower().removesuffix(":443")
        return host or "the server"
    except ValueError:
        return "the server"


def key_for_address(address: str, given: str, key: str) -> str:
    """The key that may be sent to an address: ``key``, or an empty text if the connection is not
    encrypted.

    BackendError if this is not an address of a server, or if a key ``given`` for this server would
    be sent unencrypted.
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
    if parts.scheme == "https" or _is_loopback(parts.hostname or ""):
        return key
    if given:
        raise BackendError(
            f"The connection to {host_of(address)} is not encrypted: others could read the key. Use"
            " https://, or no key."
        )
    return ""


def sendable_request(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """A copy of a request whose texts can be encoded as UTF-8. Halves of surrogate pairs, which
    some models and terminals produce, are joined or replaced.
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


def is_local(address: str) -> bool:
    """Whether an address is on this computer."""
    try:
        return _is_loopback(urlsplit(address).hostname or "")
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, such as 127.0.0.1.example.com
        return False


class ServerBackend(Backend):
    """A backend for a model at a server.

    ``found_key`` replaces the key of the environment; like that one, it is not known to be meant
    for this server. ``timeout`` is the longest silence of the server in seconds; pings and comments
    in the stream do not count.
    """

    key_variable: ClassVar[str]
    """The environment variable of the key."""
    sdk: ClassVar[str]
    """The name of the package that speaks with the server."""

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str = "",
        *,
        max_retries: int = 2,
        timeout: float = 120.0,
        found_key: str = "",
    ) -> None:
        self.model, self.base_url = model, base_url
        self._given_key = api_key
        self.key = api_key or found_key or os.environ.get(self.key_variable, "").strip()
        self._max_retries, self._timeout = max_retries, timeout
        self._client: Any = None
        self._status: int | None = None
        """The status of the last refusal."""
        self._refuses_pictures = False

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.model!r}, {self.host!r})"

    @property
    def name(self) -> str:
        return self.model or self.host

    @property
    def host(self) -> str:
        """The host name and port of the server, without user name and password."""
        return host_of(self.base_url)

    def for_model(self, name: str) -> Self:
        if name == self.model:
            return self
        return type(self)(
            name,
            self.base_url,
            self._given_key,
            max_retries=self._max_retries,
            timeout=self._timeout,
            found_key=self.key,
        )

    def _headers(self, key: str, own: bool) -> dict[str, Any]:
        """The headers of each request. Without a key, the SDK's placeholder is omitted; so are the
        headers in environment variables unless the server is their ``own``.
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
        """Stream the reply to one request, to which ``more`` is added."""
        raise NotImplementedError

    async def _stream_reply(
        self,
        system: str,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Tool],
        more: Mapping[str, Any],
    ) -> AsyncGenerator[StreamEvent, None]:
        """Stream a reply. If the server refuses a request with pictures, repeat it without them; if
        that succeeds, send no more pictures. Repeat it too if the server is overloaded before it
        says anything.
        """
        pictures = has_pictures(messages) and not self._refuses_pictures
        sent = messages if pictures else without_pictures(messages)
        refusal: BackendError | None = None
        used = {b["id"] for m in messages for b in m["content"] if b["type"] == "tool_use"}
        tried = 0
        while True:
            begun = False
            try:
                async for event in self._stream_request(system, sent, tools, more):
                    begun = True
                    self._refuses_pictures |= refusal is not None
                    if isinstance(event, Finished) and event.block["type"] == "tool_use":
                        # a server refuses every later request with an id that is not its call's own
                        id = str(event.block.get("id") or "")
                        if id in used or not _VALID_ID.fullmatch(id):
                            id = uuid.uuid4().hex[:9]
                        used.add(id)
                        event = Finished({**event.block, "id": id})
                    yield event
                return
            except BackendError as error:
                if isinstance(error, Overloaded) and not begun and tried < self._max_retries:
                    wait = FIRST_WAIT * 3**tried
                    tried += 1
                elif begun or not pictures or self._status in _NOT_ABOUT_PICTURES:
                    raise (error if begun else refusal or error) from None
                else:
                    refusal, pictures, sent = error, False, without_pictures(messages)
                    continue
            yield Retrying(wait, "overloaded")
            await asyncio.sleep(wait)

    async def _read_events(self, stream: Any) -> AsyncGenerator[Mapping[str, Any], None]:
        """The events of a stream of the SDK as JSON; what is no object is left out."""
        events, end = aiter(stream), object()
        while True:
            async with asyncio.timeout(self._timeout):
                event = await anext(events, end)
            if event is end:
                return
            reset_stream_limits(stream.response)
            if (plain := _as_json(event)) is not None:
                yield plain

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """A context manager that converts every error to a `BackendError`, which states the remedy
        in one line.
        """
        try:
            yield
        except BackendError:
            raise
        except TimeoutError:
            raise BackendError(
                f"{self.host} sent nothing for {self._timeout:g} s. Ask again, or check the"
                " address."
            ) from None
        except Exception as error:
            raise self._as_backend_error(error) from None

    def _as_backend_error(self, error: Exception) -> BackendError:
        """Convert an error of the HTTP client to a `BackendError`."""
        import httpx2

        sdk = importlib.import_module(self.sdk)
        self._status = status = getattr(error, "status_code", None)
        if isinstance(error, sdk.APIConnectionError):
            for cause in (error.__cause__, error.__context__):
                if isinstance(cause, BackendError):
                    return cause
        if isinstance(error, sdk.APIConnectionError | httpx2.HTTPError):
            return self._connection_error(error)
        said = _server_message(error).replace(self.key, "…") if self.key else _server_message(error)
        overloaded = getattr(error, "type", None) == "overloaded_error"
        if status == 200 or (status is None and isinstance(error, sdk.APIError)):
            broken = self._interrupted_error(f": {said}")
            return Overloaded(str(broken)) if overloaded else broken
        if not isinstance(error, sdk.APIStatusError):
            # raised for a reply that cannot be parsed
            return BackendError(
                f"{self.host} sent a reply that cannot be read ({_first_line(said)}) Ask again."
            )
        refused = _REFUSES_TOOLS.search(said) and not _ABOUT_TEXT.search(said)
        if status in _ABOUT_TOOLS and refused:
            return ToolsRefused(str(self._refusal_error(400, said)))
        if status == 403:
            return BackendError(f"{self.host} does not allow this with the key given (403): {said}")
        refusal = (
            BackendError(
                f"{self.host} does not know the model “{self.model}” or the address (404). Choose"
                " another model."
            )
            if status == 404
            else self._refusal_error(529 if overloaded else error.status_code, said)
        )
        return ServiceNotFound(str(refusal)) if status in NOT_THERE else refusal

    def _connection_error(self, error: Exception) -> BackendError:
        """The error for a connection; the SDKs raise theirs from that of the HTTP client."""
        name = type(error.__cause__ or error).__name__
        if "Timeout" in name:
            text = f"{self.host} did not answer in time. Ask again, or check the address."
        elif "Connect" in name:
            remedy = (
                "Start the model's server, or correct the address."
                if is_local(f"//{self.host}")
                else "Check the network and the address."
            )
            text = f"{self.host} cannot be reached. {remedy}"
        else:
            text = f"The connection to {self.host} broke off. Ask again."
        return BackendError(text)

    def _refusal_error(self, status: int, said: str) -> BackendError:
        """The error for a request that the server refused with this status. ``said`` is the message
        of the server, from which the key is removed.
        """
        host, said = self.host, said.replace(self.key, "…") if self.key else said
        if 300 <= status < 400:
            what = f"redirects to another address ({status}). Give that address, if you trust it."
        elif status in (401, 403):
            what = f"refused the key ({status}). Enter another one, or set {self.key_variable}."
        elif status == 413:
            return BackendError(f"The conversation is too long for {host} (413). Start a new one.")
        elif status == 429:
            what = "limits the rate of requests (429). Wait a little and ask again."
        elif status == 529:
            what = "is overloaded (529). Wait a little and ask again."
        elif status >= 500:
            what = f"has a fault ({status}). Wait a little and ask again."
        else:
            what = f"refused the request ({status}): {said} Check the model's name and the address."
        return BackendError(f"{host} {what}")

    def _interrupted_error(self, said: str = " before the end of its reply.") -> BackendError:
        return BackendError(f"{self.host} broke off{said} Ask again.")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None

    def check_letters(self, count: int, most: int = MOST_LETTERS) -> None:
        """Raise BackendError if a reply has more than ``most`` letters."""
        if count > most:
            raise BackendError(
                f"{self.host} sent more than {most:,} letters in one reply. Ask for less."
            )


def read_arguments(text: str) -> Any:
    """The arguments of a call from their JSON; the text itself if it is not JSON, which the call's
    result says.
    """
    try:
        return plain_json(json.loads(text)) if text.strip() else {}
    except (ValueError, RecursionError):
        return text


def plain_json(value: Any) -> Any:
    """A value as it is read again from JSON. Raises ValueError if JSON has no such value."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _as_json(event: Any) -> Mapping[str, Any] | None:
    """An event of an SDK as JSON; None if it is no object."""
    if hasattr(event, "model_dump"):
        event = event.model_dump(mode="json", exclude_none=True, warnings=False)
    return event if isinstance(event, Mapping) else None


def _server_message(error: Exception) -> str:
    """The server's error message as a sentence in one line."""
    body = getattr(error, "body", None)
    inner = body.get("error", body) if isinstance(body, dict) else None
    text = inner.get("message") if isinstance(inner, dict) else inner
    return as_sentence(_first_line(text or error))


def _first_line(error: object) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]


def bounded_client(make: Callable[..., Any], address: str, timeout: float) -> Any:
    """Make an asynchronous HTTP client that follows no redirects. It reads at most `MOST_BYTES` of
    a reply, and at most `MOST_AT_ONCE` bytes and `MOST_LINES` lines between calls of
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
        response.stream = response.extensions[BOUNDED] = _bounded_stream(response.stream, host)

    limits = httpx2.Timeout(timeout, connect=CONNECT_SECONDS)
    # a redirect would send the conversation to a server that the user did not choose
    return make(
        timeout=limits, follow_redirects=False, event_hooks={"response": [check_response]}, **direct
    )


def reset_stream_limits(response: Any) -> None:
    """Restart the count of bytes and lines of a response after one of its events was read."""
    response.extensions[BOUNDED].restart_counts()


def _bounded_stream(stream: Any, host: str) -> Any:
    """A byte stream that raises BackendError if the reply is too large, or if too much is received
    without an event, such as empty lines.
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
                if self.at_once > MOST_AT_ONCE:
                    raise BackendError(
                        f"{host} sent more than {MOST_AT_ONCE >> 20} MB at once. Check the address."
                    )
                if self.lines > MOST_LINES:
                    raise BackendError(
                        f"{host} sent more than {MOST_LINES:,} lines at once. Check the address."
                    )
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

    return Bounded()


class KeyringFault(RaybenchError):
    """A key cannot be stored in the keyring of the system."""


def stored_key(host: str) -> str | None:
    """The stored key of a server; empty if none is stored, None if there is no working keyring."""
    try:
        keyring = _usable_keyring()
        return None if keyring is None else str(keyring.get_password(SERVICE, host) or "")
    # each system's keyring has errors of its own, and a panic of one in Rust is no Exception
    except BaseException as error:
        log.warning("the keyring gives no key for %s: %s", host, type(error).__name__)
        return None


def store_key(host: str, key: str) -> None:
    """Store a key for a server, or delete it if ``key`` is empty. Raises KeyringFault."""
    try:
        keyring = _usable_keyring()
        if keyring is None:
            raise KeyringFault(
                "There is no keyring that works. Set ANTHROPIC_API_KEY before the program starts."
            )
        if key:
            keyring.set_password(SERVICE, host, key)
        elif keyring.get_password(SERVICE, host):
            keyring.delete_password(SERVICE, host)
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
