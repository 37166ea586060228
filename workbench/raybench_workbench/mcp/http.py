"""The server over streamable HTTP on loopback, with a token."""

from __future__ import annotations

import contextlib
import hmac
import secrets
import socket
from collections.abc import Callable
from typing import Any

import uvicorn
from mcp.server import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from raybench_workbench.mcp.address import Address

HOST = "127.0.0.1"
CLOSING = 1
"""Seconds for which connections may finish when the server stops."""


class HttpServer:
    """Serves on a free port of the loopback interface; who has not the token, or comes from a web
    page, is refused.
    """

    def __init__(self, server: Server[Any]) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind((HOST, 0))
        here = f"{HOST}:{self._socket.getsockname()[1]}"
        self.address = Address(f"http://{here}/mcp", secrets.token_urlsafe(32))
        # a page of a web site whose name was bound to this address afterwards sends another Host,
        # and every page sends its Origin
        security = TransportSecuritySettings(
            allowed_hosts=[here, here.replace(HOST, "localhost")], allowed_origins=[]
        )
        app = server.streamable_http_app(transport_security=security)
        self._gate = _TokenNeeded(app, self.address.token)
        config = uvicorn.Config(
            self._gate,
            log_config=None,
            # errors of calls are logged by the protocol's server; these are connections cut when
            # the window closes
            log_level="critical",
            proxy_headers=False,
            ws="none",
            timeout_graceful_shutdown=CLOSING,
        )
        self._server = uvicorn.Server(config)

    async def serve(self, started: Callable[[], None]) -> None:
        """Serve until `stop`; ``started`` is called when connections are accepted."""
        self._socket.listen()
        started()
        await self._server.serve(sockets=[self._socket])

    def stop(self) -> None:
        """Refuse requests from now on; open connections are closed within `CLOSING` seconds."""
        self._gate.shut = True
        self._server.should_exit = True

    def close(self) -> None:
        """Close everything, however `serve` has ended."""
        for listening in getattr(self._server, "servers", ()):
            listening.close()
        for connection in tuple(self._server.server_state.connections):
            with contextlib.suppress(AttributeError):
                connection.transport.abort()
        self._socket.close()


class _TokenNeeded:
    """Refuses requests without the token, and all once it is shut, before anything else sees them."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app, self._wanted = app, f"Bearer {token}".encode()
        self.shut = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not self._let_in(Headers(scope=scope)):
            refusal = PlainTextResponse(
                "The token is wrong or missing. Copy the configuration from the window again: it is"
                " new in every run.",
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _let_in(self, headers: Headers) -> bool:
        given = headers.get("authorization", "").encode("utf-8", "replace")
        return hmac.compare_digest(given, self._wanted) and not self.shut
