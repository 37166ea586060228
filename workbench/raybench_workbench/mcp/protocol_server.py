"""A protocol server for clients of both protocol generations, which notifies them when the list of
tools changes. Its transports are standard input and output, and streamable HTTP on loopback.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from importlib import metadata
from typing import IO, Any, BinaryIO, cast

import anyio
import uvicorn
from mcp.server import NotificationOptions, Server
from mcp.server.context import ServerRequestContext
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from raybench_workbench.mcp.address import ServerAddress

NAME = "raybench"
Context = ServerRequestContext[Any, Any]
HOST = "127.0.0.1"
CLOSING_SECONDS = 1
"""Seconds for which connections may finish when the server stops."""
MAX_MESSAGE_BYTES = 4 * 1024 * 1024
"""Bytes of one message, as many as over HTTP: JSON may take thirty times as much memory."""


class ProtocolServer(Server[Any]):
    """A server that lists and calls tools. In the handshake it announces notifications about
    changes of the tool list.

    ``connection`` is entered for each connection (over HTTP, once for all); its value is the
    lifespan context of the requests. ``handlers`` are the handlers of other requests, see
    `raybench_workbench.mcp.resources.reading_handlers`.
    """

    def __init__(
        self,
        instructions: str,
        on_list: Callable[[Context, PaginatedRequestParams | None], Awaitable[ListToolsResult]],
        on_call: Callable[
            [Context, CallToolRequestParams], Awaitable[CallToolResult | InputRequiredResult]
        ],
        changes: ToolListNotifier,
        connection: Callable[[Server[Any]], AbstractAsyncContextManager[Any]] = lambda _: (
            nullcontext()
        ),
        **handlers: Any,
    ) -> None:
        super().__init__(
            NAME,
            version=metadata.version("raybench"),
            title="Raybench",
            instructions=instructions,
            on_list_tools=on_list,
            on_call_tool=on_call,
            on_subscriptions_listen=changes.listen,
            lifespan=connection,
            **handlers,
        )

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *others: Any, **named: Any
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *others, **named)


class ToolListNotifier:
    """Notifies clients of changes to the list of tools: clients that listen for them, and clients
    with a session that have listed the tools.
    """

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self._bus)
        """The handler of a client's subscription."""
        self._sessions: dict[int, ServerSession] = {}
        """A session of each client with a handshake, by the identity of its handshake's parameters.
        """

    def add_session(self, session: ServerSession) -> None:
        """Record the session of a client that has listed the tools, so that it is notified."""
        if session.can_send_request and session.client_params is not None:
            self._sessions[id(session.client_params)] = session

    async def notify_clients(self) -> None:
        """Notify all clients that the list of tools has changed."""
        await self._bus.publish(ToolsListChanged())
        for key, session in tuple(self._sessions.items()):
            try:
                await session.send_tool_list_changed()
            except Exception:  # the client is gone
                del self._sessions[key]


class HttpServer:
    """An HTTP server on a free port of the loopback interface. It refuses requests without the
    access token and requests from web pages.
    """

    def __init__(self, server: Server[Any]) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind((HOST, 0))
        here = f"{HOST}:{self._socket.getsockname()[1]}"
        self.address = ServerAddress(f"http://{here}/mcp", secrets.token_urlsafe(32))
        # a page of a web site whose name was bound to this address afterwards sends another Host,
        # and every page sends its Origin
        security = TransportSecuritySettings(
            allowed_hosts=[here, here.replace(HOST, "localhost")], allowed_origins=[]
        )
        app = server.streamable_http_app(transport_security=security)
        self._gate = _TokenCheck(app, self.address.token)
        config = uvicorn.Config(
            self._gate,
            log_config=None,
            # errors of calls are logged by the protocol's server; these are connections cut when
            # the window closes
            log_level="critical",
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=CLOSING_SECONDS,
        )
        self._server = uvicorn.Server(config)

    async def serve(self, started: Callable[[], None]) -> None:
        """Serve requests until `stop` is called. ``started`` is called when connections are
        accepted.
        """
        self._socket.listen()
        started()
        await self._server.serve(sockets=[self._socket])

    def stop(self) -> None:
        """Refuse further requests; open connections are closed within `CLOSING_SECONDS` seconds."""
        self._gate.shut = True
        self._server.should_exit = True

    def close(self) -> None:
        """Close all connections and sockets, no matter how `serve` ended."""
        for listening in getattr(self._server, "servers", ()):
            listening.close()
        for connection in tuple(self._server.server_state.connections):
            with contextlib.suppress(AttributeError):
                connection.transport.abort()
        self._socket.close()


class _TokenCheck:
    """Refuses invalid requests before they are processed further: requests without the access
    token, requests that state their length twice, and all requests after shutdown.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._wanted = app, f"Bearer {token}".encode()
        self.shut = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._is_authorized(Headers(scope=scope)):
            refusal = PlainTextResponse(
                "The token is wrong or missing. Copy the configuration from the window again: it is"
                " new in every run.",
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        if scope["type"] == "http" and {"content-length", "transfer-encoding"} <= set(
            Headers(scope=scope).keys()
        ):
            refusal = PlainTextResponse("A request has one length.", status_code=400)
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_authorized(self, headers: Headers) -> bool:
        given = headers.get("authorization", "").encode("utf-8", "replace")
        return hmac.compare_digest(given, self._wanted) and not self.shut


async def serve_stdio(server: Server[Any]) -> None:
    """Serve on standard input and output until standard input ends. Text that the program prints
    meanwhile goes to standard error.
    """
    async with stdio_server(anyio.wrap_file(cast("IO[str]", _LineReader(_standard_input())))) as (
        read,
        write,
    ):
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        try:
            await server.run(read, write, server.create_initialization_options())
        finally:
            sys.stdout.flush()  # while standard output is standard error still


def _standard_input() -> BinaryIO:
    """Standard input, reserved for the protocol. The rest of the program and its child processes
    read an empty stream instead.
    """
    own = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    return os.fdopen(own, "rb", closefd=False)  # the thread that reads may outlive the server


class _LineReader:
    """Reads lines from a stream, and skips lines that are too long."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> str:
        line = self._stream.readline(MAX_MESSAGE_BYTES)
        if len(line) < MAX_MESSAGE_BYTES or line.endswith(b"\n"):
            return line.decode("utf-8", "replace")
        while line and not line.endswith(b"\n"):
            line = self._stream.readline(MAX_MESSAGE_BYTES)
        print(
            f"A message of more than {MAX_MESSAGE_BYTES:,} bytes was left out.",
            file=sys.stderr,
            flush=True,
        )
        return "\n"
