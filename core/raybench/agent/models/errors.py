"""Converts errors of a model server to a `BackendError` whose message is one line with the reason
and the remedy.
"""

import re
from dataclasses import dataclass
from typing import Any

from raybench.agent.models.addresses import is_local
from raybench.agent.models.protocol import BackendError
from raybench.errors import as_sentence

MOST_MESSAGE_CHARACTERS = 2000
"""Maximum characters of a server's message that are searched."""
NOT_THERE = (404, 405, 501)
"""Statuses of a server without the requested service."""
_TEMPORARY_STATUSES = (408, 409, 429)
"""Statuses of refusals that pass, besides faults of the server."""
_REASONS = {429: "rate limit", 503: "not ready", 529: "overloaded"}
_ABOUT_TOOLS = (400, 404, 422, 500, 501)
"""Statuses of refusals that may name tools as their reason."""
_REFUSED = (
    r"(?:not|n't)( be)? support|unsupported|not permitted|extra (inputs|fields)|requires --"
    r"|no endpoints"
)
_REFUSES_TOOLS = re.compile(rf"tool.{{0,60}}(?:{_REFUSED})|(?:{_REFUSED}).{{0,60}}tool", re.I)
_ABOUT_CONTEXT = re.compile(r"context[ _](length|window|size)|prompt is too long", re.I)
_ABOUT_TEXT = re.compile(rf"\bpars(ed?|ing)\b|{_ABOUT_CONTEXT.pattern}", re.I)
"""Reasons of a refusal in whose message tools are named, but not refused."""
_BUSY = re.compile(r"overloaded|rate.?limit|\b(?:429|502|503|529)\b", re.I)
"""Errors reported in a stream that pass."""


@dataclass(frozen=True)
class AskedServer:
    """The server and the model that were asked, and the ``key`` that was sent. Messages never show
    the key. ``key_variable`` is the environment variable of the key, if there is one.
    """

    host: str
    model: str
    key: str
    key_variable: str


class RefusedRequest(BackendError):
    """A server refused a request. ``status`` is the HTTP status, 0 if the refusal was in a reply;
    ``said`` is the server's message.
    """

    def __init__(self, message: str, status: int = 0, said: str = "") -> None:
        super().__init__(message)
        self.status, self.said = status, said


class ServiceNotFound(RefusedRequest):
    """A server does not provide the requested API at this address; it may provide another one."""


class ToolsRefused(RefusedRequest):
    """A server refused a request because of its tools: the server does not support tools, or the
    model cannot call them.
    """


class ServerBusy(RefusedRequest):
    """A server cannot answer now, but may soon. ``reason`` is a few words. ``seconds`` is the
    requested waiting time, None if the server states none.
    """

    def __init__(
        self, message: str, reason: str, seconds: float | None = None, status: int = 0
    ) -> None:
        super().__init__(message, status)
        self.reason, self.seconds = reason, seconds


def as_backend_error(error: Exception, sdk: Any, asked: AskedServer) -> BackendError:
    """Convert an error of the package ``sdk``, or of its HTTP client, to a `BackendError`."""
    import httpx2

    if isinstance(error, sdk.APIConnectionError):
        for cause in (error.__cause__, error.__context__):
            if isinstance(cause, BackendError):
                return cause
    if isinstance(error, sdk.APIConnectionError | httpx2.HTTPError):
        return _connection_error(error, asked)
    status, said = getattr(error, "status_code", None), _server_message(error, asked.key)
    if status == 200 or (status is None and isinstance(error, sdk.APIError)):
        broken = interrupted_error(asked.host, f": {said}" if said else ".")
        busy = _BUSY.search(f"{getattr(error, 'type', '')} {getattr(error, 'body', '')}")
        if not busy:
            return broken
        limited = busy[0] == "429" or "rate" in busy[0].lower()
        return ServerBusy(str(broken), _REASONS[429 if limited else 529])
    if not isinstance(error, sdk.APIStatusError):  # raised for a reply that cannot be parsed
        return BackendError(f"{asked.host} sent a reply that cannot be read. Check the address.")
    if getattr(error, "type", None) == "overloaded_error":
        status = 529
    return _refusal_error(error, error.status_code if status is None else status, said, asked)


def interrupted_error(host: str, said: str = " before the end of its reply.") -> BackendError:
    return BackendError(f"{host} broke off{said} Ask again.")


def _refusal_error(error: Any, status: int, said: str, asked: AskedServer) -> BackendError:
    host, suffix = asked.host, f": {said}" if said else "."
    whole = str(getattr(error, "body", "") or error)[:MOST_MESSAGE_CHARACTERS]
    if status in _ABOUT_TOOLS and _REFUSES_TOOLS.search(said) and not _ABOUT_TEXT.search(said):
        text = f"{host} refused the request ({status}){suffix} Choose another model."
        return ToolsRefused(text, status, whole)
    if status == 404:
        text = (
            f"{host} does not know the model “{asked.model}” or the address (404). Choose a model"
            " that it lists, or correct the address."
        )
        return ServiceNotFound(text, status, whole)
    if status in NOT_THERE:
        text = f"{host} does not offer this ({status}){suffix} Check the address."
        return ServiceNotFound(text, status, whole)
    if status in _TEMPORARY_STATUSES or status >= 500:
        return _busy_error(error, status, suffix, asked)
    if 300 <= status < 400:
        what = f"redirects to another address ({status}). Give that address, if you trust it."
    elif status == 401:
        variable = f", or set {asked.key_variable}" if asked.key_variable else ""
        what = (
            f"refused the key (401). Enter another one{variable}."
            if asked.key
            else f"asks for a key (401). Enter one{variable}."
        )
    elif status == 403:
        what = f"does not allow this with the key given (403){suffix} Use another key or model."
    elif status == 413 or _ABOUT_CONTEXT.search(said):
        what = (
            f"takes no conversation that long ({status}){suffix} Start a new one, offer the model"
            " only a dozen tools (in Preferences, or --tools small), or choose one with a larger"
            " context."
        )
    else:
        what = f"refused the request ({status}){suffix} Check the model's name and the address."
    return RefusedRequest(f"{host} {what}", status, whole)


def _busy_error(error: Any, status: int, suffix: str, asked: AskedServer) -> BackendError:
    headers = error.response.headers
    seconds = _seconds_to_wait(headers)
    what = {429: "limits the rate of requests", 503: "is not ready", 529: "is overloaded"}
    again = (
        f"Ask again in {seconds:.0f} s."
        if seconds and seconds >= 1
        else "Wait a little and ask again."
    )
    text = f"{asked.host} {what.get(status, 'has a fault')} ({status}){suffix} {again}"
    if headers.get("x-should-retry") == "false":
        return RefusedRequest(text, status)
    return ServerBusy(text, _REASONS.get(status, f"fault {status}"), seconds, status)


def _seconds_to_wait(headers: Any) -> float | None:
    """The waiting time in seconds that the server requests; None if it states none."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (KeyError, ValueError):
            continue
        if 0 <= seconds < 1e6:
            return seconds
    return None


def _connection_error(error: Exception, asked: AskedServer) -> BackendError:
    """The error for a failed connection. Its cause is the error of the HTTP client."""
    name, host = type(error.__cause__ or error).__name__, asked.host
    if "Timeout" in name:
        return BackendError(f"{host} did not answer in time. Ask again, or check the address.")
    if "Connect" in name:
        remedy = (
            "Start the model's server, or correct the address."
            if is_local(f"//{host}")
            else "Check the network and the address."
        )
        return BackendError(f"{host} cannot be reached. {remedy}")
    return ServerBusy(f"The connection to {host} broke off. Ask again.", "the connection broke off")


def _server_message(error: Exception, key: str) -> str:
    """The server's message as a sentence in one line, without the key; empty if the server sent a
    web page.
    """
    body = getattr(error, "body", None)
    body = body[0] if isinstance(body, list) and body else body
    inner = body.get("error", body) if isinstance(body, dict) else body
    text = inner.get("message") if isinstance(inner, dict) else inner
    first = (str(text or error).strip().splitlines() or [type(error).__name__])[0]
    if first.startswith("<"):
        return ""
    return as_sentence((first.replace(key, "…") if key else first)[:200])
