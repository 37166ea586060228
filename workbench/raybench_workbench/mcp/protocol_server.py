"""A server of either generation of the protocol, which notifies its clients when the list of tools
changes.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from importlib import metadata
from typing import Any

from mcp.server import NotificationOptions, Server
from mcp.server.context import ServerRequestContext
from mcp.server.models import InitializationOptions
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
)

NAME = "raybench"
Context = ServerRequestContext[Any, Any]


class ProtocolServer(Server[Any]):
    """A server that lists and calls tools, and announces in its handshake that it notifies of
    changes of the list.

    ``connection`` is entered for each connection (over HTTP, once for all); its value is the
    lifespan context of the requests.
    """

    def __init__(
        self,
        instructions: str,
        on_list: Callable[[Context, PaginatedRequestParams | None], Awaitable[ListToolsResult]],
        on_call: Callable[
            [Context, CallToolRequestParams], Awaitable[CallToolResult | InputRequiredResult]
        ],
        changes: ToolChanges,
        connection: Callable[[Server[Any]], AbstractAsyncContextManager[Any]] = lambda _: (
            nullcontext()
        ),
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
        )

    def create_initialization_options(
        self, notification_options: NotificationOptions | None = None, *others: Any, **named: Any
    ) -> InitializationOptions:
        options = notification_options or NotificationOptions(tools_changed=True)
        return super().create_initialization_options(options, *others, **named)


class ToolChanges:
    """Notifies clients of changes of the list of tools: those that listen, and those with a session
    that have listed the tools.
    """

    def __init__(self) -> None:
        self._bus = InMemorySubscriptionBus()
        self.listen = ListenHandler(self._bus)
        """The handler of a client's subscription."""
        self._sessions: dict[int, ServerSession] = {}
        """A session of each client with a handshake, by the identity of its handshake's parameters.
        """

    def add(self, session: ServerSession) -> None:
        """Note that a client has listed the tools."""
        if session.can_send_request and session.client_params is not None:
            self._sessions[id(session.client_params)] = session

    async def notify(self) -> None:
        """Notify all of them."""
        await self._bus.publish(ToolsListChanged())
        for key, session in tuple(self._sessions.items()):
            try:
                await session.send_tool_list_changed()
            except Exception:  # the client is gone
                del self._sessions[key]
