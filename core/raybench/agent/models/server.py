"""The address of a model's server: its displayed name, the keys for it, and a client with limits on
what it receives.

With `raybench.agent.models.anthropic` and `raybench.agent.models.chat`, the only files of `core`
that touch a network client.
"""

import importlib
import json
import logging
import re
from collections.abc import AsyncIterator, Callable, Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from raybench.agent.models.protocol import BackendError
from raybench.errors import RaybenchError

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
NOT_THERE = (404, 405, 501)
"""Statuses of a server without the requested service."""
BOUNDED = "raybench.bounded"
"""The extension of a response that is its bounded stream."""
SERVICE = "raybench"
log = logging.getLogger(__name__)


class ServiceNotFound(BackendError):
    """A server does not have the requested service at this address; it may have another."""


def host_of(address: str) -> str:
    """The server's name and port, without the credentials that an address may hold."""
    try:
        return urlsplit(address).netloc.rpartition("@")[2] or "the server"
    except ValueError:
        return "the server"


def usable_key(address: str, given: str, key: str) -> str:
    """The key to send to an address: ``key``, or none if the connection is not encrypted.

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
    """A request whose texts can be sent as UTF-8: halves of a surrogate pair, as models and
    terminals give them, are joined or replaced.
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


def check_letters(host: str, count: int, most: int = MOST_LETTERS) -> None:
    """Raise BackendError if a reply has more letters than it may."""
    if count > most:
        raise BackendError(f"{host} sent more than {most:,} letters in one reply. Ask for less.")


def is_local(address: str) -> bool:
    """Whether an address is one of this computer."""
    try:
        return _is_loopback(urlsplit(address).hostname or "")
    except ValueError:
        return False


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, such as 127.0.0.1.example.com
        return False


def refused_key(host: str, status: int, variable: str) -> str:
    """One line about a key that a server refused. ``variable`` is the environment variable that the
    key comes from.
    """
    return f"{host} refused the key ({status}). Enter another one, or set {variable}."


def refusal(host: str, status: int, said: str) -> str:
    """One line about a request that a server refused with a status, with the remedy. ``said`` is
    the server's own message.
    """
    lines = {
        413: f"The conversation is too long for {host} (413). Start a new one.",
        429: f"{host} limits the rate of requests (429). Wait a little and ask again.",
        529: f"{host} is overloaded (529). Wait a little and ask again.",
    }
    if status in lines:
        return lines[status]
    if 300 <= status < 400:
        return (
            f"{host} redirects to another address ({status}). Give that address, if you trust it."
        )
    if status >= 500:
        return f"{host} has a fault ({status}). Wait a little and ask again."
    return f"{host} refused the request ({status}): {said} Check the model's name and the address."


def no_reply(host: str, timeout: float) -> BackendError:
    """The error about a server that sent nothing for ``timeout`` seconds."""
    return BackendError(f"{host} sent nothing for {timeout:g} s. Ask again, or check the address.")


def lost_connection(host: str, error: Exception) -> str:
    """One line about an error of the HTTP client, with the remedy."""
    name = type(error).__name__
    if "Timeout" in name:
        return f"{host} did not answer in time. Ask again, or check the address."
    if "Connect" in name:
        remedy = (
            "Start the model's server, or correct the address."
            if is_local(f"//{host}")
            else "Check the network and the address."
        )
        return f"{host} cannot be reached. {remedy}"
    return f"The connection to {host} broke off. Ask again."


def bounded_client(make: Callable[..., Any], address: str, timeout: float) -> Any:
    """An asynchronous HTTP client that follows no redirect and reads at most `MOST_BYTES` of a
    reply, and at most `MOST_AT_ONCE` bytes and `MOST_LINES` lines before each `event_received`.

    Args:
        make: The class of the client.
        address: The server's. For one on this computer no proxy is used, which could read the key.
        timeout: The longest silence of the server, seconds.
    """
    import httpx2

    host = host_of(address)
    direct = {"mounts": {"http://": None, "https://": None}} if is_local(address) else {}

    async def check(response: Any) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise BackendError(
                f"{host} sent a compressed reply, which was not asked for. Check the address."
            )
        response.stream = response.extensions[BOUNDED] = _bounded_stream(response.stream, host)

    limits = httpx2.Timeout(timeout, connect=CONNECT_SECONDS)
    # a redirect would send the conversation to a server that the user did not choose
    return make(timeout=limits, follow_redirects=False, event_hooks={"response": [check]}, **direct)


def event_received(response: Any) -> None:
    """Restart the counts of bytes and lines without an event, after an event of a reply was
    read.
    """
    response.extensions[BOUNDED].restart()


def _bounded_stream(stream: Any, host: str) -> Any:
    """The bytes of a reply; BackendError if it is too large, or if too much comes without an event,
    such as empty lines.
    """
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        def __init__(self) -> None:
            self.restart()

        def restart(self) -> None:
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
    """The system's keyring cannot store a key."""


def stored_key(host: str) -> str | None:
    """The stored key of a server; empty if there is none, None without a working keyring."""
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
    """The package, if it is installed and finds a keyring that is recommended for use."""
    try:
        keyring = importlib.import_module("keyring")
    except ImportError:
        return None
    return keyring if keyring.get_keyring().priority >= 1 else None
